//! Writes a game as move records.

use serde_json::{Value, json};

use super::Square;
use crate::games::royalur::{UrPosition, UrRules};
use crate::pack::NotatedTurn;
use crate::rules::{PerSeat, Rules, Seat};

/// The two players as authors of records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authors(PerSeat<String>);

/// Reason why players cannot be authors of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotWritable {
    /// JSON has no place for other bytes.
    #[error("a player's name is not UTF-8 text")]
    NotText,
    /// Records tell the players apart by their authors alone.
    #[error(
        "both players have the same name, and records tell players apart by their authors alone"
    )]
    SameName,
    /// The streams stop before the names.
    #[error("a player's name is not known")]
    Unknown,
    /// An author that is empty is none.
    #[error("a player's name is empty, and a record has to name its author")]
    Empty,
}

impl Authors {
    /// The players by their names.
    ///
    /// # Errors
    /// Fails if records cannot name the players.
    pub fn new(names: &PerSeat<Option<Vec<u8>>>) -> Result<Authors, NotWritable> {
        let author = |seat| {
            let name = names[seat].as_deref().ok_or(NotWritable::Unknown)?;
            match std::str::from_utf8(name) {
                Ok("") => Err(NotWritable::Empty),
                Ok(name) => Ok(name.to_owned()),
                Err(_) => Err(NotWritable::NotText),
            }
        };
        let (first, second) = (author(Seat::First)?, author(Seat::Second)?);
        if first == second {
            Err(NotWritable::SameName)
        } else {
            Ok(Authors(PerSeat([first, second])))
        }
    }
}

impl Authors {
    /// The players of a game. A player without a name and without a record gets a stand-in, since no record names that player.
    ///
    /// # Errors
    /// Fails if records cannot name the players.
    pub fn of_game(
        names: &PerSeat<Option<Vec<u8>>>,
        turns: &[NotatedTurn],
    ) -> Result<Authors, NotWritable> {
        let mut names = names.clone();
        let is_silent = |seat| {
            turns
                .iter()
                .all(|turn| turn.by != seat || turn.rolled.is_none())
        };
        let mut unknown = Seat::BOTH.into_iter().filter(|&seat| names[seat].is_none());
        if let (Some(seat), None) = (unknown.next(), unknown.next())
            && is_silent(seat)
        {
            names[seat] = Some(b"\0".to_vec());
        }
        Authors::new(&names)
    }
}

/// Writes turns from the start of a game as a list of records, a line each. Addresses are made from what comes before, so
/// that the same game always gets the same ones, with rolls or without. Rolls and skipped turns are written where the turns tell their rolls; a
/// turn of which there is no record is left out.
///
/// # Panics
/// Panics if the turns are not legal from the start.
#[must_use]
pub fn write(turns: &[NotatedTurn], authors: &Authors) -> String {
    let moves = move_types(turns);
    let said = |(turn, move_type): (&NotatedTurn, &Option<Value>)| {
        move_type
            .as_ref()
            .map(|move_type| format!("{:?}{move_type}", turn.by))
    };
    let said: Vec<_> = turns.iter().zip(&moves).filter_map(said).collect();
    let [first, second] = &authors.0.0;
    let game = address("game", &[first, second, &said.concat()]);
    let mut previous = game.clone();
    let mut lines = Vec::new();
    for (turn, move_type) in turns.iter().zip(moves) {
        let roll = turn.rolled.map(|roll| match turn.is_roll_complete {
            true => json!(super::game().format_roll(roll)),
            false => json!(UrRules::STANDARD.steps(roll)),
        });
        let author = &authors.0[turn.by];
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
        let Some(mv) = turn.mv else {
            position = UrRules::STANDARD.skipped(&position, turn.roll);
            return None;
        };
        let distance = UrRules::STANDARD.steps(turn.roll);
        let from = Square::of_cell(turn.by, position.cell(turn.by, mv.0 as usize));
        position = UrRules::STANDARD
            .moved(&position, turn.roll, mv)
            .expect("the turns are legal");
        Some(match from {
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
