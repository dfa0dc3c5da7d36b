//! Known faults that explain a failure: those whose mutant fails the same scenario in the same way.

use std::collections::HashSet;

use crate::event::Outcome;
use crate::finding::LaneText;
use crate::pack::FaultRow;
use crate::transcript::LaneTranscript;

/// Maximum number of failures that are compared; every known fault is played for each.
const FEW: usize = 4;

/// The failures that are worth explaining, by number: the first ones under different requirements.
#[must_use]
pub fn telling<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Vec<usize> {
    let mut seen = HashSet::new();
    let failed = outcomes
        .into_iter()
        .enumerate()
        .filter_map(|(number, outcome)| Some((number, outcome.failure()?)));
    failed
        .filter(|(_, reason)| seen.insert(reason.requirement))
        .map(|(number, _)| number)
        .take(FEW)
        .collect()
}

/// The known faults that explain each of these failures, `observed` by `observed`; `mutants` played the same scenarios in this order.
///
/// If several faults explain one failure and some of them explain all failures, only the latter remain: one
/// cause is likelier than many.
#[must_use]
pub fn explanations(
    observed: &[&Outcome],
    mutants: &[(FaultRow, Vec<Outcome>)],
) -> Vec<Vec<FaultRow>> {
    let explains = |number: usize| {
        let fits = move |(_, played): &&(FaultRow, Vec<Outcome>)| {
            is_alike(observed[number], &played[number])
        };
        mutants
            .iter()
            .filter(fits)
            .map(|(fault, _)| *fault)
            .collect::<Vec<_>>()
    };
    let mut each: Vec<_> = (0..observed.len()).map(explains).collect();
    let all: Vec<_> = match each.split_first() {
        Some((first, rest)) => first
            .iter()
            .filter(|fault| rest.iter().all(|other| other.contains(fault)))
            .copied()
            .collect(),
        None => Vec::new(),
    };
    if !all.is_empty() {
        each.fill(all);
    }
    each
}

/// Returns true if two games of one scenario failed alike: under the same requirement, at the same turn, with
/// the same expected and received lines, and the same lines before. Names of players and measured times may
/// differ.
fn is_alike(one: &Outcome, other: &Outcome) -> bool {
    let (lanes, others) = (&one.transcript.lanes, &other.transcript.lanes);
    let are_alike = lanes.len() == others.len()
        && lanes
            .iter()
            .zip(others)
            .all(|(one, other)| goes_along(one, other));
    are_alike && have_same_reason(one, other)
}

/// Returns true if two lanes have equal lines after the handshake, which contains the players' names, as far
/// as both go: one lane can be longer when the judge stops early.
fn goes_along(one: &LaneTranscript, other: &LaneTranscript) -> bool {
    const LONGEST_GREETING: usize = 3;
    one.entries
        .iter()
        .zip(&other.entries)
        .skip(LONGEST_GREETING)
        .all(|(one, other)| one == other)
}

fn have_same_reason(one: &Outcome, other: &Outcome) -> bool {
    let (Some(one), Some(other)) = (one.failure(), other.failure()) else {
        return false;
    };
    let is_same = |(one, other): (&LaneText, &LaneText)| match (one, other) {
        // The mutants are played with other budgets.
        (LaneText::Timed(one, _), LaneText::Timed(other, _)) => one == other,
        (one, other) => one == other,
    };
    one.requirement == other.requirement
        && one.span == other.span
        && one.lanes.len() == other.lanes.len()
        && one.lanes.iter().zip(&other.lanes).all(|(one, other)| {
            one.line_number == other.line_number
                && one.agrees == other.agrees
                && is_same((&one.expected, &other.expected))
                && is_same((&one.received, &other.received))
        })
}
