//! `urtext check`: validates the user's files without playing anything.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::Status;
use super::output::{self, usage};
use crate::archive::{self, Stored};
use crate::config::file::{self, Reports};
use crate::diagnostic::{Diagnostic, Diagnostics, counted, visible};
use crate::engine::golden_of;
use crate::finding::Verdict;
use crate::report::{Baseline, Cases, Results};
use crate::scenario::{self, Golden, Scenario};

/// Arguments of `urtext check`.
#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// Scenarios, golden transcripts, recordings, urtext.yaml, urtext-baseline.yaml, or folders with such files [default:
    /// ./scenarios, ./urtext.yaml and ./urtext-baseline.yaml]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    reports: Reports,
}

/// Kind of a file.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Scenario,
    Golden,
    Recording,
    Config,
    Baseline,
}

/// Names of the entries in a file of each kind.
const HELD: [&str; 5] = [
    "scenario",
    "golden transcript",
    "recording",
    "subject",
    "known failure",
];

/// The files checked so far, and their diagnostics.
#[derive(Default)]
struct Checked {
    /// The number of what was found, by kind.
    counts: [usize; HELD.len()],
    /// The files that were checked, by their whole path.
    seen: HashSet<PathBuf>,
    /// The names of the scenarios.
    scenarios: Vec<String>,
    /// The same, as they were named, in their order.
    cases: Cases,
    diagnostics: Diagnostics,
}

impl CheckArgs {
    /// Checks, and says what is wrong.
    pub(super) fn run(self) -> Result<Status, Status> {
        self.reports.probe()?;
        let mut paths = self.paths;
        if paths.is_empty() {
            paths.extend(["scenarios", file::NAME, Baseline::NAME].map(PathBuf::from));
            paths.retain(|path| path.exists());
        }
        if paths.is_empty() {
            return Err(usage(
                "there is no folder `scenarios` here, and no urtext.yaml; name the files or folders to check",
            ));
        }
        let mut checked = Checked::default();
        paths.iter().for_each(|path| checked.path(path));
        let status = output::checked(&checked.diagnostics).err();
        let status = status.unwrap_or(Status::Conforms);
        let summary = checked.summary();
        let text = format!("{summary}\n");
        let Checked {
            mut cases,
            diagnostics,
            ..
        } = checked;
        cases.add_faults(&diagnostics, Verdict::Fail, "the files");
        let results = Results::new("check", summary, status.code(), cases.results());
        self.reports.print(&text);
        Ok(status.max(self.reports.write(&results)))
    }
}

impl Checked {
    fn path(&mut self, path: &Path) {
        if !path.is_dir() {
            self.file(path, true);
            return;
        }
        let before = self.diagnostics.len();
        let mut files = scenario::files_below(path, &mut self.diagnostics);
        // Discovery passes over them, since they are no scenarios.
        let others = [file::NAME, Baseline::NAME].map(|name| path.join(name));
        files.extend(others.into_iter().filter(|path| file::is_there(path)));
        let known = files.iter().filter(|file| self.file(file, false)).count();
        if known == 0 && before == self.diagnostics.len() {
            let problem =
                Diagnostic::error("check/nothing", "there is nothing to check in this folder");
            let help = "scenarios end with `.yaml`; golden transcripts and recordings are known by their first line";
            self.diagnostics
                .push(problem.in_file(path.to_string_lossy()).help(help));
        }
    }

    /// Checks a file by its kind. Returns false for a file that was not named and is of no kind.
    fn file(&mut self, path: &Path, is_named: bool) -> bool {
        let Some(kind) = kind(path, is_named) else {
            return false;
        };
        if !self.is_new(path) {
            return true;
        }
        let (count, problems) = match kind {
            Kind::Scenario => {
                let (scenarios, problems) = scenario::load_file(path);
                self.diagnostics.append(problems);
                let count = scenarios.len().max(1);
                for scenario in scenarios {
                    self.scenarios.push(scenario.name.clone());
                    self.golden_of(&Arc::new(scenario));
                }
                (count, Diagnostics::new())
            }
            Kind::Golden => (1, Stored::Golden.problems(path)),
            Kind::Recording => (1, Stored::Recording.problems(path)),
            Kind::Config => {
                let read = file::load(path, true);
                (read.subjects.len(), read.problems)
            }
            Kind::Baseline => match Baseline::load(path) {
                Ok(baseline) => {
                    let subjects = file::load(&path.with_file_name(file::NAME), false).subjects;
                    (
                        baseline.count(),
                        baseline.slips(self.scenarios.clone(), subjects),
                    )
                }
                Err(problems) => (0, problems),
            },
        };
        self.counts[kind as usize] += count;
        self.diagnostics.append(problems);
        true
    }

    /// Checks the golden transcript of a scenario, where there is one.
    fn golden_of(&mut self, scenario: &Arc<Scenario>) {
        if let Golden::File { path, .. } = &scenario.golden
            && path.exists()
        {
            self.counts[Kind::Golden as usize] += usize::from(self.is_new(path));
        }
        if let Err(problems) = golden_of(scenario) {
            self.diagnostics.append(problems);
        }
    }

    /// Returns true the first time that a file is checked.
    fn is_new(&mut self, path: &Path) -> bool {
        let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let is_new = self.seen.insert(whole);
        if is_new {
            self.cases.case(&visible::path(path).to_string());
        }
        is_new
    }

    fn summary(&self) -> String {
        let present = |(number, what)| (number > 0).then(|| counted(number, what));
        let found: Vec<_> = self
            .counts
            .into_iter()
            .zip(HELD)
            .filter_map(present)
            .collect();
        let found = match found.is_empty() {
            true => "nothing".to_owned(),
            false => found.join(", "),
        };
        let errors = self.diagnostics.errors();
        let errors = present((errors, "problem")).unwrap_or("no problems".to_owned());
        let warnings = self.diagnostics.len() - self.diagnostics.errors();
        let warnings = present((warnings, "warning")).map(|text| format!(", {text}"));
        format!("checked {found}: {errors}{}", warnings.unwrap_or_default())
    }
}

/// The kind of a file, by its name and its first lines.
fn kind(path: &Path, is_named: bool) -> Option<Kind> {
    let start = archive::head(path);
    let stored = Stored::of(&start);
    let has = |key: &[u8]| {
        let mut lines = start.split(|&byte| byte == b'\n');
        lines.any(|line| line.starts_with(key))
    };
    let is_scenario = is_named || scenario::is_scenario_file(path);
    match path.file_name().and_then(OsStr::to_str) {
        Some(file::NAME) => Some(Kind::Config),
        Some(Baseline::NAME) => Some(Kind::Baseline),
        _ if stored == Some(Stored::Golden) => Some(Kind::Golden),
        _ if stored == Some(Stored::Recording) => Some(Kind::Recording),
        // Subjects under another name.
        _ if is_scenario && has(b"subjects:") && !has(b"scenario:") => Some(Kind::Config),
        _ => is_scenario.then_some(Kind::Scenario),
    }
}
