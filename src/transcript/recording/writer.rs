use std::io::{self, Write};

use serde_json::Value;

use super::{Header, encoding};
use crate::transcript::Event;

/// Writes a recording while a game runs. Give it the file itself, without a buffer: each line goes out by one call.
#[derive(Debug)]
pub struct Writer<W: Write> {
    out: W,
}

impl<W: Write> Writer<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn new(out: W, header: &Header) -> io::Result<Writer<W>> {
        let mut writer = Writer { out };
        writer.put(header.to_json() + "\n")?;
        Ok(writer)
    }

    /// Writes an event; its time is cut to the microsecond.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn event(&mut self, event: &Event) -> io::Result<()> {
        self.put(encoding::write_event(event))
    }

    /// Writes what was concluded, as the last line.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn verdict(mut self, verdict: &Value) -> io::Result<W> {
        self.put(format!("{{\"verdict\":{verdict}}}\n"))?;
        Ok(self.out)
    }

    fn put(&mut self, line: String) -> io::Result<()> {
        self.out.write_all(line.as_bytes())?;
        self.out.flush()
    }
}
