//! Files beside a scenario, in memory.

use std::collections::HashMap;
use std::path::PathBuf;

use urtext::diagnostic::{Diagnostics, Faults, Paint, Source};
use urtext::scenario::{Golden, NamedGolden, Scenario, ScenarioFiles, resolve};

/// Files by their paths, and goldens wherever one may be.
#[derive(Default)]
pub(crate) struct Files(HashMap<String, String>);

impl Files {
    pub(crate) fn with(mut self, path: &str, text: impl Into<String>) -> Files {
        self.0.insert(path.to_owned(), text.into());
        self
    }

    pub(crate) fn read(&self, text: &str) -> (Vec<Scenario>, Diagnostics) {
        resolve(&Source::new("s.yaml", text), "s", self)
    }

    /// The scenarios of a text without a fault.
    pub(crate) fn sound(&self, text: &str) -> Vec<Scenario> {
        let (scenarios, diagnostics) = self.read(text);
        assert_eq!(diagnostics.draw(Paint::Plain), "");
        scenarios
    }

    /// The faults of a text, drawn.
    pub(crate) fn drawn(&self, text: &str) -> String {
        let (_, diagnostics) = self.read(text);
        assert!(diagnostics.has_errors(), "a fault was expected");
        diagnostics.draw(Paint::Plain)
    }
}

impl ScenarioFiles for Files {
    fn golden(&self, case: Option<&str>, named: Option<NamedGolden<'_>>, _: &Faults<'_>) -> Golden {
        let name = named.map_or_else(
            || format!("s.{}", case.unwrap_or("-")),
            |named| named.path.to_owned(),
        );
        Golden::File {
            path: PathBuf::from(name),
            named: None,
        }
    }

    fn include(&self, path: &str) -> Result<Source, String> {
        let text = self.0.get(path).ok_or("there is no such file")?;
        Ok(Source::new(path, text.as_str()))
    }
}
