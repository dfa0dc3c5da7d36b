//! The catalogue of a dialogue: the file `requirements.yaml` next to the scenario.

use super::budget::{Budget, Work};
use crate::diagnostic::{Diagnostic, Faults, Span, visible};
use crate::pack::{self, Protocol};
use crate::requirement::{Binds, Catalogue};
use crate::scenario::ScenarioFiles;
use crate::yaml::{self, Node, Value};

/// The name of the file.
const FILE: &str = "requirements.yaml";
/// The most bytes of an id.
const LONGEST: usize = 80;

/// Reads the catalogue next to a dialogue that names requirements in `checks`.
pub(super) fn read(
    files: &dyn ScenarioFiles,
    checks: Span,
    budget: &Budget,
    faults: &Faults<'_>,
) -> Option<&'static Catalogue> {
    let source = match files.include(FILE) {
        Ok(source) => source,
        Err(reason) => {
            let title = format!("the requirements cannot be read: {reason}");
            let help = format!(
                "write the requirements of this protocol into `{FILE}` next to the scenario; `urtext schema requirements` describes it"
            );
            faults.refuse("scenario/catalogue", title, checks, "", help);
            return None;
        }
    };
    let work = Work::File(source.bytes().len());
    if !budget.spend(work, faults.source(), checks) {
        return None;
    }
    let inner = Faults::new(&source);
    let catalogue = parse(&inner);
    for fault in inner.into_diagnostics().sorted() {
        let fault = fault.clone();
        faults.push(fault.context(faults.source(), checks, "these are looked up there"));
    }
    catalogue
}

fn parse(faults: &Faults<'_>) -> Option<&'static Catalogue> {
    let source = faults.source();
    // Text, aliases and nesting are within bounds after this.
    let root = yaml::parse(faults)?;
    let text = source.text()?;
    let refuse = |title: String, span: Span, help: &str| {
        let fault = Diagnostic::error("scenario/catalogue", title);
        faults.push(fault.at(source, span, "").help(help));
    };
    let mut catalogue = match Catalogue::read(text) {
        Ok(catalogue) => catalogue,
        Err((error, place)) => {
            let error = visible::plain(&error).at_most(300);
            let title = format!("this is no catalogue of requirements: {error}");
            let help = "`urtext schema requirements` describes the keys";
            refuse(title, word_at(text, place), help);
            return None;
        }
    };
    let lines = Protocol::LINES;
    if catalogue.protocol != lines {
        let title =
            format!("this catalogue is not one of a dialogue, which has `protocol: {lines}`");
        let help = "put the dialogue and its catalogue into a folder of their own";
        refuse(title, span_of(&root, "protocol"), help);
        return None;
    }
    let span_of_id = |number: usize| match root.entry("requirements").map(|(_, list)| &list.value) {
        Some(Value::List(entries)) => span_of(&entries[number], "id"),
        _ => root.span,
    };
    if let Some((number, title, help)) = wrong_id(&catalogue) {
        refuse(title, span_of_id(number), &help);
        return None;
    }
    complete(&mut catalogue);
    match pack::add_catalogue(source.name(), catalogue) {
        Ok(catalogue) => Some(catalogue),
        Err(number) => {
            let title = "another catalogue has a requirement of this id".to_owned();
            let help = "begin the ids with a name of this protocol, such as `my-server/`";
            refuse(title, span_of_id(number), help);
            None
        }
    }
}

/// Finds the first requirement whose id is none or is given twice: its number, a title and a help.
fn wrong_id(catalogue: &Catalogue) -> Option<(usize, String, String)> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-/_.".contains(c);
    let is_id = |id: &str| !id.is_empty() && id.len() <= LONGEST && id.chars().all(is_part);
    let mut known = std::collections::HashSet::new();
    let mut entries = catalogue.requirements.iter().enumerate();
    entries.find_map(|(number, entry)| {
        let shown = visible::plain(&entry.id).at_most(LONGEST);
        if !is_id(&entry.id) {
            let title = format!("`{shown}` cannot be the id of a requirement");
            let help = format!(
                "write at most {LONGEST} letters, digits, `-` and `/`, such as `my-server/reply`"
            );
            return Some((number, title, help));
        }
        (!known.insert(&entry.id)).then(|| {
            let title = format!("two requirements have the id `{shown}`");
            (number, title, "give one of them another id".to_owned())
        })
    })
}

/// Adds what a dialogue's catalogue leaves out, and makes the texts of a stranger fit for a terminal and a report.
fn complete(catalogue: &mut Catalogue) {
    let safe = |text: &mut String| *text = visible::plain(text).to_string();
    catalogue.judged = None;
    catalogue.seeds.values_mut().for_each(safe);
    catalogue
        .gone
        .iter_mut()
        .for_each(|gone| safe(&mut gone.why));
    for entry in &mut catalogue.requirements {
        if entry.binds.is_empty() {
            entry.binds = vec![Binds::Referee, Binds::Bot];
        }
        if !entry.is_binding() && entry.unchecked.is_none() {
            let level = entry.level;
            let why =
                format!("its level is `{level}`: a dialogue checks what must or should be so");
            entry.unchecked = Some(why);
        }
        [&mut entry.says, &mut entry.summary]
            .into_iter()
            .for_each(safe);
        entry
            .also
            .iter_mut()
            .for_each(|quote| safe(&mut quote.says));
        let optional = [
            &mut entry.inference,
            &mut entry.open,
            &mut entry.unchecked,
            &mut entry.needs,
        ];
        optional.into_iter().flatten().for_each(safe);
    }
}

/// The span of the value of a key, or of the mapping that lacks it.
fn span_of(node: &Node, key: &str) -> Span {
    node.entry(key).map_or(node.span, |(_, value)| value.span)
}

/// The word at a line and column.
fn word_at(text: &str, [line, column]: [u64; 2]) -> Span {
    let before = |count: u64| usize::try_from(count.saturating_sub(1)).unwrap_or(usize::MAX);
    let lines = text.split_inclusive('\n');
    let start: usize = lines.clone().take(before(line)).map(str::len).sum();
    let own = lines.clone().nth(before(line)).unwrap_or_default();
    let from: usize = own.chars().take(before(column)).map(char::len_utf8).sum();
    let word = own[from..]
        .chars()
        .take_while(|c| c.is_alphanumeric() || *c == '-');
    let length: usize = word.map(char::len_utf8).sum();
    Span::new(start + from, start + from + length)
}
