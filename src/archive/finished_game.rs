//! A finished game, whatever the format of its file.

use std::sync::Arc;

use crate::diagnostic::{Diagnostics, Source};
use crate::event::Outcome;
use crate::finding::{Finding, Verdict};
use crate::pack::{self, FileFormat, NotatedTurn, Notation};
use crate::protocol::{Dialect, GameEvent};
use crate::rules::{Seat, Table};
use crate::scenario::Scenario;
use crate::transcript::LoggedGame;
use crate::verify::{Ending, Judged};

/// A game, or what is wrong with a file or the rest of it.
pub(super) type Found = Result<FinishedGame, Diagnostics>;

/// A finished game of a file, judged.
#[derive(Debug, Clone)]
pub struct FinishedGame {
    /// The file, or the files of its lanes joined by ` + `.
    pub file: Arc<str>,
    /// Its number in the file, from 1.
    pub number: u64,
    /// True if the file is known to hold other games.
    pub is_one_of_several: bool,
    /// The format of the file.
    pub format: FileFormat,
    /// Its protocol and its lanes. There are no lanes in move records, and in a stream that the fast path has passed.
    pub logged: LoggedGame,
    /// The game as far as it is legal, and what is wrong with it; for a recorded scenario, what its judge says.
    pub outcome: Outcome,
    /// The end, or the point at which the file stops; `None` if a wrong line ends the game, and without rules.
    pub ending: Option<Ending>,
    /// Number of turns that were begun.
    pub begun: usize,
    /// Remarks that are not errors.
    pub notes: Vec<String>,
    /// Exit of a recorded bot in the middle of a legal game, in words.
    pub left_off: Option<String>,
    /// The turns that have ended; none of a game that the fast path has passed.
    pub turns: Vec<NotatedTurn>,
    /// Warnings about the file, with its first game.
    pub warnings: Diagnostics,
    /// The scenario that was recorded, by which the game was judged again.
    pub recorded: Option<RecordedGame>,
    /// True if more lines may come.
    pub goes_on: bool,
}

/// The game of a scenario, recorded.
#[derive(Debug, Clone)]
pub struct RecordedGame {
    /// The scenario; `None` if the game cannot be judged again.
    pub scenario: Option<Arc<Scenario>>,
    /// Name of the subject.
    pub subject: String,
}

impl FinishedGame {
    /// The game of this number in a file with lanes.
    pub(super) fn new(
        file: Arc<str>,
        number: u64,
        logged: LoggedGame,
        judged: Judged,
    ) -> FinishedGame {
        let mut warnings = Diagnostics::new();
        warnings.extend(logged.cut_off.clone());
        let worst = judged.findings.iter().map(|finding| finding.verdict).max();
        let verdict = worst.unwrap_or(match judged.ending {
            // A file that stops before the first turn.
            Some(Ending::Unstarted) => Verdict::Inconclusive,
            _ => Verdict::Pass,
        });
        let name = name(&file, number);
        let source = Source::new(&name, "");
        FinishedGame {
            file,
            number,
            is_one_of_several: false,
            format: logged.format,
            turns: NotatedTurn::of_history(&judged.history),
            outcome: Outcome {
                verdict,
                findings: judged.findings,
                history: judged.history,
                setup: judged.setup,
                names: judged.names,
                ..Outcome::unobserved(name, source, logged.protocol)
            },
            ending: judged.ending,
            begun: judged.begun,
            notes: judged.notes,
            left_off: judged.left_off,
            warnings,
            logged,
            recorded: None,
            goes_on: false,
        }
    }

    /// The wire protocol; `None` for lines without rules.
    #[must_use]
    pub fn dialect(&self) -> Option<&'static dyn Dialect> {
        self.logged.protocol.dialect()
    }

    /// Its name in messages: the file, and the number of any game but the first.
    #[must_use]
    pub fn name(&self) -> String {
        name(&self.file, self.number)
    }

    /// Adds a finding, and takes its verdict if that is worse.
    pub fn add(&mut self, finding: Finding) {
        self.outcome.verdict = self.outcome.verdict.max(finding.verdict);
        self.outcome.findings.push(finding);
    }

    /// The finding at which the game stops: a broken rule rather than a broken chain of records.
    #[must_use]
    pub fn stopped_by(&self) -> Option<&Finding> {
        let is_rule = |of: &&Finding| of.verdict == Verdict::Fail && of.board.is_some();
        let rule = self.outcome.findings.iter().find(is_rule);
        rule.or(self.outcome.failure())
            .filter(|_| self.ending.is_none())
    }

    /// The player who lost before the end by the rules.
    #[must_use]
    pub fn lost(&self) -> Option<Seat> {
        match self.outcome.history.last() {
            Some(GameEvent::Lost { by, .. }) => Some(*by),
            _ => None,
        }
    }

    /// The end in words; empty where there is none.
    #[must_use]
    pub fn end(&self) -> String {
        let ending = self.ending.zip(self.dialect());
        ending.map_or(String::new(), |(ending, dialect)| {
            ending.describe(dialect.game(), &self.outcome.names)
        })
    }

    /// The start of the game; `None` for lines without rules.
    #[must_use]
    pub fn start(&self) -> Option<Box<dyn Table>> {
        let setup = self.outcome.setup.unwrap_or_default();
        Some(self.dialect()?.game().table(setup))
    }

    /// The first notation of the game.
    #[must_use]
    pub fn notation(&self) -> Option<&'static Notation> {
        let name = self.dialect()?.game().name();
        pack::find(name)?.notations.first().copied()
    }

    /// Returns true for a game that move records tell.
    #[must_use]
    pub fn is_of_records(&self) -> bool {
        pack::notations().any(|notation| FileFormat::of_notation(notation) == self.format)
    }
}

fn name(file: &str, number: u64) -> String {
    match number {
        1 => file.to_owned(),
        number => format!("{file} game {number}"),
    }
}
