//! The known mistakes in the rules of Onitama: every setting of the rules with other values.

use std::sync::LazyLock;

use super::OnitamaRules;
use super::card::{Card, Offset};
use super::facts::way;
use super::rules::{Across, CellNames, Onto, Rotation, Starter};
use crate::rules::{MistakeRow, Mistakes, MistakesOf, Occasions, PerSeat, Seat};

/// The mistakes that the built-in referee can be told to make.
#[rustfmt::skip]
pub(super) const NAMED: &[MistakeRow<OnitamaRules>] = &[
    ("no-temple-win", "a Master on the opponent's temple had not won", "oni/win/temple",
        |oni| oni.across = Across::Never),
    ("temple-won-by-student", "a Student on the opponent's temple had won", "oni/win/master-only",
        |oni| oni.across = Across::PieceOnTemple),
    ("whole-row-wins", "a Master anywhere on the opponent's home row had won", "oni/win/only-the-temple",
        |oni| oni.across = Across::MasterOnRow),
    ("no-master-capture-win", "the capture of a Master did not end the game", "oni/win/master-captured",
        |oni| oni.capture_wins = false),
    ("cards-not-turned-for-top", "the cards were not turned for Top", "oni/cards/turned-for-top",
        |oni| oni.turned = PerSeat([false, false])),
    ("cards-turned-for-bottom", "the cards were turned for Bottom", "oni/cards/turned-for-top",
        |oni| oni.turned = PerSeat([true, true])),
    ("card-not-rotated", "a used card stayed with its player", "oni/cards/rotate",
        |oni| oni.rotation = Rotation::Kept),
    ("used-card-to-opponent", "a used card went to the opponent at once", "oni/cards/through-the-middle",
        |oni| oni.rotation = Rotation::ToOpponent),
    ("middle-card-playable", "the middle card could be used", "oni/invalid/middle-card",
        |oni| oni.plays_middle = true),
    ("opponents-card-playable", "the opponent's cards could be used", "oni/invalid/opponents-card",
        |oni| oni.plays_opponents = true),
    ("captures-own-piece", "a piece could capture an own one", "oni/invalid/own-piece",
        |oni| oni.onto = Onto::Any),
    ("no-capture", "an opponent's piece could not be captured", "oni/move/capture",
        |oni| oni.onto = Onto::Nothing),
    ("again-after-capture", "a capture gave another turn", "oni/turn/alternates",
        |oni| oni.again_after_capture = true),
    ("rabbit-hops-short", "Rabbit went one cell to the right instead of two", "oni/cards/steps",
        |oni| oni.slips = &[("Rabbit", &[(1, 1), (0, 1), (-1, -1)])]),
    ("frog-mirrored", "Frog were its mirror image", "oni/cards/steps",
        |oni| oni.slips = &[("Frog", &[(1, 1), (0, 2), (-1, -1)])]),
    ("tiger-short", "Tiger went one cell forward instead of two", "oni/cards/steps",
        |oni| oni.slips = &[("Tiger", &[(1, 0), (-1, 0)])]),
    ("ox-cannot-retreat", "Ox could not go back", "oni/cards/steps",
        |oni| oni.slips = &[("Ox", &[(1, 0), (0, 1)])]),
];

/// More mistakes about the whole game.
#[rustfmt::skip]
const MORE: &[MistakeRow<OnitamaRules>] = &[
    ("cards-turned-for-bottom-only", "the cards were turned for Bottom, and not for Top", "oni/cards/turned-for-top",
        |oni| oni.turned = PerSeat([false, true])),
    ("cards-mirrored", "every card was its mirror image", "oni/cards/turned-for-top",
        |oni| oni.mirrored = PerSeat([true, true])),
    ("cards-mirrored-for-top", "every card of Top was its mirror image", "oni/cards/turned-for-top",
        |oni| oni.mirrored = PerSeat([true, false])),
    ("cards-mirrored-for-bottom", "every card of Bottom was its mirror image", "oni/cards/turned-for-top",
        |oni| oni.mirrored = PerSeat([false, true])),
    ("edges-joined", "a step beyond an edge of the board came in on the other side", "oni/board/five-by-five",
        |oni| oni.wraps = true),
    ("top-starts", "Top always had the first turn", "oni/setup/starter-moves-first",
        |oni| oni.starter = Starter::Always(Seat::First)),
    ("bottom-starts", "Bottom always had the first turn", "oni/setup/starter-moves-first",
        |oni| oni.starter = Starter::Always(Seat::Second)),
    ("other-starts", "the player who is not named had the first turn", "oni/setup/starter-moves-first",
        |oni| oni.starter = Starter::Other),
];

/// Mistakes in what a bot keeps of the game.
#[rustfmt::skip]
const KEPT: &[MistakeRow<OnitamaRules>] = &[
    ("captured-stays", "a captured piece stayed where it was", "oni/move/capture",
        |oni| oni.uncaptured = true),
    ("moves-unseen", "a moved piece stayed where it was", "oni/bot/valid-move",
        |oni| oni.unmoved = true),
    ("rows-reversed", "the rows were numbered from the other side", "oni/board/cells",
        |oni| oni.cells = CellNames::RowsReversed),
    ("columns-reversed", "the columns were named from the other side", "oni/board/cells",
        |oni| oni.cells = CellNames::ColumnsReversed),
    ("board-turned", "the board was turned", "oni/board/cells",
        |oni| oni.cells = CellNames::Turned),
];

/// Every mistake; the named ones are first.
pub(super) static MISTAKES: LazyLock<Mistakes> = LazyLock::new(|| {
    const STANDARD: OnitamaRules = OnitamaRules::STANDARD;
    let mut all = MistakesOf::new(STANDARD, |rules| rules)
        .named(NAMED)
        .rows(MORE);
    for card in Card::ALL {
        add_card(&mut all, card);
    }
    let players = [("top", "Top"), ("bottom", "Bottom")];
    // Who starts, and for whom cards are turned or mirrored, is said of each player above.
    let is_of_both = |oni: &OnitamaRules| {
        let own = (oni.starter, oni.mirrored, oni.turned);
        own == (STANDARD.starter, STANDARD.mirrored, STANDARD.turned)
    };
    let mut all = all
        .one_sided(&players, is_of_both)
        .occasional(&[Occasions::Later, Occasions::First])
        .kept(KEPT, &[], |_| true, &[])
        .further();
    for card in Card::ALL {
        add_lengths(&mut all, card);
    }
    add_exchanges(&mut all);
    all.done()
});

/// Wrong steps of one card.
fn add_card(all: &mut MistakesOf<OnitamaRules, OnitamaRules>, card: Card) {
    let (name, own) = (card.name(), card.steps());
    // The steps of a card are a set.
    let mut known = vec![sorted(own)];
    let mut add = |kind: &str, summary: &str, offsets: Vec<Offset>| {
        let set = sorted(&offsets);
        if !known.contains(&set) {
            known.push(set);
            all.add(
                &[],
                format!("{}-{kind}", name.to_lowercase()),
                format!("{name} {summary}"),
                "oni/cards/steps",
                |oni| oni.slips = vec![(name, &*offsets.leak())].leak(),
            );
        }
    };
    type Change = fn(Offset) -> Offset;
    let changes: [(&str, &str, Change); 4] = [
        ("mirrored", "was its mirror image", |(forward, right)| {
            (forward, -right)
        }),
        (
            "upside-down",
            "went back where it goes forward",
            |(forward, right)| (-forward, right),
        ),
        ("turned", "was turned by 180 degrees", |(forward, right)| {
            (-forward, -right)
        }),
        (
            "crosswise",
            "had forward and right exchanged",
            |(forward, right)| (right, forward),
        ),
    ];
    for (kind, summary, change) in changes {
        add(kind, summary, own.iter().copied().map(change).collect());
    }
    let mut add_step = |kind: &str, could: &str, step: Offset, offsets: Vec<Offset>| {
        let way = way(step, "forward", " ");
        add(
            &format!("{kind}-{}", way.replace(' ', "-")),
            &format!("could {could} {way}"),
            offsets,
        );
    };
    for &missing in own {
        let rest = own.iter().copied().filter(|&step| step != missing);
        add_step("without", "not go", missing, rest.collect());
    }
    for extra in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
        if !own.contains(&extra) {
            add_step("with", "also go", extra, [own, &[extra]].concat());
        }
    }
}

/// Wrong lengths of one step of a card.
fn add_lengths(all: &mut MistakesOf<OnitamaRules, OnitamaRules>, card: Card) {
    let (name, own) = (card.name(), card.steps());
    for (place, &(forward, right)) in own.iter().enumerate() {
        let longest = forward.abs().max(right.abs());
        for (kind, words, change) in [("far", "far", 1), ("short", "short", -1)] {
            let length = |cells: i8| match cells.abs() == longest {
                true => cells.signum() * (longest + change),
                false => cells,
            };
            let step = (length(forward), length(right));
            if step == (0, 0) || own.contains(&step) {
                continue;
            }
            let mut offsets = own.to_vec();
            offsets[place] = step;
            let way = way((forward, right), "forward", " ");
            all.add(
                &[],
                format!("{}-{kind}-{}", name.to_lowercase(), way.replace(' ', "-")),
                format!("{name} went one cell too {words} in its step {way}"),
                "oni/cards/steps",
                |oni| oni.slips = vec![(name, &*offsets.leak())].leak(),
            );
        }
    }
}

/// Cards that are mirror images of each other, and exchanged.
fn add_exchanges(all: &mut MistakesOf<OnitamaRules, OnitamaRules>) {
    let mirrored = |card: Card| {
        let steps = card.steps().iter();
        let mut steps: Vec<_> = steps.map(|&(forward, right)| (forward, -right)).collect();
        steps.sort_unstable();
        steps
    };
    for (place, one) in Card::ALL.into_iter().enumerate() {
        let others = Card::ALL[place + 1..].iter();
        for &other in others.filter(|other| mirrored(one) == sorted(other.steps())) {
            all.add(
                &[],
                format!("{}-and-{}", one.name(), other.name()).to_lowercase(),
                format!("{} and {} had each other's steps", one.name(), other.name()),
                "oni/cards/steps",
                |oni| {
                    oni.slips =
                        vec![(one.name(), other.steps()), (other.name(), one.steps())].leak()
                },
            );
        }
    }
}

fn sorted(offsets: &[Offset]) -> Vec<Offset> {
    let mut offsets = offsets.to_vec();
    offsets.sort_unstable();
    offsets
}
