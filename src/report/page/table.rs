//! The turns of a game as a table: the move, the time, and the lines of every lane.

use std::fmt::Write;

use crate::diagnostic::visible;
use crate::replay::Replay;
use crate::report::drawing::escaped;
use crate::transcript::{Direction, LoggedLine};

/// The most bytes of a line that are shown.
const MOST: usize = 240;

/// Draws the table; the row of the turn at which the page opens is marked.
pub(super) fn draw(replay: &Replay, opened: usize) -> String {
    let has_times = (0..=replay.last()).any(|turn| replay.times(turn).is_some());
    let mut table = String::from("<thead><tr><th scope=col>Turn<th scope=col>Move");
    if has_times {
        table.push_str("<th scope=col id=time>Time");
    }
    for lane in replay.lanes() {
        write!(table, "<th scope=col>{}", escaped(&lane.owner)).expect("a string takes all");
    }
    table.push_str("\n<tbody>");
    for frame in replay.frames() {
        let turn = frame.number;
        let mark = if turn == opened { " class=on" } else { "" };
        let short = escaped(&replay.short(frame));
        write!(table, "\n<tr id={turn}{mark}><td>{turn}<td>{short}").expect("a string takes all");
        if has_times {
            table.push_str("<td>");
            if let Some((took, _)) = replay.times(turn) {
                write!(table, "{:.2}", took.as_secs_f64()).expect("a string takes all");
            }
        }
        for lane in replay.lanes() {
            table.push_str("<td>");
            lane.lines_of(turn)
                .for_each(|shown| line(&mut table, shown));
        }
    }
    table
}

/// A line of a lane. The style marks received lines.
fn line(table: &mut String, line: &LoggedLine) {
    let start = match line.direction {
        Direction::Received => "<p>",
        Direction::Sent => "<p class=s>> ",
    };
    let text = visible::plain(&line.line.text).at_most(MOST).to_string();
    write!(table, "{start}{}", escaped(&text)).expect("a string takes all");
}
