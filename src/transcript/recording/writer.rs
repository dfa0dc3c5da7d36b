//! Writer of recordings, for games in progress.

use std::io::{self, BufWriter, IntoInnerError, Write};

use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{Formatter, Serializer};

use super::{Header, Record, Timed};
use crate::diagnostic::visible::is_hostile;
use crate::transcript::Event;

/// Size of the buffer in bytes.
const KEPT: usize = 64 * 1024;

/// The most bytes of a recording: more than any game takes that is not refused for what it sends, and no more than a disk has room for.
const LARGEST: u64 = 512 * 1024 * 1024;

/// Writes a recording while a game runs. Give it the file itself, without a buffer: it keeps lines until it is asked to write
/// them out, or has many, and only whole ones go out, by one call.
#[derive(Debug)]
pub struct Writer<W: Write> {
    out: BufWriter<W>,
    /// Number of bytes left within the size limit.
    pub(super) room: u64,
}

/// JSON that is safe on a terminal: what steers or hides is escaped, beyond what JSON demands.
struct Shown;

impl Formatter for Shown {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = rest.find(is_hostile) {
            let (before, hostile) = rest.split_at(at);
            out.write_all(before.as_bytes())?;
            let length = hostile.chars().next().map_or(0, char::len_utf8);
            for unit in hostile[..length].encode_utf16() {
                write!(out, "\\u{unit:04x}")?;
            }
            rest = &hostile[length..];
        }
        out.write_all(rest.as_bytes())
    }
}

/// Appends a value as one line.
pub(super) fn write_line(value: &impl Serialize, out: &mut Vec<u8>) {
    let written = value.serialize(&mut Serializer::with_formatter(&mut *out, Shown));
    written.expect("memory takes all, and every key is a string");
    out.push(b'\n');
}

impl<W: Write> Writer<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn new(out: W, header: &Header) -> io::Result<Writer<W>> {
        let mut writer = Writer::append(out);
        writer.line(&header.first_line())?;
        writer.write_out()?;
        Ok(writer)
    }

    /// Goes on with a recording that has its header.
    pub fn append(out: W) -> Writer<W> {
        Writer {
            out: BufWriter::with_capacity(KEPT, out),
            room: LARGEST,
        }
    }

    fn line(&mut self, value: &impl Serialize) -> io::Result<()> {
        let mut line = Vec::new();
        write_line(value, &mut line);
        if let Some(room) = self.room.checked_sub(line.len() as u64) {
            self.room = room;
            return self.out.write_all(&line);
        }
        let reason =
            format!("it would be larger than {LARGEST} bytes, the most that is recorded of a game");
        // So that a reader of the file knows it too; it takes less room than a line of a game may.
        line.clear();
        write_line(&Record::Broken(reason.clone()), &mut line);
        self.out.write_all(&line)?;
        self.write_out()?;
        Err(io::Error::new(io::ErrorKind::FileTooLarge, reason))
    }

    /// Takes an event; its time is cut to the microsecond.
    ///
    /// # Errors
    /// Fails if the buffered lines cannot be written, or the event would make the recording too large; the event is then dropped, and the
    /// file says so.
    pub fn event(&mut self, event: &Event) -> io::Result<()> {
        self.line(&Timed(event.at, &event.what))
    }

    /// Takes a line that is no event.
    ///
    /// # Errors
    /// As those of [`Writer::event`].
    pub fn record(&mut self, record: &Record) -> io::Result<()> {
        match record {
            Record::Event(event) => self.event(event),
            record => self.line(record),
        }
    }

    /// Writes out what is kept.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn write_out(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Writes what was concluded, as the last line.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn verdict(mut self, verdict: Value) -> io::Result<W> {
        self.record(&Record::Verdict(verdict))?;
        self.out.into_inner().map_err(IntoInnerError::into_error)
    }
}
