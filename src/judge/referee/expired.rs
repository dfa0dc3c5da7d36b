//! Waits for a referee under test whose time is over.

use std::sync::Arc;

use super::super::action::Command;
use super::super::finding_context::{asleep, lane_name, seconds};
use super::super::game_facts::Settling;
use super::super::speechless::never_spoke;
use super::super::state::State;
use super::super::wait::{Pending, Wait};
use super::super::{closing, deviation, excuse, late_spectator, timeout};
use crate::protocol::Cause;
use crate::requirement::Role;

/// Takes the end of a wait.
pub(super) fn wait(state: &mut State, wait: Wait) {
    state.waits.current = None;
    match wait {
        Wait::Answer => state.wait(Wait::Late, state.seen.now + state.seen.patience()),
        Wait::Handshake | Wait::Late => silent(state, wait),
        Wait::Pause => {}
        Wait::Quiet => {
            state.seen.progress.settling = Settling::Over;
            if state.seen.model.stay_silent() {
                // It may be that it was only slow to be taken.
                state.seen.progress.rests_on_delay = true;
            }
        }
        Wait::Timeout => time_is_over(state),
        Wait::Forfeit if state.seen.settings.timeout.is_some() && !state.seen.model.is_over() => {
            silent(state, Wait::Late);
        }
        Wait::Forfeit if state.seen.settings.timeout.is_none() => {
            let finding = closing::unknown_timeout(&state.seen);
            state.fail(finding);
        }
        Wait::Close | Wait::Forfeit | Wait::CloseAfterUs | Wait::Exit => not_closed(state),
        Wait::AfterClose => {
            let is_end = matches!(state.waits.pending, Some(Pending::Ended { .. }));
            let has_crashed = matches!(state.seen.exited, Some((_, false)));
            if is_end && !has_crashed && state.seen.model.explain_end().is_some() {
                state.waits.pending = None;
                return state.progress();
            }
            state.fail_pending();
        }
    }
}

/// Handles a due line that is missing. Closes the referee's input first: output that it has not flushed arrives when it sees EOF.
fn silent(state: &mut State, wait: Wait) {
    let mut finding = if state.seen.heard.anything {
        deviation::silence(&state.seen)
    } else {
        never_spoke(&state.seen)
    };
    finding
        .notes
        .extend(asleep(&state.seen).filter(|_| finding.by_silence));
    if wait == Wait::Handshake && state.seen.heard.anything {
        let budget = seconds(state.seen.settings.budgets.handshake);
        finding.notes.push(format!(
            "the handshake may take {budget}; --budget handshake=DURATION says so"
        ));
    }
    let heard = state
        .seen
        .lanes
        .iter()
        .map(|lane| lane.entries.len())
        .collect();
    let has_exited = state.seen.exited.is_some();
    let (players, _) = state.seen.scenario.lanes();
    let open = (0..players).filter(|&lane| !state.seen.lanes[lane].has_left);
    state
        .results
        .commands
        .extend(open.map(|lane| Command::Close { lane }));
    state.await_aftermath(Pending::Silent {
        finding: Box::new(finding),
        heard,
        has_exited,
    });
}

fn time_is_over(state: &mut State) {
    let Some(seat) = state.seen.model.awaits_move_of() else {
        return;
    };
    if let Some(finding) = excuse::cut_short(state) {
        return state.fail(finding);
    }
    let over = state.seen.clock.rolled_at + state.seen.settings.timeout.unwrap_or_default();
    state.seen.clock.early_by = over.saturating_sub(state.seen.now);
    timeout::note_reading(state, seat);
    timeout::is_over(&mut state.seen, seat);
    state.outgoing.outbox.clear();
    state.seen.model.forfeit(seat, Cause::Timeout);
}

/// Lanes are still open after the end of the game.
fn not_closed(state: &mut State) {
    // Who came late may not have been let in at all.
    let plan = Arc::clone(&state.seen.plan);
    let is_late =
        |lane: usize| state.seen.lanes[lane].ended.is_none() && !state.seen.lanes[lane].has_left;
    let names: Vec<_> = (0..state.seen.lanes.len())
        .filter(|&lane| is_late(lane) && plan.opens_at_start(lane))
        .map(|lane| lane_name(&state.seen, lane))
        .collect();
    if !names.is_empty() {
        if let Some(finding) = closing::still_open(&state.seen, &names) {
            return state.fail(finding);
        }
        let requirement = state.seen.plan.dialect.id(Role::Close);
        let budget = state.seen.settings.budgets.close;
        let seen = format!(
            "{} still open {budget:.1?} after the end of the game",
            names.join(", ")
        );
        state.choice(requirement, seen);
    }
    late_spectator::judge(state);
    state.finish();
}
