//! Diagnostics for invalid YAML: the parser's errors in plain words.

use serde_yaml::granit_parser::{ErrorKind, Marker, ScanError};

use crate::diagnostic::{Diagnostic, Source, Span, visible};

/// Advice for values that YAML reads as another type.
const QUOTE: &str = "put the value in quotation marks";

/// Title and advice for inconsistent indentation.
const INDENTATION: (&str, &str) = (
    "this does not fit the indentation of what stands around it",
    "indent the entries of one list or mapping alike, each entry of a list on its own line after `- `",
);

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
    let (title, help, place) = words(error.kind(), &text[offset..]);
    let span = match place {
        Place::Character => character_at(text, offset),
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
        None => help.into_iter().fold(fault, Diagnostic::help),
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
    Diagnostic::error("yaml/empty", title)
        .in_file(source.name())
        .help("begin with a key, such as `scenario: what is played`")
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
    RestOfLine,
    /// From the quotation mark that opened the text where the parser stopped, to the end of that line.
    OpeningQuote,
}

/// Title, help and extent for a kind of error; `rest` is the text from the marker on.
fn words(kind: &ErrorKind, rest: &str) -> (String, Option<&'static str>, Place) {
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
        E::ExpectedBlockMappingKey if rest.starts_with("- ") => {
            (INDENTATION.0, INDENTATION.1, Place::RestOfLine)
        }
        E::SimpleKeyExpected
        | E::InvalidSimpleKey
        | E::MappingKeyNotAllowed
        | E::ExpectedBlockMappingKey => (
            "a key with a `:` after it is due here",
            "write `key: value`, indented as the keys beside it",
            Place::RestOfLine,
        ),
        E::ExpectedBlockSequenceEntry
        | E::BlockSequenceEntryNotAllowed
        | E::BlockEntryInFlowCollection
        | E::InvalidBlockEntryWhitespace
        | E::InvalidIndentation
        | E::InvalidFlowScalarIndent
        | E::InvalidBlockScalarIndent => (INDENTATION.0, INDENTATION.1, Place::RestOfLine),
        E::TabNotAllowed
        | E::TabInBlockIndentation
        | E::TabInIndentation
        | E::TabAtBlockScalarStart
        | E::TabInPlainScalar => (
            "a tab cannot stand here",
            "indent with spaces",
            Place::Character,
        ),
        E::UnclosedQuotedScalar
        | E::InvalidQuotedScalarIndent
        | E::DocumentIndicatorInQuotedScalar => (
            "the quotation mark that opens here is not closed",
            "close it on the same line",
            Place::OpeningQuote,
        ),
        E::InvalidTrailingSingleQuotedScalar | E::InvalidTrailingDoubleQuotedScalar => (
            "something follows the closing quotation mark",
            "put the whole value in quotation marks, or none of it",
            Place::RestOfLine,
        ),
        E::UnknownQuotedScalarEscape
        | E::InvalidQuotedScalarHexEscape
        | E::InvalidLowSurrogateHexEscape
        | E::InvalidLowSurrogate
        | E::MissingLowSurrogate
        | E::UnpairedLowSurrogate
        | E::InvalidUnicodeEscape => (
            "there is no such escape in double quotation marks",
            "double the backslash, or use single quotation marks",
            Place::Character,
        ),
        E::UnclosedFlowCollection { open } => {
            let title = format!("the `{open}` that opens here is never closed");
            return (
                title,
                Some("close it; or put a value that is meant to begin with it in quotation marks"),
                Place::Character,
            );
        }
        E::MismatchedFlowCollectionEnd { open, close } => {
            return (
                format!("the `{open}` that opens here is closed by `{close}`"),
                None,
                Place::Character,
            );
        }
        E::MisplacedFlowCollectionEnd => ("this bracket closes nothing", QUOTE, Place::Character),
        E::ExpectedFlowSequenceSeparator | E::ExpectedFlowMappingSeparator => (
            "a `,` or the closing bracket is due here",
            QUOTE,
            Place::Character,
        ),
        E::UnexpectedCharacter { character } => {
            let character = visible::plain(&character.to_string()).to_string();
            return (
                format!("a value cannot begin with `{character}`"),
                Some(QUOTE),
                Place::Character,
            );
        }
        E::MissingAnchorOrAliasName => (
            "a value that begins with `*` or `&` is a name for a value to YAML",
            QUOTE,
            Place::Character,
        ),
        E::CommentNotSeparated | E::CommentInterceptedScalar => (
            "a comment cannot stand here",
            "write a space before `#`, or put a value that holds it in quotation marks",
            Place::Character,
        ),
        E::DirectiveDisallowed => (
            "a line that begins with `%` is a directive to YAML",
            "remove it: none is needed",
            Place::RestOfLine,
        ),
        E::UndeclaredTagHandle
        | E::ExpectedTagBang
        | E::InvalidGlobalTagCharacter
        | E::InvalidTagTerminator
        | E::MissingTagUri
        | E::UnclosedVerbatimTag
        | E::InvalidTagEscape
        | E::InvalidTagUtf8LeadingByte
        | E::InvalidTagUtf8TrailingByte
        | E::InvalidTagUtf8 => (
            "a value that begins with `!` is a tag to YAML",
            QUOTE,
            Place::Character,
        ),
        E::InvalidDocumentEnd => (
            "nothing but a comment may follow `...`",
            "remove it",
            Place::RestOfLine,
        ),
        _ => {
            return (
                format!("this is no YAML: {}", visible::plain(&kind.to_string())),
                None,
                Place::Character,
            );
        }
    };
    (title.to_owned(), Some(help), place)
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
