//! Options of a run.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::{Value as Json, json};

use crate::config::duration;
use crate::diagnostic::Faults;
use crate::finding::Verdict;
use crate::yaml::{Kind, Node, Row, keys, known, shape_of};

keys! {
    /// Options of a run, on the command line and in the file.
    #[derive(Debug, Clone, Default, PartialEq, Eq, clap::Args)]
    pub struct RunOptions in "run" {
        /// Play at most N games at once
        ///
        /// The default is two for each processor, and eight for a built-in peer or a server. Games that only wait do not count, unless N is 1. Games with a referee that runs already are always played one after the other.
        #[arg(long, short, value_name = "N")]
        optional "jobs" => jobs: Option<NonZeroUsize>;

        /// Begin no further game after this time, such as 30m
        ///
        /// Games that have begun are played to their end. Scenarios without a game are skipped: the exit status is 4 unless --allow skipped is
        /// given. With built-in peers, it is the time of the virtual clock.
        #[arg(long = "for", value_name = "DURATION", hide_short_help = true, value_parser = duration)]
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
        #[command(flatten)]
        optional "report" => reports: Reports;

        /// The file with the known failures, relative to this file
        #[command(flatten)]
        optional "baseline" => baseline: BaselineFile;
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
        fn own<T>(given: Vec<T>, usual: Vec<T>) -> Vec<T> {
            if given.is_empty() { usual } else { given }
        }
        RunOptions {
            jobs: self.jobs.or(usual.jobs),
            limit: self.limit.or(usual.limit),
            retries: self.retries.or(usual.retries),
            allow: own(self.allow, usual.allow),
            reports: Reports {
                report: own(self.reports.report, usual.reports.report),
            },
            baseline: BaselineFile {
                baseline: self.baseline.baseline.or(usual.baseline.baseline),
            },
        }
    }

    /// Makes the files relative to a folder, but for standard output.
    pub(super) fn locate(&mut self, folder: &Path) {
        let reports = self
            .reports
            .report
            .iter_mut()
            .map(|report| &mut report.file);
        for file in reports.chain(&mut self.baseline.baseline) {
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

    fn read(node: &Node, faults: &Faults) -> Option<Verdict> {
        Verdict::of(node.as_one_of(&RunOptions::ALLOWED.map(Verdict::word), faults)?)
    }

    fn shape() -> Json {
        json!({"enum": RunOptions::ALLOWED.map(Verdict::word)})
    }
}

/// The reports of a command.
#[derive(Debug, Clone, Default, PartialEq, Eq, clap::Args)]
pub struct Reports {
    /// Write a report, such as junit=report.xml
    ///
    /// May be repeated. The formats are text, json, junit, github, gitlab, markdown and html; `urtext help running` describes them. For html, FILE is a
    /// folder. The file `-` is standard output.
    #[arg(long, value_name = "FORMAT=FILE", value_parser = ReportFile::of)]
    pub report: Vec<ReportFile>,
}

/// Format of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// The text of the console
    Text,
    /// One JSON report, from which all formats can be made
    Json,
    /// JUnit XML
    Junit,
    /// Annotations of GitHub Actions
    Github,
    /// Code Quality of GitLab
    Gitlab,
    /// Markdown, for a comment or the summary of a step
    Markdown,
    /// A folder of HTML pages: the report, and a replay of each game that did not pass
    Html,
}

impl ReportFormat {
    /// The names of all formats, in their order.
    pub(super) const NAMES: [&str; 7] = [
        "text", "json", "junit", "github", "gitlab", "markdown", "html",
    ];
}

/// One report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportFile {
    /// Its format.
    pub format: ReportFormat,
    /// The file, or the folder.
    pub file: PathBuf,
}

impl ReportFile {
    /// A report by the words of the command line.
    fn of(text: &str) -> Result<ReportFile, String> {
        let Some((name, file)) = text.split_once('=').filter(|(_, file)| !file.is_empty()) else {
            return Err("write FORMAT=FILE, such as junit=report.xml".to_owned());
        };
        let format = ReportFormat::from_str(name, false).map_err(|_| {
            let names = ReportFormat::NAMES.join(", ");
            format!("there is no format `{name}`; the formats are {names}")
        })?;
        let file = file.into();
        Ok(ReportFile { format, file })
    }
}

impl Reports {
    fn rows() -> [Row; 7] {
        ReportFormat::NAMES.map(|name| Row::optional(name, PathBuf::shape))
    }
}

/// In the file, a mapping from formats to files.
impl Kind for Reports {
    fn read(node: &Node, faults: &Faults) -> Option<Reports> {
        known(node, "report", &Reports::rows(), &[], faults)?;
        let formats = ReportFormat::NAMES
            .into_iter()
            .zip(ReportFormat::value_variants());
        let read = |(name, &format)| {
            let file = PathBuf::read(&node.entry(name)?.1, faults)?;
            Some(ReportFile { format, file })
        };
        let report = formats.filter_map(read).collect();
        Some(Reports { report })
    }

    fn shape() -> Json {
        shape_of("report", &Reports::rows(), &[])
    }
}

/// The known failures.
#[derive(Debug, Clone, Default, PartialEq, Eq, clap::Args)]
pub struct BaselineFile {
    /// The file with the known failures
    ///
    /// By default, it is urtext-baseline.yaml next to urtext.yaml. An expected failure leaves the exit status at 0. If such a scenario passes or an entry has expired, the status is 1, and urtext names
    /// the lines to delete.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
}

impl Kind for BaselineFile {
    fn read(node: &Node, faults: &Faults) -> Option<BaselineFile> {
        let baseline = PathBuf::read(node, faults);
        Some(BaselineFile { baseline })
    }

    fn shape() -> Json {
        PathBuf::shape()
    }
}
