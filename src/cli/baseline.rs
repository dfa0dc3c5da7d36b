//! The baseline that the command line names, or that is next to `urtext.yaml`; and `urtext baseline`.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::Status;
use super::output::{broken, print, say, usage};
use super::report::complete;
use crate::config::file;
use crate::diagnostic::Diagnostics;
use crate::platform::write_output;
use crate::report::Baseline;

/// Arguments of `urtext baseline`.
#[derive(Debug, Args)]
pub(super) struct BaselineCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Adds the failures of a run to the file, and keeps its comments and its order
    Update(UpdateArgs),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  urtext run --report json=run.json; urtext baseline update run.json

An entry that was not judged in the run stays. Exit status: 0; 2 the file has a fault, or the report is a part of a run; 3 the report
cannot be read, or the file cannot be written.")]
struct UpdateArgs {
    /// The JSON report of the run
    report: PathBuf,

    /// Removes the entries whose failure did not occur, although their scenarios were played
    #[arg(long)]
    prune: bool,

    #[command(flatten)]
    file: BaselineArgs,
}

impl BaselineCommand {
    pub(super) fn run(&self) -> Status {
        let Action::Update(args) = &self.action;
        args.run().unwrap_or_else(|status| status)
    }
}

impl UpdateArgs {
    fn run(&self) -> Result<Status, Status> {
        let refused = |faults: Diagnostics| {
            say(&faults);
            Status::Usage
        };
        let results = complete(&self.report)?;
        if results.run.shard.is_some() {
            return Err(usage(
                "this is the report of a part of a run; `urtext report merge` joins the parts",
            ));
        }
        let path = self.file.path(file::find(Path::new(".")).as_deref());
        let baseline = match file::is_there(&path) {
            true => Baseline::load(&path).map_err(refused)?,
            false => Baseline::empty(&path),
        };
        let updated = baseline.updated(&results, self.prune);
        let updated = updated.map_err(|fault| refused(fault.into()))?;
        let removed = if self.prune { updated.stale } else { 0 };
        if updated.added + removed > 0
            && let Err(error) = write_output(&path, updated.text.as_bytes())
        {
            let path = path.display();
            return Err(broken(&format!("{path} cannot be written: {error}")));
        }
        let added = updated.added;
        let mut line = format!("{}: {added} added, {removed} removed", path.display());
        if !self.prune && updated.stale > 0 {
            line.push_str(&format!(
                "; {} no longer hold (--prune removes them)",
                updated.stale
            ));
        }
        print(&line);
        Ok(Status::Conforms)
    }
}

/// The known failures.
#[derive(Debug, Clone, Args)]
pub(super) struct BaselineArgs {
    /// The file with the known failures [default: urtext-baseline.yaml next to urtext.yaml]
    ///
    /// A failure that the file expects leaves the exit status at 0. An expected failure that passes, and an entry that expired, give
    /// status 1 and name the lines to delete.
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

    /// Reads the file. `None`: none is named, and there is none.
    ///
    /// # Errors
    /// Everything that is wrong with the file.
    pub(super) fn read(&self, config: Option<&Path>) -> Result<Option<Baseline>, Diagnostics> {
        let path = self.path(config);
        let path = (self.baseline.is_some() || file::is_there(&path)).then_some(path);
        path.map(|path| Baseline::load(&path)).transpose()
    }
}
