//! The built-in referee and bot of the Royal Game of Ur, as Code Colosseum plays it (seed `000`, "Implementation details").

mod bot;
mod bot_fault;
mod referee;
mod referee_fault;
mod session;
mod voice;

pub use bot::Bot;
pub use bot_fault::BotFault;
pub use referee::{End, Referee};
pub use referee_fault::RefereeFault;
