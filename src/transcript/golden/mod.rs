//! Golden transcripts as text.

#![doc = include_str!("../golden.md")]

use std::io;
use std::path::Path;

use crate::diagnostic::{
    self, BYTE_ORDER_MARK, Diagnostics, Faults, Source, Span, suggest, visible,
};
use crate::pack::Protocol;
use crate::platform::write_output;
use crate::rules::Seat;
use crate::transcript::escape::{self, Slip};
use crate::transcript::{Direction, Entry, LaneLabel, LaneTranscript, Transcript};

/// The first line of a golden transcript, without the version.
const MAGIC: &str = "# urtext golden transcript ";

/// The version of the format that is written and read.
const VERSION: &str = "1";

/// The largest golden transcript that is read, in bytes.
pub const LARGEST: u64 = 16 * 1024 * 1024;

/// Returns true if these first bytes look like a golden transcript, valid or not.
#[must_use]
pub fn is_golden(start: &[u8]) -> bool {
    let start = start
        .strip_prefix(crate::diagnostic::BYTE_ORDER_MARK.as_bytes())
        .unwrap_or(start);
    start.starts_with(MAGIC.trim_end().as_bytes())
}

/// Writes a golden transcript whole or not at all, with the folders on the way; `false` where the file says the same already.
///
/// # Errors
/// Fails if the file or a folder cannot be written.
pub fn save(path: &Path, transcript: &Transcript) -> io::Result<bool> {
    let text = write(transcript);
    if diagnostic::holds(path, text.as_bytes()) {
        return Ok(false);
    }
    write_output(path, text.as_bytes())?;
    Ok(true)
}

/// Writes a transcript as golden text; [`read`] gives back the same transcript.
#[must_use]
pub fn write(transcript: &Transcript) -> String {
    let protocol = transcript.protocol;
    let mut out = format!("{MAGIC}{VERSION}\ndialect: {}\n", protocol.name());
    for lane in &transcript.lanes {
        out.push_str(&format!(
            "\n[{}]\n",
            lane.label.written(protocol.seat_names())
        ));
        for entry in &lane.entries {
            let at = out.len();
            escape::write_line(&mut out, &entry.line);
            let text = &out[at..];
            let is_bare = !text.is_empty() && !text.starts_with(['>', '<', '[', '#']);
            if entry.direction == Direction::Sent || !is_bare {
                out.insert(at, entry.direction.mark());
            }
            out.push('\n');
        }
    }
    out
}

/// Reads the words between the brackets of a block's header.
///
/// # Errors
/// Advice on the text to write instead.
fn read_header(words: &str, seat_names: [&'static str; 2]) -> Result<LaneLabel, String> {
    if let Some(seat) = Seat::BOTH
        .into_iter()
        .find(|seat| seat_names[seat.index()] == words)
    {
        return Ok(LaneLabel::Player(seat));
    }
    let kind = words.split(' ').next().unwrap_or_default();
    let number = words
        .strip_prefix(kind)
        .and_then(|rest| rest.strip_prefix(' '))
        .and_then(number);
    match (kind, number) {
        ("spectator", Some(number)) => return Ok(LaneLabel::Spectator(number)),
        ("player", Some(number)) => return Ok(LaneLabel::Unseated(number)),
        _ => {}
    }
    let [first, second] = seat_names;
    let known = [first, second, "spectator", "player"];
    Err(match suggest(kind, known) {
        Some(word @ ("spectator" | "player")) => format!("write `[{word} N]` with a number from 1"),
        Some(word) => format!("write `[{word}]`"),
        None => format!("lanes are `[{first}]`, `[{second}]`, `[spectator N]` and `[player N]`"),
    })
}

fn number(digits: &str) -> Option<u32> {
    let is_canonical = !digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_canonical.then(|| digits.parse().ok())?
}

/// Reads a golden transcript, with the line of the file on which each entry stands.
///
/// # Errors
/// Every fault of the file, each with its line and column.
pub fn read(source: &Source) -> Result<Transcript, Diagnostics> {
    let mut reader = Reader {
        faults: Faults::new(source),
        protocol: None,
        lanes: Vec::new(),
        headers: Vec::new(),
    };
    match source.utf8() {
        Ok(text) => reader.file(text),
        Err(fault) => reader.faults.push(fault),
    }
    if reader.faults.has_errors() {
        return Err(reader.faults.into_diagnostics());
    }
    let protocol = reader.protocol;
    Ok(Transcript {
        protocol: protocol.expect("a file without fault names its dialect"),
        lanes: reader.lanes,
    })
}

struct Reader {
    faults: Faults,
    protocol: Option<Protocol>,
    /// The lanes so far; lines belong to the last one.
    lanes: Vec<LaneTranscript>,
    /// Spans of the lanes' headers.
    headers: Vec<Span>,
}

impl Reader {
    fn file(&mut self, text: &str) {
        let body = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let (mut at, mut number) = (text.len() - body.len(), 0);
        for whole in body.split_inclusive('\n') {
            number += 1;
            let line = whole.strip_suffix('\n').unwrap_or(whole);
            let line = line.strip_suffix('\r').unwrap_or(line);
            match number {
                1 => self.first_line(line, at),
                2 => self.dialect(line, at),
                _ => self.line(line, at, number),
            }
            at += whole.len();
        }
        let end = Span::at(text.len());
        if number == 0 {
            let help = format!("a golden transcript begins with `{MAGIC}{VERSION}`");
            self.refuse("golden/empty", "the file is empty", end, &help);
        } else if number == 1 {
            self.dialect("", text.len());
        } else if self.lanes.is_empty() {
            let title = "there is no lane in this transcript";
            let help =
                "write a header such as `[spectator 1]`, and the lines of that lane below it";
            self.refuse("golden/no-lane", title, end, help);
        }
    }

    fn refuse(&mut self, code: &'static str, title: impl Into<String>, span: Span, help: &str) {
        self.faults.refuse(code, title, span, "", help);
    }

    fn first_line(&mut self, line: &str, at: usize) {
        let span = Span::new(at, at + line.len());
        let help = format!("write `{MAGIC}{VERSION}`");
        match line.strip_prefix(MAGIC) {
            Some(VERSION) => {}
            Some(version) => {
                let span = Span::new(at + MAGIC.len(), span.end);
                let title = format!(
                    "version {} of the format is not known",
                    visible::quoted(version)
                );
                self.faults.refuse(
                    "golden/version",
                    title,
                    span,
                    "this program reads version 1",
                    &help,
                );
            }
            None => {
                let title = "the first line does not say that this is a golden transcript";
                self.refuse("golden/first-line", title, span, &help);
            }
        }
    }

    /// The second line.
    fn dialect(&mut self, line: &str, at: usize) {
        let Some(value) = line.strip_prefix("dialect:") else {
            let span = Span::new(at, at + line.len());
            let title = "the second line does not say which dialect the file is in";
            let help = format!("write `dialect: NAME`; dialects are: {}", Protocol::names());
            self.refuse("golden/no-dialect", title, span, &help);
            if line.starts_with('[') {
                self.line(line, at, 2);
            }
            return;
        };
        let name = value.trim();
        self.protocol = Protocol::named(name);
        if self.protocol.is_none() {
            let near = suggest(name, Protocol::all().map(Protocol::name));
            // With the dialect that was meant, the headers below can be judged as well.
            self.protocol = near.and_then(Protocol::named);
            let help = match near {
                Some(near) => format!("write `dialect: {near}`"),
                None => format!("dialects are: {}", Protocol::names()),
            };
            let start = at + line.len() - value.trim_start().len();
            let span = Span::new(start, start + name.len());
            let title = format!("there is no dialect {}", visible::quoted(name));
            self.refuse("golden/dialect", title, span, &help);
        }
    }

    fn line(&mut self, line: &str, at: usize, number: usize) {
        if line.is_empty() || line.starts_with('#') {
            return;
        }
        let span = Span::new(at, at + line.len());
        if line.starts_with('[') {
            let label = self.header(line, span);
            // Lines below a header that is not understood are read all the same.
            let label = label.unwrap_or(LaneLabel::Unseated(0));
            self.headers.push(span);
            self.lanes.push(LaneTranscript {
                file: self.faults.source().name().to_owned(),
                ..LaneTranscript::new(label, Vec::new())
            });
            return;
        }
        let (direction, text) = match line.as_bytes()[0] {
            b'>' => (Direction::Sent, &line[1..]),
            b'<' => (Direction::Received, &line[1..]),
            _ => (Direction::Received, line),
        };
        let text_at = at + line.len() - text.len();
        let mut slips = Vec::new();
        let line = escape::read_line(text, &mut slips);
        for Slip {
            start,
            end,
            what,
            help,
        } in slips
        {
            let span = Span::new(text_at + start, text_at + end);
            self.refuse("golden/escape", what, span, &help);
        }
        match self.lanes.last_mut() {
            Some(lane) => lane.entries.push(Entry {
                number,
                ..Entry::new(direction, line)
            }),
            None => {
                let help = "take it out, or write the header of a lane above it, such as `[first]` or `[spectator 1]`";
                self.refuse(
                    "golden/no-header",
                    "this line belongs to no lane",
                    span,
                    help,
                );
            }
        }
    }

    /// Returns the lane that a header names; reports a header that names none.
    fn header(&mut self, line: &str, span: Span) -> Option<LaneLabel> {
        let Some(words) = line[1..].strip_suffix(']') else {
            let title = "this header does not end with `]`";
            let help = "a header is a lane's name in brackets; a line that was received and begins with `[` is \
                        written with `<` before it";
            self.refuse("golden/header", title, span, help);
            return None;
        };
        // Without the dialect it is not known how the game calls its seats.
        let label = match read_header(words, self.protocol?.seat_names()) {
            Ok(label) => label,
            Err(help) => {
                self.refuse("golden/header", "this names no lane", span, &help);
                return None;
            }
        };
        if let Some(known) = self.lanes.iter().position(|lane| lane.label == label) {
            let (title, places) = ("this lane has a block already", [self.headers[known], span]);
            let help = "a lane has one block; join the two";
            self.faults
                .refuse_again("golden/lane-twice", title, places, help);
        }
        Some(label)
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
