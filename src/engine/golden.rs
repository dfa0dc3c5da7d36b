//! The golden transcript of a scenario, held against the game as the model predicts it.

use std::sync::Arc;

use super::dry_run::dry_run;
use crate::diagnostic::visible::quoted;
use crate::diagnostic::{Diagnostic, Diagnostics, Source, Span, visible};
use crate::scenario::{Choice, Deed, Golden, PlannedGame, Scenario, golden_text};
use crate::transcript::compare::{LaneComparison, compare};
use crate::transcript::{Direction, Entry, Transcript, golden};

/// Code of the fault that a golden transcript belongs to another game.
const OTHER_GAME: &str = "golden/other-game";

/// Reads the golden transcript of a scenario; `None` where there is none yet.
///
/// # Errors
/// Everything that is wrong with it: it is named but not there, cannot be read, or is not that of the game that the scenario determines: then
/// the first line of each lane that differs.
pub fn golden_of(scenario: &Arc<Scenario>) -> Result<Option<Transcript>, Diagnostics> {
    let Some(source) = golden_text(scenario)? else {
        return Ok(None);
    };
    let golden = golden::read(&source)?;
    let (wanted, found) = (scenario.protocol().name(), golden.protocol.name());
    if wanted != found {
        let name = scenario.source.name();
        let title = format!(
            "this golden transcript is in the dialect `{found}`, and the scenario {name} in `{wanted}`"
        );
        let help = "name another golden transcript, or remove it and run with --bless";
        let problem = Diagnostic::error(OTHER_GAME, title).in_file(source.name());
        return Err(problem.help(help).into());
    }
    // Those inside the program are known to be right.
    let is_file = matches!(scenario.golden, Golden::File { .. });
    let chooses = |plan: &PlannedGame| {
        let mut turns = plan.turns();
        turns.any(|(_, turn)| matches!(turn.deed, Deed::Move(Choice::Any { .. })))
    };
    let is_free = scenario.game().is_none_or(chooses);
    let predicted = (is_file && !is_free).then(|| dry_run(scenario)).flatten();
    let lanes = predicted.map_or_else(Vec::new, |predicted| compare(&golden, &predicted));
    let mut problems = Diagnostics::new();
    problems.extend(
        lanes
            .iter()
            .map(|lane| difference(lane, &golden, &source, scenario)),
    );
    match problems.is_empty() {
        true => Ok(Some(golden)),
        false => Err(problems),
    }
}

/// The first difference of a lane.
fn difference(
    lane: &LaneComparison,
    golden: &Transcript,
    source: &Source,
    scenario: &Scenario,
) -> Diagnostic {
    let first = &lane.differences[0];
    let entries = golden
        .lane(lane.label)
        .map_or(&[][..], |lane| &lane.entries);
    let entry = entries.get(first.expected_line - 1).or(entries.last());
    let title = "this golden transcript is not that of the game of its scenario";
    let problem = Diagnostic::error(OTHER_GAME, title);
    let problem = match entry {
        Some(entry) => problem.at(source, line_span(source, entry.number), ""),
        None => problem.in_file(source.name()),
    };
    let name = lane.label.display(scenario.protocol().seat_names());
    let does = match first.direction {
        Direction::Sent => "sends",
        Direction::Received => "receives",
    };
    let line = |entry: &Entry| quoted(&entry.line.text).at_most(80).to_string();
    let differs = match (&first.expected, &first.observed) {
        (_, Some(_)) if entry.is_none() => format!("there is a lane `{name}` as well"),
        (Some(_), Some(other)) => format!("`{name}` {does} {} instead", line(other)),
        (None, Some(more)) => format!("`{name}` {does} {} as well", line(more)),
        (_, None) => format!("`{name}` {does} no such line"),
    };
    let scenario = visible::plain(scenario.source.name());
    problem
        .note(format!("by {scenario}, {differs}"))
        .help("write it anew with `urtext run --bless`, or name another one in the scenario")
}

/// The line of that number, counted from 1.
fn line_span(source: &Source, number: usize) -> Span {
    let mut lines = source.bytes().split_inclusive(|&byte| byte == b'\n');
    let start = lines.by_ref().take(number - 1).map(<[u8]>::len).sum();
    let length = lines.next().map_or(0, <[u8]>::len);
    source.first_line(Span::new(start, start + length))
}
