//! The known mistakes in the rules of Ur: every setting of the rules with other values.

use std::sync::LazyLock;

use super::position::{END, TOKENS, UrCell};
use super::variant::by_heads;
use super::{UrRules, UrVariant};
use crate::rules::{MistakeRow, Mistakes, MistakesOf, Move, Occasions};

/// The mistakes that the built-in referee can be told to make.
#[rustfmt::skip]
pub(super) const NAMED: &[MistakeRow<UrVariant>] = &[
    ("no-extra-turn-4", "the fourth cell gave no extra turn", "ur/extra-turn/cell-4",
        |ur| ur.rosettes &= !(1 << 4)),
    ("no-extra-turn-8", "the eighth cell gave no extra turn", "ur/extra-turn/cell-8",
        |ur| ur.rosettes &= !(1 << 8)),
    ("no-extra-turn-14", "the fourteenth cell gave no extra turn", "ur/extra-turn/cell-14",
        |ur| ur.rosettes &= !(1 << 14)),
    ("extra-turn-after-capture", "a capture gave an extra turn", "ur/extra-turn/not-after-capture",
        |ur| ur.again_after_capture = true),
    ("extra-turn-after-exit", "leaving the track gave an extra turn", "ur/extra-turn/not-after-exit",
        |ur| ur.again_after_exit = true),
    ("cell-8-capturable", "a token on the eighth cell could be captured", "ur/capture/safe-rosette",
        |ur| ur.safe = 0),
    ("no-capture-5", "the fifth cell was not shared", "ur/capture/first-shared-cell",
        |ur| ur.shared &= !(1 << 5)),
    ("no-capture-12", "the twelfth cell was not shared", "ur/capture/last-shared-cell",
        |ur| ur.shared &= !(1 << 12)),
    ("capture-4", "the fourth cell was shared", "ur/capture/only-shared",
        |ur| ur.shared |= 1 << 4),
    ("capture-13", "the thirteenth cell was shared", "ur/capture/only-shared",
        |ur| ur.shared |= 1 << 13),
    ("no-capture", "nothing could be captured", "ur/capture/shared-lane",
        |ur| ur.shared = 0),
    ("stacking", "a token could move onto an own token", "ur/retire/own-token",
        |ur| ur.stacking = true),
    ("overshoot", "a token could leave the track by more than the exact number", "ur/retire/overshoot",
        |ur| ur.overshoot = true),
    ("tails", "tails were counted instead of heads", "ur/roll/heads",
        |ur| ur.steps = by_heads([4, 3, 2, 1, 0])),
    ("four-heads-move-five", "four heads moved a token five cells", "ur/move/forward-by-roll",
        |ur| ur.steps = by_heads([0, 1, 2, 3, 5])),
    ("six-wins", "six tokens out won the game", "ur/win/seven-out",
        |ur| ur.tokens_to_win = 6),
    ("six-tokens", "a player had six tokens", "ur/tokens/seven",
        |ur| (ur.tokens, ur.tokens_to_win) = (6, 6)),
    ("thirteen-cells", "a track had thirteen cells", "ur/track/fourteen-cells",
        |ur| ur.end = END - 1),
    ("extra-turn-10", "the tenth cell gave an extra turn", "ur/extra-turn/only-there",
        |ur| ur.rosettes |= 1 << 10),
    ("captured-is-out", "a captured token was out of the game", "ur/capture/sent-back-to-start",
        |ur| ur.captured_to = END),
    ("captor-stays", "the captor stayed where it was", "ur/capture/cell-taken",
        |ur| ur.captor_stays = true),
    ("skip-keeps-turn", "who cannot move kept the turn", "ur/skip/roll-follows-for-other",
        |ur| ur.again_after_skip = true),
];

/// A mistake that is made under conditions only: nobody wins.
#[rustfmt::skip]
const NEVER_WON: MistakeRow<UrVariant> = ("never-won", "the seventh token out did not win", "ur/win/seven-out",
    |ur| ur.tokens_to_win += 1);

/// Conditions that the rules themselves distinguish, and the second half of a game.
const CONDITIONS: &[Occasions] = &[
    Occasions::ExtraTurns,
    Occasions::AfterSkips,
    Occasions::AfterTwoSkips,
    Occasions::From(60),
    Occasions::Since("exit", "a token has left the track"),
    Occasions::Since("capture", "a capture"),
];

const OCCASIONS: &[Occasions] = &[
    Occasions::Later,
    Occasions::First,
    Occasions::ExtraTurns,
    Occasions::AfterSkips,
];

/// Every mistake; the named ones are first.
pub(super) static MISTAKES: LazyLock<Mistakes> = LazyLock::new(|| {
    let mut all = MistakesOf::new(STANDARD, UrRules::variant).named(NAMED);
    add_rosettes(&mut all);
    add_safe_cells(&mut all);
    add_shared_cells(&mut all);
    add_rolls(&mut all);
    add_tokens(&mut all);
    add_others(&mut all);
    let players = [
        ("first", "the first player"),
        ("second", "the second player"),
    ];
    // With another number of tokens or cells, positions differ from the start.
    let is_meant = |ur: &UrVariant| ur.tokens == STANDARD.tokens && ur.end == STANDARD.end;
    let tokens: [_; TOKENS] = std::array::from_fn(|token| Occasions::Numbered(Move(token as u32)));
    all.one_sided(&players, |ur| !ur.second_starts)
        .occasional(OCCASIONS)
        .conditional(CONDITIONS, &players, is_meant, &[NEVER_WON])
        .conditional(&tokens, &[], is_meant, &[NEVER_WON])
        .done()
});

type All = MistakesOf<UrVariant, UrRules>;

const STANDARD: UrVariant = UrVariant::STANDARD;

/// The cells of a track.
const CELLS: std::ops::RangeInclusive<UrCell> = 1..=14;

#[rustfmt::skip]
const ORDINALS: [&str; 14] = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
    "thirteenth", "fourteenth",
];
const NUMBERS: [&str; 8] = ["no", "one", "two", "three", "four", "five", "six", "seven"];

fn ordinal(cell: UrCell) -> &'static str {
    ORDINALS[usize::from(cell) - 1]
}

/// Cells that give another turn, one more or one another.
fn add_rosettes(all: &mut All) {
    for cell in CELLS {
        all.add(
            format!("extra-turn-{cell}"),
            format!("the {} cell gave an extra turn", ordinal(cell)),
            "ur/extra-turn/only-there",
            |ur| ur.rosettes |= 1 << cell,
        );
    }
    let mut none = Vec::new();
    for (rosette, requirement) in [
        (4, "ur/extra-turn/cell-4"),
        (8, "ur/extra-turn/cell-8"),
        (14, "ur/extra-turn/cell-14"),
    ] {
        let without = format!("no-extra-turn-{rosette}");
        for cell in [rosette - 1, rosette + 1] {
            if cell < END {
                let (other, due) = (ordinal(cell), ordinal(rosette));
                all.add_containing(
                    &[&format!("extra-turn-{cell}"), &without],
                    format!("extra-turn-{cell}-not-{rosette}"),
                    format!("the {other} cell gave an extra turn instead of the {due}"),
                    requirement,
                    |ur| ur.rosettes = ur.rosettes & !(1 << rosette) | 1 << cell,
                );
            }
        }
        none.push(without);
    }
    let none: Vec<&str> = none.iter().map(String::as_str).collect();
    let rosettes = STANDARD.rosettes;
    for (name, summary, cells) in [
        ("no-extra-turns", "no cell gave an extra turn", 0),
        (
            "extra-turns-one-early",
            "extra turns were given one cell too early",
            rosettes >> 1,
        ),
        (
            "extra-turns-one-late",
            "extra turns were given one cell too late",
            rosettes << 1 & 0x7FFF,
        ),
    ] {
        all.add_containing(&none, name, summary, "ur/extra-turn/cell-4", |ur| {
            ur.rosettes = cells
        });
    }
}

/// Cells on which a token is safe.
fn add_safe_cells(all: &mut All) {
    let is_shared = |cell: &UrCell| STANDARD.shared & 1 << cell != 0;
    for cell in CELLS.filter(is_shared).filter(|&cell| cell != 8) {
        let summary = format!(
            "a token on the {} cell could not be captured",
            ordinal(cell)
        );
        let name = format!("cell-{cell}-safe");
        all.add(&name, &summary, "ur/capture/shared-lane", |ur| {
            ur.safe |= 1 << cell
        });
        all.add_containing(
            &[&name, "cell-8-capturable"],
            format!("{name}-not-8"),
            format!("{summary} instead of on the eighth"),
            "ur/capture/safe-rosette",
            |ur| ur.safe = 1 << cell,
        );
    }
    all.add(
        "captures-barred",
        "no token could move onto an opponent's",
        "ur/capture/shared-lane",
        |ur| ur.safe = ur.shared,
    );
}

/// Cells on which the players meet.
fn add_shared_cells(all: &mut All) {
    for cell in CELLS {
        let ordinal = ordinal(cell);
        all.add(
            format!("capture-{cell}"),
            format!("the {ordinal} cell was shared"),
            "ur/capture/only-shared",
            |ur| ur.shared |= 1 << cell,
        );
        all.add(
            format!("no-capture-{cell}"),
            format!("the {ordinal} cell was not shared"),
            "ur/capture/shared-lane",
            |ur| ur.shared &= !(1 << cell),
        );
    }
    let shared = STANDARD.shared;
    for (name, summary, cells) in [
        (
            "capture-last-two",
            "the last two cells were shared",
            shared | 3 << 13,
        ),
        (
            "capture-first-four",
            "the first four cells were shared",
            shared | 0x1E,
        ),
        ("capture-everywhere", "every cell was shared", 0x7FFE),
        (
            "shared-one-early",
            "the shared cells began and ended one cell too early",
            shared >> 1,
        ),
        (
            "shared-one-late",
            "the shared cells began and ended one cell too late",
            shared << 1,
        ),
    ] {
        all.add(name, summary, "ur/capture/only-shared", |ur| {
            ur.shared = cells
        });
    }
}

/// Numbers of cells by which a roll moves a token, and coins that do not count as one.
fn add_rolls(all: &mut All) {
    for (from, to) in (0..=4).flat_map(|from| (0..=6).map(move |to| (from, to))) {
        let mut steps = [0, 1, 2, 3, 4];
        steps[from] = to;
        let heads = match from {
            1 => "one head".to_owned(),
            _ => format!("{} heads", NUMBERS[from]),
        };
        let cells = match to {
            0 => "did not move a token".to_owned(),
            1 => "moved a token one cell".to_owned(),
            _ => format!("moved a token {} cells", NUMBERS[usize::from(to)]),
        };
        all.add(
            format!("{from}-heads-move-{to}"),
            format!("{heads} {cells}"),
            "ur/move/forward-by-roll",
            |ur| ur.steps = by_heads(steps),
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
        all.add(name, summary, "ur/move/forward-by-roll", |ur| {
            ur.steps = by_heads(steps)
        });
    }
    for (number, coin) in ORDINALS[..4].iter().enumerate() {
        // The first coin is the highest bit.
        let bit = 8_usize >> number;
        for (name, does, worth) in [
            ("not-counted", "was not counted", -1_i8),
            ("counted-twice", "was counted twice", 1),
        ] {
            all.add(
                format!("coin-{}-{name}", number + 1),
                format!("the {coin} coin {does}"),
                "ur/roll/heads",
                |ur| {
                    for bits in (0..16).filter(|bits| bits & bit != 0) {
                        ur.steps[bits] = ur.steps[bits].saturating_add_signed(worth);
                    }
                },
            );
        }
    }
}

/// Numbers of tokens.
fn add_tokens(all: &mut All) {
    for tokens in 1..TOKENS as u8 {
        let number = NUMBERS[usize::from(tokens)];
        all.add(
            format!("{number}-wins"),
            format!("{number} tokens out won the game"),
            "ur/win/seven-out",
            |ur| ur.tokens_to_win = tokens,
        );
        all.add(
            format!("{number}-tokens"),
            format!("a player had {number} tokens"),
            "ur/tokens/seven",
            |ur| (ur.tokens, ur.tokens_to_win) = (tokens, tokens),
        );
        let summary = match tokens {
            6 => "token 6 could not move".to_owned(),
            _ => format!("no token above number {} could move", tokens - 1),
        };
        all.add(
            format!("last-{}-tokens-barred", TOKENS as u8 - tokens),
            summary,
            "ur/tokens/numbered-0-to-6",
            |ur| ur.tokens = tokens,
        );
    }
}

/// Tokens that cannot move, cells, and who starts.
fn add_others(all: &mut All) {
    // Without the last one, which is among the numbers of tokens.
    for token in 0..TOKENS - 1 {
        all.add(
            format!("token-{token}-barred"),
            format!("token {token} could not move"),
            "ur/tokens/numbered-0-to-6",
            |ur| ur.barred = 1 << token,
        );
    }
    all.add(
        "blocked-has-to-move",
        "only a roll of 0 skipped a turn",
        "ur/skip/blocked",
        |ur| ur.moves_when_blocked = true,
    );
    for (cells, number) in [(10, "ten"), (11, "eleven"), (12, "twelve")] {
        all.add(
            format!("{cells}-cells"),
            format!("a track had {number} cells"),
            "ur/track/fourteen-cells",
            |ur| ur.end = cells + 1,
        );
    }
    all.add(
        "second-player-starts",
        "the second player had the first turn",
        "ur/handshake/first-player-starts",
        |ur| ur.second_starts = true,
    );
}
