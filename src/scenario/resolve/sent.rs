//! What a participant sends: the value of `send`, and the pieces of a dialogue. The keys of a piece give its reader, writer and schema.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value as Json, json};

use super::budget::STEP;
use crate::diagnostic::{Faults, Problem, Span, suggest, visible};
use crate::scenario::{Leaving, Place, PlaceKind, SendPart};
use crate::yaml::braces;
use crate::yaml::shape::{either, filled, list, text};
use crate::yaml::{At, Kind, Node, Scalar, Style, Value, in_double_marks, keys};

/// The longest pause in a game.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// The shortest text of one character that is written as a repeat, in bytes.
const LONG: usize = 64;

keys! {
    /// A piece that says what it is by a key.
    #[derive(Debug, Default)]
    struct PieceKeys in "a piece of what is sent" {
        /// a text that is sent `times` times
        optional "repeat" => repeat: Option<At<Raw>>;
        /// bytes in hexadecimal digits, such as `ff 00 0a`
        optional "hex" => hex: Option<At<Hex>>;
        /// nothing is sent for so long
        optional "pause" => pause: Option<At<Duration>>;
        /// how often the text, the bytes or the pause are repeated
        optional "times" => times: Option<At<u32>>;
    }
    one of ["repeat", "hex", "pause"]
}

/// A text as it is, of one or several lines.
#[derive(Debug)]
struct Raw(String);

impl Kind for Raw {
    fn read(node: &Node, faults: &Faults) -> Option<Raw> {
        node.as_str(faults).map(|text| Raw(text.to_owned()))
    }

    fn written(&self) -> Option<String> {
        Some(in_double_marks(&self.0))
    }
}

/// Bytes by their digits.
#[derive(Debug)]
struct Hex(Vec<u8>);

impl Kind for Hex {
    fn read(node: &Node, faults: &Faults) -> Option<Hex> {
        let text = node.as_line(faults)?;
        let digits = text.chars().filter(|character| *character != ' ');
        let digits: Option<Vec<u8>> = digits
            .map(|digit| Some(digit.to_digit(16)? as u8))
            .collect();
        let byte = |pair: &[u8]| Some(pair[0] << 4 | pair.get(1)?);
        let bytes = digits.and_then(|digits| digits.chunks(2).map(byte).collect());
        if bytes.is_none() {
            let help = "write two hexadecimal digits for each byte, such as `{hex: \"ff 00 0a\"}`";
            faults.refuse("turn/send", "these are no bytes", node.span, "", help);
        }
        bytes.map(Hex)
    }

    fn written(&self) -> Option<String> {
        let digits: Vec<String> = self.0.iter().map(|byte| format!("{byte:02x}")).collect();
        Some(format!("\"{}\"", digits.join(" ")))
    }
}

/// Returns the shape of what a player sends: one piece, or several.
pub(super) fn shape() -> Json {
    let mut keys = filled(<PieceKeys as Kind>::shape());
    keys["properties"]["repeat"]["type"] = json!("string");
    let says = "a text in quotation marks, or bytes, a repeated text, a pause";
    let piece = either(says, [json!({"type": "string"}), keys]);
    json!({"anyOf": [piece, list("the pieces, in order", piece.clone())]})
}

/// Returns the shape of a piece of a dialogue, in which a text needs no quotation marks.
pub(super) fn plain_shape() -> Json {
    let keys = filled(<PieceKeys as Kind>::shape());
    let says = "a text, or bytes, a repeated text, a pause";
    either(says, [text("this text, without a newline"), keys])
}

/// Reads one piece or a list of them, which a player sends. `then`: how it goes away afterwards.
pub(super) fn read(faults: &Faults, node: &Node, then: Option<&Node>) -> Option<Vec<SendPart>> {
    let leaves = then.map(|then| Leaving::read(then, faults));
    let nodes = match &node.value {
        Value::List(nodes) => nodes.as_slice(),
        _ => std::slice::from_ref(node),
    };
    let reader = PieceReader {
        faults,
        longest_pause: LONGEST_PAUSE,
        times: 1,
        captured: None,
    };
    let mut parts = reader.parts(nodes)?;
    let is_nothing = |part: &SendPart| part.is_pause() || *part == SendPart::Bytes(Vec::new());
    // Pauses alone place what comes after them in time.
    if parts.iter().all(is_nothing) && (parts.is_empty() || !parts.iter().all(SendPart::is_pause)) {
        let help = "write a text in quotation marks, such as `\"3\\n\"`";
        return faults.reject("turn/send", "nothing is sent", node.span, "", help);
    }
    if let Some(how) = leaves {
        parts.push(SendPart::Leave(how?));
    }
    Some(parts)
}

/// Refuses a time that is longer than this.
pub(super) fn within(time: At<Duration>, longest: Duration, faults: &Faults) -> Option<Duration> {
    if time.is <= longest {
        return Some(time.is);
    }
    let longest = humantime::format_duration(longest);
    let title = format!("this is longer than {longest}");
    let help = "write a shorter time, such as `300ms`";
    faults.reject("turn/time", title, time.span, "", help)
}

/// The reader of the pieces that a participant sends.
pub(super) struct PieceReader<'r> {
    pub(super) faults: &'r Faults,
    pub(super) longest_pause: Duration,
    /// The number of times that they are sent.
    pub(super) times: usize,
    /// In a dialogue, where a text needs no quotation marks, the names that are captured.
    pub(super) captured: Option<&'r Captured>,
}

/// The names that the lines of a dialogue capture, as far as it is read.
pub(super) type Captured = RefCell<BTreeSet<String>>;

impl PieceReader<'_> {
    /// Reads all of them, whatever is wrong with the first.
    pub(super) fn parts(&self, nodes: &[Node]) -> Option<Vec<SendPart>> {
        let parts: Vec<_> = nodes.iter().map(|node| self.part(node)).collect();
        parts.into_iter().collect()
    }

    fn part(&self, node: &Node) -> Option<SendPart> {
        let faults = self.faults;
        faults.spend(STEP, node.span)?;
        if !matches!(node.value, Value::Map(_)) {
            let text = self.is_marked(node).then(|| node.as_str(faults))??;
            return self.text(text, None, node.span);
        }
        let PieceKeys {
            repeat,
            hex,
            pause,
            times,
        } = PieceKeys::read(node, faults)?;
        if let Some((_, text)) = node.entry("repeat")
            && !self.is_marked(text)
        {
            return None;
        }
        if let Some(At { is, span }) = repeat {
            if times.is_none() && self.captured.is_none() {
                let help = "write `times`, such as `{repeat: \"a\", times: 100000}`";
                return faults.reject("turn/send", "how often is missing", span, "", help);
            }
            return self.text(&is.0, times, span);
        }
        if let Some(At { is, span }) = hex {
            return self.bytes(&is.0, times, span);
        }
        let At { is, span } = pause?;
        let is = is.saturating_mul(times.map_or(1, |times| times.is));
        within(At { is, span }, self.longest_pause, faults).map(SendPart::Pause)
    }

    /// This text so many times, with the names in it.
    pub(super) fn text(&self, text: &str, times: Option<At<u32>>, span: Span) -> Option<SendPart> {
        let place = span;
        let part = SendPart::parse(text, |inside| self.name(inside));
        let part = part.map_err(|problem| problem.refuse("lines/sent", place, self.faults));
        let pieces = match part.ok()? {
            SendPart::Bytes(bytes) => return self.bytes(&bytes, times, span),
            SendPart::Text(pieces) => pieces,
            part => return Some(part),
        };
        let count = self.paid(text.as_bytes(), times, span)?;
        let pieces = std::iter::repeat_n(pieces, count).flatten();
        Some(SendPart::Text(pieces.collect()))
    }

    /// The name between these braces; nothing for braces that are text.
    fn name(&self, inside: &str) -> Result<Option<String>, Problem> {
        let Some(captured) = self.captured else {
            return Ok((inside == SendPart::MOVE).then(|| inside.to_owned()));
        };
        let Ok(Place { name, kind }) = Place::parse(inside) else {
            return Ok(None);
        };
        let captured = captured.borrow();
        if kind == PlaceKind::Text && captured.contains(&name) {
            return Ok(Some(name));
        }
        let meant = suggest(&name, captured.iter().map(String::as_str));
        let help = "a line that comes before has to capture it, such as `{id}`";
        Err(braces::unknown(inside, meant, help))
    }

    /// These bytes so many times.
    fn bytes(&self, bytes: &[u8], times: Option<At<u32>>, span: Span) -> Option<SendPart> {
        let count = self.paid(bytes, times, span)?;
        Some(SendPart::Bytes(bytes.repeat(count)))
    }

    /// The number of times that a text is repeated, if that can be paid.
    fn paid(&self, text: &[u8], times: Option<At<u32>>, span: Span) -> Option<usize> {
        let At { is, span } = times.unwrap_or(At { is: 1, span });
        let count = is as usize;
        self.faults
            .send(text, self.times.saturating_mul(count), span)?;
        Some(count)
    }

    /// Returns false, with a fault, for a text of a game that is not in quotation marks, or whose escapes look like bytes.
    fn is_marked(&self, node: &Node) -> bool {
        let refuse = |title, span, label: &str, help: String| {
            self.faults.refuse("turn/send", title, span, label, help);
        };
        match &node.value {
            _ if self.captured.is_some() => return true,
            Value::Scalar(Scalar { text, style }) if *style != Style::Quoted => {
                let help = match style {
                    Style::Plain => format!("write {}", visible::quoted(text).at_most(60)),
                    _ => "write `\"…\"`, with `\\n` where a line ends".to_owned(),
                };
                let title = "what is sent is text in quotation marks".to_owned();
                refuse(title, node.span, "these are missing", help)
            }
            Value::Scalar(_) => {
                let written = self.faults.source().slice(node.span);
                let Some(at) = character_that_looks_like_a_byte(written) else {
                    return true;
                };
                let digits = String::from_utf8_lossy(&written[at + 2..at + 4]).into_owned();
                let title = format!(
                    "to YAML this is the character U+00{}, not a byte",
                    digits.to_uppercase()
                );
                let help = format!("write the byte as a piece of its own: `{{hex: \"{digits}\"}}`");
                let start = node.span.start + at;
                let span = Span::new(start, start + 4);
                refuse(title, span, "two bytes in UTF-8", help)
            }
            _ => {
                let label = format!("this is {}", node.kind());
                let help =
                    "write `\"…\"`, `{repeat: \"…\", times: …}`, `{hex: \"…\"}` or `{pause: …}`";
                let title = "a piece of what is sent is due here".to_owned();
                refuse(title, node.span, &label, help.to_owned())
            }
        }
        false
    }
}

/// Finds an escape that means one byte in many languages, but a character beyond ASCII in YAML.
fn character_that_looks_like_a_byte(written: &[u8]) -> Option<usize> {
    if written.first() != Some(&b'"') {
        return None;
    }
    let mut at = 1;
    while let Some(backslash) = written.get(at..)?.iter().position(|&byte| byte == b'\\') {
        let escape = &written[at + backslash..];
        if let [_, b'x', b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F', ..] = escape {
            return Some(at + backslash);
        }
        at += backslash + 2;
    }
    None
}

/// Writes what is sent, one piece or a list of them, without the way in which the sender goes away.
pub(super) fn written(parts: &[SendPart]) -> String {
    let pieces = pieces(parts);
    match &pieces[..] {
        [only] => only.clone(),
        all => format!("[{}]", all.join(", ")),
    }
}

/// Writes each piece of what is sent.
pub(super) fn pieces(parts: &[SendPart]) -> Vec<String> {
    let written = |part: &SendPart| match part {
        SendPart::Bytes(bytes) => piece(bytes, part.written()),
        SendPart::Text(_) => part.written().map(|text| in_double_marks(&text)),
        SendPart::Pause(time) => PieceKeys {
            pause: Some(At::nowhere(*time)),
            ..PieceKeys::default()
        }
        .written(),
        SendPart::Leave(_) => None,
    };
    parts.iter().filter_map(written).collect()
}

/// Writes bytes that are sent in one piece.
fn piece(bytes: &[u8], text: Option<String>) -> Option<String> {
    let Some(text) = text else {
        let hex = Some(At::nowhere(Hex(bytes.to_owned())));
        return Kind::written(&PieceKeys {
            hex,
            ..PieceKeys::default()
        });
    };
    let first = bytes.first().copied().unwrap_or_default();
    if bytes.len() < LONG || bytes.iter().any(|byte| *byte != first) {
        return Some(in_double_marks(&text));
    }
    let character = braces::escaped(&char::from(first).to_string());
    Kind::written(&PieceKeys {
        repeat: Some(At::nowhere(Raw(character))),
        times: u32::try_from(bytes.len()).ok().map(At::nowhere),
        ..PieceKeys::default()
    })
}
