//! Many games at once, with results in the order of the scenarios.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use super::game::Options;
use super::placement::Placement;
use super::threads::{Crew, News};
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
    /// How many are played at once. Games that only wait for time to pass do not count.
    pub jobs: usize,
    /// On which processors they are played.
    pub placement: Placement,
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
///
/// # Errors
/// Where the threads that play cannot be started, or placed as they are to be.
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
    let mut playing = crew.play(order, run.jobs)?;
    while let Some(news) = playing.news.recv().await {
        match news {
            News::Began(number) => tell(Progress::Began(&run.games[number].scenario)),
            News::Ended(number, outcome) => {
                if !is_doubtful(&outcome) || run.jobs == 1 {
                    tell(Progress::Ended(&outcome));
                }
                outcomes[number] = Some(*outcome);
            }
        }
    }
    playing.join()?;
    let mut outcomes: Vec<_> =
        outcomes.into_iter().map(|outcome| outcome.expect("every game has ended")).collect();
    let doubtful = (0..outcomes.len()).filter(|&number| run.jobs > 1 && is_doubtful(&outcomes[number]));
    for number in doubtful.collect::<Vec<_>>() {
        if !*interrupt.borrow() {
            tell(Progress::Again(&run.games[number].scenario));
            let mut playing = crew.play(vec![number], 1)?;
            while let Some(news) = playing.news.recv().await {
                // A game that was broken off says less than the one before it.
                if let News::Ended(_, outcome) = news
                    && !*interrupt.borrow()
                {
                    outcomes[number] = *outcome;
                }
            }
            playing.join()?;
        }
        tell(Progress::Ended(&outcomes[number]));
    }
    settle(&run.games, &mut outcomes);
    Ok(outcomes)
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

/// How long a game will only wait for time to pass, as far as its scenario tells.
fn idle_time(game: &Game) -> Duration {
    let scenario = &game.scenario;
    let timeout = scenario.timeout.or(game.subject.timeout).filter(|_| scenario.needs_timeout());
    let pace = scenario.pace.or(game.subject.pace).unwrap_or_default();
    let turns = u32::try_from(scenario.steps.len()).unwrap_or(u32::MAX);
    pace.saturating_mul(turns).saturating_add(timeout.unwrap_or_default())
}

fn is_doubtful(outcome: &Outcome) -> bool {
    outcome.findings.iter().any(|finding| finding.by_silence && finding.verdict == Verdict::Fail)
}
