//! Writer of recordings, for games in progress.

use std::io::{self, Write};
use std::time::Duration;

use serde_json::Value;

use super::{Header, encoding};
use crate::protocol::LaneKind;
use crate::transcript::Event;

/// Buffer size in bytes; a larger buffer is written out at once.
const KEPT: usize = 64 * 1024;

/// The most bytes of a recording: more than any game takes that is not refused for what it sends, and no more than a disk has room for.
const LARGEST: u64 = 512 * 1024 * 1024;

/// Writes a recording while a game runs. Give it the file itself, without a buffer: it keeps lines until it is asked to write
/// them out, and only whole ones go out, by one call.
#[derive(Debug)]
pub struct Writer<W: Write> {
    out: W,
    kept: String,
    /// Number of bytes left within the size limit.
    pub(super) room: u64,
}

impl<W: Write> Writer<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn new(out: W, header: &Header) -> io::Result<Writer<W>> {
        let mut writer = Writer {
            out,
            kept: header.to_json() + "\n",
            room: LARGEST,
        };
        writer.write_out()?;
        Ok(writer)
    }

    /// Goes on with a recording that has its header.
    pub fn append(out: W) -> Writer<W> {
        Writer {
            out,
            kept: String::new(),
            room: LARGEST,
        }
    }

    /// Takes an event; its time is cut to the microsecond.
    ///
    /// # Errors
    /// Fails if the buffered lines cannot be written.
    pub fn event(&mut self, event: &Event) -> io::Result<()> {
        encoding::write_event(event, &mut self.kept);
        if self.kept.len() < KEPT {
            Ok(())
        } else {
            self.write_out()
        }
    }

    /// Takes that a lane is connected which the header does not name; `lane` is the next number.
    ///
    /// # Errors
    /// Fails if the buffered lines cannot be written.
    pub fn new_lane(&mut self, at: Duration, lane: usize, kind: LaneKind) -> io::Result<()> {
        encoding::write_new_lane(at, lane, kind, &mut self.kept);
        if self.kept.len() < KEPT {
            Ok(())
        } else {
            self.write_out()
        }
    }

    /// Takes the end of what the subject wrote to standard error.
    ///
    /// # Errors
    /// Fails if the buffered lines cannot be written.
    pub fn stderr(&mut self, at: Duration, bytes: &[u8]) -> io::Result<()> {
        encoding::write_stderr(at, bytes, &mut self.kept);
        if self.kept.len() < KEPT {
            Ok(())
        } else {
            self.write_out()
        }
    }

    /// Returns true if lines are buffered.
    #[must_use]
    pub fn is_behind(&self) -> bool {
        !self.kept.is_empty()
    }

    /// Writes out what is kept.
    ///
    /// # Errors
    /// Fails if the line cannot be written, or would make the recording too large; the line is then dropped.
    pub fn write_out(&mut self) -> io::Result<()> {
        let Some(room) = self.room.checked_sub(self.kept.len() as u64) else {
            self.kept.clear();
            let reason = format!(
                "it would be larger than {LARGEST} bytes, the most that is recorded of a game"
            );
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
        };
        self.room = room;
        let written = self
            .out
            .write_all(self.kept.as_bytes())
            .and_then(|()| self.out.flush());
        self.kept.clear();
        written
    }

    /// Writes what was concluded, as the last line.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn verdict(mut self, verdict: &Value) -> io::Result<W> {
        self.kept.push_str(&format!("{{\"verdict\":{verdict}}}\n"));
        self.write_out()?;
        Ok(self.out)
    }
}
