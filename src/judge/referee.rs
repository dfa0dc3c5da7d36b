//! A referee under test: urtext plays both players and watches every lane.

use std::sync::Arc;

use super::action::Command;
use super::lane::LaneState;
use super::slack::{AFTERMATH, SETTLE, early_slack, slack_words};
use super::speechless::never_spoke;
use super::state::{Settling, State};
use super::wait::{Pending, Wait};
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
    if state.results.is_finished {
        return;
    }
    if matches!(state.waits.pending, Some(Pending::Silent { .. })) {
        // What comes now is only looked at when its time is over.
        return match state.expired() {
            _ if event.what == What::Interrupted => state.finish(),
            Some(wait) => expired(state, wait),
            None => {}
        };
    }
    // Under load what comes after the timeout can be read before the alarm; its own time tells.
    if tells_a_loss(state, &event.what)
        && state.waits.pending.is_none()
        && timeout::may_be_over(&state.seen)
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
            let late = state.lateness().zip(state.seen.model.overdue(*lane));
            let before = state.seen.model.is_over();
            let line = &without_carriage_return(state, *lane, line);
            match state.seen.model.receive(*lane, line) {
                Ok(Received::News(happening)) => {
                    state.progress();
                    if let Err(finding) = news(state, happening) {
                        return state.fail(*finding);
                    }
                }
                Ok(Received::Open(requirement)) => {
                    let seen = format!(
                        "{} was told of its own loss",
                        finding_context::lane_name(&state.seen, *lane)
                    );
                    let index = state.seen.lanes[*lane].entries.len() - 1;
                    state.seen.lanes[*lane].open_lines.push(index);
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
                    if let Some(late) = timeout::first_sign(&mut state.seen) {
                        let finding = causes::late_loss(&state.seen, *lane, late);
                        return state.fail(finding);
                    }
                }
                Err(deviation) => unpredicted(state, deviation),
            }
            if let Some((late, missing)) = late.filter(|_| !state.results.is_finished) {
                let finding = causes::late(&state.seen, &missing, late);
                return state.fail(finding);
            }
        }
        What::Line {
            lane,
            direction: Direction::Sent,
            line,
        } => {
            state.outgoing.in_flight = state.outgoing.in_flight.saturating_sub(1);
            state.progress();
            let on_turn = state.seen.model.awaits_move_of();
            let answered = state.seen.model.sent(*lane, &line.text);
            if let (Some(seat), Answered::Moved(_)) = (on_turn, answered) {
                timeout::moved(&mut state.seen, seat);
            }
            if answered == Answered::OffTurn {
                acting::sent_off_turn(state, *lane, &line.text);
            }
            if answered != Answered::OffTurn {
                let decides = !matches!(answered, Answered::Ignored(_));
                state
                    .seen
                    .clock
                    .own_delay
                    .sent(state.seen.now, state.seen.settings.pace, decides);
            }
            let is_meant_to_lose = state
                .seen
                .turn()
                .is_some_and(|turn| matches!(turn.action, PlayerAction::Illegal(_)));
            if is_meant_to_lose && !matches!(answered, Answered::Lost(_)) {
                return state.fail(never(
                    state,
                    "as the game went, this line does not lose the game here",
                ));
            }
            let is_to_be_ignored = state
                .seen
                .turn()
                .is_some_and(|turn| matches!(turn.action, PlayerAction::Ignored(_)));
            match answered {
                Answered::Ignored(_) if is_to_be_ignored => state.turn.awaits_step = true,
                Answered::Moved(_) | Answered::Open(_) => state.turn.awaits_step = true,
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
        What::Exited { .. } if !state.seen.heard.anything && !state.seen.model.is_greeted() => {
            let finding = never_spoke(&state.seen);
            return state.fail(finding);
        }
        What::Opened { lane } if !state.seen.scenario.opens_at_start(*lane) => {
            state.outgoing.is_opening = false;
            // A connection is there before the referee has taken it: what follows at once could go on without whoever has joined.
            state.outgoing.is_unsettled = true;
            state.progress();
        }
        What::Interrupted => return state.finish(),
        _ => {}
    }
    if matches!(state.waits.pending, Some(Pending::Ended { .. })) && was_right_to_close(state) {
        state.waits.pending = None;
        state.progress();
    }
    if let Some(wait) = state.expired() {
        expired(state, wait);
    }
    for (requirement, seen) in state.seen.model.take_decisions() {
        state.choice(requirement, seen);
    }
    if !state.results.is_finished {
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
            state.seen.scenario.dialect.hear(text) == RefereeLine::Loss
        }
        What::Closed {
            lane,
            direction: Direction::Received,
            ..
        } => !state.seen.lanes[*lane].has_left && diagnosis::is_loss_silent(&state.seen),
        _ => false,
    }
}

/// Returns true if lanes that seemed to close in mid-game closed after the end of the game, as another lane
/// has shown since.
fn was_right_to_close(state: &State) -> bool {
    let owes_nothing = |lane: usize| {
        state.seen.lanes[lane].ended.is_none() || state.seen.model.missing(lane).is_none()
    };
    state.seen.model.is_over() && (0..state.seen.lanes.len()).all(owes_nothing)
}

fn news(state: &mut State, happening: GameEvent) -> Result<(), Box<Finding>> {
    if let GameEvent::Rolled { by, roll, skipped } = happening {
        state.seen.clock.rolled_at = state.seen.now;
        state.seen.clock.from = state.seen.clock.moved_at;
        state.seen.clock.own_delay.rolled(state.seen.now);
        too_fast(state, skipped)?;
        state.begin_turn(by, Some(roll), skipped)?;
    }
    Ok(())
}

/// Takes what a line of the handshake, or one that was due, tells beside itself: how the game starts, and whose turn begins.
fn told(state: &mut State, lane: usize, received: &Received) -> Result<(), Box<Finding>> {
    let Some(table) = state.seen.model.table() else {
        return Ok(());
    };
    let on_turn = table.to_move();
    if table.phase() == Phase::Move && state.seen.model.party(lane) == Some(Party::Player(on_turn))
    {
        // Without rolls, this line is what tells the player that it is on turn.
        if table.roll().is_none() {
            state.seen.clock.rolled_at = state.seen.now;
            state.seen.clock.from = state.seen.clock.moved_at;
            state.seen.clock.own_delay.began(state.seen.now);
        }
    }
    match (state.seen.scenario.setup, state.seen.model.facts().setup) {
        (Some(forced), Some(shown)) if forced != shown && *received == Received::Greeting => {
            let game = state.seen.scenario.dialect.game();
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
    finding.span = state.seen.span();
    finding
}

/// Turns may not follow each other faster than the pace, where the scenario asks for one; the beginnings of
/// two turns are compared, which is the reading that demands least. If the dialect leaves the pace open after
/// a skipped turn, the choice is recorded.
fn too_fast(state: &mut State, skipped: bool) -> Result<(), Box<Finding>> {
    let before = state.seen.clock.began.replace((state.seen.now, skipped));
    let pace = state.seen.scenario.pace.filter(|pace| !pace.is_zero());
    let (Some((before, was_skipped)), Some(pace)) = (before, pace) else {
        return Ok(());
    };
    let apart = state.seen.now.saturating_sub(before);
    let lag = state.seen.lag_since(before);
    let is_kept = apart + early_slack(pace, lag) >= pace;
    if let Some(requirement) = state
        .seen
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
    let dialect = state.seen.scenario.dialect;
    let by_default = dialect
        .find_id(Role::DefaultPace)
        .filter(|_| state.seen.scenario.leaves("pace"));
    let mut finding = finding_context::timing(
        &state.seen,
        by_default.or(dialect.find_id(Role::Pace)),
        title,
    );
    finding.notes.push(slack_words(pace, lag));
    Err(Box::new(finding))
}

/// The line, less a carriage return at its end: whether that belongs to the line end is open.
fn without_carriage_return(state: &mut State, lane: usize, line: &Line) -> Line {
    let text = line
        .text
        .strip_suffix(b"\r")
        .filter(|_| line.ending == LineEnding::Newline);
    let Some(text) = text.filter(|_| !state.seen.model.may_show(lane, &line.text)) else {
        return line.clone();
    };
    let requirement = state.seen.scenario.dialect.id(Role::CarriageReturn);
    state.choice(requirement, "lines end with CR LF".to_owned());
    let lane = &mut state.seen.lanes[lane];
    lane.carriage_returns.push(lane.entries.len() - 1);
    Line::new(text)
}

/// Judges a line that was not predicted: at once, or after a while where other lines can tell what it means.
fn unpredicted(state: &mut State, deviation: Box<Deviation>) {
    if let Some(Pending::Line(known)) = &state.waits.pending
        && (known.lane == deviation.lane || known.expected != Expected::NothingMore)
    {
        return;
    }
    let is_after_the_end = |deviation: &Deviation| deviation.expected == Expected::NothingMore;
    // Beside a loss that others are not told of, or told of late, the line means something else.
    if attribution::passes_on_a_loss(&state.seen, &deviation)
        || is_after_the_end(&deviation) && !state.seen.model.is_caught_up()
    {
        state.waits.pending = Some(Pending::Line(deviation));
        return after_close(state);
    }
    // What a line says tells more than that another lane was closed.
    state.waits.pending = None;
    let mut finding = causes::deviation(&state.seen, &deviation, finding_context::End::Line);
    acting::excuse(state, &deviation, &mut finding);
    state.fail(finding);
}

/// Waits for what may follow.
fn after_close(state: &mut State) {
    state.waits.current = None;
    state.wait(Wait::AfterClose, state.seen.now + AFTERMATH);
}

/// The referee ended its direction of a lane.
fn closed(state: &mut State, lane: usize, close: Close) {
    if state.seen.lanes[lane].has_left {
        return;
    }
    // To a player who sends nothing any more, and to a spectator who came late, nothing is owed.
    let is_gone = matches!(state.seen.model.party(lane), Some(Party::Player(seat)) if state.seen.model.is_gone(seat));
    let is_late = !state.seen.scenario.opens_at_start(lane);
    if is_late || is_gone && !state.seen.model.is_over() {
        return state.seen.model.set_apart(lane);
    }
    let owes = state.seen.model.missing(lane);
    if state.seen.model.is_over() && owes.is_none() {
        if diagnosis::is_loss_silent(&state.seen)
            && let Some(late) = timeout::first_sign(&mut state.seen)
        {
            let finding = causes::late_loss(&state.seen, lane, late);
            return state.fail(finding);
        }
        if matches!(state.waits.current, Some((Wait::Forfeit, _))) {
            // The referee has noticed: what is left has to end soon.
            state.progress();
        }
        if close == Close::Reset {
            let requirement = state.seen.scenario.dialect.id(Role::Close);
            let seen = format!(
                "the lane of {} was reset after the end of the game",
                finding_context::lane_name(&state.seen, lane)
            );
            state.choice(requirement, seen);
        }
        return;
    }
    if state.waits.pending.is_some() || state.seen.model.explain_end().is_some() {
        return;
    }
    state.waits.pending = Some(Pending::Ended { lane, close });
    after_close(state);
}

fn expired(state: &mut State, wait: Wait) {
    state.waits.current = None;
    match wait {
        Wait::Answer => state.wait(Wait::Late, state.seen.now + state.seen.patience()),
        Wait::Handshake | Wait::Late => {
            let mut finding = if state.seen.heard.anything {
                causes::silence(&state.seen)
            } else {
                never_spoke(&state.seen)
            };
            finding
                .notes
                .extend(finding_context::asleep(&state.seen).filter(|_| finding.by_silence));
            if wait == Wait::Handshake && state.seen.heard.anything {
                let budget = finding_context::seconds(state.seen.settings.budgets.handshake);
                finding.notes.push(format!(
                    "the handshake may take {budget}; --handshake-budget says so"
                ));
            }
            // What it has written and not flushed comes when it sees the end of its input.
            let heard = state
                .seen
                .lanes
                .iter()
                .map(|lane| lane.entries.len())
                .collect();
            let has_exited = state.seen.exited.is_some();
            state.waits.pending = Some(Pending::Silent {
                finding: Box::new(finding),
                heard,
                has_exited,
            });
            let (players, _) = state.seen.scenario.lanes();
            let open = (0..players).filter(|&lane| !state.seen.lanes[lane].has_left);
            state
                .results
                .commands
                .extend(open.map(|lane| Command::Close { lane }));
            after_close(state);
        }
        Wait::Pause => {}
        Wait::Quiet => {
            state.turn.settling = Settling::Over;
            if state.seen.model.stay_silent() {
                // It may be that it was only slow to be taken.
                state.turn.rests_on_delay = true;
            }
        }
        Wait::Timeout => {
            if let Some(seat) = state.seen.model.awaits_move_of() {
                if let Some(finding) = timeout::cut_short(state) {
                    return state.fail(finding);
                }
                let over =
                    state.seen.clock.rolled_at + state.seen.settings.timeout.unwrap_or_default();
                state.seen.clock.early_by = over.saturating_sub(state.seen.now);
                timeout::note_reading(state, seat);
                timeout::is_over(&mut state.seen);
                state.outgoing.outbox.clear();
                state.seen.model.forfeit(seat, Cause::Timeout);
            }
        }
        Wait::Forfeit if state.seen.settings.timeout.is_some() && !state.seen.model.is_over() => {
            expired(state, Wait::Late);
        }
        Wait::Forfeit if state.seen.settings.timeout.is_none() => {
            let finding = causes::unknown_timeout(&state.seen);
            state.fail(finding);
        }
        Wait::Close | Wait::Forfeit | Wait::CloseAfterUs | Wait::Exit => {
            // Who came late may not have been let in at all.
            let scenario = Arc::clone(&state.seen.scenario);
            let is_late = |lane: usize| {
                state.seen.lanes[lane].ended.is_none() && !state.seen.lanes[lane].has_left
            };
            let names: Vec<_> = (0..state.seen.lanes.len())
                .filter(|&lane| is_late(lane) && scenario.opens_at_start(lane))
                .map(|lane| finding_context::lane_name(&state.seen, lane))
                .collect();
            if !names.is_empty() {
                if let Some(finding) = causes::still_open(&state.seen, &names) {
                    return state.fail(finding);
                }
                let requirement = state.seen.scenario.dialect.id(Role::Close);
                let budget = state.seen.settings.budgets.close;
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
                .waits
                .pending
                .take()
                .expect("an aftermath follows something");
            let mut finding = causes::pending(&state.seen, &pending);
            if let Pending::Line(deviation) = &pending {
                acting::excuse(state, deviation, &mut finding);
            }
            state.fail(finding);
        }
    }
}

pub(super) fn advance(state: &mut State) {
    if state.waits.pending.is_some()
        || !acting::pump(state)
        || state.outgoing.is_opening
        || state.outgoing.in_flight > 0
    {
        return;
    }
    let budgets = state.seen.settings.budgets;
    if !state.seen.model.is_greeted() {
        return state.wait(Wait::Handshake, state.seen.now + budgets.handshake);
    }
    let answer = (budgets.answer + state.seen.settings.pace + state.seen.clock.early_by)
        .max(state.seen.clock.timeout.patience);
    let answer = state.seen.now + answer;
    if !state.seen.model.is_caught_up() {
        return state.wait(Wait::Answer, answer);
    }
    if state.seen.model.is_over() {
        let is_done = |lane: &LaneState| lane.ended.is_some() || lane.has_left || !lane.is_open;
        if state.seen.lanes.iter().all(is_done) {
            acting::judge_late_lanes(state);
            return state.finish();
        }
        if timeout::awaits_forfeit(&state.seen) && !timeout::has_any_ended(&state.seen) {
            return await_forfeit(state);
        }
        return state.wait(
            Wait::Close,
            state.seen.now + timeout::closing_budget(&state.seen),
        );
    }
    // Where a roll begins the turn, it has taken the step.
    let is_rolled = state
        .seen
        .model
        .table()
        .is_some_and(|table| table.roll().is_some());
    if let (true, Some(seat)) = (
        state.turn.awaits_step && !is_rolled,
        state.seen.model.awaits_move_of(),
    ) && let Err(finding) = state.begin_turn(seat, None, false)
    {
        return state.fail(*finding);
    }
    let is_undecided = state
        .seen
        .model
        .undecided()
        .is_some_and(|open| open.may_be_ignored);
    let has_ended = state.seen.course.step.is_none()
        && state.seen.course.next_step >= state.seen.scenario.steps.len()
        && state.seen.course.next_step > 0;
    if has_ended {
        // The roll after the last step has reached every lane: nothing of the scenario is missing any more.
        if (is_undecided || state.seen.scenario.late_spectators().next().is_some())
            && state.turn.settling != Settling::Over
        {
            return state.wait(Wait::Quiet, state.seen.now + SETTLE);
        }
        acting::judge_late_lanes(state);
        return state.finish();
    }
    match state.seen.model.awaits_move_of() {
        Some(seat) => {
            if acting::act(state, seat) {
                advance(state);
            }
        }
        // Where it may have been ignored, silence is an answer.
        None if is_undecided && state.seen.model.missing(0).is_none() => {
            state.wait(Wait::Quiet, state.seen.now + budgets.close);
        }
        None if timeout::awaits_forfeit(&state.seen) => await_forfeit(state),
        None => state.wait(Wait::Answer, answer),
    }
}

/// Waits for the lanes to end of a game whose player on turn has gone away: it may lose at once, or when its time is over.
fn await_forfeit(state: &mut State) {
    if matches!(state.waits.current, Some((Wait::Forfeit, _))) {
        return;
    }
    timeout::is_over(&mut state.seen);
    state.wait(
        Wait::Forfeit,
        state.seen.now + timeout::closing_budget(&state.seen),
    );
}
