//! The files that a scenario refers to, and its golden transcript: its path on disk, and its text.
//!
//! A scenario `…/scenarios/X/NAME.yaml` has it in the tree beside, `…/snapshots/X/NAME.txt`; the nearest folder called `scenarios`
//! counts. Any other `NAME.yaml` has it in the same folder, as `NAME.golden.txt`. A case has its name before the ending, `NAME.CASE.txt`. A name in the scenario replaces the file's name and stays in
//! that folder, whatever links lie on the way: a scenario may come from a stranger, and a golden transcript is written to.

use std::io;
use std::path::{Component, Path, PathBuf};

use super::{Golden, GoldenName, Scenario};
use crate::diagnostic::{Diagnostic, Faults, Source, Span};
use crate::platform::{folder_of, in_repository};
use crate::transcript::golden;
use crate::yaml::At;

/// The folder that holds scenarios.
const SCENARIOS: &str = "scenarios";
/// The folder beside it that holds golden transcripts.
const SNAPSHOTS: &str = "snapshots";

/// The golden transcript of the scenario in that file. A link that leads out of its tree is a fault.
pub(super) fn on_disk(
    scenario: &Path,
    case: Option<&str>,
    named: Option<&At<GoldenName>>,
    faults: &Faults,
) -> Golden {
    let (root, folder, is_parallel) = match parallel(scenario) {
        Some((root, folder)) => (root, folder, true),
        None => {
            let folder = scenario.parent().unwrap_or(Path::new("")).to_owned();
            (folder.clone(), folder, false)
        }
    };
    let path = match (named, scenario.file_stem()) {
        (Some(named), _) => folder.join(&named.is.0),
        (None, stem) => {
            let mut name = stem.unwrap_or_default().to_owned();
            if let Some(case) = case {
                name.push(format!(".{case}"));
            }
            name.push(if is_parallel { ".txt" } else { ".golden.txt" });
            folder.join(name)
        }
    };
    let span = named.map(|named| named.span);
    if !stays_inside(&root, &path) {
        refuse(&path, &root, span, faults);
        return Golden::None;
    }
    Golden::File { path }
}

/// The text of the golden transcript of a scenario; `None` where there is none yet.
///
/// # Errors
/// It is named but not there, or cannot be read.
pub fn golden_text(scenario: &Scenario) -> Result<Option<Source>, Diagnostic> {
    match &scenario.golden {
        Golden::None => Ok(None),
        Golden::Shipped { name, text } => Ok(Some(Source::new(name, *text))),
        Golden::File { path, .. } if path.exists() => Source::read(path, golden::LARGEST).map(Some),
        Golden::File { path } => {
            let Some(At { span, .. }) = &scenario.keys.golden else {
                return Ok(None);
            };
            let title = format!("there is no golden transcript {}", path.display());
            let problem =
                Diagnostic::error("golden/missing", title).at(&scenario.source, *span, "");
            Err(problem.help("check the spelling; `urtext run --bless` writes one"))
        }
    }
}

/// The folder that holds both trees, and the one for the golden transcripts of this scenario.
fn parallel(scenario: &Path) -> Option<(PathBuf, PathBuf)> {
    let is_scenarios = |component: &Component<'_>| component.as_os_str() == SCENARIOS;
    // The path as it was typed is kept where it tells, so that messages name short paths.
    let mut whole = scenario.to_owned();
    if !folders(&whole).iter().any(is_scenarios) || folders(&whole).contains(&Component::ParentDir)
    {
        whole = folder_of(scenario)
            .canonicalize()
            .ok()?
            .join(scenario.file_name()?);
    }
    let folders = folders(&whole);
    let place = folders.iter().rposition(is_scenarios)?;
    let root: PathBuf = folders[..place].iter().collect();
    let below: PathBuf = folders[place + 1..].iter().collect();
    let folder = root.join(SNAPSHOTS).join(below);
    Some((root, folder))
}

fn folders(path: &Path) -> Vec<Component<'_>> {
    path.parent()
        .map(|folder| folder.components().collect())
        .unwrap_or_default()
}

/// Returns the name of the scenario in that file: its path below the folder `scenarios`, or else as it was
/// typed, without the extension. A path that is absolute or leads upwards counts from the root of its repository.
pub(super) fn scenario_name(path: &Path) -> String {
    let is_around = path.components().any(|part| part == Component::ParentDir);
    let whole = path.canonicalize().ok().filter(|_| is_around);
    let path = whole.as_deref().unwrap_or(path);
    let path = match path.is_absolute() {
        true => in_repository(path),
        false => path.to_owned(),
    }
    .with_extension("");
    let parts: Vec<Component<'_>> = path.components().collect();
    let folders = &parts[..parts.len().saturating_sub(1)];
    let below = folders
        .iter()
        .rposition(|part| part.as_os_str() == SCENARIOS)
        .map_or(0, |place| place + 1);
    let names = parts[below..]
        .iter()
        .filter(|part| matches!(part, Component::Normal(_)));
    names
        .map(|part| part.as_os_str().to_string_lossy())
        .collect::<Vec<_>>()
        .join("/")
}

/// Returns true if the file, or the part of its path that exists, is inside the folder after links are
/// followed.
pub(super) fn stays_inside(root: &Path, path: &Path) -> bool {
    let Ok(root) = or_here(root).canonicalize() else {
        return false;
    };
    let mut part = path;
    loop {
        let shown = or_here(part);
        match shown.symlink_metadata() {
            // A link to nothing cannot be followed, so canonicalize refuses it, and so does this.
            Ok(_) => {
                return shown
                    .canonicalize()
                    .is_ok_and(|whole| whole.starts_with(&root));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(_) => return false,
        }
        match part.parent() {
            Some(parent) => part = parent,
            None => return false,
        }
    }
}

/// The folder that a path means: without any part, the current one.
fn or_here(path: &Path) -> &Path {
    match path.as_os_str().is_empty() {
        true => Path::new("."),
        false => path,
    }
}

fn refuse(path: &Path, root: &Path, named: Option<Span>, faults: &Faults) {
    let root = or_here(root);
    let title = format!(
        "the golden transcript {} is not inside {}",
        path.display(),
        root.display()
    );
    let fault = Diagnostic::error("scenario/golden", title);
    let fault = match named {
        Some(span) => fault.at(faults.source(), span, "a link on the way leads elsewhere"),
        None => fault
            .in_file(faults.source().name())
            .note("a link on the way leads elsewhere, or to nothing"),
    };
    faults.push(fault.help("replace the link by the file or the folder that it leads to"));
}

/// Access to a scenario's files: its golden transcripts, and the files that it includes.
pub trait ScenarioFiles {
    /// Locates the golden transcript, by the name that the scenario gives. `case` is the case, in a file of
    /// several. It is asked only where there can be a golden transcript, and may push faults. By default there is none.
    fn golden(
        &self,
        _case: Option<&str>,
        _named: Option<&At<GoldenName>>,
        _faults: &Faults,
    ) -> Golden {
        Golden::None
    }

    /// The file at a path that is relative to the scenario's folder and stays in it.
    ///
    /// # Errors
    /// Why it cannot be had, in words that follow a colon.
    fn include(&self, path: &str) -> Result<Source, String>;

    /// Returns true if the scenario is known to exercise the requirements that it checks. To find that out
    /// takes most of the time of reading it.
    fn has_proven_checks(&self) -> bool {
        false
    }
}

/// Nothing lies around the scenario: it has no golden transcript, and can include nothing.
#[derive(Debug, Clone, Copy)]
pub struct Alone;

impl ScenarioFiles for Alone {
    fn include(&self, _path: &str) -> Result<Source, String> {
        Err("there are no files beside this scenario".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_scenario_is_called_by_its_path_below_the_folder_of_scenarios() {
        for (path, name) in [
            ("scenarios/x/referee/a.yaml", "x/referee/a"),
            ("/x/scenarios/y/scenarios/a.yml", "a"),
            ("./mine/a.b.yaml", "mine/a.b"),
            ("scenarios.yaml", "scenarios"),
            ("/x/a.yaml", "x/a"),
        ] {
            assert_eq!(scenario_name(Path::new(path)), name, "{path}");
        }
        let folder = tempfile::tempdir().unwrap();
        let mine = folder.path().join("scenarios/mine");
        fs::create_dir_all(&mine).unwrap();
        fs::write(mine.join("a.yaml"), "").unwrap();
        assert_eq!(scenario_name(&mine.join("../mine/a.yaml")), "mine/a");
    }
}
