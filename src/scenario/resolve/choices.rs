//! The names of choices: `any as a`, and later `any except a`.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, Faults, Mark, suggest, visible};
use crate::scenario::{Choice, Deed, Step, StepKind};

/// Refuses names that are used before they are given, and those that are given twice.
pub(super) fn refuse_names(steps: &[Option<Step>], faults: &Faults<'_>) {
    let mut given = BTreeMap::<&str, Mark>::new();
    for step in steps.iter().flatten() {
        let StepKind::Turn(turn) = &step.kind else {
            continue;
        };
        let Deed::Move(Choice::Any { name, except }) = &turn.deed else {
            continue;
        };
        let at = &turn.at;
        let fault = |code, title, span| Diagnostic::error(code, title).at(&at.source, span, "");
        if let Some(except) = except.as_deref()
            && !given.contains_key(except)
        {
            let shown = visible::plain(except);
            let title = format!("no choice before this is called `{shown}`");
            let help = match suggest(except, given.keys().copied()) {
                Some(meant) => format!("write `{meant}`"),
                None => format!("name one first: `any as {shown}`"),
            };
            faults.push(fault("turn/unknown-name", title, at.except).help(help));
        }
        let Some(name) = name.as_deref() else {
            continue;
        };
        if let Some(first) = given.get(name) {
            let title = format!(
                "another choice is called `{}` already",
                visible::plain(name)
            );
            let fault = fault("turn/repeated-name", title, at.name).explained_by(first.clone());
            faults.push(fault.help("give it another name"));
        } else {
            given.insert(name, Mark::new(&at.source, at.name, "this one"));
        }
    }
}
