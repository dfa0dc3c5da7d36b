//! Results of commands that play no scenarios, in the form of a run: a file that was read, a fault that was tried, or a failure that was found is a
//! case.

use std::collections::HashMap;
use std::path::Path;

use super::finding::{draw_game, draw_line};
use super::findings::{FindingResult, Place, fnv1a};
use super::readings::ExplanationResult;
use super::results::{Results, RunEnd};
use super::scenario::{ScenarioResult, Standing};
use crate::archive::FinishedGame;
use crate::diagnostic::{Diagnostic, Diagnostics, Paint, Severity, counted, visible};
use crate::event::Outcome;
use crate::finding::Verdict;

/// Most findings that are kept of a case; of the others only their number.
const MOST: usize = 100;
/// Most findings that are kept of all cases.
const MOST_OF_ALL: usize = 10_000;

/// The cases of a command, in the order in which they came.
#[derive(Debug, Default)]
pub struct Cases {
    cases: Vec<ScenarioResult>,
    /// Number of each case, by its name.
    places: HashMap<String, usize>,
    /// Number of the findings that are kept.
    kept: usize,
    /// Number of those that are not, by the number of the case.
    surplus: HashMap<usize, usize>,
}

impl Cases {
    /// Returns the case of that name, a new one that passes where there is none. Names are escaped already.
    pub fn case(&mut self, name: &str) -> &mut ScenarioResult {
        let place = self.place(name);
        &mut self.cases[place]
    }

    fn place(&mut self, name: &str) -> usize {
        if let Some(&place) = self.places.get(name) {
            return place;
        }
        self.push(ScenarioResult {
            name: name.to_owned(),
            ..ScenarioResult::default()
        })
    }

    /// Adds a case, and returns its number.
    pub fn push(&mut self, case: ScenarioResult) -> usize {
        let place = self.cases.len();
        self.places.insert(case.name.clone(), place);
        self.cases.push(case);
        place
    }

    /// Adds a finding to a case, which takes its verdict if that is worse.
    pub fn add(&mut self, name: &str, finding: FindingResult) {
        self.judge(name, finding.verdict);
        self.keep(name, finding);
    }

    /// Gives a case this verdict if that is worse.
    fn judge(&mut self, name: &str, verdict: Verdict) {
        let case = self.case(name);
        case.verdict = case.verdict.max(verdict);
        case.standing = case.standing.max(Standing::of(verdict));
    }

    fn keep(&mut self, name: &str, finding: FindingResult) {
        let place = self.place(name);
        let findings = &mut self.cases[place].findings;
        match findings.len() < MOST && self.kept < MOST_OF_ALL {
            true => {
                self.kept += 1;
                findings.push(finding);
            }
            false => *self.surplus.entry(place).or_default() += 1,
        }
    }

    /// Adds the findings of a game to a case.
    pub fn add_outcome(&mut self, name: &str, outcome: &Outcome) {
        self.judge(name, outcome.verdict);
        for number in 0..outcome.findings.len() {
            self.keep(name, FindingResult::painted(outcome, number));
        }
    }

    /// The case that a name means, and a line of it: a name such as `FILE:12` is a line of `FILE`, where there is such a case or file.
    fn meant<'n>(&self, name: &'n str) -> (&'n str, Option<usize>) {
        let parts = name
            .rsplit_once(':')
            .and_then(|(file, line)| Some((file, line.parse().ok()?)));
        let is_known = |file: &str| self.places.contains_key(file) || Path::new(file).is_file();
        match parts.filter(|(file, _)| is_known(file)) {
            Some((file, line)) => (file, Some(line)),
            None => (name, None),
        }
    }

    /// Adds a finished game to the case of its file.
    pub fn add_game(&mut self, game: &FinishedGame) {
        let file = visible::plain(&*game.file).to_string();
        let case = self.case(&file);
        case.game = game
            .dialect()
            .map(|dialect| dialect.game().name().to_owned());
        case.title = match game.number {
            1 => game.end(),
            _ => "several games".to_owned(),
        };
        let verdict = game.verdict();
        if verdict == Verdict::Pass {
            return;
        }
        // A page can show the game.
        case.recording = Some(file.clone());
        case.turns = game.judged.begun;
        let notes = game.judged.notes.iter().filter(|_| game.is_of_records());
        case.notes
            .extend(notes.map(|note| format!("note: {}", visible::plain(note))));
        self.judge(&file, verdict);
        self.add_findings(&file, game);
    }

    /// Takes what all games say of a failed one, in place of what it says alone.
    pub fn explain(&mut self, game: &FinishedGame) {
        let file = visible::plain(&*game.file).to_string();
        let number = number(game);
        let place = self.place(&file);
        let findings = &mut self.cases[place].findings;
        let known = findings.len();
        findings.retain(|finding| finding.game != number || finding.verdict == Verdict::Error);
        self.kept -= known - findings.len();
        self.add_findings(&file, game);
    }

    fn add_findings(&mut self, file: &str, game: &FinishedGame) {
        if let Some(recorded) = &game.recorded {
            return self.add_outcome(file, &recorded.outcome);
        }
        let drawn = draw_game(game, Paint::Plain).into_iter();
        let drawn = drawn.zip(draw_game(game, Paint::Coloured));
        for (finding, (text, painted)) in game.findings().iter().zip(drawn) {
            let title = visible::plain(&finding.title).to_string();
            let told = FindingResult::told(finding.verdict, &title, &text);
            let place = finding.in_file.as_ref();
            let result = FindingResult {
                place: place.map(|place| Place::of_line(&place.file, place.line)),
                game: number(game),
                painted: Some(painted),
                ..told.with(finding)
            };
            self.keep(file, result);
        }
        if game.findings().is_empty() {
            let told = FindingResult::told(game.verdict(), &game.end(), &draw_line(game));
            self.keep(file, told);
        }
    }

    /// Adds the faults of a file that is not readable, which were said already.
    pub fn add_unreadable(&mut self, faults: &Diagnostics) {
        let errors = faults.sorted().into_iter();
        for fault in errors.filter(|fault| fault.severity() == Severity::Error) {
            self.add_as(Verdict::Error, fault, "");
        }
    }

    /// Adds a fault of a file, which was said already; one that names no file belongs to the case `other`.
    pub fn add_fault(&mut self, fault: &Diagnostic, other: &str) {
        let verdict = match fault.severity() {
            Severity::Error => Verdict::Fail,
            Severity::Warning | Severity::Note => Verdict::Lenient,
        };
        self.add_as(verdict, fault, other);
    }

    fn add_as(&mut self, verdict: Verdict, fault: &Diagnostic, other: &str) {
        let title = visible::plain(fault.title()).to_string();
        let mut finding = FindingResult::told(verdict, &title, &fault.draw(Paint::Plain));
        finding.place = fault.place().map(|(source, span)| Place::of(source, span));
        finding.kind = format!("{:016x}", fnv1a(fault.code()));
        finding.painted = Some(String::new());
        let name = fault.file().map(|file| visible::plain(file).to_string());
        let name = name.unwrap_or_else(|| other.to_owned());
        let (file, line) = self.meant(&name);
        if finding.place.is_none() {
            finding.place = line.map(|line| Place::of_line(file, line));
        }
        self.add(file, finding);
    }

    /// Returns all cases as the results of a command. `counts`: what it counts, in words.
    #[must_use]
    pub fn results(
        mut self,
        command: &str,
        counts: String,
        status: u8,
        explanation: ExplanationResult,
    ) -> Results {
        for (place, surplus) in self.surplus {
            let title = format!("and {}", counted(surplus, "more finding"));
            let case = &mut self.cases[place];
            let told = FindingResult::told(case.verdict, &title, &title);
            case.findings.push(told);
        }
        let mut results = Results::new(command, self.cases);
        results.run.heading = counts;
        results.end = Some(RunEnd {
            status,
            explanation,
            ..RunEnd::default()
        });
        results
    }
}

/// The number of any game of a file but the first.
fn number(game: &FinishedGame) -> Option<u64> {
    Some(game.number).filter(|&number| number > 1)
}
