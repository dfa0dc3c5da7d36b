//! The text of a node, whose parts know their places.

use crate::diagnostic::visible::{ESCAPES, read_escape};
use crate::diagnostic::{Faults, Source, Span};
use crate::yaml::Node;

/// The text of a node together with its place. Its parts are slices of it.
pub(super) struct Text<'t> {
    all: &'t str,
    /// Offset of the text in the file; `None` if escapes make the two differ.
    start: Option<usize>,
    whole: Span,
}

impl<'t> Text<'t> {
    /// The text of `node`, which is `all`.
    pub(super) fn new(node: &Node, all: &'t str, source: &Source) -> Text<'t> {
        let (written, start) = (source.slice(node.span), node.span.start);
        let is_quoted = written.len() == all.len() + 2 && &written[1..=all.len()] == all.as_bytes();
        let start = match written == all.as_bytes() {
            true => Some(start),
            false => is_quoted.then_some(start + 1),
        };
        let whole = node.span;
        Text { all, start, whole }
    }

    /// All of it but the white space at its ends.
    pub(super) fn trimmed(&self) -> &'t str {
        self.all.trim()
    }

    fn offset(&self, part: &str) -> usize {
        part.as_ptr().addr() - self.all.as_ptr().addr()
    }

    /// Returns the span of a part, or of the whole value if the file does not spell out the text.
    pub(super) fn span(&self, part: &str) -> Span {
        let start = self.start.map(|start| start + self.offset(part));
        start.map_or(self.whole, |start| Span::new(start, start + part.len()))
    }

    /// The text from the start of one part to the end of a later one.
    pub(super) fn to(&self, first: &str, last: &str) -> &'t str {
        &self.all[self.offset(first)..self.offset(last) + last.len()]
    }

    /// The rest of `within` after `part`, without white space at its ends.
    pub(super) fn after(&self, part: &str, within: &str) -> &'t str {
        let end = self.offset(within) + within.len();
        self.all[self.offset(part) + part.len()..end].trim()
    }

    /// Reads a JSON string at the start of `part`, with `\xff` for a single byte and `\u{e9}` besides, so that what reports show in
    /// quotation marks can be sent. Returns its bytes and the part that it takes; a problem has this code.
    pub(super) fn quoted<'p>(
        &self,
        part: &'p str,
        code: &'static str,
        faults: &Faults,
    ) -> Option<(Vec<u8>, &'p str)> {
        let refuse = |part, reason, help| faults.reject(code, reason, self.span(part), "", help);
        let mut bytes = Vec::new();
        let mut at = 1;
        loop {
            let rest = &part[at..];
            let Some(character) = rest.chars().next() else {
                let help = "add a `\"`; if the line contains ` #`, put the whole turn in single quotation marks";
                return refuse(part, "this quotation mark is never closed", help);
            };
            match character {
                '"' => return Some((bytes, &part[..=at])),
                '\\' => match read_escape(rest, &mut bytes) {
                    Ok(length) => at += length,
                    Err(length) => {
                        return refuse(&rest[..length], "this is no known escape", ESCAPES);
                    }
                },
                other => {
                    let length = other.len_utf8();
                    bytes.extend_from_slice(&rest.as_bytes()[..length]);
                    at += length;
                }
            }
        }
    }
}
