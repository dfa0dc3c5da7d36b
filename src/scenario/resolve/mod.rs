//! A tree of nodes to a [`Scenario`]: names found, moves checked by playing the game, all faults of the file at once.
//!
//! Reading goes on after a fault wherever it is clear what was meant (a slip in the name of the game, a move that the rules
//! refuse), and says nothing more about the game where it is not.

mod branch;
mod budget;
mod case;
mod cases;
mod checks;
mod line;
mod forms;
mod header;
mod include;
mod keys;
mod lines;
mod paper;
mod participants;
pub mod schema;
mod sent;
mod text;
mod turn;
mod turns;
mod verbs;
mod write;

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

pub(crate) use keys::MOST_SPECTATORS;
pub use write::write;

use cases::{CaseFile, CaseKeys};

use super::{Alone, Scenario, ScenarioFiles};
use crate::diagnostic::{Budget, Diagnostic, Diagnostics, Faults, Source, Span};
use crate::yaml::{Node, Value};

/// Reads the scenarios of a text: one, or one for each of its cases. A scenario with a fault in it is left out, and then at least one
/// diagnostic is an error.
///
/// `name` is what the scenario is called; a case is called `name#case`.
pub fn resolve(
    source: &Source,
    name: &str,
    files: &dyn ScenarioFiles,
) -> (Vec<Scenario>, Diagnostics) {
    resolve_within(&Rc::default(), source, name, files)
}

fn resolve_within(
    budget: &Rc<Budget>,
    source: &Source,
    name: &str,
    files: &dyn ScenarioFiles,
) -> (Vec<Scenario>, Diagnostics) {
    let faults = Faults::new(source);
    let root = include::tree(&faults).filter(|root| !refuse_other_file(root, &faults));
    let keys = root
        .as_ref()
        .and_then(|root| CaseKeys::of_file(root, &faults));
    let mut diagnostics = faults.into_diagnostics();
    let (Some(mut root), Some(keys)) = (root, keys) else {
        assert!(
            diagnostics.has_errors(),
            "a scenario is refused with a reason"
        );
        return (Vec::new(), diagnostics);
    };
    if let Value::Map(entries) = &mut root.value {
        // They are read, and no names are filled in there.
        entries.retain(|(key, _)| !["variables", "cases"].contains(&&*key.text));
    }
    let file = CaseFile::new(source, files, keys);
    let mut scenarios: Vec<Scenario> = Vec::new();
    for case in file.cases(name) {
        let faults = Faults::within(source, budget);
        let mut root = root.clone();
        case.fill(&mut root, &faults);
        let scenario = case.whole(&root, &faults);
        let all = Span::new(0, source.bytes().len());
        let errors = faults.len();
        if faults.spend(100 + 50 * errors, all).is_none() {
            // What was not read is not known, and what would be said of it a guess.
            break;
        }
        let found = faults.into_diagnostics();
        assert!(
            scenario.is_some() || found.has_errors(),
            "a scenario is refused with a reason"
        );
        scenarios.extend(scenario.filter(|_| !found.has_errors()));
        match case.case() {
            None => diagnostics.append(found),
            Some(case) => {
                let noted = |fault: &Diagnostic| {
                    fault.clone().note(format!("so it is in the case `{case}`"))
                };
                diagnostics.extend(found.sorted().into_iter().map(noted));
            }
        }
    }
    diagnostics.extend(budget.take_error());
    if !diagnostics.has_errors() {
        diagnostics.extend(file.unused());
    }
    let included = Arc::new(file.included());
    scenarios
        .iter_mut()
        .for_each(|scenario| scenario.included = Arc::clone(&included));
    (scenarios, diagnostics)
}

impl Scenario {
    /// The scenario with the text that is written of it, and its turns as they are read from that text. `name`: its name and that of the text.
    ///
    /// # Errors
    /// The problems of its turns or its checks.
    pub fn placed(mut self, name: &str) -> Result<Scenario, Diagnostics> {
        let (mut read, problems) = resolve(&Source::new(name, write(&self)), name, &Alone);
        let Some(read) = read.pop() else {
            return Err(problems);
        };
        if let (Some(plan), Some(read)) = (self.game_mut(), read.game()) {
            plan.steps.clone_from(&read.steps);
            plan.barrier = read.barrier;
        }
        Ok(Scenario {
            source: read.source,
            name: read.name,
            ..self
        })
    }
}

/// Says of a catalogue of requirements, and of a file that is to be included, that it is one, instead of every key that it has and
/// lacks.
fn refuse_other_file(root: &Node, faults: &Faults) -> bool {
    let Value::Map(entries) = &root.value else {
        return false;
    };
    let has = |wanted: &str| root.has_key(wanted);
    let is_bare = !has("scenario") && !has("turns");
    let only_turns = entries.len() == 1 && has("turns");
    let rows = [
        (
            has("protocol") && has("requirements") && is_bare,
            "scenario/catalogue",
            "this is a catalogue of requirements, not a scenario",
            "name a scenario, or the folder: catalogues in it are passed over",
        ),
        (
            has("subjects") && is_bare,
            "scenario/subjects",
            "this is a file of subjects, not a scenario",
            "`urtext check` checks it, and `urtext run --subject NAME --config FILE` tests one; in a folder of scenarios only `urtext.yaml` is passed over",
        ),
        (
            only_turns,
            "scenario/part",
            "this file holds turns for the scenarios that include it, and is checked with them",
            "check a scenario that includes it, or the folder with both: files whose names begin with `_` are passed over",
        ),
    ];
    let Some((_, code, title, help)) = rows.into_iter().find(|(is_this, ..)| *is_this) else {
        return false;
    };
    let fault = Diagnostic::error(code, title).in_file(faults.source().name());
    faults.push(fault.help(help));
    true
}

/// Returns true if a file of that name holds turns that scenarios include.
pub(super) fn is_part(path: &Path) -> bool {
    let name = path.file_name();
    name.is_some_and(|name| name.as_encoded_bytes().starts_with(b"_"))
}
