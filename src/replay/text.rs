//! A replay as lines of text.

use super::{Frame, FrameAction, Replay};
use crate::archive::NoSuchTurn;
use crate::diagnostic::visible;
use crate::transcript::{Direction, LoggedLine};
use crate::verify::because;

impl Replay {
    /// Describes a turn in one line: `3. Alice (first) rolled 0 1 1 0, moved 3: token 3 from cell 2 to cell
    /// 4`.
    #[must_use]
    pub fn describe(&self, frame: &Frame) -> String {
        let Some(by) = frame.by else {
            return "before the first turn".to_owned();
        };
        let mut text = format!("{}. {}", frame.number, self.player(by));
        if let Some(roll) = frame.roll {
            text.push_str(&format!(" rolled {},", self.game().format_roll(roll)));
        }
        text.push_str(&match &frame.deed {
            FrameAction::Start => String::new(),
            FrameAction::Moved { mv, what } => {
                format!(" moved {}: {what}", self.game().format_move(*mv))
            }
            FrameAction::Skipped { why } => format!(" turn skipped: {why}"),
            FrameAction::Lost { cause } => format!(" lost: {}", because(*cause)),
            FrameAction::Awaited if self.has_finding_at(frame.number) => {
                " and then comes the finding".to_owned()
            }
            FrameAction::Awaited if self.is_wrong() => {
                " and the line that follows is wrong".to_owned()
            }
            FrameAction::Awaited if self.goes_on => " and has not moved yet".to_owned(),
            FrameAction::Awaited => " and the lanes stop there".to_owned(),
        });
        text
    }

    /// Returns the heading: `Royal Game of Ur: Alice (first) against Bob (second)`, with the game's number if
    /// the file holds several.
    #[must_use]
    pub fn heading(&self) -> String {
        let [first, second] = crate::rules::Seat::BOTH.map(|seat| self.player(seat));
        let of_several = match self.number_of_several {
            Some(number) => {
                format!(" (game {number} of several; --game-number NUMBER shows another)")
            }
            None => String::new(),
        };
        format!(
            "{}: {first} against {second}{of_several}",
            self.game().title()
        )
    }

    /// Returns one line about the end of the game.
    #[must_use]
    pub fn ending(&self) -> String {
        let Some(told) = &self.told else {
            return self.legality();
        };
        let word = told.verdict.word();
        match (&told.finding, self.last()) {
            (None, _) => format!("{word}: {}", self.legality()),
            (Some(finding), 0) => format!("{word} before the first turn: {finding}"),
            (Some(finding), last) => format!("{word} at turn {last}: {finding}"),
        }
    }

    fn legality(&self) -> String {
        match (&self.wrong, self.ending) {
            _ if self.goes_on => "the game goes on".to_owned(),
            (None, Some(ending)) => ending.describe(self.game(), &self.names),
            (wrong, _) => wrong.clone().unwrap_or_default(),
        }
    }

    /// The whole game turn by turn, with the parts that are asked for; lines with a newline each.
    #[must_use]
    pub fn print(&self, parts: PrintedParts) -> String {
        self.print_from(&mut 0, parts, true)
    }

    /// The part of [`Replay::print`] from the frame `next` on, as far as its turns are over; counts `next` up.
    #[must_use]
    pub fn print_from(&self, next: &mut usize, parts: PrintedParts, is_over: bool) -> String {
        let mut text = match (*next, parts.boards) {
            (0, true) => format!("{}\n", self.heading()),
            (0, false) => format!("{}\n\n", self.heading()),
            _ => String::new(),
        };
        for frame in self.frames.iter().skip(*next) {
            // A turn that is not over may still become another.
            if is_over || !matches!(frame.deed, FrameAction::Awaited) {
                text.push_str(&self.print_parts(frame, parts));
                *next = frame.number + 1;
            }
        }
        if is_over {
            text.push_str(&format!("\n{}\n", self.ending()));
        }
        text
    }

    /// The position after a turn, with what happened in it; lines with a newline each.
    ///
    /// # Errors
    /// Fails if the game has no such turn.
    pub fn print_at(&self, turn: usize, parts: PrintedParts) -> Result<String, NoSuchTurn> {
        match self.frames.get(turn) {
            Some(frame) => {
                let mut text = format!("{}\n{}", self.heading(), self.print_parts(frame, parts));
                if self.has_finding_at(turn) {
                    text.push_str(&format!("\n{}\n", self.ending()));
                }
                Ok(text)
            }
            None => Err(NoSuchTurn {
                asked: turn,
                last: self.last(),
            }),
        }
    }

    /// A frame with the parts that are asked for; lines with a newline each.
    #[must_use]
    pub fn print_parts(&self, frame: &Frame, parts: PrintedParts) -> String {
        let mut text = match parts.boards {
            true => format!("\n{}", self.describe(frame)),
            false => {
                let digits = self.last().to_string().len();
                let short = self.short(frame);
                let short = if parts.is_ascii {
                    short.replace('→', ">")
                } else {
                    short
                };
                format!("{:>digits$} {short}", frame.number)
            }
        };
        if let (Some((took, at)), true) = (self.times(frame.number), parts.times) {
            let (took, at) = (took.as_secs_f64(), at.as_secs_f64());
            text.push_str(&format!("  ({took:.3} s, at {at:.3} s)"));
        }
        text.push('\n');
        if parts.boards {
            text.push_str(&format!("{}\n", frame.board().trim_end()));
        }
        for lane in self.lanes.iter().filter(|_| parts.lanes) {
            let line = |line: &LoggedLine| {
                let mark = if line.direction == Direction::Sent {
                    '>'
                } else {
                    '<'
                };
                format!("{mark} {}", visible::plain(&line.line.text).at_most(MOST))
            };
            let lines: Vec<_> = lane.lines_of(frame.number).map(line).collect();
            if !lines.is_empty() {
                text.push_str(&format!("    {}: {}\n", lane.owner, lines.join(" | ")));
            }
        }
        text
    }
}

/// The most bytes of a line that are printed.
const MOST: usize = 240;

/// The parts of a printed game.
#[derive(Debug, Clone, Copy)]
pub struct PrintedParts {
    /// The board after each turn, below a sentence; else a line per turn in short notation.
    pub boards: bool,
    /// The lines of every lane.
    pub lanes: bool,
    /// The time of each turn.
    pub times: bool,
    /// Only ASCII characters.
    pub is_ascii: bool,
}

impl Default for PrintedParts {
    fn default() -> PrintedParts {
        PrintedParts {
            boards: true,
            lanes: false,
            times: false,
            is_ascii: false,
        }
    }
}
