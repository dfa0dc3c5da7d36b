//! How long a silence of a subject is waited for, once another game has failed by the same silence with its whole budget.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::config::Subject;
use crate::event::{self, Outcome, Reason, Slowest};
use crate::finding::{Finding, Verdict};
use crate::judge::Judge;

/// The shortest wait for what another game has awaited in vain.
const FLOOR: Duration = Duration::from_millis(500);

/// Factor on the subject's slowest answer so far, on top of that.
const FACTOR: u32 = 10;

/// A silence that the user is told of.
const LONG: Duration = Duration::from_secs(10);

/// Pause between two looks at a silence.
const LOOK_AGAIN: Duration = Duration::from_millis(200);

/// The slowest answers of the subjects of a run, and the silences by which their games have failed.
#[derive(Debug, Clone, Default)]
pub(super) struct Lessons(Arc<Mutex<HashMap<usize, Lesson>>>);

#[derive(Debug, Default)]
struct Lesson {
    slowest: Slowest,
    failed: HashSet<Reason>,
}

/// The patience with a subject in one of its games.
pub(super) struct Patience {
    lessons: Lessons,
    /// The address of the subject in memory, which identifies it in this run.
    subject: usize,
    /// The slowest answers of the games before.
    slowest: Slowest,
    /// Time of the last look at a silence.
    looked: Duration,
    /// True once the user was told of a long silence in this game.
    has_told: bool,
}

impl Lessons {
    /// The patience with a subject in a game that begins now.
    pub(super) fn patience(&self, subject: &Arc<Subject>) -> Patience {
        let subject = Arc::as_ptr(subject) as usize;
        let slowest = self.known().entry(subject).or_default().slowest;
        Patience {
            lessons: self.clone(),
            subject,
            slowest,
            looked: Duration::ZERO,
            has_told: false,
        }
    }

    fn known(&self) -> MutexGuard<'_, HashMap<usize, Lesson>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Patience {
    /// Returns the time of the next look at the game's silence. `slowest`: the slowest answers in this game.
    pub(super) fn looks_at(&self, judge: &Judge, slowest: Slowest) -> Option<Duration> {
        let Slowest { first, later } = slower(self.slowest, slowest);
        let [first, later] = [first, later].map(|slowest| FLOOR + FACTOR * slowest);
        let looks = judge.silent_from(Slowest { first, later })?;
        Some(looks.max(self.looked + LOOK_AGAIN))
    }

    /// Looks at the silence of the game. Returns true if it need not be waited for any longer, since another game has waited for the
    /// same in vain.
    pub(super) fn is_over(&mut self, now: Duration, judge: &Judge) -> bool {
        self.looked = now;
        let known = self.lessons.known();
        known.get(&self.subject).is_some_and(|lesson| {
            let has_failed = |finding: &Finding| lesson.failed.contains(&event::reason(finding));
            !lesson.failed.is_empty() && judge.if_silent().as_ref().is_some_and(has_failed)
        })
    }

    /// Returns what the user is told of a silence that is long by now, once a game: what is waited for, and how long at most.
    pub(super) fn long_silence(
        &mut self,
        now: Duration,
        judge: &Judge,
    ) -> Option<(&'static str, Duration)> {
        let (first, later) = (LONG, LONG);
        let is_long = judge.silent_from(Slowest { first, later })? <= now;
        let (owed, at_most) = judge.owed()?;
        let is_news = is_long && at_most > LONG && !self.has_told;
        self.has_told |= is_news;
        is_news.then_some((owed, at_most))
    }

    /// Takes the lessons of the game, which is over.
    pub(super) fn learn(self, outcome: &Outcome) {
        let mut known = self.lessons.known();
        let lesson = known.entry(self.subject).or_default();
        lesson.slowest = slower(lesson.slowest, outcome.slowest);
        // A game that was cut short shows nothing new.
        lesson
            .failed
            .extend(reason(outcome).filter(|_| !outcome.was_hurried));
    }
}

/// The slower of both answers, apart for the first one and for later ones.
fn slower(one: Slowest, other: Slowest) -> Slowest {
    Slowest {
        first: one.first.max(other.first),
        later: one.later.max(other.later),
    }
}

/// The reason why a game failed, or may have by load.
pub(super) fn reason(outcome: &Outcome) -> Option<Reason> {
    let is_meant = |finding: &&Finding| finding.verdict == Verdict::Fail || is_doubtful(finding);
    outcome.findings.iter().find(is_meant).map(event::reason)
}

/// Returns true if a second game can end otherwise: a line did not arrive in time, or urtext itself was late.
pub(super) fn is_doubtful(finding: &Finding) -> bool {
    finding.by_silence
        && matches!(
            finding.verdict,
            Verdict::Fail | Verdict::Error | Verdict::Inconclusive
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Event, What};
    use crate::games::royalur::CodeColosseum;
    use crate::judge::table_tests::{Table, said as line, settings};
    use crate::judge::{Command, Settings};
    use crate::peers;
    use crate::scenario::{Side, free_game};
    use crate::transcript::Direction::Sent;

    const BOT: &str = "scenario: t\ngame: royalur\nsubject: bot\nseat: first\nchecks: [ur/bot/legal-token]\n\
        turns:\n  - bot: 0 0 1 1 > any\n  - opponent: 0 0 1 1 > 0\n  - bot: 0 0 1 1 > any\n";

    fn millis(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn subject() -> Arc<Subject> {
        Arc::new(
            peers::find("royalur")
                .unwrap()
                .subject("urtext", Side::Bot, None),
        )
    }

    /// Returns the finding of a game in which nothing more arrives, from the first alarm on; with `hurried`,
    /// the alarm is brought forward.
    fn found_in_the_end(mut judge: Judge, hurried: Option<Duration>) -> Finding {
        let mut alarm = Some(hurried.map_or(Duration::from_secs(60), |at| at));
        let mut what = hurried.map_or(What::Alarm, |_| What::Hurried);
        while let Some(at) = alarm.take().filter(|_| !judge.is_finished()) {
            let actions = judge.take(&Event {
                at,
                what: std::mem::replace(&mut what, What::Alarm),
            });
            alarm = actions.into_iter().find_map(|action| match action {
                Command::WakeAt(at) => Some(at),
                _ => None,
            });
        }
        judge.conclude().findings.swap_remove(0)
    }

    /// A bot that has answered after 100 ms, and is waited for since this time.
    fn awaiting_the_second_answer() -> (Judge, Duration) {
        awaiting_the_second_answer_with(settings())
    }

    fn awaiting_the_second_answer_with(settings: Settings) -> (Judge, Duration) {
        let settings = Settings {
            timeout: None,
            ..settings
        };
        let mut table = Table::new(BOT, settings);
        let hear_all = |table: &mut Table| {
            while !table.next.is_empty() {
                table.write();
            }
        };
        hear_all(&mut table);
        table.now = millis(100);
        table.take(line(Sent, "0"));
        hear_all(&mut table);
        (table.judge, table.now)
    }

    fn outcome(finding: Finding) -> Outcome {
        Outcome::new(&free_game(&CodeColosseum, 1)).with(finding)
    }

    #[test]
    fn a_silence_of_ten_seconds_is_told_once_unless_it_is_over_by_then() {
        let (judge, since) = awaiting_the_second_answer();
        let mut patience = Lessons::default().patience(&subject());
        // The usual budget is shorter.
        assert_eq!(patience.long_silence(since + LONG, &judge), None);
        let settings = Settings {
            budgets: crate::judge::Budgets {
                answer: 6 * LONG,
                ..crate::judge::Budgets::default()
            },
            ..settings()
        };
        let (judge, since) = awaiting_the_second_answer_with(settings);
        assert_eq!(
            patience.long_silence(since + LONG - millis(1), &judge),
            None
        );
        let told = Some(("its next line", 6 * LONG));
        assert_eq!(patience.long_silence(since + LONG, &judge), told);
        assert_eq!(patience.long_silence(since + 2 * LONG, &judge), None);
    }

    #[test]
    fn a_silence_is_looked_at_by_the_slowest_answer_and_never_later_than_its_budget() {
        let (judge, since) = awaiting_the_second_answer();
        let (lessons, subject) = (Lessons::default(), subject());
        let looks = |later| {
            let slowest = Slowest {
                later: millis(later),
                ..Slowest::default()
            };
            let patience = lessons.patience(&subject);
            (patience.looks_at(&judge, slowest).unwrap() - since).as_millis()
        };
        assert_eq!([0, 100, 3000].map(looks), [500, 1500, 5000]);
        let mut slow = Outcome::new(&free_game(&CodeColosseum, 1));
        slow.slowest.later = millis(200);
        lessons.patience(&subject).learn(&slow);
        let other_games_teach_as_well = [2500, 2500, 5000];
        assert_eq!([0, 100, 3000].map(looks), other_games_teach_as_well);
    }

    #[test]
    fn games_that_would_fail_alike_are_cut_short_once_one_has_failed_with_its_whole_budget() {
        let (judge, since) = awaiting_the_second_answer();
        let (lessons, subject) = (Lessons::default(), subject());
        let at = since + millis(500);
        let found = found_in_the_end(judge.clone(), None);
        let hurried = found_in_the_end(judge.clone(), Some(at));
        assert_eq!(event::reason(&hurried), event::reason(&found));
        let mut patience = lessons.patience(&subject);
        assert!(!patience.is_over(at, &judge), "no game has failed");
        let again = patience.looks_at(&judge, Slowest::default());
        assert_eq!(again, Some(at + LOOK_AGAIN));

        let passed = Outcome::new(&free_game(&CodeColosseum, 1));
        lessons.patience(&subject).learn(&passed);
        let other = outcome(Finding::new(Verdict::Fail, "another line"));
        lessons.patience(&subject).learn(&other);
        let cut_short = Outcome {
            was_hurried: true,
            ..outcome(hurried)
        };
        lessons.patience(&subject).learn(&cut_short);
        assert!(!patience.is_over(at, &judge), "none has shown the same");
        lessons.patience(&subject).learn(&outcome(found));
        assert!(patience.is_over(at, &judge));
        let others = self::subject();
        assert!(!lessons.patience(&others).is_over(at, &judge));
    }
}
