//! Plays games, and says on standard error how far they are.

use std::io;

use super::progress::{Detail, Herald};
use crate::cli::interrupt::Interrupt;
use crate::engine::{self, Run};
use crate::event::Outcome;

/// Plays all games, or until interrupted; shows progress on standard error.
///
/// # Errors
/// Fails if the threads that play cannot be started.
pub(in crate::cli) async fn play(
    run: Run,
    interrupt: &Interrupt,
    detail: Detail,
) -> io::Result<Vec<Outcome>> {
    let herald = Herald::new(run.games.len(), detail, run.order.spared.clone());
    let playing = engine::run(run, interrupt.told(), |progress| herald.take(progress));
    herald.beside(playing).await
}

/// Plays all games to their end.
///
/// # Errors
/// Fails if the threads that play cannot be started, and with [`io::ErrorKind::Interrupted`] if the run is interrupted.
pub(in crate::cli) async fn play_whole(
    run: Run,
    interrupt: &Interrupt,
    detail: Detail,
) -> io::Result<Vec<Outcome>> {
    let outcomes = play(run, interrupt, detail).await?;
    if interrupt.has_come() {
        return Err(io::ErrorKind::Interrupted.into());
    }
    Ok(outcomes)
}
