//! The catalogue of requirements, with the scenarios that check each: a line each, or one of them in full.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::counted;
use crate::pack;
use crate::protocol::Dialect;
use crate::requirement::{Catalogue, Requirement, Side};
use crate::scenario::{Scenario, suite};
use crate::yaml::Words;

/// Requirements, with the scenarios that check each.
#[derive(Debug)]
pub struct RequirementList {
    entries: Vec<(&'static Catalogue, &'static Requirement)>,
    /// Names of scenarios, by the id of the requirement. False: the scenario exists for it.
    checks: BTreeMap<&'static str, BTreeSet<(bool, String)>>,
}

impl RequirementList {
    /// These requirements. `more`: scenarios that count beside the shipped ones. A scenario counts for all that it claims to check: the judge of a game says which of them the game never put to the
    /// test.
    #[must_use]
    pub fn new(
        entries: Vec<(&'static Catalogue, &'static Requirement)>,
        more: &[Scenario],
    ) -> RequirementList {
        let mut checks: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        let (scenarios, _) = suite::all();
        for scenario in scenarios.iter().chain(more) {
            for (place, id) in scenario.checks().iter().enumerate() {
                let name = (place > 0, scenario.name.clone());
                checks.entry(*id).or_default().insert(name);
            }
        }
        RequirementList { entries, checks }
    }

    /// Returns true if there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// A line each: id, level, the side that keeps it, how many scenarios check it, the summary; below it the reason why none does.
    #[must_use]
    pub fn draw(&self) -> String {
        let ids = self.entries.iter().map(|(_, entry)| entry.id.len());
        let width = ids.max().unwrap_or(0);
        let mut lines = Vec::new();
        let games =
            |one: &(&Catalogue, _), other: &(&Catalogue, _)| one.0.protocol == other.0.protocol;
        for of_game in self.entries.chunk_by(games) {
            let (catalogue, number) = (of_game[0].0, of_game.len());
            let checked = of_game
                .iter()
                .filter(|(_, entry)| self.checks.contains_key(entry.id.as_str()));
            let how = match &catalogue.judged {
                Some(judged) => format!("judged by {judged}"),
                None => format!("{} checked by scenarios", checked.count()),
            };
            if !lines.is_empty() {
                lines.push(String::new());
            }
            let number = counted(number, "requirement");
            lines.push(format!("{}: {number}, {how}", catalogue.protocol));
            for (_, entry) in of_game {
                let checks = self.checks.get(entry.id.as_str());
                let count = checks.map_or("-".to_owned(), |names| names.len().to_string());
                let side = match entry.binds[..] {
                    [Side::Bot] => "bot",
                    [Side::Referee] => "referee",
                    _ => "both",
                };
                let (id, level, summary) = (&entry.id, entry.level.to_string(), &entry.summary);
                lines.push(format!(
                    "  {id:<width$}  {level:<11}  {side:<7}  {count:>3}  {summary}"
                ));
                let reason = entry.unchecked.as_ref().filter(|_| checks.is_none());
                lines.extend(reason.map(|reason| format!("{:1$}{reason}", "", width + 33)));
            }
        }
        lines.join("\n")
    }

    /// Describes the requirement with this id completely; `None` unless it is in the list.
    #[must_use]
    pub fn explain(&self, id: &str) -> Option<String> {
        let (catalogue, entry) = self.entries.iter().find(|(_, entry)| entry.id == id)?;
        let mut text = format!("{} ({})\n  {}", entry.id, entry.level, entry.summary);
        let mut add = |head: &str, body: &str| {
            if !body.is_empty() {
                text += &format!("\n\n{head}\n  {body}");
            }
        };
        let own = (!entry.says.is_empty()).then(|| (&entry.seed, entry.sentence()));
        let also = entry.also.iter();
        let also = also.map(|quote| (&quote.seed, quote.says.to_string()));
        for (seed, sentence) in own.into_iter().chain(also) {
            let source = catalogue.seeds.get(seed);
            let source = source.map_or("the specification", |title| title);
            add(&format!("{source} says"), &format!("\"{sentence}\""));
        }
        add(
            "so it follows",
            entry.inference.as_deref().unwrap_or_default(),
        );
        add("left open", entry.open.as_deref().unwrap_or_default());
        let sides = entry.binds.iter().map(|side| match side {
            Side::Bot => "bots",
            Side::Referee => "referees",
        });
        add("who keeps it", &sides.collect::<Vec<_>>().join(" and "));
        if let Some((by, needs)) = entry.exercised.zip(entry.needs.as_ref()) {
            let test = format!("{}: {needs}", by.word());
            add("what puts it to the test", &test);
        }
        let games = pack::dialects().map(<dyn Dialect>::game);
        let rows = games.flat_map(|game| game.mistakes().whole());
        let breaking = rows.filter(|row| row.breaks == entry.id && row.general.is_none());
        let mistakes = breaking.map(|row| format!("{}: {}", row.name, row.summary));
        let mistakes: Vec<_> = mistakes.collect::<BTreeSet<_>>().into_iter().collect();
        let mistakes = mistakes.join("\n  ");
        add("known mistakes in the rules that break it", &mistakes);
        let names = self.checks.get(entry.id.as_str()).map(|names| {
            let names = names.iter().map(|(_, name)| name.as_str());
            names.collect::<Vec<_>>().join("\n  ")
        });
        match (names, &entry.unchecked, &catalogue.judged) {
            (Some(names), ..) => add("scenarios that check it", &names),
            (None, Some(reason), _) => add("why nothing checks it", reason),
            (None, None, Some(judged)) => add("judged by", judged),
            (None, None, None) => add("scenarios that check it", "none yet"),
        }
        Some(text)
    }
}
