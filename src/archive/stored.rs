//! Golden transcripts and recordings as files: how they are known, and what is wrong with their form.

use std::io::BufReader;
use std::path::Path;

use crate::diagnostic::{self, Diagnostics, Source, unreadable};
use crate::transcript::{golden, recording};

/// A file with a game that urtext has written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stored {
    /// A golden transcript.
    Golden,
    /// A recording.
    Recording,
}

impl Stored {
    /// The kind of the file with this beginning, if it is one of these.
    #[must_use]
    pub fn of(head: &[u8]) -> Option<Stored> {
        if golden::is_golden(head) {
            return Some(Stored::Golden);
        }
        recording::is_recording(head).then_some(Stored::Recording)
    }

    /// Everything that is wrong with the form of the file. Nothing is judged.
    #[must_use]
    pub fn problems(self, path: &Path) -> Diagnostics {
        let problems = match self {
            Stored::Golden => {
                let read = Source::read(path, golden::LARGEST).map_err(Diagnostics::from);
                read.and_then(|source| golden::read(&source)).err()
            }
            Stored::Recording => Some(of_recording(path)),
        };
        problems.unwrap_or_default()
    }
}

fn of_recording(path: &Path) -> Diagnostics {
    let name = path.to_string_lossy();
    let reader = diagnostic::open(path).map_err(|error| unreadable(&name, &error));
    let reader = reader.and_then(|file| recording::Reader::new(&name, BufReader::new(file)));
    let mut reader = match reader {
        Ok(reader) => reader,
        Err(problem) => return problem.into(),
    };
    let mut problems = Diagnostics::new();
    problems.extend(reader.by_ref().filter_map(Result::err));
    problems.extend(reader.cut_off().cloned());
    problems
}
