//! The HTML report: one page without scripts. It begins with the failures, each with its game; below them is the matrix of requirements and
//! subjects, with the subjects' choices where the specification leaves one.

mod entry;
mod matrix;

use std::cmp::Reverse;

use askama::Template;

use super::results::{Results, WORDS};
use super::template::Inline;
use crate::diagnostic::{counted, visible};
use entry::{Entry, Pages, columns, entries};
use matrix::Table;

const STYLE: Inline = Inline(include_str!("report.css"));

/// The most bytes of a line that are shown; the text of a finding has its own limit.
const MOST: usize = 400;

#[derive(Template)]
#[template(path = "html/report.html", config = "src/report/askama.toml")]
struct Page<'r> {
    style: Inline,
    results: &'r Results,
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

/// Returns the page of a run: its subjects side by side. `pages`: addresses of the replay pages, by the number of the scenario.
#[must_use]
pub fn draw(results: &Results, pages: &Pages) -> String {
    let all = entries(results, pages);
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
    let remarks = results.ruled_out(false).into_iter();
    let remarks = remarks.chain(results.notes().cloned());
    let page = Page {
        style: STYLE,
        results,
        counts: counts.filter(|count| count.number > 0).collect(),
        causes: causes(results, &failures),
        remarks: remarks.collect(),
        tables: matrix::tables(&columns),
        failures,
    };
    page.render().expect("a string takes all")
}

fn causes<'r>(results: &Results, failures: &[Entry<'r>]) -> Vec<Cause<'r>> {
    let causes = results.causes().map(|(cause, sentence)| {
        let is_explained = |entry: &&Entry<'r>| cause.explains.contains(&entry.result.name);
        let explains = failures.iter().filter(is_explained).copied().collect();
        Cause { sentence, explains }
    });
    causes.collect()
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
