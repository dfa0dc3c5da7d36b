//! Turns that a key leads to: the next capture, rosette, skip, finding or match of a search.

use super::{Frame, FrameAction, Replay};
use crate::rules::{CellKind, PictureCell};

/// The turns that are looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A capture.
    Capture,
    /// A move onto a cell that gives another turn, or any other move after which the player plays again.
    Rosette,
    /// A skipped turn.
    Skip,
    /// An error, a finding, or a loss before the end.
    Trouble,
    /// A cell, a token, a player, or the text of a line.
    Text(String),
}

impl Target {
    /// Its name in messages.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Target::Capture => "capture".to_owned(),
            Target::Rosette => "rosette or extra turn".to_owned(),
            Target::Skip => "skipped turn".to_owned(),
            Target::Trouble => "error or finding".to_owned(),
            Target::Text(text) => format!("turn with `{text}`"),
        }
    }

    /// The next such turn after (or, backwards, before) this one; the search goes round at the end of the game.
    #[must_use]
    pub fn seek(&self, replay: &Replay, from: usize, is_backwards: bool) -> Option<usize> {
        let count = replay.last() + 1;
        let turn = |step: usize| match is_backwards {
            true => (from + count - step) % count,
            false => (from + step) % count,
        };
        (1..=count).map(turn).find(|&turn| self.is_at(replay, turn))
    }

    /// Returns true if a turn is one of those.
    ///
    /// # Panics
    /// If the replay has no such turn.
    #[must_use]
    pub fn is_at(&self, replay: &Replay, turn: usize) -> bool {
        let frame = &replay.frames()[turn];
        match self {
            Target::Capture => frame.change.captured.is_some(),
            Target::Rosette => {
                let to = destination(frame);
                frame.plays_again || to.is_some_and(|to| to.kind == CellKind::Rosette)
            }
            Target::Skip => matches!(frame.action, FrameAction::Skipped { .. }),
            Target::Trouble => {
                replay.has_finding_at(turn)
                    || frame.is_lost()
                    || turn == replay.last() && replay.is_wrong()
            }
            Target::Text(text) => holds(replay, turn, &text.to_lowercase()),
        }
    }
}

/// Shortest text that is also looked for inside of words.
const PART: usize = 3;

/// Returns true if a turn has this text, in small letters: as a word, or, if it is long enough, as a part of one.
fn holds(replay: &Replay, turn: usize, text: &str) -> bool {
    let is_in = |line: &str| {
        let line = line.to_lowercase();
        let mut words = line.split(|c: char| !c.is_alphanumeric());
        line == text || words.any(|word| word == text) || text.len() >= PART && line.contains(text)
    };
    let frame = &replay.frames()[turn];
    let sentence = replay.describe(frame);
    let number = format!("{turn}. ");
    let token = destination(frame).and_then(|cell| cell.token);
    let lanes = replay.lanes().iter();
    let mut lines = lanes.flat_map(|lane| lane.lines_of(turn));
    is_in(sentence.trim_start_matches(&number))
        || token.is_some_and(|token| is_in(&token.label))
        || lines.any(|line| is_in(&String::from_utf8_lossy(&line.line.line.text)))
}

/// The cell to which a token moved.
fn destination(frame: &Frame) -> Option<PictureCell> {
    let to = frame.change.to.as_ref()?.cell?;
    Some(frame.picture().cells.swap_remove(to))
}
