//! The built-in referees and bots, each with its switchable faults; ordinary subjects, reached like any other.

mod bot;
mod bot_error;
mod built_in;
mod conditions;
mod participants;
mod lobby;
mod drive;
mod lane;
mod machine;
mod move_clock;
mod occasion;
mod output;
mod policy;
mod referee;
mod roll_list;
mod session;
mod setup_source;

pub use bot::Bot;
pub use bot_error::BotError;
use bot_error::{LANE, next_whole_line};
pub use conditions::Conditions;
use drive::drive_blocking;
pub use lane::Lane;
pub use lobby::{Lobby, LobbyClose, LobbyError, Players};
pub use machine::{CHUNK, Desk, Machine};
use participants::parties;
pub use participants::{Departure, Participants};
pub use policy::Policy;
pub use referee::Referee;
pub use roll_list::parse_rolls;
pub use setup_source::SetupSource;

use crate::pack;
pub use built_in::{Farewell, Peers};

/// The peers of every game that has some.
pub fn all() -> impl Iterator<Item = Peers> {
    pack::all().filter_map(Peers::of)
}

/// The peers of the game of that name or alias.
#[must_use]
pub fn find(game: &str) -> Option<Peers> {
    Peers::of(pack::find(game)?)
}
