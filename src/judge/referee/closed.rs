//! Lanes that a referee under test closes.

use super::super::finding_context::lane_name;
use super::super::state::State;
use super::super::wait::{Pending, Wait};
use super::super::{diagnosis, timeout};
use crate::protocol::Party;
use crate::requirement::Role;
use crate::transcript::Close;

/// The referee ended its direction of a lane.
pub(super) fn lane(state: &mut State, lane: usize, close: Close) {
    if state.seen.lanes[lane].has_left {
        return;
    }
    // To a player who sends nothing any more, and to a spectator who came late, nothing is owed.
    let is_gone = matches!(state.seen.model.party(lane), Some(Party::Player(seat)) if state.seen.model.is_gone(seat));
    let is_late = !state.seen.plan.opens_at_start(lane);
    if is_late || is_gone && !state.seen.model.is_over() {
        return state.seen.model.set_apart(lane);
    }
    let owes = state.seen.model.missing(lane);
    if state.seen.model.is_over() && owes.is_none() {
        if diagnosis::is_loss_silent(&state.seen)
            && let Some(finding) = timeout::first_sign(&mut state.seen, lane)
        {
            return state.fail(finding);
        }
        if matches!(state.waits.current, Some((Wait::Forfeit, _))) {
            // The referee has noticed: what is left has to end soon.
            state.progress();
        }
        if close == Close::Reset {
            let requirement = state.seen.plan.dialect.id(Role::Close);
            let seen = format!(
                "the lane of {} was reset after the end of the game",
                lane_name(&state.seen, lane)
            );
            state.choice(requirement, seen);
        }
        return;
    }
    if state.waits.pending.is_some() {
        return;
    }
    // A line that may lose the game does not excuse a crash, which shows later than the end of a lane.
    let model = &mut state.seen.model;
    if model.undecided().is_none_or(|open| !open.may_lose) && model.explain_end().is_some() {
        return;
    }
    state.await_aftermath(Pending::Ended { lane, close });
}

/// Returns true if lanes that seemed to close in mid-game closed after the end of the game, as another lane
/// has shown since.
pub(super) fn was_right_to_close(state: &State) -> bool {
    let owes_nothing = |lane: usize| {
        state.seen.lanes[lane].ended.is_none() || state.seen.model.missing(lane).is_none()
    };
    state.seen.model.is_over() && (0..state.seen.lanes.len()).all(owes_nothing)
}
