//! One file, many scenarios: the keys `variables` and `cases`.

use std::collections::HashMap;
use std::rc::Rc;

use super::fill::{Names, Values};
use crate::diagnostic::{Faults, Span, visible};
use crate::yaml::{Key, Node, Value};

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
    let reader = Reader { faults };
    let variables = root
        .entry(VARIABLES)
        .map(|(_, node)| reader.variables(node));
    let cases = root.entry(CASES).map(|(_, node)| reader.cases(node));
    if faults.len() > before {
        return None;
    }
    let variables = Rc::new(Values::new(variables.unwrap_or_default()));
    let row = |case, own| {
        let (own, variables) = (Values::new(own), Rc::clone(&variables));
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

struct Reader<'r, 'f> {
    faults: &'r Faults<'f>,
}

impl Reader<'_, '_> {
    fn variables<'n>(&self, node: &'n Node) -> &'n [(Key, Node)] {
        let entries = node.as_map(self.faults).unwrap_or_default();
        if let Some((key, _)) = entries.iter().find(|(key, _)| key.text == CASE) {
            self.faults.refuse(
                "scenario/cases",
                "`case` is the name of a case",
                key.span,
                "",
                "give the variable another name",
            );
        }
        self.checked(entries);
        entries
    }

    fn cases<'n>(&self, node: &'n Node) -> Vec<(&'n str, &'n [(Key, Node)])> {
        let Some(entries) = node.as_list(self.faults) else {
            return Vec::new();
        };
        if entries.is_empty() {
            self.faults.refuse(
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
            let Some(row) = entry.as_map(self.faults) else {
                continue;
            };
            self.checked(row);
            let Some((_, value)) = row.iter().find(|(key, _)| key.text == CASE) else {
                self.faults.refuse(
                    "scenario/cases",
                    "a case needs a name",
                    entry.span,
                    "",
                    "write it first, such as `case: empty`",
                );
                continue;
            };
            let Some(name) = value.as_line(self.faults) else {
                continue;
            };
            if !is_name(name) {
                let title = format!(
                    "`{}` cannot be the name of a case",
                    visible::plain(name).at_most(40)
                );
                self.faults
                    .refuse("scenario/cases", &title, value.span, "", SPELLING);
            }
            if let Some(first) = places.insert(name, value.span) {
                let title = format!("there is another case `{name}`");
                let places = [first, value.span];
                let help = "give it another name";
                self.faults
                    .refuse_again("scenario/cases", title, places, help);
            }
            cases.push((name, row));
        }
        cases
    }

    /// Refuses names that cannot be written between braces, and values that are no text.
    fn checked(&self, entries: &[(Key, Node)]) {
        for (key, value) in entries {
            if !is_name(&key.text) {
                let title = format!(
                    "`{}` cannot be filled in by its name",
                    visible::plain(&key.text).at_most(40)
                );
                self.faults
                    .refuse("scenario/cases", &title, key.span, "", SPELLING);
            }
            if !matches!(value.value, Value::Scalar(_)) {
                let (title, label) = (
                    "only text can be filled in",
                    format!("this is {}", value.kind()),
                );
                let help = "write a text; an empty one is `\"\"`";
                self.faults
                    .refuse("scenario/cases", title, value.span, label, help);
            }
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
