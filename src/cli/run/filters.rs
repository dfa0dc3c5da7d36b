//! The options that select scenarios.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;
use regex_lite::Regex;
use wildmatch::WildMatch;

use crate::cli::Status;
use crate::cli::output::usage;
use crate::cli::report::{complete, read};
use crate::cli::requirements::LevelArg;
use crate::diagnostic::Diagnostic;
use crate::engine::GamePlan;
use crate::report::{Results, ScenarioResult, ShardHead};
use crate::scenario::{Filter, Scenario, Shard};

/// Options that select scenarios. Different options hold together; of one that is repeated, one is enough.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Selection")]
pub(super) struct FilterArgs {
    /// Only scenarios that check such a requirement, such as ur/retire/*; may be repeated
    #[arg(long, value_name = "PATTERN", value_parser = pattern)]
    requirement: Vec<WildMatch>,

    /// Only scenarios in whose name this expression is found; may be repeated
    #[arg(long, value_name = "REGEX", value_parser = Regex::new)]
    name: Vec<Regex>,

    /// Only scenarios with this tag; may be repeated
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,

    /// Only scenarios that exist for a requirement of this level; may be repeated
    #[arg(long, value_name = "LEVEL", value_enum)]
    level: Vec<LevelArg>,

    /// Leaves out scenarios by their name, or by the requirement that they exist for; may be repeated
    #[arg(long, value_name = "PATTERN", value_parser = pattern)]
    exclude: Vec<WildMatch>,

    /// Only scenarios that did not conform, broke or were flaky in this JSON report
    #[arg(long, value_name = "REPORT")]
    failed: Option<PathBuf>,

    /// The only scenarios that are played, by name.
    #[arg(skip)]
    pub(super) only: Option<BTreeSet<String>>,

    /// One part of the run, such as 2/5; `auto` takes it from the variables of the CI service
    ///
    /// Every part has about the same duration by --durations, else the same number of scenarios. `urtext report merge` joins the JSON
    /// reports of all parts, and fails if one is missing.
    #[arg(long, value_name = "N/M", value_parser = shard)]
    shard: Option<Shard>,

    /// A JSON report whose durations decide which scenarios make up a shard
    #[arg(long, value_name = "REPORT", requires = "shard")]
    durations: Option<PathBuf>,
}

fn pattern(text: &str) -> Result<WildMatch, String> {
    match text.trim() {
        "" => Err("the pattern is empty".to_owned()),
        text => Ok(WildMatch::new(text)),
    }
}

fn shard(text: &str) -> Result<Shard, String> {
    match text {
        "auto" => Shard::of_service(|name| std::env::var(name).ok()),
        text => text.parse(),
    }
}

impl FilterArgs {
    /// Returns the filter.
    ///
    /// # Errors
    /// The status to exit with, after saying why the report cannot be read.
    pub(super) fn filter(&self) -> Result<Filter, Status> {
        let failed = self.failed.as_deref().map(read).transpose()?;
        Ok(Filter {
            requirements: self.requirement.clone(),
            names: self.name.clone(),
            tags: self.tag.clone(),
            levels: self.level.iter().map(|level| level.level()).collect(),
            excluded: self.exclude.clone(),
            only: failed.map(|report| failed_of(&report)),
            again: self.only.clone(),
        })
    }

    /// Keeps the games of the shard, and returns what its report says of it.
    ///
    /// # Errors
    /// The status to exit with, after saying why the report cannot be read.
    pub(super) fn take_shard(
        &self,
        games: &mut Vec<GamePlan>,
    ) -> Result<Option<ShardHead>, Status> {
        let Some(shard) = self.shard else {
            return Ok(None);
        };
        let known = self.durations.as_deref().map(durations).transpose()?;
        let weight = |game: &GamePlan| match &known {
            Some(known) => known.of(&game.scenario.name, &game.subject.name),
            None => 1.0,
        };
        let weights: Vec<_> = games.iter().map(weight).collect();
        let places = Shard::deal(&weights, shard.count);
        let names = |places: &Vec<usize>| {
            let name = |&place: &usize| games[place].scenario.name.clone();
            places.iter().map(name).collect()
        };
        let head = ShardHead::new(shard, places.iter().map(names).collect());
        let own = &places[shard.index.get() as usize - 1];
        let mut place = 0;
        games.retain(|_| {
            place += 1;
            own.binary_search(&(place - 1)).is_ok()
        });
        Ok(Some(head))
    }

    /// The fault of a selection that leaves nothing.
    pub(super) fn nothing(count: usize) -> Diagnostic {
        let title = format!("none of {count} scenarios is selected");
        Diagnostic::error("run/nothing", title).help("`urtext list` shows what a selection takes")
    }
}

/// The names of the scenarios that failed.
fn failed_of(report: &Results) -> BTreeSet<String> {
    let failed = |result: &&ScenarioResult| result.has_failed();
    let names = report.scenarios.iter().filter(failed);
    names.map(|result| result.name.clone()).collect()
}

/// Durations of an earlier run.
struct Durations {
    results: Vec<ScenarioResult>,
    /// That of a scenario that the run did not have, in seconds.
    usual: f64,
}

/// Reads the durations of a complete report.
fn durations(file: &Path) -> Result<Durations, Status> {
    let results = complete(file)?.scenarios;
    if results.is_empty() {
        return Err(usage("the report of --durations holds no scenario"));
    }
    let sum: f64 = results.iter().map(|result| result.seconds).sum();
    let usual = sum / results.len() as f64;
    Ok(Durations { results, usual })
}

impl Durations {
    fn of(&self, scenario: &str, subject: &str) -> f64 {
        let is_it = |result: &&ScenarioResult| {
            result.name == scenario
                && result
                    .subject
                    .as_ref()
                    .is_some_and(|played| played.name == subject)
        };
        let found = self.results.iter().find(is_it);
        found.map_or(self.usual, |result| result.seconds)
    }
}
