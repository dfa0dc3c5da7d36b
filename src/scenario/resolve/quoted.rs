//! Quoted text, which is sent unchanged.

use super::text::Part;
use crate::diagnostic::Faults;
use crate::diagnostic::visible::{ESCAPES, read_escape};

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
            '\\' => match read_escape(rest, &mut bytes) {
                Ok(length) => at += length,
                Err(length) => {
                    let part = part.slice(at..at + length);
                    return refuse(part, "this is no known escape", ESCAPES);
                }
            },
            other => {
                let length = other.len_utf8();
                bytes.extend_from_slice(&rest.as_bytes()[..length]);
                at += length;
            }
        }
    }
}
