//! The requirements that a scenario checks, and the catalogue of a dialogue: the file `requirements.yaml` next to the scenario.

use std::collections::HashSet;

use super::budget;
use super::cases::CaseFile;
use crate::diagnostic::{Diagnostic, Faults, Span, suggest, visible};
use crate::pack::{self, Protocol};
use crate::requirement::{Catalogue, Prose, Requirement, Side};
use crate::scenario::PlannedGame;
use crate::yaml::{self, At, Kind, Node, Value};

/// Maximum number of ids suggested for an unknown one.
const NEARBY: usize = 6;

/// The requirements among which a scenario names those that it checks.
pub(super) struct Known {
    pub(super) side: Side,
    pub(super) entries: Vec<&'static Requirement>,
    /// Says where all of them are listed.
    pub(super) listed: &'static str,
}

impl Known {
    /// Those of a game.
    pub(super) fn of_game(plan: &PlannedGame) -> Known {
        Known {
            side: plan.side,
            entries: pack::requirements_of(plan.game().name()).collect(),
            listed: "`urtext requirements` lists",
        }
    }

    /// Those of the catalogue of a dialogue.
    pub(super) fn of_dialogue(catalogue: &'static Catalogue, side: Side) -> Known {
        Known {
            side,
            entries: catalogue.requirements.iter().collect(),
            listed: "`requirements.yaml` next to the scenario has",
        }
    }
}

/// The requirements that are checked, each known, meant for that side, and named once.
pub(super) fn checks(
    ids: &[At<String>],
    known: &Known,
    faults: &Faults,
) -> Vec<(&'static str, Span)> {
    let mut checks: Vec<(&'static str, Span)> = Vec::new();
    for At { is: id, span } in ids {
        let Some(requirement) = find_requirement(id, *span, known, faults) else {
            continue;
        };
        let first = checks.iter().find(|(known, _)| *known == requirement.id);
        if let Some((_, first)) = first {
            let title = format!("`{id}` stands here twice");
            let places = [*first, *span];
            faults.refuse_again("scenario/repeated-requirement", title, places, "remove one");
            continue;
        }
        checks.push((&requirement.id, *span));
    }
    checks
}

/// Refuses the requirements that no turn of the game puts to the test, and nothing beside its turns.
pub(super) fn refuse_idle_checks(
    checks: &[(&'static str, Span)],
    mut idle: Vec<&'static str>,
    plan: &PlannedGame,
    faults: &Faults,
) {
    plan.exercised_beside(&mut |id| idle.retain(|check| *check != id));
    for (id, span) in checks.iter().filter(|(id, _)| idle.contains(id)) {
        let title = format!("no turn of this game puts `{id}` to the test");
        let Some(entry) = pack::requirement(id) else {
            continue;
        };
        let help = match &entry.needs {
            Some(needs) => format!("it takes {needs}: add that, or remove the id"),
            None => "remove the id".to_owned(),
        };
        faults.refuse(
            "scenario/not-exercised",
            title,
            *span,
            &*entry.summary,
            help,
        );
    }
}

fn find_requirement(
    id: &str,
    span: Span,
    known: &Known,
    faults: &Faults,
) -> Option<&'static Requirement> {
    let entries = || known.entries.iter().copied();
    let listed = known.listed;
    let Some(requirement) = entries().find(|requirement| requirement.id == id) else {
        // Other catalogues are read only here.
        if let Some(gone) = pack::gone_requirement(id) {
            let title = format!("`{id}` is no requirement any more");
            let fault = Diagnostic::warning("scenario/gone-requirement", title);
            faults.push(
                fault
                    .at(faults.source(), span, "")
                    .help(format!("remove it: {}", gone.why)),
            );
            return None;
        }
        let title = format!(
            "there is no requirement `{}`",
            visible::plain(id).at_most(60)
        );
        let ids = || entries().map(|requirement| requirement.id.as_str());
        let looked_for = !faults.is_full();
        let help = match suggest(id, ids().filter(|_| looked_for)) {
            Some(meant) => format!("write `{meant}`"),
            None => {
                let group = id.rsplit_once('/').map_or(id, |(group, _)| group);
                let near = ids().filter(|known| looked_for && known.starts_with(group));
                let near: Vec<_> = near.take(NEARBY).map(|id| format!("`{id}`")).collect();
                match near.is_empty() {
                    true => format!("{listed} them all"),
                    false => format!("ids nearby: {}; {listed} them all", near.join(", ")),
                }
            }
        };
        return faults.reject("scenario/unknown-requirement", title, span, "", help);
    };
    if !requirement.binds.contains(&known.side) {
        let title = format!(
            "`{id}` demands nothing of a {}, which is under test here",
            known.side.word()
        );
        let help = "remove it, or move it to a scenario for the other side";
        return faults.reject(
            "scenario/other-side",
            title,
            span,
            &*requirement.summary,
            help,
        );
    }
    if let Some(why) = &requirement.unchecked {
        let title = format!("no scenario can check `{id}`");
        return faults.reject("scenario/unchecked", title, span, &**why, "remove it");
    }
    Some(requirement)
}

/// The name of the file.
const FILE: &str = "requirements.yaml";
/// The most bytes of an id.
const LONGEST: usize = 80;

/// Reads the catalogue next to a dialogue that names requirements in `checks`.
pub(super) fn read(
    file: &CaseFile<'_>,
    checks: Span,
    faults: &Faults,
) -> Option<&'static Catalogue> {
    let source = match file.include(FILE) {
        Ok(source) => source,
        Err(reason) => {
            let title = format!("the requirements cannot be read: {reason}");
            let help = format!(
                "write the requirements of this protocol into `{FILE}` next to the scenario; `urtext schema requirements` describes it"
            );
            return faults.reject("scenario/catalogue", title, checks, "", help);
        }
    };
    faults.spend(budget::file(source.bytes().len()), checks)?;
    let inner = faults.beside(&source);
    let catalogue = parse(&inner);
    faults.append(inner, checks, "these are looked up there");
    catalogue
}

fn parse(faults: &Faults) -> Option<&'static Catalogue> {
    let root = yaml::parse("protocol: lines", faults)?;
    let mut catalogue = Catalogue::read(&root, faults).filter(|_| !faults.has_errors())?;
    let refuse = |title: String, span: Span, help: String| {
        faults.refuse("scenario/catalogue", title, span, "", help);
    };
    let lines = Protocol::LINES;
    if catalogue.protocol != lines {
        let title =
            format!("this catalogue is not one of a dialogue, which has `protocol: {lines}`");
        let help = "put the dialogue and its catalogue into a folder of their own";
        refuse(title, span_of(&root, "protocol"), help.to_owned());
        return None;
    }
    let span_of_id = |number: usize| match root.entry("requirements").map(|(_, list)| &list.value) {
        Some(Value::List(entries)) => span_of(&entries[number], "id"),
        _ => root.span,
    };
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-/_.".contains(c);
    let is_id = |id: &str| !id.is_empty() && id.len() <= LONGEST && id.chars().all(is_part);
    let mut ids = HashSet::new();
    for (number, entry) in catalogue.requirements.iter().enumerate() {
        let shown = visible::plain(&entry.id).at_most(LONGEST);
        if !is_id(&entry.id) {
            let title = format!("`{shown}` cannot be the id of a requirement");
            let help = format!(
                "write at most {LONGEST} letters, digits, `-` and `/`, such as `my-server/reply`"
            );
            refuse(title, span_of_id(number), help);
        } else if !ids.insert(&entry.id) {
            let title = format!("two requirements have the id `{shown}`");
            let help = "give one of them another id".to_owned();
            refuse(title, span_of_id(number), help);
        }
    }
    if faults.has_errors() {
        return None;
    }
    complete(&mut catalogue);
    match pack::add_catalogue(faults.source().name(), catalogue) {
        Ok(catalogue) => Some(catalogue),
        Err(number) => {
            let title = "another catalogue has a requirement of this id".to_owned();
            let help = "begin the ids with a name of this protocol, such as `my-server/`";
            refuse(title, span_of_id(number), help.to_owned());
            None
        }
    }
}

/// Adds what a dialogue's catalogue leaves out.
fn complete(catalogue: &mut Catalogue) {
    catalogue.judged = None;
    for entry in &mut catalogue.requirements {
        if entry.binds.is_empty() {
            entry.binds = vec![Side::Referee, Side::Bot];
        }
        if !entry.is_binding() && entry.unchecked.is_none() {
            let level = entry.level;
            let why =
                format!("its level is `{level}`: a dialogue checks what must or should be so");
            entry.unchecked = Some(Prose(why));
        }
    }
}

/// The span of the value of a key, or of the mapping that lacks it.
fn span_of(node: &Node, key: &str) -> Span {
    node.entry(key).map_or(node.span, |(_, value)| value.span)
}
