//! The built-in referees and bots, each with its switchable faults; ordinary subjects, reached like any other.

mod bot;
mod bot_error;
mod built_in;
mod conditions;
mod participants;
mod lobby;
mod drive;
mod fault;
mod lane;
mod machine;
mod move_clock;
pub mod onitama;
mod occasion;
mod output;
mod policy;
mod referee;
mod roll_list;
pub mod royalur;
mod session;
mod setup_source;
mod spoiler;

pub use bot::Bot;
pub use bot_error::BotError;
use bot_error::{LANE, next_whole_line};
pub use conditions::Conditions;
use drive::drive_blocking;
pub use fault::{FaultRow, How, row};
pub use lane::Lane;
pub use lobby::{Lobby, LobbyClose, LobbyError, Players};
pub use machine::{CHUNK, Desk, Machine};
use participants::parties;
pub use participants::{Departure, Participants};
pub use policy::Policy;
pub use referee::Referee;
pub use roll_list::parse_rolls;
pub use setup_source::SetupSource;
pub use spoiler::{
    AtLoss, ClockFault, Edit, NewTime, OffTurnLine, On, Reading, RollFault, Sort, Spoiler, Text,
    To, When, line,
};

use crate::{games, pack};
use built_in::Starting;
pub use built_in::{Farewell, Peers};

/// The peers of every game that has some.
pub const ALL: &[Peers] = &[
    Peers {
        dialect: &games::royalur::CodeColosseum,
        referee_faults: royalur::REFEREE_FAULTS,
        bot_faults: royalur::BOT_FAULTS,
        starting: Starting {
            referee: "--spectators {spectators} --timeout {timeout} --pace {pace} --name {first} --name {second}",
            bot: "",
        },
        win: "all tokens are out",
        has_server: true,
    },
    Peers {
        dialect: &games::onitama::OnitamaJudge,
        referee_faults: onitama::REFEREE_FAULTS,
        bot_faults: onitama::BOT_FAULTS,
        starting: Starting {
            referee: "--port {port} --timeout {timeout}",
            bot: "{host} {port}",
        },
        win: "the Master was captured, or has reached the temple",
        has_server: false,
    },
];

/// The peers of the game of that name or alias.
#[must_use]
pub fn find(game: &str) -> Option<&'static Peers> {
    let game = pack::game(game)?;
    ALL.iter().find(|peers| peers.game().name() == game.name())
}
