//! Hostile text made fit to show: nothing that steers a terminal, hides or reorders gets through.
//!
//! Escaped are control characters (C0, DEL, C1), bytes that are not UTF-8, white space other than the
//! plain space, and characters that take no room or change the direction of what follows them
//! (zero-width characters, bidirectional controls, byte-order marks, variation selectors, tags,
//! noncharacters). Everything else is shown as it is.
//!
//! | what | shown as |
//! | --- | --- |
//! | line feed, carriage return, tab | `\n`, `\r`, `\t` |
//! | another ASCII control character | `\x1b` (below `\x80`: the character) |
//! | a byte that is not UTF-8 | `\xff` (from `\x80` on: the byte) |
//! | another character of the kinds above | `\u{202e}` |
//! | backslash, in the quoted and in the escaped form | `\\` |
//! | quotation mark, in the quoted form only | `\"` |
//!
//! [`read_escape`] reads them back, and those of JSON.

use std::fmt::{self, Display, Formatter, Write};
use std::path::Path;

/// The bytes as text with everything hostile escaped; a backslash stays as it is.
///
/// It reads well but is not injective: the text `\n` and a line feed look the same.
/// Use [`quoted`] where they must not.
#[must_use]
pub fn plain<B: AsRef<[u8]> + ?Sized>(bytes: &B) -> Visible<'_> {
    Visible {
        bytes: bytes.as_ref(),
        form: Form::Plain,
        limit: usize::MAX,
    }
}

/// The beginning of a text, as a sentence quotes it.
#[must_use]
pub fn short<B: AsRef<[u8]> + ?Sized>(bytes: &B) -> Visible<'_> {
    plain(bytes).at_most(40)
}

/// The path as [`plain`] text.
#[must_use]
pub fn path(path: &Path) -> Visible<'_> {
    plain(path.as_os_str().as_encoded_bytes())
}

/// The bytes between quotation marks, escaped so that two different texts never look the same.
#[must_use]
pub fn quoted<B: AsRef<[u8]> + ?Sized>(bytes: &B) -> Visible<'_> {
    Visible {
        form: Form::Quoted,
        ..plain(bytes)
    }
}

/// The bytes, escaped so that two different texts never look the same, without quotation marks around them.
#[must_use]
pub fn escaped<B: AsRef<[u8]> + ?Sized>(bytes: &B) -> Visible<'_> {
    Visible {
        form: Form::Escaped,
        ..plain(bytes)
    }
}

/// Bytes on their way to be shown; see [`plain`], [`quoted`] and [`escaped`].
#[derive(Clone, Copy, Debug)]
pub struct Visible<'a> {
    bytes: &'a [u8],
    form: Form,
    limit: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Plain,
    Quoted,
    Escaped,
}

impl Visible<'_> {
    /// Shows at most `limit` bytes of the input and then `… (N more bytes)`.
    ///
    /// A character is not cut: where `limit` falls inside one, the character is left out.
    #[must_use]
    pub fn at_most(self, limit: usize) -> Self {
        Visible { limit, ..self }
    }

    fn shown(&self) -> &[u8] {
        if self.bytes.len() <= self.limit {
            return self.bytes;
        }
        // A UTF-8 character continues for at most three bytes; anything longer is no character.
        let mut ends = (self.limit.saturating_sub(3)..=self.limit).rev();
        let end = ends.find(|&end| self.bytes[end] & 0xc0 != 0x80);
        &self.bytes[..end.unwrap_or(self.limit)]
    }
}

impl Display for Visible<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let shown = self.shown();
        if self.form == Form::Quoted {
            out.write_char('"')?;
        }
        for chunk in shown.utf8_chunks() {
            for character in chunk.valid().chars() {
                write_character(out, character, self.form)?;
            }
            for byte in chunk.invalid() {
                write!(out, "\\x{byte:02x}")?;
            }
        }
        if self.form == Form::Quoted {
            out.write_char('"')?;
        }
        match self.bytes.len() - shown.len() {
            0 => Ok(()),
            1 => out.write_str("… (1 more byte)"),
            more => write!(out, "… ({more} more bytes)"),
        }
    }
}

fn write_character(out: &mut Formatter<'_>, character: char, form: Form) -> fmt::Result {
    match character {
        '\n' => out.write_str("\\n"),
        '\r' => out.write_str("\\r"),
        '\t' => out.write_str("\\t"),
        '\\' if form != Form::Plain => out.write_str("\\\\"),
        '"' if form == Form::Quoted => out.write_str("\\\""),
        _ if !is_hostile(character) => out.write_char(character),
        _ if character.is_ascii() => write!(out, "\\x{:02x}", u32::from(character)),
        _ => write!(out, "\\u{{{:x}}}", u32::from(character)),
    }
}

/// The escapes that [`read_escape`] knows, for a help.
pub const ESCAPES: &str = "write `\\\\` for a backslash; known are `\\\"`, `\\/`, `\\b`, `\\f`, `\\n`, `\\r`, `\\t`, `\\u00e9`, `\\u{e9}`, and `\\xff` for a byte";

/// Reads the escape at the start of a text and appends its bytes. Escapes are those of this module and of JSON. Returns the length of the
/// escape.
///
/// # Errors
/// The length of an unknown escape: its backslash and the next character.
pub fn read_escape(text: &str, bytes: &mut Vec<u8>) -> Result<usize, usize> {
    let kind = text[1..].chars().next();
    let unknown = 1 + kind.map_or(0, char::len_utf8);
    let (character, length) = match kind {
        Some(itself @ ('"' | '\\' | '/')) => (itself, 2),
        Some('b') => ('\u{8}', 2),
        Some('f') => ('\u{c}', 2),
        Some('n') => ('\n', 2),
        Some('r') => ('\r', 2),
        Some('t') => ('\t', 2),
        Some('x') => {
            let byte = digits(text, 2, 2).and_then(|byte| u8::try_from(byte).ok());
            bytes.push(byte.ok_or(unknown)?);
            return Ok(4);
        }
        Some('u') => numbered(text).ok_or(unknown)?,
        _ => return Err(unknown),
    };
    bytes.extend(character.encode_utf8(&mut [0; 4]).as_bytes());
    Ok(length)
}

/// The number in so many hexadecimal digits from a byte on.
fn digits(text: &str, start: usize, count: usize) -> Option<u32> {
    let digits = text.get(start..start + count)?;
    let is_number = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_number.then(|| u32::from_str_radix(digits, 16).ok())?
}

/// The character of `\uXXXX`, of the two that spell a character beyond U+FFFF, or of `\u{X}`, and the length of the escape.
fn numbered(text: &str) -> Option<(char, usize)> {
    if let Some(rest) = text[2..].strip_prefix('{') {
        let length = rest.find('}').filter(|length| (1..=6).contains(length))?;
        return Some((char::from_u32(digits(rest, 0, length)?)?, length + 4));
    }
    let first = digits(text, 2, 4)?;
    if let Some(character) = char::from_u32(first) {
        return Some((character, 6));
    }
    let second = digits(text.get(6..)?.strip_prefix("\\u")?, 0, 4)?;
    let pair = [u16::try_from(first).ok()?, u16::try_from(second).ok()?];
    let character = char::decode_utf16(pair).next()?.ok()?;
    Some((character, 12))
}

/// Returns true for a character that must not reach a terminal: one that controls the terminal, hides text or
/// reorders text.
#[must_use]
pub fn is_hostile(character: char) -> bool {
    if matches!(character, ' '..='~') {
        return false;
    }
    character.is_control()
        || character.is_whitespace()
        || u32::from(character) & 0xfffe == 0xfffe
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fdd0}'..='\u{fdef}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Returns a substitute for a character that has to keep one column, as above a row of carets.
///
/// ASCII control characters become their Unicode control pictures, other hostile ones U+FFFD.
#[must_use]
pub fn stand_in(character: char) -> char {
    match character {
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + u32::from(character)).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        _ if is_hostile(character) => '\u{fffd}',
        _ => character,
    }
}

#[cfg(test)]
mod tests {
    use super::{is_hostile, plain, quoted, read_escape, stand_in};
    use proptest::prelude::*;

    /// Reads the quoted form back: that this is possible at all is what makes the form injective.
    fn unquoted(text: &str) -> Vec<u8> {
        let inner = text
            .strip_prefix('"')
            .and_then(|text| text.strip_suffix('"'))
            .expect("quotation marks");
        let mut bytes = Vec::new();
        let mut rest = inner;
        while let Some(character) = rest.chars().next() {
            assert_ne!(
                character, '"',
                "a quotation mark stands unescaped in {text}"
            );
            let length = match character {
                '\\' => read_escape(rest, &mut bytes).expect("an escape"),
                other => {
                    bytes.extend(other.to_string().bytes());
                    other.len_utf8()
                }
            };
            rest = &rest[length..];
        }
        bytes
    }

    fn hostile_bytes() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            any::<u8>().prop_map(|byte| vec![byte]),
            any::<char>().prop_map(|character| character.to_string().into_bytes()),
            "[\\\\\"xu{}nrt0-9a-f]{1,6}".prop_map(String::into_bytes),
            prop::sample::select(vec![
                "\u{202e}", "\u{feff}", "\u{200b}", "\u{85}", "\x1b[2J", "\u{2028}"
            ])
            .prop_map(|text| text.as_bytes().to_vec()),
        ];
        prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn shows_nothing_hostile(bytes in hostile_bytes(), limit in 0usize..80) {
            for shown in [plain(&bytes).to_string(), quoted(&bytes).to_string(),
                plain(&bytes).at_most(limit).to_string(), quoted(&bytes).at_most(limit).to_string()] {
                prop_assert!(!shown.chars().any(is_hostile), "{:?}", shown);
            }
        }

        #[test]
        fn the_quoted_form_can_be_read_back(bytes in hostile_bytes()) {
            prop_assert_eq!(unquoted(&quoted(&bytes).to_string()), bytes);
        }

        #[test]
        fn a_bound_counts_every_byte_it_leaves_out(bytes in hostile_bytes(), limit in 0usize..80) {
            let shown = quoted(&bytes).at_most(limit).to_string();
            let (text, more) = shown.rsplit_once("… (").unwrap_or((&shown, "0 more bytes)"));
            let more: usize = more.split(' ').next().unwrap_or_default().parse().expect("a count");
            let kept = unquoted(text);
            prop_assert!(kept.len() <= limit);
            prop_assert!(bytes.starts_with(&kept));
            prop_assert_eq!(kept.len() + more, bytes.len());
        }

        #[test]
        fn a_stand_in_is_never_hostile(character in any::<char>()) {
            prop_assert!(!is_hostile(stand_in(character)));
        }
    }

    #[test]
    fn escapes_each_kind_in_its_own_way() {
        assert_eq!(plain("3\r").to_string(), "3\\r");
        assert_eq!(plain("\x1b[2J\x7f\0").to_string(), "\\x1b[2J\\x7f\\x00");
        assert_eq!(
            plain("a\u{202e}b\u{9b}c\u{a0}").to_string(),
            "a\\u{202e}b\\u{9b}c\\u{a0}"
        );
        assert_eq!(plain(b"\xff\xc3(").to_string(), "\\xff\\xc3(");
        assert_eq!(plain(r"a\n").to_string(), r"a\n");
        assert_eq!(quoted("say \"\\n\"\n").to_string(), r#""say \"\\n\"\n""#);
        assert_eq!(plain("żółw 将 🎲").to_string(), "żółw 将 🎲");
    }

    #[test]
    fn a_bound_does_not_cut_a_character() {
        assert_eq!(plain("aéz").at_most(2).to_string(), "a… (3 more bytes)");
        assert_eq!(plain("aéz").at_most(3).to_string(), "aé… (1 more byte)");
        assert_eq!(plain("aéz").at_most(4).to_string(), "aéz");
    }
}
