//! What a game and a dialogue have in common: the lanes and what came on them, the waits, and what was found so far.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use super::clock::Lags;
use super::settings::Settings;
use super::wait::{Pending, Wait};
use crate::diagnostic::visible::plain;
use crate::event::{Event, OpenChoice, Processes, What};
use crate::finding::Finding;
use crate::protocol::{Deviation, Framer, LaneKind, Line, LineEnding};
use crate::scenario::{Leaving, Scenario, SendPart, Side};
use crate::transcript::{Close, Direction, Entry, Transcript};

/// Share of the time that a process has to compute to count as busy: one that only polls takes less.
const BUSY: u32 = 20;

/// A command to the engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Write these bytes to a lane.
    Send {
        /// The lane.
        lane: usize,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// Open a lane that was not opened at the start.
    Open {
        /// The lane.
        lane: usize,
    },
    /// Leave a lane in this way.
    Leave {
        /// The lane.
        lane: usize,
        /// Kind of disconnect.
        how: Leaving,
    },
    /// Read no more than so many bytes a second from a lane, or (`None`) all again.
    Read {
        /// The lane.
        lane: usize,
        /// Bytes a second.
        pace: Option<u64>,
    },
    /// Wake the judge at this time, instead of at any that was asked for before.
    WakeAt(Duration),
    /// The game is over: hang up on all lanes and end the subject.
    Finish,
}

/// What a part of the game leads to, or the finding that ends it.
pub(super) type Played<T = ()> = Result<T, Box<Finding>>;

/// A scenario that is played, without what is special to a game or to a dialogue.
#[derive(Debug, Clone)]
pub(super) struct Watch {
    pub(super) scenario: Arc<Scenario>,
    pub(super) settings: Settings,
    pub(super) golden: Option<Arc<Transcript>>,
    /// Time of the last event.
    pub(super) now: Duration,
    pub(super) lanes: Vec<LaneState>,
    pub(super) heard: Heard,
    /// The last line that urtext sent, and its lane.
    pub(super) last_sent: Option<(usize, Vec<u8>)>,
    /// Status of the subject's process after its end, and whether it is a success.
    pub(super) exited: Option<(String, bool)>,
    /// Last sample of the subject's processes, and its time.
    pub(super) processes: (Duration, Processes),
    /// True if the subject computed between the last two samples.
    pub(super) is_computing: bool,
    pub(super) lags: Lags,
    /// Violations by a server that ended lanes.
    pub(super) notices: Vec<String>,
    pub(super) was_interrupted: bool,
    /// True if the supervisor of the subject was killed or stopped.
    pub(super) is_unsupervised: bool,
    /// True if the subject speaks in other games of the run.
    pub(super) speaks_elsewhere: bool,
    /// Pieces that are still to be sent, with their lanes.
    pub(super) outbox: VecDeque<(usize, SendPart)>,
    /// Number of bytes that were handed out to be sent in the last turn that urtext has played.
    pub(super) handed: usize,
    /// Number of those that were written in pieces, and the time of the last piece; `None` where each line was written whole.
    pub(super) written: Option<(usize, Duration)>,
    /// The way in which a lane is being left.
    pub(super) leaving: Option<(usize, Leaving)>,
    /// The current wait, and its end.
    pub(super) waiting: Option<(Wait, Duration)>,
    pub(super) pending: Option<Pending>,
    /// Start and end of the last wait for something due; a second wait for an overdue line does not count.
    pub(super) due: Option<(Duration, Duration)>,
    pub(super) findings: Vec<Finding>,
    pub(super) open: Vec<OpenChoice>,
    /// Requests that wait to be handed out.
    pub(super) commands: Vec<Command>,
    pub(super) is_finished: bool,
    /// True if urtext has closed its direction of every lane.
    pub(super) has_hung_up: bool,
}

/// Amount of what the subject has sent.
#[derive(Debug, Clone, Default)]
pub(super) struct Heard {
    /// True after the subject's first byte.
    pub(super) anything: bool,
    pub(super) lines: usize,
    /// Bytes of these lines, line endings included.
    pub(super) bytes: usize,
}

/// State of a lane, apart from the model's.
#[derive(Debug, Clone, Default)]
pub(super) struct LaneState {
    pub(super) kind: LaneKind,
    pub(super) is_open: bool,
    pub(super) entries: Vec<Entry>,
    /// Kind of close of the subject's direction.
    pub(super) ended: Option<Close>,
    /// True if the subject stopped reading before we closed the lane.
    pub(super) reader_closed: bool,
    /// Incomplete line at the last alarm.
    pub(super) unfinished: Vec<u8>,
    /// True if urtext has disconnected.
    pub(super) has_left: bool,
    /// Framing of urtext's own bytes, for the partial line at their end.
    pub(super) sent: Framer,
    /// Time of the subject's last line.
    pub(super) last_heard: Duration,
    /// Lines whose carriage return belongs to the line end, by index.
    pub(super) carriage_returns: Vec<usize>,
    /// Lines that the specification leaves open, by index: no golden transcript has them.
    pub(super) open_lines: Vec<usize>,
    /// Lines in which the bot was free, by index.
    pub(super) free_lines: Vec<usize>,
    /// The first line that was not predicted.
    pub(super) unpredicted: Option<Box<Deviation>>,
}

impl LaneState {
    /// The lines of one direction.
    pub(super) fn lines(&self, direction: Direction) -> impl DoubleEndedIterator<Item = &Line> {
        let entries = self.entries.iter();
        let lines = entries.filter(move |entry| entry.direction == direction);
        lines.map(|entry| &entry.line)
    }

    /// The text of a line, less the carriage return where that belongs to the line end.
    pub(super) fn text(&self, entry: usize) -> &[u8] {
        let text = self.entries[entry].line.text.as_slice();
        match text.strip_suffix(b"\r") {
            Some(stripped) if self.carriage_returns.contains(&entry) => stripped,
            _ => text,
        }
    }
}

impl Watch {
    /// The state before anything has happened.
    pub(super) fn new(
        scenario: Arc<Scenario>,
        settings: Settings,
        golden: Option<Arc<Transcript>>,
    ) -> Watch {
        let (players, spectators) = scenario.lanes();
        let lane = |kind| LaneState {
            kind,
            ..LaneState::default()
        };
        let mut lanes = vec![lane(LaneKind::Player); players];
        lanes.resize(players + spectators, lane(LaneKind::Spectator));
        Watch {
            scenario,
            settings,
            golden,
            now: Duration::ZERO,
            lanes,
            heard: Heard::default(),
            last_sent: None,
            handed: 0,
            written: None,
            exited: None,
            processes: Default::default(),
            is_computing: false,
            lags: Lags::default(),
            notices: Vec::new(),
            was_interrupted: false,
            is_unsupervised: false,
            speaks_elsewhere: false,
            outbox: VecDeque::new(),
            leaving: None,
            waiting: None,
            pending: None,
            due: None,
            findings: Vec::new(),
            open: Vec::new(),
            commands: Vec::new(),
            is_finished: false,
            has_hung_up: false,
        }
    }

    /// Adds what an event shows, whoever is judged.
    pub(super) fn note(&mut self, event: &Event) {
        self.now = event.at;
        match &event.what {
            What::Opened { lane } => self.lanes[*lane].is_open = true,
            What::Line {
                lane,
                direction,
                line,
            } => {
                let is_heard = *direction == self.subject_direction();
                let lane_state = &mut self.lanes[*lane];
                lane_state.unfinished.clear();
                lane_state
                    .entries
                    .push(Entry::new(*direction, line.clone()));
                if is_heard {
                    self.heard.anything = true;
                    self.heard.lines += 1;
                    self.heard.bytes += line.text.len() + 1;
                    lane_state.last_heard = event.at;
                } else {
                    self.last_sent = Some((*lane, line.text.clone()));
                }
            }
            What::Closed {
                close: Close::Lost, ..
            } => {}
            What::Closed {
                lane,
                direction,
                close,
            } if *direction == self.subject_direction() => {
                self.lanes[*lane].ended = Some(*close);
            }
            What::Closed {
                lane,
                close: Close::Reset,
                ..
            } => {
                self.lanes[*lane].reader_closed |=
                    self.leaving.is_none_or(|(left, _)| left != *lane);
            }
            What::Exited { status, is_success } => {
                self.exited = Some((status.clone(), *is_success))
            }
            What::Interrupted => self.was_interrupted = true,
            What::Unfinished {
                lane,
                direction,
                text,
            } => {
                self.lanes[*lane].unfinished = text.clone();
                self.heard.anything |= *direction == self.subject_direction();
            }
            What::Processes(now) => {
                let (at, before) = &self.processes;
                let used = now.computed.saturating_sub(before.computed);
                let passed = event.at.saturating_sub(*at);
                self.is_computing = before.lives
                    && now.lives
                    && !now.is_stopped
                    && !used.is_zero()
                    && used >= passed / BUSY;
                self.processes = (event.at, now.clone());
            }
            What::Notice { text } => self.notices.push(text.clone()),
            What::Unsupervised => self.is_unsupervised = true,
            What::SpeaksElsewhere => self.speaks_elsewhere = true,
            What::Closed { .. }
            | What::Piece { .. }
            | What::Alarm
            | What::Lag(_)
            | What::Hurried
            | What::OutOfTime { .. } => {}
        }
    }

    /// Takes a piece that was written.
    pub(super) fn wrote(&mut self, at: Duration, bytes: usize) {
        let before = self.written.map_or(0, |(bytes, _)| bytes);
        self.written = Some((before + bytes, at));
    }

    /// Returns true while a long line, such as one of a megabyte, is still being sent: the subject cannot answer it yet.
    pub(super) fn is_being_written(&self) -> bool {
        self.written.is_some_and(|(bytes, at)| {
            bytes < self.handed && self.now < at + self.settings.budgets.close
        })
    }

    /// The direction in which the subject writes.
    pub(super) fn subject_direction(&self) -> Direction {
        match self.scenario.side() {
            Side::Referee => Direction::Received,
            Side::Bot => Direction::Sent,
        }
    }

    /// Number of a lane among those of its kind, from 1.
    pub(super) fn number(&self, lane: usize) -> u32 {
        let is_alike = |other: &&LaneState| other.kind == self.lanes[lane].kind;
        self.lanes[..lane].iter().filter(is_alike).count() as u32 + 1
    }

    /// The most by which an event since `from` can have been seen too late, as the machine was loaded.
    pub(super) fn lag_since(&self, from: Duration) -> Duration {
        self.settings.lag.max(self.lags.lost_since(from))
    }

    pub(super) fn finish(&mut self) {
        if !self.is_finished {
            self.is_finished = true;
            self.commands.push(Command::Finish);
        }
    }

    /// Closes urtext's direction of every player's lane, once.
    pub(super) fn hang_up(&mut self) {
        if !std::mem::replace(&mut self.has_hung_up, true) {
            let lanes = self.lanes.iter().enumerate();
            let open = lanes.filter(|(_, lane)| lane.kind == LaneKind::Player && !lane.has_left);
            let how = Leaving::HalfClose;
            let leave = open.map(|(lane, _)| Command::Leave { lane, how });
            self.commands.extend(leave);
        }
    }

    /// Ends the game for a reason beside which nothing else counts.
    pub(super) fn end_only_with(&mut self, finding: Finding) {
        if !self.is_finished {
            self.pending = None;
            self.findings = vec![finding];
            self.finish();
        }
    }

    /// Records a choice that the specification leaves open.
    pub(super) fn choice(&mut self, requirement: &'static str, seen: String) {
        self.observe(requirement, seen, None);
    }

    /// Records a choice, or a time that is within what is allowed.
    pub(super) fn observe(
        &mut self,
        requirement: &'static str,
        seen: String,
        time: Option<Duration>,
    ) {
        let choice = OpenChoice {
            requirement: requirement.to_owned(),
            seen,
            millis: time.map(|time| time.as_millis() as u64),
        };
        if !self.open.contains(&choice) {
            self.open.push(choice);
        }
    }

    /// The last lines of a lane, escaped, `>` before what was sent.
    pub(super) fn tail(&self, lane: usize) -> Vec<String> {
        const LINES: usize = 6;
        let entries = &self.lanes[lane].entries;
        let shown = entries.iter().skip(entries.len().saturating_sub(LINES));
        let write = |entry: &Entry| {
            let mark = match entry.direction {
                Direction::Sent => ">",
                Direction::Received => "",
            };
            let ending = match entry.line.ending {
                LineEnding::Newline => "",
                LineEnding::Missing => " (no newline)",
                LineEnding::TooLong => " … (over-long line)",
            };
            format!("{mark}{}{ending}", plain(&entry.line.text).at_most(60))
        };
        shown.map(write).collect()
    }
}
