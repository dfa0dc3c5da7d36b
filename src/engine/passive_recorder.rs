//! Writing down games that others play: bytes that pass by become the lines of a recording before they are passed on.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::diagnostic::visible;
use crate::event::{Event, LaneEvents, What};
use crate::pack::Protocol;
use crate::platform::{file_identity, is_special_output, numbered, open_special_output};
use crate::protocol::LaneKind;
use crate::transcript::Direction;
use crate::transcript::recording::{Header, Record, Writer};
use crate::transport::Passing;

/// The most names that are tried for a file before it is given up.
const NAMES: usize = 100_000;

/// One game that others play, and the file in which it is written down.
///
/// A line is in the file, by a call that has returned, before the bytes that complete it are passed on; so a
/// kill loses no line that was passed on. Incomplete lines stay in memory, up to the limit of [`crate::protocol::Framer`].
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
    events: LaneEvents,
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
        let writer = Writer::new(file, &Header::new(protocol, lanes)).map_err(|error| {
            discard(&path);
            io::Error::new(error.kind(), format!("{}: {error}", visible::path(&path)))
        })?;
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

    /// Removes the file of a game that was not played.
    pub fn discard(&self) {
        discard(&self.path);
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
        state.lanes.push(Lane {
            kind,
            events: LaneEvents::new(lane),
            is_gone: false,
        });
        if lane >= state.named {
            state.write(|writer| writer.record(&Record::Lane(kind)));
        }
        state.write_all(vec![What::Opened { lane }]);
        lane
    }

    /// Records an event on a lane, just before it is passed on. The end of a direction is recorded once.
    pub fn take(&self, lane: usize, direction: Direction, passing: Passing<'_>) {
        let mut state = self.state();
        let events = &mut state.lanes[lane].events;
        let mut whats = Vec::new();
        match passing {
            Passing::Bytes(bytes) => events.pass(direction, bytes, |what| whats.push(what)),
            Passing::Closed(close) => events.end(direction, close, |what| whats.push(what)),
        }
        let is_line = |what: &&What| matches!(what, What::Line { .. });
        state.lines += whats.iter().filter(is_line).count() as u64;
        state.write_all(whats);
    }

    /// Records the close of a lane, after its incomplete lines. Returns true if all participants have
    /// disconnected, so that the game is over.
    pub fn leave(&self, lane: usize) -> bool {
        let mut state = self.state();
        state.lanes[lane].is_gone = true;
        let events = state.unfinished(lane);
        state.write_all(events);
        state.is_over()
    }

    /// Returns true if a player has connected, and all participants have disconnected.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.state().is_over()
    }

    /// The process that plays has ended.
    pub fn exited(&self, status: &str, is_success: bool) {
        let status = status.to_owned();
        let what = What::Exited { status, is_success };
        self.state().write_all(vec![what]);
    }

    /// The user ends the recording while the game goes on: what has come of unfinished lines is written down as such.
    pub fn interrupt(&self) {
        let mut state = self.state();
        let here = (0..state.lanes.len()).filter(|&lane| !state.lanes[lane].is_gone);
        let mut events: Vec<_> = here.flat_map(|lane| state.unfinished(lane)).collect();
        events.push(What::Interrupted);
        state.write_all(events);
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

    fn write_all(&mut self, events: Vec<What>) {
        let at = self.began.elapsed();
        let mut events = events.into_iter().map(|what| Event { at, what });
        self.write(|writer| events.try_for_each(|event| writer.event(&event)));
    }

    /// Returns the incomplete lines of open directions.
    fn unfinished(&self, lane: usize) -> Vec<What> {
        let directions = [Direction::Received, Direction::Sent].into_iter();
        let events = &self.lanes[lane].events;
        directions
            .filter_map(|direction| events.unfinished(direction))
            .collect()
    }

    fn is_over(&self) -> bool {
        self.lanes.iter().any(|lane| lane.kind == LaneKind::Player)
            && self.lanes.iter().all(|lane| lane.is_gone)
    }
}

/// A file that was not there before, or the device or named pipe of that name.
fn new_file(path: &Path) -> io::Result<(PathBuf, File)> {
    if let Some(special) = open_special_output(path)? {
        return Ok((path.to_owned(), special));
    }
    for path in numbered(path).take(NAMES) {
        match File::create_new(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Removes a file, but no device.
fn discard(path: &Path) {
    if !is_special_output(path) {
        drop(std::fs::remove_file(path));
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;
    use crate::games::royalur::CodeColosseum;
    use crate::transcript::Close;
    use crate::transcript::recording::{Reader, Record};

    fn recorder(folder: &tempfile::TempDir, lanes: &[LaneKind]) -> PassiveRecorder {
        let path = folder.path().join("game.jsonl");
        PassiveRecorder::create(&path, Protocol::Game(&CodeColosseum), lanes).unwrap()
    }

    /// Reads the events that the file holds now.
    fn events(recorder: &PassiveRecorder) -> Vec<What> {
        let mut reader =
            Reader::new("game", BufReader::new(File::open(recorder.path()).unwrap())).unwrap();
        let event = |record| match record {
            Ok(Record::Event(event)) => event.what,
            other => panic!("{other:?}"),
        };
        let events = reader.by_ref().map(event).collect();
        assert!(reader.cut_off().is_none());
        events
    }

    fn line(lane: usize, direction: Direction, text: &str) -> What {
        What::Line {
            lane,
            direction,
            line: crate::protocol::Line::new(text),
        }
    }

    fn unfinished(text: &str) -> What {
        What::Unfinished {
            lane: 0,
            direction: Direction::Sent,
            text: text.into(),
        }
    }

    #[test]
    fn a_line_is_in_the_file_before_its_last_bytes_are_passed_on() {
        let folder = tempfile::tempdir().unwrap();
        let recorder = recorder(&folder, &[LaneKind::Player]);
        let lane = recorder.open(LaneKind::Player);
        assert_eq!(events(&recorder), [What::Opened { lane: 0 }]);
        recorder.take(lane, Direction::Received, Passing::Bytes(b"0 0"));
        recorder.take(lane, Direction::Sent, Passing::Bytes(b"3\n+"));
        recorder.take(lane, Direction::Received, Passing::Bytes(b" 1 1\n>3\n1 "));
        let lines = [
            line(0, Direction::Sent, "3"),
            line(0, Direction::Received, "0 0 1 1"),
            line(0, Direction::Received, ">3"),
        ];
        assert_eq!(events(&recorder)[1..], lines);
        recorder.take(lane, Direction::Received, Passing::Closed(Close::Reset));
        recorder.take(lane, Direction::Received, Passing::Closed(Close::End));
        let [.., rest, closed] = &events(&recorder)[..] else {
            panic!()
        };
        assert!(
            matches!(rest, What::Line { line, .. } if line.text == b"1 "),
            "{rest:?}"
        );
        assert_eq!(
            *closed,
            What::Closed {
                lane: 0,
                direction: Direction::Received,
                close: Close::Reset
            }
        );
        recorder.interrupt();
        assert_eq!(events(&recorder)[6..], [unfinished("+"), What::Interrupted]);
    }

    #[test]
    fn half_a_line_is_written_down_when_its_lane_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let recorder = recorder(&folder, &[LaneKind::Player]);
        let lane = recorder.open(LaneKind::Player);
        recorder.take(lane, Direction::Sent, Passing::Bytes(b"3"));
        recorder.take(lane, Direction::Received, Passing::Closed(Close::Reset));
        assert!(recorder.leave(lane));
        assert_eq!(events(&recorder).last(), Some(&unfinished("3")));
        recorder.interrupt();
        let once = [unfinished("3"), What::Interrupted];
        assert_eq!(events(&recorder)[2..], once);
    }

    #[test]
    fn whoever_comes_gets_a_lane_and_the_game_is_over_when_all_have_left() {
        let folder = tempfile::tempdir().unwrap();
        let recorder = recorder(&folder, &[]);
        let spectator = recorder.open(LaneKind::Spectator);
        assert!(!recorder.leave(spectator), "nobody has played yet");
        let (one, other) = (
            recorder.open(LaneKind::Player),
            recorder.open(LaneKind::Player),
        );
        recorder.take(other, Direction::Received, Passing::Bytes(b"B\n"));
        assert!(!recorder.leave(one));
        assert!(recorder.leave(other) && recorder.is_over());
        assert_eq!(recorder.size(), (1, 3));
        let mut reader =
            Reader::new("game", BufReader::new(File::open(recorder.path()).unwrap())).unwrap();
        let game = crate::transcript::LoggedGame::from_recording("game", &mut reader).unwrap();
        let kinds = game
            .lanes
            .iter()
            .map(|lane| (lane.label.kind(), lane.entries.len()));
        let (player, spectator) = (LaneKind::Player, LaneKind::Spectator);
        assert!(kinds.eq([(spectator, 0), (player, 0), (player, 1)]));
    }

    #[test]
    fn what_is_there_is_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let names = [(); 3].map(|()| {
            recorder(&folder, &[])
                .path()
                .file_name()
                .unwrap()
                .to_owned()
        });
        assert_eq!(names, ["game.jsonl", "game-2.jsonl", "game-3.jsonl"]);
        assert_eq!(
            numbered(Path::new("a.b/game")).nth(1).unwrap(),
            Path::new("a.b/game-2")
        );
    }

    #[test]
    fn a_recording_that_cannot_be_written_any_more_is_told_once_and_the_game_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let recorder = recorder(&folder, &[LaneKind::Player]);
        let (read, write) = nix::unistd::pipe().unwrap();
        let writer = Writer::new(
            File::from(write),
            &Header::new(Protocol::Game(&CodeColosseum), &[LaneKind::Player]),
        )
        .unwrap();
        recorder.state().writer = Some(writer);
        drop(read);
        let lane = recorder.open(LaneKind::Player);
        recorder.take(lane, Direction::Received, Passing::Bytes(b"A\nB\n"));
        assert_eq!(
            recorder.take_failure().unwrap().kind(),
            io::ErrorKind::BrokenPipe
        );
        assert!(recorder.take_failure().is_none());
        assert!(recorder.leave(lane));
    }

    #[test]
    fn memory_does_not_grow_with_a_line_without_end() {
        let folder = tempfile::tempdir().unwrap();
        let recorder = recorder(&folder, &[LaneKind::Player]);
        let lane = recorder.open(LaneKind::Player);
        for _ in 0..64 {
            recorder.take(lane, Direction::Sent, Passing::Bytes(&[b'x'; 64 * 1024]));
        }
        recorder.take(lane, Direction::Sent, Passing::Bytes(b"\n1\n"));
        let told = events(&recorder);
        assert_eq!(told.len(), 3);
        assert_eq!(told[2], line(0, Direction::Sent, "1"));
        assert!(std::fs::metadata(recorder.path()).unwrap().len() < 70 * 1024);
    }
}
