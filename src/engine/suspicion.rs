//! Patience that learns from the subject: when its silence is suspected, long before the budget says so.
//!
//! A suspicion decides nothing. It lets other games go on beside the one that waits, it is told at once, and
//! it has the scenario played a second time meanwhile. A game fails only with the whole budget, or if it
//! fails like a game that had the whole budget.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

use super::reason::{Reason, reason_of};
use crate::config::Subject;
use crate::event::Slowest;
use crate::finding::Finding;
use crate::judge::{Budgets, Judge};

/// A subject is never suspected sooner.
const FLOOR: Duration = Duration::from_millis(500);

/// Factor on the subject's slowest answer so far, for the wait before a suspicion.
const FACTOR: u32 = 10;

/// Response times and suspicions, shared by the games of a run.
#[derive(Debug, Clone, Default)]
pub(super) struct Lessons(Arc<Mutex<Known>>);

#[derive(Debug, Default)]
struct Known {
    /// The slowest answers of each subject, by where it lies.
    slowest: HashMap<usize, Slowest>,
    /// Reasons of the suspicions in games that wait for their whole budget, each with whether a second game
    /// has failed alike.
    awaited: HashMap<(usize, Reason), bool>,
}

/// Response times of one subject, and the suspicion in one of its games.
#[derive(Debug)]
pub(super) struct Watch {
    lessons: Lessons,
    subject: usize,
    /// The slowest answers of earlier games and of this one.
    slowest: Slowest,
    has_heard: bool,
    /// Takes the suspicion; `None`: nobody asks, or it is told.
    tell: Option<oneshot::Sender<Finding>>,
    /// Reason of this game's suspicion, if this game is the one that waits for the whole budget.
    awaits: Option<Reason>,
    /// Time of the last check of silence, and the subject's processor time until then.
    looked: Option<(Duration, Duration)>,
    /// True if the game waits for a line that is suspected not to arrive.
    pub(super) is_waiting: bool,
}

/// Pause between checks of a subject that computes, and the fraction of the pause, one in `COMPUTES`, that
/// shows computing.
const LOOK_AGAIN: Duration = Duration::from_millis(200);
const COMPUTES: u32 = 20;

impl Lessons {
    /// The part of one game. Suspicions go to `tell`; without one, nothing is cut short.
    pub(super) fn watch(
        &self,
        subject: &Arc<Subject>,
        tell: Option<oneshot::Sender<Finding>>,
    ) -> Watch {
        let subject = Arc::as_ptr(subject) as usize;
        Watch {
            lessons: self.clone(),
            subject,
            slowest: self.slowest(subject),
            has_heard: false,
            tell,
            awaits: None,
            looked: None,
            is_waiting: false,
        }
    }

    /// A second game has failed as its first one is suspected to.
    pub(super) fn confirm(&self, subject: &Arc<Subject>, reason: Reason) {
        if let Some(is_confirmed) = self
            .known()
            .awaited
            .get_mut(&(Arc::as_ptr(subject) as usize, reason))
        {
            *is_confirmed = true;
        }
    }

    /// The budgets with which a second game is played while the first one still waits.
    pub(super) fn budgets(&self, subject: &Arc<Subject>, budgets: Budgets) -> Budgets {
        let known = self.slowest(Arc::as_ptr(subject) as usize);
        Budgets {
            answer: budgets.answer.min(patience(known.later)),
            ..budgets
        }
    }

    fn slowest(&self, subject: usize) -> Slowest {
        self.known()
            .slowest
            .get(&subject)
            .copied()
            .unwrap_or_default()
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the wait before a suspicion, for a subject with this slowest answer.
fn patience(slowest: Duration) -> Duration {
    FLOOR + FACTOR * slowest
}

impl Watch {
    /// Returns the time of the next check of the game's silence.
    pub(super) fn looks_at(&self, judge: &Judge) -> Option<Duration> {
        // Who waits for another game's suspicion to be confirmed looks again.
        if self.is_waiting && (self.awaits.is_some() || self.tell.is_none()) {
            return None;
        }
        let Slowest { first, later } = self.slowest;
        let suspects = judge.suspects_at(Slowest {
            first: patience(first),
            later: patience(later),
        })?;
        Some(
            self.looked
                .map_or(suspects, |(looked, _)| suspects.max(looked + LOOK_AGAIN)),
        )
    }

    /// The subject has said something, of which the judge is told next: where that was due, what was suspected is not so.
    pub(super) fn heard(&mut self, at: Duration, judge: &Judge) {
        let has_heard = std::mem::replace(&mut self.has_heard, true);
        if !judge.awaits_what_is_due() {
            return;
        }
        if let Some(due) = judge.suspects_at(Slowest::default()) {
            let Slowest { first, later } = &mut self.slowest;
            let slowest = if has_heard { later } else { first };
            *slowest = at.saturating_sub(due).max(*slowest);
        }
        (self.looked, self.is_waiting) = (None, false);
        if let Some(reason) = self.awaits.take() {
            self.lessons.known().awaited.remove(&(self.subject, reason));
        }
    }

    /// Takes the lessons of a game that is over.
    pub(super) fn learn(&self) {
        let slowest = self.slowest;
        let mut known = self.lessons.known();
        let known = known.slowest.entry(self.subject).or_default();
        known.first = known.first.max(slowest.first);
        known.later = known.later.max(slowest.later);
    }

    /// Looks at the silence of the game; `computed`: the processor time of the subject's processes, where the platform shows it. Returns
    /// whether it need not be waited for any longer, since another game waits for the same.
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
        self.is_waiting = true;
        let Some(finding) = self.tell.as_ref().and_then(|_| judge.if_silent()) else {
            return false;
        };
        let reason = reason_of(&finding);
        match self
            .lessons
            .known()
            .awaited
            .entry((self.subject, reason.clone()))
        {
            Entry::Occupied(entry) => return *entry.get(),
            Entry::Vacant(entry) => entry.insert(false),
        };
        self.awaits = Some(reason);
        if let Some(tell) = self.tell.take() {
            // Whoever has given up the run asks for nothing.
            let _ = tell.send(finding);
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::LateSpectator;
    use crate::diagnostic::Source;
    use crate::event::{Event, What};
    use crate::judge::{Command, Settings};
    use crate::peers;
    use crate::protocol::{Framer, Line};
    use crate::scenario::{Alone, Side, resolve};
    use crate::transcript::Direction::{Received, Sent};

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
        let (mut scenarios, faults) = resolve(&Source::new("s.yaml", BOT), "s", &Alone);
        let scenario = Arc::new(scenarios.pop().unwrap_or_else(|| panic!("{faults:?}")));
        let settings = Settings {
            budgets: Budgets::default(),
            timeout: None,
            pace: Duration::ZERO,
            lag: Duration::ZERO,
            forces_rolls: false,
            late_spectator: LateSpectator::Unknown,
            seed: 1,
        };
        let mut judge = Judge::new(scenario, settings, None);
        let mut take = |at, what| {
            let mut written = Framer::default();
            let mut lines = Vec::new();
            for action in judge.take(&Event { at, what }) {
                if let Command::Send { bytes, .. } = action {
                    written.push(&bytes, |line| lines.push(line));
                }
            }
            lines
        };
        let mut lines = take(millis(0), What::Opened { lane: 0 });
        let mut at = millis(0);
        for answer in [Some("0"), None] {
            for line in std::mem::take(&mut lines) {
                lines.extend(take(
                    at,
                    What::Line {
                        lane: 0,
                        direction: Received,
                        line,
                    },
                ));
            }
            if let Some(answer) = answer {
                at += millis(100);
                lines = take(
                    at,
                    What::Line {
                        lane: 0,
                        direction: Sent,
                        line: Line::new(answer),
                    },
                );
            }
        }
        (judge, at)
    }

    #[test]
    fn a_subject_is_suspected_by_its_own_slowest_answer_and_never_later_than_its_budget() {
        let (judge, since) = awaiting_the_second_answer();
        let (lessons, subject) = (Lessons::default(), subject());
        let looks = || lessons.watch(&subject, None).looks_at(&judge).unwrap() - since;
        assert_eq!(looks(), millis(500));
        let mut watch = lessons.watch(&subject, None);
        watch.heard(millis(1), &judge);
        assert_eq!(watch.looks_at(&judge).unwrap() - since, millis(500));
        watch.heard(since + millis(100), &judge);
        assert_eq!(watch.looks_at(&judge).unwrap() - since, millis(1500));
        assert_eq!(looks(), millis(500));
        watch.learn();
        assert_eq!(looks(), millis(1500), "other games teach as well");
        assert_eq!(
            lessons.budgets(&subject, Budgets::default()).answer,
            millis(1500)
        );
        watch.heard(since + Duration::from_secs(3), &judge);
        assert_eq!(
            watch.looks_at(&judge).unwrap() - since,
            Duration::from_secs(5)
        );
        let impatient = Budgets {
            answer: millis(400),
            ..Budgets::default()
        };
        assert_eq!(lessons.budgets(&subject, impatient).answer, millis(400));
    }

    #[test]
    fn what_is_suspected_is_what_is_found_in_the_end_and_games_that_would_fail_alike_wait_once() {
        let (judge, since) = awaiting_the_second_answer();
        let (lessons, subject) = (Lessons::default(), subject());
        let at = since + millis(1500);
        let (tell, mut told) = oneshot::channel();
        let mut first = lessons.watch(&subject, Some(tell));
        assert!(!first.look(at, None, &judge) && first.is_waiting);
        let suspected = told.try_recv().unwrap();
        let found = found_in_the_end(judge.clone(), None);
        assert_eq!(reason_of(&suspected), reason_of(&found));
        let hurried = found_in_the_end(judge.clone(), Some(at));
        assert_eq!(reason_of(&hurried), reason_of(&found));
        assert_eq!(first.looks_at(&judge), None);

        let watch = || lessons.watch(&subject, Some(oneshot::channel().0));
        let mut other = watch();
        assert!(
            !other.look(at, None, &judge) && other.is_waiting,
            "it may be that the second game passes"
        );
        let again = other.looks_at(&judge).unwrap();
        assert_eq!(again, at + LOOK_AGAIN);
        lessons.confirm(&subject, reason_of(&suspected));
        assert!(
            other.look(again, None, &judge),
            "the first one waits for it"
        );
        first.heard(again, &judge);
        assert!(
            !watch().look(at, None, &judge),
            "what the first one waited for has come"
        );
        assert!(
            !lessons.watch(&subject, None).look(at, None, &judge),
            "nobody plays it again"
        );
    }

    #[test]
    fn who_computes_is_not_suspected() {
        let (judge, since) = awaiting_the_second_answer();
        let (tell, mut told) = oneshot::channel();
        let mut watch = Lessons::default().watch(&subject(), Some(tell));
        for (at, computed) in [(1500, 100), (1700, 200), (1900, 210)] {
            watch.look(since + millis(at), Some(millis(computed)), &judge);
            assert!(!watch.is_waiting, "{at}");
            let again = watch.looks_at(&judge).unwrap();
            assert_eq!(again, since + millis(at) + LOOK_AGAIN);
        }
        watch.look(since + millis(2100), Some(millis(219)), &judge);
        assert!(watch.is_waiting && told.try_recv().is_ok());
    }
}
