//! Excuses for a subject: lag of the machine, or urtext's own delay. The findings that end a game pass here.

use std::time::Duration;

use super::kind::Kind;
use super::pending;
use super::slack::{AFTERMATH, SETTLE, not_before, tolerance};
use super::state::State;
use super::wait::Pending;
use crate::finding::{Excuse, Finding, Verdict};
use crate::protocol::{Deviation, DueLine, GameEvent, RefereeLine};
use crate::scenario::{Side, Turn};

/// The share of a budget that must be lag before lag explains that nothing came: one part in so many.
const LEAST_SHARE: u32 = 4;

/// The least lag that explains that nothing came, however short the budget.
const LEAST: Duration = Duration::from_millis(500);

impl<K: Kind> State<K> {
    /// Takes a finding that ends the game.
    pub(super) fn fail(&mut self, mut finding: Finding) {
        K::blame(&self.seen, &mut finding);
        self.excuse(&mut finding);
        self.end_with(finding);
    }

    /// Doubts a finding that can come of our own lateness, or of the machine's.
    pub(super) fn excuse(&mut self, finding: &mut Finding) {
        late_line(self, finding);
        K::excuse(self, finding);
        lag(self, finding);
        self.seen.lags.has_excused |=
            finding.by_silence && finding.verdict == Verdict::Inconclusive;
    }

    fn end_with(&mut self, finding: Finding) {
        self.results.findings.push(finding);
        self.finish();
    }
}

impl State {
    /// Takes the observation whose meaning was open as a finding, once the time for later events is over.
    pub(super) fn fail_pending(&mut self) {
        let pending = self.waits.pending.take();
        let pending = pending.expect("an aftermath follows something");
        let mut finding = pending::finding(&self.seen, &pending);
        match &pending {
            // It was excused, or not, when it was found.
            Pending::Swapped(..) => return self.end_with(finding),
            Pending::Line(deviation) => late_reading(self, deviation, &mut finding),
            _ => {}
        }
        self.fail(finding);
    }
}

/// A deviation that can come of our own lateness is not held against the referee.
fn late_line<K: Kind>(state: &mut State<K>, finding: &mut Finding) {
    let Some(timeout) = state
        .seen
        .settings
        .timeout
        .filter(|_| state.seen.scenario.side() == Side::Referee)
    else {
        return;
    };
    // What led to the finding may have been looked at for a moment.
    let late = state
        .seen
        .lags
        .own_since(state.seen.now.saturating_sub(2 * AFTERMATH));
    let (waited, before) = K::own_delay(state, timeout, late);
    let lag = state.seen.lag_since(state.seen.now.saturating_sub(waited));
    let slack = (tolerance(timeout) + 2 * lag).min(timeout / 2).max(before);
    if finding.verdict != Verdict::Fail || waited + slack < timeout {
        return;
    }
    doubt(state, finding);
    finding.notes.push(format!(
        "the referee can have waited {waited:.2?} for its line, with a timeout of {timeout:.2?}; \
         a longer timeout or fewer --jobs help"
    ));
}

/// Returns the longest time that the referee can have waited for a player of urtext's, where `late` is urtext's own delay, and the time
/// that may have run before.
pub(super) fn own_delay(state: &State, timeout: Duration, late: Duration) -> (Duration, Duration) {
    let own_delay = &state.seen.clock.own_delay;
    let waited = own_delay.waited(state.seen.settings.pace, late);
    // In the first turn its clock starts while lanes are still being opened.
    let before = match own_delay.from {
        None => timeout / 4,
        Some(_) => Duration::ZERO,
    };
    (waited.max(pause(state)), before)
}

/// Returns the longest time that the referee can have waited for a player of urtext's that still pauses before its line.
fn pause(state: &State) -> Duration {
    let lets_time_pass = |turn: Turn| state.seen.plan.lets_time_pass(&turn.deed);
    if state.outgoing.outbox.is_empty() || state.seen.turn().is_some_and(lets_time_pass) {
        return Duration::ZERO;
    }
    let delay = &state.seen.clock.own_delay;
    delay.kept_waiting(state.seen.now, state.seen.settings.pace)
}

/// A deviation that can come of our own lateness decides nothing, and the game is played again.
pub(super) fn doubt<K>(state: &mut State<K>, finding: &mut Finding) {
    state.seen.lags.has_excused = true;
    finding.verdict = Verdict::Inconclusive;
    finding.by_silence = true;
    finding.doubt(Excuse::Late);
}

/// A silent player's timeout passed before another player's off-turn line could show its effect: the loss may
/// belong to either of them. This happens if urtext itself was late.
pub(super) fn time_that_was_over(state: &mut State, finding: &mut Finding) {
    let Some(timeout) = state
        .seen
        .settings
        .timeout
        .filter(|_| state.seen.plan.side == Side::Referee)
    else {
        return;
    };
    let lets_time_pass = state
        .seen
        .turn()
        .is_some_and(|turn| state.seen.plan.lets_time_pass(&turn.deed));
    if finding.verdict == Verdict::Fail
        && state.outgoing.is_unsettled
        && lets_time_pass
        && state.seen.now >= not_before(&state.seen, timeout)
    {
        doubt(state, finding);
    }
}

/// Makes a finding inconclusive where only lag explains it: something did not come within its budget, and without the time that the
/// subject lacked the budget would not be over.
fn lag<K>(state: &mut State<K>, finding: &mut Finding) {
    let Some((from, until)) = state
        .waits
        .due
        .filter(|(_, until)| state.seen.now >= *until)
    else {
        return;
    };
    let (lost, budget) = (state.seen.lags.lost_since(from), until.saturating_sub(from));
    let waited = state.seen.now.saturating_sub(from);
    let may_be = finding.by_silence && matches!(finding.verdict, Verdict::Fail | Verdict::Error);
    if !may_be || waited >= budget + lost || lost < LEAST.max(budget / LEAST_SHARE) {
        return;
    }
    finding.verdict = Verdict::Inconclusive;
    finding.doubt(Excuse::Busy);
    finding.notes.push(format!(
        "in these {waited:.1?} the subject's processes were ready to run and did not run, or urtext was woken late, for {lost:.1?}; \
         fewer --jobs or a longer --budget answer=DURATION help"));
    state.seen.lags.has_excused = true;
}

/// A deviation that can come of the referee's reading a line off turn, or missing a player, later than we waited is not held
/// against it.
pub(super) fn late_reading(state: &State, deviation: &Deviation, finding: &mut Finding) {
    // What a player sends before it goes away is read before that.
    let mover = match deviation.due {
        Some(DueLine::Event(_, GameEvent::Moved { by, .. }, _)) => Some(by),
        _ => None,
    };
    let may_be_late =
        deviation.heard == Some(RefereeLine::Loss) && state.seen.model.may_lose_but(mover);
    if finding.verdict == Verdict::Fail && (state.seen.progress.rests_on_delay || may_be_late) {
        finding.verdict = Verdict::Inconclusive;
        let note = format!(
            "what was sent off turn, or a hang-up, may have been read later than {SETTLE:?} after it"
        );
        finding.notes.push(note);
    }
}

/// The time is over before all was done that the scenario has the players do in this turn: urtext was late.
pub(super) fn cut_short(state: &mut State) -> Option<Finding> {
    let acts = state.seen.turn().map_or(0, |turn| turn.meanwhile.len());
    if state.outgoing.outbox.is_empty() && state.seen.progress.acts_done >= acts {
        return None;
    }
    let title = "the time for the move was over before all was done that this turn has";
    let mut finding = Finding::new(Verdict::Inconclusive, title);
    finding.span = state.seen.span();
    doubt(state, &mut finding);
    Some(finding)
}
