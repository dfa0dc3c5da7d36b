//! Finished games as their files hold them, the same for all formats.

use std::time::Duration;

use super::recording::{self, Header, Record, RecordedScenario};
use super::{Close, Direction, Event, LaneLabel, PlacedTranscript, What};
use crate::diagnostic::Diagnostic;
use crate::pack::{FileFormat, Protocol, file_format};
use crate::protocol::{LaneKind, Line};
use crate::rules::Seat;

/// The most lines that a game may have, in any format.
const LINES_LIMIT: usize = 1 << 20;

/// The most bytes that the lines of a recorded game may have together.
const TEXT_LIMIT: usize = 64 << 20;

/// A finished game as files tell it.
#[derive(Debug, Clone)]
pub struct LoggedGame {
    /// The protocol of the lanes.
    pub protocol: Protocol,
    /// The lanes that are at hand; there may be fewer than the game had.
    pub lanes: Vec<LoggedLane>,
    /// Exit of a recorded bot before the end of the game, in words. `None` where no file says so, and where
    /// the user interrupted the recording.
    pub exited: Option<String>,
    /// The recording, where it holds the scenario that was played.
    pub played: Option<Box<Played>>,
    /// The warning about the place at which the file was cut off, if it was.
    pub cut_off: Option<Diagnostic>,
}

/// A recording of a game that was played by a scenario, with all that its judge was told.
#[derive(Debug, Clone)]
pub struct Played {
    /// The file.
    pub file: String,
    /// Its header.
    pub header: Header,
    /// The scenario.
    pub script: RecordedScenario,
    /// The events.
    pub events: Vec<Event>,
    /// The end of what the subject wrote to standard error.
    pub stderr: Vec<u8>,
    /// The recorded verdict, if there is one.
    pub verdict: Option<serde_json::Value>,
    /// The reason why the game could not be played, or recorded, to its end.
    pub broken: Option<String>,
    /// Number of lines of unknown kinds.
    pub passed_over: usize,
}

/// One lane as a file tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedLane {
    /// The file, as the user typed it.
    pub name: String,
    /// Kind of participant: a player or a spectator.
    pub kind: LaneKind,
    /// Owner of the lane, if the file shows the seat before the handshake does.
    pub seat: Option<Seat>,
    /// Its lines in the order in which they went; only the received ones where the sent ones are filed apart.
    pub lines: Vec<LoggedLine>,
    /// The lines that were sent, where another file holds them; in which order they went with the others is not known.
    pub sent_apart: Option<SentApart>,
    /// True if the lane includes the lines of its player.
    pub tells_sent: bool,
    /// True for the bare bytes of a stream, which may be cut off anywhere.
    pub is_capture: bool,
    /// True if no line is owed to the participant: it disconnected first, or is a spectator that joined late.
    pub is_owed_nothing: bool,
    /// True if the network lost the lane, so that the last lines may be missing.
    pub is_lost: bool,
}

/// Lines that a participant sent, from a file of their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentApart {
    /// The file, as the user typed it.
    pub name: String,
    /// Its lines.
    pub lines: Vec<LoggedLine>,
}

/// One line of a lane, and where it stands in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedLine {
    /// Direction of the line.
    pub direction: Direction,
    /// The line.
    pub line: Line,
    /// The line of the file, from 1.
    pub number: usize,
    /// Time since the start of the game, where the file tells times.
    pub at: Option<Duration>,
}

impl LoggedGame {
    /// A game of which only the lanes are known.
    #[must_use]
    pub fn new(protocol: Protocol, lanes: Vec<LoggedLane>) -> LoggedGame {
        LoggedGame {
            protocol,
            lanes,
            exited: None,
            played: None,
            cut_off: None,
        }
    }

    /// The game of a golden transcript; `name` is the file's.
    #[must_use]
    pub fn from_golden(name: &str, placed: PlacedTranscript) -> LoggedGame {
        let protocol =
            Protocol::named(&placed.transcript.dialect).expect("the reader knows the protocol");
        let lanes = placed
            .transcript
            .lanes
            .into_iter()
            .zip(placed.lines)
            .map(|(lane, numbers)| {
                let entries = lane.entries.into_iter().zip(numbers);
                let lines = entries
                    .map(|(entry, number)| LoggedLine {
                        direction: entry.direction,
                        line: entry.line,
                        number,
                        at: None,
                    })
                    .collect();
                let (kind, seat) = match lane.label {
                    LaneLabel::Player(seat) => (LaneKind::Player, Some(seat)),
                    LaneLabel::Unseated(_) => (LaneKind::Player, None),
                    LaneLabel::Spectator(_) => (LaneKind::Spectator, None),
                };
                LoggedLane::whole(name, kind, seat, lines)
            });
        LoggedGame::new(protocol, lanes.collect())
    }

    /// The game of a recording, its other events left out; `name` is the file's.
    ///
    /// # Errors
    /// The first line that is not sound, or `recording/too-large`.
    pub fn from_recording<R: std::io::BufRead>(
        name: &str,
        reader: &mut recording::Reader<R>,
    ) -> Result<LoggedGame, Diagnostic> {
        let (game, is_whole) = LoggedGame::from_start(name, reader, LINES_LIMIT, TEXT_LIMIT)?;
        if is_whole {
            return Ok(game);
        }
        let title = format!(
            "the game has more than {LINES_LIMIT} lines, or more than {TEXT_LIMIT} bytes in them, the most that is read"
        );
        Err(Diagnostic::error("recording/too-large", title).in_file(name))
    }

    /// Returns the format of the file: only recordings have times, and only streams can be cut off anywhere.
    #[must_use]
    pub fn format(&self) -> FileFormat {
        let mut lines = self.lanes.iter().flat_map(|lane| &lane.lines);
        let has_times = self.played.is_some() || lines.any(|line| line.at.is_some());
        match (has_times, self.lanes.iter().all(|lane| lane.is_capture)) {
            (true, _) => file_format::RECORDING,
            (false, true) => file_format::STREAM,
            (false, false) => file_format::GOLDEN,
        }
    }

    /// Reads a recording's game up to a number of lines, and of bytes in them; returns true with the game if
    /// that is all of it.
    ///
    /// # Errors
    /// The first line that is not sound.
    fn from_start<R: std::io::BufRead>(
        name: &str,
        reader: &mut recording::Reader<R>,
        most_lines: usize,
        most_bytes: usize,
    ) -> Result<(LoggedGame, bool), Diagnostic> {
        let header = reader.header();
        let protocol = header.protocol;
        let mut played = header.scenario.clone().map(|script| {
            let (header, events) = (header.clone(), Vec::new());
            let (stderr, verdict, broken, passed_over) = (Vec::new(), None, None, 0);
            let file = name.to_owned();
            Box::new(Played {
                file,
                header,
                script,
                events,
                stderr,
                verdict,
                broken,
                passed_over,
            })
        });
        let mut filing = Filing::new(name, protocol);
        let (mut count, mut bytes, mut is_whole) = (0, 0, true);
        while let Some(record) = reader.next() {
            let event = match (record?, &mut played) {
                (Record::Event(event), _) => event,
                (Record::Verdict(verdict), Some(played)) => {
                    played.verdict = Some(verdict);
                    continue;
                }
                (Record::Stderr(stderr), Some(played)) => {
                    played.stderr = stderr;
                    continue;
                }
                (Record::Broken(reason), Some(played)) => {
                    played.broken = Some(reason);
                    continue;
                }
                _ => continue,
            };
            // Of other events only those that are kept count.
            let size = match &event.what {
                What::Line { line, .. } => line.text.len(),
                What::Unfinished { text, .. } => text.len(),
                _ => 0,
            };
            if played.is_some() || matches!(event.what, What::Line { .. }) {
                (count, bytes) = (count + 1, bytes + size);
            }
            if count > most_lines || bytes > most_bytes {
                is_whole = false;
                break;
            }
            filing.add_lanes(&reader.header().lanes);
            let number = reader.line_number();
            match &mut played {
                Some(played) => {
                    played.events.push(event.clone());
                    filing.take(event, number);
                    // What the end of the process means in the game of a scenario is for its judge to say.
                    filing.game.exited = None;
                }
                None => filing.take(event, number),
            }
        }
        // Lanes can come while the game runs, and say nothing.
        filing.add_lanes(&reader.header().lanes);
        let mut game = filing.game;
        if let Some(played) = &mut played {
            played.passed_over = reader.passed_over();
        }
        game.played = played;
        Ok((game, is_whole))
    }
}

/// A game that is filed event by event.
struct Filing<'a> {
    /// The file.
    name: &'a str,
    game: LoggedGame,
    /// Lanes that the other side has ended.
    ended: Vec<usize>,
    is_interrupted: bool,
    is_told_the_end: bool,
}

impl Filing<'_> {
    fn new<'a>(name: &'a str, protocol: Protocol) -> Filing<'a> {
        let game = LoggedGame::new(protocol, Vec::new());
        Filing {
            name,
            game,
            ended: Vec::new(),
            is_interrupted: false,
            is_told_the_end: false,
        }
    }

    /// Takes in the lanes that are new among these.
    fn add_lanes(&mut self, kinds: &[LaneKind]) {
        let of_kind = |&kind: &LaneKind| LoggedLane::whole(self.name, kind, None, Vec::new());
        self.game
            .lanes
            .extend(kinds[self.game.lanes.len()..].iter().map(of_kind));
    }

    /// Takes an event; `number` is where it stands in the file.
    fn take(&mut self, event: Event, number: usize) {
        let lanes = &mut self.game.lanes;
        let at = Some(event.at);
        match event.what {
            What::Line {
                lane,
                direction,
                line,
            } => {
                lanes[lane].lines.push(LoggedLine {
                    direction,
                    line,
                    number,
                    at,
                });
            }
            What::Closed {
                lane,
                direction: Direction::Received,
                close,
            } => {
                // A reset of a pipe says that the bot itself reads no more.
                self.is_told_the_end |= close == Close::End && !lanes[lane].is_owed_nothing;
                lanes[lane].is_lost |= close == Close::Lost;
                lanes[lane].is_owed_nothing |= close == Close::Lost;
                self.ended.push(lane);
            }
            What::Closed {
                lane,
                direction: Direction::Sent,
                ..
            } if !self.ended.contains(&lane) => {
                lanes[lane].is_owed_nothing = true;
            }
            What::Interrupted => self.is_interrupted = true,
            What::Opened { lane } if lanes[lane].kind == LaneKind::Spectator => {
                let has_moved = |lane: &LoggedLane| {
                    lane.lines
                        .iter()
                        .any(|line| line.direction == Direction::Sent)
                };
                lanes[lane].is_owed_nothing = lanes.iter().any(has_moved);
            }
            What::Exited { status, .. } if !self.is_interrupted && !self.is_told_the_end => {
                self.game.exited = Some(status);
            }
            _ => {}
        }
    }
}

impl LoggedLane {
    /// A lane of which both directions are in one file, in their order.
    fn whole(name: &str, kind: LaneKind, seat: Option<Seat>, lines: Vec<LoggedLine>) -> LoggedLane {
        let tells_sent = kind == LaneKind::Player;
        LoggedLane {
            name: name.to_owned(),
            kind,
            seat,
            lines,
            sent_apart: None,
            tells_sent,
            is_capture: false,
            is_owed_nothing: false,
            is_lost: false,
        }
    }
}
