//! The result of a scenario, or of a case of a command that plays none, as plain data.

use std::fmt::{self, Display, Formatter};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::attempts::{AttemptResult, failed_games, seconds};
use super::findings::{FindingResult, OpenResult, Place, drawn, visible_line};
use super::readings::ReadingResult;
use crate::config::Subject;
use crate::diagnostic::{Paint, Span, visible};
use crate::event::Outcome;
use crate::finding::Verdict;
use crate::pack;
use crate::requirement::Level;
use crate::scenario::{PlannedGame, Scenario};

/// The word for a result that the baseline expects.
pub(super) const EXPECTED: &str = "expected";

/// The word for a pass that the baseline does not expect.
pub(super) const UNEXPECTED_PASS: &str = "unexpected pass";

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
    /// Remarks, such as the files that were written of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
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
        let findings = 0..outcome.findings.len();
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
                .map(|number| FindingResult::new(outcome, number))
                .collect(),
            notes: Vec::new(),
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

/// Escapes bytes line by line.
fn lines_visible(bytes: &[u8]) -> String {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let lines: Vec<_> = bytes
        .split(|byte| *byte == b'\n')
        .map(visible_line)
        .collect();
    lines.join("\n")
}

/// Returns true for a value that a report leaves out.
pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
