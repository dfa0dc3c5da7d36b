//! The built-in judge and bot of Onitama (seed `004`, "The judge").

mod bot;
mod bot_fault;
mod referee;
mod referee_fault;
mod session;
mod voice;

pub use bot::Bot;
pub use bot_fault::BotFault;
pub use referee::{Dealer, End, Referee};
pub use referee_fault::RefereeFault;
