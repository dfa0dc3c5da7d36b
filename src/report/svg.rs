//! A position as an SVG picture, from the pack's own data. It needs no script and no file beside it.

use super::drawing::{BoardDrawing, STYLE, TurnMarks, escaped};
use crate::replay::Replay;
use crate::rules::Seat;

/// Returns the position after a turn of a replay as a file of its own. Its title tells the turn.
///
/// # Panics
/// If the replay has no such turn.
#[must_use]
pub fn draw(replay: &Replay, turn: usize) -> String {
    let frame = &replay.frames()[turn];
    let picture = frame.picture();
    let names = Seat::BOTH.map(|seat| replay.player(seat));
    let drawing = BoardDrawing::new(&names, std::slice::from_ref(&picture));
    let (width, height) = (drawing.width, drawing.height);
    let title = escaped(&replay.describe(frame));
    let symbols = drawing.symbols();
    let drawn = drawing.draw(&drawing.items_of(&picture), &TurnMarks::of(replay, turn));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" aria-labelledby=\"title\">\n<title id=\"title\">{title}</title>\n<style>{STYLE}</style>\n\
         <defs>{symbols}</defs>\n<rect class=\"page\" width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n{drawn}</svg>\n"
    )
}
