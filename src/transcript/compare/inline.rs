//! Differences inside a line.

use std::fmt::{self, Display, Formatter};
use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use crate::diagnostic::{Emphasis, Text, visible};
use crate::protocol::{Line, LineEnding};

/// The most of a line that is shown, in characters; of a longer one the part around the first difference.
const SHOWN: usize = 160;

/// Longest time for the exact differences inside a line; later they become coarse.
const PATIENCE: Duration = Duration::from_millis(50);

/// Two lines, cut into what they have in common and what not. Everything hostile in them is escaped already.
///
/// As a string it is both lines in one, for where there is no colour: `0 {-1-}{+0+} 1 0`, where `-` is what
/// was expected and `+` what came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inline {
    /// The pieces in order; of neighbours that differ, what was expected stands before what came.
    pub pieces: Vec<Piece>,
}

/// A piece of a line that differs from another in places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// In which of the two lines it stands.
    pub change: Change,
    /// The piece, fit to show.
    pub text: String,
}

/// In which of two lines a piece stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// In both.
    Same,
    /// In the expected one only.
    Expected,
    /// In the received one only.
    Received,
}

/// Marks the differences between an expected line and the received line.
///
/// Words are compared place by place where both lines have as many, and otherwise characters are aligned;
/// where that leaves hardly anything in common, the lines differ as wholes. An unusual line ending is shown
/// as `(no newline)` or `(cut off)`.
#[must_use]
pub fn inline(expected: &Line, received: &Line) -> Inline {
    let [mut old, mut new] = [units(&expected.text), units(&received.text)];
    let common = old
        .iter()
        .zip(&new)
        .take_while(|(old, new)| old == new)
        .count();
    if old.len().max(new.len()) > SHOWN {
        // Some of what is before the first difference, for orientation.
        let start = common.saturating_sub(SHOWN / 4);
        window(&mut old, start);
        window(&mut new, start);
    }
    let mut pieces = Pieces::default();
    let [old_words, new_words] = [words(&old), words(&new)];
    if old_words.len() == new_words.len() && old_words.len() > 1 {
        for (old, new) in old_words.into_iter().zip(new_words) {
            align(old, new, &mut pieces);
        }
    } else {
        align(&old, &new, &mut pieces);
    }
    if expected.ending != received.ending {
        pieces.push(Change::Expected, ending(expected.ending));
        pieces.push(Change::Received, ending(received.ending));
    }
    pieces.flush();
    Inline {
        pieces: pieces.done,
    }
}

impl Inline {
    /// The expected line, with what the other lacks emphasised.
    #[must_use]
    pub fn expected(&self) -> Text {
        self.side(Change::Expected, Emphasis::Expected)
    }

    /// The line that came, with what the other lacks emphasised.
    #[must_use]
    pub fn received(&self) -> Text {
        self.side(Change::Received, Emphasis::Received)
    }

    fn side(&self, side: Change, emphasis: Emphasis) -> Text {
        let pieces = self
            .pieces
            .iter()
            .filter(|piece| piece.change == Change::Same || piece.change == side);
        pieces.fold(Text::new(), |text, piece| {
            let emphasis = if piece.change == side {
                emphasis
            } else {
                Emphasis::Plain
            };
            text.then(emphasis, piece.text.as_str())
        })
    }
}

impl Display for Inline {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for Piece { change, text } in &self.pieces {
            match change {
                Change::Same => f.write_str(text)?,
                Change::Expected => write!(f, "{{-{text}-}}")?,
                Change::Received => write!(f, "{{+{text}+}}")?,
            }
        }
        Ok(())
    }
}

fn ending(ending: LineEnding) -> &'static str {
    match ending {
        LineEnding::Newline => "",
        LineEnding::Missing => " (no newline)",
        LineEnding::TooLong => " (cut off)",
    }
}

/// The line as it is shown, character by character of the line, so that no escape is cut.
fn units(text: &[u8]) -> Vec<String> {
    let mut units = Vec::new();
    for chunk in text.utf8_chunks() {
        let characters = chunk.valid().chars();
        units.extend(
            characters
                .map(|character| visible::plain(character.encode_utf8(&mut [0; 4])).to_string()),
        );
        units.extend(
            chunk
                .invalid()
                .iter()
                .map(|byte| visible::plain(&[*byte]).to_string()),
        );
    }
    units
}

fn window(units: &mut Vec<String>, start: usize) {
    if units.len() > start + SHOWN {
        units.truncate(start + SHOWN);
        units.push("…".to_owned());
    }
    if start > 0 {
        let start = start.min(units.len());
        units.splice(..start, ["…".to_owned()]);
    }
}

/// Words, each with the spaces after it.
fn words(units: &[String]) -> Vec<&[String]> {
    units.split_inclusive(|unit| unit == " ").collect()
}

fn align(old: &[String], new: &[String], pieces: &mut Pieces) {
    let ops =
        capture_diff_slices_deadline(Algorithm::Myers, old, new, Some(Instant::now() + PATIENCE));
    let same: usize = ops
        .iter()
        .filter(|op| matches!(op, DiffOp::Equal { .. }))
        .map(|op| op.old_range().len())
        .sum();
    if same * 2 < old.len().min(new.len()) {
        let trailing =
            usize::from(old.last() == new.last() && old.last().is_some_and(|unit| unit == " "));
        pieces.push(Change::Expected, &old[..old.len() - trailing].concat());
        pieces.push(Change::Received, &new[..new.len() - trailing].concat());
        return pieces.push(Change::Same, &old[old.len() - trailing..].concat());
    }
    for op in ops {
        let (old, new) = (old[op.old_range()].concat(), new[op.new_range()].concat());
        if matches!(op, DiffOp::Equal { .. }) {
            pieces.push(Change::Same, &old);
        } else {
            pieces.push(Change::Expected, &old);
            pieces.push(Change::Received, &new);
        }
    }
}

/// Pieces in the making: neighbours of a kind grow together.
#[derive(Default)]
struct Pieces {
    done: Vec<Piece>,
    expected: String,
    received: String,
}

impl Pieces {
    fn push(&mut self, change: Change, text: &str) {
        match change {
            _ if text.is_empty() => {}
            Change::Expected => self.expected.push_str(text),
            Change::Received => self.received.push_str(text),
            Change::Same => {
                self.flush();
                match self.done.last_mut() {
                    Some(piece) if piece.change == Change::Same => piece.text.push_str(text),
                    _ => self.done.push(Piece {
                        change,
                        text: text.to_owned(),
                    }),
                }
            }
        }
    }

    fn flush(&mut self) {
        for (change, text) in [
            (Change::Expected, &mut self.expected),
            (Change::Received, &mut self.received),
        ] {
            if !text.is_empty() {
                self.done.push(Piece {
                    change,
                    text: std::mem::take(text),
                });
            }
        }
    }
}
