//! Findings about a subject, and their verdicts: neutral ground between notations, judge, `verify` and reports.

mod kind;
mod symptom;

use std::time::Duration;

pub use kind::{Excuse, FindingKind, FindingSort, LastEvent};
use schemars::JsonSchema;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer};
use serde::{Deserialize, Serialize};
pub use symptom::{Reaction, Symptom};

use crate::diagnostic::Span;
use crate::rules::{Mistake, Seat};

/// Verdict of a scenario on the subject.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Default,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Everything was as it must be.
    #[default]
    Pass,
    /// The same, and the subject chose where the specification leaves something open.
    Lenient,
    /// The scenario was not played, for a stated reason.
    Skipped,
    /// The scenario needs something that this subject or this way of reaching it does not have.
    Unsupported,
    /// Its preconditions never arose.
    Inconclusive,
    /// A game of the scenario failed, and another one passed.
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
        let word: StrDeserializer<'_, Error> = word.into_deserializer();
        Verdict::deserialize(word).ok()
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

/// The expected or received content of a lane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LaneText {
    /// This line.
    Line(Vec<u8>),
    /// A description.
    Words(String),
    /// A description that ends with a time, which differs from game to game.
    Timed(String, Duration),
    /// Nothing.
    Nothing,
}

impl LaneText {
    /// A description and a time as one text: `nothing for 5.0 s`.
    #[must_use]
    pub fn timed(words: &str, time: Duration) -> String {
        format!("{words} {:.1} s", time.as_secs_f64())
    }
}

/// A line of a file that holds a finished game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileLine {
    /// The file.
    pub file: String,
    /// The line, from 1; for a missing line, the one where it would be.
    pub line: usize,
}

/// A remark that a finding shows below its lanes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// The word before it, such as `where`.
    pub word: Option<&'static str>,
    /// The remark; escaped already.
    pub text: String,
}

/// Where a game first looks otherwise to a subject that believes a wrong reading of the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BeliefView {
    /// The turn, and what happened then.
    pub when: String,
    /// The board before that.
    pub before: Option<String>,
    /// Each with its heading: the lines of the board after it by the rules, and as the subject believes.
    pub boards: [(String, Vec<String>); 2],
}

/// What is wrong with a line that tells an event of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineFault {
    /// It was not sent when it was due.
    Missing,
    /// It was sent twice.
    Doubled,
    /// Another line came in its place.
    Changed,
}

/// A line that tells an event of the game, and is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StrayLine {
    /// Number of the event, from 0.
    pub event: usize,
    /// The player to whom the line is due; `None` for a spectator.
    pub to: Option<Seat>,
    /// What is wrong with it.
    pub fault: LineFault,
}

/// One lane at the moment of a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaneView {
    /// Name of the lane: `PlayerB (second)`, `spectator 1`; hostile bytes are escaped already.
    pub lane: String,
    /// Number of the line on that lane, from 1.
    pub line_number: u64,
    /// The expected line.
    pub expected: LaneText,
    /// The received line.
    pub received: LaneText,
    /// True if both agree; such a lane is shown for comparison.
    pub agrees: bool,
}

/// An observation without an inference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observation {
    /// The observation.
    pub kind: FindingKind,
    /// The observation in one line.
    pub title: String,
    /// Id of the requirement that it is about.
    pub requirement: Option<&'static str>,
}

/// A check's result about the subject.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Verdict that follows from the finding.
    pub verdict: Verdict,
    /// Id of the requirement it is about.
    pub requirement: Option<&'static str>,
    /// Distinguishes the finding from another one.
    pub kind: FindingKind,
    /// Observation in one line, by the words of its kind; an inference is worded as such.
    pub title: String,
    /// The variants of the rules that would show the same: the title infers the only one, and `supposition` names several.
    pub variants: Vec<&'static Mistake>,
    /// Names several `variants` in a sentence; reports show it above the notes.
    pub supposition: Option<String>,
    /// The wrong readings of the rules under which the whole game up to this observation is right; `None` if no reading of the rules can
    /// be the reason.
    pub hypotheses: Option<Vec<&'static Mistake>>,
    /// What shows them; `None` as well where the rules themselves would show it.
    pub symptom: Option<Symptom>,
    /// The line that a referee did not send when it was due, sent twice or sent wrongly, where the finding is about one.
    pub stray: Option<StrayLine>,
    /// The observation, where the title is an inference.
    pub observed: Option<Observation>,
    /// The line of a file, where the game was read from one.
    pub in_file: Option<FileLine>,
    /// The step of the scenario in which it was seen.
    pub span: Option<Span>,
    /// Event at that step, for the text next to the carets.
    pub label: String,
    /// The step before it, on which the turn rests, with what happened there.
    pub context: Option<(Span, String)>,
    /// The lanes, those that disagree first.
    pub lanes: Vec<LaneView>,
    /// The board, with a line that says when.
    pub board: Option<(String, String)>,
    /// Where the game looks otherwise to the subject, if the title infers what it believes.
    pub belief: Option<BeliefView>,
    /// The last lines of every lane, by name, `>` before what was sent; escaped already.
    pub tails: Vec<(String, Vec<String>)>,
    /// Remarks about the lanes.
    pub remarks: Vec<Remark>,
    /// Further remarks.
    pub notes: Vec<String>,
    /// How the subject's process ended, where it crashed and that is what was found.
    pub crash: Option<String>,
    /// True for a bot that crashed when its move was due. That alone shows a mistake in its program, and none about the rules.
    pub crashed_in_turn: bool,
    /// True if the finding rests on a line that did not arrive in time, so that load could be the cause.
    pub by_silence: bool,
    /// True if the network, or a killed supervisor, is the cause, so that the finding says nothing about the
    /// subject.
    pub by_network: bool,
    /// True if the received rolls differ from the forced ones, so that the roll hook's content belongs to the
    /// finding.
    pub by_hook: bool,
    /// Key of `urtext.yaml` without whose value this cannot be judged, however often the game is played.
    pub settled_by: Option<&'static str>,
}

impl Finding {
    /// The moment of the board of a finding about a line of a file.
    pub const BEFORE_LINE: &str = "before this line";

    /// A finding with nothing but its verdict, and its kind with the words of that as its title.
    #[must_use]
    pub fn new(verdict: Verdict, kind: impl Into<FindingKind>) -> Finding {
        let kind = kind.into();
        Finding {
            verdict,
            requirement: None,
            title: kind.to_string(),
            kind,
            variants: Vec::new(),
            supposition: None,
            hypotheses: None,
            symptom: None,
            stray: None,
            observed: None,
            in_file: None,
            crash: None,
            crashed_in_turn: false,
            span: None,
            label: String::new(),
            context: None,
            lanes: Vec::new(),
            board: None,
            belief: None,
            tails: Vec::new(),
            remarks: Vec::new(),
            notes: Vec::new(),
            by_silence: false,
            by_network: false,
            by_hook: false,
            settled_by: None,
        }
    }

    /// A finding about the part of a file with this span.
    #[must_use]
    pub fn at(
        span: Span,
        verdict: Verdict,
        requirement: &'static str,
        kind: impl Into<FindingKind>,
    ) -> Finding {
        Finding {
            requirement: Some(requirement),
            span: Some(span),
            ..Finding::new(verdict, kind)
        }
    }

    /// Changes the kind of the finding, and its title with it.
    pub fn set_kind(&mut self, kind: impl Into<FindingKind>) {
        self.kind = kind.into();
        self.title = self.kind.to_string();
    }

    /// Says why the finding decides nothing.
    pub fn doubt(&mut self, doubt: Excuse) {
        let kind = std::mem::replace(&mut self.kind, FindingKind::NothingCame);
        self.set_kind(FindingKind::Doubtful(Box::new(kind), doubt));
    }

    /// The same finding under the title that the subject plays by this variant of the rules. `plain`: the requirement that it is about
    /// where that is refuted.
    #[must_use]
    pub fn inferring(
        mut self,
        subject: &'static str,
        variant: &'static Mistake,
        plain: &'static str,
    ) -> Finding {
        self.suppose(subject, vec![variant]);
        self.set_plain_requirement(plain);
        self
    }

    /// Sets the requirement that the finding is about where the inference in its title is refuted.
    pub fn set_plain_requirement(&mut self, plain: &'static str) {
        if let Some(observed) = &mut self.observed {
            observed.requirement = Some(plain);
        }
    }

    /// Supposes that the subject plays by one of these variants of the rules, and no longer by those that were supposed before. The
    /// title infers the only one, and `supposition` names several.
    pub fn suppose(&mut self, subject: &'static str, variants: Vec<&'static Mistake>) {
        self.suppose_nothing();
        match variants[..] {
            [] => {}
            [row] => self.infer(FindingKind::Variant {
                subject,
                name: row.name,
                summary: row.summary,
            }),
            _ => self.supposition = supposition(subject, &variants),
        }
        self.variants = variants;
    }

    /// Supposes no variant of the rules: the title is the observation.
    fn suppose_nothing(&mut self) {
        self.supposition = None;
        self.variants.clear();
        if let Some(observed) = self.observed.take() {
            (self.kind, self.title) = (observed.kind, observed.title);
            self.requirement = observed.requirement;
        }
    }

    /// Takes away every inference: what is left is the observation.
    pub fn forget_cause(&mut self) {
        self.suppose_nothing();
        let kind = self.kind.clone().without_inference();
        self.set_kind(kind);
        self.belief = None;
    }

    /// Adds to the observation what the games that failed alone have in common.
    pub fn under(&mut self, circumstance: String) {
        let kind = std::mem::replace(&mut self.kind, FindingKind::NothingCame);
        self.set_kind(FindingKind::Under(Box::new(kind), circumstance));
    }

    /// Says first which games of a server failed: what the server keeps of a game is the reason.
    pub fn after_first(&mut self, games: String) {
        let kind = std::mem::replace(&mut self.kind, FindingKind::NothingCame);
        self.set_kind(FindingKind::Later(Box::new(kind), games));
    }

    /// Names these variants of the rules below the observation, as what this failure alone shows of its cause.
    pub fn allow_for(&mut self, subject: &'static str, variants: &[&'static Mistake]) {
        self.suppose_nothing();
        self.supposition = supposition(subject, variants)
            .map(|supposed| format!("possibly {supposed}: only this failure fits"));
    }

    /// Infers, in the title, that the subject plays by one of the two variants of the rules that are supposed.
    pub fn infer_either(&mut self, subject: &'static str) {
        if let [one, other] = self.variants[..] {
            self.supposition = None;
            let summaries = [one.summary, other.summary];
            self.infer(FindingKind::EitherVariant { subject, summaries });
        }
    }

    /// Infers a cause in the title, in place of what was observed.
    fn infer(&mut self, kind: FindingKind) {
        self.observed = Some(Observation {
            kind: self.kind.clone(),
            title: std::mem::take(&mut self.title),
            requirement: self.requirement,
        });
        self.set_kind(kind);
    }

    /// The remarks below the lanes, the supposition first.
    pub fn all_notes(&self) -> impl Iterator<Item = &String> {
        self.supposition.iter().chain(&self.notes)
    }

    /// The variant of the rules that the title infers, if it infers one.
    #[must_use]
    pub fn cause(&self) -> Option<&'static Mistake> {
        self.observed.as_ref()?;
        match self.variants[..] {
            [row] => Some(row),
            _ => None,
        }
    }

    /// The observation in one line, where the title is an inference.
    #[must_use]
    pub fn observation(&self) -> &str {
        self.observed
            .as_ref()
            .map_or(&self.title, |observed| &observed.title)
    }

    /// The finding in one line, after its place in a file where it has one.
    #[must_use]
    pub fn in_one_line(&self) -> String {
        match &self.in_file {
            Some(FileLine { file, line }) => format!("{file}:{line}: {}", self.title),
            None => self.title.clone(),
        }
    }
}

/// Says that the subject plays by one of these variants of the rules; `None` for more than two, which tell a reader nothing.
fn supposition(subject: &str, variants: &[&Mistake]) -> Option<String> {
    let named: Vec<_> = variants.iter().map(|row| row.summary).collect();
    let named = named.join(", or as if ");
    (variants.len() <= 2).then(|| format!("the {subject} behaves as if {named}"))
}
