//! What `urtext watch` asks of the options of a run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::RunArgs;
use crate::cli::Status;
use crate::engine::GamePlan;

impl RunArgs {
    /// Returns true if the run has the terminal for itself.
    pub(in crate::cli) fn has_a_screen(&self) -> bool {
        self.debug.debug
    }

    /// The games to play.
    ///
    /// # Errors
    /// The status to exit with, after saying what is wrong.
    pub(in crate::cli) fn planned_games(mut self) -> Result<Vec<GamePlan>, Status> {
        self.take_defaults();
        Ok(self.planned()?.games)
    }

    /// The same run, of the scenarios of these names alone.
    pub(in crate::cli) fn only(&self, names: BTreeSet<String>) -> RunArgs {
        let mut args = self.clone();
        args.filters.only = Some(names);
        args
    }

    /// The folders whose scenarios are played.
    pub(in crate::cli) fn folders(&self) -> impl Iterator<Item = &Path> {
        let folders = self.paths.iter().filter(|path| path.is_dir());
        folders.map(PathBuf::as_path)
    }

    /// Returns true if this is one of the files that are named, by its whole path.
    pub(in crate::cli) fn is_named(&self, file: &Path) -> bool {
        let is_it = |path: &PathBuf| path.canonicalize().is_ok_and(|path| path == file);
        self.paths.iter().any(is_it)
    }

    /// The files on which every game depends: that of the subjects, and that of the known failures.
    pub(in crate::cli) fn files_of_all(&self) -> Vec<PathBuf> {
        let config = self.subject.config_file();
        let baseline = self.baseline.path(config.as_deref());
        config.into_iter().chain([baseline]).collect()
    }
}
