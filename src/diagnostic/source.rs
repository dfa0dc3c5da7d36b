//! A file's contents together with the name the user knows it by, and ranges of it, in bytes.

use std::fmt::{self, Debug, Formatter};
use std::ops::Range;
use std::sync::{Arc, LazyLock};

/// A text to point into: its bytes and its name as the user typed it. Cloning it is cheap.
///
/// The bytes need not be UTF-8; [`Source::utf8`] demands it where a format does.
#[derive(Clone, PartialEq, Eq)]
pub struct Source {
    name: Arc<str>,
    content: Content,
    is_file: bool,
}

#[derive(Clone, PartialEq, Eq)]
enum Content {
    Text(Arc<str>),
    Bytes(Arc<[u8]>),
}

/// A line and a column, both counted from 1; the column counts characters, or bytes where they are no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted from 1 in characters. A byte-order mark at the start of a file has none.
    pub column: usize,
}

/// The byte-order mark that some editors put before a UTF-8 text.
pub const BYTE_ORDER_MARK: &str = "\u{feff}";

impl Source {
    /// A text that is at hand already.
    #[must_use]
    pub fn new(name: &str, text: impl Into<Arc<str>>) -> Source {
        Source {
            name: name.into(),
            content: Content::Text(text.into()),
            is_file: false,
        }
    }

    /// Bytes that may or may not be text.
    #[must_use]
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Source {
        let content = match String::from_utf8(bytes) {
            Ok(text) => Content::Text(text.into()),
            Err(error) => Content::Bytes(error.into_bytes().into()),
        };
        Source {
            name: name.into(),
            content,
            is_file: false,
        }
    }

    /// Marks it as read from a file, whose path is its name.
    #[must_use]
    pub(super) fn of_file(self) -> Source {
        Source {
            is_file: true,
            ..self
        }
    }

    /// Returns true if it was read from a file, whose path is its name. A text inside the program was not.
    #[must_use]
    pub fn is_file(&self) -> bool {
        self.is_file
    }

    /// The name as the user typed it; hostile bytes in it are not escaped yet.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All its bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match &self.content {
            Content::Text(text) => text.as_bytes(),
            Content::Bytes(bytes) => bytes,
        }
    }

    /// The whole as text where it is UTF-8; [`Source::utf8`] says where it is not.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match &self.content {
            Content::Text(text) => Some(text),
            Content::Bytes(_) => None,
        }
    }

    /// The bytes under a span; the part of a span beyond the end has none.
    #[must_use]
    pub fn slice(&self, span: Span) -> &[u8] {
        let bytes = self.bytes();
        let end = span.end.min(bytes.len());
        &bytes[span.start.min(end)..end]
    }

    /// The line and column of a byte; of one beyond the end, those of the end.
    #[must_use]
    pub fn position(&self, offset: usize) -> LineColumn {
        let before = &self.bytes()[..offset.min(self.bytes().len())];
        let line_start = self.line_start(offset);
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        let mut in_line = &before[line_start..];
        if line == 1 {
            in_line = in_line
                .strip_prefix(BYTE_ORDER_MARK.as_bytes())
                .unwrap_or(in_line);
        }
        let columns: usize = in_line
            .utf8_chunks()
            .map(|chunk| chunk.valid().chars().count() + chunk.invalid().len())
            .sum();
        LineColumn {
            line,
            column: columns + 1,
        }
    }

    /// The offset of the first byte of the line that holds this byte.
    pub(super) fn line_start(&self, offset: usize) -> usize {
        let before = &self.bytes()[..offset.min(self.bytes().len())];
        let newline = before.iter().rposition(|byte| *byte == b'\n');
        newline.map_or(0, |newline| newline + 1)
    }

    /// The span cut at the end of its first line, with the white space before that end left out.
    #[must_use]
    pub fn first_line(&self, span: Span) -> Span {
        let bytes = self.slice(span);
        let line = bytes
            .split(|byte| matches!(byte, b'\n' | b'\r'))
            .next()
            .unwrap_or(bytes);
        match line.len() == bytes.len() {
            true => span,
            false => Span::new(span.start, span.start + line.trim_ascii_end().len()),
        }
    }
}

impl Default for Source {
    /// No text and no name.
    fn default() -> Source {
        static NOTHING: LazyLock<Source> = LazyLock::new(|| Source::new("", ""));
        NOTHING.clone()
    }
}

impl Debug for Source {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "Source({:?}, {} bytes)", self.name, self.bytes().len())
    }
}

/// A stretch of a [`Source`](super::Source), in byte offsets: `start` inclusive, `end` exclusive.
///
/// An empty span points between two bytes, and at the end of a text to what is missing there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last one; never less than `start`.
    pub end: usize,
}

impl Span {
    /// The bytes from `start` up to `end`; an `end` before `start` gives an empty span at `start`.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Span {
        Span {
            start,
            end: end.max(start),
        }
    }

    /// The empty span at `offset`.
    #[must_use]
    pub fn at(offset: usize) -> Span {
        Span {
            start: offset,
            end: offset,
        }
    }

    /// The smallest span that holds both.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// Returns the length in bytes.
    #[must_use]
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// Returns true for an empty range.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Returns the span as a range, to index a slice.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{LineColumn, Source, Span};
    use crate::diagnostic::Diagnostic;

    fn at(line: usize, column: usize) -> LineColumn {
        LineColumn { line, column }
    }

    #[test]
    fn counts_lines_and_characters_from_one() {
        let text = "ab\nżółw\r\n!";
        let marked = "\u{feff}ab";
        // A byte order mark has no column, and a byte that is no text has one.
        for (bytes, offset, position) in [
            (text.as_bytes(), 0, at(1, 1)),
            (text.as_bytes(), 2, at(1, 3)),
            (text.as_bytes(), 3, at(2, 1)),
            (text.as_bytes(), "ab\nżó".len(), at(2, 3)),
            (text.as_bytes(), text.len(), at(3, 2)),
            (text.as_bytes(), usize::MAX, at(3, 2)),
            (marked.as_bytes(), "\u{feff}a".len(), at(1, 2)),
            (b"a\xff\xfeb", 3, at(1, 4)),
        ] {
            let source = Source::from_bytes("a", bytes.to_vec());
            assert_eq!(source.position(offset), position, "{bytes:?} {offset}");
        }
    }

    #[test]
    fn names_the_first_byte_that_is_not_utf8() {
        let source = Source::from_bytes("a", b"one\ntw\xffo\xfe".to_vec());
        assert_eq!(
            source.utf8().unwrap_err().to_string(),
            "a:2:3: error[file/not-utf8]: the file is not UTF-8 text"
        );
        let cut = Source::from_bytes("a", b"one \xe2\x82".to_vec());
        assert_eq!(cut.utf8().unwrap_err().span(), Some(Span::new(4, 6)));
    }

    #[test]
    fn cuts_a_span_at_the_end_of_its_line() {
        let source = Source::new("a", "key: \r\n  more\n");
        assert_eq!(source.first_line(Span::new(0, 14)), Span::new(0, 4));
        assert_eq!(source.first_line(Span::new(9, 11)), Span::new(9, 11));
    }

    #[test]
    fn reads_no_more_than_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("five");
        std::fs::write(&path, "12345").unwrap();
        assert_eq!(Source::read(&path, 5).unwrap().bytes(), b"12345");
        assert_eq!(code(Source::read(&path, 4)), "file/too-large");
        assert_eq!(
            code(Source::read(Path::new("/dev/zero"), 4)),
            "file/special"
        );
    }

    #[test]
    fn tells_a_missing_file_from_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(code(Source::read(folder.path(), 4)), "file/folder");
        let missing = Source::read(&folder.path().join("no\x1b"), 4).unwrap_err();
        assert_eq!(missing.code(), "file/missing");
        assert!(
            missing
                .to_string()
                .ends_with("no\\x1b: error[file/missing]: there is no such file")
        );
    }

    fn code(result: Result<Source, Diagnostic>) -> &'static str {
        result.unwrap_err().code()
    }

    #[test]
    fn never_ends_before_it_starts() {
        assert_eq!(Span::new(7, 3), Span::at(7));
    }

    #[test]
    fn joins_with_another_in_either_order() {
        let (early, late) = (Span::new(1, 3), Span::new(5, 9));
        assert_eq!(early.to(late), Span::new(1, 9));
        assert_eq!(late.to(early), Span::new(1, 9));
    }
}
