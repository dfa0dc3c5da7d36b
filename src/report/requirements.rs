//! The catalogue of requirements, with the scenarios that check each: a line each, one of them in full, or JSON.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::json;

use crate::explore;
use crate::pack;
use crate::protocol::Dialect;
use crate::requirement::{Binds, Catalogue, ExercisedBy, Requirement};
use crate::rules::Game;
use crate::scenario::Scenario;

/// The scenarios that check each requirement, by its id: names, the scenarios that exist for it first.
pub type RequirementChecks = BTreeMap<&'static str, Vec<String>>;

/// Lists the scenarios that exercise each requirement: shipped ones by name, the user's by file.
#[must_use]
pub fn requirement_checks(shipped: Vec<Scenario>, own: Vec<Scenario>) -> RequirementChecks {
    let mut checks: BTreeMap<_, Vec<(usize, String)>> = BTreeMap::new();
    let shipped = shipped
        .into_iter()
        .map(|scenario| (scenario.name.clone(), scenario));
    let own = own.into_iter().map(|scenario| (scenario.place(), scenario));
    for (name, scenario) in shipped.chain(own) {
        let scenario = Arc::new(scenario);
        let exercised = explore::exercised(&scenario);
        for (place, id) in scenario
            .checks()
            .iter()
            .enumerate()
            .filter(|(_, id)| exercised.contains(*id))
        {
            checks
                .entry(*id)
                .or_default()
                .push((place.min(1), name.clone()));
        }
    }
    let ordered = |mut names: Vec<(usize, String)>| {
        names.sort();
        names.into_iter().map(|(_, name)| name).collect()
    };
    checks
        .into_iter()
        .map(|(id, names)| (id, ordered(names)))
        .collect()
}

/// A line each: id, level, how many scenarios check it, what it says.
#[must_use]
pub fn list_requirements(
    chosen: &[(&Catalogue, &Requirement)],
    checks: &RequirementChecks,
    with_reason: bool,
) -> String {
    let mut lines = Vec::new();
    let width = chosen
        .iter()
        .map(|(_, entry)| entry.id.len())
        .max()
        .unwrap_or(0);
    let mut game = "";
    for (catalogue, entry) in chosen {
        if game != catalogue.protocol {
            game = &catalogue.protocol;
            let of_game = chosen.iter().filter(|(one, _)| one.protocol == game);
            let checked = of_game
                .clone()
                .filter(|(_, entry)| checks.contains_key(entry.id.as_str()))
                .count();
            if !lines.is_empty() {
                lines.push(String::new());
            }
            let how = catalogue.judged.as_deref().map_or_else(
                || format!("{checked} checked by scenarios"),
                |judged| format!("judged by {judged}"),
            );
            lines.push(format!("{game}: {} requirements, {how}", of_game.count()));
        }
        let count = checks
            .get(entry.id.as_str())
            .map_or_else(|| "-".to_owned(), |names| names.len().to_string());
        let level = entry.level.to_string();
        lines.push(format!(
            "  {:<width$}  {level:<11}  {count:>3}  {}",
            entry.id, entry.summary
        ));
        if with_reason && let Some(reason) = &entry.unchecked {
            lines.push(format!(
                "  {:<width$}  {:<11}  {:>3}    {reason}",
                "", "", ""
            ));
        }
    }
    if lines.is_empty() {
        lines.push("none".to_owned());
    }
    lines.join("\n")
}

/// Describes one requirement completely.
#[must_use]
pub fn explain_requirement(
    catalogue: &Catalogue,
    entry: &Requirement,
    checks: &RequirementChecks,
) -> String {
    let seed = |number: &str| catalogue.seeds.get(number).map_or("", String::as_str);
    let mut text = format!("{} ({})\n  {}\n", entry.id, entry.level, entry.summary);
    let mut part = |head: &str, body: String| text.push_str(&format!("\n{head}\n  {body}\n"));
    if !entry.says.is_empty() {
        part(
            &format!("{} says", seed(&entry.seed)),
            format!("\"{}\"", entry.sentence()),
        );
    }
    for quote in &entry.also {
        part(
            &format!("{} says", seed(&quote.seed)),
            format!("\"{}\"", quote.says),
        );
    }
    if let Some(inference) = &entry.inference {
        part("so it follows", inference.clone());
    }
    if let Some(open) = &entry.open {
        part("left open", open.clone());
    }
    let sides: Vec<_> = entry
        .binds
        .iter()
        .map(|side| {
            if *side == Binds::Bot {
                "bots"
            } else {
                "referees"
            }
        })
        .collect();
    if !sides.is_empty() {
        part("who keeps it", sides.join(" and "));
    }
    if let (Some(by), Some(needs)) = (entry.exercised, &entry.needs) {
        part(
            "what puts it to the test",
            format!("{}: {needs}", by.word()),
        );
    }
    let games = pack::dialects().map(<dyn Dialect>::game);
    let rows = games.flat_map(<dyn Game>::hypotheses);
    let breaking = rows.filter(|row| row.breaks == entry.id && row.general.is_none());
    let readings: BTreeSet<_> = breaking
        .map(|row| format!("{}: {}", row.name, row.summary))
        .collect();
    if !readings.is_empty() {
        let readings: Vec<_> = readings.into_iter().collect();
        part(
            "wrong readings of the rules that break it",
            readings.join("\n  "),
        );
    }
    match (
        checks.get(entry.id.as_str()),
        &entry.unchecked,
        &catalogue.judged,
    ) {
        (Some(names), ..) => part("scenarios that check it", names.join("\n  ")),
        (None, Some(reason), _) => part("why nothing checks it", reason.clone()),
        (None, None, Some(judged)) => part("judged by", judged.clone()),
        (None, None, None) => part("scenarios that check it", "none yet".to_owned()),
    }
    text.trim_end().to_owned()
}

/// Everything that is known of a requirement, as JSON.
#[must_use]
pub fn requirement_as_json(
    catalogue: &Catalogue,
    entry: &Requirement,
    checks: &RequirementChecks,
) -> serde_json::Value {
    let quotes = || {
        let own = (!entry.says.is_empty()).then_some((entry.seed.as_str(), entry.says.as_str()));
        own.into_iter().chain(
            entry
                .also
                .iter()
                .map(|quote| (quote.seed.as_str(), quote.says.as_str())),
        )
    };
    let specification: Vec<_> = quotes()
        .map(|(seed, says)| json!({"source": catalogue.seeds.get(seed), "says": says}))
        .collect();
    let binds: Vec<_> = entry
        .binds
        .iter()
        .map(|side| {
            if *side == Binds::Bot {
                "bot"
            } else {
                "referee"
            }
        })
        .collect();
    json!({
        "id": entry.id,
        "game": catalogue.protocol,
        "level": entry.level.to_string(),
        "binds": binds,
        "summary": entry.summary,
        "specification": specification,
        "inference": entry.inference,
        "open": entry.open,
        "unchecked": entry.unchecked,
        "exercised": entry.exercised.map(ExercisedBy::word),
        "needs": entry.needs,
        "scenarios": checks.get(entry.id.as_str()).cloned().unwrap_or_default(),
    })
}
