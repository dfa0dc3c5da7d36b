//! Formats of files that hold no transcript, recognised by their first bytes, so that a refusal can name them.

use super::Format;
use crate::diagnostic::BYTE_ORDER_MARK;
use crate::pack;

/// Names the files with finished games that are read, for help texts.
#[must_use]
pub fn readable() -> String {
    let notations: String = pack::notations()
        .map(|notation| format!("{}, ", notation.title()))
        .collect();
    format!(
        "give a golden transcript, a recording (JSON Lines), the stream of one participant, {notations}\
         or the history of a match: coco://HOST:PORT/ID"
    )
}

/// The first bytes of files that are no text, with the format's name and advice.
const BINARY: &[(&[u8], &str, Option<&str>)] = &[
    (b"\x1f\x8b", "compressed by gzip", DECOMPRESS),
    (b"\x28\xb5\x2f\xfd", "compressed by zstd", DECOMPRESS),
    (b"\xfd7zXZ", "compressed by xz", DECOMPRESS),
    (b"BZh", "compressed by bzip2", DECOMPRESS),
    (b"PK\x03\x04", "a ZIP archive", None),
    (b"%PDF-", "a PDF document", None),
    (b"\xff\xfe", UTF_16, SAVE_AS_UTF_8),
    (b"\xfe\xff", UTF_16, SAVE_AS_UTF_8),
];
const DECOMPRESS: Option<&str> = Some("decompress it first; `-` reads standard input");
const UTF_16: &str = "text in UTF-16";
const SAVE_AS_UTF_8: Option<&str> = Some("save it as UTF-8");

/// The format that a file with these first bytes is in, where it is a known one that is no stream of lines of a game.
///
/// A stream may begin with a player's name that looks like one of these; see [`crate::transcript::bare::looks_like`].
#[must_use]
pub fn recognise(start: &[u8]) -> Option<Format> {
    let format = |name, help: Option<&str>| {
        let help = help.map(str::to_owned);
        Some(Format { name, help })
    };
    if let Some((_, name, help)) = BINARY.iter().find(|row| start.starts_with(row.0)) {
        return format(name, *help);
    }
    let text = beginning(start);
    let holds = |part: &str| memchr::memmem::find(text, part.as_bytes()).is_some();
    let lines = || {
        text.split(|&byte| byte == b'\n')
            .map(<[u8]>::trim_ascii_end)
            .take(16)
    };
    let has_key = |key: &str| lines().any(|line| line.starts_with(key.as_bytes()));
    if text.contains(&0) {
        return format("binary data", None);
    }
    let of_packs = pack::all().find_map(|pack| (pack.recognise)(text));
    match text {
        _ if of_packs.is_some() => of_packs,
        _ if is_numbered_game(text) => format(
            "a game in tags and numbered moves, such as PGN, which urtext does not read",
            None,
        ),
        [b'{', rest @ ..] if matches!(rest.trim_ascii_start(), [] | [b'"' | b'}', ..]) => {
            format("JSON", None)
        }
        [b'[', rest @ ..] if is_json(rest) => format("JSON", None),
        [b'"', rest @ ..] if rest.trim_ascii_end().ends_with(b"\"") => format("JSON", None),
        [b'<', b'!' | b'?' | b'/', ..] => format("HTML or XML", None),
        [b'<', letter, ..] if letter.is_ascii_alphabetic() && holds(">") => {
            format("HTML or XML", None)
        }
        [b'#', b'!', ..] => format("a script", None),
        _ if has_key("scenario:") || has_key("turns:") => format(
            "a scenario",
            Some("`urtext run` plays a scenario, `urtext check` checks it"),
        ),
        _ if has_key("subjects:") => {
            let help = "`urtext run --subject NAME --config FILE` tests one of them";
            format("a file of subjects", Some(help))
        }
        _ => None,
    }
}

/// Returns the text of a file from its first character on, without a byte order mark.
#[must_use]
pub fn beginning(start: &[u8]) -> &[u8] {
    start
        .strip_prefix(BYTE_ORDER_MARK.as_bytes())
        .unwrap_or(start)
        .trim_ascii_start()
}

/// Returns true for a game in tags and numbered moves.
fn is_numbered_game(text: &[u8]) -> bool {
    match text {
        [b'[', rest @ ..] => is_tag(rest),
        [b'0'..=b'9', ..] => text
            .split(|&byte| byte == b'\n')
            .next()
            .is_some_and(is_numbered_move),
        _ => false,
    }
}

/// Returns true if the text inside a bracket begins like `Key "value"]`.
fn is_tag(inside: &[u8]) -> bool {
    let key = inside
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric())
        .count();
    let value = inside[key..].trim_ascii_start();
    let line = value
        .split(|&byte| byte == b'\n')
        .next()
        .unwrap_or_default();
    key > 0 && value.len() < inside[key..].len() && value.starts_with(b"\"") && line.contains(&b']')
}

/// Returns true if a line begins like `12. A@A4 / …`.
fn is_numbered_move(line: &[u8]) -> bool {
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    line[digits..]
        .strip_prefix(b". ")
        .is_some_and(|rest| !rest.trim_ascii().is_empty())
}

/// Returns true if the text inside a bracket begins like a JSON list.
fn is_json(inside: &[u8]) -> bool {
    let value = inside.trim_ascii_start();
    let word = value
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || b".-+".contains(byte))
        .count();
    let follows = value[word..].trim_ascii_start();
    match &value[..word] {
        [] => matches!(value, [] | [b'"' | b'{' | b'[' | b']', ..]),
        b"true" | b"false" | b"null" => matches!(follows, [] | [b',' | b']', ..]),
        [b'-' | b'0'..=b'9', ..] => {
            matches!(follows, [] | [b',', ..]) || follows.trim_ascii() == b"]"
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case_files::assert_lines;

    #[test]
    fn recognises_what_is_no_stream() {
        let name = |start: &[u8]| recognise(start).map(|format| format.name);
        assert_lines("formats", |text| {
            let text = text.replace("\\n", "\n");
            format!("{:?}", name(text.as_bytes()))
        });
        assert_eq!(name("\u{feff}{\"a\": 1}".as_bytes()), Some("JSON"));
        assert_eq!(name(b"#!/bin/sh\n"), Some("a script"));
        assert_eq!(name(b"# mine\nsubjects:\n"), Some("a file of subjects"));
        assert_eq!(name(b"\x7fELF\0\0"), Some("binary data"));
        let packed = recognise(b"\x1f\x8b\x08\x08").unwrap();
        assert_eq!(
            (packed.name, packed.help.is_some()),
            ("compressed by gzip", true)
        );
    }
}
