//! The scenario files that paths on the command line mean.

use std::cmp::Ordering;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::diagnostic::{Diagnostic, Diagnostics};

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
    is_yaml && !is_part(name) && !OTHERS.iter().any(|other| name == *other)
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
    let stem = |entry: &DirEntry| {
        Path::new(entry.file_name())
            .file_stem()
            .map(ToOwned::to_owned)
    };
    let is_folder = |entry: &DirEntry| entry.file_type().is_dir();
    (is_folder(one), stem(one))
        .cmp(&(is_folder(other), stem(other)))
        .then_with(|| one.file_name().cmp(other.file_name()))
}

/// Every file below a folder, sorted by name, hidden ones left out. A link is followed to a file that is below the folder as well.
pub fn files_below(folder: &Path, diagnostics: &mut Diagnostics) -> Vec<PathBuf> {
    let root = folder.canonicalize().ok();
    let is_shown = |entry: &DirEntry| entry.depth() == 0 || !is_hidden(entry.file_name());
    let mut files = Vec::new();
    for entry in WalkDir::new(folder)
        .sort_by(by_name)
        .into_iter()
        .filter_entry(is_shown)
    {
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
            Err(error) => {
                let name = error
                    .path()
                    .unwrap_or(folder)
                    .to_string_lossy()
                    .into_owned();
                let reason = error
                    .io_error()
                    .map_or_else(|| error.to_string(), ToString::to_string);
                let title = format!("the folder cannot be read: {reason}");
                diagnostics.push(Diagnostic::error("file/unreadable", title).in_file(name));
            }
        }
    }
    files
}

/// Returns true for an entry with a scenario's name that is neither a file, a folder nor a link.
fn is_in_place_of_a_scenario(entry: &DirEntry) -> bool {
    let kind = entry.file_type();
    !kind.is_dir() && !kind.is_symlink() && is_scenario_file(entry.path())
}

/// Returns true if a file of that name holds turns that scenarios include.
pub(super) fn is_part(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b"_")
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
