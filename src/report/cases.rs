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
use crate::explore::{Coverage, CoverageRow};
use crate::finding::Verdict;
use crate::mutation::{Matrix, MutationRow, Score};

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
        let verdict = game.outcome.verdict;
        if verdict == Verdict::Pass {
            return;
        }
        // A page can show the game.
        case.recording = Some(file.clone());
        case.turns = game.begun;
        let notes = game.notes.iter().filter(|_| game.is_of_records());
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
        self.case(file).stderr = lines_visible(&game.outcome.stderr);
        for mut finding in FindingResult::of(&game.outcome) {
            finding.game = number(game);
            self.keep(file, finding);
        }
        if game.outcome.findings.is_empty() && game.recorded.is_none() {
            let (verdict, text) = (game.outcome.verdict, draw_line(game));
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

/// Maximum number of scenarios named for a fault.
const FEW: usize = 2;

/// The honest peer and each fault as a result. `names_all`: every scenario is named that catches a fault, or none.
#[must_use]
pub fn mutant_results(matrix: &Matrix, names_all: bool) -> Vec<ScenarioResult> {
    let side = matrix.side.word();
    let result = |name: &str, title: String| ScenarioResult {
        name: format!("{}/{side}/{name}", matrix.game),
        title,
        game: Some(matrix.game.to_owned()),
        ..ScenarioResult::default()
    };
    let mut honest = result("honest", format!("the honest {side} passes"));
    let idle = matrix.idle();
    if names_all && !idle.is_empty() {
        let note = format!("no fault makes these fail: {}", idle.join(", "));
        honest.notes.push(note);
    }
    for (scenario, verdict) in &matrix.false_alarms {
        let title = format!("false alarm: {scenario} ends with {}", verdict.word());
        honest.add(FindingResult::in_words(Verdict::Fail, &title, &title));
    }
    let mut results = vec![honest];
    for row in &matrix.rows {
        let (fault, caught) = (&row.fault, caught(row, names_all));
        let mut result = result(fault.name, format!("{}: {caught}", fault.summary));
        if !row.is_told() {
            let title = format!("{}: {caught}", fault.name);
            let text = format!("fail[{}]: {}: {}", fault.breaks, result.name, result.title);
            let finding = FindingResult::in_words(Verdict::Fail, &title, &text);
            result.add(finding.about(Some(fault.breaks)));
        }
        results.push(result);
    }
    results
}

/// What became of a fault.
fn caught(row: &MutationRow, names_all: bool) -> String {
    let id = row.fault.breaks;
    match row.score() {
        Score::Caught if row.is_open() => format!("caught, although {id} leaves it open"),
        Score::Caught => {
            let names = &row.blamed[id];
            let last = |name: &String| name.rsplit('/').next().unwrap_or_default().to_owned();
            let most = if names_all { names.len() } else { FEW };
            let named: Vec<_> = names.iter().take(most).map(last).collect();
            let more = match names.len().saturating_sub(most) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("caught by {}{more}", named.join(", "))
        }
        Score::Elsewhere => {
            let others: Vec<_> = row.blamed.keys().copied().collect();
            let others = others.join(", ");
            format!("scenarios fail only under other requirements: {others}")
        }
        Score::Observed if row.is_open() => format!("observed: {id} leaves it open"),
        Score::Broken => "no game could be played".to_owned(),
        Score::Observed | Score::Missed => "no scenario notices".to_owned(),
    }
}

/// How many faults are caught, in one line.
#[must_use]
pub fn summarize_matrix(matrix: &Matrix) -> String {
    let count = |score, words: &str| match matrix.count(score) {
        0 => None,
        number => Some(format!("{number} {words}")),
    };
    let due = matrix.rows.len() - matrix.count(Score::Observed);
    let caught = due - matrix.count(Score::Missed);
    let alarms = match matrix.false_alarms.len() {
        0 => "no false alarm".to_owned(),
        number => counted(number, "false alarm"),
    };
    let scenarios = matrix.scenarios.len();
    let failing = scenarios - matrix.idle().len();
    let parts = [
        Some(format!("{caught} of {due} caught")),
        count(Score::Observed, "observed"),
        count(Score::Elsewhere, "under another requirement only"),
        Some(alarms),
        Some(format!(
            "{failing} of {scenarios} scenarios catch something"
        )),
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    let (game, side) = (matrix.game, matrix.side.word());
    let share = 100.0 * matrix.share();
    format!(
        "{game}, {side}: mutation score {share:.0} %: {}",
        parts.join(", ")
    )
}

/// The remarks about explored games. The first line of each counts, the others name what was never reached.
#[must_use]
pub fn coverage_notes(coverage: &Coverage) -> Vec<String> {
    let undecided = coverage.undecided.iter();
    let undecided =
        undecided.map(|(why, times)| format!("{} without a verdict: {why}", games(*times)));
    let mut notes: Vec<_> = undecided.collect();
    // Where nothing could be played, the others would only say so.
    if !coverage.is_blank() {
        let never = coverage.requirements().filter(|(_, times)| *times == 0);
        let never: Vec<_> = never
            .map(|(entry, _)| format!("{}: {}", entry.id, entry.summary))
            .collect();
        let all = coverage.requirements().count();
        let reached = format!(
            "requirements: {} of {all} put to the test",
            all - never.len()
        );
        notes.push(named(reached, never));
        notes.push(rows("situations", &coverage.situations));
        notes.push(rows("hostile turns", &coverage.hostile));
    }
    notes
}

fn rows(what: &str, rows: &[CoverageRow]) -> String {
    let possible = rows.iter().filter(|row| row.impossible.is_none()).count();
    let seen = rows.iter().filter(|row| row.times > 0).count();
    let never = rows.iter().filter(|row| row.times == 0);
    let never = never.map(|row| match (&row.impossible, row.requirement) {
        (Some(why), _) => format!("{}: not possible: {why}", row.name),
        (None, Some(id)) => format!("{} ({id})", row.name),
        (None, None) => row.name.clone(),
    });
    named(
        format!("{what}: {seen} of {possible} seen"),
        never.collect(),
    )
}

fn named(count: String, names: Vec<String>) -> String {
    names
        .iter()
        .fold(count, |text, name| format!("{text}\n  {name}"))
}

fn games(number: u64) -> String {
    counted(usize::try_from(number).unwrap_or(usize::MAX), "game")
}

/// The number of games and their verdicts in one line.
#[must_use]
pub fn summarize_coverage(coverage: &Coverage) -> String {
    let (game, side) = (coverage.game(), coverage.side().word());
    let verdicts = coverage.games.iter();
    let verdicts = verdicts.map(|(verdict, number)| format!("{number} {}", verdict.word()));
    let verdicts: Vec<_> = verdicts.collect();
    let played = games(coverage.played());
    match verdicts.is_empty() {
        true => format!("explored {game}, {side}: {played}"),
        false => format!("explored {game}, {side}: {played}: {}", verdicts.join(", ")),
    }
}
