//! The choices of the subjects where the specification leaves one.

use std::collections::BTreeMap;

use super::entry::Entry;
use crate::pack;

/// An entry of the specification that leaves a choice.
pub(super) struct Choice<'r> {
    /// Id of the entry.
    pub(super) requirement: &'r str,
    /// The choice that it leaves.
    pub(super) about: Option<&'static str>,
    /// The observations of each column, with the number of scenarios that made each.
    pub(super) seen: Vec<BTreeMap<&'r str, usize>>,
}

impl Choice<'_> {
    pub(super) fn anchor(&self) -> String {
        anchor(self.requirement)
    }
}

/// The id of an entry in the page; two requirements never have the same.
pub(super) fn anchor(requirement: &str) -> String {
    let letter = |letter: char| match letter {
        'a'..='z' | '0'..='9' | '-' => letter.to_string(),
        letter => format!("_{:x}_", u32::from(letter)),
    };
    let id: String = requirement.chars().map(letter).collect();
    format!("o-{id}")
}

/// The choices that these columns show, in the order of their ids.
pub(super) fn choices<'r>(columns: &[Vec<Entry<'r>>]) -> Vec<Choice<'r>> {
    let mut choices: BTreeMap<&str, Choice<'r>> = BTreeMap::new();
    for (number, column) in columns.iter().enumerate() {
        for open in column.iter().flat_map(|entry| &entry.result.open) {
            let entry = pack::requirement(&open.requirement);
            let about = entry.map(|entry| entry.open.as_ref().unwrap_or(&entry.summary));
            let new = || Choice {
                requirement: &open.requirement,
                about: about.map(String::as_str),
                seen: vec![BTreeMap::new(); columns.len()],
            };
            let choice = choices.entry(&open.requirement).or_insert_with(new);
            *choice.seen[number].entry(&open.seen).or_default() += 1;
        }
    }
    choices.into_values().collect()
}
