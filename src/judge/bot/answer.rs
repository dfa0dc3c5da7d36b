//! Lines of a bot under test, and turns of its opponent.

use super::super::finding_context;
use super::super::state::State;
use super::super::watch::Played;
use super::{LANE, finding};
use crate::diagnostic::visible::quoted;
use crate::finding::{Finding, Verdict};
use crate::protocol::{Answered, Cause, Line, LineEnding, OffTurn, PlayerLine};
use crate::requirement::Role;
use crate::rules::{Seat, Table};
use crate::scenario::{Deed, SendPart, Wrong};

/// Returns true for a line that the dialect ignores; the game then goes on as if the line had not arrived.
pub(super) fn is_in_vain(state: &mut State, line: &Line) -> bool {
    let dialect = state.plan.dialect;
    if line.ending != LineEnding::Newline || state.lanes[LANE].ended.is_some() {
        return false;
    }
    let is_on_turn =
        state.in_flight == 0 && state.model.awaits_move_of() == Some(state.plan.bot_seat);
    let said = dialect.read_player_line(&line.text);
    let breaks = match (is_on_turn, said, dialect.off_turn()) {
        (true, PlayerLine::Ignored(_), _) => dialect.bot_line_requirement(&line.text),
        (true, ..) | (false, _, OffTurn::Open(_)) => return false,
        (false, said, OffTurn::Ignored(_)) => finding::mistaken_turn(state, said),
    };
    let entry = state.lanes[LANE].entries.len() - 1;
    state.lanes[LANE].open_lines.push(entry);
    let shown = quoted(&line.text).at_most(60).to_string();
    let when = if is_on_turn { "" } else { " off turn" };
    let allowed = if is_on_turn {
        state.find_id(Role::BotIgnoredLines)
    } else {
        Some(state.id(Role::BotSilentOffTurn))
    };
    let is_no_move = said.possible_move().is_none();
    if let Some(requirement) = allowed.filter(|_| is_no_move) {
        state.choice(
            requirement,
            format!("the bot sends lines{when} that are ignored"),
        );
    }
    state.ignored = Some((
        breaks,
        format!("the bot sent {shown}{when}, which is ignored"),
    ));
    true
}

/// A line came from the bot.
///
/// # Errors
/// A finding about the line, or a move after which the scenario does not go on.
pub(super) fn answer(state: &mut State, line: &Line) -> Played {
    if line.ending != LineEnding::Newline {
        return Err(finding::no_line(state, line).into());
    }
    let seat = state.plan.bot_seat;
    // A line that came before the roll was written does not answer it.
    if state.model.awaits_move_of() != Some(seat) || state.in_flight > 0 {
        return Err(finding::off_turn(state, line).into());
    }
    let said = state.plan.dialect.read_player_line(&line.text);
    let mv = match said {
        PlayerLine::Move(mv) => Some(mv),
        // What a referee makes of it is open, and so it is not for a bot to send.
        PlayerLine::Open(..) => return Err(finding::open_form(state, line).into()),
        PlayerLine::Invalid(_) | PlayerLine::Ignored(_) => None,
    };
    let legal = state
        .model
        .table()
        .map(Table::legal_moves)
        .unwrap_or_default();
    let Some(mv) = mv.filter(|mv| legal.contains(mv)) else {
        return Err(finding::illegal(state, line, mv, &legal).into());
    };
    // urtext has nothing more to say; the bot answers the last line.
    if state.has_hung_up {
        let line = state.lanes[LANE].entries.len() - 1;
        state.lanes[LANE].open_lines.push(line);
        return Ok(());
    }
    match state.course.take_choice(mv) {
        Ok(true) => {
            let line = state.lanes[LANE].entries.len() - 1;
            state.lanes[LANE].free_lines.push(line);
        }
        Ok(false) => {}
        // With the board: the game would go on, and the scenario cannot.
        Err(title) => {
            let finding = Finding {
                verdict: Verdict::Inconclusive,
                board: finding_context::board(state),
                ..finding_context::finding(state, None, title)
            };
            return Err(finding.into());
        }
    }
    state.ignored = None;
    state.progress.awaits_step = true;
    let canonical = state.plan.dialect.write_move(mv);
    let answered = state.model.said(seat, &canonical);
    debug_assert_eq!(answered, Answered::Moved(mv));
    state.known_to_bot = state.model.history().len();
    Ok(())
}

/// Plays the opponent's turn.
///
/// # Errors
/// A finding where the scenario's turn does not fit the game.
pub(super) fn play_opponent(state: &mut State, seat: Seat) -> Played {
    let deed = state.course.deed();
    state.progress.awaits_step = true;
    let parts = state.own_turn()?;
    for line in SendPart::lines(&parts).0 {
        let answered = state.model.said(seat, &line);
        Wrong::check_line(&deed, answered).map_err(|wrong| state.misfit(wrong))?;
    }
    let leaves = SendPart::leaving(&parts).is_some();
    let has_played = match deed {
        Deed::Send(_) | Deed::SendMove(..) => state.model.awaits_move_of() != Some(seat),
        _ => !leaves && !parts.is_empty(),
    };
    // What makes no move is as good as silence, and the bot cannot see how long that was.
    if !has_played {
        let cause = if leaves {
            Cause::HangUp
        } else {
            Cause::Timeout
        };
        state.model.forfeit(seat, cause);
    }
    Ok(())
}
