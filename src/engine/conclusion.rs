//! Last changes to an outcome after its game.

use std::io;

use tokio::time::Instant;

use super::attach::Breakdown;
use super::pauses::Pauses;
use crate::diagnostic::Setting;
use crate::event::Outcome;
use crate::finding::{Finding, Verdict};
use crate::judge::Judge;

/// Takes what the judge says in the end.
pub(super) fn take_judgement(outcome: &mut Outcome, judge: Judge, pauses: &Pauses) {
    let judgement = judge.conclude();
    outcome.slowest = pauses.slowest;
    outcome.verdict = judgement.verdict;
    outcome.findings = judgement.findings;
    outcome.open = judgement.open;
    outcome.transcript = judgement.transcript;
    outcome.prediction = judgement.prediction;
    outcome.history = judgement.history;
    outcome.setup = judgement.setup;
    outcome.has_lagged = judgement.has_lagged;
}

/// A recording that cannot be written: what was seen is not vouched for.
pub(super) fn unrecorded(error: &io::Error) -> Finding {
    let mut finding = Finding::new(
        Verdict::Error,
        format!("the recording cannot be written: {error}"),
    );
    // The limit of a recording is urtext's own, not the system's.
    let record = Setting::Record;
    finding
        .notes
        .push(match (error.kind(), error.raw_os_error()) {
            (io::ErrorKind::FileTooLarge, None) => {
                format!("the game ended there; without {record} it is judged all the same")
            }
            _ => format!("give {record} a folder that you can write to, on a disk with space"),
        });
    finding
}

/// A game that could not begin.
pub(super) fn broken(breakdown: &Breakdown) -> Finding {
    let mut finding = Finding::new(Verdict::Error, breakdown.to_string());
    finding.notes.extend(breakdown.printed());
    finding.notes.push(breakdown.next_step());
    finding
}

pub(super) fn conclude(outcome: Outcome, finding: Finding, began: Instant) -> Outcome {
    Outcome {
        took: began.elapsed(),
        ..outcome.with(finding)
    }
}
