//! Scenarios from files.

use std::path::{Path, PathBuf};

use super::{NamedGolden, Scenario, discover, golden, parse, resolve};
use crate::diagnostic::{Diagnostics, Faults};

/// Reads all scenarios that the paths mean, see [`discover`]; with an error among the diagnostics none of them should be played.
///
/// A scenario with a fault in it is left out. The others stay in the order in which they were found.
pub fn load(paths: &[PathBuf]) -> (Vec<Scenario>, Diagnostics) {
    let (files, mut diagnostics) = discover(paths);
    let mut scenarios = Vec::with_capacity(files.len());
    for file in files {
        let (scenario, faults) = load_file(&file);
        scenarios.extend(scenario);
        diagnostics.append(faults);
    }
    (scenarios, diagnostics)
}

/// Reads the scenario in a file; where there is a fault in it there is none.
pub fn load_file(file: &Path) -> (Option<Scenario>, Diagnostics) {
    let source = match parse::read(file) {
        Ok(source) => source,
        Err(fault) => {
            let mut diagnostics = Diagnostics::new();
            diagnostics.push(fault);
            return (None, diagnostics);
        }
    };
    let on_disk = |named: Option<NamedGolden<'_>>, faults: &Faults<'_>| golden::on_disk(file, named, faults);
    resolve(&source, &golden::scenario_name(file), on_disk)
}
