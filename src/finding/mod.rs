//! Findings about a subject, and their verdicts: neutral ground between notations, judge, `verify` and reports.

use schemars::JsonSchema;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer};
use serde::{Deserialize, Serialize};

use crate::diagnostic::Span;
use crate::rules::{Mistake, Move, Seat};

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
    /// Nothing.
    Nothing,
}

impl<T: Into<String>> From<T> for LaneText {
    fn from(words: T) -> LaneText {
        LaneText::Words(words.into())
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

/// The first turn that a subject with a mistake in the rules sees in another way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BeliefView {
    /// The turn, and what happened then.
    pub when: String,
    /// Each with its heading: the lines of the board after it by the rules, and as the subject believes.
    pub boards: [(String, Vec<String>); 2],
}

/// Unexpected action of the subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reaction {
    /// A roll.
    Roll,
    /// The move that was sent, relayed as valid.
    Move,
    /// A loss.
    Loss,
    /// Nothing.
    Nothing,
    /// Nothing, and no lane ends: a move is awaited.
    Waits,
    /// The end of the stream.
    End,
    /// A line that means nothing.
    Other,
    /// A bot's line: the move that it names, if it names one.
    Answer(Option<Move>),
    /// A bot's line that is no move but a number: this would be its move.
    Number(Move),
}

/// What a failed game shows of the subject's mistake in the rules: what it did where the rules awaited something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Symptom {
    /// What the subject did.
    pub reaction: Reaction,
    /// Number of events that it has shown for certain.
    pub settled: usize,
    /// The line after them that a referee may have taken otherwise: its player, and the move that it names, if it names one.
    pub attempt: Option<(Seat, Option<Move>)>,
    /// The player whose lane it is, if nobody tells players their own moves.
    pub lane_of: Option<Seat>,
    /// True if the timeout has passed since the last turn began.
    pub is_time_over: bool,
}

impl Symptom {
    /// Returns true if a bot sent a move.
    #[must_use]
    pub fn is_move(&self) -> bool {
        matches!(
            self.reaction,
            Reaction::Answer(Some(_)) | Reaction::Number(_)
        )
    }
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
    /// The line that told the event of its sort before came in its place.
    Repeated,
    /// The move that is refused came before the loss.
    Preceded,
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
    /// Id of the requirement of the line.
    pub requirement: &'static str,
}

/// One lane that disagrees, at the moment of a finding.
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
}

impl LaneView {
    /// A lane, its name, the number of its line, and what was expected and received.
    #[must_use]
    pub fn new(
        lane: impl Into<String>,
        line_number: u64,
        expected: impl Into<LaneText>,
        received: impl Into<LaneText>,
    ) -> LaneView {
        LaneView {
            lane: lane.into(),
            line_number,
            expected: expected.into(),
            received: received.into(),
        }
    }
}

/// A check's result about the subject.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Finding {
    /// Verdict that follows from the finding.
    pub verdict: Verdict,
    /// Id of the requirement it is about.
    pub requirement: Option<&'static str>,
    /// The requirement that it is about if no mistake in the rules is the reason, where it is about that of a mistake.
    pub plain: Option<&'static str>,
    /// The finding in one line. It may name a cause that is only inferred; `observed` is set then.
    pub title: String,
    /// The observation alone, where the title infers its cause.
    pub observed: Option<String>,
    /// True for a failure of every game of a server but the first, which passed.
    pub is_later: bool,
    /// The mistakes that would show the same. The title infers them, if they are one or two.
    pub variants: Vec<&'static Mistake>,
    /// What the subject did, where the finding is about a line or the end of a lane.
    pub reaction: Option<Reaction>,
    /// What the finding shows of the subject's rules; `None` where the rules themselves would show it, and where no rules can be the reason.
    pub symptom: Option<Symptom>,
    /// The line that a referee did not send when it was due, sent twice or sent wrongly, where the finding is about one.
    pub stray: Option<StrayLine>,
    /// The line of a file, where the game was read from one.
    pub in_file: Option<FileLine>,
    /// The step of the scenario in which it was seen.
    pub span: Option<Span>,
    /// Event at that step, for the text next to the carets.
    pub label: String,
    /// The step before it, on which the turn rests, with what happened there.
    pub context: Option<(Span, String)>,
    /// The lanes that disagree, the one that showed it first.
    pub lanes: Vec<LaneView>,
    /// The board, with a line that says when.
    pub board: Option<(String, String)>,
    /// Where the game looks otherwise to the subject, if the title infers what it believes.
    pub belief: Option<BeliefView>,
    /// The last lines of every lane, by name, `>` before what was sent; escaped already.
    pub tails: Vec<(String, Vec<String>)>,
    /// Remarks; escaped already.
    pub notes: Vec<String>,
    /// How the subject's process ended, where it crashed and that is what was found.
    pub crash: Option<String>,
    /// True if the finding rests on a line that did not arrive in time, so that load could be the cause.
    pub by_silence: bool,
    /// True if the network, or a killed supervisor, is the cause, so that the finding says nothing about the
    /// subject.
    pub by_network: bool,
    /// True if the received rolls differ from the forced ones, so that the roll hook's content belongs to the
    /// finding.
    pub by_hook: bool,
    /// True if a key of `urtext.yaml` is missing, without which this cannot be judged, however often the game is played.
    pub needs_setting: bool,
}

impl Finding {
    /// The most mistakes that a title infers: of more, the games tell too little.
    pub const INFERRED: usize = 2;
    /// The moment of the board of a finding about a line of a file.
    pub const BEFORE_LINE: &str = "before this line";

    /// A finding with nothing but its verdict and its title.
    #[must_use]
    pub fn new(verdict: Verdict, title: impl Into<String>) -> Finding {
        Finding {
            verdict,
            title: title.into(),
            ..Finding::default()
        }
    }

    /// The finding with another note.
    #[must_use]
    pub fn noted(mut self, note: impl Into<String>) -> Finding {
        self.notes.push(note.into());
        self
    }

    /// A finding about the part of a file with this span.
    #[must_use]
    pub fn at(
        span: Span,
        verdict: Verdict,
        requirement: &'static str,
        title: impl Into<String>,
    ) -> Finding {
        Finding {
            requirement: Some(requirement),
            span: Some(span),
            ..Finding::new(verdict, title)
        }
    }

    /// Gives it another title, which is an observation.
    pub fn retitle(&mut self, title: impl Into<String>) {
        (self.title, self.observed) = (title.into(), None);
    }

    /// Gives it a title that infers a cause of what was observed.
    pub fn infer(&mut self, title: String) {
        self.drop_inference();
        self.observed = Some(std::mem::replace(&mut self.title, title));
    }

    /// Leaves the observation alone in the title, where it infers a cause.
    pub fn drop_inference(&mut self) {
        if let Some(observed) = self.observed.take() {
            self.title = observed;
        }
    }

    /// Returns true if a note asks something, such as whether the subject was started well.
    #[must_use]
    pub fn has_questions(&self) -> bool {
        self.notes.iter().any(|note| note.ends_with('?'))
    }

    /// Leaves out the questions of notes, such as whether the subject was started well, where the reason is known.
    pub fn drop_questions(&mut self) {
        self.notes.retain(|note| !note.ends_with('?'));
    }

    /// Supposes that the subject makes one of these mistakes, and none that were supposed before. The title infers them if they are few. The finding is
    /// about the requirement that one of them breaks: its own, else that of the first one, or of all if there are more.
    pub fn believe(&mut self, subject: &'static str, variants: Vec<&'static Mistake>) {
        let judged = self.requirement;
        if !self.variants.is_empty() {
            self.drop_inference();
        }
        if (1..=Finding::INFERRED).contains(&variants.len()) {
            let summaries: Vec<_> = variants.iter().map(|row| row.summary).collect();
            let believed = summaries.join(", or as if ");
            self.drop_questions();
            self.infer(format!("the {subject} behaves as if {believed}"));
        }
        self.variants = variants;
        let breaks = self.variants.iter().map(|row| row.breaks);
        let mut breaks = breaks.filter(|id| !id.is_empty());
        if breaks.clone().any(|id| Some(id) == judged) {
            self.requirement = judged;
        } else if let Some(first) = breaks.next()
            && (self.variants.len() < 3 || breaks.all(|id| id == first))
        {
            self.requirement = Some(first);
        }
    }

    /// Gives up a requirement that rests on a mistake in the rules: none is the reason.
    pub fn blame_plainly(&mut self) {
        self.requirement = self.plain.or(self.requirement);
    }

    /// Says first which games of a server failed: what the server keeps of a game is the reason.
    pub fn after_first(&mut self, games: &str) {
        self.title = format!("{games}: {}", self.title);
        self.is_later = true;
    }

    /// The mistake in the rules that the title infers, if it infers one.
    #[must_use]
    pub fn cause(&self) -> Option<&'static Mistake> {
        match self.variants[..] {
            [row] => Some(row),
            _ => None,
        }
    }

    /// The observation in one line, also where the title is an inference.
    #[must_use]
    pub fn observation(&self) -> &str {
        self.observed.as_deref().unwrap_or(&self.title)
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
