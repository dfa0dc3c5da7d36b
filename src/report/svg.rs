//! A position, or a game, as an SVG picture from the pack's own data. It needs no script and no file beside it.

use super::drawing::{BoardDrawing, STYLE, Timeline, TurnMarks, escaped};
use crate::replay::{Frame, Replay};
use crate::rules::Seat;

/// Space for the sentence below a board.
const SENTENCE: u32 = 20;

/// Returns the position after a turn of a replay as a file of its own. Its title tells the turn.
///
/// # Panics
/// If the replay has no such turn.
#[must_use]
pub fn draw(replay: &Replay, turn: usize) -> String {
    let frame = &replay.frames()[turn];
    let picture = frame.picture();
    let board = BoardDrawing::new(&names(replay), std::slice::from_ref(&picture));
    let drawn = board.draw(&board.items_of(&picture), &TurnMarks::of(replay, turn));
    file(&board, &replay.describe(frame), board.height, &drawn)
}

/// Returns a game as a picture that plays by itself, at recorded times; long pauses are cut.
#[must_use]
pub fn draw_animated(replay: &Replay) -> String {
    let frames = replay.frames();
    let positions: Vec<_> = frames.iter().map(Frame::picture).collect();
    let board = BoardDrawing::new(&names(replay), &positions);
    let items: Vec<_> = positions
        .iter()
        .map(|picture| board.items_of(picture))
        .collect();
    let turns = 0..frames.len();
    let marks: Vec<_> = turns.map(|turn| TurnMarks::of(replay, turn)).collect();
    let sentences: Vec<_> = frames.iter().map(|frame| replay.describe(frame)).collect();
    let times = Timeline::new((1..frames.len()).map(|turn| replay.pause_before(turn)));
    let drawn = board.draw_animated(&items, &marks, &sentences, &times);
    file(&board, &replay.heading(), board.height + SENTENCE, &drawn)
}

fn names(replay: &Replay) -> [String; 2] {
    Seat::BOTH.map(|seat| replay.player(seat))
}

/// The file around a drawing.
fn file(board: &BoardDrawing, title: &str, height: u32, drawn: &str) -> String {
    let (width, title, symbols) = (board.width, escaped(title), board.symbols());
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" aria-labelledby=\"title\">\n<title id=\"title\">{title}</title>\n<style>{STYLE}</style>\n\
         <defs>{symbols}</defs>\n<rect class=\"page\" width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n{drawn}</svg>\n"
    )
}
