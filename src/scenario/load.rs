//! Scenarios from files.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::{Golden, NamedGolden, Scenario, ScenarioFiles, discover, golden, resolve};
use crate::diagnostic::{Diagnostic, Diagnostics, Faults, Source, suggest, visible};
use crate::platform::folder_of;
use crate::yaml;

/// Reads all scenarios that the paths mean, see [`discover`]; with an error among the diagnostics none of them should be played.
///
/// `FILE#CASE` is one case of a file. A scenario with a fault in it is left out. The others stay in the order in which they were found.
pub fn load(paths: &[PathBuf]) -> (Vec<Scenario>, Diagnostics) {
    let mut wanted: HashMap<PathBuf, Option<Vec<String>>> = HashMap::new();
    let files: Vec<PathBuf> = paths
        .iter()
        .map(|path| take_case(path, &mut wanted))
        .collect();
    let (files, mut diagnostics) = discover(&files);
    let mut scenarios = Vec::with_capacity(files.len());
    for file in files {
        let (mut found, faults) = load_file(&file);
        if let Some(Some(cases)) = wanted.get(&whole(&file)) {
            if !faults.has_errors() {
                diagnostics.extend(
                    cases
                        .iter()
                        .filter_map(|case| unknown_case(case, &found, &file)),
                );
            }
            found.retain(|scenario| {
                scenario
                    .case
                    .as_ref()
                    .is_some_and(|case| cases.contains(case))
            });
        }
        scenarios.extend(found);
        diagnostics.append(faults);
    }
    (scenarios, diagnostics)
}

/// The file of a path, and its case noted; without a case all of the file's scenarios are meant.
fn take_case(path: &Path, wanted: &mut HashMap<PathBuf, Option<Vec<String>>>) -> PathBuf {
    let text = path.to_string_lossy();
    let split = text
        .rsplit_once('#')
        .filter(|(file, _)| !path.exists() && Path::new(file).is_file());
    let Some((file, case)) = split else {
        if path.is_dir() {
            // A folder means all of what is in it.
            wanted
                .iter_mut()
                .filter(|(file, _)| file.starts_with(whole(path)))
                .for_each(|(_, cases)| *cases = None);
        }
        wanted.insert(whole(path), None);
        return path.to_owned();
    };
    let file = PathBuf::from(file);
    let is_meant_whole = wanted
        .iter()
        .any(|(known, cases)| cases.is_none() && whole(&file).starts_with(known));
    let cases = wanted
        .entry(whole(&file))
        .or_insert_with(|| (!is_meant_whole).then(Vec::new));
    if let Some(cases) = cases {
        cases.push(case.to_owned());
    }
    file
}

fn whole(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn unknown_case(case: &str, found: &[Scenario], file: &Path) -> Option<Diagnostic> {
    let known: Vec<&str> = found
        .iter()
        .filter_map(|scenario| scenario.case.as_deref())
        .collect();
    if known.contains(&case) {
        return None;
    }
    let title = format!(
        "there is no case `{}` in this file",
        visible::plain(case).at_most(40)
    );
    let fault = Diagnostic::error("scenario/unknown-case", title).in_file(file.to_string_lossy());
    Some(match suggest(case, known.iter().copied()) {
        Some(meant) => fault.help(format!("write `{meant}`")),
        None if known.is_empty() => fault.help("it has no cases: leave `#` and what follows away"),
        None => fault.help(format!("its cases are {}", known.join(", "))),
    })
}

/// Reads the scenarios in a file; one with a fault in it is left out.
pub fn load_file(file: &Path) -> (Vec<Scenario>, Diagnostics) {
    match yaml::read(file) {
        Ok(source) => resolve(&source, &golden::scenario_name(file), &OnDisk(file)),
        Err(fault) => {
            let mut diagnostics = Diagnostics::new();
            diagnostics.push(fault);
            (Vec::new(), diagnostics)
        }
    }
}

/// The surroundings of the scenario in that file.
struct OnDisk<'f>(&'f Path);

impl ScenarioFiles for OnDisk<'_> {
    fn golden(
        &self,
        case: Option<&str>,
        named: Option<NamedGolden<'_>>,
        faults: &Faults<'_>,
    ) -> Golden {
        golden::on_disk(self.0, case, named, faults)
    }

    fn include(&self, path: &str) -> Result<Source, String> {
        let folder = folder_of(self.0);
        let file = self.0.parent().unwrap_or(Path::new("")).join(path);
        if file.symlink_metadata().is_ok() && !golden::stays_inside(folder, &file) {
            return Err(
                "a link on the way leads out of the scenario's folder, or to nothing".to_owned(),
            );
        }
        yaml::read(&file).map_err(|fault| fault.title().to_owned())
    }
}
