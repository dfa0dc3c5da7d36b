//! Small values of the file.

use crate::config::{self, TemplateFault, UrlPattern, Word};
use crate::diagnostic::{Diagnostic, Faults, Span};
use crate::yaml::{MapReader, Node, Value};

/// A fault at a place.
pub(super) fn fault(
    faults: &Faults<'_>,
    code: &'static str,
    span: Span,
    title: impl Into<String>,
) -> Diagnostic {
    let source = faults.source();
    Diagnostic::error(code, title).at(source, source.first_line(span), "")
}

/// Text without a zero byte, which nothing that a program is given can hold.
pub(super) fn text<'n>(node: &'n Node, faults: &Faults<'_>) -> Option<&'n str> {
    if let Some(place) = unquoted_place(node, faults) {
        let title = format!("`{place}` is a mapping to YAML, and a text is due here");
        let fault = fault(faults, "config/quote", node.span, title);
        faults.push(fault.help(format!("put it in quotation marks: `'{place}'`")));
        return None;
    }
    let text = node.as_str(faults)?;
    if text.contains('\0') {
        faults.push(fault(
            faults,
            "config/text",
            node.span,
            "a zero byte cannot be given to a program",
        ));
        return None;
    }
    Some(text)
}

/// A place such as `{port}` that is written without quotation marks, where YAML reads a mapping.
fn unquoted_place<'s>(node: &Node, faults: &Faults<'s>) -> Option<&'s str> {
    let Value::Map(entries) = &node.value else {
        return None;
    };
    let written = str::from_utf8(faults.source().slice(node.span)).ok()?;
    let name = written.strip_prefix('{')?.strip_suffix('}')?;
    let is_place = config::is_place_name(name.strip_suffix("...").unwrap_or(name));
    (entries.len() == 1 && is_null(&entries[0].1) && is_place).then_some(written)
}

/// One text with places.
pub(super) fn word(node: &Node, own: &[&str], faults: &Faults<'_>) -> Option<Word> {
    let text = text(node, faults)?;
    parsed(Word::parse(text, own), node, own, faults)
}

/// One word of a command, in which places for lists can stand.
pub(super) fn word_in_list(node: &Node, own: &[&str], faults: &Faults<'_>) -> Option<Word> {
    let text = text(node, faults)?;
    parsed(Word::parse_in_list(text, own), node, own, faults)
}

fn parsed(
    word: Result<Word, TemplateFault>,
    node: &Node,
    own: &[&str],
    faults: &Faults<'_>,
) -> Option<Word> {
    let found = word.map_err(|found| {
        let fault = fault(faults, "config/place", node.span, found.to_string());
        faults.push(match found {
            TemplateFault::Unknown { .. } => {
                let own: String = own.iter().map(|name| format!(" {{{name}}}")).collect();
                fault
                    .help(format!("the places are {}{own}", config::places()))
                    .help("write {{ for a brace")
            }
            TemplateFault::Beside { .. } | TemplateFault::List { .. } => fault,
        });
    });
    found.ok()
}

/// A line that the subject prints.
pub(super) fn pattern(node: &Node, faults: &Faults<'_>) -> Option<UrlPattern> {
    let text = node.as_line(faults)?;
    let found = UrlPattern::parse(text).map_err(|found| {
        let fault = fault(faults, "config/pattern", node.span, found.to_string());
        faults.push(fault.help("write {{ for a brace"));
    });
    found.ok()
}

/// An address `HOST:PORT` to connect to.
pub(super) fn address(node: &Node, faults: &Faults<'_>) -> Option<String> {
    let text = node.as_line(faults)?;
    let address = config::address(text)
        .ok()
        .filter(|address| !address.ends_with(":0"));
    if address.is_none() {
        let is_host = config::address(&format!("{text}:1")).is_ok();
        let (title, help) = match is_host {
            true => (
                format!("the address `{text}` has no port"),
                format!("write `{text}:PORT`, such as `{text}:4000`"),
            ),
            false => (
                "an address is due here, HOST:PORT".to_owned(),
                "write it such as `127.0.0.1:4000`".to_owned(),
            ),
        };
        faults.push(fault(faults, "config/address", node.span, title).help(help));
    }
    address
}

/// A text as YAML reads it back, with quotation marks where it needs them.
#[must_use]
pub fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    let starts_well = text.trim_start_matches('-').starts_with(|c: char| {
        c.is_ascii_alphabetic() || (!text.starts_with('-') && (c == '.' || c == '/'))
    });
    let is_word = matches!(text, "null" | "Null" | "NULL" | "true" | "false");
    if starts_well && text.chars().all(is_plain) && !is_word {
        return text.to_owned();
    }
    if text.chars().all(|c| !c.is_control() && c != '\u{feff}') {
        return format!("'{}'", text.replace('\'', "''"));
    }
    // JSON's escapes are YAML's.
    serde_json::Value::from(text).to_string()
}

/// The name of an environment variable.
pub(super) fn variable(text: &str, span: Span, faults: &Faults<'_>) -> Option<String> {
    if text.is_empty() || text.contains(['=', '\0']) {
        let title = format!("`{text}` cannot be the name of an environment variable");
        faults.push(fault(faults, "config/variable", span, title));
        return None;
    }
    Some(text.to_owned())
}

/// Returns true for a null value.
pub(super) fn is_null(node: &Node) -> bool {
    node.value == Value::Null
}

/// Every entry of a list, read alike.
pub(super) fn list<T>(
    node: Option<&Node>,
    faults: &Faults<'_>,
    read: impl Fn(&Node) -> Option<T>,
) -> Vec<T> {
    node.and_then(|node| node.as_list(faults))
        .unwrap_or_default()
        .iter()
        .filter_map(read)
        .collect()
}

/// The keys of an optional mapping, where there is one.
pub(super) fn mapping<'n, 'f>(
    node: Option<&'n Node>,
    what: &'f str,
    faults: &'f Faults<'f>,
) -> Option<MapReader<'n, 'f>> {
    MapReader::new(node?, what, faults)
}
