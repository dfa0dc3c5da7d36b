//! The defaults of `urtext run` in the file.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::keys::{fault, list, mapping};
use crate::diagnostic::Faults;
use crate::finding::Verdict;
use crate::yaml::{Node, Value};

/// Options of a run, on the command line and in the file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub struct RunOptions {
    /// Play at most N games at once
    ///
    /// The default is one with --connect, and otherwise two to eight for each processor, as the subject's first start shows. Games that
    /// only wait for time to pass do not count, unless N is 1.
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,

    /// Begin no further game after this time, such as 30m
    ///
    /// Games that have begun are played to their end. Scenarios without a game are skipped: the exit status is 4 unless --allow skipped is
    /// given. With built-in peers, it is the time of the virtual clock.
    #[arg(long = "for", value_name = "DURATION", hide_short_help = true, value_parser = humantime::parse_duration)]
    pub limit: Option<Duration>,

    /// Play a failed scenario again until it passes, up to N times [default: 0]
    ///
    /// A scenario that passes then is flaky: the exit status is 4 unless --allow flaky is given.
    #[arg(long, value_name = "N", conflicts_with_all = ["bless", "repeat"], hide_short_help = true)]
    pub retries: Option<u32>,

    /// Verdicts that leave the exit status at 0
    #[arg(long, value_name = "VERDICT", value_parser = allowed(), hide_short_help = true)]
    pub allow: Vec<Verdict>,
}

impl RunOptions {
    /// Verdicts that can be allowed.
    pub const ALLOWED: [Verdict; 4] = [
        Verdict::Unsupported,
        Verdict::Inconclusive,
        Verdict::Flaky,
        Verdict::Skipped,
    ];

    /// Sets the options that are not set.
    pub fn default_to(&mut self, usual: RunOptions) {
        self.jobs = self.jobs.or(usual.jobs);
        self.limit = self.limit.or(usual.limit);
        self.retries = self.retries.or(usual.retries);
        if self.allow.is_empty() {
            self.allow = usual.allow;
        }
    }
}

fn allowed() -> impl TypedValueParser<Value = Verdict> {
    let words = PossibleValuesParser::new(RunOptions::ALLOWED.map(Verdict::word));
    words.map(|word| Verdict::of(&word).expect("no other words are possible"))
}

/// Defaults of a run in the file. The command line takes precedence.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunDefaults {
    /// Options.
    pub options: RunOptions,
    /// Names of formats, each with the file of the report.
    pub reports: Vec<(&'static str, PathBuf)>,
    /// The file with the known failures.
    pub baseline: Option<PathBuf>,
}

impl RunDefaults {
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
    let words = RunOptions::ALLOWED.map(Verdict::word);
    let word = |node: &Node| Verdict::of(node.as_one_of(&words, faults)?);
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
    let options = RunOptions {
        jobs: jobs
            .and_then(|node| number(node, 1))
            .and_then(|jobs| NonZeroUsize::new(jobs as usize)),
        limit: limit.and_then(|node| node.as_duration(faults)),
        retries: retries.and_then(|node| number(node, 0)),
        allow: match allow {
            Some(node) if !matches!(node.value, Value::List(_)) => word(node).into_iter().collect(),
            allow => list(allow, faults, word),
        },
    };
    Some(RunDefaults {
        options,
        reports,
        baseline: baseline.and_then(file),
    })
}
