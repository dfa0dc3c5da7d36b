//! `urtext requirements`: the catalogue, with the scenarios that check each entry.

use clap::{Args, ValueEnum};

use super::Status;
use super::output::{print, say};
use crate::diagnostic::{Diagnostic, did_you_mean, visible};
use crate::pack;
use crate::report::RequirementList;
use crate::requirement::{Binds, Catalogue, Requirement};

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
    /// Only those that no scenario checks, with the reason
    #[arg(long)]
    unchecked: bool,
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

impl Side {
    fn binds(self) -> Binds {
        match self {
            Side::Referee => Binds::Referee,
            Side::Bot => Binds::Bot,
        }
    }
}

impl RequirementsArgs {
    /// Lists, or explains one.
    pub(super) fn run(self) -> Status {
        let all = pack::catalogues().flat_map(|catalogue| {
            let entries = catalogue.requirements.iter();
            entries.map(move |entry| (catalogue, entry))
        });
        let chosen = all.filter(|(catalogue, entry)| self.takes(catalogue, entry));
        let mut list = RequirementList::new(chosen.collect());
        if let Some(unknown) = self.unknown(&list) {
            say(&unknown.into());
            return Status::Usage;
        }
        if self.unchecked {
            list.keep_unchecked();
        }
        print(&match self.id.as_deref().and_then(|id| list.explain(id)) {
            Some(text) => text,
            None => list.draw(self.unchecked),
        });
        Status::Conforms
    }

    /// The game or the requirement that does not exist.
    fn unknown(&self, list: &RequirementList) -> Option<Diagnostic> {
        let mut games = pack::catalogues().map(|catalogue| catalogue.protocol.as_str());
        if let Some(game) = &self.game
            && !games.any(|known| known == game)
        {
            let name = visible::plain(game).at_most(60);
            let title = format!("there is no catalogue for `{name}`");
            let known = pack::catalogues().map(|catalogue| catalogue.protocol.as_str());
            let known = known.collect::<Vec<_>>().join(", ");
            let unknown = Diagnostic::error("requirements/game", title);
            return Some(unknown.help(format!("there are {known}")));
        }
        let id = self.id.as_ref().filter(|_| list.is_empty())?;
        let ids = pack::catalogues().flat_map(|catalogue| &catalogue.requirements);
        let name = visible::plain(id).at_most(80);
        let title = format!("there is no requirement `{name}`");
        let meant = did_you_mean(id, ids.map(|entry| entry.id.as_str()));
        let help = meant.unwrap_or("`urtext requirements` lists them all".into());
        Some(Diagnostic::error("requirements/unknown", title).help(help))
    }

    fn takes(&self, catalogue: &Catalogue, entry: &Requirement) -> bool {
        let is_meant = |id: &str| {
            let rest = entry.id.strip_prefix(id.trim_end_matches('/'));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let mut games = self.game.iter();
        let binds = |side: Side| entry.binds.contains(&side.binds());
        self.id.as_deref().is_none_or(is_meant)
            && games.all(|game| *game == catalogue.protocol)
            && self.binds.is_none_or(binds)
    }
}
