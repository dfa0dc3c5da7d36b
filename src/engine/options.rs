//! Options of every game of a run, and the clock of its games.

use std::path::PathBuf;
use std::time::Duration;

use super::simulation::network::Network;
use super::telling::Telling;
use crate::config::{Subject, SubjectBudgets};
use crate::event::ServerGames;
use crate::judge::Budgets;
use crate::transport::Supervisors;

/// Default budget of a whole game.
const WHOLE: Duration = Duration::from_secs(600);

/// Options of every game of a run.
#[derive(Debug, Clone)]
pub struct Options {
    /// The judge's budgets.
    pub budgets: Budgets,
    /// For a whole game.
    pub game_budget: Duration,
    /// Folder for a recording of every game.
    pub record: Option<PathBuf>,
    /// What is told of the games while they are played.
    pub tells: Telling,
    /// Clock of the games.
    pub clock: Clock,
    /// The program of urtext itself, which watches over the subjects that are started and relays seats. `None`: nobody watches
    /// over them, and a referee that starts its players itself cannot be reached.
    pub program: Option<PathBuf>,
    /// What the servers that run already have played so far: the runs of one command share it.
    pub server_games: ServerGames,
}

impl Options {
    /// The options by the machine's clock, without recordings: the budgets that the user asks for, else those of the subjects, else the
    /// defaults. Of several subjects the longest budget holds, so that nobody is blamed for another one's.
    pub fn new<'s>(
        asked: SubjectBudgets,
        subjects: impl Iterator<Item = &'s Subject> + Clone,
    ) -> Options {
        type Budget = fn(&SubjectBudgets) -> Option<Duration>;
        let said = |of: Budget, usual: Duration| {
            let said = subjects.clone().map(|subject| of(&subject.budgets));
            let is_said = said.clone().any(|said| said.is_some());
            let longest = said.map(|said| said.unwrap_or(usual)).max();
            of(&asked).or(longest.filter(|_| is_said))
        };
        let usual = Budgets::default();
        let start = said(|budgets| budgets.start, usual.start);
        let budget = |of: Budget, usual: Duration| said(of, usual).unwrap_or(usual);
        Options {
            budgets: Budgets {
                start: start.unwrap_or(usual.start),
                handshake: said(|budgets| budgets.handshake, usual.handshake)
                    .or(start)
                    .unwrap_or(usual.handshake),
                answer: budget(|budgets| budgets.answer, usual.answer),
                close: budget(|budgets| budgets.close, usual.close),
                forfeit: budget(|budgets| budgets.forfeit, usual.forfeit),
            },
            game_budget: budget(|budgets| budgets.whole, WHOLE),
            record: None,
            tells: Telling::default(),
            clock: Clock::Real,
            program: std::env::current_exe().ok(),
            server_games: ServerGames::default(),
        }
    }

    /// The supervisors of one thread's games.
    pub(super) fn supervisors(&self) -> Option<Supervisors> {
        self.program.clone().map(Supervisors::new)
    }
}

/// Clock of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Clock {
    /// The machine's.
    #[default]
    Real,
    /// One that jumps to the next alarm: built-in peers are played in memory, without processes, sockets or a real second. The same seed
    /// gives the same game, to the byte and to the nanosecond. Other subjects are played by the machine's clock.
    Virtual(Network),
}
