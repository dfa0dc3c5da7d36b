//! Bare streams: files with the captured bytes of a lane, of one game or many.

#![doc = include_str!("bare.md")]

mod likeness;

pub use likeness::{
    LINES_OF_START, dialect_in, dialect_of, lacks_names, looks_like, other_dialect,
};

use std::io::{self, Read};
use std::ops::Range;

use likeness::names;
use memchr::memchr_iter;
use memchr::memmem::Finder;

use super::{Direction, Entry, Extent, LaneLabel, LaneTranscript};
use crate::diagnostic::Diagnostic;
use crate::protocol::{Dialect, Facts, LINE_LIMIT, LaneKind, Line, LineEnding, RefereeLine, Slot};

/// The largest game that is read, in bytes.
pub const GAME_LIMIT: usize = 1 << 20;

/// Number of bytes that are read at once.
const CHUNK: u64 = 256 << 10;

/// Number of bytes kept of a game that is too large.
const BEGINNING: usize = 1024;

/// One game of a file of bare streams.
#[derive(Debug, Clone)]
pub struct BareGame {
    /// The line of the file on which it begins, from 1.
    pub first_line: usize,
    /// Its lines; the empty line that separates it from the next game is not part of it.
    pub text: Vec<u8>,
    /// True if the game is larger than [`GAME_LIMIT`]; then the text is only its beginning.
    pub is_too_large: bool,
    /// True if `>` marks each line that the participant sent.
    pub marks_sent: bool,
}

impl BareGame {
    /// The only game of a file.
    pub fn new(text: impl Into<Vec<u8>>, marks_sent: bool) -> BareGame {
        BareGame {
            first_line: 1,
            text: text.into(),
            is_too_large: false,
            marks_sent,
        }
    }
}

/// The fault of a game that is too large to be read.
#[must_use]
pub fn too_large(name: &str, first_line: usize) -> Diagnostic {
    let title = format!("a game is larger than {GAME_LIMIT} bytes, the most that is read");
    Diagnostic::error("transcript/game-too-large", title)
        .in_file(format!("{name}:{first_line}"))
        .help("games in one file are separated by an empty line")
}

/// Reads a file of bare streams game by game, in memory that does not depend on the size of the file. An item is an error where the file cannot be
/// read.
#[derive(Debug)]
pub struct Games<R> {
    input: R,
    dialect: &'static dyn Dialect,
    marks_sent: bool,
    buffer: Vec<u8>,
    /// Number of bytes of the buffer that are handed out already.
    start: usize,
    /// The line of the file at which the rest begins, from 1.
    line: usize,
    has_ended: bool,
    empty_line: Finder<'static>,
}

impl<R: Read> Games<R> {
    /// The games of a stream. `head` are the bytes that have been read of it already. `marks_sent`: `>` marks the sent lines.
    #[must_use]
    pub fn new(
        dialect: &'static dyn Dialect,
        head: Vec<u8>,
        input: R,
        marks_sent: bool,
    ) -> Games<R> {
        Games {
            input,
            dialect,
            marks_sent,
            buffer: head,
            start: 0,
            line: 1,
            has_ended: false,
            empty_line: Finder::new(b"\n\n"),
        }
    }

    /// The dialect of the lanes.
    #[must_use]
    pub fn dialect(&self) -> &'static dyn Dialect {
        self.dialect
    }

    fn next_game(&mut self) -> io::Result<Option<BareGame>> {
        self.skip_empty_lines()?;
        if self.start == self.buffer.len() {
            return Ok(None);
        }
        let first_line = self.line;
        // The beginning of a game that is too large.
        let (mut searched, mut oversize) = (0, None);
        let mut beginning = Beginning::of(self.dialect);
        let length = loop {
            let filled = &self.buffer[self.start..];
            let separator = self.empty_line.find(&filled[searched..]);
            let separator = separator.map(|at| searched + at + 1);
            match separator.map(|length| (length, self.separates(&filled[length..]))) {
                Some((length, Some(true))) => {
                    break beginning.find(&filled[..length]).unwrap_or(length);
                }
                Some((length, Some(false))) => searched = length,
                // What follows is not read yet.
                Some((_, None)) => self.fill()?,
                None => {
                    if let Some(next) = beginning.find(filled) {
                        break next;
                    }
                    if self.has_ended {
                        break filled.len();
                    }
                    // The last byte may be the first half of a separator.
                    searched = filled.len().saturating_sub(1);
                    self.fill()?;
                }
            }
            if searched > GAME_LIMIT {
                let text = self.advance(searched);
                oversize.get_or_insert_with(|| self.buffer[text][..BEGINNING].to_vec());
                (searched, beginning.greeting) = (0, None);
            }
        };
        let text = self.advance(length);
        Ok(Some(BareGame {
            first_line,
            is_too_large: oversize.is_some() || text.len() > GAME_LIMIT,
            text: oversize.unwrap_or_else(|| self.buffer[text].to_vec()),
            marks_sent: self.marks_sent,
        }))
    }

    fn skip_empty_lines(&mut self) -> io::Result<()> {
        loop {
            while self.buffer.get(self.start) == Some(&b'\n') {
                self.start += 1;
                self.line += 1;
            }
            if self.start < self.buffer.len() || self.has_ended {
                return Ok(());
            }
            self.fill()?;
        }
    }

    /// Goes on by so many bytes, and returns where they are in the buffer.
    fn advance(&mut self, length: usize) -> Range<usize> {
        let passed = self.start..self.start + length;
        self.start = passed.end;
        self.line += memchr_iter(b'\n', &self.buffer[passed.clone()]).count();
        passed
    }

    /// Returns true if the empty line at the beginning of this text ends a game; `None` if more text is
    /// needed to decide.
    fn separates(&self, text: &[u8]) -> Option<bool> {
        let mut rest = text;
        while let Some(after) = rest.strip_prefix(b"\n") {
            rest = after;
            if text.len() - rest.len() > LINE_LIMIT {
                return Some(true);
            }
        }
        for number in 0..2 {
            let Some(end) = rest.iter().take(LINE_LIMIT).position(|&byte| byte == b'\n') else {
                // No roll and no name is that long, or the file ends here.
                let is_known = self.has_ended || rest.len() >= LINE_LIMIT;
                return is_known.then(|| !self.goes_on(rest, number, true));
            };
            let is_last = self.has_ended && rest.len() == end + 1;
            if self.goes_on(&rest[..end], number, is_last) {
                return Some(false);
            }
            rest = &rest[end + 1..];
        }
        Some(true)
    }

    /// Returns true if a line shows that the game before it goes on: a roll, or a loss in the last line of
    /// all.
    fn goes_on(&self, line: &[u8], number: usize, is_last: bool) -> bool {
        match self.dialect.hear(line) {
            RefereeLine::Roll(_) => true,
            RefereeLine::Loss | RefereeLine::Move(_) => number == 0 && is_last,
            RefereeLine::Other => false,
        }
    }

    fn fill(&mut self) -> io::Result<()> {
        self.buffer.drain(..self.start);
        self.start = 0;
        let mut chunk = self.input.by_ref().take(CHUNK);
        self.has_ended = chunk.read_to_end(&mut self.buffer)? == 0;
        Ok(())
    }
}

impl<R: Read> Iterator for Games<R> {
    type Item = io::Result<BareGame>;

    fn next(&mut self) -> Option<io::Result<BareGame>> {
        self.next_game().transpose()
    }
}

/// Looks for the next game where nothing separates it: in a dialect whose first line tells the receiver's seat, that line says so.
#[derive(Debug)]
struct Beginning {
    dialect: &'static dyn Dialect,
    /// Number of lines of the handshake, which are skipped; `None` if no line shows the seat.
    greeting: Option<usize>,
    /// Number of lines examined, and of their bytes.
    lines: usize,
    looked: usize,
}

impl Beginning {
    fn of(dialect: &'static dyn Dialect) -> Beginning {
        let greeting = dialect.greeting(false);
        let tells = greeting
            .first()
            .is_some_and(|first| first.slot == Slot::OwnSeat);
        Beginning {
            dialect,
            greeting: tells.then_some(greeting.len()),
            lines: 0,
            looked: 0,
        }
    }

    /// Finds the beginning of the next game in this text, which has grown since the last call.
    fn find(&mut self, text: &[u8]) -> Option<usize> {
        let greeting = self.greeting?;
        while let Some(length) = text[self.looked..].iter().position(|&byte| byte == b'\n') {
            let line = &text[self.looked..self.looked + length];
            let reads = || {
                self.dialect
                    .read_greeting(Slot::OwnSeat, line, &mut Facts::default())
            };
            if self.lines >= greeting && matches!(reads(), Ok(Some(_))) {
                return Some(self.looked);
            }
            self.lines += 1;
            self.looked += length + 1;
        }
        None
    }
}

/// Cuts a game of the file of this name into the lines of its lane.
#[must_use]
pub fn lane(name: &str, game: &BareGame, dialect: &dyn Dialect) -> LaneTranscript {
    let names = names(dialect);
    let mut lines: Vec<Entry> = Vec::new();
    for (index, raw) in game.text.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let (text, mut ending) = match raw.strip_suffix(b"\n") {
            Some(text) => (text, LineEnding::Newline),
            None => (raw, LineEnding::Missing),
        };
        let (direction, mut text) = match text.strip_prefix(b">") {
            Some(sent) if game.marks_sent && index >= names => (Direction::Sent, sent),
            _ => (Direction::Received, text),
        };
        if text.len() > LINE_LIMIT {
            (text, ending) = (&text[..LINE_LIMIT], LineEnding::TooLong);
        }
        let line = Line {
            text: text.to_vec(),
            ending,
        };
        lines.push(Entry {
            direction,
            line,
            number: game.first_line + index,
            at: None,
        });
    }
    let tells_sent = lines.iter().any(|line| line.direction == Direction::Sent);
    // Of the lanes of one game, only a player's is told a seat.
    let own_seat = lines
        .get(names)
        .filter(|line| line.direction == Direction::Received)
        .and_then(|line| {
            let is_roll = matches!(dialect.hear(&line.line.text), RefereeLine::Roll(_));
            let read = dialect.read_greeting(Slot::OwnSeat, &line.line.text, &mut Facts::default());
            read.ok().flatten().filter(|_| !is_roll)
        });
    let kind = match tells_sent || own_seat.is_some() {
        true => LaneKind::Player,
        false => LaneKind::Spectator,
    };
    LaneTranscript {
        file: name.to_owned(),
        tells_sent,
        extent: Extent::Capture,
        ..LaneTranscript::new(LaneLabel::of(kind, 1), lines)
    }
}

#[cfg(test)]
#[path = "bare_tests.rs"]
mod tests;
