//! `urtext requirements`: the catalogue, with the scenarios that check each entry.

use std::collections::HashSet;
use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use wildmatch::WildMatch;

use super::Status;
use super::output::{checked, print};
use crate::diagnostic::{Diagnostic, did_you_mean, visible};
use crate::pack;
use crate::report::RequirementList;
use crate::requirement::Requirement;
use crate::scenario::load;

/// Arguments of `urtext requirements`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct RequirementsArgs {
    /// Explain this one; or list those that begin with it, such as `ur/retire`, or match it, such as `*/cell-8`
    #[arg(value_name = "ID")]
    id: Option<String>,
    /// Only those of this game or notation
    #[arg(long, value_name = "GAME", value_parser = PossibleValuesParser::new(pack::specified()))]
    game: Option<String>,
    /// Only those of these scenarios, which count as well; may be repeated
    #[arg(long, value_name = "PATH")]
    scenarios: Vec<PathBuf>,
}

const HELP: &str = "\
The list shows the level of each requirement, the side that must keep it, and the number of scenarios that check it, or why none does.

Examples:
  urtext requirements                        the whole catalogue
  urtext requirements ur/extra-turn/cell-8   one of them, with its sentence and its scenarios
  urtext requirements --game onitama
  urtext requirements --scenarios redis.yaml   those of `requirements.yaml` next to this dialogue";

impl RequirementsArgs {
    /// Lists, or explains one.
    pub(super) fn run(self) -> Result<Status, Status> {
        let (scenarios, faults) = load(&self.scenarios);
        checked(&faults)?;
        let played: HashSet<_> = scenarios
            .iter()
            .map(|one| one.protocol().game_name())
            .collect();
        let all = pack::catalogues().flat_map(|catalogue| {
            let entries = catalogue.requirements.iter();
            entries.map(move |entry| (catalogue, entry))
        });
        let is_of_game = |game: &String| {
            let is_played = played.is_empty() || played.contains(game.as_str());
            is_played && self.game.as_ref().is_none_or(|named| named == game)
        };
        let chosen =
            all.filter(|(catalogue, entry)| is_of_game(&catalogue.protocol) && self.takes(entry));
        let list = RequirementList::new(chosen.collect(), &scenarios);
        let explained = self.id.as_deref().and_then(|id| list.explain(id));
        match (&self.id, explained) {
            (Some(id), None) if list.is_empty() => {
                let ids = pack::catalogues().flat_map(|catalogue| &catalogue.requirements);
                let meant = did_you_mean(id, ids.map(|entry| entry.id.as_str()));
                let name = visible::plain(id).at_most(80);
                let unknown = Diagnostic::error(
                    "requirements/unknown",
                    format!("there is no requirement `{name}`"),
                );
                let help = meant.unwrap_or("`urtext requirements` lists them all".into());
                checked(&unknown.help(help).into())?;
            }
            (_, Some(text)) => print(&text),
            (_, None) => print(&list.draw()),
        }
        Ok(Status::Conforms)
    }

    /// Returns true if this requirement is the one that is named, below it, or of its pattern.
    fn takes(&self, entry: &Requirement) -> bool {
        self.id.as_deref().is_none_or(|id| {
            let rest = entry.id.strip_prefix(id.trim_end_matches('/'));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                || WildMatch::new(id).matches(&entry.id)
        })
    }
}
