//! Turns of the opponent of a bot under test.

use super::super::finding_context::misfit;
use super::super::state::State;
use crate::protocol::Cause;
use crate::rules::Seat;
use crate::scenario::{PlayerAction, SendPart, Wrong};

/// Plays the opponent's turn.
pub(super) fn play(state: &mut State, seat: Seat) {
    let dialect = state.seen.plan.dialect;
    let action = state.seen.action();
    state.seen.progress.awaits_step = true;
    match action {
        PlayerAction::Skip => unreachable!("a skipped turn awaits no move"),
        PlayerAction::Move(choice) => match state.chosen(choice) {
            Ok(Some(mv)) => drop(state.seen.model.said(seat, &dialect.write_move(mv))),
            // Without rolls no turn is skipped: a player that cannot move loses by the timeout.
            Ok(None) => state.seen.model.forfeit(seat, Cause::Timeout),
            Err(finding) => state.fail(*finding),
        },
        PlayerAction::Illegal(ref line) | PlayerAction::Ignored(ref line) => {
            let answered = state.seen.model.said(seat, line);
            if let Err(wrong) = Wrong::check_line(&action, answered) {
                let finding = misfit(&state.seen, wrong);
                state.fail(*finding);
            }
        }
        // What makes no move is as good as silence, and the bot cannot see how long that was.
        PlayerAction::Send(parts) => {
            for line in SendPart::lines(&parts).0 {
                state.seen.model.said(seat, &line);
            }
            if state.seen.model.awaits_move_of() == Some(seat) {
                state.seen.model.forfeit(seat, Cause::Timeout);
            }
        }
        PlayerAction::Leave(_) => state.seen.model.forfeit(seat, Cause::HangUp),
        // The bot cannot see how long its opponent was silent.
        PlayerAction::Silent => state.seen.model.forfeit(seat, Cause::Timeout),
    }
}
