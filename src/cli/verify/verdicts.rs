//! Verdicts of `urtext verify`: a line for each of a few good games, and what is wrong with the others.

use indicatif::ProgressBar;

use super::VerifyArgs;
use crate::archive::FinishedGame;
use crate::cli::Status;
use crate::cli::output::{say, say_format};
use crate::diagnostic::{Diagnostics, counted};
use crate::finding::{Finding, Remark, Verdict};
use crate::report::{Cases, draw_line};
use crate::verify::Ending;

/// So many good games have a line each. More are only counted.
const FEW: usize = 20;

/// Judged games. Good ones are only counted.
pub(super) struct Verdicts<'a> {
    pub(super) args: &'a VerifyArgs,
    /// The progress bar on the same terminal.
    pub(super) bar: &'a ProgressBar,
    pub(super) cases: Cases,
    pub(super) counts: Counts,
    pub(super) status: Status,
    /// Lines of good games, as long as these are few.
    pub(super) lines: Vec<String>,
}

/// Numbers of games.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    /// Games that were judged.
    pub(super) games: usize,
    pub(super) complaints: usize,
    /// Games that were not played to their end.
    incomplete: usize,
    /// Recorded scenarios that neither conform nor deviate.
    undecided: usize,
}

impl<'a> Verdicts<'a> {
    /// Those of no game yet.
    pub(super) fn new(args: &'a VerifyArgs, bar: &'a ProgressBar) -> Verdicts<'a> {
        Verdicts {
            args,
            bar,
            cases: Cases::default(),
            counts: Counts::default(),
            status: Status::Conforms,
            lines: Vec::new(),
        }
    }

    /// Takes a status.
    pub(super) fn be(&mut self, status: Status) {
        self.status = self.status.max(status);
    }

    /// Takes a game, or what is wrong with a file.
    pub(super) fn take(&mut self, game: &mut Result<FinishedGame, Diagnostics>) {
        match game {
            Ok(game) => self.game(game),
            Err(faults) => {
                if self.args.reports.are_asked_for() {
                    self.cases.add_faults(faults, Verdict::Error, "");
                }
                self.be(Status::Usage);
                self.bar.suspend(|| say(faults));
            }
        }
    }

    fn game(&mut self, game: &mut FinishedGame) {
        if game.number == 1 && self.args.verbose {
            let print = || say_format(&game.file, game.format);
            self.bar.suspend(print);
        }
        if !game.warnings.is_empty() {
            self.bar.suspend(|| say(&game.warnings));
        }
        if let Some(title) = self.demand(game) {
            let text = game.end();
            game.judged.findings.push(Finding {
                remarks: vec![Remark { word: None, text }],
                ..Finding::new(Verdict::Fail, title)
            });
        }
        let verdict = game.verdict();
        if self.args.reports.are_asked_for() || verdict != Verdict::Pass {
            self.cases.add_game(game);
        }
        if verdict == Verdict::Unsupported && game.dialect().is_none() {
            return;
        }
        let counts = &mut self.counts;
        counts.games += 1;
        let standing = Status::of(verdict);
        match standing {
            Status::Deviates => counts.complaints += 1,
            _ if game.recorded.is_none() => {
                let is_complete = game.judged.ending.is_some_and(Ending::is_complete);
                counts.incomplete += usize::from(!is_complete);
            }
            Status::Conforms => {}
            _ => counts.undecided += 1,
        }
        // Of other games, a report has the findings.
        let is_open = verdict != Verdict::Fail && game.recorded.is_none();
        if standing == Status::Conforms || is_open && !game.findings().is_empty() {
            self.good(game);
        }
    }

    /// The demand that a legal game does not meet.
    fn demand(&self, game: &mut FinishedGame) -> Option<String> {
        let ending = game.judged.ending;
        let is_short = ending.is_some_and(|ending| !ending.is_complete());
        let is_demanded = self.args.complete && is_short && game.recorded.is_none();
        let title = is_demanded.then(|| "the game was not played to its end".to_owned());
        let demand = game.judged.left_off.take().or(title);
        demand.filter(|_| game.wrong().is_none())
    }

    /// Takes a game without a wrong line.
    fn good(&mut self, game: &FinishedGame) {
        match self.counts.games > FEW {
            true => self.lines.clear(),
            false => self.lines.push(draw_line(game)),
        }
    }

    /// The counts in words.
    pub(super) fn summary(&self) -> String {
        let Counts {
            games,
            complaints,
            incomplete,
            undecided,
        } = self.counts;
        let complaints = counted(complaints, "complaint");
        let mut text = format!("{}, {complaints}", counted(games, "game"));
        if incomplete > 0 {
            text += &format!(" ({incomplete} incomplete)");
        }
        if undecided > 0 {
            text += &format!(", {undecided} neither pass nor fail");
        }
        text
    }
}
