//! Quoted text, which is sent unchanged.

use super::text::Part;
use crate::diagnostic::Faults;

const ESCAPES: &str = "write `\\\\` for a backslash; known are `\\\"`, `\\/`, `\\b`, `\\f`, `\\r`, `\\t`, `\\u00e9`, and `\\xff` for a byte";

/// Reads a JSON string at the start of `part`, with `\xff` for a single byte and `\u{e9}` besides, so that what reports show in quotation marks can be sent. Gives its bytes and what follows it;
/// a fault has this code.
pub(super) fn read<'t>(
    part: Part<'t>,
    code: &'static str,
    faults: &Faults<'_>,
) -> Option<(Vec<u8>, Part<'t>)> {
    let refuse = |part: Part<'_>, reason: &str, help: &str| {
        faults.refuse(code, reason, part.span(), "", help);
        None
    };
    let text = part.text();
    let mut bytes = Vec::new();
    let mut at = 1;
    loop {
        let rest = &text[at..];
        let Some(character) = rest.chars().next() else {
            let help = "add a `\"`; where ` #` stands in the line, put the whole turn in single quotation marks";
            return refuse(part, "this quotation mark is never closed", help);
        };
        match character {
            '"' => return Some((bytes, part.from(at + 1))),
            '\\' => match escape(rest, &mut bytes) {
                Some(length) => at += length,
                None => {
                    let length = rest
                        .char_indices()
                        .nth(2)
                        .map_or(rest.len(), |(end, _)| end);
                    let part = part.slice(at..at + length);
                    return refuse(part, "this is no known escape", ESCAPES);
                }
            },
            other => {
                push(&mut bytes, other);
                at += other.len_utf8();
            }
        }
    }
}

/// Appends what the escape at the start of `text` stands for, and gives the escape's length.
fn escape(text: &str, bytes: &mut Vec<u8>) -> Option<usize> {
    let character = match text[1..].chars().next()? {
        itself @ ('"' | '\\' | '/') => itself,
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'x' => {
            bytes.push(u8::try_from(number(text, 2, 2)?).ok()?);
            return Some(4);
        }
        'u' => {
            let (character, length) = unicode(text)?;
            push(bytes, character);
            return Some(length);
        }
        _ => return None,
    };
    push(bytes, character);
    Some(2)
}

fn push(bytes: &mut Vec<u8>, character: char) {
    bytes.extend(character.encode_utf8(&mut [0; 4]).as_bytes());
}

/// `count` hexadecimal digits from byte `start` on.
fn number(text: &str, start: usize, count: usize) -> Option<u32> {
    let digits = text.get(start..start + count)?;
    digits
        .bytes()
        .all(|byte| byte.is_ascii_hexdigit())
        .then(|| u32::from_str_radix(digits, 16).ok())?
}

/// The character of `\uXXXX`, of the two that spell a character beyond U+FFFF, or of `\u{X}`, and the length of the escape.
fn unicode(text: &str) -> Option<(char, usize)> {
    if let Some(rest) = text[2..].strip_prefix('{') {
        let length = rest.find('}').filter(|length| (1..=6).contains(length))?;
        return Some((char::from_u32(number(rest, 0, length)?)?, length + 4));
    }
    let first = number(text, 2, 4)?;
    if let Some(character) = char::from_u32(first) {
        return Some((character, 6));
    }
    let second = number(text.get(6..)?.strip_prefix("\\u")?, 0, 4)?;
    let pair = [u16::try_from(first).ok()?, u16::try_from(second).ok()?];
    let character = char::decode_utf16(pair).next()?.ok()?;
    Some((character, 12))
}
