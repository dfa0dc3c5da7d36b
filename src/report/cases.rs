//! Results of commands that play no scenarios, in the form of a run: each file that was read, or each fault that was tried, is a case.

use std::collections::HashMap;
use std::path::Path;

use super::draw_game;
use super::readings::ExplanationResult;
use super::results::{
    FindingResult, Place, Results, RunEnd, RunHead, ScenarioResult, Standing, VERSION, fnv1a,
};
use crate::archive::FinishedGame;
use crate::diagnostic::{Diagnostic, Diagnostics, Paint, Severity, counted, visible};
use crate::event::Outcome;
use crate::finding::Verdict;
use crate::mutation::{Matrix, MutationRow, Score};
use crate::pack;

/// Most findings that are kept of a case; of the others only their number.
const MOST: usize = 100;

/// The cases of a command, in the order in which they came.
#[derive(Debug, Default)]
pub struct Cases {
    cases: Vec<ScenarioResult>,
    /// Number of each case, by its name.
    places: HashMap<String, usize>,
    /// Findings beyond those that are kept, by the number of the case.
    surplus: HashMap<usize, usize>,
    /// What their games say of the readings of the rules.
    explanation: ExplanationResult,
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
        let place = self.cases.len();
        self.places.insert(name.to_owned(), place);
        self.cases.push(ScenarioResult {
            name: name.to_owned(),
            ..ScenarioResult::default()
        });
        place
    }

    /// Adds the result of a game that was played.
    pub fn push(&mut self, result: ScenarioResult) {
        self.places.insert(result.name.clone(), self.cases.len());
        self.cases.push(result);
    }

    /// Adds a finding to a case, which takes its verdict if that is worse.
    pub fn add(&mut self, name: &str, finding: FindingResult) {
        let place = self.place(name);
        let case = &mut self.cases[place];
        case.verdict = case.verdict.max(finding.verdict);
        case.standing = case.standing.max(Standing::of(finding.verdict));
        match case.findings.len() < MOST {
            true => case.findings.push(finding),
            false => *self.surplus.entry(place).or_default() += 1,
        }
    }

    /// Adds the findings of a game to a case.
    pub fn add_outcome(&mut self, name: &str, outcome: &Outcome) {
        for (number, finding) in outcome.findings.iter().enumerate() {
            self.add(name, FindingResult::new(outcome, number, finding));
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
        case.verdict = case.verdict.max(verdict);
        case.standing = case.standing.max(Standing::of(verdict));
        // A page can show the game.
        case.recording = Some(file.clone());
        if let Some(recorded) = &game.recorded {
            return self.add_outcome(&file, &recorded.outcome);
        }
        for (finding, text) in game.findings().iter().zip(draw_game(game, Paint::Plain)) {
            let title = visible::plain(&finding.title).to_string();
            let mut result = FindingResult::told(finding.verdict, &title, &text);
            let place = finding.in_file.as_ref();
            result.place = place.map(|place| Place::of_line(&place.file, place.line));
            result.blame(finding.requirement);
            result.event = match game.number {
                1 => String::new(),
                number => format!("game {number}"),
            };
            self.add(&file, result);
        }
        if game.findings().is_empty() {
            let end = game.end();
            self.add(&file, FindingResult::told(verdict, &end, &end));
        }
    }

    /// Adds the faults of a file that is not readable.
    pub fn add_unreadable(&mut self, faults: &Diagnostics) {
        let errors = faults.sorted().into_iter();
        for fault in errors.filter(|fault| fault.severity() == Severity::Error) {
            self.add_as(Verdict::Error, fault, "");
        }
    }

    /// Adds a fault of a file; one that names no file belongs to the case `other`.
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
        let name = fault.file().map(|file| visible::plain(file).to_string());
        let name = name.unwrap_or_else(|| other.to_owned());
        let (file, line) = self.meant(&name);
        if finding.place.is_none() {
            finding.place = line.map(|line| Place::of_line(file, line));
        }
        self.add(file, finding);
    }

    /// Adds the faults that a suite has to catch, and the false alarms.
    pub fn add_matrix(&mut self, matrix: &Matrix) {
        let suite = format!("{}/{}", matrix.game, matrix.side.word());
        let honest = format!("{suite}/honest");
        let case = self.case(&honest);
        case.title = format!("the honest {} passes", matrix.side.word());
        case.game = Some(matrix.game.to_owned());
        for (scenario, verdict) in &matrix.false_alarms {
            let title = format!("false alarm: {scenario} ends with {}", verdict.word());
            self.add(&honest, FindingResult::told(Verdict::Fail, &title, &title));
        }
        for row in &matrix.rows {
            let name = format!("{suite}/{}", row.fault.name);
            let case = self.case(&name);
            case.title = row.fault.summary.to_owned();
            case.game = Some(matrix.game.to_owned());
            if !row.is_told() {
                let title = missed(row);
                let mut finding = FindingResult::told(Verdict::Fail, &title, &title);
                finding.blame(Some(row.fault.breaks));
                self.add(&name, finding);
            }
        }
    }

    /// Adds what the games of the cases say of the readings of the rules.
    #[must_use]
    pub fn explained(mut self, explanation: ExplanationResult) -> Cases {
        self.explanation = explanation;
        self
    }

    /// Returns all cases as the results of a command.
    #[must_use]
    pub fn results(mut self, command: &str, heading: String, status: u8) -> Results {
        for (place, surplus) in self.surplus {
            let title = format!("and {}", counted(surplus, "more finding"));
            let case = &mut self.cases[place];
            case.findings
                .push(FindingResult::told(case.verdict, &title, &title));
        }
        let run = RunHead {
            version: VERSION,
            urtext: env!("CARGO_PKG_VERSION").to_owned(),
            command: command.to_owned(),
            began: None,
            heading,
            shard: None,
        };
        let end = RunEnd {
            seconds: 0.0,
            status,
            interrupted: false,
            slow_left_out: 0,
            explanation: self.explanation,
        };
        Results {
            run,
            scenarios: self.cases,
            end: Some(end),
        }
    }
}

/// What became of a fault that is not caught.
fn missed(row: &MutationRow) -> String {
    match row.score() {
        Score::Elsewhere => {
            let others: Vec<_> = row.blamed.keys().copied().collect();
            format!(
                "scenarios fail only under other requirements: {}",
                others.join(", ")
            )
        }
        Score::Broken => "no game could be played".to_owned(),
        Score::Caught | Score::Observed | Score::Missed => "no scenario notices".to_owned(),
    }
}

impl FindingResult {
    /// A finding that is told in words.
    fn told(verdict: Verdict, title: &str, text: &str) -> FindingResult {
        FindingResult {
            verdict,
            title: title.to_owned(),
            kind: format!("{:016x}", fnv1a(title)),
            text: text.to_owned(),
            ..FindingResult::default()
        }
    }

    /// Sets the requirement that is not met.
    fn blame(&mut self, id: Option<&str>) {
        let entry = id.and_then(pack::requirement);
        self.requirement = id.map(str::to_owned);
        self.level = entry.map(|entry| entry.level);
        let says = entry.map(|entry| entry.sentence());
        self.specification = says.filter(|says| !says.is_empty());
    }
}
