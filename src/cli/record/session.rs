//! A recording from its beginning to what is said of it in the end.

use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::remark::{broken, say};
use crate::cli::Status;
use crate::diagnostic::{self, counted, visible};
use crate::engine::PassiveRecorder;
use crate::pack::{self, Protocol};
use crate::platform::{is_special_output, probe_output};
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

/// A game that is being recorded.
#[derive(Debug)]
pub(super) struct Recording {
    pub(super) protocol: Protocol,
    pub(super) recorder: Arc<PassiveRecorder>,
}

impl Session {
    /// Checks that a recording can be created, before any participant connects.
    pub(super) fn is_writable(&self) -> Result<(), Status> {
        probe_output(&self.output).map_err(|error| self.unwritable(&error))
    }

    fn unwritable(&self, error: &std::io::Error) -> Status {
        let output = self.output.display().to_string();
        broken(
            &format!("{} cannot be written", visible::plain(&output)),
            error,
        )
    }

    /// Begins the recording of a game.
    pub(super) fn begin(&self, lanes: &[LaneKind]) -> Result<Recording, Status> {
        match PassiveRecorder::create(&self.output, self.protocol, lanes) {
            Ok(recorder) => Ok(self.recording(recorder)),
            Err(error) => Err(self.unwritable(&error)),
        }
    }

    /// Begins the recording of a game that goes on even where it cannot be written down.
    pub(super) fn begin_anyway(&self) -> Recording {
        match PassiveRecorder::create(&self.output, self.protocol, &[]) {
            Ok(recorder) => self.recording(recorder),
            Err(error) => {
                self.unwritable(&error);
                let recorder = Arc::new(PassiveRecorder::unwritten(&self.output, error));
                Recording {
                    protocol: self.protocol,
                    recorder,
                }
            }
        }
    }

    fn recording(&self, recorder: PassiveRecorder) -> Recording {
        Recording {
            protocol: self.protocol,
            recorder: Arc::new(recorder),
        }
    }
}

impl Recording {
    /// Says what was recorded.
    pub(super) fn finish(&self) -> Status {
        let path = self.recorder.path().to_string_lossy().into_owned();
        let file = visible::plain(&path);
        let lost = match self.recorder.take_failure() {
            Some(error) => Some(format!(
                "could not be written to its end: {error}; the game was passed on all the same"
            )),
            None if self.recorder.is_there() => None,
            None => Some("is lost: it was removed or replaced while the game went on".to_owned()),
        };
        let (lines, lanes) = self.recorder.size();
        let other = other_game(self.recorder.path(), self.protocol).filter(|_| lost.is_none());
        let status = match lost {
            Some(lost) => {
                say(&format!("{file} {lost}"));
                Status::Broken
            }
            None => {
                say(&format!(
                    "{} of {} in {file}",
                    counted(lines, "line"),
                    counted(lanes, "lane")
                ));
                Status::Conforms
            }
        };
        if let Some(other) = other {
            let own = self.protocol.game_name();
            say(&format!(
                "note: these lines look like a game of `{other}`, and were recorded as one of `{own}`; \
                 `urtext record --game {other}` says so from the beginning, `urtext verify --dialect {other} {file}` now"
            ));
        }
        status
    }
}

/// The game of which the first lines of a recording are, where it is not the one that was said.
fn other_game(path: &Path, protocol: Protocol) -> Option<&'static str> {
    let dialect = protocol.dialect().filter(|_| !is_special_output(path))?;
    let head = BufReader::new(diagnostic::open(path).ok()?.take(HEAD));
    let mut reader = Reader::new("", head).ok()?;
    let game = LoggedGame::from_recording("", &mut reader).ok()?;
    let lane = game.lanes.iter().find(|lane| !lane.lines.is_empty())?;
    let received = lane
        .lines
        .iter()
        .filter(|line| line.direction == Direction::Received);
    let text: Vec<u8> = received
        .flat_map(|line| line.line.text.iter().copied().chain([b'\n']))
        .collect();
    let fits = |dialect: &&'static dyn Dialect| bare::looks_like(&text, *dialect);
    if fits(&dialect) {
        return None;
    }
    pack::dialects()
        .find(fits)
        .map(|dialect| dialect.game().name())
}
