//! The time that a subject may take to start, as the machine and the other games leave it.

use std::convert::Infallible;
use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::lag::{LagMeter, SAMPLED_EVERY};
use crate::diagnostic::counted;
use crate::transport::Deadline;

/// Longest time for a start to which the budget is extended.
const LONGEST: Duration = Duration::from_secs(60);

/// Time by which each other game that starts meanwhile extends the budget: an interpreter can need as much processor time.
const EACH_OTHER: Duration = Duration::from_secs(1);

/// The number of games of a run whose subjects are starting.
#[derive(Debug, Clone, Default)]
pub(super) struct Starting(Arc<AtomicUsize>);

/// The time that the subject of one game may take to start.
#[derive(Debug)]
pub(super) struct StartBudget<'m> {
    began: Instant,
    budget: Duration,
    starting: Starting,
    /// Most other games that were starting meanwhile.
    others: usize,
    /// Measures lag once there is a process that urtext has started.
    pub(super) lag: Option<LagMeter<'m>>,
    pub(super) deadline: Deadline,
}

impl Starting {
    /// A game begins to start its subject.
    pub(super) fn begin<'m>(&self, budget: Duration) -> StartBudget<'m> {
        let began = Instant::now();
        StartBudget {
            began,
            budget,
            others: self.0.fetch_add(1, Ordering::Relaxed),
            starting: self.clone(),
            lag: None,
            deadline: (began + budget).into(),
        }
    }
}

impl Drop for StartBudget<'_> {
    fn drop(&mut self) {
        self.starting.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl StartBudget<'_> {
    /// Extends the deadline for as long as it is polled.
    pub(super) async fn extend(&mut self) -> Infallible {
        loop {
            let Some(lag) = &mut self.lag else {
                return pending().await;
            };
            lag.read();
            let others = self.starting.0.load(Ordering::Relaxed).saturating_sub(1);
            self.others = self.others.max(others);
            let time = extended(self.budget, lag.lost, self.others);
            self.deadline.extend(self.began + time);
            sleep(SAMPLED_EVERY).await;
        }
    }

    /// Says by what the budget was extended, where it was.
    pub(super) fn in_words(&self) -> Option<String> {
        let time = self.deadline.at() - self.began;
        let lost = self.lag.as_ref().map_or(Duration::ZERO, |lag| lag.lost);
        (time > self.budget).then(|| {
            let mut text =
                format!("the start budget was extended to {time:.1?}, by {lost:.1?} of lag");
            if self.others > 0 {
                let games = counted(self.others, "other game");
                text += &format!(
                    " and by {} s for {games} that started meanwhile",
                    self.others
                );
            }
            text
        })
    }
}

/// Returns the start budget, extended for what lag took and for other games that start meanwhile.
fn extended(budget: Duration, lost: Duration, others: usize) -> Duration {
    let others = EACH_OTHER.saturating_mul(u32::try_from(others).unwrap_or(u32::MAX));
    budget
        .saturating_add(lost)
        .saturating_add(others)
        .min(LONGEST)
        .max(budget)
}

#[cfg(test)]
mod tests {
    use tokio::task::yield_now;

    use super::super::lag::Meter;
    use super::*;
    use crate::transport::StartProbe;

    #[test]
    fn lag_and_other_starts_extend_the_budget_up_to_a_minute() {
        let seconds = Duration::from_secs;
        assert_eq!(extended(seconds(10), seconds(0), 0), seconds(10));
        assert_eq!(extended(seconds(10), seconds(7), 3), seconds(20));
        assert_eq!(extended(seconds(10), seconds(70), 3), seconds(60));
        assert_eq!(extended(seconds(90), seconds(70), 3), seconds(90));
    }

    #[tokio::test]
    async fn games_that_start_at_the_same_time_count_until_they_have_started() {
        let starting = Starting::default();
        let first = starting.begin(Duration::from_secs(10));
        let second = starting.begin(Duration::from_secs(10));
        assert_eq!((first.others, second.others), (0, 1));
        drop(first);
        assert_eq!(starting.begin(Duration::from_secs(10)).others, 1);
        drop(second);
        assert_eq!(starting.begin(Duration::from_secs(10)).others, 0);
    }

    #[tokio::test]
    async fn a_program_that_urtext_started_is_waited_for_in_the_time_that_the_machine_took() {
        let (meter, probe) = (Meter::new(), StartProbe::default());
        let starting = Starting::default();
        let _other = starting.begin(Duration::ZERO);
        // Its budget is over before it begins: only what extends it lets it be waited for.
        let mut budget = starting.begin(Duration::ZERO);
        let deadline = budget.deadline.clone();
        let extend = async |budget: &mut StartBudget<'_>| {
            tokio::select! {
                biased;
                never = budget.extend() => match never {},
                () = yield_now() => {}
            }
        };
        extend(&mut budget).await;
        assert_eq!(deadline.at(), budget.began, "urtext has started nothing");
        assert_eq!(budget.in_words(), None);
        let lag = budget.lag.insert(LagMeter::new(&meter, &probe, None));
        lag.lost = Duration::from_secs(25);
        extend(&mut budget).await;
        assert_eq!(deadline.at() - budget.began, Duration::from_secs(26));
        let words = "the start budget was extended to 26.0s, by 25.0s of lag and by 1 s for 1 other game that started meanwhile";
        assert_eq!(budget.in_words().unwrap(), words);
    }
}
