//! A finished game, whatever the format of its file.

use std::sync::Arc;

use crate::diagnostic::Diagnostics;
use crate::finding::{Finding, Verdict};
use crate::pack::{self, FileFormat, NotatedTurn, Notation};
use crate::protocol::{Dialect, GameEvent};
use crate::rules::{Seat, Table};
use crate::transcript::LoggedGame;
use crate::verify::{Ending, Judged, Rejudged};

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
    /// The game as far as it is legal, and what is wrong with it. A recorded scenario has the findings of its outcome instead.
    pub judged: Judged,
    /// The turns that have ended; none of a game that the fast path has passed.
    pub turns: Vec<NotatedTurn>,
    /// Warnings about the file, with its first game.
    pub warnings: Diagnostics,
    /// The scenario that was recorded, judged again.
    pub recorded: Option<Box<Rejudged>>,
    /// True if more lines may come.
    pub goes_on: bool,
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
        FinishedGame {
            file,
            number,
            is_one_of_several: false,
            format: logged.format(),
            turns: NotatedTurn::of_history(&judged.history),
            judged,
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
        match self.number {
            1 => self.file.to_string(),
            number => format!("{} game {number}", self.file),
        }
    }

    /// Verdict on the game: that of a recorded scenario, or that of the worst finding. A file that stops before the first turn is inconclusive.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        if let Some(recorded) = &self.recorded {
            return recorded.outcome.verdict;
        }
        let worst = self.findings().iter().map(|finding| finding.verdict).max();
        worst.unwrap_or(match self.judged.ending {
            Some(Ending::Unstarted) => Verdict::Inconclusive,
            _ => Verdict::Pass,
        })
    }

    /// Reasons for the verdict.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        match &self.recorded {
            Some(recorded) => &recorded.outcome.findings,
            None => &self.judged.findings,
        }
    }

    fn failures(&self) -> impl Iterator<Item = &Finding> {
        let findings = self.findings().iter();
        findings.filter(|finding| finding.verdict == Verdict::Fail)
    }

    /// The first wrong line or record, or what a recorded scenario failed for.
    #[must_use]
    pub fn wrong(&self) -> Option<&Finding> {
        self.failures().next()
    }

    /// The finding at which the game stops: a broken rule rather than a broken chain of records.
    #[must_use]
    pub fn stopped_by(&self) -> Option<&Finding> {
        let rule = self.failures().find(|finding| finding.board.is_some());
        rule.or(self.wrong())
            .filter(|_| self.judged.ending.is_none())
    }

    /// The player who lost before the end by the rules.
    #[must_use]
    pub fn lost(&self) -> Option<Seat> {
        match self.judged.history.last() {
            Some(GameEvent::Lost { by, .. }) => Some(*by),
            _ => None,
        }
    }

    /// The end in words; empty where there is none.
    #[must_use]
    pub fn end(&self) -> String {
        let ending = self.judged.ending.zip(self.dialect());
        ending.map_or(String::new(), |(ending, dialect)| {
            ending.describe(dialect.game(), &self.judged.names)
        })
    }

    /// The start of the game; `None` for lines without rules.
    #[must_use]
    pub fn start(&self) -> Option<Box<dyn Table>> {
        let setup = self.judged.setup.unwrap_or_default();
        Some(self.dialect()?.game().table(setup))
    }

    /// The first notation of the game.
    #[must_use]
    pub fn notation(&self) -> Option<&'static dyn Notation> {
        let name = self.dialect()?.game().name();
        pack::find(name)?.notations.first().copied()
    }

    /// Returns true for a game that move records tell.
    #[must_use]
    pub fn is_of_records(&self) -> bool {
        pack::notations().any(|notation| FileFormat::of_notation(notation) == self.format)
    }
}
