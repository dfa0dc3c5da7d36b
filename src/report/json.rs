//! The JSON report: JSON Lines, one [`ReportLine`] each. It holds everything that the other reports are made from.

use std::io::{self, Write};

use serde_json::Value;

use super::finding::visible_line;
use super::results::{ReportLine, Results, VERSION};
use crate::diagnostic::visible;

/// Writes a report.
///
/// # Errors
/// Fails if the output fails.
pub(super) fn write(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    let head = ReportLine::Run(results.run.clone());
    let scenarios = results.scenarios.iter().cloned();
    let scenarios = scenarios.map(|scenario| ReportLine::Scenario(Box::new(scenario)));
    let end = results.end.clone().map(ReportLine::End);
    for line in std::iter::once(head).chain(scenarios).chain(end) {
        let mut value = serde_json::to_value(line)?;
        strip(&mut value);
        writeln!(out, "{value}")?;
    }
    Ok(())
}

/// Takes away members that say nothing.
fn strip(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(strip),
        Value::Object(members) => {
            let is_empty = |value: &Value| value.as_array().is_some_and(Vec::is_empty);
            members.retain(|_, value| !value.is_null() && !is_empty(value));
            members.values_mut().for_each(strip);
        }
        _ => {}
    }
}

/// Reads a report. Lines of an unknown type and unknown fields are ignored.
///
/// # Errors
/// Returns the number of the line that cannot be read, from 1, and the reason.
pub fn read(text: &str) -> Result<Results, (usize, String)> {
    let mut lines = text.lines().enumerate();
    let no_head = || "a JSON report of urtext begins with a line of the type `run`".to_owned();
    let run = match lines.next().map(|(_, line)| line_of(line)) {
        Some(Ok(Some(ReportLine::Run(run)))) => run,
        Some(Err(reason)) => return Err((1, reason)),
        _ => return Err((1, no_head())),
    };
    if run.version != VERSION {
        let version = run.version;
        let reason =
            format!("this report has version {version}, and urtext reads version {VERSION}");
        return Err((1, reason));
    }
    let mut results = Results {
        run,
        scenarios: Vec::new(),
        end: None,
    };
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        match line_of(line).map_err(|reason| (number + 1, reason))? {
            Some(ReportLine::Scenario(scenario)) => results.scenarios.push(*scenario),
            Some(ReportLine::End(end)) => results.end = Some(end),
            Some(ReportLine::Run(_)) => {
                let reason = "a second run begins here; a report holds one run".to_owned();
                return Err((number + 1, reason));
            }
            None => {}
        }
    }
    Ok(results)
}

/// Reads one line; `None` for a type of a later version of urtext.
fn line_of(line: &str) -> Result<Option<ReportLine>, String> {
    let mut value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    escape(&mut value, "");
    let is_known = matches!(value["type"].as_str(), Some("run" | "scenario" | "end"));
    if !is_known && value["type"].is_string() {
        return Ok(None);
    }
    serde_json::from_value(value)
        .map(Some)
        .map_err(|error| error.to_string())
}

/// Keys of texts of several lines.
const TEXTS: [&str; 3] = ["text", "stderr", "repeat"];

/// Escapes every text of a line: a report may come from a stranger. No format has to do it again, and texts of urtext's own reports stay as
/// they are.
fn escape(value: &mut Value, key: &str) {
    match value {
        Value::String(text) if TEXTS.contains(&key) => {
            let lines: Vec<_> = text.split('\n').map(visible_line).collect();
            *text = lines.join("\n");
        }
        Value::String(text) => *text = visible_line(text.as_str()),
        Value::Array(values) => values.iter_mut().for_each(|value| escape(value, key)),
        Value::Object(members) => {
            for (name, mut value) in std::mem::take(members) {
                escape(&mut value, &name);
                members.insert(visible::plain(name.as_str()).to_string(), value);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Returns the schema of one line.
#[must_use]
pub fn schema() -> Value {
    schemars::schema_for!(ReportLine).to_value()
}
