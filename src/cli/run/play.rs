//! Plays games, and says on standard error how far they are.

use std::io;

use super::progress::Herald;
use crate::cli::interrupt::Interrupt;
use crate::engine::{self, GamePlan, Run};
use crate::event::Outcome;

/// Games mostly wait, so there can be more of them than processors. A referee that runs already may seat whoever comes next, so
/// that two games at once would share a table.
pub(in crate::cli) fn default_jobs(games: &[GamePlan]) -> usize {
    if games.iter().any(|game| game.subject.plays_alone()) {
        return 1;
    }
    8 * std::thread::available_parallelism().map_or(2, usize::from)
}

/// Plays all games, or until interrupted; shows progress on standard error.
///
/// # Errors
/// Fails if the threads that play cannot be started.
pub(in crate::cli) async fn play(
    run: Run,
    interrupt: &Interrupt,
    is_verbose: bool,
) -> io::Result<Vec<Outcome>> {
    let herald = Herald::new(run.games.len(), is_verbose);
    let playing = engine::run(run, interrupt.told(), |progress| herald.take(progress));
    herald.beside(playing).await
}
