//! Differences between two runs.

use std::collections::BTreeMap;

use super::results::{Results, ScenarioResult, Standing};

/// A game that takes this many times as long is slower, if it also takes [`SLOWER_BY`] more.
const SLOWER: f64 = 2.0;
/// Seconds.
const SLOWER_BY: f64 = 1.0;

/// Kind of a difference between the results of one scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKind {
    /// It fails, and conformed before or was not there.
    NewlyFailing,
    /// It failed before for another reason.
    OtherReason,
    /// It was tested before.
    NoLongerTested,
    /// It conforms, and did not before.
    NewlyPassing,
    /// It takes clearly longer.
    Slower,
    /// Only the new run has it.
    Added,
    /// Only the old run has it.
    Removed,
}

impl ChangeKind {
    /// The heading of the scenarios with this difference.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            ChangeKind::NewlyFailing => "newly failing",
            ChangeKind::OtherReason => "failing for another reason",
            ChangeKind::NoLongerTested => "no longer tested",
            ChangeKind::NewlyPassing => "newly passing",
            ChangeKind::Slower => "slower",
            ChangeKind::Added => "only in the new run",
            ChangeKind::Removed => "only in the old run",
        }
    }

    /// Returns true for a difference that the new run has to answer for.
    #[must_use]
    pub fn is_worse(self) -> bool {
        matches!(self, ChangeKind::NewlyFailing | ChangeKind::OtherReason)
    }
}

/// A scenario whose results differ.
#[derive(Debug, Clone, Copy)]
pub struct Changed<'r> {
    /// Kind of the difference.
    pub kind: ChangeKind,
    /// The older result.
    pub old: Option<&'r ScenarioResult>,
    /// The newer result.
    pub new: Option<&'r ScenarioResult>,
}

impl Changed<'_> {
    /// The line that shows it.
    #[must_use]
    pub fn line(&self) -> String {
        let name = self.new.or(self.old).map_or("", |result| &result.name);
        let told = |result: &ScenarioResult| match result.reason() {
            Some(reason) if result.standing != Standing::Conforms => {
                format!("{}: {}", result.word(), reason.headline())
            }
            _ => result.word().to_owned(),
        };
        match (self.kind, self.old, self.new) {
            (ChangeKind::Slower, Some(old), Some(new)) => {
                format!("{name}: {:.2} s, before {:.2} s", new.seconds, old.seconds)
            }
            (_, Some(old), Some(new)) => format!("{name}: {}, before {}", told(new), told(old)),
            (_, old, new) => format!("{name}: {}", new.or(old).map_or_else(String::new, told)),
        }
    }
}

/// Compares two runs by the names of their scenarios, and returns the differences by kind.
///
/// Results with the same name, such as those of several subjects, are compared in their order.
#[must_use]
pub fn differences<'r>(old: &'r Results, new: &'r Results) -> Vec<Changed<'r>> {
    let by_name = |results: &'r Results| {
        let mut by_name: BTreeMap<&str, Vec<&ScenarioResult>> = BTreeMap::new();
        for result in &results.scenarios {
            by_name.entry(&result.name).or_default().push(result);
        }
        by_name
    };
    let (before, after) = (by_name(old), by_name(new));
    let none = Vec::new();
    let mut changed = Vec::new();
    for (name, new) in &after {
        let old = before.get(name).unwrap_or(&none);
        for (at, &new) in new.iter().enumerate() {
            let old = old.get(at).copied();
            changed.extend(difference(old, new).map(|kind| Changed {
                kind,
                old,
                new: Some(new),
            }));
        }
    }
    for (name, old) in &before {
        let kept = after.get(name).map_or(0, Vec::len);
        changed.extend(old.iter().skip(kept).map(|&old| Changed {
            kind: ChangeKind::Removed,
            old: Some(old),
            new: None,
        }));
    }
    changed.sort_by_key(|changed| changed.kind);
    changed
}

fn difference(old: Option<&ScenarioResult>, new: &ScenarioResult) -> Option<ChangeKind> {
    let fails =
        |result: &ScenarioResult| matches!(result.standing, Standing::Deviates | Standing::Broken);
    let passes = |result: &ScenarioResult| {
        result.standing == Standing::Conforms && result.waiver().is_none()
    };
    let Some(old) = old else {
        return Some(if fails(new) {
            ChangeKind::NewlyFailing
        } else {
            ChangeKind::Added
        });
    };
    let reason = |result: &ScenarioResult| {
        let kind = result.reason().map(|reason| reason.kind.clone());
        (result.verdict, kind)
    };
    match (fails(old), fails(new)) {
        (false, true) => Some(ChangeKind::NewlyFailing),
        (true, true) if reason(old) != reason(new) => Some(ChangeKind::OtherReason),
        _ if new.standing == Standing::Open && old.standing != Standing::Open => {
            Some(ChangeKind::NoLongerTested)
        }
        _ if passes(new) && !passes(old) => Some(ChangeKind::NewlyPassing),
        _ => {
            let by = new.seconds - old.seconds;
            (by > SLOWER_BY && new.seconds > SLOWER * old.seconds).then_some(ChangeKind::Slower)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Verdict;

    fn result(name: &str, verdict: Verdict, seconds: f64) -> ScenarioResult {
        ScenarioResult {
            verdict,
            standing: Standing::of(verdict),
            seconds,
            ..ScenarioResult::passed(name)
        }
    }

    #[test]
    fn each_kind_of_difference_is_told_and_nothing_else() {
        use ChangeKind::{Added, NewlyFailing, NewlyPassing, NoLongerTested, OtherReason, Slower};
        use Verdict::{Error, Fail, Flaky, Pass};
        for (old, new, expected) in [
            (Some((Pass, 1.0)), (Pass, 1.9), None),
            (Some((Pass, 0.01)), (Pass, 0.9), None),
            (Some((Pass, 1.0)), (Pass, 2.1), Some(Slower)),
            (Some((Pass, 1.0)), (Fail, 1.0), Some(NewlyFailing)),
            (None, (Fail, 1.0), Some(NewlyFailing)),
            (None, (Pass, 1.0), Some(Added)),
            (Some((Fail, 1.0)), (Error, 1.0), Some(OtherReason)),
            (Some((Fail, 1.0)), (Fail, 1.0), None),
            (Some((Fail, 1.0)), (Pass, 9.0), Some(NewlyPassing)),
            (Some((Pass, 1.0)), (Flaky, 1.0), Some(NoLongerTested)),
        ] {
            let result = |(verdict, seconds)| result("a", verdict, seconds);
            let found = difference(old.map(result).as_ref(), &result(new));
            assert_eq!(found, expected, "{old:?} {new:?}");
        }
    }
}
