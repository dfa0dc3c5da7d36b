//! Lag of the machine during a game: how late urtext was woken, and how long the subject's processes were runnable and did not run.

use std::time::Duration;

use super::state::State;
use crate::event::{Finding, Verdict};

/// The share of a budget that must be lag before lag explains that nothing came: one part in so many.
const LEAST_SHARE: u32 = 4;

/// The least lag that explains that nothing came, however short the budget.
const LEAST: Duration = Duration::from_millis(500);

/// The lag in one game, as far as the engine reported it.
#[derive(Debug, Clone, Default)]
pub(super) struct Lags {
    /// The time of the report, the lag of urtext and the lag of the subject.
    reports: Vec<(Duration, Duration, Duration)>,
    /// Whether something came too late, or not at all, and lag explains that.
    pub(super) has_excused: bool,
}

impl Lags {
    /// Adds a report: since the one before, urtext was woken up to `own` late, and the subject did not run for `subject`.
    pub(super) fn report(&mut self, at: Duration, own: Duration, subject: Duration) {
        self.reports.push((at, own, subject));
    }

    fn since(&self, from: Duration) -> impl Iterator<Item = &(Duration, Duration, Duration)> {
        self.reports.iter().rev().take_while(move |(at, ..)| *at >= from)
    }

    /// The most by which one event since `from` can have been seen too late.
    pub(super) fn most_since(&self, from: Duration) -> Duration {
        self.since(from).map(|(_, own, subject)| *own + *subject).max().unwrap_or_default()
    }

    /// How late urtext was woken since a time, at most.
    pub(super) fn own_since(&self, from: Duration) -> Duration {
        self.since(from).map(|(_, own, _)| *own).max().unwrap_or_default()
    }

    /// How much time a subject that was waited for since `from` lacked.
    pub(super) fn lost_since(&self, from: Duration) -> Duration {
        self.own_since(from) + self.since(from).map(|(.., subject)| *subject).sum::<Duration>()
    }
}

/// Makes a finding inconclusive where only lag explains it: something did not come within its budget, and without the time that the
/// subject lacked the budget would not be over.
pub(super) fn excuse(state: &mut State, finding: &mut Finding) {
    let Some((from, until)) = state.due.filter(|(_, until)| state.now >= *until) else { return };
    let (lost, budget) = (state.lags.lost_since(from), until.saturating_sub(from));
    let waited = state.now.saturating_sub(from);
    let may_be = finding.by_silence && matches!(finding.verdict, Verdict::Fail | Verdict::Error);
    if !may_be || waited >= budget + lost || lost < LEAST.max(budget / LEAST_SHARE) {
        return;
    }
    finding.verdict = Verdict::Inconclusive;
    finding.title.push_str(", and this machine was busy");
    finding.notes.push(format!(
        "in these {waited:.1?} the subject's processes were ready to run and did not run, or urtext was woken late, for {lost:.1?}; \
         fewer --jobs or a longer --answer-budget help"
    ));
    state.lags.has_excused = true;
}
