//! Many games at once, with results in the order of the scenarios.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use super::options::Clock;
use super::record;
use super::run_plan::{EarlyEnd, GamePlan, Progress, Round, Run, not_played};
use super::second_game::{FURTHER, play_again};
use super::threads::Crew;
use crate::event::{Outcome, What};
use crate::finding::Verdict;
use crate::judge;
use crate::pack;
use crate::scenario::Side;
use crate::transcript::Direction;

/// Plays all games and returns the outcomes in the order of the games.
///
/// With [`super::Doubt::PlayAgain`] a game that deviated by silence or lateness alone is played again: with at most one game for each
/// processor at once, and alone if lag is in doubt. A game that lag decides nothing of is played alone up to two times more, once the machine
/// is quieter. If the second game passes, the scenario is *flaky*. Games that failed under the same requirement with the same
/// words share one second game if it fails as well; if not, each of them is played again.
///
/// A game that did not begin because a verdict was fatal, or the time was over, by [`super::PlayOrder`], is *skipped*, and so is one that
/// goes on when a fatal verdict is certain.
///
/// # Errors
/// Fails if the threads cannot be started or placed.
pub async fn run(
    run: Run,
    interrupt: watch::Receiver<bool>,
    tell: impl Fn(Progress<'_>),
) -> io::Result<Vec<Outcome>> {
    let run = Arc::new(run);
    let mut outcomes: Vec<Option<Outcome>> = run.games.iter().map(|_| None).collect();
    let mut order: Vec<usize> = (0..run.games.len()).collect();
    match run.order.limit {
        // Whoever waits longest begins first, so that the others are played meanwhile.
        None => order.sort_by_key(|&number| Reverse(idle_time(&run.games[number]))),
        Some(_) => most_valuable_first(&mut order, &run.games),
    }
    let mut fatal = None;
    let crew = Crew::new(Arc::clone(&run), interrupt.clone());
    let first_ended = |number: usize, outcome: Outcome| {
        let (is_repeated, is_interrupted) = (run.repeats(&outcome), *interrupt.borrow());
        if !is_repeated {
            tell(Progress::Ended(&outcome));
        }
        let was_stopped = *crew.stop.borrow() && !is_interrupted;
        if fatal.is_none() && run.order.is_fatal(&outcome) {
            fatal = Some(outcome.name.clone());
            crew.stop.send_replace(!is_repeated || is_interrupted);
        }
        let is_decided = outcome.verdict <= Verdict::Lenient || outcome.verdict == Verdict::Fail;
        if !was_stopped || is_decided {
            outcomes[number] = Some(outcome);
        }
    };
    crew.play(order, run.jobs, Round::First, &tell, first_ended)
        .await?;
    crew.stop.send_replace(*interrupt.borrow());
    let whole = |(outcome, game): (Option<Outcome>, &GamePlan)| {
        outcome.unwrap_or_else(|| {
            let failed = fatal.as_deref().map(EarlyEnd::Failure);
            let end = failed.or(run.order.limit.as_ref().map(EarlyEnd::Time));
            not_played(&game.scenario, end.expect("every game has ended"))
        })
    };
    let mut outcomes: Vec<_> = outcomes.into_iter().zip(&run.games).map(whole).collect();
    let doubtful: Vec<_> = (0..outcomes.len())
        .filter(|&number| run.repeats(&outcomes[number]))
        .collect();
    // By a virtual clock, a game of the same seed ends alike.
    let further = match run.options.clock {
        Clock::Virtual(_) => 0,
        Clock::Real => FURTHER,
    };
    let again = async |batch, jobs: usize, ended: &mut dyn FnMut(usize, Outcome)| {
        let jobs = run.jobs.min(jobs);
        crew.play(batch, jobs, Round::Again, &tell, ended).await
    };
    play_again(&mut outcomes, doubtful, further, &interrupt, &tell, again).await?;
    let record = run.options.record.as_deref();
    settle(&run.games, &mut outcomes, record, run.has_spoken);
    Ok(outcomes)
}

/// Judges what one game alone cannot tell: a subject that says nothing where it does speak in other games was started well,
/// and so its silence is its own. `record`: the folder with the recordings of the games, which then say so too. `has_spoken`: games before have
/// shown that each subject speaks.
pub fn settle(
    games: &[GamePlan],
    outcomes: &mut [Outcome],
    record: Option<&Path>,
    has_spoken: bool,
) {
    let subject = |game: &GamePlan| Arc::as_ptr(&game.subject);
    let played = games.iter().zip(&*outcomes);
    let speaking =
        played.filter(|(game, outcome)| has_spoken || speaks(game.subject.side, outcome));
    let speaking: HashSet<_> = speaking.map(|(game, _)| subject(game)).collect();
    for (game, outcome) in games.iter().zip(outcomes) {
        // A server may still be busy with a game before, of this run or of another one.
        let may_be_busy = game.subject.plays_alone() && game.subject.server().is_some();
        let is_mute = outcome.verdict == Verdict::Error
            && !outcome.transcript.lanes.is_empty()
            && !speaks(game.subject.side, outcome);
        if !is_mute || may_be_busy || !speaking.contains(&subject(game)) {
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
pub fn speaks(side: Side, outcome: &Outcome) -> bool {
    let direction = match side {
        Side::Referee => Direction::Received,
        Side::Bot => Direction::Sent,
    };
    outcome.verdict == Verdict::Flaky || outcome.has_line(direction)
}

/// Returns the time that a game only waits, as far as its scenario shows.
fn idle_time(game: &GamePlan) -> Duration {
    let Some(plan) = game.scenario.game() else {
        return Duration::ZERO;
    };
    let timeout = plan
        .timeout
        .or(game.subject.timeout)
        .filter(|_| plan.needs_timeout());
    let pace = plan.pace.or(game.subject.pace).unwrap_or_default();
    let turns = u32::try_from(plan.steps.len()).unwrap_or(u32::MAX);
    pace.saturating_mul(turns)
        .saturating_add(timeout.unwrap_or_default())
}

/// The order of a run that is bounded by time: with each subject a scenario for each requirement before a second one for any, what is demanded
/// before what is left open, short waits before long ones.
fn most_valuable_first(order: &mut [usize], games: &[GamePlan]) {
    order.sort_by_key(|&number| idle_time(&games[number]));
    let mut known: HashMap<_, usize> = HashMap::new();
    let mut value = |number: usize| {
        let game = &games[number];
        let id = game.scenario.checks().first();
        let entry = id.and_then(|id| pack::requirement(id));
        let earlier = known.entry((&game.subject.name, id)).or_default();
        *earlier += 1;
        (*earlier, entry.map(|entry| entry.level))
    };
    order.sort_by_cached_key(|&number| value(number));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peers;
    use crate::scenario::suite;

    #[test]
    fn each_requirement_has_a_scenario_before_any_has_a_second_one() {
        let subject = Arc::new(peers::subject("royalur", Side::Referee, None).unwrap());
        let (scenarios, _) = suite::load("royalur/referee");
        let games = scenarios.into_iter().map(|scenario| GamePlan {
            scenario: Arc::new(scenario),
            subject: Arc::clone(&subject),
            golden: None,
            seed: 0,
        });
        let games: Vec<_> = games.collect();
        let mut order: Vec<_> = (0..games.len()).collect();
        most_valuable_first(&mut order, &games);
        let main = |number: &usize| games[*number].scenario.checks().first();
        let all: HashSet<_> = order.iter().map(main).collect();
        assert!(all.len() < games.len());
        let first: HashSet<_> = order[..all.len()].iter().map(main).collect();
        assert_eq!(first, all);
    }
}
