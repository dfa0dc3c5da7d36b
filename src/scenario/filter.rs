//! Selection of scenarios by what they are.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use regex_lite::Regex;
use wildmatch::WildMatch;

use super::{Golden, Scenario};

use crate::pack;
use crate::platform::folder_of;
use crate::requirement::Level;

/// A selection of scenarios. Parts of different kinds have to hold together; of several parts of one kind, one is enough. A kind without
/// parts takes every scenario.
#[derive(Debug, Default)]
pub struct Filter {
    /// Patterns of requirements of which the scenario checks one; `*` stands for any text.
    pub requirements: Vec<WildMatch>,
    /// Expressions, one of which is found in the scenario's name.
    pub names: Vec<Regex>,
    /// Tags, of which the scenario has one.
    pub tags: Vec<String>,
    /// Levels of the requirement that the scenario exists for.
    pub levels: Vec<Level>,
    /// Patterns of names, and of requirements that the scenario exists for, that are left out.
    pub excluded: Vec<WildMatch>,
    /// The only names that are taken.
    pub only: Option<BTreeSet<String>>,
    /// The same once more: names of those that are to be played again.
    pub again: Option<BTreeSet<String>>,
}

impl Filter {
    /// Returns true if the scenario is taken.
    #[must_use]
    pub fn takes(&self, scenario: &Scenario) -> bool {
        let (name, main) = (scenario.name.as_str(), scenario.checks().first().copied());
        let level = main.and_then(pack::requirement).map(|entry| entry.level);
        let is_excluded = |pattern: &WildMatch| {
            pattern.matches(name) || main.is_some_and(|main| pattern.matches(main))
        };
        let checks = |pattern: &WildMatch| scenario.checks().iter().any(|id| pattern.matches(id));
        let is_met = |empty: bool, met: bool| empty || met;
        is_met(
            self.requirements.is_empty(),
            self.requirements.iter().any(checks),
        ) && is_met(
            self.names.is_empty(),
            self.names
                .iter()
                .any(|expression| expression.is_match(name)),
        ) && is_met(
            self.tags.is_empty(),
            self.tags.iter().any(|tag| scenario.tags.contains(tag)),
        ) && is_met(
            self.levels.is_empty(),
            self.levels.iter().any(|wanted| Some(*wanted) == level),
        ) && !self.excluded.iter().any(is_excluded)
            && self.only.as_ref().is_none_or(|only| only.contains(name))
            && self.again.as_ref().is_none_or(|again| again.contains(name))
    }
}

impl Scenario {
    /// The files that it is made of: its own, those that it includes, and its golden transcript, which need not exist. Of a shipped one, none.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        if !self.source.is_file() {
            return Vec::new();
        }
        let own = Path::new(self.source.name());
        let included = self
            .included
            .iter()
            .map(|(path, _)| folder_of(own).join(path));
        let mut files: Vec<PathBuf> = std::iter::once(own.to_owned()).chain(included).collect();
        if let Golden::File { path, .. } = &self.golden {
            files.push(path.clone());
        }
        files
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::suite;

    fn taken(filter: &Filter) -> Vec<String> {
        let (scenarios, _) = suite::all();
        let taken = scenarios.iter().filter(|scenario| filter.takes(scenario));
        taken.map(|scenario| scenario.name.clone()).collect()
    }

    #[test]
    fn kinds_hold_together_and_parts_of_a_kind_side_by_side() {
        let all = taken(&Filter::default());
        let retire = Filter {
            requirements: vec![WildMatch::new("ur/retire/*")],
            ..Filter::default()
        };
        let of_retire = taken(&retire);
        assert!(!of_retire.is_empty() && of_retire.len() < all.len());
        let names = |expressions: &[&str]| {
            expressions
                .iter()
                .map(|text| Regex::new(text).unwrap())
                .collect()
        };
        let referees = taken(&Filter {
            names: names(&["^royalur/referee/"]),
            ..retire
        });
        assert!(!referees.is_empty() && referees.len() < of_retire.len());
        let either = Filter {
            names: names(&["extra-turn-cell-8$", "extra-turn-cell-14$"]),
            ..Filter::default()
        };
        assert!(taken(&either).len() >= 2);
        let excluded = Filter {
            excluded: vec![WildMatch::new("*/referee/*"), WildMatch::new("*/bot/*")],
            ..Filter::default()
        };
        assert_eq!(taken(&excluded), Vec::<String>::new());
    }

    #[test]
    fn a_level_is_that_of_the_requirement_a_scenario_exists_for() {
        let of = |level| {
            taken(&Filter {
                levels: vec![level],
                ..Filter::default()
            })
        };
        let levels = [Level::Must, Level::Should, Level::May, Level::Unspecified];
        let mut each: Vec<_> = levels.into_iter().flat_map(of).collect();
        each.sort();
        let mut all = taken(&Filter::default());
        all.sort();
        assert_eq!(each, all, "every scenario has one");
        assert!(
            of(Level::Unspecified)
                .iter()
                .any(|name| name.contains("sent-before-its-turn"))
        );
    }
}
