//! Games to play, and what is told of them while they are played.

use std::sync::Arc;
use std::time::Duration;

use super::options::Options;
use super::placement::Placement;
use super::play_order::PlayOrder;
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

/// Number of games at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Jobs {
    /// Until a game has shown how much processor time the subject takes to start.
    pub least: usize,
    /// At most, where subjects mostly wait.
    pub most: usize,
}

impl From<usize> for Jobs {
    fn from(jobs: usize) -> Jobs {
        Jobs {
            least: jobs,
            most: jobs,
        }
    }
}

impl Jobs {
    /// Returns the number for subjects that have so much processor time for their start, in a time that they did not have to wait for
    /// other programs.
    pub(super) fn after_start(self, took: Duration, computed: Duration) -> usize {
        // Two games share a processor, where each computes half of the time.
        let share = took.as_secs_f64() / computed.as_secs_f64().max(f64::MIN_POSITIVE);
        ((self.least as f64 * share / 2.0) as usize).clamp(self.least, self.most)
    }
}

/// Returns how many games are played at once where the user does not say.
///
/// Games mostly wait, so there can be more of them than processors; but the interpreters of many subjects that start at once wait for each
/// other. A referee that runs already may seat whoever comes next, so that two games at once would share a table.
#[must_use]
pub fn usual_jobs(games: &[GamePlan]) -> Jobs {
    let any = |is: fn(&Subject) -> bool| games.iter().any(|game| is(&game.subject));
    if any(Subject::plays_alone) {
        return 1.into();
    }
    let processors = std::thread::available_parallelism().map_or(2, usize::from);
    let most = 8 * processors;
    let starts = any(|subject| subject.program.is_some() && subject.built_in.is_none());
    let least = if starts { 2 * processors } else { most };
    Jobs { least, most }
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
    Told(&'a GamePlan, &'a GameNews),
    /// A game is over; told in the order in which games end.
    Ended(&'a Outcome),
    /// A game that failed by something that did not come in time is played again, apart.
    Again(&'a Scenario),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_games_are_played_at_once_where_subjects_mostly_wait() {
        let jobs = Jobs { least: 4, most: 16 };
        let at_once = |took, computed| {
            jobs.after_start(Duration::from_millis(took), Duration::from_millis(computed))
        };
        // An interpreter that computes all the time while it starts.
        assert_eq!(at_once(110, 100), 4);
        assert_eq!(at_once(400, 100), 8);
        assert_eq!(at_once(5000, 100), 16);
        assert_eq!(at_once(5, 0), 16, "a start that costs nothing");
        assert_eq!(Jobs::from(3).after_start(Duration::ZERO, Duration::ZERO), 3);
    }
}
