//! Options of a run.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::{Value as Json, json};

use crate::diagnostic::Faults;
use crate::finding::Verdict;
use crate::yaml::shape::Mapping;
use crate::yaml::{Kind, MapReader, Node, keys};

keys! {
    /// Options of a run, on the command line and in the file.
    #[derive(Debug, Clone, Default, PartialEq, Eq, clap::Args)]
    pub struct RunOptions in "run" {
        /// Play at most N games at once
        ///
        /// The default is two to eight for each processor, more for a subject that starts fast. Games that only wait do not count, unless
        /// N is 1. Games with a referee that runs already are always played one after the other.
        #[arg(long, short, value_name = "N")]
        optional "jobs" => jobs: Option<NonZeroUsize>;

        /// Begin no further game after this time, such as 30m
        ///
        /// Games that have begun are played to their end. Scenarios without a game are skipped: the exit status is 4 unless --allow skipped is
        /// given. With built-in peers, it is the time of the virtual clock.
        #[arg(long = "for", value_name = "DURATION", hide_short_help = true, value_parser = humantime::parse_duration)]
        optional "for" => limit: Option<Duration>;

        /// Play a failed scenario again until it passes, up to N times [default: 0]
        ///
        /// A scenario that passes then is flaky: the exit status is 4 unless --allow flaky is given.
        #[arg(long, value_name = "N", conflicts_with_all = ["bless", "repeat"], hide_short_help = true)]
        optional "retries" => retries: Option<u32>;

        /// Verdicts that leave the exit status at 0
        #[arg(long, value_name = "VERDICT", value_parser = allowed(), hide_short_help = true)]
        optional "allow" => allow: Vec<Verdict>;

        /// Files of reports, relative to this file; for html a folder, and `-` for standard output
        #[arg(skip)]
        optional "report" => reports: Reports;

        /// The file with the known failures, relative to this file
        #[arg(skip)]
        optional "baseline" => baseline: Option<PathBuf>;
    }
}

impl RunOptions {
    /// Verdicts that can be allowed.
    pub const ALLOWED: [Verdict; 4] = [
        Verdict::Unsupported,
        Verdict::Inconclusive,
        Verdict::Flaky,
        Verdict::Skipped,
    ];

    /// Returns these options, with the usual ones where one is missing.
    #[must_use]
    pub fn or(self, usual: RunOptions) -> RunOptions {
        let has_own = !self.allow.is_empty();
        RunOptions {
            jobs: self.jobs.or(usual.jobs),
            limit: self.limit.or(usual.limit),
            retries: self.retries.or(usual.retries),
            allow: if has_own { self.allow } else { usual.allow },
            // The command line has no such keys.
            ..usual
        }
    }

    /// Makes the files relative to a folder, but for standard output.
    pub(super) fn locate(&mut self, folder: &Path) {
        let reports = self.reports.0.iter_mut().map(|(_, file)| file);
        for file in reports.chain(&mut self.baseline) {
            if *file != Path::new("-") {
                *file = folder.join(&file);
            }
        }
    }
}

fn allowed() -> impl TypedValueParser<Value = Verdict> {
    let words = PossibleValuesParser::new(RunOptions::ALLOWED.map(Verdict::word));
    words.map(|word| Verdict::of(&word).expect("no other words are possible"))
}

/// A verdict that can be allowed.
impl Kind for Verdict {
    const IS_LIST_OF_ITSELF: bool = true;

    fn read(node: &Node, faults: &Faults<'_>) -> Option<Verdict> {
        Verdict::of(node.as_one_of(&RunOptions::ALLOWED.map(Verdict::word), faults)?)
    }

    fn shape() -> Json {
        json!({"enum": RunOptions::ALLOWED.map(Verdict::word)})
    }
}

/// Names of formats, each with the file of the report.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reports(pub Vec<(&'static str, PathBuf)>);

impl Reports {
    /// The keys, which are the names of the formats.
    pub const FORMATS: [&str; 7] = [
        "text", "json", "junit", "github", "gitlab", "markdown", "html",
    ];
}

impl Kind for Reports {
    fn read(node: &Node, faults: &Faults<'_>) -> Option<Reports> {
        let mut keys = MapReader::new(node, "report", faults)?;
        let files = Reports::FORMATS.map(|name| (name, keys.optional(name)));
        keys.finish();
        let files = files.into_iter();
        let read = |(name, node)| Some((name, PathBuf::read(node?, faults)?));
        Some(Reports(files.filter_map(read).collect()))
    }

    fn shape() -> Json {
        let formats = Reports::FORMATS.into_iter();
        let with = |mapping: Mapping, name| mapping.optional(name, PathBuf::shape());
        formats.fold(Mapping::new("report"), with).shape()
    }
}
