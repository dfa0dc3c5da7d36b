//! `--bless`: golden transcripts of scenarios that pass.

use super::Status;
use super::output;
use crate::diagnostic::{Diagnostic, visible};
use crate::event::Outcome;
use crate::scenario::{self, Golden, Scenario};
use crate::transcript::golden;

/// Writes the golden transcript of each scenario whose game was as the model predicts; of others none.
pub(super) fn bless<'a>(games: impl Iterator<Item = (&'a Scenario, &'a Outcome)>) -> Status {
    let mut status = Status::Conforms;
    let (mut written, mut same, mut refused) = (0, 0, 0);
    for (scenario, outcome) in games {
        let Golden::File { path, .. } = &scenario.golden else {
            continue;
        };
        let Some(prediction) = &outcome.prediction else {
            refused += 1;
            continue;
        };
        if scenario::golden_of(scenario).is_ok_and(|known| known.as_ref() == Some(prediction)) {
            same += 1;
            continue;
        }
        let name = visible::path(path);
        match golden::save(path, prediction) {
            Ok(_) => {
                written += 1;
                output::print(&format!("written: {name}"));
            }
            Err(error) => {
                let title = format!("{name} cannot be written: {error}");
                let fault = Diagnostic::error("bless/write", title);
                let fault =
                    fault.help("check that the folder is one, and that you may write to it");
                output::say(&fault.into());
                status = Status::Broken;
            }
        }
    }
    let mut text = format!("golden transcripts: {written} written, {same} unchanged");
    if refused > 0 {
        text += &format!(", {refused} not blessed: the game was not as predicted");
    }
    output::print(&text);
    status
}

/// Returns true under a CI service, by the variable that all of them set.
pub(super) fn is_ci() -> bool {
    std::env::var_os("CI")
        .is_some_and(|value| !value.is_empty() && value != "false" && value != "0")
}
