//! Selection of scenarios by what they are, and parts of a run for several machines.

use std::fmt::{self, Display, Formatter};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use wildmatch::WildMatch;

use super::{Golden, Scenario};
use crate::diagnostic::{Diagnostic, did_you_mean, visible};
use crate::pack;
use crate::platform::folder_of;
use crate::requirement::Level;
use crate::yaml::Words;

/// A selection of scenarios, as the command line says it.
#[derive(Debug, Clone, Default, Args)]
pub struct Filter {
    /// Only scenarios of this name or requirement
    ///
    /// May be repeated. A pattern such as clock-* or ur/retire/* matches the name of a scenario, its last part, or the id of a requirement that it checks.
    /// tag:TAG matches a tag. level:LEVEL matches the level of the scenario's first requirement (must, should, may, unspecified).
    #[arg(long, value_name = "PATTERN")]
    pub only: Vec<Pattern>,

    /// Leave these scenarios out
    ///
    /// May be repeated.
    #[arg(long, value_name = "PATTERN")]
    pub skip: Vec<Pattern>,
}

/// A way to select scenarios, as it is written on the command line.
#[derive(Debug, Clone)]
pub enum Pattern {
    /// `PATTERN`: the scenario's name or its last part, or the id of a requirement. `*` stands for any text, `?` for one character.
    Id(WildMatch),
    /// `tag:TAG`.
    Tag(String),
    /// `level:LEVEL`: that of the requirement that the scenario exists for.
    Level(Level),
}

impl FromStr for Pattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Pattern, String> {
        let text = text.trim();
        if let Some(tag) = text.strip_prefix("tag:") {
            return Ok(Pattern::Tag(tag.to_owned()));
        }
        if let Some(word) = text.strip_prefix("level:") {
            let known = || Level::words().join(", ");
            let unknown = || format!("there is no level `{word}`; the levels are {}", known());
            return Level::of(word).map(Pattern::Level).ok_or_else(unknown);
        }
        match text {
            "" => Err("the pattern is empty".to_owned()),
            text => Ok(Pattern::Id(WildMatch::new(text))),
        }
    }
}

impl Display for Pattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Pattern::Id(pattern) => write!(f, "{pattern}"),
            Pattern::Tag(tag) => write!(f, "tag:{tag}"),
            Pattern::Level(level) => write!(f, "level:{level}"),
        }
    }
}

impl Pattern {
    /// Returns true if it is met by a scenario. `requirements`: the ids that count.
    fn matches(&self, scenario: &Scenario, requirements: &[&str]) -> bool {
        match self {
            Pattern::Id(pattern) => {
                let last = scenario.name.rsplit('/').next().unwrap_or_default();
                let names = [scenario.name.as_str(), last];
                let mut ids = names.iter().chain(requirements);
                ids.any(|id| pattern.matches(id))
            }
            Pattern::Tag(tag) => scenario.keys.tags.0.contains(tag),
            Pattern::Level(level) => {
                let main = scenario.checks().first();
                let entry = main.and_then(|id| pack::requirement(id));
                entry.is_some_and(|entry| entry.level == *level)
            }
        }
    }
}

impl Filter {
    /// Returns true if the scenario is selected: by any requirement that it checks, and not skipped by the one that it exists for.
    #[must_use]
    pub fn takes(&self, scenario: &Scenario) -> bool {
        let checks = scenario.checks();
        let main = &checks[..checks.len().min(1)];
        let is_named = |pattern: &Pattern| pattern.matches(scenario, checks);
        let is_skipped = |pattern: &Pattern| pattern.matches(scenario, main);
        (self.only.is_empty() || self.only.iter().any(is_named))
            && !self.skip.iter().any(is_skipped)
    }

    /// A remark on each pattern that none of these scenarios meets.
    pub fn unmet(&self, scenarios: &[Scenario]) -> impl Iterator<Item = Diagnostic> {
        let is_unmet = |pattern: &&Pattern| {
            let is_met = |scenario: &Scenario| pattern.matches(scenario, scenario.checks());
            !scenarios.is_empty() && !scenarios.iter().any(is_met)
        };
        let unmet = self.only.iter().chain(&self.skip).filter(is_unmet);
        unmet.map(|pattern| {
            let pattern = pattern.to_string();
            let shown = visible::plain(&pattern).at_most(60);
            let title = format!("no scenario matches the pattern `{shown}`");
            let remark = Diagnostic::remark("run/pattern", title);
            let names = scenarios.iter().flat_map(|scenario| {
                let last = scenario.name.rsplit('/').take(1);
                let ids = scenario.checks().iter().copied();
                last.chain([scenario.name.as_str()]).chain(ids)
            });
            match did_you_mean(pattern.trim_matches('*'), names) {
                Some(meant) => remark.help(meant),
                None => remark,
            }
        })
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

/// One part of a run: shard 2 of 5.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Its number, from 1.
    pub index: NonZeroU32,
    /// Number of shards.
    pub count: NonZeroU32,
}

impl Display for Shard {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = || {
            let (index, count) = text.split_once('/')?;
            Some((index.parse().ok()?, count.parse().ok()?))
        };
        let (index, count) =
            numbers().ok_or("write the number of the shard and how many there are, such as 2/5")?;
        Shard::new(index, count)
    }
}

impl Shard {
    fn new(index: NonZeroU32, count: NonZeroU32) -> Result<Shard, String> {
        match index <= count {
            true => Ok(Shard { index, count }),
            false => Err(format!("there is no shard {index} of {count}")),
        }
    }

    /// The part, from 0, that gets the thing in this place: they are dealt out in turn.
    #[must_use]
    pub fn part_of(self, place: usize) -> usize {
        place % self.count.get() as usize
    }

    /// Returns true if this shard gets the thing in this place.
    #[must_use]
    pub fn holds(self, place: usize) -> bool {
        self.part_of(place) + 1 == self.index.get() as usize
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::scenario::suite;

    static ALL: LazyLock<Vec<Scenario>> = LazyLock::new(|| suite::all().0);

    fn taken(filter: &Filter) -> Vec<String> {
        let taken = ALL.iter().filter(|scenario| filter.takes(scenario));
        taken.map(|scenario| scenario.name.clone()).collect()
    }

    fn only(patterns: &[&str]) -> Vec<String> {
        taken(&Filter {
            only: patterns.iter().map(|text| text.parse().unwrap()).collect(),
            ..Filter::default()
        })
    }

    #[test]
    fn one_pattern_is_enough_and_what_is_skipped_is_left_out() {
        let all = only(&[]);
        let of_retire = only(&["ur/retire/*"]);
        assert!(!of_retire.is_empty() && of_retire.len() < all.len());
        let named = only(&["extra-turn-cell-8", "royalur/bot/*-cell-14"]);
        assert!(named.len() >= 2, "{named:?}");
        assert!(named.contains(&"royalur/referee/extra-turn-cell-8".to_owned()));
        let skipped = ["*/referee/*", "*/bot/*"].map(|text| text.parse().unwrap());
        let filter = Filter {
            skip: skipped.into(),
            ..Filter::default()
        };
        assert_eq!(taken(&filter), Vec::<String>::new());
    }

    #[test]
    fn a_level_is_that_of_the_requirement_a_scenario_exists_for() {
        let of = |level: Level| only(&[&format!("level:{level}")]);
        let levels = Level::WORDS.iter().map(|(_, level)| *level);
        let mut each: Vec<_> = levels.flat_map(of).collect();
        each.sort();
        let mut all = only(&[]);
        all.sort();
        assert_eq!(each, all, "every scenario has one");
        let open = of(Level::Unspecified);
        assert!(
            open.iter()
                .any(|name| name.contains("sent-before-its-turn"))
        );
    }

    #[test]
    fn every_place_is_in_one_shard() {
        let shards: Vec<Shard> = ["1/3", "2/3", "3/3"]
            .map(|text| text.parse().unwrap())
            .into();
        for place in 0..10 {
            let holders = shards.iter().filter(|shard| shard.holds(place));
            assert_eq!(holders.count(), 1, "{place}");
        }
        assert!(shards[1].holds(1) && shards[1].holds(4));
    }

    #[test]
    fn a_shard_that_there_cannot_be_is_refused() {
        for wrong in ["", "1", "0/3", "4/3", "1/0", "a/b", "1/2/3"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
