//! Events of a watched game, at the ends of its players and spectators.

use std::collections::BTreeMap;
use std::time::Duration;

use super::end::{End, Parcel, Side};
use crate::event::{Event, What};
use crate::protocol::Framer;
use crate::transcript::{Close, Direction};

/// Takes down what goes through the near ends of all links, as their holders send and read it.
#[derive(Debug, Default)]
pub(super) struct Tap {
    pub(super) events: Vec<Event>,
    framers: BTreeMap<(usize, bool), Framer>,
}

impl Tap {
    pub(super) fn opened(&mut self, at: Duration, lane: usize) {
        self.events.push(Event {
            at,
            what: What::Opened { lane },
        });
    }

    pub(super) fn sent(&mut self, at: Duration, from: End, bytes: &[u8]) {
        if from.side == Side::Near {
            self.pass(at, from.link, Direction::Sent, bytes);
        }
    }

    pub(super) fn received(&mut self, at: Duration, end: End, parcel: &Parcel) {
        if end.side == Side::Far {
            return;
        }
        match parcel {
            Parcel::Bytes(bytes) => self.pass(at, end.link, Direction::Received, bytes),
            // Which was taken down when it happened.
            Parcel::End(Close::Lost) => {}
            Parcel::End(close) => self.end(at, end.link, Direction::Received, *close),
        }
    }

    pub(super) fn closed(&mut self, at: Duration, from: End, close: Close) {
        if from.side == Side::Near {
            self.end(at, from.link, Direction::Sent, close);
        }
    }

    pub(super) fn lost(&mut self, at: Duration, end: End) {
        if end.side == Side::Near {
            self.end(at, end.link, Direction::Received, Close::Lost);
        }
    }

    fn framer(&mut self, lane: usize, direction: Direction) -> &mut Framer {
        self.framers
            .entry((lane, direction == Direction::Sent))
            .or_default()
    }

    fn pass(&mut self, at: Duration, lane: usize, direction: Direction, bytes: &[u8]) {
        let mut lines = Vec::new();
        self.framer(lane, direction)
            .push(bytes, |line| lines.push(line));
        let event = |line| Event {
            at,
            what: What::Line {
                lane,
                direction,
                line,
            },
        };
        self.events.extend(lines.into_iter().map(event));
    }

    fn end(&mut self, at: Duration, lane: usize, direction: Direction, close: Close) {
        let rest = self.framer(lane, direction).finish();
        let rest = rest.map(|line| What::rest(lane, direction, line, close));
        let all = rest.into_iter().chain([What::Closed {
            lane,
            direction,
            close,
        }]);
        self.events.extend(all.map(|what| Event { at, what }));
    }
}
