//! `urtext run --watch`: plays again what a change of a file touches.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::RunArgs;
use crate::cli::Status;
use crate::cli::interrupt::interruptible;
use crate::cli::output::{broken, print};
use crate::config::file;
use crate::diagnostic::{counted, visible};
use crate::engine::{GameFiles, GamePlan, Touched};
use crate::scenario::discover;

/// How often files are looked at.
const EVERY: Duration = Duration::from_millis(100);

/// Number of looks at which nothing has changed any more: a program may be built for a while.
const QUIET: u32 = 3;

/// Files that count, each with its time and length; `None`: there is no such file.
type Stamps = BTreeMap<PathBuf, Option<(SystemTime, u64)>>;

/// Files on which the games depend.
struct Watch {
    args: RunArgs,
    files: GameFiles,
    /// The files that have changed and were not played yet; `None`: nothing was played yet.
    changed: Option<BTreeSet<PathBuf>>,
}

impl Watch {
    /// Finds out which files count now, and returns them with the arguments that play what has changed; without arguments where nothing is
    /// touched, or where the files have faults, which are said. What has changed is then kept for the next time.
    fn plan(&mut self) -> (Option<RunArgs>, Stamps) {
        let mut args = self.args.clone();
        args.take_defaults();
        let planned = args.planned();
        let before = self.touched();
        let config = args.subject.config_file();
        let baseline = args.baseline.path(config.as_deref());
        let of_all = config.into_iter().chain([baseline]);
        if let Ok(planned) = &planned {
            self.files = GameFiles::of(&planned.games, of_all);
        }
        let seen = self.stamps();
        let Ok(planned) = planned else {
            return (None, seen);
        };
        let touched = before.and(self.touched());
        self.changed = Some(BTreeSet::new());
        let args = self.args.clone();
        let Touched::Some(names) = touched else {
            return (Some(args), seen);
        };
        let is_touched = |game: &&GamePlan| names.contains(&game.scenario.name);
        let count = planned.games.iter().filter(is_touched).count();
        let of = counted(planned.games.len(), "scenario");
        print(&format!("plays {count} of {of}"));
        let args = (count > 0).then(|| args.only(names));
        (args, seen)
    }

    /// The games that depend on what has changed.
    fn touched(&self) -> Touched {
        let changed = self.changed.as_ref();
        changed.map_or(Touched::All, |changed| self.files.touched(changed))
    }

    /// Looks at every file on which a game depends, or may from now on.
    fn stamps(&self) -> Stamps {
        let named = self.args.paths.iter();
        let named = named.filter_map(|path| path.canonicalize().ok());
        let (scenarios, _) = discover(&named.collect::<Vec<_>>());
        // Where nothing could be planned yet, urtext.yaml may be what has to change.
        let config = Path::new(file::NAME).canonicalize().ok();
        let paths = self.files.paths().cloned().chain(scenarios).chain(config);
        let stamp = |path: &PathBuf| {
            let found = path.metadata().ok()?;
            Some((found.modified().ok()?, found.len()))
        };
        paths.map(|path| (path.clone(), stamp(&path))).collect()
    }

    /// Waits until files have changed, and are written.
    async fn change(&self, seen: &Stamps) -> BTreeSet<PathBuf> {
        let (mut last, mut quiet) = (self.stamps(), 0);
        loop {
            tokio::time::sleep(EVERY).await;
            let now = self.stamps();
            quiet = if now == last { quiet + 1 } else { 0 };
            if quiet >= QUIET && now != *seen {
                let paths = now.keys().chain(seen.keys());
                let changed = paths.filter(|path| now.get(*path) != seen.get(*path));
                return changed.cloned().collect();
            }
            last = now;
        }
    }
}

/// Names a file that has changed, by its path from the current folder where it is below.
fn say_changed(path: &Path) {
    let here = Path::new(".").canonicalize().unwrap_or_default();
    let path = path.strip_prefix(&here).unwrap_or(path);
    let path = visible::plain(path.as_os_str().as_encoded_bytes());
    print(&format!("\nchanged: {path}"));
}

impl RunArgs {
    /// Plays and watches until it is interrupted.
    pub(super) fn play_again_and_again(self) -> Status {
        let mut watch = Watch {
            args: self,
            files: GameFiles::default(),
            changed: None,
        };
        loop {
            // What changes while it plays is played after it.
            let (args, seen) = watch.plan();
            if args.map(RunArgs::play_once) == Some(Status::Interrupted) {
                return Status::Interrupted;
            }
            let files = counted(seen.len(), "file");
            print(&format!("watching {files}; Ctrl-C ends"));
            let changed: io::Result<_> = interruptible(async |interrupt| {
                tokio::select! {
                    changed = watch.change(&seen) => Ok(Some(changed)),
                    () = interrupt.come() => Ok(None),
                }
            });
            match changed {
                Ok(Some(mut changed)) => {
                    changed.iter().for_each(|path| say_changed(path));
                    if let Some(before) = &mut watch.changed {
                        before.append(&mut changed);
                    }
                }
                Ok(None) => return Status::Interrupted,
                Err(error) => return broken(&format!("files cannot be watched: {error}")),
            }
        }
    }

    /// The same run, of the scenarios of these names alone.
    fn only(mut self, names: BTreeSet<String>) -> RunArgs {
        self.filters.again = Some(names);
        self
    }
}
