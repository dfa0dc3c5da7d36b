//! The parts of a pack.

use super::Notation;
use crate::protocol::Dialect;
use crate::requirement::Specification;
use crate::rules::Game;

/// All that makes a game.
#[derive(Debug)]
pub struct Pack {
    /// The rules, their notation in scenarios, and their variants.
    pub game: &'static dyn Game,
    /// The wire protocols, the usual one first. Every pack has one.
    pub dialects: &'static [&'static dyn Dialect],
    /// The notations of finished games.
    pub notations: &'static [&'static dyn Notation],
    /// Names the format of a file with these first bytes, if it holds the game in another form than a transcript.
    pub recognise: fn(&[u8]) -> Option<Format>,
    /// The catalogues of requirements.
    pub specifications: &'static [&'static Specification],
    /// The folder of its suites among those inside the program, if it has some there.
    pub suite: Option<&'static str>,
    /// Places in a subject's command for the parts of the random setup, each with its description; `{setup}` has the whole of it.
    pub setup_places: &'static [(&'static str, &'static str)],
    /// Environment variables by which the built-in referee takes what chance would decide: name, and template of the value.
    pub environment: &'static [(&'static str, &'static str)],
}

/// A format that was recognised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Format {
    /// Its name, as it continues "this file is …".
    pub name: &'static str,
    /// Advice for such a file.
    pub help: Option<&'static str>,
}
