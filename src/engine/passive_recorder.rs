//! Writing down games that others play: bytes that pass by become the lines of a recording before they are passed on.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::event::{Event, What};
use crate::pack::Protocol;
use crate::platform::{file_identity, open_special_output};
use crate::protocol::{Framer, LaneKind};
use crate::transcript::recording::{Header, Record, Writer};
use crate::transcript::{Close, Direction};
use crate::transport::Passing;

/// The most names that are tried for a file before it is given up.
const NAMES: u32 = 100_000;

/// One game that others play, and the file in which it is written down.
///
/// A line is in the file, by a call that has returned, before the bytes that complete it are passed on; so a
/// kill loses no line that was passed on. Incomplete lines stay in memory, up to the limit of [`Framer`].
#[derive(Debug)]
pub struct PassiveRecorder {
    path: PathBuf,
    /// Identity of the file, whatever its path denotes later.
    file: (u64, u64),
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// `None` once something could not be written.
    writer: Option<Writer<File>>,
    failure: Option<io::Error>,
    began: Instant,
    /// Number of lanes that the header names.
    named: usize,
    lanes: Vec<Lane>,
    lines: u64,
}

#[derive(Debug)]
struct Lane {
    kind: LaneKind,
    /// Framing of each direction.
    framers: [Framer; 2],
    is_closed: [bool; 2],
    /// True if the lane is closed.
    is_gone: bool,
}

impl PassiveRecorder {
    /// Begins a recording in a new file: under this path, or where a file has that already, with `-2`, `-3` and so on before its
    /// ending. `lanes`: those that are known to come; others are added as they do.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn create(
        path: &Path,
        protocol: Protocol,
        lanes: &[LaneKind],
    ) -> io::Result<PassiveRecorder> {
        let (path, file) = new_file(path)?;
        let identity = file_identity(&file.metadata()?);
        let writer = Writer::new(file, &Header::new(protocol, lanes))?;
        Ok(PassiveRecorder {
            path,
            file: identity,
            state: Mutex::new(State::new(Some(writer), None, lanes.len())),
        })
    }

    /// A game that cannot be written down for this reason, and goes on all the same.
    #[must_use]
    pub fn unwritten(path: &Path, reason: io::Error) -> PassiveRecorder {
        let state = State::new(None, Some(reason), 0);
        PassiveRecorder {
            path: path.to_owned(),
            file: Default::default(),
            state: Mutex::new(state),
        }
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns true if the file still has its path, so that it can be read.
    #[must_use]
    pub fn is_there(&self) -> bool {
        self.path
            .metadata()
            .is_ok_and(|data| file_identity(&data) == self.file)
    }

    /// A participant is connected; the number of its lane.
    pub fn open(&self, kind: LaneKind) -> usize {
        let mut state = self.state();
        let lane = state.lanes.len();
        let framers = [Framer::default(), Framer::default()];
        state.lanes.push(Lane {
            kind,
            framers,
            is_closed: [false; 2],
            is_gone: false,
        });
        let at = state.began.elapsed();
        let is_named = lane < state.named;
        state.write(|writer| {
            if !is_named {
                writer.record(&Record::Lane(kind))?;
            }
            let what = What::Opened { lane };
            writer.event(&Event { at, what })
        });
        lane
    }

    /// Records an event on a lane, just before it is passed on.
    pub fn take(&self, lane: usize, direction: Direction, passing: Passing<'_>) {
        match passing {
            Passing::Bytes(bytes) => self.bytes(lane, direction, bytes),
            Passing::Closed(close) => self.closed(lane, direction, close),
        }
    }

    /// Bytes are about to go over a lane.
    pub fn bytes(&self, lane: usize, direction: Direction, bytes: &[u8]) {
        let mut state = self.state();
        let at = state.began.elapsed();
        let State {
            writer,
            lanes,
            lines,
            ..
        } = &mut *state;
        let mut written = Ok(());
        lanes[lane].framers[index(direction)].push(bytes, |line| {
            *lines += 1;
            if let (Ok(()), Some(writer)) = (&written, writer.as_mut()) {
                written = writer.event(&Event {
                    at,
                    what: What::Line {
                        lane,
                        direction,
                        line,
                    },
                });
            }
        });
        state.write(|_| written);
    }

    /// A direction of a lane is about to end; it is told once.
    pub fn closed(&self, lane: usize, direction: Direction, close: Close) {
        let mut state = self.state();
        let at = state.began.elapsed();
        let Lane {
            framers, is_closed, ..
        } = &mut state.lanes[lane];
        if std::mem::replace(&mut is_closed[index(direction)], true) {
            return;
        }
        let rest = framers[index(direction)].finish();
        state.lines += u64::from(rest.is_some());
        state.write(|writer| {
            if let Some(line) = rest {
                writer.event(&Event {
                    at,
                    what: What::Line {
                        lane,
                        direction,
                        line,
                    },
                })?;
            }
            writer.event(&Event {
                at,
                what: What::Closed {
                    lane,
                    direction,
                    close,
                },
            })
        });
    }

    /// Records the close of a lane, after its incomplete lines. Returns true if all participants have
    /// disconnected, so that the game is over.
    pub fn leave(&self, lane: usize) -> bool {
        let mut state = self.state();
        state.lanes[lane].is_gone = true;
        let at = state.began.elapsed();
        let events = state.unfinished(lane);
        state.write(|writer| {
            events
                .into_iter()
                .try_for_each(|what| writer.event(&Event { at, what }))
        });
        state.is_over()
    }

    /// Returns true if a player has connected, and all participants have disconnected.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.state().is_over()
    }

    /// The process that plays has ended.
    pub fn exited(&self, status: &str, is_success: bool) {
        let mut state = self.state();
        let at = state.began.elapsed();
        let what = What::Exited {
            status: status.to_owned(),
            is_success,
        };
        state.write(|writer| writer.event(&Event { at, what }));
    }

    /// The user ends the recording while the game goes on: what has come of unfinished lines is written down as such.
    pub fn interrupt(&self) {
        let mut state = self.state();
        let at = state.began.elapsed();
        let here = (0..state.lanes.len()).filter(|&lane| !state.lanes[lane].is_gone);
        let mut events: Vec<_> = here.flat_map(|lane| state.unfinished(lane)).collect();
        events.push(What::Interrupted);
        state.write(|writer| {
            events
                .into_iter()
                .try_for_each(|what| writer.event(&Event { at, what }))
        });
    }

    /// Returns the number of recorded lines, and of their lanes.
    #[must_use]
    pub fn size(&self) -> (u64, usize) {
        let state = self.state();
        (state.lines, state.lanes.len())
    }

    /// Takes the error that stopped the recording, once; the game still passes.
    pub fn take_failure(&self) -> Option<io::Error> {
        self.state().failure.take()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn new(writer: Option<Writer<File>>, failure: Option<io::Error>, named: usize) -> State {
        State {
            writer,
            failure,
            began: Instant::now(),
            named,
            lanes: Vec::new(),
            lines: 0,
        }
    }

    /// Writes, and writes out. The first failure ends the recording.
    fn write(&mut self, write: impl FnOnce(&mut Writer<File>) -> io::Result<()>) {
        let Some(writer) = &mut self.writer else {
            return;
        };
        if let Err(error) = write(writer).and_then(|()| writer.write_out()) {
            self.failure = Some(error);
            self.writer = None;
        }
    }

    /// Returns the incomplete lines of open directions.
    fn unfinished(&self, lane: usize) -> Vec<What> {
        let directions = [Direction::Received, Direction::Sent].into_iter();
        let pending = directions.map(|direction| {
            let text = self.lanes[lane].framers[index(direction)]
                .pending()
                .to_vec();
            What::Unfinished {
                lane,
                direction,
                text,
            }
        });
        pending
            .filter(|what| !matches!(what, What::Unfinished { text, .. } if text.is_empty()))
            .collect()
    }

    fn is_over(&self) -> bool {
        self.lanes.iter().any(|lane| lane.kind == LaneKind::Player)
            && self.lanes.iter().all(|lane| lane.is_gone)
    }
}

fn index(direction: Direction) -> usize {
    usize::from(direction == Direction::Sent)
}

/// A file that was not there before, or the device or named pipe of that name.
fn new_file(path: &Path) -> io::Result<(PathBuf, File)> {
    if let Some(special) = open_special_output(path)? {
        return Ok((path.to_owned(), special));
    }
    for number in 1..=NAMES {
        let path = numbered(path, number);
        match File::create_new(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// `game.jsonl`, `game-2.jsonl`, `game-3.jsonl`.
fn numbered(path: &Path, number: u32) -> PathBuf {
    if number == 1 {
        return path.to_owned();
    }
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

#[cfg(test)]
#[path = "passive_recorder_tests.rs"]
mod tests;
