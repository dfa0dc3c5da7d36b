//! One line of a lane as text that hides nothing, and back.

use std::fmt::Write;

use crate::diagnostic::visible::is_hostile;
use crate::protocol::{Line, LineEnding};

/// Appends the text of a line with everything escaped that an eye or an editor could miss.
pub(super) fn write_line(out: &mut String, line: &Line) {
    let written = out.len();
    for chunk in line.text.utf8_chunks() {
        for character in chunk.valid().chars() {
            write_character(out, character);
        }
        for byte in chunk.invalid() {
            write!(out, "\\x{byte:02x}").expect("a string takes all");
        }
    }
    if out[written..].ends_with(' ') {
        out.pop();
        out.push_str("\\x20");
    }
    match line.ending {
        LineEnding::Newline => {}
        LineEnding::Missing => out.push('\\'),
        LineEnding::TooLong => out.push_str("\\…"),
    }
}

fn write_character(out: &mut String, character: char) {
    match character {
        '\\' => out.push_str("\\\\"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        _ if !is_hostile(character) => out.push(character),
        _ if character.is_ascii() => {
            write!(out, "\\x{:02x}", u32::from(character)).expect("a string takes all");
        }
        _ => write!(out, "\\u{{{:x}}}", u32::from(character)).expect("a string takes all"),
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
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let start = text.len() - rest.len();
        if character == '\\' {
            match read_escape(rest) {
                Escape::Byte(byte, length) => {
                    bytes.push(byte);
                    rest = &rest[length..];
                }
                Escape::Character(character, length) => {
                    bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                    rest = &rest[length..];
                }
                Escape::End(ending) => {
                    return Line {
                        text: bytes,
                        ending,
                    };
                }
                Escape::Wrong(length, what) => {
                    let help =
                        "escapes are `\\\\`, `\\r`, `\\t`, `\\xHH`, `\\u{HEX}`, and at the end of a line \
                                `\\` and `\\…`; a backslash itself is `\\\\`"
                            .to_owned();
                    slips.push(Slip {
                        start,
                        end: start + length,
                        what,
                        help,
                    });
                    rest = &rest[length..];
                }
            }
            continue;
        }
        let length = character.len_utf8();
        let is_last = rest.len() == length;
        if is_hostile(character) || is_last && character == ' ' {
            let mut written = String::new();
            match character {
                ' ' => written.push_str("\\x20"),
                _ => write_character(&mut written, character),
            }
            let what = if character == ' ' {
                "a space at the end of a line"
            } else {
                "a hidden character"
            };
            let (what, help) = (
                format!("{what} stands here raw"),
                format!("write `{written}`"),
            );
            slips.push(Slip {
                start,
                end: start + length,
                what,
                help,
            });
        }
        bytes.extend_from_slice(&rest.as_bytes()[..length]);
        rest = &rest[length..];
    }
    Line {
        text: bytes,
        ending: LineEnding::Newline,
    }
}

enum Escape {
    Byte(u8, usize),
    Character(char, usize),
    End(LineEnding),
    /// Its length and what is wrong.
    Wrong(usize, String),
}

const NO_LINE_FEED: &str = "no line holds a line feed";

/// Reads the escape that a text begins with.
fn read_escape(text: &str) -> Escape {
    let mut characters = text[1..].chars();
    match characters.next() {
        None => Escape::End(LineEnding::Missing),
        Some('…') if characters.as_str().is_empty() => Escape::End(LineEnding::TooLong),
        Some('…') => Escape::Wrong(
            1 + '…'.len_utf8(),
            "`\\…` stands before the end of the line".to_owned(),
        ),
        Some('\\') => Escape::Byte(b'\\', 2),
        Some('r') => Escape::Byte(b'\r', 2),
        Some('t') => Escape::Byte(b'\t', 2),
        Some('x') => {
            let digits: String = characters
                .take(2)
                .take_while(char::is_ascii_hexdigit)
                .collect();
            match u8::from_str_radix(&digits, 16) {
                Ok(b'\n') if digits.len() == 2 => Escape::Wrong(4, NO_LINE_FEED.to_owned()),
                Ok(byte) if digits.len() == 2 => Escape::Byte(byte, 4),
                _ => Escape::Wrong(
                    2 + digits.len(),
                    "`\\x` is not followed by two hexadecimal digits".to_owned(),
                ),
            }
        }
        Some('u') => {
            let body = characters.as_str();
            let digits = body
                .strip_prefix('{')
                .and_then(|body| body.split_once('}'))
                .map(|(digits, _)| digits);
            let digits = digits.filter(|digits| {
                digits.len() <= 6 && digits.bytes().all(|b| b.is_ascii_hexdigit())
            });
            let length = 4 + digits.map_or(0, str::len);
            match digits
                .and_then(|digits| u32::from_str_radix(digits, 16).ok())
                .and_then(char::from_u32)
            {
                Some('\n') => Escape::Wrong(length, NO_LINE_FEED.to_owned()),
                Some(character) => Escape::Character(character, length),
                None => Escape::Wrong(
                    2,
                    "`\\u` is not followed by the number of a character in braces".to_owned(),
                ),
            }
        }
        Some(other) => {
            let known =
                crate::diagnostic::visible::quoted(other.encode_utf8(&mut [0; 4])).to_string();
            Escape::Wrong(
                1 + other.len_utf8(),
                format!("there is no escape for {known}"),
            )
        }
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
