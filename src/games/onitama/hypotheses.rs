//! The wrong readings of the rules of Onitama that an explanation considers: every setting of the rules with other values.

use std::sync::LazyLock;

use super::card::{Card, Offset};
use super::variant::{self, OnitamaVariant, Slip, Starter, VARIANTS};
use crate::rules::{Hypotheses, Occasions, PerSeat, Seat, VariantRow};

/// Every wrong reading of the rules; the named variants stand first.
pub(super) static HYPOTHESES: LazyLock<Hypotheses<OnitamaVariant>> = LazyLock::new(|| {
    let mut all = Hypotheses::of(STANDARD);
    for row in VARIANTS {
        let settings = variant::find(row.name).expect("every row has its variant");
        all.add(*row, settings);
    }
    all.add_made(
        "cards-turned-for-bottom-only",
        "the cards were turned for Bottom, and not for Top",
        "oni/cards/turned-for-top",
        OnitamaVariant {
            turned: PerSeat([false, true]),
            ..STANDARD
        },
    );
    for (name, summary, mirrored) in [
        (
            "cards-mirrored",
            "every card was its mirror image",
            [true, true],
        ),
        (
            "cards-mirrored-for-top",
            "every card of Top was its mirror image",
            [true, false],
        ),
        (
            "cards-mirrored-for-bottom",
            "every card of Bottom was its mirror image",
            [false, true],
        ),
    ] {
        let settings = OnitamaVariant {
            mirrored: PerSeat(mirrored),
            ..STANDARD
        };
        all.add_made(name, summary, "oni/cards/turned-for-top", settings);
    }
    all.add_made(
        "edges-joined",
        "a step beyond an edge of the board came in on the other side",
        "oni/board/five-by-five",
        OnitamaVariant {
            wraps: true,
            ..STANDARD
        },
    );
    for (name, summary, starter) in [
        (
            "top-starts",
            "Top always had the first turn",
            Starter::Always(Seat::First),
        ),
        (
            "bottom-starts",
            "Bottom always had the first turn",
            Starter::Always(Seat::Second),
        ),
        (
            "other-starts",
            "the player who is not named had the first turn",
            Starter::Other,
        ),
    ] {
        let settings = OnitamaVariant {
            starter,
            ..STANDARD
        };
        all.add_made(name, summary, "oni/setup/starter-moves-first", settings);
    }
    for card in Card::ALL {
        add_card(&mut all, card);
    }
    // Who starts, and for whom cards are turned or mirrored, is said of each player above.
    let players = [("top", "Top"), ("bottom", "Bottom")];
    all.with_one_sided(players, |settings| {
        settings.starter == STANDARD.starter
            && settings.mirrored == STANDARD.mirrored
            && settings.turned == STANDARD.turned
    })
    .with_occasional(&[Occasions::Later, Occasions::First])
    .with_conditional(&conditional(), CONDITIONS, &players)
});

/// Conditions that the rules themselves distinguish, and the second half of a game.
const CONDITIONS: &[Occasions] = &[
    Occasions::From(12),
    Occasions::Since("capture", "a capture"),
    Occasions::Moves("capture", "a capture"),
];

/// The readings that are tried under conditions: the named ones.
fn conditional() -> Vec<(VariantRow, OnitamaVariant)> {
    let settings = |row: &VariantRow| variant::find(row.name).expect("every row has its variant");
    VARIANTS.iter().map(|row| (*row, settings(row))).collect()
}

const STANDARD: OnitamaVariant = OnitamaVariant::STANDARD;

/// Wrong steps of one card.
fn add_card(all: &mut Hypotheses<OnitamaVariant>, card: Card) {
    let name = card.name();
    let lowercase = name.to_lowercase();
    // The steps of a card are a set.
    let mut known = vec![sorted(card.steps())];
    let mut add = |kind: &str, summary: &str, offsets: Vec<Offset>| {
        let set = sorted(&offsets);
        if !known.contains(&set) {
            known.push(set);
            let slip = Slip {
                card: name,
                offsets: offsets.leak(),
            };
            all.add_made(
                &format!("{lowercase}-{kind}"),
                &format!("{name} {summary}"),
                "oni/cards/steps",
                OnitamaVariant {
                    slip: Some(slip),
                    ..STANDARD
                },
            );
        }
    };
    let each = |change: fn(&Offset) -> Offset| card.steps().iter().map(change).collect();
    add(
        "mirrored",
        "was its mirror image",
        each(|&(forward, right)| (forward, -right)),
    );
    add(
        "upside-down",
        "went back where it goes forward",
        each(|&(forward, right)| (-forward, right)),
    );
    add(
        "turned",
        "was turned by 180 degrees",
        each(|&(forward, right)| (-forward, -right)),
    );
    add(
        "crosswise",
        "had forward and right exchanged",
        each(|&(forward, right)| (right, forward)),
    );
    for &missing in card.steps() {
        let rest = card.steps().iter().copied().filter(|&step| step != missing);
        add(
            &format!("without-{}", direction(missing).replace(' ', "-")),
            &format!("could not go {}", direction(missing)),
            rest.collect(),
        );
    }
    for extra in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
        let mut steps = card.steps().to_vec();
        steps.push(extra);
        if !card.steps().contains(&extra) {
            add(
                &format!("with-{}", direction(extra).replace(' ', "-")),
                &format!("could also go {}", direction(extra)),
                steps,
            );
        }
    }
}

fn sorted(offsets: &[Offset]) -> Vec<Offset> {
    let mut offsets = offsets.to_vec();
    offsets.sort_unstable();
    offsets
}

/// A step in words, such as `2 forward` or `1 back 1 left`.
fn direction((forward, right): Offset) -> String {
    let part = |cells: i8, ahead, behind| match cells {
        0 => None,
        1.. => Some(format!("{cells} {ahead}")),
        _ => Some(format!("{} {behind}", -cells)),
    };
    let parts = [
        part(forward, "forward", "back"),
        part(right, "right", "left"),
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    parts.join(" ")
}
