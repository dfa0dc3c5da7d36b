use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read};

use super::BotError;
use crate::protocol::{Framer, Line, LineEnding};

/// Lines from a blocking stream, each as soon as it has come; memory is bounded whatever comes.
#[derive(Debug)]
pub struct LineReader<R> {
    input: R,
    framer: Framer,
    lines: VecDeque<Line>,
    has_ended: bool,
    count: u64,
}

impl<R: Read> LineReader<R> {
    /// Reads lines from here.
    pub fn new(input: R) -> LineReader<R> {
        LineReader { input, framer: Framer::default(), lines: VecDeque::new(), has_ended: false, count: 0 }
    }

    /// The next line; `None` after the end of the stream.
    ///
    /// # Errors
    /// Where the stream cannot be read.
    pub fn next_line(&mut self) -> io::Result<Option<Line>> {
        let mut chunk = [0; 4096];
        while self.lines.is_empty() && !self.has_ended {
            match self.input.read(&mut chunk) {
                Ok(0) => {
                    self.has_ended = true;
                    self.lines.extend(self.framer.finish());
                }
                Ok(count) => self.framer.push(&chunk[..count], |line| self.lines.push_back(line)),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let line = self.lines.pop_front();
        self.count += u64::from(line.is_some());
        Ok(line)
    }

    /// The next whole line. What comes last without its newline is not one, and as good as the end.
    ///
    /// # Errors
    /// Where the stream cannot be read.
    pub(super) fn next_whole_line(&mut self) -> io::Result<Option<Line>> {
        Ok(self.next_line()?.filter(|line| line.ending != LineEnding::Missing))
    }

    /// That the line handed out last is not what is due.
    pub(super) fn unexpected(&self, line: Line, expected: impl Into<String>) -> BotError {
        BotError::Unexpected { number: self.count, expected: expected.into(), received: line.text }
    }
}
