//! Results held against an older revision of the requirements: what only newer ones demand leaves the exit status alone.

use super::results::{Results, ScenarioResult, Standing};
use crate::finding::Verdict;
use crate::pack;
use crate::requirement::Revision;

/// Excuses what does not conform only to something newer than this revision: a newer scenario, or newer or stricter requirements. `since` has
/// for each scenario the revision that it came with.
pub fn waive_newer(
    results: &mut Results,
    pinned: Revision,
    since: impl IntoIterator<Item = Option<Revision>>,
) {
    for (result, since) in results.scenarios.iter_mut().zip(since) {
        if result.standing == Standing::Conforms || result.expected.is_some() {
            continue;
        }
        let scenario = since.filter(|since| *since > pinned);
        let scenario = scenario.map(|since| format!("the scenario came with {since}"));
        if let Some(what) = scenario.or_else(|| newer_requirement(result, pinned)) {
            result.standing = Standing::Conforms;
            result.newer = Some(what);
        }
    }
}

/// What is new in the first requirement that is not met, where all of them are newer.
fn newer_requirement(result: &ScenarioResult, pinned: Revision) -> Option<String> {
    if !matches!(result.verdict, Verdict::Fail | Verdict::Flaky) {
        return None;
    }
    let mut failed = result
        .findings
        .iter()
        .filter(|finding| finding.verdict == Verdict::Fail);
    let newer = |id: &String| pack::requirement(id)?.newer_than(pinned);
    let first = newer(failed.next()?.requirement.as_ref()?)?;
    let are_newer = failed.all(|finding| finding.requirement.as_ref().and_then(newer).is_some());
    are_newer.then_some(first)
}

/// Says by which requirements a run is decided, and which of them went meanwhile, a line each.
#[must_use]
pub fn describe_pinned(pinned: Revision) -> String {
    let mut text = format!("the requirements of {pinned} decide; what is newer is shown as new\n");
    let gone = pack::catalogues().flat_map(|catalogue| &catalogue.gone);
    for gone in gone.filter(|gone| gone.since > pinned) {
        text += &format!("gone since {}: {}: {}\n", gone.since, gone.id, gone.why);
    }
    text
}
