//! The options that select scenarios.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Args;

use crate::cli::Status;
use crate::cli::report::read;
use crate::diagnostic::Diagnostic;
use crate::engine::GamePlan;
use crate::report::{Results, ScenarioResult, ShardHead};
use crate::scenario::{Filter, Pattern, Shard};

/// Options that select scenarios. Different options hold together; of one that is repeated, one is enough.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Selection")]
pub(super) struct FilterArgs {
    /// Only scenarios with this name or requirement; may be repeated
    ///
    /// A pattern, such as clock-* or ur/retire/*, is the name of a scenario or its last part, or the id of a requirement that it checks; * stands for any text. tag:TAG selects
    /// by a tag, level:LEVEL by the level of the requirement that the scenario exists for (must, should, may, unspecified).
    #[arg(long, value_name = "PATTERN")]
    only: Vec<Pattern>,

    /// Leave these scenarios out; may be repeated
    #[arg(long, value_name = "PATTERN")]
    skip: Vec<Pattern>,

    /// Only what failed, broke or was flaky in this JSON report
    #[arg(long, value_name = "REPORT")]
    failed: Option<PathBuf>,

    /// Names of the scenarios that are to be played again.
    #[arg(skip)]
    pub(super) again: Option<BTreeSet<String>>,

    /// One part of the run, such as 2/5
    ///
    /// Every part has about the same number of scenarios. `urtext report` joins the JSON reports of all parts, and fails if one is
    /// missing.
    #[arg(long, value_name = "N/M", hide_short_help = true)]
    shard: Option<Shard>,
}

impl FilterArgs {
    /// Returns the filter.
    ///
    /// # Errors
    /// The status to exit with, after saying why the report cannot be read.
    pub(super) fn filter(&self) -> Result<Filter, Status> {
        let failed = self.failed.as_deref().map(read).transpose()?;
        Ok(Filter {
            taken: self.only.clone(),
            skipped: self.skip.clone(),
            only: failed.map(|report| failed_of(&report)),
            again: self.again.clone(),
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
        let (index, shards) = (shard.index.get(), parts);
        Some(ShardHead { index, shards })
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
