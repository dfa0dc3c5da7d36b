//! A replay for programs: JSON Lines, one [`ReplayRecord`] each.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{Frame, FrameAction, Replay};
use crate::diagnostic::visible;
use crate::rules::{CellKind, Game, PictureCell, Seat, StockKind, TokenPlace};
use crate::transcript::Direction;

/// Version of the format. A reader ignores unknown fields, and unknown types of lines.
const VERSION: u32 = 1;

/// A line of a replay.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
#[schemars(title = "One line of an urtext replay (JSON Lines)")]
enum ReplayRecord<'r> {
    /// The first line: the game.
    Game {
        /// Version of the format.
        version: u32,
        /// Name of the game.
        game: &'r str,
        /// Names of the seats.
        seats: [&'r str; 2],
        /// The players by seat: the name, if it is known, and the seat.
        players: [String; 2],
        /// Names of the players by seat, escaped; null if a name is not known.
        names: [Option<String>; 2],
        /// Random setup, as scenarios write it; null in a game without.
        setup: Option<String>,
        /// Owners of the lanes.
        lanes: Vec<&'r str>,
        /// The cells of the board.
        cells: Vec<CellRecord<'r>>,
        /// Names of the columns, from left to right; empty if they have none.
        columns: Vec<String>,
        /// Names of the rows, from the top down; empty if they have none.
        rows: Vec<String>,
        /// The seat whose side is above the board.
        above: &'r str,
        /// The kind of each stock of a turn: `tokens` or `cards`.
        stocks: Vec<&'static str>,
        /// The cells that each card reaches: steps forward and to the right.
        cards: BTreeMap<String, &'static [(i8, i8)]>,
        /// Number of the last turn.
        turns: usize,
    },
    /// The start, then each turn, and the position after it.
    Turn {
        /// Its number; 0 is the start.
        turn: usize,
        /// The seat of the player.
        by: Option<&'r str>,
        /// The roll, as scenarios write it.
        roll: Option<String>,
        /// Result: `start`, `moved`, `skipped`, `lost`, or `awaited` where the lanes stop.
        action: &'static str,
        /// Cause of a loss: `timeout`, `disconnect`, `resigned`, `retired` if it is not known, or the id of the broken requirement.
        #[serde(skip_serializing_if = "Option::is_none")]
        cause: Option<&'static str>,
        /// The move, as scenarios write it.
        #[serde(rename = "move")]
        mv: Option<String>,
        /// Origin of the token: the name of a cell, or the short name of a stock.
        from: Option<&'r str>,
        /// Destination of the token.
        to: Option<&'r str>,
        /// The token that was captured.
        captured: Option<&'r str>,
        /// The card that was used.
        card: Option<&'r str>,
        /// The other cells that the token could reach with the roll or the card.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        reach: Vec<String>,
        /// True if the same player has the next turn.
        plays_again: bool,
        /// The turn in short notation.
        short: String,
        /// The turn in a sentence.
        says: String,
        /// Seconds that the player took.
        took: Option<f64>,
        /// Seconds from the start of the game to the end of the turn.
        at: Option<f64>,
        /// The seat on turn; null after the end.
        to_move: Option<&'r str>,
        /// The tokens on the board.
        tokens: Vec<TokenRecord<'r>>,
        /// Tokens and cards next to the board.
        stocks: Vec<StockRecord<'r>>,
        /// The lines of the lanes.
        lines: Vec<LineRecord>,
    },
    /// The last line: the end of the replay.
    End {
        /// The result of the game, its first error, or the finding of the judge.
        says: String,
        /// True if a line of the game is wrong.
        is_wrong: bool,
        /// True if a line of the game is wrong, or the judge has a finding.
        is_bad: bool,
        /// Notes of the judge.
        notes: Vec<String>,
    },
}

/// A cell of the board.
#[derive(Debug, Serialize, JsonSchema)]
struct CellRecord<'r> {
    /// Its name.
    name: String,
    /// Its column, from 0 at the left.
    column: u16,
    /// Its row, from 0 at the top.
    row: u16,
    /// Its kind: `plain`, `rosette` or `home`.
    kind: &'static str,
    /// The seat whose tokens alone come here; null for a shared cell.
    owner: Option<&'r str>,
    /// The seat whose home it is.
    home: Option<&'r str>,
}

/// A token on the board.
#[derive(Debug, Serialize, JsonSchema)]
struct TokenRecord<'r> {
    /// Its name.
    name: String,
    /// The seat of its owner.
    seat: &'r str,
    /// Number of its cell in `cells`, from 0.
    cell: usize,
}

/// Tokens or cards next to the board.
#[derive(Debug, Serialize, JsonSchema)]
struct StockRecord<'r> {
    /// The seat of the owner; null for what belongs to nobody.
    owner: Option<&'r str>,
    /// Its name; empty for the cards in a hand.
    name: &'r str,
    /// The names of its items.
    items: Vec<String>,
}

/// A line of a lane.
#[derive(Debug, Serialize, JsonSchema)]
struct LineRecord {
    /// Number of the lane in `lanes`, from 0.
    lane: usize,
    /// True if the participant sent it; false if it was received.
    is_sent: bool,
    /// The text; control characters and bytes that are not UTF-8 are escaped.
    text: String,
    /// Seconds since the start of the game.
    at: Option<f64>,
    /// True for the line that the error or the finding is about.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_wrong: bool,
}

/// Returns the schema of one line.
#[must_use]
pub fn schema() -> Value {
    schemars::schema_for!(ReplayRecord).to_value()
}

impl<'r> CellRecord<'r> {
    fn new(game: &'r dyn Game) -> impl Fn(&PictureCell) -> CellRecord<'r> {
        move |cell| {
            let (kind, home) = match cell.kind {
                CellKind::Plain => ("plain", None),
                CellKind::Rosette => ("rosette", None),
                CellKind::Home(owner) => ("home", Some(owner)),
            };
            CellRecord {
                name: cell.name.clone(),
                column: cell.column,
                row: cell.row,
                kind,
                owner: cell.owner.map(|seat| game.seat_name(seat)),
                home: home.map(|seat| game.seat_name(seat)),
            }
        }
    }
}

impl Replay {
    /// Returns the game, these frames of it, and its end as JSON Lines.
    ///
    /// # Panics
    /// Never: every key is a text.
    #[must_use]
    pub fn json(&self, frames: &[Frame]) -> String {
        let turns = frames.iter().map(|frame| self.turn_record(frame));
        let all = [self.game_record()].into_iter().chain(turns);
        let end = ReplayRecord::End {
            says: self.ending(),
            is_wrong: self.is_wrong(),
            is_bad: self.is_bad(),
            notes: self.finished.notes.iter().map(shown).collect(),
        };
        let lines: Vec<_> = all
            .chain([end])
            .map(|record| serde_json::to_string(&record).expect("all keys are texts"))
            .collect();
        lines.join("\n")
    }

    fn game_record(&self) -> ReplayRecord<'_> {
        let (game, outcome) = (self.game(), &self.finished.outcome);
        let setup = outcome.setup.filter(|_| !game.setup_keys().is_empty());
        let pictures: Vec<_> = self.frames.iter().map(Frame::picture).collect();
        let first = &pictures[0];
        let stocks = first.stocks.iter().map(|stock| match stock.kind {
            StockKind::Tokens => "tokens",
            StockKind::Cards => "cards",
        });
        let all = pictures.iter().flat_map(|picture| &picture.stocks);
        let cards = all.filter(|stock| stock.kind == StockKind::Cards);
        let cards = cards.flat_map(|stock| &stock.items);
        ReplayRecord::Game {
            version: VERSION,
            game: game.name(),
            seats: Seat::BOTH.map(|seat| game.seat_name(seat)),
            players: Seat::BOTH.map(|seat| self.player(seat)),
            names: Seat::BOTH.map(|seat| outcome.names[seat].as_ref().map(shown)),
            setup: setup.map(|setup| game.format_setup(setup)),
            lanes: self.lanes.iter().map(|lane| lane.owner.as_str()).collect(),
            cells: first.cells.iter().map(CellRecord::new(game)).collect(),
            columns: first.columns.clone(),
            rows: first.rows.clone(),
            above: game.seat_name(first.above),
            stocks: stocks.collect(),
            cards: cards.map(|card| (card.label.clone(), card.steps)).collect(),
            turns: self.last(),
        }
    }

    fn turn_record<'r>(&'r self, frame: &'r Frame) -> ReplayRecord<'r> {
        let game = self.game();
        let seat = |seat: Seat| game.seat_name(seat);
        let name = |place: &'r Option<TokenPlace>| place.as_ref().map(|place| &*place.name);
        let (picture, change) = (frame.picture(), &frame.change);
        let (action, mv, cause) = match frame.action {
            FrameAction::Start => ("start", None, None),
            FrameAction::Moved { mv, .. } => ("moved", Some(mv), None),
            FrameAction::Skipped { .. } => ("skipped", None, None),
            FrameAction::Lost { cause } => ("lost", None, Some(cause.word())),
            FrameAction::Awaited => ("awaited", None, None),
        };
        let reach = self.reach(frame).into_iter();
        let cells = picture.cells.iter().enumerate();
        let tokens = cells.filter_map(|(cell, on)| {
            let token = on.token.as_ref()?;
            Some(TokenRecord {
                name: token.label.clone(),
                seat: seat(token.seat),
                cell,
            })
        });
        let stocks = picture.stocks.iter().map(|stock| StockRecord {
            owner: stock.owner.map(seat),
            name: stock.name,
            items: stock.items.iter().map(|item| item.label.clone()).collect(),
        });
        let lanes = self.lanes.iter().enumerate();
        let lines = lanes.flat_map(|(lane, lines)| {
            let lines = lines.lines_of(frame.number).iter();
            lines.map(move |line| LineRecord {
                lane,
                is_sent: line.line.direction == Direction::Sent,
                text: shown(&line.line.line.text),
                at: line.line.at.map(|at| at.as_secs_f64()),
                is_wrong: line.is_wrong,
            })
        });
        ReplayRecord::Turn {
            turn: frame.number,
            by: frame.by.map(seat),
            roll: frame.roll.map(|roll| game.format_roll(roll)),
            action,
            cause,
            mv: mv.map(|mv| game.format_move(mv)),
            from: name(&change.from),
            to: name(&change.to),
            captured: change.captured.as_ref().map(|token| &*token.label),
            card: change.card.as_deref(),
            reach: reach.map(|cell| picture.cells[cell].name.clone()).collect(),
            plays_again: frame.plays_again,
            short: self.short(frame),
            says: self.describe(frame),
            took: frame.times.map(|(took, _)| took.as_secs_f64()),
            at: frame.times.map(|(_, at)| at.as_secs_f64()),
            to_move: picture.to_move.map(seat),
            tokens: tokens.collect(),
            stocks: stocks.collect(),
            lines: lines.collect(),
        }
    }
}

fn shown(bytes: impl AsRef<[u8]>) -> String {
    visible::plain(bytes.as_ref()).to_string()
}
