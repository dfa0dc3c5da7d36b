//! Silence of a subject, measured by its own answers: when it is longer than usual, and when nobody need wait for it to the end.
//!
//! What is said of a silence is what was measured, and decides nothing. A game fails only with the whole budget, or if it is cut short
//! and would fail as a game that had the whole budget.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::reason::{Reason, reason, reason_of};
use crate::config::Subject;
use crate::event::{Outcome, Slowest};
use crate::judge::Judge;

/// A subject's silence is not looked at sooner.
const FLOOR: Duration = Duration::from_millis(500);

/// Factor on the subject's slowest answer so far, for the wait before its silence is looked at.
const FACTOR: u32 = 10;

/// A silence is long if it is longer than the subject's slowest answer by more than this factor.
const LONG: u32 = 3;

/// A silence of the subject that answers have been measured of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Silence {
    /// A line is awaited for much longer than the slowest one before.
    Long {
        /// The time for which it is awaited.
        waited: Duration,
        /// The slowest answer before.
        slowest: Duration,
    },
    /// The line of which that was said has come.
    Over {
        /// The time for which it was awaited.
        waited: Duration,
    },
}

/// Takes what is said of a silence.
pub(super) type TellSilence = Box<dyn Fn(Silence) + Send + Sync>;

/// Response times of the subjects, and what is awaited in vain, shared by the games of a run.
#[derive(Debug, Clone, Default)]
pub(super) struct Lessons(Arc<Mutex<Known>>);

#[derive(Debug, Default)]
struct Known {
    /// The slowest answers of each subject, by where it lies.
    slowest: HashMap<usize, Slowest>,
    /// Reasons by which games would fail that wait for their whole budget, each with whether one has failed by it.
    awaited: HashMap<(usize, Reason), bool>,
}

/// Response times of one subject, and its silence in one of its games.
pub(super) struct Watch {
    lessons: Lessons,
    subject: usize,
    /// The slowest answers of earlier games and of this one.
    slowest: Slowest,
    has_answered: bool,
    /// Takes what is said; `None`: no silence is looked at.
    tell: Option<TellSilence>,
    /// True if a long silence was said, and is not over.
    is_said: bool,
    /// Reason by which this game would fail, if it is the one that waits for the whole budget.
    awaits: Option<Reason>,
    /// Time of the last look, and the subject's processor time until then.
    looked: Option<(Duration, Duration)>,
    /// True if the game waits for a line that does not seem to come: other games can be played meanwhile.
    pub(super) is_waiting: bool,
}

/// Pause between two looks, and the fraction of the pause, one in `COMPUTES`, that shows computing.
const LOOK_AGAIN: Duration = Duration::from_millis(200);
const COMPUTES: u32 = 20;

impl Lessons {
    /// The part of one game. Without `tell`, nothing is said or cut short.
    pub(super) fn watch(&self, subject: &Arc<Subject>, tell: Option<TellSilence>) -> Watch {
        let subject = Arc::as_ptr(subject) as usize;
        let slowest = self.known().slowest.get(&subject).copied();
        Watch {
            lessons: self.clone(),
            subject,
            slowest: slowest.unwrap_or_default(),
            has_answered: false,
            tell,
            is_said: false,
            awaits: None,
            looked: None,
            is_waiting: false,
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the wait before a silence is looked at, for a subject with this slowest answer.
fn patience(slowest: Duration) -> Duration {
    FLOOR + FACTOR * slowest
}

impl Watch {
    /// Returns the time of the next look at the game's silence.
    pub(super) fn looks_at(&self, judge: &Judge) -> Option<Duration> {
        let has_more_to_say = self.has_answered && !self.is_said && judge.awaits_a_line();
        if self.tell.is_none() || self.awaits.is_some() && !has_more_to_say {
            return None;
        }
        let Slowest { first, later } = self.slowest;
        let looks = judge.silent_from(Slowest {
            first: patience(first),
            later: patience(later),
        })?;
        Some(
            self.looked
                .map_or(looks, |(looked, _)| looks.max(looked + LOOK_AGAIN)),
        )
    }

    /// Returns how long the awaited line is awaited, without what lag took.
    fn waited(now: Duration, judge: &Judge) -> Option<Duration> {
        Some(now.saturating_sub(judge.silent_from(Slowest::default())?))
    }

    /// Records a line of the subject, before the judge receives it.
    pub(super) fn heard(&mut self, at: Duration, judge: &Judge) {
        if !judge.awaits_what_is_due() {
            return;
        }
        let waited = Watch::waited(at, judge);
        if let Some(waited) = waited {
            let has_answered = std::mem::replace(&mut self.has_answered, true);
            let Slowest { first, later } = &mut self.slowest;
            let slowest = if has_answered { later } else { first };
            *slowest = waited.max(*slowest);
        }
        if std::mem::take(&mut self.is_said)
            && let Some(tell) = &self.tell
        {
            // What is overdue is not measured.
            let waited = waited.unwrap_or_else(|| at.saturating_sub(judge.due_since()));
            tell(Silence::Over { waited });
        }
        (self.looked, self.is_waiting) = (None, false);
        self.awaits_no_more(None);
    }

    /// Takes the lessons of a game that is over.
    pub(super) fn learn(&mut self, outcome: &Outcome) {
        self.awaits_no_more(reason(outcome));
        let mut known = self.lessons.known();
        let known = known.slowest.entry(self.subject).or_default();
        known.first = known.first.max(self.slowest.first);
        known.later = known.later.max(self.slowest.later);
        (self.has_answered, self.is_said, self.looked) = (false, false, None);
    }

    /// The game does not wait any more, and has `failed`.
    fn awaits_no_more(&mut self, failed: Option<Reason>) {
        let Some(awaited) = self.awaits.take() else {
            return;
        };
        let has_failed_so = failed.as_ref() == Some(&awaited);
        let mut known = self.lessons.known();
        match has_failed_so {
            true => known.awaited.insert((self.subject, awaited), true),
            false => known.awaited.remove(&(self.subject, awaited)),
        };
    }

    /// Looks at the silence of the game; `computed`: the processor time of the subject's processes, where the platform shows it. Returns
    /// whether it need not be waited for any longer, since another game has waited for the same in vain.
    pub(super) fn look(
        &mut self,
        now: Duration,
        computed: Option<Duration>,
        judge: &Judge,
    ) -> bool {
        let before = self.looked.replace((now, computed.unwrap_or_default()));
        // Whoever computes is not silent.
        if let Some(computed) = computed {
            let Some((looked, known)) = before else {
                return false;
            };
            if computed.saturating_sub(known) >= now.saturating_sub(looked) / COMPUTES {
                return false;
            }
        }
        // Nothing shows yet how long it takes to start.
        let is_starting = !self.has_answered && self.slowest.first.is_zero();
        self.is_waiting = !is_starting;
        self.say(now, judge);
        if self.awaits.is_some() || self.tell.is_none() {
            return false;
        }
        let Some(finding) = judge.if_silent() else {
            return false;
        };
        let reason = reason_of(&finding);
        let mut known = self.lessons.known();
        match known.awaited.entry((self.subject, reason.clone())) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                entry.insert(false);
                drop(known);
                self.awaits = Some(reason);
                false
            }
        }
    }

    /// Says that the silence is long, once.
    fn say(&mut self, now: Duration, judge: &Judge) {
        let slowest = self.slowest.first.max(self.slowest.later);
        let Some(waited) = Watch::waited(now, judge).filter(|_| judge.awaits_a_line()) else {
            return;
        };
        if self.has_answered
            && !self.is_said
            && waited > LONG * slowest
            && let Some(tell) = &self.tell
        {
            self.is_said = true;
            tell(Silence::Long { waited, slowest });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Event, What};
    use crate::finding::Finding;
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
        let settings = Settings {
            timeout: None,
            forces_rolls: false,
            ..settings()
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

    /// A watch, and all that it has said.
    fn watch(lessons: &Lessons, subject: &Arc<Subject>) -> (Watch, Arc<Mutex<Vec<Silence>>>) {
        let said: Arc<Mutex<Vec<Silence>>> = Arc::default();
        let saying = Arc::clone(&said);
        let tell: TellSilence = Box::new(move |silence| saying.lock().unwrap().push(silence));
        (lessons.watch(subject, Some(tell)), said)
    }

    fn said(said: &Mutex<Vec<Silence>>) -> Vec<Silence> {
        std::mem::take(&mut said.lock().unwrap())
    }

    fn outcome(finding: Finding) -> Outcome {
        Outcome::new(&free_game(&CodeColosseum, 1)).with(finding)
    }

    #[test]
    fn a_silence_is_looked_at_by_the_slowest_answer_and_never_later_than_its_budget() {
        let (judge, since) = awaiting_the_second_answer();
        let (lessons, subject) = (Lessons::default(), subject());
        let looks = || watch(&lessons, &subject).0.looks_at(&judge).unwrap() - since;
        assert_eq!(looks(), millis(500));
        let (mut first, _) = watch(&lessons, &subject);
        first.heard(millis(1), &judge);
        assert_eq!(first.looks_at(&judge).unwrap() - since, millis(500));
        first.heard(since + millis(100), &judge);
        assert_eq!(first.looks_at(&judge).unwrap() - since, millis(1500));
        assert_eq!(looks(), millis(500));
        first.learn(&Outcome::new(&free_game(&CodeColosseum, 1)));
        assert_eq!(looks(), millis(1500), "other games teach as well");
        first.heard(millis(1), &judge);
        first.heard(since + Duration::from_secs(3), &judge);
        assert_eq!(
            first.looks_at(&judge).unwrap() - since,
            Duration::from_secs(5)
        );
        assert_eq!(lessons.watch(&subject, None).looks_at(&judge), None);
    }

    #[test]
    fn a_silence_is_said_as_it_was_measured_and_is_withdrawn_by_the_line() {
        let (judge, since) = awaiting_the_second_answer();
        let (mut watch, all) = watch(&Lessons::default(), &subject());
        watch.look(since + millis(4000), None, &judge);
        assert_eq!(said(&all), [], "it has not answered in this game");
        // The first answer took a second, and a later one as long.
        watch.heard(since + millis(1000), &judge);
        watch.heard(since + millis(1000), &judge);
        watch.look(since + millis(3000), None, &judge);
        assert_eq!(said(&all), [], "no more than three times as long");
        let again = watch.looks_at(&judge).unwrap();
        assert!(again > since + millis(3000), "{again:?}");
        watch.look(since + millis(3100), None, &judge);
        watch.look(since + millis(3300), None, &judge);
        let (waited, slowest) = (millis(3100), millis(1000));
        assert_eq!(said(&all), [Silence::Long { waited, slowest }]);
        watch.heard(since + millis(3500), &judge);
        let waited = millis(3500);
        assert_eq!(said(&all), [Silence::Over { waited }]);
    }

    #[test]
    fn games_that_would_fail_alike_are_cut_short_once_one_has_failed_with_its_whole_budget() {
        let (judge, since) = awaiting_the_second_answer();
        let (lessons, subject) = (Lessons::default(), subject());
        let at = since + millis(1500);
        let watch = || watch(&lessons, &subject).0;
        let mut first = watch();
        assert!(!first.look(at, None, &judge));
        assert!(
            !first.is_waiting,
            "nothing shows how long it takes to start"
        );
        assert_eq!(first.looks_at(&judge), None, "it waits to the end");
        let found = found_in_the_end(judge.clone(), None);
        let hurried = found_in_the_end(judge.clone(), Some(at));
        assert_eq!(reason_of(&hurried), reason_of(&found));

        let mut other = watch();
        assert!(!other.look(at, None, &judge), "the first one still waits");
        let again = other.looks_at(&judge).unwrap();
        assert_eq!(again, at + LOOK_AGAIN);
        first.learn(&outcome(found));
        assert!(other.look(again, None, &judge));
        assert!(
            !lessons.watch(&subject, None).look(at, None, &judge),
            "nobody plays it again"
        );
    }

    #[test]
    fn a_game_is_not_cut_short_where_the_line_came_in_the_other_one() {
        let (judge, since) = awaiting_the_second_answer();
        let (lessons, subject) = (Lessons::default(), subject());
        let at = since + millis(1500);
        let (mut first, _) = watch(&lessons, &subject);
        first.look(at, None, &judge);
        first.heard(at, &judge);
        first.learn(&outcome(found_in_the_end(judge.clone(), None)));
        assert!(!watch(&lessons, &subject).0.look(at, None, &judge));
    }

    #[test]
    fn who_computes_is_not_silent() {
        let (judge, since) = awaiting_the_second_answer();
        let (mut watch, all) = watch(&Lessons::default(), &subject());
        watch.heard(since + millis(100), &judge);
        for (at, computed) in [(1500, 100), (1700, 200), (1900, 210)] {
            watch.look(since + millis(at), Some(millis(computed)), &judge);
            assert!(!watch.is_waiting, "{at}");
            let again = watch.looks_at(&judge).unwrap();
            assert_eq!(again, since + millis(at) + LOOK_AGAIN);
        }
        watch.look(since + millis(2100), Some(millis(219)), &judge);
        assert!(watch.is_waiting && said(&all).len() == 1);
    }
}
