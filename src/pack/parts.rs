//! The parts of a pack.

use include_dir::Dir;

use super::{FaultRow, Notation};
use crate::protocol::Dialect;
use crate::rules::Game;

/// All that makes a game.
#[derive(Debug)]
pub struct Pack {
    /// The rules, their notation in scenarios, and their variants.
    pub game: &'static dyn Game,
    /// The wire protocols, the usual one first. Every pack has one.
    pub dialects: &'static [&'static dyn Dialect],
    /// The notations of finished games.
    pub notations: &'static [&'static Notation],
    /// The folder of its suites among those inside the program, if it has some there.
    pub suite: Option<&'static str>,
    /// The golden transcripts of its suites, as paths in that folder.
    pub goldens: Option<&'static Dir<'static>>,
    /// The built-in referee and bot, which play by the game and its usual wire protocol.
    pub peers: Option<PeersRow>,
    /// Environment variables by which the built-in referee takes what chance would decide: name, and template of the value.
    pub environment: &'static [(&'static str, &'static str)],
}

impl Pack {
    /// A pack of what every game has: the rest is added by `Pack { peers: …, ..Pack::new(…) }`.
    #[must_use]
    pub const fn new(game: &'static dyn Game, dialects: &'static [&'static dyn Dialect]) -> Pack {
        Pack {
            game,
            dialects,
            notations: &[],
            suite: None,
            goldens: None,
            peers: None,
            environment: &[],
        }
    }
}

/// The data of a game's built-in referee and bot.
#[derive(Debug)]
pub struct PeersRow {
    /// True if they can be given the faults that any referee and any bot can have.
    pub has_usual_faults: bool,
    /// The further faults of the referee, beside the variants of the rules.
    pub referee_faults: &'static [FaultRow],
    /// The further faults of the bot.
    pub bot_faults: &'static [FaultRow],
    /// Arguments of the referee after the name of the game, separated by blanks, with places such as `{port}`.
    pub referee_arguments: &'static str,
    /// Arguments of the bot, in the same form.
    pub bot_arguments: &'static str,
}

/// A format that was recognised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Format {
    /// Its name, as it continues "this file is …".
    pub name: &'static str,
    /// Advice for such a file.
    pub help: Option<String>,
}
