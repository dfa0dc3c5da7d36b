//! Streaming reader of recordings.

use std::io::{BufRead, Read};
use std::time::Duration;

use serde_json::Value;

use super::{Header, Record, VERSION, is_json, version_2};
use crate::diagnostic::{Diagnostic, json_fault, unreadable};
use crate::protocol::LaneKind;

/// The longest line that is read, in bytes.
const LINE_LIMIT: usize = 64 << 20;

/// The most lanes that a game may have.
const LANES_LIMIT: usize = 4096;

/// Reads a recording line by line, in memory that the longest line bounds; an iterator over [`Record`]s.
///
/// A record that is an error names its line; reading goes on after it, so that all of a file can be shown.
#[derive(Debug)]
pub struct Reader<R> {
    name: String,
    input: R,
    line: Vec<u8>,
    number: usize,
    header: Header,
    /// The version of the format.
    version: u64,
    latest: Duration,
    cut_off: Option<Diagnostic>,
    passed_over: usize,
    is_done: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads the header; `name` is the file's, for messages.
    ///
    /// # Errors
    /// `file/unreadable`, `recording/header`, `recording/dialect`, or `recording/version`.
    pub fn new(name: &str, mut input: R) -> Result<Reader<R>, Diagnostic> {
        let mut line = Vec::new();
        read_line(&mut input, &mut line).map_err(|error| unreadable(name, &error))?;
        let text = line
            .strip_prefix(crate::diagnostic::BYTE_ORDER_MARK.as_bytes())
            .unwrap_or(&line);
        let (header, version) =
            Header::read(text).map_err(|problem| problem.in_file(format!("{name}:1")))?;
        let name = name.to_owned();
        Ok(Reader {
            name,
            input,
            line,
            number: 1,
            header,
            version,
            latest: Duration::ZERO,
            cut_off: None,
            passed_over: 0,
            is_done: false,
        })
    }

    /// The header; lanes that came while the game ran are added to it as their events are read.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The line of the file from which the last record came, from 1.
    #[must_use]
    pub fn line_number(&self) -> usize {
        self.number
    }

    /// The warning about a last line that was cut off; known once the records have come to an end.
    #[must_use]
    pub fn cut_off(&self) -> Option<&Diagnostic> {
        self.cut_off.as_ref()
    }

    /// Returns the number of lines of unknown kinds so far, which a newer urtext has written.
    #[must_use]
    pub fn passed_over(&self) -> usize {
        self.passed_over
    }

    /// Reads the line; `None` if it is empty, cut off, or passed over.
    fn record(&mut self) -> Result<Option<Record>, Diagnostic> {
        let is_whole = self.line.last() == Some(&b'\n');
        let text = self.line.trim_ascii();
        if text.is_empty() {
            return Ok(None);
        }
        if !is_whole && self.line.len() == LINE_LIMIT {
            self.is_done = true;
            let title = format!("a line is longer than {LINE_LIMIT} bytes, the most that is read");
            return Err(self.fault("recording/line-too-long", title));
        }
        let record = match read_record(self.version, text, &mut self.header.lanes) {
            Ok(record) => record,
            Err(Unread::Frames) => return Ok(None),
            Err(Unread::Event(title)) => return Err(self.fault("recording/event", title)),
            Err(Unread::Json(_)) if !is_whole && !is_json(text) => {
                let title = "the last line was cut off; what is before it is read";
                let place = format!("{}:{}", self.name, self.number);
                self.cut_off = Some(Diagnostic::warning("recording/cut-off", title).in_file(place));
                return Ok(None);
            }
            Err(Unread::Json(error)) => {
                let (what, column) = json_fault(&error);
                let (code, title) = match error.is_data() {
                    true => ("recording/event", "this line is not sound"),
                    false => ("recording/json", "this line is not JSON"),
                };
                let fault = Diagnostic::error(code, format!("{title}: {what}"));
                return Err(fault.in_file(format!("{}:{}:{column}", self.name, self.number)));
            }
        };
        let lanes = self.header.lanes.len();
        if lanes > LANES_LIMIT {
            self.header.lanes.truncate(LANES_LIMIT);
            let title =
                format!("the game has more than {LANES_LIMIT} lanes, the most that is read");
            return Err(self.fault("recording/too-many-lanes", title));
        }
        match &record {
            None => self.passed_over += 1,
            Some(Record::Lane(_)) => return Ok(None),
            Some(Record::Event(event)) if event.at < self.latest => {
                let title = "time runs backwards: it is earlier than in the line before";
                return Err(self.fault("recording/time", title));
            }
            Some(Record::Event(event)) => {
                if let Some(lane) = event.what.lanes().iter().find(|lane| **lane >= lanes) {
                    let title = format!(
                        "there is no lane {lane}; the header names {lanes}, counted from 0"
                    );
                    return Err(self.fault("recording/event", title));
                }
                self.latest = event.at;
            }
            Some(_) => {}
        }
        Ok(record)
    }
}

/// Why a line is no record.
enum Unread {
    Json(serde_json::Error),
    Event(String),
    /// Counts of WebSocket frames in version 2, which are not part of the game.
    Frames,
}

/// Reads a line in a version of the format; `None` if it is of an unknown kind. Adds a lane that it names to the others.
fn read_record(
    version: u64,
    text: &[u8],
    lanes: &mut Vec<LaneKind>,
) -> Result<Option<Record>, Unread> {
    if version == VERSION {
        let record = Record::read(text).map_err(Unread::Json)?;
        if let Some(Record::Lane(kind)) = record {
            lanes.push(kind);
        }
        return Ok(record);
    }
    let line: Value = serde_json::from_slice(text).map_err(Unread::Json)?;
    if line.get("frames").is_some() {
        return Err(Unread::Frames);
    }
    version_2::read(line, lanes).map_err(Unread::Event)
}

impl<R> Reader<R> {
    fn fault(&self, code: &'static str, title: impl Into<String>) -> Diagnostic {
        Diagnostic::error(code, title).in_file(format!("{}:{}", self.name, self.number))
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Record, Diagnostic>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_done {
            self.number += 1;
            let read = match read_line(&mut self.input, &mut self.line) {
                Ok(1..) => self.record(),
                end => {
                    self.is_done = true;
                    end.map(|_| None)
                        .map_err(|error| unreadable(&self.name, &error))
                }
            };
            if let Some(record) = read.transpose() {
                return Some(record);
            }
        }
        None
    }
}

fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<usize> {
    line.clear();
    input.take(LINE_LIMIT as u64).read_until(b'\n', line)
}
