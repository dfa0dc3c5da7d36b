//! Files in JSON, read part by part, with the place of each part.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::diagnostic::{BYTE_ORDER_MARK, Diagnostic, Source, Span, json_fault};
use crate::yaml::At;

/// A text in JSON.
pub(super) struct JsonFile<'s> {
    source: &'s Source,
    /// The code of its problems.
    code: &'static str,
    json: String,
    /// The places of the bytes that the text lacks as it is written.
    added: Vec<usize>,
}

impl<'s> JsonFile<'s> {
    /// A text that may have the slips of the examples in seed `002`: names without quotation marks, no comma between two members, and
    /// a comma after the last one.
    ///
    /// # Errors
    /// Fails if the text is not UTF-8.
    pub(super) fn new(source: &'s Source, code: &'static str) -> Result<JsonFile<'s>, Diagnostic> {
        let (json, added) = mended(source.utf8()?);
        Ok(JsonFile {
            source,
            code,
            json,
            added,
        })
    }

    /// The text without its slips.
    pub(super) fn text(&self) -> &str {
        &self.json
    }

    /// Reads the whole text.
    ///
    /// # Errors
    /// The first place that is not of the form.
    pub(super) fn read<'f, T: Deserialize<'f>>(&'f self) -> Result<T, Diagnostic> {
        serde_json::from_str(&self.json).map_err(|error| {
            let (title, column) = json_fault(&error);
            let lines = self.json.split_inclusive('\n');
            let before = lines.take(error.line().saturating_sub(1)).map(str::len);
            let mut at = self.json.len().min(before.sum::<usize>() + column - 1);
            while !self.json.is_char_boundary(at) {
                at -= 1;
            }
            let length = self.json[at..].chars().next().map_or(0, char::len_utf8);
            let span = Span::new(self.place(at), self.place(at + length));
            Diagnostic::error(self.code, title).at(self.source, span, "")
        })
    }

    /// Returns the place of a byte of the text as it is written.
    fn place(&self, at: usize) -> usize {
        at - self.added.partition_point(|&added| added < at)
    }

    /// Reads a part of the text.
    ///
    /// # Errors
    /// Says that the part is not of the form.
    pub(super) fn value<'f, T: Deserialize<'f>>(
        &self,
        part: &'f RawValue,
    ) -> Result<At<T>, Diagnostic> {
        let text = part.get();
        let is = serde_json::from_str(text);
        let is = is.map_err(|error| self.problem(text, json_fault(&error).0))?;
        Ok(At {
            is,
            span: self.span(text),
        })
    }

    /// Returns the span of a part of the text.
    fn span(&self, part: &str) -> Span {
        let start = part.as_ptr() as usize - self.json.as_ptr() as usize;
        Span::new(self.place(start), self.place(start + part.len()))
    }

    /// A problem with a part of the text.
    pub(super) fn problem(&self, part: &str, title: impl Into<String>) -> Diagnostic {
        self.at(part, Diagnostic::error(self.code, title))
    }

    /// Says that a diagnostic is about a part of the text.
    pub(super) fn at(&self, part: &str, diagnostic: Diagnostic) -> Diagnostic {
        let line = self.source.first_line(self.span(part));
        diagnostic.at(self.source, line, "")
    }
}

/// Returns a text without its slips, and the places of the bytes that it has more.
fn mended(text: &str) -> (String, Vec<usize>) {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-+.".contains(byte);
    let (mut json, mut added) = (Vec::with_capacity(text.len() * 5 / 4), Vec::new());
    let mut add = |json: &mut Vec<u8>, mark| {
        added.push(json.len());
        json.push(mark);
    };
    // The mark of the order of bytes is nothing to JSON.
    let after_mark = text.trim_start_matches(BYTE_ORDER_MARK);
    json.resize(text.len() - after_mark.len(), b' ');
    let (mut rest, mut last, mut comma) = (after_mark.as_bytes(), b'{', 0);
    while let Some(first) = rest.first() {
        let (is_bare, bytes) = (is_word(first), rest.iter());
        let (token, after) = rest.split_at(match first {
            b'"' => end_of_text(rest),
            b' ' => bytes.take_while(|byte| **byte == b' ').count(),
            _ if is_bare => bytes.take_while(|byte| is_word(byte)).count(),
            _ => 1,
        });
        rest = after;
        let is_name = (is_bare || *first == b'"') && after.trim_ascii_start().starts_with(b":");
        if is_name && !b"{,".contains(&last) {
            add(&mut json, b',');
        }
        if is_name && is_bare {
            add(&mut json, b'"');
        }
        match first {
            b',' => comma = json.len(),
            b'}' | b']' if last == b',' => json[comma] = b' ',
            _ => {}
        }
        json.extend_from_slice(token);
        if is_name && is_bare {
            add(&mut json, b'"');
        }
        if !first.is_ascii_whitespace() {
            last = *first;
        }
    }
    let json = String::from_utf8(json).expect("marks are added between characters");
    (json, added)
}

/// Returns the length of a text in quotation marks.
fn end_of_text(rest: &[u8]) -> usize {
    let mut is_escaped = false;
    let end = rest.iter().skip(1).position(|&byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    });
    end.map_or(rest.len(), |end| end + 2)
}
