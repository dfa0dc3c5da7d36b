//! Observed facts of a game: plain data, from which findings are explained.

use std::sync::Arc;
use std::time::Duration;

use super::activity::Activity;
use super::clock::RefereeClock;
use super::course::Course;
use super::lag::Lags;
use super::lane::LaneState;
use super::settings::Settings;
use crate::event::{Event, What};
use crate::protocol::{Model, Party};
use crate::rules::Seat;
use crate::scenario::{PlannedGame, Scenario, Side};
use crate::transcript::{Close, Direction, Entry, LaneLabel, LaneTranscript, Transcript};

/// Observed facts of a game, up to now.
#[derive(Debug, Clone)]
pub(super) struct Observed {
    pub(super) scenario: Arc<Scenario>,
    pub(super) plan: Arc<PlannedGame>,
    pub(super) settings: Settings,
    /// Events of the game, as far as the lanes show them, and what each lane is owed.
    pub(super) model: Model,
    pub(super) now: Duration,
    pub(super) lanes: Vec<LaneState>,
    /// Position in the scenario.
    pub(super) course: Course,
    /// Times of the turn.
    pub(super) clock: RefereeClock,
    pub(super) heard: Heard,
    pub(super) sent: Sent,
    pub(super) bot: BotFacts,
    /// Status of the subject's process after its end, and whether it is a success.
    pub(super) exited: Option<(String, bool)>,
    /// State of the subject's processes.
    pub(super) processes: Activity,
    pub(super) lags: Lags,
    pub(super) outside: Outside,
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

/// Lines that urtext sent last.
#[derive(Debug, Clone, Default)]
pub(super) struct Sent {
    /// The last line, and its lane.
    pub(super) last: Option<(usize, Vec<u8>)>,
    /// A line sent off turn that has to be ignored: id of the requirement, and what was sent.
    pub(super) off_turn: Option<(&'static str, String)>,
}

/// Facts about a bot under test.
#[derive(Debug, Clone, Default)]
pub(super) struct BotFacts {
    /// Lines that were handed out to be written to the bot and are not reported as written yet.
    pub(super) unwritten: usize,
    /// Length of the model's history that the bot knew when the first of them was handed out.
    pub(super) known: usize,
    /// Last ignored line of the bot since its last move, with the requirement that the line would break as a
    /// move.
    pub(super) in_vain: Option<(&'static str, String)>,
    /// True if our direction of the bot's lane is closed.
    pub(super) has_hung_up: bool,
    /// True if the bot's process ended when it should: after the game, or after we closed its lane.
    pub(super) has_ended_in_time: bool,
}

/// Events from outside the game.
#[derive(Debug, Clone, Default)]
pub(super) struct Outside {
    /// Violations by a server that ended lanes.
    pub(super) notices: Vec<String>,
    pub(super) was_interrupted: bool,
    /// True if the subject speaks in other games of the run.
    pub(super) speaks_elsewhere: bool,
}

impl Observed {
    /// Adds what an event shows, whoever is judged; `leaving`: the lane that urtext is leaving.
    pub(super) fn note(&mut self, event: &Event, leaving: Option<usize>) {
        self.now = event.at;
        self.processes.pass();
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
                lane_state.entries.push(Entry {
                    direction: *direction,
                    line: line.clone(),
                });
                if is_heard {
                    self.heard.anything = true;
                    self.heard.lines += 1;
                    self.heard.bytes += line.text.len() + 1;
                    lane_state.last_heard = event.at;
                } else {
                    self.sent.last = Some((*lane, line.text.clone()));
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
            } => self.lanes[*lane].reader_closed |= leaving != Some(*lane),
            What::Exited { status, is_success } => {
                self.exited = Some((status.clone(), *is_success))
            }
            What::Interrupted => self.outside.was_interrupted = true,
            What::Unfinished {
                lane,
                direction,
                text,
            } => {
                self.lanes[*lane].unfinished = text.clone();
                self.heard.anything |= *direction == self.subject_direction();
            }
            What::Processes(processes) => self.processes.take(event.at, processes),
            What::Notice { text } => self.outside.notices.push(text.clone()),
            What::SpeaksElsewhere => self.outside.speaks_elsewhere = true,
            What::Closed { .. }
            | What::Alarm
            | What::Lag { .. }
            | What::Hurried
            | What::OutOfTime { .. } => {}
        }
    }

    /// The direction in which the subject writes.
    pub(super) fn subject_direction(&self) -> Direction {
        match self.plan.side {
            Side::Referee => Direction::Received,
            Side::Bot => Direction::Sent,
        }
    }

    /// The lane of a player, once the handshake is complete.
    pub(super) fn player_lane(&self, seat: Seat) -> usize {
        let lane = self.model.lane_of(seat);
        lane.expect("the handshake is complete")
    }

    /// The most by which an event since `from` can have been seen too late, as the machine was loaded.
    pub(super) fn lag_since(&self, from: Duration) -> Duration {
        self.settings.lag.max(self.lags.most_since(from))
    }

    /// Returns the further wait for an overdue line.
    pub(super) fn patience(&self) -> Duration {
        self.settings.budgets.answer.min(Duration::from_secs(2))
    }

    pub(super) fn label(&self, lane: usize) -> LaneLabel {
        let is_alike = |other: &&LaneState| other.kind == self.lanes[lane].kind;
        let before = self.lanes[..lane].iter().filter(is_alike).count() as u32;
        match self.model.party(lane) {
            Some(Party::Player(seat)) => LaneLabel::Player(seat),
            Some(Party::Spectator) => LaneLabel::Spectator(before + 1),
            None => LaneLabel::Unseated(before + 1),
        }
    }

    /// A transcript of all lanes with these lines, players by seat and then spectators.
    pub(super) fn transcript_of(&self, mut entries: impl FnMut(usize) -> Vec<Entry>) -> Transcript {
        let lane = |index: usize| LaneTranscript {
            label: self.label(index),
            entries: entries(index),
        };
        let mut lanes: Vec<_> = (0..self.lanes.len()).map(lane).collect();
        lanes.sort_by_key(|lane| lane.label);
        Transcript {
            dialect: self.plan.dialect.name().to_owned(),
            lanes,
        }
    }
}
