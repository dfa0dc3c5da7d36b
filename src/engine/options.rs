//! Options of every game of a run, and the clock of its games.

use std::path::PathBuf;
use std::time::Duration;

use super::simulation::network::Network;
use crate::judge::Budgets;
use crate::transport::Supervisors;

/// Options of every game of a run.
#[derive(Debug, Clone)]
pub struct Options {
    /// From the subject's start to the connection of every lane.
    pub start_budget: Duration,
    /// The judge's budgets.
    pub budgets: Budgets,
    /// For a whole game.
    pub game_budget: Duration,
    /// Folder for a recording of every game.
    pub record: Option<PathBuf>,
    /// Clock of the games.
    pub clock: Clock,
    /// The program of urtext itself, which watches over the subjects that are started and relays seats. `None`: nobody watches
    /// over them, and a referee that starts its players itself cannot be reached.
    pub program: Option<PathBuf>,
}

impl Options {
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
