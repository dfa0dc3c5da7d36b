//! Scenarios from files, and the files that paths on the command line mean.

use std::cmp::Ordering;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::resolve::is_part;
use super::{Golden, GoldenName, Scenario, ScenarioFiles, golden, resolve, suite};
use crate::diagnostic::{Diagnostic, Diagnostics, Faults, Source, suggest, visible};
use crate::platform::folder_of;
use crate::yaml::{self, At};

/// Reads all scenarios that the paths mean, see [`discover`]; with an error among the diagnostics none of them should be played.
///
/// `FILE#CASE` is one case of a file. A scenario with a fault in it is left out. The others stay in the order in which they were found.
pub fn load(paths: &[PathBuf]) -> (Vec<Scenario>, Diagnostics) {
    let wanted: Vec<_> = paths.iter().map(|path| case_of(path)).collect();
    let files: Vec<_> = wanted.iter().map(|(file, _)| file.clone()).collect();
    let (files, mut diagnostics) = discover(&files);
    let mut scenarios = Vec::with_capacity(files.len());
    for file in files {
        let (mut found, faults) = load_file(&file);
        let is_within = |(path, _): &&(PathBuf, _)| whole(&file).starts_with(whole(path));
        let wanted = wanted.iter().filter(is_within);
        let cases: Option<Vec<&str>> = wanted.map(|(_, case)| case.as_deref()).collect();
        if let Some(cases) = cases {
            if !faults.has_errors() {
                let unknown = |case: &&str| unknown_case(case, &found, &file);
                diagnostics.extend(cases.iter().filter_map(unknown));
            }
            let case = |scenario: &Scenario| scenario.case.clone().unwrap_or_default();
            found.retain(|scenario| cases.contains(&case(scenario).as_str()));
        }
        scenarios.extend(found);
        diagnostics.append(faults);
    }
    (scenarios, diagnostics)
}

/// The file of a path, and its case; without a case all of the file's scenarios are meant.
fn case_of(path: &Path) -> (PathBuf, Option<String>) {
    let text = path.to_string_lossy();
    let split = text.rsplit_once('#');
    match split.filter(|(file, _)| !path.exists() && Path::new(file).is_file()) {
        Some((file, case)) => (file.into(), Some(case.to_owned())),
        None => (path.to_owned(), None),
    }
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
    let title = format!("there is no case `{}` in this file", visible::short(case));
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
        Err(mut fault) => {
            let name = file.to_string_lossy();
            if fault.code() == "file/missing" && suite::has(&name) {
                let help =
                    format!("`urtext run --suite {name}` plays the shipped scenarios of this name");
                fault = fault.help(help);
            }
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
        named: Option<&At<GoldenName>>,
        faults: &Faults,
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

/// Names of YAML files that are no scenarios: they are passed over in folders.
const OTHERS: [&str; 5] = [
    "requirements.yaml",
    "requirements.yml",
    "urtext.yaml",
    "urtext.yml",
    "urtext-baseline.yaml",
];

/// Returns true if a file of that name in a folder counts as a scenario.
#[must_use]
pub fn is_scenario_file(path: &Path) -> bool {
    let is_yaml = path
        .extension()
        .is_some_and(|ending| ending == "yaml" || ending == "yml");
    let name = path.file_name().unwrap_or_default();
    is_yaml && !is_part(path) && !OTHERS.iter().any(|other| name == *other)
}

/// The scenarios that paths mean: a file is one, whatever its name, and of a folder all `*.yaml` and `*.yml` below it.
///
/// They come in the order of the paths, within a folder sorted by name, its files before the folders in it; each once. Hidden files and folders, catalogues of
/// requirements, `urtext.yaml` and files whose names begin with `_`, which are there to be included, are passed over; git-ignored files are not. Nothing there, and a folder without any scenario, are errors.
pub fn discover(paths: &[PathBuf]) -> (Vec<PathBuf>, Diagnostics) {
    let (mut found, mut diagnostics) = (Vec::new(), Diagnostics::new());
    for path in paths {
        if !path.is_dir() {
            found.push(path.clone());
            continue;
        }
        let before = found.len();
        let errors = diagnostics.len();
        found.extend(
            files_below(path, &mut diagnostics)
                .into_iter()
                .filter(|file| is_scenario_file(file)),
        );
        if found.len() == before && diagnostics.len() == errors {
            let fault =
                Diagnostic::error("scenario/none-found", "there is no scenario in this folder");
            let help = "a scenario is a file that ends with `.yaml`; name one, or the folder that holds them";
            diagnostics.push(fault.in_file(path.to_string_lossy()).help(help));
        }
    }
    let mut seen = std::collections::HashSet::new();
    found.retain(|path| seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())));
    (found, diagnostics)
}

/// Orders by the name without its extension, like the suites inside the program; folders stand after files.
fn by_name(one: &DirEntry, other: &DirEntry) -> Ordering {
    let is_folder = |entry: &DirEntry| entry.file_type().is_dir();
    let [name, other_name] = [one, other].map(|entry| Path::new(entry.file_name()));
    (is_folder(one), name.file_stem())
        .cmp(&(is_folder(other), other_name.file_stem()))
        .then_with(|| name.cmp(other_name))
}

/// Returns what is in a folder and below, sorted by name, files before folders and hidden entries left out, or the fault of a folder that
/// cannot be read. Only the names of one folder are in memory.
pub fn entries(folder: &Path) -> impl Iterator<Item = Result<DirEntry, Diagnostic>> + use<> {
    let is_shown = |entry: &DirEntry| entry.depth() == 0 || !is_hidden(entry.file_name());
    let entries = WalkDir::new(folder).sort_by(by_name).into_iter();
    let folder = folder.to_owned();
    entries.filter_entry(is_shown).map(move |entry| {
        entry.map_err(|error| {
            let name = error.path().unwrap_or(&folder).to_string_lossy();
            let reason = error
                .io_error()
                .map_or_else(|| error.to_string(), ToString::to_string);
            let title = format!("the folder cannot be read: {reason}");
            Diagnostic::error("file/unreadable", title).in_file(name)
        })
    })
}

/// Every file below a folder, see [`entries`]. A link is followed to a file that is below the folder as well.
pub fn files_below(folder: &Path, diagnostics: &mut Diagnostics) -> Vec<PathBuf> {
    let root = folder.canonicalize().ok();
    let mut files = Vec::new();
    for entry in entries(folder) {
        match entry {
            Ok(entry) if entry.file_type().is_file() => files.push(entry.into_path()),
            // What is there in the place of a scenario is told by whoever reads it.
            Ok(entry) if is_in_place_of_a_scenario(&entry) => files.push(entry.into_path()),
            Ok(entry) if entry.path_is_symlink() => {
                let target = entry
                    .path()
                    .canonicalize()
                    .ok()
                    .filter(|target| !target.is_dir());
                if target
                    .zip(root.as_ref())
                    .is_some_and(|(target, root)| target.starts_with(root))
                {
                    files.push(entry.into_path());
                } else if is_scenario_file(entry.path()) {
                    let title = "a link that leads out of the folder is not followed";
                    let fault = Diagnostic::warning("file/link", title)
                        .in_file(entry.path().to_string_lossy());
                    diagnostics.push(fault.help("name the file that it leads to"));
                }
            }
            Ok(_) => {}
            Err(fault) => diagnostics.push(fault),
        }
    }
    files
}

/// Returns true for an entry with a scenario's name that is neither a file, a folder nor a link.
fn is_in_place_of_a_scenario(entry: &DirEntry) -> bool {
    let kind = entry.file_type();
    !kind.is_dir() && !kind.is_symlink() && is_scenario_file(entry.path())
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    fn names(found: &[PathBuf], root: &Path) -> Vec<String> {
        let below = found.iter().map(|path| path.strip_prefix(root).unwrap());
        below.map(|path| path.display().to_string()).collect()
    }

    #[test]
    fn finds_scenarios_sorted_and_each_once() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let names = "b/z.yaml b/a.yml a.yaml a/x.txt .git/h.yaml b/requirements.yaml urtext.yaml urtext-baseline.yaml \
            b/.h.yaml b/_opening.yaml b/0/c.yaml";
        for name in names.split_whitespace() {
            fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
            fs::write(root.join(name), "").unwrap();
        }
        fs::write(root.join(".gitignore"), "a.yaml\n").unwrap();
        let paths = [root.join("b/z.yaml"), root.to_owned(), root.join("a/x.txt")];
        let (found, diagnostics) = discover(&paths);
        assert!(diagnostics.is_empty());
        assert_eq!(
            self::names(&found, root),
            ["b/z.yaml", "a.yaml", "b/a.yml", "b/0/c.yaml", "a/x.txt"]
        );
    }

    #[test]
    fn says_so_of_a_folder_without_scenarios() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("requirements.yaml"), "").unwrap();
        let (found, diagnostics) = discover(&[folder.path().to_owned()]);
        assert!(found.is_empty());
        let said = diagnostics.sorted()[0].to_string();
        assert!(
            said.ends_with("error[scenario/none-found]: there is no scenario in this folder"),
            "{said}"
        );
    }

    #[test]
    fn follows_links_inside_the_folder_only() {
        let folder = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir(root.join("real")).unwrap();
        fs::write(root.join("real/a.yaml"), "").unwrap();
        fs::write(elsewhere.path().join("b.yaml"), "").unwrap();
        symlink(elsewhere.path().join("b.yaml"), root.join("out.yaml")).unwrap();
        symlink(elsewhere.path(), root.join("out")).unwrap();
        symlink(root, root.join("real/loop")).unwrap();
        let (found, diagnostics) = discover(&[root.to_owned()]);
        assert_eq!(names(&found, root), ["real/a.yaml"]);
        assert!(!diagnostics.has_errors());
        let said = diagnostics.sorted()[0].to_string();
        assert!(said.contains("out.yaml: warning[file/link]"), "{said}");
        assert_eq!(diagnostics.len(), 1);
    }
}
