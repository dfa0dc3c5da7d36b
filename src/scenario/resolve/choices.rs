//! The names of choices: `any as a`, and later `any except a`.

use std::collections::BTreeMap;

use super::places::PlacedStep;
use super::spot::Spot;
use crate::diagnostic::{Diagnostic, Faults, suggest, visible};
use crate::scenario::{Choice, PlayerAction, StepKind};

/// Refuses names that are used before they are given, and those that are given twice.
pub(super) fn refuse_names(steps: &[Option<PlacedStep>], faults: &Faults<'_>) {
    let mut given = BTreeMap::<&str, Spot>::new();
    for PlacedStep { step, places } in steps.iter().flatten() {
        let StepKind::Turn(turn) = &step.kind else {
            continue;
        };
        let (PlayerAction::Move(Choice::Any { name, except }), Some(at)) =
            (&turn.action, places.action)
        else {
            continue;
        };
        let fault = |code, title, span| Diagnostic::error(code, title).at(&places.source, span, "");
        if let Some((except, span)) = except.as_deref().zip(at.except)
            && !given.contains_key(except)
        {
            let shown = visible::plain(except);
            let title = format!("no choice before this is called `{shown}`");
            let help = match suggest(except, given.keys().copied()) {
                Some(meant) => format!("write `{meant}`"),
                None => format!("name one first: `any as {shown}`"),
            };
            faults.push(fault("turn/unknown-name", title, span).help(help));
        }
        let Some((name, span)) = name.as_deref().zip(at.name) else {
            continue;
        };
        let spot = places.spot(span, "this one");
        if let Some(first) = given.get(name) {
            let title = format!(
                "another choice is called `{}` already",
                visible::plain(name)
            );
            let fault = first.context_of(fault("turn/repeated-name", title, span));
            faults.push(fault.help("give it another name"));
        } else {
            given.insert(name, spot);
        }
    }
}
