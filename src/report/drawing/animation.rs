//! A board that plays a game by itself, without a script.

use std::fmt::Write;
use std::time::Duration;

use super::layout::{BoardDrawing, MARGIN};
use super::position::TurnMarks;
use super::text::escaped;
use crate::rules::Seat;

/// The time for which the last position stays.
const LAST: Duration = Duration::from_secs(3);

/// Width of a letter of a sentence.
const LETTER: u32 = 6;

/// The times at which the positions of a game begin, and the length of a round.
#[derive(Debug)]
pub(in crate::report) struct Timeline {
    starts: Vec<Duration>,
    length: Duration,
}

impl Timeline {
    /// The times of a game with these pauses before its turns.
    pub(in crate::report) fn new(pauses: impl Iterator<Item = Duration>) -> Timeline {
        let mut starts = vec![Duration::ZERO];
        let mut at = Duration::ZERO;
        for pause in pauses {
            at += pause;
            starts.push(at);
        }
        let length = at + LAST;
        Timeline { starts, length }
    }

    /// The animation of an attribute that has these values, one for each position; nothing where it never changes.
    fn animate<S: PartialEq + AsRef<str>>(&self, attribute: &str, values: &[S]) -> String {
        let (mut times, mut changes) = (Vec::new(), Vec::new());
        for (value, start) in values.iter().zip(&self.starts) {
            if changes.last() != Some(&value.as_ref()) {
                // Of positions at the same time, the last is seen.
                let time = format!("{:.5}", start.as_secs_f64() / self.length.as_secs_f64());
                if times.last() == Some(&time) {
                    changes.pop();
                } else {
                    times.push(time);
                }
                changes.push(value.as_ref());
            }
        }
        if changes.len() < 2 {
            return String::new();
        }
        format!(
            "<animate attributeName=\"{attribute}\" dur=\"{:.2}s\" repeatCount=\"indefinite\" calcMode=\"discrete\" keyTimes=\"{}\" values=\"{}\"/>",
            self.length.as_secs_f64(),
            times.join(";"),
            changes.join(";")
        )
    }
}

impl BoardDrawing {
    /// Draws a game: the items and marks of each position, and the sentence of its turn below the board.
    pub(in crate::report) fn draw_animated(
        &self,
        items: &[Vec<usize>],
        marks: &[TurnMarks],
        sentences: &[String],
        times: &Timeline,
    ) -> String {
        let mut drawn = self.fixed.clone();
        for (seat, y) in Seat::BOTH.into_iter().zip(self.names_at) {
            let is_on_turn = marks.iter().map(|marks| marks.to_move == Some(seat));
            let (first, shown) = visibility(is_on_turn, times);
            let x = self.width - MARGIN;
            writeln!(drawn, "<text class=\"n\" fill=\"#222\" text-anchor=\"end\" x=\"{x}\" y=\"{y}\" visibility=\"{first}\">◀ on turn{shown}</text>")
                .expect("a string takes all");
        }
        drawn.push_str(&self.moving(
            "rect class=\"from\" fill=\"none\" stroke=\"#cc0066\" stroke-width=\"3\" rx=\"7\"",
            "rect",
            marks,
            times,
            |marks| marks.from,
        ));
        drawn.push_str(&self.moving(
            "rect class=\"to\" fill=\"none\" stroke=\"#cc0066\" stroke-width=\"4\" rx=\"7\"",
            "rect",
            marks,
            times,
            |marks| marks.to,
        ));
        drawn.push_str("<g text-anchor=\"middle\" font-weight=\"600\">\n");
        for (number, slot) in self.slots.iter().enumerate() {
            let shown: Vec<_> = items
                .iter()
                .map(|items| format!("#i{}", items[number]))
                .collect();
            let ((x, y), side) = (slot.corner(), slot.side);
            let (first, animation) = (&shown[0], times.animate("href", &shown));
            writeln!(drawn, "<use x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" href=\"{first}\">{animation}</use>")
                .expect("a string takes all");
        }
        drawn.push_str("</g>\n");
        drawn.push_str(
            &self.moving("use href=\"#captured\"", "use", marks, times, |marks| {
                marks.to.filter(|_| marks.is_capture)
            }),
        );
        for (turn, sentence) in sentences.iter().enumerate() {
            let (first, shown) = visibility((0..sentences.len()).map(|other| other == turn), times);
            let (y, sentence) = (self.height + 6, escaped(&self.fitting(sentence)));
            writeln!(drawn, "<text class=\"ink\" fill=\"#222\" font-size=\"11\" x=\"{MARGIN}\" y=\"{y}\" visibility=\"{first}\">{sentence}{shown}</text>")
                .expect("a string takes all");
        }
        drawn
    }

    /// The sentence, cut to the width of the drawing.
    fn fitting(&self, sentence: &str) -> String {
        let most = usize::try_from(self.width / LETTER).unwrap_or(0);
        match sentence.char_indices().nth(most) {
            Some((end, _)) => format!("{}…", &sentence[..end]),
            None => sentence.to_owned(),
        }
    }

    /// A mark that goes from cell to cell.
    fn moving(
        &self,
        element: &str,
        name: &str,
        marks: &[TurnMarks],
        times: &Timeline,
        cell: impl Fn(&TurnMarks) -> Option<usize>,
    ) -> String {
        let cells: Vec<_> = marks.iter().map(cell).collect();
        let corner = |cell: &Option<usize>| cell.map_or((0, 0), |cell| self.slots[cell].corner());
        let xs: Vec<_> = cells
            .iter()
            .map(|cell| corner(cell).0.to_string())
            .collect();
        let ys: Vec<_> = cells
            .iter()
            .map(|cell| corner(cell).1.to_string())
            .collect();
        let (first, shown) = visibility(cells.iter().map(Option::is_some), times);
        format!(
            "<{element} width=\"50\" height=\"50\" visibility=\"{first}\">{shown}{}{}</{name}>\n",
            times.animate("x", &xs),
            times.animate("y", &ys)
        )
    }
}

/// The first visibility of an element that is seen in these positions, and its animation.
fn visibility(is_shown: impl Iterator<Item = bool>, times: &Timeline) -> (&'static str, String) {
    let values: Vec<_> = is_shown
        .map(|is_shown| if is_shown { "visible" } else { "hidden" })
        .collect();
    (values[0], times.animate("visibility", &values))
}
