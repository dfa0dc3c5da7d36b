//! Events of a running game, as the judge receives them and a recording holds them.

use std::time::Duration;

use super::{Close, Direction};
use crate::protocol::Line;

/// An event in a running game. Times are since the game's start and never run backwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Time of the event.
    pub at: Duration,
    /// Kind of the event.
    pub what: What,
}

/// Delays that the machine caused since the report before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lag {
    /// Longest delay of urtext's own wake-ups.
    pub own: Duration,
    /// Time that the subject's processes were runnable but did not run; zero where the platform does not show this.
    pub subject: Duration,
    /// Time by which a process that urtext starts again and again was late: it waits for fork, exec and memory as well.
    pub start: Duration,
}

/// Kind of an event. Lanes are numbered: the players in the order of connection, then the spectators.
#[derive(Debug, Clone, PartialEq, Eq)]
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
        direction: Direction,
        /// The line.
        line: Line,
    },
    /// A part of a line had come when an alarm was due, and its newline had not. Told right before [`What::Alarm`]; the line itself
    /// follows when it is whole. Told as well before the [`What::Closed`] of a lost lane, where no more can follow.
    Unfinished {
        /// The lane.
        lane: usize,
        /// Direction of the line.
        direction: Direction,
        /// Bytes received so far.
        text: Vec<u8>,
    },
    /// A direction of a lane ended.
    Closed {
        /// The lane.
        lane: usize,
        /// Direction that was closed.
        direction: Direction,
        /// Kind of close.
        close: Close,
    },
    /// The subject's process ended.
    Exited {
        /// Exit in words: `exit status 1`, `killed by signal 9`.
        status: String,
        /// True for an exit with status 0.
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
        /// Budget of the game.
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
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Processes {
    /// True if the process that urtext started still runs.
    pub lives: bool,
    /// True if a signal or a debugger stopped the process.
    pub is_stopped: bool,
    /// Processor time used so far by all processes together; whole milliseconds.
    pub computed: Duration,
    /// Names of the processes that it has started and that still live.
    pub started: Vec<String>,
    /// Present where all of them are asleep and have read all that was sent: the lanes that they wait to read, as far as the calls
    /// show in which they sleep. Looked for only while something is due.
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
