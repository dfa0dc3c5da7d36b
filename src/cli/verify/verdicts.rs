//! Verdicts of `urtext verify`: one line for each of a few games, or counts for many.

use indicatif::ProgressBar;

use crate::archive::FinishedGame;
use crate::cli::Status;
use crate::cli::output::{print, say_format};
use crate::diagnostic::{Diagnostics, Paint, counted, visible};
use crate::event::Outcome;
use crate::finding::{Finding, Remark, Verdict};
use crate::report::{Cases, Standing, draw_game};
use crate::rules::Seat;
use crate::verify::{self, Ending};

/// Maximum number of games that are reported one by one.
pub(super) const FEW: usize = 20;

/// Maximum number of games whose complaints are explained: that takes less than a second.
pub(super) const EXPLAINED: usize = 300;

/// Judged games, counted and reported.
pub(super) struct Verdicts<'a> {
    /// True if an unfinished game is a complaint.
    pub(super) demands_end: bool,
    /// True if the format of each file is named.
    pub(super) is_verbose: bool,
    /// The bar that has the same terminal.
    pub(super) bar: &'a ProgressBar,
    /// The files for the reports, if there are any.
    pub(super) cases: Option<Cases>,
    /// True if a report takes the place of what is printed.
    pub(super) is_silent: bool,
    /// What is printed after everything else.
    pub(super) last_line: String,
    pub(super) counts: Counts,
    pub(super) status: Status,
    /// Reports of the first games, in order, kept until the number of games is known. With many games,
    /// only reports marked as complaints are printed.
    pub(super) held: Vec<(bool, String)>,
}

/// Numbers of games.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    /// Games that were judged.
    pub(super) games: usize,
    pub(super) complaints: usize,
    /// Games that were not played to their end.
    pub(super) incomplete: usize,
    /// Recorded scenarios that neither conform nor deviate.
    pub(super) undecided: usize,
}

impl<'a> Verdicts<'a> {
    pub(super) fn new(demands_end: bool, is_verbose: bool, bar: &'a ProgressBar) -> Verdicts<'a> {
        Verdicts {
            demands_end,
            is_verbose,
            bar,
            cases: None,
            is_silent: false,
            last_line: String::new(),
            counts: Counts::default(),
            status: Status::Conforms,
            held: Vec::new(),
        }
    }

    /// Takes a status.
    pub(super) fn be(&mut self, status: Status) {
        self.status = self.status.worse(status);
    }

    /// Takes a game, or what is wrong with a file.
    pub(super) fn take(&mut self, game: Result<FinishedGame, Diagnostics>) {
        match game {
            Ok(game) => self.game(game),
            Err(faults) => self.unreadable(&faults),
        }
    }

    /// Takes what is wrong with a file that is no transcript.
    pub(super) fn unreadable(&mut self, faults: &Diagnostics) {
        if let Some(cases) = &mut self.cases {
            cases.add_unreadable(faults);
        }
        self.be(Status::Usage);
        self.warn(faults);
    }

    fn warn(&self, faults: &Diagnostics) {
        if !faults.is_empty() {
            let drawn = faults.draw(Paint::Coloured);
            self.bar.suspend(|| anstream::eprintln!("{drawn}\n"));
        }
    }

    fn game(&mut self, mut game: FinishedGame) {
        if game.number == 1 && self.is_verbose {
            let said = || say_format(&game.file, game.format);
            self.bar.suspend(said);
        }
        self.warn(&game.warnings);
        if let Some(title) = self.demand(&mut game) {
            let text = game.end();
            game.judged.findings.push(Finding {
                remarks: vec![Remark { word: None, text }],
                ..Finding::new(Verdict::Fail, title)
            });
        }
        if let Some(cases) = &mut self.cases {
            cases.add_game(&game);
        }
        let verdict = game.verdict();
        self.be(Status::from(Standing::of(verdict)));
        if game.recorded.is_none() && game.dialect().is_none() {
            let name = visible::plain(&*game.file);
            return self.tell(true, format!("unsupported {name}: {}", verify::UNRULED));
        }
        self.counts.games += 1;
        match &game.recorded {
            Some(recorded) => self.scenario(&game, &recorded.outcome),
            None => self.by_rules(&game, verdict),
        }
    }

    /// The demand that a legal game does not meet.
    fn demand(&self, game: &mut FinishedGame) -> Option<String> {
        let is_short = game
            .judged
            .ending
            .is_some_and(|ending| !ending.is_complete());
        let is_asked = self.demands_end && is_short && game.recorded.is_none();
        let title = is_asked.then(|| "the game was not played to its end".to_owned());
        game.judged
            .left_off
            .take()
            .or(title)
            .filter(|_| game.wrong().is_none())
    }

    /// Takes the game of a recorded scenario.
    fn scenario(&mut self, game: &FinishedGame, outcome: &Outcome) {
        let is_good = Standing::of(outcome.verdict) == Standing::Conforms;
        if !is_good {
            let count = match Standing::of(outcome.verdict) {
                Standing::Deviates => &mut self.counts.complaints,
                _ => &mut self.counts.undecided,
            };
            *count += 1;
            if *count > FEW {
                return;
            }
            for drawn in draw_game(game, Paint::Coloured) {
                self.tell(true, format!("{drawn}\n"));
            }
        }
        let turns = counted(game.judged.begun, "turn");
        let (word, scenario) = (outcome.verdict.word(), visible::plain(&outcome.name));
        let text = format!(
            "{word} {}: {scenario}, {turns}",
            visible::plain(&*game.file)
        );
        // Which file a finding is of stands below it.
        match is_good {
            true => self.tell(false, text),
            false => self.tell(true, format!("{text}\n")),
        }
    }

    /// Takes a game that was judged by the rules alone.
    fn by_rules(&mut self, game: &FinishedGame, verdict: Verdict) {
        for (finding, drawn) in game.findings().iter().zip(draw_game(game, Paint::Coloured)) {
            let is_complaint = finding.verdict == Verdict::Fail;
            self.counts.complaints += usize::from(is_complaint);
            if !is_complaint || self.counts.complaints <= FEW {
                self.tell(true, format!("{drawn}\n"));
            }
        }
        if verdict == Verdict::Fail {
            let notes = game.judged.notes.iter().filter(|_| game.is_of_records());
            for note in notes {
                self.tell(true, format!("note: {}", visible::plain(note)));
            }
            return;
        }
        let is_complete = game.judged.ending.is_some_and(Ending::is_complete);
        self.counts.incomplete += usize::from(!is_complete);
        if self.counts.games <= FEW {
            self.tell(false, line(game, verdict));
        }
    }

    /// Prints a text in the order of the games, as soon as it is known whether these are few.
    fn tell(&mut self, is_complaint: bool, text: String) {
        if self.is_silent || !is_complaint && self.counts.games > FEW {
            return;
        }
        self.held.push((is_complaint, text));
        if self.counts.games > FEW {
            self.tell_complaints();
        }
    }

    /// Prints the complaints that are held, and drops what is printed only of few games.
    pub(super) fn tell_complaints(&mut self) {
        let held = std::mem::take(&mut self.held);
        let complaints = held.iter().filter(|(is_complaint, _)| *is_complaint);
        // The stream takes the colours out where nobody would see them.
        complaints.for_each(|(_, text)| self.bar.suspend(|| print(text)));
    }
}

/// A game that is right as far as it goes, in a line, with remarks below it.
fn line(game: &FinishedGame, verdict: Verdict) -> String {
    let seats = game.logged.protocol.seat_names();
    let [first, second] = Seat::BOTH.map(|seat| match &game.judged.names[seat] {
        Some(name) => visible::plain(name).at_most(60).to_string(),
        None => seats[seat.index()].to_owned(),
    });
    let (word, name) = (verdict.word(), game.name());
    let (turns, end) = (counted(game.judged.begun, "turn"), game.end());
    let mut text = format!(
        "{word} {}: {first} against {second}, {turns}: {end}",
        visible::plain(&name)
    );
    // A file that tells nothing may be no game at all.
    let is_nothing = game.judged.ending == Some(Ending::Unstarted);
    let read_as = is_nothing.then(|| format!("the file was read as {}", game.format.name));
    for note in game.judged.notes.iter().chain(&read_as) {
        text.push_str(&format!("\n     note: {}", visible::plain(note)));
    }
    text
}
