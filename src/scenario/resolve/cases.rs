//! One file, many scenarios: the keys `variables` and `cases`. `{name}` in any value becomes the text that the file gives for it.
//!
//! Only whole values of the tree are touched, never the text of the file, so what is filled in can add no key and no turn.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use super::budget::{Budget, Work};
use crate::diagnostic::{Faults, Problem, Source, Span, suggest, visible};
use crate::yaml::braces::{self, Piece};
use crate::yaml::{Key, Node, Scalar, Value};

/// The longest name of a case or of anything that is filled in.
const LONGEST_NAME: usize = 40;

const VARIABLES: &str = "variables";
const CASES: &str = "cases";
/// The key that names a case.
pub(super) const CASE: &str = "case";

/// A scenario of the file, before its names are filled in.
pub(super) struct Row<'n> {
    /// Name of the case; `None` if the file has no cases.
    pub(super) case: Option<&'n str>,
    /// Values for `{name}`.
    pub(super) names: Names<'n>,
}

/// Reads what is filled in, for every scenario of the file; one without any names where nothing is.
///
/// Nothing where there is a fault in that, since what the rest means would be a guess.
pub(super) fn rows<'n>(root: &'n Node, faults: &Faults<'_>) -> Option<Vec<Row<'n>>> {
    let before = faults.len();
    let variables = root
        .entry(VARIABLES)
        .map(|(_, node)| self::variables(node, faults));
    let cases = root.entry(CASES).map(|(_, node)| self::cases(node, faults));
    if faults.len() > before {
        return None;
    }
    let values = |entries: &'n [(Key, Node)]| -> Values<'n> {
        let entries = entries.iter();
        entries
            .map(|entry| (entry.0.text.as_str(), entry))
            .collect()
    };
    let variables = Rc::new(values(variables.unwrap_or_default()));
    let row = |case, own| {
        let (own, variables) = (values(own), Rc::clone(&variables));
        let names = Names { own, variables };
        Row { case, names }
    };
    Some(match cases {
        Some(cases) => {
            let cases = cases.into_iter();
            cases.map(|(case, own)| row(Some(case), own)).collect()
        }
        None => vec![row(None, &[])],
    })
}

/// The file without the keys that are read here.
pub(super) fn rest(entries: &[(Key, Node)]) -> impl Iterator<Item = &(Key, Node)> {
    entries
        .iter()
        .filter(|(key, _)| key.text != VARIABLES && key.text != CASES)
}

fn variables<'n>(node: &'n Node, faults: &Faults<'_>) -> &'n [(Key, Node)] {
    let entries = node.as_map(faults).unwrap_or_default();
    if let Some((key, _)) = entries.iter().find(|(key, _)| key.text == CASE) {
        faults.refuse(
            "scenario/cases",
            "`case` is the name of a case",
            key.span,
            "",
            "give the variable another name",
        );
    }
    check(entries, faults);
    entries
}

fn cases<'n>(node: &'n Node, faults: &Faults<'_>) -> Vec<(&'n str, &'n [(Key, Node)])> {
    let Some(entries) = node.as_list(faults) else {
        return Vec::new();
    };
    if entries.is_empty() {
        faults.refuse(
            "scenario/cases",
            "at least one case is due here",
            node.span,
            "",
            "write one a line, such as `- {case: empty, line: \"\"}`",
        );
    }
    let mut cases = Vec::new();
    let mut places: HashMap<&str, Span> = HashMap::new();
    for entry in entries {
        let Some(row) = entry.as_map(faults) else {
            continue;
        };
        check(row, faults);
        let Some((_, value)) = row.iter().find(|(key, _)| key.text == CASE) else {
            faults.refuse(
                "scenario/cases",
                "a case needs a name",
                entry.span,
                "",
                "write it first, such as `case: empty`",
            );
            continue;
        };
        let Some(name) = value.as_line(faults) else {
            continue;
        };
        if !is_name(name) {
            let title = format!(
                "`{}` cannot be the name of a case",
                visible::plain(name).at_most(40)
            );
            faults.refuse("scenario/cases", &title, value.span, "", SPELLING);
        }
        if let Some(first) = places.insert(name, value.span) {
            let title = format!("there is another case `{name}`");
            let places = [first, value.span];
            let help = "give it another name";
            faults.refuse_again("scenario/cases", title, places, help);
        }
        cases.push((name, row));
    }
    cases
}

/// Refuses names that cannot be written between braces, and values that are no text.
fn check(entries: &[(Key, Node)], faults: &Faults<'_>) {
    for (key, value) in entries {
        if !is_name(&key.text) {
            let title = format!(
                "`{}` cannot be filled in by its name",
                visible::plain(&key.text).at_most(40)
            );
            faults.refuse("scenario/cases", &title, key.span, "", SPELLING);
        }
        if !matches!(value.value, Value::Scalar(_)) {
            let (title, label) = (
                "only text can be filled in",
                format!("this is {}", value.kind()),
            );
            let help = "write a text; an empty one is `\"\"`";
            faults.refuse("scenario/cases", title, value.span, label, help);
        }
    }
}
/// Pattern of the names in braces, of cases and of tags, for editors.
pub(in crate::scenario) const NAME: &str = "^[a-z0-9][a-z0-9-]{0,39}$";

pub(super) const SPELLING: &str =
    "write a small letter or a digit, and after it small letters, digits and `-` as you like";

/// Returns true for a valid name in braces, which may become part of a file's name.
pub(super) fn is_name(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    text.len() <= LONGEST_NAME
        && text.bytes().next().is_some_and(is_plain)
        && text.bytes().all(|byte| is_plain(byte) || byte == b'-')
}

/// Names with their entries, as one mapping gives them.
type Values<'n> = BTreeMap<&'n str, &'n (Key, Node)>;

/// The names of one scenario. What a case says takes the place of a variable of that name.
pub(super) struct Names<'n> {
    /// Those of the case.
    pub(super) own: Values<'n>,
    /// Those of all scenarios of the file. Without any name, a brace is a brace.
    pub(super) variables: Rc<Values<'n>>,
}

/// Fills in the names of one scenario.
pub(super) struct Fill<'f, 'n> {
    /// The file that gives the names.
    pub(super) source: &'f Source,
    pub(super) names: &'f Names<'n>,
    /// The names that the scenarios of the file have used so far.
    pub(super) used: &'f RefCell<HashSet<String>>,
    pub(super) budget: &'f Budget,
}

impl Fill<'_, '_> {
    /// The node with its names filled in; what cannot be filled in stays as it is, and there is a fault.
    pub(super) fn node(&self, node: &Node, faults: &Faults<'_>) -> Node {
        let Names { own, variables } = self.names;
        if own.is_empty() && variables.is_empty() {
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
        let Names { own, variables } = self.names;
        if let Some((_, node)) = own.get(name).or_else(|| variables.get(name)) {
            self.used.borrow_mut().insert(name.to_owned());
            return Ok(node);
        }
        let known = variables.keys().chain(own.keys()).copied();
        // A slip is looked for among all of them.
        let is_paid = self.makes(16 * (own.len() + variables.len()), span, faults);
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
            && [&self.names.own, &*self.names.variables]
                .iter()
                .any(|names| names.contains_key(&*key.text))
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
