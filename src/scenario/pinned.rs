//! The golden transcript of a scenario, read and held against it.

use super::{Golden, Scenario, mismatches};
use crate::diagnostic::{Diagnostic, Diagnostics, Source};
use crate::transcript::{Transcript, golden};

/// Reads the golden transcript of a scenario; `None` where there is none yet.
///
/// # Errors
/// Everything that is wrong with it: it is named but not there, cannot be read, or belongs to another game.
pub fn golden_of(scenario: &Scenario) -> Result<Option<Transcript>, Diagnostics> {
    let source = match &scenario.golden {
        Golden::None => return Ok(None),
        Golden::Shipped { name, text } => Source::new(name, *text),
        Golden::File { path, named } => match (path.exists(), named) {
            (true, _) => Source::read(path, golden::LARGEST)?,
            (false, None) => return Ok(None),
            (false, Some(span)) => {
                let title = format!("there is no golden transcript {}", path.display());
                let problem =
                    Diagnostic::error("golden/missing", title).at(&scenario.source, *span, "");
                let help = "check the spelling; `urtext run --bless` writes one";
                return Err(problem.help(help).into());
            }
        },
    };
    let golden = golden::read(&source)?;
    let mut problems = Diagnostics::new();
    problems.extend(mismatches(scenario, &golden, &source));
    if problems.has_errors() {
        Err(problems)
    } else {
        Ok(Some(golden))
    }
}
