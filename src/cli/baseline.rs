//! The baseline that the command line names, or that is next to `urtext.yaml`.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::config::file;
use crate::diagnostic::Diagnostics;
use crate::report::Baseline;

/// The known failures.
#[derive(Debug, Args)]
pub(super) struct BaselineArgs {
    /// The file with the known failures [default: urtext-baseline.yaml next to urtext.yaml]
    ///
    /// A failure that the file expects leaves the exit status at 0. An expected failure that passes, and an entry that expired, give
    /// status 1 and name the lines to delete.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
}

impl BaselineArgs {
    /// Reads the file that is named, or the one next to this `urtext.yaml`; without that, the one in this folder. `None`: there is none.
    ///
    /// # Errors
    /// Everything that is wrong with the file.
    pub(super) fn read(&self, config: Option<&Path>) -> Result<Option<Baseline>, Diagnostics> {
        let usual = || {
            let path = config
                .unwrap_or(Path::new(""))
                .with_file_name(Baseline::NAME);
            file::is_there(&path).then_some(path)
        };
        let path = self.baseline.clone().or_else(usual);
        path.map(|path| Baseline::load(&path)).transpose()
    }
}
