//! Parts of a text that a node holds, and where each of them stands in the file.

use std::ops::Range;

use crate::diagnostic::{Source, Span};
use crate::yaml::Node;

/// The text of a node together with its place.
pub(super) struct Line<'t> {
    text: &'t str,
    /// Offset of the text in the file; `None` if escapes make the two differ.
    start: Option<usize>,
    whole: Span,
}

/// A stretch of a [`Line`].
#[derive(Clone, Copy)]
pub(super) struct Part<'t> {
    line: &'t Line<'t>,
    start: usize,
    end: usize,
}

impl<'t> Line<'t> {
    /// The text of `node`, which is `text`.
    pub(super) fn new(node: &Node, text: &'t str, source: &Source) -> Line<'t> {
        let written = source.slice(node.span);
        let start = if written == text.as_bytes() {
            Some(node.span.start)
        } else if written.len() == text.len() + 2 && &written[1..=text.len()] == text.as_bytes() {
            Some(node.span.start + 1)
        } else {
            None
        };
        Line {
            text,
            start,
            whole: node.span,
        }
    }

    /// All of it but the white space at its ends.
    pub(super) fn all(&'t self) -> Part<'t> {
        Part {
            line: self,
            start: 0,
            end: self.text.len(),
        }
        .trimmed()
    }
}

impl<'t> Part<'t> {
    pub(super) fn text(self) -> &'t str {
        &self.line.text[self.start..self.end]
    }

    pub(super) fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Returns the span of the part, or of the whole value if the file does not spell out the text.
    pub(super) fn span(self) -> Span {
        match self.line.start {
            Some(start) => Span::new(start + self.start, start + self.end),
            None => self.line.whole,
        }
    }

    /// The bytes of it in this range, which must lie on character boundaries.
    pub(super) fn slice(self, range: Range<usize>) -> Part<'t> {
        let end = self.end.min(self.start + range.end);
        Part {
            line: self.line,
            start: end.min(self.start + range.start),
            end,
        }
    }

    /// All from this byte on.
    pub(super) fn from(self, start: usize) -> Part<'t> {
        self.slice(start..self.end - self.start)
    }

    /// The text before a part of it, and without white space at its ends.
    pub(super) fn text_before(self, part: Part<'t>) -> &'t str {
        self.line.text[self.start..part.start].trim()
    }

    /// The text after a part of it, and without white space at its ends.
    pub(super) fn text_after(self, part: Part<'t>) -> &'t str {
        self.line.text[part.end..self.end].trim()
    }

    pub(super) fn trimmed(self) -> Part<'t> {
        let text = self.text();
        let start = text.len() - text.trim_start().len();
        self.slice(start..start + text.trim().len())
    }

    /// Its first word, up to white space.
    pub(super) fn first_word(self) -> Option<Part<'t>> {
        let rest = self.trimmed();
        let length = rest.text().find(char::is_whitespace);
        let word = rest.slice(0..length.unwrap_or(rest.text().len()));
        (!word.is_empty()).then_some(word)
    }

    /// The text after one of its parts.
    pub(super) fn after(self, part: Part<'t>) -> Part<'t> {
        Part {
            start: part.end,
            ..self
        }
    }

    /// Its words, between white space.
    pub(super) fn words(self) -> Vec<Part<'t>> {
        let mut words = Vec::new();
        let mut rest = self;
        while let Some(word) = rest.first_word() {
            words.push(word);
            rest = rest.after(word);
        }
        words
    }

    /// Returns the part from the start of this one to the end of `last`.
    pub(super) fn to(self, last: Part<'t>) -> Part<'t> {
        Part {
            end: last.end.max(self.start),
            ..self
        }
    }

    /// The part before the first `separator`, the separator, and the part after it.
    pub(super) fn split(self, separator: char) -> Option<[Part<'t>; 3]> {
        let at = self.text().find(separator)?;
        let after = at + separator.len_utf8();
        Some([
            self.slice(0..at).trimmed(),
            self.slice(at..after),
            self.from(after).trimmed(),
        ])
    }
}
