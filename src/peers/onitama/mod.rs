//! The built-in judge and bot of Onitama (seed `004`, "The judge").

mod bot;
mod bot_fault;
mod referee;
mod referee_fault;
mod session;
mod output;

pub use bot::Bot;
pub use bot_fault::BotFault;
pub use referee::{Dealer, End, Referee};
pub use referee_fault::RefereeFault;

use std::time::Duration;

use crate::games::onitama::Deal;
use crate::peers::{Conditions, Farewell, LobbyClose, Machine, Policy};

/// A judge for one game.
pub(super) fn referee_machine(
    conditions: &Conditions,
    fault: Option<&str>,
) -> Option<Machine<'static, Farewell>> {
    let deal = Deal::of(conditions.setup);
    let dealer = Dealer::new(Some(deal.cards), Some(deal.starter), conditions.seed);
    let mut referee = Referee::new(conditions.timeout, dealer);
    if let Some(fault) = fault {
        referee = referee.with_fault(fault)?;
    }
    Some(Machine::new(2, async move |desk| {
        let end = referee.play(desk).await;
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
