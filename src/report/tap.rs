//! The TAP report: version 14 of the Test Anything Protocol.

use std::io::{self, Write};

use super::results::{FindingResult, Results, ScenarioResult, Standing};
use crate::finding::Verdict;

/// Writes a report: a test point for each scenario.
///
/// A scenario that was not tested is `not ok`. If `--allow` excuses it, it is skipped. An expected failure is `not ok`, and to do.
///
/// # Errors
/// Fails if the output fails.
pub(super) fn write(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "TAP version 14\n1..{}", results.scenarios.len())?;
    for (number, scenario) in results.scenarios.iter().enumerate() {
        point(number + 1, scenario, out)?;
    }
    for line in results.explanation() {
        writeln!(out, "# {line}")?;
    }
    match &results.end {
        Some(end) if end.interrupted => writeln!(out, "Bail out! interrupted"),
        Some(_) => Ok(()),
        None => writeln!(out, "Bail out! the report breaks off"),
    }
}

fn point(number: usize, scenario: &ScenarioResult, out: &mut dyn Write) -> io::Result<()> {
    let is_ok = scenario.standing == Standing::Conforms && scenario.waiver().is_none();
    let word = if is_ok { "ok" } else { "not ok" };
    let description = escaped(&format!("{}: {}", scenario.name, scenario.title));
    write!(out, "{word} {number} - {description}")?;
    let is_played = matches!(
        scenario.verdict,
        Verdict::Pass | Verdict::Lenient | Verdict::Fail
    );
    if is_ok && !is_played {
        let reason = scenario.reason().map_or("", |reason| reason.title.as_str());
        write!(
            out,
            " # SKIP {}: {}",
            scenario.verdict.word(),
            escaped(reason)
        )?;
    }
    if let Some(waiver) = scenario.waiver() {
        write!(out, " # TODO {}", escaped(&waiver.to_string()))?;
    }
    writeln!(out)?;
    if is_ok && scenario.verdict == Verdict::Pass {
        return Ok(());
    }
    writeln!(out, "  ---\n  verdict: {}", scenario.verdict.word())?;
    if let Some(subject) = &scenario.subject {
        writeln!(out, "  subject: {}", scalar(&subject.name))?;
    }
    let games = scenario.failed_games();
    if let Some(games) = &games {
        writeln!(out, "  games: {games}")?;
    }
    if !scenario.findings.is_empty() {
        writeln!(out, "  findings:")?;
    }
    for finding in &scenario.findings {
        self::finding(finding, out)?;
    }
    if !scenario.open.is_empty() {
        writeln!(out, "  open:")?;
    }
    for choice in &scenario.open {
        writeln!(out, "    - requirement: {}", scalar(&choice.requirement))?;
        writeln!(out, "      seen: {}", scalar(&choice.seen))?;
    }
    if !scenario.repeat.is_empty() && !is_ok {
        writeln!(out, "  repeat: {}", scalar(&scenario.repeat))?;
    }
    writeln!(out, "  ...")?;
    match games {
        // Readers of TAP show a comment where they pass over the data.
        Some(games) => writeln!(out, "# {}: {games}", scenario.verdict.word()),
        None => Ok(()),
    }
}

fn finding(finding: &FindingResult, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "    - message: {}", scalar(&finding.title))?;
    if let Some(cause) = &finding.cause {
        writeln!(out, "      cause: {}", scalar(&cause.summary))?;
    }
    if let Some(id) = &finding.requirement {
        writeln!(out, "      requirement: {}", scalar(id))?;
    }
    if let Some(level) = finding.level {
        writeln!(out, "      level: {level}")?;
    }
    if let Some(place) = &finding.place {
        let at = format!("{}:{}:{}", place.file, place.line, place.column);
        writeln!(out, "      at: {}", scalar(&at))?;
    }
    writeln!(out, "      text: |")?;
    for line in finding.text.lines() {
        writeln!(out, "        {line}")?;
    }
    Ok(())
}

/// A text in double quotes, as JSON has it, which YAML reads as well.
fn scalar(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Escapes what begins a directive in a description.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('#', "\\#")
}
