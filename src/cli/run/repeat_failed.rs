//! `urtext run --repeat-failed REPORT`: the failures of a JSON report, from the report alone.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::RunArgs;
use crate::cli::Status;
use crate::cli::output::usage;
use crate::cli::replay_live::is_finished_game;
use crate::cli::report::read;
use crate::config::file::BUILT_IN;
use crate::diagnostic::visible;
use crate::finding::Verdict;
use crate::report::{Results, ScenarioResult, SubjectResult};
use crate::scenario::suite;

/// Returns the number of the free game that is called so.
pub(super) fn free_number(name: &str) -> Option<u32> {
    let (_, number) = name.split_once("/free-game-")?;
    number.parse().ok()
}

/// Where a scenario is found again.
enum Origin {
    File(PathBuf),
    Shipped,
    /// A free game of this number.
    Free(u32),
}

/// Returns where the scenario of a result is found; `None` if it was made for its run.
fn origin(result: &ScenarioResult) -> Option<Origin> {
    if let Some(path) = &result.path {
        let path = PathBuf::from(path);
        // A report may be anybody's: no folder is walked for it, and nothing is fetched.
        let is_scenario = !path.is_dir() && !is_finished_game(&path);
        return is_scenario.then_some(Origin::File(path));
    }
    if let Some(number) = free_number(&result.name) {
        return Some(Origin::Free(number));
    }
    let (_, faults) = suite::load(&result.name);
    faults.is_empty().then_some(Origin::Shipped)
}

impl RunArgs {
    /// Takes the scenarios, their seeds and the subject from the report of --repeat-failed.
    ///
    /// # Errors
    /// The status to exit with, after saying what is wrong.
    pub(in crate::cli) fn take_report(&mut self) -> Result<(), Status> {
        let Some(file) = &self.filters.repeat_failed else {
            return Ok(());
        };
        let results = read(file)?;
        let failed = self.failures_of(&results)?;
        let mut repeated = BTreeMap::new();
        for (place, result) in failed.iter().enumerate() {
            match origin(result) {
                Some(Origin::File(path)) => self.paths.push(path),
                Some(Origin::Shipped) => self.suite.push(result.name.clone()),
                Some(Origin::Free(number)) => {
                    self.free_games = self.free_games.max(Some(number));
                }
                None => return Err(not_from_here(result)),
            }
            repeated.insert(result.name.clone(), (place, result.seed));
        }
        if self.free_games.is_some() && self.paths.len() + self.suite.len() > 0 {
            return Err(usage(
                "--repeat-failed plays free games or scenarios, and the report has both; use the commands behind `repeat` in it",
            ));
        }
        self.take_subject(&failed)?;
        self.filters.repeated = Some(repeated);
        self.slow = true;
        Ok(())
    }

    /// The failures of a report, each scenario once. If the plain game before all others failed, those are meant that were skipped for it.
    fn failures_of(&self, results: &Results) -> Result<Vec<ScenarioResult>, Status> {
        let failed = |result: &&ScenarioResult| result.has_failed();
        let is_gate = |result: &&ScenarioResult| origin(result).is_none();
        let gates = results.scenarios.iter().filter(failed).filter(is_gate);
        let gates: Vec<_> = gates
            .map(|gate| format!("not played: {} failed", gate.name))
            .collect();
        let is_behind = |result: &ScenarioResult| {
            let first = result.findings.first();
            let first = first.filter(|_| result.verdict == Verdict::Skipped);
            first.is_some_and(|first| gates.iter().any(|gate| first.title.starts_with(gate)))
        };
        let all = results.scenarios.iter();
        let mut meant: Vec<_> = all.clone().filter(|result| is_behind(result)).collect();
        let has_gate = !meant.is_empty();
        meant = all
            .filter(|result| is_behind(result) || result.has_failed())
            .filter(|result| !has_gate || origin(result).is_some())
            .collect();
        let of_named = |result: &&ScenarioResult| {
            let subject = result.subject.as_ref();
            subject.is_some_and(|subject| self.subject.names(&subject.name))
        };
        if meant.iter().any(of_named) {
            meant.retain(of_named);
        }
        let mut names = BTreeSet::new();
        let twice = meant.iter().find(|result| !names.insert(&result.name));
        match twice {
            Some(twice) => Err(usage(&format!(
                "the report has several results of {}; say with --subject which subject is meant",
                visible::plain(&twice.name)
            ))),
            None if meant.is_empty() => {
                Err(usage("nothing has failed in the report of --repeat-failed"))
            }
            None => Ok(meant.into_iter().cloned().collect()),
        }
    }

    /// Tests the subject of the report, unless the command line names one. A report starts no program: a subject that stood on the command
    /// line has to stand there again.
    fn take_subject(&mut self, failed: &[ScenarioResult]) -> Result<(), Status> {
        if self.subject.is_said() {
            return Ok(());
        }
        let subjects = failed.iter().filter_map(|result| result.subject.as_ref());
        let mut subjects: Vec<&SubjectResult> = subjects.collect();
        subjects.dedup_by_key(|subject| &subject.name);
        let is_built_in = |subject: &SubjectResult| subject.name.starts_with("the built-in ");
        let unknown = subjects
            .iter()
            .find(|subject| subject.place.is_none() && !is_built_in(subject));
        if let Some(unknown) = unknown {
            let (name, side) = (&unknown.name, &unknown.side);
            return Err(usage(&format!(
                "a report starts no program, and {name} is not in urtext.yaml: name it again, with --as {side} and --connect ADDRESS or -- COMMAND"
            )));
        }
        if let [only] = subjects[..] {
            let name = if is_built_in(only) {
                BUILT_IN
            } else {
                &only.name
            };
            self.subject.say(name);
        }
        Ok(())
    }
}

/// A scenario that was made for its run, such as a finished game.
fn not_from_here(result: &ScenarioResult) -> Status {
    let name = visible::plain(&result.name);
    let repeat = visible::plain(&result.repeat);
    usage(&format!(
        "{name} is not a scenario that --repeat-failed finds again; play it with its own command: {repeat}"
    ))
}
