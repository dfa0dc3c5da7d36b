//! The report for GitLab: its Code Quality format.

use std::collections::HashMap;
use std::io::{self, Write};

use serde_json::json;

use super::results::Results;
use super::status::Status;
use crate::requirement::Level;

/// Writes a report: an issue for each finding of a scenario that does not conform or could not be tested.
///
/// GitLab wants a file for each. That of a shipped scenario is the entry of the subject in `urtext.yaml`, or, without
/// one, the name of the scenario.
///
/// # Errors
/// Fails if the output fails.
pub(super) fn write(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    let mut issues = Vec::new();
    let mut seen: HashMap<String, u64> = HashMap::new();
    for scenario in &results.scenarios {
        if scenario.reported().is_none() {
            continue;
        }
        for finding in &scenario.findings {
            let (path, line) = match scenario.place_of(finding) {
                Some(place) => (place.file.as_str(), place.line),
                None => (scenario.name.as_str(), 1),
            };
            let severity = match (scenario.standing, finding.level) {
                (Status::Deviates, Some(Level::Must)) => "critical",
                (Status::Open, _) => "minor",
                (Status::Conforms, _) => "info",
                _ => "major",
            };
            let issue = format!("{} {}", scenario.name, finding.kind);
            // GitLab takes issues with one fingerprint for one issue.
            let times: &mut u64 = seen.entry(issue.clone()).or_default();
            let fingerprint = format!("{issue} {times}");
            *times += 1;
            let mut description = format!("{}: {}", scenario.name, finding.headline());
            if let Some(games) = scenario.failed_games() {
                description.push_str(&format!("; {games}"));
            }
            if let Some(entry) = &scenario.expected {
                description.push_str(&format!("; {entry}"));
            }
            issues.push(json!({
                "description": description,
                "check_name": finding.requirement.as_deref().unwrap_or(scenario.word()),
                "fingerprint": fingerprint,
                "severity": severity,
                "content": {"body": scenario.in_full(finding)},
                "location": {"path": path, "lines": {"begin": line}},
            }));
        }
    }
    serde_json::to_writer_pretty(&mut *out, &issues)?;
    out.write_all(b"\n")
}
