//! Other files of a scenario: turns out of them (`- include: opening.yaml`), and names of files, which stay in the folder they are taken from.

use super::budget::{self, STEP};
use super::cases::Case;
use super::line::Reader;
use super::paper::Undetermined;
use super::turns::{self, INCLUDE, PLAY, TurnKeys, turns_shape};
use crate::diagnostic::{Diagnostic, Faults, Span};
use crate::scenario::keys::leads_out;
use crate::scenario::{PlannedGame, Step};
use crate::yaml::{self, Entry, Key, Keys, Kind, Node, Value, keys};

keys! {
    /// The keys of a file that scenarios include.
    #[derive(Debug, Default)]
    pub(in crate::scenario) struct PartKeys in "a file that is included" {
        /// The turns
        required "turns" => turns: Entry as turns_shape;
    }
}

/// The most steps that a scenario may have.
const MOST_STEPS: usize = 10_000;
/// Maximum depth of includes.
const DEEPEST: usize = 8;

/// Parses a scenario, or a file of turns that one includes.
pub(super) fn tree(faults: &Faults) -> Option<Node> {
    let instead = "values that change from game to game go into `cases` or `variables`, turns that are repeated into a file to `include`";
    yaml::parse_without_aliases(instead, faults)
}

/// Reads the list of turns, those of included files in their places.
pub(super) struct Includer<'i> {
    pub(super) case: &'i Case<'i>,
    pub(super) plan: &'i PlannedGame,
}

/// A file whose turns are being read.
#[derive(Clone, Copy)]
struct File<'f> {
    /// The paths of the file and of those that include it, from the scenario's folder.
    paths: &'f [String],
    /// Span in the scenario's own text at which the turns are included.
    shown: Option<Span>,
    faults: &'f Faults,
}

impl Includer<'_> {
    /// The steps of the scenario's own list.
    pub(super) fn steps(&self, entries: &[Node], faults: &Faults) -> Vec<Option<Step>> {
        let file = File {
            paths: &[],
            shown: None,
            faults,
        };
        let mut steps = Vec::new();
        self.read(entries, file, &mut steps);
        if let Some(surplus) = steps.iter().flatten().nth(MOST_STEPS) {
            let title = format!("a scenario has at most {MOST_STEPS} turns");
            let help = "split it into several scenarios, or end it with `- play: to the end`";
            let code = "scenario/too-many-turns";
            faults.refuse(code, title, surplus.span, "one too many", help);
            steps.truncate(MOST_STEPS);
        }
        steps
    }

    fn read(&self, entries: &[Node], file: File<'_>, steps: &mut Vec<Option<Step>>) {
        let (plan, faults) = (self.plan, file.faults);
        let reader = Reader { plan, faults };
        for node in entries {
            if faults.spend(STEP, node.span).is_none() {
                return;
            }
            let step = match reader.begins(node) {
                Some((INCLUDE, entry)) => {
                    self.include(entry, file, steps);
                    continue;
                }
                Some((PLAY, entry)) => reader.play(entry),
                Some((player, entry)) => {
                    let keys = TurnKeys::take(node, faults);
                    reader.turn(plan.seat(player), entry, &keys)
                }
                None => None,
            };
            steps.push(step.map(|step| Step {
                span: file.shown.unwrap_or(step.span),
                ..step
            }));
        }
    }

    fn include(&self, (key, value): &(Key, Node), file: File<'_>, steps: &mut Vec<Option<Step>>) {
        let faults = file.faults;
        let refuse = |title: &str, span, help| {
            faults.refuse("turn/include", title, span, "", help);
        };
        let nodes = match &value.value {
            Value::List(nodes) => nodes.as_slice(),
            _ => std::slice::from_ref(value),
        };
        for node in nodes {
            if faults.spend(STEP, node.span).is_none() {
                return;
            }
            let Some(name) = included(node, faults) else {
                steps.push(None);
                continue;
            };
            let outer = file.paths.last().and_then(|path| path.rsplit_once('/'));
            let path =
                outer.map_or_else(|| name.to_owned(), |(folder, _)| format!("{folder}/{name}"));
            let own = match nodes {
                [_] => key.span.to(value.span),
                _ => node.span,
            };
            let inner = if file.paths.contains(&path) {
                let title = format!("`{path}` includes itself");
                refuse(&title, node.span, "remove this line");
                None
            } else if file.paths.len() == DEEPEST {
                let title = format!("files include each other at most {DEEPEST} deep");
                refuse(&title, node.span, "put the turns here");
                None
            } else {
                let inner = File {
                    paths: &[file.paths, &[path]].concat(),
                    shown: file.shown.or(Some(own)),
                    faults,
                };
                self.file(inner, node.span)
            };
            match inner {
                Some(inner) => steps.extend(inner),
                None => steps.push(None),
            }
        }
    }

    /// Reads the turns of a file, and pushes what is wrong there with the place that includes it.
    fn file(&self, file: File<'_>, place: Span) -> Option<Vec<Option<Step>>> {
        let outer = file.faults;
        let path = file.paths.last()?;
        let source = match self.case.file.include(path) {
            Ok(source) => source,
            Err(reason) => {
                outer.spend(budget::file(0), place)?;
                let title = format!("`{path}` cannot be included: {reason}");
                return outer.reject("turn/include", title, place, "", "");
            }
        };
        outer.spend(budget::file(source.bytes().len()), place)?;
        let inner = outer.beside(&source);
        let steps = tree(&inner).and_then(|mut root| {
            if root.has_key("scenario") || root.has_key("game") {
                let title = "this is a whole scenario, and only turns can be included";
                let fault = Diagnostic::error("turn/include", title).in_file(path);
                let help = "move the turns to a file of their own, below the key `turns` alone";
                inner.push(fault.help(help));
                return None;
            }
            self.case.fill(&mut root, &inner);
            let keys = PartKeys::read(&root, &inner)?;
            let faults = &inner;
            let entries = turns::entries(keys.turns.node()?, faults)?;
            let mut steps = Vec::new();
            self.read(entries, File { faults, ..file }, &mut steps);
            Some(steps)
        });
        outer.append(inner, place, "included here");
        steps
    }
}

/// The path of a file that is included, which stays in the folder it is taken from.
pub(super) fn included<'n>(node: &'n Node, faults: &Faults) -> Option<&'n str> {
    let text = node.as_line(faults)?;
    let Some(reason) = leads_out(text, &[".yaml", ".yml"]) else {
        return Some(text);
    };
    let title = format!("this cannot be a file to include: {reason}");
    faults.reject(
        "turn/include",
        title,
        node.span,
        "",
        "write a plain file name, such as `_opening.yaml`",
    )
}

/// Refuses a golden transcript where the game is not determined by the scenario.
pub(super) fn refuse_golden(span: Span, reason: &Undetermined, faults: &Faults) {
    let title = format!("this game has no golden transcript: {}", reason.why);
    let mut fault = Diagnostic::error("scenario/golden", title).at(faults.source(), span, "");
    if let Some(by) = &reason.by {
        fault = fault.explained_by(by.clone());
    }
    faults.push(fault.help(reason.help));
}
