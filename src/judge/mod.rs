//! `(scenario, event) -> (what to do next, findings)`: a pure machine without sockets and without a clock.
//!
//! The engine feeds it from live lanes; a recording feeds it the same events, and the verdicts are the same, since
//! nothing but events moves it: what it asks to be sent counts only once the event says that it was.

mod attribution;
mod bot;
mod breakdown;
#[cfg(test)]
mod case_tests;
mod clock;
mod conclusion;
mod deviation;
mod dialogue;
mod failing;
mod finding_context;
#[cfg(test)]
mod lines_tests;
mod progress;
mod referee;
mod settings;
mod state;
#[cfg(test)]
pub(crate) mod table_tests;
mod timeout;
mod wait;
mod watch;

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::time::Duration;

use crate::event::{Event, Slowest, What};
use crate::finding::{Finding, Verdict};
use crate::scenario::{Plan, Scenario, Side};
use crate::transcript::{Close, LaneLabel, Transcript};

pub use breakdown::mute;
pub(crate) use deviation::deviation_title;
pub(crate) use finding_context::{End, lane_texts};
pub use settings::{Budgets, Settings};
pub use watch::Command;

use progress::Talk;
use state::State;
use wait::Wait;
use watch::Watch;

/// Judges one game or dialogue.
#[derive(Debug, Clone)]
pub struct Judge(Machine);

/// The machine of the kind of scenario.
#[derive(Debug, Clone)]
enum Machine {
    Game(Box<State>),
    Dialogue(Box<Talk>),
}

impl Deref for Machine {
    type Target = Watch;

    fn deref(&self) -> &Watch {
        match self {
            Machine::Game(state) => &state.watch,
            Machine::Dialogue(talk) => &talk.watch,
        }
    }
}

impl DerefMut for Machine {
    fn deref_mut(&mut self) -> &mut Watch {
        match self {
            Machine::Game(state) => &mut state.watch,
            Machine::Dialogue(talk) => &mut talk.watch,
        }
    }
}

impl Judge {
    /// A judge for one playing of a scenario, with its golden transcript where it has one.
    #[must_use]
    pub fn new(
        scenario: Arc<Scenario>,
        settings: Settings,
        golden: Option<Arc<Transcript>>,
    ) -> Judge {
        let plan = scenario.plan.clone();
        let watch = Watch::new(scenario, settings, golden);
        Judge(match plan {
            Plan::Game(plan) => Machine::Game(Box::new(State::new(plan, watch))),
            Plan::Dialogue(dialogue) => Machine::Dialogue(Box::new(Talk::new(dialogue, watch))),
        })
    }

    /// Takes an event and says what to do. After [`Command::Finish`] nothing more is asked for.
    pub fn take(&mut self, event: &Event) -> Vec<Command> {
        match event.what {
            What::Piece {
                direction, bytes, ..
            } => {
                if direction != self.0.subject_direction() {
                    self.0.wrote(event.at, bytes);
                }
                return Vec::new();
            }
            // It only bounds what later events can mean: time itself passes with the events that it delayed.
            What::Lag(lag) => {
                self.0.lags.report(event.at, lag);
                return Vec::new();
            }
            _ => self.0.note(event),
        }
        let is_game = matches!(self.0, Machine::Game(_));
        match event.what {
            What::Closed {
                lane,
                close: Close::Lost,
                ..
            } => {
                let lost = breakdown::lost(self.lane_name(lane));
                self.0.end_only_with(lost);
            }
            What::OutOfTime { budget } => {
                let finding = breakdown::out_of_time(budget);
                self.0.end_only_with(finding);
            }
            What::Interrupted => self.0.finish(),
            What::Hurried if is_game => self.0.hurry(),
            _ => {}
        }
        let (is_finished, flood) = (self.0.is_finished, self.0.flood());
        match &mut self.0 {
            _ if is_finished => {}
            Machine::Game(state) => {
                let played = match (flood, state.plan.side) {
                    (Some(flood), _) => Err(flood.into()),
                    (None, Side::Referee) => referee::take(state, event),
                    (None, Side::Bot) => bot::take(state, event),
                };
                if let Err(finding) = played {
                    state.fail(*finding);
                }
            }
            Machine::Dialogue(talk) => match flood {
                Some(flood) => talk.fail(flood),
                None => talk.play_on(event),
            },
        }
        std::mem::take(&mut self.0.commands)
    }

    /// Label of a lane in transcripts.
    fn label(&self, lane: usize) -> LaneLabel {
        match &self.0 {
            Machine::Game(state) => state.label(lane),
            Machine::Dialogue(talk) => LaneLabel::Unseated(talk.number(lane)),
        }
    }

    /// Name of a lane, such as `PlayerA (first)`.
    #[must_use]
    pub fn lane_name(&self, lane: usize) -> String {
        match &self.0 {
            Machine::Game(state) => state.lane_name(lane),
            Machine::Dialogue(talk) => talk.participant(lane),
        }
    }

    /// Returns true if the game only waits for time to pass, by its own scenario and settings: no participant
    /// has anything to do meanwhile.
    #[must_use]
    pub fn is_biding(&self) -> bool {
        use Wait::{Forfeit, Pause, Quiet, Timeout};
        let awaits_pace = match &self.0 {
            Machine::Game(state) => state.awaits_pace(),
            Machine::Dialogue(_) => false,
        };
        awaits_pace || matches!(self.waits_for(), Some(Timeout | Pause | Quiet | Forfeit))
    }

    fn waits_for(&self) -> Option<Wait> {
        self.0.waiting.map(|(wait, _)| wait)
    }

    /// Returns the time from which a silence is longer than this `patience`, for the first line and for later ones; `None` if nothing is
    /// due. It decides nothing.
    #[must_use]
    pub fn silent_from(&self, patience: Slowest) -> Option<Duration> {
        let own = match &self.0 {
            Machine::Game(state) => state.clock.timeout.patience,
            Machine::Dialogue(_) => Duration::ZERO,
        };
        self.0.silent_from(patience, own)
    }

    /// What the subject owes now, in words, and how long that is waited for; `None` if it owes nothing.
    #[must_use]
    pub fn owed(&self) -> Option<(&'static str, Duration)> {
        let owed = match self.waits_for()? {
            Wait::Handshake => "its first lines",
            Wait::Answer => "its next line",
            Wait::Close => "the end of its streams",
            _ => return None,
        };
        let (from, until) = self.0.due?;
        Some((owed, until.saturating_sub(from)))
    }

    /// The deviation that it would find if nothing more happened; `None` where there would be none.
    #[must_use]
    pub fn if_silent(&self) -> Option<Finding> {
        let mut judge = self.clone();
        let known = judge.0.findings.len();
        // As many waits follow each other at most: for the line, for how late it is, for what comes of its absence.
        for _ in 0..8 {
            if judge.is_finished() {
                break;
            }
            let (_, until) = judge.0.waiting?;
            judge.take(&Event {
                at: until.max(judge.0.now),
                what: What::Alarm,
            });
        }
        let mut found = judge.0.findings.iter().skip(known);
        let found = found.find(|finding| finding.by_silence && finding.verdict >= Verdict::Fail);
        found.cloned()
    }

    /// Returns true if the judge has no further commands.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.0.is_finished
    }
}
