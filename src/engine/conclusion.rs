//! Last changes to an outcome after its game.

use std::io;

use tokio::time::Instant;

use super::pauses::Pauses;
use super::start::Broken;
use crate::event::Outcome;
use crate::finding::{Finding, Verdict};
use crate::judge::Judge;

/// Takes what the judge says in the end.
pub(super) fn take_judgement(outcome: &mut Outcome, judge: Judge, pauses: &Pauses) {
    outcome.slowest = pauses.slowest;
    judge.conclude().put_into(outcome);
}

/// A recording that cannot be written: what was seen is not vouched for.
pub(super) fn unrecorded(error: &io::Error) -> Finding {
    let mut finding = Finding::new(
        Verdict::Error,
        format!("the recording cannot be written: {error}"),
    );
    // The limit of a recording is urtext's own, not the system's.
    let note = match (error.kind(), error.raw_os_error()) {
        (io::ErrorKind::FileTooLarge, None) => {
            "the game ended there; without --record it is judged all the same"
        }
        _ => "give --record a folder that you can write to, on a disk with space",
    };
    finding.notes.push(note.to_owned());
    finding
}

/// A game that could not begin. `is_started`: true if urtext has started the subject. Errors that differ only in the ports of their games
/// then have one title.
pub(super) fn broken(broken: &Broken, is_started: bool) -> Finding {
    let Broken {
        breakdown,
        extended,
        ..
    } = broken;
    let mut title = breakdown.to_string();
    let numbers = title.split(|letter: char| !letter.is_ascii_digit());
    // The ports that are chosen for a game have five digits.
    let ports = numbers.filter(|digits| is_started && digits.len() == 5);
    let ports: Vec<_> = ports.map(str::to_owned).collect();
    for port in &ports {
        title = title.replace(port, "{port}");
    }
    let mut finding = Finding::new(Verdict::Error, title);
    finding.notes.extend(breakdown.printed());
    finding.notes.extend(extended.clone());
    finding.notes.push(breakdown.next_step(is_started));
    let ports = ports
        .iter()
        .map(|port| format!("in this game, {{port}} was {port}"));
    finding.notes.extend(ports);
    finding
}

pub(super) fn conclude(outcome: Outcome, finding: Finding, began: Instant) -> Outcome {
    Outcome {
        took: began.elapsed(),
        ..outcome.with(finding)
    }
}

#[cfg(test)]
mod tests {
    use super::super::attach::Breakdown;
    use super::*;
    use crate::transport::ConnectError;

    /// Nobody listens at the port of a game.
    fn unreached(port: u16, is_started: bool) -> Finding {
        let breakdown = Breakdown::Connect(ConnectError::Refused {
            address: format!("127.0.0.1:{port}"),
            last: io::ErrorKind::ConnectionRefused.into(),
        });
        broken(&breakdown.into(), is_started)
    }

    #[test]
    fn errors_of_started_subjects_are_equal_though_their_ports_differ() {
        let (first, second) = (unreached(23456, true), unreached(31234, true));
        assert_eq!(first.title, second.title);
        assert!(first.title.contains(" 127.0.0.1:{port}: "), "{first:?}");
        let notes = second.notes.join("\n");
        assert!(notes.contains("have it listen there"), "{notes}");
        assert!(notes.contains("{port} was 31234"), "{notes}");
        assert!(!notes.contains("check the address"), "{notes}");
        // Here the user has given the address.
        let given = unreached(23456, false);
        assert!(given.title.contains(" 127.0.0.1:23456: "), "{given:?}");
        assert!(given.notes[0].starts_with("check the address"), "{given:?}");
    }
}
