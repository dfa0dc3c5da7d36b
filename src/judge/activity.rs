//! State of the subject's processes while a line is awaited.

use std::time::Duration;

use crate::event::Processes;

/// Of the time that goes by, the part that a process has to compute to be taken for busy: who only looks now and again whether there is
/// something to do takes less.
const BUSY: u32 = 20;

/// Last samples of the subject's processes.
#[derive(Debug, Clone, Default)]
pub(super) struct Activity {
    at: Duration,
    last: Option<Processes>,
    is_computing: bool,
    /// Number of events since the last sample.
    events_since: usize,
}

impl Activity {
    /// Takes how they are now.
    pub(super) fn take(&mut self, at: Duration, processes: &Processes) {
        let used = self
            .last
            .as_ref()
            .map(|last| processes.computed.saturating_sub(last.computed));
        let passed = at.saturating_sub(self.at);
        self.is_computing = processes.lives
            && !processes.is_stopped
            && used.is_some_and(|used| !used.is_zero() && used >= passed / BUSY);
        (self.at, self.last, self.events_since) = (at, Some(processes.clone()), 0);
    }

    /// Takes that something else has happened.
    pub(super) fn pass(&mut self) {
        self.events_since += 1;
    }

    /// Present where, at the alarm that is being judged, all of them sleep and have read all that was sent: the lanes that they are
    /// known to wait for.
    pub(super) fn asleep(&self) -> Option<&[usize]> {
        let last = self
            .last
            .as_ref()
            .filter(|_| self.events_since <= 1 && !self.is_computing)?;
        last.asleep.as_deref()
    }

    /// Returns true if the subject has computed since the sample before the last one.
    pub(super) fn is_computing(&self) -> bool {
        self.is_computing
    }

    /// Returns true if a signal has stopped the subject.
    pub(super) fn is_stopped(&self) -> bool {
        self.last
            .as_ref()
            .is_some_and(|processes| processes.is_stopped)
    }

    /// Names of the processes that it has started and that still live.
    pub(super) fn started(&self) -> &[String] {
        self.last
            .as_ref()
            .map_or(&[], |processes| &processes.started)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::What;
    use crate::finding::Verdict;
    use crate::judge::timing_tests::{Table, said, settings};
    use crate::judge::{Judgement, Settings};
    use crate::transcript::{Close, Direction};

    const UR: &str = "scenario: t\ngame: royalur\nsubject: bot\nseat: first\nchecks: [ur/bot/within-timeout]\n\
        turns:\n  - bot: 0 0 1 1 > any\n";
    const ONITAMA: &str = "scenario: t\ngame: onitama\nsubject: bot\nseat: top\nchecks: [oni/bot/within-timeout]\n\
        deal: Cobra,Eel,Crab,Rabbit,Tiger\nstarter: Top\nturns:\n  - bot: any\n";

    /// A bot in its first turn.
    #[derive(Clone, Default)]
    struct Bot {
        /// Time of the answer, in seconds, and its text.
        answers: Option<(u64, &'static str)>,
        /// True if the bot computes; `is_stopped`: true if it is stopped.
        computes: bool,
        is_stopped: bool,
        /// True if the bot has closed its input.
        reader_closed: bool,
        /// True if the bot ends when its input does; `leaves` is a process that then still holds its standard
        /// output open.
        ends: bool,
        leaves: Option<&'static str>,
        /// Lanes that the sleeping bot reads, as the platform shows them.
        sleeps_in: Option<Vec<usize>>,
    }

    /// Returns the judgement, and the time at which the judge finished.
    fn judged(text: &str, timeout: Option<u64>, bot: &Bot) -> (Judgement, Duration) {
        let settings = Settings {
            timeout: timeout.map(Duration::from_secs),
            ..settings()
        };
        let mut table = Table::new(text, settings);
        if bot.reader_closed {
            table.next.push_front(What::Closed {
                lane: 0,
                direction: Direction::Received,
                close: Close::Reset,
            });
        }
        let (mut answers, mut has_ended) = (bot.answers, false);
        while !table.judge.is_finished() {
            if let Some(what) = table.next.pop_front() {
                table.take(what);
            } else {
                let due = table.alarm.expect("it waits for something");
                match answers.take_if(|(when, _)| Duration::from_secs(*when) <= due) {
                    Some((when, line)) => {
                        table.now = table.now.max(Duration::from_secs(when));
                        table.next.push_back(said(Direction::Sent, line));
                    }
                    None => {
                        table.now = table.now.max(due);
                        let computed = if bot.computes {
                            table.now
                        } else {
                            Duration::from_millis(20)
                        };
                        let processes = Processes {
                            lives: !has_ended,
                            is_stopped: bot.is_stopped,
                            computed,
                            started: bot.leaves.iter().map(ToString::to_string).collect(),
                            asleep: bot.sleeps_in.clone(),
                        };
                        let looks = [What::Processes(processes), What::Alarm];
                        table.next.extend(looks);
                    }
                }
            }
            if bot.ends && std::mem::take(&mut table.has_closed) {
                has_ended = true;
                table.next.push_back(What::Exited {
                    status: "exit status 0".to_owned(),
                    is_success: true,
                });
                let closed = What::Closed {
                    lane: 0,
                    direction: Direction::Sent,
                    close: Close::End,
                };
                table.next.extend(bot.leaves.is_none().then_some(closed));
            }
        }
        (table.judge.conclude(), table.now)
    }

    #[track_caller]
    fn assert_passes(judgement: &Judgement) {
        assert!(judgement.verdict <= Verdict::Lenient, "{judgement:?}");
    }

    #[test]
    fn a_bot_that_computes_is_waited_for_as_long_as_the_game_gives_it() {
        let computing = Bot {
            computes: true,
            ends: true,
            ..Bot::default()
        };
        for (timeout, allowed) in [(None, 90), (Some(20), 30), (Some(2), 15)] {
            let (judgement, at) = judged(UR, timeout, &computing);
            let finding = &judgement.findings[0];
            let found = (finding.verdict, finding.requirement, finding.by_silence);
            assert_eq!(
                found,
                (Verdict::Fail, Some("ur/bot/within-timeout"), true),
                "{finding:?}"
            );
            assert!(
                finding.title.ends_with("and was still computing"),
                "{finding:?}"
            );
            assert!(
                (allowed..allowed + 5).contains(&at.as_secs()),
                "{timeout:?}: {at:?}"
            );
        }
        let answers = |when| Bot {
            answers: Some((when, "0")),
            ..computing.clone()
        };
        let (in_time, _) = judged(UR, None, &answers(80));
        assert_passes(&in_time);
        let (started_slowly, _) = judged(UR, Some(20), &answers(29));
        assert_passes(&started_slowly);
        let (late, _) = judged(UR, Some(20), &answers(31));
        assert_eq!(
            late.findings[0].requirement,
            Some("ur/bot/within-timeout"),
            "{:?}",
            late.findings
        );
    }

    #[test]
    fn a_bot_that_computes_never_fails_by_a_time_that_nobody_knows() {
        let computing = Bot {
            computes: true,
            ends: true,
            ..Bot::default()
        };
        let (judgement, _) = judged(ONITAMA, None, &computing);
        assert_eq!(judgement.verdict, Verdict::Inconclusive, "{judgement:?}");
        assert_eq!(judgement.findings[0].settled_by, Some("timeout"));
        let (judgement, _) = judged(ONITAMA, Some(20), &computing);
        assert_eq!(
            judgement.findings[0].requirement,
            Some("oni/bot/within-timeout")
        );
        let answers = Bot {
            answers: Some((100, "Eel c1 d2")),
            ..computing
        };
        let (judgement, _) = judged(ONITAMA, None, &answers);
        assert_passes(&judgement);
    }

    /// A bot behind a chain of shells on a loaded machine.
    #[test]
    fn the_time_in_which_a_bot_starts_is_held_neither_against_its_answer_nor_against_its_end() {
        let answers = |when| Bot {
            answers: Some((when, "0")),
            ends: true,
            ..Bot::default()
        };
        let (in_time, _) = judged(UR, Some(2), &answers(14));
        assert_passes(&in_time);
        assert_eq!(judged(UR, Some(2), &answers(16)).0.verdict, Verdict::Fail);
        let retired = "scenario: t\ngame: royalur\nsubject: bot\nseat: second\nchecks: [ur/bot/ends-after-retire]\n\
            turns:\n  - opponent: 0 0 1 1 > \"7\" illegal\n";
        let (judgement, at) = judged(retired, Some(2), &Bot::default());
        let finding = &judgement.findings[0];
        assert_eq!(finding.requirement, Some("ur/bot/ends-after-retire"));
        assert_eq!(at.as_secs(), 12, "2 s, and 10 s for its start");
    }

    #[test]
    fn a_bot_that_does_nothing_is_not_waited_for_longer() {
        let (judgement, at) = judged(
            UR,
            None,
            &Bot {
                ends: true,
                ..Bot::default()
            },
        );
        assert_eq!(judgement.findings[0].title, "the bot never said a byte");
        assert!(at.as_secs() < 20, "{at:?}");
    }

    #[test]
    fn a_bot_that_is_stopped_or_reads_nothing_is_not_asked_about_flushing() {
        let stopped = Bot {
            is_stopped: true,
            ..Bot::default()
        };
        let deaf = Bot {
            reader_closed: true,
            ..Bot::default()
        };
        for (bot, title) in [
            (stopped, "the bot did not answer: its process is stopped"),
            (deaf, "the bot closed its input before its first answer"),
        ] {
            let (judgement, _) = judged(UR, None, &bot);
            let finding = &judgement.findings[0];
            assert_eq!(
                (finding.verdict, finding.title.as_str()),
                (Verdict::Fail, title)
            );
            assert!(
                !finding.notes.iter().any(|note| note.contains("flush")),
                "{finding:?}"
            );
        }
    }

    #[test]
    fn that_a_silent_bot_sleeps_is_a_note_and_changes_nothing_else() {
        let silent = |sleeps_in, computes| {
            let bot = Bot {
                sleeps_in,
                computes,
                ..Bot::default()
            };
            let mut finding = judged(UR, Some(2), &bot).0.findings.swap_remove(0);
            let is_evidence = |note: &mut String| note.contains("all that was sent");
            let evidence: Vec<_> = finding.notes.extract_if(.., is_evidence).collect();
            (evidence, format!("{finding:?}"))
        };
        let unseen = silent(None, false);
        assert!(unseen.0.is_empty());
        let asleep = "the bot is asleep and has read all that was sent".to_owned();
        assert_eq!(
            silent(Some(Vec::new()), false),
            (vec![asleep], unseen.1.clone())
        );
        let awaiting = "the bot has read all that was sent, and waits for more".to_owned();
        assert_eq!(silent(Some(vec![0]), false), (vec![awaiting], unseen.1));
        assert_eq!(
            silent(Some(vec![0]), true),
            silent(None, true),
            "whoever computes is not asleep for long"
        );
    }

    #[test]
    fn an_exit_counts_although_something_else_holds_the_output_open_and_that_is_named() {
        let bot = Bot {
            answers: Some((1, "0")),
            ends: true,
            leaves: Some("sleep"),
            ..Bot::default()
        };
        let (judgement, _) = judged(UR, None, &bot);
        assert_eq!(judgement.verdict, Verdict::Lenient, "{judgement:?}");
        assert!(
            judgement.open[0]
                .seen
                .ends_with("keeps its standard output open: \"sleep\""),
            "{:?}",
            judgement.open
        );
        let stays = Bot { ends: false, ..bot };
        assert_eq!(judged(UR, None, &stays).0.verdict, Verdict::Fail);
    }
}
