//! The user's answers about a subject.

use std::time::Duration;

use crate::config::{Description, Program, Template, Unreachable, UrlPattern, Way};
use crate::pack::Protocol;
use crate::rules::Game;
use crate::scenario::Side;

/// The name where nobody says another.
pub(super) const USUAL_NAME: &str = "mine";

/// Settings to write; `None` is a default, or a setting that follows from the command.
#[derive(Debug, Clone)]
pub(super) struct Answers {
    pub(super) name: String,
    pub(super) side: Side,
    pub(super) protocol: Protocol,
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
    /// Returns true if its game has rolls.
    pub(super) fn has_rolls(&self) -> bool {
        let game = self.protocol.game();
        game.is_some_and(|game| !game.kinds_of_roll().is_empty())
    }

    /// Returns true if its game has a pace.
    pub(super) fn has_pace(&self) -> bool {
        self.protocol.game().and_then(Game::longest_pace).is_some()
    }

    /// Returns true if the command has one of these placeholders.
    pub(super) fn takes(&self, places: &[&str]) -> bool {
        let Place::Command(words) = &self.place else {
            return false;
        };
        Template::parse(words).is_ok_and(|command| places.iter().any(|place| command.takes(place)))
    }

    /// Returns the transport of the players' lanes, from the answers so far.
    pub(super) fn way(&self) -> Result<Way, Unreachable> {
        let mut description = Description {
            reach: self.reach.clone(),
            ..Description::default()
        };
        let program = match &self.place {
            Place::Running(players) => {
                description.players = Some(players.clone());
                None
            }
            Place::Command(words) => {
                let command = Template::parse(words).map_err(|error| Unreachable {
                    title: error.to_string(),
                    help: "write {{ for a brace".to_owned(),
                })?;
                let ready = self
                    .ready
                    .as_ref()
                    .and_then(|line| UrlPattern::parse(line).ok());
                Some(Program {
                    ready,
                    ..Program::from(command)
                })
            }
        };
        description
            .ways(self.side, program.as_ref())
            .map(|(players, _)| players)
    }
}

/// A length of time without spaces, as a flag takes it.
pub(super) fn short(time: Duration) -> String {
    humantime::format_duration(time)
        .to_string()
        .replace(' ', "")
}
