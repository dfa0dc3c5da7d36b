//! Finished games in other formats.

use super::FinishedGame;
use crate::diagnostic::{Diagnostic, Diagnostics, counted};
use crate::pack::{self, FileFormat, GamePart, NotatedTurn, Notation, WriteGame, formats};
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

/// The formats that a game can be written in, each with a description: the notations of the packs, then the others.
pub fn written_formats() -> impl Iterator<Item = (&'static str, &'static str)> {
    let notations = pack_writers().map(|(notation, _)| (notation.name, notation.title));
    notations.chain([
        (
            "state",
            "the state of the game, as its notation of records writes it",
        ),
        (
            "golden",
            "a golden transcript with the lanes of both players and a spectator",
        ),
        ("spectator", "the stream of a spectator"),
    ])
}

fn pack_writers() -> impl Iterator<Item = (&'static Notation, WriteGame)> {
    pack::notations().filter_map(|notation| Some((notation, notation.write?)))
}

/// The error of asking for a turn after the last.
#[must_use]
pub fn no_such_turn(asked: usize, last: usize) -> Diagnostic {
    let title =
        format!("there is no turn {asked}: the last is turn {last}, and 0 is before the first");
    Diagnostic::error("replay/no-such-turn", title)
}

impl FinishedGame {
    /// Writes the game in one of the [`written_formats`]. `at`: the turn of a state, 0 is before the first; the last if there is none.
    ///
    /// # Errors
    /// Fails for lines without rules, and where the format cannot express the game. Names the facts that the format needs and the game lacks.
    pub fn write(&self, format: &str, at: Option<usize>) -> Result<WrittenGame, Diagnostic> {
        let dialect = self.rules()?;
        match (format, at) {
            ("state", at) => self.state(dialect, at),
            (_, Some(_)) => {
                let title = "`--at` goes with `--to state`";
                Err(Diagnostic::error("replay/at", title))
            }
            ("golden", None) => self.golden(dialect),
            ("spectator", None) => self.spectator(dialect),
            (name, None) => {
                let notation = pack_writers().find(|(notation, _)| notation.name == name);
                self.notated(dialect, notation.expect("the caller names a format"))
            }
        }
    }

    /// The wire protocol.
    ///
    /// # Errors
    /// Fails for lines without rules.
    pub fn rules(&self) -> Result<&'static dyn Dialect, Diagnostic> {
        self.dialect().ok_or_else(|| {
            let title =
                "this is a dialogue without rules: it has no turns to show, convert or compare";
            let fault = Diagnostic::error("replay/no-rules", title).in_file(&*self.file);
            fault.help("`urtext verify` judges it")
        })
    }

    fn notated(
        &self,
        dialect: &dyn Dialect,
        (notation, write): (&Notation, WriteGame),
    ) -> Result<WrittenGame, Diagnostic> {
        let (game, other) = (dialect.game(), notation.game);
        if game.name() != other.name() {
            let title = format!("{} is a notation of the {}", notation.name, other.title());
            let note = format!("this is a game of {}", game.title());
            return Err(Diagnostic::error("replay/other-game", title).note(note));
        }
        let text = write(&self.turns, &self.outcome.names)?;
        if self.turns.is_empty() {
            let fault = Diagnostic::error("replay/no-turn", "the game stops before its first move");
            return Err(fault.note("a list of move records tells nothing but moves"));
        }
        Ok(self.written(text.into_bytes(), FileFormat::of_notation(notation)))
    }

    /// The game in a format, with remarks on parts that the format drops, and on parts that are made up for it.
    fn written(&self, text: Vec<u8>, format: FileFormat) -> WrittenGame {
        let has = |part: &GamePart| *part != GamePart::Loss || self.lost().is_some();
        let is_of_lines = [formats::GOLDEN, formats::STREAM].contains(&format);
        let can_be_made_up = |part: &GamePart| match part {
            GamePart::TokenNumbers => true,
            // Records write a roll as far as it is known.
            GamePart::Coins => is_of_lines,
            _ => false,
        };
        let dropped: Vec<_> = self.format.lost_in(format).filter(has).collect();
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

    fn state(&self, dialect: &dyn Dialect, at: Option<usize>) -> Result<WrittenGame, Diagnostic> {
        let turns = self.turns.len();
        let last = turns + usize::from(self.lost().is_some());
        let at = at.unwrap_or(last);
        if at > last {
            return Err(no_such_turn(at, last));
        }
        let states = self.notation().and_then(|notation| notation.states);
        let states = states.ok_or_else(|| {
            let title = format!("{} has no notation of states", dialect.game().title());
            Diagnostic::error("replay/no-states", title)
        })?;
        let lost = self.lost().filter(|_| at > turns);
        Ok(WrittenGame {
            text: (states.write)(&self.turns[..at.min(turns)], lost).into_bytes(),
            remarks: Diagnostics::new(),
        })
    }

    /// Facts that streams need in addition to the moves.
    fn facts(&self, dialect: &dyn Dialect) -> Result<Facts, Diagnostic> {
        self.assert_rolls("streams show every roll")?;
        let names = &self.outcome.names;
        for greeting in dialect.greeting(false) {
            if let Slot::Name(seat) = greeting.slot
                && names[seat]
                    .as_ref()
                    .is_none_or(|name| name.contains(&b'\n'))
            {
                let seat = dialect.game().seat_name(seat);
                let title = format!(
                    "streams begin with both names, each on a line: the {seat} player's is not known, or holds a line break"
                );
                return Err(Diagnostic::error("replay/name", title));
            }
        }
        Ok(Facts {
            names: names.clone(),
            setup: self.outcome.setup,
            ..Facts::default()
        })
    }

    /// Checks that every turn has its roll, in a game with rolls. `need`: the reason.
    ///
    /// # Errors
    /// Names the first turn without a roll.
    pub fn assert_rolls(&self, need: &str) -> Result<(), Diagnostic> {
        let has_rolls = !self.rules()?.game().kinds_of_roll().is_empty();
        let lacks_roll = |turn: &NotatedTurn| turn.rolled.is_none();
        let Some(first) = self.turns.iter().position(lacks_roll).filter(|_| has_rolls) else {
            return Ok(());
        };
        let count = self.turns.iter().filter(|turn| lacks_roll(turn)).count();
        let title = format!(
            "{need}, and this game has {} without a roll, the first is turn {}",
            counted(count, "turn"),
            first + 1
        );
        let fault = Diagnostic::error("replay/no-rolls", title).in_file(&*self.file);
        let help = self.notation().and_then(|notation| notation.roll_help);
        Err(help.into_iter().fold(fault, Diagnostic::help))
    }

    /// The lines that a party received, and those that a player sent.
    fn lane(&self, dialect: &dyn Dialect, party: Party, facts: &Facts) -> Vec<Entry> {
        let entry = |direction, text| Entry::new(direction, Line::new(text));
        let greeting = dialect.greeting(party == Party::Spectator).iter();
        let lines =
            greeting.filter_map(|greeting| dialect.write_greeting(greeting.slot, party, facts));
        let mut entries: Vec<_> = lines.map(|line| entry(Direction::Received, line)).collect();
        for event in &self.outcome.history {
            if let GameEvent::Moved { by, mv, .. } = *event
                && party == Party::Player(by)
            {
                entries.push(entry(Direction::Sent, dialect.write_move(mv)));
            }
            let owed = dialect.tell(event, party);
            let due = owed.filter(|line| line.duty == Duty::Must);
            entries.extend(due.map(|line| entry(Direction::Received, line.line)));
        }
        entries
    }

    fn golden(&self, dialect: &dyn Dialect) -> Result<WrittenGame, Diagnostic> {
        let facts = self.facts(dialect)?;
        let players = Seat::BOTH.map(|seat| (LaneLabel::Player(seat), Party::Player(seat)));
        let spectator = (LaneLabel::Spectator(1), Party::Spectator);
        let has_spectators = !dialect.greeting(true).is_empty();
        let parties = players
            .into_iter()
            .chain(has_spectators.then_some(spectator));
        let lanes = parties
            .map(|(label, party)| LaneTranscript::new(label, self.lane(dialect, party, &facts)));
        let transcript = Transcript {
            protocol: self.logged.protocol,
            lanes: lanes.collect(),
        };
        let text = golden::write(&transcript).into_bytes();
        let mut written = self.written(text, formats::GOLDEN);
        if let Some(by) = self.lost() {
            let seat = dialect.game().seat_name(by);
            let title =
                format!("what the {seat} player sent last is not written, only that it lost");
            let remark = Diagnostic::remark("replay/last-line", title);
            written.remarks.push(remark);
        }
        Ok(written)
    }

    fn spectator(&self, dialect: &dyn Dialect) -> Result<WrittenGame, Diagnostic> {
        if dialect.greeting(true).is_empty() {
            let title = format!("the dialect {} has no spectators", dialect.name());
            return Err(Diagnostic::error("replay/no-spectators", title));
        }
        let lines = self.lane(dialect, Party::Spectator, &self.facts(dialect)?);
        let lines = lines.iter().flat_map(|entry| [&entry.line.text[..], b"\n"]);
        let text = lines.collect::<Vec<_>>().concat();
        Ok(self.written(text, formats::STREAM))
    }
}

#[cfg(test)]
#[path = "written_tests.rs"]
mod tests;
