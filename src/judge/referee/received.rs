//! Lines of a referee under test.

use super::super::finding_context::{End, lane_name, timing};
use super::super::slack::{Bound, Measured, tolerance};
use super::super::state::State;
use super::super::wait::Pending;
use super::super::{attribution, deviation, excuse, timeout, untimely};
use crate::finding::{Finding, FindingKind, Verdict};
use crate::protocol::{Deviation, Expected, GameEvent, Line, LineEnding, Party, Received};
use crate::requirement::Role;
use crate::rules::Phase;

/// Takes a line of the referee.
///
/// # Errors
/// A finding that ends the game.
pub(super) fn line(state: &mut State, lane: usize, line: &Line) -> Result<(), Box<Finding>> {
    let late = state
        .lateness()
        .and_then(|late| Some((late, state.seen.model.overdue(lane)?)));
    let was_over = state.seen.model.is_over();
    let line = &without_carriage_return(state, lane, line);
    match state.seen.model.receive(lane, line) {
        Ok(Received::News(happening)) => {
            state.progress();
            news(state, happening)?;
        }
        Ok(Received::Open(requirement)) => {
            let name = lane_name(&state.seen, lane);
            let lane = &mut state.seen.lanes[lane];
            lane.open_lines.push(lane.entries.len() - 1);
            state.choice(requirement, format!("{name} was told of its own loss"));
        }
        Ok(Received::Apart) => {}
        Ok(received) => {
            if !was_over {
                state.progress();
            }
            told(state, lane, &received)?;
            if let Some(finding) = timeout::first_sign(&mut state.seen, lane) {
                return Err(Box::new(finding));
            }
        }
        Err(deviation) => unpredicted(state, deviation),
    }
    match late.filter(|_| !state.results.is_finished) {
        Some((late, missing)) => Err(Box::new(untimely::late(&state.seen, &missing, late))),
        None => Ok(()),
    }
}

fn news(state: &mut State, happening: GameEvent) -> Result<(), Box<Finding>> {
    if let GameEvent::Rolled { by, roll, skipped } = happening {
        let seen = &mut state.seen;
        seen.kind.clock.turn_begins(seen.now);
        seen.kind.clock.own_delay.rolled(seen.now);
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
            let seen = &mut state.seen;
            seen.kind.clock.turn_begins(seen.now);
            seen.kind.clock.own_delay.began(seen.now);
        }
    }
    match (state.seen.plan.setup, state.seen.model.facts().setup) {
        (Some(forced), Some(shown)) if forced != shown && *received == Received::Greeting => {
            let game = state.seen.plan.dialect.game();
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

/// Turns may not follow each other faster than the pace, where the scenario asks for one; the beginnings of
/// two turns are compared, which is the reading that demands least. If the dialect leaves the pace open after
/// a skipped turn, the choice is recorded.
fn too_fast(state: &mut State, skipped: bool) -> Result<(), Box<Finding>> {
    let before = state
        .seen
        .kind
        .clock
        .began
        .replace((state.seen.now, skipped));
    let pace = state.seen.plan.pace.filter(|pace| !pace.is_zero());
    let (Some((before, was_skipped)), Some(pace)) = (before, pace) else {
        return Ok(());
    };
    let apart = state.seen.now.saturating_sub(before);
    let own = state.seen.lags.own_since(before);
    let lag = own + state.seen.lags.delayed_since(before);
    let measured = Measured {
        time: apart + tolerance(pace),
        short: lag,
        long: own + tolerance(pace),
    };
    let bound = measured.at_least(pace, pace / 2);
    if let Some(requirement) = state
        .seen
        .plan
        .dialect
        .find_id(Role::PaceAfterSkip)
        .filter(|_| was_skipped)
    {
        let seen = match bound {
            Bound::Kept => "the pace is kept after it as well",
            Bound::Broken => "the next roll comes at once",
            Bound::Unsure => return Ok(()),
        };
        state.choice(requirement, format!("after a skipped turn, {seen}"));
        return Ok(());
    }
    let dialect = state.seen.plan.dialect;
    let by_default = dialect
        .find_id(Role::DefaultPace)
        .filter(|_| state.seen.plan.leaves("pace"));
    let requirement = by_default.or(dialect.find_id(Role::Pace));
    match bound {
        Bound::Kept => Ok(()),
        Bound::Unsure => {
            let title = "this machine was too busy to tell whether the pace was kept";
            Err(Box::new(untimely::unsure(
                &state.seen,
                requirement,
                title,
                lag,
            )))
        }
        Bound::Broken => {
            let kind = FindingKind::TooFast {
                apart: format!("{apart:.2?}"),
                pace: format!("{pace:.2?}"),
            };
            Err(Box::new(timing(&state.seen, requirement, kind)))
        }
    }
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
    let requirement = state.seen.plan.dialect.id(Role::CarriageReturn);
    state.choice(requirement, "lines end with CR LF".to_owned());
    let lane = &mut state.seen.lanes[lane];
    lane.carriage_returns.push(lane.entries.len() - 1);
    Line::new(text)
}

/// Judges a line that was not predicted: at once, or after a while where other lines can tell what it means.
fn unpredicted(state: &mut State, deviation: Box<Deviation>) {
    let first = &mut state.seen.lanes[deviation.lane].unpredicted;
    first.get_or_insert_with(|| deviation.clone());
    if let Some(Pending::Swapped(..)) = &state.waits.pending {
        return;
    }
    if let Some(Pending::Line(known)) = &state.waits.pending
        && (known.lane == deviation.lane || known.expected != Expected::NothingMore)
    {
        return;
    }
    let is_after_the_end = deviation.expected == Expected::NothingMore;
    // Beside a loss that others are not told of, or told of late, the line means something else.
    if attribution::passes_on_a_loss(&state.seen, &deviation)
        || is_after_the_end && !state.seen.model.is_caught_up()
    {
        return state.await_aftermath(Pending::Line(deviation));
    }
    // What a line says tells more than that another lane was closed.
    state.waits.pending = None;
    let mut finding = deviation::deviation(&state.seen, &deviation, End::Line);
    excuse::late_reading(state, &deviation, &mut finding);
    if !deviation::may_be_swapped(&state.seen, &deviation) {
        return state.fail(finding);
    }
    state.excuse(&mut finding);
    state.await_aftermath(Pending::Swapped(deviation, Box::new(finding)));
}
