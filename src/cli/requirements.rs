//! `urtext requirements`: the catalogue, with the scenarios that check each entry.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use serde_json::json;

use super::Status;
use crate::diagnostic::{Diagnostic, Diagnostics, Paint, suggest, visible};
use crate::explore;
use crate::pack;
use crate::requirement::{Binds, Catalogue, ExercisedBy, Level, Requirement};
use crate::scenario::{self, Scenario, suite};

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

/// The scenarios that check each requirement, by its id: names, the scenarios that exist for it first.
type Checks = BTreeMap<&'static str, Vec<String>>;

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
        let checks = checks(shipped, own);
        let chosen: Vec<_> = chosen
            .into_iter()
            .filter(|(_, entry)| !self.unchecked || !checks.contains_key(entry.id.as_str()))
            .collect();
        if self.json {
            let all: Vec<_> = chosen
                .iter()
                .map(|(game, entry)| as_json(game, entry, &checks))
                .collect();
            super::output::print_line(
                &serde_json::to_string_pretty(&all).expect("a catalogue is plain data"),
            );
        } else if let [(catalogue, entry)] = chosen[..]
            && self.id.as_deref() == Some(&entry.id)
        {
            super::output::print_line(&explained(catalogue, entry, &checks));
        } else {
            super::output::print_line(&listed(&chosen, &checks, self.unchecked));
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
            faults.push(match suggest(id, ids.map(|entry| entry.id.as_str())) {
                Some(meant) => fault.help(format!("did you mean `{meant}`?")),
                None => fault.help("`urtext requirements` lists them all"),
            });
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

/// Lists the scenarios that exercise each requirement: shipped ones by name, the user's by file.
fn checks(shipped: Vec<Scenario>, own: Vec<Scenario>) -> Checks {
    let mut checks: BTreeMap<_, Vec<(usize, String)>> = BTreeMap::new();
    let shipped = shipped
        .into_iter()
        .map(|scenario| (scenario.name.clone(), scenario));
    let own = own.into_iter().map(|scenario| (scenario.place(), scenario));
    for (name, scenario) in shipped.chain(own) {
        let scenario = Arc::new(scenario);
        let exercised = explore::exercised(&scenario);
        for (place, id) in scenario
            .checks
            .iter()
            .enumerate()
            .filter(|(_, id)| exercised.contains(*id))
        {
            checks
                .entry(*id)
                .or_default()
                .push((place.min(1), name.clone()));
        }
    }
    let ordered = |mut names: Vec<(usize, String)>| {
        names.sort();
        names.into_iter().map(|(_, name)| name).collect()
    };
    checks
        .into_iter()
        .map(|(id, names)| (id, ordered(names)))
        .collect()
}

/// A line each: id, level, how many scenarios check it, what it says.
fn listed(chosen: &[(&Catalogue, &Requirement)], checks: &Checks, with_reason: bool) -> String {
    let mut lines = Vec::new();
    let width = chosen
        .iter()
        .map(|(_, entry)| entry.id.len())
        .max()
        .unwrap_or(0);
    let mut game = "";
    for (catalogue, entry) in chosen {
        if game != catalogue.protocol {
            game = &catalogue.protocol;
            let of_game = chosen.iter().filter(|(one, _)| one.protocol == game);
            let checked = of_game
                .clone()
                .filter(|(_, entry)| checks.contains_key(entry.id.as_str()))
                .count();
            if !lines.is_empty() {
                lines.push(String::new());
            }
            let how = catalogue.judged.as_deref().map_or_else(
                || format!("{checked} checked by scenarios"),
                |judged| format!("judged by {judged}"),
            );
            lines.push(format!("{game}: {} requirements, {how}", of_game.count()));
        }
        let count = checks
            .get(entry.id.as_str())
            .map_or_else(|| "-".to_owned(), |names| names.len().to_string());
        let level = entry.level.to_string();
        lines.push(format!(
            "  {:<width$}  {level:<11}  {count:>3}  {}",
            entry.id, entry.summary
        ));
        if with_reason && let Some(reason) = &entry.unchecked {
            lines.push(format!(
                "  {:<width$}  {:<11}  {:>3}    {reason}",
                "", "", ""
            ));
        }
    }
    if lines.is_empty() {
        lines.push("none".to_owned());
    }
    lines.join("\n")
}

/// Describes one requirement completely.
fn explained(catalogue: &Catalogue, entry: &Requirement, checks: &Checks) -> String {
    let seed = |number: &str| catalogue.seeds.get(number).map_or("", String::as_str);
    let mut text = format!("{} ({})\n  {}\n", entry.id, entry.level, entry.summary);
    let mut part = |head: &str, body: String| text.push_str(&format!("\n{head}\n  {body}\n"));
    if !entry.says.is_empty() {
        part(
            &format!("{} says", seed(&entry.seed)),
            format!("\"{}\"", entry.says),
        );
    }
    for quote in &entry.also {
        part(
            &format!("{} says", seed(&quote.seed)),
            format!("\"{}\"", quote.says),
        );
    }
    if let Some(inference) = &entry.inference {
        part("so it follows", inference.clone());
    }
    if let Some(open) = &entry.open {
        part("left open", open.clone());
    }
    let sides: Vec<_> = entry
        .binds
        .iter()
        .map(|side| {
            if *side == Binds::Bot {
                "bots"
            } else {
                "referees"
            }
        })
        .collect();
    if !sides.is_empty() {
        part("who keeps it", sides.join(" and "));
    }
    if let (Some(by), Some(needs)) = (entry.exercised, &entry.needs) {
        part(
            "what puts it to the test",
            format!("{}: {needs}", by.word()),
        );
    }
    match (
        checks.get(entry.id.as_str()),
        &entry.unchecked,
        &catalogue.judged,
    ) {
        (Some(names), ..) => part("scenarios that check it", names.join("\n  ")),
        (None, Some(reason), _) => part("why nothing checks it", reason.clone()),
        (None, None, Some(judged)) => part("judged by", judged.clone()),
        (None, None, None) => part("scenarios that check it", "none yet".to_owned()),
    }
    text.trim_end().to_owned()
}

fn as_json(catalogue: &Catalogue, entry: &Requirement, checks: &Checks) -> serde_json::Value {
    let quotes = || {
        let own = (!entry.says.is_empty()).then_some((entry.seed.as_str(), entry.says.as_str()));
        own.into_iter().chain(
            entry
                .also
                .iter()
                .map(|quote| (quote.seed.as_str(), quote.says.as_str())),
        )
    };
    let specification: Vec<_> = quotes()
        .map(|(seed, says)| json!({"source": catalogue.seeds.get(seed), "says": says}))
        .collect();
    let binds: Vec<_> = entry
        .binds
        .iter()
        .map(|side| {
            if *side == Binds::Bot {
                "bot"
            } else {
                "referee"
            }
        })
        .collect();
    json!({
        "id": entry.id,
        "game": catalogue.protocol,
        "level": entry.level.to_string(),
        "binds": binds,
        "summary": entry.summary,
        "specification": specification,
        "inference": entry.inference,
        "open": entry.open,
        "unchecked": entry.unchecked,
        "exercised": entry.exercised.map(ExercisedBy::word),
        "needs": entry.needs,
        "scenarios": checks.get(entry.id.as_str()).cloned().unwrap_or_default(),
    })
}
