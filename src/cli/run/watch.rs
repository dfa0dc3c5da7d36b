//! `urtext run --watch`: plays again whenever a file changes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use notify::{RecursiveMode, Watcher};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::{Instant, timeout_at};

use super::RunArgs;
use crate::cli::Status;
use crate::cli::interrupt::interruptible;
use crate::cli::output::{OrBroken, print};
use crate::config::file;
use crate::diagnostic::{counted, visible};
use crate::engine::GamePlan;
use crate::platform::folder_of;
use crate::scenario::is_scenario_file;

/// The time for which no file may change before the next run: an editor renames files, and a compiler writes for a while.
const SETTLED: Duration = Duration::from_millis(300);

impl RunArgs {
    /// Plays and watches until it is interrupted.
    ///
    /// # Errors
    /// The status to exit with, after printing why files cannot be watched.
    pub(super) fn play_and_watch(&self) -> Result<Status, Status> {
        play_again_and_again(self).or_broken("files cannot be watched")
    }
}

fn play_again_and_again(args: &RunArgs) -> Result<Status, notify::Error> {
    let (send, mut changes) = unbounded_channel();
    let mut watcher = notify::recommended_watcher(move |event: Result<notify::Event, _>| {
        let event = event.ok().filter(|event| !event.kind.is_access());
        for path in event.into_iter().flat_map(|event| event.paths) {
            let _ = send.send(path);
        }
    })?;
    let folders = args.paths.iter().filter(|path| path.is_dir());
    let mut files = Files {
        folders: folders.map(|path| whole(path)).collect(),
        files: BTreeSet::new(),
    };
    let mut watched = BTreeSet::new();
    loop {
        let args = args.clone().with_defaults();
        let plan = args.plan();
        files.update(&args, plan.as_ref().ok().map(|plan| &*plan.games));
        for (folder, mode) in files.watched() {
            if watched.insert(folder.clone()) {
                watcher.watch(&folder, mode)?;
            }
        }
        // What changes while it plays is played after it.
        let played = plan.and_then(|plan| args.play(plan));
        if played == Ok(Status::Interrupted) {
            return Ok(Status::Interrupted);
        }
        print(&format!(
            "watching {} in {}; Ctrl-C ends",
            counted(files.files.len(), "file"),
            counted(watched.len(), "folder")
        ));
        let changed = interruptible::<_, notify::Error>(async |interrupt| {
            tokio::select! {
                changed = files.changed(&mut changes) => Ok(Some(changed)),
                () = interrupt.come() => Ok(None),
            }
        })?;
        let Some(changed) = changed else {
            return Ok(Status::Interrupted);
        };
        let here = whole(Path::new("."));
        print("");
        for path in changed {
            let path = path.strip_prefix(&here).unwrap_or(&path);
            let path = visible::path(path);
            print(&format!("changed: {path}"));
        }
    }
}

/// The files on which a run depends, by whole paths.
struct Files {
    /// Folders that the user named: new scenarios below them count.
    folders: Vec<PathBuf>,
    files: BTreeSet<PathBuf>,
}

impl Files {
    /// Takes the files of a run. Those of the run before stay if its plan has errors.
    fn update(&mut self, args: &RunArgs, games: Option<&[GamePlan]>) {
        let config = args.subject.config_file();
        let baseline = args.options.baseline.path(config.as_deref());
        let config = config.unwrap_or(file::NAME.into());
        let mut files = vec![config, baseline];
        files.extend(args.paths.iter().filter(|path| !path.is_dir()).cloned());
        if let Some(games) = games {
            self.files.clear();
            for game in games {
                files.extend(game.scenario.files());
                let program = game.subject.program.as_ref();
                files.extend(program.map_or_else(Vec::new, |program| program.files()));
            }
        }
        self.files.extend(files.iter().map(|path| whole(path)));
    }

    /// The folders to watch.
    fn watched(&self) -> Vec<(PathBuf, RecursiveMode)> {
        let named = self.folders.iter();
        let named = named.map(|folder| (folder.clone(), RecursiveMode::Recursive));
        let others = self.files.iter().map(|path| folder_of(path));
        let others = others.filter(|folder| {
            let is_below = |named: &PathBuf| folder.starts_with(named);
            folder.is_dir() && !self.folders.iter().any(is_below)
        });
        let others = others.map(|folder| (folder.to_owned(), RecursiveMode::NonRecursive));
        named.chain(others).collect()
    }

    /// Waits for a change, and returns the files once they have settled.
    async fn changed(&self, changes: &mut UnboundedReceiver<PathBuf>) -> BTreeSet<PathBuf> {
        let mut changed = BTreeSet::new();
        let mut settled = None;
        loop {
            let path = match settled {
                None => changes.recv().await,
                Some(settled) => match timeout_at(settled, changes.recv()).await {
                    Ok(path) => path,
                    Err(_) => return changed,
                },
            };
            let Some(path) = path else { return changed };
            let is_new = || self.folders.iter().any(|folder| path.starts_with(folder));
            if self.files.contains(&path) || is_scenario_file(&path) && is_new() {
                changed.insert(path);
                settled = Some(Instant::now() + SETTLED);
            }
        }
    }
}

/// The whole path of a file that may not exist: that of its folder, if this exists.
fn whole(path: &Path) -> PathBuf {
    let of_folder = || Some(folder_of(path).canonicalize().ok()?.join(path.file_name()?));
    let found = path.canonicalize().ok().or_else(of_folder);
    found.unwrap_or_else(|| path.to_owned())
}
