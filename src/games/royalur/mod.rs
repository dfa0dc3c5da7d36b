//! The Royal Game of Ur, as Code Colosseum plays it (seed `000`).

mod dialect;
mod facts;
mod faults;
mod game;
pub mod hcur;
mod json;
mod mistakes;
mod position;
pub mod royalur_net;
mod rules;
mod turns;

pub use dialect::CodeColosseum;
pub use faults::{BOT_FAULTS, REFEREE_FAULTS};
pub use game::{RoyalUr, coins, roll_from_coins, roll_from_line};
pub use position::{TOKENS, UrCell, UrPosition};
pub use rules::{Standard, UrRules, UrVariant};

use include_dir::include_dir;

use crate::pack::{Pack, PeersRow};
use crate::requirement::Specification;

/// All that makes the game.
pub static PACK: Pack = Pack {
    notations: &[&hcur::HC_UR, &royalur_net::ROYALUR_JSON],
    suite: Some("royalur"),
    goldens: Some(&include_dir!("$CARGO_MANIFEST_DIR/snapshots/royalur")),
    peers: Some(PeersRow {
        has_usual_faults: true,
        referee_faults: REFEREE_FAULTS,
        bot_faults: BOT_FAULTS,
        referee_arguments: "--spectators {spectators} --timeout {timeout} --pace {pace} --name {first} --name {second}",
        bot_arguments: "",
    }),
    environment: &[("URTEXT_ROLLS", "{rolls}")],
    ..Pack::new(&RoyalUr, &[&CodeColosseum])
};

/// The catalogue of the wire protocol.
static SPECIFICATION: Specification = Specification::new(
    "royalur",
    include_str!("../../../scenarios/royalur/requirements.yaml"),
);
