//! `--bless`: golden transcripts from scenarios that pass, put beside the old ones for `urtext review`.

use std::fs;

use anstyle::{AnsiColor, Style};

use super::Status;
use crate::diagnostic::{Diagnostic, Paint, visible};
use crate::event::Outcome;
use crate::pack::Protocol;
use crate::scenario::{self, Golden, Scenario};
use crate::transcript::Transcript;
use crate::transcript::golden::{Hunk, HunkLine, Proposal, pending_path};

/// The column in which it stands what a line tells.
const COLUMN: usize = 24;

/// Proposes the golden transcript of each scenario whose game was as the model predicts; of others none.
pub(super) fn bless<'a>(games: impl Iterator<Item = (&'a Scenario, &'a Outcome)>) -> Status {
    let mut status = Status::Conforms;
    let (mut waiting, mut same, mut refused) = (0, 0, 0);
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
        if scenario::golden_of(scenario).is_ok_and(|known| known.as_ref() == Some(prediction)) {
            same += 1;
            // What an earlier game proposed is out of date.
            let _ = fs::remove_file(pending_path(path));
            continue;
        }
        let notes = notes(scenario, outcome, prediction);
        let note = |lane: usize, entry: usize| notes.get(lane)?.get(entry)?.clone();
        if let Err(error) = Proposal::save(path, prediction, note) {
            let fault = Diagnostic::error(
                "bless/write",
                format!(
                    "{} cannot be written: {error}",
                    pending_path(path).display()
                ),
            );
            let fault = fault.help("check that the folder is one, and that you may write to it");
            anstream::eprintln!("{}", fault.draw(Paint::Coloured));
            status = Status::Broken;
            continue;
        }
        waiting += 1;
        let pending = pending_path(path);
        super::output::print(&format!(
            "proposed {}: {}",
            visible::plain(&scenario.name),
            visible::plain(pending.as_os_str().as_encoded_bytes())
        ));
        match Proposal::read(path) {
            Ok(Some(proposal)) if !proposal.is_first() => {
                for hunk in proposal.hunks() {
                    super::output::print(&draw(&hunk));
                }
            }
            // All of it is new, and is shown where it is reviewed.
            Ok(_) => {}
            Err(faults) => super::output::say(&faults),
        }
    }
    let refused = match refused {
        0 => String::new(),
        _ => format!(", {refused} not blessed: the game was not as predicted"),
    };
    let next = match waiting {
        0 => "",
        _ => "; see `urtext review`",
    };
    super::output::print(&format!(
        "golden transcripts: {waiting} proposed, {same} unchanged{refused}{next}"
    ));
    status
}

/// What each line of the prediction tells, where a game has rules.
fn notes(
    scenario: &Scenario,
    outcome: &Outcome,
    prediction: &Transcript,
) -> Vec<Vec<Option<String>>> {
    match scenario.protocol() {
        Protocol::Game(dialect) => scenario::line_notes(dialect, &outcome.history, prediction),
        Protocol::Lines => Vec::new(),
    }
}

/// Draws a hunk as a difference, with what its new lines tell.
pub(super) fn draw(hunk: &Hunk) -> String {
    let [gone, came] = [AnsiColor::Red, AnsiColor::Green].map(|colour| colour.on_default());
    let faint = Style::new().dimmed();
    let mut drawn = Vec::new();
    drawn.extend(
        hunk.lane
            .iter()
            .map(|lane| format!("  {faint}@@ {}{faint:#}", visible::plain(lane))),
    );
    drawn.extend(hunk.lines.iter().map(|line| {
        let (style, sign, text, note) = match line {
            HunkLine::Same(text) => (Style::new(), ' ', text, None),
            HunkLine::Old(text) => (gone, '-', text, None),
            HunkLine::New(text, note) => (came, '+', text, note.as_ref()),
        };
        let text = visible::plain(text).to_string();
        let note = note.map_or_else(String::new, |note| {
            let gap = COLUMN.saturating_sub(text.chars().count()).max(1);
            format!("{:gap$}{faint}{}{faint:#}", "", visible::plain(note))
        });
        format!("  {style}{sign} {text}{style:#}{note}")
    }));
    drawn.join("\n")
}

/// Returns true under a CI service, by the variable that all of them set.
pub(super) fn is_ci() -> bool {
    std::env::var_os("CI")
        .is_some_and(|value| !value.is_empty() && value != "false" && value != "0")
}
