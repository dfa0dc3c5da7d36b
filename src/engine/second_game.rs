//! Second games of scenarios whose first game deviated by silence or lateness, and what both of them show.

use std::collections::{HashMap, HashSet};
use std::io;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use super::patience::{is_doubtful, reason};
use super::run_plan::{Doubt, Progress, Run};
use crate::event::{GameSummary, Outcome, Reason};
use crate::finding::{Finding, Verdict};

/// Number of further games for one that lag decided nothing of.
pub(super) const FURTHER: usize = 2;

/// Plays these games again and decides what both games of each show: first one game for each reason, and then all whose reason no other
/// game has confirmed. A game that lag decides nothing of is played up to `further` times more, once the machine is quieter. `play` plays
/// games by a number of jobs and gives the outcome of each that is over to its last argument.
///
/// # Errors
/// Fails if `play` does.
pub(super) async fn play_again(
    outcomes: &mut [Outcome],
    mut doubtful: Vec<usize>,
    further: usize,
    interrupt: &watch::Receiver<bool>,
    tell: impl Fn(Progress<'_>),
    mut play: impl AsyncFnMut(Vec<usize>, usize, &mut dyn FnMut(usize, Outcome)) -> io::Result<()>,
) -> io::Result<()> {
    // What was cut short is confirmed by what was not.
    doubtful.sort_by_key(|&number| outcomes[number].was_hurried);
    let mut seen = HashSet::new();
    // Reasons of games that failed twice with full budgets, each with the name of one such game.
    let mut confirmed: HashMap<Option<Reason>, String> = HashMap::new();
    for is_first in [true, false] {
        let is_due = |number: &usize| match (is_first, reason(&outcomes[*number])) {
            (true, reason) => seen.insert(reason),
            (false, reason) => !confirmed.contains_key(&reason),
        };
        let mut batch;
        (batch, doubtful) = doubtful.into_iter().partition(is_due);
        for round in 0..=further {
            if batch.is_empty() {
                break;
            }
            // Games that are played at the same time are lag of each other.
            let is_unsure = |&number: &usize| outcomes[number].verdict == Verdict::Inconclusive;
            let jobs = match round > 0 || batch.iter().any(is_unsure) {
                true => 1,
                false => std::thread::available_parallelism().map_or(1, usize::from),
            };
            if round > 0 {
                until_quiet(interrupt).await;
            }
            let mut undecided = Vec::new();
            let mut ended = |number: usize, second: Outcome| {
                let first = &mut outcomes[number];
                if *interrupt.borrow() {
                    // A game that was broken off says less than the one before it.
                    unconfirmed(first);
                } else if is_undecided(&second) && round < further {
                    return undecided.push(number);
                } else {
                    if reason(first) == reason(&second) && !is_undecided(&second) {
                        confirmed.insert(reason(first), first.name.clone());
                    }
                    take_second(first, second);
                }
                tell(Progress::Ended(first));
            };
            play(batch, jobs, &mut ended).await?;
            batch = undecided;
        }
    }
    for number in doubtful {
        let outcome = &mut outcomes[number];
        let confirmed_by = confirmed.get(&reason(outcome));
        let confirmed_by = confirmed_by.filter(|_| outcome.was_hurried);
        if let (Some(name), Some(finding)) = (confirmed_by, outcome.findings.first_mut()) {
            finding.notes.push(format!(
                "shorter wait here; {name} waited the full time and failed in the same way"
            ));
        }
        tell(Progress::Ended(outcome));
    }
    Ok(())
}

/// Waits until this program is woken in time again, at most 10 s.
async fn until_quiet(interrupt: &watch::Receiver<bool>) {
    const LOOK: Duration = Duration::from_millis(500);
    for _ in 0..20 {
        let due = Instant::now() + LOOK;
        sleep_until(due).await;
        if due.elapsed() < LOOK / 10 || *interrupt.borrow() {
            return;
        }
    }
}

/// Returns true if lag kept a game from showing anything.
fn is_undecided(outcome: &Outcome) -> bool {
    outcome.verdict == Verdict::Inconclusive && outcome.has_lagged
}

/// A failure that was not waited for in full, and that no other game confirms.
fn unconfirmed(outcome: &mut Outcome) {
    if !outcome.was_hurried {
        return;
    }
    outcome.verdict = Verdict::Inconclusive;
    for finding in &mut outcome.findings {
        finding.verdict = Verdict::Inconclusive;
        finding
            .notes
            .push("the run was interrupted before what is due was waited for in full".to_owned());
    }
}

/// Decides what two games of a scenario show, of which the first deviated by silence or lateness.
fn take_second(first: &mut Outcome, mut second: Outcome) {
    if first.was_hurried {
        *first = second;
        return;
    }
    let has_passed = second.verdict <= Verdict::Lenient;
    if has_passed && first.verdict > Verdict::Inconclusive {
        first.games = vec![
            GameSummary::new(first, true),
            GameSummary::new(&second, false),
        ];
        first.be_flaky();
        if let Some(finding) = first.findings.first_mut() {
            finding.notes.push(format!(
                "the scenario was played again, and the second game ended with {}",
                second.verdict.word()
            ));
        }
        return;
    }
    // A second game that could not be played leaves the first one as it is.
    if second.verdict == Verdict::Error {
        if let (Some(finding), Some(broken)) = (first.findings.first_mut(), second.findings.first())
        {
            finding.notes.push(format!(
                "the scenario could not be played again: {}",
                broken.title
            ));
        }
        return;
    }
    // The second game decides nothing about the first failure, which is shown beside it.
    let is_undecided =
        !has_passed && second.verdict != Verdict::Fail && reason(first) != reason(&second);
    if is_undecided {
        let findings = std::mem::take(&mut first.findings).into_iter();
        second.findings.extend(findings.map(|mut finding| {
            finding.verdict = finding.verdict.min(Verdict::Inconclusive);
            finding
                .notes
                .push("this was seen in the first of two games".to_owned());
            finding
        }));
    }
    second.has_lagged |= first.has_lagged || has_passed;
    *first = second;
}

impl Run {
    /// Returns true if a game with this outcome is played again: the only deviations were silence or
    /// lateness.
    pub(super) fn repeats(&self, outcome: &Outcome) -> bool {
        let has_failed =
            |finding: &Finding| finding.verdict == Verdict::Fail && !finding.by_silence;
        self.doubt == Doubt::PlayAgain
            && outcome.findings.iter().any(is_doubtful)
            && !outcome.findings.iter().any(has_failed)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::case_files::assert_lines;
    use crate::config::SubjectBudgets;
    use crate::engine::{Options, Placement, PlayOrder};
    use crate::games::royalur::CodeColosseum;
    use crate::scenario::free_game;

    fn outcome(verdict: Verdict, by_silence: bool) -> Outcome {
        let how = if by_silence { " by silence" } else { "" };
        let title = format!("{}{how}", verdict.word());
        let finding = Finding {
            by_silence,
            ..Finding::new(verdict, title)
        };
        let outcome = Outcome::new(&free_game(&CodeColosseum, 1));
        if verdict <= Verdict::Lenient {
            Outcome { verdict, ..outcome }
        } else {
            outcome.with(finding)
        }
    }

    #[test]
    fn a_failure_that_does_not_come_again_is_flaky_and_shown() {
        // A first game that failed by silence or could not be judged, and the second.
        assert_lines("second-games", |row| {
            let (first, second) = row.split_once(", then ").unwrap();
            let mut first = outcome(Verdict::of(first).unwrap(), true);
            let (verdict, by_silence) = second.split_once(" by silence").unwrap_or((second, "no"));
            take_second(
                &mut first,
                outcome(Verdict::of(verdict).unwrap(), by_silence.is_empty()),
            );
            let findings = &first.findings;
            assert!(
                findings
                    .iter()
                    .all(|finding| finding.verdict <= first.verdict),
                "{findings:#?}"
            );
            let titles: Vec<_> = findings
                .iter()
                .map(|finding| finding.title.as_str())
                .collect();
            let lagged = if first.has_lagged { ", lagged" } else { "" };
            format!("{}{lagged}: {}", first.verdict.word(), titles.join("; "))
        });
    }

    #[test]
    fn only_what_failed_by_silence_is_played_again_also_with_one_job() {
        let run = |doubt| Run {
            games: Vec::new(),
            options: Options::new(SubjectBudgets::default(), std::iter::empty()),
            jobs: 1,
            placement: Placement::Free,
            doubt,
            order: PlayOrder::default(),
            has_spoken: false,
        };
        for verdict in [Verdict::Fail, Verdict::Error, Verdict::Inconclusive] {
            assert!(run(Doubt::PlayAgain).repeats(&outcome(verdict, true)));
            assert!(!run(Doubt::Accept).repeats(&outcome(verdict, true)));
            assert!(!run(Doubt::PlayAgain).repeats(&outcome(verdict, false)));
        }
        let mut wrong_line_as_well = outcome(Verdict::Fail, true);
        wrong_line_as_well
            .findings
            .push(Finding::new(Verdict::Fail, "another line"));
        assert!(!run(Doubt::PlayAgain).repeats(&wrong_line_as_well));
    }

    /// A game that failed by silence.
    fn failed(title: &str) -> Outcome {
        let silent = Finding {
            by_silence: true,
            ..Finding::new(Verdict::Fail, title)
        };
        Outcome::new(&free_game(&CodeColosseum, 1)).with(silent)
    }

    /// Has games played again: the batches, and the order in which the games are over. `second` gives the second game by the number of the
    /// first one and of its round.
    fn played_again(
        outcomes: &mut [Outcome],
        second: impl Fn(usize, usize) -> Outcome,
    ) -> (Vec<Vec<usize>>, Vec<String>) {
        let doubtful = (0..outcomes.len()).collect();
        for (number, outcome) in outcomes.iter_mut().enumerate() {
            outcome.name = number.to_string();
        }
        let (mut batches, over) = (Vec::new(), RefCell::new(Vec::new()));
        let mut rounds = vec![0; outcomes.len()];
        let play = async |batch: Vec<usize>, _, ended: &mut dyn FnMut(usize, Outcome)| {
            for &number in &batch {
                let name = number.to_string();
                let second = second(number, rounds[number]);
                rounds[number] += 1;
                ended(number, Outcome { name, ..second });
            }
            batches.push(batch);
            Ok(())
        };
        let tell = |progress: Progress<'_>| match progress {
            Progress::Ended(outcome) => over.borrow_mut().push(outcome.name.clone()),
            other => panic!("{other:?}"),
        };
        let (_interrupt, interrupted) = watch::channel(false);
        let played = play_again(outcomes, doubtful, FURTHER, &interrupted, tell, play);
        tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap()
            .block_on(played)
            .unwrap();
        (batches, over.into_inner())
    }

    #[test]
    fn games_that_failed_alike_share_a_second_game_only_if_that_fails_as_well() {
        let mut outcomes = ["gone", "mute", "gone", "mute", "gone"].map(failed);
        let played = played_again(&mut outcomes, |number, _| match number {
            1 | 3 => failed("mute"),
            _ => outcome(Verdict::Pass, false),
        });
        let over = ["0", "1", "2", "4", "3"].map(str::to_owned).to_vec();
        assert_eq!(played, (vec![vec![0, 1], vec![2, 4]], over));
        let verdicts = outcomes.map(|outcome| outcome.verdict);
        let [gone, mute] = [Verdict::Flaky, Verdict::Fail];
        assert_eq!(verdicts, [gone, mute, gone, mute, gone]);
    }

    /// A game that was cut short counts only where another one confirms it.
    #[test]
    fn a_game_that_was_not_waited_for_in_full_decides_nothing_alone() {
        let hurried = |title: &str| Outcome {
            was_hurried: true,
            ..failed(title)
        };
        let mut outcomes = ["mute", "mute", "slow", "slow"].map(hurried);
        outcomes[0].was_hurried = false;
        let played = played_again(&mut outcomes, |number, _| match number {
            0 => failed("mute"),
            _ => outcome(Verdict::Pass, false),
        });
        let over = ["0", "2", "3", "1"].map(str::to_owned).to_vec();
        assert_eq!(played, (vec![vec![0, 2], vec![3]], over));
        let verdicts = outcomes.each_ref().map(|outcome| outcome.verdict.word());
        assert_eq!(verdicts, ["fail", "fail", "pass", "pass"]);
        assert!(outcomes[1].findings[0].notes[0].contains("failed in the same way"));
        let mut late = hurried("late");
        unconfirmed(&mut late);
        assert_eq!(late.verdict, Verdict::Inconclusive);
    }

    #[test]
    fn a_game_that_lag_decides_nothing_of_is_played_twice_more() {
        let lagged = |verdict| Outcome {
            has_lagged: true,
            ..outcome(verdict, true)
        };
        let mut outcomes = ["a", "b", "c", "d"].map(failed);
        let (batches, over) = played_again(&mut outcomes, |number, round| {
            // For games 2 and 3 the machine is never quiet enough.
            match number > round {
                true => lagged(Verdict::Inconclusive),
                false => lagged(Verdict::Pass),
            }
        });
        assert_eq!(batches, [vec![0, 1, 2, 3], vec![1, 2, 3], vec![2, 3]]);
        assert_eq!(over, ["0", "1", "2", "3"]);
        assert!(!is_undecided(&lagged(Verdict::Fail)) && !is_undecided(&lagged(Verdict::Pass)));
        assert!(
            !is_undecided(&outcome(Verdict::Inconclusive, true)),
            "more games do not help"
        );
    }
}
