//! State of the judge of one game or dialogue: observed facts, waits and results.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use super::action::Command;
use super::activity::Activity;
use super::game_facts::GameFacts;
use super::lag::Lags;
use super::lane::LaneState;
use super::observed::{Heard, Observed, Outside};
use super::settings::Settings;
use super::wait::Waits;
use crate::event::OpenChoice;
use crate::finding::Finding;
use crate::protocol::LaneKind;
use crate::scenario::{Leaving, Scenario, SendPart};
use crate::transcript::Transcript;

/// State of the judge of one game or dialogue.
#[derive(Debug, Clone)]
pub(super) struct State<K = GameFacts> {
    pub(super) seen: Observed<K>,
    pub(super) outgoing: Outgoing,
    pub(super) waits: Waits,
    pub(super) results: Results,
    pub(super) golden: Option<Arc<Transcript>>,
}

/// What urtext's participants are about to send or to do.
#[derive(Debug, Clone, Default)]
pub(super) struct Outgoing {
    /// Pieces that are still to be sent, with their lanes.
    pub(super) outbox: VecDeque<(usize, SendPart)>,
    /// Lines handed out to be sent, and not yet seen to be.
    pub(super) in_flight: usize,
    /// The way in which a lane is being left.
    pub(super) leaving: Option<(usize, Leaving)>,
    /// True if a lane is being opened.
    pub(super) is_opening: bool,
    /// True if a line was sent off turn since the last settling time.
    pub(super) is_unsettled: bool,
}

/// Results of the game so far, and requests that wait to be handed out.
#[derive(Debug, Clone, Default)]
pub(super) struct Results {
    pub(super) findings: Vec<Finding>,
    pub(super) open: Vec<OpenChoice>,
    pub(super) commands: Vec<Command>,
    pub(super) is_finished: bool,
}

impl<K> State<K> {
    /// The state before anything has happened; `kind` gets the kinds of the lanes.
    pub(super) fn new(
        scenario: Arc<Scenario>,
        settings: Settings,
        golden: Option<Arc<Transcript>>,
        kind: impl FnOnce(&[LaneKind], &Settings) -> K,
    ) -> State<K> {
        let (players, spectators) = scenario.lanes();
        let mut kinds = vec![LaneKind::Player; players];
        kinds.extend(std::iter::repeat_n(LaneKind::Spectator, spectators));
        let seen = Observed {
            kind: kind(&kinds, &settings),
            lanes: kinds.into_iter().map(LaneState::new).collect(),
            now: Duration::ZERO,
            heard: Heard::default(),
            last_sent: None,
            exited: None,
            processes: Activity::default(),
            lags: Lags::default(),
            outside: Outside::default(),
            scenario,
            settings,
        };
        State {
            seen,
            outgoing: Outgoing::default(),
            waits: Waits::default(),
            results: Results::default(),
            golden,
        }
    }

    pub(super) fn finish(&mut self) {
        if !self.results.is_finished {
            self.results.is_finished = true;
            self.results.commands.push(Command::Finish);
        }
    }

    pub(super) fn choice(&mut self, requirement: &'static str, seen: String) {
        let requirement = requirement.to_owned();
        let choice = OpenChoice { requirement, seen };
        if !self.results.open.contains(&choice) {
            self.results.open.push(choice);
        }
    }
}
