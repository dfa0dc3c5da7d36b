//! Many games at once, with results in the order of the scenarios.

use std::collections::HashSet;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use super::game::Options;
use super::placement::Placement;
use super::threads::{Crew, News};
use crate::config::Subject;
use crate::event::{Finding, Outcome, Verdict};
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
    /// What is done about a failure that load could have caused.
    pub doubt: Doubt,
}

/// What is done about a failure that rests on something not having come in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// The game is played again, apart from the others, and that decides.
    PlayAgain,
    /// It stands.
    Accept,
}

/// Whether a game is the first one of its scenario in a run, or repeats one that failed by silence or lateness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Round {
    /// The first game.
    First,
    /// The second game.
    Again,
}

/// What a run tells while it goes on.
#[derive(Debug)]
pub enum Progress<'a> {
    /// A game has begun.
    Began(&'a Scenario),
    /// A game is over; told in the order in which games end.
    Ended(&'a Outcome),
    /// A game that failed by something that did not come in time is played again, apart.
    Again(&'a Scenario),
}

/// Plays all games and returns the outcomes in the order of the games.
///
/// With [`Doubt::PlayAgain`] a failure that rests on something not having come in time is confirmed by a second game with nothing
/// beside it but one game a processor, so that load never makes a verdict; one such game for all that failed under the same
/// requirement, with the same words.
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
    let mut playing = crew.play(order, run.jobs, Round::First)?;
    while let Some(news) = playing.news.recv().await {
        match news {
            News::Began(number) => tell(Progress::Began(&run.games[number].scenario)),
            News::Ended(number, outcome) => {
                if !run.repeats(&outcome) {
                    tell(Progress::Ended(&outcome));
                }
                outcomes[number] = Some(*outcome);
            }
        }
    }
    playing.join()?;
    let mut outcomes: Vec<_> =
        outcomes.into_iter().map(|outcome| outcome.expect("every game has ended")).collect();
    let mut doubtful: Vec<_> = (0..outcomes.len()).filter(|&number| run.repeats(&outcomes[number])).collect();
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    // What is confirmed of one game need not be waited for in every other one that failed alike.
    let mut confirmed = HashSet::new();
    while !doubtful.is_empty() && !*interrupt.borrow() {
        let mut seen = confirmed.clone();
        let (batch, rest) = doubtful.into_iter().partition(|&number| seen.insert(reason(&outcomes[number])));
        let mut playing = crew.play(batch, jobs, Round::Again)?;
        while let Some(news) = playing.news.recv().await {
            match news {
                News::Began(number) => tell(Progress::Again(&run.games[number].scenario)),
                // A game that was broken off says less than the one before it.
                News::Ended(number, outcome) if !*interrupt.borrow() => {
                    confirmed.insert(reason(&outcome));
                    tell(Progress::Ended(&outcome));
                    outcomes[number] = *outcome;
                }
                News::Ended(number, _) => tell(Progress::Ended(&outcomes[number])),
            }
        }
        playing.join()?;
        let is_settled = |&number: &usize| confirmed.contains(&reason(&outcomes[number]));
        let (settled, open): (Vec<usize>, Vec<usize>) = Vec::into_iter(rest).partition(is_settled);
        settled.iter().for_each(|&number| tell(Progress::Ended(&outcomes[number])));
        doubtful = open;
    }
    doubtful.iter().for_each(|&number| tell(Progress::Ended(&outcomes[number])));
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

/// Under which requirement a game failed, or may have by load, and in which words.
fn reason(outcome: &Outcome) -> Option<(Option<&'static str>, String)> {
    let is_meant = |finding: &&Finding| finding.verdict == Verdict::Fail || is_doubtful(finding);
    let failed = outcome.findings.iter().find(is_meant)?;
    Some((failed.requirement, failed.title.clone()))
}

/// Whether load can have made a finding: something did not come in time, or urtext itself was late.
fn is_doubtful(finding: &Finding) -> bool {
    finding.by_silence && matches!(finding.verdict, Verdict::Fail | Verdict::Inconclusive)
}

impl Run {
    /// Whether a game that ended so is played again. One that was played alone says all there is to know.
    fn repeats(&self, outcome: &Outcome) -> bool {
        self.doubt == Doubt::PlayAgain && self.jobs > 1 && outcome.findings.iter().any(is_doubtful)
    }
}
