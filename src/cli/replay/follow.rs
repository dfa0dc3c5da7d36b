//! `urtext replay --follow`: a game that somebody else writes down meanwhile.

use std::path::Path;

use super::super::Status;
use super::super::game_files;
use super::super::output::{is_gone, print_text, say, usage};
use super::ReplayArgs;
use super::shown::{ShownGame, UnshownGame};
use crate::config::CocoUrl;
use crate::diagnostic::{self, Diagnostic, Diagnostics, visible};
use crate::pack::Protocol;
use crate::replay::{PrintedParts, Replay};
use crate::transcript::{self, GrowingFile, LOOK, Opened};
use crate::tui::{ViewerNews, ViewerSource};
use crate::verify::{self, Ending, GameVerdict};

impl ReplayArgs {
    /// Shows a game as it goes, from its first line on.
    pub(super) fn follow(&self, file: &Path, protocol: Option<Protocol>) -> Status {
        if file == Path::new("-") || CocoUrl::is_meant(&file.to_string_lossy()) {
            return usage(
                "--follow takes a file on disk; `urtext record --spectate` writes one of a server's match",
            );
        }
        if let Some(whole) = game_files::records(file, None) {
            let format = whole.notation.title();
            return usage(&format!(
                "--follow takes a recording or a stream that grows, and this file is read as {format}; leave --follow out"
            ));
        }
        let mut source = Followed::new(file, protocol);
        let name = visible::plain(file.as_os_str().as_encoded_bytes()).to_string();
        let first = match source
            .first(&|| anstream::eprintln!("urtext replay: waiting for the first turn in {name}"))
        {
            Ok(first) => first,
            Err(trouble) => return trouble.say(),
        };
        if self.is_printed() {
            return source.print(first, self.parts());
        }
        self.present(first, &mut source)
    }
}

/// A file that grows.
pub(in crate::cli) struct Followed {
    file: GrowingFile,
    protocol: Option<Protocol>,
    is_over: bool,
}

/// A reason to follow a file no longer.
pub(super) enum Trouble {
    Unreadable(Diagnostics),
    Unshown(UnshownGame),
}

impl From<Diagnostic> for Trouble {
    fn from(fault: Diagnostic) -> Trouble {
        Trouble::Unreadable(fault.into())
    }
}

impl Trouble {
    /// Says what the reason is.
    fn say(self) -> Status {
        match self {
            Trouble::Unreadable(faults) => {
                say(&faults);
                Status::Usage
            }
            Trouble::Unshown(unshown) => unshown.say(),
        }
    }
}

impl Followed {
    pub(in crate::cli) fn new(path: &Path, protocol: Option<Protocol>) -> Followed {
        Followed {
            file: GrowingFile::new(path.to_owned()),
            protocol,
            is_over: false,
        }
    }

    /// Waits for the first turn, and calls `waits` once if it has not begun.
    fn first(&mut self, waits: &dyn Fn()) -> Result<ShownGame, Trouble> {
        let mut has_told = false;
        loop {
            match self.look() {
                Some(Ok(shown)) if !is_unstarted(&shown.replay) => return Ok(shown),
                Some(Err(trouble)) => return Err(trouble),
                _ => {}
            }
            if !std::mem::replace(&mut has_told, true) {
                waits();
            }
            std::thread::sleep(LOOK);
        }
    }

    /// The game as far as it goes now, if the file has changed and the first turn has begun.
    pub(in crate::cli) fn begun(&mut self) -> Option<Replay> {
        let replay = self.look()?.ok()?.replay;
        (!is_unstarted(&replay)).then_some(replay)
    }

    /// The game as far as it goes now, if the file has changed and is not empty.
    fn look(&mut self) -> Option<Result<ShownGame, Trouble>> {
        let protocol = self.protocol;
        let shown = self.file.read(|path| so_far(path, protocol))?.transpose()?;
        if let Ok(shown) = &shown {
            self.is_over = !shown.replay.goes_on();
        }
        Some(shown)
    }

    /// Prints each turn when it is over, and what is wrong at the end.
    fn print(&mut self, first: ShownGame, parts: PrintedParts) -> Status {
        let (mut shown, mut next) = (first, 0);
        loop {
            let text = shown.replay.print_from(&mut next, parts, self.is_over);
            print_text(&text);
            if is_gone() {
                return shown.status;
            }
            if self.is_over {
                let trouble = shown.trouble.iter();
                trouble.for_each(|trouble| anstream::eprintln!("\n{trouble}"));
                return shown.status;
            }
            shown = loop {
                std::thread::sleep(LOOK);
                match self.look() {
                    Some(Ok(shown)) => break shown,
                    Some(Err(trouble)) => return trouble.say(),
                    None => {}
                }
            };
        }
    }
}

impl ViewerSource for Followed {
    fn other(&mut self, _is_before: bool) -> Result<Replay, String> {
        Err("a game that goes on is the only one of its file".to_owned())
    }

    fn is_settled(&self) -> bool {
        self.is_over
    }

    fn news(&mut self) -> ViewerNews {
        // A file that cannot be read any more shows what it has shown.
        ViewerNews {
            grown: self.begun(),
            ..ViewerNews::default()
        }
    }
}

/// The game of a file as far as it goes; a recorded scenario is judged as such once its verdict is there.
/// `None` before its first line.
fn so_far(path: &Path, protocol: Option<Protocol>) -> Result<Option<ShownGame>, Trouble> {
    let name = path.to_string_lossy();
    let game = match transcript::open(path, protocol).map_err(Trouble::Unreadable)? {
        Opened::Game { game, .. } => game,
        Opened::Streams {
            mut games,
            marks_sent,
        } => {
            let dialect = games.dialect();
            let unreadable = |error| Trouble::from(diagnostic::unreadable(&name, &error));
            let Some(game) = games.next_game().map_err(unreadable)? else {
                return Ok(None);
            };
            game.logged(&name, dialect, marks_sent)?
        }
    };
    let played = game.played.as_ref();
    match played.filter(|played| played.verdict.is_some()) {
        Some(played) => ShownGame::of_played(&game, played),
        None => {
            ShownGame::of_judged(verify::judge_so_far(&game), &game, None).map(|shown| ShownGame {
                replay: shown.replay.going_on(),
                ..shown
            })
        }
    }
    .map(Some)
    .map_err(Trouble::Unshown)
}

fn is_unstarted(replay: &Replay) -> bool {
    matches!(replay.verdict(), GameVerdict::Legal(Ending::Unstarted))
}
