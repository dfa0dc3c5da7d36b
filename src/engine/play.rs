//! A game under way, wherever it is played: what is judged, measured and written down of it.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use super::lag::NOTABLE;
use super::lanes::of_subject;
use super::record::{Recorder, in_micros};
use crate::event::{Event, Lag, Outcome, Slowest, What};
use crate::finding::{Finding, Verdict};
use crate::judge::{Command, Judge, Settings};
use crate::scenario::{Scenario, Side};
use crate::transcript::{Direction, Transcript};

/// The judge of a game, and who listens beside it.
#[derive(Debug)]
pub(super) struct Play {
    pub(super) judge: Judge,
    recorder: Recorder,
    pauses: Pauses,
    was_hurried: bool,
    /// The error that keeps the recording from being written.
    broke_down: Option<io::Error>,
}

impl Play {
    /// A game that nothing has happened in yet.
    pub(super) fn new(
        scenario: &Arc<Scenario>,
        settings: Settings,
        golden: Option<Arc<Transcript>>,
        recorder: Recorder,
    ) -> Play {
        Play {
            recorder,
            pauses: Pauses::new(scenario, &settings),
            judge: Judge::new(Arc::clone(scenario), settings, golden),
            was_hurried: false,
            broke_down: None,
        }
    }

    /// Returns true if the judge has finished, or the recording cannot be written.
    pub(super) fn is_over(&self) -> bool {
        self.judge.is_finished() || self.broke_down.is_some()
    }

    /// Takes the lag that can have delayed the next event, where it is notable.
    pub(super) fn lag(&mut self, at: Duration, lag: Lag) {
        let lag = Lag {
            own: in_micros(lag.own),
            subject: in_micros(lag.subject),
        };
        if lag.own.max(lag.subject) >= NOTABLE {
            let what = What::Lag(lag);
            self.take(&Event { at, what });
        }
    }

    /// Writes an event down and has it judged. Returns the judge's commands.
    pub(super) fn take(&mut self, event: &Event) -> Vec<Command> {
        let recorded = self.recorder.event(event);
        self.note(recorded);
        self.was_hurried |= event.what == What::Hurried;
        self.pauses.take(event, self.judge.is_biding());
        self.judge.take(event)
    }

    /// The subject's slowest answers so far.
    pub(super) fn slowest(&self) -> Slowest {
        self.pauses.slowest
    }

    /// Writes out what is kept of the recording.
    pub(super) fn write_out(&mut self) {
        let written = self.recorder.write_out();
        self.note(written);
    }

    fn note(&mut self, recorded: io::Result<()>) {
        self.broke_down = self.broke_down.take().or(recorded.err());
    }

    /// Puts what the judge says in the end into the outcome, has it explained, and ends the recording with it.
    ///
    /// # Errors
    /// Fails if the recording cannot be written.
    pub(super) fn conclude(
        self,
        outcome: &mut Outcome,
        explain: impl FnOnce(&mut Outcome),
    ) -> Result<(), Box<Finding>> {
        outcome.slowest = self.pauses.slowest;
        outcome.was_hurried = self.was_hurried;
        self.judge.conclude_into(outcome);
        explain(outcome);
        let concluded = match self.broke_down {
            Some(error) => Err(error),
            None => self.recorder.conclude(outcome),
        };
        concluded.map_err(unrecorded)
    }
}

/// A recording that cannot be written: what was seen is not vouched for.
pub(super) fn unrecorded(error: io::Error) -> Box<Finding> {
    let mut finding = Finding::new(
        Verdict::Error,
        format!("the recording cannot be written: {error}"),
    );
    // The limit of a recording is urtext's own, not the system's.
    let note = match (error.kind(), error.raw_os_error()) {
        (io::ErrorKind::FileTooLarge, None) => {
            "the game ended there; without --record it is judged all the same"
        }
        _ => "give --record a folder that you can write to, on a disk with space",
    };
    finding.notes.push(note.to_owned());
    Box::new(finding)
}

/// The pauses before the subject's lines, in one game.
#[derive(Debug)]
struct Pauses {
    /// The direction in which the subject's lines go.
    of_subject: Direction,
    pace: Duration,
    timeout: Duration,
    /// Longest response time that counts as an answer; a later line may be a reaction to urtext's own close.
    budget: Duration,
    /// Time of the last line or byte before.
    last: Duration,
    has_spoken: bool,
    slowest: Slowest,
}

impl Pauses {
    fn new(scenario: &Scenario, settings: &Settings) -> Pauses {
        Pauses {
            of_subject: of_subject(scenario.side()),
            pace: settings.pace,
            timeout: settings.timeout.unwrap_or_default(),
            budget: answers_within(scenario, settings),
            last: Duration::ZERO,
            has_spoken: false,
            slowest: Slowest::default(),
        }
    }

    /// Takes an event; `was_biding` says whether nothing but time was waited for before it.
    fn take(&mut self, event: &Event, was_biding: bool) {
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
fn answers_within(scenario: &Scenario, settings: &Settings) -> Duration {
    let budgets = &settings.budgets;
    let default = || scenario.game()?.dialect.game().data().default_timeout;
    match scenario.side() {
        Side::Referee => budgets.answer,
        Side::Bot => settings
            .timeout
            .or_else(default)
            .unwrap_or(budgets.forfeit)
            .max(budgets.answer),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::royalur::CodeColosseum;
    use crate::judge::table_tests::settings;
    use crate::protocol::Line;
    use crate::scenario::free_game;

    #[test]
    fn tells_the_longest_pauses_of_the_subject_less_those_that_are_due() {
        let seconds = Duration::from_secs;
        let settings = Settings {
            pace: seconds(1),
            timeout: Some(seconds(20)),
            ..settings()
        };
        let mut pauses = Pauses::new(&free_game(&CodeColosseum, 1), &settings);
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
