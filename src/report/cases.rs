//! Results of commands that play no scenarios, in the form of a run: each file that is read is a case.

use std::collections::HashMap;
use std::path::Path;

use super::finding::{draw_line, lines_visible};
use super::findings::{FindingResult, Place};
use super::scenario::ScenarioResult;
use super::status::Status;
use crate::archive::FinishedGame;
use crate::diagnostic::{Diagnostic, Diagnostics, Severity, counted, visible};
use crate::event::Outcome;
use crate::finding::Verdict;

/// Most findings that are kept of a case; of the others only their number.
const MOST: usize = 100;
/// Most findings that are kept of all cases.
const MOST_OF_ALL: usize = 10_000;

/// The cases of a command, in the order in which they came.
#[derive(Debug, Default)]
pub struct Cases {
    /// Each with the number of its findings that are not kept.
    cases: Vec<(ScenarioResult, usize)>,
    /// Number of each case, by its name.
    places: HashMap<String, usize>,
    /// Number of the findings that are kept.
    kept: usize,
}

impl Cases {
    /// Returns the case of that name, a new one that passes where there is none. Names are escaped already.
    pub fn case(&mut self, name: &str) -> &mut ScenarioResult {
        &mut self.entry(name).0
    }

    fn entry(&mut self, name: &str) -> &mut (ScenarioResult, usize) {
        let place = self.places.entry(name.to_owned());
        let place = *place.or_insert(self.cases.len());
        if place == self.cases.len() {
            let name = name.to_owned();
            let case = ScenarioResult {
                name,
                ..ScenarioResult::default()
            };
            self.cases.push((case, 0));
        }
        &mut self.cases[place]
    }

    fn keep(&mut self, name: &str, finding: FindingResult) {
        let has_room = self.kept < MOST_OF_ALL;
        let (case, surplus) = self.entry(name);
        if has_room && case.findings.len() < MOST {
            case.findings.push(finding);
            self.kept += 1;
        } else {
            *surplus += 1;
        }
    }

    /// Adds a finished game to the case of its file.
    pub fn add_game(&mut self, game: &FinishedGame) {
        let file = visible::plain(&*game.file).to_string();
        let case = self.case(&file);
        let dialect = game.dialect();
        case.game = dialect.map(|dialect| dialect.game().name().to_owned());
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
        let notes = notes.map(|note| format!("note: {}", visible::plain(note)));
        case.notes.extend(notes);
        case.judge(verdict);
        self.add_findings(&file, game);
    }

    /// Takes what all games say of a failed one, in place of what it says alone.
    pub fn explain(&mut self, game: &FinishedGame) {
        let file = visible::plain(&*game.file).to_string();
        let number = number(game);
        let findings = &mut self.case(&file).findings;
        let known = findings.len();
        findings.retain(|finding| finding.game != number || finding.verdict == Verdict::Error);
        let replaced = known - findings.len();
        self.kept -= replaced;
        self.add_findings(&file, game);
    }

    fn add_findings(&mut self, file: &str, game: &FinishedGame) {
        if let Some(recorded) = &game.recorded {
            self.case(file).stderr = lines_visible(&recorded.outcome.stderr);
        }
        for mut finding in FindingResult::of_game(game) {
            finding.game = number(game);
            self.keep(file, finding);
        }
        if game.findings().is_empty() && game.recorded.is_none() {
            let (verdict, text) = (game.verdict(), draw_line(game));
            self.keep(file, FindingResult::in_words(verdict, &game.end(), &text));
        }
    }

    /// Adds the faults of files, which standard error has: errors with this verdict. Those that name no file belong to the case `other`.
    pub fn add_faults(&mut self, faults: &Diagnostics, error: Verdict, other: &str) {
        for fault in faults.sorted() {
            let verdict = match fault.severity() {
                Severity::Error => error,
                Severity::Warning | Severity::Note => Verdict::Lenient,
            };
            self.add_fault(verdict, fault, other);
        }
    }

    fn add_fault(&mut self, verdict: Verdict, fault: &Diagnostic, other: &str) {
        let mut finding = FindingResult::of_fault(verdict, fault);
        let name = fault.file().unwrap_or(other);
        let name = visible::plain(name).to_string();
        // `FILE:12` is a line of `FILE`, where there is such a case or file.
        let parts = name.rsplit_once(':');
        let parts = parts.and_then(|(file, line)| Some((file, line.parse().ok()?)));
        let is_known = |file: &str| self.places.contains_key(file) || Path::new(file).is_file();
        let file = match parts.filter(|(file, _)| is_known(file)) {
            Some((file, line)) => {
                finding
                    .place
                    .get_or_insert_with(|| Place::of_line(file, line));
                file
            }
            None => &name,
        };
        self.case(file).judge(verdict);
        self.keep(file, finding);
    }

    /// Returns the cases.
    #[must_use]
    pub fn results(self) -> Vec<ScenarioResult> {
        let cases = self.cases.into_iter().map(|(mut case, surplus)| {
            if surplus > 0 {
                let title = format!("and {}", counted(surplus, "more finding"));
                let finding = FindingResult::in_words(case.verdict, &title, &title);
                case.findings.push(finding);
            }
            case
        });
        cases.collect()
    }
}

impl ScenarioResult {
    /// Takes this verdict if it is worse.
    fn judge(&mut self, verdict: Verdict) {
        self.verdict = self.verdict.max(verdict);
        self.standing = self.standing.max(Status::of(verdict));
    }

    /// Adds a finding, and takes its verdict if that is worse.
    pub(super) fn add(&mut self, finding: FindingResult) {
        self.judge(finding.verdict);
        self.findings.push(finding);
    }

    /// Adds the findings of a game, and takes its verdict if that is worse.
    pub fn add_outcome(&mut self, outcome: &Outcome) {
        self.judge(outcome.verdict);
        self.findings.extend(FindingResult::of(outcome));
    }
}

/// The number of any game of a file but the first.
fn number(game: &FinishedGame) -> Option<u64> {
    Some(game.number).filter(|&number| number > 1)
}
