//! The recordings of a command, from their first line to the report about them.

use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use crate::cli::Status;
use crate::diagnostic::{self, counted, visible};
use crate::engine::PassiveRecorder;
use crate::pack::{self, Protocol};
use crate::platform::is_special_output;
use crate::protocol::{Dialect, LaneKind};
use crate::transcript::recording::Reader;
use crate::transcript::{Direction, LoggedGame, bare};

/// Number of bytes at the start of a recording that identify its game.
const HEAD: u64 = 16 * 1024;

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
        let output = self.output.to_string_lossy();
        let what = format!("{} cannot be written", visible::plain(&*output));
        broken(&what, error)
    }

    /// Reports what was recorded of a game.
    pub(super) fn finish(&self, recorder: &PassiveRecorder) -> Status {
        let path = recorder.path().to_string_lossy();
        let file = visible::plain(&*path);
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
        let (lines, lanes) = (counted(lines, "line"), counted(lanes, "lane"));
        say(&format!("{lines} of {lanes} in {file}"));
        if let Some(other) = other_game(recorder.path(), self.protocol) {
            let own = self.protocol.game_name();
            say(&format!(
                "note: these lines look like a game of `{other}`, and were recorded as one of `{own}`; \
                 `urtext record --game {other}` says so from the beginning, `urtext verify --dialect {other} {file}` now"
            ));
        }
        Status::Conforms
    }
}

/// The game that the first lines of a recording look like, if that is another one.
fn other_game(path: &Path, protocol: Protocol) -> Option<&'static str> {
    let dialect = protocol.dialect().filter(|_| !is_special_output(path))?;
    let head = BufReader::new(diagnostic::open(path).ok()?.take(HEAD));
    let game = LoggedGame::from_recording("", &mut Reader::new("", head).ok()?).ok()?;
    let lane = game.lanes.iter().find(|lane| !lane.lines.is_empty())?;
    let lines = lane.lines.iter();
    let received = lines.filter(|line| line.direction == Direction::Received);
    let text: Vec<u8> = received
        .flat_map(|line| line.line.text.iter().copied().chain([b'\n']))
        .collect();
    let fits = |dialect: &&'static dyn Dialect| bare::looks_like(&text, *dialect);
    let other = pack::dialects().find(fits).filter(|_| !fits(&dialect))?;
    Some(other.game().name())
}
