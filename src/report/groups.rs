//! The findings of a run as every report shows them: equal ones and those of one cause together, the most telling first.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::findings::{FindingResult, Place};
use super::results::Results;
use super::scenario::{EXPECTED, ScenarioResult};
use crate::diagnostic::counted;
use crate::finding::Verdict;
use crate::requirement::Level;

/// Maximum number of scenarios that are named beside the one that shows a finding best.
const NAMED: usize = 8;

/// Equal findings, or those of one cause.
#[derive(Debug)]
pub(super) struct Group<'r> {
    /// Distinguishes it from the others, also from run to run.
    pub(super) key: String,
    /// The scenarios with it, each with its finding. The first shows it best: in the fewest turns, a scripted game before one in which
    /// urtext chose, and one that breaks what most break.
    pub(super) members: Vec<(&'r ScenarioResult, &'r FindingResult)>,
    /// Number of further ones in the same games.
    pub(super) repeated: usize,
    /// True if one line says enough, since `run -v` shows the rest: the finding is about what was not tested, and others are about failures, or
    /// the specification leaves it open.
    pub(super) is_brief: bool,
    /// True for a failure without a cause where another of the subject has one: that is to be mended first.
    pub(super) can_wait: bool,
}

impl<'r> Group<'r> {
    /// The scenario that shows it best, and its finding.
    pub(super) fn best(&self) -> (&'r ScenarioResult, &'r FindingResult) {
        self.members[0]
    }

    /// Its place in the first scenario of the user; of shipped scenarios only, the entry of the subject in `urtext.yaml`.
    pub(super) fn place(&self) -> Option<&'r Place> {
        let places = self.members.iter();
        let own = |&(scenario, finding): &(&'r ScenarioResult, &'r FindingResult)| {
            finding.place.as_ref().or(scenario.place.as_ref())
        };
        let (scenario, finding) = self.best();
        let mut own = places.filter_map(own);
        own.next().or_else(|| scenario.place_of(finding))
    }

    /// The other scenarios in one line: `and 8 more failures: a, b, …`. Without `names_all`, the last of many are left out.
    pub(super) fn others(&self, noun: &str, names_all: bool) -> Option<String> {
        let noun = match self.best().1.verdict {
            Verdict::Fail => "failure",
            _ => noun,
        };
        let others = &self.members[1..];
        let name = |&(scenario, finding): &(&ScenarioResult, &FindingResult)| {
            let game = finding.game.map(|game| format!(" game {game}"));
            let game = game.unwrap_or_default();
            format!("{}{game}{}", scenario.name, scenario.remark())
        };
        let shown = if names_all { others.len() } else { NAMED };
        let mut names: Vec<_> = others.iter().take(shown).map(name).collect();
        if shown < others.len() {
            names.push("…".to_owned());
        }
        let count = counted(others.len(), &format!("more {noun}"));
        (!others.is_empty()).then(|| format!("and {count}: {}", names.join(", ")))
    }

    /// The finding in one line: `inconclusive: a and 11 others: HEADLINE`.
    pub(super) fn in_line(&self) -> String {
        let (scenario, finding) = self.best();
        let (word, headline) = (finding.verdict.word(), finding.headline());
        let others = match self.members.len() - 1 {
            0 => String::new(),
            others => format!(" and {}", counted(others, "other")),
        };
        format!("{word}: {}{others}: {headline}", scenario.name)
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
    /// The findings of these scenarios. Failures stand before what was not tested, what the specification demands before what it leaves open, the
    /// explained before the unexplained, and short games before long ones.
    pub(super) fn groups(&self, is_shown: impl Fn(&ScenarioResult) -> bool) -> Vec<Group<'_>> {
        let mut groups: Vec<Group<'_>> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        for scenario in self.scenarios.iter().filter(|scenario| is_shown(scenario)) {
            for finding in &scenario.findings {
                let key = key(scenario, finding);
                if let Some(&place) = known.get(&key) {
                    groups[place].add(scenario, finding);
                    continue;
                }
                known.insert(key.clone(), groups.len());
                groups.push(Group {
                    key,
                    members: vec![(scenario, finding)],
                    repeated: 0,
                    is_brief: false,
                    can_wait: false,
                });
            }
        }
        let has_failed = self.scenarios.iter().any(ScenarioResult::has_failed);
        let explained = groups.iter().map(Group::best).filter(|(_, finding)| {
            let is_demanded = finding.verdict == Verdict::Fail && !is_open(finding);
            is_demanded && !finding.inferred().is_empty()
        });
        let explained: Vec<_> = explained.map(|(scenario, _)| &scenario.subject).collect();
        for group in &mut groups {
            let places = self.places(group.best().1);
            let mut common: HashMap<_, usize> = HashMap::new();
            for &(_, finding) in &group.members {
                *common.entry(&finding.requirement).or_default() += 1;
            }
            group.members.sort_by_key(|(scenario, finding)| {
                let place = places.get(scenario.name.as_str());
                let place = (is_open(finding), place.is_none(), place);
                let count = common[&finding.requirement];
                (place, scenario.length(), Reverse(count))
            });
            let (scenario, finding) = group.best();
            let is_brief = match finding.verdict {
                Verdict::Skipped | Verdict::Unsupported => true,
                Verdict::Inconclusive => has_failed || is_open(finding),
                _ => false,
            };
            group.is_brief = is_brief && self.run.is_run();
            group.can_wait = finding.verdict == Verdict::Fail
                && finding.inferred().is_empty()
                && explained.contains(&&scenario.subject);
        }
        groups.sort_by_key(|group| {
            let (scenario, finding) = group.best();
            (
                group.is_brief,
                is_open(finding),
                Reverse(scenario.standing),
                finding.inferred().is_empty(),
                scenario.length(),
            )
        });
        groups
    }

    /// The order in which games show the cause of a finding, those last that are only put down to it.
    fn places(&self, finding: &FindingResult) -> HashMap<&str, usize> {
        let causes = self.mistakes().iter().flat_map(|part| &part.causes);
        let causes = causes.filter(|known| known.mistakes == finding.mistakes);
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

/// Key that equal findings share, as words. Of one about the run, such as an error, the subject does not count.
fn key(scenario: &ScenarioResult, finding: &FindingResult) -> String {
    let is_about_the_run = matches!(
        finding.verdict,
        Verdict::Error | Verdict::Unsupported | Verdict::Skipped
    );
    let subject = scenario.subject.as_ref().filter(|_| !is_about_the_run);
    let [name, side] = subject.map_or([""; 2], |subject| [&subject.name, &subject.side]);
    let game = scenario.game.as_deref().filter(|_| !is_about_the_run);
    let mistakes = finding.inferred().iter().map(|mistake| &mistake.name);
    let mut what: Vec<_> = mistakes.collect();
    let mut open = "";
    if what.is_empty() {
        what.push(&finding.kind);
        open = if is_open(finding) { " open" } else { "" };
    }
    let what: String = what.into_iter().map(|what| format!("; {what}")).collect();
    let word = match scenario.expected {
        Some(_) => EXPECTED,
        None => finding.verdict.word(),
    };
    let game = game.unwrap_or_default();
    format!("{word}{open} {game} {side} {name}{what}")
}

/// Whether the specification leaves open what the finding is about.
fn is_open(finding: &FindingResult) -> bool {
    matches!(finding.level, Some(Level::May | Level::Unspecified))
}
