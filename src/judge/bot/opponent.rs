//! Turns of the opponent of a bot under test.

use super::super::finding_context::misfit;
use super::super::state::State;
use crate::protocol::Cause;
use crate::rules::Seat;
use crate::scenario::{Deed, SendPart, Wrong};

/// Plays the opponent's turn.
pub(super) fn play(state: &mut State, seat: Seat) {
    let dialect = state.seen.plan.dialect;
    let deed = state.seen.deed();
    state.seen.progress.awaits_step = true;
    match deed {
        Deed::Skip => unreachable!("a skipped turn awaits no move"),
        Deed::Refused(_) | Deed::SendMove(..) | Deed::Join | Deed::Read(_) => {
            unreachable!("the turn was made up for the position")
        }
        Deed::Move(choice) => match state.chosen(choice) {
            Ok(Some(mv)) => drop(state.seen.model.said(seat, &dialect.write_move(mv))),
            // Without rolls no turn is skipped: a player that cannot move loses by the timeout.
            Ok(None) => state.seen.model.forfeit(seat, Cause::Timeout),
            Err(finding) => state.fail(*finding),
        },
        Deed::Illegal(ref line) | Deed::Ignored(ref line) => {
            let answered = state.seen.model.said(seat, line);
            if let Err(wrong) = Wrong::check_line(&deed, answered) {
                let finding = misfit(&state.seen, wrong);
                state.fail(*finding);
            }
        }
        // What makes no move is as good as silence, and the bot cannot see how long that was.
        Deed::Send(parts) => {
            for line in SendPart::lines(&parts).0 {
                state.seen.model.said(seat, &line);
            }
            if state.seen.model.awaits_move_of() == Some(seat) {
                state.seen.model.forfeit(seat, Cause::Timeout);
            }
        }
        Deed::Leave(_) => state.seen.model.forfeit(seat, Cause::HangUp),
        // The bot cannot see how long its opponent was silent.
        Deed::Silent => state.seen.model.forfeit(seat, Cause::Timeout),
    }
}
