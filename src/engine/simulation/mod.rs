//! Games in memory, on a virtual clock, without processes, sockets or a real second: the judge and a built-in peer, or built-in peers among
//! themselves.
//!
//! What is sent arrives after a latency, over a [`Network`] that can be unkind; where nothing is under way and nobody can go on, the clock jumps to the next alarm. Every choice
//! of order is drawn from the game's seed, so that a game is the same to the byte and to the nanosecond on every machine.

mod judging;
mod links;
mod network;
mod peer;
mod tap;
mod watched;

use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Duration;

use super::game::{take_judgement, unrecorded};
use super::many::Game;
use super::pauses::Pauses;
use super::record::{Recorder, in_micros};
use super::start::conditions;
use crate::config::BuiltIn;
use crate::event::{Outcome, What};
use crate::judge::{Judge, Settings};
use crate::peers;
use crate::scenario::{Scenario, Side};
use crate::transcript::Direction;
use judging::Judging;
use links::{Links, Node};
pub use network::Network;
use peer::Peer;
pub use watched::{Watched, watch};

/// The number of the judge among the participants, and of the peer it judges.
const JUDGE: Node = 0;
const PEER: Node = 1;

/// Somebody at a simulated game.
trait Participant {
    /// Does the next thing that can be done now; `false` where there is nothing.
    fn go_on(&mut self, links: &mut Links) -> bool;

    /// When it wants to be woken, where nothing comes before.
    fn alarm(&self) -> Option<Duration>;

    /// Does what is due now that the time of its alarm has come.
    fn ring(&mut self, links: &mut Links);
}

/// Does the next thing in a game; `false` where nobody waits for anything any more.
fn step(participants: &mut [&mut dyn Participant], links: &mut Links) -> bool {
    if let Some(node) = links.first_awake() {
        if !participants[node].go_on(links) {
            links.sleep(node);
        }
        return true;
    }
    let alarms = participants.iter().enumerate().filter(|(node, _)| !links.is_held_up(*node));
    let alarms = alarms.filter_map(|(node, one)| Some((one.alarm()?, Reverse(node))));
    let alarm = alarms.min();
    let arrival = links.next_arrival();
    let due = [arrival, alarm.map(|(at, _)| at), links.next_release()];
    let Some(next) = due.into_iter().flatten().min() else { return false };
    links.now = links.now.max(next);
    match alarm {
        Some((at, Reverse(node))) if arrival.is_none_or(|arrival| arrival > links.now) && at <= links.now => {
            if links.ring(node, at) {
                participants[node].ring(links);
            }
        }
        _ => links.deliver(),
    }
    true
}

/// A game that is to be played in memory.
pub(super) struct InMemory<'a> {
    pub(super) game: &'a Game,
    pub(super) scenario: &'a Arc<Scenario>,
    pub(super) settings: Settings,
    /// The lanes that are there from the beginning, in the order in which they are opened.
    pub(super) first_lanes: Vec<usize>,
    pub(super) recorder: Recorder,
    pub(super) network: Network,
    /// How long the game may take, on the virtual clock.
    pub(super) budget: Duration,
}

impl InMemory<'_> {
    /// Plays it against a built-in peer.
    pub(super) fn play(self, built_in: &BuiltIn, mut outcome: Outcome, pauses: Pauses) -> Outcome {
        let InMemory { game, scenario, settings, first_lanes, recorder, network, budget } = self;
        let peers = peers::find(game.subject.game.name()).expect("the subject is a built-in peer");
        let mut conditions = conditions(scenario, (settings.timeout, settings.pace), game.seed);
        conditions.seed = built_in.seed.unwrap_or(conditions.seed);
        let side = scenario.side;
        let ours = if side == Side::Referee { Direction::Sent } else { Direction::Received };
        let judge = Judge::new(Arc::clone(scenario), settings, game.golden.clone());
        let machine = peers.machine(side, built_in.fault.as_deref(), &conditions);
        // The peer numbers the lanes that are there from the beginning as the judge does: players first.
        let mut peer = Peer::new(PEER, links::Side::Far, machine, (0..first_lanes.len()).collect());
        let mut judging = Judging::new(judge, ours, pauses, recorder);
        let are_pipes = side == Side::Bot && !game.subject.is_told_a_port();
        let mut links = Links::new(game.seed, network, are_pipes, None);
        first_lanes.into_iter().for_each(|lane| judging.open(lane, &mut links));
        while !judging.is_over() {
            if !step(&mut [&mut judging, &mut peer], &mut links) || links.now > budget {
                judging.tell(What::OutOfTime { budget }, &mut links);
            }
        }
        let Judging { judge, pauses, recorder, mut broke_down, .. } = judging;
        outcome.stderr = peer.farewell.map(|farewell| farewell.said.into_bytes()).unwrap_or_default();
        take_judgement(&mut outcome, judge, &pauses);
        if broke_down.is_none() {
            broke_down =
                recorder.conclude(in_micros(links.now), &outcome).err().map(|error| unrecorded(&error));
        }
        let mut outcome = match broke_down {
            Some(finding) => outcome.with(finding),
            None => outcome,
        };
        outcome.took = links.now;
        outcome
    }
}
