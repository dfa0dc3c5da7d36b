//! How a subject is started and reached.

mod template;

pub use template::{Fault as TemplateFault, PLACEHOLDERS, Template, Values};

use std::time::Duration;

use crate::games::Game;
use crate::scenario::{Scenario, Side};

/// A referee or a bot under test.
#[derive(Debug, Clone)]
pub struct Subject {
    /// Its name in reports.
    pub name: String,
    /// What it is.
    pub side: Side,
    /// The game that it plays.
    pub game: &'static dyn Game,
    /// How it is reached.
    pub reach: Reach,
    /// How it takes forced rolls; `None`: it does not.
    pub roll_hook: Option<RollHook>,
    /// Its timeout for a move, where it is fixed.
    pub timeout: Option<Duration>,
    /// Its pace, where it is fixed.
    pub pace: Option<Duration>,
    /// How the command line names it, to repeat a run.
    pub arguments: String,
}

/// How a subject is reached.
#[derive(Debug, Clone)]
pub enum Reach {
    /// A referee that runs already.
    Connect {
        /// Where its players connect, `host:port`.
        players: String,
        /// Where its spectators connect, if it has any.
        spectators: Option<String>,
    },
    /// A referee that urtext starts, and then connects to over TCP.
    Listener {
        /// Its command.
        command: Template,
        /// How its ports are known.
        ports: Ports,
    },
    /// A bot that urtext starts, and then talks to over its standard input and output.
    Pipes {
        /// Its command.
        command: Template,
    },
}

/// How the ports of a started referee are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ports {
    /// urtext chooses free ones and fills them in for `{port}` and `{spectator_port}`.
    Chosen,
    /// It chooses its own and prints a line `listening players=HOST:PORT spectators=HOST:PORT`.
    Printed,
}

/// How a referee takes forced rolls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RollHook {
    /// From an environment variable of this name.
    Environment(String),
    /// From its arguments: `{rolls}` or `{rolls_file}` stand in its command.
    Arguments,
}

impl Subject {
    /// Why a scenario cannot be played with this subject, if it cannot.
    #[must_use]
    pub fn lacks(&self, scenario: &Scenario) -> Option<String> {
        let takes = |placeholder: &str| self.command().is_some_and(|command| command.takes(placeholder));
        if scenario.side == Side::Bot {
            return None;
        }
        if !scenario.forced_rolls().is_empty() && self.roll_hook.is_none() {
            return Some("it forces rolls, and this referee takes none (no roll hook)".to_owned());
        }
        if scenario.names.is_some() && !(takes("first") && takes("second")) {
            return Some(
                "it needs the players' names to be set ({first} and {second} in the command)".to_owned(),
            );
        }
        let has_timeout = |timeout: Duration| takes("timeout") || self.timeout == Some(timeout);
        if scenario.needs_timeout() && self.timeout.is_none() && !takes("timeout") {
            return Some("it needs to know the timeout (--timeout, or {timeout} in the command)".to_owned());
        }
        if let Some(timeout) =
            scenario.timeout.filter(|&timeout| !has_timeout(timeout) && self.timeout.is_none())
        {
            return Some(format!("it needs a timeout of {timeout:?} ({{timeout}} in the command)"));
        }
        if let Some(pace) = scenario.pace.filter(|&pace| !takes("pace") && self.pace != Some(pace)) {
            return Some(format!("it needs a pace of {pace:?} ({{pace}} in the command)"));
        }
        if !self.has_spectators() && scenario.checks.first().is_some_and(|id| id.contains("spectator")) {
            return Some("it is about spectators, and this referee has none".to_owned());
        }
        None
    }

    /// Whether spectators can connect.
    #[must_use]
    pub fn has_spectators(&self) -> bool {
        match &self.reach {
            Reach::Connect { spectators, .. } => spectators.is_some(),
            Reach::Listener { ports: Ports::Chosen, command } => command.takes("spectator_port"),
            Reach::Listener { ports: Ports::Printed, .. } => true,
            Reach::Pipes { .. } => false,
        }
    }

    /// Its command, where urtext starts it.
    #[must_use]
    pub fn command(&self) -> Option<&Template> {
        match &self.reach {
            Reach::Connect { .. } => None,
            Reach::Listener { command, .. } | Reach::Pipes { command } => Some(command),
        }
    }
}
