use std::fs;
use std::time::Duration;

use proptest::prelude::*;

use super::{FinishedGame, WrittenGame};
use crate::archive::{self, ReadOptions};
use crate::pack::formats::{GOLDEN, RECORDING, STREAM};
use crate::pack::{self, FileFormat, GamePart, Protocol};
use crate::protocol::GameEvent;
use crate::rules::{self, PerSeat, Phase, Seat};
use crate::transcript::LoggedGame;
use crate::verify::{Ending, Judged};

/// A game that this number chooses, of at most so many turns.
fn generated(
    dialect: &'static dyn crate::protocol::Dialect,
    seed: u64,
    turns: usize,
) -> FinishedGame {
    let game = dialect.game();
    let mix =
        |number: u64| (number ^ seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ seed.rotate_left(29);
    let setup = game.draw_setup(mix(0));
    let mut table = game.table(setup);
    let mut history = Vec::new();
    for number in (1..).map(mix).take(turns) {
        let by = table.to_move();
        if table.phase() == Phase::Roll {
            let roll = game.draw_roll(number);
            let skipped = !table.take_roll(roll);
            history.push(GameEvent::Rolled { by, roll, skipped });
        }
        let moves = table.legal_moves();
        if let Some(&mv) = moves.get((number >> 20) as usize % moves.len().max(1)) {
            table.play(mv).unwrap();
            let result = table.phase().result();
            history.push(GameEvent::Moved { by, mv, result });
        }
        if table.phase().result().is_some() {
            break;
        }
    }
    let logged = LoggedGame::new(Protocol::Game(dialect), Vec::new());
    let judged = Judged {
        names: PerSeat(["Ann", "Bob"].map(|name| dialect.has_names().then(|| name.into()))),
        setup: Some(setup),
        ending: Some(Ending::Unstarted),
        history,
        ..Judged::default()
    };
    FinishedGame::new("game".into(), 1, logged, judged)
}

/// The names of the formats in which a game can be written.
fn formats(game: &dyn rules::Game, has_spectators: bool) -> Vec<&'static str> {
    let is_possible = |name: &&str| {
        let notation = pack::notations().find(|notation| notation.name == *name);
        match (notation, *name) {
            (Some(notation), _) => notation.game.name() == game.name(),
            (None, "spectator") => has_spectators,
            (None, name) => name != "state",
        }
    };
    let names = super::written_formats().map(|(name, _)| name);
    names.filter(is_possible).collect()
}

fn written(game: &FinishedGame, format: &str) -> WrittenGame {
    let written = game.write(format, None);
    written.unwrap_or_else(|fault| panic!("{format}: {}", fault.title()))
}

fn read(text: &[u8], dialect: &'static dyn crate::protocol::Dialect) -> FinishedGame {
    let folder = tempfile::tempdir().unwrap();
    let file = [folder.path().join("game.txt")];
    fs::write(&file[0], text).unwrap();
    let options = ReadOptions {
        read_as: Protocol::Game(dialect).into(),
        ..ReadOptions::default()
    };
    archive::game(&file, None, &options).unwrap()
}

/// The parts of a game that every format keeps: player, whether a token moved, and the position but for the numbers of tokens.
fn canonical(game: &FinishedGame) -> Vec<(Seat, bool, u64)> {
    let wrong = game.outcome.failure();
    assert!(wrong.is_none(), "{wrong:?}");
    let mut table = game
        .rules()
        .unwrap()
        .game()
        .table(game.outcome.setup.unwrap_or_default());
    let turns = game.turns.iter().map(|turn| {
        if table.phase() == Phase::Roll {
            table.take_roll(turn.roll);
        }
        if let Some(mv) = turn.mv {
            table.play(mv).unwrap();
        }
        (turn.by, turn.mv.is_some(), table.canonical_fingerprint())
    });
    turns.collect()
}

proptest! {
    // Each case goes through every pair of formats.
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 16))]
    #[test]
    fn a_game_through_any_two_formats_and_back_is_the_same_game(seed in any::<u64>(), turns in 6..300_usize) {
        for pack in pack::all() {
            let dialect = pack.dialects[0];
            let original = generated(dialect, seed, turns);
            // hc-ur names a player by a record, so each player needs one.
            let plays = |seat| original.turns.iter().any(|turn| turn.by == seat && turn.mv.is_some());
            prop_assume!(plays(Seat::First) && plays(Seat::Second));
            let formats = formats(pack.game, !dialect.greeting(true).is_empty());
            for a in &formats {
                let text = written(&original, a).text;
                let first = read(&text, dialect);
                prop_assert_eq!(canonical(&first), canonical(&original), "{}", a);
                for b in &formats {
                    let across = read(&written(&first, b).text, dialect);
                    let again = written(&across, a);
                    prop_assert_eq!(&across.outcome.names, &first.outcome.names);
                    if first.format.lost_in(across.format).all(|part| part == GamePart::Lanes) {
                        prop_assert_eq!(String::from_utf8_lossy(&again.text), String::from_utf8_lossy(&text), "{} {}", a, b);
                    }
                    prop_assert_eq!(canonical(&read(&again.text, dialect)), canonical(&original), "{} {}", a, b);
                }
            }
        }
    }
}

fn every_format() -> impl Iterator<Item = FileFormat> {
    let notations = pack::notations().map(FileFormat::of_notation);
    [GOLDEN, RECORDING, STREAM].into_iter().chain(notations)
}

/// The table of the formats and what each keeps of the parts that not all keep, in Markdown.
fn table_of_parts() -> String {
    let mut some = GamePart::ALL.to_vec();
    some.retain(|part| every_format().any(|format| !format.keeps.contains(part)));
    let parts: Vec<_> = some.iter().map(|part| part.name()).collect();
    let mut table = format!(
        "| format | {} |\n|{}\n",
        parts.join(" | "),
        " --- |".repeat(parts.len() + 1)
    );
    for format in every_format() {
        let cell = |part| match format.keeps.contains(part) {
            true => "yes",
            false => "no",
        };
        let cells: Vec<_> = some.iter().map(cell).collect();
        table += &format!("| {} | {} |\n", format.name, cells.join(" | "));
    }
    table
}

#[test]
fn the_page_has_the_parts_that_each_format_keeps() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/finished-games.md");
    let page = fs::read_to_string(path).unwrap();
    assert!(
        page.contains(&table_of_parts()),
        "write into {path}:\n\n{}",
        table_of_parts()
    );
}

/// Writes a game by a format's name and reads it again: a part that the table denies is gone, one that it grants is there.
#[test]
fn every_format_keeps_the_parts_that_it_claims() {
    let dialect = pack::usual().dialects[0];
    let mut original = generated(dialect, 3, 40);
    let by = original.turns.last().unwrap().by;
    let cause = crate::protocol::Cause::Resigned;
    let roll = crate::rules::Roll(0b0110);
    let (by, skipped) = (by.other(), false);
    let history = &mut original.outcome.history;
    history.push(GameEvent::Rolled { by, roll, skipped });
    history.push(GameEvent::Lost { by, cause });
    for (turn, second) in original.turns.iter_mut().zip(1..) {
        turn.at = Some(Duration::from_secs(second));
    }
    for name in formats(dialect.game(), true) {
        let game = read(&written(&original, name).text, dialect);
        let rolls =
            |game: &FinishedGame| game.turns.iter().map(|turn| turn.roll).collect::<Vec<_>>();
        let tokens =
            |game: &FinishedGame| game.turns.iter().map(|turn| turn.mv).collect::<Vec<_>>();
        let times = |game: &FinishedGame| game.turns.iter().map(|turn| turn.at).collect::<Vec<_>>();
        for (part, is_kept) in [
            (
                GamePart::Names,
                game.outcome.names == original.outcome.names,
            ),
            (
                GamePart::Rolls,
                game.turns.iter().all(|turn| turn.rolled.is_some()),
            ),
            (GamePart::Coins, rolls(&game) == rolls(&original)),
            (GamePart::TokenNumbers, tokens(&game) == tokens(&original)),
            (GamePart::Loss, game.lost() == Some(by)),
            (GamePart::Times, times(&game) == times(&original)),
        ] {
            assert_eq!(
                game.format.keeps.contains(&part),
                is_kept,
                "{name}: {}",
                part.name()
            );
        }
    }
}
