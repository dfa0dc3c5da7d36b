//! The baseline that the command line names, or that is next to `urtext.yaml`.

use std::path::{Path, PathBuf};

use clap::Args;

use super::Status;
use super::output::{readable, write_file};
use crate::config::file;
use crate::diagnostic::Diagnostics;
use crate::report::{Baseline, Results};

/// The known failures.
#[derive(Debug, Clone, Args)]
pub(super) struct BaselineArgs {
    /// The file with the known failures [default: urtext-baseline.yaml next to urtext.yaml]
    ///
    /// An expected failure leaves the exit status at 0. One that passes, or an entry that expired, gives status 1 and names the lines to
    /// delete.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
}

impl BaselineArgs {
    /// Sets the file, where none is named.
    pub(super) fn default_to(&mut self, file: Option<PathBuf>) {
        self.baseline = self.baseline.take().or(file);
    }

    /// The file that is named, or the one next to this `urtext.yaml`; without that, the one in this folder.
    pub(super) fn path(&self, config: Option<&Path>) -> PathBuf {
        let usual = || {
            config
                .unwrap_or(Path::new(""))
                .with_file_name(Baseline::NAME)
        };
        self.baseline.clone().unwrap_or_else(usual)
    }

    /// Reads the file. `None`: there is none, and none is named or `is_new` allows that.
    ///
    /// # Errors
    /// Everything that is wrong with the file.
    pub(super) fn read(
        &self,
        config: Option<&Path>,
        is_new: bool,
    ) -> Result<Option<Baseline>, Diagnostics> {
        let path = self.path(config);
        let is_due = file::is_there(&path) || self.baseline.is_some() && !is_new;
        is_due.then(|| Baseline::load(&path)).transpose()
    }

    /// Appends entries for the failures that no entry expects, and returns the file with them. Says on standard error how many they are.
    ///
    /// # Errors
    /// The exit status, after printing the reason.
    pub(super) fn update(
        &self,
        config: Option<&Path>,
        known: Option<Baseline>,
        results: &Results,
    ) -> Result<Baseline, Status> {
        let path = self.path(config);
        let mut baseline = known.unwrap_or_else(|| Baseline::empty(&path));
        let added = readable(baseline.append(results))?;
        if added > 0 {
            write_file(&path, baseline.text().as_bytes())?;
        }
        anstream::eprintln!("{}: {added} added", path.display());
        Ok(baseline)
    }
}
