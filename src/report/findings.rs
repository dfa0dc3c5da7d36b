//! The findings of a report as plain data.

use std::path::{Component, Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::draw_finding;
use super::finding::title;
use super::readings::ReadingResult;
use crate::diagnostic::{LineColumn, Paint, Source, Span, visible};
use crate::event::Outcome;
use crate::finding::{Finding, LaneText, LaneView, Verdict};
use crate::pack;
use crate::requirement::Level;

/// The most bytes of a finding that are shown; the line in which they end is left out.
const LARGEST_FINDING: usize = 64 * 1024;

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
    /// Number of the game in its file, unless it is the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<u64>,
    /// The lanes at that moment; those that disagree come first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lanes: Vec<LaneResult>,
    /// Equal for findings of the same cause, or that differ only in numbers, names of lanes and waiting times; means nothing else.
    pub kind: String,
    /// The finding as the console shows it, without colours.
    pub text: String,
    /// The same with colours, where the console shows it in this process; empty if it was said already.
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
    pub(super) fn new(outcome: &Outcome, number: usize) -> FindingResult {
        let (source, finding) = (&outcome.source, &outcome.findings[number]);
        FindingResult {
            verdict: finding.verdict,
            title: visible::plain(&title(finding, &outcome.stderr)).to_string(),
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
            ..FindingResult::default()
        }
        .with(finding)
    }

    /// The same, with colours for the console.
    pub(super) fn painted(outcome: &Outcome, number: usize) -> FindingResult {
        FindingResult {
            painted: Some(drawn(outcome, number, Paint::Coloured)),
            ..FindingResult::new(outcome, number)
        }
    }

    /// A finding in words, which is drawn as this text.
    pub(super) fn told(verdict: Verdict, title: &str, text: &str) -> FindingResult {
        FindingResult {
            verdict,
            title: title.to_owned(),
            kind: format!("{:016x}", fnv1a(&form(title))),
            text: text.to_owned(),
            ..FindingResult::default()
        }
    }

    /// Takes the requirement of a finding, and the cause that it infers.
    pub(super) fn with(self, finding: &Finding) -> FindingResult {
        let observed = finding.observed.as_ref();
        FindingResult {
            cause: finding.cause().map(ReadingResult::new),
            observed: observed.map(|observed| visible::plain(&observed.title).to_string()),
            ..self.about(finding.requirement)
        }
    }

    /// The finding about this requirement.
    pub(super) fn about(mut self, id: Option<&str>) -> FindingResult {
        let entry = id.and_then(pack::requirement);
        self.requirement = id.map(str::to_owned);
        self.level = entry.map(|entry| entry.level);
        let says = entry.map(|entry| entry.sentence());
        self.specification = says.filter(|says| !says.is_empty());
        self
    }

    /// Returns true if standard error has it, and the console leaves it out.
    #[must_use]
    pub fn was_said(&self) -> bool {
        self.painted.as_ref().is_some_and(String::is_empty)
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
pub(super) fn drawn(outcome: &Outcome, number: usize, paint: Paint) -> String {
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
