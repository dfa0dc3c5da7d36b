//! The situations of Onitama that tests are to bring about, the same for each seat.

use std::sync::LazyLock;

use super::card::{CARDS, Card, Offset};
use super::cell::{OnitamaCell, SIDE, temple};
use super::notation::{CardMove, SEATS};
use super::position::OnitamaPosition;
use crate::rules::{CoverageItem, Seat};

// The items of a seat that are no steps of cards.
const STUDENT_TAKES: usize = 0;
const MASTER_TAKES: usize = 1;
const STUDENT_TAKES_MASTER: usize = 2;
const MASTER_TAKES_MASTER: usize = 3;
const TEMPLE: usize = 4;
const STUDENT_ON_TEMPLE: usize = 5;
const MASTER_ON_ROW: usize = 6;
const MASTERS_ADJACENT: usize = 7;
const FROM_THE_START: usize = 8;
const STEPS: usize = 9;

/// The pieces of both players before the first turn.
const HOME: [u32; 2] = [0x1F, 0x1F << 20];

/// Returns the number of steps of the cards before this one; for the number of all cards, the steps of all.
fn steps_before(card: usize) -> usize {
    Card::ALL[..card]
        .iter()
        .map(|card| card.steps().len())
        .sum()
}

static FIRST_STEP: LazyLock<[usize; CARDS + 1]> =
    LazyLock::new(|| std::array::from_fn(steps_before));

/// Every item, by its number: those of Top, then those of Bottom.
pub(super) static ITEMS: LazyLock<Vec<CoverageItem>> = LazyLock::new(|| {
    let of_seat = |seat: &str| {
        let item =
            |what: &str, requirement| CoverageItem::new(format!("{seat} {what}"), requirement);
        let mut items = vec![
            item("captures a Student by a Student", "oni/move/capture"),
            item("captures a Student by the Master", "oni/move/capture"),
            item(
                "captures the Master by a Student",
                "oni/win/master-captured",
            ),
            item(
                "captures the Master by the Master",
                "oni/win/master-captured",
            ),
            item("brings the Master onto the temple", "oni/win/temple"),
            item("brings a Student onto the temple", "oni/win/master-only"),
            item(
                "brings the Master beside the temple",
                "oni/win/only-the-temple",
            ),
            item("brings the Masters side by side", "oni/move/accepted"),
            item(
                "moves while no piece has left its home row",
                "oni/setup/starter-moves-first",
            ),
        ];
        for card in Card::ALL {
            let name = |step| format!("goes by {}: {}", card.name(), way(step, "ahead", ", "));
            items.extend(
                card.steps()
                    .iter()
                    .map(|&step| item(&name(step), "oni/cards/steps")),
            );
        }
        items
    };
    SEATS.into_iter().flat_map(of_seat).collect()
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

/// Names the items that a legal step shows.
pub(super) fn covers(before: &OnitamaPosition, step: CardMove, see: &mut dyn FnMut(usize)) {
    let CardMove { card, from, to } = step;
    let mover = before.mover;
    let each = STEPS + FIRST_STEP[CARDS];
    let base = if mover == Seat::First { 0 } else { each };
    let mut see = |item: usize| see(base + item);
    let is_master = before.master(mover) == Some(from);
    let is_on = |cell: OnitamaCell| before.has_piece(mover.other(), cell);
    if before.master(mover.other()) == Some(to) {
        see(if is_master {
            MASTER_TAKES_MASTER
        } else {
            STUDENT_TAKES_MASTER
        });
    } else if is_on(to) {
        see(if is_master {
            MASTER_TAKES
        } else {
            STUDENT_TAKES
        });
    }
    let goal = temple(mover.other());
    match (is_master, to == goal) {
        (true, true) => see(TEMPLE),
        (false, true) => see(STUDENT_ON_TEMPLE),
        (true, false) if to / SIDE == goal / SIDE => see(MASTER_ON_ROW),
        _ => {}
    }
    let master = if is_master {
        Some(to)
    } else {
        before.master(mover)
    };
    let opponents = before.master(mover.other()).filter(|&cell| cell != to);
    if let (Some(one), Some(other)) = (master, opponents)
        && (one / SIDE)
            .abs_diff(other / SIDE)
            .max((one % SIDE).abs_diff(other % SIDE))
            == 1
    {
        see(MASTERS_ADJACENT);
    }
    if Seat::BOTH.map(|seat| before.pieces(seat)) == HOME {
        see(FROM_THE_START);
    }
    let place = |cell: OnitamaCell| ((cell / SIDE) as i8, (cell % SIDE) as i8);
    let ((row, column), (to_row, to_column)) = (place(from), place(to));
    let (forward, right) = match mover {
        Seat::First => (to_row - row, column - to_column),
        Seat::Second => (row - to_row, to_column - column),
    };
    if let Some(place) = card
        .steps()
        .iter()
        .position(|&known| known == (forward, right))
    {
        see(STEPS + FIRST_STEP[card.index()] + place);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Deal;
    use super::super::cell::cell;
    use super::*;

    #[test]
    fn every_item_has_a_requirement() {
        assert!(ITEMS.iter().all(|item| item.requirement.is_some()));
        assert_eq!(ITEMS.len(), 2 * (STEPS + FIRST_STEP[CARDS]));
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
            covers(&position, step, &mut |item| {
                seen.push(ITEMS[item].name.as_str())
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
