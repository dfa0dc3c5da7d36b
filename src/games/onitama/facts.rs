//! What each turn of Onitama shows.

use std::sync::LazyLock;

use super::OnitamaRules;
use super::card::{Card, Hand, Offset, OnitamaCell, SIDE, bits, reach as reach_by, temple};
use super::notation::{CardMove, SEATS};
use super::position::OnitamaPosition;
use super::rules::{CARD_NOT_DEALT, EMPTY_ORIGIN, NOT_A_STEP, OPPONENTS_PIECE};
use crate::rules::{Attempt, Fact, Roll, Rules, Seat, Situations, Trace, Traces};

const SIXTEEN: &str = "oni/cards/sixteen";
const ROTATE: &str = "oni/cards/rotate";
const IN_HAND: &str = "oni/cards/two-in-hand";
const THROUGH: &str = "oni/cards/through-the-middle";

/// Trace of a card that a player has used.
const USED: u32 = 0;
/// Trace of a card that a player has taken from the middle.
const TAKEN: u32 = 1;

// The parts of the key of a trace: whether the card was used or taken, by whom, and the card.
const WHAT: u32 = 0x200;
const SEAT: u32 = 0x100;
const CARD: u32 = 0xFF;

/// The pieces of both players before the first turn.
const HOME: [u32; 2] = [0x1F, 0x1F << 20];

// Situations, by the piece that moves where there are two: a Student, the Master.
const TAKES: [&str; 2] = [
    "captures a Student by a Student",
    "captures a Student by the Master",
];
const TAKES_MASTER: [&str; 2] = [
    "captures the Master by a Student",
    "captures the Master by the Master",
];
const ON_TEMPLE: [&str; 2] = [
    "brings a Student onto the temple",
    "brings the Master onto the temple",
];
const BESIDE_TEMPLE: &str = "brings the Master beside the temple";
const SIDE_BY_SIDE: &str = "brings the Masters side by side";
const FROM_START: &str = "moves while no piece has left its home row";

/// The situations that tests are to bring about. A step of a card is found by the card's name and the number of the step.
pub(super) static SITUATIONS: LazyLock<Situations> = LazyLock::new(|| {
    let once = [
        (TAKES[0], "oni/move/capture"),
        (TAKES[1], "oni/move/capture"),
        (TAKES_MASTER[0], "oni/win/master-captured"),
        (TAKES_MASTER[1], "oni/win/master-captured"),
        (ON_TEMPLE[1], "oni/win/temple"),
        (ON_TEMPLE[0], "oni/win/master-only"),
        (BESIDE_TEMPLE, "oni/win/only-the-temple"),
        (SIDE_BY_SIDE, "oni/move/accepted"),
        (FROM_START, "oni/setup/starter-moves-first"),
    ];
    let once = once.map(|(words, id)| (words, 0, words.to_owned(), Some(id)));
    let steps = Card::ALL.into_iter().flat_map(|card| {
        card.steps().iter().zip(0..).map(move |(&step, number)| {
            let name = format!("goes by {}: {}", card.name(), way(step, "ahead", ", "));
            (card.name(), number, name, Some("oni/cards/steps"))
        })
    });
    let all: Vec<_> = once.into_iter().chain(steps).collect();
    Situations::new(SEATS, &all)
});

/// A step from the mover's point of view, in words.
pub(super) fn way((forward, right): Offset, ahead: &str, between: &str) -> String {
    let along = |steps: i8, one: &str, other: &str| match steps {
        0 => None,
        1.. => Some(format!("{steps} {one}")),
        _ => Some(format!("{} {other}", -steps)),
    };
    let parts = [along(forward, ahead, "back"), along(right, "right", "left")];
    parts
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(between)
}

/// The key of a trace, but for the card.
fn key(what: u32, seat: Seat) -> u32 {
    what * WHAT + seat.index() as u32 * SEAT
}

fn trace(requirement: &'static str, what: u32, seat: Seat, card: Card) -> Fact {
    Fact::Later(Trace {
        requirement,
        key: key(what, seat) | card.index() as u32,
    })
}

/// Lists the cells that each of the player's pieces reaches by each of these cards, cells with own pieces included.
fn reach(
    before: &OnitamaPosition,
    cards: Hand,
    is_turned: bool,
) -> impl Iterator<Item = u32> + use<> {
    let own = before.pieces[before.mover];
    let of_card = move |card: Card| bits(own).map(move |from| card.reach(from, is_turned));
    cards.cards().flat_map(of_card)
}

/// Names, to `see`, what a turn shows.
pub(super) fn facts(
    rules: OnitamaRules,
    before: &OnitamaPosition,
    attempt: Attempt,
    see: &mut dyn FnMut(Fact),
) {
    let is_stuck = !rules.can_move(before, Roll(0));
    match attempt {
        Attempt::Moved(mv) => {
            let step = rules.step(before, mv);
            moved(before, step, see);
            shown(before, step, true, see);
            chosen(before, see);
        }
        Attempt::Refused(mv) => {
            let breaks_more = |step| rules.broken(before, step).count() != 1;
            if CardMove::of(mv).is_none_or(breaks_more) {
                see(Fact::BreaksMore);
            }
            if let Some(step) = CardMove::of(mv) {
                shown(before, step, false, see);
            }
            if is_stuck {
                see(Fact::Now("oni/difference/no-valid-move"));
            }
        }
        Attempt::Forfeited if is_stuck => {
            see(Fact::Now("oni/difference/no-valid-move"));
            see(Fact::Now("oni/timeout/no-valid-move"));
        }
        Attempt::Forfeited | Attempt::Skipped => {}
    }
}

fn moved(before: &OnitamaPosition, step: CardMove, see: &mut dyn FnMut(Fact)) {
    let CardMove { card, from, to } = step;
    let (mover, other) = (before.mover, before.mover.other());
    let goal = temple(other);
    let (home, far) = (temple(mover) / SIDE, goal / SIDE);
    let is_master = before.master(mover) == Some(from);
    let piece = usize::from(is_master);
    let captures = before.has_piece(other, to);
    let (is_across, takes_master) = (is_master && to == goal, before.master(other) == Some(to));
    see(Fact::Turn("oni/turn/alternates"));
    // The most telling one last.
    for (is_shown, kind, requirement) in [
        (captures, "capture", "oni/move/capture"),
        (is_across, "reach-temple", "oni/win/temple"),
        (takes_master, "take-master", "oni/win/master-captured"),
    ] {
        if is_shown {
            see(Fact::Kind(kind));
            see(Fact::Move(requirement));
            see(Fact::Now(requirement));
        }
    }
    see(Fact::Now("oni/cards/steps"));
    // By the card as the other side sees it, the step would not be there.
    if card.reach(from, mover == Seat::Second) >> to & 1 == 0 {
        see(Fact::Now("oni/cards/turned-for-top"));
    }
    if from / SIDE == home {
        see(Fact::Now("oni/board/home-rows"));
    }
    if to % SIDE == SIDE - 1 || to / SIDE == far {
        see(Fact::Now("oni/board/five-by-five"));
    }
    for middle in before.middle.cards() {
        see(trace(THROUGH, TAKEN, mover, middle));
    }
    for requirement in [THROUGH, ROTATE, SIXTEEN, IN_HAND] {
        see(trace(requirement, USED, mover, card));
    }
    let master = if is_master {
        Some(to)
    } else {
        before.master(mover)
    };
    let opponents = before.master(other).filter(|_| !takes_master);
    let masters = master.zip(opponents);
    let is_beside = to != goal && is_master && to / SIDE == far;
    for (is_shown, word) in [
        (takes_master, TAKES_MASTER[piece]),
        (captures && !takes_master, TAKES[piece]),
        (to == goal, ON_TEMPLE[piece]),
        (is_beside, BESIDE_TEMPLE),
        (
            masters.is_some_and(|(one, other)| are_adjacent(one, other)),
            SIDE_BY_SIDE,
        ),
        (before.pieces.0 == HOME, FROM_START),
    ] {
        if is_shown {
            SITUATIONS.show(mover, word, 0, see);
        }
    }
    let is_taken = |step: &Offset| reach_by([*step], from, mover == Seat::First, false) == 1 << to;
    if let Some(number) = card.steps().iter().position(is_taken) {
        SITUATIONS.show(mover, card.name(), number as u8, see);
    }
    if takes_master || is_across {
        return see(Fact::Now("oni/board/masters-on-column-c"));
    }
    see(Fact::Next("oni/turn/alternates"));
    if to == goal {
        see(Fact::Next("oni/win/master-only"));
    } else if is_beside {
        see(Fact::Next("oni/win/only-the-temple"));
    }
}

/// Returns true for two cells that share a side or a corner.
fn are_adjacent(one: OnitamaCell, other: OnitamaCell) -> bool {
    let rows = (one / SIDE).abs_diff(other / SIDE);
    rows.max((one % SIDE).abs_diff(other % SIDE)) == 1
}

/// Names the requirements that a player can break in its choice of a move.
fn chosen(before: &OnitamaPosition, see: &mut dyn FnMut(Fact)) {
    let mover = before.mover;
    let (hand, own) = (before.hands[mover], before.pieces[mover]);
    let is_turned = mover == Seat::First;
    let all = |cards| reach(before, cards, is_turned).fold(0, |all, cells| all | cells);
    let mut as_others = reach(before, hand, !is_turned).zip(reach(before, hand, is_turned));
    for (can_be_broken, id) in [
        // Eleven cards are not dealt, most cells of the board are no step, and there are empty ones and the opponent's.
        (true, CARD_NOT_DEALT.requirement),
        (true, NOT_A_STEP.requirement),
        (true, EMPTY_ORIGIN.requirement),
        (true, OPPONENTS_PIECE.requirement),
        (all(before.middle) & !own != 0, "oni/invalid/middle-card"),
        (
            all(before.hands[mover.other()]) & !own != 0,
            "oni/invalid/opponents-card",
        ),
        (all(hand) & own != 0, "oni/invalid/own-piece"),
        (
            as_others.any(|(theirs, cells)| theirs & !cells & !own != 0),
            "oni/cards/turned-for-top",
        ),
    ] {
        if can_be_broken {
            see(Fact::OfMover(id));
        }
    }
}

/// Names the traces of earlier turns that a move shows, or the attempt of one.
fn shown(before: &OnitamaPosition, step: CardMove, is_legal: bool, see: &mut dyn FnMut(Fact)) {
    let of = |requirement, mask, key| Traces {
        requirement,
        mask,
        key,
    };
    let card = step.card.index() as u32;
    let [own, other] = [before.mover, before.mover.other()].map(|seat| key(USED, seat));
    see(Fact::ShowsOfMover(of(None, SEAT, own)));
    let mut shows = |id, mask, key| see(Fact::Shows(of(Some(id), mask, key)));
    if is_legal {
        shows(IN_HAND, SEAT, own);
        // The other player has it by now.
        shows(ROTATE, SEAT | CARD, other | card);
        shows(SIXTEEN, SEAT | CARD, other | card);
        shows(THROUGH, WHAT | SEAT | CARD, WHAT | own | card);
    } else {
        // Its player tries it again.
        shows(ROTATE, SEAT | CARD, own | card);
        if before.middle.has(step.card) {
            shows(THROUGH, WHAT | CARD, card);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Deal;
    use super::super::card::cell;
    use super::*;

    #[test]
    fn every_item_has_a_requirement() {
        assert!(
            SITUATIONS
                .items()
                .iter()
                .all(|item| item.requirement.is_some())
        );
        let steps = Card::ALL.into_iter().flat_map(Card::steps).count();
        assert_eq!(SITUATIONS.items().len(), 2 * (9 + steps));
    }

    #[test]
    fn sees_who_takes_whom_and_masters_side_by_side() {
        let at = |name: &str| cell(name).unwrap();
        let mut deal = Deal::of(crate::rules::Setup(0));
        deal.starter = Seat::Second;
        let seen = |pieces: [(OnitamaCell, &[OnitamaCell]); 2], from: &str, to: &str| {
            let position = OnitamaPosition::new(pieces, deal);
            let step = CardMove {
                card: deal.cards[2],
                from: at(from),
                to: at(to),
            };
            let mut seen = Vec::new();
            moved(&position, step, &mut |fact| {
                if let Fact::Covers(item) = fact {
                    seen.push(SITUATIONS.items()[item].name);
                }
            });
            seen
        };
        let (top, bottom, a2, b2) = (at("c1"), at("c3"), at("a2"), at("b2"));
        for (pieces, from, to, name) in [
            (
                [(top, &[a2][..]), (bottom, &[at("b3")])],
                "b3",
                "a2",
                "captures a Student by a Student",
            ),
            (
                [(top, &[]), (bottom, &[])],
                "c3",
                "b2",
                "brings the Masters side by side",
            ),
            (
                [(b2, &[]), (bottom, &[])],
                "c3",
                "b2",
                "captures the Master by the Master",
            ),
            (
                [(at("a5"), &[]), (at("d2"), &[])],
                "d2",
                "c1",
                "brings the Master onto the temple",
            ),
        ] {
            let seen = seen(pieces, from, to);
            assert!(
                seen.contains(&&*format!("bottom {name}")),
                "{name}: {seen:?}"
            );
        }
    }
}
