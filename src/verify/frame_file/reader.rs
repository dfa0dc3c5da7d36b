//! Reads the turns of a replay.

use serde::de::IgnoredAny;

use super::members::Members;
use super::playing::Playing;
use super::record::VERSION;
use crate::diagnostic::{
    Diagnostic, Diagnostics, JsonFormat, JsonReader, JsonValue, Source, visible,
};
use crate::pack::{self, formats::beginning};
use crate::rules::{PerSeat, Setup};
use crate::verify::unjudged_game::UnjudgedGame;

const JSON: JsonFormat = JsonFormat {
    code: "frames/syntax",
    value: "one line of a replay",
    limit: 1 << 18,
};

/// Returns true if a file with these first bytes holds the turns of a replay, valid or not.
#[must_use]
pub fn is_frames(head: &[u8]) -> bool {
    let dense: Vec<u8> = beginning(head)
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    let first = dense.split(|&byte| byte == b'}').next().unwrap_or_default();
    let holds = |part: &str| memchr::memmem::find(first, part.as_bytes()).is_some();
    first.starts_with(b"{\"") && holds("\"type\":\"game\"") && holds("\"version\":")
}

/// Reads the turns of a replay up to the first that breaks a rule, or up to a last line that was cut off.
///
/// # Errors
/// The first place that is no line of a replay.
pub(in crate::verify) fn read(source: &Source) -> Result<UnjudgedGame, Diagnostics> {
    let mut reader = JsonReader::of_text(source, whole_characters(source)?, JSON);
    let mut playing: Option<Playing<'_>> = None;
    while reader.peek().is_some() {
        let start = reader.here().start;
        let value = match (reader.value(), &mut playing) {
            (Err(_), Some(playing)) if is_cut_off(&source.bytes()[start..]) => {
                playing.cut_off(start);
                break;
            }
            (value, _) => value?,
        };
        let line = Members::of(source, value)?;
        let (kind, span) = line.due_text("type")?;
        match (kind, &mut playing) {
            ("game", None) => playing = Some(game(source, &line)?),
            ("game", Some(_)) => {
                let title = "a second game begins here, and a file of turns holds one";
                return Err(line.fault(span, title).into());
            }
            ("turn" | "end", None) => {
                let title = "the first line of a replay has the type `game`";
                return Err(line.fault(span, title).into());
            }
            ("turn", Some(playing)) if !playing.is_stopped() => playing.turn(&line)?,
            ("end", Some(playing)) => playing.end(&line)?,
            _ => {}
        }
    }
    let title = "this file holds no line of the type `game`";
    let no_game = || Diagnostic::error("frames/no-game", title).in_file(source.name());
    Ok(playing.ok_or_else(no_game)?.told())
}

/// The text, without a last character of which only the first bytes are there.
fn whole_characters(source: &Source) -> Result<&str, Diagnostic> {
    let bytes = source.bytes();
    match std::str::from_utf8(bytes) {
        Err(fault) if fault.error_len().is_none() => {
            Ok(std::str::from_utf8(&bytes[..fault.valid_up_to()]).expect("valid up to here"))
        }
        _ => source.utf8(),
    }
}

/// Returns true for the start of a line that has no end.
fn is_cut_off(rest: &[u8]) -> bool {
    !rest.contains(&b'\n') && serde_json::from_slice::<IgnoredAny>(rest).is_err()
}

/// Begins the game of the first line.
fn game<'s>(source: &'s Source, line: &Members<'s>) -> Result<Playing<'s>, Diagnostic> {
    let (version, span) = line.due_number("version")?;
    if version != VERSION as usize {
        let title = format!("only version {VERSION} of the format is read");
        return Err(line.fault(span, title));
    }
    let (name, span) = line.due_text("game")?;
    let found = pack::find(name).map(|pack| pack.game.name());
    let Some(dialect) = found.and_then(pack::dialect) else {
        let title = format!(
            "there are no rules for a game of the name {}",
            visible::quoted(name).at_most(40)
        );
        return Err(line.fault(span, title));
    };
    let game = dialect.game();
    let setup = match (line.text("setup")?, game.setup_syntax()) {
        (_, None) => Setup::default(),
        (Some((text, span)), Some(syntax)) => game.parse_setup(text).ok_or_else(|| {
            let text = visible::quoted(text).at_most(40);
            line.fault(span, format!("{text} is no setup: a setup is {syntax}"))
        })?,
        (None, Some(syntax)) => {
            let title = format!("`setup` is missing: {syntax}");
            return Err(line.fault(line.span, title));
        }
    };
    let turns = match line.get("turns") {
        Some(_) => Some(line.due_number("turns")?.0),
        None => None,
    };
    Ok(Playing::new(source, dialect, setup, names(line)?, turns))
}

/// The players' names.
fn names(line: &Members<'_>) -> Result<PerSeat<Option<String>>, Diagnostic> {
    let Some(node) = line.get("names") else {
        return Ok(PerSeat([None, None]));
    };
    let title = "`names` is a list of two, each a text or null";
    let fault = |span| line.fault(span, title);
    let JsonValue::List(names) = &node.value else {
        return Err(fault(node.span));
    };
    let [first, second] = names.as_slice() else {
        return Err(fault(node.span));
    };
    let name = |node: &crate::diagnostic::JsonNode| match &node.value {
        JsonValue::Text(name) => Ok(Some(name.clone())),
        JsonValue::Null => Ok(None),
        _ => Err(fault(node.span)),
    };
    Ok(PerSeat([name(first)?, name(second)?]))
}
