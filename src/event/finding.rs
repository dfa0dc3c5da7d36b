use std::time::Duration;

use super::Frames;
use crate::diagnostic::{Source, Span};
use crate::protocol::Happening;
use crate::rules::Setup;
use crate::scenario::Scenario;
use crate::transcript::Transcript;

/// What a scenario says of the subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// Everything was as it must be.
    Pass,
    /// The same, and the subject chose where the specification leaves something open.
    Lenient,
    /// The scenario was not played, for a stated reason.
    Skipped,
    /// The scenario needs something that this subject or this way of reaching it does not have.
    Unsupported,
    /// Its preconditions never arose.
    Inconclusive,
    /// The subject deviated by silence or lateness, and passed when the scenario was played again.
    Flaky,
    /// The run broke, and that says nothing of the subject's conformance.
    Error,
    /// The subject deviates.
    Fail,
}

impl Verdict {
    /// The verdict of that word.
    #[must_use]
    pub fn of(word: &str) -> Option<Verdict> {
        use Verdict::{Error, Fail, Flaky, Inconclusive, Lenient, Pass, Skipped, Unsupported};
        let all = [Pass, Lenient, Skipped, Unsupported, Inconclusive, Flaky, Error, Fail];
        all.into_iter().find(|verdict| verdict.word() == word)
    }

    /// The word for it in every report.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Lenient => "lenient",
            Verdict::Skipped => "skipped",
            Verdict::Unsupported => "unsupported",
            Verdict::Inconclusive => "inconclusive",
            Verdict::Flaky => "flaky",
            Verdict::Error => "error",
            Verdict::Fail => "fail",
        }
    }
}

/// What was due on a lane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Want {
    /// This line.
    Line(Vec<u8>),
    /// Something, in words.
    Words(String),
}

/// One lane at the moment of a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sight {
    /// Whose lane: `PlayerB (second)`, `spectator 1`; hostile bytes are escaped already.
    pub lane: String,
    /// Number of the line on that lane, from 1.
    pub line_number: u64,
    /// What was due.
    pub expected: Want,
    /// What came.
    pub received: Want,
    /// Whether both agree; such a lane is shown beside the others for comparison.
    pub agrees: bool,
}

/// Something that a check says of the subject.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Which verdict it leads to.
    pub verdict: Verdict,
    /// Id of the requirement it is about.
    pub requirement: Option<&'static str>,
    /// What was seen, in one line; what is inferred is worded as such.
    pub title: String,
    /// The step of the scenario in which it was seen.
    pub span: Option<Span>,
    /// What happened at that step, to stand beside the carets.
    pub label: String,
    /// The step before it, on which the turn rests, with what happened there.
    pub context: Option<(Span, String)>,
    /// The lanes, those that disagree first.
    pub lanes: Vec<Sight>,
    /// The board, with a line that says when.
    pub board: Option<(String, String)>,
    /// The last lines of every lane, by name, `>` before what was sent; escaped already.
    pub tails: Vec<(String, Vec<String>)>,
    /// Further remarks.
    pub notes: Vec<String>,
    /// Whether it rests on something not having come in time, so that load could be the cause.
    pub by_silence: bool,
    /// Whether the network is to blame, or who killed a supervisor, so that it says nothing of the subject.
    pub by_network: bool,
    /// Whether other rolls came than those that were forced, so that what was written to the roll hook belongs to it.
    pub by_hook: bool,
    /// Key of `urtext.yaml` without whose value this cannot be judged, however often the game is played.
    pub settled_by: Option<&'static str>,
}

impl Finding {
    /// A finding with nothing but its verdict and title.
    #[must_use]
    pub fn new(verdict: Verdict, title: impl Into<String>) -> Finding {
        Finding {
            verdict,
            requirement: None,
            title: title.into(),
            span: None,
            label: String::new(),
            context: None,
            lanes: Vec::new(),
            board: None,
            tails: Vec::new(),
            notes: Vec::new(),
            by_silence: false,
            by_network: false,
            by_hook: false,
            settled_by: None,
        }
    }
}

/// What a subject chose where the specification leaves it open.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct OpenChoice {
    /// Id of the entry that leaves it open.
    pub requirement: &'static str,
    /// What was seen.
    pub seen: String,
}

/// The longest that a subject took for a line, since anything was said before it; pace and timeout are not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Slowest {
    /// For its first line, since the lanes were there.
    pub first: Duration,
    /// For any later one.
    pub later: Duration,
}

impl Slowest {
    /// The longest of all.
    #[must_use]
    pub fn longest(self) -> Duration {
        self.first.max(self.later)
    }
}

/// What came of one scenario.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Short name of the scenario.
    pub name: String,
    /// What it is about.
    pub title: String,
    /// Its text, for positions.
    pub source: Source,
    /// The verdict.
    pub verdict: Verdict,
    /// What led to it; the first is the reason, later ones follow from it or stand beside it.
    pub findings: Vec<Finding>,
    /// What the subject chose where the specification leaves it open.
    pub open: Vec<OpenChoice>,
    /// Whether it was cut short since another game of the run waits in full for what seems to be the same: alone it decides nothing.
    pub was_hurried: bool,
    /// What was observed.
    pub transcript: Transcript,
    /// What a golden transcript of this game has to say; `None` where the observation differs from the prediction.
    pub prediction: Option<Transcript>,
    /// What happened, as far as the game went as predicted.
    pub history: Vec<Happening>,
    /// What chance had fixed before the first turn, where it was told.
    pub setup: Option<Setup>,
    /// How long the game took.
    pub took: Duration,
    /// How long the subject took for a line.
    pub slowest: Slowest,
    /// The last bytes that the subject wrote to standard error.
    pub stderr: Vec<u8>,
    /// How the bytes of its lanes came; `None` where no frames carry them.
    pub frames: Option<Frames>,
    /// Whether something came too late, or not at all, and only lag of the machine explains that, in the first game or the second.
    pub has_lagged: bool,
    /// The command that repeats it.
    pub repeat: String,
}

impl Outcome {
    /// The outcome of a game in which nothing was observed yet; the verdict is pass.
    #[must_use]
    pub fn new(scenario: &Scenario) -> Outcome {
        Outcome {
            name: scenario.name.clone(),
            title: scenario.title.clone(),
            source: scenario.source.clone(),
            verdict: Verdict::Pass,
            findings: Vec::new(),
            open: Vec::new(),
            was_hurried: false,
            transcript: Transcript { dialect: scenario.dialect.name().to_owned(), lanes: Vec::new() },
            prediction: None,
            history: Vec::new(),
            setup: None,
            took: Duration::ZERO,
            slowest: Slowest::default(),
            stderr: Vec::new(),
            frames: None,
            has_lagged: false,
            repeat: String::new(),
        }
    }

    /// The outcome of a game that ends with one finding.
    #[must_use]
    pub fn with(mut self, finding: Finding) -> Outcome {
        self.verdict = finding.verdict;
        self.findings = vec![finding];
        self
    }
}
