//! `urtext requirements`: the catalogue, with the scenarios that check each entry.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Status;
use crate::diagnostic::{Diagnostic, Diagnostics, Paint, did_you_mean, visible};
use crate::pack;
use crate::report;
use crate::requirement::{Binds, Catalogue, Level, Requirement};
use crate::scenario::{self, suite};

/// Arguments of `urtext requirements`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct RequirementsArgs {
    /// Explain this one: its sentence, what follows from it, the scenarios that check it. Of the beginning of several, such as
    /// `ur/retire`, list these
    #[arg(value_name = "ID")]
    id: Option<String>,
    /// Only those of this game or notation
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Only those that this side has to keep
    #[arg(long, value_enum, value_name = "SIDE")]
    binds: Option<Side>,
    /// Only those of this level
    #[arg(long, value_enum, value_name = "LEVEL")]
    level: Option<LevelArg>,
    /// Only those that no scenario checks, with the reason
    #[arg(long)]
    unchecked: bool,
    /// Count the scenarios below these paths as well as the shipped ones
    #[arg(long, value_name = "PATH", num_args = 1..)]
    scenarios: Vec<PathBuf>,
    /// Print JSON, with everything that is known of each
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  urtext requirements                        the whole catalogue, a line each
  urtext requirements ur/extra-turn/cell-8   one of them, with its sentence and its scenarios
  urtext requirements --game onitama --binds bot
  urtext requirements --unchecked            what no scenario checks, and why";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Side {
    /// What a referee has to keep
    Referee,
    /// What a bot has to keep
    Bot,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LevelArg {
    /// A sentence says so
    Must,
    /// It follows from a sentence by an inference that is written down
    Should,
    /// Allowed
    May,
    /// Left open, and so only observed
    Unspecified,
}

impl LevelArg {
    fn level(self) -> Level {
        match self {
            LevelArg::Must => Level::Must,
            LevelArg::Should => Level::Should,
            LevelArg::May => Level::May,
            LevelArg::Unspecified => Level::Unspecified,
        }
    }
}

impl RequirementsArgs {
    /// Lists, or explains one.
    pub(super) fn run(self) -> Status {
        let mut faults = Diagnostics::new();
        let (shipped, _) = suite::all();
        let mut own = Vec::new();
        if !self.scenarios.is_empty() {
            let (found, problems) = scenario::load(&self.scenarios);
            own = found;
            faults.append(problems);
        }
        let chosen = self.chosen(&mut faults);
        if faults.has_errors() {
            anstream::eprintln!("{}\n", faults.draw(Paint::Coloured));
            return Status::Usage;
        }
        let checks = report::requirement_checks(shipped, own);
        let chosen: Vec<_> = chosen
            .into_iter()
            .filter(|(_, entry)| !self.unchecked || !checks.contains_key(entry.id.as_str()))
            .collect();
        if self.json {
            let all: Vec<_> = chosen
                .iter()
                .map(|(game, entry)| report::requirement_as_json(game, entry, &checks))
                .collect();
            super::output::print(
                &serde_json::to_string_pretty(&all).expect("a catalogue is plain data"),
            );
        } else if let [(catalogue, entry)] = chosen[..]
            && self.id.as_deref() == Some(&entry.id)
        {
            super::output::print(&report::explain_requirement(catalogue, entry, &checks));
        } else {
            super::output::print(&report::list_requirements(&chosen, &checks, self.unchecked));
        }
        Status::Conforms
    }

    /// The entries that are asked for, in the order of the specification.
    fn chosen(&self, faults: &mut Diagnostics) -> Vec<(&'static Catalogue, &'static Requirement)> {
        let games = || pack::catalogues().map(|catalogue| catalogue.protocol.as_str());
        if let Some(game) = &self.game
            && !games().any(|known| known == game)
        {
            let title = format!(
                "there is no catalogue for `{}`",
                visible::plain(game).at_most(60)
            );
            let known = games().collect::<Vec<_>>().join(", ");
            faults.push(
                Diagnostic::error("requirements/game", title).help(format!("there are {known}")),
            );
            return Vec::new();
        }
        let all = pack::catalogues().flat_map(|catalogue| {
            catalogue
                .requirements
                .iter()
                .map(move |entry| (catalogue, entry))
        });
        let chosen: Vec<_> = all
            .filter(|(catalogue, entry)| self.takes(catalogue, entry))
            .collect();
        if chosen.is_empty()
            && let Some(id) = &self.id
        {
            let ids = pack::catalogues().flat_map(|catalogue| &catalogue.requirements);
            let title = format!(
                "there is no requirement `{}`",
                visible::plain(id).at_most(80)
            );
            let fault = Diagnostic::error("requirements/unknown", title);
            let meant = did_you_mean(id, ids.map(|entry| entry.id.as_str()));
            faults.push(fault.help(meant.unwrap_or("`urtext requirements` lists them all".into())));
        }
        chosen
    }

    fn takes(&self, catalogue: &Catalogue, entry: &Requirement) -> bool {
        let is_meant = |id: &str| {
            let rest = entry.id.strip_prefix(id.trim_end_matches('/'));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let binds = |side| match side {
            Side::Referee => entry.binds.contains(&Binds::Referee),
            Side::Bot => entry.binds.contains(&Binds::Bot),
        };
        self.id.as_deref().is_none_or(is_meant)
            && self
                .game
                .as_ref()
                .is_none_or(|game| *game == catalogue.protocol)
            && self.binds.is_none_or(binds)
            && self.level.is_none_or(|level| level.level() == entry.level)
    }
}
