//! What cases in `tests/cases` cannot show of reading scenarios: bounds, what follows from a game, and texts of any kind.

mod limits;
mod properties;
mod sound;
mod trees;

use std::collections::HashMap;

use urtext::diagnostic::{Paint, Source};
use urtext::scenario::{Scenario, ScenarioFiles, resolve};

const REFEREE: &str =
    "scenario: t\ngame: royalur\nsubject: referee\nchecks: [ur/roll/line]\nturns:\n";
const BOT: &str =
    "scenario: t\ngame: royalur\nsubject: bot\nseat: first\nchecks: [ur/bot/both-seats]\nturns:\n";

/// Files that a scenario can include, by their paths.
#[derive(Default)]
struct Files(HashMap<String, String>);

impl Files {
    fn with(mut self, path: &str, text: impl Into<String>) -> Files {
        self.0.insert(path.to_owned(), text.into());
        self
    }

    /// The scenarios of a text without a fault.
    fn sound(&self, text: &str) -> Vec<Scenario> {
        let (scenarios, diagnostics) = resolve(&Source::new("s.yaml", text), "s", self);
        assert_eq!(diagnostics.draw(Paint::Plain), "");
        scenarios
    }

    /// The faults of a text, drawn.
    fn drawn(&self, text: &str) -> String {
        let (_, diagnostics) = resolve(&Source::new("s.yaml", text), "s", self);
        assert!(diagnostics.has_errors(), "a fault was expected");
        diagnostics.draw(Paint::Plain)
    }
}

impl ScenarioFiles for Files {
    fn include(&self, path: &str) -> Result<Source, String> {
        let text = self.0.get(path).ok_or("there is no such file")?;
        Ok(Source::new(path, text.as_str()))
    }
}

fn with_turns(head: &str, turns: &[&str]) -> String {
    turns
        .iter()
        .fold(head.to_owned(), |text, turn| text + "  - " + turn + "\n")
}
