//! Raw pieces to send: the value of the key `send`.

use std::time::Duration;

use super::budget::{Budget, Work};
use crate::diagnostic::{Faults, Span, visible};
use crate::scenario::{Leaving, SendPart};
use crate::yaml::{MapReader, Node, Scalar, Style, Value};

/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// Reads a piece of what a dialogue sends, in which a text needs no quotation marks.
pub(super) fn read_plain(
    node: &Node,
    longest_pause: Duration,
    times: usize,
    budget: &Budget,
    faults: &Faults<'_>,
) -> Option<SendPart> {
    let reader = Reader {
        budget,
        faults,
        longest_pause,
        times,
        is_plain: true,
    };
    reader.part(node)
}

/// Reads one piece, or a list of them. `then`: how the sender goes away afterwards.
pub(super) fn read(
    node: &Node,
    then: Option<&Node>,
    budget: &Budget,
    faults: &Faults<'_>,
) -> Option<Vec<SendPart>> {
    let leaves = then.map(|then| leaving(then, faults));
    let nodes = match &node.value {
        Value::List(nodes) => nodes.as_slice(),
        _ => std::slice::from_ref(node),
    };
    let span = faults.source().first_line(node.span);
    let reader = Reader {
        budget,
        faults,
        longest_pause: LONGEST_PAUSE,
        times: 1,
        is_plain: false,
    };
    let parts: Vec<Option<SendPart>> = nodes.iter().map(|node| reader.part(node)).collect();
    let mut parts: Vec<SendPart> = parts.into_iter().collect::<Option<_>>()?;
    let is_empty = |part: &SendPart| *part == SendPart::Bytes(Vec::new());
    let only_pauses =
        |parts: &[SendPart]| parts.iter().all(|part| matches!(part, SendPart::Pause(_)));
    let is_nothing = |part: &SendPart| matches!(part, SendPart::Pause(_)) || is_empty(part);
    // Pauses alone place what comes after them in time.
    if parts.iter().all(is_nothing) && (parts.is_empty() || !only_pauses(&parts)) {
        faults.refuse(
            "turn/send",
            "nothing is sent",
            span,
            "",
            "write a text in quotation marks, such as `\"3\\n\"`",
        );
        return None;
    }
    if let Some(how) = leaves {
        parts.push(SendPart::Leave(how?));
    }
    Some(parts)
}

/// A way to go away, alone.
pub(super) fn leaving(node: &Node, faults: &Faults<'_>) -> Option<Leaving> {
    let words = node.as_one_of(&Leaving::ALL.map(Leaving::words), faults)?;
    Leaving::ALL.into_iter().find(|way| way.words() == words)
}

/// A time that is no longer than `longest`.
pub(super) fn time(node: &Node, longest: Duration, faults: &Faults<'_>) -> Option<Duration> {
    let time = node.as_duration(faults)?;
    if time <= longest {
        return Some(time);
    }
    let title = format!(
        "this is longer than {}",
        humantime::format_duration(longest)
    );
    let help = "write a shorter time, such as `300ms`";
    faults.refuse("turn/time", title, node.span, "", help);
    None
}

/// Takes the work of sending this text so many times from the budget of the file.
pub(super) fn within(
    text: &[u8],
    times: usize,
    budget: &Budget,
    span: Span,
    faults: &Faults<'_>,
) -> Option<()> {
    let (lines, bytes) = (memchr::memchr_iter(b'\n', text).count(), text.len());
    let work = Work::Sent {
        times,
        lines,
        bytes,
    };
    budget.spend(work, faults.source(), span).then_some(())
}

struct Reader<'r, 'f> {
    budget: &'r Budget,
    faults: &'r Faults<'f>,
    longest_pause: Duration,
    /// The number of times that it is sent.
    times: usize,
    /// True if a text needs no quotation marks, and a repeat no `times`.
    is_plain: bool,
}

impl Reader<'_, '_> {
    fn part(&self, node: &Node) -> Option<SendPart> {
        let source = self.faults.source();
        if !self.budget.spend(Work::Step, source, node.span) {
            return None;
        }
        match &node.value {
            Value::Map(_) => self.special(node),
            _ => self
                .text(node)
                .map(|text| SendPart::Bytes(text.as_bytes().to_vec())),
        }
    }

    fn within(&self, text: &[u8], count: usize, span: Span) -> Option<()> {
        let times = self.times.saturating_mul(count);
        within(text, times, self.budget, span, self.faults)
    }

    /// A text in quotation marks.
    fn text<'n>(&self, node: &'n Node) -> Option<&'n str> {
        let source = self.faults.source();
        let place = source.first_line(node.span);
        if self.is_plain {
            let text = node.as_str(self.faults)?;
            self.within(text.as_bytes(), 1, place)?;
            return Some(text);
        }
        let Value::Scalar(Scalar { text, style }) = &node.value else {
            let label = format!("this is {}", node.kind());
            let help = "write `\"…\"`, `{repeat: \"…\", times: …}`, `{hex: \"…\"}` or `{pause: …}`";
            self.faults.refuse(
                "turn/send",
                "a piece of what is sent is due here",
                place,
                label,
                help,
            );
            return None;
        };
        if *style != Style::Quoted {
            let title = "what is sent is text in quotation marks";
            let help = match style {
                Style::Plain => format!("write {}", visible::quoted(text).at_most(60)),
                _ => "write `\"…\"`, with `\\n` where a line ends".to_owned(),
            };
            self.faults
                .refuse("turn/send", title, place, "these are missing", &help);
            return None;
        }
        if let Some(at) = character_that_looks_like_a_byte(source.slice(node.span)) {
            let written = node.span.start + at;
            let digits = String::from_utf8_lossy(source.slice(Span::new(written + 2, written + 4)))
                .into_owned();
            let title = format!(
                "to YAML this is the character U+00{}, not a byte",
                digits.to_uppercase()
            );
            let help = format!("write the byte as a piece of its own: `{{hex: \"{digits}\"}}`");
            self.faults.refuse(
                "turn/send",
                title,
                Span::new(written, written + 4),
                "two bytes in UTF-8",
                help,
            );
            return None;
        }
        self.within(text.as_bytes(), 1, place)?;
        Some(text)
    }

    /// A piece that says what it is by a key.
    fn special(&self, node: &Node) -> Option<SendPart> {
        let mut keys = MapReader::new(node, "a piece of what is sent", self.faults)?;
        let kind = keys.one_of(&["repeat", "hex", "pause"]);
        let times = keys.entry("times");
        keys.finish();
        let (kind, value) = kind?;
        if let Some((key, _)) = times.filter(|_| kind.text != "repeat") {
            let title = format!("`times` means nothing beside `{}`", kind.text);
            self.faults
                .refuse("turn/send", &title, key.span, "", "remove it");
            return None;
        }
        match kind.text.as_str() {
            "repeat" => {
                let text = self.text(value)?;
                let Some((_, times)) = times else {
                    if self.is_plain {
                        return Some(SendPart::Bytes(text.as_bytes().to_vec()));
                    }
                    let help = "write `times`, such as `{repeat: \"a\", times: 100000}`";
                    self.faults
                        .refuse("turn/send", "how often is missing", kind.span, "", help);
                    return None;
                };
                let count = usize::try_from(times.as_u64(self.faults)?).unwrap_or(usize::MAX);
                self.within(text.as_bytes(), count, times.span)?;
                Some(SendPart::Bytes(text.repeat(count).into_bytes()))
            }
            "hex" => self.hex(value),
            _ => time(value, self.longest_pause, self.faults).map(SendPart::Pause),
        }
    }

    fn hex(&self, node: &Node) -> Option<SendPart> {
        let text = node.as_line(self.faults)?;
        let digits: Vec<u8> = text.bytes().filter(|byte| *byte != b' ').collect();
        let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
        let bytes: Option<Vec<u8>> = digits
            .chunks(2)
            .map(|pair| Some(digit(pair[0])? << 4 | digit(*pair.get(1)?)?))
            .collect();
        if bytes.is_none() {
            let help = "write two hexadecimal digits for each byte, such as `{hex: \"ff 00 0a\"}`";
            self.faults
                .refuse("turn/send", "these are no bytes", node.span, "", help);
        }
        self.within(bytes.as_deref().unwrap_or_default(), 1, node.span)?;
        bytes.map(SendPart::Bytes)
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
