//! Actions of urtext as the players and spectators of a referee under test.

use super::super::action::Command;
use super::super::clock::ClockDeed;
use super::super::finding_context::{lane_name, never};
use super::super::game_facts::Settling;
use super::super::sending::{leave, pump, send};
use super::super::slack::{SETTLE, not_before};
use super::super::state::State;
use super::super::timeout;
use super::super::wait::Wait;
use crate::finding::{Finding, Verdict};
use crate::protocol::{Line, OffTurn, Party, PlayerLine};
use crate::rules::Seat;
use crate::scenario::{Act, Deed, Leaving, Participant, SendPart};

/// A participant was seen to be gone.
pub(super) fn left(state: &mut State, lane: usize) {
    let Some((_, how)) = state
        .outgoing
        .leaving
        .filter(|(leaving, _)| *leaving == lane)
    else {
        // The subject takes nothing any more, and what was under way to it is lost.
        state.outgoing.in_flight = 0;
        return;
    };
    state.outgoing.leaving = None;
    state.progress();
    let still_reads = how == Leaving::HalfClose;
    state.seen.lanes[lane].has_left = !still_reads;
    let unfinished = state.seen.lanes[lane].sent.pending().to_vec();
    state.seen.model.leave(lane, still_reads, &unfinished);
    state.outgoing.is_unsettled |= matches!(state.seen.model.party(lane), Some(Party::Player(_)));
}

/// A line was sent by somebody who was not on turn: the model knows what that may lead to.
pub(super) fn sent_off_turn(state: &mut State, lane: usize, text: &[u8]) {
    match state.seen.plan.dialect.off_turn() {
        OffTurn::Ignored(requirement) => {
            let shown = crate::diagnostic::visible::quoted(text).at_most(40);
            let who = lane_name(&state.seen, lane);
            state.seen.sent_off_turn = Some((requirement, format!("{who} sent {shown} off turn")));
            state.outgoing.is_unsettled = true;
        }
        OffTurn::Open(_) => state.outgoing.is_unsettled = true,
    }
}

/// Waits until the referee has had time to show what it makes of something that comes off turn. `false`: not yet.
///
/// Nothing says when it has read that, so what follows rests on a delay.
fn settle(state: &mut State) -> bool {
    if state.seen.progress.settling == Settling::Over {
        state.outgoing.is_unsettled = false;
        return true;
    }
    state.wait(Wait::Quiet, state.seen.now + SETTLE);
    false
}

/// Does what the scenario has this player do, after what happens meanwhile. Returns whether the game goes on without any event.
pub(super) fn act(state: &mut State, seat: Seat) -> bool {
    if state.outgoing.leaving.is_some() {
        return false;
    }
    timeout::turn_seen(&mut state.seen);
    let turn = state.seen.turn();
    if let Some(act) = turn.and_then(|turn| {
        turn.meanwhile
            .into_iter()
            .nth(state.seen.progress.acts_done)
    }) {
        state.seen.progress.acts_done += 1;
        return meanwhile(state, &act);
    }
    let kept = state
        .seen
        .model
        .may_have_kept(seat)
        .filter(|_| !state.seen.progress.has_acted);
    if (kept.is_some() || state.outgoing.is_unsettled) && !settle(state) {
        return false;
    }
    if let Some(requirement) = kept {
        state.seen.progress.rests_on_delay = true;
        state.choice(
            requirement,
            format!("the line was not taken within {SETTLE:?} of the beginning of its turn"),
        );
    }
    let deed = state.seen.deed();
    if state.seen.progress.has_acted {
        // What was sent has not made the turn's line: the referee waits for the rest, until the timeout.
        wait_for_the_timeout(state);
        return false;
    }
    state.seen.progress.has_acted = true;
    let lane = state.seen.player_lane(seat);
    match deed {
        Deed::Skip => unreachable!("a skipped turn awaits no move"),
        Deed::Refused(_) | Deed::SendMove(..) | Deed::Join | Deed::Read(_) => {
            unreachable!("the turn was made up for the position")
        }
        Deed::Move(choice) => match state.chosen(choice) {
            Ok(Some(mv)) => {
                let line = state.seen.plan.dialect.write_move(mv);
                send_line(state, seat, &line);
            }
            // Without rolls no turn is skipped: the game waits for a move that cannot come.
            Ok(None) => wait_for_the_timeout(state),
            Err(finding) => state.fail(*finding),
        },
        Deed::Illegal(line) | Deed::Ignored(line) => send_line(state, seat, &line),
        Deed::Silent => wait_for_the_timeout(state),
        Deed::Send(parts) => return send_parts(state, seat, parts),
        Deed::Leave(how) => leave(state, lane, how),
    }
    false
}

/// Sends pieces as the line of the player on turn. Returns whether the game goes on without any event.
fn send_parts(state: &mut State, seat: Seat, parts: Vec<SendPart>) -> bool {
    let delay = Deed::Send(parts.clone()).delay();
    let timeout = state.seen.settings.timeout;
    if let Some(timeout) = timeout.filter(|&timeout| delay >= timeout) {
        let title = format!(
            "the player answers after {delay:.1?}, and the subject's timeout is {timeout:.1?}"
        );
        state.fail(Finding {
            verdict: Verdict::Unsupported,
            ..never(&state.seen, title)
        });
        return false;
    }
    let lines = SendPart::lines(&parts).0;
    if let Some(line) = lines.first() {
        narrate(state, seat, line);
    }
    let lane = state.seen.player_lane(seat);
    state
        .outgoing
        .outbox
        .extend(parts.into_iter().map(|piece| (lane, piece)));
    pump(state) && state.outgoing.in_flight == 0 && act(state, seat)
}

/// Keeps the move that the line of a player names.
fn narrate(state: &mut State, seat: Seat, line: &[u8]) {
    if let PlayerLine::Move(mv) = state.seen.plan.dialect.read_player_line(line) {
        state.narrate(seat, mv);
    }
}

fn meanwhile(state: &mut State, act: &Act) -> bool {
    let (players, spectators) = state.seen.scenario.lanes();
    if let Participant::Spectator(number) = act.who
        && number as usize > spectators
    {
        // The subject has no spectators.
        return true;
    }
    let lane = match act.who {
        Participant::Player(seat) => state.seen.player_lane(seat),
        Participant::Spectator(number) => players + number as usize - 1,
        Participant::Other => unreachable!("the turn was made up for its player"),
    };
    match &act.deed {
        Deed::Send(parts) => {
            state
                .outgoing
                .outbox
                .extend(parts.iter().cloned().map(|piece| (lane, piece)));
            return pump(state) && state.outgoing.in_flight == 0;
        }
        Deed::Leave(how) => leave(state, lane, *how),
        Deed::Join => {
            timeout::acted(&mut state.seen, lane, ClockDeed::Joining);
            state.results.commands.push(Command::Open { lane });
            state.outgoing.is_opening = true;
        }
        _ => unreachable!("nobody makes a move meanwhile"),
    }
    false
}

fn send_line(state: &mut State, seat: Seat, line: &[u8]) {
    let lane = state.seen.player_lane(seat);
    narrate(state, seat, line);
    send(state, lane, Line::new(line).to_wire());
}

fn wait_for_the_timeout(state: &mut State) {
    let Some(timeout) = state.seen.settings.timeout else {
        let mut finding = never(&state.seen, "the subject's timeout is not known");
        finding.verdict = Verdict::Unsupported;
        let note = "say it: `timeout:` in urtext.yaml, or --set timeout=DURATION".to_owned();
        finding.notes.push(note);
        return state.fail(finding);
    };
    let due = not_before(&state.seen, timeout);
    state.wait(Wait::Timeout, due);
}
