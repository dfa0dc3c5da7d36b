//! The report for GitLab: its Code Quality format.

use std::io::{self, Write};

use serde_json::json;

use super::results::Results;
use super::scenario::Expectation;
use super::status::Status;
use crate::requirement::Level;

/// Writes a report: an issue for each group of findings of scenarios that do not conform or could not be tested.
///
/// GitLab wants a file for each. That of a shipped scenario is the entry of the subject in `urtext.yaml`, or, without
/// one, the name of the scenario.
///
/// # Errors
/// Fails if the output fails.
pub(super) fn write(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    let groups = results.groups(|scenario| scenario.reported().is_some());
    let issues = groups.iter().map(|group| {
        let (scenario, finding) = group.best();
        let (path, line) = match group.place() {
            Some(place) => (place.file.as_str(), place.line),
            None => (scenario.name.as_str(), 1),
        };
        let severity = match (scenario.standing, finding.level) {
            (Status::Deviates, Some(Level::Must)) => "critical",
            (Status::Open, _) => "minor",
            (Status::Conforms, _) => "info",
            _ => "major",
        };
        let remarks = [
            Some(format!("{}: {}", scenario.name, finding.headline())),
            scenario.failed_games(),
            scenario.expected.as_ref().map(Expectation::to_string),
            group.others(results.run.noun(), false),
        ];
        let description: Vec<_> = remarks.into_iter().flatten().collect();
        json!({
            "description": description.join("; "),
            "check_name": finding.requirement.as_deref().unwrap_or(scenario.word()),
            // GitLab takes issues with one fingerprint for one issue.
            "fingerprint": group.key,
            "severity": severity,
            "content": {"body": scenario.in_full(finding)},
            "location": {"path": path, "lines": {"begin": line}},
        })
    });
    serde_json::to_writer_pretty(&mut *out, &issues.collect::<Vec<_>>())?;
    out.write_all(b"\n")
}
