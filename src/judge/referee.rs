//! A referee under test: urtext plays both players and watches every lane.

use std::time::Duration;

use super::blame;
use super::state::{State, Wait};
use crate::event::{Event, Finding, Verdict, What};
use crate::protocol::{Answered, Cause, Happening, Received};
use crate::rules::{Move, Seat};
use crate::scenario::{Choice, Deed};
use crate::transcript::{Close, Direction};

/// How much earlier than the timeout a loss may be seen: the referee's clock starts before our reading of the roll,
/// and timers are not exact.
fn early_slack(timeout: Duration) -> Duration {
    (timeout / 20).max(Duration::from_millis(50))
}

pub(super) fn take(state: &mut State, event: &Event) {
    state.note(event);
    if state.is_finished {
        return;
    }
    match &event.what {
        What::Line { lane, direction: Direction::Received, line } => {
            let before = state.model.is_over();
            match state.model.receive(*lane, line) {
                Ok(Received::News(happening)) => {
                    state.progress();
                    if let Err(finding) = news(state, *lane, happening) {
                        return state.fail(*finding);
                    }
                }
                Ok(Received::Open(requirement)) => {
                    let seen = format!("{} was told of its own loss", blame::lane_name(state, *lane));
                    let index = state.lanes[*lane].entries.len() - 1;
                    state.open_lines.push((*lane, index));
                    state.choice(requirement, seen);
                }
                Ok(_) if !before => state.progress(),
                Ok(_) => {}
                Err(deviation) => {
                    // What a line says tells more than that another lane was closed.
                    state.pending = None;
                    let finding = blame::deviation(state, &deviation, blame::End::Line);
                    return state.fail(finding);
                }
            }
        }
        What::Line { lane, direction: Direction::Sent, line } => {
            state.is_sending = false;
            state.progress();
            let answered = state.model.sent(*lane, &line.text);
            let is_meant_to_lose = state.turn().is_some_and(|turn| matches!(turn.deed, Deed::Illegal(_)));
            if is_meant_to_lose && !matches!(answered, Answered::Lost(_)) {
                let title = "as the game went, this line does not lose the game here";
                let mut finding = Finding::new(Verdict::Inconclusive, title);
                finding.span = state.span();
                return state.fail(finding);
            }
        }
        What::Closed { lane, direction: Direction::Received, close } => closed(state, *lane, *close),
        What::Exited { .. } if !state.has_heard && !state.model.is_greeted() => {
            let finding = blame::never_spoke(state);
            return state.fail(finding);
        }
        What::Interrupted => return state.finish(),
        _ => {}
    }
    if let Some(wait) = state.expired() {
        expired(state, wait);
    }
    if !state.is_finished {
        advance(state);
    }
}

fn news(state: &mut State, lane: usize, happening: Happening) -> Result<(), Box<Finding>> {
    if let Happening::Rolled { by, roll, skipped } = happening {
        if state.model.lane_of(by) == Some(lane) || state.rolled_at == Duration::ZERO {
            state.rolled_at = state.now;
        }
        state.begin_turn(by, roll, skipped)?;
    }
    Ok(())
}

/// The referee ended its direction of a lane.
fn closed(state: &mut State, lane: usize, close: Close) {
    let owes = state.model.missing(lane);
    if state.model.is_over() && owes.is_none() {
        if close == Close::Reset {
            let requirement = state.scenario.dialect.close_requirement();
            let seen =
                format!("the lane of {} was reset after the end of the game", blame::lane_name(state, lane));
            state.choice(requirement, seen);
        }
        return;
    }
    if state.pending.is_some() {
        return;
    }
    let finding = if state.has_heard || state.model.received(lane) > 0 {
        blame::hung_up(state, lane, owes.as_deref(), close)
    } else {
        blame::never_spoke(state)
    };
    state.progress();
    state.pending = Some(finding);
    let until = state.now + Duration::from_millis(200);
    state.wait(Wait::Aftermath, until);
}

fn expired(state: &mut State, wait: Wait) {
    state.waiting = None;
    match wait {
        Wait::Handshake | Wait::Answer => {
            let finding = if state.has_heard { blame::silence(state) } else { blame::never_spoke(state) };
            state.fail(finding);
        }
        Wait::Timeout => {
            if let Some(seat) = state.model.awaits_move_of() {
                state.model.forfeit(seat, Cause::Timeout);
            }
        }
        Wait::Close | Wait::CloseAfterUs => {
            let late: Vec<_> =
                (0..state.lanes.len()).filter(|&lane| state.lanes[lane].ended.is_none()).collect();
            let names: Vec<_> = late.iter().map(|&lane| blame::lane_name(state, lane)).collect();
            let requirement = state.scenario.dialect.close_requirement();
            let seen = format!(
                "{} still open {:.1?} after the end of the game",
                names.join(", "),
                state.settings.budgets.close
            );
            state.choice(requirement, seen);
            state.finish();
        }
        Wait::Aftermath => {
            let mut finding = state.pending.take().expect("an aftermath follows a finding");
            if let Some((status, _)) = &state.exited {
                finding.notes.push(format!("the referee's process ended: {status}"));
            }
            state.fail(finding);
        }
    }
}

fn advance(state: &mut State) {
    if state.is_sending || state.pending.is_some() {
        return;
    }
    let budgets = state.settings.budgets;
    if !state.model.is_greeted() {
        return state.wait(Wait::Handshake, state.now + budgets.handshake);
    }
    let answer = state.now + budgets.answer + state.settings.pace;
    if !state.model.is_caught_up() {
        return state.wait(Wait::Answer, answer);
    }
    if state.model.is_over() {
        if state.lanes.iter().all(|lane| lane.ended.is_some()) {
            return state.finish();
        }
        return state.wait(Wait::Close, state.now + budgets.close);
    }
    let has_ended =
        state.step.is_none() && state.next_step >= state.scenario.steps.len() && state.next_step > 0;
    if has_ended {
        // The roll after the last step has reached every lane: nothing of the scenario is missing any more.
        return state.finish();
    }
    match state.model.awaits_move_of() {
        Some(seat) => act(state, seat),
        None => state.wait(Wait::Answer, answer),
    }
}

/// Does what the scenario has this player do.
fn act(state: &mut State, seat: Seat) {
    let lane = state.model.lane_of(seat).expect("the handshake is complete");
    let legal = state.model.table().map(crate::rules::Table::legal_moves).unwrap_or_default();
    let deed = match state.turn() {
        Some(turn) => turn.deed,
        None => Deed::Move(Choice::Any { name: None, except: None }),
    };
    let send = |state: &mut State, line: &[u8], mv: Option<Move>| {
        state.last_said = Some((seat, mv));
        if let Some(mv) = mv {
            state.narrate(seat, mv);
        }
        state.is_sending = true;
        state.send_line(lane, line);
    };
    match deed {
        Deed::Skip => unreachable!("a skipped turn awaits no move"),
        Deed::Move(Choice::This(mv)) => {
            let line = state.scenario.dialect.write_move(mv);
            send(state, &line, Some(mv));
        }
        Deed::Move(Choice::Any { name, except }) => {
            let excluded = except.and_then(|except| state.called.get(&except).copied());
            let allowed: Vec<_> = legal.into_iter().filter(|&mv| Some(mv) != excluded).collect();
            let Some(mv) = state.chooser.pick(&allowed) else {
                let mut finding =
                    Finding::new(Verdict::Inconclusive, "as the game went, no other move is possible here");
                finding.span = state.span();
                return state.fail(finding);
            };
            state.called.extend(name.map(|name| (name, mv)));
            let line = state.scenario.dialect.write_move(mv);
            send(state, &line, Some(mv));
        }
        Deed::Illegal(line) => {
            let mv = match state.scenario.dialect.read_said(&line) {
                crate::protocol::Said::Move(mv) => Some(mv),
                _ => None,
            };
            send(state, &line, mv);
        }
        Deed::Silent => {
            let Some(timeout) = state.settings.timeout else {
                let mut finding = Finding::new(Verdict::Unsupported, "the subject's timeout is not known");
                finding
                    .notes
                    .push("say `--timeout` with the timeout that the subject was started with".into());
                finding.span = state.span();
                return state.fail(finding);
            };
            let due = state.rolled_at + timeout.saturating_sub(early_slack(timeout));
            state.wait(Wait::Timeout, due);
        }
    }
}
