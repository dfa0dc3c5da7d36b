//! The report for GitHub Actions: workflow commands that annotate files.

use std::io::{self, Write};

use super::findings::{FindingResult, Place};
use super::results::Results;
use super::scenario::{Expectation, ScenarioResult, Severity};

/// Number of annotations of each severity that GitHub shows for a step. Those beyond it are left out there.
const SHOWN: usize = 10;

/// An annotation with all scenarios that it is about.
struct Annotation<'r> {
    severity: Severity,
    place: Option<&'r Place>,
    finding: &'r FindingResult,
    scenario: &'r ScenarioResult,
    others: Vec<&'r str>,
}

/// Writes the annotations: errors for failures, warnings for what was not tested or is flaky, notices for
/// what is expected, or flaky and allowed.
///
/// A finding in a scenario of the user stands at the failing turn. A finding in a shipped scenario stands at the entry
/// of the subject in `urtext.yaml`; equal findings there are one annotation. Without such an entry, the annotation has
/// no file. Each of them quotes the step.
///
/// # Errors
/// Fails if the output fails.
pub(super) fn write(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    let annotations = annotations(results);
    for severity in [Severity::Error, Severity::Warning, Severity::Notice] {
        let all = annotations.iter().filter(|one| one.severity == severity);
        let left_out = all.clone().count().saturating_sub(SHOWN);
        // The last one says how many there are beside it.
        let shown = if left_out > 0 { SHOWN - 1 } else { SHOWN };
        for one in all.take(shown) {
            command(one, out)?;
        }
        if left_out > 0 {
            let word = word(severity);
            let more = left_out + 1;
            writeln!(
                out,
                "::{word} title=urtext::and {more} more; the log and the step summary have all of them"
            )?;
        }
    }
    Ok(())
}

fn annotations(results: &Results) -> Vec<Annotation<'_>> {
    let mut annotations = Vec::new();
    for group in results.groups(|scenario| scenario.severity().is_some()) {
        let is_own = |(scenario, finding): &(&ScenarioResult, &FindingResult)| {
            scenario.own_place(finding).is_some()
        };
        let (own, shipped): (Vec<_>, Vec<_>) = group.members.iter().copied().partition(is_own);
        let alone = own.into_iter().map(|member| vec![member]);
        let together = Some(shipped).filter(|shipped| !shipped.is_empty());
        for members in alone.chain(together) {
            let (scenario, finding) = members[0];
            annotations.extend(scenario.severity().map(|severity| {
                Annotation {
                    severity,
                    place: scenario
                        .own_place(finding)
                        .or_else(|| scenario.place_of_subject()),
                    finding,
                    scenario,
                    others: members[1..]
                        .iter()
                        .map(|(other, _)| other.name.as_str())
                        .collect(),
                }
            }));
        }
    }
    annotations
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Notice => "notice",
    }
}

fn command(annotation: &Annotation<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Annotation {
        severity,
        place,
        finding,
        scenario,
        others,
    } = annotation;
    let mut properties = Vec::new();
    if let Some(place) = place {
        properties.push(format!("file={}", property(&place.file)));
        properties.push(format!("line={}", place.line));
        properties.push(format!("endLine={}", place.end_line));
        // GitHub takes columns only within one line.
        if place.line == place.end_line {
            properties.push(format!("col={}", place.column));
            properties.push(format!("endColumn={}", place.end_column));
        }
    }
    let verdict = scenario.word();
    let title = match &finding.requirement {
        Some(id) => format!("{verdict}[{id}]: {}", finding.title),
        None => format!("{verdict}: {}", finding.title),
    };
    properties.push(format!("title={}", property(&title)));
    let mut message = vec![format!("{}: {}", scenario.name, scenario.title)];
    message.extend(scenario.failed_games());
    message.extend(scenario.expected.as_ref().map(Expectation::to_string));
    if finding.place.is_none() {
        message.extend(finding.step.iter().map(|step| format!("step: {step}")));
    }
    if !finding.event.is_empty() {
        message.push(finding.event.clone());
    }
    for lane in finding.lanes.iter().filter(|lane| !lane.agrees) {
        let shown = |text: &Option<String>| text.clone().unwrap_or_else(|| "nothing".to_owned());
        message.push(format!(
            "{}, line {}: expected {}, received {}",
            lane.lane,
            lane.line,
            shown(&lane.expected),
            shown(&lane.received)
        ));
    }
    if let Some(says) = &finding.specification {
        message.push(format!("specification: \"{says}\""));
    }
    match others.as_slice() {
        [] => {}
        [one] => message.push(format!("and in {one}")),
        all => message.push(format!("and in {} more scenarios", all.len())),
    }
    if !scenario.repeat.is_empty() {
        message.push(format!("repeat: {}", scenario.repeat));
    }
    let (word, properties) = (word(*severity), properties.join(","));
    writeln!(out, "::{word} {properties}::{}", data(&message.join("\n")))
}

/// Escapes the message of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Escapes a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
