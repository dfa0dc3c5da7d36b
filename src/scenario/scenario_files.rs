//! Files that a scenario refers to.

use super::Golden;
use crate::diagnostic::{Faults, Source, Span};

/// A scenario's reference to its golden transcript: a relative path inside its folder, with the span.
#[derive(Debug, Clone, Copy)]
pub struct NamedGolden<'n> {
    /// The path.
    pub path: &'n str,
    /// Span of the path.
    pub span: Span,
}

/// Access to a scenario's files: its golden transcripts, and the files that it includes.
pub trait ScenarioFiles {
    /// Locates the golden transcript, by the name that the scenario gives. `case` is the case, in a file of
    /// several. It is asked only where there can be a golden transcript, and may push faults. By default there is none.
    fn golden(
        &self,
        _case: Option<&str>,
        _named: Option<NamedGolden<'_>>,
        _faults: &Faults<'_>,
    ) -> Golden {
        Golden::None
    }

    /// The file at a path that is relative to the scenario's folder and stays in it.
    ///
    /// # Errors
    /// Why it cannot be had, in words that follow a colon.
    fn include(&self, path: &str) -> Result<Source, String>;

    /// Returns true if the scenario is known to exercise the requirements that it checks. To find that out
    /// takes most of the time of reading it.
    fn has_proven_checks(&self) -> bool {
        false
    }
}

/// Nothing lies around the scenario: it has no golden transcript, and can include nothing.
#[derive(Debug, Clone, Copy)]
pub struct Alone;

impl ScenarioFiles for Alone {
    fn include(&self, _path: &str) -> Result<Source, String> {
        Err("there are no files beside this scenario".to_owned())
    }
}
