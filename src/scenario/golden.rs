//! Path of the golden transcript of a scenario on disk.
//!
//! A scenario `…/scenarios/X/NAME.yaml` has it in the tree beside, `…/snapshots/X/NAME.txt`; the nearest folder called `scenarios`
//! counts. Any other `NAME.yaml` has it in the same folder, as `NAME.golden.txt`. A case has its name before the ending, `NAME.CASE.txt`. A name in the scenario replaces the file's name and stays in
//! that folder, whatever links lie on the way: a scenario may come from a stranger, and a golden transcript is written to.

use std::io;
use std::path::{Component, Path, PathBuf};

use super::{Golden, NamedGolden};
use crate::diagnostic::{Diagnostic, Faults, Span};
use crate::platform::folder_of;

/// The folder that holds scenarios.
const SCENARIOS: &str = "scenarios";
/// The folder beside it that holds golden transcripts.
const SNAPSHOTS: &str = "snapshots";

/// The golden transcript of the scenario in that file. A link that leads out of its tree is a fault.
pub(super) fn on_disk(
    scenario: &Path,
    case: Option<&str>,
    named: Option<NamedGolden<'_>>,
    faults: &Faults<'_>,
) -> Golden {
    let (root, folder, is_parallel) = match parallel(scenario) {
        Some((root, folder)) => (root, folder, true),
        None => {
            let folder = scenario.parent().unwrap_or(Path::new("")).to_owned();
            (folder.clone(), folder, false)
        }
    };
    let path = match (named, scenario.file_stem()) {
        (Some(named), _) => folder.join(named.path),
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
    Golden::File { path, named: span }
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
/// typed, without the extension.
pub(super) fn scenario_name(path: &Path) -> String {
    let is_around = path.components().any(|part| part == Component::ParentDir);
    let whole = if is_around {
        path.canonicalize().ok()
    } else {
        None
    };
    let path = whole.as_deref().unwrap_or(path).with_extension("");
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
    let root = if root.as_os_str().is_empty() {
        Path::new(".")
    } else {
        root
    };
    let Ok(root) = root.canonicalize() else {
        return false;
    };
    let mut part = path;
    loop {
        let shown = if part.as_os_str().is_empty() {
            Path::new(".")
        } else {
            part
        };
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

fn refuse(path: &Path, root: &Path, named: Option<Span>, faults: &Faults<'_>) {
    let root = if root.as_os_str().is_empty() {
        Path::new(".")
    } else {
        root
    };
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

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::{env, fs};

    use super::*;
    use crate::diagnostic::{Diagnostics, Source};

    fn golden(scenario: &Path, named: Option<&str>) -> (Golden, Diagnostics) {
        let source = Source::new("s.yaml", "golden: x.txt\n");
        let faults = Faults::new(&source);
        let named = named.map(|path| NamedGolden {
            path,
            span: Span::new(8, 13),
        });
        let golden = on_disk(scenario, None, named, &faults);
        (golden, faults.into_diagnostics())
    }

    fn path_of(scenario: &Path, named: Option<&str>) -> PathBuf {
        match golden(scenario, named) {
            (Golden::File { path, .. }, _) => path,
            (golden, diagnostics) => panic!("{golden:?} {diagnostics:?}"),
        }
    }

    fn project() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("scenarios/mine")).unwrap();
        (folder, root)
    }

    #[test]
    fn is_in_the_tree_beside_the_nearest_folder_of_scenarios() {
        let (_folder, root) = project();
        fs::create_dir_all(root.join("scenarios/old/scenarios")).unwrap();
        assert_eq!(
            path_of(&root.join("scenarios/mine/a.yaml"), None),
            root.join("snapshots/mine/a.txt")
        );
        assert_eq!(
            path_of(&root.join("scenarios/b.yml"), None),
            root.join("snapshots/b.txt")
        );
        let nested = root.join("scenarios/old/scenarios/c.yaml");
        assert_eq!(
            path_of(&nested, None),
            root.join("scenarios/old/snapshots/c.txt")
        );
        let named = path_of(&root.join("scenarios/mine/a.yaml"), Some("x/seed.txt"));
        assert_eq!(named, root.join("snapshots/mine/x/seed.txt"));
        let around = root.join("scenarios/mine/../mine/a.yaml");
        assert_eq!(path_of(&around, None), root.join("snapshots/mine/a.txt"));
    }

    #[test]
    fn is_beside_a_scenario_that_is_in_no_such_folder() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        assert_eq!(
            path_of(&root.join("a.b.yaml"), None),
            root.join("a.b.golden.txt")
        );
        assert_eq!(
            path_of(&root.join("a.yaml"), Some("b.txt")),
            root.join("b.txt")
        );
    }

    #[test]
    fn a_path_as_it_was_typed_stays_relative() {
        assert!(
            env::current_dir().unwrap().join("scenarios").is_dir(),
            "tests run in the package's folder"
        );
        let path = path_of(Path::new("scenarios/x/a.yaml"), None);
        assert_eq!(path, Path::new("snapshots/x/a.txt"));
        assert_eq!(
            path_of(Path::new("src/a.yaml"), None),
            Path::new("src/a.golden.txt")
        );
        assert_eq!(
            path_of(Path::new("a.yaml"), None),
            Path::new("a.golden.txt")
        );
    }

    #[test]
    fn a_link_that_leads_out_is_refused_and_one_that_stays_is_not() {
        let (_folder, root) = project();
        let elsewhere = tempfile::tempdir().unwrap();
        fs::write(elsewhere.path().join("x.txt"), "").unwrap();
        fs::create_dir(root.join("snapshots")).unwrap();
        let scenario = root.join("scenarios/mine/a.yaml");

        symlink(elsewhere.path(), root.join("snapshots/mine")).unwrap();
        let (golden_is, diagnostics) = golden(&scenario, Some("x.txt"));
        assert_eq!(golden_is, Golden::None);
        let drawn = diagnostics.draw(crate::diagnostic::Paint::Plain);
        assert!(
            drawn.contains("s.yaml:1:9") && drawn.contains("is not inside"),
            "{drawn}"
        );
        assert!(golden(&scenario, None).1.has_errors());

        fs::remove_file(root.join("snapshots/mine")).unwrap();
        fs::create_dir(root.join("snapshots/mine")).unwrap();
        symlink(
            elsewhere.path().join("x.txt"),
            root.join("snapshots/mine/x.txt"),
        )
        .unwrap();
        symlink(root.join("nowhere"), root.join("snapshots/mine/y.txt")).unwrap();
        fs::write(root.join("real.txt"), "").unwrap();
        symlink(root.join("real.txt"), root.join("snapshots/mine/z.txt")).unwrap();
        assert!(golden(&scenario, Some("x.txt")).1.has_errors());
        assert!(golden(&scenario, Some("y.txt")).1.has_errors());
        assert!(!golden(&scenario, Some("z.txt")).1.has_errors());
    }

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
        let (_folder, root) = project();
        fs::write(root.join("scenarios/mine/a.yaml"), "").unwrap();
        assert_eq!(
            scenario_name(&root.join("scenarios/mine/../mine/a.yaml")),
            "mine/a"
        );
    }
}
