//! What the processes of a subject show, for the judge.

use std::time::Duration;

use super::lanes::Lanes;
use crate::event::Processes;
use crate::transport::{ProcessSample, ProcessState};

/// The processes of the subject, for the judge. Looks for their system calls only while a line is due.
pub(super) fn processes(sample: &ProcessSample, lanes: &Lanes, is_due: bool) -> Processes {
    let subject = sample
        .subject()
        .filter(|process| process.state != ProcessState::Zombie);
    let started = sample
        .processes
        .iter()
        .filter(|process| !process.is_subject);
    let computed = u64::try_from(sample.cpu_time().as_millis()).unwrap_or(u64::MAX);
    Processes {
        lives: subject.is_some(),
        is_stopped: subject.is_some_and(|process| process.state == ProcessState::Stopped),
        computed: Duration::from_millis(computed),
        started: started
            .filter(|process| process.state != ProcessState::Zombie)
            .map(|process| process.name.clone())
            .collect(),
        asleep: lanes
            .far_ends()
            .filter(|_| is_due)
            .and_then(|lanes| sample.asleep(&lanes)),
    }
}
