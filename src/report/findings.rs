//! The findings of a report as plain data.

use std::iter::repeat;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::finding::{draw, in_words, title};
use super::mistakes::MistakeResult;
use crate::diagnostic::{Diagnostic, LineColumn, Paint, Source, Span, visible};
use crate::event::{Outcome, form, kind, last_line};
use crate::finding::{Finding, LaneView, Verdict};
use crate::pack;
use crate::platform::in_repository;
use crate::requirement::Level;

/// The most bytes of a finding that are shown; the line in which they end is left out.
const LARGEST_FINDING: usize = 64 * 1024;

/// One finding.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct FindingResult {
    /// Verdict that follows from it.
    pub verdict: Verdict,
    /// Observation in one line.
    pub title: String,
    /// Id of the requirement.
    pub requirement: Option<String>,
    /// Level of the requirement.
    pub level: Option<Level>,
    /// The sentence of the specification.
    pub specification: Option<String>,
    /// The step of the scenario, if the scenario is a file of the user.
    pub place: Option<Place>,
    /// Number of the game in its file, unless it is the first.
    pub game: Option<u64>,
    /// The lanes at that moment; those that disagree come first.
    pub lanes: Vec<LaneResult>,
    /// Equal findings have the same, whatever their requirements: the last words of a crash, or the observation without its numbers and lane.
    pub kind: String,
    /// The finding as the console shows it, without colours.
    pub text: String,
    /// The same with colours; empty for a finding of a JSON report.
    #[serde(skip)]
    pub painted: String,
    /// True if standard error has it, so that the console leaves it out.
    #[serde(skip)]
    pub is_on_stderr: bool,
    /// The mistakes that each explain the finding and that no game of the subject refutes. The title infers them, if they are few.
    pub mistakes: Vec<MistakeResult>,
    /// The observation, where the title is an inference.
    pub observed: Option<String>,
}

/// One lane that disagrees, at the moment of a finding. Control characters are escaped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LaneResult {
    /// Name of the lane.
    pub lane: String,
    /// Number of the line on that lane, from 1.
    pub line: u64,
    /// The expected line, or a description of it; `None`: no line.
    pub expected: Option<String>,
    /// The received line, or a description of what came; `None`: no line.
    pub received: Option<String>,
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

impl FindingResult {
    /// The results for the findings of an outcome. All standard error belongs to the first one, which is the reason for the verdict.
    #[must_use]
    pub fn of(outcome: &Outcome) -> Vec<FindingResult> {
        let stderr = [outcome.stderr.as_slice()]
            .into_iter()
            .chain(repeat(&[][..]));
        let all = outcome.findings.iter().zip(stderr);
        let result = |(finding, stderr)| FindingResult::new(finding, &outcome.source, stderr);
        all.map(result).collect()
    }

    fn new(finding: &Finding, source: &Source, stderr: &[u8]) -> FindingResult {
        let drawing = draw(finding, source, stderr);
        // The last words of a crash tell its kind.
        let said = finding.crash.as_ref().and_then(|_| last_line(stderr));
        let in_file = finding.in_file.as_ref();
        let in_file = in_file.map(|line| Place::of_line(&line.file, line.line));
        let step = finding.span.filter(|_| source.is_file());
        let step = step.map(|span| Place::of(source, span));
        FindingResult {
            title: visible::plain(&title(finding, stderr)).to_string(),
            place: in_file.or(step),
            lanes: finding.lanes.iter().map(LaneResult::new).collect(),
            kind: kind(finding, said.as_deref().unwrap_or(finding.observation())),
            mistakes: finding
                .variants
                .iter()
                .copied()
                .map(MistakeResult::new)
                .collect(),
            observed: finding
                .observed
                .as_deref()
                .map(|observed| visible::plain(observed).to_string()),
            text: shortened(drawing.draw(Paint::Plain)),
            painted: shortened(drawing.draw(Paint::Coloured)),
            verdict: finding.verdict,
            ..FindingResult::default()
        }
        .about(finding.requirement)
    }

    /// The finding of a fault in a file of the user, which standard error has.
    pub(super) fn of_fault(verdict: Verdict, fault: &Diagnostic) -> FindingResult {
        FindingResult {
            title: visible::plain(fault.title()).to_string(),
            place: fault.place().map(|(source, span)| Place::of(source, span)),
            kind: fault.to_string(),
            text: fault.draw(Paint::Plain),
            is_on_stderr: true,
            verdict,
            ..FindingResult::default()
        }
    }

    /// A finding in words. `text`: more of them.
    pub(super) fn in_words(verdict: Verdict, title: &str, text: &str) -> FindingResult {
        FindingResult {
            verdict,
            title: title.to_owned(),
            kind: form(title),
            text: text.to_owned(),
            ..FindingResult::default()
        }
    }

    /// The finding about this requirement.
    pub(super) fn about(self, id: Option<&str>) -> FindingResult {
        let entry = id.and_then(pack::requirement);
        let says = entry.map(|entry| entry.sentence());
        FindingResult {
            requirement: id.map(str::to_owned),
            level: entry.map(|entry| entry.level),
            specification: says.filter(|says| !says.is_empty()),
            ..self
        }
    }

    /// The mistakes that its title infers.
    #[must_use]
    pub(super) fn inferred(&self) -> &[MistakeResult] {
        match self.mistakes.len() {
            ..=Finding::INFERRED => &self.mistakes,
            _ => &[],
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
        LaneResult {
            lane: visible::plain(&view.lane).to_string(),
            line: view.line_number,
            expected: in_words(&view.expected),
            received: in_words(&view.received),
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

#[cfg(test)]
mod tests {
    use super::*;

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
