//! A finished game as one HTML page: static, and enhanced by a script. Nothing is loaded, and the page allows only its own style and script.

mod data;
mod table;

use data_encoding::BASE64;
use sha2::{Digest, Sha256};

use super::drawing::{self, BoardDrawing, TurnMarks, escaped};
use crate::replay::Replay;
use crate::rules::{Picture, Seat};
use data::PageData;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Returns a game as a page that opens at a turn. `trouble` is the drawing of what is wrong with the game, without colours.
///
/// # Panics
/// If the replay has no such turn.
#[must_use]
pub fn draw(replay: &Replay, turn: usize, trouble: Option<&str>) -> String {
    let names = Seat::BOTH.map(|seat| replay.player(seat));
    let frames = replay.frames();
    let positions: Vec<_> = frames.iter().map(crate::replay::Frame::picture).collect();
    let marks: Vec<_> = (0..frames.len())
        .map(|turn| TurnMarks::of(replay, turn))
        .collect();
    let board = BoardDrawing::new(&names, &positions);
    let flipped: Vec<_> = positions.iter().cloned().map(Picture::flipped).collect();
    let other_side = BoardDrawing::with_items(&names, &flipped, board.items.clone());
    let data = PageData::new(
        replay,
        &names,
        [&board, &other_side],
        [&positions, &flipped],
        &marks,
    );

    let style = compact(&format!("{STYLE}{}", drawing::STYLE));
    let script = compact(SCRIPT);
    let items = board.items_of(&positions[turn]);
    let caption = &frames[turn];
    let view = |board: &BoardDrawing| format!("0 0 {} {}", board.width, board.height);
    let parts = [
        ("SCRIPT-HASH", hash(&script)),
        ("STYLE-HASH", hash(&style)),
        ("STYLE", style),
        ("TITLE", escaped(&replay.heading())),
        ("GAME", escaped(replay.game().title())),
        ("FIRST", escaped(&names[0])),
        ("SECOND", escaped(&names[1])),
        (
            "RESULT-CLASS",
            if replay.is_bad() { "bad" } else { "good" }.to_owned(),
        ),
        ("RESULT", escaped(&replay.ending())),
        ("TROUBLE", trouble.map(self::trouble).unwrap_or_default()),
        ("NOTES", notes(replay)),
        ("SYMBOLS", other_side.symbols()),
        ("VIEW", view(&board)),
        ("OTHER-VIEW", view(&other_side)),
        (
            "DESCRIPTION",
            escaped(&board.describe(&names, &items, &marks[turn])),
        ),
        ("BOARD", board.draw(&items, &marks[turn])),
        ("OTHER-SIDE", other_side.draw(&[], &TurnMarks::default())),
        ("CAPTION", escaped(&replay.describe(caption))),
        ("LAST", replay.last().to_string()),
        ("TURN", turn.to_string()),
        ("TABLE", table::draw(replay, turn)),
        ("DATA", data.json()),
        ("SCRIPT", script),
    ];
    fill(PAGE, &parts)
}

/// Fills the places of a template, each once in its order; what is filled in is not read again.
pub(super) fn fill(template: &str, parts: &[(&str, String)]) -> String {
    let mut page = String::new();
    let mut pieces = template.split("{{");
    page.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let (name, text) = piece.split_once("}}").expect("each place is closed");
        let part = parts.iter().find(|(known, _)| *known == name);
        page.push_str(&part.expect("each place has its part").1);
        page.push_str(text);
    }
    page
}

/// The lines of a style or a script without indentation, empty lines and lines of comment.
pub(super) fn compact(source: &str) -> String {
    let lines = source.lines().map(str::trim);
    let is_code =
        |line: &&str| !line.is_empty() && !line.starts_with("//") && !line.starts_with("/*");
    let lines: Vec<_> = lines.filter(is_code).collect();
    lines.join("\n")
}

/// The source expression of an inline style or script in a content security policy.
pub(super) fn hash(source: &str) -> String {
    format!("'sha256-{}'", BASE64.encode(&Sha256::digest(source)))
}

/// The drawing of the finding.
fn trouble(drawing: &str) -> String {
    let lines: Vec<_> = drawing.lines().map(escaped).collect();
    format!(
        "<details><summary>The finding in full</summary><pre>{}</pre></details>",
        lines.join("\n")
    )
}

fn notes(replay: &Replay) -> String {
    let notes = replay
        .notes()
        .iter()
        .map(|note| format!("<p class=note>{}", escaped(note)));
    notes.collect::<Vec<_>>().join("\n")
}
