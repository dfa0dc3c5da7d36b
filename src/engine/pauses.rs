//! Response times of the subject.

use std::time::Duration;

use crate::event::{Event, Slowest, What};
use crate::judge::Budgets;
use crate::scenario::{Scenario, Side};
use crate::transcript::Direction;

/// The pauses before the subject's lines, in one game.
#[derive(Debug)]
pub(super) struct Pauses {
    /// The direction in which the subject's lines go.
    of_subject: Direction,
    pace: Duration,
    timeout: Duration,
    /// Longest response time that counts as an answer; a later line may be a reaction to urtext's own close.
    budget: Duration,
    /// Time of the last line or byte before.
    last: Duration,
    has_spoken: bool,
    pub(super) slowest: Slowest,
}

impl Pauses {
    pub(super) fn new(
        of_subject: Direction,
        pace: Duration,
        timeout: Option<Duration>,
        budget: Duration,
    ) -> Pauses {
        Pauses {
            of_subject,
            pace,
            timeout: timeout.unwrap_or_default(),
            budget,
            last: Duration::ZERO,
            has_spoken: false,
            slowest: Slowest::default(),
        }
    }

    /// Takes an event; `was_biding` says whether nothing but time was waited for before it.
    pub(super) fn take(&mut self, event: &Event, was_biding: bool) {
        match &event.what {
            What::Opened { .. } => self.last = event.at,
            What::Line { direction, .. } => {
                if *direction == self.of_subject {
                    let due = if was_biding {
                        self.pace + self.timeout
                    } else {
                        self.pace
                    };
                    let pause = event.at.saturating_sub(self.last).saturating_sub(due);
                    if !self.has_spoken {
                        self.slowest.first = pause;
                    } else if pause < self.budget {
                        self.slowest.later = pause.max(self.slowest.later);
                    }
                    self.has_spoken = true;
                }
                self.last = event.at;
            }
            _ => {}
        }
    }
}

/// Returns the time in which the subject has to answer: a bot that computes is waited for as long as the game gives it.
pub(super) fn answers_within(
    scenario: &Scenario,
    timeout: Option<Duration>,
    budgets: &Budgets,
) -> Duration {
    match scenario.side() {
        Side::Referee => budgets.answer,
        Side::Bot => timeout
            .or(scenario
                .game()
                .and_then(|plan| plan.dialect.game().default_timeout()))
            .unwrap_or(budgets.forfeit)
            .max(budgets.answer),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Line;

    #[test]
    fn tells_the_longest_pauses_of_the_subject_less_those_that_are_due() {
        let seconds = Duration::from_secs;
        let (pace, timeout) = (seconds(1), Some(seconds(20)));
        let mut pauses = Pauses::new(Direction::Received, pace, timeout, seconds(5));
        let mut said = |at: u64, direction, was_biding| {
            let (at, line) = (seconds(at), Line::new("x"));
            let what = What::Line {
                lane: 0,
                direction,
                line,
            };
            pauses.take(&Event { at, what }, was_biding);
        };
        said(7, Direction::Received, false);
        said(11, Direction::Received, false);
        // How long urtext itself thinks is not counted.
        said(30, Direction::Sent, false);
        said(32, Direction::Received, false);
        // A timeout.
        said(54, Direction::Received, true);
        // Nothing came until urtext left.
        said(61, Direction::Received, false);
        let (first, later) = (seconds(6), seconds(3));
        assert_eq!(pauses.slowest, Slowest { first, later });
    }
}
