//! Lines of a referee under test.

use std::time::Duration;

use super::super::clock::{Bound, Measured, tolerance};
use super::super::finding_context::{End, timing};
use super::super::state::State;
use super::super::wait::Pending;
use super::super::watch::Played;
use super::super::{attribution, deviation, timeout};
use crate::event::Lag;
use crate::finding::{Finding, Verdict};
use crate::protocol::{
    Deviation, Expected, GameEvent, Line, LineEnding, Party, Received, RefereeLine,
};
use crate::requirement::Role;
use crate::rules::Phase;

/// Takes a line of the referee.
///
/// # Errors
/// A finding that ends the game.
pub(super) fn line(state: &mut State, lane: usize, line: &Line) -> Played {
    let late = state
        .lateness()
        .and_then(|late| Some((late, state.model.overdue(lane)?)));
    let was_over = state.model.is_over();
    let line = &without_carriage_return(state, lane, line);
    match state.model.receive(lane, line) {
        Ok(Received::News(happening)) => {
            state.progress();
            news(state, happening)?;
        }
        Ok(Received::Open(requirement)) => {
            let lane = &mut state.lanes[lane];
            lane.open_lines.push(lane.entries.len() - 1);
            state.choice(requirement, "a player was told of its own loss".to_owned());
        }
        Ok(Received::Apart) => {}
        Ok(received) => {
            if !was_over {
                state.progress();
            }
            told(state, lane, &received)?;
            if let Some(finding) = timeout::first_sign(state, lane) {
                return Err(Box::new(finding));
            }
        }
        Err(deviation) => unpredicted(state, deviation)?,
    }
    match late.filter(|_| !state.is_finished) {
        Some((late, missing)) => Err(Box::new(timeout::late(state, &missing, late))),
        None => Ok(()),
    }
}

fn news(state: &mut State, happening: GameEvent) -> Played {
    if let GameEvent::Rolled { by, roll, skipped } = happening {
        let now = state.now;
        state.clock.rolled(now);
        too_fast(state, skipped)?;
        state.begin_turn(by, Some(roll), skipped)?;
    }
    Ok(())
}

/// Takes what a line of the handshake, or one that was due, tells beside itself: how the game starts, and whose turn begins.
fn told(state: &mut State, lane: usize, received: &Received) -> Played {
    let Some(table) = state.model.table() else {
        return Ok(());
    };
    let on_turn = table.to_move();
    if table.phase() == Phase::Move && state.model.party(lane) == Some(Party::Player(on_turn)) {
        // Without rolls, this line is what tells the player that it is on turn.
        if table.roll().is_none() {
            let now = state.now;
            state.clock.turn_begins(now);
        }
    }
    match (state.plan.setup, state.model.facts().setup) {
        (Some(forced), Some(shown)) if forced != shown && *received == Received::Greeting => {
            let game = state.plan.dialect.game();
            let (forced, shown) = (game.format_setup(forced), game.format_setup(shown));
            let title =
                format!("the setup hook does not work: `{forced}` was forced, `{shown}` was shown");
            let finding = Finding::new(Verdict::Error, title).noted(
                "nothing was tested; say how this referee takes the setup, or leave the hook away",
            );
            Err(Box::new(finding))
        }
        _ => Ok(()),
    }
}

/// Turns may not follow each other faster than the pace, where the scenario asks for one; the beginnings of
/// two turns are compared, which is the reading that demands least. If the dialect leaves the pace open after
/// a skipped turn, the choice is recorded.
fn too_fast(state: &mut State, skipped: bool) -> Played {
    let before = state.clock.began.replace((state.now, skipped));
    let pace = state.plan.pace.filter(|pace| !pace.is_zero());
    let (Some((before, was_skipped)), Some(pace)) = (before, pace) else {
        return Ok(());
    };
    let apart = state.now.saturating_sub(before);
    let Lag { own, subject } = state.lags.since(before);
    let lag = own + subject;
    let measured = Measured {
        time: apart + tolerance(pace),
        short: lag,
        long: own + tolerance(pace),
    };
    let bound = measured.at_least(pace, pace / 2);
    if let Some(requirement) = state.find_id(Role::PaceAfterSkip).filter(|_| was_skipped) {
        let seen = match bound {
            Bound::Kept => "the pace is kept after it as well",
            Bound::Broken => "the next roll comes at once",
            Bound::Unsure => return Ok(()),
        };
        state.choice(requirement, format!("after a skipped turn, {seen}"));
        return Ok(());
    }
    let moved = state.clock.from.unwrap_or_default().max(before);
    let surely = state.now.saturating_sub(moved + lag);
    let shortest = state.clock.shortest.unwrap_or(surely);
    state.clock.shortest = Some(shortest.min(surely));
    let by_default = state
        .find_id(Role::DefaultPace)
        .filter(|_| state.plan.leaves("pace"));
    let requirement = by_default.or(state.find_id(Role::Pace));
    match bound {
        Bound::Kept => Ok(()),
        Bound::Unsure => {
            let what = "the pace was kept";
            Err(Box::new(timeout::unsure(state, requirement, what, lag)))
        }
        Bound::Broken => {
            let title =
                format!("a turn began {apart:.2?} after the one before, with a pace of {pace:.2?}");
            Err(Box::new(timing(state, requirement, title)))
        }
    }
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
    let requirement = state.id(Role::CarriageReturn);
    state.choice(requirement, "lines end with CR LF".to_owned());
    let lane = &mut state.lanes[lane];
    lane.carriage_returns.push(lane.entries.len() - 1);
    Line::new(text)
}

/// Judges a line that was not predicted: at once, or after a while where other lines can tell what it means.
fn unpredicted(state: &mut State, deviation: Box<Deviation>) -> Played {
    let first = &mut state.lanes[deviation.lane].unpredicted;
    first.get_or_insert_with(|| deviation.clone());
    let is_known = match &state.pending {
        Some(Pending::Swapped(..)) => true,
        Some(Pending::Line(known)) => {
            known.lane == deviation.lane || known.expected != Expected::NothingMore
        }
        _ => false,
    };
    if is_known {
        return Ok(());
    }
    let is_after_the_end = deviation.expected == Expected::NothingMore;
    // Beside a loss that others are not told of, or told of late, the line means something else.
    if attribution::passes_on_a_loss(state, &deviation)
        || is_after_the_end && !state.model.is_caught_up()
    {
        state.await_aftermath(Pending::Line(deviation));
        return Ok(());
    }
    // What a line says tells more than that another lane was closed.
    state.pending = None;
    // The player on turn waits for a line that another lane lacks, until its time is over. What came just now may still be on its way there.
    let began = state.clock.began.map_or(Duration::ZERO, |(at, _)| at);
    let is_over =
        |timeout: Duration| state.now >= state.clock.not_before(timeout).max(began + timeout / 2);
    if deviation.heard == Some(RefereeLine::Loss)
        && deviation.expected == Expected::NothingYet
        && !state.model.is_caught_up()
        && state.settings.timeout.is_some_and(is_over)
    {
        return Err(deviation::silence(state).into());
    }
    let mut finding = deviation::deviation(state, &deviation, End::Line);
    state.excuse_late_reading(&deviation, &mut finding);
    if !deviation::may_be_swapped(state, &deviation) {
        return Err(finding.into());
    }
    state.excuse(&mut finding);
    state.await_aftermath(Pending::Swapped(deviation, finding.into()));
    Ok(())
}
