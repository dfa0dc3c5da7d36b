//! One line of a lane as text that hides nothing, and back: in golden transcripts and in recordings.

use std::fmt::Write;

use crate::diagnostic::visible::{escaped, is_hostile, quoted};
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
    pub(super) what: String,
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
        let mut slip = |length, what, help| {
            slips.push(Slip {
                start,
                end: start + length,
                what,
                help,
            });
        };
        let mut length = character.len_utf8();
        if character == '\\' {
            let read = read_escape(&rest[1..], &mut bytes);
            length = 1 + read
                .as_ref()
                .map_or_else(|(length, _)| *length, |length| *length);
            if let Err((_, what)) = read {
                let help = "escapes are `\\\\`, `\\r`, `\\t`, `\\xHH`, `\\u{HEX}`, and at the end of a line \
                            `\\` and `\\…`; a backslash itself is `\\\\`";
                slip(length, what, help.to_owned());
            }
        } else {
            let is_last = rest.len() == length && ending == LineEnding::Newline;
            let (what, written) = match character {
                '\n' => (Some(NO_LINE_FEED), "two lines".to_owned()),
                ' ' if is_last => (
                    Some("a space at the end of a line stands here raw"),
                    "`\\x20`".to_owned(),
                ),
                _ if is_hostile(character) => {
                    let written = escaped(&rest[..length]);
                    let what = "a hidden character stands here raw";
                    (Some(what), format!("`{written}`"))
                }
                _ => (None, String::new()),
            };
            if let Some(what) = what {
                slip(length, what.to_owned(), format!("write {written}"));
            }
            bytes.extend_from_slice(&rest.as_bytes()[..length]);
        }
        rest = &rest[length..];
    }
    Line {
        text: bytes,
        ending,
    }
}

/// Reads what follows a backslash, and returns the length of the escape without it.
///
/// # Errors
/// The length of a wrong escape, without its backslash, and what is wrong.
fn read_escape(text: &str, bytes: &mut Vec<u8>) -> Result<usize, (usize, String)> {
    let kind = text.chars().next().unwrap_or_default();
    let rest = &text[kind.len_utf8().min(text.len())..];
    let (number, length) = match kind {
        '\\' => (Some('\\'), 1),
        'r' => (Some('\r'), 1),
        't' => (Some('\t'), 1),
        'x' => {
            let digits = rest
                .bytes()
                .take(2)
                .take_while(u8::is_ascii_hexdigit)
                .count();
            let byte = u8::from_str_radix(&rest[..digits], 16);
            return match (digits, byte) {
                (2, Ok(b'\n')) => Err((3, NO_LINE_FEED.to_owned())),
                (2, Ok(byte)) => {
                    bytes.push(byte);
                    Ok(3)
                }
                _ => {
                    let what = "`\\x` is not followed by two hexadecimal digits";
                    Err((1 + digits, what.to_owned()))
                }
            };
        }
        'u' => {
            let inside = rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
            let digits = inside.map_or("", |(digits, _)| digits);
            let is_number =
                digits.len() <= 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            let number = u32::from_str_radix(digits, 16).ok().filter(|_| is_number);
            match number.and_then(char::from_u32) {
                Some(character) => (Some(character), 3 + digits.len()),
                None => {
                    let what = "`\\u` is not followed by the number of a character in braces";
                    return Err((1, what.to_owned()));
                }
            }
        }
        _ => (None, kind.len_utf8()),
    };
    match number {
        Some('\n') => Err((length, NO_LINE_FEED.to_owned())),
        Some(character) => {
            bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            Ok(length)
        }
        None if kind == '…' => {
            let what = "`\\…` stands before the end of the line";
            Err((length, what.to_owned()))
        }
        None => {
            let known = quoted(kind.encode_utf8(&mut [0; 4])).to_string();
            Err((length, format!("there is no escape for {known}")))
        }
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
