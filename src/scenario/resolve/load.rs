//! The work of a dialogue's steps.

use std::ops::AddAssign;

use super::super::lines::{LineDeed, MOST_LINES, MOST_SENT, MOST_STEPS};
use crate::scenario::SendPart;

/// Total size of steps when they are played, each as often as it is repeated. No sum or product overflows:
/// what is too much is refused before it is multiplied again.
#[derive(Clone, Copy, Default)]
pub(super) struct Load {
    steps: u128,
    /// Lines that are sent and awaited.
    lines: u128,
    /// Bytes that are sent.
    bytes: u128,
}

impl Load {
    pub(super) fn of(action: &LineDeed) -> Load {
        let (lines, bytes) = match action {
            LineDeed::Write { parts, .. } => {
                let bytes = || {
                    parts.iter().filter_map(|part| match part {
                        SendPart::Bytes(bytes) => Some(bytes.as_slice()),
                        SendPart::Pause(_) | SendPart::Leave(_) => None,
                    })
                };
                let ends = bytes()
                    .map(|bytes| memchr::memchr_iter(b'\n', bytes).count())
                    .sum();
                (ends, bytes().map(<[u8]>::len).sum())
            }
            LineDeed::Expect { lanes, .. } | LineDeed::ExpectEnd { lanes, .. } => (lanes.len(), 0),
            LineDeed::Quiet { .. } | LineDeed::Leave { .. } | LineDeed::Read { .. } => (0, 0),
            LineDeed::Repeat { .. } => unreachable!("a repeat is made up of what it repeats"),
        };
        Load {
            steps: 1,
            lines: lines as u128,
            bytes: bytes as u128,
        }
    }

    pub(super) fn times(self, times: u64) -> Load {
        let times = u128::from(times);
        Load {
            steps: self.steps * times,
            lines: self.lines * times,
            bytes: self.bytes * times,
        }
    }

    /// Returns the part that exceeds its limit, in words.
    pub(super) fn excess(self) -> Option<String> {
        let Load {
            steps,
            lines,
            bytes,
        } = self;
        let kinds = [
            (steps, u128::from(MOST_STEPS), "the dialogue plays", "steps"),
            (
                lines,
                u128::from(MOST_LINES),
                "the dialogue sends and awaits",
                "lines",
            ),
            (bytes, MOST_SENT as u128, "the dialogue sends", "bytes"),
        ];
        kinds.into_iter().find(|(count, most, ..)| count > most).map(|(count, most, does, what)| {
            format!("up to here {does} {count} {what}, what is repeated counted each time, and {most} are the most")
        })
    }
}

impl AddAssign for Load {
    fn add_assign(&mut self, more: Load) {
        self.steps += more.steps;
        self.lines += more.lines;
        self.bytes += more.bytes;
    }
}
