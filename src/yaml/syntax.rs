//! Diagnostics for invalid YAML: the parser's errors in plain words.

use serde_yaml::granit_parser::{ErrorKind, Marker, ScanError};

use crate::diagnostic::{Diagnostic, Source, Span, visible};

/// Position of the parser when parsing failed.
pub(super) struct Progress<'a> {
    /// The whole text.
    pub(super) text: &'a str,
    /// Offset at which the parser started.
    pub(super) start: usize,
    /// End of the last parsed event.
    pub(super) passed: usize,
    /// The innermost `[` or `{` still open.
    pub(super) bracket: Option<Span>,
}

/// The fault for a parser's error.
pub(super) fn fault(error: &ScanError, source: &Source, progress: &Progress<'_>) -> Diagnostic {
    let Progress {
        text,
        start,
        passed,
        bracket,
    } = *progress;
    let offset = offset_of(error.marker(), text, start);
    if *error.kind() == ErrorKind::RecursionLimitExceeded {
        return too_deep(source, Span::at(offset));
    }
    let (title, help, place) = words(error.kind());
    let span = match place {
        Place::Character => character_at(text, offset),
        Place::First(character) => {
            let before = text[offset..].find(character).unwrap_or_default();
            character_at(text, offset + before)
        }
        Place::RestOfLine => rest_of_line(source, text, offset),
        Place::OpeningQuote => {
            let between = &text[passed.min(offset)..offset];
            let opening = between
                .find(['"', '\''])
                .map_or(offset, |before| passed + before);
            rest_of_line(source, text, opening)
        }
    };
    let mut fault = Diagnostic::error("yaml/syntax", title).at(source, span, "");
    if let Some(bracket) = bracket.filter(|bracket| *bracket != span) {
        fault = fault.context(source, bracket, "opened here, and still open");
    }
    match colon_for_arrow(error.kind(), text, offset) {
        Some(turn) => fault.help(format!("a move is written after `>`: `{turn}`")),
        None => fault.help(help),
    }
}

/// The line of a list whose entry has a second `:`, with `>` there: a turn is meant, as in `- first: 0 0 1 1: 3`.
fn colon_for_arrow(kind: &ErrorKind, text: &str, offset: usize) -> Option<String> {
    let is_colon = matches!(
        kind,
        ErrorKind::MappingValueNotAllowed | ErrorKind::InvalidColonPlacement
    );
    let start = text[..offset].rfind('\n').map_or(0, |end| end + 1);
    let before = text[start..offset].trim();
    let after = text[offset..].lines().next()?.strip_prefix(':')?.trim();
    let is_turn = before.starts_with("- ") && before.contains(": ");
    (is_colon && is_turn).then(|| format!("{before} > {after}"))
}

/// The fault for a file without a single value.
pub(super) fn nothing_there(source: &Source, text: &str, start: usize) -> Diagnostic {
    let title = if text[start..].trim().is_empty() {
        "the file is empty"
    } else {
        "the file holds no value, only comments or marks"
    };
    Diagnostic::error("yaml/empty", title).in_file(source.name())
}

/// The fault for lists and mappings that nest too deep.
pub(super) fn too_deep(source: &Source, span: Span) -> Diagnostic {
    Diagnostic::error("yaml/too-deep", "lists and mappings nest too deep here").at(source, span, "")
}

/// The place of a parser's marker in the whole text, on a character boundary whatever the parser says.
pub(super) fn offset_of(marker: &Marker, text: &str, start: usize) -> usize {
    let mut offset = (start + marker.byte_offset().unwrap_or(0)).min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// Extent of the mark.
enum Place {
    Character,
    /// The first such character from where the value before it begins.
    First(char),
    RestOfLine,
    /// From the quotation mark that opened the text where the parser stopped, to the end of that line.
    OpeningQuote,
}

/// Title, help and extent for a kind of error; a rare one keeps the words of the parser.
fn words(kind: &ErrorKind) -> (String, &'static str, Place) {
    use ErrorKind as E;
    let (title, help, place) = match kind {
        E::InvalidBlockScalarHeader => (
            "a value that begins with `>` or `|` is a block of text to YAML",
            "put it in quotation marks; a move is written after its roll, such as `0 0 0 1 > 3`",
            Place::RestOfLine,
        ),
        E::MappingValueNotAllowed | E::InvalidColonPlacement => (
            "a `:` cannot stand here",
            "check the indentation of this line and the one above; a value that holds `: ` needs quotation marks",
            Place::Character,
        ),
        E::SimpleKeyExpected
        | E::ExpectedBlockMappingKey
        | E::ExpectedBlockSequenceEntry
        | E::BlockSequenceEntryNotAllowed
        | E::BlockEntryInFlowCollection
        | E::InvalidIndentation => (
            "the indentation of this does not fit what stands around it",
            "write `key: value` or `- entry`, each on its own line, and indent the entries of one list or mapping alike",
            Place::RestOfLine,
        ),
        E::TabNotAllowed
        | E::TabInBlockIndentation
        | E::TabInIndentation
        | E::TabAtBlockScalarStart
        | E::TabInPlainScalar => (
            "a tab cannot stand here",
            "indent with spaces",
            Place::First('\t'),
        ),
        E::UnclosedQuotedScalar
        | E::InvalidQuotedScalarIndent
        | E::DocumentIndicatorInQuotedScalar => (
            "the quotation mark that opens here is not closed",
            "close it on the same line",
            Place::OpeningQuote,
        ),
        // The parser uses it for signs such as `@` as well.
        E::UnexpectedCharacter { character } if !character.is_ascii_graphic() => {
            let number = u32::from(*character);
            let title = format!(
                "a control character stands here, U+{number:04X}, which YAML does not allow"
            );
            let help = "in double quotation marks it can be escaped, such as `\"\\x1b\"`";
            return (title, help, Place::First(*character));
        }
        E::UnclosedFlowCollection { open } | E::MismatchedFlowCollectionEnd { open, .. } => {
            let title = format!("the `{open}` that opens here is not closed");
            let help = "close it; or put a value that is meant to begin with it in quotation marks";
            return (title, help, Place::Character);
        }
        _ => {
            let title = format!("this is no YAML: {}", visible::plain(&kind.to_string()));
            let help = "put a value that holds a sign of YAML in quotation marks, such as `'*'`";
            return (title, help, Place::Character);
        }
    };
    (title.to_owned(), help, place)
}

/// The character at an offset; of the end of a line or of the text, the last character before it.
fn character_at(text: &str, offset: usize) -> Span {
    match text[offset..].chars().next() {
        Some(character) if !matches!(character, '\n' | '\r') => {
            Span::new(offset, offset + character.len_utf8())
        }
        _ => {
            let before = text[..offset].trim_end();
            let last = before.chars().next_back().map_or(0, char::len_utf8);
            Span::new(before.len() - last, before.len())
        }
    }
}

fn rest_of_line(source: &Source, text: &str, offset: usize) -> Span {
    let span = source.first_line(Span::new(offset, text.len()));
    if span.is_empty() {
        character_at(text, offset)
    } else {
        span
    }
}
