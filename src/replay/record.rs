//! A replay for programs: JSON Lines, one [`ReplayRecord`] each.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::rules::{CellKind, Picture, Seat};

/// Version of the format. A reader ignores unknown fields, and unknown types of lines.
pub(super) const VERSION: u32 = 1;

/// A line of a replay.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
#[schemars(title = "One line of an urtext replay (JSON Lines)")]
pub(super) enum ReplayRecord {
    /// The first line.
    Game(GameRecord),
    /// The start, then each turn.
    Turn(Box<TurnRecord>),
    /// The last line.
    End(EndRecord),
}

/// The game.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct GameRecord {
    /// Version of the format.
    pub version: u32,
    /// Name of the game.
    pub game: String,
    /// Names of the seats.
    pub seats: [String; 2],
    /// The players by seat: the name, if it is known, and the seat.
    pub players: [String; 2],
    /// Names of the players by seat, escaped; null if a name is not known.
    pub names: [Option<String>; 2],
    /// Random setup, as scenarios write it; null in a game without.
    pub setup: Option<String>,
    /// Owners of the lanes.
    pub lanes: Vec<String>,
    /// The cells of the board.
    pub cells: Vec<CellRecord>,
    /// Number of the last turn.
    pub turns: usize,
}

/// A turn, and the position after it.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct TurnRecord {
    /// Its number; 0 is the start.
    pub turn: usize,
    /// The seat of the player.
    pub by: Option<String>,
    /// The roll, as scenarios write it.
    pub roll: Option<String>,
    /// Result: `start`, `moved`, `skipped`, `lost`, or `awaited` where the lanes stop.
    pub action: &'static str,
    /// Cause of a loss: `timeout`, `disconnect`, `resigned`, `retired` if it is not known, or the id of the broken requirement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<&'static str>,
    /// The move, as scenarios write it.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// Origin of the token: the name of a cell, or the short name of a stock.
    pub from: Option<String>,
    /// Destination of the token.
    pub to: Option<String>,
    /// The token that was captured.
    pub captured: Option<String>,
    /// The card that was used.
    pub card: Option<String>,
    /// The other cells that the token could reach with the roll or the card.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reach: Vec<String>,
    /// True if the same player has the next turn.
    pub plays_again: bool,
    /// The turn in short notation.
    pub short: String,
    /// The turn in a sentence.
    pub says: String,
    /// Seconds that the player took.
    pub took: Option<f64>,
    /// Seconds from the start of the game to the end of the turn.
    pub at: Option<f64>,
    /// The seat on turn; null after the end.
    pub to_move: Option<String>,
    /// The tokens on the board.
    pub tokens: Vec<TokenRecord>,
    /// Tokens and cards next to the board.
    pub stocks: Vec<StockRecord>,
    /// The lines of the lanes.
    pub lines: Vec<LineRecord>,
}

/// A cell of the board.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct CellRecord {
    /// Its name.
    pub name: String,
    /// Its column, from 0 at the left.
    pub column: u16,
    /// Its row, from 0 at the top.
    pub row: u16,
    /// Its kind: `plain`, `rosette` or `home`.
    pub kind: &'static str,
    /// The seat whose tokens alone come here; null for a shared cell.
    pub owner: Option<String>,
}

/// A token on the board.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct TokenRecord {
    /// Its name.
    pub name: String,
    /// The seat of its owner.
    pub seat: String,
    /// Number of its cell in `cells`, from 0.
    pub cell: usize,
}

/// Tokens or cards next to the board.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct StockRecord {
    /// The seat of the owner; null for what belongs to nobody.
    pub owner: Option<String>,
    /// Its name; empty for the cards in a hand.
    pub name: String,
    /// The names of its items.
    pub items: Vec<String>,
}

/// A line of a lane.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct LineRecord {
    /// Number of the lane in `lanes`, from 0.
    pub lane: usize,
    /// True if the participant sent it; false if it was received.
    pub is_sent: bool,
    /// The text; control characters and bytes that are not UTF-8 are escaped.
    pub text: String,
    /// Seconds since the start of the game.
    pub at: Option<f64>,
    /// True for the line that the error or the finding is about.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_wrong: bool,
}

/// The end of the replay.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct EndRecord {
    /// The result of the game, its first error, or the finding of the judge.
    pub says: String,
    /// True if a line of the game is wrong.
    pub is_wrong: bool,
    /// Notes of the judge.
    pub notes: Vec<String>,
}

/// Returns the schema of one line.
#[must_use]
pub fn schema() -> Value {
    schemars::schema_for!(ReplayRecord).to_value()
}

/// The cells of a board.
pub(super) fn cells(picture: &Picture) -> Vec<CellRecord> {
    let seat = |seat: Seat| picture.seats[seat.index()].to_owned();
    let record = |cell: &crate::rules::PictureCell| CellRecord {
        name: cell.name.clone(),
        column: cell.column,
        row: cell.row,
        kind: match cell.kind {
            CellKind::Plain => "plain",
            CellKind::Rosette => "rosette",
            CellKind::Home(_) => "home",
        },
        owner: cell.owner.map(seat),
    };
    picture.cells.iter().map(record).collect()
}

/// The tokens on a board.
pub(super) fn tokens(picture: &Picture) -> Vec<TokenRecord> {
    let cells = picture.cells.iter().enumerate();
    let tokens = cells.filter_map(|(cell, on)| {
        on.token.as_ref().map(|token| TokenRecord {
            name: token.label.clone(),
            seat: picture.seats[token.seat.index()].to_owned(),
            cell,
        })
    });
    tokens.collect()
}

/// What is next to a board.
pub(super) fn stocks(picture: &Picture) -> Vec<StockRecord> {
    let record = |stock: &crate::rules::Stock| StockRecord {
        owner: stock
            .owner
            .map(|seat| picture.seats[seat.index()].to_owned()),
        name: stock.name.to_owned(),
        items: stock.items.iter().map(|item| item.label.clone()).collect(),
    };
    picture.stocks.iter().map(record).collect()
}
