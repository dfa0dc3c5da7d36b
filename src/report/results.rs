//! The results of a run as plain data. Every report for programs and teams is made from it, at once or later from
//! the JSON report.

use std::fmt::{self, Display, Formatter};
use std::path::{Component, Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::attempts::{AttemptResult, failed_games, seconds};
use super::finding::title;
use super::readings::{ExplanationResult, ReadingResult};
use super::{ShardHead, draw_finding};
use crate::config::Subject;
use crate::diagnostic::{LineColumn, Paint, Source, Span, counted, visible};
use crate::event::Outcome;
use crate::finding::{Finding, LaneText, LaneView, Verdict};
use crate::pack;
use crate::requirement::Level;
use crate::scenario::{PlannedGame, Scenario};

/// The word for a result that the baseline expects.
pub(super) const EXPECTED: &str = "expected";
/// The word for a pass that the baseline does not expect.
pub(super) const UNEXPECTED_PASS: &str = "unexpected pass";

/// The most bytes of a finding that are shown; the line in which they end is left out.
const LARGEST_FINDING: usize = 64 * 1024;

/// Version of the JSON report. It changes if a field changes its meaning; new fields leave it as it is.
pub const VERSION: u32 = 1;

/// Results of a run: of `urtext run`, or of a command that reports like it.
#[derive(Debug, Clone, PartialEq)]
pub struct Results {
    /// The run.
    pub run: RunHead,
    /// The scenarios, in the order in which the run names them.
    pub scenarios: Vec<ScenarioResult>,
    /// Its end; `None` if the report breaks off.
    pub end: Option<RunEnd>,
}

/// One line of a JSON report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
#[schemars(title = "One line of an urtext report (JSON Lines)")]
pub enum ReportLine {
    /// The first line: the run.
    Run(RunHead),
    /// One line for each scenario.
    Scenario(Box<ScenarioResult>),
    /// The last line. Without it, the report is incomplete.
    End(RunEnd),
}

/// Identifies a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunHead {
    /// Version of this format: 1. Readers ignore unknown fields.
    pub version: u32,
    /// Version of urtext.
    pub urtext: String,
    /// The command, such as `run`.
    pub command: String,
    /// Start of the run in UTC, in the form of RFC 3339; of a simulated run there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub began: Option<String>,
    /// The line that names the subjects and what was left out.
    pub heading: String,
    /// The part of a run that this is; `None`: a whole run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<ShardHead>,
}

/// End of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunEnd {
    /// Duration of the run in seconds.
    pub seconds: f64,
    /// Exit status.
    pub status: u8,
    /// True if the run was interrupted, so that scenarios are missing.
    #[serde(default, skip_serializing_if = "is_default")]
    pub interrupted: bool,
    /// Number of slow scenarios that were left out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub slow_left_out: usize,
    /// What all games say of the subjects' readings of the rules.
    #[serde(flatten)]
    pub explanation: ExplanationResult,
}

/// Contribution of a scenario to the exit status.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// Conforms, or its verdict is allowed.
    #[default]
    Conforms,
    /// Nothing failed, and something was not tested.
    Open,
    /// Could not be played.
    Broken,
    /// Does not conform.
    Deviates,
}

impl Standing {
    /// The standing of a verdict that is not allowed.
    #[must_use]
    pub fn of(verdict: Verdict) -> Standing {
        match verdict {
            Verdict::Pass | Verdict::Lenient => Standing::Conforms,
            Verdict::Fail => Standing::Deviates,
            Verdict::Error => Standing::Broken,
            Verdict::Flaky | Verdict::Inconclusive | Verdict::Unsupported | Verdict::Skipped => {
                Standing::Open
            }
        }
    }
}

/// Severity of a result that is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// It does not conform, or could not be played.
    Error,
    /// It was not tested, or is flaky.
    Warning,
    /// It is expected, or flaky and allowed.
    Notice,
}

/// Result of one scenario.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScenarioResult {
    /// Short name, such as `royalur/referee/extra-turn-cell-8`.
    pub name: String,
    /// Title in one line.
    pub title: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Contribution to the exit status. `--allow`, `--strict` and the baseline change it.
    pub standing: Standing,
    /// The entry of the baseline that expects the failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Expectation>,
    /// Duration of the game in seconds.
    pub seconds: f64,
    /// The game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// The subject; `None` if no subject was played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectResult>,
    /// Ids of the requirements that it checks, with their levels; the one that it exists for comes first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<Check>,
    /// Its first line, if it is a file of the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// Findings; the first one is the reason for the verdict.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<FindingResult>,
    /// All games of the scenario in their order, if it was played several times and the verdict rests on all games.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<AttemptResult>,
    /// Choices of the subject where the specification leaves one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<OpenResult>,
    /// Number of turns that were played.
    #[serde(default, skip_serializing_if = "is_default")]
    pub turns: usize,
    /// True if urtext chose what to play as the game went, so that another game may go otherwise.
    #[serde(default, skip_serializing_if = "is_default")]
    pub is_adaptive: bool,
    /// True if something came too late only because the machine was busy.
    #[serde(default, skip_serializing_if = "is_default")]
    pub has_lagged: bool,
    /// Number of empty WebSocket frames on the lane that received the most of them.
    #[serde(default, skip_serializing_if = "is_default")]
    pub empty_frames: u64,
    /// Slowest answer of the subject in seconds.
    #[serde(default, skip_serializing_if = "is_default")]
    pub slowest_answer: f64,
    /// The last output of the subject on standard error, with control characters escaped.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    /// The recording of the game that the verdict rests on, as a path from the folder in which urtext ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recording: Option<String>,
    /// The file with the scenario, as a path from the folder in which urtext ran, with `#` and the case where there are several; `None`: it
    /// is a shipped one, or was made for the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The seed that decided where urtext chose moves and rolls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Command that plays it again.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub repeat: String,
}

/// A subject.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SubjectResult {
    /// Name of the subject.
    pub name: String,
    /// `referee` or `bot`.
    pub side: String,
    /// Its entry in `urtext.yaml`, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

/// An entry of the baseline that expects a failure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Expectation {
    /// The entry.
    pub place: Place,
    /// The reason that it expects.
    pub reason: String,
    /// Its link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
}

impl Expectation {
    /// The place of the entry, and its link.
    #[must_use]
    pub fn remark(&self) -> String {
        let place = format!("{}:{}", self.place.file, self.place.line);
        match &self.link {
            Some(link) => format!("{place}, {}", visible::plain(link)),
            None => place,
        }
    }
}

impl Display for Expectation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "expected by {}", self.remark())
    }
}

/// A requirement that a scenario checks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// Its id.
    pub requirement: String,
    /// Its level.
    pub level: Level,
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// The file, from the root of its repository; outside a repository, as the user named it.
    pub file: String,
    /// First line, from 1.
    pub line: usize,
    /// First column, from 1, in characters.
    pub column: usize,
    /// Last line.
    pub end_line: usize,
    /// Last column, inclusive.
    pub end_column: usize,
}

/// One finding.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FindingResult {
    /// Verdict that follows from it.
    pub verdict: Verdict,
    /// Observation in one line.
    pub title: String,
    /// Id of the requirement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requirement: Option<String>,
    /// Level of the requirement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
    /// The sentence of the specification.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub specification: Option<String>,
    /// The step of the scenario, if the scenario is a file of the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// Text of that step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// Event at that step.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub event: String,
    /// The lanes at that moment; those that disagree come first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lanes: Vec<LaneResult>,
    /// Equal for findings of the same cause, or that differ only in numbers, names of lanes and waiting times; means nothing else.
    pub kind: String,
    /// The finding as the console shows it, without colours.
    pub text: String,
    /// The same with colours, where the console shows it in this process.
    #[serde(skip)]
    pub painted: Option<String>,
    /// The only wrong reading of the rules that explains the finding and that no game of the subject refutes; the title then infers it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<ReadingResult>,
    /// The observation, where the title is an inference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed: Option<String>,
}

/// One lane at the moment of a finding. Control characters are escaped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LaneResult {
    /// Name of the lane.
    pub lane: String,
    /// Number of the line on that lane, from 1.
    pub line: u64,
    /// The expected line, or a description of it; `None`: no line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// The received line, or a description of what came; `None`: no line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub received: Option<String>,
    /// True if both agree.
    pub agrees: bool,
}

/// A choice of the subject where the specification leaves one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct OpenResult {
    /// Id of the entry that leaves it open.
    pub requirement: String,
    /// Observation that shows the choice.
    pub seen: String,
}

impl RunHead {
    /// What the scenarios of the report are: those of a run, or the cases of another command.
    #[must_use]
    pub(super) fn noun(&self) -> &'static str {
        match self.command.as_str() {
            "verify" | "check" => "file",
            "mutants" => "fault",
            "explore" => "game",
            _ => "scenario",
        }
    }
}

impl Results {
    /// The causes of failures, a line each: those that are certain first. Nothing if the report breaks off.
    pub fn causes(&self) -> impl Iterator<Item = String> {
        self.end.iter().flat_map(|end| end.explanation.causes())
    }

    /// What all games say of the subjects' readings of the rules, in lines: the causes first. Nothing if the report breaks off.
    pub fn explanation(&self) -> impl Iterator<Item = String> {
        let ruled_out = self
            .end
            .iter()
            .flat_map(|end| end.explanation.ruled_out(false));
        self.causes().chain(ruled_out)
    }

    /// The number of scenarios, and how many there are of each result: the summary of every report.
    #[must_use]
    pub fn summary(&self) -> String {
        let words = [
            ("pass", "passed"),
            ("lenient", "lenient"),
            ("fail", "failed"),
            (UNEXPECTED_PASS, "passed unexpectedly"),
            (EXPECTED, "expected to fail"),
            ("flaky", "flaky"),
            ("inconclusive", "inconclusive"),
            ("unsupported", "unsupported"),
            ("skipped", "skipped"),
            ("error", "could not be played"),
        ];
        let counts = words.map(|(word, counted)| {
            let of_word = |scenario: &&ScenarioResult| scenario.word() == word;
            (self.scenarios.iter().filter(of_word).count(), counted)
        });
        let counts = counts
            .iter()
            .filter(|&&(count, word)| count > 0 || word == "passed");
        let mut parts: Vec<_> = counts
            .map(|(count, word)| format!("{count} {word}"))
            .collect();
        match &self.end {
            Some(end) if end.interrupted => parts.push("interrupted".to_owned()),
            Some(_) => {}
            None => parts.push("the report breaks off".to_owned()),
        }
        let total = counted(self.scenarios.len(), self.run.noun());
        format!("{total}: {}", parts.join(", "))
    }

    /// Both runs as one, with the scenarios of the other one after its own. `worse` picks one of two exit statuses.
    #[must_use]
    pub fn merged(mut self, other: Results, worse: fn(u8, u8) -> u8) -> Results {
        let run = &mut self.run;
        run.began = match (run.began.take(), other.run.began) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        if run.heading != other.run.heading {
            run.heading = format!("{}; {}", run.heading, other.run.heading);
        }
        // Parts of a run are a whole now.
        run.shard = None;
        self.scenarios.extend(other.scenarios);
        self.end = self.end.zip(other.end).map(|(one, other)| RunEnd {
            seconds: one.seconds + other.seconds,
            status: worse(one.status, other.status),
            interrupted: one.interrupted || other.interrupted,
            slow_left_out: one.slow_left_out + other.slow_left_out,
            explanation: one.explanation.merged(other.explanation),
        });
        self
    }
}

/// Returns true for a value that a report leaves out.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl ScenarioResult {
    /// The result of a game.
    #[must_use]
    pub fn new(
        scenario: &Scenario,
        subject: &Subject,
        outcome: &Outcome,
        standing: Standing,
    ) -> ScenarioResult {
        let level = |id: &str| pack::requirement(id).map(|entry| entry.level);
        let check = |&id: &&'static str| {
            let requirement = id.to_owned();
            level(id).map(|level| Check { requirement, level })
        };
        let findings = outcome.findings.iter().enumerate();
        let open = outcome.open.iter().map(|choice| OpenResult {
            requirement: choice.requirement.to_owned(),
            seen: choice.seen.clone(),
        });
        ScenarioResult {
            name: outcome.name.clone(),
            title: outcome.title.clone(),
            verdict: outcome.verdict,
            standing,
            expected: None,
            seconds: seconds(outcome.took),
            game: Some(scenario.protocol().game_name().to_owned()),
            subject: Some(SubjectResult {
                name: visible::plain(&subject.name).to_string(),
                side: subject.side.word().to_owned(),
                place: subject
                    .declared
                    .as_ref()
                    .map(|(source, span)| Place::of(source, *span)),
            }),
            checks: scenario.checks().iter().filter_map(check).collect(),
            place: outcome
                .source
                .is_file()
                .then(|| Place::of(&outcome.source, Span::at(0))),
            findings: findings
                .map(|(number, finding)| FindingResult::new(outcome, number, finding))
                .collect(),
            games: outcome.games.iter().map(AttemptResult::new).collect(),
            open: open.collect(),
            turns: outcome.history.len(),
            is_adaptive: scenario.game().is_some_and(PlannedGame::varies),
            has_lagged: outcome.has_lagged,
            empty_frames: outcome.empty_frames,
            slowest_answer: seconds(outcome.slowest.longest()),
            stderr: lines_visible(&outcome.stderr),
            recording: outcome
                .recording
                .as_ref()
                .and_then(|path| path.to_str().map(str::to_owned)),
            path: outcome.source.is_file().then(|| scenario.place()),
            seed: outcome.seed,
            repeat: outcome.repeat.clone(),
        }
    }

    /// Keeps the findings of the same outcome with colours, for the console.
    pub fn paint(&mut self, outcome: &Outcome) {
        // The baseline may have added others.
        for number in 0..outcome.findings.len().min(self.findings.len()) {
            self.findings[number].painted = Some(drawn(outcome, number, Paint::Coloured));
        }
    }

    /// Severity in every report.
    #[must_use]
    pub fn severity(&self) -> Option<Severity> {
        match self.standing {
            Standing::Deviates | Standing::Broken => Some(Severity::Error),
            Standing::Open => Some(Severity::Warning),
            Standing::Conforms => self.is_reported().then_some(Severity::Notice),
        }
    }

    /// Returns true if it did not conform, broke or was flaky, and nothing excuses that.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        matches!(self.standing, Standing::Deviates | Standing::Broken)
            || self.verdict == Verdict::Flaky
    }

    /// The suite: the name without its last part.
    #[must_use]
    pub fn suite(&self) -> &str {
        let (file, _) = self.name.split_once('#').unwrap_or((&self.name, ""));
        file.rsplit_once('/').map_or(file, |(suite, _)| suite)
    }

    /// The place of a finding in a file of the user: the step, or the scenario; `None` in a shipped scenario.
    #[must_use]
    pub fn own_place<'r>(&'r self, finding: &'r FindingResult) -> Option<&'r Place> {
        finding.place.as_ref().or(self.place.as_ref())
    }

    /// The entry of the subject in `urtext.yaml`, where the user can act on a finding in a shipped scenario.
    #[must_use]
    pub fn place_of_subject(&self) -> Option<&Place> {
        self.subject.as_ref()?.place.as_ref()
    }

    /// The word for the result in every report: `expected`, `unexpected pass`, or that of the verdict.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match (&self.expected, self.verdict) {
            (Some(_), _) => EXPECTED,
            (None, Verdict::Pass) if self.standing == Standing::Deviates => UNEXPECTED_PASS,
            (None, verdict) => verdict.word(),
        }
    }

    /// Returns true if a report names its findings: it does not conform, or is flaky or expected, allowed or not.
    #[must_use]
    pub fn is_reported(&self) -> bool {
        let is_clean = self.expected.is_none() && self.verdict != Verdict::Flaky;
        self.standing != Standing::Conforms || !is_clean
    }

    /// Returns true if the reason for the verdict is worth a look: it did not pass, or does not conform.
    #[must_use]
    pub fn has_reason(&self) -> bool {
        self.is_reported() || !matches!(self.verdict, Verdict::Pass | Verdict::Lenient)
    }

    /// The number of games that failed, in words; `None` if the scenario was played once, or no game failed.
    #[must_use]
    pub fn failed_games(&self) -> Option<String> {
        failed_games(self.games.iter().map(|game| game.failed))
    }

    /// How many of its games failed, and the entry of the baseline that expects it; empty where there is nothing to say.
    #[must_use]
    pub fn remark(&self) -> String {
        let entry = self.expected.as_ref().map(Expectation::to_string);
        let remarks: Vec<_> = self.failed_games().into_iter().chain(entry).collect();
        match remarks.as_slice() {
            [] => String::new(),
            remarks => format!(" ({})", remarks.join("; ")),
        }
    }

    /// A finding as text, with the command that plays the scenario again.
    #[must_use]
    pub fn told(&self, finding: &FindingResult) -> String {
        match self.repeat.as_str() {
            "" => finding.text.clone(),
            repeat => format!("{}\nrepeat: {repeat}", finding.text),
        }
    }

    /// The only wrong reading of the rules that explains its failure.
    #[must_use]
    pub fn cause(&self) -> Option<&ReadingResult> {
        self.findings
            .iter()
            .find_map(|finding| finding.cause.as_ref())
    }

    /// The reason for the verdict.
    #[must_use]
    pub fn reason(&self) -> Option<&FindingResult> {
        self.findings.first()
    }
}

impl FindingResult {
    pub(super) fn new(outcome: &Outcome, number: usize, finding: &Finding) -> FindingResult {
        let entry = finding.requirement.and_then(pack::requirement);
        let source = &outcome.source;
        FindingResult {
            verdict: finding.verdict,
            title: visible::plain(&title(finding, &outcome.stderr)).to_string(),
            requirement: finding.requirement.map(str::to_owned),
            level: entry.map(|entry| entry.level),
            specification: entry
                .map(|entry| entry.sentence())
                .filter(|says| !says.is_empty()),
            place: finding
                .span
                .filter(|_| source.is_file())
                .map(|span| Place::of(source, span)),
            step: finding
                .span
                .map(|span| visible::plain(source.slice(source.first_line(span))).to_string()),
            event: finding.label.clone(),
            lanes: finding.lanes.iter().map(LaneResult::new).collect(),
            kind: format!("{:016x}", fnv1a(&kind(finding))),
            text: drawn(outcome, number, Paint::Plain),
            painted: None,
            cause: finding.cause().map(ReadingResult::new),
            observed: finding
                .observed
                .as_ref()
                .map(|observed| visible::plain(&observed.title).to_string()),
        }
    }

    /// The title with the level of the requirement, as the console shows it.
    #[must_use]
    pub fn headline(&self) -> String {
        match (&self.requirement, self.level) {
            (Some(id), Some(level)) => format!("{} ({id}, {level})", self.title),
            _ => self.title.clone(),
        }
    }
}

impl LaneResult {
    fn new(view: &LaneView) -> LaneResult {
        let shown = |text: &LaneText| match text {
            LaneText::Line(line) => Some(visible::plain(line).to_string()),
            LaneText::Words(words) => Some(words.clone()),
            LaneText::Timed(words, time) => Some(LaneText::timed(words, *time)),
            LaneText::Nothing => None,
        };
        LaneResult {
            lane: view.lane.clone(),
            line: view.line_number,
            expected: shown(&view.expected),
            received: shown(&view.received),
            agrees: view.agrees,
        }
    }
}

impl Place {
    /// The place of a span.
    #[must_use]
    pub fn of(source: &Source, span: Span) -> Place {
        let start = source.position(span.start);
        // The end is inclusive here.
        let last = source.position(span.end.saturating_sub(1).max(span.start));
        Place::at(Path::new(source.name()), start, last)
    }

    /// The place of a whole line, from 1.
    #[must_use]
    pub(super) fn of_line(file: &str, line: usize) -> Place {
        let at = LineColumn { line, column: 1 };
        Place::at(Path::new(file), at, at)
    }

    fn at(file: &Path, start: LineColumn, last: LineColumn) -> Place {
        Place {
            file: visible::plain(in_repository(file).to_string_lossy().as_bytes()).to_string(),
            line: start.line,
            column: start.column,
            end_line: last.line,
            end_column: last.column,
        }
    }
}

/// Returns the path from the root of the repository; outside one, the path as it is.
fn in_repository(file: &Path) -> PathBuf {
    let Ok(whole) = file.canonicalize() else {
        return file
            .components()
            .filter(|part| *part != Component::CurDir)
            .collect();
    };
    // A worktree and a submodule have a file of that name.
    let root = whole
        .ancestors()
        .find(|folder| folder.join(".git").exists());
    root.and_then(|root| whole.strip_prefix(root).ok())
        .map_or_else(|| file.to_owned(), Path::to_owned)
}

/// The lines of a drawn finding that are shown, and a remark about those that are left out.
fn shortened(finding: String) -> String {
    if finding.len() <= LARGEST_FINDING {
        return finding;
    }
    let end = (0..=LARGEST_FINDING)
        .rev()
        .find(|&at| finding.is_char_boundary(at))
        .unwrap_or(0);
    let beginning = &finding[..finding[..end].rfind('\n').unwrap_or(end)];
    let left_out = finding.len() - beginning.len();
    format!("{beginning}\n… {left_out} more bytes of this finding are left out")
}

/// A finding of an outcome as the console shows it.
fn drawn(outcome: &Outcome, number: usize, paint: Paint) -> String {
    let finding = &outcome.findings[number];
    shortened(draw_finding(outcome, finding, number == 0, paint))
}

/// Returns the key that equal findings share: verdict, requirement, kind, and the form of the expected and
/// received lines.
///
/// Differences between scenarios do not count: numbers in lines, names of lanes, durations of waits. Of a
/// finding about the run, such as an error, only the kind counts.
fn kind(finding: &Finding) -> String {
    let is_about_the_run = matches!(
        finding.verdict,
        Verdict::Error | Verdict::Unsupported | Verdict::Skipped
    );
    let want = |want: &LaneText| match want {
        LaneText::Line(line) => form(&visible::plain(line).to_string()),
        LaneText::Words(words) | LaneText::Timed(words, _) => form(words),
        LaneText::Nothing => "nothing".to_owned(),
    };
    let lanes = finding
        .lanes
        .iter()
        .filter(|lane_view| !lane_view.agrees && !is_about_the_run && finding.observed.is_none());
    let lanes: Vec<_> = lanes
        .map(|lane_view| {
            format!(
                "{} / {}",
                want(&lane_view.expected),
                want(&lane_view.received)
            )
        })
        .collect();
    format!(
        "{:?} {:?} {:?}\n{}",
        finding.verdict,
        finding.requirement,
        finding.kind,
        lanes.join("\n")
    )
}

/// A text with every number and every row of numbers as one sign.
fn form(text: &str) -> String {
    let mut form = String::new();
    for c in text.chars() {
        let is_number = c.is_ascii_digit() || matches!(c, '.' | ' ') && form.ends_with('#');
        match is_number {
            true if form.ends_with('#') => {}
            true => form.push('#'),
            false => form.push(c),
        }
    }
    form
}

/// Escapes bytes line by line.
fn lines_visible(bytes: &[u8]) -> String {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let lines: Vec<_> = bytes
        .split(|byte| *byte == b'\n')
        .map(visible_line)
        .collect();
    lines.join("\n")
}

/// A line of a text with everything hostile escaped, also what GitHub would take for a command.
pub(super) fn visible_line<B: AsRef<[u8]> + ?Sized>(line: &B) -> String {
    let line = visible::plain(line).to_string().replace("##[", r"#\x23[");
    match line.trim_start().starts_with("::") {
        true => line.replacen(':', r"\x3a", 1),
        false => line,
    }
}

/// The FNV-1a hash, which no version of Rust changes.
pub(super) fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_make_no_difference_and_words_do() {
        assert_eq!(form("nothing for 5.0 s"), form("nothing for 12.25 s"));
        assert_eq!(form("0 1 1 0"), form("1 1"));
        assert_ne!(form("0 1 1 0"), form("RETIRE"));
        assert_ne!(form("1"), form("1x"));
    }

    #[test]
    fn of_a_large_finding_the_beginning_is_shown_and_what_is_left_out_is_said() {
        assert_eq!(
            shortened("fail: a title\n and more".to_owned()),
            "fail: a title\n and more"
        );
        let large = shortened("ż\n".to_owned() + &"ż".repeat(LARGEST_FINDING));
        assert_eq!(large, "ż\n… 131073 more bytes of this finding are left out");
    }
}
