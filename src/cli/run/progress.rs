//! Progress of a run on standard error: a bar on a terminal; elsewhere a line for each scenario, or now and
//! then one line for all.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::{IsTerminal, Write, stderr};
use std::pin::pin;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tokio::time::{Instant, MissedTickBehavior, interval_at};

use super::told;
use crate::diagnostic::visible;
use crate::engine::{Progress, Silence};
use crate::event::Outcome;
use crate::finding::Verdict;

/// Interval between progress lines of a run without a terminal.
const BEAT: Duration = Duration::from_secs(10);

/// Amount of progress that is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::cli) enum Detail {
    /// None.
    Quiet,
    /// A bar, or now and then a line.
    Usual,
    /// Without a terminal, a line for each scenario.
    EachScenario,
}

/// Follows a run, and says how far it is.
#[derive(Debug)]
pub(super) struct Herald {
    bar: ProgressBar,
    tally: RefCell<Tally>,
    detail: Detail,
    is_terminal: bool,
    /// Names of scenarios whose failure is known.
    spared: BTreeSet<String>,
}

#[derive(Debug)]
struct Tally {
    total: usize,
    ended: usize,
    /// Neither passed nor lenient.
    other: usize,
    /// A failure was told.
    has_failed: bool,
}

impl Herald {
    /// `spared`: names of scenarios whose failure is known.
    pub(super) fn new(games: usize, detail: Detail, spared: BTreeSet<String>) -> Herald {
        let is_terminal = stderr().is_terminal();
        let tally = RefCell::new(Tally {
            total: games,
            ended: 0,
            other: 0,
            has_failed: false,
        });
        let herald = Herald {
            bar: progress_bar(games),
            tally,
            detail,
            is_terminal,
            spared,
        };
        if detail == Detail::Quiet {
            herald.bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        herald
    }

    /// Takes what a run tells.
    pub(super) fn take(&self, progress: Progress<'_>) {
        match progress {
            Progress::Began(scenario) => self.bar.set_message(scenario.name.clone()),
            Progress::Again(scenario) => {
                self.bar.set_message(format!("{} once more", scenario.name))
            }
            Progress::Silence(..) if self.detail == Detail::Quiet => {}
            Progress::Silence(scenario, silence) => {
                let line = silent(&scenario.name, silence);
                self.bar.suspend(|| say(&line));
            }
            Progress::Told(game, news) => {
                let is_alone = self.tally.borrow().total == 1;
                let line = told::describe(game, news, is_alone);
                self.bar.suspend(|| say(&line));
            }
            Progress::Ended(outcome) => {
                self.bar.inc(1);
                let line = self.tally.borrow_mut().ended(outcome);
                if self.detail == Detail::EachScenario && !self.is_terminal {
                    say(&line);
                }
                if self.detail != Detail::Quiet
                    && !self.spared.contains(&outcome.name)
                    && let Some(line) = self.tally.borrow_mut().first_failure(outcome)
                {
                    self.bar.suspend(|| say(&line));
                }
            }
        }
    }

    /// Does something, and says meanwhile how far the run is where nothing else does.
    pub(super) async fn beside<T>(&self, doing: impl Future<Output = T>) -> T {
        let has_beats = !self.is_terminal && self.detail == Detail::Usual;
        let done = beating(doing, BEAT, |after| {
            if has_beats {
                say(&self.tally.borrow().so_far(after));
            }
        });
        let done = done.await;
        self.bar.finish_and_clear();
        done
    }
}

/// Returns the line that reports a silence as it was measured.
fn silent(name: &str, silence: Silence) -> String {
    match silence {
        Silence::Long { waited, slowest } => {
            let slowest = slowest.max(Duration::from_millis(1));
            format!(
                "suspected: {name}: no line for {waited:.1?}; the slowest before took {slowest:.1?}"
            )
        }
        Silence::Over { waited } => format!("withdrawn: {name}: the line came after {waited:.1?}"),
    }
}

impl Tally {
    /// Counts a scenario that is over, and returns its line.
    fn ended(&mut self, outcome: &Outcome) -> String {
        self.ended += 1;
        self.other += usize::from(outcome.verdict > Verdict::Lenient);
        let width = self.total.to_string().len();
        format!(
            "[{:>width$}/{}] {:>12}  {}  {:.2} s",
            self.ended,
            self.total,
            outcome.verdict.word(),
            outcome.name,
            outcome.took.as_secs_f64()
        )
    }

    /// The line of the first failure; `None` for the others, and for one game alone, whose report comes at once.
    fn first_failure(&mut self, outcome: &Outcome) -> Option<String> {
        let is_first = outcome.verdict == Verdict::Fail && !self.has_failed && self.total > 1;
        let finding = outcome.findings.first().filter(|_| is_first)?;
        self.has_failed = true;
        let title = visible::plain(finding.observation());
        Some(format!("fail: {}: {title}", outcome.name))
    }

    fn so_far(&self, after: Duration) -> String {
        let Tally {
            total,
            ended,
            other,
            ..
        } = self;
        let other = if *other > 0 {
            format!(", {other} not passed")
        } else {
            String::new()
        };
        format!(
            "urtext: {ended} of {total} scenarios played after {} s{other}",
            after.as_secs()
        )
    }
}

/// Does something, and tells meanwhile how long that takes, whenever this time has passed.
async fn beating<T>(
    doing: impl Future<Output = T>,
    every: Duration,
    mut beat: impl FnMut(Duration),
) -> T {
    let began = Instant::now();
    let mut ticks = interval_at(began + every, every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    let mut doing = pin!(doing);
    loop {
        tokio::select! {
            biased;
            done = &mut doing => return done,
            at = ticks.tick() => beat(at - began),
        }
    }
}

/// Progress that nobody can take is no reason to stop.
fn say(line: &str) {
    let _ = writeln!(anstream::stderr(), "{line}");
}

pub(in crate::cli) fn progress_bar(games: usize) -> ProgressBar {
    let target = if stderr().is_terminal() {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} {wide_msg}");
    ProgressBar::with_draw_target(Some(games as u64), target)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

#[cfg(test)]
mod tests {
    use std::future::ready;

    use tokio::sync::Notify;

    use super::*;
    use crate::finding::Finding;
    use crate::pack;
    use crate::scenario;

    #[tokio::test]
    async fn a_run_that_goes_on_beats_again_and_again_and_one_that_is_over_never() {
        let every = Duration::from_millis(1);
        let third = Notify::new();
        let mut beats = Vec::new();
        let beat = |after| {
            beats.push(after);
            if beats.len() == 3 {
                third.notify_one();
            }
        };
        beating(third.notified(), every, beat).await;
        assert_eq!(beats.len(), 3);
        // Beats that were missed on a busy machine are left out.
        assert!(
            beats
                .iter()
                .zip(1..)
                .all(|(after, number)| *after >= every * number),
            "{beats:?}"
        );
        beating(ready(()), Duration::from_nanos(1), |after| {
            panic!("a beat after {after:?}")
        })
        .await;
    }

    #[test]
    fn a_silence_is_reported_by_what_was_measured_and_without_a_cause() {
        let (waited, slowest) = (Duration::from_millis(3120), Duration::from_millis(1000));
        assert_eq!(
            silent("t", Silence::Long { waited, slowest }),
            "suspected: t: no line for 3.1s; the slowest before took 1.0s"
        );
        assert_eq!(
            silent("t", Silence::Over { waited }),
            "withdrawn: t: the line came after 3.1s"
        );
    }

    #[test]
    fn counts_what_is_over_and_gives_each_its_line() {
        let game = scenario::free_game(pack::usual().dialects[0], 1);
        let mut tally = Tally {
            total: 12,
            ended: 0,
            other: 0,
            has_failed: false,
        };
        assert_eq!(
            tally.so_far(Duration::from_secs(10)),
            "urtext: 0 of 12 scenarios played after 10 s"
        );
        let passed = tally.ended(&Outcome::new(&game));
        assert_eq!(passed, "[ 1/12]         pass  royalur/free-game-1  0.00 s");
        let failed = Outcome::new(&game).with(Finding::new(Verdict::Fail, "wrong"));
        assert!(tally.ended(&failed).starts_with("[ 2/12]         fail  "));
        let first = tally.first_failure(&failed);
        assert_eq!(first.as_deref(), Some("fail: royalur/free-game-1: wrong"));
        assert_eq!(tally.first_failure(&failed), None);
        let said = tally.so_far(Duration::from_secs(20));
        assert_eq!(
            said,
            "urtext: 2 of 12 scenarios played after 20 s, 1 not passed"
        );
    }
}
