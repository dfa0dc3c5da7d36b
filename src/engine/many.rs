//! Many games at once, with results in the order of the scenarios.

use std::cmp::Reverse;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::options::Clock;
use super::play_order::{EarlyEnd, not_played};
use super::reason::reason;
use super::record;
use super::run::{GamePlan, Progress, Round, Run};
use super::second_game::{
    Confirmed, LAST_ROUND, in_rounds, is_undecided, play_again, take_second, unconfirmed,
};
use super::threads::{Crew, News};
use crate::event::{Outcome, What};
use crate::finding::Verdict;
use crate::judge;
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
    mut tell: impl FnMut(Progress<'_>),
) -> io::Result<Vec<Outcome>> {
    let mut outcomes: Vec<Option<Outcome>> = run.games.iter().map(|_| None).collect();
    let mut order: Vec<usize> = (0..run.games.len()).collect();
    // Whoever waits longest begins first, so that the others are played meanwhile.
    order.sort_by_key(|&number| Reverse(idle_time(&run.games[number])));
    let mut fatal = None;
    let (stop, stopped) = watch::channel(false);
    let _forwarding = forward(interrupt.clone(), stop.clone());
    let crew = Crew::new(&run, stopped);
    // Told when it is known whether their server was still there after them.
    let mut held = Vec::new();
    let mut playing = crew.play(order, run.jobs, Round::First)?;
    while let Some(news) = playing.news.recv().await {
        match news {
            News::Began(number) => tell(Progress::Began(&run.games[number].scenario)),
            News::Silence(number, silence) => {
                tell(Progress::Silence(&run.games[number].scenario, silence));
            }
            News::Told(number, news) => tell(Progress::News(&run.games[number], &news)),
            News::Ended(number, outcome) => {
                let is_undecided = crew.servers.is_undecided(number);
                held.extend(is_undecided.then_some(number));
                if !is_undecided && !run.repeats(&outcome) {
                    tell(Progress::Ended(&outcome));
                }
                let was_stopped = *stop.borrow() && !*interrupt.borrow();
                if fatal.is_none() && run.order.is_fatal(&outcome) {
                    fatal = Some(outcome.name.clone());
                    stop.send_replace(!run.repeats(&outcome) || *interrupt.borrow());
                }
                let is_decided =
                    outcome.verdict <= Verdict::Lenient || outcome.verdict == Verdict::Fail;
                if !was_stopped || is_decided {
                    outcomes[number] = Some(*outcome);
                }
            }
        }
    }
    playing.join()?;
    stop.send_replace(*interrupt.borrow());
    let whole = |(outcome, game): (Option<Outcome>, &GamePlan)| {
        outcome.unwrap_or_else(|| {
            let failed = fatal.as_deref().map(EarlyEnd::Failure);
            let end = failed.or(run.order.limit.as_ref().map(EarlyEnd::Time));
            not_played(&game.scenario, end.expect("every game has ended"))
        })
    };
    let mut outcomes: Vec<_> = outcomes.into_iter().zip(&run.games).map(whole).collect();
    crew.servers.settle(&run.games, &mut outcomes);
    held.retain(|&number| !run.repeats(&outcomes[number]));
    held.iter()
        .for_each(|&number| tell(Progress::Ended(&outcomes[number])));
    let doubtful: Vec<_> = (0..outcomes.len())
        .filter(|&number| run.repeats(&outcomes[number]))
        .collect();
    let settled = play_again(
        &mut outcomes,
        doubtful,
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

/// Stops games when the user interrupts, as long as the result exists.
fn forward(mut interrupt: watch::Receiver<bool>, stop: watch::Sender<bool>) -> AbortOnDrop {
    let forwarding = async move {
        if interrupt
            .wait_for(|&is_interrupted| is_interrupted)
            .await
            .is_ok()
        {
            stop.send_replace(true);
        }
    };
    AbortOnDrop(tokio::spawn(forwarding))
}

/// A task that ends with this value.
struct AbortOnDrop(JoinHandle<()>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Plays games again. Returns the reasons why second games failed as the
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
    // By a virtual clock, a game of the same seed ends alike.
    let last_round = match run.options.clock {
        Clock::Virtual(_) => 0,
        Clock::Real => LAST_ROUND,
    };
    in_rounds(batch, async |batch, round| {
        // Games that are played at the same time are lag of each other.
        let is_unsure = |&number: &usize| outcomes[number].verdict == Verdict::Inconclusive;
        let jobs = match round > 0 || batch.iter().any(is_unsure) {
            true => 1,
            false => std::thread::available_parallelism().map_or(1, usize::from),
        };
        if round > 0 {
            crew.until_quiet().await;
        }
        let mut undecided = Vec::new();
        let mut playing = crew.play(batch, run.jobs.most.min(jobs).into(), Round::Again)?;
        while let Some(news) = playing.news.recv().await {
            match news {
                News::Began(number) => tell(Progress::Again(&run.games[number].scenario)),
                News::Silence(..) => {}
                News::Told(number, news) => tell(Progress::News(&run.games[number], &news)),
                News::Ended(number, second) => {
                    let first = &mut outcomes[number];
                    // A game that was broken off says less than the one before it.
                    if *interrupt.borrow() {
                        unconfirmed(first);
                    } else if is_undecided(&second) && round < last_round {
                        undecided.push(number);
                        continue;
                    } else {
                        if reason(first) == reason(&second) && !is_undecided(&second) {
                            confirmed.insert(reason(first), first.name.clone());
                        }
                        take_second(first, *second);
                    }
                    tell(Progress::Ended(&outcomes[number]));
                }
            }
        }
        playing.join()?;
        Ok(undecided)
    })
    .await?;
    Ok(confirmed)
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
    let direction = match game.scenario.side() {
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
