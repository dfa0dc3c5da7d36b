//! Free games, and a scenario in a recording: with every text that it rests on, so that it is read back without any file.

use super::{PlanKeys, PlannedGame, Scenario, ScenarioFiles, Side, Step, StepKind, resolve};
use crate::diagnostic::{Diagnostics, Source, Span};
use crate::pack::Protocol;
use crate::protocol::Dialect;
use crate::transcript::recording::{Included, RecordedScenario};
use crate::transcript::{Transcript, golden};
use crate::yaml::Number;

/// The text of a free game's turns, which stands for the whole scenario.
const TURNS: &str = "turns:\n  - ";
const STEP: &str = "play: to the end";

/// The scenario as a recording holds it, with the golden transcript that its game is compared with.
#[must_use]
pub fn to_script(scenario: &Scenario, golden: Option<&Transcript>) -> RecordedScenario {
    let text = |source: &Source| String::from_utf8_lossy(source.bytes()).into_owned();
    let included = |(path, source): &(String, Source)| Included {
        path: path.clone(),
        text: text(source),
    };
    RecordedScenario {
        path: scenario.place(),
        text: text(&scenario.source),
        name: scenario.name.clone(),
        included: scenario.included.iter().map(included).collect(),
        golden: golden.map(golden::write),
        by_chance: scenario.is_by_chance(),
        without_names: scenario.game().is_some_and(|plan| plan.is_without_names),
    }
}

/// The scenario that a recording holds, and its golden transcript. `protocol` is that of the recording.
///
/// # Errors
/// Reports errors in the texts, or that the recorded scenario is not among those of its text.
pub fn from_script(
    script: &RecordedScenario,
    protocol: Protocol,
) -> Result<(Scenario, Option<Transcript>), Diagnostics> {
    let golden = match &script.golden {
        Some(text) => Some(golden::read(&Source::new(
            "the golden transcript in the recording",
            text.as_str(),
        ))?),
        None => None,
    };
    if let Some(number) = number_of(&script.name, &script.text)
        && let Protocol::Game(dialect) = protocol
    {
        return Ok((free_game(dialect, number), golden));
    }
    let (file, case) = match script.path.rsplit_once('#') {
        // A file without cases may have `#` in its name.
        Some((file, case))
            if script.name.is_empty() || script.name.ends_with(&format!("#{case}")) =>
        {
            (file, Some(case))
        }
        _ => (script.path.as_str(), None),
    };
    let name = case.and_then(|case| script.name.strip_suffix(case)?.strip_suffix('#'));
    let (scenarios, faults) = resolve(
        &Source::new(file, script.text.as_str()),
        name.unwrap_or(&script.name),
        &Within(script),
    );
    let mut scenarios = scenarios.into_iter();
    let found = scenarios.find(|scenario| scenario.case.as_deref() == case);
    let Some(mut scenario) = found else {
        return Err(faults);
    };
    if script.by_chance {
        scenario = scenario.by_chance();
    }
    if script.without_names {
        scenario = scenario.without_names();
    }
    Ok((scenario, golden))
}

/// The number of a free game, by the scenario's name and text; `None` for a scenario out of a file.
fn number_of(name: &str, text: &str) -> Option<u32> {
    let is_free = text
        .strip_prefix(TURNS)
        .is_some_and(|rest| rest.trim_end() == STEP);
    name.rsplit_once("/free-game-")
        .filter(|_| is_free)?
        .1
        .parse()
        .ok()
}

/// A game of legal moves, chosen by the run's seed, until it is over. Every line on every lane is judged all the same.
#[must_use]
pub fn free_game(dialect: &'static dyn Dialect, number: u32) -> Scenario {
    let text = format!("{TURNS}{STEP}\n");
    let span = Span::new(TURNS.len(), TURNS.len() + STEP.len());
    let plan = PlannedGame {
        keys: PlanKeys {
            attempts: Some(Number(1)),
            ..PlanKeys::default()
        },
        steps: vec![Step {
            span,
            kind: StepKind::PlayToTheEnd,
        }],
        ..PlannedGame::new(dialect, Side::Referee)
    };
    Scenario {
        source: Source::new(&format!("free game {number}"), text),
        name: format!("{}/free-game-{number}", dialect.game().name()),
        ..plan.titled("legal free play to the end")
    }
}

/// The texts around a scenario in a recording.
struct Within<'s>(&'s RecordedScenario);

// The recording holds the text of the golden transcript beside the scenario.
impl ScenarioFiles for Within<'_> {
    /// They were proven before the game was played.
    fn has_proven_checks(&self) -> bool {
        true
    }

    fn include(&self, path: &str) -> Result<Source, String> {
        let included = self
            .0
            .included
            .iter()
            .find(|included| included.path == path);
        let included = included.ok_or_else(|| "the recording does not hold its text".to_owned())?;
        Ok(Source::new(path, included.text.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Golden;
    use crate::scenario::{golden_text, load, suite};
    use crate::transcript::golden;

    /// The scenario out of a recording, after it has gone through JSON.
    fn again(scenario: &Scenario, golden: Option<&Transcript>) -> (Scenario, Option<Transcript>) {
        let text = serde_json::to_string(&to_script(scenario, golden)).unwrap();
        from_script(&serde_json::from_str(&text).unwrap(), scenario.protocol()).unwrap()
    }

    #[test]
    fn every_shipped_scenario_reads_back_with_its_golden_transcript() {
        let (scenarios, _) = suite::all();
        for scenario in scenarios {
            let text = golden_text(&scenario).unwrap();
            let golden = text.map(|text| golden::read(&text).unwrap());
            let (read, read_golden) = again(&scenario, golden.as_ref());
            assert_eq!(read_golden, golden, "{}", scenario.name);
            let plain = |scenario: Scenario| {
                let scenario = Scenario {
                    golden: Golden::None,
                    included: Default::default(),
                    ..scenario
                };
                format!("{scenario:?}")
            };
            assert_eq!(read.name, scenario.name);
            assert_eq!(plain(read), plain(scenario));
        }
    }

    #[test]
    fn included_files_and_a_free_game_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let write =
            |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write("_inner.yaml", "turns:\n  - second: 0 0 0 0\n");
        write(
            "_opening.yaml",
            "turns:\n  - first: 0 0 0 0\n  - include: _inner.yaml\n",
        );
        write(
            "a#b.yaml",
            "scenario: s\ngame: royalur\nsubject: referee\nchecks: [ur/skip/roll-0]\nturns:\n  - include: _opening.yaml\n  - first: 0 0 0 1 > 0\n",
        );
        let file = folder.path().join("a#b.yaml");
        let (scenarios, faults) = load(&[file]);
        assert!(
            !faults.has_errors(),
            "{}",
            faults.draw(crate::diagnostic::Paint::Plain)
        );
        let scenario = &scenarios[0];
        assert_eq!(scenario.included.len(), 2);
        std::fs::remove_dir_all(folder.path()).unwrap();
        let (read, _) = again(scenario, None);
        assert_eq!(
            (&read.game().unwrap().steps, &read.name),
            (&scenario.game().unwrap().steps, &scenario.name)
        );
        let mut lacking = to_script(scenario, None);
        lacking.included.pop();
        let fault = from_script(&lacking, scenario.protocol()).unwrap_err();
        let fault = fault.draw(crate::diagnostic::Paint::Plain);
        assert!(
            fault.contains("the recording does not hold its text"),
            "{fault}"
        );

        let free = free_game(scenario.game().unwrap().dialect, 3);
        assert_eq!(again(&free, None).0.name, free.name);
    }
}
