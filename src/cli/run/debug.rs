//! `urtext run --debug`: one game, for whoever debugs the subject.

use std::time::Duration;

use super::{RunArgs, ShownStderr};
use crate::cli::output::usage;
use crate::cli::{Status, program};
use crate::config::SubjectBudgets;
use crate::engine::{GamePlan, Telling};

/// A budget that ends nothing.
const FOREVER: Duration = Duration::from_secs(365 * 24 * 3600);

impl RunArgs {
    /// Asserts that there is one game to debug.
    ///
    /// # Errors
    /// The status to exit with, after saying what to change.
    pub(super) fn assert_debuggable(&self, games: &[GamePlan]) -> Result<(), Status> {
        match games {
            _ if !self.debug => Ok(()),
            [game] if game.subject.built_in.is_some() => Err(usage(&format!(
                "--debug shows a process, and the built-in peers play in memory: name a subject, or write `--as {0} -- {1} {0} {2}`",
                game.scenario.side().word(),
                program::name(),
                game.scenario.protocol().game_name()
            ))),
            [_] => Ok(()),
            [first, ..] => Err(usage(&format!(
                "--debug plays one game, and this would be {}: name one scenario, such as {}",
                games.len(),
                first.scenario.name
            ))),
            [] => Ok(()),
        }
    }

    /// What is told of the games.
    pub(super) fn telling(&self) -> Telling {
        match self.stderr {
            _ if self.debug => Telling::Everything,
            ShownStderr::Live => Telling::Stderr,
            ShownStderr::Never | ShownStderr::Failed => Telling::Games,
        }
    }

    /// The budgets that the user asks for.
    pub(super) fn budgets(&self) -> SubjectBudgets {
        let mut usual = SubjectBudgets::default();
        if self.debug {
            for word in SubjectBudgets::WORDS {
                usual.set(word, FOREVER);
            }
        }
        self.budgets.given().or(usual)
    }
}
