//! The HTML report: one page without scripts. It begins with the failures, each with its game; below them is the matrix of requirements and
//! subjects, with the subjects' choices where the specification leaves one.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{self, Write};

use askama::Template;

use super::finding::grouped;
use super::page::Inline;
use super::results::{Observed, Results, WORDS, tally};
use super::scenario::{EXPECTED, ScenarioResult};
use crate::diagnostic::{counted, visible};
use crate::finding::Verdict;
use crate::pack;
use crate::requirement::{Requirement, Side};

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
    /// By the anchor of a finding, the scenario that shows the same one best.
    as_in: HashMap<String, Entry<'r>>,
    passed: Vec<Entry<'r>>,
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
}

/// A cause of failures, and the failures that it explains.
struct Cause<'r> {
    sentence: String,
    explains: Vec<Entry<'r>>,
}

/// Writes the page without replays of the games.
///
/// # Errors
/// Fails if the output fails.
pub(super) fn write(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(draw(results, &Pages::new()).as_bytes())
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
    let entries = all.iter().copied();
    let (mut failures, passed): (Vec<_>, Vec<_>) =
        entries.partition(|entry| entry.result.has_reason());
    let (places, as_in) = grouped_as(results, &all);
    failures.sort_by_key(|entry| {
        (
            !places.contains_key(&entry.number),
            places.get(&entry.number),
        )
    });
    let counts = tally(results.scenarios.iter()).filter(|(.., number)| *number > 0);
    let counts = counts.map(|(word, _, number)| Count { word, number });
    let remarks = results.diagnoses(false);
    let remarks = remarks.chain(results.notes().cloned());
    // A count shows its own scenarios.
    let hide = WORDS.map(|(word, _)| {
        let class = class(word);
        let checked = format!("body:has(#show-{class}:checked)");
        format!(
            "{checked} article:not(.is-{class}){{display:none}}\n{checked} li.is-{class}{{display:list-item}}\n"
        )
    });
    let page = Page {
        style: Inline(&(STYLE.to_owned() + &hide.concat())),
        results,
        counts: counts.collect(),
        causes: causes(results, &failures),
        remarks: remarks.collect(),
        tables: tables(&all),
        failures,
        as_in,
        passed,
    };
    page.render().expect("a string takes all")
}

/// The place of each scenario with a finding, in the order of every report, and, by the anchor of a finding, the scenario that shows it best.
fn grouped_as<'r>(
    results: &'r Results,
    all: &[Entry<'r>],
) -> (HashMap<usize, usize>, HashMap<String, Entry<'r>>) {
    let entries = all
        .iter()
        .map(|entry| (std::ptr::from_ref(entry.result), *entry));
    let entries: HashMap<_, _> = entries.collect();
    let entry = |result: &ScenarioResult| entries[&std::ptr::from_ref(result)];
    let (mut places, mut as_in) = (HashMap::new(), HashMap::new());
    for group in results.groups(ScenarioResult::has_reason) {
        let best = entry(group.best().0);
        for &(result, finding) in &group.members {
            let (entry, place) = (entry(result), places.len());
            places.entry(entry.number).or_insert(place);
            let mut findings = result.findings.iter();
            let number = findings.position(|own| std::ptr::eq(own, finding));
            if let Some(number) = number.filter(|_| best.number != entry.number) {
                as_in.insert(entry.anchor(number), best);
            }
        }
    }
    (places, as_in)
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

/// The table of a game.
struct Table<'r> {
    title: &'r str,
    columns: Vec<String>,
    /// Areas of the specification, each with its requirements.
    areas: Vec<(&'r str, Vec<Row<'r>>)>,
}

/// A requirement, as each subject meets it.
struct Row<'r> {
    id: &'r str,
    entry: Option<&'static Requirement>,
    cells: Vec<Cell>,
}

/// The verdict of a subject on a requirement.
struct Cell {
    class: &'static str,
    word: &'static str,
    /// The anchor of the reason.
    anchor: Option<String>,
    /// What was only observed, with the number of scenarios that show each.
    seen: Vec<(String, usize)>,
}

/// The tables of all games that have requirements.
fn tables<'r>(entries: &[Entry<'r>]) -> Vec<Table<'r>> {
    let games: BTreeSet<_> = entries.iter().filter_map(Entry::game).collect();
    let tables = games.into_iter().map(|game| {
        let entries = entries.iter().filter(|entry| entry.game() == Some(game));
        // The columns: the scenarios of each subject, in the order of their first ones.
        table(game, &grouped(entries.copied(), Entry::subject))
    });
    tables.filter(|table| !table.areas.is_empty()).collect()
}

fn table<'r>(game: &'r str, columns: &[Vec<Entry<'r>>]) -> Table<'r> {
    let mut areas: Vec<(&str, Vec<Row<'r>>)> = Vec::new();
    for id in requirements(game, columns) {
        let row = Row {
            id,
            entry: pack::requirement(id),
            cells: columns.iter().map(|column| cell(column, id)).collect(),
        };
        // The part of an id that names its area, such as `extra-turn` in `ur/extra-turn/cell-8`.
        let area = id.split('/').nth(1).unwrap_or(id);
        match areas.last_mut() {
            Some((known, rows)) if *known == area => rows.push(row),
            _ => areas.push((area, vec![row])),
        }
    }
    Table {
        title: pack::find(game).map_or(game, |pack| pack.game.title()),
        columns: columns.iter().map(|column| column[0].subject()).collect(),
        areas,
    }
}

/// The ids of the requirements that bind a subject of these columns, and of those that the reports name.
fn requirements<'r>(game: &str, columns: &[Vec<Entry<'r>>]) -> BTreeSet<&'r str> {
    let mut ids = BTreeSet::new();
    for Entry { result, .. } in columns.iter().flatten() {
        ids.extend(result.checks.iter().map(|check| check.requirement.as_str()));
        ids.extend(result.open.iter().map(|open| open.requirement.as_str()));
        let blamed = result
            .findings
            .iter()
            .filter_map(|finding| finding.requirement.as_deref());
        ids.extend(blamed);
    }
    let sides = columns.iter().map(|column| {
        let subject = column[0].result.subject.as_ref();
        match subject.is_some_and(|subject| subject.side == "bot") {
            true => Side::Bot,
            false => Side::Referee,
        }
    });
    let sides: Vec<_> = sides.collect();
    let bound = pack::requirements_of(game)
        .filter(|entry| sides.iter().any(|side| entry.binds.contains(side)));
    ids.extend(bound.map(|entry| entry.id.as_str()));
    ids
}

fn cell(column: &[Entry<'_>], id: &str) -> Cell {
    let ledger = Observed::ledger(column.iter().map(|entry| entry.result));
    let seen = ledger.into_iter().filter(|one| one.requirement == id);
    let seen: Vec<_> = seen.map(|one| (one.seen, one.scenarios.len())).collect();
    let all = column.iter().filter_map(|entry| verdict(*entry, id));
    // The worst counts, and what was not tested only where nothing else is.
    let rank = |(verdict, ..): &(Verdict, _, _)| {
        let is_untested = matches!(
            verdict,
            Verdict::Inconclusive | Verdict::Unsupported | Verdict::Skipped
        );
        (is_untested, Reverse(*verdict))
    };
    let (class, word, anchor) = match all.min_by_key(rank) {
        Some((verdict, word, anchor)) => (verdict.word(), word, anchor),
        None if seen.is_empty() => ("soft", "not tested", None),
        None => ("observed", "observed", None),
    };
    Cell {
        class,
        word,
        anchor,
        seen,
    }
}

/// The verdict of one scenario on a requirement, with its word and the anchor of the reason. A scenario that fails for another requirement has not tested this one.
fn verdict(entry: Entry<'_>, id: &str) -> Option<(Verdict, &'static str, Option<String>)> {
    let result = entry.result;
    let mut findings = result.findings.iter();
    let blamed = findings.position(|finding| finding.requirement.as_deref() == Some(id));
    if let Some(number) = blamed.filter(|_| result.has_reason()) {
        let verdict = result.findings[number].verdict;
        let expected = result.expected.as_ref().map(|_| EXPECTED);
        let word = expected.unwrap_or(verdict.word());
        return Some((verdict, word, Some(entry.anchor(number))));
    }
    let mut checks = result.checks.iter();
    checks.find(|check| check.requirement == id)?;
    let (verdict, word) = match result.verdict {
        Verdict::Fail | Verdict::Flaky => (Verdict::Inconclusive, Verdict::Inconclusive.word()),
        verdict => (verdict, result.word()),
    };
    let anchor = result.has_reason().then(|| entry.anchor(0));
    Some((verdict, word, anchor))
}
