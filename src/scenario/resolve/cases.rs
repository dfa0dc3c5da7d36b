//! One file, many scenarios: the keys `variables` and `cases`. `{name}` in any value becomes the text that the file gives for it.
//!
//! Only whole values of the tree are touched, never the text of the file, so what is filled in can add no key and no turn.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::{Value as Json, json};

use crate::diagnostic::{Faults, Problem, Source, Span, suggest, visible};
use crate::scenario::keys::{NAME, SPELLING, is_name};
use crate::yaml::braces::{self, Piece};
use crate::yaml::shape::text;
use crate::yaml::{At, Key, Keys, Kind, Node, Scalar, Value, keys};

/// The key that names a case.
pub(super) const CASE: &str = "case";

keys! {
    /// The keys that make many scenarios of one file. They are read before the others.
    #[derive(Debug, Default)]
    pub(in crate::scenario) struct CaseKeys in "a scenario" {
        /// Texts for names in braces, see [Cases](#cases)
        optional "variables" => variables: Texts;
        /// Many scenarios in one file, see [Cases](#cases)
        optional "cases" => cases: Option<Cases>;
    }
}

/// A scenario of the file, before its names are filled in.
pub(super) struct Row<'n> {
    /// Name of the case; `None` if the file has no cases.
    pub(super) case: Option<&'n str>,
    /// The names of the case. They take the place of variables of the same names.
    pub(super) own: Option<&'n Texts>,
    /// The names of all scenarios of the file. Without any name, a brace is a brace.
    pub(super) variables: &'n Texts,
}

impl Row<'_> {
    /// Names that can be written between braces, each with its entry: first those of the case.
    fn texts(&self) -> impl Iterator<Item = &Texts> {
        self.own.into_iter().chain([self.variables])
    }
}

impl CaseKeys {
    /// Reads what is filled in.
    ///
    /// Nothing where there is a fault in that, since what the rest means would be a guess.
    pub(super) fn of_file(root: &Node, faults: &Faults) -> Option<CaseKeys> {
        let before = faults.len();
        let keys = CaseKeys::take(root, faults);
        if let Some((key, _)) = keys.variables.0.get(CASE) {
            let help = "give the variable another name";
            let title = "`case` is the name of a case";
            faults.refuse("scenario/cases", title, key.span, "", help);
        }
        (faults.len() == before).then_some(keys)
    }

    /// The scenarios of the file; one without any names where nothing is filled in.
    pub(super) fn rows(&self) -> Vec<Row<'_>> {
        let row = |case, own| Row {
            case,
            own,
            variables: &self.variables,
        };
        match &self.cases {
            Some(cases) => {
                let cases = cases.0.iter();
                let cases = cases.map(|case| row(Some(&*case.name.is), Some(&case.texts)));
                cases.collect()
            }
            None => vec![row(None, None)],
        }
    }
}

/// The file without the keys that are read here.
pub(super) fn rest(entries: &[(Key, Node)]) -> impl Iterator<Item = &(Key, Node)> {
    let own = ["variables", "cases"];
    entries
        .iter()
        .filter(move |(key, _)| !own.contains(&&*key.text))
}

/// Names that can be written between braces, each with its text.
#[derive(Debug, Default)]
pub(super) struct Texts(pub(super) BTreeMap<String, (Key, Node)>);

impl Kind for Texts {
    fn read(node: &Node, faults: &Faults) -> Option<Texts> {
        let entries = node.as_map(faults)?;
        for (key, value) in entries {
            let refuse = |title: &str, span, label: &str, help| {
                faults.refuse("scenario/cases", title, span, label, help);
            };
            if !is_name(&key.text) {
                let shown = visible::short(&key.text);
                let title = format!("`{shown}` cannot be filled in by its name");
                refuse(&title, key.span, "", SPELLING);
            }
            if !matches!(value.value, Value::Scalar(_)) {
                let label = format!("this is {}", value.kind());
                let help = "write a text; an empty one is `\"\"`";
                refuse("only text can be filled in", value.span, &label, help);
            }
        }
        let entries = entries.iter().cloned();
        let named = entries.map(|entry| (entry.0.text.clone(), entry));
        Some(Texts(named.collect()))
    }

    fn shape() -> Json {
        let filled_in = text("what is filled in where its name stands between braces");
        json!({"type": "object", "propertyNames": {"pattern": NAME}, "additionalProperties": filled_in})
    }
}

/// The cases, each with a name of its own.
#[derive(Debug)]
pub(super) struct Cases(Vec<CaseTexts>);

impl Kind for Cases {
    fn read(node: &Node, faults: &Faults) -> Option<Cases> {
        let entries = node.as_list(faults)?;
        if entries.is_empty() {
            let title = "at least one case is due here";
            let help = "write one a line, such as `- {case: empty, line: \"\"}`";
            faults.refuse("scenario/cases", title, node.span, "", help);
        }
        let cases = entries.iter();
        let cases: Vec<_> = cases
            .filter_map(|case| CaseTexts::read(case, faults))
            .collect();
        let mut places: HashMap<&str, Span> = HashMap::new();
        for At { is: name, span } in cases.iter().map(|case| &case.name) {
            if let Some(first) = places.insert(name, *span) {
                let title = format!("there is another case `{name}`");
                let help = "give it another name";
                faults.refuse_again("scenario/cases", title, [first, *span], help);
            }
        }
        Some(Cases(cases))
    }

    fn shape() -> Json {
        json!({"type": "array", "items": CaseTexts::shape()})
    }
}

/// The texts of one case, and its name, which is one of them.
#[derive(Debug)]
pub(super) struct CaseTexts {
    name: At<String>,
    texts: Texts,
}

impl Kind for CaseTexts {
    fn read(node: &Node, faults: &Faults) -> Option<CaseTexts> {
        let texts = Texts::read(node, faults)?;
        let Some((_, value)) = node.entry(CASE) else {
            let help = "write it first, such as `case: empty`";
            let title = "a case needs a name";
            return faults.reject("scenario/cases", title, node.span, "", help);
        };
        let name: At<String> = At::read(value, faults)?;
        if !is_name(&name.is) {
            let shown = visible::short(&name.is);
            let title = format!("`{shown}` cannot be the name of a case");
            faults.refuse("scenario/cases", title, value.span, "", SPELLING);
        }
        Some(CaseTexts { name, texts })
    }

    fn shape() -> Json {
        let mut shape = Texts::shape();
        shape["title"] = json!("a case");
        shape["properties"] = json!({CASE: text("its name: small letters, digits and `-`")});
        shape["required"] = json!([CASE]);
        shape
    }
}

/// Fills in the names of one scenario.
pub(super) struct Fill<'f, 'n> {
    /// The file that gives the names.
    pub(super) source: &'f Source,
    pub(super) row: &'f Row<'n>,
    /// The names that the scenarios of the file have used so far.
    pub(super) used: &'f RefCell<HashSet<String>>,
}

impl Fill<'_, '_> {
    /// The node with its names filled in; what cannot be filled in stays as it is, and there is a fault.
    pub(super) fn node(&self, node: &Node, faults: &Faults) -> Node {
        if self.row.texts().all(|texts| texts.0.is_empty()) {
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
            Value::Map(entries) => Value::Map(
                entries
                    .iter()
                    .map(|(key, node)| (key.clone(), self.node(node, faults)))
                    .collect(),
            ),
        };
        Node {
            span: node.span,
            value,
        }
    }

    fn scalar(&self, span: Span, scalar: &Scalar, faults: &Faults) -> Node {
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
    fn makes(&self, bytes: usize, span: Span, faults: &Faults) -> bool {
        faults.spend(1 + bytes / 16, span).is_some()
    }

    /// The value of the name in braces.
    fn named(&self, name: &str, span: Span, faults: &Faults) -> Result<&Node, Problem> {
        if !is_name(name) {
            return Err(braces::no_name());
        }
        let texts = || self.row.texts().map(|texts| &texts.0);
        if let Some((_, node)) = texts().find_map(|texts| texts.get(name)) {
            self.used.borrow_mut().insert(name.to_owned());
            return Ok(node);
        }
        let known = texts().flat_map(BTreeMap::keys).map(String::as_str);
        // A slip is looked for among all of them.
        let count: usize = texts().map(BTreeMap::len).sum();
        let is_paid = self.makes(16 * count, span, faults);
        let meant = suggest(name, known.filter(|_| is_paid));
        let help = "give it in `variables` or in every case";
        Err(braces::unknown(name, meant, help))
    }
}
