//! The HTML report: one page without scripts. It begins with the failures, each with its game; below them is the matrix of requirements and
//! subjects, with the subjects' choices where the specification leaves one.

mod entry;
mod matrix;

use std::cmp::Reverse;

use askama::Template;

use super::readings::ExplanationResult;
use super::results::WORDS;
use super::template::Inline;
use crate::diagnostic::{counted, visible};
pub use entry::HtmlRun;
use entry::{Entry, columns, entries};
use matrix::Table;

const STYLE: Inline = Inline(include_str!("report.css"));

/// The most bytes of a line that are shown; the text of a finding has its own limit.
const MOST: usize = 400;

#[derive(Template)]
#[template(path = "html/report.html", config = "src/report/askama.toml")]
struct Page<'r> {
    style: Inline,
    runs: &'r [HtmlRun],
    counts: Vec<Count>,
    causes: Vec<Cause<'r>>,
    remarks: Vec<String>,
    failures: Vec<Entry<'r>>,
    tables: Vec<Table<'r>>,
}

/// The number of scenarios with a result.
struct Count {
    word: &'static str,
    number: usize,
    /// True if the page shows them one by one.
    is_shown: bool,
}

/// A cause of failures, and the failures that it explains.
struct Cause<'r> {
    sentence: String,
    explains: Vec<Entry<'r>>,
}

/// Returns the page of runs: their subjects side by side.
#[must_use]
pub fn draw(runs: &[HtmlRun]) -> String {
    let all = entries(runs);
    let columns = columns(&all);
    let shown = all.iter().filter(|entry| entry.result.has_reason());
    let mut failures: Vec<_> = shown.copied().collect();
    failures.sort_by_key(|Entry { result, .. }| {
        let standing = Reverse(result.standing);
        (standing, result.cause().is_none(), result.length())
    });
    let counts = WORDS.iter().map(|(word, _)| {
        let of_word = all.iter().filter(|entry| entry.result.word() == *word);
        let is_shown = of_word.clone().any(|entry| entry.result.has_reason());
        Count {
            word,
            number: of_word.count(),
            is_shown,
        }
    });
    let remarks = runs.iter().flat_map(|run| {
        let end = run.results.end.iter();
        let ruled_out = end.flat_map(|end| end.explanation.ruled_out(false));
        ruled_out.chain(run.results.notes().cloned())
    });
    let page = Page {
        style: STYLE,
        runs,
        counts: counts.filter(|count| count.number > 0).collect(),
        causes: causes(runs, &failures),
        remarks: remarks.collect(),
        tables: matrix::tables(&columns),
        failures,
    };
    page.render().expect("a string takes all")
}

fn causes<'r>(runs: &[HtmlRun], failures: &[Entry<'r>]) -> Vec<Cause<'r>> {
    let mut causes = Vec::new();
    for (number, run) in runs.iter().enumerate() {
        let explanation = run.results.end.iter().map(|end| &end.explanation);
        for (cause, sentence) in explanation.flat_map(ExplanationResult::causes) {
            let is_explained = |entry: &&Entry<'r>| {
                entry.run == number && cause.explains.contains(&entry.result.name)
            };
            let explains = failures.iter().filter(is_explained).copied().collect();
            causes.push(Cause { sentence, explains });
        }
    }
    causes
}

/// The word of a result as a class.
fn class(word: &str) -> String {
    word.replace(' ', "-")
}

/// A line of at most so many bytes that it can be read.
fn bounded(text: &str) -> String {
    visible::plain(text).at_most(MOST).to_string()
}

fn scenarios(number: &usize) -> String {
    counted(*number, "scenario")
}
