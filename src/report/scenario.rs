//! The result of a scenario, or of a case of a command that plays none, as plain data.

use std::fmt::{self, Display, Formatter};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::finding::lines_visible;
use super::findings::{FindingResult, Place};
use super::mistakes::MistakeResult;
use super::status::Status;
use crate::config::Subject;
use crate::diagnostic::{Span, visible};
use crate::event::{GameSummary, OpenChoice, Outcome, seconds};
use crate::finding::Verdict;
use crate::pack;
use crate::requirement::Level;
use crate::scenario::{PlannedGame, Scenario};

/// The word for a result that the baseline expects.
pub(super) const EXPECTED: &str = "expected";

/// The word for a pass that the baseline does not expect.
pub(super) const UNEXPECTED_PASS: &str = "unexpected pass";

/// Result of one scenario.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ScenarioResult {
    /// Short name, such as `royalur/referee/extra-turn-cell-8`.
    pub name: String,
    /// Title in one line.
    pub title: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Contribution to the exit status. `--allow`, `--strict` and the baseline change it.
    pub standing: Status,
    /// The entry of the baseline that expects the failure.
    pub expected: Option<Expectation>,
    /// Duration of the game in seconds.
    pub seconds: f64,
    /// The game.
    pub game: Option<String>,
    /// The subject; `None` if no subject was played.
    pub subject: Option<SubjectResult>,
    /// Ids of the requirements that it checks, with their levels; the one that it exists for comes first.
    pub checks: Vec<Check>,
    /// Its first line, if it is a file of the user.
    pub place: Option<Place>,
    /// Findings; the first one is the reason for the verdict.
    pub findings: Vec<FindingResult>,
    /// Remarks, such as the files that were written of it.
    pub notes: Vec<String>,
    /// All games of the scenario in their order, if it was played several times and the verdict rests on all games.
    pub games: Vec<GameSummary>,
    /// Choices of the subject where the specification leaves one.
    pub open: Vec<OpenChoice>,
    /// Number of turns that were played.
    pub turns: usize,
    /// True if urtext chose what to play as the game went, so that another game may go otherwise.
    pub is_adaptive: bool,
    /// True if something came too late only because the machine was busy.
    pub has_lagged: bool,
    /// Number of empty WebSocket frames on the lane that received the most of them.
    pub empty_frames: u64,
    /// Slowest answer of the subject in seconds.
    pub slowest_answer: f64,
    /// The last output of the subject on standard error, with control characters escaped.
    pub stderr: String,
    /// The recording of the game that the verdict rests on, as a path from the folder in which urtext ran.
    pub recording: Option<String>,
    /// Command that plays it again.
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
        standing: Status,
    ) -> ScenarioResult {
        let check = |&id: &&'static str| {
            let level = pack::requirement(id)?.level;
            let requirement = id.to_owned();
            Some(Check { requirement, level })
        };
        let source = &outcome.source;
        let declared = subject.declared.as_ref();
        let recording = outcome.recording.as_ref();
        ScenarioResult {
            name: outcome.name.clone(),
            title: outcome.title.clone(),
            verdict: outcome.verdict,
            standing,
            seconds: seconds(outcome.took),
            game: Some(scenario.protocol().game_name().to_owned()),
            subject: Some(SubjectResult {
                name: visible::plain(&subject.name).to_string(),
                side: subject.side.word().to_owned(),
                place: declared.map(|(source, span)| Place::of(source, *span)),
            }),
            checks: scenario.checks().iter().filter_map(check).collect(),
            place: source.is_file().then(|| Place::of(source, Span::at(0))),
            findings: FindingResult::of(outcome),
            games: outcome.games.clone(),
            open: outcome.open.clone(),
            turns: outcome.history.len(),
            is_adaptive: scenario.game().is_some_and(PlannedGame::varies),
            has_lagged: outcome.has_lagged,
            empty_frames: outcome.empty_frames,
            slowest_answer: seconds(outcome.slowest.longest()),
            stderr: lines_visible(&outcome.stderr),
            recording: recording.and_then(|path| path.to_str().map(str::to_owned)),
            repeat: outcome.repeat.clone(),
            ..ScenarioResult::default()
        }
    }

    /// The standing of a result whose findings a report names: it does not conform, or is flaky or expected, allowed or not.
    #[must_use]
    pub fn reported(&self) -> Option<Status> {
        let is_clean = self.expected.is_none() && self.verdict != Verdict::Flaky;
        (self.standing != Status::Conforms || !is_clean).then_some(self.standing)
    }

    /// Returns true if it did not conform or broke.
    pub(super) fn is_failure(&self) -> bool {
        self.standing >= Status::Broken
    }

    /// Returns true if it did not conform, broke or was flaky, and nothing excuses that.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.is_failure() || self.verdict == Verdict::Flaky
    }

    /// The suite: the name without its last part.
    #[must_use]
    pub fn suite(&self) -> &str {
        let (file, _) = self.name.split_once('#').unwrap_or((&self.name, ""));
        file.rsplit_once('/').map_or(file, |(suite, _)| suite)
    }

    /// The place of a finding in a file of the user: the step or the scenario; of a shipped scenario, the entry of the subject in `urtext.yaml`.
    #[must_use]
    pub fn place_of<'r>(&'r self, finding: &'r FindingResult) -> Option<&'r Place> {
        let subject = self.subject.as_ref();
        let subject = || subject.and_then(|subject| subject.place.as_ref());
        let own = finding.place.as_ref().or(self.place.as_ref());
        own.or_else(subject)
    }

    /// The word for the result in every report: `expected`, `unexpected pass`, or that of the verdict.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match (&self.expected, self.verdict) {
            (Some(_), _) => EXPECTED,
            (None, Verdict::Pass) if self.standing == Status::Deviates => UNEXPECTED_PASS,
            (None, verdict) => verdict.word(),
        }
    }

    /// Returns true if the reason for the verdict is worth a look: it did not pass, or does not conform.
    #[must_use]
    pub fn has_reason(&self) -> bool {
        self.reported().is_some() || !matches!(self.verdict, Verdict::Pass | Verdict::Lenient)
    }

    /// The number of games that failed, in words; `None` if the scenario was played once, or no game failed.
    #[must_use]
    pub fn failed_games(&self) -> Option<String> {
        let (failed, played) = (self.failures().count(), self.games.len());
        (failed > 0).then(|| format!("{failed} of {played} games failed"))
    }

    /// Its games that failed, if the scenario was played several times.
    pub(super) fn failures(&self) -> impl Iterator<Item = &GameSummary> {
        self.games.iter().filter(|game| game.has_failed)
    }

    /// How many of its games failed, and the entry of the baseline that expects it; empty where there is nothing to say.
    #[must_use]
    pub fn remark(&self) -> String {
        let entry = self.expected.as_ref().map(Expectation::to_string);
        let remarks: Vec<_> = self.failed_games().into_iter().chain(entry).collect();
        match remarks.is_empty() {
            true => String::new(),
            false => format!(" ({})", remarks.join("; ")),
        }
    }

    /// The word for the result, and the requirement and the title of a finding.
    pub(super) fn title_of(&self, finding: &FindingResult) -> String {
        let id = finding.requirement.iter().map(|id| format!("[{id}]"));
        let id: String = id.collect();
        format!("{}{id}: {}", self.word(), finding.title)
    }

    /// A finding as text, with the command that plays the scenario again.
    #[must_use]
    pub fn in_full(&self, finding: &FindingResult) -> String {
        match self.repeat.as_str() {
            "" => finding.text.clone(),
            repeat => format!("{}\nrepeat: {repeat}", finding.text),
        }
    }

    /// The only mistake that explains its failure.
    #[must_use]
    pub fn cause(&self) -> Option<&MistakeResult> {
        self.findings
            .iter()
            .find_map(|finding| match &finding.mistakes[..] {
                [cause] => Some(cause),
                _ => None,
            })
    }

    /// The reason for the verdict.
    #[must_use]
    pub fn reason(&self) -> Option<&FindingResult> {
        self.findings.first()
    }
}
