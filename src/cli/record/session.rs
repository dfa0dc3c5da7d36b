//! The recordings of a command, from their first line to the report about them.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::archive::{ReadOptions, game_so_far};
use crate::cli::Status;
use crate::diagnostic::{counted, visible};
use crate::engine::PassiveRecorder;
use crate::pack::Protocol;
use crate::platform::is_special_output;
use crate::protocol::LaneKind;

/// A recording with at most this number of lines is compared with other games.
const COMPARED: u64 = 10_000;

/// Settings of every game that is recorded.
#[derive(Debug, Clone)]
pub(super) struct Session {
    pub(super) output: PathBuf,
    pub(super) protocol: Protocol,
}

/// Prints a remark about a recording. Nobody may read it, and the game goes on all the same.
pub(super) fn say(text: &str) {
    drop(writeln!(anstream::stderr().lock(), "urtext record: {text}"));
}

/// Prints why no game can be recorded.
pub(super) fn unrecorded(error: io::Error) -> Status {
    broken("the game cannot be recorded", &error)
}

pub(super) fn broken(what: &str, error: &io::Error) -> Status {
    say(&format!("{what}: {error}"));
    Status::Broken
}

impl Session {
    /// Begins the recording of a game.
    ///
    /// # Errors
    /// The exit status, after printing why the file cannot be written.
    pub(super) fn begin(&self, lanes: &[LaneKind]) -> Result<PassiveRecorder, Status> {
        let begun = PassiveRecorder::create(&self.output, self.protocol, lanes);
        begun.map_err(|error| self.unwritable(&error))
    }

    /// Prints why a recording cannot be written.
    pub(super) fn unwritable(&self, error: &io::Error) -> Status {
        let what = format!("{} cannot be written", visible::path(&self.output));
        broken(&what, error)
    }

    /// Reports what was recorded of a game.
    pub(super) fn finish(&self, recorder: &PassiveRecorder) -> Status {
        let file = visible::path(recorder.path());
        if let Some(error) = recorder.take_failure() {
            say(&format!(
                "{file} could not be written to its end: {error}; the game was passed on all the same"
            ));
            return Status::Broken;
        }
        if !recorder.is_there() {
            say(&format!(
                "{file} is lost: it was removed or replaced while the game went on"
            ));
            return Status::Broken;
        }
        let (lines, lanes) = recorder.size();
        say(&format!(
            "{} of {} in {file}",
            counted(lines, "line"),
            counted(lanes, "lane")
        ));
        if lines <= COMPARED
            && let Some(other) = other_game(recorder.path(), self.protocol)
        {
            let own = self.protocol.game_name();
            say(&format!(
                "note: these lines are read as a game of `{other}`, and not of `{own}`; `--game {other}` says so from the beginning"
            ));
        }
        Status::Conforms
    }
}

/// The game of which a recording holds a game, if it is not the one that was said.
fn other_game(path: &Path, protocol: Protocol) -> Option<&'static str> {
    if is_special_output(path) {
        return None;
    }
    let game = game_so_far(path, &ReadOptions::default()).ok()??;
    let read_as = game.logged.protocol;
    (read_as != protocol).then(|| read_as.game_name())
}
