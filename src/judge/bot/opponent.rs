//! Turns of the opponent of a bot under test.

use super::super::finding_context::never;
use super::super::state::State;
use crate::protocol::{Answered, Cause};
use crate::rules::Seat;
use crate::scenario::{PlayerAction, SendPart};

/// Plays the opponent's turn.
pub(super) fn play(state: &mut State, seat: Seat) {
    let dialect = state.seen.plan.dialect;
    let action = state.seen.action();
    state.seen.progress.awaits_step = true;
    let answered = match action {
        PlayerAction::Skip => unreachable!("a skipped turn awaits no move"),
        // The bot receives nothing for an ignored line.
        PlayerAction::Ignored(line) => {
            state.seen.model.said(seat, &line);
            return;
        }
        PlayerAction::Move(choice) => match state.chosen(choice) {
            Ok(Some(mv)) => state.seen.model.said(seat, &dialect.write_move(mv)),
            // Without rolls no turn is skipped: a player that cannot move loses by the timeout.
            Ok(None) => return state.seen.model.forfeit(seat, Cause::Timeout),
            Err(finding) => return state.fail(*finding),
        },
        PlayerAction::Illegal(line) => match state.seen.model.said(seat, &line) {
            Answered::Moved(_) => Answered::Ignored(""),
            answered => answered,
        },
        // What makes no move is as good as silence, and the bot cannot see how long that was.
        PlayerAction::Send(parts) => {
            for line in SendPart::lines(&parts).0 {
                state.seen.model.said(seat, &line);
            }
            if state.seen.model.awaits_move_of() == Some(seat) {
                state.seen.model.forfeit(seat, Cause::Timeout);
            }
            return;
        }
        PlayerAction::Leave(_) => {
            state.seen.model.forfeit(seat, Cause::HangUp);
            return;
        }
        // The bot cannot see how long its opponent was silent.
        PlayerAction::Silent => {
            state.seen.model.forfeit(seat, Cause::Timeout);
            return;
        }
    };
    if matches!(answered, Answered::Open(..) | Answered::Ignored(_)) {
        let title = "as the game went, this line does not lose the game here";
        let finding = never(&state.seen, title);
        state.fail(finding);
    }
}
