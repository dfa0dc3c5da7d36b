//! Names filled in: `{name}` in any value becomes the text that the file gives for it.
//!
//! Only whole values of the tree are touched, never the text of the file, so what is filled in can add no key and no turn.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::budget::{Budget, Work};
use super::cases::is_name;
use crate::diagnostic::{Faults, Problem, Source, Span, suggest, visible};
use crate::yaml::braces::{self, Piece};
use crate::yaml::{Key, Node, Scalar, Value};

/// Names with their values, as one mapping gives them.
pub(super) struct Values<'n> {
    entries: &'n [(Key, Node)],
    by_name: HashMap<&'n str, &'n Node>,
}

impl<'n> Values<'n> {
    pub(super) fn new(entries: &'n [(Key, Node)]) -> Values<'n> {
        let by_name = entries.iter().map(|(key, node)| (key.text.as_str(), node));
        let by_name = by_name.collect();
        Values { entries, by_name }
    }

    /// The names with their places.
    pub(super) fn keys(&self) -> impl Iterator<Item = &'n Key> + use<'n> {
        self.entries.iter().map(|(key, _)| key)
    }
}

/// The names of one scenario. What a case says takes the place of a variable of that name.
pub(super) struct Names<'n> {
    /// Those of the case.
    pub(super) own: Values<'n>,
    /// Those of all scenarios of the file. Without any name, a brace is a brace.
    pub(super) variables: Rc<Values<'n>>,
}

impl<'n> Names<'n> {
    fn get(&self, name: &str) -> Option<&'n Node> {
        let own = self.own.by_name.get(name);
        own.or_else(|| self.variables.by_name.get(name)).copied()
    }

    /// The names with their places.
    pub(super) fn keys(&self) -> impl Iterator<Item = &'n Key> {
        self.variables.keys().chain(self.own.keys())
    }
}

/// The names that the scenarios of a file have used so far.
#[derive(Default)]
pub(super) struct Filling {
    used: RefCell<HashSet<String>>,
}

impl Filling {
    /// Returns true if the name was used anywhere.
    pub(super) fn has_used(&self, name: &str) -> bool {
        self.used.borrow().contains(name)
    }
}

/// Fills in the names of one scenario.
pub(super) struct Fill<'f, 'n> {
    /// The file that gives the names.
    pub(super) source: &'f Source,
    pub(super) names: &'f Names<'n>,
    pub(super) filling: &'f Filling,
    pub(super) budget: &'f Budget,
}

impl Fill<'_, '_> {
    /// The node with its names filled in; what cannot be filled in stays as it is, and there is a fault.
    pub(super) fn node(&self, node: &Node, faults: &Faults<'_>) -> Node {
        if self.names.keys().next().is_none() {
            return node.clone();
        }
        let text = if let Value::Scalar(scalar) = &node.value {
            scalar.text.len()
        } else {
            0
        };
        if !self.makes(text, node.span, faults) {
            return Node {
                span: node.span,
                value: Value::Null,
            };
        }
        let value = match &node.value {
            Value::Null => Value::Null,
            Value::Scalar(scalar) => return self.scalar(node.span, scalar, faults),
            Value::List(nodes) => {
                Value::List(nodes.iter().map(|node| self.node(node, faults)).collect())
            }
            Value::Map(entries) => {
                self.refuse_bare_name(node, entries, faults);
                Value::Map(
                    entries
                        .iter()
                        .map(|(key, node)| (key.clone(), self.node(node, faults)))
                        .collect(),
                )
            }
        };
        Node {
            span: node.span,
            value,
        }
    }

    fn scalar(&self, span: Span, scalar: &Scalar, faults: &Faults<'_>) -> Node {
        let as_it_is = || Node {
            span,
            value: Value::Scalar(scalar.clone()),
        };
        if !scalar.text.contains('{') {
            return as_it_is();
        }
        let pieces = braces::read(&scalar.text, |inside| {
            let node = self.named(inside, span, faults).map_err(Some)?;
            let bytes = match &node.value {
                Value::Scalar(scalar) => scalar.text.len(),
                _ => 0,
            };
            let is_paid = self.makes(bytes, span, faults);
            is_paid.then_some(Some(node)).ok_or(None)
        });
        let pieces = match pieces {
            Ok(pieces) => pieces,
            Err(problem) => {
                let refuse = |problem: Problem| problem.refuse("scenario/name", span, faults);
                problem.into_iter().for_each(refuse);
                return as_it_is();
            }
        };
        // A value that is one name and nothing else is what the file gives for it.
        if let [Piece::Name(node)] = pieces[..] {
            // The place of a value in another file than that which is read would show anything.
            let is_same_file = faults.source() == self.source;
            return Node {
                span: if is_same_file { node.span } else { span },
                value: node.value.clone(),
            };
        }
        let text = pieces.iter().map(|piece| match piece {
            Piece::Text(text) => text,
            Piece::Name(Node {
                value: Value::Scalar(scalar),
                ..
            }) => &scalar.text,
            Piece::Name(_) => "",
        });
        let (text, style) = (text.collect(), scalar.style);
        Node {
            span,
            value: Value::Scalar(Scalar { text, style }),
        }
    }

    /// Takes the work of so many bytes from the budget of the file.
    fn makes(&self, bytes: usize, span: Span, faults: &Faults<'_>) -> bool {
        self.budget.spend(Work::Fill(bytes), faults.source(), span)
    }

    /// The value of the name in braces.
    fn named(&self, name: &str, span: Span, faults: &Faults<'_>) -> Result<&Node, Problem> {
        if !is_name(name) {
            return Err(braces::no_name());
        }
        if let Some(node) = self.names.get(name) {
            self.filling.used.borrow_mut().insert(name.to_owned());
            return Ok(node);
        }
        let known = self.names.keys().map(|key| key.text.as_str());
        // A slip is looked for among all of them.
        let names = self.names.own.entries.len() + self.names.variables.entries.len();
        let is_paid = self.makes(16 * names, span, faults);
        let meant = suggest(name, known.filter(|_| is_paid));
        let help = "give it in `variables` or in every case";
        Err(braces::unknown(name, meant, help))
    }

    /// `{name}` without quotation marks is a mapping to YAML.
    fn refuse_bare_name(&self, node: &Node, entries: &[(Key, Node)], faults: &Faults<'_>) {
        if let [
            (
                key,
                Node {
                    value: Value::Null, ..
                },
            ),
        ] = entries
            && self.names.get(&key.text).is_some()
            && faults.source().slice(node.span).starts_with(b"{")
        {
            let title = format!("to YAML `{{{}}}` is a mapping", visible::plain(&key.text));
            faults.refuse(
                "scenario/name",
                title,
                node.span,
                "",
                format!(
                    "put it in quotation marks: `\"{{{}}}\"`",
                    visible::plain(&key.text)
                ),
            );
        }
    }
}
