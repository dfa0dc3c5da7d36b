//! A tree of nodes to a [`Scenario`]: names found, moves checked by playing the game, all faults of the file at once.
//!
//! Reading goes on after a fault wherever it is clear what was meant (a slip in the name of the game, a move that the rules
//! refuse), and says nothing more about the game where it is not.

mod adaptive;
mod branch;
mod budget;
mod wrong_turn;
mod case;
mod cases;
mod catalogue;
mod checks;
mod choices;
mod deed_text;
mod matchup;
mod participants;
mod file_name;
mod fill;
mod forms;
mod header;
mod include;
mod keys;
mod kinds;
mod lines;
mod meanwhile;
mod send_parts;
mod quoted;
mod paper;
mod text;
mod timing;
mod turn;
mod turn_text;
mod turns;

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

pub(super) use adaptive::{MOVER, TOLD_APART, TURNS};
pub(super) use cases::NAME;
pub(super) use file_name::GoldenName;
pub(super) use forms::{Argument, Doer, Hole};
pub(crate) use keys::MOST_SPECTATORS;
pub(super) use keys::{CaseKeys, DialogueKeys, GameKeys, HeadKeys, SelectionKeys};
pub(super) use kinds::{Elsewhere, Ids, Names, SeatName, SetupKeys, Tags, Time, seats};
pub(super) use lines::{DUE, End, Reading, by_side};
pub(super) use meanwhile::OTHER;
#[cfg(test)]
pub(super) use turns::TURN_KEYS;

use budget::{Budget, Work};
use case::Case;
use cases::Row;
use fill::{Fill, Filling};

use super::{Golden, NamedGolden, PlannedGame, Scenario, ScenarioFiles, write};
use crate::diagnostic::{Diagnostic, Diagnostics, Faults, Source, Span};
use crate::yaml::{Key, Node, Value};

/// Reads the scenarios of a text: one, or one for each of its cases. A scenario with a fault in it is left out, and then at least one
/// diagnostic is an error.
///
/// `name` is what the scenario is called; a case is called `name#case`.
pub fn resolve(
    source: &Source,
    name: &str,
    files: &dyn ScenarioFiles,
) -> (Vec<Scenario>, Diagnostics) {
    resolve_within(Budget::default(), source, name, files)
}

fn resolve_within(
    budget: Budget,
    source: &Source,
    name: &str,
    files: &dyn ScenarioFiles,
) -> (Vec<Scenario>, Diagnostics) {
    let faults = Faults::new(source);
    let root = include::tree(&faults).filter(|root| !refuse_other_file(root, &faults));
    let rows = root.as_ref().and_then(|root| cases::rows(root, &faults));
    let mut diagnostics = faults.into_diagnostics();
    let (Some(root), Some(rows)) = (&root, rows) else {
        assert!(
            diagnostics.has_errors(),
            "a scenario is refused with a reason"
        );
        return (Vec::new(), diagnostics);
    };
    let (filling, goldens) = (Filling::default(), RefCell::default());
    let catalogue = OnceCell::new();
    let files = Collecting {
        files,
        included: RefCell::default(),
    };
    let mut scenarios: Vec<Scenario> = Vec::new();
    for row in &rows {
        let faults = Faults::new(source);
        let fill = Fill {
            source,
            names: &row.names,
            filling: &filling,
            budget: &budget,
        };
        let name = row
            .case
            .map_or_else(|| name.to_owned(), |case| format!("{name}#{case}"));
        let case = Case {
            name: &name,
            case: row.case,
            fill: &fill,
            budget: &budget,
            goldens: &goldens,
            catalogue: &catalogue,
            files: &files,
        };
        let scenario = case.whole(&filled(root, &fill, &faults), &faults);
        let all = Span::new(0, source.bytes().len());
        let errors = faults.len();
        if !budget.spend(Work::Scenario { errors }, source, all) {
            // What was not read is not known, and what would be said of it a guess.
            break;
        }
        let found = faults.into_diagnostics();
        assert!(
            scenario.is_some() || found.has_errors(),
            "a scenario is refused with a reason"
        );
        scenarios.extend(scenario.filter(|_| !found.has_errors()));
        match row.case {
            None => diagnostics.append(found),
            Some(case) => {
                let noted = |fault: &Diagnostic| {
                    fault.clone().note(format!("so it is in the case `{case}`"))
                };
                diagnostics.extend(found.sorted().into_iter().map(noted));
            }
        }
    }
    diagnostics.extend(budget.into_error());
    if !diagnostics.has_errors() {
        diagnostics.extend(unused(&rows, &filling, source));
    }
    let included = Arc::new(files.included.into_inner().into_iter().collect());
    scenarios
        .iter_mut()
        .for_each(|scenario| scenario.included = Arc::clone(&included));
    (scenarios, diagnostics)
}

impl Scenario {
    /// The scenario as it would be read from the text that is written of it, under this name.
    ///
    /// # Errors
    /// What is wrong with its turns or its checks.
    pub fn placed(mut self, name: &str) -> Result<Scenario, Diagnostics> {
        write::place(&mut self, name);
        name.clone_into(&mut self.name);
        let source = self.source.clone();
        let Some(plan) = self.game_mut() else {
            return Ok(self);
        };
        let faults = Faults::new(&source);
        let steps = plan.steps.iter();
        let steps: Vec<_> = steps.cloned().map(Some).collect();
        let budget = Budget::default();
        let checked = paper::check(plan, &steps, false, &budget, &faults);
        let all = Span::new(0, source.bytes().len());
        let checks: Vec<_> = plan.checks.iter().map(|id| (*id, all)).collect();
        plan.barrier = checked.barrier;
        plan.refuse_idle_checks(&checks, checked.idle, &faults);
        let found = faults.into_diagnostics();
        if found.has_errors() {
            return Err(found);
        }
        Ok(self)
    }
}

impl PlannedGame {
    /// Refuses the checks that none of its turns puts to the test, where that is known.
    fn refuse_idle_checks(
        &self,
        checks: &[(&'static str, Span)],
        idle: Option<Vec<&'static str>>,
        faults: &Faults<'_>,
    ) {
        if let Some(mut idle) = idle.filter(|_| !faults.has_errors()) {
            self.exercised_beside(&mut |id| idle.retain(|check| *check != id));
            checks::refuse_idle_checks(checks, &idle, faults);
        }
    }
}

/// The surroundings of a scenario, and the files that were included from them.
struct Collecting<'s> {
    files: &'s dyn ScenarioFiles,
    included: RefCell<BTreeMap<String, Source>>,
}

impl ScenarioFiles for Collecting<'_> {
    fn has_proven_checks(&self) -> bool {
        self.files.has_proven_checks()
    }

    fn golden(
        &self,
        case: Option<&str>,
        named: Option<NamedGolden<'_>>,
        faults: &Faults<'_>,
    ) -> Golden {
        self.files.golden(case, named, faults)
    }

    fn include(&self, path: &str) -> Result<Source, String> {
        let source = self.files.include(path)?;
        self.included
            .borrow_mut()
            .insert(path.to_owned(), source.clone());
        Ok(source)
    }
}

/// The tree of one scenario: its names filled in, and what they are left out.
fn filled(root: &Node, fill: &Fill<'_, '_>, faults: &Faults<'_>) -> Node {
    let Value::Map(entries) = &root.value else {
        return root.clone();
    };
    let entries = cases::rest(entries).map(|(key, node)| (key.clone(), fill.node(node, faults)));
    Node {
        span: root.span,
        value: Value::Map(entries.collect()),
    }
}

/// Reports variables that are defined and never used.
fn unused(rows: &[Row<'_>], filling: &Filling, source: &Source) -> Vec<Diagnostic> {
    // The variables are the same in all rows.
    let own = rows.iter().skip(1).flat_map(|row| row.names.own.keys());
    let given = rows.first().into_iter().flat_map(|row| row.names.keys());
    let unused = given.chain(own);
    let unused = unused.filter(|key| key.text != cases::CASE && !filling.has_used(&key.text));
    let fault = |key: &Key| {
        let title = format!("`{{{}}}` stands nowhere", key.text);
        let fault =
            Diagnostic::error("scenario/name", title).at(source, key.span, "nothing is filled in");
        fault.help("remove it, or write it where it belongs")
    };
    let mut seen = HashSet::new();
    unused
        .filter(|key| seen.insert(key.text.clone()))
        .map(fault)
        .collect()
}

/// Says of a catalogue of requirements, and of a file that is to be included, that it is one, instead of every key that it has and
/// lacks.
fn refuse_other_file(root: &Node, faults: &Faults<'_>) -> bool {
    let Value::Map(entries) = &root.value else {
        return false;
    };
    let has = |wanted: &str| root.has_key(wanted);
    let (code, title, help) = if has("protocol")
        && has("requirements")
        && !has("scenario")
        && !has("turns")
    {
        let title = "this is a catalogue of requirements, not a scenario";
        (
            "scenario/catalogue",
            title,
            "name a scenario, or the folder: catalogues in it are passed over".to_owned(),
        )
    } else if has("subjects") && !has("scenario") && !has("turns") {
        let title = "this is a file of subjects, not a scenario";
        let help = "`urtext check` checks it, and `urtext run --subject NAME --config FILE` tests one; in a folder of scenarios only `urtext.yaml` is passed over".to_owned();
        ("scenario/subjects", title, help)
    } else if entries.len() == 1 && has("turns") && is_part(faults.source().name()) {
        let title =
            "this file holds turns for the scenarios that include it, and is checked with them";
        (
            "scenario/part",
            title,
            "check a scenario that includes it, or the folder with both".to_owned(),
        )
    } else if entries.len() == 1 && has("turns") {
        let title = "this file has turns and nothing else: it is no scenario";
        (
            "scenario/part",
            title,
            "to include it in scenarios, let its name begin with `_`: such files in a folder are passed over".to_owned(),
        )
    } else {
        return false;
    };
    faults.push(
        Diagnostic::error(code, title)
            .in_file(faults.source().name())
            .help(help),
    );
    true
}

/// Returns true if a file of that name holds turns that scenarios include.
fn is_part(name: &str) -> bool {
    std::path::Path::new(name)
        .file_name()
        .is_some_and(crate::scenario::discover::is_part)
}
