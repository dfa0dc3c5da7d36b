//! Observed facts of a game: plain data, from which findings are explained.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::time::Duration;

use super::activity::Activity;
use super::game_facts::GameFacts;
use super::lag::Lags;
use super::lane::LaneState;
use super::settings::Settings;
use crate::event::{Event, What};
use crate::scenario::{Scenario, Side};
use crate::transcript::{Close, Direction, Entry};

/// Observed facts of a scenario that is played, up to now, with those of its kind.
#[derive(Debug, Clone)]
pub(super) struct Observed<K = GameFacts> {
    pub(super) scenario: Arc<Scenario>,
    pub(super) kind: K,
    pub(super) settings: Settings,
    pub(super) now: Duration,
    pub(super) lanes: Vec<LaneState>,
    pub(super) heard: Heard,
    /// The last line that urtext sent, and its lane.
    pub(super) last_sent: Option<(usize, Vec<u8>)>,
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

/// Events from outside the game.
#[derive(Debug, Clone, Default)]
pub(super) struct Outside {
    /// Violations by a server that ended lanes.
    pub(super) notices: Vec<String>,
    pub(super) was_interrupted: bool,
    /// True if the supervisor of the subject was killed or stopped.
    pub(super) is_unsupervised: bool,
    /// True if the subject speaks in other games of the run.
    pub(super) speaks_elsewhere: bool,
}

impl<K> Deref for Observed<K> {
    type Target = K;

    fn deref(&self) -> &K {
        &self.kind
    }
}

impl<K> DerefMut for Observed<K> {
    fn deref_mut(&mut self) -> &mut K {
        &mut self.kind
    }
}

impl<K> Observed<K> {
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
            What::Unsupervised => self.outside.is_unsupervised = true,
            What::SpeaksElsewhere => self.outside.speaks_elsewhere = true,
            What::Closed { .. }
            | What::Piece { .. }
            | What::Alarm
            | What::Lag(_)
            | What::Hurried
            | What::OutOfTime { .. } => {}
        }
    }

    /// The direction in which the subject writes.
    pub(super) fn subject_direction(&self) -> Direction {
        match self.scenario.side() {
            Side::Referee => Direction::Received,
            Side::Bot => Direction::Sent,
        }
    }

    /// The most by which an event since `from` can have been seen too late, as the machine was loaded.
    pub(super) fn lag_since(&self, from: Duration) -> Duration {
        let lag = self.lags.own_since(from) + self.lags.delayed_since(from);
        self.settings.lag.max(lag)
    }

    /// Returns the further wait for an overdue line.
    pub(super) fn patience(&self) -> Duration {
        self.settings.budgets.answer.min(Duration::from_secs(2))
    }
}
