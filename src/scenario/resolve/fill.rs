//! Names filled in: `{name}` in any value becomes the text that the file gives for it.
//!
//! Only whole values of the tree are touched, never the text of the file, so what is filled in can add no key and no turn.

use std::cell::RefCell;
use std::collections::HashSet;

use super::budget::{Budget, Work};
use super::cases::is_name;
use crate::diagnostic::{Diagnostic, Faults, Source, Span, suggest, visible};
use crate::yaml::{Key, Node, Scalar, Value};

/// Values by name.
pub(super) struct Names<'n>(Vec<(&'n Key, &'n Node)>);

impl<'n> Names<'n> {
    /// Nothing is filled in, and a brace is a brace.
    pub(super) fn none() -> Names<'n> {
        Names(Vec::new())
    }

    pub(super) fn new(entries: Vec<(&'n Key, &'n Node)>) -> Names<'n> {
        Names(entries)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &(&'n Key, &'n Node)> {
        self.0.iter()
    }

    fn get(&self, name: &str) -> Option<&'n Node> {
        self.0
            .iter()
            .find(|(key, _)| key.text == name)
            .map(|(_, node)| *node)
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
        if self.names.0.is_empty() {
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
        let text = &scalar.text;
        if !text.contains(['{', '}']) {
            return as_it_is();
        }
        // A value that is one name and nothing else is what the file gives for it, where it gives it.
        if let Some(name) = text
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'))
            && is_name(name)
        {
            let Some(node) = self.named(name, span, faults) else {
                return as_it_is();
            };
            // The place of a value in another file than that which is read would show anything.
            if let Value::Scalar(scalar) = &node.value
                && !self.makes(scalar.text.len(), span, faults)
            {
                return as_it_is();
            }
            let is_same_file = faults.source() == self.source;
            return Node {
                span: if is_same_file { node.span } else { span },
                value: node.value.clone(),
            };
        }
        let mut filled = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while let Some(at) = rest.find(['{', '}']) {
            filled.push_str(&rest[..at]);
            rest = &rest[at..];
            let part = if rest.starts_with("{{") || rest.starts_with("}}") {
                filled.push_str(&rest[..1]);
                2
            } else if rest.starts_with('}') {
                filled.push('}');
                1
            } else {
                let Some((name, _)) = rest[1..].split_once('}').filter(|(name, _)| is_name(name))
                else {
                    let fault = Diagnostic::error("scenario/name", "no name follows this brace");
                    let fault = fault.at(faults.source(), self.place(span, faults), "");
                    faults.push(fault.help("write `{{` for a literal brace"));
                    return as_it_is();
                };
                let Some(node) = self.named(name, span, faults) else {
                    return as_it_is();
                };
                if let Value::Scalar(scalar) = &node.value {
                    if !self.makes(scalar.text.len(), span, faults) {
                        return as_it_is();
                    }
                    filled.push_str(&scalar.text);
                }
                name.len() + 2
            };
            rest = &rest[part..];
        }
        filled.push_str(rest);
        Node {
            span,
            value: Value::Scalar(Scalar {
                text: filled,
                style: scalar.style,
            }),
        }
    }

    /// Takes the work of so many bytes from the budget of the file.
    fn makes(&self, bytes: usize, span: Span, faults: &Faults<'_>) -> bool {
        self.budget.spend(Work::Fill(bytes), faults.source(), span)
    }

    fn named(&self, name: &str, span: Span, faults: &Faults<'_>) -> Option<&Node> {
        if let Some(node) = self.names.get(name) {
            self.filling.used.borrow_mut().insert(name.to_owned());
            return Some(node);
        }
        let title = format!("nothing says what `{{{name}}}` is");
        let fault = Diagnostic::error("scenario/name", title).at(
            faults.source(),
            self.place(span, faults),
            "",
        );
        let known = self.names.0.iter().map(|(key, _)| key.text.as_str());
        faults.push(match suggest(name, known) {
            Some(meant) => fault.help(format!("write `{{{meant}}}`")),
            None => fault
                .help("give it in `variables` or in every case; write `{{` for a literal brace"),
        });
        None
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

    fn place(&self, span: Span, faults: &Faults<'_>) -> Span {
        faults.source().first_line(span)
    }
}
