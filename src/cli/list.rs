//! `urtext list`: what a run would play.

use clap::Args;

use super::Status;
use super::output::print;
use super::run::RunArgs;
use crate::diagnostic::visible;

/// Arguments of `urtext list`: those of `urtext run`.
#[derive(Debug, Args)]
#[command(
    after_help = "The options are those of `urtext run`, and what it would play with them is listed: a scenario per line, with its title.     Nothing is started.\n\nExit status: 0, or 2 where `urtext run` would refuse."
)]
pub(super) struct ListArgs {
    #[command(flatten)]
    run: RunArgs,
}

impl ListArgs {
    /// Lists the scenarios.
    pub(super) fn run(self) -> Status {
        let planned = match self.run.planned() {
            Ok(planned) => planned,
            Err(status) => return status,
        };
        let names = planned.games.iter().map(|game| game.scenario.name.as_str());
        let width = names.map(|name| name.chars().count()).max().unwrap_or(0);
        let line = |game: &crate::engine::GamePlan| {
            let (name, title) = (&game.scenario.name, &game.scenario.title);
            format!(
                "{:<width$}  {}",
                visible::plain(name).to_string(),
                visible::plain(title)
            )
        };
        let lines: Vec<_> = planned.games.iter().map(line).collect();
        anstream::eprint!("{}", planned.heading);
        if !lines.is_empty() {
            print(&lines.join("\n"));
        }
        Status::Conforms
    }
}
