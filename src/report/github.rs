//! The report for GitHub Actions: workflow commands that annotate files.

use std::io::{self, Write};

use super::findings::Place;
use super::groups::Group;
use super::results::Results;
use super::scenario::Expectation;
use crate::diagnostic::Severity;

/// Number of annotations of each severity that GitHub shows for a step. Those beyond it are left out there.
const SHOWN: usize = 10;

/// Writes the annotations: errors for failures, warnings for what was not tested or is flaky, notices for
/// what is expected, or flaky and allowed.
///
/// Equal findings are one annotation: at the failing turn of a scenario of the user, else at the entry of the subject in `urtext.yaml`. Without
/// such an entry, the annotation has no file.
///
/// # Errors
/// Fails if the output fails.
pub(super) fn write(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    let groups = results.groups(|scenario| scenario.reported().is_some());
    let severities = [
        (Severity::Error, "error"),
        (Severity::Warning, "warning"),
        (Severity::Note, "notice"),
    ];
    for (severity, word) in severities {
        let mut all = groups
            .iter()
            .filter(|group| group.best().0.standing.severity() == severity);
        let left_out = all.clone().count().saturating_sub(SHOWN);
        // The last one says how many there are beside it.
        let shown = if left_out > 0 { SHOWN - 1 } else { SHOWN };
        all.by_ref()
            .take(shown)
            .try_for_each(|group| annotate(word, results.run.noun(), group, out))?;
        if left_out > 0 {
            let more = left_out + 1;
            writeln!(
                out,
                "::{word} title=urtext::and {more} more; the log and the step summary have all of them"
            )?;
        }
    }
    Ok(())
}

fn annotate(word: &str, noun: &str, group: &Group<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (scenario, finding) = group.best();
    let mut properties = Vec::new();
    if let Some(place) = group.place() {
        let Place {
            line,
            column,
            end_line,
            end_column,
            ..
        } = place;
        let file = property(&place.file);
        properties.push(format!("file={file},line={line},endLine={end_line}"));
        // GitHub takes columns only within one line.
        if line == end_line {
            properties.push(format!("col={column},endColumn={end_column}"));
        }
    }
    let title = property(&scenario.title_of(finding));
    properties.push(format!("title={title}"));
    let mut message = vec![format!("{}: {}", scenario.name, scenario.title)];
    message.extend(scenario.failed_games());
    message.extend(scenario.expected.as_ref().map(Expectation::to_string));
    message.extend(group.others(noun, false));
    message.push(scenario.in_full(finding));
    let properties = properties.join(",");
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
