//! The HTML report: one page without scripts. It begins with the failures, each with its game; below them is the matrix of requirements and
//! subjects, with the subjects' choices where the specification leaves one.

mod matrix;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use askama::Template;

use super::results::{Results, WORDS};
use super::scenario::ScenarioResult;
use super::template::Inline;
use crate::diagnostic::{counted, visible};
use matrix::Table;

const STYLE: &str = concat!(include_str!("../base.css"), include_str!("report.css"));

/// The most bytes of a line that are shown; the text of a finding has its own limit.
const MOST: usize = 400;

#[derive(Template)]
#[template(path = "html/report.html", config = "src/report/askama.toml")]
struct Page<'r> {
    style: Inline<'r>,
    results: &'r Results,
    counts: Vec<Count>,
    causes: Vec<Cause<'r>>,
    remarks: Vec<String>,
    failures: Vec<Entry<'r>>,
    tables: Vec<Table<'r>>,
}

/// Addresses of the replay pages, by the number of the scenario in the results.
type Pages = BTreeMap<usize, String>;

/// A scenario of a run.
#[derive(Clone, Copy)]
struct Entry<'r> {
    number: usize,
    result: &'r ScenarioResult,
    /// The address of the replay page.
    page: Option<&'r String>,
}

impl<'r> Entry<'r> {
    fn game(&self) -> Option<&'r str> {
        self.result.game.as_deref()
    }

    /// The name of the subject.
    fn subject(&self) -> String {
        let subject = self.result.subject.as_ref();
        subject.map_or("no subject".to_owned(), |subject| {
            format!("{} ({})", subject.name, subject.side)
        })
    }

    /// The id of a finding in the page.
    fn anchor(&self, finding: usize) -> String {
        format!("f{}-{finding}", self.number)
    }
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
    let entries = results.scenarios.iter().enumerate();
    let entries = entries.map(|(number, result)| Entry {
        number,
        result,
        page: pages.get(&number),
    });
    let all: Vec<_> = entries.collect();
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
    // A count shows its own failures.
    let hide = WORDS.map(|(word, _)| {
        let class = class(word);
        format!("body:has(#show-{class}:checked) article:not(.is-{class}){{display:none}}\n")
    });
    let page = Page {
        style: Inline(&(STYLE.to_owned() + &hide.concat())),
        results,
        counts: counts.filter(|count| count.number > 0).collect(),
        causes: causes(results, &failures),
        remarks: remarks.collect(),
        tables: matrix::tables(&all),
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
