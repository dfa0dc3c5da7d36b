//! Turns out of other files: `- include: opening.yaml`.

use std::cell::Cell;

use super::budget::{Budget, Work};
use super::file_name;
use super::fill::Fill;
use super::matchup::Matchup;
use super::turns::{self, INCLUDE, MOST_STEPS};
use crate::diagnostic::{Diagnostic, Faults, Span};
use crate::scenario::{ScenarioFiles, Step};
use crate::yaml::{self, Key, MapReader, Node, Value};

/// Maximum depth of includes.
const DEEPEST: usize = 8;

/// Parses a scenario, or a file of turns that one includes.
pub(super) fn tree(faults: &Faults<'_>) -> Option<Node> {
    let instead = "values that change from game to game go into `cases` or `variables`, turns that are repeated into a file to `include`";
    yaml::parse_without_aliases(instead, faults)
}

/// Reads the list of turns, those of included files in their places.
pub(super) struct Includer<'i> {
    pub(super) files: &'i dyn ScenarioFiles,
    pub(super) fill: &'i Fill<'i, 'i>,
    pub(super) matchup: &'i Matchup,
    pub(super) budget: &'i Budget,
    /// Number of steps read so far.
    pub(super) count: Cell<usize>,
}

/// A file whose turns are being read.
#[derive(Clone, Copy)]
struct File<'f> {
    /// Its path from the scenario's folder.
    path: &'f str,
    /// The file that includes it.
    outer: Option<&'f File<'f>>,
    /// Span in the scenario's own text at which the turns are included.
    shown: Span,
}

impl File<'_> {
    /// Returns the depth of includes, this file included.
    fn depth(&self) -> usize {
        1 + self.outer.map_or(0, File::depth)
    }

    fn is_within(&self, path: &str) -> bool {
        self.path == path || self.outer.is_some_and(|outer| outer.is_within(path))
    }
}

impl Includer<'_> {
    /// The steps of the scenario's own list.
    pub(super) fn steps(&self, entries: &[Node], faults: &Faults<'_>) -> Vec<Option<Step>> {
        let mut steps = Vec::new();
        self.read(entries, true, None, faults, &mut steps);
        steps
    }

    fn read(
        &self,
        entries: &[Node],
        is_last: bool,
        file: Option<&File<'_>>,
        faults: &Faults<'_>,
        steps: &mut Vec<Option<Step>>,
    ) {
        for (index, node) in entries.iter().enumerate() {
            if !self.budget.spend(Work::Step, faults.source(), node.span) {
                return;
            }
            let is_last = is_last && index + 1 == entries.len();
            match included(node) {
                Some(entry) => self.include(entry, node, is_last, file, faults, steps),
                None => {
                    self.count.set(self.count.get() + 1);
                    if self.count.get() > MOST_STEPS {
                        // Of a single file the surplus was refused already.
                        if self.count.get() == MOST_STEPS + 1 && file.is_some() {
                            turns::refuse_surplus(node, faults);
                        }
                        return;
                    }
                    let mut step = turns::step(node, is_last, self.matchup, self.budget, faults);
                    if let (Some(file), Some(step)) = (file, &mut step) {
                        step.span = file.shown;
                    }
                    steps.push(step);
                }
            }
        }
    }

    fn include(
        &self,
        (key, value): &(Key, Node),
        node: &Node,
        is_last: bool,
        file: Option<&File<'_>>,
        faults: &Faults<'_>,
        steps: &mut Vec<Option<Step>>,
    ) {
        if let Value::Map(entries) = &node.value
            && let Some((other, _)) = entries.iter().find(|(other, _)| other.text != key.text)
        {
            let title = "beside `include` nothing else can stand";
            faults.refuse(
                "turn/include",
                title,
                other.span,
                "",
                "write it on a line of its own, after `- `",
            );
            return steps.push(None);
        }
        let nodes = match &value.value {
            Value::List(nodes) => nodes.as_slice(),
            _ => std::slice::from_ref(value),
        };
        for (index, node) in nodes.iter().enumerate() {
            let is_read = self.count.get() <= MOST_STEPS;
            if !is_read || !self.budget.spend(Work::Step, faults.source(), node.span) {
                return;
            }
            let Some(name) = file_name::included(node, faults) else {
                steps.push(None);
                continue;
            };
            let folder = file
                .and_then(|file| file.path.rsplit_once('/'))
                .map(|(folder, _)| folder);
            let path = folder.map_or_else(|| name.to_owned(), |folder| format!("{folder}/{name}"));
            let own = if nodes.len() == 1 {
                key.span.to(value.span)
            } else {
                node.span
            };
            let shown = file.map_or(own, |file| file.shown);
            let inner = File {
                path: &path,
                outer: file,
                shown,
            };
            if file.is_some_and(|file| file.is_within(&path)) {
                faults.refuse(
                    "turn/include",
                    format!("`{path}` includes itself"),
                    node.span,
                    "",
                    "remove this line",
                );
            } else if inner.depth() > DEEPEST {
                let title = format!("files include each other at most {DEEPEST} deep");
                faults.refuse("turn/include", title, node.span, "", "put the turns here");
            } else {
                let is_last = is_last && index + 1 == nodes.len();
                match self.file(&inner, node.span, is_last, faults) {
                    Some(inner) => steps.extend(inner),
                    None => steps.push(None),
                }
                continue;
            }
            steps.push(None);
        }
    }

    /// Reads the turns of a file, and pushes what is wrong there with the place that includes it.
    fn file(
        &self,
        file: &File<'_>,
        place: Span,
        is_last: bool,
        faults: &Faults<'_>,
    ) -> Option<Vec<Option<Step>>> {
        let refuse = |reason: &str| {
            let title = format!("`{}` cannot be included: {reason}", file.path);
            faults.refuse("turn/include", title, place, "", "");
        };
        let source = match self.files.include(file.path) {
            Ok(source) => source,
            Err(reason) => {
                if self.budget.spend(Work::File(0), faults.source(), place) {
                    refuse(&reason);
                }
                return None;
            }
        };
        let work = Work::File(source.bytes().len());
        if !self.budget.spend(work, faults.source(), place) {
            return None;
        }
        let inner = Faults::new(&source);
        let steps = tree(&inner).and_then(|root| {
            if root.has_key("scenario") || root.has_key("game") {
                let title = "this is a whole scenario, and only turns can be included";
                let fault = Diagnostic::error("turn/include", title).in_file(file.path);
                inner
                    .push(fault.help(
                        "move the turns to a file of their own, below the key `turns` alone",
                    ));
                return None;
            }
            let root = self.fill.node(&root, &inner);
            let mut keys = MapReader::new(&root, "a file that is included", &inner)?;
            let turns = keys.required("turns");
            keys.finish();
            let mut steps = Vec::new();
            self.read(
                turns::entries(turns?, &inner)?,
                is_last,
                Some(file),
                &inner,
                &mut steps,
            );
            Some(steps)
        });
        for fault in inner.into_diagnostics().sorted() {
            faults.push(
                fault
                    .clone()
                    .context(faults.source(), place, "included here"),
            );
        }
        steps
    }
}

/// The entry that names what is included, where a step is that.
fn included(node: &Node) -> Option<&(Key, Node)> {
    node.entry(INCLUDE)
}
