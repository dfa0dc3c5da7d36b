use super::recording::{self, Record};
use super::{Direction, LaneLabel, Placed, What};
use crate::diagnostic::Diagnostic;
use crate::protocol::{self, Dialect, LaneKind, Line};
use crate::rules::Seat;

/// The most lines that a game may have, in any format.
pub const LINES_LIMIT: usize = 1 << 20;

/// The most bytes that the lines of a recorded game may have together.
pub const TEXT_LIMIT: usize = 64 << 20;

/// A finished game as files tell it.
#[derive(Debug, Clone)]
pub struct FiledGame {
    /// The wire protocol of the lanes.
    pub dialect: &'static dyn Dialect,
    /// The lanes that are at hand; there may be fewer than the game had.
    pub lanes: Vec<FiledLane>,
}

/// One lane as a file tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FiledLane {
    /// The file, as the user typed it.
    pub name: String,
    /// Whether it is a player's or a spectator's.
    pub kind: LaneKind,
    /// Whose it is, where the file says so before the handshake does.
    pub seat: Option<Seat>,
    /// Its lines in the order in which they went; only the received ones where the sent ones are filed apart.
    pub lines: Vec<FiledLine>,
    /// The lines that were sent, where another file holds them; in which order they went with the others is not known.
    pub sent_apart: Option<SentApart>,
    /// Whether the lane tells what its player sent.
    pub tells_sent: bool,
    /// Whether it is the bare bytes of a stream, which may have been cut off anywhere.
    pub is_capture: bool,
}

/// What a participant sent, filed apart from what it received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentApart {
    /// The file, as the user typed it.
    pub name: String,
    /// Its lines.
    pub lines: Vec<FiledLine>,
}

/// One line of a lane, and where it stands in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FiledLine {
    /// Which way it went.
    pub direction: Direction,
    /// The line.
    pub line: Line,
    /// The line of the file, from 1.
    pub number: usize,
}

impl FiledGame {
    /// The game of a golden transcript; `name` is the file's.
    #[must_use]
    pub fn from_golden(name: &str, placed: Placed) -> FiledGame {
        let dialect = protocol::find(&placed.transcript.dialect).expect("the reader knows the dialect");
        let lanes = placed.transcript.lanes.into_iter().zip(placed.lines).map(|(lane, numbers)| {
            let entries = lane.entries.into_iter().zip(numbers);
            let lines = entries
                .map(|(entry, number)| FiledLine { direction: entry.direction, line: entry.line, number })
                .collect();
            let (kind, seat) = match lane.label {
                LaneLabel::Player(seat) => (LaneKind::Player, Some(seat)),
                LaneLabel::Unseated(_) => (LaneKind::Player, None),
                LaneLabel::Spectator(_) => (LaneKind::Spectator, None),
            };
            FiledLane::whole(name, kind, seat, lines)
        });
        FiledGame { dialect, lanes: lanes.collect() }
    }

    /// The game of a recording, its other events left out; `name` is the file's.
    ///
    /// # Errors
    /// The first line that is not sound, or `recording/too-large`.
    pub fn from_recording<R: std::io::BufRead>(
        name: &str,
        reader: &mut recording::Reader<R>,
    ) -> Result<FiledGame, Diagnostic> {
        let (game, is_whole) = FiledGame::from_start(name, reader, LINES_LIMIT, TEXT_LIMIT)?;
        if is_whole {
            return Ok(game);
        }
        let title = format!(
            "the game has more than {LINES_LIMIT} lines, or more than {TEXT_LIMIT} bytes in them, the most that is read"
        );
        Err(Diagnostic::error("recording/too-large", title).in_file(name))
    }

    /// As much of the game of a recording as so many lines, with so many bytes in them, tell, and whether that is all of it.
    ///
    /// # Errors
    /// The first line that is not sound.
    pub fn from_start<R: std::io::BufRead>(
        name: &str,
        reader: &mut recording::Reader<R>,
        most_lines: usize,
        most_bytes: usize,
    ) -> Result<(FiledGame, bool), Diagnostic> {
        let header = reader.header();
        let dialect = header.dialect;
        let of_kind = |&kind: &LaneKind| FiledLane::whole(name, kind, None, Vec::new());
        let mut lanes: Vec<FiledLane> = Vec::new();
        let (mut count, mut bytes) = (0, 0);
        let mut is_whole = true;
        while let Some(record) = reader.next() {
            let Record::Event(event) = record? else { continue };
            let What::Line { lane, direction, line } = event.what else { continue };
            (count, bytes) = (count + 1, bytes + line.text.len());
            if count > most_lines || bytes > most_bytes {
                is_whole = false;
                break;
            }
            lanes.extend(reader.header().lanes[lanes.len()..].iter().map(of_kind));
            lanes[lane].lines.push(FiledLine { direction, line, number: reader.line_number() });
        }
        // Lanes can come while the game runs, and say nothing.
        lanes.extend(reader.header().lanes[lanes.len()..].iter().map(of_kind));
        Ok((FiledGame { dialect, lanes }, is_whole))
    }
}

impl FiledLane {
    /// A lane of which both directions are in one file, in their order.
    fn whole(name: &str, kind: LaneKind, seat: Option<Seat>, lines: Vec<FiledLine>) -> FiledLane {
        let tells_sent = kind == LaneKind::Player;
        FiledLane {
            name: name.to_owned(),
            kind,
            seat,
            lines,
            sent_apart: None,
            tells_sent,
            is_capture: false,
        }
    }
}
