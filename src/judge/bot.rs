//! A bot under test: urtext plays the referee and the opponent.

use std::time::Duration;

use super::action::Command;
use super::bot_causes;
use super::causes;
use super::finding_context;
use super::slack::patience;
use super::state::{Settling, State};
use super::wait::{Pending, Wait};
use crate::event::{Event, Finding, Verdict, What};
use crate::protocol::{Answered, Cause, GameEvent, Line, LineEnding, OffTurn, PlayerLine};
use crate::requirement::Role;
use crate::rules::{Roll, Seat};
use crate::scenario::{Choice, PlayerAction, SendPart, StepKind};
use crate::transcript::{Close, Direction, Entry};

/// Pause in sending that shows the bot's interpretation of a line. Longer than the time between two samples
/// of its processes.
const PAUSE: Duration = Duration::from_millis(250);

/// The one lane of the game.
const LANE: usize = 0;

pub(super) fn take(state: &mut State, event: &Event) {
    state.note(event);
    if state.results.is_finished {
        return;
    }
    match &event.what {
        // What comes after the answer is overdue is judged with it.
        What::Line {
            direction: Direction::Sent,
            ..
        } if state.waits.pending.is_some() => {}
        What::Line {
            direction: Direction::Sent,
            line,
            ..
        } if is_in_vain(state, line) => {}
        What::Line {
            direction: Direction::Sent,
            line,
            ..
        } => {
            let late = lateness(state);
            state.progress();
            match late {
                Some(late) => {
                    let finding = bot_causes::late(&state.seen, line, late);
                    state.fail(finding);
                }
                None => answer(state, line),
            }
        }
        What::Line {
            direction: Direction::Received,
            ..
        } => {
            state.seen.bot.unwritten = state.seen.bot.unwritten.saturating_sub(1);
        }
        What::Closed {
            direction: Direction::Sent,
            close,
            ..
        } => closed(state, *close),
        What::Exited { .. } => {
            state.seen.bot.has_ended_in_time =
                state.seen.model.is_over() || state.seen.bot.has_hung_up
        }
        What::Interrupted => return state.finish(),
        _ => {}
    }
    if let Some(wait) = state.expired().filter(|_| !state.results.is_finished) {
        expired(state, wait);
    }
    if !state.results.is_finished && state.seen.lanes[LANE].is_open {
        advance(state);
    }
}

/// Returns true for a line that the dialect ignores; the game then goes on as if the line had not arrived.
fn is_in_vain(state: &mut State, line: &Line) -> bool {
    let dialect = state.seen.scenario.dialect;
    if line.ending != LineEnding::Newline || state.seen.lanes[LANE].ended.is_some() {
        return false;
    }
    let is_on_turn = state.seen.bot.unwritten == 0
        && state.seen.model.awaits_move_of() == Some(state.seen.scenario.bot_seat);
    let said = dialect.read_player_line(&line.text);
    let breaks = match (is_on_turn, said, dialect.off_turn()) {
        (true, PlayerLine::Ignored(_), _) => dialect.bot_line_requirement(&line.text),
        (true, ..) | (false, _, OffTurn::Open(_)) => return false,
        (false, said, OffTurn::Ignored(_)) => bot_causes::mistaken_turn(&state.seen, said),
    };
    let entry = state.seen.lanes[LANE].entries.len() - 1;
    state.seen.lanes[LANE].open_lines.push(entry);
    let shown = crate::diagnostic::visible::quoted(&line.text)
        .at_most(60)
        .to_string();
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
fn answer(state: &mut State, line: &Line) {
    let dialect = state.seen.scenario.dialect;
    if line.ending != LineEnding::Newline {
        let finding = bot_causes::no_line(
            &state.seen,
            dialect.id(Role::BotNewline),
            "a line that does not end with a newline",
            line,
        );
        return state.fail(finding);
    }
    let seat = state.seen.scenario.bot_seat;
    // A line that came before the roll was written does not answer it.
    if state.seen.model.awaits_move_of() != Some(seat)
        || state.seen.bot.has_hung_up
        || state.seen.bot.unwritten > 0
    {
        let finding = bot_causes::off_turn(&state.seen, line);
        return state.fail(finding);
    }
    let said = state.seen.scenario.dialect.read_player_line(&line.text);
    let mv = match said {
        PlayerLine::Move(mv) => Some(mv),
        // What a referee makes of it is open, and so it is not for a bot to send.
        PlayerLine::Open(..) => {
            let finding = bot_causes::open_form(&state.seen, line);
            return state.fail(finding);
        }
        PlayerLine::Invalid(_) | PlayerLine::Ignored(_) => None,
    };
    state.seen.sent.named = Some((seat, mv));
    let legal = state
        .seen
        .model
        .table()
        .map(crate::rules::Table::legal_moves)
        .unwrap_or_default();
    let Some(mv) = mv.filter(|mv| legal.contains(mv)) else {
        let finding = bot_causes::illegal(&state.seen, line, mv, &legal);
        return state.fail(finding);
    };
    if let Err(finding) = choose(state, mv) {
        return state.fail(*finding);
    }
    state.seen.bot.in_vain = None;
    state.turn.awaits_step = true;
    state.narrate(seat, mv);
    let canonical = state.seen.scenario.dialect.write_move(mv);
    let answered = state.seen.model.said(seat, &canonical);
    debug_assert_eq!(answered, Answered::Moved(mv));
    state.seen.bot.known = state.seen.model.history().len();
}

/// Compares the bot's choice with what the scenario goes on with.
fn choose(state: &mut State, mv: crate::rules::Move) -> Result<(), Box<Finding>> {
    let lines_sent = state.seen.lanes[LANE].entries.len() - 1;
    let game = state.seen.scenario.dialect.game();
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
    match state.seen.turn().map(|turn| turn.action) {
        Some(PlayerAction::Move(Choice::This(wanted))) if wanted != mv => {
            let (wanted, mv) = (game.format_move(wanted), game.format_move(mv));
            other(
                state,
                format!("the bot chose {mv}, and the scenario goes on only after {wanted}"),
            )
        }
        Some(PlayerAction::Move(Choice::Any { name, except })) => {
            if except
                .as_ref()
                .is_some_and(|except| state.chooser.called.get(except) == Some(&mv))
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
            state.chooser.called.extend(name.map(|name| (name, mv)));
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

fn closed(state: &mut State, close: Close) {
    let is_told_all = state.seen.bot.unwritten == 0;
    if (state.seen.bot.has_hung_up && is_told_all && state.waits.pending.is_none())
        || state.seen.model.is_over()
    {
        if close == Close::Reset {
            let requirement = state.seen.scenario.dialect.id(Role::Close);
            state.choice(
                requirement,
                "the bot reset its connection at the end".to_owned(),
            );
        }
        return;
    }
    if state.waits.pending.is_none() {
        state.waits.pending = Some(Pending::Ended { lane: LANE, close });
        after_close(state);
    }
}

/// Waits for what may follow.
fn after_close(state: &mut State) {
    state.waits.current = None;
    state.wait(
        Wait::AfterClose,
        state.seen.now + Duration::from_millis(200),
    );
}

fn expired(state: &mut State, wait: Wait) {
    state.waits.current = None;
    let dialect = state.seen.scenario.dialect;
    match wait {
        Wait::Answer => state.wait(Wait::Late, state.seen.now + state.seen.patience()),
        Wait::Pause => match pause_ends(state).filter(|ends| *ends > state.seen.now) {
            Some(ends) => state.wait(Wait::Pause, ends),
            None => state.turn.settling = Settling::Over,
        },
        Wait::Late if state.seen.processes.is_computing() => still_computing(state),
        Wait::Late | Wait::Handshake | Wait::Timeout | Wait::Quiet => {
            // What it has written and not ended, or not flushed, comes when it sees the end of its input.
            let sent = |entry: &&Entry| entry.direction == Direction::Sent;
            let heard = state.seen.lanes[LANE].entries.iter().filter(sent).count();
            let (has_exited, evidence) = (
                state.seen.exited.is_some(),
                finding_context::asleep(&state.seen),
            );
            state.waits.pending = Some(Pending::Unanswered {
                heard,
                has_exited,
                evidence,
            });
            state.results.commands.push(Command::Close { lane: LANE });
            after_close(state);
        }
        Wait::Close | Wait::Forfeit => {
            let is_lost = matches!(
                state.seen.model.history().last(),
                Some(GameEvent::Lost { .. })
            );
            let requirement = if is_lost {
                dialect.id(Role::BotEndsAfterLoss)
            } else {
                dialect.id(Role::BotEndsAfterGame)
            };
            let finding = bot_causes::stays(&state.seen, requirement, "the game ended");
            state.fail(finding);
        }
        Wait::Exit => {
            if let (Some((status, is_success)), None) =
                (state.seen.exited.clone(), state.seen.lanes[LANE].ended)
            {
                let requirement = dialect.id(Role::BotExitStatus);
                if !is_success {
                    state.choice(requirement, format!("the bot ended with {status}"));
                }
                let seen = bot_causes::left_behind(&state.seen);
                state.choice(requirement, seen);
            }
            state.finish();
        }
        Wait::CloseAfterUs => {
            let finding = bot_causes::stays(
                &state.seen,
                dialect.id(Role::BotEndsOnClosedInput),
                "its input was closed",
            );
            state.fail(finding);
        }
        Wait::AfterClose => {
            let pending = state
                .waits
                .pending
                .take()
                .expect("an aftermath follows something");
            let finding = causes::pending(&state.seen, &pending);
            state.fail(finding);
        }
    }
}

/// The time in which the bot has to answer, where it is known: that of the scenario or of the subject, or that of the game.
fn time_to_answer(state: &State) -> Option<Duration> {
    state
        .seen
        .settings
        .timeout
        .or(state.seen.scenario.dialect.game().default_timeout())
}

/// Returns the lateness of an answer that arrives now; `None` if it is in time, or its deadline is unknown.
fn lateness(state: &State) -> Option<Duration> {
    if !matches!(state.waits.current, Some((Wait::Answer | Wait::Late, _))) {
        return None;
    }
    let allowed =
        time_to_answer(state)?.max(patience(&state.seen, state.seen.settings.budgets.answer));
    state
        .seen
        .now
        .checked_sub(state.seen.clock.rolled_at + allowed)
        .filter(|late| !late.is_zero())
}

/// The bot computes although its answer is overdue: it is waited for as long as the game gives it.
fn still_computing(state: &mut State) {
    let allowed = time_to_answer(state).unwrap_or(state.seen.settings.budgets.forfeit);
    let over = state.seen.clock.rolled_at + allowed;
    if state.seen.now >= over {
        let finding = bot_causes::computes(&state.seen, allowed, time_to_answer(state).is_some());
        return state.fail(finding);
    }
    state.wait(Wait::Late, over.min(state.seen.now + state.seen.patience()));
}

fn advance(state: &mut State) {
    loop {
        if state.results.is_finished || state.waits.pending.is_some() {
            return;
        }
        let mut bytes = Vec::new();
        while let Some(told) = state.seen.model.take_due(LANE) {
            state.seen.bot.unwritten += 1;
            bytes.extend(Line::new(told.line).to_wire());
        }
        if !bytes.is_empty() {
            state.progress();
            state
                .results
                .commands
                .push(Command::Send { lane: LANE, bytes });
        }
        if state.seen.model.is_over() {
            let ending = state.seen.model.history().last();
            let is_dropped = ending
                .is_some_and(|ending| state.seen.scenario.dialect.closes_after(ending).is_some());
            if is_dropped && !state.seen.bot.has_hung_up {
                state.seen.bot.has_hung_up = true;
                state.results.commands.push(Command::Close { lane: LANE });
            }
            return wait_for_the_end(state, Wait::Close);
        }
        if pauses(state) && state.turn.settling != Settling::Over {
            if state.turn.settling == Settling::NotYet {
                state.turn.settling = Settling::Since(state.seen.now);
            }
            return state.wait(Wait::Pause, state.seen.now + PAUSE);
        }
        let on_turn = state
            .seen
            .model
            .awaits_move_of()
            .filter(|_| !needs_beginning(state) || begin(state));
        if state.results.is_finished {
            return;
        }
        if let Some(seat) = on_turn {
            if seat == state.seen.scenario.bot_seat {
                let answer = patience(&state.seen, state.seen.settings.budgets.answer);
                let budget = state
                    .seen
                    .settings
                    .timeout
                    .map_or(answer, |timeout| timeout.max(answer));
                return state.wait(Wait::Answer, state.seen.now + budget);
            }
            opponent(state, seat);
        } else if !begin(state) {
            if !state.seen.bot.has_hung_up {
                state.seen.bot.has_hung_up = true;
                state.results.commands.push(Command::Close { lane: LANE });
            }
            return wait_for_the_end(state, Wait::CloseAfterUs);
        }
    }
}

/// Returns true if urtext pauses before the next line, so that the bot shows its interpretation of the last
/// one: its own move that was returned, the first player, or its skipped turn. A line that answers a skipped
/// turn is else taken for its next answer.
fn pauses(state: &State) -> bool {
    let checks = &state.seen.scenario.checks;
    let dialect = state.seen.scenario.dialect;
    let bot = state.seen.scenario.bot_seat;
    let is_others_turn = state.seen.model.awaits_move_of() == Some(bot.other());
    match state.seen.model.history().last() {
        Some(&GameEvent::Moved { by, .. }) if by == bot => {
            is_others_turn
                && dialect
                    .find_id(Role::BotConfirmation)
                    .is_some_and(|id| checks.contains(&id))
        }
        Some(&GameEvent::Rolled {
            by, skipped: true, ..
        }) if by == bot => checks.contains(&dialect.id(Role::BotSilentWhenSkipped)),
        None => {
            is_others_turn
                && dialect.game().kinds_of_roll().is_empty()
                && checks.contains(&dialect.id(Role::FirstTurn))
        }
        Some(_) => false,
    }
}

/// Returns the end of the pause; lag that took time from the bot extends the pause, up to the answer budget.
fn pause_ends(state: &State) -> Option<Duration> {
    let Settling::Since(from) = state.turn.settling else {
        return None;
    };
    Some(
        from + PAUSE
            + state
                .seen
                .lags
                .lost_since(from)
                .min(state.seen.settings.budgets.answer),
    )
}

fn wait_for_the_end(state: &mut State, wait: Wait) {
    if state.seen.lanes[LANE].ended.is_none() && !state.seen.bot.has_ended_in_time {
        return state.wait(
            wait,
            state.seen.now + patience(&state.seen, state.seen.settings.budgets.close),
        );
    }
    // What it has started can hold its lane open, and the lane can end a moment after the process.
    let exited = state
        .seen
        .exited
        .clone()
        .filter(|_| state.seen.lanes[LANE].ended.is_some());
    match exited {
        Some((_, true)) => state.finish(),
        Some((status, false)) => {
            let requirement = state.seen.scenario.dialect.id(Role::BotExitStatus);
            state.choice(requirement, format!("the bot ended with {status}"));
            state.finish();
        }
        // Its stream can end a moment before the process does.
        None => state.wait(Wait::Exit, state.seen.now + Duration::from_millis(200)),
    }
}

/// Returns true if a turn without a roll is due to begin.
fn needs_beginning(state: &State) -> bool {
    state.turn.awaits_step
        && state
            .seen
            .model
            .table()
            .is_some_and(|table| table.roll().is_none())
}

/// Begins the next turn, by a roll where there are rolls; `false` where the scenario has no more turns.
fn begin(state: &mut State) -> bool {
    let forced = match state
        .seen
        .scenario
        .steps
        .get(state.seen.course.next_step)
        .map(|step| &step.kind)
    {
        None => return false,
        Some(StepKind::Turn(turn)) => turn.roll,
        Some(StepKind::PlayToTheEnd | StepKind::PlayUntil(_) | StepKind::Improvise(_)) => None,
    };
    if let Some(seat) = state.seen.model.awaits_move_of() {
        state.seen.clock.rolled_at = state.seen.now;
        if let Err(finding) = state.begin_turn(seat, None, false) {
            state.fail(*finding);
        }
        return true;
    }
    let roll: Roll = match forced {
        Some(roll) => roll,
        None => state.free_roll(),
    };
    let happening = state.seen.model.roll(roll);
    let skipped = matches!(happening, GameEvent::Rolled { skipped: true, .. });
    state.seen.clock.rolled_at = state.seen.now;
    if let Err(finding) = state.begin_turn(happening.by(), Some(roll), skipped) {
        state.fail(*finding);
    }
    true
}

/// Plays the opponent's turn.
fn opponent(state: &mut State, seat: Seat) {
    let dialect = state.seen.scenario.dialect;
    let legal = state
        .seen
        .model
        .table()
        .map(crate::rules::Table::legal_moves)
        .unwrap_or_default();
    let action = match state.seen.turn() {
        Some(turn) => turn.action,
        None => PlayerAction::Move(Choice::Any {
            name: None,
            except: None,
        }),
    };
    state.turn.awaits_step = true;
    let answered = match action {
        PlayerAction::Skip => unreachable!("a skipped turn awaits no move"),
        // Whether the opponent's line was ignored the bot cannot see: that there is none is all it is told.
        PlayerAction::Ignored(line) => {
            state.seen.model.said(seat, &line);
            return;
        }
        PlayerAction::Move(Choice::This(mv)) => {
            if !legal.contains(&mv) {
                let title = format!(
                    "as the game went, {} is no legal move here",
                    dialect.game().format_move(mv)
                );
                let mut finding = Finding::new(Verdict::Inconclusive, title);
                finding.span = state.seen.span();
                return state.fail(finding);
            }
            state.seen.model.said(seat, &dialect.write_move(mv))
        }
        PlayerAction::Move(Choice::Any { name, except }) => {
            let excluded = except.and_then(|except| state.chooser.called.get(&except).copied());
            let allowed: Vec<_> = legal
                .into_iter()
                .filter(|&mv| Some(mv) != excluded)
                .collect();
            let Some(mv) = state.pick(allowed) else {
                if excluded.is_none() {
                    // Without rolls no turn is skipped: who cannot move loses by the timeout.
                    return state.seen.model.forfeit(seat, Cause::Timeout);
                }
                let mut finding = Finding::new(
                    Verdict::Inconclusive,
                    "as the game went, no other move is possible here",
                );
                finding.span = state.seen.span();
                return state.fail(finding);
            };
            state.chooser.called.extend(name.map(|name| (name, mv)));
            state.seen.model.said(seat, &dialect.write_move(mv))
        }
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
        let mut finding = Finding::new(Verdict::Inconclusive, title);
        finding.span = state.seen.span();
        state.fail(finding);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::diagnostic::Source;
    use crate::judge::Judge;
    use crate::judge::timing_tests::settings;
    use crate::protocol::Framer;
    use crate::scenario::{Alone, resolve};

    const SKIPPED: &str = "scenario: t\ngame: royalur\nsubject: bot\nseat: first\nchecks: [ur/bot/silent-when-skipped]\n\
        turns:\n  - bot: 0 0 0 0\n  - opponent: 0 0 0 0\n  - bot: 0 0 0 1 > any\n";

    /// The requirement under which a bot fails that answers its skipped turn so many milliseconds after it began, on a machine that
    /// took `lag` milliseconds of the bot's time.
    fn answers_a_skip_after(answer: u64, lag: u64) -> Option<&'static str> {
        let (mut scenarios, _) = resolve(&Source::new("s.yaml", SKIPPED), "s", &Alone);
        let mut judge = Judge::new(Arc::new(scenarios.pop().unwrap()), settings(), None);
        let milliseconds = Duration::from_millis;
        let mut events = vec![(Duration::ZERO, What::Opened { lane: LANE })];
        let (mut alarm, mut framer) = (Duration::MAX, Framer::default());
        let mut is_answered = false;
        while !judge.is_finished() {
            if events.is_empty() && !is_answered && milliseconds(answer) <= alarm {
                is_answered = true;
                let line = What::Line {
                    lane: LANE,
                    direction: Direction::Sent,
                    line: Line::new(*b"0"),
                };
                events.push((milliseconds(answer), line));
            } else if events.is_empty() {
                let lag = What::Lag {
                    own: Duration::ZERO,
                    subject: milliseconds(lag),
                };
                events.extend([(alarm, lag), (alarm, What::Alarm)]);
            }
            let (at, what) = events.remove(0);
            for action in judge.take(&Event { at, what }) {
                match action {
                    Command::WakeAt(at) => alarm = at,
                    Command::Send { lane, bytes } => framer.push(&bytes, |line| {
                        events.push((
                            at,
                            What::Line {
                                lane,
                                direction: Direction::Received,
                                line,
                            },
                        ));
                    }),
                    _ => {}
                }
            }
        }
        judge
            .conclude()
            .findings
            .first()
            .and_then(|finding| finding.requirement)
    }

    #[test]
    fn an_answer_to_a_skipped_turn_is_not_taken_for_the_next_one_of_a_bot_that_was_kept_waiting() {
        let id = "ur/bot/silent-when-skipped";
        assert_eq!(answers_a_skip_after(240, 0), Some(id));
        assert_eq!(answers_a_skip_after(640, 400), Some(id));
        assert_ne!(
            answers_a_skip_after(640, 0),
            Some(id),
            "by then it is the answer to the next roll"
        );
    }
}
