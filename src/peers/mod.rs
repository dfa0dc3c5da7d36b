//! The built-in referees and bots, each with its switchable faults; ordinary subjects, reached like any other.

mod bot_error;
mod built_in;
mod participants;
mod lobby;
mod drive;
mod fault;
mod lane;
mod machine;
mod move_clock;
pub mod onitama;
mod policy;
mod roll_list;
pub mod royalur;

pub use bot_error::BotError;
use bot_error::{LANE, next_whole_line};
use drive::drive_blocking;
pub use fault::FaultRow;
pub use lane::Lane;
pub use lobby::{Lobby, LobbyClose, LobbyError, Players};
pub use machine::{CHUNK, Desk, Machine};
use participants::parties;
pub use participants::{Departure, Participants};
pub use policy::Policy;
pub use roll_list::parse_rolls;

use crate::games;
use crate::pack;
use built_in::Starting;
pub use built_in::{Conditions, Farewell, Peers};

/// The peers of every game that has some.
pub const ALL: &[Peers] = &[
    Peers {
        game: &games::royalur::RoyalUr,
        referee_faults: royalur::RefereeFault::ROWS,
        bot_faults: royalur::BotFault::ROWS,
        starting: Starting {
            referee: "--spectators {spectators} --timeout {timeout} --pace {pace} --name {first} --name {second}",
            bot: "",
            environment: &[("URTEXT_ROLLS", "{rolls}")],
        },
        referee: royalur::referee_machine,
        bot: royalur::bot_machine,
    },
    Peers {
        game: &games::onitama::Onitama,
        referee_faults: onitama::RefereeFault::ROWS,
        bot_faults: onitama::BotFault::ROWS,
        starting: Starting {
            referee: "--port {port} --timeout {timeout}",
            bot: "{host} {port}",
            environment: &[("URTEXT_DEAL", "{setup}")],
        },
        referee: onitama::referee_machine,
        bot: onitama::bot_machine,
    },
];

/// The peers of the game of that name or alias.
#[must_use]
pub fn find(game: &str) -> Option<&'static Peers> {
    let game = pack::game(game)?;
    ALL.iter().find(|peers| peers.game.name() == game.name())
}
