//! Lines that urtext's participants send, and lanes that they leave.

use super::action::Command;
use super::clock::ClockDeed;
use super::state::State;
use super::timeout;
use crate::protocol::PlayerLine;
use crate::scenario::{Leaving, SendPart};

/// Sends what is left of the pieces. `false`: there is a pause to be waited for.
pub(super) fn pump(state: &mut State) -> bool {
    if state.is_pausing() {
        return false;
    }
    while let Some((lane, piece)) = state.outgoing.outbox.pop_front() {
        match piece {
            SendPart::Bytes(bytes) => send(state, lane, bytes),
            SendPart::Pause(time) => {
                state.pause(time);
                return false;
            }
            SendPart::Leave(how) => leave(state, lane, how),
        }
    }
    true
}

pub(super) fn leave(state: &mut State, lane: usize, how: Leaving) {
    timeout::acted(&mut state.seen, lane, ClockDeed::Departure);
    state.outgoing.leaving = Some((lane, how));
    state.results.commands.push(Command::Leave { lane, how });
}

pub(super) fn send(state: &mut State, lane: usize, bytes: Vec<u8>) {
    let deed = match bytes.ends_with(b"\n") {
        true => ClockDeed::Line,
        false => ClockDeed::PartOfLine,
    };
    timeout::acted(&mut state.seen, lane, deed);
    let (mut lines, mut is_move) = (0, false);
    let dialect = state.seen.plan.dialect;
    state.seen.lanes[lane].sent.push(&bytes, |line| {
        lines += 1;
        is_move |= matches!(dialect.read_player_line(&line.text), PlayerLine::Move(_));
    });
    state.outgoing.in_flight += lines;
    let on_turn = state
        .seen
        .model
        .awaits_move_of()
        .and_then(|seat| state.seen.model.lane_of(seat));
    if lines > 0 && on_turn == Some(lane) {
        state
            .seen
            .kind
            .clock
            .own_delay
            .handed(state.seen.now, state.seen.settings.pace);
    }
    if is_move && on_turn == Some(lane) {
        state.seen.clock.moved_at = Some(state.seen.now);
    }
    state.results.commands.push(Command::Send { lane, bytes });
}
