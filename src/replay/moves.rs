//! Legal moves of a turn, and turns in short notation.

use super::{Frame, FrameAction, Replay};
use crate::rules::{Move, Phase, PictureChange, Seat};

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
            let name = self.finished.judged.names[seat].as_ref()?;
            letter(std::str::from_utf8(name).ok()?)
        };
        match (of_name(seat), of_name(seat.other())) {
            (Some(own), Some(other)) if own != other => own,
            _ => letter(self.game().seat_name(seat)).unwrap_or('?'),
        }
    }
}
