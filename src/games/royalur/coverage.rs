//! The situations of Ur that tests are to bring about, the same for each seat.

use std::sync::LazyLock;

use super::UrRules;
use super::exercise::PRIVATE;
use super::position::{END, START, TOKENS, UrCell, UrPosition};
use super::refusal;
use crate::rules::{CoverageItem, Move, Refusal, Roll, Seat};

/// Cells on which tokens can be captured: the shared cells, without the safe one.
const CAPTURES: [UrCell; 7] = [5, 6, 7, 9, 10, 11, 12];
/// Cells that give another turn.
const ROSETTES: [UrCell; 3] = [4, 8, 14];
/// Cells from which a token leaves the track.
const EXITS: [UrCell; 4] = [11, 12, 13, 14];
/// Heads of a roll, from none to all.
const ROLLS: usize = 5;
/// Obstacles in the way of a token.
const OBSTACLES: [(&str, &Refusal); 3] = [
    ("an own token", &refusal::OWN_TOKEN),
    (
        "the opponent on the eighth cell",
        &refusal::OCCUPIED_ROSETTE,
    ),
    ("the end of the track", &refusal::OVERSHOOT),
];

// The items of a seat, one group after the other.
const CAPTURE: usize = 0;
const ROSETTE: usize = CAPTURE + CAPTURES.len();
const EXIT: usize = ROSETTE + ROSETTES.len();
const ROLLED: usize = EXIT + EXITS.len();
const BLOCKED: usize = ROLLED + ROLLS;
const TOKEN: usize = BLOCKED + ROLLS - 1;
const BESIDE: usize = TOKEN + TOKENS;
const OBSTACLE: usize = BESIDE + PRIVATE.len();
const ENTERS: usize = OBSTACLE + OBSTACLES.len();
const SIXTH_OUT: usize = ENTERS + 1;
const WINS: usize = SIXTH_OUT + 1;
const EACH: usize = WINS + 1;

/// Every item, by its number: those of the first seat, then those of the second.
pub(super) static ITEMS: LazyLock<Vec<CoverageItem>> = LazyLock::new(|| {
    let of_seat = |seat: &str| {
        let item =
            |what: String, requirement| CoverageItem::new(format!("{seat} {what}"), requirement);
        let captures = CAPTURES.map(|cell| {
            let requirement = match cell {
                5 => "ur/capture/first-shared-cell",
                12 => "ur/capture/last-shared-cell",
                _ => "ur/capture/shared-lane",
            };
            item(format!("captures on cell {cell}"), requirement)
        });
        let rosettes = [
            "ur/extra-turn/cell-4",
            "ur/extra-turn/cell-8",
            "ur/extra-turn/cell-14",
        ];
        let rosettes = ROSETTES
            .iter()
            .zip(rosettes)
            .map(|(cell, requirement)| item(format!("lands on rosette {cell}"), requirement));
        let exits = EXITS.map(|cell| {
            item(
                format!("leaves the track from cell {cell}"),
                "ur/exit/exact",
            )
        });
        let rolled = (0..ROLLS).map(|heads| match heads {
            0 => item("rolls 0".to_owned(), "ur/skip/roll-0"),
            _ => item(format!("rolls {heads}"), "ur/roll/heads"),
        });
        let blocked =
            (1..ROLLS).map(|heads| item(format!("can move nothing by {heads}"), "ur/skip/blocked"));
        let tokens = (0..TOKENS)
            .map(|token| item(format!("moves token {token}"), "ur/tokens/numbered-0-to-6"));
        let beside = PRIVATE.map(|cell| {
            item(
                format!("moves beside the opponent's cell {cell}"),
                "ur/capture/only-shared",
            )
        });
        let obstacles = OBSTACLES.iter().map(|(what, _)| CoverageItem {
            name: format!("{seat} has {what} in the way of a token and moves another"),
            requirement: None,
        });
        let mut items: Vec<CoverageItem> =
            captures.into_iter().chain(rosettes).chain(exits).collect();
        items.extend(
            rolled
                .chain(blocked)
                .chain(tokens)
                .chain(beside)
                .chain(obstacles),
        );
        items.push(item(
            "brings a token onto the track".to_owned(),
            "ur/move/enters-the-track",
        ));
        items.push(item(
            "has six tokens out and plays on".to_owned(),
            "ur/win/seven-out",
        ));
        items.push(item("wins".to_owned(), "ur/win/seven-out"));
        items
    };
    ["first", "second"].into_iter().flat_map(of_seat).collect()
});

/// Names the items that a turn shows.
pub(super) fn covers(
    rules: UrRules,
    before: &UrPosition,
    roll: Roll,
    mv: Option<Move>,
    see: &mut dyn FnMut(usize),
) {
    let mover = before.mover();
    let base = if mover == Seat::First { 0 } else { EACH };
    let mut see = |item: usize| see(base + item);
    let heads = usize::from(rules.steps(roll));
    see(ROLLED + heads);
    let Some(mv) = mv else {
        if heads > 0 {
            see(BLOCKED + heads - 1);
        }
        return;
    };
    let (from, to) = rules.way(before, roll, mv);
    see(TOKEN + mv.0 as usize);
    let of = |cells: &[UrCell], cell: UrCell| cells.iter().position(|&known| known == cell);
    if rules.captures(before, to)
        && let Some(place) = of(&CAPTURES, to)
    {
        see(CAPTURE + place);
    }
    if let Some(place) = of(&ROSETTES, to) {
        see(ROSETTE + place);
    }
    if let Some(place) = of(&PRIVATE, to).filter(|_| before.occupied(mover.other()) >> to & 1 != 0)
    {
        see(BESIDE + place);
    }
    if from == START {
        see(ENTERS);
    }
    if to == END {
        if let Some(place) = of(&EXITS, from) {
            see(EXIT + place);
        }
        match before.out(mover) + 1 {
            TOKENS => see(WINS),
            6 => see(SIXTH_OUT),
            _ => {}
        }
    }
    for token in 0..TOKENS as u32 {
        let refused = rules.refused(before, roll, Move(token));
        let obstacle = refused.and_then(|refused| {
            OBSTACLES
                .iter()
                .position(|(_, known)| known.code == refused.code)
        });
        if let Some(place) = obstacle {
            see(OBSTACLE + place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;

    fn seen(
        cells: [[UrCell; TOKENS]; 2],
        mover: Seat,
        heads: usize,
        mv: Option<u32>,
    ) -> Vec<&'static str> {
        let before = UrPosition::new(cells, mover);
        let roll = UrRules::STANDARD.kinds_of_roll()[heads];
        let mut seen = Vec::new();
        UrRules::STANDARD.covers(&before, roll, mv.map(Move), &mut |item| {
            seen.push(ITEMS[item].name.as_str())
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

    #[test]
    fn a_skipped_turn_shows_its_roll_and_that_nothing_could_move() {
        let cells = [[15, 15, 15, 15, 15, 15, 14], [8, 0, 0, 0, 0, 0, 0]];
        assert_eq!(
            seen(cells, Seat::First, 2, None),
            ["first rolls 2", "first can move nothing by 2"]
        );
        assert_eq!(seen(cells, Seat::First, 0, None), ["first rolls 0"]);
        assert_eq!(ITEMS.len(), 2 * EACH);
    }
}
