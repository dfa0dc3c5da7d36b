//! The user's answers about a subject.

use std::time::Duration;

use crate::config::Template;
use crate::rules::Game;
use crate::scenario::Side;

/// Settings to write; `None` is a default, or a setting that follows from the command.
#[derive(Debug, Clone)]
pub(super) struct Answers {
    pub(super) name: String,
    pub(super) side: Side,
    pub(super) game: &'static dyn Game,
    pub(super) place: Place,
    pub(super) reach: Option<String>,
    pub(super) ready: Option<String>,
    pub(super) spectators: Option<String>,
    pub(super) rolls_env: Option<String>,
    pub(super) timeout: Option<Duration>,
    pub(super) pace: Option<Duration>,
}

/// Location of the subject: a command to start, or an address.
#[derive(Debug, Clone)]
pub(super) enum Place {
    /// urtext starts it.
    Command(Vec<String>),
    /// It runs already.
    Running(String),
}

impl Answers {
    /// Returns true if the command has one of these placeholders.
    pub(super) fn takes(&self, places: &[&str]) -> bool {
        let Place::Command(words) = &self.place else {
            return false;
        };
        Template::parse(words).is_ok_and(|command| places.iter().any(|place| command.takes(place)))
    }
}
