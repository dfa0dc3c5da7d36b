//! A finished game, whatever the format of its file.

use std::sync::Arc;

use crate::diagnostic::Diagnostics;
use crate::finding::{Finding, Verdict};
use crate::pack::{self, FileFormat, NotatedTurn, Notation};
use crate::protocol::{Dialect, GameEvent};
use crate::rules::{PerSeat, Seat, Setup};
use crate::transcript::LoggedGame;
use crate::verify::{self, Clean, Ending, GameVerdict, Judged, Rejudged};

/// A game, or what is wrong with a file or the rest of it.
pub(super) type Found = Result<FinishedGame, Diagnostics>;

/// There is no turn of that number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("there is no turn {asked}: the game has {}", match .last { 0 => "no turn yet".to_owned(), 1 => "1 turn".to_owned(), last => format!("turns 1 to {last}, and 0 is before the first") })]
pub struct NoSuchTurn {
    /// The number that was asked for.
    pub asked: usize,
    /// The number of the last turn.
    pub last: usize,
}

/// A finished game of a file, judged.
#[derive(Debug)]
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
    /// The players' names, where known.
    pub names: PerSeat<Option<Vec<u8>>>,
    /// Random setup, fixed before the first turn.
    pub setup: Option<Setup>,
    /// Events up to the end or to the first wrong line; none of a game that the fast path has passed.
    pub history: Vec<GameEvent>,
    /// The turns that have ended; none of a game that the fast path has passed.
    pub turns: Vec<NotatedTurn>,
    /// Number of turns that were begun.
    pub begun: usize,
    /// The end, or the point at which the file stops; `None` if a wrong line ends the game, and without rules.
    pub ending: Option<Ending>,
    /// Wrong lines and records, then open points. A recorded scenario has the findings of its outcome.
    pub(super) findings: Vec<Finding>,
    /// Exit of a recorded bot in the middle of a legal game, in words.
    pub left_off: Option<String>,
    /// Remarks that are not errors.
    pub notes: Vec<String>,
    /// Warnings about the file, with its first game.
    pub warnings: Diagnostics,
    /// The scenario that was recorded, judged again.
    pub recorded: Option<Box<Rejudged>>,
    /// True if more lines may come.
    pub goes_on: bool,
}

impl FinishedGame {
    /// A game of which only the file is known.
    pub(super) fn new(
        file: Arc<str>,
        number: u64,
        format: FileFormat,
        logged: LoggedGame,
    ) -> FinishedGame {
        FinishedGame {
            file,
            number,
            is_one_of_several: false,
            format,
            logged,
            names: PerSeat([None, None]),
            setup: None,
            history: Vec::new(),
            turns: Vec::new(),
            begun: 0,
            ending: None,
            findings: Vec::new(),
            left_off: None,
            notes: Vec::new(),
            warnings: Diagnostics::new(),
            recorded: None,
            goes_on: false,
        }
    }

    /// A game that the fast path has passed.
    pub(super) fn clean(self, clean: Clean) -> FinishedGame {
        FinishedGame {
            names: clean.names,
            begun: clean.turns,
            ending: Some(clean.ending),
            ..self
        }
    }

    /// A game that was judged by its lanes; `None`: there are no rules to judge it by.
    ///
    /// # Errors
    /// The lanes do not show the game.
    pub(super) fn judged(mut self, judged: Option<Judged>) -> Result<FinishedGame, Diagnostics> {
        let Some(judged) = judged else {
            self.findings = vec![Finding::new(Verdict::Unsupported, verify::UNRULED)];
            return Ok(self);
        };
        match judged.verdict {
            GameVerdict::Legal(ending) => self.ending = Some(ending),
            GameVerdict::Wrong(finding) => self.findings = vec![*finding],
            GameVerdict::Untold(lane) => {
                return Err(verify::half_a_lane(&self.logged.lanes[lane].name).into());
            }
        }
        Ok(FinishedGame {
            names: judged.names,
            setup: judged.setup,
            left_off: judged.left_off,
            notes: judged.notes,
            ..self.played(judged.history)
        })
    }

    /// The recorded game of a scenario.
    pub(super) fn rejudged(self, rejudged: Rejudged) -> FinishedGame {
        let outcome = &rejudged.outcome;
        let dialect = self.dialect();
        let table = dialect.map(|dialect| dialect.game().table(outcome.setup.unwrap_or_default()));
        let mut game = FinishedGame {
            names: rejudged.names.clone(),
            setup: outcome.setup,
            ending: table.map(|table| Ending::of(&outcome.history, table)),
            ..self.played(outcome.history.clone())
        };
        game.recorded = Some(Box::new(rejudged));
        game
    }

    fn played(self, history: Vec<GameEvent>) -> FinishedGame {
        FinishedGame {
            turns: NotatedTurn::of_history(&history),
            begun: GameEvent::turns(&history),
            history,
            ..self
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
        let worst = self.findings.iter().map(|finding| finding.verdict).max();
        match (&self.recorded, worst) {
            (Some(recorded), _) => recorded.outcome.verdict,
            (None, Some(worst)) => worst,
            (None, None) if self.ending == Some(Ending::Unstarted) => Verdict::Inconclusive,
            (None, None) => Verdict::Pass,
        }
    }

    /// Reasons for the verdict.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        match &self.recorded {
            Some(recorded) => &recorded.outcome.findings,
            None => &self.findings,
        }
    }

    /// Adds a finding to a game that is no recorded scenario.
    pub fn add(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// The first wrong line or record.
    #[must_use]
    pub fn wrong(&self) -> Option<&Finding> {
        let mut findings = self.findings.iter();
        findings.find(|finding| finding.verdict == Verdict::Fail)
    }

    /// The finding at which the game stops: a broken rule rather than a broken chain of records.
    #[must_use]
    pub fn stopped_by(&self) -> Option<&Finding> {
        let is_rule =
            |finding: &&Finding| finding.verdict == Verdict::Fail && finding.board.is_some();
        let rule = self.findings.iter().find(is_rule);
        rule.or_else(|| self.wrong())
            .filter(|_| self.ending.is_none())
    }

    /// The player who lost before the end by the rules.
    #[must_use]
    pub fn lost(&self) -> Option<Seat> {
        match self.history.last() {
            Some(GameEvent::Lost { by, .. }) => Some(*by),
            _ => None,
        }
    }

    /// The end in words; empty where there is none.
    #[must_use]
    pub fn end(&self) -> String {
        let ending = self.ending.zip(self.dialect());
        ending.map_or(String::new(), |(ending, dialect)| {
            ending.describe(dialect.game(), &self.names)
        })
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
