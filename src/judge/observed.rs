//! Facts that every event adds, whichever side is judged.

use super::breakdown;
use super::state::State;
use crate::event::{Event, What};
use crate::transcript::{Close, Entry};

impl State {
    /// Notes what every event says, whoever is judged.
    pub(super) fn note(&mut self, event: &Event) {
        self.now = event.at;
        self.processes.pass();
        match &event.what {
            What::Opened { lane } => self.lanes[*lane].is_open = true,
            What::Line {
                lane,
                direction,
                line,
            } => {
                self.lanes[*lane].unfinished.clear();
                self.lanes[*lane].entries.push(Entry {
                    direction: *direction,
                    line: line.clone(),
                });
                if *direction == self.subject_direction() {
                    self.heard_lines += 1;
                    self.heard_bytes += line.text.len() + 1;
                    self.lanes[*lane].last_heard = event.at;
                    self.has_heard = true;
                } else {
                    self.last_sent = Some((*lane, line.text.clone()));
                }
            }
            What::Closed {
                lane,
                close: Close::Lost,
                ..
            } => breakdown::lost(self, *lane),
            What::Closed {
                lane,
                direction,
                close,
            } if *direction == self.subject_direction() => {
                self.lanes[*lane].ended = Some(*close);
            }
            What::Exited { status, is_success } => {
                self.exited = Some((status.clone(), *is_success))
            }
            What::Hurried => self.hurry(),
            What::Interrupted => self.was_interrupted = true,
            What::Unfinished {
                lane,
                direction,
                text,
            } => {
                self.lanes[*lane].unfinished = text.clone();
                self.has_heard |= *direction == self.subject_direction();
            }
            What::Closed {
                lane,
                close: Close::Reset,
                ..
            } => {
                self.lanes[*lane].reader_closed |=
                    self.leaving.is_none_or(|(leaving, _)| leaving != *lane);
            }
            What::Processes(processes) => self.processes.take(event.at, processes),
            What::OutOfTime { budget } => breakdown::out_of_time(self, *budget),
            What::Notice { text } => self.notices.push(text.clone()),
            What::SpeaksElsewhere => self.speaks_elsewhere = true,
            What::Closed { .. } | What::Alarm | What::Lag { .. } => {}
        }
    }
}
