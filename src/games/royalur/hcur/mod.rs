//! Ur as hc-ur writes it down (seed `002`): a list of move records and a game state, both as JSON. `docs/finished-games.md` describes
//! what is read and written.
//!
//! It is a notation of finished games, no wire protocol: nobody sends these records line by line. Tokens have no numbers in
//! it, a move names the square on which a token stands. Records are played through the same [`UrRules`] as everything else.
//!
//! [`UrRules`]: super::UrRules

mod reader;
mod reduction;
mod state;

pub use reader::{HcurMove, HcurRecord, Rolled, is_records, read};
pub use reduction::{chain, reached, reduce};
pub use state::{HcurSide, HcurState, Square};

use serde_json::{Value, json};

use crate::diagnostic::Diagnostic;
use crate::games::royalur::{RoyalUr, UrPosition, UrRules};
use crate::pack::{GamePart, NotatedTurn, Notation, StateNotation};
use crate::requirement::Specification;
use crate::rules::{Game, PerSeat, Seat};

/// The notation of move records.
pub static HC_UR: Notation = Notation {
    name: "hc-ur",
    title: "move records of hc-ur (a JSON list)",
    game: &RoyalUr,
    specification: Some(&SPECIFICATION),
    is_records,
    read: |source| {
        let (records, warnings) = read(source)?;
        let mut game = reduce(&records, warnings);
        game.findings.extend(chain(&records));
        Ok(game)
    },
    write: Some(|turns, names| Ok(write(turns, &authors(names, turns)?))),
    keeps: &[GamePart::Names, GamePart::Rolls, GamePart::Coins],
    states: Some(&STATES),
    roll_help: Some(
        "give each record its `roll`, and each skipped turn a record: `{author: …, roll: \"0 0 0 0\", skipped: true}`",
    ),
};

/// The catalogue of hc-ur.
static SPECIFICATION: Specification = Specification::new(
    "hc-ur",
    include_str!("../../../../scenarios/hc-ur/requirements.yaml"),
);

static STATES: StateNotation = StateNotation {
    title: "a game state of hc-ur, which tells no moves",
    is_state: |start| {
        let holds = |part: &str| memchr::memmem::find(start, part.as_bytes()).is_some();
        start.starts_with(b"{") && holds("player_1") && holds("tokens_home")
    },
    read: |source| {
        let state = HcurState::read(source)?;
        Ok((state.to_json(), state.resigned()))
    },
    write: |turns, lost| HcurState::of(&reached(turns), lost).to_json(),
    requirement: HcurState::REDUCES,
};

/// The players as authors of records. A player without a name and without a record gets a stand-in, since no record names that player.
///
/// # Errors
/// Fails if records cannot name the players.
pub fn authors(
    names: &PerSeat<Option<Vec<u8>>>,
    turns: &[NotatedTurn],
) -> Result<PerSeat<String>, Diagnostic> {
    let is_silent = |seat| {
        let mut own = turns.iter().filter(|turn| turn.by == seat);
        own.all(|turn| turn.rolled.is_none())
    };
    let author = |seat: Seat| match names[seat].as_deref().map(std::str::from_utf8) {
        None if names[seat.other()].is_some() && is_silent(seat) => Ok("\0".to_owned()),
        Some(Ok(name)) if !name.is_empty() => Ok(name.to_owned()),
        _ => Err(
            "a record names its author, and a player's name is not known, empty, or no UTF-8 text",
        ),
    };
    let both = || match [author(Seat::First)?, author(Seat::Second)?] {
        [first, second] if first == second => Err(
            "both players have the same name, and records tell players apart by their authors alone",
        ),
        both => Ok(PerSeat(both)),
    };
    both().map_err(|title| Diagnostic::error("replay/author", title))
}

/// Writes turns from the start of a game as a list of records, a line each. Addresses are made from what comes before, so
/// that the same game always gets the same ones, with rolls or without. Rolls and skipped turns are written where the turns tell their rolls; a
/// turn of which there is no record is left out.
///
/// # Panics
/// Panics if the turns are not legal from the start.
#[must_use]
pub fn write(turns: &[NotatedTurn], authors: &PerSeat<String>) -> String {
    let moves = move_types(turns);
    let pairs = turns.iter().zip(&moves);
    let said = pairs.filter_map(|(turn, mv)| Some(format!("{:?}{}", turn.by, mv.as_ref()?)));
    let [first, second] = &authors.0;
    let game = address("game", &[first, second, &said.collect::<String>()]);
    let mut previous = game.clone();
    let mut lines = Vec::new();
    for (turn, move_type) in turns.iter().zip(moves) {
        let roll = turn.rolled.map(|roll| match turn.is_roll_complete {
            true => json!(RoyalUr.format_roll(roll)),
            false => json!(UrRules::STANDARD.steps(roll)),
        });
        let author = &authors[turn.by];
        let Some(move_type) = move_type else {
            if let Some(roll) = roll {
                lines.push(json!({"game": game, "author": author, "roll": roll, "skipped": true}));
            }
            continue;
        };
        let hash = address("move", &[&previous, author, &move_type.to_string()]);
        let mut record = json!({
            "game": game, "author": author, "previous_move": previous, "move_type": move_type,
        });
        if let Some(roll) = roll {
            record["roll"] = roll;
        }
        record["hash"] = json!(hash);
        lines.push(record);
        previous = hash;
    }
    let lines: Vec<_> = lines.iter().map(|record| format!("  {record}")).collect();
    format!("[\n{}\n]", lines.join(",\n"))
}

/// The move of each turn; `None` where it was skipped.
fn move_types(turns: &[NotatedTurn]) -> Vec<Option<Value>> {
    let mut position = UrPosition::START;
    let mut move_type = |turn: &NotatedTurn| {
        let from = turn.mv.map(|mv| position.cell(turn.by, mv.0 as usize));
        position = UrRules::STANDARD.turned(&position, turn.roll, turn.mv);
        let distance = UrRules::STANDARD.steps(turn.roll);
        Some(match Square::of_cell(turn.by, from?) {
            Some(Square { x, y }) => {
                json!({"MoveToken": {"from": {"x": x, "y": y}, "distance": distance}})
            }
            None => json!({"CreateToken": {"distance": distance}}),
        })
    };
    turns.iter().map(&mut move_type).collect()
}

/// An address made from texts (FNV-1a, 64 bits): it tells the moves of a game apart and is no proof of anything.
fn address(kind: &str, texts: &[&str]) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in texts.iter().flat_map(|text| text.bytes().chain([0])) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{kind}-{hash:016x}")
}

#[cfg(test)]
#[path = "hcur_tests.rs"]
pub(super) mod tests;
