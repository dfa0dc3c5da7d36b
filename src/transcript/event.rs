//! Events of a running game, as the judge receives them and a recording holds them.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::escape::{as_line, as_text};
use super::{Close, Direction};
use crate::protocol::{Framer, Line};

/// An event in a running game. Times are since the game's start and never run backwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Time of the event.
    pub at: Duration,
    /// Kind of the event.
    pub what: What,
}

/// Delays that the machine caused since the report before; microseconds in a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Lag {
    /// Longest delay of urtext's own wake-ups.
    #[serde(with = "micros")]
    #[schemars(with = "u64")]
    pub own: Duration,
    /// Time that the subject's processes were runnable but did not run; zero where the platform does not show this.
    #[serde(with = "micros")]
    #[schemars(with = "u64")]
    pub subject: Duration,
    /// Time by which a process that urtext starts again and again was late: it waits for fork, exec and memory as well.
    #[serde(with = "micros")]
    #[schemars(with = "u64")]
    pub start: Duration,
}

/// Times in whole microseconds, at most some thirty years.
pub(super) mod micros {
    use std::time::Duration;

    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    const LATEST: u64 = 1_000_000_000_000_000;

    pub(crate) fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u64(u64::try_from(time.as_micros()).unwrap_or(LATEST))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        let micros = u64::deserialize(from)?;
        if micros > LATEST {
            let problem =
                format!("{micros} microseconds are more than {LATEST}, the most there is");
            return Err(D::Error::custom(problem));
        }
        Ok(Duration::from_micros(micros))
    }
}

/// Kind of an event. Lanes are numbered from 0: the players in the order of connection, then the spectators.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// A lane is connected to the subject.
    Opened {
        /// The lane.
        lane: usize,
    },
    /// A line went over a lane; for what urtext itself writes, when it was written.
    Line {
        /// The lane.
        lane: usize,
        /// Direction of the line.
        #[serde(rename = "dir")]
        direction: Direction,
        /// The line, as a golden transcript writes it after its mark.
        #[serde(rename = "text", with = "as_line")]
        #[schemars(with = "String")]
        line: Line,
    },
    /// One write that was not one whole line: a part of a line, or several lines together. Reported right before the lines that it
    /// completes. The judge does not look at it.
    Piece {
        /// The lane.
        lane: usize,
        /// Direction of the write.
        #[serde(rename = "dir")]
        direction: Direction,
        /// Number of its bytes, newlines included.
        bytes: usize,
    },
    /// A part of a line had come when an alarm was due, and its newline had not. Told right before [`What::Alarm`]; the line itself
    /// follows when it is whole. Told as well before the [`What::Closed`] of a lost lane, where no more can follow.
    Unfinished {
        /// The lane.
        lane: usize,
        /// Direction of the line.
        #[serde(rename = "dir")]
        direction: Direction,
        /// Bytes received so far, as a golden transcript writes them.
        #[serde(with = "as_text")]
        #[schemars(with = "String")]
        text: Vec<u8>,
    },
    /// A direction of a lane ended.
    Closed {
        /// The lane.
        lane: usize,
        /// Direction that was closed.
        #[serde(rename = "dir")]
        direction: Direction,
        /// Kind of close.
        close: Close,
    },
    /// The subject's process ended.
    Exited {
        /// Exit in words: `exit status 1`, `killed by signal 9`.
        status: String,
        /// True for an exit with status 0.
        #[serde(rename = "success")]
        is_success: bool,
    },
    /// State of the subject's processes at an alarm. Told right before [`What::Alarm`], where the platform
    /// shows it.
    Processes(Processes),
    /// The time that the judge asked to be woken at has come.
    Alarm,
    /// The machine was busy, since the event of this kind before it or since the game's start. Reported right before an event that
    /// it can have delayed.
    Lag(Lag),
    /// The game stops waiting, because another game of the run waits in full for a failure that seems to be
    /// the same.
    Hurried,
    /// The user interrupts the run.
    Interrupted,
    /// The time for a whole game is over, and the game is not.
    OutOfTime {
        /// Budget of the game; microseconds in a recording.
        #[serde(with = "micros")]
        #[schemars(with = "u64")]
        budget: Duration,
    },
    /// Violation by a server that ended lanes, in words. It is known when the game is over.
    Notice {
        /// The words.
        text: String,
    },
    /// The supervisor of the subject was killed or stopped, and the subject with it. It is known when the game is over.
    Unsupervised,
    /// A subject that never said a byte in this game speaks in other games of the run. It is known when all games are over.
    SpeaksElsewhere,
}

impl What {
    /// Reports the events of bytes that went over a lane by one write, in their order.
    pub fn of_write(
        lane: usize,
        direction: Direction,
        framer: &mut Framer,
        bytes: &[u8],
        mut report: impl FnMut(What),
    ) {
        if !bytes.is_empty() && !framer.is_one_line(bytes) {
            report(What::Piece {
                lane,
                direction,
                bytes: bytes.len(),
            });
        }
        framer.push(bytes, |line| {
            report(What::Line {
                lane,
                direction,
                line,
            });
        });
    }

    /// The lanes that the event names.
    pub(super) fn lanes(&self) -> &[usize] {
        match self {
            What::Opened { lane }
            | What::Line { lane, .. }
            | What::Piece { lane, .. }
            | What::Unfinished { lane, .. }
            | What::Closed { lane, .. } => std::slice::from_ref(lane),
            What::Processes(processes) => processes.asleep.as_deref().unwrap_or_default(),
            _ => &[],
        }
    }

    /// The bytes after the last newline of a stream that has ended: a line without its newline, or, where the network lost the rest, a part of
    /// a line.
    #[must_use]
    pub fn rest(lane: usize, direction: Direction, line: Line, close: Close) -> What {
        match close {
            Close::Lost => What::Unfinished {
                lane,
                direction,
                text: line.text,
            },
            Close::End | Close::Reset | Close::Broken => What::Line {
                lane,
                direction,
                line,
            },
        }
    }
}

/// The processes of a subject at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Processes {
    /// True if the process that urtext started still runs.
    pub lives: bool,
    /// True if a signal or a debugger stopped the process.
    #[serde(rename = "stopped")]
    pub is_stopped: bool,
    /// Processor time used so far by all processes together; whole milliseconds, microseconds in a recording.
    #[serde(with = "micros")]
    #[schemars(with = "u64")]
    pub computed: Duration,
    /// Names of the processes that it has started and that still live.
    pub started: Vec<String>,
    /// Present where all of them are asleep and have read all that was sent: the lanes that they wait to read, as far as the calls
    /// show in which they sleep. Looked for only while something is due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asleep: Option<Vec<usize>>,
}

#[cfg(test)]
mod tests {
    use std::io::{Error, ErrorKind};

    use super::*;
    use crate::protocol::LineEnding;

    #[test]
    fn the_rest_of_a_stream_that_the_network_lost_is_no_line() {
        let lost = Close::by(&Error::from(ErrorKind::TimedOut));
        assert_eq!(lost, Close::Lost);
        let line = Line {
            text: b"1 0".to_vec(),
            ending: LineEnding::Missing,
        };
        let part = What::Unfinished {
            lane: 0,
            direction: Direction::Received,
            text: b"1 0".to_vec(),
        };
        assert_eq!(What::rest(0, Direction::Received, line.clone(), lost), part);
        let reset = Close::by(&Error::from(ErrorKind::ConnectionReset));
        let whole = What::Line {
            lane: 0,
            direction: Direction::Received,
            line: line.clone(),
        };
        assert_eq!(What::rest(0, Direction::Received, line, reset), whole);
    }
}
