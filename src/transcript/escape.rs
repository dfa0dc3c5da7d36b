//! One line of a lane as text that hides nothing, and back: in golden transcripts and in recordings.

use std::fmt::Write;

use crate::diagnostic::visible::{ESCAPES, escaped, is_hostile, read_escape};
use crate::protocol::{Line, LineEnding};

/// The mark of a line that is cut off.
const CUT_OFF: &str = "\\…";

const NO_LINE_FEED: &str = "no line holds a line feed";

/// Appends the text of a line with everything escaped that an eye or an editor could miss.
pub(super) fn write_line(out: &mut String, line: &Line) {
    let written = out.len();
    write!(out, "{}", escaped(&line.text)).expect("a string takes all");
    if out[written..].ends_with(' ') {
        out.pop();
        out.push_str("\\x20");
    }
    match line.ending {
        LineEnding::Newline => {}
        LineEnding::Missing => out.push('\\'),
        LineEnding::TooLong => out.push_str(CUT_OFF),
    }
}

/// Error in an escaped text: its range, its description, and advice.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Slip {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) what: &'static str,
    pub(super) help: String,
}

/// Reads an escaped text back; goes on after a slip, so that all of a line are reported.
pub(super) fn read_line(text: &str, slips: &mut Vec<Slip>) -> Line {
    let is_escaped = |text: &str| (text.len() - text.trim_end_matches('\\').len()) % 2 == 1;
    let cut_off = text.strip_suffix(CUT_OFF).filter(|body| !is_escaped(body));
    let (body, ending) = match cut_off {
        Some(body) => (body, LineEnding::TooLong),
        None if is_escaped(text) => (&text[..text.len() - 1], LineEnding::Missing),
        None => (text, LineEnding::Newline),
    };
    let mut bytes = Vec::with_capacity(body.len());
    let mut rest = body;
    while let Some(character) = rest.chars().next() {
        let start = body.len() - rest.len();
        let mut length = character.len_utf8();
        let slip = if character == '\\' {
            let read = read_escape(rest, &mut bytes);
            length = read.unwrap_or_else(|length| length);
            let help = || format!("{ESCAPES}; at the end of a line, `\\` and `{CUT_OFF}`");
            read.err().map(|_| ("this is no known escape", help()))
        } else {
            bytes.extend_from_slice(&rest.as_bytes()[..length]);
            let is_last = rest.len() == length && ending == LineEnding::Newline;
            slip_of_raw(&rest[..length], is_last)
        };
        let two_lines = || (NO_LINE_FEED, "write two lines".to_owned());
        let slip = slip.or_else(|| bytes.ends_with(b"\n").then(two_lines));
        if let Some((what, help)) = slip {
            let end = start + length;
            slips.push(Slip {
                start,
                end,
                what,
                help,
            });
        }
        rest = &rest[length..];
    }
    Line {
        text: bytes,
        ending,
    }
}

/// What is wrong with a character that is not escaped, and what to write instead; `is_last`: at the end of a line.
fn slip_of_raw(character: &str, is_last: bool) -> Option<(&'static str, String)> {
    match character {
        "\n" => None,
        " " if is_last => {
            let what = "a space at the end of a line stands here raw";
            Some((what, "write `\\x20`".to_owned()))
        }
        _ => character.contains(is_hostile).then(|| {
            let what = "a hidden character stands here raw";
            (what, format!("write `{}`", escaped(character)))
        }),
    }
}

/// A line as a string.
pub(super) mod as_line {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    use super::{Slip, read_line, write_line};
    use crate::protocol::{Line, LineEnding};

    /// Returns true if a text is the bytes of its line, with nothing escaped.
    fn is_plain(text: &[u8]) -> bool {
        let is_shown = |byte: &u8| matches!(byte, b' '..=b'~') && *byte != b'\\';
        text.iter().all(is_shown) && text.last() != Some(&b' ')
    }

    pub(crate) fn serialize<S: Serializer>(line: &Line, to: S) -> Result<S::Ok, S::Error> {
        if let Ok(text) = str::from_utf8(&line.text)
            && line.ending == LineEnding::Newline
            && is_plain(text.as_bytes())
        {
            return to.serialize_str(text);
        }
        let mut text = String::new();
        write_line(&mut text, line);
        to.serialize_str(&text)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Line, D::Error> {
        let text = String::deserialize(from)?;
        if is_plain(text.as_bytes()) {
            return Ok(Line::new(text));
        }
        let mut slips = Vec::new();
        let line = read_line(&text, &mut slips);
        match slips.into_iter().next() {
            None => Ok(line),
            Some(Slip { what, help, .. }) => Err(D::Error::custom(format!("{what}; {help}"))),
        }
    }
}

/// Bytes without a newline as a string.
pub(super) mod as_text {
    use serde::{Deserializer, Serializer};

    use super::as_line;
    use crate::protocol::Line;

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        as_line::serialize(&Line::new(bytes), to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        as_line::deserialize(from).map(|line| line.text)
    }
}

#[cfg(test)]
mod tests {
    use super::read_line;
    use crate::case_files::assert_lines;

    #[test]
    fn the_number_of_a_line_feed_is_a_slip_as_a_whole_and_one_digit_is_no_number() {
        assert_lines("golden-line-feeds", |text| {
            let mut slips = Vec::new();
            read_line(text, &mut slips);
            let said = slips
                .iter()
                .map(|slip| format!("{} to {}: {}", slip.start, slip.end, slip.what));
            said.collect()
        });
    }
}
