//! Actions of urtext as the players and spectators of a referee under test.

use super::super::clock::SETTLE;
use super::super::finding_context::without_timeout;
use super::super::state::{Settling, State};
use super::super::timeout;
use super::super::wait::Wait;
use super::super::watch::{Command, Played};
use crate::finding::{Finding, Verdict};
use crate::protocol::{OffTurn, Party};
use crate::rules::Seat;
use crate::scenario::{Act, Deed, Leaving, Participant, SendPart};

/// A participant was seen to be gone.
pub(super) fn left(state: &mut State, lane: usize) {
    let Some((_, how)) = state.leaving.filter(|(leaving, _)| *leaving == lane) else {
        // The subject takes nothing any more, and what was under way to it is lost.
        state.in_flight = 0;
        return;
    };
    state.leaving = None;
    state.progress();
    let still_reads = how == Leaving::HalfClose;
    state.lanes[lane].has_left = !still_reads;
    let unfinished = state.lanes[lane].sent.pending().to_vec();
    state.model.leave(lane, still_reads, &unfinished);
    state.is_unsettled |= matches!(state.model.party(lane), Some(Party::Player(_)));
}

/// A line was sent by somebody who was not on turn: the model knows what that may lead to.
pub(super) fn sent_off_turn(state: &mut State, lane: usize, text: &[u8]) {
    match state.plan.dialect.off_turn() {
        OffTurn::Ignored(requirement) => {
            let shown = crate::diagnostic::visible::quoted(text).at_most(40);
            let who = state.lane_name(lane);
            state.ignored = Some((requirement, format!("{who} sent {shown} off turn")));
            state.is_unsettled = true;
        }
        OffTurn::Open(_) => state.is_unsettled = true,
    }
}

/// Waits until the referee has had time to show what it makes of something that comes off turn. `false`: not yet.
///
/// Nothing says when it has read that, so what follows rests on a delay.
fn settle(state: &mut State) -> bool {
    if state.progress.settling == Settling::Over {
        state.is_unsettled = false;
        return true;
    }
    state.wait(Wait::Quiet, SETTLE);
    false
}

/// Does what the scenario has this player do, after what happens meanwhile. Returns whether the game goes on without any event.
///
/// # Errors
/// A finding where it cannot be done.
pub(super) fn act(state: &mut State, seat: Seat) -> Played<bool> {
    if state.leaving.is_some() {
        return Ok(false);
    }
    timeout::turn_seen(state);
    if let Some(act) = state.course.next_act() {
        return Ok(meanwhile(state, act));
    }
    let kept = state
        .model
        .may_have_kept(seat)
        .filter(|_| !state.progress.has_acted);
    if (kept.is_some() || state.is_unsettled) && !settle(state) {
        return Ok(false);
    }
    if let Some(requirement) = kept {
        state.progress.rests_on_delay = true;
        state.choice(
            requirement,
            format!("the line was not taken within {SETTLE:?} of the beginning of its turn"),
        );
    }
    let parts = match state.progress.has_acted {
        // What was sent has not made the turn's line: the referee waits for the rest, until the timeout.
        true => Vec::new(),
        false => state.own_turn()?,
    };
    state.progress.has_acted = true;
    match parts.is_empty() {
        true => wait_for_the_timeout(state).map(|()| false),
        false => send_parts(state, seat, parts),
    }
}

/// Sends pieces as the line of the player on turn. Returns whether the game goes on without any event.
fn send_parts(state: &mut State, seat: Seat, parts: Vec<SendPart>) -> Played<bool> {
    let lane = state.player_lane(seat);
    (state.handed, state.written) = (0, None);
    let deed = Deed::Send(parts);
    let delay = deed.delay();
    let timeout = state.settings.timeout;
    if let Some(timeout) = timeout.filter(|&timeout| delay >= timeout && !delay.is_zero()) {
        let title = format!(
            "the player answers after {delay:.1?}, and the subject's timeout is {timeout:.1?}"
        );
        let verdict = Verdict::Unsupported;
        let finding = state.never(title);
        return Err(Finding { verdict, ..finding }.into());
    }
    let pieces = deed.parts().iter().cloned();
    state.outbox.extend(pieces.map(|piece| (lane, piece)));
    Ok(pump(state) && state.in_flight == 0 && act(state, seat)?)
}

/// Does what happens in the turn of another. Returns whether the game goes on without any event.
fn meanwhile(state: &mut State, act: Act) -> bool {
    let (players, spectators) = state.scenario.lanes();
    if let Participant::Spectator(number) = act.who
        && number as usize > spectators
    {
        // The subject has no spectators.
        return true;
    }
    let lane = match act.who {
        Participant::Player(seat) => state.player_lane(seat),
        Participant::Spectator(number) => players + number as usize - 1,
        Participant::Other => unreachable!("the turn was made up for its player"),
    };
    if act.deed == Deed::Join {
        timeout::acted(state, "the arrival of", lane);
        state.commands.push(Command::Open { lane });
        state.is_opening = true;
        return false;
    }
    let parts = act.deed.sent(state.plan.dialect).into_iter();
    state.outbox.extend(parts.map(|piece| (lane, piece)));
    pump(state) && state.in_flight == 0 && state.leaving.is_none()
}

fn wait_for_the_timeout(state: &mut State) -> Played {
    let Some(timeout) = state.settings.timeout else {
        let finding = state.never("the subject's timeout is not known");
        return Err(without_timeout(finding, Verdict::Unsupported).into());
    };
    let due = state.clock.not_before(timeout);
    state.wait_until(Wait::Timeout, due);
    Ok(())
}

/// Sends what is left of the pieces. `false`: there is a pause to be waited for.
pub(super) fn pump(state: &mut State) -> bool {
    while let Some((lane, piece)) = state.next_piece() {
        match piece {
            SendPart::Bytes(bytes) => send(state, lane, bytes),
            SendPart::Leave(how) => leave(state, lane, how),
            SendPart::Pause(_) | SendPart::Text(_) => {
                unreachable!("a pause is waited for, and names are filled in before")
            }
        }
    }
    state.has_sent_all()
}

fn leave(state: &mut State, lane: usize, how: Leaving) {
    timeout::acted(state, "the departure of", lane);
    state.leaving = Some((lane, how));
    state.commands.push(Command::Leave { lane, how });
}

fn send(state: &mut State, lane: usize, bytes: Vec<u8>) {
    let deed = match bytes.ends_with(b"\n") {
        true => "a line from",
        false => "part of a line from",
    };
    timeout::acted(state, deed, lane);
    let mut lines = 0;
    state.handed += bytes.len();
    state.lanes[lane].sent.push(&bytes, |_| lines += 1);
    state.in_flight += lines;
    let on_turn = state.model.awaits_move_of();
    if lines > 0 && on_turn.and_then(|seat| state.model.lane_of(seat)) == Some(lane) {
        let (now, pace) = (state.now, state.settings.pace);
        state.clock.handed(now, pace);
    }
    state.commands.push(Command::Send { lane, bytes });
}
