//! YAML text to a tree of nodes with positions, and the reading of typed values out of that tree.
//!
//! Reading goes on after a fault: every fault is pushed into a [`Faults`], so that all of one file are shown at
//! once. Only a fault of YAML's own grammar ends the reading, for nothing after it can be trusted.
//!
//! The input is YAML 1.2 with these limits, each refused with a fault of its own:
//!
//! - The file holds one document, and that is a mapping. Keys are one-line texts, and none stands twice.
//! - Plain values are text: `0011`, `yes` and `1.5` stay as they are written. Only nothing, `~` and `null` are null.
//! - No tags (`!name`), no directives (`%YAML`), no merge keys (`<<`).
//! - Anchors and aliases may be used for values. Their expansion is bounded: all nodes together,
//!   copies included, may weigh 64 MiB, at 64 bytes a node and its text.
//! - Lists and mappings nest at most 64 deep.
//! - A file is at most 4 MiB of UTF-8. A byte-order mark and CRLF line ends are fine, other control characters not.

mod access;
mod map;
mod node;
#[cfg(test)]
mod properties;
mod syntax;
mod tree;

use std::path::Path;

use crate::diagnostic::visible::{self, Visible};
use crate::diagnostic::{BYTE_ORDER_MARK, Diagnostic, Faults, Source, Span};

pub use map::MapReader;
pub use node::{Key, Node, Scalar, Style, Value};

/// The most bytes that a YAML file may have.
pub const LARGEST: u64 = 4 * 1024 * 1024;

/// Reads a file to be parsed, never more of it than [`LARGEST`] allows.
///
/// # Errors
/// Those of [`Source::read`].
pub fn read(path: &Path) -> Result<Source, Diagnostic> {
    Source::read(path, LARGEST)
}

/// Parses the source of `faults`; nothing where no tree comes of it, and then there is a fault.
///
/// ```
/// use urtext::diagnostic::{Faults, Source};
/// use urtext::scenario::parse::{MapReader, parse};
///
/// let source = Source::new("a.yaml", "game: royalur\nspectators: many\nglden: a.txt\n");
/// let faults = Faults::new(&source);
/// let root = parse(&faults).expect("a tree");
/// let mut keys = MapReader::new(&root, "a scenario", &faults).expect("a mapping");
/// let game = keys.required("game");
/// let (spectators, golden) = (keys.optional("spectators"), keys.optional("golden"));
/// keys.finish();
/// assert_eq!(game.and_then(|node| node.as_line(&faults)), Some("royalur"));
/// assert_eq!(spectators.and_then(|node| node.as_u64(&faults)), None);
/// assert_eq!(golden, None);
/// let found: Vec<String> = faults.into_diagnostics().sorted().iter().map(|fault| fault.to_string()).collect();
/// assert_eq!(found, [
///     "a.yaml:2:13: error[yaml/expected-number]: a whole number is due here",
///     "a.yaml:3:1: error[yaml/unknown-key]: there is no key `glden` in a scenario",
/// ]);
/// ```
#[must_use]
pub fn parse(faults: &Faults<'_>) -> Option<Node> {
    let source = faults.source();
    let text = match source.utf8() {
        Ok(text) => text,
        Err(fault) => {
            faults.push(fault);
            return None;
        }
    };
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
    if let Some(fault) = forbidden_character(source, text, start) {
        faults.push(fault);
        return None;
    }
    let root = tree::build(text, start, faults)?;
    if matches!(root.value, Value::Map(_)) {
        return Some(root);
    }
    let fault = Diagnostic::error(
        "yaml/not-a-mapping",
        "the file must be a mapping of keys to values",
    );
    let label = format!("this is {}", root.kind());
    faults.push(
        fault
            .at(source, source.first_line(root.span), label)
            .help("begin with a key, such as `scenario: what is played`"),
    );
    None
}

/// Parses a value that is a part of the source of `faults`; nothing is null. Without a value, there is a fault.
#[must_use]
pub fn parse_value(span: Span, faults: &Faults<'_>) -> Option<Node> {
    let text = &faults.source().text()?[..span.end];
    if text[span.start..].trim().is_empty() {
        let value = Value::Null;
        return Some(Node { span, value });
    }
    if let Some(fault) = forbidden_character(faults.source(), text, span.start) {
        faults.push(fault);
        return None;
    }
    tree::build(text, span.start, faults)
}

/// The first character that YAML does not allow anywhere, not even escaped in quotation marks.
fn forbidden_character(source: &Source, text: &str, start: usize) -> Option<Diagnostic> {
    let allowed = |c: char| match c {
        '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' => true,
        '\u{feff}' | '\u{fffe}' | '\u{ffff}' => false,
        _ => !c.is_control(),
    };
    let (offset, character) = text[start..]
        .char_indices()
        .find(|(_, character)| !allowed(*character))?;
    let span = Span::new(start + offset, start + offset + character.len_utf8());
    let label = format!("U+{:04X}", u32::from(character));
    let fault = Diagnostic::error(
        "yaml/character",
        "a control character stands here, which YAML does not allow",
    );
    Some(
        fault
            .at(source, span, label)
            .help("in double quotation marks it can be escaped, such as `\"\\x1b\"`"),
    )
}

/// A text of the file as it is quoted in a sentence.
fn short(text: &str) -> Visible<'_> {
    visible::plain(text).at_most(40)
}

#[cfg(test)]
mod tests {
    use super::{LARGEST, Node, Scalar, Style, Value, parse, read};
    use crate::diagnostic::{Faults, Paint, Source, Span};

    fn tree(text: &str) -> Node {
        let source = Source::new("a", text);
        let faults = Faults::new(&source);
        let root = parse(&faults);
        assert_eq!(faults.into_diagnostics().draw(Paint::Plain), "");
        root.expect("a tree without a fault is there")
    }

    fn faults_of(bytes: impl Into<Vec<u8>>) -> Vec<String> {
        let source = Source::from_bytes("a", bytes.into());
        let faults = Faults::new(&source);
        let whole = parse(&faults).is_some();
        let diagnostics = faults.into_diagnostics();
        assert!(
            whole || diagnostics.has_errors(),
            "no tree and no fault either"
        );
        diagnostics
            .sorted()
            .iter()
            .map(|fault| fault.to_string())
            .collect()
    }

    fn scalars(node: &Node, text: &str) -> Vec<(String, Style, String)> {
        match &node.value {
            Value::Null => Vec::new(),
            Value::Scalar(Scalar { text: value, style }) => {
                vec![(value.clone(), *style, text[node.span.range()].to_owned())]
            }
            Value::List(nodes) => nodes.iter().flat_map(|node| scalars(node, text)).collect(),
            Value::Map(entries) => entries
                .iter()
                .flat_map(|(_, node)| scalars(node, text))
                .collect(),
        }
    }

    #[test]
    fn keeps_plain_text_as_it_is_written() {
        let text = "a: 0011\nb: 1.50\nc: yes\nd: 0x1F\ne: 1_000\nf: 2026-01-01\n";
        let written = ["0011", "1.50", "yes", "0x1F", "1_000", "2026-01-01"];
        let expected = written.map(|text| (text.to_owned(), Style::Plain, text.to_owned()));
        assert_eq!(scalars(&tree(text), text), expected);
    }

    #[test]
    fn tells_plain_quoted_and_block_text_apart() {
        let text = "a: 'it''s'\nb: \"x\\ty\"\nc: |\n  one\n  two\n\nd: # > none\n  >- # c\n  one\n  two\ne: &x >\n  on|e\n";
        assert_eq!(
            scalars(&tree(text), text),
            [
                ("it's".into(), Style::Quoted, "'it''s'".into()),
                ("x\ty".into(), Style::Quoted, "\"x\\ty\"".into()),
                ("one\ntwo\n".into(), Style::Block, "|\n  one\n  two".into()),
                (
                    "one two".into(),
                    Style::Block,
                    ">- # c\n  one\n  two".into()
                ),
                ("on|e\n".into(), Style::Block, ">\n  on|e".into()),
            ]
        );
    }

    #[test]
    fn reads_nothing_tilde_and_null_as_null_and_nothing_else() {
        let text = "a:\nb: ~\nc: null\nd: \"null\"\ne: nil\nf: \"\"\n";
        let Value::Map(entries) = tree(text).value else {
            panic!("a mapping")
        };
        let kinds: Vec<&str> = entries.iter().map(|(_, node)| node.kind()).collect();
        assert_eq!(kinds, ["nothing", "null", "null", "text", "text", "text"]);
    }

    #[test]
    fn spans_cover_lists_and_mappings_whole() {
        let text = "turns:\n  - first: 0 0\n    more: [a, {b: c}]\n  - second: 1\nlast: x\n";
        let Value::Map(entries) = tree(text).value else {
            panic!("a mapping")
        };
        let Value::List(turns) = &entries[0].1.value else {
            panic!("a list")
        };
        assert_eq!(
            &text[entries[0].1.span.range()],
            "- first: 0 0\n    more: [a, {b: c}]\n  - second: 1"
        );
        assert_eq!(
            &text[turns[0].span.range()],
            "first: 0 0\n    more: [a, {b: c}]"
        );
        let Value::Map(first) = &turns[0].value else {
            panic!("a mapping")
        };
        assert_eq!(&text[first[1].1.span.range()], "[a, {b: c}]");
        assert_eq!(first[1].0.text, "more");
        assert_eq!(&text[first[1].0.span.range()], "more");
    }

    #[test]
    fn a_byte_order_mark_and_crlf_shift_no_position() {
        let text = "\u{feff}a: 1\r\nb: [\r\n  é, x]\r\na: 2\r\n";
        assert_eq!(
            faults_of(text),
            ["a:4:1: error[yaml/duplicate-key]: the key `a` stands here twice"]
        );
        let root = tree(&text[..text.len() - 6]);
        assert_eq!(root.span.start, 3);
        assert_eq!(scalars(&root, text)[2].2, "x");
    }

    #[test]
    fn follows_aliases_to_what_they_name() {
        let text = "a: &one [x, y]\nb: *one\nc: {d: &k z, e: *k}\n";
        let values: Vec<String> = scalars(&tree(text), text)
            .into_iter()
            .map(|(value, ..)| value)
            .collect();
        assert_eq!(values, ["x", "y", "x", "y", "z", "z"]);
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
        let text = "#".repeat(usize::try_from(LARGEST).unwrap() + 1);
        assert!(faults_of(text)[0].contains("file/too-large"));
    }

    #[test]
    fn an_unknown_alias_leaves_a_null_in_its_place() {
        let source = Source::new("a", "a: *b\n");
        let faults = Faults::new(&source);
        let root = parse(&faults).expect("a tree");
        let Value::Map(entries) = root.value else {
            panic!("a mapping")
        };
        assert_eq!(
            entries[0].1,
            Node {
                span: Span::new(3, 5),
                value: Value::Null
            }
        );
    }
}
