//! Finished games in other formats.

use super::{FinishedGame, NoSuchTurn};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::finding::Verdict;
use crate::pack::{
    FileFormat, GamePart, GameToWrite, NotatedTurn, Notation, NotationWriter, file_format,
};
use crate::protocol::{Dialect, Duty, Facts, GameEvent, Line, Party, Slot};
use crate::rules::Seat;
use crate::transcript::{Direction, Entry, LaneLabel, LaneTranscript, Transcript, golden};

/// A game in a format, and remarks on the conversion.
#[derive(Debug)]
pub struct WrittenGame {
    /// The file.
    pub text: Vec<u8>,
    /// Parts that are dropped or made up.
    pub remarks: Diagnostics,
}

impl FinishedGame {
    /// The wire protocol.
    ///
    /// # Errors
    /// Fails for lines without rules.
    pub fn rules(&self) -> Result<&'static dyn Dialect, Diagnostic> {
        self.dialect().ok_or_else(|| {
            let title = "these are lines without rules, so that there is no game to convert";
            Diagnostic::error("convert/no-rules", title)
        })
    }

    /// Writes the game in a notation.
    ///
    /// # Errors
    /// Fails if the notation is one of another game, or cannot express the game.
    pub fn notated(
        &self,
        notation: &dyn NotationWriter,
        with_rolls: bool,
    ) -> Result<WrittenGame, Diagnostic> {
        let (game, other) = (self.rules()?.game(), notation.game());
        if game.name() != other.name() {
            let title = format!("{} is a notation of the {}", notation.name(), other.title());
            let note = format!("this is a game of {}", game.title());
            return Err(Diagnostic::error("convert/other-game", title).note(note));
        }
        let text = notation.write(GameToWrite {
            turns: &self.turns,
            names: &self.names,
            lost: self.lost(),
            with_rolls,
        })?;
        if self.turns.is_empty() {
            let fault =
                Diagnostic::error("convert/no-turn", "the game stops before its first move");
            return Err(fault.note("a list of move records tells nothing but moves"));
        }
        let format = FileFormat::of_notation(notation);
        let mut remarks = self.remarks(format);
        if let (Some(by), false) = (self.lost(), notation.keeps().contains(&GamePart::Loss)) {
            let title = format!("that the {} player lost is not written", game.seat_name(by));
            let note = format!("{} has no record of a loss before the end", notation.name());
            remarks.push(Diagnostic::remark("convert/loss", title).note(note));
        }
        let text = text.into_bytes();
        Ok(WrittenGame { text, remarks })
    }

    /// Returns remarks on parts that the format drops, and on parts that are made up for it.
    fn remarks(&self, format: FileFormat) -> Diagnostics {
        let mut remarks = Diagnostics::new();
        let list = |parts: Vec<GamePart>| {
            let names: Vec<_> = parts.into_iter().map(GamePart::name).collect();
            names.join(", ")
        };
        let has = |part: &GamePart| *part != GamePart::Loss;
        let dropped: Vec<_> = self.format.lost_in(format).filter(has).collect();
        if !dropped.is_empty() {
            let title = format!("not written: {}", list(dropped));
            let note = format!("read as {}, written as {}", self.format.name, format.name);
            remarks.push(Diagnostic::remark("convert/dropped", title).note(note));
        }
        let mut made_up = format.lost_in(self.format);
        if made_up.any(|part| part == GamePart::TokenNumbers) {
            let title = format!("made up: {}", GamePart::TokenNumbers.name());
            let note = "a new token gets the lowest free number";
            remarks.push(Diagnostic::remark("convert/made-up", title).note(note));
        }
        remarks
    }

    /// Writes the state after a turn, as the states of the game are written. `at`: the turn, 0 is before the first [default: the last].
    ///
    /// # Errors
    /// Fails if there is no such turn, or if the states of the game are not written.
    pub fn state(&self, at: Option<usize>) -> Result<Vec<u8>, Diagnostic> {
        let (rules, lost) = (self.rules()?, self.lost());
        let last = self.turns.len() + usize::from(lost.is_some());
        let at = match (at, self.wrong()) {
            (Some(at), _) => at,
            (None, None) => last,
            (None, Some(_)) => return Ok(Vec::new()),
        };
        if at > last {
            let error = NoSuchTurn { asked: at, last };
            return Err(Diagnostic::error("replay/no-such-turn", error.to_string()));
        }
        let turns = &self.turns[..at.min(self.turns.len())];
        let lost = lost.filter(|_| at == last);
        match self.notation().and_then(Notation::states) {
            Some(states) => Ok(states.write(turns, lost).into_bytes()),
            None => {
                let title = format!("{} has no notation of states", rules.game().title());
                Err(Diagnostic::error("convert/no-states", title))
            }
        }
    }

    /// Facts that streams need in addition to the moves.
    ///
    /// # Errors
    /// Names the missing facts.
    fn facts(&self) -> Result<Facts, Diagnostic> {
        let dialect = self.rules()?;
        let is_untold = |turn: &&NotatedTurn| turn.rolled.is_none();
        let has_rolls = !dialect.game().kinds_of_roll().is_empty();
        let untold = self.turns.iter().filter(is_untold).count();
        if untold > 0 && has_rolls {
            let first = self.turns.iter().position(|turn| turn.rolled.is_none());
            let title = match untold {
                1 => "streams show every roll, and 1 turn here has none".to_owned(),
                count => format!("streams show every roll, and {count} turns here have none"),
            };
            let fault = Diagnostic::error("convert/no-rolls", title)
                .note(format!("the first is turn {}", first.unwrap_or(0) + 1));
            let help = self.notation().and_then(Notation::roll_help);
            let fault = help.into_iter().fold(fault, Diagnostic::help);
            let note = "which turns were skipped is not told either";
            let is_open = self.verdict() == Verdict::Inconclusive;
            let notes = is_open.then_some(note);
            return Err(notes.into_iter().fold(fault, Diagnostic::note));
        }
        self.assert_names(dialect)?;
        Ok(Facts {
            names: self.names.clone(),
            setup: self.setup,
            ..Facts::default()
        })
    }

    /// Checks that streams can begin with the players' names.
    fn assert_names(&self, dialect: &dyn Dialect) -> Result<(), Diagnostic> {
        for greeting in dialect.greeting(false) {
            let Slot::Name(seat) = greeting.slot else {
                continue;
            };
            let seat_name = dialect.game().seat_name(seat);
            let Some(name) = &self.names[seat] else {
                let title = format!(
                    "streams begin with both names, and the {seat_name} player's is not known"
                );
                return Err(Diagnostic::error("convert/no-name", title));
            };
            if name.contains(&b'\n') {
                let title = format!(
                    "the {seat_name} player's name holds a line break, and a stream has it on one line"
                );
                return Err(Diagnostic::error("convert/name", title));
            }
        }
        Ok(())
    }

    /// Returns the lines that a party received, and those that a player sent.
    fn lane(&self, dialect: &dyn Dialect, party: Party, facts: &Facts) -> Vec<Entry> {
        let entry = |direction, text| Entry {
            direction,
            line: Line::new(text),
        };
        let greeting = dialect.greeting(party == Party::Spectator).iter();
        let lines =
            greeting.filter_map(|greeting| dialect.write_greeting(greeting.slot, party, facts));
        let mut entries: Vec<_> = lines.map(|line| entry(Direction::Received, line)).collect();
        let mut told = Vec::new();
        for happening in &self.history {
            if let GameEvent::Moved { by, mv, .. } = *happening
                && party == Party::Player(by)
            {
                entries.push(entry(Direction::Sent, dialect.write_move(mv)));
            }
            dialect.tell(happening, party, &mut told);
            let due = told.drain(..).filter(|told| told.duty == Duty::Must);
            entries.extend(due.map(|told| entry(Direction::Received, told.line)));
        }
        entries
    }

    /// Remarks on a stream, or on several.
    fn stream_remarks(&self, format: FileFormat) -> Diagnostics {
        let mut remarks = self.remarks(format);
        let made_up = self
            .notation()
            .and_then(|notation| notation.made_up_rolls(&self.turns));
        if let Some(title) = made_up {
            remarks.push(Diagnostic::remark("convert/made-up-rolls", title));
        }
        remarks
    }

    /// Writes a golden transcript with the lanes of both players and a spectator.
    ///
    /// # Errors
    /// Names the facts that streams need and the game lacks.
    pub fn golden(&self) -> Result<WrittenGame, Diagnostic> {
        let (dialect, facts) = (self.rules()?, self.facts()?);
        let mut remarks = self.stream_remarks(file_format::GOLDEN);
        if let Some(by) = self.lost() {
            let title = format!(
                "what the {} player sent last is not written, only that it lost",
                dialect.game().seat_name(by)
            );
            remarks.push(Diagnostic::remark("convert/last-line", title));
        }
        let lane = |label, party| LaneTranscript {
            label,
            entries: self.lane(dialect, party, &facts),
        };
        let mut lanes: Vec<_> = Seat::BOTH
            .map(|seat| lane(LaneLabel::Player(seat), Party::Player(seat)))
            .into_iter()
            .collect();
        if !dialect.greeting(true).is_empty() {
            lanes.push(lane(LaneLabel::Spectator(1), Party::Spectator));
        }
        let transcript = Transcript {
            dialect: dialect.name().to_owned(),
            lanes,
        };
        let text = golden::write(&transcript).into_bytes();
        Ok(WrittenGame { text, remarks })
    }

    /// Writes the stream of a spectator.
    ///
    /// # Errors
    /// Names the facts that streams need and the game lacks.
    pub fn spectator(&self) -> Result<WrittenGame, Diagnostic> {
        let dialect = self.rules()?;
        if dialect.greeting(true).is_empty() {
            let title = format!("the dialect {} has no spectators", dialect.name());
            return Err(Diagnostic::error("convert/no-spectators", title));
        }
        let facts = self.facts()?;
        let remarks = self.stream_remarks(file_format::STREAM);
        let lines = self.lane(dialect, Party::Spectator, &facts);
        let lines = lines
            .into_iter()
            .flat_map(|entry| entry.line.text.into_iter().chain([b'\n']));
        let text = lines.collect();
        Ok(WrittenGame { text, remarks })
    }
}

#[cfg(test)]
#[path = "written_tests.rs"]
mod tests;
