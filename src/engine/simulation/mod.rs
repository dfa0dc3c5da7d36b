//! Games in memory, on a virtual clock, without processes, sockets or a real second: the judge and a built-in peer, or built-in peers among
//! themselves.
//!
//! Bytes arrive after a latency, over a [`Network`] with optional delays and outages. If nothing is under way
//! and no participant can go on, the clock jumps to the next alarm. Every choice of order is drawn from the
//! game's seed, so that a game is the same to the byte and to the nanosecond on every machine.

mod end;
mod judging;
mod links;
pub(super) mod network;
mod participant;
mod peer;
mod tap;
mod watched;

use std::sync::Arc;
use std::time::Duration;

use super::conclusion::{take_judgement, unrecorded};
use super::pauses::Pauses;
use super::record::Recorder;
use super::run::GamePlan;
use super::start::conditions;
use crate::config::BuiltIn;
use crate::event::{Outcome, What};
use crate::judge::{Judge, Settings};
use crate::peers;
use crate::scenario::{PlannedGame, Scenario, Side};
use crate::transcript::Direction;
use end::{PEER, Side as LinkSide};
use judging::Judging;
use links::Links;
pub use network::Network;
use participant::step;
use peer::Peer;
pub use watched::{Watched, watch};

/// A game that is to be played in memory.
pub(super) struct InMemory<'a> {
    pub(super) game: &'a GamePlan,
    pub(super) scenario: &'a Arc<Scenario>,
    pub(super) plan: &'a PlannedGame,
    pub(super) settings: Settings,
    /// The lanes that are there from the beginning, in the order in which they are opened.
    pub(super) first_lanes: Vec<usize>,
    pub(super) recorder: Recorder,
    pub(super) network: Network,
    /// Budget of the game, on the virtual clock.
    pub(super) budget: Duration,
}

impl InMemory<'_> {
    /// Plays it against a built-in peer.
    pub(super) fn play(self, built_in: &BuiltIn, mut outcome: Outcome, pauses: Pauses) -> Outcome {
        let InMemory {
            game,
            scenario,
            plan,
            settings,
            first_lanes,
            recorder,
            network,
            budget,
        } = self;
        let peers =
            peers::find(game.subject.protocol.game_name()).expect("the subject is a built-in peer");
        let conditions = conditions(plan, (settings.timeout, settings.pace), game.seed);
        let side = plan.side;
        let ours = if side == Side::Referee {
            Direction::Sent
        } else {
            Direction::Received
        };
        let judge = Judge::new(Arc::clone(scenario), settings, game.golden.clone());
        let machine = peers.machine(side, built_in.fault.as_deref(), &conditions);
        // The peer numbers the lanes that are there from the beginning as the judge does: players first.
        let mut peer = Peer::new(
            PEER,
            LinkSide::Far,
            machine,
            (0..first_lanes.len()).collect(),
        );
        let mut judging = Judging::new(judge, ours, pauses, recorder);
        let are_pipes = side == Side::Bot && !game.subject.is_told_a_port();
        let mut links = Links::new(game.seed, network, are_pipes, None);
        first_lanes
            .into_iter()
            .for_each(|lane| judging.open(lane, &mut links));
        while !judging.is_over() {
            if !step(&mut [&mut judging, &mut peer], &mut links) || links.now > budget {
                judging.tell(What::OutOfTime { budget }, &mut links);
            }
        }
        let Judging {
            judge,
            pauses,
            recorder,
            mut broke_down,
            ..
        } = judging;
        outcome.stderr = peer
            .farewell
            .map(|farewell| farewell.said.into_bytes())
            .unwrap_or_default();
        take_judgement(&mut outcome, judge, &pauses);
        if broke_down.is_none() {
            broke_down = recorder
                .conclude(&outcome)
                .err()
                .map(|error| unrecorded(&error));
        }
        let mut outcome = match broke_down {
            Some(finding) => outcome.with(finding),
            None => outcome,
        };
        outcome.took = links.now;
        outcome
    }
}
