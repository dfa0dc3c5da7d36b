//! The end of a game with a referee under test: waits whose time is over, lanes that it closes, and what late spectators received.

use std::sync::Arc;

use super::super::breakdown::never_spoke;
use super::super::finding_context::seconds;
use super::super::state::{Settling, State};
use super::super::wait::{Pending, Wait};
use super::super::watch::Played;
use super::super::{deviation, timeout};
use crate::config::LateSpectator;
use crate::finding::{Finding, Verdict};
use crate::protocol::{Cause, Party};
use crate::requirement::Role;
use crate::transcript::Close;
use crate::yaml::Words;

/// Takes the end of a wait.
///
/// # Errors
/// A finding that ends the game.
pub(super) fn wait(state: &mut State, wait: Wait) -> Played {
    state.waiting = None;
    match wait {
        Wait::Answer => state.wait_longer(),
        Wait::Handshake | Wait::Late => silent(state, wait),
        Wait::Pause => {}
        Wait::Quiet if state.is_being_written() => {}
        Wait::Quiet => {
            state.progress.settling = Settling::Over;
            if state.model.stay_silent() {
                // It may be that it was only slow to be taken.
                state.progress.rests_on_delay = true;
            }
        }
        Wait::Timeout => time_is_over(state)?,
        Wait::Forfeit if state.settings.timeout.is_some() && !state.model.is_over() => {
            silent(state, Wait::Late);
        }
        Wait::Forfeit if state.settings.timeout.is_none() => {
            return Err(deviation::unknown_timeout(state).into());
        }
        Wait::Close | Wait::Forfeit | Wait::Exit => not_closed(state)?,
        Wait::AfterClose => {
            let is_end = matches!(state.pending, Some(Pending::Ended { .. }));
            let has_crashed = matches!(state.exited, Some((_, false)));
            if is_end && !has_crashed && state.model.explain_end().is_some() {
                state.pending = None;
                state.progress();
            } else {
                state.fail_pending();
            }
        }
    }
    Ok(())
}

/// Handles a due line that is missing.
fn silent(state: &mut State, wait: Wait) {
    let mut finding = if state.heard.anything {
        deviation::silence(state)
    } else {
        never_spoke(state, true)
    };
    if wait == Wait::Handshake && state.heard.anything {
        let budget = seconds(state.settings.budgets.handshake);
        finding.notes.push(format!(
            "the handshake may take {budget}; --budget handshake=DURATION says so"
        ));
    }
    state.await_last_words(Some(Box::new(finding)));
}

fn time_is_over(state: &mut State) -> Played {
    let Some(seat) = state.model.awaits_move_of() else {
        return Ok(());
    };
    if let Some(finding) = cut_short(state) {
        return Err(finding.into());
    }
    let over = state.clock.rolled_at + state.settings.timeout.unwrap_or_default();
    state.clock.early_by = over.saturating_sub(state.now);
    timeout::note_reading(state, seat);
    timeout::ends_late(state);
    state.outbox.clear();
    state.model.forfeit(seat, Cause::Timeout);
    Ok(())
}

/// The time is over before all was done that the scenario has the players do in this turn: urtext was late.
fn cut_short(state: &mut State) -> Option<Finding> {
    if state.outbox.is_empty() && !state.course.has_acts_left() {
        return None;
    }
    let title = "the time for the move was over before all was done that this turn has";
    let finding = Finding {
        by_silence: true,
        ..state.never(title)
    };
    Some(finding.noted("urtext may have been late itself"))
}

/// Lanes are still open after the end of the game.
fn not_closed(state: &mut State) -> Played {
    // Who came late may not have been let in at all.
    let plan = Arc::clone(&state.plan);
    let is_late = |lane: usize| state.lanes[lane].ended.is_none() && !state.lanes[lane].has_left;
    let names: Vec<_> = (0..state.lanes.len())
        .filter(|&lane| is_late(lane) && plan.opens_at_start(lane))
        .map(|lane| state.lane_name(lane))
        .collect();
    if !names.is_empty() {
        if let Some(finding) = deviation::still_open(state, &names) {
            return Err(finding.into());
        }
        let requirement = state.id(Role::Close);
        let budget = state.settings.budgets.close;
        let seen = format!("a lane is still open {budget:.1?} after the end of the game");
        state.choice(requirement, seen);
    }
    finish(state);
    Ok(())
}

/// The referee ended its direction of a lane.
///
/// # Errors
/// A finding about the loss that the end shows.
pub(super) fn closed(state: &mut State, lane: usize, close: Close) -> Played {
    if state.lanes[lane].has_left {
        return Ok(());
    }
    // To a player who sends nothing any more, and to a spectator who came late, nothing is owed.
    let is_gone =
        matches!(state.model.party(lane), Some(Party::Player(seat)) if state.model.is_gone(seat));
    let is_late = !state.plan.opens_at_start(lane);
    if is_late || is_gone && !state.model.is_over() {
        state.model.set_apart(lane);
        return Ok(());
    }
    if state.model.is_over() && !state.model.is_owed(lane) {
        if state.plan.dialect.is_loss_silent()
            && let Some(finding) = timeout::first_sign(state, lane)
        {
            return Err(finding.into());
        }
        if matches!(state.waiting, Some((Wait::Forfeit, _))) {
            // The referee has noticed: what is left has to end soon.
            state.progress();
        }
        if close == Close::Reset {
            let requirement = state.id(Role::Close);
            let seen = "a lane was reset after the end of the game";
            state.choice(requirement, seen.to_owned());
        }
        return Ok(());
    }
    // A line that may lose the game does not excuse a crash, which shows later than the end of a lane.
    let may_crash = state.model.undecided().is_some_and(|open| open.may_lose);
    if state.pending.is_none() && (may_crash || state.model.explain_end().is_none()) {
        state.await_aftermath(Pending::Ended { lane });
    }
    Ok(())
}

/// Returns true if lanes that seemed to close in mid-game closed after the end of the game, as another lane
/// has shown since.
pub(super) fn was_right_to_close(state: &State) -> bool {
    let owes_nothing =
        |lane: usize| state.lanes[lane].ended.is_none() || !state.model.is_owed(lane);
    state.model.is_over() && (0..state.lanes.len()).all(owes_nothing)
}

/// Ends the game, once nothing more can come.
pub(super) fn finish(state: &mut State) {
    judge_late_spectators(state);
    state.finish();
}

/// Says what spectators that joined late have received: the specification leaves it open.
fn judge_late_spectators(state: &mut State) {
    let plan = Arc::clone(&state.plan);
    let late = (0..state.lanes.len()).filter(|&lane| !plan.opens_at_start(lane));
    for lane in late {
        if !state.lanes[lane].is_open {
            continue;
        }
        let (whole, greeting) = state.model.whole_stream(Party::Spectator);
        let whole: Vec<&[u8]> = whole.iter().map(|told| told.line.as_slice()).collect();
        let received: Vec<&[u8]> = (0..state.lanes[lane].entries.len())
            .map(|entry| state.lanes[lane].text(entry))
            .collect();
        let requirement = state.id(Role::LateSpectator);
        let name = state.lane_name(lane);
        let tail = received
            .strip_prefix(&whole[..greeting])
            .unwrap_or(&received);
        let (shown, seen) = if received.is_empty() {
            (LateSpectator::Nothing, "nothing")
        } else if received == whole {
            (LateSpectator::Whole, "everything from the first line")
        } else if whole.ends_with(tail) {
            (LateSpectator::FromNow, "what happened from then on")
        } else {
            (
                LateSpectator::Unknown,
                "what is no end of the game's stream",
            )
        };
        let declared = state.settings.late_spectator;
        let is_known = shown != LateSpectator::Unknown;
        let is_declared = declared != LateSpectator::Unknown;
        // Where nobody has said what is left out, a missing beginning may as well have been lost, which matters where the scenario is about
        // that.
        let is_enough = shown == LateSpectator::Whole || !plan.checks.contains(&requirement);
        let title = format!("{name} joined late and received {seen}");
        if is_known && (shown == declared || !is_declared && is_enough) {
            state.choice(requirement, title);
            continue;
        }
        let mut finding = match is_declared {
            true => {
                let declared = declared.word();
                let title = format!("{title}, and `late-spectator: {declared}` is declared");
                Finding::new(Verdict::Fail, title)
            }
            false => {
                let title = format!("{title}: nothing says whether that is meant");
                let word = if is_known { shown.word() } else { "whole" };
                Finding::new(Verdict::Inconclusive, title).noted(format!(
                    "say what this referee shows to a late spectator, and it is judged: `late-spectator: {word}` in \
                     urtext.yaml, or --set late-spectator={word}"))
            }
        };
        // Under load it may have been let in later than we waited.
        (finding.by_silence, finding.needs_setting) = (is_declared, !is_declared);
        finding.requirement = Some(requirement);
        state.findings.push(finding);
    }
}
