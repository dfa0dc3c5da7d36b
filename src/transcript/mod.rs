//! The lines of every lane of one game: types, the golden text format, the recording format, comparison.

#[cfg(test)]
mod arbitrary;
pub mod bare;
pub mod compare;
mod escape;
mod event;
mod logged;
pub mod golden;
mod growing;
mod open;
pub mod recording;

pub use bare::too_large;
pub use compare::compare;
pub use event::{Event, Lag, Processes, What};
pub use growing::{GrowingFile, LOOK};
pub use logged::{LoggedGame, LoggedLane, LoggedLine, Played, SentApart};
pub use open::{Opened, open, pair_key};

use std::{fmt, io};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::protocol::Line;
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

/// One line of a lane.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Entry {
    /// Direction of the line.
    pub direction: Direction,
    /// The line.
    pub line: Line,
}

/// One participant's stream, both directions.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LaneTranscript {
    /// Owner of the lane.
    pub label: LaneLabel,
    /// Its lines, in the order in which they went.
    pub entries: Vec<Entry>,
}

/// The lines of every lane of one game.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Transcript {
    /// Name of the dialect, such as `code-colosseum`.
    pub dialect: String,
    /// The lanes: players by seat, then spectators.
    pub lanes: Vec<LaneTranscript>,
}

/// A transcript, with where each of its lines stands in the file that it was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedTranscript {
    /// The transcript.
    pub transcript: Transcript,
    /// Line in the file, from 1, of each entry of each lane.
    pub lines: Vec<Vec<usize>>,
}

impl LaneLabel {
    /// The label with the game's own name for the seat: `first`, `spectator 1`, `player 2 (no seat yet)`.
    #[must_use]
    pub fn display(self, seat_names: [&'static str; 2]) -> impl fmt::Display {
        struct Named(LaneLabel, [&'static str; 2]);
        impl fmt::Display for Named {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self.0 {
                    LaneLabel::Player(seat) => f.write_str(self.1[seat.index()]),
                    LaneLabel::Spectator(number) => write!(f, "spectator {number}"),
                    LaneLabel::Unseated(number) => write!(f, "player {number} (no seat yet)"),
                }
            }
        }
        Named(self, seat_names)
    }
}
