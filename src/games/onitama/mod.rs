//! Onitama, as the challenge of seed `004` plays it: Top is the first seat, Bottom the second.

mod board;
mod card;
mod cell;
mod dialect;
mod facts;
mod faults;
mod game;
mod mistakes;
mod narration;
mod notation;
mod position;
mod refusal;
mod rules;
mod setup;
mod turns;
mod variant;

pub use card::{Card, Hand};
pub use cell::{CELLS, OnitamaCell, cell, cell_name, temple};
pub use dialect::OnitamaJudge;
pub use faults::{BOT_FAULTS, REFEREE_FAULTS};
pub use game::Onitama;
pub use notation::{CardMove, SIDES, card_list, cards_from_list};
pub use position::OnitamaPosition;
pub use rules::OnitamaRules;
pub use setup::Deal;
pub use variant::OnitamaVariant;

use include_dir::include_dir;

use crate::pack::{Pack, PeersRow};
use crate::requirement::Specification;

/// All that makes the game.
pub static PACK: Pack = Pack {
    suite: Some("onitama"),
    goldens: Some(&include_dir!("$CARGO_MANIFEST_DIR/snapshots/onitama")),
    setup_places: &[
        (
            "deal",
            "the part of the setup that is dealt, such as `Cobra,Eel,Crab,Rabbit,Tiger`",
        ),
        (
            "starter",
            "the part of the setup that says who starts, such as `Top`",
        ),
    ],
    peers: Some(PeersRow {
        referee_faults: REFEREE_FAULTS,
        bot_faults: BOT_FAULTS,
        referee_arguments: "--listen :{port} --timeout {timeout}",
        bot_arguments: "{host} {port}",
    }),
    environment: &[("URTEXT_DEAL", "{setup}")],
    ..Pack::new(&Onitama, &[&OnitamaJudge], &[&SPECIFICATION])
};

/// The catalogue of the wire protocol.
static SPECIFICATION: Specification =
    Specification::new(include_str!("../../../scenarios/onitama/requirements.yaml"));
