//! The wrong readings of the rules of Ur that an explanation considers: every setting of the rules with other values.

use std::sync::LazyLock;

use super::position::{END, TOKENS, UrCell};
use super::variant::{self, UrVariant, VARIANTS, by_heads};
use crate::rules::{Hypotheses, Move, Occasions, VariantRow};

/// Every wrong reading of the rules; the named variants stand first.
pub(super) static HYPOTHESES: LazyLock<Hypotheses<UrVariant>> = LazyLock::new(|| {
    let mut all = Hypotheses::of(UrVariant::STANDARD);
    for row in VARIANTS {
        let settings = variant::find(row.name).expect("every row has its variant");
        all.add(*row, settings);
    }
    add_rosettes(&mut all);
    add_safe_cells(&mut all);
    add_shared_cells(&mut all);
    add_rolls(&mut all);
    add_coins(&mut all);
    add_tokens(&mut all);
    add_others(&mut all);
    let players = [
        ("first", "the first player"),
        ("second", "the second player"),
    ];
    all.with_one_sided(players, |settings| !settings.second_starts)
        .with_occasional(&[
            Occasions::Later,
            Occasions::First,
            Occasions::ExtraTurns,
            Occasions::AfterSkips,
        ])
        .with_conditional(&conditional(), CONDITIONS, &players)
        .with_conditional(&conditional(), TOKENS_BY_NUMBER, &[])
});

/// Conditions that the rules themselves distinguish, and the second half of a game.
const CONDITIONS: &[Occasions] = &[
    Occasions::ExtraTurns,
    Occasions::AfterSkips,
    Occasions::AfterTwoSkips,
    Occasions::From(60),
    Occasions::Since("exit", "a token has left the track"),
    Occasions::Since("capture", "a capture"),
];

const TOKENS_BY_NUMBER: &[Occasions] = &[
    Occasions::Numbered(Move(0)),
    Occasions::Numbered(Move(1)),
    Occasions::Numbered(Move(2)),
    Occasions::Numbered(Move(3)),
    Occasions::Numbered(Move(4)),
    Occasions::Numbered(Move(5)),
    Occasions::Numbered(Move(6)),
];

/// The readings that are tried under conditions: the named ones, and that nobody wins.
fn conditional() -> Vec<(VariantRow, UrVariant)> {
    let settings = |row: &VariantRow| variant::find(row.name).expect("every row has its variant");
    let mut all: Vec<_> = VARIANTS.iter().map(|row| (*row, settings(row))).collect();
    // With another number of tokens or cells, positions differ from the start.
    all.retain(|(_, settings)| settings.tokens == STANDARD.tokens && settings.end == STANDARD.end);
    let never_won = VariantRow::new(
        "never-won",
        "the seventh token out did not win",
        "ur/win/seven-out",
    );
    let settings = UrVariant {
        tokens_to_win: STANDARD.tokens_to_win + 1,
        ..STANDARD
    };
    all.push((never_won, settings));
    all
}

const STANDARD: UrVariant = UrVariant::STANDARD;

/// The cells of a track.
const CELLS: std::ops::RangeInclusive<UrCell> = 1..=14;

const ORDINALS: [&str; 14] = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
];
const NUMBERS: [&str; 8] = ["no", "one", "two", "three", "four", "five", "six", "seven"];

fn ordinal(cell: UrCell) -> &'static str {
    ORDINALS[usize::from(cell) - 1]
}

/// Cells that give another turn, one more or one another.
fn add_rosettes(all: &mut Hypotheses<UrVariant>) {
    let with = |rosettes| UrVariant {
        rosettes,
        ..STANDARD
    };
    for cell in CELLS.filter(|cell| STANDARD.rosettes & 1 << cell == 0) {
        all.add_made(
            &format!("extra-turn-{cell}"),
            &format!("the {} cell gave an extra turn", ordinal(cell)),
            "ur/extra-turn/only-there",
            with(STANDARD.rosettes | 1 << cell),
        );
    }
    for (rosette, requirement) in [
        (4, "ur/extra-turn/cell-4"),
        (8, "ur/extra-turn/cell-8"),
        (14, "ur/extra-turn/cell-14"),
    ] {
        for cell in [rosette - 1, rosette + 1] {
            if cell < END {
                all.add_containing(
                    &[
                        &format!("extra-turn-{cell}"),
                        &format!("no-extra-turn-{rosette}"),
                    ],
                    &format!("extra-turn-{cell}-not-{rosette}"),
                    &format!(
                        "the {} cell gave an extra turn instead of the {}",
                        ordinal(cell),
                        ordinal(rosette)
                    ),
                    requirement,
                    with(STANDARD.rosettes & !(1 << rosette) | 1 << cell),
                );
            }
        }
    }
    const NO_EXTRA_TURN: [&str; 3] = ["no-extra-turn-4", "no-extra-turn-8", "no-extra-turn-14"];
    all.add_containing(
        &NO_EXTRA_TURN,
        "no-extra-turns",
        "no cell gave an extra turn",
        "ur/extra-turn/cell-4",
        with(0),
    );
    all.add_containing(
        &NO_EXTRA_TURN,
        "extra-turns-one-early",
        "extra turns were given one cell too early",
        "ur/extra-turn/cell-4",
        with(STANDARD.rosettes >> 1),
    );
    all.add_containing(
        &NO_EXTRA_TURN,
        "extra-turns-one-late",
        "extra turns were given one cell too late",
        "ur/extra-turn/cell-4",
        with(STANDARD.rosettes << 1 & 0x7FFF),
    );
}

/// Cells on which a token is safe.
fn add_safe_cells(all: &mut Hypotheses<UrVariant>) {
    let is_shared = |cell: &UrCell| STANDARD.shared & 1 << cell != 0;
    for cell in CELLS.filter(is_shared).filter(|&cell| cell != 8) {
        all.add_made(
            &format!("cell-{cell}-safe"),
            &format!(
                "a token on the {} cell could not be captured",
                ordinal(cell)
            ),
            "ur/capture/shared-lane",
            UrVariant {
                safe: STANDARD.safe | 1 << cell,
                ..STANDARD
            },
        );
        all.add_containing(
            &[&format!("cell-{cell}-safe"), "cell-8-capturable"],
            &format!("cell-{cell}-safe-not-8"),
            &format!(
                "a token on the {} cell could not be captured instead of on the eighth",
                ordinal(cell)
            ),
            "ur/capture/safe-rosette",
            UrVariant {
                safe: 1 << cell,
                ..STANDARD
            },
        );
    }
    all.add_made(
        "captures-barred",
        "no token could move onto an opponent's",
        "ur/capture/shared-lane",
        UrVariant {
            safe: STANDARD.shared,
            ..STANDARD
        },
    );
}

/// Cells on which the players meet.
fn add_shared_cells(all: &mut Hypotheses<UrVariant>) {
    let with = |shared| UrVariant { shared, ..STANDARD };
    for cell in CELLS {
        let bit = 1 << cell;
        if STANDARD.shared & bit == 0 {
            all.add_made(
                &format!("capture-{cell}"),
                &format!("the {} cell was shared", ordinal(cell)),
                "ur/capture/only-shared",
                with(STANDARD.shared | bit),
            );
        } else {
            all.add_made(
                &format!("no-capture-{cell}"),
                &format!("the {} cell was not shared", ordinal(cell)),
                "ur/capture/shared-lane",
                with(STANDARD.shared & !bit),
            );
        }
    }
    for (name, summary, shared) in [
        (
            "capture-last-two",
            "the last two cells were shared",
            STANDARD.shared | 3 << 13,
        ),
        (
            "capture-first-four",
            "the first four cells were shared",
            STANDARD.shared | 0x1E,
        ),
        ("capture-everywhere", "every cell was shared", 0x7FFE),
        (
            "shared-one-early",
            "the shared cells began and ended one cell too early",
            STANDARD.shared >> 1,
        ),
        (
            "shared-one-late",
            "the shared cells began and ended one cell too late",
            STANDARD.shared << 1,
        ),
    ] {
        all.add_made(name, summary, "ur/capture/only-shared", with(shared));
    }
}

/// What a roll is worth.
fn add_rolls(all: &mut Hypotheses<UrVariant>) {
    let heads = |number: u8| match number {
        1 => "one head".to_owned(),
        _ => format!("{} heads", NUMBERS[usize::from(number)]),
    };
    for (from, to) in (0..=4).flat_map(|from| (0..=6).map(move |to| (from, to))) {
        let mut steps = [0, 1, 2, 3, 4];
        steps[usize::from(from)] = to;
        let cells = match to {
            0 => "did not move a token".to_owned(),
            1 => "moved a token one cell".to_owned(),
            _ => format!("moved a token {} cells", NUMBERS[usize::from(to)]),
        };
        all.add_made(
            &format!("{from}-heads-move-{to}"),
            &format!("{} {cells}", heads(from)),
            "ur/move/forward-by-roll",
            UrVariant {
                steps: by_heads(steps),
                ..STANDARD
            },
        );
    }
    for (name, summary, steps) in [
        (
            "one-step-more",
            "a token moved a cell more than there were heads",
            [1, 2, 3, 4, 5],
        ),
        (
            "one-step-more-but-0",
            "a token moved a cell more than there were heads, if there was any",
            [0, 2, 3, 4, 5],
        ),
        (
            "one-step-less",
            "a token moved a cell less than there were heads",
            [0, 0, 1, 2, 3],
        ),
    ] {
        let steps = by_heads(steps);
        let settings = UrVariant { steps, ..STANDARD };
        all.add_made(name, summary, "ur/move/forward-by-roll", settings);
    }
}

/// Coins that do not count as one.
fn add_coins(all: &mut Hypotheses<UrVariant>) {
    for (number, coin) in ["first", "second", "third", "fourth"]
        .into_iter()
        .enumerate()
    {
        // The first coin is the highest bit.
        let bit = 8_usize >> number;
        for (name, does, worth) in [
            ("not-counted", "was not counted", -1_i8),
            ("counted-twice", "was counted twice", 1),
        ] {
            let mut steps = STANDARD.steps;
            for (bits, steps) in steps.iter_mut().enumerate() {
                if bits & bit != 0 {
                    *steps = steps.saturating_add_signed(worth);
                }
            }
            all.add_made(
                &format!("coin-{}-{name}", number + 1),
                &format!("the {coin} coin {does}"),
                "ur/roll/heads",
                UrVariant { steps, ..STANDARD },
            );
        }
    }
}

/// Numbers of tokens.
fn add_tokens(all: &mut Hypotheses<UrVariant>) {
    for tokens in 1..TOKENS as u8 {
        let number = NUMBERS[usize::from(tokens)];
        all.add_made(
            &format!("{number}-wins"),
            &format!("{number} tokens out won the game"),
            "ur/win/seven-out",
            UrVariant {
                tokens_to_win: tokens,
                ..STANDARD
            },
        );
        all.add_made(
            &format!("{number}-tokens"),
            &format!("a player had {number} tokens"),
            "ur/tokens/seven",
            UrVariant {
                tokens,
                tokens_to_win: tokens,
                ..STANDARD
            },
        );
        all.add_made(
            &format!("last-{}-tokens-barred", TOKENS as u8 - tokens),
            &match tokens {
                6 => "token 6 could not move".to_owned(),
                _ => format!("no token above number {} could move", tokens - 1),
            },
            "ur/tokens/numbered-0-to-6",
            UrVariant { tokens, ..STANDARD },
        );
    }
}

/// Tokens that cannot move, cells, and who starts.
fn add_others(all: &mut Hypotheses<UrVariant>) {
    // Without the last one, which is among the numbers of tokens.
    for token in 0..TOKENS - 1 {
        all.add_made(
            &format!("token-{token}-barred"),
            &format!("token {token} could not move"),
            "ur/tokens/numbered-0-to-6",
            UrVariant {
                barred: 1 << token,
                ..STANDARD
            },
        );
    }
    all.add_made(
        "blocked-has-to-move",
        "only a roll of 0 skipped a turn",
        "ur/skip/blocked",
        UrVariant {
            moves_when_blocked: true,
            ..STANDARD
        },
    );
    for end in [11, 12, 13] {
        all.add_made(
            &format!("{}-cells", end - 1),
            &format!(
                "a track had {} cells",
                ["ten", "eleven", "twelve"][usize::from(end) - 11]
            ),
            "ur/track/fourteen-cells",
            UrVariant { end, ..STANDARD },
        );
    }
    all.add_made(
        "second-player-starts",
        "the second player had the first turn",
        "ur/handshake/first-player-starts",
        UrVariant {
            second_starts: true,
            ..STANDARD
        },
    );
}
