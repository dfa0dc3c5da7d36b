//! A tree of nodes to a [`Scenario`]: names found, moves checked by playing the game, all faults of the file at once.
//!
//! Reading goes on after a fault wherever it is clear what was meant (a slip in the name of the game, a move that the rules
//! refuse), and says nothing more about the game where it is not.

mod adaptive;
mod wrong_turn;
mod cases;
mod choices;
mod matchup;
mod participants;
mod places;
mod file_name;
mod fill;
mod header;
mod include;
mod lines;
mod other_file;
mod meanwhile;
mod send_parts;
mod quoted;
mod dry_run;
mod spot;
mod text;
mod timing;
mod turn;
mod turn_text;
mod turns;
mod world;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

pub(super) use adaptive::{MOVER, TURNS};
pub(super) use header::MOST_ATTEMPTS;
pub(crate) use header::MOST_SPECTATORS;
#[cfg(test)]
pub(super) use lines::VERBS;
pub(super) use timing::DEFAULT;
#[cfg(test)]
pub(super) use turns::TURN_KEYS;

use cases::Row;
use fill::{Fill, Filling};
use include::Includer;
use matchup::Matchup;
use places::PlacedStep;
use send_parts::Budget;
use timing::Setting;

use super::parse::{Key, MapReader, Node, Value, parse};
use super::planned_game::ATTEMPTS;
use super::{Golden, NamedGolden, Plan, PlannedGame, Scenario, ScenarioFiles, Side, write};
use crate::diagnostic::{Diagnostic, Diagnostics, Faults, Source, Span};
use crate::rules::Seat;

/// Reads the scenarios of a text: one, or one for each of its cases. A scenario with a fault in it is left out, and then at least one
/// diagnostic is an error.
///
/// `name` is what the scenario is called; a case is called `name#case`.
pub fn resolve(
    source: &Source,
    name: &str,
    files: &dyn ScenarioFiles,
) -> (Vec<Scenario>, Diagnostics) {
    let faults = Faults::new(source);
    let root = parse(&faults).filter(|root| !other_file::refuse(root, &faults));
    let rows = root.as_ref().and_then(|root| cases::rows(root, &faults));
    let mut diagnostics = faults.into_diagnostics();
    let (Some(root), Some(rows)) = (&root, rows) else {
        assert!(
            diagnostics.has_errors(),
            "a scenario is refused with a reason"
        );
        return (Vec::new(), diagnostics);
    };
    let (filling, budget, goldens) = (Filling::new(), Budget::new(), RefCell::default());
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
            files: &files,
        };
        let scenario = case.whole(&filled(root, &fill, &faults), &faults);
        let found = faults.into_diagnostics();
        if filling.is_full() {
            // What could not be filled in is not known, and what would be said of it a guess.
            diagnostics.extend(
                found
                    .sorted()
                    .into_iter()
                    .filter(|fault| fault.code() == fill::FULL)
                    .cloned(),
            );
            break;
        }
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
        let steps: Vec<_> = steps
            .map(|step| Some(PlacedStep::at(step.clone(), &source)))
            .collect();
        let checked = dry_run::run(plan, &steps, false, &faults);
        let all = Span::new(0, source.bytes().len());
        let checks: Vec<_> = plan.checks.iter().map(|id| (*id, all)).collect();
        plan.barrier = checked.barrier;
        plan.refuse_idle_checks(&checks, checked.exercised, &faults);
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
        exercised: Option<BTreeSet<&'static str>>,
        faults: &Faults<'_>,
    ) {
        if let Some(mut exercised) = exercised.filter(|_| !faults.has_errors()) {
            self.exercised_beside(&mut |id| {
                exercised.insert(id);
            });
            header::refuse_idle_checks(checks, &exercised, faults);
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
    let given = rows.iter().flat_map(|row| row.names.iter());
    let unused = given.filter(|(key, _)| key.text != cases::CASE && !filling.has_used(&key.text));
    let fault = |(key, _): &(&Key, &Node)| {
        let title = format!("`{{{}}}` stands nowhere", key.text);
        let fault =
            Diagnostic::error("scenario/name", title).at(source, key.span, "nothing is filled in");
        fault.help("remove it, or write it where it belongs")
    };
    let mut seen = HashSet::new();
    unused
        .filter(|(key, _)| seen.insert(key.text.clone()))
        .map(fault)
        .collect()
}

/// One scenario of a file.
struct Case<'c> {
    name: &'c str,
    case: Option<&'c str>,
    fill: &'c Fill<'c, 'c>,
    budget: &'c Budget,
    /// The golden transcripts that the cases before have named.
    goldens: &'c RefCell<HashSet<String>>,
    files: &'c dyn ScenarioFiles,
}

impl Case<'_> {
    /// Refuses a golden transcript that another case has as well.
    fn is_own_golden(&self, path: &str, node: &Node, faults: &Faults<'_>) {
        if self.case.is_some() && !self.goldens.borrow_mut().insert(path.to_owned()) {
            let title = "another case has the same golden transcript";
            let fault =
                Diagnostic::error("scenario/golden", title).at(faults.source(), node.span, "");
            faults.push(
                fault.help(
                    "write `{case}` into its name, or remove the line: the name follows from the case's",
                ),
            );
        }
    }

    /// The scenario of which no more is known than what it is called and what it is about.
    fn empty(&self, plan: Plan, title: String, faults: &Faults<'_>) -> Scenario {
        let text = String::from_utf8_lossy(faults.source().bytes());
        let comments = text.lines().map_while(|line| line.strip_prefix('#'));
        Scenario {
            source: faults.source().clone(),
            name: self.name.to_owned(),
            case: self.case.map(str::to_owned),
            comments: comments
                .map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned())
                .collect(),
            ..Scenario::new(plan, title)
        }
    }

    fn whole(&self, root: &Node, faults: &Faults<'_>) -> Option<Scenario> {
        if is_dialogue(root) {
            return self.dialogue(root, faults);
        }
        let mut keys = MapReader::new(root, "a scenario", faults)?;
        let title = keys.required("scenario");
        let game = keys.required("game");
        let subject = keys.required("subject");
        let seat = keys.entry("seat");
        let checks = keys.required("checks");
        let names = keys.optional("names");
        let spectators = keys.entry("spectators");
        let connect = keys.optional("connect");
        let timeout = keys.optional("timeout");
        let pace = keys.entry("pace");
        let slow = keys.optional("slow");
        let tags = keys.optional("tags");
        let turns = keys.required("turns");
        let golden_entry = keys.entry("golden");
        let setup = header::setup_entries(&mut keys, game);
        let attempts = keys.optional("attempts");
        for key in cases::KEYS {
            keys.optional(key);
        }
        keys.finish();

        let title = title.and_then(|node| header::title(node, faults));
        let attempts = attempts.and_then(|node| header::attempts(node, faults));
        let is_slow = slow
            .and_then(|node| node.as_bool(faults))
            .unwrap_or_default();
        let names = names.and_then(|node| header::names(node, faults));
        let golden_path = golden_entry.and_then(|(_, node)| file_name::golden(node, faults));
        let entries = turns.and_then(|node| turns::entries(node, faults));
        let first_key = entries.and_then(turns::first_key);
        let side = header::side(subject, first_key, faults);
        let dialect = game.and_then(|node| header::dialect(node, faults))?;
        let timeout = timeout.and_then(|node| timing::timeout(node, dialect.game(), faults));
        let pace = pace.and_then(|entry| timing::pace(entry, dialect.game(), faults));
        let settings = [
            (["timeout", "timeout_ms"], timeout),
            (["pace", "pace_ms"], pace),
        ];
        let unset = settings
            .into_iter()
            .filter(|(_, setting)| matches!(setting, Some(Setting::Default(_))));
        let unset = unset.flat_map(|(places, _)| places).collect();
        let side = side?;
        let bot_seat = header::seat(seat, root.span, side, dialect.game(), first_key, faults);
        let setup = header::setup(&setup, dialect.game(), faults);
        let matchup = Matchup {
            dialect,
            side,
            bot_seat,
            setup,
        };
        let checks = checks
            .map(|node| header::checks(node, &matchup, faults))
            .unwrap_or_default();
        let spectators = header::spectators(spectators, &matchup, faults);

        let entries = entries?;
        let includer = Includer {
            files: self.files,
            fill: self.fill,
            matchup: &matchup,
            budget: self.budget,
            count: Cell::new(0),
        };
        let steps = includer.steps(entries, faults);
        let of_steps = steps.iter().flatten();
        let read = of_steps.filter(|placed| placed.places.action.is_some());
        let mut plan = PlannedGame {
            bot_seat: if side == Side::Bot {
                bot_seat
            } else {
                Seat::First
            },
            checks: checks.iter().map(|(id, _)| *id).collect(),
            spectators,
            timeout: timeout.map(Setting::time),
            pace: pace.map(Setting::time),
            unset,
            setup,
            attempts: attempts.unwrap_or(ATTEMPTS),
            names,
            steps: read.map(|placed| placed.step.clone()).collect(),
            ..PlannedGame::new(dialect, side)
        };
        let has_proven_checks = self.files.has_proven_checks();
        let checked = dry_run::run(&plan, &steps, has_proven_checks, faults);
        plan.barrier = checked.barrier;
        let golden = match (golden_entry, &checked.undetermined) {
            (Some(entry), Some(why)) => {
                file_name::refuse_golden(entry, why, faults);
                Golden::None
            }
            (None, Some(_)) => Golden::None,
            (Some((_, node)), None) => {
                let path = golden_path?;
                self.is_own_golden(path, node, faults);
                self.files.golden(
                    self.case,
                    Some(NamedGolden {
                        path,
                        span: node.span,
                    }),
                    faults,
                )
            }
            (None, None) => self.files.golden(self.case, None, faults),
        };
        let golden_name = golden_path
            .filter(|_| checked.undetermined.is_none())
            .map(str::to_owned);
        let title = title?;
        plan.connect = connect
            .map(|node| header::connect(node, &plan, faults))
            .unwrap_or_default();
        plan.refuse_idle_checks(&checks, checked.exercised, faults);
        Some(Scenario {
            is_slow,
            tags: tags.map_or(Vec::new(), |node| header::tags(node, faults)),
            golden,
            golden_name,
            ..self.empty(Plan::Game(Arc::new(plan)), title, faults)
        })
    }

    /// A scenario that is a dialogue, line by line.
    fn dialogue(&self, root: &Node, faults: &Faults<'_>) -> Option<Scenario> {
        let mut keys = MapReader::new(root, "a scenario of lines", faults)?;
        let title = keys.required("scenario");
        keys.required("game");
        let subject = keys.required("subject");
        let slow = keys.optional("slow");
        let tags = keys.optional("tags");
        let participants = keys.optional("participants");
        let steps = keys.required("steps");
        let golden_entry = keys.entry("golden");
        for key in cases::KEYS {
            keys.optional(key);
        }
        keys.finish();
        let title = title.and_then(|node| header::title(node, faults));
        let side = header::side(subject, None, faults)?;
        let golden_path = golden_entry.and_then(|(_, node)| file_name::golden(node, faults));
        let dialogue = lines::dialogue(participants, steps?, side, self.budget, faults)?;
        let named = golden_entry.zip(golden_path).map(|((_, node), path)| {
            self.is_own_golden(path, node, faults);
            NamedGolden {
                path,
                span: node.span,
            }
        });
        Some(Scenario {
            is_slow: slow
                .and_then(|node| node.as_bool(faults))
                .unwrap_or_default(),
            tags: tags.map_or(Vec::new(), |node| header::tags(node, faults)),
            golden: self.files.golden(self.case, named, faults),
            golden_name: golden_path.map(str::to_owned),
            ..self.empty(Plan::Dialogue(Arc::new(dialogue)), title?, faults)
        })
    }
}

/// Returns true if the scenario plays a game without rules.
fn is_dialogue(root: &Node) -> bool {
    let is_lines =
        |node: &Node| matches!(&node.value, Value::Scalar(scalar) if scalar.text == "lines");
    root.entry("game").is_some_and(|(_, node)| is_lines(node))
}
