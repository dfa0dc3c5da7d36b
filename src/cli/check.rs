//! `urtext check`: validates the user's files without playing anything.

use std::collections::HashSet;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use clap::Args;

use super::Status;
use super::report_files::ReportOptions;
use crate::config::file;
use crate::diagnostic::{self, Diagnostic, Diagnostics, Paint, Source, counted, visible};
use crate::report::{Baseline, Cases, ExplanationResult};
use crate::scenario::{self, Golden, Scenario};
use crate::transcript::{golden, recording};

/// Arguments of `urtext check`.
#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// Scenarios, golden transcripts, recordings, urtext.yaml, urtext-baseline.yaml, or folders with such files [default:
    /// ./scenarios, ./urtext.yaml and ./urtext-baseline.yaml]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    reports: ReportOptions,
}

/// The files checked so far, and their diagnostics.
#[derive(Default)]
struct Checked {
    /// Files that are worth checking, those met a second time included.
    known: usize,
    scenarios: usize,
    recordings: usize,
    goldens: usize,
    subjects: usize,
    known_failures: usize,
    /// The files that were checked, by their whole path.
    seen: HashSet<PathBuf>,
    /// The same, as they were named, in their order.
    files: Vec<PathBuf>,
    diagnostics: Diagnostics,
}

impl CheckArgs {
    /// Checks, and says what is wrong.
    pub(super) fn run(self) -> Status {
        if let Err(status) = self.reports.probe() {
            return status;
        }
        let mut checked = Checked::default();
        match self.paths.is_empty() {
            false => self.paths.iter().for_each(|path| checked.path(path)),
            true => {
                let scenarios = Path::new("scenarios");
                let files = [file::NAME, Baseline::NAME].map(Path::new);
                if !scenarios.is_dir() && !files.iter().any(|path| file::is_there(path)) {
                    return super::output::usage(
                        "there is no folder `scenarios` here, and no urtext.yaml; name the files or folders to check",
                    );
                }
                if scenarios.is_dir() {
                    checked.path(scenarios);
                }
                for path in files.iter().filter(|path| file::is_there(path)) {
                    checked.file(path, true);
                }
            }
        }
        if !checked.diagnostics.is_empty() {
            // The stream takes the colours out where nobody would see them.
            anstream::eprintln!("{}\n", checked.diagnostics.draw(Paint::Coloured));
        }
        let status = match checked.diagnostics.has_errors() {
            true => Status::Usage,
            false => Status::Conforms,
        };
        let (summary, explanation) = (checked.summary(), ExplanationResult::default());
        let text = format!("{summary}\n");
        let cases = checked.cases();
        let results = cases.results("check", summary, status.code(), explanation);
        status.worse(self.reports.print_and_write(&text, &results))
    }
}

impl Checked {
    fn path(&mut self, path: &Path) {
        if !path.is_dir() {
            return self.file(path, true);
        }
        let (known, said) = (self.known, self.diagnostics.len());
        for file in scenario::files_below(path, &mut self.diagnostics) {
            self.file(&file, false);
        }
        // Discovery passes over them, since they are no scenarios.
        for name in [file::NAME, Baseline::NAME] {
            let path = path.join(name);
            if file::is_there(&path) {
                self.file(&path, true);
            }
        }
        if (known, said) == (self.known, self.diagnostics.len()) {
            let fault =
                Diagnostic::error("check/nothing", "there is nothing to check in this folder");
            let help = "scenarios end with `.yaml`; golden transcripts and recordings are known by their first line";
            self.diagnostics
                .push(fault.in_file(path.to_string_lossy()).help(help));
        }
    }

    /// Checks a file for what it means to be; one that was named has to be something.
    fn file(&mut self, path: &Path, is_named: bool) {
        if path.file_name().is_some_and(|name| name == file::NAME) {
            return self.config(path);
        }
        if path.file_name().is_some_and(|name| name == Baseline::NAME) {
            return self.baseline(path);
        }
        let start = if scenario::is_scenario_file(path) {
            Vec::new()
        } else {
            first_bytes(path)
        };
        let is_golden = golden::is_golden(&start);
        let is_recording = !is_golden && recording::is_recording(&start);
        if !(is_named || is_golden || is_recording || scenario::is_scenario_file(path)) {
            return;
        }
        if !is_golden && !is_recording && holds_subjects(path) {
            return self.config(path);
        }
        self.known += 1;
        if !self.is_new(path) {
            return;
        }
        if is_golden {
            self.golden(path);
        } else if is_recording {
            self.recording(path);
        } else {
            let (scenarios, faults) = scenario::load_file(path);
            self.scenarios += scenarios.len().max(1);
            self.diagnostics.append(faults);
            scenarios
                .iter()
                .for_each(|scenario| self.golden_of(scenario));
        }
    }

    /// Checks the user's subjects.
    fn config(&mut self, path: &Path) {
        self.known += 1;
        if self.is_new(path) {
            let (subjects, faults) = file::load(path);
            self.subjects += subjects.len();
            self.diagnostics.append(faults);
            self.diagnostics.append(file::missing_programs(path));
        }
    }

    /// Checks the known failures.
    fn baseline(&mut self, path: &Path) {
        self.known += 1;
        if self.is_new(path) {
            match Baseline::load(path) {
                Ok(baseline) => self.known_failures += baseline.count(),
                Err(faults) => self.diagnostics.append(faults),
            }
        }
    }

    /// Checks a golden transcript by itself.
    fn golden(&mut self, path: &Path) {
        self.goldens += 1;
        if let Some(source) = self.read(path)
            && let Err(faults) = golden::read(&source)
        {
            self.diagnostics.append(faults);
        }
    }

    /// Checks the golden transcript of a scenario, where there is one.
    fn golden_of(&mut self, scenario: &Scenario) {
        let source = match &scenario.golden {
            Golden::None => return,
            Golden::Shipped { name, text } => {
                self.goldens += 1;
                Source::new(name, *text)
            }
            Golden::File { path, named } => match (path.exists(), named) {
                (false, None) => return,
                (false, Some(span)) => {
                    let title = format!("there is no golden transcript {}", path.display());
                    let fault =
                        Diagnostic::error("golden/missing", title).at(&scenario.source, *span, "");
                    let help = "check the spelling; `urtext run --bless` writes one";
                    return self.diagnostics.push(fault.help(help));
                }
                (true, _) => {
                    self.goldens += usize::from(self.is_new(path));
                    let Some(source) = self.read(path) else {
                        return;
                    };
                    source
                }
            },
        };
        match golden::read(&source) {
            Ok(golden) => self
                .diagnostics
                .extend(scenario::mismatches(scenario, &golden, &source)),
            Err(faults) => self.diagnostics.append(faults),
        }
    }

    fn recording(&mut self, path: &Path) {
        self.recordings += 1;
        let name = path.to_string_lossy();
        let file = match diagnostic::open(path) {
            Ok(file) => file,
            Err(_) => return drop(self.read(path)),
        };
        match recording::Reader::new(&name, BufReader::new(file)) {
            Ok(mut reader) => {
                self.diagnostics
                    .extend(reader.by_ref().filter_map(Result::err));
                self.diagnostics.extend(reader.cut_off().cloned());
            }
            Err(fault) => self.diagnostics.push(fault),
        }
    }

    fn read(&mut self, path: &Path) -> Option<Source> {
        Source::read(path, golden::LARGEST)
            .map_err(|fault| self.diagnostics.push(fault))
            .ok()
    }

    /// Returns true the first time that a file is checked.
    fn is_new(&mut self, path: &Path) -> bool {
        let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let is_new = self.seen.insert(whole);
        if is_new {
            self.files.push(path.to_owned());
        }
        is_new
    }

    /// The files, and what is wrong with them, for reports.
    fn cases(&self) -> Cases {
        let mut cases = Cases::default();
        for path in &self.files {
            cases.case(&visible::plain(path.as_os_str().as_encoded_bytes()).to_string());
        }
        for fault in self.diagnostics.sorted() {
            cases.add_fault(fault, "the files");
        }
        cases
    }

    fn summary(&self) -> String {
        let kinds = [
            (self.scenarios, "scenario"),
            (self.goldens, "golden transcript"),
            (self.recordings, "recording"),
            (self.subjects, "subject"),
            (self.known_failures, "known failure"),
        ];
        let present = |number, what| (number > 0).then(|| counted(number, what));
        let mut parts: Vec<String> = kinds
            .into_iter()
            .filter_map(|(number, what)| present(number, what))
            .collect();
        if parts.is_empty() {
            parts.push("nothing".to_owned());
        }
        let errors = self.diagnostics.errors();
        let warnings = self.diagnostics.len() - errors;
        let mut faults = vec![present(errors, "fault").unwrap_or_else(|| "no faults".to_owned())];
        faults.extend(present(warnings, "warning"));
        format!("checked {}: {}", parts.join(", "), faults.join(", "))
    }
}

/// Returns true if a file holds subjects, although its name is not `urtext.yaml`.
fn holds_subjects(path: &Path) -> bool {
    let start = first_bytes(path);
    let has = |key: &[u8]| {
        start
            .split(|&byte| byte == b'\n')
            .any(|line| line.starts_with(key))
    };
    has(b"subjects:") && !has(b"scenario:")
}

/// The first line of a file, or as much of it as tells what the file is; nothing where it cannot be read.
fn first_bytes(path: &Path) -> Vec<u8> {
    const ENOUGH: u64 = 4096;
    let mut bytes = Vec::new();
    // What is read only once cannot be looked at, and a file that cannot be read is reported by whoever reads it whole.
    if path.is_file()
        && let Ok(file) = diagnostic::open(path)
    {
        let _ = file.take(ENOUGH).read_to_end(&mut bytes);
    }
    bytes
}
