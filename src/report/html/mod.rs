//! The HTML report: one page without scripts. It begins with the failures, each with its game; below them are the matrix of requirements and
//! subjects, and the subjects' choices where the specification leaves one.

mod choices;
mod entry;
mod matrix;

use askama::Template;

use super::template::Inline;
use crate::diagnostic::{counted, visible};
use choices::Choice;
pub use entry::HtmlRun;
use entry::{Entry, columns, entries};
use matrix::Table;

const STYLE: Inline = Inline(include_str!("report.css"));

/// Words of results in the order of the page, failures first.
const WORDS: [&str; 11] = [
    "fail",
    "new",
    "unexpected pass",
    "error",
    "flaky",
    "inconclusive",
    "unsupported",
    "skipped",
    "expected",
    "lenient",
    "pass",
];

/// The most bytes of a line that are shown; the full text of a finding has its own limit.
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
    columns: Vec<Vec<Entry<'r>>>,
    choices: Vec<Choice<'r>>,
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
    let of_word = |word| all.iter().filter(move |entry| entry.result.word() == word);
    let failures = WORDS.iter().flat_map(|word| of_word(*word));
    let failures = failures.filter(|entry| entry.result.has_reason());
    let mut failures: Vec<_> = failures.copied().collect();
    let place = |word: &str| WORDS.iter().position(|known| *known == word);
    failures.sort_by_key(|Entry { result, .. }| {
        (
            place(result.word()),
            result.cause().is_none(),
            result.length(),
        )
    });
    let counts = WORDS.iter().map(|word| Count {
        word,
        number: of_word(*word).count(),
        is_shown: of_word(*word).any(|entry| entry.result.has_reason()),
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
        choices: choices::choices(&columns),
        failures,
        columns,
    };
    page.render().expect("a string takes all")
}

fn causes<'r>(runs: &[HtmlRun], failures: &[Entry<'r>]) -> Vec<Cause<'r>> {
    let mut causes = Vec::new();
    for (number, run) in runs.iter().enumerate() {
        let Some(end) = &run.results.end else {
            continue;
        };
        // More than two readings tell a reader nothing.
        let told = end.explanation.causes.iter();
        for cause in told.filter(|cause| cause.readings.len() <= 2) {
            let is_explained = |entry: &&Entry<'r>| {
                entry.run == number && cause.explains.contains(&entry.result.name)
            };
            causes.push(Cause {
                sentence: end.explanation.sentence(cause),
                explains: failures.iter().filter(is_explained).copied().collect(),
            });
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
