//! A replay as lines of text: its turns in sentences and in short notation, with their legal moves.

use super::{Frame, FrameAction, Replay, ReplayLine};
use crate::diagnostic::visible;
use crate::rules::{Move, Phase, PictureChange, Seat};
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
        if finished.recorded.is_none() {
            return legality;
        }
        let word = finished.outcome.verdict.word();
        match (finished.outcome.findings.first(), self.last()) {
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

/// A legal move of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegalMove {
    /// Short notation: `5 s→3`.
    pub text: String,
    /// True if it is the one that was played.
    pub is_played: bool,
    change: PictureChange,
}

impl Replay {
    /// The other cells that the token of a turn could reach with its roll or card, by their numbers in the picture.
    #[must_use]
    pub fn reach(&self, frame: &Frame) -> Vec<usize> {
        let FrameAction::Moved { .. } = frame.action else {
            return Vec::new();
        };
        let PictureChange { from, to, card, .. } = &frame.change;
        let legal = self.legal_moves(frame.number).into_iter();
        let others = legal
            .map(|other| other.change)
            .filter(|other| (&other.from, &other.card) == (from, card) && other.to != *to);
        others.filter_map(|other| other.to?.cell).collect()
    }

    /// The legal moves of a turn, in the game's own order; empty before its roll is known, and where nothing could be moved. The turn after
    /// the last is asked for as well.
    #[must_use]
    pub fn legal_moves(&self, turn: usize) -> Vec<LegalMove> {
        let frame = self.frames.get(turn);
        let last = self.frames.last().filter(|last| !last.is_lost());
        let next = || last.map(|last| &last.table);
        let Some(table) = frame.map(|frame| &frame.choice).or_else(next) else {
            return Vec::new();
        };
        if table.phase() != Phase::Move {
            return Vec::new();
        }
        let played = frame.and_then(|frame| match frame.action {
            FrameAction::Moved { mv, .. } => Some(mv),
            _ => None,
        });
        let (by, picture) = (table.to_move(), table.picture());
        let moves = table.legal_moves().into_iter();
        let legal = moves.filter_map(|mv| {
            let mut after = table.fork();
            after.play(mv).ok()?;
            let change = PictureChange::between(&picture, &after.picture(), by);
            Some(LegalMove {
                text: self.short_move(mv, &change),
                is_played: played == Some(mv),
                change,
            })
        });
        legal.collect()
    }

    /// A turn in short notation, without its number: `B 1101 5 s→3`, and `+` for another turn.
    #[must_use]
    pub fn short(&self, frame: &Frame) -> String {
        let Some(by) = frame.by else {
            return "start".to_owned();
        };
        let mut text = self.initial(by).to_string();
        if let Some(roll) = frame.roll {
            let roll = self.game().format_roll(roll);
            text += &format!(" {}", roll.replace(char::is_whitespace, ""));
        }
        match &frame.action {
            FrameAction::Start => {}
            FrameAction::Moved { mv, .. } => {
                let again = if frame.plays_again { " +" } else { "" };
                let mv = self.short_move(*mv, &frame.change);
                text += &format!(" {mv}{again}");
            }
            FrameAction::Skipped { .. } => text.push_str(" -"),
            FrameAction::Lost { .. } => text.push_str(" lost"),
            FrameAction::Awaited if self.has_finding_at(frame.number) => text.push_str(" !"),
            FrameAction::Awaited => text.push_str(" ?"),
        }
        text
    }

    /// A move in short notation: `5 s→3`, `Rabbit d5→e4`; `x` instead of the arrow for a capture.
    fn short_move(&self, mv: Move, change: &PictureChange) -> String {
        let text = self.game().format_move(mv);
        let [from, to] = [&change.from, &change.to]
            .map(|place| place.as_ref().map_or("", |place| place.name.as_str()));
        let arrow = match change.captured {
            Some(_) => 'x',
            None => '→',
        };
        match text.strip_suffix(&format!("{from} {to}")) {
            Some(card) if !from.is_empty() => format!("{card}{from}{arrow}{to}"),
            // A new token has no origin to show.
            _ if from.is_empty() || to.is_empty() => text,
            _ => format!("{text} {from}{arrow}{to}"),
        }
    }

    /// One letter for a player: the first of the name, or of the seat where the names do not differ by it.
    #[must_use]
    pub fn initial(&self, seat: Seat) -> char {
        let letter = |name: &str| {
            let first = name.chars().next().filter(char::is_ascii_alphabetic);
            first.map(|letter| letter.to_ascii_uppercase())
        };
        let of_name = |seat: Seat| {
            let name = self.finished.outcome.names[seat].as_ref()?;
            letter(std::str::from_utf8(name).ok()?)
        };
        match (of_name(seat), of_name(seat.other())) {
            (Some(own), Some(other)) if own != other => own,
            _ => letter(self.game().seat_name(seat)).unwrap_or('?'),
        }
    }
}
