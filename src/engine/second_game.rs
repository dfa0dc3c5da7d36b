//! Second games of scenarios whose first game deviated by silence or lateness, and what both of them show.

use std::collections::{HashMap, HashSet};
use std::io;

use super::reason::{Reason, is_doubtful, reason};
use super::run::{Doubt, Run};
use crate::event::{GameSummary, Outcome};
use crate::finding::{Finding, Verdict};

/// Reasons of games that failed twice with full budgets, each with the name of one such game.
pub(super) type Confirmed = HashMap<Option<Reason>, String>;

/// Has games played again, by their numbers: first one game for each reason, and then all games whose reason this has not confirmed. `play`
/// returns the reasons that it has confirmed. Returns the games that are settled without a second game of their own.
pub(super) async fn play_again(
    outcomes: &mut [Outcome],
    mut doubtful: Vec<usize>,
    mut play: impl AsyncFnMut(&mut [Outcome], Vec<usize>) -> io::Result<Confirmed>,
) -> io::Result<Vec<usize>> {
    // What was cut short is confirmed by what was not.
    doubtful.sort_by_key(|&number| outcomes[number].was_hurried);
    let is_confirmed =
        |outcome: &Outcome, confirmed: &Confirmed| confirmed.contains_key(&reason(outcome));
    let mut seen = HashSet::new();
    let (batch, rest): (Vec<_>, Vec<_>) = doubtful
        .into_iter()
        .partition(|&number| seen.insert(reason(&outcomes[number])));
    let confirmed = play(outcomes, batch).await?;
    let (settled, batch): (Vec<_>, Vec<_>) = rest
        .into_iter()
        .partition(|&number| is_confirmed(&outcomes[number], &confirmed));
    play(outcomes, batch).await?;
    for &number in &settled {
        let outcome = &mut outcomes[number];
        let confirmed_by = confirmed
            .get(&reason(outcome))
            .filter(|_| outcome.was_hurried);
        if let (Some(name), Some(finding)) = (confirmed_by, outcome.findings.first_mut()) {
            finding.notes.push(format!(
                "what is due was not waited for in full here: it was in {name}, which failed in the same way"
            ));
        }
    }
    Ok(settled)
}

/// The number of the last round of second games, which begin with 0: the later ones are for games that lag decided nothing of.
pub(super) const LAST_ROUND: usize = 2;

/// Has games played again in rounds, by the number of the round. `play` returns the games that the next round plays again.
pub(super) async fn in_rounds(
    mut batch: Vec<usize>,
    mut play: impl AsyncFnMut(Vec<usize>, usize) -> io::Result<Vec<usize>>,
) -> io::Result<()> {
    for round in 0..=LAST_ROUND {
        batch = play(batch, round).await?;
        if batch.is_empty() {
            break;
        }
    }
    Ok(())
}

/// Returns true if lag kept a game from showing anything.
pub(super) fn is_undecided(outcome: &Outcome) -> bool {
    outcome.verdict == Verdict::Inconclusive && outcome.has_lagged
}

/// A failure that was not waited for in full, and that no other game confirms.
pub(super) fn unconfirmed(outcome: &mut Outcome) {
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
pub(super) fn take_second(first: &mut Outcome, mut second: Outcome) {
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
    use crate::config::SubjectBudgets;

    use super::*;
    use crate::case_files::assert_lines;
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
            let titles: Vec<_> = findings.iter().map(|finding| &*finding.title).collect();
            let lagged = if first.has_lagged { ", lagged" } else { "" };
            format!("{}{lagged}: {}", first.verdict.word(), titles.join("; "))
        });
    }

    #[test]
    fn only_what_failed_by_silence_is_played_again_also_with_one_job() {
        let run = |doubt| Run {
            games: Vec::new(),
            options: Options::new(SubjectBudgets::default(), std::iter::empty()),
            jobs: 1.into(),
            placement: Placement::Free,
            doubt,
            order: PlayOrder::default(),
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

    #[tokio::test]
    async fn games_that_failed_alike_share_a_second_game_only_if_that_fails_as_well() {
        let mut outcomes = ["gone", "mute", "gone", "mute", "gone"].map(failed);
        let mut batches = Vec::new();
        let play = async |outcomes: &mut [Outcome], batch: Vec<usize>| {
            batches.push(batch.clone());
            let mut confirmed = Confirmed::new();
            for number in batch {
                match outcomes[number].findings[0].title.as_str() {
                    "mute" => confirmed.extend([(reason(&outcomes[number]), "t".to_owned())]),
                    _ => take_second(&mut outcomes[number], outcome(Verdict::Pass, false)),
                }
            }
            Ok(confirmed)
        };
        let settled = play_again(&mut outcomes, (0..5).collect(), play)
            .await
            .unwrap();
        assert_eq!((batches, settled), (vec![vec![0, 1], vec![2, 4]], vec![3]));
        let verdicts = outcomes.map(|outcome| outcome.verdict);
        let [gone, mute] = [Verdict::Flaky, Verdict::Fail];
        assert_eq!(verdicts, [gone, mute, gone, mute, gone]);
    }

    /// A game that was cut short counts only where another one confirms it.
    #[tokio::test]
    async fn a_game_that_was_not_waited_for_in_full_decides_nothing_alone() {
        let hurried = |title: &str| Outcome {
            was_hurried: true,
            ..failed(title)
        };
        let mut outcomes = ["mute", "mute", "slow", "slow", "late"].map(hurried);
        outcomes[0].was_hurried = false;
        let (mut batches, mut confirmed) = (Vec::new(), Confirmed::new());
        let play = async |outcomes: &mut [Outcome], batch: Vec<usize>| {
            batches.push(batch.clone());
            for number in batch {
                match number {
                    0 => confirmed.extend([(reason(&outcomes[number]), "t".to_owned())]),
                    4 => unconfirmed(&mut outcomes[number]),
                    _ => take_second(&mut outcomes[number], outcome(Verdict::Pass, false)),
                }
            }
            Ok(std::mem::take(&mut confirmed))
        };
        let settled = play_again(&mut outcomes, (0..5).collect(), play)
            .await
            .unwrap();
        let rounds = vec![vec![0, 2, 4], vec![3]];
        assert_eq!((batches, settled), (rounds, vec![1]));
        let verdicts = outcomes.each_ref().map(|outcome| outcome.verdict.word());
        assert_eq!(verdicts, ["fail", "fail", "pass", "pass", "inconclusive"]);
        assert!(outcomes[1].findings[0].notes[0].contains("failed in the same way"));
    }

    #[tokio::test]
    async fn a_game_that_lag_decides_nothing_of_is_played_twice_more() {
        let mut played = Vec::new();
        let play = async |batch: Vec<usize>, round| {
            played.push((round, batch.clone()));
            // For games 2 and 3 the machine is never quiet enough.
            Ok(batch.into_iter().filter(|&game| game > round).collect())
        };
        in_rounds(vec![0, 1, 2, 3], play).await.unwrap();
        let rounds = [(0, vec![0, 1, 2, 3]), (1, vec![1, 2, 3]), (2, vec![2, 3])];
        assert_eq!(played, rounds);
        let lagged = |verdict| Outcome {
            has_lagged: true,
            ..outcome(verdict, true)
        };
        assert!(is_undecided(&lagged(Verdict::Inconclusive)));
        assert!(!is_undecided(&lagged(Verdict::Fail)) && !is_undecided(&lagged(Verdict::Pass)));
        assert!(
            !is_undecided(&outcome(Verdict::Inconclusive, true)),
            "more games do not help"
        );
    }
}
