//! Golden transcripts that wait for review, and those that no scenario has.

use std::collections::{BTreeSet, HashSet};
use std::io::Read;
use std::path::{Path, PathBuf};

use super::{Golden, Plan, files_below, golden as place, load};
use crate::diagnostic::{self, Diagnostics};
use crate::transcript::golden::{self, Proposal};

/// What is to be reviewed below some paths.
#[derive(Debug, Default)]
pub struct Review {
    /// The scenarios for which a golden transcript waits, in their order.
    pub waiting: Vec<PendingGolden>,
    /// Golden transcripts, and such that wait, of which no scenario is there any more, sorted.
    pub unreferenced: Vec<PathBuf>,
}

/// A golden transcript that waits for review.
#[derive(Debug)]
pub struct PendingGolden {
    /// Name of the scenario.
    pub scenario: String,
    /// Path of the golden transcript.
    pub path: PathBuf,
    /// What is proposed for it.
    pub proposal: Proposal,
    /// True if it is taken or refused as a whole: it is the prediction of a model.
    pub is_whole: bool,
}

impl Review {
    /// Looks through the scenarios that these paths mean, and through the folders that belong to those that are folders.
    ///
    /// A file that no scenario has is only listed where every scenario of its folder could be read.
    #[must_use]
    pub fn of(paths: &[PathBuf]) -> (Review, Diagnostics) {
        let (scenarios, mut faults) = load(paths);
        let mut review = Review::default();
        let mut known = HashSet::new();
        for scenario in scenarios {
            let Golden::File { path, .. } = &scenario.golden else {
                continue;
            };
            known.insert(whole(path));
            known.insert(whole(&golden::pending_path(path)));
            match Proposal::read(path) {
                Ok(Some(proposal)) => review.waiting.push(PendingGolden {
                    scenario: scenario.name.clone(),
                    path: path.clone(),
                    proposal,
                    is_whole: matches!(scenario.plan, Plan::Game(_)),
                }),
                Ok(None) => {}
                Err(found) => faults.append(found),
            }
        }
        if !faults.has_errors() {
            review.unreferenced = unreferenced(paths, &known, &mut faults);
        }
        (review, faults)
    }
}

/// The golden transcripts in the folders of these paths, less the known ones.
fn unreferenced(
    paths: &[PathBuf],
    known: &HashSet<PathBuf>,
    faults: &mut Diagnostics,
) -> Vec<PathBuf> {
    let folders: Vec<PathBuf> = paths.iter().filter(|path| path.is_dir()).cloned().collect();
    // The trees beside: of each file, the folder that would hold its golden transcript.
    let mut trees: BTreeSet<PathBuf> = folders.iter().cloned().collect();
    trees.extend(
        folders
            .iter()
            .filter_map(|folder| place::tree_beside(folder)),
    );
    let mut found = BTreeSet::new();
    for tree in trees.iter().filter(|tree| tree.is_dir()) {
        let files = files_below(tree, faults).into_iter();
        found.extend(files.filter(|file| is_golden_file(file) && !known.contains(&whole(file))));
    }
    found.into_iter().collect()
}

/// Returns true if the file is a golden transcript by its name and its first line, valid or not.
fn is_golden_file(path: &Path) -> bool {
    const ENOUGH: u64 = 64;
    let name = path.to_string_lossy();
    let mut start = Vec::new();
    (name.ends_with(".txt") || name.ends_with(".txt.new"))
        && diagnostic::open(path)
            .and_then(|file| file.take(ENOUGH).read_to_end(&mut start))
            .is_ok()
        && golden::is_golden(&start)
}

fn whole(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
