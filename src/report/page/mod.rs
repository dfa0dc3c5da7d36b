//! A finished game as one HTML page: a script draws it from the lines of `urtext replay --json`. Without scripts, the page shows the moves.
//! Nothing is loaded, and the page allows only its own style and script.

use askama::Template;

use super::template::{Inline, in_script};
use crate::replay::{PrintedParts, Replay};
use crate::rules::Seat;

const STYLE: &str = concat!(include_str!("../base.css"), include_str!("page.css"));
const SCRIPT: &str = include_str!("page.js");

#[derive(Template)]
#[template(path = "page/page.html", config = "src/report/askama.toml")]
struct Page<'r> {
    replay: &'r Replay,
    players: [String; 2],
    turn: usize,
    trouble: Option<&'r str>,
    printed: String,
    lines: String,
    style: Inline<'static>,
    script: Inline<'static>,
}

/// Returns a game as a page that opens at the turn at which the replay stands. `trouble` is the drawing of what is wrong with the game, without
/// colours.
#[must_use]
pub fn draw(replay: &Replay, trouble: Option<&str>) -> String {
    let lines = replay.json(replay.frames());
    let page = Page {
        replay,
        players: Seat::BOTH.map(|seat| replay.player(seat)),
        turn: replay.frame().number,
        trouble,
        printed: replay.print(&mut 0, PrintedParts::default()),
        lines: in_script(&lines),
        style: Inline(STYLE),
        script: Inline(SCRIPT),
    };
    page.render().expect("a string takes all")
}
