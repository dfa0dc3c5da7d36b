//! Many games at once, with results in the order of the scenarios.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use super::reason::{Reason, is_doubtful, reason};
use super::record;
use super::run::{Doubt, GamePlan, Progress, Round, Run};
use super::threads::{Crew, News};
use crate::event::{Finding, Outcome, Verdict, What};
use crate::judge;
use crate::scenario::Side;
use crate::transcript::Direction;

/// Plays all games and returns the outcomes in the order of the games.
///
/// With [`Doubt::PlayAgain`] a game that deviated by silence or lateness alone is played again, with at most one game for each
/// processor at once. If the second game passes, the scenario is *flaky*. Games that failed under the same requirement with the same
/// words share one second game if it fails as well; if not, each of them is played again.
///
/// # Errors
/// Fails if the threads cannot be started or placed.
pub async fn run(
    run: Run,
    interrupt: watch::Receiver<bool>,
    mut tell: impl FnMut(Progress<'_>),
) -> io::Result<Vec<Outcome>> {
    let mut outcomes: Vec<Option<Outcome>> = run.games.iter().map(|_| None).collect();
    // Whoever waits longest begins first, so that the others are played meanwhile.
    let mut order: Vec<usize> = (0..run.games.len()).collect();
    order.sort_by_key(|&number| std::cmp::Reverse(idle_time(&run.games[number])));
    let crew = Crew::new(&run, interrupt.clone());
    // Told when it is known whether their server was still there after them.
    let mut held = Vec::new();
    let mut seconds = HashMap::new();
    let mut playing = crew.play(order, run.jobs, Round::First)?;
    while let Some(news) = playing.news.recv().await {
        match news {
            News::Began(number) => tell(Progress::Began(&run.games[number].scenario)),
            News::Suspected(number, finding) => {
                tell(Progress::Suspected(&run.games[number].scenario, &finding));
            }
            News::Ended(number, outcome, second) => {
                let is_undecided = crew.servers.is_undecided(number);
                held.extend(is_undecided.then_some(number));
                if !is_undecided && !run.repeats(&outcome) {
                    tell(Progress::Ended(&outcome));
                }
                outcomes[number] = Some(*outcome);
                seconds.extend(second.map(|second| (number, *second)));
            }
        }
    }
    playing.join()?;
    let mut outcomes: Vec<_> = outcomes
        .into_iter()
        .map(|outcome| outcome.expect("every game has ended"))
        .collect();
    crew.servers.settle(&run.games, &mut outcomes);
    held.retain(|&number| !run.repeats(&outcomes[number]));
    held.iter()
        .for_each(|&number| tell(Progress::Ended(&outcomes[number])));
    let mut doubtful: Vec<_> = (0..outcomes.len())
        .filter(|&number| run.repeats(&outcomes[number]))
        .collect();
    let mut confirmed = Confirmed::new();
    for (number, second) in seconds {
        let place = doubtful.iter().position(|&doubtful| doubtful == number);
        match place.filter(|_| settles(&mut outcomes[number], second, &mut confirmed)) {
            Some(place) => {
                doubtful.remove(place);
                tell(Progress::Ended(&outcomes[number]));
            }
            None => record::forget_again(&run.options, &run.games[number].scenario),
        }
    }
    let settled = play_again(
        &mut outcomes,
        doubtful,
        &mut confirmed,
        async |outcomes: &mut [Outcome], batch| {
            again(&run, &crew, batch, outcomes, &interrupt, &mut tell).await
        },
    )
    .await?;
    settled
        .into_iter()
        .for_each(|number| tell(Progress::Ended(&outcomes[number])));
    crew.servers.settle(&run.games, &mut outcomes);
    settle(&run.games, &mut outcomes, run.options.record.as_deref());
    Ok(outcomes)
}

/// Reasons of games that failed twice with full budgets, each with the name of one such game.
type Confirmed = HashMap<Option<Reason>, String>;

/// Returns true if the second game of a scenario, played with short timeouts while the first one waited in
/// full, decides the first: the second ended in the same way, or passed.
fn settles(first: &mut Outcome, second: Outcome, confirmed: &mut Confirmed) -> bool {
    if first.was_hurried {
        return false;
    }
    if reason(first) == reason(&second) {
        confirmed.insert(reason(first), first.name.clone());
        return true;
    }
    let has_passed = second.verdict <= Verdict::Lenient;
    if has_passed {
        take_second(first, second);
    }
    has_passed
}

/// Has games played again, by their numbers, as far as nothing has confirmed why they failed: first one game for each reason, and then all games
/// whose reason this has not confirmed. `play` returns the reasons that it has confirmed. Returns the games that are settled without a second
/// game of their own.
async fn play_again(
    outcomes: &mut [Outcome],
    mut doubtful: Vec<usize>,
    confirmed: &mut Confirmed,
    mut play: impl AsyncFnMut(&mut [Outcome], Vec<usize>) -> io::Result<Confirmed>,
) -> io::Result<Vec<usize>> {
    // What was cut short is confirmed by what was not.
    doubtful.sort_by_key(|&number| outcomes[number].was_hurried);
    let is_confirmed =
        |outcome: &Outcome, confirmed: &Confirmed| confirmed.contains_key(&reason(outcome));
    let (mut settled, rest): (Vec<_>, Vec<_>) = doubtful
        .into_iter()
        .partition(|&number| is_confirmed(&outcomes[number], confirmed));
    let mut seen = HashSet::new();
    let (batch, rest): (Vec<_>, Vec<_>) = rest
        .into_iter()
        .partition(|&number| seen.insert(reason(&outcomes[number])));
    confirmed.extend(play(outcomes, batch).await?);
    let (settled_now, batch): (Vec<_>, Vec<_>) = rest
        .into_iter()
        .partition(|&number| is_confirmed(&outcomes[number], confirmed));
    settled.extend(settled_now);
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

/// Plays games again, with at most one game for each processor at once. Returns the reasons why second games failed as the
/// first ones did.
async fn again(
    run: &Run,
    crew: &Crew,
    batch: Vec<usize>,
    outcomes: &mut [Outcome],
    interrupt: &watch::Receiver<bool>,
    tell: &mut impl FnMut(Progress<'_>),
) -> io::Result<Confirmed> {
    let mut confirmed = Confirmed::new();
    if batch.is_empty() || *interrupt.borrow() {
        for number in batch {
            unconfirmed(&mut outcomes[number]);
            tell(Progress::Ended(&outcomes[number]));
        }
        return Ok(confirmed);
    }
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let mut playing = crew.play(batch, run.jobs.min(processors), Round::Again)?;
    while let Some(news) = playing.news.recv().await {
        match news {
            News::Began(number) => tell(Progress::Again(&run.games[number].scenario)),
            News::Suspected(..) => {}
            News::Ended(number, second, _) => {
                let first = &mut outcomes[number];
                // A game that was broken off says less than the one before it.
                if *interrupt.borrow() {
                    unconfirmed(first);
                } else {
                    if reason(first) == reason(&second) {
                        confirmed.insert(reason(first), first.name.clone());
                    }
                    take_second(first, *second);
                }
                tell(Progress::Ended(&outcomes[number]));
            }
        }
    }
    playing.join()?;
    Ok(confirmed)
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
        first.verdict = Verdict::Flaky;
        for finding in &mut first.findings {
            finding.verdict = finding.verdict.min(Verdict::Flaky);
        }
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

/// Judges what one game alone cannot tell: a subject that says nothing where it does speak in other games was started well,
/// and so its silence is its own. `record`: the folder with the recordings of the games, which then say so too.
pub fn settle(games: &[GamePlan], outcomes: &mut [Outcome], record: Option<&Path>) {
    let spoke: Vec<bool> = games
        .iter()
        .zip(&*outcomes)
        .map(|(game, outcome)| has_spoken(game, outcome))
        .collect();
    for (number, outcome) in outcomes.iter_mut().enumerate() {
        let game = &games[number];
        // A server may still be busy with a game before, of this run or of another one.
        let may_be_busy = game.subject.plays_alone() && game.subject.server().is_some();
        let is_mute = outcome.verdict == Verdict::Error
            && !outcome.transcript.lanes.is_empty()
            && !spoke[number]
            && !may_be_busy;
        let speaks_elsewhere = || {
            games
                .iter()
                .zip(&spoke)
                .any(|(other, &spoke)| spoke && Arc::ptr_eq(&other.subject, &game.subject))
        };
        if !is_mute || !speaks_elsewhere() {
            continue;
        }
        let is_blamed = judge::mute(&game.scenario, &mut outcome.verdict, &mut outcome.findings);
        let Some(folder) = record.filter(|_| is_blamed) else {
            continue;
        };
        if let Err(error) = record::amend(folder, &game.scenario, What::SpeaksElsewhere, outcome) {
            let note = format!("its recording does not say so: {error}");
            outcome
                .findings
                .iter_mut()
                .take(1)
                .for_each(|finding| finding.notes.push(note.clone()));
        }
    }
}

/// Returns true if a line from the subject was seen, in the first game or in the second.
fn has_spoken(game: &GamePlan, outcome: &Outcome) -> bool {
    let direction = match game.scenario.side {
        Side::Referee => Direction::Received,
        Side::Bot => Direction::Sent,
    };
    let mut entries = outcome
        .transcript
        .lanes
        .iter()
        .flat_map(|lane| &lane.entries);
    outcome.verdict == Verdict::Flaky || entries.any(|entry| entry.direction == direction)
}

/// Returns the time that a game only waits, as far as its scenario shows.
fn idle_time(game: &GamePlan) -> Duration {
    let scenario = &game.scenario;
    let timeout = scenario
        .timeout
        .or(game.subject.timeout)
        .filter(|_| scenario.needs_timeout());
    let pace = scenario.pace.or(game.subject.pace).unwrap_or_default();
    let turns = u32::try_from(scenario.steps.len()).unwrap_or(u32::MAX);
    pace.saturating_mul(turns)
        .saturating_add(timeout.unwrap_or_default())
}

impl Run {
    /// Returns true if a game with this outcome is played again: the only deviations were silence or
    /// lateness.
    fn repeats(&self, outcome: &Outcome) -> bool {
        let has_failed =
            |finding: &Finding| finding.verdict == Verdict::Fail && !finding.by_silence;
        self.doubt == Doubt::PlayAgain
            && outcome.findings.iter().any(is_doubtful)
            && !outcome.findings.iter().any(has_failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Options, Placement};
    use crate::games::royalur::RoyalUr;
    use crate::judge::Budgets;
    use crate::scenario::free_game;

    fn outcome(verdict: Verdict, by_silence: bool) -> Outcome {
        let title = format!("{}, {by_silence}", verdict.word());
        let finding = Finding {
            by_silence,
            ..Finding::new(verdict, title)
        };
        let outcome = Outcome::new(&free_game(&RoyalUr, 1));
        if verdict <= Verdict::Lenient {
            Outcome { verdict, ..outcome }
        } else {
            outcome.with(finding)
        }
    }

    /// The verdict on a first game by silence and a second game, and the titles of the findings.
    fn after(first: Verdict, second: Outcome) -> (Verdict, Vec<String>) {
        let mut first = outcome(first, true);
        take_second(&mut first, second);
        assert!(
            first
                .findings
                .iter()
                .all(|finding| finding.verdict <= first.verdict),
            "{first:#?}"
        );
        (
            first.verdict,
            first
                .findings
                .into_iter()
                .map(|finding| finding.title)
                .collect(),
        )
    }

    #[test]
    fn a_failure_that_does_not_come_again_is_flaky_and_shown() {
        use Verdict::{Error, Fail, Flaky, Inconclusive, Lenient, Pass};
        let titles = |titles: &[&str]| {
            titles
                .iter()
                .map(|title| (*title).to_owned())
                .collect::<Vec<_>>()
        };
        for passed in [Pass, Lenient] {
            let second = || outcome(passed, false);
            assert_eq!(after(Fail, second()), (Flaky, titles(&["fail, true"])));
            assert_eq!(after(Error, second()), (Flaky, titles(&["error, true"])));
            // urtext itself was late, or lag explains it.
            assert_eq!(after(Inconclusive, second()), (passed, titles(&[])));
            let mut first = outcome(Inconclusive, true);
            take_second(&mut first, second());
            assert!(first.has_lagged, "it is counted in the summary");
        }
        assert_eq!(
            after(Fail, outcome(Fail, true)),
            (Fail, titles(&["fail, true"]))
        );
        assert_eq!(
            after(Fail, outcome(Fail, false)),
            (Fail, titles(&["fail, false"]))
        );
        assert_eq!(
            after(Error, outcome(Error, true)),
            (Error, titles(&["error, true"]))
        );
        assert_eq!(
            after(Fail, outcome(Error, false)),
            (Fail, titles(&["fail, true"]))
        );
        let both = (Inconclusive, titles(&["inconclusive, false", "fail, true"]));
        assert_eq!(after(Fail, outcome(Inconclusive, false)), both);
    }

    #[test]
    fn only_what_failed_by_silence_is_played_again_also_with_one_job() {
        let run = |doubt| Run {
            games: Vec::new(),
            options: Options {
                start_budget: Duration::ZERO,
                budgets: Budgets::default(),
                game_budget: Duration::ZERO,
                record: None,
                clock: crate::engine::Clock::Real,
                program: None,
            },
            jobs: 1,
            placement: Placement::Free,
            doubt,
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

    #[tokio::test]
    async fn games_that_failed_alike_share_a_second_game_only_if_that_fails_as_well() {
        let silent = |title: &str| Finding {
            by_silence: true,
            ..Finding::new(Verdict::Fail, title)
        };
        let failed = |title: &str| Outcome::new(&free_game(&RoyalUr, 1)).with(silent(title));
        let mut outcomes = ["gone", "mute", "gone", "mute", "gone"].map(failed);
        let (mut batches, mut confirmed) = (Vec::new(), Confirmed::new());
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
        let settled = play_again(&mut outcomes, (0..5).collect(), &mut confirmed, play)
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
        let silent = |title: &str| Finding {
            by_silence: true,
            ..Finding::new(Verdict::Fail, title)
        };
        let failed = |title: &str| Outcome::new(&free_game(&RoyalUr, 1)).with(silent(title));
        let hurried = |title: &str| Outcome {
            was_hurried: true,
            ..failed(title)
        };
        let mut confirmed = Confirmed::new();
        let mut first = failed("mute");
        assert!(!settles(
            &mut hurried("mute"),
            failed("mute"),
            &mut confirmed
        ));
        assert!(!settles(&mut first, failed("otherwise"), &mut confirmed));
        assert!(confirmed.is_empty() && first.verdict == Verdict::Fail);
        assert!(settles(&mut first, failed("mute"), &mut confirmed) && confirmed.len() == 1);
        assert!(settles(
            &mut failed("gone"),
            outcome(Verdict::Pass, false),
            &mut confirmed
        ));
        assert_eq!(confirmed.len(), 1);

        let mut outcomes = ["mute", "slow", "slow", "late"].map(hurried);
        let mut batches = Vec::new();
        let play = async |outcomes: &mut [Outcome], batch: Vec<usize>| {
            batches.push(batch.clone());
            for number in batch {
                match number {
                    3 => unconfirmed(&mut outcomes[number]),
                    _ => take_second(&mut outcomes[number], outcome(Verdict::Pass, false)),
                }
            }
            Ok(Confirmed::new())
        };
        let settled = play_again(&mut outcomes, (0..4).collect(), &mut confirmed, play)
            .await
            .unwrap();
        assert_eq!((batches, settled), (vec![vec![1, 3], vec![2]], vec![0]));
        let verdicts = outcomes.each_ref().map(|outcome| outcome.verdict);
        assert_eq!(
            verdicts,
            [
                Verdict::Fail,
                Verdict::Pass,
                Verdict::Pass,
                Verdict::Inconclusive
            ]
        );
        assert!(outcomes[0].findings[0].notes[0].contains("failed in the same way"));
    }
}
