//! A new golden transcript that waits for review, in a file beside the old one.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use similar::{Algorithm, DiffOp, capture_diff_slices, group_diff_ops};

use super::LARGEST;
use crate::diagnostic::{Diagnostic, Diagnostics, Source};
use crate::platform::{folder_of, write_output};
use crate::transcript::Transcript;

/// Number of equal lines that are shown around a change.
const AROUND: usize = 3;

/// Returns the file in which the new text of a golden transcript waits: `NAME.txt.new` beside `NAME.txt`.
#[must_use]
pub fn pending_path(golden: &Path) -> PathBuf {
    let mut name = golden.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    golden.with_file_name(name)
}

/// A golden transcript beside the text that is proposed instead of it. Both are without comments and empty lines; of the proposed one the
/// comments are kept as notes.
#[derive(Debug, Clone)]
pub struct Proposal {
    golden: PathBuf,
    /// `None` where there is no golden transcript yet.
    old: Option<Vec<String>>,
    new: Vec<NotedLine>,
}

/// A line of a proposed text, with the comment above it.
#[derive(Debug, Clone)]
struct NotedLine {
    text: String,
    note: Option<String>,
}

/// Neighbouring changes, with what is equal around them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// The lane in which it begins, as its header is written; `None` before the first.
    pub lane: Option<String>,
    /// Its lines.
    pub lines: Vec<HunkLine>,
    /// Lines of the old text that it replaces.
    old: Range<usize>,
    /// Lines of the new text that it puts there.
    new: Range<usize>,
}

/// One line of a hunk, as it is written in a golden transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HunkLine {
    /// In both.
    Same(String),
    /// Only in the golden transcript that there is.
    Old(String),
    /// Only in the proposed one, with what it tells, where that is known.
    New(String, Option<String>),
}

impl Proposal {
    /// Writes a transcript beside the golden one, with notes as [`write_with`](super::write_with) has them, so that it waits for review.
    ///
    /// # Errors
    /// Fails if the file or a folder cannot be written.
    pub fn save(
        golden: &Path,
        transcript: &Transcript,
        note: impl Fn(usize, usize) -> Option<String>,
    ) -> io::Result<()> {
        fs::create_dir_all(folder_of(golden))?;
        let text = super::write_with(transcript, note);
        let pending = pending_path(golden);
        // A link of that name came with the scenarios, and may lead anywhere.
        match fs::remove_file(&pending) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => write_output(&pending, text.as_bytes()),
        }
    }

    /// Reads what waits beside a golden transcript; `None` where nothing does.
    ///
    /// # Errors
    /// Fails if one of the two files cannot be read, or the proposed one is no golden transcript.
    pub fn read(golden: &Path) -> Result<Option<Proposal>, Diagnostics> {
        let pending = pending_path(golden);
        if fs::symlink_metadata(&pending).is_err() {
            return Ok(None);
        }
        let source = Source::read(&pending, LARGEST)?;
        super::read(&source)?;
        let mut new = Vec::new();
        let mut note = None;
        for line in source.utf8()?.lines() {
            match line.strip_prefix("# ") {
                Some(_) if new.is_empty() => {}
                Some(text) => note = Some(text.to_owned()),
                None if line.is_empty() => note = None,
                None => new.push(NotedLine {
                    text: line.to_owned(),
                    note: note.clone(),
                }),
            }
        }
        let old = match golden.exists() {
            true => Some(plain(Source::read(golden, LARGEST)?.utf8()?)),
            false => None,
        };
        Ok(Some(Proposal {
            golden: golden.to_owned(),
            old,
            new,
        }))
    }

    /// Returns true if there is no golden transcript yet.
    #[must_use]
    pub fn is_first(&self) -> bool {
        self.old.is_none()
    }

    /// Returns the changes in their order; one that holds everything, where there is no golden transcript yet.
    #[must_use]
    pub fn hunks(&self) -> Vec<Hunk> {
        let old: Vec<&str> = self.old().iter().map(String::as_str).collect();
        let new: Vec<&str> = self.new.iter().map(|line| line.text.as_str()).collect();
        let changes = capture_diff_slices(Algorithm::Myers, &old, &new);
        let groups = group_diff_ops(changes, AROUND);
        groups.iter().map(|group| self.hunk(group)).collect()
    }

    /// Writes the golden transcript with these hunks of it, in their order, and removes what waited.
    ///
    /// # Errors
    /// Fails if a file cannot be written, or what comes of these hunks alone is no golden transcript; nothing is changed then.
    pub fn accept(&self, hunks: &[Hunk]) -> Result<(), Diagnostics> {
        let mut lines: Vec<&str> = Vec::new();
        let mut taken = 0;
        for hunk in hunks {
            lines.extend(self.old()[taken..hunk.old.start].iter().map(String::as_str));
            lines.extend(
                self.new[hunk.new.clone()]
                    .iter()
                    .map(|line| line.text.as_str()),
            );
            taken = hunk.old.end;
        }
        lines.extend(self.old()[taken..].iter().map(String::as_str));
        let text = lines.join("\n");
        let source = Source::new(
            &self.golden.to_string_lossy(),
            format!("{}\n", with_magic(&text)),
        );
        let transcript = super::read(&source)?.transcript;
        let written = fs::create_dir_all(folder_of(&self.golden))
            .and_then(|()| write_output(&self.golden, super::write(&transcript).as_bytes()))
            .and_then(|()| self.reject());
        written.map_err(|error| Diagnostics::from(self.unwritten(&error)))
    }

    /// Removes what waited.
    ///
    /// # Errors
    /// Fails if the file cannot be removed.
    pub fn reject(&self) -> io::Result<()> {
        fs::remove_file(pending_path(&self.golden))
    }

    /// Returns the fault of a file that cannot be written or removed.
    #[must_use]
    pub fn unwritten(&self, error: &io::Error) -> Diagnostic {
        let title = format!("{} cannot be written: {error}", self.golden.display());
        Diagnostic::error("golden/write", title)
            .help("check that the folder is one, and that you may write to it")
    }

    fn old(&self) -> &[String] {
        self.old.as_deref().unwrap_or_default()
    }

    fn hunk(&self, group: &[DiffOp]) -> Hunk {
        let of = |range: fn(&DiffOp) -> Range<usize>| {
            let ends = (group.first().map(range), group.last().map(range));
            ends.0.map_or(0, |first| first.start)..ends.1.map_or(0, |last| last.end)
        };
        let (old, new) = (of(DiffOp::old_range), of(DiffOp::new_range));
        let is_header = |line: &&NotedLine| line.text.starts_with('[');
        let lane = self.new[..new.start].iter().rev().find(is_header);
        let mut lines = Vec::new();
        for change in group {
            if let DiffOp::Equal { new_index, len, .. } = *change {
                let same = &self.new[new_index..new_index + len];
                lines.extend(same.iter().map(|line| HunkLine::Same(line.text.clone())));
                continue;
            }
            let gone = &self.old()[change.old_range()];
            lines.extend(gone.iter().cloned().map(HunkLine::Old));
            let came = self.new[change.new_range()].iter().cloned();
            lines.extend(came.map(|NotedLine { text, note }| HunkLine::New(text, note)));
        }
        Hunk {
            lane: lane.map(|line| line.text.clone()),
            lines,
            old,
            new,
        }
    }
}

/// The lines of a golden transcript, less comments and empty ones.
fn plain(text: &str) -> Vec<String> {
    let tells = |line: &&str| !line.is_empty() && !line.starts_with('#');
    text.lines().filter(tells).map(str::to_owned).collect()
}

/// The text with its first line.
fn with_magic(text: &str) -> String {
    format!("{}{}\n{text}", super::MAGIC, super::VERSION)
}
