//! Remarks about a failed game: the scenarios that were written of it.

use crate::cli::repeat;
use crate::cli::subject::quote;
use crate::diagnostic::{counted, visible};
use crate::explore::{Dropped, FailedGame, Rerun, Written};
use crate::scenario::Side;

/// Returns the remarks about what was written, and the command that repeats the failure: it plays the first scenario that can be played with
/// this subject, or else explores up to the game again. `subject`: the arguments that name the subject.
pub(super) fn described(
    failure: &FailedGame,
    subject: &str,
    explore: String,
) -> (Vec<String>, String) {
    let unwritten = failure.unwritten.iter();
    let mut notes: Vec<_> = unwritten
        .map(|why| format!("no scenario is written: {why}"))
        .collect();
    let mut repeat = None;
    for written in &failure.written {
        notes.push(describe(failure, written));
        let again = played_again(written, subject);
        match &written.missing_capability {
            Some(why) => notes.push(format!("no command plays it with this subject: {why}")),
            None if repeat.is_none() => repeat = Some(again),
            None => notes.push(format!("repeat: {again}")),
        }
    }
    if let Some(recording) = &failure.recording {
        notes.push(format!(
            "written {}: the recording of the game",
            visible::path(recording)
        ));
        if failure.unwritten.is_none() {
            notes.push(format!("no scenario is kept: {}", why_dropped(failure)));
        }
    }
    if repeat.is_some() {
        notes.push(format!("explore again: {explore}"));
    }
    (notes, repeat.unwrap_or(explore))
}

/// Describes a scenario that was written: its file, its length, and how it fails.
fn describe(failure: &FailedGame, written: &Written) -> String {
    let turns = match (written.turns, written.before) {
        (None, _) => String::new(),
        (Some(turns), None) => format!(", {}", counted(turns, "turn")),
        (Some(turns), Some(before)) => format!(", {turns} of {}", counted(before, "turn")),
    };
    let shortest = match written.shortest {
        Some(shortest) => format!(" (the shortest known that shows its cause: {shortest})"),
        None => String::new(),
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
        Rerun::NotPlayed => "the failed game; needs a subject that accepts forced rolls".to_owned(),
    };
    let golden = match written.golden {
        Some(_) => ", with its golden transcript",
        None => "",
    };
    format!(
        "written {}{turns}{shortest}: {fails}{golden}",
        visible::path(&written.path)
    )
}

/// Returns the reason why no scenario is kept, of those that were written and played.
fn why_dropped(failure: &FailedGame) -> String {
    let Some(best) = failure.best_dropped() else {
        return "none that was tried failed again often enough".to_owned();
    };
    let Dropped {
        failed,
        of,
        is_same_bot,
    } = best;
    let is_other_bot = failure.planned.scenario.side() == Side::Bot && !is_same_bot;
    let bot = match is_other_bot {
        true => ": this bot plays otherwise each time",
        false => "",
    };
    format!("the best one failed {failed} of {of} games{bot}")
}

/// The command that plays a scenario.
fn played_again(written: &Written, subject: &str) -> String {
    let seed = written.seed.map(|seed| format!("--seed {seed}"));
    let words = [
        quote(&written.path.to_string_lossy()),
        seed.unwrap_or_default(),
        subject.to_owned(),
    ];
    repeat::command("run", &words, &[])
}
