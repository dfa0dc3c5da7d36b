//! Last changes to an outcome after its game.

use std::io;

use tokio::time::Instant;

use super::pauses::Pauses;
use super::start::Broken;
use crate::diagnostic::Setting;
use crate::event::Outcome;
use crate::finding::{Finding, Verdict};
use crate::judge::Judge;
use crate::scenario::Side;

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

/// A game whose supervisor was killed: everything of the subject has been killed with it, and that is not the subject's fault.
pub(super) fn unsupervised(side: Side) -> Finding {
    let subject = side.word();
    let title = format!("the supervisor of the {subject} was killed, and the {subject} with it");
    let mut finding = Finding {
        by_network: true,
        ..Finding::new(Verdict::Error, title)
    };
    finding
        .notes
        .push("`urtext supervise game` was ended from outside; play the scenario again".to_owned());
    finding
}

/// A game that could not begin. Errors that differ in the ports of their games alone have one title.
pub(super) fn broken(broken: &Broken) -> Finding {
    let mut title = broken.breakdown.to_string();
    let mut places = Vec::new();
    for (place, value) in &broken.places {
        if title.contains(value) {
            title = title.replace(value, place);
            places.push(format!("{place} was {value}"));
        }
    }
    let mut finding = Finding::new(Verdict::Error, title);
    finding.notes.extend(broken.breakdown.printed());
    finding.notes.extend(broken.extended.clone());
    finding
        .notes
        .push(broken.breakdown.next_step(broken.is_started));
    if !places.is_empty() {
        finding
            .notes
            .push(format!("in this game, {}", places.join(", ")));
    }
    finding
}

pub(super) fn conclude(outcome: Outcome, finding: Finding, began: Instant) -> Outcome {
    Outcome {
        took: began.elapsed(),
        ..outcome.with(finding)
    }
}
