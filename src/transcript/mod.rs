//! The lines of every lane of one game: types, the golden text format, the recording format, comparison.

#[cfg(test)]
mod arbitrary;
pub mod bare;
pub mod compare;
mod escape;
mod event;
mod logged;
pub mod golden;
pub mod recording;

pub use compare::compare;
pub use event::{Event, Lag, LaneEvents, Processes, What};
pub use logged::{LoggedGame, Played};

use std::io;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::pack::Protocol;
use crate::protocol::{LaneKind, Line};
use crate::rules::Seat;

/// Direction of a line, as the participant of the lane sees it.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// From the referee to the participant.
    Received,
    /// From the participant to the referee.
    Sent,
}

impl Direction {
    /// The opposite direction.
    #[must_use]
    pub fn other(self) -> Direction {
        match self {
            Direction::Sent => Direction::Received,
            Direction::Received => Direction::Sent,
        }
    }

    /// The mark before a line that is shown: `<` was received, `>` was sent.
    #[must_use]
    pub fn mark(self) -> char {
        match self {
            Direction::Received => '<',
            Direction::Sent => '>',
        }
    }
}

/// Owner of a lane, for people: in files and in findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LaneLabel {
    /// A player's, by seat.
    Player(Seat),
    /// A spectator's, numbered from 1 in the order of connection.
    Spectator(u32),
    /// A player's whose seat the handshake has not told, numbered from 1 in the order of connection.
    Unseated(u32),
}

/// Kind of close of one direction of a lane.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Close {
    /// By an orderly end of the stream.
    End,
    /// By a reset of the connection.
    Reset,
    /// Otherwise than the transport ends a lane: a server said or did what has no place there, or closed before it had said that
    /// the game is over.
    Broken,
    /// By the network, which neither side has asked for it: the other side cannot be reached any more.
    Lost,
}

impl Close {
    /// Converts a read error to a kind of close.
    #[must_use]
    pub fn by(error: &io::Error) -> Close {
        match error.kind() {
            io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe => Close::Reset,
            io::ErrorKind::TimedOut
            | io::ErrorKind::HostUnreachable
            | io::ErrorKind::NetworkUnreachable
            | io::ErrorKind::NetworkDown => Close::Lost,
            _ => Close::Broken,
        }
    }

    /// Describes the close in words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Close::End => "the end of the stream",
            Close::Reset => "a reset of the connection",
            Close::Broken => "a lane broken off",
            Close::Lost => "a loss of the connection",
        }
    }
}

/// One line of a lane. Entries are equal if the same line went in the same direction, wherever and whenever it did.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Direction of the line.
    pub direction: Direction,
    /// The line.
    pub line: Line,
    /// The line of its file, from 1; 0 if it is in no file.
    pub number: usize,
    /// Time since the start of the game, where the file shows times.
    pub at: Option<Duration>,
}

impl Entry {
    /// A line that is in no file.
    #[must_use]
    pub fn new(direction: Direction, line: Line) -> Entry {
        Entry {
            direction,
            line,
            number: 0,
            at: None,
        }
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Entry) -> bool {
        self.direction == other.direction && self.line == other.line
    }
}

impl Eq for Entry {}

/// One participant's stream, both directions. Lanes are equal if they have the same owner and the same entries.
#[derive(Debug, Clone)]
pub struct LaneTranscript {
    /// Owner of the lane.
    pub label: LaneLabel,
    /// Its lines, in the order in which they went; only the received ones if the sent ones are in a file of their own.
    pub entries: Vec<Entry>,
    /// The file, as the user typed it; empty if it is in no file.
    pub file: String,
    /// True if the file shows what the participant sent.
    pub tells_sent: bool,
    /// The lines that were sent, from a file of their own; their order among the others is not known.
    pub sent_apart: Option<Box<LaneTranscript>>,
    /// How much of the lane the file holds.
    pub extent: Extent,
}

/// How much of a lane its file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All of it: the participant stayed to the end.
    Whole,
    /// The bare bytes of a stream, which may be cut off anywhere.
    Capture,
    /// No line was owed after the last: the participant disconnected first, or is a spectator that joined late.
    LeftOff,
    /// The network lost the lane, so that the last lines may be missing.
    Lost,
}

impl LaneTranscript {
    /// A whole lane, in no file yet.
    #[must_use]
    pub fn new(label: LaneLabel, entries: Vec<Entry>) -> LaneTranscript {
        LaneTranscript {
            label,
            entries,
            file: String::new(),
            tells_sent: label.kind() == LaneKind::Player,
            sent_apart: None,
            extent: Extent::Whole,
        }
    }
}

impl PartialEq for LaneTranscript {
    fn eq(&self, other: &LaneTranscript) -> bool {
        self.label == other.label && self.entries == other.entries
    }
}

impl Eq for LaneTranscript {}

/// The lines of every lane of one game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Transcript {
    /// The protocol of the lanes.
    pub protocol: Protocol,
    /// The lanes: players by seat, then spectators.
    pub lanes: Vec<LaneTranscript>,
}

impl Transcript {
    /// The lane of an owner.
    #[must_use]
    pub fn lane(&self, label: LaneLabel) -> Option<&LaneTranscript> {
        self.lanes.iter().find(|lane| lane.label == label)
    }
}

impl LaneLabel {
    /// The label of a lane of this kind whose owner the handshake has not shown, numbered from 1.
    #[must_use]
    pub fn of(kind: LaneKind, number: u32) -> LaneLabel {
        match kind {
            LaneKind::Player => LaneLabel::Unseated(number),
            LaneKind::Spectator => LaneLabel::Spectator(number),
        }
    }

    /// Kind of participant: a player or a spectator.
    #[must_use]
    pub fn kind(self) -> LaneKind {
        match self {
            LaneLabel::Player(_) | LaneLabel::Unseated(_) => LaneKind::Player,
            LaneLabel::Spectator(_) => LaneKind::Spectator,
        }
    }

    /// The seat, if it is known.
    #[must_use]
    pub fn seat(self) -> Option<Seat> {
        match self {
            LaneLabel::Player(seat) => Some(seat),
            LaneLabel::Unseated(_) | LaneLabel::Spectator(_) => None,
        }
    }

    /// The label with the game's own name for the seat, as a golden transcript has it: `first`, `spectator 1`, `player 2`.
    #[must_use]
    pub fn written(self, seat_names: [&'static str; 2]) -> String {
        match self {
            LaneLabel::Player(seat) => seat_names[seat.index()].to_owned(),
            LaneLabel::Spectator(number) => format!("spectator {number}"),
            LaneLabel::Unseated(number) => format!("player {number}"),
        }
    }

    /// The label for a message: `first`, `spectator 1`, `player 2 (no seat yet)`.
    #[must_use]
    pub fn display(self, seat_names: [&'static str; 2]) -> String {
        let written = self.written(seat_names);
        match self {
            LaneLabel::Unseated(_) => format!("{written} (no seat yet)"),
            _ => written,
        }
    }
}
