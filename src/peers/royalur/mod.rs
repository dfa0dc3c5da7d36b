//! The built-in referee and bot of the Royal Game of Ur, as Code Colosseum plays it (seed `000`, "Implementation details").

mod bot;
mod bot_fault;
mod referee;
mod referee_fault;
mod session;
mod output;

pub use bot::Bot;
pub use bot_fault::BotFault;
pub use referee::{End, Referee};
pub use referee_fault::RefereeFault;

use std::time::Duration;

use crate::peers::{Conditions, Farewell, LobbyClose, Machine, Policy};
use crate::rules::RollSource;

/// A referee for one game.
pub(super) fn referee_machine(
    conditions: &Conditions,
    fault: Option<&str>,
) -> Option<Machine<'static, Farewell>> {
    let Conditions {
        names,
        timeout,
        pace,
        spectators,
        rolls,
        seed,
        ..
    } = conditions.clone();
    let mut referee = Referee::new(names, timeout, pace, RollSource::new(rolls, seed));
    if let Some(fault) = fault {
        referee = referee.with_fault(fault)?;
    }
    Some(Machine::new(2 + spectators, async move |desk| {
        let end = referee.play(desk, spectators).await;
        Farewell::of_referee(end == End::Died, referee.closing() == LobbyClose::Reset)
    }))
}

/// A bot for one game.
pub(super) fn bot_machine(
    conditions: &Conditions,
    fault: Option<&str>,
) -> Option<Machine<'static, Farewell>> {
    let mut bot = Bot::new(Policy::Random, conditions.seed, Duration::ZERO);
    if let Some(fault) = fault {
        bot = bot.with_fault(fault)?;
    }
    Some(Machine::new(1, async move |desk| {
        Farewell::of_bot(bot.play_at(desk).await)
    }))
}
