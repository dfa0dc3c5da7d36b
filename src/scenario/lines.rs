//! `game: lines`: a dialogue without rules, scripted line by line, with golden transcripts as the only further oracle.

use std::sync::Arc;
use std::time::Duration;

use super::{Captures, Deed, LinePattern, Side};
use crate::diagnostic::Span;
use crate::protocol::{Line, LineEnding};
use crate::transcript::Close;
use crate::yaml::Words;

/// The most bytes that it sends, with what was captured.
pub const MOST_SENT: usize = 16 * 1024 * 1024;

/// A dialogue, line by line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialogue {
    /// Kind of subject.
    pub side: Side,
    /// Names of the participants, one lane each, in the order in which they connect.
    pub participants: Vec<String>,
    /// The end of each line, of those that urtext sends and of those that have to come.
    pub line_end: LineEnd,
    /// Ids of the requirements that it checks, the one that it exists for first.
    pub checks: Vec<&'static str>,
    /// Steps, in order.
    pub steps: Vec<LineStep>,
}

/// One step of a dialogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineStep {
    /// Span of the step.
    pub span: Span,
    /// The lanes of its participants; one of a deed, none of a repeat.
    pub lanes: Vec<usize>,
    /// Content of the step.
    pub what: LineAct,
}

/// Content of a step of a dialogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineAct {
    /// urtext's participant does this; captured names in what it sends are filled in.
    Does(Deed),
    /// These lines have to come, in any order among the lanes.
    Lines(Arc<Wanted>),
    /// The subject has to end its direction, by this kind of close where one is named.
    End(Option<Close>),
    /// Nothing may come for so long.
    Silence(Duration),
    /// These steps, so many times: once at least, and one step at least, so that going round always comes to something.
    Repeat {
        /// Number of repetitions.
        times: u64,
        /// The steps.
        steps: Vec<LineStep>,
    },
}

/// Lines that have to come, or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// How they have to come.
    pub how: Coming,
    /// The lines.
    pub lines: Vec<LinePattern>,
}

/// How lines have to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coming {
    /// One of them is the next line.
    AnyOf,
    /// They are the next lines, in any order.
    InAnyOrder,
    /// One of them comes; what comes before it passes by.
    Until,
    /// One of them may be the next line.
    Optional,
    /// None of them comes from now on.
    Never,
}

impl Words for Coming {
    const WORDS: &'static [(&'static str, Coming)] = &[
        ("any of", Coming::AnyOf),
        ("in any order", Coming::InAnyOrder),
        ("until", Coming::Until),
        ("optional", Coming::Optional),
        ("never", Coming::Never),
    ];
}

/// The end of the lines of a dialogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LineEnd {
    /// A line feed.
    #[default]
    Lf,
    /// A carriage return and a line feed.
    CrLf,
}

impl Words for LineEnd {
    const WORDS: &'static [(&'static str, LineEnd)] =
        &[("lf", LineEnd::Lf), ("crlf", LineEnd::CrLf)];
}

impl LineEnd {
    /// What stands between the text of a line and its line feed.
    #[must_use]
    pub fn before_newline(self) -> &'static str {
        match self {
            LineEnd::Lf => "",
            LineEnd::CrLf => "\r",
        }
    }
}

impl Wanted {
    /// Returns true if they have to come.
    #[must_use]
    pub fn is_due(&self) -> bool {
        !matches!(self.how, Coming::Optional | Coming::Never)
    }

    /// True if a line is whole and is one of these.
    #[must_use]
    pub fn fits(&self, line: &Line, known: &Captures) -> bool {
        let fits = |wanted: &LinePattern| wanted.fits(&line.text, known).is_some();
        line.ending == LineEnding::Newline && self.lines.iter().any(fits)
    }
}
