//! Ur as RoyalUr writes it down in JSON (version 2). `docs/finished-games.md` describes what is read.
//!
//! Light is the first player and Dark the second. Tokens have no numbers, and a roll is a number of steps. Members of the file that are
//! not named here are skipped.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::de::{Error, IgnoredAny};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

use super::game::heads;
use super::json::JsonFile;
use super::position::{END, START};
use super::{RoyalUr, UrPosition, UrRules};
use crate::diagnostic::{Diagnostic, Source};
use crate::finding::{Finding, Verdict};
use crate::pack::formats::beginning;
use crate::pack::{GamePart, NotatedGame, NotatedTurn, Notation};
use crate::rules::{Move, PerSeat, Rules, Seat};
use crate::yaml::At;

const RULES: UrRules = UrRules::STANDARD;

/// Settings of RoyalUr's Finkel rules, which are those of the seed.
const FINKEL: [(&str, &str); 7] = [
    ("board_shape", "\"standard\""),
    ("paths", "\"bell\""),
    ("dice", "\"four_binary\""),
    ("start_pieces", "7"),
    ("safe_rosettes", "true"),
    ("rosettes_grant_rolls", "true"),
    ("captures_grant_rolls", "false"),
];

/// RoyalUr's JSON notation, version 2.
pub static ROYALUR_JSON: Notation = Notation {
    name: "royalur-json",
    title: "a game in RoyalUr's JSON notation",
    game: &RoyalUr,
    specification: None,
    is_records,
    read: |source| Ok(read(source)?),
    write: None,
    keeps: &[
        GamePart::Names,
        GamePart::Rolls,
        GamePart::Loss,
        GamePart::Times,
    ],
    states: None,
    roll_help: None,
};

/// Returns true if these first bytes look like such a file, valid or not.
fn is_records(head: &[u8]) -> bool {
    let text = beginning(head);
    text.starts_with(b"{") && memchr::memmem::find(text, b"\"notation_version\"").is_some()
}

/// The whole file.
#[derive(Deserialize)]
#[serde(expecting = "a game as an object")]
struct File<'f> {
    #[serde(rename = "notation_version", deserialize_with = "version")]
    _version: (),
    /// RoyalUr defines no members for the names of the players; `Light` and `Dark` are read.
    #[serde(default)]
    metadata: Value,
    #[serde(borrow)]
    settings: BTreeMap<String, &'f RawValue>,
    #[serde(default)]
    initial_state: Value,
    #[serde(borrow)]
    states: Vec<&'f RawValue>,
}

fn version<'f, D: Deserializer<'f>>(input: D) -> Result<(), D::Error> {
    match u64::deserialize(input)? {
        2 => Ok(()),
        other => Err(Error::custom(format!(
            "this is version {other} of the notation, and only version 2 is read"
        ))),
    }
}

/// A state of the game: a turn, a part of a turn, or an end.
#[derive(Deserialize)]
#[serde(tag = "type", expecting = "a state as an object")]
enum State {
    #[serde(rename = "wait4roll", alias = "wait4move")]
    Waits,
    /// A roll or a move. A roll with a list of moves that is not empty is no turn: the state of its move repeats it.
    #[serde(rename = "roll", alias = "move")]
    Turn {
        turn: Player,
        roll: Rolled,
        #[serde(default)]
        moves: Vec<IgnoredAny>,
        r#move: Option<Places>,
        time: Option<u64>,
    },
    /// A player gave up or left. A game that ended from outside has no player here.
    #[serde(rename = "resigned", alias = "abandoned")]
    Left { player: Option<Player> },
    #[serde(rename = "win")]
    Won { winner: Player },
}

/// Light or Dark.
#[derive(Deserialize, Clone, Copy)]
enum Player {
    L,
    D,
}

impl Player {
    fn seat(self) -> Seat {
        Seat::BOTH[self as usize]
    }
}

/// A number of steps.
#[derive(Deserialize)]
struct Rolled {
    value: u8,
}

/// A move between places on the player's path, which are negative for Dark. A new token has no `src`, a token that leaves the board no
/// `dest`.
#[derive(Deserialize)]
struct Places {
    src: Option<i8>,
    dest: Option<i8>,
    captured: Option<IgnoredAny>,
}

/// Reads a game that was played from the start by the rules that urtext has, up to the first state that breaks a rule.
fn read(source: &Source) -> Result<NotatedGame, Diagnostic> {
    let json = JsonFile::new(source, "royalur-json/game")?;
    let file: File = json.read()?;
    let (mut others, mut place) = (Vec::new(), None);
    for (name, due) in FINKEL {
        let value = file.settings.get(name).map(|value| value.get());
        if value != Some(due) {
            place = place.or(value);
            let value = value.unwrap_or("missing");
            others.push(format!("`{name}` is {value}, not {due}"));
        }
    }
    let pieces = file.initial_state["board"]["pieces"].as_object();
    if pieces.is_some_and(|pieces| !pieces.is_empty()) {
        others.push("it starts with pieces on the board".into());
    }
    if !others.is_empty() {
        let others = others.join(", ");
        let title = format!("this game has other rules: {others}");
        return Err(json.problem(place.unwrap_or(json.text()), title));
    }
    let names = ["Light", "Dark"].map(|key| file.metadata[key].as_str().map(str::to_owned));
    let mut game = NotatedGame::new(PerSeat(names));
    let mut position = UrPosition::START;
    for state in file.states {
        let At { is: state, span } = json.value(state)?;
        game.records.push(span);
        if !game.findings.is_empty() {
            continue;
        }
        if let Err((requirement, title)) = take(state, &mut position, &mut game) {
            game.findings.push(Finding {
                board: Some(NotatedTurn::board_after(&game.turns, &RoyalUr)),
                ..Finding::at(span, Verdict::Fail, requirement, title)
            });
        }
    }
    Ok(game)
}

/// A rule that a state breaks, and how.
type Broken = (&'static str, String);

/// Plays the state of the last record.
///
/// # Errors
/// The rule of the game that the state breaks.
fn take(state: State, position: &mut UrPosition, game: &mut NotatedGame) -> Result<(), Broken> {
    let winner = RULES.winner(position).or(game.lost.map(Seat::other));
    let (by, turn) = match state {
        State::Won { winner: named } if winner != Some(named.seat()) => {
            return Err(("ur/win/seven-out", "the named winner has not won".into()));
        }
        State::Left {
            player: Some(player),
        } => (player.seat(), None),
        State::Turn {
            turn,
            roll,
            moves,
            r#move,
            time,
        } if moves.is_empty() => (turn.seat(), Some((roll.value, r#move, time))),
        _ => return Ok(()),
    };
    if winner.is_some() {
        return Err((
            "ur/win/nothing-after",
            "a state after the end of the game".into(),
        ));
    }
    let Some((steps, places, time)) = turn else {
        game.lost = Some(by);
        return Ok(());
    };
    if by != position.mover() {
        return Err(("ur/turn/alternates", "it is the other player's turn".into()));
    }
    let roll = heads(steps.into());
    let mv = match places {
        Some(places) => Some(moved(position, steps, &places)?),
        None if RULES.can_move(position, roll) => {
            let title = "a skipped turn in which a token can move";
            return Err(("ur/skip/only-when-blocked", title.into()));
        }
        None => None,
    };
    *position = RULES.turned(position, roll, mv);
    game.turns.push(NotatedTurn {
        record: Some(game.records.len() - 1),
        rolled: Some(roll),
        // A writer without a clock gives every state the time 0.
        at: time.filter(|&time| time > 0).map(Duration::from_millis),
        ..NotatedTurn::new(by, roll, mv)
    });
    Ok(())
}

/// The legal move of a token by a number of steps.
fn moved(position: &UrPosition, steps: u8, places: &Places) -> Result<Move, Broken> {
    let from = places.src.map_or(START, i8::unsigned_abs);
    let to = places.dest.map_or(END, i8::unsigned_abs);
    let mut cells = position.cells(position.mover());
    let Some(token) = cells.position(|cell| steps <= 4 && cell == from && from + steps == to)
    else {
        let title =
            format!("no token can move from cell {from} to cell {to} with a roll of {steps}");
        return Err(("ur/move/forward-by-roll", title));
    };
    let token = Move(token as u32);
    if let Some(refusal) = RULES.refused(position, heads(steps.into()), token) {
        return Err((refusal.requirement, refusal.reason.into()));
    }
    if RULES.captures(position, to) != places.captured.is_some() {
        return Err((
            "ur/capture/shared-lane",
            "`captured` does not agree with the move".into(),
        ));
    }
    Ok(token)
}

#[cfg(test)]
mod tests;
