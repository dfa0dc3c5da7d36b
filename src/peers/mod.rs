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

use crate::config::Subject;
use crate::pack::{self, FaultRow};
use crate::scenario::Side;
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

/// The faults of the built-in peer of that side; none where there is no such peer.
#[must_use]
pub fn faults_of(game: &str, side: Side) -> Vec<FaultRow> {
    match (find(game), side) {
        (None, _) => Vec::new(),
        (Some(peers), Side::Referee) => peers.referee_faults(),
        (Some(peers), Side::Bot) => peers.bot_faults(),
    }
}

/// The built-in referee or bot of a game, started from this program and reached like any other subject; with a fault where one is named.
#[must_use]
pub fn subject(game: &str, side: Side, fault: Option<&str>) -> Option<Subject> {
    let program = std::env::current_exe().unwrap_or_else(|_| "urtext".into());
    Some(find(game)?.subject(&program.to_string_lossy(), side, fault))
}
