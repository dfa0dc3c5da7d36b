//! Finished games in other formats.

use super::FinishedGame;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::finding::Verdict;
use crate::pack::{FileFormat, GamePart, NotatedTurn, Notation, NotationWriter, file_format};
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
            Diagnostic::error("replay/no-rules", title)
        })
    }

    /// Writes the game in a notation.
    ///
    /// # Errors
    /// Fails if the notation is one of another game, or cannot express the game.
    pub fn notated(&self, notation: &dyn NotationWriter) -> Result<WrittenGame, Diagnostic> {
        let (game, other) = (self.rules()?.game(), notation.game());
        if game.name() != other.name() {
            let title = format!("{} is a notation of the {}", notation.name(), other.title());
            let note = format!("this is a game of {}", game.title());
            return Err(Diagnostic::error("replay/other-game", title).note(note));
        }
        let text = notation.write(&self.turns, &self.judged.names)?;
        if self.turns.is_empty() {
            let fault = Diagnostic::error("replay/no-turn", "the game stops before its first move");
            return Err(fault.note("a list of move records tells nothing but moves"));
        }
        Ok(self.written(text.into_bytes(), FileFormat::of_notation(notation)))
    }

    /// The game in a format, with remarks on parts that the format drops, and on parts that are made up for it.
    fn written(&self, text: Vec<u8>, format: FileFormat) -> WrittenGame {
        let has = |part: &GamePart| *part != GamePart::Loss || self.lost().is_some();
        let dropped: Vec<_> = self.format.lost_in(format).filter(has).collect();
        let is_of_lines = [file_format::GOLDEN, file_format::STREAM].contains(&format);
        let can_be_made_up = |part: &GamePart| match part {
            GamePart::TokenNumbers => true,
            // Records write a roll as far as it is known.
            GamePart::Coins => is_of_lines,
            _ => false,
        };
        let made_up = format.lost_in(self.format).filter(can_be_made_up).collect();
        let mut remarks = Diagnostics::new();
        for (what, parts) in [("not written", dropped), ("made up", made_up)] {
            let names: Vec<_> = parts.into_iter().map(GamePart::name).collect();
            if !names.is_empty() {
                let remark = format!("{what}: {}", names.join(", "));
                let note = format!("read as {}, written as {}", self.format.name, format.name);
                remarks.push(Diagnostic::remark("replay/parts", remark).note(note));
            }
        }
        WrittenGame { text, remarks }
    }

    /// Writes the state after a turn, as the states of the game are written. `at`: the turn, 0 is before the first.
    ///
    /// # Errors
    /// Fails if the states of the game are not written.
    pub fn state(&self, at: usize) -> Result<WrittenGame, Diagnostic> {
        let rules = self.rules()?;
        let turns = &self.turns[..at.min(self.turns.len())];
        let lost = self.lost().filter(|_| at > self.turns.len());
        let states = self.notation().and_then(Notation::states).ok_or_else(|| {
            let title = format!("{} has no notation of states", rules.game().title());
            Diagnostic::error("replay/no-states", title)
        })?;
        Ok(WrittenGame {
            text: states.write(turns, lost).into_bytes(),
            remarks: Diagnostics::new(),
        })
    }

    /// Facts that streams need in addition to the moves.
    ///
    /// # Errors
    /// Names the missing facts.
    fn facts(&self, dialect: &dyn Dialect) -> Result<Facts, Diagnostic> {
        self.assert_rolls("streams show every roll")?;
        for greeting in dialect.greeting(false) {
            let Slot::Name(seat) = greeting.slot else {
                continue;
            };
            let name = self.judged.names[seat].as_ref();
            let lacks = match name {
                Some(name) if name.contains(&b'\n') => "holds a line break",
                Some(_) => continue,
                None => "is not known",
            };
            let seat = dialect.game().seat_name(seat);
            let title = format!(
                "streams begin with both names, each on a line, and the {seat} player's {lacks}"
            );
            return Err(Diagnostic::error("replay/name", title));
        }
        Ok(Facts {
            names: self.judged.names.clone(),
            setup: self.judged.setup,
            ..Facts::default()
        })
    }

    /// Checks that every turn has its roll, in a game with rolls. `need`: the reason.
    ///
    /// # Errors
    /// Names the first turn without a roll.
    pub fn assert_rolls(&self, need: &str) -> Result<(), Diagnostic> {
        let has_rolls = !self.rules()?.game().kinds_of_roll().is_empty();
        let is_untold = |turn: &NotatedTurn| turn.rolled.is_none();
        let Some(first) = self.turns.iter().position(is_untold).filter(|_| has_rolls) else {
            return Ok(());
        };
        let title = match self.turns.iter().filter(|turn| is_untold(turn)).count() {
            1 => format!("{need}, and 1 turn here has none"),
            count => format!("{need}, and {count} turns here have none"),
        };
        let fault = Diagnostic::error("replay/no-rolls", title).in_file(&*self.file);
        let fault = fault.note(format!("the first is turn {}", first + 1));
        let help = self.notation().and_then(Notation::roll_help);
        let fault = help.into_iter().fold(fault, Diagnostic::help);
        let is_open = self.verdict() == Verdict::Inconclusive;
        let note = "which turns were skipped is not told either";
        Err(is_open
            .then_some(note)
            .into_iter()
            .fold(fault, Diagnostic::note))
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
        let mut owed = Vec::new();
        for event in &self.judged.history {
            if let GameEvent::Moved { by, mv, .. } = *event
                && party == Party::Player(by)
            {
                entries.push(entry(Direction::Sent, dialect.write_move(mv)));
            }
            dialect.tell(event, party, &mut owed);
            let due = owed.drain(..).filter(|line| line.duty == Duty::Must);
            entries.extend(due.map(|line| entry(Direction::Received, line.line)));
        }
        entries
    }

    /// Writes a golden transcript with the lanes of both players and a spectator.
    ///
    /// # Errors
    /// Names the facts that streams need and the game lacks.
    pub fn golden(&self) -> Result<WrittenGame, Diagnostic> {
        let dialect = self.rules()?;
        let facts = self.facts(dialect)?;
        let players = Seat::BOTH.map(|seat| (LaneLabel::Player(seat), Party::Player(seat)));
        let spectator = (LaneLabel::Spectator(1), Party::Spectator);
        let has_spectators = !dialect.greeting(true).is_empty();
        let parties = players
            .into_iter()
            .chain(has_spectators.then_some(spectator));
        let lanes = parties.map(|(label, party)| LaneTranscript {
            label,
            entries: self.lane(dialect, party, &facts),
        });
        let transcript = Transcript {
            dialect: dialect.name().to_owned(),
            lanes: lanes.collect(),
        };
        let mut written =
            self.written(golden::write(&transcript).into_bytes(), file_format::GOLDEN);
        if let Some(by) = self.lost() {
            let seat = dialect.game().seat_name(by);
            let title =
                format!("what the {seat} player sent last is not written, only that it lost");
            let remark = Diagnostic::remark("replay/last-line", title);
            written.remarks.push(remark);
        }
        Ok(written)
    }

    /// Writes the stream of a spectator.
    ///
    /// # Errors
    /// Names the facts that streams need and the game lacks.
    pub fn spectator(&self) -> Result<WrittenGame, Diagnostic> {
        let dialect = self.rules()?;
        if dialect.greeting(true).is_empty() {
            let title = format!("the dialect {} has no spectators", dialect.name());
            return Err(Diagnostic::error("replay/no-spectators", title));
        }
        let lines = self.lane(dialect, Party::Spectator, &self.facts(dialect)?);
        let mut text = Vec::new();
        for entry in lines {
            text.extend(entry.line.text);
            text.push(b'\n');
        }
        Ok(self.written(text, file_format::STREAM))
    }
}

#[cfg(test)]
#[path = "written_tests.rs"]
mod tests;
