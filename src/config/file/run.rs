//! The defaults of `urtext run` in the file.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::keys::{fault, list, mapping};
use crate::diagnostic::Faults;
use crate::scenario::parse::{Node, Value};

/// Options of a run, where its command line says nothing else.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunDefaults {
    /// Number of games played at once.
    pub jobs: Option<NonZeroUsize>,
    /// How often a failed scenario is played again.
    pub retries: Option<u32>,
    /// The time after which no further game begins.
    pub limit: Option<Duration>,
    /// Words of the verdicts that leave the exit status at 0.
    pub allow: Vec<String>,
    /// Names of formats, each with the file of the report.
    pub reports: Vec<(&'static str, PathBuf)>,
    /// The file with the known failures.
    pub baseline: Option<PathBuf>,
}

impl RunDefaults {
    /// The words under `allow`.
    pub const ALLOWED: [&str; 4] = ["unsupported", "inconclusive", "flaky", "skipped"];

    /// The keys under `report`.
    pub const REPORTS: [&str; 7] = [
        "text", "json", "junit", "github", "gitlab", "markdown", "html",
    ];

    /// The file name that means standard output.
    const STANDARD_OUTPUT: &str = "-";
}

/// Reads them; files are relative to the folder of the file.
pub(super) fn run_defaults(node: &Node, here: &Path, faults: &Faults<'_>) -> Option<RunDefaults> {
    let mut keys = mapping(Some(node), "run", faults)?;
    let (jobs, retries) = (keys.optional("jobs"), keys.optional("retries"));
    let (allow, report) = (keys.optional("allow"), keys.optional("report"));
    let (limit, baseline) = (keys.optional("for"), keys.optional("baseline"));
    keys.finish();
    let word = |node: &Node| {
        let word = node.as_one_of(&RunDefaults::ALLOWED, faults)?;
        Some(word.to_owned())
    };
    let file = |node: &Node| {
        let file = node.as_line(faults)?;
        let is_file = file != RunDefaults::STANDARD_OUTPUT;
        Some(if is_file {
            here.join(file)
        } else {
            file.into()
        })
    };
    let mut reports = Vec::new();
    if let Some(mut keys) = mapping(report, "report", faults) {
        for name in RunDefaults::REPORTS {
            reports.extend(keys.optional(name).and_then(file).map(|file| (name, file)));
        }
        keys.finish();
    }
    let number = |node: &Node, least: u32| {
        let number = u32::try_from(node.as_u64(faults)?).ok();
        let number = number.filter(|&number| number >= least);
        if number.is_none() {
            let title = format!("a number from {least} to {} is due here", u32::MAX);
            faults.push(fault(faults, "config/number", node.span, title));
        }
        number
    };
    Some(RunDefaults {
        jobs: jobs
            .and_then(|node| number(node, 1))
            .and_then(|jobs| NonZeroUsize::new(jobs as usize)),
        retries: retries.and_then(|node| number(node, 0)),
        limit: limit.and_then(|node| node.as_duration(faults)),
        allow: match allow {
            Some(node) if !matches!(node.value, Value::List(_)) => word(node).into_iter().collect(),
            allow => list(allow, faults, word),
        },
        reports,
        baseline: baseline.and_then(file),
    })
}
