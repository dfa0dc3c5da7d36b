//! `urtext run --live`: the game that is being played, in the viewer.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};

use indicatif::ProgressDrawTarget;
use tokio::sync::{oneshot, watch};

use super::progress::{Detail, Herald, silent};
use crate::cli::interrupt::Interrupt;
use crate::cli::replay::follow::Followed;
use crate::cli::replay::has_colour;
use crate::engine::{self, Progress, Run, recording_of};
use crate::event::Outcome;
use crate::replay::Replay;
use crate::transcript::{GameCount, LOOK};
use crate::tui::{self, ViewerNews, ViewerOptions, ViewerSource};

/// Plays the games one after the other, and shows each as it goes; after the last, until the user leaves.
///
/// # Errors
/// Fails if the threads that play cannot be started, no recording can be written, or the terminal cannot be used.
pub(super) async fn play(mut run: Run, interrupt: &Interrupt) -> io::Result<Vec<Outcome>> {
    let folder = tempfile::tempdir()?;
    let recordings = run
        .options
        .record
        .get_or_insert_with(|| folder.path().to_owned());
    let recordings = recordings.clone();
    run.jobs = 1.into();
    let herald = Herald::new(run.games.len(), Detail::Usual);
    herald.hide();
    let (sender, news) = channel();
    let bar = herald.bar();
    let (leave, has_left) = oneshot::channel();
    let source = LiveRun::new(news, interrupt.told());
    std::thread::Builder::new().spawn(move || {
        let shown = view(source);
        bar.set_draw_target(ProgressDrawTarget::stderr());
        // The receiver waits to the end.
        let _ = leave.send(shown);
    })?;
    let playing = engine::run(run, interrupt.told(), |progress| {
        tell(&sender, &recordings, &progress);
        herald.take(progress);
    });
    let outcomes = herald.beside(playing).await;
    drop(sender);
    // Signals are heard meanwhile, and end the viewer.
    has_left.await.expect("the viewer does not panic")?;
    outcomes
}

/// News of a run for the viewer.
enum LiveNews {
    /// A game has begun, which is recorded here.
    Began(PathBuf, String),
    Said(String),
}

fn tell(sender: &Sender<LiveNews>, recordings: &Path, progress: &Progress<'_>) {
    let began = |scenario, is_again, title| {
        LiveNews::Began(recordings.join(recording_of(scenario, is_again)), title)
    };
    let news = match progress {
        Progress::Began(scenario) => began(scenario, false, scenario.name.clone()),
        Progress::Again(scenario) => began(scenario, true, format!("{} once more", scenario.name)),
        Progress::Silence(scenario, silence) => LiveNews::Said(silent(&scenario.name, *silence)),
        Progress::Ended(_) | Progress::Told(..) => return,
    };
    // A viewer that the user has left takes no news.
    let _ = sender.send(news);
}

/// Shows the run once a game has begun.
fn view(mut source: LiveRun) -> io::Result<()> {
    let first = loop {
        source.hear();
        if let Some(replay) = source.newest() {
            break replay;
        }
        if source.is_over {
            return Ok(());
        }
        std::thread::sleep(LOOK);
    };
    let options = ViewerOptions {
        has_colour: has_colour(),
        is_live: true,
        ..ViewerOptions::default()
    };
    tui::run(first, options, &mut source)
}

/// The games of a run that goes on.
struct LiveRun {
    news: Receiver<LiveNews>,
    /// True once the user has interrupted the run, or closed the terminal.
    interrupted: watch::Receiver<bool>,
    games: Vec<(PathBuf, String)>,
    /// The game that is shown, from 0, and its file.
    at: usize,
    file: Option<Followed>,
    /// True until the viewer has the game.
    is_new: bool,
    message: Option<String>,
    is_over: bool,
}

impl LiveRun {
    fn new(news: Receiver<LiveNews>, interrupted: watch::Receiver<bool>) -> LiveRun {
        LiveRun {
            news,
            interrupted,
            games: Vec::new(),
            at: 0,
            file: None,
            is_new: true,
            message: None,
            is_over: false,
        }
    }

    /// Takes what the run has told. Who is at the newest game goes on to the next.
    fn hear(&mut self) {
        loop {
            match self.news.try_recv() {
                Ok(LiveNews::Began(path, title)) => {
                    let is_newest = self.at + 1 >= self.games.len();
                    self.games.push((path, title));
                    if is_newest {
                        self.stand_at(self.games.len() - 1);
                    }
                }
                Ok(LiveNews::Said(text)) => self.message = Some(text),
                Err(TryRecvError::Empty) => return,
                Err(TryRecvError::Disconnected) => {
                    self.is_over = true;
                    return;
                }
            }
        }
    }

    fn stand_at(&mut self, at: usize) {
        let (path, title) = &self.games[at];
        self.file = Some(Followed::new(path, None));
        self.message = Some(title.clone());
        (self.at, self.is_new) = (at, true);
    }

    /// The game that is shown, if it has changed.
    fn newest(&mut self) -> Option<Replay> {
        let replay = self.file.as_mut()?.begun()?;
        Some(replay.of_several(self.at as u64 + 1))
    }
}

impl ViewerSource for LiveRun {
    fn other(&mut self, is_before: bool) -> Result<Replay, String> {
        let wanted = match is_before {
            true => self
                .at
                .checked_sub(1)
                .ok_or("this is the first game of the run")?,
            false => self.at + 1,
        };
        let Some((path, _)) = self.games.get(wanted) else {
            return Err("this is the newest game of the run".to_owned());
        };
        let begun = Followed::new(path, None).begun();
        let replay = begun.ok_or("this game has no turn that can be shown")?;
        self.stand_at(wanted);
        Ok(replay.of_several(wanted as u64 + 1))
    }

    fn is_settled(&self) -> bool {
        // An interrupt may come after the last game as well.
        false
    }

    fn news(&mut self) -> ViewerNews {
        self.hear();
        let replay = self.newest();
        let is_opened = replay.is_some() && std::mem::take(&mut self.is_new);
        let (opened, grown) = match is_opened {
            true => (replay, None),
            false => (None, replay),
        };
        let games = self.games.len() as u64;
        ViewerNews {
            grown,
            opened,
            message: self.message.take(),
            ends: *self.interrupted.borrow(),
            count: Some(GameCount {
                games,
                is_complete: self.is_over,
            }),
        }
    }
}
