//! `--bless`: golden transcripts from scenarios that pass.

use super::Status;
use crate::diagnostic::{Diagnostic, Paint, visible};
use crate::event::Outcome;
use crate::scenario::{Golden, Scenario};
use crate::transcript::golden;

/// Writes the golden transcript of each scenario whose game was as the model predicts; of others none.
pub(super) fn bless<'a>(games: impl Iterator<Item = (&'a Scenario, &'a Outcome)>) -> Status {
    let mut status = Status::Conforms;
    let (mut written, mut same, mut refused) = (0, 0, 0);
    for (scenario, outcome) in games {
        let path = match &scenario.golden {
            Golden::File { path, .. } => path,
            Golden::None => continue,
            Golden::Shipped { .. } => {
                refused += 1;
                continue;
            }
        };
        let Some(prediction) = &outcome.prediction else {
            refused += 1;
            continue;
        };
        match golden::save(path, prediction) {
            Ok(true) => {
                written += 1;
                super::output::print_line(&format!(
                    "written {}: {}",
                    visible::plain(&scenario.name),
                    visible::plain(path.as_os_str().as_encoded_bytes())
                ));
            }
            Ok(false) => same += 1,
            Err(error) => {
                let fault = Diagnostic::error(
                    "bless/write",
                    format!("{} cannot be written: {error}", path.display()),
                );
                let fault =
                    fault.help("check that the folder is one, and that you may write to it");
                anstream::eprintln!("{}", fault.draw(Paint::Coloured));
                status = Status::Broken;
            }
        }
    }
    let refused = if refused > 0 {
        format!(", {refused} not blessed: the game was not as predicted")
    } else {
        String::new()
    };
    super::output::print_line(&format!(
        "golden transcripts: {written} written, {same} unchanged{refused}"
    ));
    status
}
