//! The catalogue of a dialogue: the file `requirements.yaml` next to the scenario.

use std::collections::HashSet;

use super::budget::{Budget, Work};
use crate::diagnostic::{Diagnostic, Faults, Span, visible};
use crate::pack::{self, Protocol};
use crate::requirement::{Binds, Catalogue};
use crate::scenario::ScenarioFiles;
use crate::yaml;

/// The most bytes of an id.
const LONGEST: usize = 80;
/// The name of the file.
const FILE: &str = "requirements.yaml";

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
    yaml::parse(faults)?;
    let text = source.text()?;
    let refuse = |title: String, span: Span, help: &str| {
        let fault = Diagnostic::error("scenario/catalogue", title);
        faults.push(fault.at(source, span, "").help(help));
    };
    // The last place of a text.
    let place_of = |wanted: &str| {
        let start = text.rfind(wanted);
        start.map_or(Span::at(0), |start| Span::new(start, start + wanted.len()))
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
        refuse(title, place_of(&catalogue.protocol), help);
        return None;
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-/_.".contains(c);
    let is_id = |id: &str| !id.is_empty() && id.len() <= LONGEST && id.chars().all(is_part);
    if let Some(entry) = catalogue
        .requirements
        .iter()
        .find(|entry| !is_id(&entry.id))
    {
        let shown = visible::plain(&entry.id).at_most(60);
        let title = format!("`{shown}` cannot be the id of a requirement");
        let help = format!(
            "write at most {LONGEST} letters, digits, `-` and `/`, such as `my-server/reply`"
        );
        refuse(title, place_of(&entry.id), &help);
        return None;
    }
    let mut ids = HashSet::new();
    let twice = catalogue
        .requirements
        .iter()
        .find(|entry| !ids.insert(&entry.id));
    if let Some(entry) = twice {
        let title = format!("two requirements have the id `{}`", entry.id);
        refuse(title, place_of(&entry.id), "give one of them another id");
        return None;
    }
    for title in catalogue.seeds.values_mut() {
        make_safe(title);
    }
    for entry in &mut catalogue.requirements {
        let optional = [
            &mut entry.inference,
            &mut entry.open,
            &mut entry.unchecked,
            &mut entry.needs,
        ];
        optional.into_iter().flatten().for_each(make_safe);
        entry
            .also
            .iter_mut()
            .for_each(|quote| make_safe(&mut quote.says));
        [&mut entry.says, &mut entry.summary]
            .into_iter()
            .for_each(make_safe);
        if entry.binds.is_empty() {
            entry.binds = vec![Binds::Referee, Binds::Bot];
        }
        if !entry.is_binding() && entry.unchecked.is_none() {
            let level = entry.level;
            let why =
                format!("its level is `{level}`: a dialogue checks what must or should be so");
            entry.unchecked = Some(why);
        }
    }
    match pack::add_catalogue(source.name(), catalogue) {
        Ok(catalogue) => Some(catalogue),
        Err(id) => {
            let title = format!("another catalogue has a requirement `{id}` too");
            let help = "begin the ids with a name of this protocol, such as `my-server/`";
            refuse(title, place_of(&id), help);
            None
        }
    }
}

/// Makes a text of a stranger fit for a terminal and a report.
fn make_safe(text: &mut String) {
    *text = visible::plain(text).to_string();
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
