//! The options that select scenarios.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Args;
use regex_lite::Regex;
use wildmatch::WildMatch;

use crate::cli::Status;
use crate::cli::report::read;
use crate::cli::requirements::LevelArg;
use crate::diagnostic::Diagnostic;
use crate::engine::GamePlan;
use crate::report::{Results, ScenarioResult, ShardHead};
use crate::scenario::{Filter, Shard};

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

    /// One part of the run, such as 2/5
    ///
    /// Every part has about the same number of scenarios. `urtext report` joins the JSON reports of all parts, and fails if one is
    /// missing.
    #[arg(long, value_name = "N/M")]
    shard: Option<Shard>,
}

fn pattern(text: &str) -> Result<WildMatch, String> {
    match text.trim() {
        "" => Err("the pattern is empty".to_owned()),
        text => Ok(WildMatch::new(text)),
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
    pub(super) fn take_shard(&self, games: &mut Vec<GamePlan>) -> Option<ShardHead> {
        let shard = self.shard?;
        let mut parts = vec![Vec::new(); shard.count.get() as usize];
        for (place, game) in games.iter().enumerate() {
            parts[shard.part_of(place)].push(game.scenario.name.clone());
        }
        let mut places = 0..;
        games.retain(|_| shard.holds(places.next().expect("there is no last place")));
        Some(ShardHead::new(shard, parts))
    }

    /// The fault of a selection that leaves nothing.
    pub(super) fn nothing(count: usize) -> Diagnostic {
        let title = format!("none of {count} scenarios is selected");
        Diagnostic::error("run/nothing", title)
            .help("`urtext run --list` shows what a selection takes")
    }
}

/// The names of the scenarios that failed.
fn failed_of(report: &Results) -> BTreeSet<String> {
    let failed = |result: &&ScenarioResult| result.has_failed();
    let names = report.scenarios.iter().filter(failed);
    names.map(|result| result.name.clone()).collect()
}
