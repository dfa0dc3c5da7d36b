//! Findings about a bot: wrong lines, answers that are late or missing, and ends that come too early or not at all.

use std::time::Duration;

use super::super::attribution::{framing, suppose};
use super::super::breakdown::{ended_as_told, never_spoke};
use super::super::finding_context::{
    due_move, finding, line_text, seconds, silence, tails, timing, without_timeout,
};
use super::super::state::State;
use crate::diagnostic::visible::quoted;
use crate::finding::{Finding, LaneText, LaneView, Reaction, Verdict};
use crate::protocol::{GameEvent, Line, LineEnding, PlayerLine};
use crate::requirement::Role;
use crate::rules::{Move, Table};
use crate::transcript::Direction;

/// The bot ended while the game went on.
pub(in crate::judge) fn ended(seen: &State) -> Finding {
    let title = "the bot ended in mid-game";
    let came = "the end of the stream".into();
    let mut finding = unanswered_by(seen, Role::BotAnswers, title, came, Reaction::End);
    let is_own_move_last = matches!(seen.model.history().last(), Some(&GameEvent::Moved { by, .. }) if by == seen.plan.bot_seat);
    // Its own move has come back to it, and nothing else.
    let mistaken = seen.find_id(Role::BotConfirmation);
    if let Some(mistaken) = mistaken.filter(|_| is_own_move_last) {
        finding.requirement = Some(mistaken);
        finding = finding.noted("the last that it was told is its own move, as a confirmation");
    }
    finding
}

/// The bot did not answer.
pub(super) fn silent(seen: &State) -> Finding {
    let waited = seen.now.saturating_sub(seen.clock.rolled_at);
    let role = match seen.checks(seen.id(Role::BotAnswers)) {
        true => Role::BotAnswers,
        false => Role::BotWithinTimeout,
    };
    let title = "the bot did not answer";
    let mut finding = unanswered_by(seen, role, title, silence(waited), Reaction::Nothing);
    finding.by_silence = true;
    match seen.processes.1.is_stopped {
        true => {
            finding.noted("its process was stopped by a signal (SIGSTOP, SIGTSTP) or a debugger")
        }
        false => finding,
    }
}

/// No answer came. What the bot sent and was ignored, and half a line that was sent to it, are the reason before all others: no mistake in
/// the rules is. What decides whose turn it is comes next, where the scenario is about that.
fn unanswered_by(
    seen: &State,
    usual: Role,
    title: impl Into<String>,
    came: LaneText,
    reaction: Reaction,
) -> Finding {
    let in_vain = seen.ignored.as_ref();
    let ignored = in_vain.map(|(breaks, _)| *breaks);
    let turn = seen.model.table().and_then(Table::turn_ground);
    let turn = turn.filter(|turn| reaction == Reaction::Nothing && seen.checks(turn));
    let reasons = framing(seen).or(ignored).or(turn);
    let requirement = reasons.unwrap_or(seen.id(usual));
    let mut finding = on_lane(seen, requirement, title, due(seen), came);
    if in_vain.is_none() {
        suppose(seen, &mut finding, 0, reaction);
    }
    finding.notes.extend(in_vain.map(|(_, sent)| sent.clone()));
    finding
}

/// What is due from the bot, in words.
fn due(seen: &State) -> String {
    let is_on_turn = seen.model.awaits_move_of() == Some(seen.plan.bot_seat);
    let due = due_move(seen).filter(|_| is_on_turn);
    due.unwrap_or_else(|| "silence in the opponent's turn".to_owned())
}

/// The time for an answer is over, and the bot is still computing it.
pub(super) fn computes(seen: &State, allowed: Duration, is_known: bool) -> Finding {
    let waited = seconds(allowed);
    let title = format!("the bot had not answered after {waited}, and was still computing");
    let nothing = format!("nothing for {waited}, while it used processor time");
    let within = seen.id(Role::BotWithinTimeout);
    let mut finding = on_lane(seen, within, title, "a move", nothing);
    finding.by_silence = is_known;
    match is_known {
        true => finding,
        false => without_timeout(finding, Verdict::Inconclusive),
    }
}

/// The processes that hold the bot's standard output open although the bot has ended.
pub(super) fn left_behind(seen: &State) -> String {
    let started = seen.processes.1.started.iter();
    let names = started.map(|name| quoted(name.as_bytes()).at_most(40).to_string());
    let names = names.collect::<Vec<_>>().join(", ");
    let named = if names.is_empty() { "" } else { ": " };
    format!(
        "the bot ended, and a process that it has started keeps its standard output open{named}{names}"
    )
}

/// The bot answered, and too late.
pub(super) fn late(seen: &State, line: &Line, late: Duration) -> Finding {
    let within = seen.id(Role::BotWithinTimeout);
    let title = format!("the bot answered {} too late", seconds(late));
    let mut finding = on_lane(seen, within, title, "a move in time", shown(line));
    finding.by_silence = true;
    finding
}

/// The bot did not answer; what came after its input was closed tells more.
pub(in crate::judge) fn unanswered(seen: &State, heard: usize, has_exited: bool) -> Finding {
    let late: Vec<_> = seen.lanes[0].lines(Direction::Sent).skip(heard).collect();
    let unfinished = &seen.lanes[0].unfinished;
    match late.as_slice() {
        [] if !unfinished.is_empty() => {
            let line = Line {
                text: unfinished.clone(),
                ending: LineEnding::Missing,
            };
            no_line(seen, &line)
        }
        [] if seen.heard.anything && has_exited => ended(seen),
        [] if seen.heard.anything => silent(seen),
        [] if !has_exited && (seen.lanes[0].reader_closed || seen.processes.1.is_stopped) => {
            silent(seen)
        }
        [] => mute(seen, has_exited),
        [.., line] if line.ending != LineEnding::Newline => no_line(seen, line),
        [line, ..] => silent(seen).noted(format!(
            "{} came when its input was closed: does it flush its output after each line?",
            quoted(&line.text).at_most(60)
        )),
    }
}

/// The bot sent nothing, with what it was sent.
pub(in crate::judge) fn mute(seen: &State, has_ended: bool) -> Finding {
    let mut finding = never_spoke(seen, has_ended);
    if seen.lanes[0].lines(Direction::Received).next().is_some() {
        finding.tails = tails(seen);
        let seat = seen.plan.dialect.game().seat_name(seen.plan.bot_seat);
        let due = due(seen);
        finding = finding.noted(format!(
            "by the lines that it received, it plays {seat}, and has to send {due}"
        ));
    }
    let reaction = match has_ended {
        true => Reaction::End,
        false => Reaction::Nothing,
    };
    suppose(seen, &mut finding, 0, reaction);
    // It had not ended when its input was closed, so that is not why it said nothing.
    let ended = seen.exited.as_ref().filter(|_| !has_ended);
    let ended = ended.map(|(status, _)| ended_as_told("bot", status));
    finding.notes.extend(ended);
    finding
}

/// The bot did not end although it should have.
pub(super) fn stays(seen: &State, requirement: &'static str, after: &str) -> Finding {
    let title = format!("the bot was still there after {after}");
    timing(seen, Some(requirement), title)
}

/// A finding about the bot's lane: what was expected there, and what came.
fn on_lane(
    seen: &State,
    requirement: &'static str,
    title: impl Into<String>,
    expected: impl Into<LaneText>,
    received: impl Into<LaneText>,
) -> Finding {
    let received = received.into();
    let is_missing = !matches!(received, LaneText::Line(_));
    let sent = seen.lanes[0].lines(Direction::Sent).count() as u64;
    let number = sent + u64::from(is_missing);
    Finding {
        lanes: vec![LaneView::new("the bot", number, expected, received)],
        ..finding(seen, Some(requirement), title)
    }
}

fn shown(line: &Line) -> LaneText {
    line_text(&line.text, line.ending)
}

/// The bot sent something that is no whole line.
pub(super) fn no_line(seen: &State, line: &Line) -> Finding {
    let title = "the bot sent a line that does not end with a newline";
    let due = "a line that ends with a newline";
    on_lane(seen, seen.id(Role::BotNewline), title, due, shown(line))
}

/// The bot sent a line while it had nothing to say.
pub(super) fn off_turn(seen: &State, line: &Line) -> Finding {
    let seat = seen.plan.bot_seat;
    let own = |happening: &&GameEvent| happening.by() == seat;
    let history = seen.model.history();
    // It answers what it has been told, not what is still on its way.
    let is_told_all = seen.in_flight == 0;
    let known = if is_told_all {
        history
    } else {
        &history[..seen.known_to_bot]
    };
    let last = known.iter().rev().find(own).copied();
    let off_turn = "the bot sent a line while it was not its turn";
    // A move may be the answer to a turn that was skipped before.
    let is_skipped = matches!(last, Some(GameEvent::Rolled { skipped: true, .. }));
    let may_answer = is_skipped && said(seen, line).is_some();
    let is_after_end = seen.model.is_over() && is_told_all && !may_answer;
    let has_other_seat =
        last.is_none() && said(seen, line).is_some() && is_others_answer(seen, known);
    let (mut requirement, mut title) = match last {
        None if has_other_seat => (seen.id(Role::BotOwnSeat), off_turn),
        Some(GameEvent::Rolled { skipped: true, .. }) if !is_after_end => (
            seen.id(Role::BotSilentWhenSkipped),
            "the bot sent a line although its turn was skipped",
        ),
        Some(GameEvent::Moved { .. }) => (
            seen.id(Role::BotAnswers),
            "the bot sent a second line for one turn",
        ),
        _ => (seen.id(Role::BotSilentOffTurn), off_turn),
    };
    if is_after_end {
        title = "the bot sent a line after the end of the game";
    }
    // A line that answers a skipped turn can be taken for the next turn's answer; then the true answer is one too many.
    let was_skipped = known.iter().any(
        |happening| matches!(happening, GameEvent::Rolled { by, skipped: true, .. } if *by == seat),
    );
    let mut notes = Vec::new();
    if was_skipped && requirement == seen.id(Role::BotAnswers) {
        notes.push(
            "an earlier turn of the bot was skipped; the surplus line may belong to that turn"
                .to_owned(),
        );
        if seen.checks(seen.id(Role::BotSilentWhenSkipped)) {
            requirement = seen.id(Role::BotSilentWhenSkipped);
        }
    }
    // The line before may have come whole.
    if let Some(framing) = framing(seen).filter(|_| !is_told_all) {
        requirement = framing;
        notes.push("the newline of the line before was not sent yet".to_owned());
    }
    let mut finding = on_lane(seen, requirement, title, LaneText::Nothing, shown(line));
    if has_other_seat && !is_after_end {
        finding.infer("the bot behaves as if it had the other seat".to_owned());
    }
    if is_told_all {
        let reaction = Reaction::Answer(said(seen, line));
        suppose(seen, &mut finding, 0, reaction);
    }
    finding.notes = notes;
    finding
}

/// Returns true if the last roll was the opponent's, and the opponent could move.
fn is_others_answer(seen: &State, history: &[GameEvent]) -> bool {
    let roll = history
        .iter()
        .rev()
        .find(|happening| matches!(happening, GameEvent::Rolled { .. }));
    matches!(roll, Some(&GameEvent::Rolled { by, skipped: false, .. }) if by != seen.plan.bot_seat)
}

/// The move that a line names.
fn said(seen: &State, line: &Line) -> Option<Move> {
    let said = seen.plan.dialect.read_player_line(&line.text);
    said.possible_move()
}

/// The bot sent something that is no legal move.
pub(super) fn illegal(seen: &State, line: &Line, mv: Option<Move>, legal: &[Move]) -> Finding {
    let refusal = mv.and_then(|mv| seen.model.table().and_then(|table| table.check(mv).err()));
    let misread = mv.and_then(|mv| seen.plan.dialect.misread_move(mv));
    let misread =
        misread.filter(|(meant, id, _)| seen.plan.checks.contains(id) && legal.contains(meant));
    let title = match refusal {
        Some(refusal) => format!("the bot sent an illegal move: {}", refusal.reason),
        None => "the bot sent a line that is no move".to_owned(),
    };
    let requirement = match (mv, misread) {
        (None, _) => seen.plan.dialect.bot_line_requirement(&line.text),
        (_, Some((_, id, _))) => id,
        _ => seen.id(Role::BotLegal),
    };
    let mut finding = on_lane(seen, requirement, title, due(seen), shown(line));
    if let Some((.., summary)) = misread.filter(|_| refusal.is_some()) {
        finding.infer(format!("the bot behaves as if {summary}"));
    }
    if misread.is_none() {
        // A number beyond the last one is a move to whoever counts otherwise.
        let number = str::from_utf8(&line.text)
            .ok()
            .and_then(|text| text.parse().ok());
        let reaction = match (mv, number) {
            (None, Some(number)) => Reaction::Number(Move(number)),
            _ => Reaction::Answer(mv),
        };
        suppose(seen, &mut finding, 0, reaction);
    }
    let retires = refusal.map(|refusal| format!("a referee retires it by {}", refusal.requirement));
    finding.notes.extend(retires);
    finding
}

/// The bot sent a number in a form that a referee may refuse.
pub(super) fn open_form(seen: &State, line: &Line) -> Finding {
    let requirement = seen.plan.dialect.bot_line_requirement(&line.text);
    let plain = said(seen, line).map(|mv| seen.plan.dialect.write_move(mv));
    let due = match plain {
        Some(plain) => LaneText::Line(plain),
        None => seen.plan.dialect.game().data().move_syntax.into(),
    };
    let title = "the bot sent a move in a form that a referee may refuse";
    on_lane(seen, requirement, title, due, shown(line))
}

/// Returns the requirement that an off-turn line of the bot breaks if it was meant as an answer: the bot
/// mistakes its seat, or the first player.
pub(super) fn mistaken_turn(seen: &State, said: PlayerLine) -> &'static str {
    let is_others_move = |mv: Move| {
        seen.model
            .table()
            .is_some_and(|table| table.check(mv).is_ok())
    };
    match said.possible_move() {
        Some(mv) if is_others_move(mv) => seen.id(Role::BotOwnSeat),
        Some(_) if seen.model.history().is_empty() => seen.id(Role::FirstTurn),
        _ => seen.id(Role::BotAnswers),
    }
}
