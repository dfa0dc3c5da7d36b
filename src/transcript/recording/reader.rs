//! Streaming reader of recordings.

use std::io::{BufRead, Read};
use std::time::Duration;

use serde_json::Value;

use super::{Header, Record, encoding};
use crate::diagnostic::{Diagnostic, json_fault};

/// The longest line that is read, in bytes.
const LINE_LIMIT: usize = 64 << 20;

/// The most lanes that a game may have.
pub(super) const LANES_LIMIT: usize = 4096;

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
        let header = Header::from_json(text).map_err(|(code, title, help)| {
            Diagnostic::error(code, title)
                .in_file(format!("{name}:1"))
                .help(help)
        })?;
        let name = name.to_owned();
        Ok(Reader {
            name,
            input,
            line,
            number: 1,
            header,
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

    fn record(&mut self) -> Option<Result<Record, Diagnostic>> {
        let is_whole = self.line.last() == Some(&b'\n');
        let text = self.line.trim_ascii();
        if text.is_empty() {
            return None;
        }
        if !is_whole && self.line.len() == LINE_LIMIT {
            self.is_done = true;
            let title = format!("a line is longer than {LINE_LIMIT} bytes, the most that is read");
            return Some(Err(self.fault("recording/line-too-long", title)));
        }
        if is_whole
            && let Some(event) = encoding::read_line(text, self.header.lanes.len())
            && event.at >= self.latest
        {
            self.latest = event.at;
            return Some(Ok(Record::Event(event)));
        }
        let value: Value = match serde_json::from_slice(text) {
            Ok(value) => value,
            Err(_) if !is_whole => {
                let title = "the last line was cut off; what is before it is read";
                let place = format!("{}:{}", self.name, self.number);
                self.cut_off = Some(Diagnostic::warning("recording/cut-off", title).in_file(place));
                return None;
            }
            Err(error) => {
                let (what, column) = json_fault(&error);
                let title = format!("this line is not JSON: {what}");
                let place = format!("{}:{}:{column}", self.name, self.number);
                return Some(Err(
                    Diagnostic::error("recording/json", title).in_file(place)
                ));
            }
        };
        let Value::Object(mut object) = value else {
            return Some(Err(
                self.fault("recording/json", "this line is not an object".to_owned())
            ));
        };
        if let Some(verdict) = object.remove("verdict") {
            return Some(Ok(Record::Verdict(verdict)));
        }
        // Earlier versions counted the WebSocket frames of each lane. The counts are not part of the game.
        if object.contains_key("frames") {
            return None;
        }
        match encoding::new_lane(&object, self.header.lanes.len()) {
            Ok(Some(_)) if self.header.lanes.len() == LANES_LIMIT => {
                let title =
                    format!("the game has more than {LANES_LIMIT} lanes, the most that is read");
                return Some(Err(self.fault("recording/too-many-lanes", title)));
            }
            Ok(kind) => self.header.lanes.extend(kind),
            Err(title) => return Some(Err(self.fault("recording/event", title))),
        }
        match encoding::read_event(&object, self.header.lanes.len()) {
            Ok(Some((at, _))) if at < self.latest => {
                let title =
                    "time runs backwards: `t` is earlier than in the line before".to_owned();
                Some(Err(self.fault("recording/time", title)))
            }
            Ok(Some((at, record))) => {
                self.latest = at;
                Some(Ok(record))
            }
            Ok(None) => {
                self.passed_over += 1;
                None
            }
            Err(title) => Some(Err(self.fault("recording/event", title))),
        }
    }
}

impl<R> Reader<R> {
    fn fault(&self, code: &'static str, title: String) -> Diagnostic {
        Diagnostic::error(code, title).in_file(format!("{}:{}", self.name, self.number))
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Record, Diagnostic>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_done {
            self.number += 1;
            match read_line(&mut self.input, &mut self.line) {
                Ok(0) => self.is_done = true,
                Ok(_) => {
                    if let Some(record) = self.record() {
                        return Some(record);
                    }
                }
                Err(error) => {
                    self.is_done = true;
                    return Some(Err(unreadable(&self.name, &error)));
                }
            }
        }
        None
    }
}

fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<usize> {
    line.clear();
    input.take(LINE_LIMIT as u64).read_until(b'\n', line)
}

fn unreadable(name: &str, error: &std::io::Error) -> Diagnostic {
    Diagnostic::error(
        "file/unreadable",
        format!("the file cannot be read: {error}"),
    )
    .in_file(name)
}
