//! Lines of a bot under test.

use super::super::finding_context;
use super::super::state::State;
use super::{LANE, wrong_line};
use crate::diagnostic::visible::quoted;
use crate::finding::{Finding, Verdict};
use crate::protocol::{Answered, Line, LineEnding, OffTurn, PlayerLine};
use crate::requirement::Role;
use crate::rules::{Move, Table};
use crate::scenario::{Choice, Deed};

/// Returns true for a line that the dialect ignores; the game then goes on as if the line had not arrived.
pub(super) fn is_in_vain(state: &mut State, line: &Line) -> bool {
    let dialect = state.seen.plan.dialect;
    if line.ending != LineEnding::Newline || state.seen.lanes[LANE].ended.is_some() {
        return false;
    }
    let is_on_turn = state.seen.bot.unwritten == 0
        && state.seen.model.awaits_move_of() == Some(state.seen.plan.bot_seat);
    let said = dialect.read_player_line(&line.text);
    let breaks = match (is_on_turn, said, dialect.off_turn()) {
        (true, PlayerLine::Ignored(_), _) => dialect.bot_line_requirement(&line.text),
        (true, ..) | (false, _, OffTurn::Open(_)) => return false,
        (false, said, OffTurn::Ignored(_)) => wrong_line::mistaken_turn(&state.seen, said),
    };
    let entry = state.seen.lanes[LANE].entries.len() - 1;
    state.seen.lanes[LANE].open_lines.push(entry);
    let shown = quoted(&line.text).at_most(60).to_string();
    let when = if is_on_turn { "" } else { " off turn" };
    let allowed = if is_on_turn {
        dialect.find_id(Role::BotIgnoredLines)
    } else {
        Some(dialect.id(Role::BotSilentOffTurn))
    };
    let is_no_move = said.possible_move().is_none();
    if let Some(requirement) = allowed.filter(|_| is_no_move) {
        state.choice(
            requirement,
            format!("the bot sends lines{when} that are ignored"),
        );
    }
    state.seen.bot.in_vain = Some((
        breaks,
        format!("the bot sent {shown}{when}, which is ignored"),
    ));
    true
}

/// A line came from the bot.
pub(super) fn answer(state: &mut State, line: &Line) {
    if line.ending != LineEnding::Newline {
        let finding = wrong_line::no_line(&state.seen, line);
        return state.fail(finding);
    }
    let seat = state.seen.plan.bot_seat;
    // A line that came before the roll was written does not answer it.
    if state.seen.model.awaits_move_of() != Some(seat)
        || state.seen.bot.has_hung_up
        || state.seen.bot.unwritten > 0
    {
        let finding = wrong_line::off_turn(&state.seen, line);
        return state.fail(finding);
    }
    let said = state.seen.plan.dialect.read_player_line(&line.text);
    let mv = match said {
        PlayerLine::Move(mv) => Some(mv),
        // What a referee makes of it is open, and so it is not for a bot to send.
        PlayerLine::Open(..) => {
            let finding = wrong_line::open_form(&state.seen, line);
            return state.fail(finding);
        }
        PlayerLine::Invalid(_) | PlayerLine::Ignored(_) => None,
    };
    let legal = state
        .seen
        .model
        .table()
        .map(Table::legal_moves)
        .unwrap_or_default();
    let Some(mv) = mv.filter(|mv| legal.contains(mv)) else {
        let finding = wrong_line::illegal(&state.seen, line, mv, &legal);
        return state.fail(finding);
    };
    if let Err(finding) = choose(state, mv) {
        return state.fail(*finding);
    }
    state.seen.bot.in_vain = None;
    state.seen.progress.awaits_step = true;
    state.narrate(seat, mv);
    let canonical = state.seen.plan.dialect.write_move(mv);
    let answered = state.seen.model.said(seat, &canonical);
    debug_assert_eq!(answered, Answered::Moved(mv));
    state.seen.bot.known = state.seen.model.history().len();
}

/// Compares the bot's choice with what the scenario goes on with.
fn choose(state: &mut State, mv: Move) -> Result<(), Box<Finding>> {
    let lines_sent = state.seen.lanes[LANE].entries.len() - 1;
    let game = state.seen.plan.dialect.game();
    let other = |state: &State, title: String| {
        // With the board: the game would go on, and the scenario cannot.
        let mut finding = finding_context::finding(&state.seen, None, title);
        let board = || {
            state
                .seen
                .model
                .table()
                .map(|table| (finding_context::when(&state.seen), table.draw()))
        };
        finding.board = finding.board.or_else(board);
        finding.verdict = Verdict::Inconclusive;
        Err(Box::new(finding))
    };
    match state.seen.turn().map(|turn| turn.deed) {
        Some(Deed::Move(Choice::This(wanted))) if wanted != mv => {
            let (wanted, mv) = (game.format_move(wanted), game.format_move(mv));
            other(
                state,
                format!("the bot chose {mv}, and the scenario goes on only after {wanted}"),
            )
        }
        Some(Deed::Move(Choice::Any { name, except })) => {
            if except
                .as_ref()
                .is_some_and(|except| state.seen.chooser.called.get(except) == Some(&mv))
            {
                let except = except.unwrap_or_default();
                return other(
                    state,
                    format!(
                        "the bot chose {} again, which the scenario excludes as `{except}`",
                        game.format_move(mv)
                    ),
                );
            }
            state
                .seen
                .chooser
                .called
                .extend(name.map(|name| (name, mv)));
            state.seen.lanes[LANE].free_lines.push(lines_sent);
            Ok(())
        }
        None => {
            state.seen.lanes[LANE].free_lines.push(lines_sent);
            Ok(())
        }
        Some(_) => Ok(()),
    }
}
