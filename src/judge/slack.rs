//! Durations of waits, and tolerances for early observations.

use std::time::Duration;

use super::observed::Observed;

/// Time for the referee to show its reaction to a line that was sent off turn.
pub(super) const SETTLE: Duration = Duration::from_millis(300);

/// Wait for events after a close or a failure.
pub(super) const AFTERMATH: Duration = Duration::from_millis(200);

/// Returns the tolerance for an early end of a timeout or a pace: timers are not exact, and a loaded machine
/// delays our own wake-ups.
pub(super) fn early_slack(time: Duration, lag: Duration) -> Duration {
    ((time / 20).max(Duration::from_millis(50)) + 2 * lag).min(time / 2)
}

/// The slack in words.
pub(super) fn slack_words(time: Duration, lag: Duration) -> String {
    let slack = early_slack(time, lag);
    format!(
        "a slack of {slack:.2?} was allowed for: this machine kept urtext or the subject waiting for up to {lag:.2?}"
    )
}

/// Before when no loss by this timeout can be seen of a referee that keeps it, however late what it wrote is read: its clock starts
/// after the move before was handed out. In the first turn it starts while lanes are still being opened, so that more slack is left.
pub(super) fn not_before(seen: &Observed, timeout: Duration) -> Duration {
    match seen.clock.from {
        Some(from) => {
            let from = from.min(seen.clock.rolled_at);
            from + timeout.saturating_sub(early_slack(timeout, seen.lag_since(from)))
        }
        None => timeout - early_slack(timeout, seen.lag_since(Duration::ZERO)).max(timeout / 4),
    }
}

/// The time for something; a bot that has not said anything may still be starting.
pub(super) fn patience(seen: &Observed, budget: Duration) -> Duration {
    if seen.heard.anything {
        budget
    } else {
        budget.max(seen.settings.budgets.handshake)
    }
}
