//! `(scenario, event) -> (what to do next, findings)`: a pure machine without sockets and without a clock.
//!
//! The engine feeds it from live lanes; a recording feeds it the same events, and the verdicts are the same, since
//! nothing but events moves it: what it asks to be sent counts only once the event says that it was.

mod action;
mod activity;
mod adaptive;
mod after_close;
mod attribution;
mod bot;
mod breakdown;
mod choice;
mod clock;
mod closing;
mod conclusion;
mod course;
mod deviation;
mod diagnosis;
mod dialogue;
mod dialogue_finding;
mod excuse;
mod golden;
mod judgement;
mod lag;
mod lane;
mod late_spectator;
#[cfg(test)]
mod lines_tests;
mod narrated;
mod observed;
mod pending;
mod progress;
mod own_delay;
mod referee;
mod finding_context;
mod sending;
mod settings;
mod slack;
mod speechless;
mod state;
mod step;
mod timeout;
mod untimely;
mod wait;
mod waiting;
#[cfg(test)]
mod clock_tests;
#[cfg(test)]
mod timing_tests;

use std::sync::Arc;
use std::time::Duration;

use crate::event::{Event, Slowest, What};
use crate::finding::{Finding, Verdict};
use crate::scenario::{Scenario, Side};
use crate::transcript::Transcript;

pub use action::Command;
pub use breakdown::mute;
pub use judgement::Judgement;
pub use settings::{Budgets, Settings};

use state::State;

/// Judges one game.
#[derive(Debug, Clone)]
pub struct Judge {
    state: State,
}

impl Judge {
    /// A judge for one playing of a scenario, with its golden transcript where it has one.
    #[must_use]
    pub fn new(
        scenario: Arc<Scenario>,
        settings: Settings,
        golden: Option<Arc<Transcript>>,
    ) -> Judge {
        Judge {
            state: State::new(scenario, settings, golden),
        }
    }

    /// Takes an event and says what to do. After [`Command::Finish`] nothing more is asked for.
    pub fn take(&mut self, event: &Event) -> Vec<Command> {
        // It only bounds what later events can mean: time itself passes with the events that it delayed.
        if let What::Lag { own, subject } = event.what {
            self.state.seen.lags.report(event.at, own, subject);
            return Vec::new();
        }
        let state = &mut self.state;
        state.note(event);
        match state.seen.plan.side {
            _ if state.results.is_finished => {}
            _ if state.dialogue.is_some() => dialogue::take(state, event),
            Side::Referee => referee::take(state, event),
            Side::Bot => bot::take(state, event),
        }
        state.refuse_flood();
        std::mem::take(&mut state.results.commands)
    }

    /// Returns true if the game only waits for time to pass, by its own scenario and settings: no participant
    /// has anything to do meanwhile.
    #[must_use]
    pub fn is_biding(&self) -> bool {
        self.state.is_biding()
    }

    /// Returns true if the game waits for the timeout of a silent player.
    #[must_use]
    pub fn awaits_timeout(&self) -> bool {
        matches!(self.state.waits.current, Some((wait::Wait::Timeout, _)))
    }

    /// Returns the time from which silence is suspicious, for a subject whose slowest answers, to the first
    /// line and later, are these; `None` if no line is due. A suspicion decides nothing.
    #[must_use]
    pub fn suspects_at(&self, patience: Slowest) -> Option<Duration> {
        self.state.suspects_at(patience)
    }

    /// Returns true if an awaited line or close is due within a budget.
    #[must_use]
    pub fn awaits_what_is_due(&self) -> bool {
        self.state.awaits_what_is_due()
    }

    /// The deviation that it would find if nothing more happened; `None` where there would be none.
    #[must_use]
    pub fn if_silent(&self) -> Option<Finding> {
        let mut judge = self.clone();
        let known = judge.state.results.findings.len();
        // As many waits follow each other at most: for the line, for how late it is, for what comes of its absence.
        for _ in 0..8 {
            if judge.is_finished() {
                break;
            }
            let (_, until) = judge.state.waits.current?;
            judge.take(&Event {
                at: until.max(judge.state.seen.now),
                what: What::Alarm,
            });
        }
        let mut found = judge.state.results.findings.into_iter().skip(known);
        found.find(|finding| finding.by_silence && finding.verdict >= Verdict::Fail)
    }

    /// Returns true if the judge has no further commands.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.state.results.is_finished
    }

    /// Returns true if a failure rests on a line that did not arrive in time.
    #[must_use]
    pub fn failed_by_silence(&self) -> bool {
        self.state
            .results
            .findings
            .iter()
            .any(|finding| finding.verdict == Verdict::Fail && finding.by_silence)
    }

    /// The judgement, once the game is over or was broken off.
    #[must_use]
    pub fn conclude(mut self) -> Judgement {
        let prediction = golden::predicted(&self.state);
        if let Some(predicted) = &prediction {
            golden::compare(&mut self.state, predicted);
        }
        self.state.into_judgement(prediction)
    }
}
