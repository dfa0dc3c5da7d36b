//! The files on which planned games depend: a change of one of them is a reason to play again.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::GamePlan;
use crate::platform::folder_of;

/// Files, each with the games that depend on it.
#[derive(Debug, Default)]
pub struct GameFiles {
    /// Names of scenarios by whole path.
    of_scenarios: BTreeMap<PathBuf, BTreeSet<String>>,
    /// The same for the files of subjects.
    of_subjects: BTreeMap<PathBuf, BTreeSet<String>>,
    /// Whole paths of files on which every game depends.
    of_all: BTreeSet<PathBuf>,
}

/// The games that depend on what has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Touched {
    /// All of them.
    All,
    /// Those of the scenarios of these names; perhaps none.
    Some(BTreeSet<String>),
}

impl Touched {
    /// The games of either.
    #[must_use]
    pub fn and(self, other: Touched) -> Touched {
        match (self, other) {
            (Touched::Some(mut names), Touched::Some(mut others)) => {
                names.append(&mut others);
                Touched::Some(names)
            }
            _ => Touched::All,
        }
    }
}

impl GameFiles {
    /// The files of these games: the scenario with what it includes, its golden transcript, and the subject's program. All games depend on
    /// the files `of_all`, which need not exist.
    #[must_use]
    pub fn of(plans: &[GamePlan], of_all: impl IntoIterator<Item = PathBuf>) -> GameFiles {
        let mut files = GameFiles {
            of_all: of_all.into_iter().map(|path| whole(&path)).collect(),
            ..GameFiles::default()
        };
        for plan in plans {
            let mut add = |paths: Vec<PathBuf>, is_subjects: bool| {
                let known = match is_subjects {
                    true => &mut files.of_subjects,
                    false => &mut files.of_scenarios,
                };
                for path in paths {
                    let names = known.entry(whole(&path)).or_default();
                    names.insert(plan.scenario.name.clone());
                }
            };
            add(plan.scenario.files(), false);
            let program = plan.subject.program.as_ref();
            add(
                program.map_or_else(Vec::new, |program| program.files()),
                true,
            );
        }
        files
    }

    /// Returns the games that depend on these files, by whole paths.
    #[must_use]
    pub fn touched(&self, changed: &BTreeSet<PathBuf>) -> Touched {
        if changed.iter().any(|path| self.of_all.contains(path)) {
            return Touched::All;
        }
        let of = |path: &PathBuf| [self.of_scenarios.get(path), self.of_subjects.get(path)];
        let names = changed.iter().flat_map(of).flatten().flatten();
        Touched::Some(names.cloned().collect())
    }

    /// Returns true if a game depends on the file.
    #[must_use]
    pub fn has(&self, path: &Path) -> bool {
        self.of_scenarios.contains_key(path) || self.of_all.contains(path) || self.is_subjects(path)
    }

    /// Returns true if the file belongs to a subject: it may be written for a while.
    #[must_use]
    pub fn is_subjects(&self, path: &Path) -> bool {
        self.of_subjects.contains_key(path)
    }

    /// The folders that hold these files, as far as they exist.
    #[must_use]
    pub fn folders(&self) -> BTreeSet<PathBuf> {
        let known = self.of_scenarios.keys().chain(self.of_subjects.keys());
        let folders = known.chain(&self.of_all).map(|path| folder_of(path));
        folders
            .filter(|folder| folder.is_dir())
            .map(Path::to_owned)
            .collect()
    }

    /// Number of files.
    #[must_use]
    pub fn count(&self) -> usize {
        self.of_scenarios.len() + self.of_subjects.len() + self.of_all.len()
    }
}

/// The whole path of a file that may not exist: that of its folder, if this exists.
#[must_use]
fn whole(path: &Path) -> PathBuf {
    let of_folder = || Some(folder_of(path).canonicalize().ok()?.join(path.file_name()?));
    let found = path.canonicalize().ok().or_else(of_folder);
    found.unwrap_or_else(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;

    use super::*;
    use crate::config::{Folder, Program, Subject, Template, Way};
    use crate::scenario::{self, Side};

    /// The games of two scenarios, one of which includes a file, with a subject in this folder.
    fn files(root: &Path) -> GameFiles {
        let text =
            "scenario: s\ngame: royalur\nsubject: referee\nchecks: [ur/skip/roll-0]\nturns:\n";
        for (name, turn) in [
            ("scenarios/a", "include: _opening.yaml"),
            ("scenarios/b", "first: 0 0 0 0"),
        ] {
            fs::create_dir_all(root.join("scenarios")).unwrap();
            fs::write(
                root.join(name).with_extension("yaml"),
                format!("{text}  - {turn}\n  - second: 0 0 0 0\n"),
            )
            .unwrap();
        }
        fs::write(
            root.join("scenarios/_opening.yaml"),
            "turns:\n  - first: 0 0 0 0\n",
        )
        .unwrap();
        fs::write(root.join("bot.py"), "").unwrap();
        let (scenarios, faults) = scenario::load(&[root.join("scenarios")]);
        assert!(faults.is_empty(), "{faults:?}");
        let words = ["./new", "bot.py", "{seed}"];
        let command = Template::parse(&words).unwrap();
        let program = Program {
            folder: Folder::At(root.to_owned()),
            ..Program::from(command)
        };
        let mut subject = Subject::new("s", Side::Bot, scenarios[0].protocol(), Way::Stdio);
        subject.program = Some(program);
        let plans: Vec<_> = scenarios
            .into_iter()
            .map(|scenario| GamePlan {
                scenario: Arc::new(scenario),
                subject: Arc::new(subject.clone()),
                golden: None,
                seed: 1,
            })
            .collect();
        GameFiles::of(&plans, [root.join("urtext.yaml")])
    }

    #[test]
    fn a_change_touches_the_games_that_depend_on_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let files = files(&root);
        let touched = |name: &str| files.touched(&BTreeSet::from([root.join(name)]));
        let some =
            |names: &[&str]| Touched::Some(names.iter().map(|name| (*name).to_owned()).collect());
        assert_eq!(touched("scenarios/b.yaml"), some(&["b"]));
        assert_eq!(touched("scenarios/_opening.yaml"), some(&["a"]));
        assert_eq!(
            touched("snapshots/a.txt"),
            some(&["a"]),
            "it does not exist yet"
        );
        assert_eq!(touched("bot.py"), some(&["a", "b"]));
        assert_eq!(
            touched("new"),
            some(&["a", "b"]),
            "a program may be built later"
        );
        assert_eq!(touched("urtext.yaml"), Touched::All);
        assert_eq!(touched("notes.txt"), some(&[]));
        assert!(files.has(&root.join("bot.py")) && files.is_subjects(&root.join("bot.py")));
        assert!(!files.has(&root.join("notes.txt")));
    }
}
