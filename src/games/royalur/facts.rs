//! What each turn of Ur shows.

use std::sync::LazyLock;

use super::UrRules;
use super::position::{END, START, TOKENS, UrCell, UrPosition};
use super::rules::{HOME, OCCUPIED_ROSETTE, OVERSHOOT, OWN_TOKEN};
use crate::rules::{Attempt, Fact, Move, Refusal, Roll, Seat, Situations, Trace, Traces};

/// Cells that each player has for itself.
const PRIVATE: [UrCell; 6] = [1, 2, 3, 4, 13, 14];

/// Requirements that turns leave as traces until the token of the trace moves again.
const ONLY_SHARED: &str = "ur/capture/only-shared";
const SENT_BACK: &str = "ur/capture/sent-back-to-start";
const CELL_TAKEN: &str = "ur/capture/cell-taken";

/// Obstacles of a token, in words for the player who has to do without that token, and what shows by them.
const OBSTACLES: [(&Refusal, &str, &[&str]); 3] = [
    (
        &OWN_TOKEN,
        "has an own token in the way of a token and moves another",
        &["ur/retire/own-token"],
    ),
    (
        &OCCUPIED_ROSETTE,
        "has the opponent on the eighth cell in the way of a token and moves another",
        &["ur/retire/occupied-rosette", "ur/capture/safe-rosette"],
    ),
    (
        &OVERSHOOT,
        "has the end of the track in the way of a token and moves another",
        &[
            "ur/retire/overshoot",
            "ur/exit/exact",
            "ur/track/fourteen-cells",
        ],
    ),
];

const CAPTURES: &str = "captures on cell";
const LANDS: &str = "lands on rosette";
const LEAVES: &str = "leaves the track from cell";
const ROLLS: &str = "rolls";
const BLOCKED: &str = "can move nothing by";
const MOVES: &str = "moves token";
const BESIDE: &str = "moves beside the opponent's cell";
const ENTERS: &str = "brings a token onto the track";
const SIX_OUT: &str = "has six tokens out and plays on";
const WINS: &str = "wins";

/// The situations that tests are to bring about.
pub(super) static SITUATIONS: LazyLock<Situations> = LazyLock::new(|| {
    let mut all = Vec::new();
    let mut each = |words, numbers: &[u8], requirement: fn(u8) -> &'static str| {
        all.extend(numbers.iter().map(|&number| {
            let name = format!("{words} {number}");
            (words, number, name, Some(requirement(number)))
        }));
    };
    each(CAPTURES, &[5, 6, 7, 9, 10, 11, 12], of_capture);
    each(LANDS, &[4, 8, 14], of_rosette);
    each(LEAVES, &[11, 12, 13, 14], |_| "ur/exit/exact");
    each(ROLLS, &[0, 1, 2, 3, 4], |heads| match heads {
        0 => "ur/skip/roll-0",
        _ => "ur/roll/heads",
    });
    each(BLOCKED, &[1, 2, 3, 4], |_| "ur/skip/blocked");
    each(
        MOVES,
        &[0, 1, 2, 3, 4, 5, 6],
        |_| "ur/tokens/numbered-0-to-6",
    );
    each(BESIDE, &PRIVATE, |_| ONLY_SHARED);
    let others = [
        (ENTERS, "ur/move/enters-the-track"),
        (SIX_OUT, "ur/win/seven-out"),
        (WINS, "ur/win/seven-out"),
    ];
    let obstacles = OBSTACLES.map(|(_, words, _)| (words, None));
    let others = others.map(|(words, id)| (words, Some(id)));
    let once = obstacles.into_iter().chain(others);
    all.extend(once.map(|(words, id)| (words, 0, words.to_owned(), id)));
    Situations::new(["first", "second"], &all)
});

/// The requirement that a capture on this cell shows.
fn of_capture(cell: UrCell) -> &'static str {
    match cell {
        5 => "ur/capture/first-shared-cell",
        12 => "ur/capture/last-shared-cell",
        _ if PRIVATE.contains(&cell) => ONLY_SHARED,
        _ => "ur/capture/shared-lane",
    }
}

/// The requirement that a token on this rosette shows.
fn of_rosette(cell: UrCell) -> &'static str {
    match cell {
        4 => "ur/extra-turn/cell-4",
        8 => "ur/extra-turn/cell-8",
        _ => "ur/extra-turn/cell-14",
    }
}

/// The key of a trace of a token: four bits.
fn key(seat: Seat, token: usize) -> u32 {
    (seat.index() << 3 | token) as u32
}

/// The traces of a token, of one requirement or of any.
fn of_token(requirement: Option<&'static str>, seat: Seat, token: usize) -> Traces {
    Traces {
        requirement,
        mask: 0b1111,
        key: key(seat, token),
    }
}

/// The traces of all tokens of a player.
fn of_player(seat: Seat) -> Traces {
    Traces {
        requirement: None,
        mask: 0b1000,
        key: key(seat, 0),
    }
}

/// Names, to `see`, what a turn shows.
pub(super) fn facts(
    rules: UrRules,
    before: &UrPosition,
    roll: Roll,
    attempt: Attempt,
    see: &mut dyn FnMut(Fact),
) {
    let (mover, steps) = (before.mover(), rules.steps(roll));
    let refused = |token| rules.refused(before, roll, Move(token));
    let obstacle = |refusal: &Refusal| OBSTACLES.iter().find(|row| row.0.code == refusal.code);
    let refusals = (0..TOKENS as u32).filter_map(refused);
    match attempt {
        Attempt::Skipped => {
            SITUATIONS.show(mover, ROLLS, steps, see);
            SITUATIONS.show(mover, BLOCKED, steps, see);
            let turn = match steps {
                0 => "ur/skip/roll-0",
                _ => "ur/skip/blocked",
            };
            see(Fact::Turn(turn));
            see(Fact::Now(turn));
            see(Fact::Now("ur/roll/heads"));
            see(Fact::Next("ur/skip/roll-follows-for-other"));
            if steps > 0 {
                // Elsewhere a token could have moved.
                see(Fact::Shows(of_player(mover)));
            }
            let ids = refusals.filter_map(obstacle).flat_map(|row| row.2);
            ids.for_each(|id| see(Fact::Now(id)));
        }
        Attempt::Moved(mv) => {
            SITUATIONS.show(mover, ROLLS, steps, see);
            moved(rules, before, roll, mv, see);
            for refusal in refusals {
                if let Some((_, words, ids)) = obstacle(refusal) {
                    SITUATIONS.show(mover, words, 0, see);
                    ids.iter().for_each(|id| see(Fact::OfMover(id)));
                } else if refusal.code == HOME.code {
                    see(Fact::OfMover(refusal.requirement));
                }
            }
        }
        Attempt::Refused(mv) => {
            let ids = refused(mv.0).and_then(obstacle).map(|row| row.2);
            ids.into_iter().flatten().for_each(|id| see(Fact::Now(id)));
        }
        Attempt::Forfeited => {}
    }
}

fn moved(rules: UrRules, before: &UrPosition, roll: Roll, mv: Move, see: &mut dyn FnMut(Fact)) {
    let (from, to) = rules.way(before, roll, mv);
    let (mover, token) = (before.mover(), mv.0 as usize);
    let (captures, is_rosette) = (rules.captures(before, to), rules.is_rosette(to));
    let victim = before.token_on(mover.other(), to);
    let later = |requirement, seat, token| {
        let key = key(seat, token);
        Fact::Later(Trace { requirement, key })
    };
    let ground = match to {
        END => "ur/exit/exact",
        _ if captures => of_capture(to),
        _ if victim.is_some() => ONLY_SHARED,
        _ if from == START => "ur/move/enters-the-track",
        _ => "ur/move/forward-by-roll",
    };
    let turn = match to {
        4 | 8 | 14 => of_rosette(to),
        END => "ur/extra-turn/not-after-exit",
        _ if captures => "ur/extra-turn/not-after-capture",
        _ => "ur/turn/alternates",
    };
    see(Fact::Move(ground));
    see(Fact::Turn(turn));
    see(Fact::Shows(of_token(None, mover, token)));
    see(Fact::ShowsOfMover(of_player(mover)));
    see(Fact::Now("ur/roll/heads"));
    see(Fact::Next("ur/move/forward-by-roll"));
    SITUATIONS.show(mover, MOVES, mv.0 as u8, see);
    if token == 0 || token == TOKENS - 1 {
        see(Fact::Now("ur/tokens/numbered-0-to-6"));
    }
    if token == TOKENS - 1 {
        see(Fact::Now("ur/tokens/seven"));
    }
    if captures {
        SITUATIONS.show(mover, CAPTURES, to, see);
        see(Fact::Kind("capture"));
        see(Fact::Now(of_capture(to)));
        if !PRIVATE.contains(&to) {
            see(Fact::Now("ur/capture/shared-lane"));
        }
        if let Some(victim) = victim {
            // A captor is captured in turn where it stands.
            see(Fact::Shows(of_token(
                Some(CELL_TAKEN),
                mover.other(),
                victim,
            )));
            see(later(SENT_BACK, mover.other(), victim));
        }
        see(later(CELL_TAKEN, mover, token));
    }
    SITUATIONS.show(mover, LANDS, to, see);
    if is_rosette {
        see(Fact::Kind("reach-rosette"));
    }
    if let Some(other) = victim.filter(|_| PRIVATE.contains(&to)) {
        SITUATIONS.show(mover, BESIDE, to, see);
        see(Fact::Now("ur/track/private-cells-apart"));
        see(later(ONLY_SHARED, mover.other(), other));
    }
    if from == START {
        SITUATIONS.show(mover, ENTERS, 0, see);
        see(Fact::Now("ur/move/enters-the-track"));
        see(Fact::Now("ur/tokens/start-off-the-track"));
    }
    if to == 14 {
        see(Fact::Next("ur/track/fourteen-cells"));
    }
    if to == END {
        SITUATIONS.show(mover, LEAVES, from, see);
        see(Fact::Kind("exit"));
        see(Fact::Now("ur/exit/exact"));
        see(Fact::Now("ur/track/fourteen-cells"));
        match before.out(mover) + 1 {
            TOKENS => {
                SITUATIONS.show(mover, WINS, 0, see);
                see(Fact::Now("ur/win/seven-out"));
                return see(Fact::Now("ur/tokens/seven"));
            }
            6 => {
                SITUATIONS.show(mover, SIX_OUT, 0, see);
                see(Fact::Next("ur/win/seven-out"));
            }
            _ => {}
        }
    }
    see(Fact::Next(turn));
    if !is_rosette {
        see(Fact::Next("ur/turn/alternates"));
        see(Fact::Next("ur/extra-turn/only-there"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::royalur::UrVariant;
    use crate::rules::Rules;

    fn seen(
        cells: [[UrCell; TOKENS]; 2],
        mover: Seat,
        heads: usize,
        mv: Option<u32>,
    ) -> Vec<&'static str> {
        let before = UrPosition::new(cells, mover);
        let roll = UrRules::<UrVariant>::ROLLS[heads];
        let mut seen = Vec::new();
        let attempt = mv.map_or(Attempt::Skipped, |mv| Attempt::Moved(Move(mv)));
        UrRules::STANDARD.facts(&before, roll, attempt, &mut |fact| {
            if let Fact::Covers(item) = fact {
                seen.push(SITUATIONS.items()[item].name);
            }
        });
        seen
    }

    #[test]
    fn a_capture_is_seen_on_its_cell_and_for_its_player() {
        let cells = [[5, 0, 0, 0, 0, 0, 0], [4, 1, 0, 0, 0, 0, 0]];
        let seen = seen(cells, Seat::Second, 1, Some(0));
        assert!(seen.contains(&"second captures on cell 5"), "{seen:?}");
        assert!(
            seen.contains(&"second has an own token in the way of a token and moves another"),
            "{seen:?}"
        );
    }

    /// Seed `000`: "the cells from the fifth to the twelfth (included) shared between players". No token stands on the opponent's other cells.
    #[test]
    fn a_capture_on_a_private_cell_is_about_the_cells_that_are_not_shared() {
        for cell in PRIVATE {
            let mut variant = UrVariant::STANDARD;
            variant.shared |= 1 << cell;
            let rules = UrRules::variant(variant);
            let mut cells = [[0; TOKENS]; 2];
            (cells[0][0], cells[1][0]) = (cell - 1, cell);
            let (before, roll) = (UrPosition::new(cells, Seat::First), Roll(1));
            let (mut tested, mut ground) = (Vec::new(), None);
            rules.facts(
                &before,
                roll,
                Attempt::Moved(Move(0)),
                &mut |fact| match fact {
                    Fact::Now(id) => tested.push(id),
                    Fact::Move(id) => ground = Some(id),
                    _ => {}
                },
            );
            assert_eq!(ground, Some(ONLY_SHARED), "cell {cell}");
            assert!(tested.contains(&ONLY_SHARED), "cell {cell}: {tested:?}");
            let shared = "ur/capture/shared-lane";
            assert!(!tested.contains(&shared), "cell {cell}: {tested:?}");
        }
    }

    #[test]
    fn a_skipped_turn_shows_its_roll_and_that_nothing_could_move() {
        let cells = [[15, 15, 15, 15, 15, 15, 14], [8, 0, 0, 0, 0, 0, 0]];
        assert_eq!(
            seen(cells, Seat::First, 2, None),
            ["first rolls 2", "first can move nothing by 2"]
        );
        assert_eq!(seen(cells, Seat::First, 0, None), ["first rolls 0"]);
        assert_eq!(SITUATIONS.items().len(), 84);
    }
}
