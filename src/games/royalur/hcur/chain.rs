//! Check that the records of a list form a chain: one game, each move after the one before it.

use std::collections::HashMap;

use super::{HcurPlaced, HcurRecord};
use crate::diagnostic::visible;
use crate::finding::{Finding, Verdict};

/// Returns the errors in `game` and `previous_move`, if these are given; records of skipped turns are no part
/// of the chain.
#[must_use]
pub fn chain(records: &[HcurRecord]) -> Vec<Finding> {
    let mut findings = Vec::new();
    one_game(records, &mut findings);
    let moves: Vec<_> = records
        .iter()
        .enumerate()
        .filter(|(_, record)| record.is_move())
        .collect();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for &(index, record) in &moves {
        let Some(id) = &record.id else { continue };
        if let Some(&other) = places.get(id.text.as_str()) {
            let title = format!("it has the address of record {}", other + 1);
            findings.push(wrong("hc/chain/one-address", id, title));
        } else {
            places.insert(&id.text, index);
        }
    }
    let mut followed: HashMap<&str, usize> = HashMap::new();
    let mut before: Option<(usize, &HcurRecord)> = None;
    for &(index, record) in &moves {
        let last = before.replace((index, record));
        let Some(previous) = &record.previous else {
            continue;
        };
        let fork = followed.insert(&previous.text, index);
        let named = places.get(previous.text.as_str()).copied();
        let is_game = |game: &HcurPlaced| game.text == previous.text;
        let (requirement, title) = match (fork, last, named) {
            (Some(other), ..) => {
                let title = format!(
                    "it follows {}, and so does record {}",
                    shown(previous),
                    other + 1
                );
                ("hc/chain/no-fork", title)
            }
            // What the first move follows is not in the list; the game itself, as a rule.
            (_, None, None) => continue,
            (_, Some((last, _)), Some(named)) if named == last => continue,
            (.., Some(named)) if named >= index => {
                let title = format!("it follows record {}, which comes no earlier", named + 1);
                ("hc/chain/in-order", title)
            }
            (.., Some(named)) => {
                let title = format!(
                    "it follows record {}, which is not the one before it",
                    named + 1
                );
                ("hc/chain/unbroken", title)
            }
            (_, Some((_, HcurRecord { id: Some(id), .. })), None) => {
                let title = format!(
                    "it follows {}, and the address of the record before it is {}",
                    shown(previous),
                    shown(id)
                );
                ("hc/chain/unbroken", title)
            }
            (_, Some((last, _)), None) if record.game.as_ref().is_some_and(is_game) => {
                let title = format!(
                    "it follows the game itself, although record {} comes before it",
                    last + 1
                );
                ("hc/chain/unbroken", title)
            }
            // Without an address of the record before there is nothing to compare with.
            _ => continue,
        };
        findings.push(wrong(requirement, previous, title));
    }
    findings
}

fn one_game(records: &[HcurRecord], findings: &mut Vec<Finding>) {
    let mut known: Option<(usize, &HcurPlaced)> = None;
    for (index, record) in records.iter().enumerate() {
        let Some(game) = &record.game else { continue };
        match known {
            None => known = Some((index, game)),
            Some((first, known)) if known.text != game.text => {
                let title = format!(
                    "it belongs to the game {}, and record {} to {}",
                    shown(game),
                    first + 1,
                    shown(known)
                );
                findings.push(wrong("hc/chain/one-game", game, title));
            }
            Some(_) => {}
        }
    }
}

fn shown(text: &HcurPlaced) -> String {
    visible::quoted(&text.text).at_most(60).to_string()
}

fn wrong(requirement: &'static str, at: &HcurPlaced, title: String) -> Finding {
    Finding::at(at.span, Verdict::Fail, requirement, title)
}
