//! Formats of files that hold no transcript, recognised by their first bytes, so that a refusal can name them.

use GamePart::{Coins, Lanes, Loss, Names, Rolls, TokenNumbers};
use serde::de::IgnoredAny;

use super::{Format, GamePart, Notation};
use crate::diagnostic::BYTE_ORDER_MARK;
use crate::pack;

/// Names the files with finished games that are read, for help texts.
#[must_use]
pub fn readable() -> String {
    let notations: String = pack::notations()
        .map(|notation| format!("{}, ", notation.title))
        .collect();
    format!(
        "give a golden transcript, a recording (JSON Lines), the stream of one participant, {notations}\
         or the history of a match: coco://HOST:PORT/ID"
    )
}

/// The format that a file with these first bytes is in, where it is a known one that is no stream of lines of a game.
///
/// A stream may begin with a player's name that looks like one of these; see [`crate::transcript::bare::looks_like`].
#[must_use]
pub fn recognise(start: &[u8]) -> Option<Format> {
    let format = |name, help: Option<&str>| {
        let help = help.map(str::to_owned);
        Some(Format { name, help })
    };
    let text = beginning(start);
    let holds = |part: &str| memchr::memmem::find(text, part.as_bytes()).is_some();
    let lines = || {
        text.split(|&byte| byte == b'\n')
            .map(<[u8]>::trim_ascii_end)
            .take(16)
    };
    let has_key = |key: &str| lines().any(|line| line.starts_with(key.as_bytes()));
    if text.contains(&0) {
        let help = "decompress it first, or save it as text in UTF-8; `-` reads standard input";
        return format("binary data", Some(help));
    }
    let notated = pack::notations().find_map(|notation| in_notation(notation, text));
    match text {
        _ if notated.is_some() => notated,
        [b'{' | b'[' | b'"', ..] if is_json(text) => format("JSON", None),
        [b'<', b'!' | b'?' | b'/', ..] => format("HTML or XML", None),
        [b'<', letter, ..] if letter.is_ascii_alphabetic() && holds(">") => {
            format("HTML or XML", None)
        }
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

/// The format of a file in this notation.
fn in_notation(notation: &Notation, text: &[u8]) -> Option<Format> {
    if (notation.is_records)(text) {
        let name = notation.name;
        let help = format!("give it by itself; on standard input with `--dialect {name}`");
        return Some(Format {
            name: notation.title,
            help: Some(help),
        });
    }
    let states = notation.states.filter(|states| (states.is_state)(text))?;
    let help =
        "`urtext verify RECORDS --state FILE` compares a state with the records that lead to it";
    Some(Format {
        name: states.title,
        help: Some(help.to_owned()),
    })
}

/// Returns the text of a file from its first character on, without a byte order mark.
#[must_use]
pub fn beginning(start: &[u8]) -> &[u8] {
    start
        .strip_prefix(BYTE_ORDER_MARK.as_bytes())
        .unwrap_or(start)
        .trim_ascii_start()
}

/// Returns true for JSON, or its beginning.
fn is_json(text: &[u8]) -> bool {
    match serde_json::from_slice::<IgnoredAny>(text) {
        Ok(_) => true,
        Err(error) => error.is_eof(),
    }
}

/// A format of files with finished games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileFormat {
    /// Name, as it continues "read as …".
    pub name: &'static str,
    /// The parts of a game that a file keeps.
    pub keeps: &'static [GamePart],
}

/// A golden transcript.
pub const GOLDEN: FileFormat = FileFormat {
    name: "a golden transcript",
    keeps: &[Names, Rolls, Coins, TokenNumbers, Loss, Lanes],
};

/// A recording.
pub const RECORDING: FileFormat = FileFormat {
    name: "a recording",
    keeps: &GamePart::ALL,
};

/// The stream of one participant, or a stored match.
pub const STREAM: FileFormat = FileFormat {
    name: "the stream of one participant",
    keeps: &[Names, Rolls, Coins, TokenNumbers, Loss],
};

impl FileFormat {
    /// The format of files in a notation.
    #[must_use]
    pub fn of_notation(notation: &super::Notation) -> FileFormat {
        FileFormat {
            name: notation.title,
            keeps: notation.keeps,
        }
    }

    /// Returns the parts that this format keeps and another drops.
    pub fn lost_in(self, other: FileFormat) -> impl Iterator<Item = GamePart> {
        let kept = GamePart::ALL
            .into_iter()
            .filter(move |part| self.keeps.contains(part));
        kept.filter(move |part| !other.keeps.contains(part))
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

        assert_eq!(name(b"# mine\nsubjects:\n"), Some("a file of subjects"));
        assert_eq!(name(b"\x7fELF\0\0"), Some("binary data"));
        let packed = recognise(b"\x1f\x8b\x08\0").unwrap();
        assert_eq!((packed.name, packed.help.is_some()), ("binary data", true));
    }
}
