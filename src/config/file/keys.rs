//! Small values of the file.

use crate::config::{self, Pattern, TemplateFault, Word};
use crate::diagnostic::{Diagnostic, Faults, Span};
use crate::scenario::parse::{MapReader, Node, Value};

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
    let text = node.as_str(faults)?;
    if text.contains('\0') {
        faults.push(fault(faults, "config/text", node.span, "a zero byte cannot be given to a program"));
        return None;
    }
    Some(text)
}

/// One text with places.
pub(super) fn word(node: &Node, own: &[&str], faults: &Faults<'_>) -> Option<Word> {
    let text = text(node, faults)?;
    parsed(Word::parse(text, own), node, faults)
}

/// One word of a command, in which places for lists can stand.
pub(super) fn word_in_list(node: &Node, own: &[&str], faults: &Faults<'_>) -> Option<Word> {
    let text = text(node, faults)?;
    parsed(Word::parse_in_list(text, own), node, faults)
}

fn parsed(word: Result<Word, TemplateFault>, node: &Node, faults: &Faults<'_>) -> Option<Word> {
    let found = word.map_err(|found| {
        let fault = fault(faults, "config/place", node.span, found.to_string());
        faults.push(match found {
            TemplateFault::Unknown { .. } => fault.help("write {{ for a brace"),
            TemplateFault::Beside { .. } | TemplateFault::List { .. } => fault,
        });
    });
    found.ok()
}

/// A line that the subject prints.
pub(super) fn pattern(node: &Node, faults: &Faults<'_>) -> Option<Pattern> {
    let text = node.as_line(faults)?;
    let found = Pattern::parse(text).map_err(|found| {
        let fault = fault(faults, "config/pattern", node.span, found.to_string());
        faults.push(fault.help("write {{ for a brace"));
    });
    found.ok()
}

/// An address `HOST:PORT` to connect to.
pub(super) fn address(node: &Node, faults: &Faults<'_>) -> Option<String> {
    let text = node.as_line(faults)?;
    let address = config::address(text).ok().filter(|address| !address.ends_with(":0"));
    if address.is_none() {
        let fault = fault(faults, "config/address", node.span, "an address is due here, HOST:PORT");
        faults.push(fault.help("write it such as `127.0.0.1:4000`"));
    }
    address
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

/// Whether a node holds nothing.
pub(super) fn is_null(node: &Node) -> bool {
    node.value == Value::Null
}

/// Every entry of a list, read alike.
pub(super) fn list<T>(node: Option<&Node>, faults: &Faults<'_>, read: impl Fn(&Node) -> Option<T>) -> Vec<T> {
    node.and_then(|node| node.as_list(faults)).unwrap_or_default().iter().filter_map(read).collect()
}

/// The keys of an optional mapping, where there is one.
pub(super) fn mapping<'n, 'f>(
    node: Option<&'n Node>,
    what: &'f str,
    faults: &'f Faults<'f>,
) -> Option<MapReader<'n, 'f>> {
    MapReader::new(node?, what, faults)
}
