//! A game as an asciicast, version 2: a header, then each frame at its time.

use std::time::Duration;

use serde_json::json;

use crate::replay::Replay;

/// The time for which the last frame stays.
const LAST: Duration = Duration::from_secs(3);

/// The columns of the terminal, if no board needs more; longer lines are wrapped.
const COLUMNS: usize = 80;

/// Returns the frames of a replay as they are printed, at recorded times; long pauses are cut.
#[must_use]
pub fn draw(replay: &Replay) -> String {
    let frames = replay.frames();
    let texts: Vec<_> = frames
        .iter()
        .map(|frame| {
            let printed = replay.print_frame(frame);
            let end = match frame.number == replay.last() {
                true => format!("\n{}\n", replay.ending()),
                false => String::new(),
            };
            format!("{}\n{printed}{end}", replay.heading())
        })
        .collect();
    let boards = frames.iter().map(|frame| widest(&frame.board()));
    let width = boards.max().unwrap_or(0).max(COLUMNS);
    let rows = |text: &String| {
        let rows = text
            .lines()
            .map(|line| line.chars().count().div_ceil(width).max(1));
        rows.sum::<usize>() + 1
    };
    let header = json!({
        "version": 2,
        "width": width,
        "height": texts.iter().map(rows).max(),
        "title": replay.heading(),
    });
    let mut lines = vec![header.to_string()];
    let mut at = Duration::ZERO;
    for (frame, text) in frames.iter().zip(texts) {
        if frame.number > 0 {
            at += replay.pause_before(frame.number);
        }
        // Clears the screen first.
        let drawn = format!("\x1b[H\x1b[2J{}", text.replace('\n', "\r\n"));
        lines.push(json!([at.as_secs_f64(), "o", drawn]).to_string());
    }
    lines.push(json!([(at + LAST).as_secs_f64(), "o", ""]).to_string());
    lines.join("\n") + "\n"
}

fn widest(text: &str) -> usize {
    let widths = text.lines().map(|line| line.chars().count());
    widths.max().unwrap_or(0)
}
