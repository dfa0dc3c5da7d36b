//! The known mistakes in the rules of Ur: every setting of the rules with other values.

use std::sync::LazyLock;

use super::position::{END, START, TOKENS, UrCell};
use super::rules::by_heads;
use super::{UrRules, UrVariant};
use crate::rules::{MistakeRow, Mistakes, MistakesOf, Occasions};

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
        |ur| ur.overshoot = 0x7FFF),
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

/// Mistakes that an explanation considers only where no simpler one explains as many failures.
#[rustfmt::skip]
const FURTHER: &[MistakeRow<UrVariant>] = &[
    ("extra-turn-by-cell-left", "the cell that a token leaves gave the extra turn", "ur/extra-turn/cell-4",
        |ur| ur.again_by_origin = true),
    ("thirteen-cells-again", "a track had thirteen cells, and leaving it gave an extra turn", "ur/track/fourteen-cells",
        |ur| (ur.end, ur.again_after_exit) = (END - 1, true)),
    ("0-heads-not-skipped", "a roll of 0 did not skip the turn", "ur/skip/roll-0",
        |ur| ur.moves_by_0 = true),
    ("captures-passed", "a token also captured the tokens that it passes", "ur/move/no-passing",
        |ur| ur.captures_passed = true),
    ("captured-to-1", "a captured token went to the first cell", "ur/capture/sent-back-to-start",
        |ur| ur.captured_to = START + 1),
    ("both-win-together", "seven tokens of both players together won the game", "ur/win/seven-out",
        |ur| ur.wins_together = true),
    ("overshoot-from-14", "a token could leave the track from the fourteenth cell by any roll", "ur/exit/exact",
        |ur| ur.overshoot = 1 << 14),
    ("overshoot-from-13", "a token could leave the track from the thirteenth cell by more than the exact number", "ur/exit/exact",
        |ur| ur.overshoot = 1 << 13),
];

/// Mistakes in what a bot keeps of the game.
#[rustfmt::skip]
const KEPT: &[MistakeRow<UrVariant>] = &[
    ("captured-stays", "a captured token stayed where it was", "ur/capture/sent-back-to-start",
        |ur| ur.uncaptured = 0x7F),
    ("captured-stays-0", "token 0 stayed where it was when it was captured", "ur/capture/sent-back-to-start",
        |ur| ur.uncaptured = 1),
    ("captured-stays-6", "token 6 stayed where it was when it was captured", "ur/capture/sent-back-to-start",
        |ur| ur.uncaptured = 1 << 6),
    ("moves-unseen", "a moved token stayed where it was", "ur/bot/legal-token",
        |ur| ur.unmoved = 0x7F),
    ("moves-unseen-0", "token 0 stayed where it was when it was moved", "ur/bot/legal-token",
        |ur| ur.unmoved = 1),
    ("moves-unseen-6", "token 6 stayed where it was when it was moved", "ur/bot/legal-token",
        |ur| ur.unmoved = 1 << 6),
    ("end-is-cell", "the end of the track held one token only", "ur/bot/legal-token",
        |ur| ur.end_is_cell = true),
    ("other-seat", "the bot had the other seat", "ur/bot/both-seats",
        |ur| ur.second_starts = true),
    ("tokens-from-1", "the tokens were numbered from 1", "ur/tokens/numbered-0-to-6",
        |ur| ur.first_token = 1),
];

const OCCASIONS: &[Occasions] = &[
    Occasions::Later,
    Occasions::First,
    Occasions::ExtraTurns,
    Occasions::AfterSkips,
];

/// Every mistake; the named ones are first.
pub(super) static MISTAKES: LazyLock<Mistakes> = LazyLock::new(|| {
    let all = MistakesOf::new(STANDARD, UrRules::variant).named(NAMED);
    let all = with_shared_cells(with_safe_cells(with_rosettes(all)));
    let all = with_tokens(with_rolls(all));
    let players = [
        ("first", "the first player"),
        ("second", "the second player"),
    ];
    all.one_sided(&players, |ur| !ur.second_starts)
        .occasional(OCCASIONS)
        .kept(
            KEPT,
            &["no-extra-turns"],
            |ur| ur.steps == STANDARD.steps,
            &[Occasions::ExtraTurns, Occasions::AfterSkips],
        )
        .further()
        .rows(FURTHER)
        .done()
});

type All = MistakesOf<UrVariant, UrRules>;

const STANDARD: UrVariant = UrVariant::STANDARD;

/// The cells of a track.
#[rustfmt::skip]
const CELLS: [(UrCell, &str); 14] = [
    (1, "first"), (2, "second"), (3, "third"), (4, "fourth"), (5, "fifth"), (6, "sixth"), (7, "seventh"), (8, "eighth"),
    (9, "ninth"), (10, "tenth"), (11, "eleventh"), (12, "twelfth"), (13, "thirteenth"), (14, "fourteenth"),
];

/// Cells that give another turn, one more or one another.
#[rustfmt::skip]
fn with_rosettes(all: All) -> All {
    let mut all = all.each(CELLS, &[
        ("extra-turn-{n}", "the {word} cell gave an extra turn", "ur/extra-turn/only-there",
            |ur, cell| ur.rosettes |= 1 << cell),
    ]);
    for (rosette, due, requirement) in [
        (4, "fourth", "ur/extra-turn/cell-4"),
        (8, "eighth", "ur/extra-turn/cell-8"),
        (14, "fourteenth", "ur/extra-turn/cell-14"),
    ] {
        for (cell, other) in CELLS.into_iter().filter(|(cell, _)| cell.abs_diff(rosette) == 1) {
            all.add(
                &[&format!("extra-turn-{cell}"), &format!("no-extra-turn-{rosette}")],
                format!("extra-turn-{cell}-not-{rosette}"),
                format!("the {other} cell gave an extra turn instead of the {due}"),
                requirement,
                |ur| ur.rosettes = ur.rosettes & !(1 << rosette) | 1 << cell,
            );
        }
    }
    let none = ["no-extra-turn-4", "no-extra-turn-8", "no-extra-turn-14"];
    let rosettes = STANDARD.rosettes;
    for (name, summary, cells) in [
        ("no-extra-turns", "no cell gave an extra turn", 0),
        ("extra-turns-one-early", "extra turns were given one cell too early", rosettes >> 1),
        ("extra-turns-one-late", "extra turns were given one cell too late", rosettes << 1 & 0x7FFF),
    ] {
        all.add(&none, name, summary, "ur/extra-turn/cell-4", |ur| ur.rosettes = cells);
    }
    all
}

/// Cells on which a token is safe.
fn with_safe_cells(mut all: All) -> All {
    let is_shared = |cell: UrCell| STANDARD.shared & 1 << cell != 0;
    for (cell, ordinal) in CELLS
        .into_iter()
        .filter(|&(cell, _)| is_shared(cell) && cell != 8)
    {
        let summary = format!("a token on the {ordinal} cell could not be captured");
        let name = format!("cell-{cell}-safe");
        all.add(&[], &name, &summary, "ur/capture/shared-lane", |ur| {
            ur.safe |= 1 << cell
        });
        all.add(
            &[&name, "cell-8-capturable"],
            format!("{name}-not-8"),
            format!("{summary} instead of on the eighth"),
            "ur/capture/safe-rosette",
            |ur| ur.safe = 1 << cell,
        );
    }
    all.rows(&[(
        "captures-barred",
        "no token could move onto an opponent's",
        "ur/capture/shared-lane",
        |ur| ur.safe = ur.shared,
    )])
}

/// Cells on which the players meet.
#[rustfmt::skip]
fn with_shared_cells(all: All) -> All {
    const ONLY_SHARED: &str = "ur/capture/only-shared";
    let all = all.each(CELLS, &[
        ("capture-{n}", "the {word} cell was shared", ONLY_SHARED, |ur, cell| ur.shared |= 1 << cell),
        ("no-capture-{n}", "the {word} cell was not shared", "ur/capture/shared-lane",
            |ur, cell| ur.shared &= !(1 << cell)),
    ]);
    all.rows(&[
        ("capture-last-two", "the last two cells were shared", ONLY_SHARED, |ur| ur.shared |= 3 << 13),
        ("capture-first-four", "the first four cells were shared", ONLY_SHARED, |ur| ur.shared |= 0x1E),
        ("capture-everywhere", "every cell was shared", ONLY_SHARED, |ur| ur.shared = 0x7FFE),
        ("shared-one-early", "the shared cells began and ended one cell too early", ONLY_SHARED,
            |ur| ur.shared >>= 1),
        ("shared-one-late", "the shared cells began and ended one cell too late", ONLY_SHARED,
            |ur| ur.shared <<= 1),
    ])
}

/// Numbers of cells by which a roll moves a token, and coins that do not count as one.
#[rustfmt::skip]
fn with_rolls(mut all: All) -> All {
    const BY_ROLL: &str = "ur/move/forward-by-roll";
    let heads = ["no heads", "one head", "two heads", "three heads", "four heads"];
    let moves = [
        "did not move a token", "moved a token one cell", "moved a token two cells", "moved a token three cells",
        "moved a token four cells", "moved a token five cells", "moved a token six cells",
    ];
    for (from, heads) in heads.into_iter().enumerate() {
        for (to, moves) in moves.into_iter().enumerate() {
            let mut steps = [0, 1, 2, 3, 4];
            steps[from] = to as UrCell;
            let name = format!("{from}-heads-move-{to}");
            let contains: &[&str] = if from == 0 { &["0-heads-not-skipped"] } else { &[] };
            let summary = format!("{heads} {moves}");
            all.add(contains, name, summary, BY_ROLL, |ur| ur.steps = by_heads(steps));
        }
    }
    let all = all.rows(&[
        ("one-step-more", "a token moved a cell more than there were heads", BY_ROLL,
            |ur| ur.steps = by_heads([1, 2, 3, 4, 5])),
        ("one-step-more-but-0", "a token moved a cell more than there were heads, if there was any", BY_ROLL,
            |ur| ur.steps = by_heads([0, 2, 3, 4, 5])),
        ("one-step-less", "a token moved a cell less than there were heads", BY_ROLL,
            |ur| ur.steps = by_heads([0, 0, 1, 2, 3])),
    ]);
    all.each(CELLS.into_iter().take(4), &[
        ("coin-{n}-not-counted", "the {word} coin was not counted", "ur/roll/heads",
            |ur, coin| count(ur, coin, -1)),
        ("coin-{n}-counted-twice", "the {word} coin was counted twice", "ur/roll/heads",
            |ur, coin| count(ur, coin, 1)),
    ])
}

/// Makes a coin, the first being the highest bit, worth so many heads more.
fn count(ur: &mut UrVariant, coin: u8, more: i8) {
    for bits in (0..16).filter(|bits| bits & 16 >> coin != 0) {
        ur.steps[bits] = ur.steps[bits].saturating_add_signed(more);
    }
}

/// Numbers of tokens, tokens that cannot move, cells, and who starts.
#[rustfmt::skip]
fn with_tokens(mut all: All) -> All {
    const NUMBERED: &str = "ur/tokens/numbered-0-to-6";
    let numbers = ["one", "two", "three", "four", "five", "six"];
    for (tokens, word) in (1..TOKENS as u8).zip(numbers) {
        all = all.each([(tokens, word)], &[
            ("{word}-wins", "a player with {word} out had won", "ur/win/seven-out",
                |ur, tokens| ur.tokens_to_win = tokens),
            ("{word}-tokens", "the number of a player's tokens was {word}", "ur/tokens/seven",
                |ur, tokens| (ur.tokens, ur.tokens_to_win) = (tokens, tokens)),
        ]);
        let summary = match tokens {
            6 => "token 6 could not move".to_owned(),
            _ => format!("no token above number {} could move", tokens - 1),
        };
        let name = format!("last-{}-tokens-barred", TOKENS as u8 - tokens);
        all.add(&[], name, summary, NUMBERED, |ur| ur.tokens = tokens);
    }
    // Without the last one, which is among the numbers of tokens.
    let mut all = all.each((0..TOKENS as u8 - 1).map(|token| (token, "")), &[
        ("token-{n}-barred", "token {n} could not move", NUMBERED, |ur, token| ur.barred = 1 << token),
    ])
    .rows(&[
        ("blocked-has-to-move", "only a roll of 0 skipped a turn", "ur/skip/blocked",
            |ur| ur.moves_when_blocked = true),
    ])
    .each([(10, "ten"), (11, "eleven"), (12, "twelve")], &[
        ("{n}-cells", "a track had {word} cells", "ur/track/fourteen-cells",
            |ur, cells| ur.end = cells + 1),
    ]);
    // To a bot these two are the same.
    all.add(
        &["other-seat"],
        "second-player-starts",
        "the second player had the first turn",
        "ur/handshake/first-player-starts",
        |ur| ur.second_starts = true,
    );
    all
}
