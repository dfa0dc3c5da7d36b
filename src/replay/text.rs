//! A replay as lines of text.

use super::{Frame, FrameAction, Replay, ReplayLine};
use crate::diagnostic::visible;
use crate::rules::Seat;
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
        text.push_str(&match &frame.action {
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
            FrameAction::Awaited if self.finished.goes_on => " and has not moved yet".to_owned(),
            FrameAction::Awaited => " and the lanes stop there".to_owned(),
        });
        text
    }

    /// Returns the heading: `Royal Game of Ur: Alice (first) against Bob (second)`, with the game's number if
    /// the file holds several.
    #[must_use]
    pub fn heading(&self) -> String {
        let [first, second] = Seat::BOTH.map(|seat| self.player(seat));
        let of_several = match self.number_of_several() {
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
        let finished = &self.finished;
        let legality = match finished.stopped_by() {
            _ if finished.goes_on => "the game goes on".to_owned(),
            Some(wrong) => wrong.in_one_line(),
            None => finished.end(),
        };
        let Some(recorded) = &finished.recorded else {
            return legality;
        };
        let word = recorded.outcome.verdict.word();
        match (recorded.outcome.findings.first(), self.last()) {
            (None, _) => format!("{word}: {legality}"),
            (Some(finding), 0) => format!("{word} before the first turn: {}", finding.title),
            (Some(finding), last) => format!("{word} at turn {last}: {}", finding.title),
        }
    }

    /// The turns from `next` on that are over, below the heading of the game, and above its end; lines with a newline each. Counts `next` up.
    #[must_use]
    pub fn print(&self, next: &mut usize, parts: PrintedParts) -> String {
        let mut text = match (*next, parts.boards) {
            (0, true) => format!("{}\n", self.heading()),
            (0, false) => format!("{}\n\n", self.heading()),
            _ => String::new(),
        };
        let is_over = !self.finished.goes_on;
        for frame in self.frames.iter().skip(*next) {
            // A turn that is not over may still become another.
            if is_over || !matches!(frame.action, FrameAction::Awaited) {
                text.push_str(&self.print_parts(frame, parts));
                *next = frame.number + 1;
            }
        }
        if is_over {
            text.push_str(&format!("\n{}\n", self.ending()));
        }
        text
    }

    /// The position at which the replay stands, with what happened in the turn; lines with a newline each.
    #[must_use]
    pub fn print_here(&self, parts: PrintedParts) -> String {
        let frame = self.frame();
        let mut text = format!("{}\n{}", self.heading(), self.print_parts(frame, parts));
        if self.has_finding_at(frame.number) {
            text.push_str(&format!("\n{}\n", self.ending()));
        }
        text
    }

    /// A frame with the parts that are asked for; lines with a newline each.
    fn print_parts(&self, frame: &Frame, parts: PrintedParts) -> String {
        let mut text = match parts.boards {
            true => format!("\n{}", self.describe(frame)),
            false => {
                let digits = self.last().to_string().len();
                let mut short = self.short(frame);
                if parts.is_ascii {
                    short = short.replace('→', ">");
                }
                format!("{:>digits$} {short}", frame.number)
            }
        };
        if let Some((took, at)) = frame.times.filter(|_| parts.times) {
            let (took, at) = (took.as_secs_f64(), at.as_secs_f64());
            text.push_str(&format!("  ({took:.3} s, at {at:.3} s)"));
        }
        text.push('\n');
        if parts.boards {
            text.push_str(&format!("{}\n", frame.picture().text().trim_end()));
        }
        for lane in self.lanes.iter().filter(|_| parts.lanes) {
            let line = |ReplayLine { line, .. }: &ReplayLine| {
                let text = visible::plain(&line.line.text).at_most(MOST);
                format!("{} {text}", line.direction.mark())
            };
            let lines: Vec<_> = lane.lines_of(frame.number).iter().map(line).collect();
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
#[derive(Debug, Clone, Copy, Default)]
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
