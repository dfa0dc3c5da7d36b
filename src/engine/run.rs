//! Games to play, and what is told of them while they are played.

use std::sync::Arc;

use super::options::Options;
use super::placement::Placement;
use super::play_order::PlayOrder;
use super::slots::Jobs;
use super::suspicion::Silence;
use super::telling::GameNews;
use crate::config::Subject;
use crate::event::Outcome;
use crate::scenario::Scenario;
use crate::transcript::Transcript;

/// One game to play.
#[derive(Debug, Clone)]
pub struct GamePlan {
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
    pub games: Vec<GamePlan>,
    /// Options of all games.
    pub options: Options,
    /// Number of games at once. Games that only wait for time to pass do not count.
    pub jobs: Jobs,
    /// On which processors they are played.
    pub placement: Placement,
    /// Reaction to a failure that load could have caused.
    pub doubt: Doubt,
    /// The order in which the games begin, and its early end.
    pub order: PlayOrder,
}

impl Run {
    /// These games, each played once, on any processor.
    #[must_use]
    pub fn new(games: Vec<GamePlan>, options: Options, jobs: Jobs) -> Run {
        Run {
            games,
            options,
            jobs,
            placement: Placement::Free,
            doubt: Doubt::Accept,
            order: PlayOrder::default(),
        }
    }
}

/// Returns how many games are played at once where the user does not say.
///
/// Games mostly wait, so there can be more of them than processors. A referee that runs already may seat whoever comes next, so that two
/// games at once would share a table.
#[must_use]
pub fn usual_jobs(games: &[GamePlan]) -> Jobs {
    if games.iter().any(|game| game.subject.plays_alone()) {
        return 1.into();
    }
    let most = 8 * std::thread::available_parallelism().map_or(2, usize::from);
    let jobs = games.iter().map(|game| Jobs::usual(most, &game.subject));
    jobs.min_by_key(|jobs| jobs.least).unwrap_or(most.into())
}

/// Reaction to a failure by a line that did not arrive in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// The game is played again, apart from the others.
    PlayAgain,
    /// It stands.
    Accept,
}

/// Round of a game: the first one of its scenario, or a retry after a failure by silence or lateness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Round {
    /// The first game.
    First,
    /// The second game.
    Again,
}

/// An event during a run.
#[derive(Debug)]
pub enum Progress<'a> {
    /// A game has begun.
    Began(&'a Scenario),
    /// The subject is silent for longer than usual in a game, or is not any more.
    Silence(&'a Scenario, Silence),
    /// This has happened in a game, as far as [`super::Telling`] asks for it.
    News(&'a GamePlan, &'a GameNews),
    /// A game is over; told in the order in which games end.
    Ended(&'a Outcome),
    /// A game that failed by something that did not come in time is played again, apart.
    Again(&'a Scenario),
}
