//! `urtext replay --follow`: a game that somebody else writes down meanwhile.

use std::path::Path;

use super::super::Status;
use super::super::output::{is_gone, print_text, usage};
use super::ReplayArgs;
use super::shown::{ShownGame, UnshownGame};
use crate::archive::{ReadOptions, game_so_far};
use crate::config::CocoUrl;
use crate::diagnostic::{Diagnostic, visible};
use crate::replay::{PrintedParts, Replay};
use crate::transcript::{GrowingFile, LOOK};
use crate::tui::ViewerSource;
use crate::verify::Ending;

impl ReplayArgs {
    /// Shows a game as it goes, from its first line on.
    pub(super) fn follow(&self, file: &Path) -> Status {
        if file == Path::new("-") || CocoUrl::is_meant(&file.to_string_lossy()) {
            return usage(
                "--follow takes a file on disk; `urtext record --spectate` writes one of a server's match",
            );
        }
        let mut source = Followed {
            file: GrowingFile::new(file.to_owned()),
            options: self.options(&[]),
            is_over: false,
        };
        let name = visible::plain(file.as_os_str().as_encoded_bytes()).to_string();
        let first = match source
            .first(&|| anstream::eprintln!("urtext replay: waiting for the first turn in {name}"))
        {
            Ok(first) => first,
            Err(unshown) => return unshown.say(),
        };
        if self.is_printed() {
            return source.print(first, self.parts());
        }
        self.present(first, &mut source)
    }
}

/// A file that grows.
struct Followed<'a> {
    file: GrowingFile,
    options: ReadOptions<'a>,
    is_over: bool,
}

impl Followed<'_> {
    /// Waits for the first turn, and calls `waits` once if it has not begun.
    fn first(&mut self, waits: &dyn Fn()) -> Result<ShownGame, UnshownGame> {
        let mut has_told = false;
        loop {
            match self.look() {
                Some(Ok(shown)) if !is_unstarted(&shown.replay) => return Ok(shown),
                Some(Err(unshown)) => return Err(unshown),
                _ => {}
            }
            if !std::mem::replace(&mut has_told, true) {
                waits();
            }
            std::thread::sleep(LOOK);
        }
    }

    /// The game as far as it goes now, if the file has changed and is not empty.
    fn look(&mut self) -> Option<Result<ShownGame, UnshownGame>> {
        let options = &self.options;
        let shown = self.file.read(|path| so_far(path, options))?.transpose()?;
        if let Ok(shown) = &shown {
            self.is_over = !shown.replay.finished.goes_on;
        }
        Some(shown)
    }

    /// Prints each turn when it is over, and what is wrong at the end.
    fn print(&mut self, first: ShownGame, parts: PrintedParts) -> Status {
        let (mut shown, mut next) = (first, 0);
        loop {
            let text = shown.replay.print(&mut next, parts);
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
                    Some(Err(unshown)) => return unshown.say(),
                    None => {}
                }
            };
        }
    }
}

impl ViewerSource for Followed<'_> {
    fn other(&mut self, _is_before: bool) -> Result<Replay, String> {
        Err("a game that goes on is the only one of its file".to_owned())
    }

    fn is_settled(&self) -> bool {
        self.is_over
    }

    fn grown(&mut self) -> Option<Replay> {
        // A file that cannot be read any more shows what it has shown.
        let replay = self.look()?.ok()?.replay;
        (!is_unstarted(&replay)).then_some(replay)
    }
}

/// The game of a file as far as it goes. `None` before its first line.
fn so_far(path: &Path, options: &ReadOptions<'_>) -> Result<Option<ShownGame>, UnshownGame> {
    let game = game_so_far(path, options).map_err(|faults| UnshownGame::unreadable(&faults))?;
    let whole = game.as_ref().filter(|game| game.is_of_records());
    if let Some(format) = whole.map(|game| game.format.name) {
        let title = format!(
            "--follow takes a recording or a stream that grows, and this file is read as {format}"
        );
        let fault = Diagnostic::error("replay/whole", title).in_file(path.to_string_lossy());
        let faults = fault.help("leave --follow out").into();
        return Err(UnshownGame::unreadable(&faults));
    }
    game.map(ShownGame::new).transpose()
}

fn is_unstarted(replay: &Replay) -> bool {
    replay.finished.judged.ending == Some(Ending::Unstarted)
}
