//! Kinds of values of the file.

use std::path::Path;

use serde_json::{Value as Json, json};

use crate::config::{self, CocoUrl, Spectators, UrlPattern, Word};
use crate::diagnostic::{Faults, Problem, Span};
use crate::yaml::{At, Kind, Node, Scalar, Value, entry};

/// Placeholders in the lines sent on connecting, in addition to those of a command.
const OWN_NAME: &[&str] = &["name"];

/// The place that describes a subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// In a file: where no key says so, it runs in an empty folder.
    File,
    /// On the command line: it runs in the current folder.
    CommandLine,
}

/// The circumstances in which a subject is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'r> {
    /// The folder from which paths lead.
    pub(super) here: &'r Path,
    pub(super) form: Form,
    /// True to report a program that the system would not start.
    pub(super) starts: bool,
    pub(super) faults: &'r Faults,
}

/// Text without a zero byte, which nothing that a program is given can hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text(pub String);

impl Kind for Text {
    fn read(node: &Node, faults: &Faults) -> Option<Text> {
        let text = node.as_str(faults)?;
        if text.contains('\0') {
            let title = "a zero byte cannot be given to a program";
            faults.refuse("config/text", title, node.span, "", "");
            return None;
        }
        Some(Text(text.to_owned()))
    }
}

/// A text with its places, those of its `own` included; `parse` is [`Word::parse`], or [`Word::parse_in_list`] for a word of a command.
pub(super) fn word(
    text: &str,
    span: Span,
    parse: fn(&str, &[&str]) -> Result<Word, Problem>,
    own: &[&str],
    faults: &Faults,
) -> Option<Word> {
    let found = parse(text, own);
    let found = found.map_err(|problem| problem.refuse("config/place", span, faults));
    found.ok()
}

/// A line sent on connecting.
#[derive(Debug, Clone)]
pub(super) struct Line(pub(super) Word);

impl Kind for Line {
    fn read(node: &Node, faults: &Faults) -> Option<Line> {
        let text = node.as_line(faults)?;
        word(text, node.span, Word::parse, OWN_NAME, faults).map(Line)
    }
}

/// The words of a command; none where they cannot be read.
#[derive(Debug, Clone)]
pub(super) struct Command(pub(super) Vec<At<Text>>);

impl Kind for Command {
    fn read(node: &Node, faults: &Faults) -> Option<Command> {
        if let Value::Scalar(Scalar { text, .. }) = &node.value {
            let words = shell_words::split(text).unwrap_or_default();
            let words: Vec<_> = words.iter().map(|word| entry(word)).collect();
            let words = match words.is_empty() {
                true => "python3, mybot.py".to_owned(),
                false => words.join(", "),
            };
            let help = format!("there is no shell; write `command: [{words}]`");
            let title = "a command is a list of words";
            faults.refuse("config/command", title, node.span, "", help);
            return Some(Command(Vec::new()));
        }
        let Some(words) = node.as_list(faults) else {
            return Some(Command(Vec::new()));
        };
        if words.is_empty() {
            let title = "the command has no words";
            let help = "write the program and its arguments, or leave `command` out";
            faults.refuse("config/command", title, node.span, "", help);
        }
        let words = words.iter().filter_map(|word| At::read(word, faults));
        Some(Command(words.collect()))
    }

    fn shape() -> Json {
        json!({"type": "array", "items": Text::shape()})
    }
}

/// A line that the subject prints.
impl Kind for UrlPattern {
    fn read(node: &Node, faults: &Faults) -> Option<UrlPattern> {
        let found = UrlPattern::parse(node.as_line(faults)?);
        let found = found.map_err(|problem| problem.refuse("config/pattern", node.span, faults));
        found.ok()
    }
}

/// An address `HOST:PORT` to connect to.
fn address(node: &Node, faults: &Faults) -> Option<String> {
    let text = node.as_line(faults)?;
    let address = config::address(text).ok();
    let address = address.filter(|address| !address.ends_with(":0"));
    if address.is_none() {
        let (title, help) = match config::address(&format!("{text}:1")) {
            Ok(_) => (
                format!("the address `{text}` has no port"),
                format!("write `{text}:PORT`, such as `{text}:4000`"),
            ),
            Err(_) => (
                "an address is due here, HOST:PORT".to_owned(),
                "write it such as `127.0.0.1:4000`".to_owned(),
            ),
        };
        faults.refuse("config/address", title, node.span, "", help);
    }
    address
}

/// The players' endpoint: `HOST:PORT`, or the address of a server of matches. `None`: what is written is neither, and was refused.
#[derive(Debug, Clone)]
pub(super) struct Endpoint(pub(super) Option<String>);

impl Kind for Endpoint {
    fn read(node: &Node, faults: &Faults) -> Option<Endpoint> {
        let text = node.as_line(faults).filter(|text| CocoUrl::is_meant(text));
        let Some(text) = text else {
            return Some(Endpoint(address(node, faults)));
        };
        let found = text.parse::<CocoUrl>();
        let found = found.map_err(|problem| problem.refuse("config/address", node.span, faults));
        Some(Endpoint(found.ok().map(|_| text.to_owned())))
    }
}

impl Kind for Spectators {
    fn read(node: &Node, faults: &Faults) -> Option<Spectators> {
        match node.as_line(faults)? {
            "none" => Some(Spectators::None),
            "same-port" => Some(Spectators::SamePort),
            "own-port" => Some(Spectators::Unsaid),
            text if text.contains(':') => address(node, faults).map(Spectators::At),
            _ => {
                let title = "this does not say where spectators connect";
                let help = "write `none`, `same-port`, `own-port` or an address HOST:PORT";
                faults.refuse("config/spectators", title, node.span, "", help);
                None
            }
        }
    }
}

/// Returns true for the name of an environment variable, and refuses another.
pub(super) fn is_variable(name: &str, span: Span, faults: &Faults) -> bool {
    let is_sound = !name.is_empty() && !name.contains(['=', '\0']);
    if !is_sound {
        let title = format!("`{name}` cannot be the name of an environment variable");
        faults.refuse("config/variable", title, span, "", "");
    }
    is_sound
}
