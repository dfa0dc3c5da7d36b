//! `urtext run --watch`: plays again what a change of a file touches.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use notify::event::{AccessKind, AccessMode};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::{Instant, timeout_at};

use super::RunArgs;
use crate::cli::Status;
use crate::cli::interrupt::interruptible;
use crate::cli::output::{broken, print};
use crate::diagnostic::{counted, visible};
use crate::engine::{GameFiles, GamePlan, Touched};
use crate::scenario::is_scenario_file;

/// Events that follow each other this fast are one change: an editor that saves writes, renames and removes.
const TOGETHER: Duration = Duration::from_millis(30);
/// The longest time until the user is told of a change.
const TOLD: Duration = Duration::from_millis(80);
/// The time for which a subject's file has to stay as it is before it is started.
const SETTLED: Duration = Duration::from_millis(300);
/// The longest time that a subject's file is waited for.
const BUILT: Duration = Duration::from_secs(60);

/// Files and folders that are watched, and what comes of it.
struct Watch {
    args: RunArgs,
    files: GameFiles,
    /// Folders that the user named: new scenarios below them count.
    named: Vec<PathBuf>,
    watcher: RecommendedWatcher,
    changes: UnboundedReceiver<PathBuf>,
    watched: BTreeSet<PathBuf>,
    /// The files that have changed and were not played yet; `None`: nothing was played yet.
    changed: Option<BTreeSet<PathBuf>>,
}

fn watch(args: RunArgs) -> Result<Status, notify::Error> {
    let (tell, changes) = unbounded_channel();
    let watcher = notify::recommended_watcher(move |event: Result<notify::Event, _>| {
        let Ok(event) = event else { return };
        if is_change(event.kind) {
            event
                .paths
                .into_iter()
                .for_each(|path| drop(tell.send(path)));
        }
    })?;
    let named = args
        .folders()
        .filter_map(|folder| folder.canonicalize().ok());
    let mut watch = Watch {
        named: named.collect(),
        files: GameFiles::default(),
        watcher,
        changes,
        watched: BTreeSet::new(),
        changed: None,
        args,
    };
    loop {
        // What changes while it plays is played after it.
        let played = watch.plan()?.map(RunArgs::play_once);
        if played == Some(Status::Interrupted) {
            return Ok(Status::Interrupted);
        }
        let (files, folders) = (watch.files.count(), watch.watched.len());
        print(&format!(
            "watching {} in {}; Ctrl-C ends",
            counted(files, "file"),
            counted(folders, "folder")
        ));
        let is_over = interruptible::<_, notify::Error>(async |interrupt| {
            tokio::select! {
                () = watch.next_change() => Ok(false),
                () = interrupt.come() => Ok(true),
            }
        })?;
        if is_over {
            return Ok(Status::Interrupted);
        }
    }
}

/// Returns true if the content of a file may be another one now.
fn is_change(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(kind) => kind == AccessKind::Close(AccessMode::Write),
        _ => true,
    }
}

impl Watch {
    /// Finds out which files count now, watches their folders, and returns the arguments that play what has changed; `None` where nothing is
    /// touched, or where the files have faults, which are said. What has changed is then kept for the next time.
    fn plan(&mut self) -> Result<Option<RunArgs>, notify::Error> {
        let planned = self.args.clone().planned_games();
        let before = self.touched();
        if let Ok(games) = &planned {
            self.files = GameFiles::of(games, self.args.files_of_all());
        }
        self.watch_folders()?;
        let Ok(games) = planned else {
            return Ok(None);
        };
        let touched = before.and(self.touched());
        self.changed = Some(BTreeSet::new());
        let Touched::Some(names) = touched else {
            return Ok(Some(self.args.clone()));
        };
        let is_touched = |game: &&GamePlan| names.contains(&game.scenario.name);
        let count = games.iter().filter(is_touched).count();
        let of = counted(games.len(), "scenario");
        print(&format!("plays {count} of {of}"));
        Ok((count > 0).then(|| self.args.only(names)))
    }

    /// The games that depend on what has changed.
    fn touched(&self) -> Touched {
        let changed = self.changed.as_ref();
        changed.map_or(Touched::All, |changed| self.files.touched(changed))
    }

    /// Watches the folders that hold files, those that were named with all that is below them.
    fn watch_folders(&mut self) -> Result<(), notify::Error> {
        let mut folders = self.files.folders();
        // Where nothing could be planned yet, urtext.yaml may be what has to change.
        folders.extend(Path::new(".").canonicalize().ok());
        for folder in &self.named {
            if self.watched.insert(folder.clone()) {
                self.watcher.watch(folder, RecursiveMode::Recursive)?;
            }
        }
        for folder in folders {
            let is_below = self.named.iter().any(|named| folder.starts_with(named));
            if !is_below && self.watched.insert(folder.clone()) {
                self.watcher.watch(&folder, RecursiveMode::NonRecursive)?;
            }
        }
        Ok(())
    }

    /// Waits for a change, says of which files it is, and ends once they are written.
    async fn next_change(&mut self) {
        let mut changed = BTreeSet::new();
        while changed.is_empty() {
            let path = self.changes.recv().await;
            changed.extend(path.filter(|path| self.counts(path)));
        }
        self.gather(&mut changed, TOGETHER, TOLD).await;
        for path in &changed {
            let path = self.shown(path);
            print(&format!("\nchanged: {path}"));
        }
        if changed.iter().any(|path| self.files.is_subjects(path)) {
            self.gather(&mut changed, SETTLED, BUILT).await;
        }
        if let Some(before) = &mut self.changed {
            before.append(&mut changed);
        }
    }

    /// Adds files that change, until none has for some time, or until the longest time has passed.
    async fn gather(
        &mut self,
        changed: &mut BTreeSet<PathBuf>,
        quiet: Duration,
        longest: Duration,
    ) {
        let end = Instant::now() + longest;
        let mut last = Instant::now();
        loop {
            let until = (last + quiet).min(end);
            match timeout_at(until, self.changes.recv()).await {
                Ok(Some(path)) if self.counts(&path) => {
                    changed.insert(path);
                    last = Instant::now();
                }
                Ok(Some(_)) => {}
                Ok(None) | Err(_) => return,
            }
            if Instant::now() >= end {
                return;
            }
        }
    }

    /// Returns true if a game depends on the file, or may from now on.
    fn counts(&self, path: &Path) -> bool {
        let is_named = || self.named.iter().any(|folder| path.starts_with(folder));
        self.files.has(path) || is_scenario_file(path) && is_named() || self.args.is_named(path)
    }

    /// The path from the current folder, where the file is below it.
    fn shown(&self, path: &Path) -> String {
        let here = Path::new(".").canonicalize().unwrap_or_default();
        let path = path.strip_prefix(&here).unwrap_or(path);
        visible::plain(path.as_os_str().as_encoded_bytes()).to_string()
    }
}

impl RunArgs {
    /// Plays and watches until it is interrupted.
    pub(super) fn play_again_and_again(self) -> Status {
        match watch(self) {
            Ok(status) => status,
            Err(error) => broken(&format!("files cannot be watched: {error}")),
        }
    }

    /// The games to play.
    ///
    /// # Errors
    /// The status to exit with, after saying what is wrong.
    fn planned_games(mut self) -> Result<Vec<GamePlan>, Status> {
        self.take_defaults();
        Ok(self.planned()?.games)
    }

    /// The same run, of the scenarios of these names alone.
    fn only(&self, names: BTreeSet<String>) -> RunArgs {
        let mut args = self.clone();
        args.filters.again = Some(names);
        args
    }

    /// The folders whose scenarios are played.
    fn folders(&self) -> impl Iterator<Item = &Path> {
        let folders = self.paths.iter().filter(|path| path.is_dir());
        folders.map(PathBuf::as_path)
    }

    /// Returns true if this is one of the files that are named, by its whole path.
    fn is_named(&self, file: &Path) -> bool {
        let is_it = |path: &PathBuf| path.canonicalize().is_ok_and(|path| path == file);
        self.paths.iter().any(is_it)
    }

    /// The files on which every game depends: that of the subjects, and that of the known failures.
    fn files_of_all(&self) -> Vec<PathBuf> {
        let config = self.subject.config_file();
        let baseline = self.baseline.path(config.as_deref());
        config.into_iter().chain([baseline]).collect()
    }
}
