//! Taking turns at a simulated game.

use std::cmp::Reverse;
use std::time::Duration;

use super::links::Links;

/// A participant of a simulated game.
pub(super) trait Participant {
    /// Does the next thing that can be done now; `false` where there is nothing.
    fn go_on(&mut self, links: &mut Links) -> bool;

    /// Returns the time of the next alarm, which applies unless an event comes first.
    fn alarm(&self) -> Option<Duration>;

    /// Does what is due now that the time of its alarm has come.
    fn ring(&mut self, links: &mut Links);
}

/// Does the next thing in a game; `false` where nobody waits for anything any more.
pub(super) fn step(participants: &mut [&mut dyn Participant], links: &mut Links) -> bool {
    if let Some(node) = links.first_awake() {
        if !participants[node].go_on(links) {
            links.sleep(node);
        }
        return true;
    }
    let alarms = participants
        .iter()
        .enumerate()
        .filter(|(node, _)| !links.is_held_up(*node));
    let alarms = alarms.filter_map(|(node, one)| Some((one.alarm()?, Reverse(node))));
    let alarm = alarms.min();
    let arrival = links.next_arrival();
    let due = [arrival, alarm.map(|(at, _)| at), links.next_release()];
    let Some(next) = due.into_iter().flatten().min() else {
        return false;
    };
    links.now = links.now.max(next);
    match alarm {
        Some((at, Reverse(node)))
            if arrival.is_none_or(|arrival| arrival > links.now) && at <= links.now =>
        {
            if links.ring(node, at) {
                participants[node].ring(links);
            }
        }
        _ => links.deliver(),
    }
    true
}
