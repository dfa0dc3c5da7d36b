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
#[cfg(test)]
mod case_tests;
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
mod kind;
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
mod game_facts;
mod game_kind;
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
pub(crate) mod table_tests;

use std::sync::Arc;
use std::time::Duration;

use crate::event::{Event, Slowest, What};
use crate::finding::{Finding, Verdict};
use crate::protocol::Facts;
use crate::scenario::{Plan, Scenario, Side};
use crate::transcript::Transcript;

pub use action::Command;
pub use breakdown::mute;
pub(crate) use deviation::deviation_kind;
pub use judgement::Judgement;
pub use settings::{Budgets, Settings};

use game_facts::GameFacts;
use kind::Kind;
use progress::{Progress, Talk};
use state::{Results, State};
use wait::{Wait, Waits};

/// Judges one game or dialogue.
#[derive(Debug, Clone)]
pub struct Judge(Machine);

/// The machine of the kind of scenario.
#[derive(Debug, Clone)]
enum Machine {
    Game(Box<State>),
    Dialogue(Box<Talk>),
}

impl Judge {
    /// A judge for one playing of a scenario, with its golden transcript where it has one.
    #[must_use]
    pub fn new(
        scenario: Arc<Scenario>,
        settings: Settings,
        golden: Option<Arc<Transcript>>,
    ) -> Judge {
        Judge(match scenario.plan.clone() {
            Plan::Game(plan) => Machine::Game(Box::new(State::new(
                scenario,
                settings,
                golden,
                |lanes, settings| GameFacts::new(plan, lanes, settings),
            ))),
            Plan::Dialogue(dialogue) => {
                let progress = |_: &_, _: &_| Progress::new(dialogue);
                Machine::Dialogue(Box::new(State::new(scenario, settings, golden, progress)))
            }
        })
    }

    /// Takes an event and says what to do. After [`Command::Finish`] nothing more is asked for.
    pub fn take(&mut self, event: &Event) -> Vec<Command> {
        if let What::Piece { .. } = event.what {
            return Vec::new();
        }
        match &mut self.0 {
            Machine::Game(state) => state.take(event, |state| {
                if let What::Hurried = event.what {
                    state.hurry();
                }
                match state.seen.plan.side {
                    _ if state.results.is_finished => {}
                    Side::Referee => referee::take(state, event),
                    Side::Bot => bot::take(state, event),
                }
            }),
            Machine::Dialogue(talk) => talk.take(event, |talk| {
                if !talk.results.is_finished {
                    talk.play_on(event);
                }
            }),
        }
    }

    fn now(&self) -> Duration {
        match &self.0 {
            Machine::Game(state) => state.seen.now,
            Machine::Dialogue(talk) => talk.seen.now,
        }
    }

    fn waits(&self) -> &Waits {
        match &self.0 {
            Machine::Game(state) => &state.waits,
            Machine::Dialogue(talk) => &talk.waits,
        }
    }

    fn results(&self) -> &Results {
        match &self.0 {
            Machine::Game(state) => &state.results,
            Machine::Dialogue(talk) => &talk.results,
        }
    }

    /// Name of a lane, such as `PlayerA (first)`.
    #[must_use]
    pub fn lane_name(&self, lane: usize) -> String {
        match &self.0 {
            Machine::Game(state) => finding_context::lane_name(&state.seen, lane),
            Machine::Dialogue(talk) => Kind::lane_name(&talk.seen, lane),
        }
    }

    /// Returns true if the game only waits for time to pass, by its own scenario and settings: no participant
    /// has anything to do meanwhile.
    #[must_use]
    pub fn is_biding(&self) -> bool {
        let awaits_pace = match &self.0 {
            Machine::Game(state) => state.awaits_pace(),
            Machine::Dialogue(_) => false,
        };
        awaits_pace || self.waits().is_biding()
    }

    /// Returns true if the game waits for the timeout of a silent player.
    #[must_use]
    pub fn awaits_timeout(&self) -> bool {
        matches!(self.waits().current, Some((Wait::Timeout, _)))
    }

    /// Returns the time from which a silence is longer than this `patience`, for the first line and for later ones; `None` if nothing is
    /// due. It decides nothing.
    #[must_use]
    pub fn silent_from(&self, patience: Slowest) -> Option<Duration> {
        match &self.0 {
            Machine::Game(state) => state.silent_from(patience, state.seen.clock.timeout.patience),
            Machine::Dialogue(talk) => talk.silent_from(patience, Duration::ZERO),
        }
    }

    /// Returns the time since which what is due is awaited.
    #[must_use]
    pub fn due_since(&self) -> Duration {
        self.waits().due.map_or(self.now(), |(from, _)| from)
    }

    /// Returns true if a line is due, and not overdue.
    #[must_use]
    pub fn awaits_a_line(&self) -> bool {
        let wait = self.waits().current.map(|(wait, _)| wait);
        matches!(wait, Some(Wait::Handshake | Wait::Answer))
    }

    /// Returns true if an awaited line or close is due within a budget.
    #[must_use]
    pub fn awaits_what_is_due(&self) -> bool {
        self.waits().awaits_what_is_due()
    }

    /// The deviation that it would find if nothing more happened; `None` where there would be none.
    #[must_use]
    pub fn if_silent(&self) -> Option<Finding> {
        let mut judge = self.clone();
        let known = judge.results().findings.len();
        // As many waits follow each other at most: for the line, for how late it is, for what comes of its absence.
        for _ in 0..8 {
            if judge.is_finished() {
                break;
            }
            let (_, until) = judge.waits().current?;
            judge.take(&Event {
                at: until.max(judge.now()),
                what: What::Alarm,
            });
        }
        let mut found = judge.results().findings.iter().skip(known);
        let found = found.find(|finding| finding.by_silence && finding.verdict >= Verdict::Fail);
        found.cloned()
    }

    /// Returns true if the judge has no further commands.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.results().is_finished
    }

    /// The judgement, once the game is over or was broken off.
    #[must_use]
    pub fn conclude(self) -> Judgement {
        match self.0 {
            Machine::Game(state) => state.conclude(State::end, State::is_idle),
            Machine::Dialogue(talk) => talk.conclude(|_| (Vec::new(), Facts::default()), |_| None),
        }
    }
}

impl<K: Kind> State<K> {
    /// Takes an event, and has what is due done by `then`.
    fn take(&mut self, event: &Event, then: impl FnOnce(&mut Self)) -> Vec<Command> {
        // It only bounds what later events can mean: time itself passes with the events that it delayed.
        if let What::Lag(lag) = event.what {
            self.seen.lags.report(event.at, lag);
            return Vec::new();
        }
        self.note(event);
        then(self);
        self.refuse_flood();
        std::mem::take(&mut self.results.commands)
    }
}
