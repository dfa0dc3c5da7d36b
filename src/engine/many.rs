//! Many games at once, with results in the order of the scenarios.

use std::sync::Arc;

use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

use super::game::{Options, play};
use crate::config::Subject;
use crate::event::{Outcome, Verdict};
use crate::scenario::{Scenario, Side};
use crate::transcript::{Direction, Transcript};

/// One game to play.
#[derive(Debug, Clone)]
pub struct Game {
    /// The scenario.
    pub scenario: Arc<Scenario>,
    /// The subject that it is played against.
    pub subject: Arc<Subject>,
    /// The golden transcript, where there is one.
    pub golden: Option<Arc<Transcript>>,
    /// Decides where urtext chooses in this game.
    pub seed: u64,
}

/// Games to play: each scenario with the subject it is played against.
#[derive(Debug, Clone)]
pub struct Run {
    /// The games.
    pub games: Vec<Game>,
    /// What holds for all of them.
    pub options: Options,
    /// How many are played at once.
    pub jobs: usize,
}

/// What a run tells while it goes on.
#[derive(Debug)]
pub enum Progress<'a> {
    /// A game has begun.
    Began(&'a Scenario),
    /// A game is over; told in the order in which games end.
    Ended(&'a Outcome),
    /// A game that failed by something that did not come in time is played again, alone.
    Again(&'a Scenario),
}

/// Plays all games and returns the outcomes in the order of the games.
///
/// A failure that rests on something not having come in time is confirmed by a second game that runs alone, so that
/// load never makes a verdict.
pub async fn run(
    run: Run,
    interrupt: watch::Receiver<bool>,
    mut tell: impl FnMut(Progress<'_>),
) -> Vec<Outcome> {
    let Run { games, options, jobs } = run;
    let slots = Arc::new(Semaphore::new(jobs.max(1)));
    let mut tasks = JoinSet::new();
    let (began, mut beginnings) = tokio::sync::mpsc::unbounded_channel();
    for (number, game) in games.iter().cloned().enumerate() {
        let (slots, interrupt, began) = (Arc::clone(&slots), interrupt.clone(), began.clone());
        let options = options.clone();
        tasks.spawn(async move {
            let _slot = slots.acquire().await.expect("the semaphore is never closed");
            let _ = began.send(number);
            (number, play(&game, &options, interrupt).await)
        });
    }
    drop(began);
    let mut outcomes: Vec<Option<Outcome>> = games.iter().map(|_| None).collect();
    loop {
        tokio::select! {
            Some(number) = beginnings.recv() => tell(Progress::Began(&games[number].scenario)),
            joined = tasks.join_next() => match joined {
                Some(joined) => {
                    let (number, outcome) = joined.expect("a game does not panic");
                    if !is_doubtful(&outcome) || jobs == 1 {
                        tell(Progress::Ended(&outcome));
                    }
                    outcomes[number] = Some(outcome);
                }
                None => break,
            },
        }
    }
    let mut outcomes: Vec<_> =
        outcomes.into_iter().map(|outcome| outcome.expect("every game has ended")).collect();
    if jobs > 1 {
        for (number, outcome) in outcomes.iter_mut().enumerate() {
            if !is_doubtful(outcome) {
                continue;
            }
            let game = &games[number];
            if !*interrupt.borrow() {
                tell(Progress::Again(&game.scenario));
                *outcome = play(game, &options, interrupt.clone()).await;
            }
            tell(Progress::Ended(outcome));
        }
    }
    settle(&games, &mut outcomes);
    outcomes
}

/// Judges what one game alone cannot tell: a subject that says nothing where it does speak in other games was started well,
/// and so its silence is its own.
pub fn settle(games: &[Game], outcomes: &mut [Outcome]) {
    let spoke: Vec<bool> =
        games.iter().zip(&*outcomes).map(|(game, outcome)| has_spoken(game, outcome)).collect();
    for (number, outcome) in outcomes.iter_mut().enumerate() {
        let game = &games[number];
        let is_mute =
            outcome.verdict == Verdict::Error && !outcome.transcript.lanes.is_empty() && !spoke[number];
        let speaks_elsewhere = || {
            games
                .iter()
                .zip(&spoke)
                .any(|(other, &spoke)| spoke && Arc::ptr_eq(&other.subject, &game.subject))
        };
        if !is_mute || !speaks_elsewhere() {
            continue;
        }
        let Some(finding) = outcome.findings.first_mut() else { continue };
        let who = game.scenario.side.word();
        finding.title = format!("the {who} never said a byte here, and speaks in other scenarios");
        finding.verdict = Verdict::Fail;
        finding.requirement = game.scenario.checks.first().copied();
        outcome.verdict = Verdict::Fail;
    }
}

/// Whether a line from the subject was seen.
fn has_spoken(game: &Game, outcome: &Outcome) -> bool {
    let direction = match game.scenario.side {
        Side::Referee => Direction::Received,
        Side::Bot => Direction::Sent,
    };
    outcome.transcript.lanes.iter().flat_map(|lane| &lane.entries).any(|entry| entry.direction == direction)
}

fn is_doubtful(outcome: &Outcome) -> bool {
    outcome.findings.iter().any(|finding| finding.by_silence && finding.verdict == Verdict::Fail)
}
