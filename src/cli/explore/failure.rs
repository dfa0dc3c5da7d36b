//! Report about a failed game and the scenarios that were written of it.

use std::path::Path;

use serde_json::json;

use crate::cli::repeat;
use crate::cli::subject::quote;
use crate::diagnostic::visible;
use crate::explore::{Dropped, FailedGame, Rerun, Written};
use crate::scenario::Side;

/// Returns the report about the written scenarios, line by line.
pub(super) fn told(failure: &FailedGame, subject: &str, again: &str) -> Vec<String> {
    let mut lines: Vec<_> = failure
        .unwritten
        .iter()
        .map(|why| format!("no scenario is written: {why}"))
        .collect();
    for written in &failure.written {
        let path = visible::plain(written.path.as_os_str().as_encoded_bytes()).to_string();
        let turns = match (written.turns, written.before) {
            (None, _) => String::new(),
            (Some(1), None | Some(1)) => ", 1 turn".to_owned(),
            (Some(turns), Some(before)) if turns < before => {
                let shortest = written.shortest.map(|shortest| {
                    format!(" (the shortest known that shows its cause: {shortest})")
                });
                format!(
                    ", {turns} of {before} turns{}",
                    shortest.unwrap_or_default()
                )
            }
            (Some(turns), Some(_)) => format!(", {turns} turns, as many as the game had"),
            (Some(turns), None) => format!(", {turns} turns"),
        };
        let fails = match written.again {
            Rerun::Fails(Some(requirement)) if failure.requirement() != Some(requirement) => {
                format!("fails the same way, which shows as {requirement} there")
            }
            Rerun::Fails(_) => "fails the same way".to_owned(),
            Rerun::Sometimes(times, of) => format!("failed {times} of {of} games"),
            Rerun::NotPlayed if written.missing_capability.is_none() => {
                "the failed game, not shortened".to_owned()
            }
            Rerun::NotPlayed => {
                "the failed game; needs a subject that accepts forced rolls".to_owned()
            }
        };
        let golden = if written.golden.is_some() {
            ", with its golden transcript"
        } else {
            ""
        };
        lines.push(format!("written {path}{turns}: {fails}{golden}"));
        lines.push(match &written.missing_capability {
            Some(missing_capability) => {
                format!("  no command plays it with this subject: {missing_capability}")
            }
            None => format!(
                "  repeat: {}",
                played_again(&written.path, written.seed, subject)
            ),
        });
    }
    if let Some(recording) = &failure.recording {
        let path = visible::plain(recording.as_os_str().as_encoded_bytes()).to_string();
        lines.push(format!("written {path}: the recording of the game"));
        if failure.unwritten.is_none() {
            lines.push(format!("  no scenario is kept: {}", why_dropped(failure)));
        }
    }
    lines.push(format!("  explore again: {again}"));
    lines
}

/// Returns the reason why no scenario is kept, of those that were written and played.
fn why_dropped(failure: &FailedGame) -> String {
    let Some(best) = failure.best_dropped() else {
        return "none that was tried failed again often enough".to_owned();
    };
    let Dropped { failed, of, .. } = best;
    let bot = match failure.planned.scenario.side() {
        Side::Referee => "",
        Side::Bot if best.is_same_bot => ", although the bot played as in the game that failed",
        Side::Bot => ": this bot plays otherwise each time",
    };
    format!("the best one failed {failed} of {of} games{bot}")
}

/// Returns the report about them as JSON.
pub(super) fn as_json(failure: &FailedGame, subject: &str, again: &str) -> serde_json::Value {
    let finding = failure.outcome.findings.first();
    let written = |written: &Written| {
        json!({
            "scenario": written.path,
            "golden": written.golden,
            "turns": written.turns,
            "before": written.before,
            "shortest": written.shortest,
            "fails": (written.again != Rerun::NotPlayed).then_some(matches!(written.again, Rerun::Fails(_))),
            "failed": match written.again {
                Rerun::Sometimes(times, _) => Some(times),
                _ => None,
            },
            "of": match written.again {
                Rerun::Sometimes(_, of) => Some(of),
                _ => None,
            },
            "requirement": match written.again {
                Rerun::Fails(requirement) => requirement,
                _ => None,
            },
            "lacks": written.missing_capability,
            "repeat": written.missing_capability.is_none().then(|| played_again(&written.path, written.seed, subject)),
        })
    };
    json!({
        "game": failure.number,
        "requirement": finding.and_then(|finding| finding.requirement),
        "title": finding.map(|finding| finding.title.clone()),
        "again": again,
        "unwritten": failure.unwritten.clone().or_else(|| failure.recording.as_ref().map(|_| why_dropped(failure))),
        "recording": failure.recording,
        "written": failure.written.iter().map(written).collect::<Vec<_>>(),
    })
}

/// The command that plays the first scenario that was written and can be played with this subject.
pub(super) fn repeat_shortest(failure: &FailedGame, subject: &str) -> Option<String> {
    let mut written = failure.written.iter();
    let shown = written.find(|written| written.missing_capability.is_none())?;
    Some(played_again(&shown.path, shown.seed, subject))
}

/// The command that plays a scenario. `subject`: the arguments that name the subject.
fn played_again(path: &Path, seed: Option<u64>, subject: &str) -> String {
    let seed = seed.map(|seed| format!("--seed {seed}"));
    let words = [
        quote(&path.to_string_lossy()),
        seed.unwrap_or_default(),
        subject.to_owned(),
    ];
    let except = [super::NOT_REPEATED, &["hostile"]].concat();
    repeat::command("run", &words, &except)
}
