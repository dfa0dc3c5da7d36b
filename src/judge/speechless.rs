//! A subject that never said a byte, or ended only as it was told to.

use super::finding_context::seconds;
use super::observed::Observed;
use crate::finding::{Finding, FindingKind, Verdict};

/// States that a process ended because urtext closed its input: the process still ran when urtext stopped
/// waiting for it.
pub(super) fn ended_as_told(who: &str, status: &str) -> String {
    format!(
        "the {who} was still there; its process ended after urtext had then closed its input: {status}"
    )
}

/// The subject never said a byte: the run broke, the subject is not judged.
pub(super) fn never_spoke<K>(seen: &Observed<K>) -> Finding {
    let note = match &seen.exited {
        Some((status, true)) => Some(format!("its process ended: {status}")),
        Some(_) => None,
        None if seen.lanes.iter().any(|lane| lane.ended.is_some()) => Some(format!(
            "it ended the connection after {}",
            seconds(seen.now)
        )),
        None => return silent_from_the_start(seen),
    };
    Finding {
        crash: seen
            .exited
            .as_ref()
            .and_then(|(status, is_success)| (!is_success).then(|| status.clone())),
        ..speechless(seen, note)
    }
}

/// The subject was there and never said a byte.
pub(super) fn silent_from_the_start<K>(seen: &Observed<K>) -> Finding {
    let note = format!(
        "nothing came for {}: does it flush its output after each line?",
        seconds(seen.now)
    );
    Finding {
        by_silence: true,
        ..speechless(seen, Some(note))
    }
}

fn speechless<K>(seen: &Observed<K>, note: Option<String>) -> Finding {
    let who = seen.scenario.side().word();
    let mut finding = Finding::new(Verdict::Error, FindingKind::NeverSpoke(who));
    finding.notes.extend(note);
    finding.notes.push(format!(
        "is this a {who} for {}, started with the right arguments?",
        seen.scenario.protocol().title()
    ));
    finding
}
