//! A replay for programs: JSON Lines, one [`ReplayRecord`] each.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{Frame, FrameAction, Replay};
use crate::diagnostic::visible;
use crate::rules::{Picture, PictureChange, Seat, Stock, Token};
use crate::transcript::Direction;

/// Version of the format. A reader ignores unknown fields, and unknown types of lines.
const VERSION: u32 = 2;

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
        /// The position at the start.
        start: Picture,
        /// Number of the last turn.
        turns: usize,
    },
    /// The start, then each turn, and the position after it.
    Turn {
        /// Its number; 0 is the start.
        turn: usize,
        /// The seat of the player.
        by: Option<Seat>,
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
        /// The facts of the move.
        #[serde(flatten)]
        change: &'r PictureChange,
        /// The other cells that the token could reach with the roll or the card, by their numbers.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        reach: Vec<usize>,
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
        to_move: Option<Seat>,
        /// The tokens on the board.
        tokens: Vec<TokenRecord>,
        /// Tokens and cards next to the board.
        stocks: Vec<Stock>,
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

/// A token on the board.
#[derive(Debug, Serialize, JsonSchema)]
struct TokenRecord {
    /// Number of its cell, from 0.
    cell: usize,
    /// The token.
    #[serde(flatten)]
    token: Token,
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
        ReplayRecord::Game {
            version: VERSION,
            game: game.name(),
            seats: Seat::BOTH.map(|seat| game.seat_name(seat)),
            players: Seat::BOTH.map(|seat| self.player(seat)),
            names: Seat::BOTH.map(|seat| outcome.names[seat].as_ref().map(shown)),
            setup: setup.map(|setup| game.format_setup(setup)),
            lanes: self.lanes.iter().map(|lane| lane.owner.as_str()).collect(),
            start: self.frames[0].picture(),
            turns: self.last(),
        }
    }

    fn turn_record<'r>(&'r self, frame: &'r Frame) -> ReplayRecord<'r> {
        let (game, picture) = (self.game(), frame.picture());
        let (action, mv, cause) = match frame.action {
            FrameAction::Start => ("start", None, None),
            FrameAction::Moved { mv, .. } => ("moved", Some(mv), None),
            FrameAction::Skipped { .. } => ("skipped", None, None),
            FrameAction::Lost { cause } => ("lost", None, Some(cause.word())),
            FrameAction::Awaited => ("awaited", None, None),
        };
        let cells = picture.cells.into_iter().enumerate();
        let tokens = cells.filter_map(|(cell, on)| {
            let token = on.token?;
            Some(TokenRecord { cell, token })
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
            by: frame.by,
            roll: frame.roll.map(|roll| game.format_roll(roll)),
            action,
            cause,
            mv: mv.map(|mv| game.format_move(mv)),
            change: &frame.change,
            reach: self.reach(frame),
            plays_again: frame.plays_again,
            short: self.short(frame),
            says: self.describe(frame),
            took: frame.times.map(|(took, _)| took.as_secs_f64()),
            at: frame.times.map(|(_, at)| at.as_secs_f64()),
            to_move: picture.to_move,
            tokens: tokens.collect(),
            stocks: picture.stocks,
            lines: lines.collect(),
        }
    }
}

fn shown(bytes: impl AsRef<[u8]>) -> String {
    visible::plain(bytes.as_ref()).to_string()
}
