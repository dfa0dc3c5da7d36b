//! YAML text to a tree of nodes with positions, the reading of typed values out of that tree, and their writing.
//!
//! Reading goes on after a fault: every fault is pushed into a [`Faults`], so that all of one file are shown at
//! once. Only a fault of YAML's own grammar ends the reading, for nothing after it can be trusted.
//!
//! The input is YAML 1.2 with these limits, each refused with a fault of its own:
//!
//! - The file holds one document, and that is a mapping. Keys are one-line texts, and none stands twice.
//! - Plain values are text: `0011`, `yes` and `1.5` stay as they are written. Only nothing, `~` and `null` are null.
//! - No tags (`!name`), no directives (`%YAML`), no merge keys (`<<`).
//! - Anchors and aliases may be used for values, but not in scenarios. Their expansion is bounded: all nodes together,
//!   copies included, may weigh 64 MiB, at 64 bytes a node and its text.
//! - Lists and mappings nest at most 64 deep in brackets, and 64 deep by indentation.
//! - A file is at most 4 MiB of UTF-8. A byte-order mark and CRLF line ends are fine, other control characters not.

mod access;
pub mod braces;
mod keys;
mod kind;
mod node;
mod rows;
pub mod shape;
mod syntax;
mod tree;

use std::path::Path;

use crate::diagnostic::{BYTE_ORDER_MARK, Diagnostic, Faults, Source, Span};

pub(crate) use keys::keys;
pub use keys::{Entry, Keys, checked};
pub use kind::{At, Kind, Number, OrNull, Table, Words, Written};
pub(crate) use node::mapping;
pub use node::{Key, Node, Scalar, Style, Value, entry, in_double_marks, list, scalar};
pub use rows::{Row, known, shape_of};

/// The most bytes that a YAML file may have.
pub const LARGEST: u64 = 4 * 1024 * 1024;

/// Reads a file to be parsed, never more of it than [`LARGEST`] allows.
///
/// # Errors
/// Those of [`Source::read`].
pub fn read(path: &Path) -> Result<Source, Diagnostic> {
    Source::read(path, LARGEST)
}

/// Parses the source of `faults`. Returns nothing if it has no tree, and adds the reason to the faults. `first`: a key for such a file to begin
/// with, for the help.
///
/// ```
/// use urtext::diagnostic::{Faults, Source};
/// use urtext::yaml::{Kind, Row, known, parse};
///
/// let source = Source::new("a.yaml", "game: royalur\nspectators: many\nglden: a.txt\n");
/// let faults = Faults::new(&source);
/// let root = parse("game: royalur", &faults).expect("a tree");
/// let rows = ["game", "spectators", "golden"].map(|key| Row::optional(key, String::shape));
/// known(&root, "a scenario", &rows, &[], &faults);
/// let value = |key| root.entry(key).map(|(_, node)| node);
/// assert_eq!(value("game").and_then(|node| node.as_line(&faults)), Some("royalur"));
/// assert_eq!(value("spectators").and_then(|node| node.as_u64(&faults)), None);
/// assert_eq!(value("golden"), None);
/// let found: Vec<String> = faults.into_diagnostics().sorted().iter().map(|fault| fault.to_string()).collect();
/// assert_eq!(found, [
///     "a.yaml:2:13: error[yaml/expected-number]: a whole number is due here",
///     "a.yaml:3:1: error[yaml/unknown-key]: there is no key `glden` in a scenario",
/// ]);
/// ```
#[must_use]
pub fn parse(first: &str, faults: &Faults) -> Option<Node> {
    parse_with(first, faults, None)
}

/// Parses a scenario, without anchors and aliases: each is a fault, and its help says what to write `instead`.
#[must_use]
pub fn parse_without_aliases(instead: &'static str, faults: &Faults) -> Option<Node> {
    parse_with("scenario: what is played", faults, Some(instead))
}

fn parse_with(first: &str, faults: &Faults, instead: Option<&'static str>) -> Option<Node> {
    let source = faults.source();
    let text = source.utf8().map_err(|fault| faults.push(fault)).ok()?;
    if text.len() as u64 > LARGEST {
        let title = format!("the file is larger than {LARGEST} bytes, the most that is read");
        faults.push(Diagnostic::error("file/too-large", title).in_file(source.name()));
        return None;
    }
    let start = if text.starts_with(BYTE_ORDER_MARK) {
        BYTE_ORDER_MARK.len()
    } else {
        0
    };
    let fault = match tree::build(text, start, instead, faults) {
        Ok(Some(root)) if matches!(root.value, Value::Map(_)) => return Some(root),
        Ok(Some(root)) => {
            let title = "the file must be a mapping of keys to values";
            let label = format!("this is {}", root.kind());
            Diagnostic::error("yaml/not-a-mapping", title).at(source, root.span, label)
        }
        Ok(None) => syntax::nothing_there(source, text, start),
        Err(fault) => {
            faults.push(fault);
            return None;
        }
    };
    faults.push(fault.help(format!("begin with a key, such as `{first}`")));
    None
}

/// Parses a value that is a part of the source of `faults`; nothing is null.
#[must_use]
pub fn parse_value(span: Span, faults: &Faults) -> Option<Node> {
    let text = &faults.source().text()?[..span.end];
    let value = Value::Null;
    let nothing = Node { span, value };
    if text[span.start..].trim().is_empty() {
        return Some(nothing);
    }
    let root = tree::build(text, span.start, None, faults);
    let root = root.map_err(|fault| faults.push(fault)).ok()?;
    Some(root.unwrap_or(nothing))
}

#[cfg(test)]
mod tests {
    use super::{LARGEST, Node, Scalar, Value, parse, read};
    use crate::case_files::assert_all;
    use crate::diagnostic::{Faults, Source};

    /// Each part of a tree: its kind or style, and its text, with that of the file where they differ.
    fn parts(node: &Node, text: &str, depth: usize, all: &mut String) {
        let source = &text[node.span.range()];
        let (kind, value) = match &node.value {
            Value::Scalar(Scalar { text, style }) => (format!("{style:?}"), text.as_str()),
            _ => (node.kind().to_owned(), source),
        };
        let written = if value == source {
            String::new()
        } else {
            format!(" for {source:?}")
        };
        *all += &format!("{:depth$}{kind} {value:?}{written}\n", "");
        match &node.value {
            Value::Null | Value::Scalar(_) => {}
            Value::List(nodes) => nodes
                .iter()
                .for_each(|node| parts(node, text, depth + 2, all)),
            Value::Map(entries) => {
                for (key, node) in entries {
                    let start = key.span.start;
                    *all += &format!("{:depth$}{} at {start}:\n", "", key.text);
                    parts(node, text, depth + 2, all);
                }
            }
        }
    }

    /// The tree of a text with its places, or what is wrong with the text.
    #[test]
    fn keeps_text_as_it_is_written_and_the_place_of_each_part() {
        assert_all("trees", |text| {
            let text = text.replace("\\r", "\r").replace("\\u{feff}", "\u{feff}");
            let source = Source::new("a", text.as_str());
            let problems = Faults::new(&source);
            let root = parse("a: b", &problems);
            let mut all = String::new();
            root.iter().for_each(|root| parts(root, &text, 0, &mut all));
            for problem in problems.into_diagnostics().sorted() {
                all += &format!("{problem}\n");
            }
            all
        });
    }

    #[test]
    fn refuses_a_file_above_the_limit_without_reading_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large.yaml");
        std::fs::File::create(&path)
            .unwrap()
            .set_len(100 * 1024 * 1024)
            .unwrap();
        assert_eq!(read(&path).unwrap_err().code(), "file/too-large");
        let source = Source::new("a", "#".repeat(usize::try_from(LARGEST).unwrap() + 1));
        let problems = Faults::new(&source);
        assert!(parse("a: b", &problems).is_none());
        let first = problems.into_diagnostics().sorted()[0].code();
        assert_eq!(first, "file/too-large");
    }
}
