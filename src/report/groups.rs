//! The findings of a run as every report shows them: equal ones and those of one cause together, the most telling first.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::findings::FindingResult;
use super::results::Results;
use super::scenario::ScenarioResult;
use crate::finding::Verdict;
use crate::requirement::Level;

/// Equal findings, or those of one cause.
#[derive(Debug)]
pub(super) struct Group<'r> {
    /// The scenarios with it, each with its finding. The first shows it best: in the fewest turns, and a scripted game before one in which
    /// urtext chose.
    pub(super) members: Vec<(&'r ScenarioResult, &'r FindingResult)>,
    /// Number of further ones in the same games.
    pub(super) repeated: usize,
}

impl<'r> Group<'r> {
    /// The scenario that shows it best, and its finding.
    pub(super) fn best(&self) -> (&'r ScenarioResult, &'r FindingResult) {
        self.members[0]
    }

    fn add(&mut self, scenario: &'r ScenarioResult, finding: &'r FindingResult) {
        // The findings of a game come one after the other.
        let (last, known) = self.members[self.members.len() - 1];
        match std::ptr::eq(last, scenario) && known.game == finding.game {
            true => self.repeated += 1,
            false => self.members.push((scenario, finding)),
        }
    }
}

impl Results {
    /// The findings of these scenarios. What the specification demands stands before what it leaves open, failures before what was not
    /// tested, the explained before the unexplained, and short games before long ones.
    pub(super) fn groups(&self, is_shown: impl Fn(&ScenarioResult) -> bool) -> Vec<Group<'_>> {
        let mut groups: Vec<Group<'_>> = Vec::new();
        let mut known = HashMap::new();
        for scenario in self.scenarios.iter().filter(|scenario| is_shown(scenario)) {
            for finding in &scenario.findings {
                let place = *known.entry(key(scenario, finding)).or_insert(groups.len());
                match groups.get_mut(place) {
                    Some(group) => group.add(scenario, finding),
                    None => groups.push(Group {
                        members: vec![(scenario, finding)],
                        repeated: 0,
                    }),
                }
            }
        }
        for group in &mut groups {
            let places = self.places(group.best().1);
            group.members.sort_by_key(|(scenario, _)| {
                let place = places.get(scenario.name.as_str());
                (place.is_none(), place, scenario.length())
            });
        }
        groups.sort_by_key(|group| {
            let (scenario, finding) = group.best();
            let standing = Reverse(scenario.standing);
            (
                is_open(finding),
                standing,
                // Where two mistakes are left, the title names both, and neither is the cause.
                (finding.cause.is_none(), finding.observed.is_none()),
                scenario.length(),
            )
        });
        groups
    }
}

/// Puts like things together, in the order of the first of each kind.
pub(super) fn grouped<T, K: PartialEq>(
    all: impl Iterator<Item = T>,
    kind: impl Fn(&T) -> K,
) -> Vec<Vec<T>> {
    let mut groups: Vec<Vec<T>> = Vec::new();
    for one in all {
        let mut known = groups.iter_mut();
        match known.find(|group| kind(&group[0]) == kind(&one)) {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    groups
}

impl Results {
    /// The order in which games show the cause of a finding, those last that are only put down to it.
    fn places(&self, finding: &FindingResult) -> HashMap<&str, usize> {
        let cause = finding.cause.as_slice();
        let causes = self.readings().iter().flat_map(|part| &part.causes);
        let causes = causes.filter(|known| known.readings == cause);
        let names = causes.flat_map(|cause| cause.explains.iter().zip(0..));
        names.map(|(name, place)| (name.as_str(), place)).collect()
    }
}

impl ScenarioResult {
    /// Number of turns, and whether urtext chose in them: short and scripted games show most.
    pub(super) fn length(&self) -> (usize, bool) {
        (self.turns, self.is_adaptive)
    }
}

/// Key that equal findings share. Of one about the run, such as an error, the subject does not count.
fn key<'r>(scenario: &'r ScenarioResult, finding: &'r FindingResult) -> ([&'r str; 5], bool) {
    let is_about_the_run = matches!(
        finding.verdict,
        Verdict::Error | Verdict::Unsupported | Verdict::Skipped
    );
    let subject = scenario.subject.as_ref().filter(|_| !is_about_the_run);
    let [name, side] = subject.map_or([""; 2], |subject| [&subject.name, &subject.side]);
    let game = scenario.game.as_deref().filter(|_| !is_about_the_run);
    let what = match &finding.cause {
        Some(cause) => &cause.name,
        None => &finding.kind,
    };
    let words = [what, game.unwrap_or_default(), side, name, scenario.word()];
    (words, is_open(finding))
}

/// Whether the specification leaves open what the finding is about.
fn is_open(finding: &FindingResult) -> bool {
    matches!(finding.level, Some(Level::May | Level::Unspecified))
}
