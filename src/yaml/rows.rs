//! The keys of a mapping as rows: a mapping is held against them, and its shape for editors follows from them.

use std::borrow::Cow;

use serde_json::{Map, Value as Json, json};

use super::node::{Key, Node};
use super::shape::{described, one_of};
use crate::diagnostic::visible::short;
use crate::diagnostic::{Diagnostic, Faults, suggest};

/// A key that a mapping can have.
#[derive(Debug)]
pub struct Row {
    /// The key.
    pub key: &'static str,
    /// True if the key has to be there.
    pub is_required: bool,
    /// A value that may be written where the key is missing.
    pub example: Option<&'static str>,
    /// Its description for editors; empty if the shape has one.
    pub says: Cow<'static, str>,
    /// The shape of its value.
    pub shape: fn() -> Json,
}

impl Row {
    /// A key that may be there.
    #[must_use]
    pub fn optional(key: &'static str, shape: fn() -> Json) -> Row {
        Row {
            key,
            is_required: false,
            example: None,
            says: Cow::Borrowed(""),
            shape,
        }
    }
}

/// Holds a mapping against the keys that it can have, of which exactly one of `one_of` is due; those have rows too. Returns its entries.
///
/// Faults are another kind of node (`yaml/expected-mapping`), a key without a row (`yaml/unknown-key`), a required key that is not there
/// (`yaml/missing-key`), and one too many of `one_of` (`yaml/too-many-keys`). A key that looks like a slip for a missing one is reported as
/// that, and the missing one not once more. `what` is what the mapping describes, with its article: `a scenario`, `a turn`.
pub fn known<'n>(
    node: &'n Node,
    what: &str,
    rows: &[Row],
    one_of: &[&'static str],
    faults: &Faults,
) -> Option<&'n [(Key, Node)]> {
    let entries = node.as_map(faults)?;
    let mut of_one = entries
        .iter()
        .map(|(key, _)| key)
        .filter(|key| one_of.contains(&&*key.text));
    let first = of_one.next();
    for (key, first) in of_one.zip(first.into_iter().cycle()) {
        let title = format!("{what} takes only one of the keys {}", listed(one_of));
        let fault = Diagnostic::error("yaml/too-many-keys", title);
        let fault = fault.at(faults.source(), key.span, "one too many");
        let fault = fault.context(faults.source(), first.span, "one is here already");
        faults.push(fault.help("remove one of them, or write it in an entry of its own"));
    }
    let (mut meant, mut has_unknown) = (Vec::new(), false);
    let has_row = |key: &Key| rows.iter().any(|row| row.key == key.text);
    for (key, _) in entries.iter().filter(|(key, _)| !has_row(key)) {
        has_unknown = true;
        let title = format!("there is no key `{}` in {what}", short(&key.text));
        let fault = Diagnostic::error("yaml/unknown-key", title);
        let fault = fault.at(faults.source(), key.span, "not known here");
        if faults.is_full() {
            faults.push(fault);
            continue;
        }
        let keys = || rows.iter().map(|row| row.key);
        let help = match suggest(&key.text, keys()) {
            Some(near) if node.has_key(near) => {
                format!("remove it: the key `{near}` is there already")
            }
            Some(near) => {
                meant.push(near);
                format!("write `{near}`")
            }
            None => {
                let keys: Vec<&str> = keys().collect();
                format!("the keys of {what} are {}", listed(&keys))
            }
        };
        faults.push(fault.help(help));
    }
    let is_missing =
        |row: &&Row| row.is_required && !node.has_key(row.key) && !meant.contains(&row.key);
    for row in rows.iter().filter(is_missing) {
        let title = format!("{what} needs the key `{}`", row.key);
        let example = row
            .example
            .map(|example| format!("write `{}: {example}`", row.key));
        let help = example.unwrap_or_default();
        faults.refuse("yaml/missing-key", title, node.span, LABEL, help);
    }
    if first.is_none() && !one_of.is_empty() && !has_unknown {
        let title = format!("{what} needs one of the keys {}", listed(one_of));
        faults.refuse("yaml/missing-key", title, node.span, LABEL, "");
    }
    Some(entries)
}

const LABEL: &str = "not in this mapping";

/// Returns the shape of a mapping with these keys and no others; its title is what faults call it.
#[must_use]
pub fn shape_of(title: &str, rows: &[Row], keys: &[&str]) -> Json {
    let properties = rows.iter().map(|row| {
        let shape = (row.shape)();
        let shape = match &*row.says {
            "" => shape,
            says => described(says, shape),
        };
        (row.key.to_owned(), shape)
    });
    let properties: Map<_, _> = properties.collect();
    let mut shape = json!({"title": title, "type": "object", "properties": properties, "additionalProperties": false});
    let required = rows.iter().filter(|row| row.is_required);
    let required: Vec<&str> = required.map(|row| row.key).collect();
    if !required.is_empty() {
        shape["required"] = json!(required);
    }
    if !keys.is_empty() {
        shape["oneOf"] = one_of(keys);
    }
    shape
}

pub(super) fn listed(keys: &[&str]) -> String {
    let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
    keys.join(", ")
}
