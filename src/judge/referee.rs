//! A referee under test: urtext plays both players and watches every lane.

use std::sync::Arc;

use super::action::Command;
use super::slack::{AFTERMATH, SETTLE, early_slack, slack_words};
use super::speechless::never_spoke;
use super::state::{LaneState, Pending, State, Wait};
use super::{acting, attribution, causes, diagnosis, finding_context, timeout};
use crate::event::{Event, Finding, Verdict, What};
use crate::protocol::{
    Answered, Cause, Deviation, Expected, GameEvent, Line, LineEnding, Party, Received, RefereeLine,
};
use crate::requirement::Role;
use crate::rules::Phase;
use crate::scenario::PlayerAction;
use crate::transcript::{Close, Direction};

pub(super) fn take(state: &mut State, event: &Event) {
    state.note(event);
    if state.is_finished {
        return;
    }
    if matches!(state.pending, Some(Pending::Silent { .. })) {
        // What comes now is only looked at when its time is over.
        return match state.expired() {
            _ if event.what == What::Interrupted => state.finish(),
            Some(wait) => expired(state, wait),
            None => {}
        };
    }
    // Under load what comes after the timeout can be read before the alarm; its own time tells.
    if tells_a_loss(state, &event.what) && timeout::may_be_over(state)
        || state.expired() == Some(Wait::Timeout)
    {
        expired(state, Wait::Timeout);
    }
    match &event.what {
        What::Line {
            lane,
            direction: Direction::Received,
            line,
        } => {
            let late = state.lateness().zip(state.model.overdue(*lane));
            let before = state.model.is_over();
            let line = &without_carriage_return(state, *lane, line);
            match state.model.receive(*lane, line) {
                Ok(Received::News(happening)) => {
                    state.progress();
                    if let Err(finding) = news(state, happening) {
                        return state.fail(*finding);
                    }
                }
                Ok(Received::Open(requirement)) => {
                    let seen = format!(
                        "{} was told of its own loss",
                        finding_context::lane_name(state, *lane)
                    );
                    let index = state.lanes[*lane].entries.len() - 1;
                    state.open_lines.push((*lane, index));
                    state.choice(requirement, seen);
                }
                Ok(Received::Apart) => {}
                Ok(received) => {
                    if !before {
                        state.progress();
                    }
                    if let Err(finding) = told(state, *lane, &received) {
                        return state.fail(*finding);
                    }
                    if let Some(late) = timeout::first_sign(state) {
                        let finding = causes::late_loss(state, *lane, late);
                        return state.fail(finding);
                    }
                }
                Err(deviation) => unpredicted(state, deviation),
            }
            if let Some((late, missing)) = late.filter(|_| !state.is_finished) {
                let finding = causes::late(state, &missing, late);
                return state.fail(finding);
            }
        }
        What::Line {
            lane,
            direction: Direction::Sent,
            line,
        } => {
            state.in_flight = state.in_flight.saturating_sub(1);
            state.progress();
            let on_turn = state.model.awaits_move_of();
            let answered = state.model.sent(*lane, &line.text);
            if let (Some(seat), Answered::Moved(_)) = (on_turn, answered) {
                timeout::moved(state, seat);
            }
            if answered == Answered::OffTurn {
                acting::sent_off_turn(state, *lane, &line.text);
            }
            if answered != Answered::OffTurn {
                let decides = !matches!(answered, Answered::Ignored(_));
                state
                    .own_delay
                    .sent(state.now, state.settings.pace, decides);
            }
            let is_meant_to_lose = state
                .turn()
                .is_some_and(|turn| matches!(turn.action, PlayerAction::Illegal(_)));
            if is_meant_to_lose && !matches!(answered, Answered::Lost(_)) {
                return state.fail(never(
                    state,
                    "as the game went, this line does not lose the game here",
                ));
            }
            let is_to_be_ignored = state
                .turn()
                .is_some_and(|turn| matches!(turn.action, PlayerAction::Ignored(_)));
            match answered {
                Answered::Ignored(_) if is_to_be_ignored => state.awaits_step = true,
                Answered::Moved(_) | Answered::Open(_) => state.awaits_step = true,
                Answered::OffTurn => {}
                _ if is_to_be_ignored => {
                    return state.fail(never(
                        state,
                        "as the game went, this line is not ignored here",
                    ));
                }
                Answered::Ignored(_) | Answered::Lost(_) => {}
            }
        }
        What::Closed {
            lane,
            direction: Direction::Received,
            close,
        } => closed(state, *lane, *close),
        What::Closed {
            lane,
            direction: Direction::Sent,
            ..
        } => acting::left(state, *lane),
        What::Exited { .. } if !state.has_heard && !state.model.is_greeted() => {
            let finding = never_spoke(state);
            return state.fail(finding);
        }
        What::Opened { lane } if !state.scenario.opens_at_start(*lane) => {
            state.is_opening = false;
            // A connection is there before the referee has taken it: what follows at once could go on without whoever has joined.
            state.is_unsettled = true;
            state.progress();
        }
        What::Interrupted => return state.finish(),
        _ => {}
    }
    if matches!(state.pending, Some(Pending::Ended { .. })) && was_right_to_close(state) {
        state.pending = None;
        state.progress();
    }
    if let Some(wait) = state.expired() {
        expired(state, wait);
    }
    for (requirement, seen) in state.model.take_decisions() {
        state.choice(requirement, seen);
    }
    if !state.is_finished {
        advance(state);
    }
}

/// Returns true if this event can be the sign of a loss.
fn tells_a_loss(state: &State, what: &What) -> bool {
    match what {
        What::Line {
            direction: Direction::Received,
            line,
            ..
        } => {
            let text = line.text.strip_suffix(b"\r").unwrap_or(&line.text);
            state.scenario.dialect.hear(text) == RefereeLine::Loss
        }
        What::Closed {
            lane,
            direction: Direction::Received,
            ..
        } => !state.lanes[*lane].has_left && diagnosis::is_loss_silent(state),
        _ => false,
    }
}

/// Returns true if lanes that seemed to close in mid-game closed after the end of the game, as another lane
/// has shown since.
fn was_right_to_close(state: &State) -> bool {
    let owes_nothing =
        |lane: usize| state.lanes[lane].ended.is_none() || state.model.missing(lane).is_none();
    state.model.is_over() && (0..state.lanes.len()).all(owes_nothing)
}

fn news(state: &mut State, happening: GameEvent) -> Result<(), Box<Finding>> {
    if let GameEvent::Rolled { by, roll, skipped } = happening {
        state.rolled_at = state.now;
        state.clock_from = state.moved_at;
        state.own_delay.rolled(state.now);
        too_fast(state, skipped)?;
        state.begin_turn(by, Some(roll), skipped)?;
    }
    Ok(())
}

/// Takes what a line of the handshake, or one that was due, tells beside itself: how the game starts, and whose turn begins.
fn told(state: &mut State, lane: usize, received: &Received) -> Result<(), Box<Finding>> {
    let Some(table) = state.model.table() else {
        return Ok(());
    };
    let on_turn = table.to_move();
    if table.phase() == Phase::Move && state.model.party(lane) == Some(Party::Player(on_turn)) {
        // Without rolls, this line is what tells the player that it is on turn.
        if table.roll().is_none() {
            state.rolled_at = state.now;
            state.clock_from = state.moved_at;
            state.own_delay.began(state.now);
        }
    }
    match (state.scenario.setup, state.model.facts().setup) {
        (Some(forced), Some(shown)) if forced != shown && *received == Received::Greeting => {
            let game = state.scenario.dialect.game();
            let (forced, shown) = (game.format_setup(forced), game.format_setup(shown));
            let title =
                format!("the setup hook does not work: `{forced}` was forced, `{shown}` was shown");
            let mut finding = Finding::new(Verdict::Error, title);
            finding.notes.push(
                "nothing was tested; say how this referee takes the setup, or leave the hook away"
                    .into(),
            );
            Err(Box::new(finding))
        }
        _ => Ok(()),
    }
}

/// Reports that the precondition of the scenario's next step did not arise.
fn never(state: &State, title: &str) -> Finding {
    let mut finding = Finding::new(Verdict::Inconclusive, title);
    finding.span = state.span();
    finding
}

/// Turns may not follow each other faster than the pace, where the scenario asks for one; the beginnings of
/// two turns are compared, which is the reading that demands least. If the dialect leaves the pace open after
/// a skipped turn, the choice is recorded.
fn too_fast(state: &mut State, skipped: bool) -> Result<(), Box<Finding>> {
    let before = state.turn_began.replace((state.now, skipped));
    let pace = state.scenario.pace.filter(|pace| !pace.is_zero());
    let (Some((before, was_skipped)), Some(pace)) = (before, pace) else {
        return Ok(());
    };
    let apart = state.now.saturating_sub(before);
    let lag = state.lag_since(before);
    let is_kept = apart + early_slack(pace, lag) >= pace;
    if let Some(requirement) = state
        .scenario
        .dialect
        .find_id(Role::PaceAfterSkip)
        .filter(|_| was_skipped)
    {
        let seen = if is_kept {
            "the pace is kept after it as well"
        } else {
            "the next roll comes at once"
        };
        state.choice(requirement, format!("after a skipped turn, {seen}"));
        return Ok(());
    }
    if is_kept {
        return Ok(());
    }
    let title = format!("a turn began {apart:.2?} after the one before, with a pace of {pace:.2?}");
    let dialect = state.scenario.dialect;
    let by_default = dialect
        .find_id(Role::DefaultPace)
        .filter(|_| state.scenario.leaves("pace"));
    let mut finding =
        finding_context::timing(state, by_default.or(dialect.find_id(Role::Pace)), title);
    finding.notes.push(slack_words(pace, lag));
    Err(Box::new(finding))
}

/// The line, less a carriage return at its end: whether that belongs to the line end is open.
fn without_carriage_return(state: &mut State, lane: usize, line: &Line) -> Line {
    let text = line
        .text
        .strip_suffix(b"\r")
        .filter(|_| line.ending == LineEnding::Newline);
    let Some(text) = text.filter(|_| !state.model.may_show(lane, &line.text)) else {
        return line.clone();
    };
    let requirement = state.scenario.dialect.id(Role::CarriageReturn);
    state.choice(requirement, "lines end with CR LF".to_owned());
    state
        .carriage_returns
        .push((lane, state.lanes[lane].entries.len() - 1));
    Line::new(text)
}

/// Judges a line that was not predicted: at once, or after a while where other lines can tell what it means.
fn unpredicted(state: &mut State, deviation: Box<Deviation>) {
    if let Some(Pending::Line(known)) = &state.pending
        && (known.lane == deviation.lane || known.expected != Expected::NothingMore)
    {
        return;
    }
    let is_after_the_end = |deviation: &Deviation| deviation.expected == Expected::NothingMore;
    // Beside a loss that others are not told of, or told of late, the line means something else.
    if attribution::passes_on_a_loss(state, &deviation)
        || is_after_the_end(&deviation) && !state.model.is_caught_up()
    {
        state.pending = Some(Pending::Line(deviation));
        return after_close(state);
    }
    // What a line says tells more than that another lane was closed.
    state.pending = None;
    let mut finding = causes::deviation(state, &deviation, finding_context::End::Line);
    acting::excuse(state, &deviation, &mut finding);
    state.fail(finding);
}

/// Waits for what may follow.
fn after_close(state: &mut State) {
    state.waiting = None;
    state.wait(Wait::AfterClose, state.now + AFTERMATH);
}

/// The referee ended its direction of a lane.
fn closed(state: &mut State, lane: usize, close: Close) {
    if state.lanes[lane].has_left {
        return;
    }
    // To a player who sends nothing any more, and to a spectator who came late, nothing is owed.
    let is_gone =
        matches!(state.model.party(lane), Some(Party::Player(seat)) if state.model.is_gone(seat));
    let is_late = !state.scenario.opens_at_start(lane);
    if is_late || is_gone && !state.model.is_over() {
        return state.model.set_apart(lane);
    }
    let owes = state.model.missing(lane);
    if state.model.is_over() && owes.is_none() {
        if diagnosis::is_loss_silent(state)
            && let Some(late) = timeout::first_sign(state)
        {
            let finding = causes::late_loss(state, lane, late);
            return state.fail(finding);
        }
        if matches!(state.waiting, Some((Wait::Forfeit, _))) {
            // The referee has noticed: what is left has to end soon.
            state.progress();
        }
        if close == Close::Reset {
            let requirement = state.scenario.dialect.id(Role::Close);
            let seen = format!(
                "the lane of {} was reset after the end of the game",
                finding_context::lane_name(state, lane)
            );
            state.choice(requirement, seen);
        }
        return;
    }
    if state.pending.is_some() || state.model.explain_end().is_some() {
        return;
    }
    state.pending = Some(Pending::Ended { lane, close });
    after_close(state);
}

fn expired(state: &mut State, wait: Wait) {
    state.waiting = None;
    match wait {
        Wait::Answer => state.wait(Wait::Late, state.now + state.patience()),
        Wait::Handshake | Wait::Late => {
            let mut finding = if state.has_heard {
                causes::silence(state)
            } else {
                never_spoke(state)
            };
            finding
                .notes
                .extend(finding_context::asleep(state).filter(|_| finding.by_silence));
            if wait == Wait::Handshake && state.has_heard {
                let budget = finding_context::seconds(state.settings.budgets.handshake);
                finding.notes.push(format!(
                    "the handshake may take {budget}; --handshake-budget says so"
                ));
            }
            // What it has written and not flushed comes when it sees the end of its input.
            let heard = state.lanes.iter().map(|lane| lane.entries.len()).collect();
            let has_exited = state.exited.is_some();
            state.pending = Some(Pending::Silent {
                finding: Box::new(finding),
                heard,
                has_exited,
            });
            let (players, _) = state.scenario.lanes();
            let open = (0..players).filter(|&lane| !state.lanes[lane].has_left);
            state
                .actions
                .extend(open.map(|lane| Command::Close { lane }));
            after_close(state);
        }
        Wait::Pause => {}
        Wait::Quiet => {
            state.has_settled = true;
            if state.model.stay_silent() {
                // It may be that it was only slow to be taken.
                state.rests_on_delay = true;
            }
        }
        Wait::Timeout => {
            if let Some(seat) = state.model.awaits_move_of() {
                if let Some(finding) = timeout::cut_short(state) {
                    return state.fail(finding);
                }
                let over = state.rolled_at + state.settings.timeout.unwrap_or_default();
                state.early_by = over.saturating_sub(state.now);
                timeout::note_reading(state, seat);
                timeout::is_over(state);
                state.outbox.clear();
                state.model.forfeit(seat, Cause::Timeout);
            }
        }
        Wait::Forfeit if state.settings.timeout.is_some() && !state.model.is_over() => {
            expired(state, Wait::Late);
        }
        Wait::Forfeit if state.settings.timeout.is_none() => {
            let finding = causes::unknown_timeout(state);
            state.fail(finding);
        }
        Wait::Close | Wait::Forfeit | Wait::CloseAfterUs | Wait::Exit => {
            // Who came late may not have been let in at all.
            let scenario = Arc::clone(&state.scenario);
            let is_late =
                |lane: usize| state.lanes[lane].ended.is_none() && !state.lanes[lane].has_left;
            let names: Vec<_> = (0..state.lanes.len())
                .filter(|&lane| is_late(lane) && scenario.opens_at_start(lane))
                .map(|lane| finding_context::lane_name(state, lane))
                .collect();
            if !names.is_empty() {
                if let Some(finding) = causes::still_open(state, &names) {
                    return state.fail(finding);
                }
                let requirement = state.scenario.dialect.id(Role::Close);
                let budget = state.settings.budgets.close;
                let seen = format!(
                    "{} still open {budget:.1?} after the end of the game",
                    names.join(", ")
                );
                state.choice(requirement, seen);
            }
            acting::judge_late_lanes(state);
            state.finish();
        }
        Wait::AfterClose => {
            let pending = state
                .pending
                .take()
                .expect("an aftermath follows something");
            let mut finding = causes::pending(state, &pending);
            if let Pending::Line(deviation) = &pending {
                acting::excuse(state, deviation, &mut finding);
            }
            state.fail(finding);
        }
    }
}

pub(super) fn advance(state: &mut State) {
    if state.pending.is_some() || !acting::pump(state) || state.is_opening || state.in_flight > 0 {
        return;
    }
    let budgets = state.settings.budgets;
    if !state.model.is_greeted() {
        return state.wait(Wait::Handshake, state.now + budgets.handshake);
    }
    let answer = (budgets.answer + state.settings.pace + state.early_by).max(state.clock.patience);
    let answer = state.now + answer;
    if !state.model.is_caught_up() {
        return state.wait(Wait::Answer, answer);
    }
    if state.model.is_over() {
        let is_done = |lane: &LaneState| lane.ended.is_some() || lane.has_left || !lane.is_open;
        if state.lanes.iter().all(is_done) {
            acting::judge_late_lanes(state);
            return state.finish();
        }
        if timeout::awaits_forfeit(state) && !timeout::has_any_ended(state) {
            return await_forfeit(state);
        }
        return state.wait(Wait::Close, state.now + timeout::closing_budget(state));
    }
    // Where a roll begins the turn, it has taken the step.
    let is_rolled = state
        .model
        .table()
        .is_some_and(|table| table.roll().is_some());
    if let (true, Some(seat)) = (
        state.awaits_step && !is_rolled,
        state.model.awaits_move_of(),
    ) && let Err(finding) = state.begin_turn(seat, None, false)
    {
        return state.fail(*finding);
    }
    let is_undecided = state
        .model
        .undecided()
        .is_some_and(|open| open.may_be_ignored);
    let has_ended = state.step.is_none()
        && state.next_step >= state.scenario.steps.len()
        && state.next_step > 0;
    if has_ended {
        // The roll after the last step has reached every lane: nothing of the scenario is missing any more.
        if (is_undecided || state.scenario.late_spectators().next().is_some()) && !state.has_settled
        {
            return state.wait(Wait::Quiet, state.now + SETTLE);
        }
        acting::judge_late_lanes(state);
        return state.finish();
    }
    match state.model.awaits_move_of() {
        Some(seat) => {
            if acting::act(state, seat) {
                advance(state);
            }
        }
        // Where it may have been ignored, silence is an answer.
        None if is_undecided && state.model.missing(0).is_none() => {
            state.wait(Wait::Quiet, state.now + budgets.close);
        }
        None if timeout::awaits_forfeit(state) => await_forfeit(state),
        None => state.wait(Wait::Answer, answer),
    }
}

/// Waits for the lanes to end of a game whose player on turn has gone away: it may lose at once, or when its time is over.
fn await_forfeit(state: &mut State) {
    if matches!(state.waiting, Some((Wait::Forfeit, _))) {
        return;
    }
    timeout::is_over(state);
    state.wait(Wait::Forfeit, state.now + timeout::closing_budget(state));
}
