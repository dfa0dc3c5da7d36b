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
    /// A subject that sent nothing in this game speaks in other games of the run. It is known when all games are over.
    SpeaksElsewhere,
}

impl What {
    /// The lanes that the event names.
    pub(super) fn lanes(&self) -> &[usize] {
        match self {
            What::Opened { lane }
            | What::Line { lane, .. }
            | What::Piece { lane, .. }
            | What::Unfinished { lane, .. }
            | What::Closed { lane, .. } => std::slice::from_ref(lane),
            _ => &[],
        }
    }
}

/// One lane without I/O: bytes in, events out. Each direction ends once; nothing passes after that.
#[derive(Debug)]
pub struct LaneEvents {
    lane: usize,
    /// By direction; `None` once it has ended.
    framers: [Option<Framer>; 2],
}

impl LaneEvents {
    /// A lane that is open in both directions.
    #[must_use]
    pub fn new(lane: usize) -> LaneEvents {
        LaneEvents {
            lane,
            framers: [Some(Framer::default()), Some(Framer::default())],
        }
    }

    /// Returns true until the direction ends.
    #[must_use]
    pub fn is_open(&self, direction: Direction) -> bool {
        self.framers[direction as usize].is_some()
    }

    /// Takes bytes and reports the lines that they complete.
    pub fn pass(&mut self, direction: Direction, bytes: &[u8], mut report: impl FnMut(What)) {
        let lane = self.lane;
        if let Some(framer) = &mut self.framers[direction as usize] {
            framer.push(bytes, |line| {
                report(What::Line {
                    lane,
                    direction,
                    line,
                });
            });
        }
    }

    /// Takes the bytes of one write, as [`LaneEvents::pass`] does, and reports first where they are not one whole line.
    pub fn write(&mut self, direction: Direction, bytes: &[u8], mut report: impl FnMut(What)) {
        let framer = self.framers[direction as usize].as_ref();
        if framer.is_some_and(|framer| !framer.is_one_line(bytes)) {
            report(What::Piece {
                lane: self.lane,
                direction,
                bytes: bytes.len(),
            });
        }
        self.pass(direction, bytes, report);
    }

    /// Ends a direction, and reports the bytes after its last newline: a line without its newline, or, where the network lost the rest,
    /// a part of a line.
    pub fn end(&mut self, direction: Direction, close: Close, mut report: impl FnMut(What)) {
        let lane = self.lane;
        let framer = self.framers[direction as usize].as_mut();
        if let Some(line) = framer.and_then(Framer::finish) {
            report(match close {
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
            });
        }
        self.stop(direction, close).into_iter().for_each(report);
    }

    /// Ends a direction whatever is left of its last line; `None` if it has ended before.
    pub fn stop(&mut self, direction: Direction, close: Close) -> Option<What> {
        self.framers[direction as usize].take()?;
        Some(What::Closed {
            lane: self.lane,
            direction,
            close,
        })
    }

    /// Returns the part of a line that has come, if there is one.
    #[must_use]
    pub fn unfinished(&self, direction: Direction) -> Option<What> {
        let text = self.framers[direction as usize].as_ref()?.pending();
        (!text.is_empty()).then(|| What::Unfinished {
            lane: self.lane,
            direction,
            text: text.to_vec(),
        })
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
}

#[cfg(test)]
mod tests {
    use std::io::{Error, ErrorKind};

    use super::*;
    use crate::protocol::LineEnding;

    #[test]
    fn the_rest_of_a_stream_that_the_network_lost_is_no_line() {
        let (lane, direction) = (0, Direction::Received);
        let ended_by = |kind| {
            let close = Close::by(&Error::from(kind));
            let (mut events, mut seen) = (LaneEvents::new(lane), Vec::new());
            events.pass(direction, b"1 0", |what| seen.push(what));
            events.end(direction, close, |what| seen.push(what));
            events.end(direction, close, |_| panic!("it ends once"));
            (close, seen)
        };
        let closed = |close| What::Closed {
            lane,
            direction,
            close,
        };
        let text = b"1 0".to_vec();
        let ending = LineEnding::Missing;
        let line = Line {
            text: text.clone(),
            ending,
        };
        let part = What::Unfinished {
            lane,
            direction,
            text,
        };
        let whole = What::Line {
            lane,
            direction,
            line,
        };
        let lost = (Close::Lost, vec![part, closed(Close::Lost)]);
        assert_eq!(ended_by(ErrorKind::TimedOut), lost);
        let reset = (Close::Reset, vec![whole, closed(Close::Reset)]);
        assert_eq!(ended_by(ErrorKind::ConnectionReset), reset);
    }
}
