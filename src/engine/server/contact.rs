//! Observations of a server during one game.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::Instant;

use crate::engine::attach::Breakdown;
use crate::event::What;
use crate::transcript::{Close, Direction};

/// Maximum number of sent lines that are kept: the last ones.
const LAST_LINES: usize = 4;

/// Observations of the other side in one game, apart from the judge's.
#[derive(Debug, Clone, Default)]
pub(in crate::engine) struct Contact {
    /// Reason why no connection was made, in words.
    pub(super) unreached: Option<String>,
    /// Times of the first and the last received line.
    pub(super) heard: Option<(Instant, Instant)>,
    /// The lines that were sent last, with their lanes.
    pub(super) sent: Vec<(usize, Vec<u8>)>,
    /// Lanes that the other side closed before urtext did, with the kind of close.
    pub(super) closed: BTreeMap<usize, Close>,
    /// Lanes that urtext has left.
    pub(super) left: Vec<usize>,
    pub(super) opened: usize,
    /// Time of the first close of a lane.
    pub(super) broke_at: Option<Instant>,
    /// Sign that the server was gone, in words.
    pub(super) gone: Option<String>,
    /// Observations of the server's process, in words.
    pub(super) process: Option<String>,
    /// Number of bytes that the server had not read when urtext gave up.
    pub(super) unread: u64,
    /// Number of lanes that the other side still held open when urtext closed them.
    pub(super) still_open: usize,
}

impl Contact {
    /// Takes what happened on a lane. `of_subject` is the direction in which the subject writes.
    pub(in crate::engine) fn take(&mut self, what: &What, of_subject: Direction, now: Instant) {
        match what {
            What::Opened { .. } => self.opened += 1,
            What::Line { direction, .. } | What::Unfinished { direction, .. }
                if *direction == of_subject =>
            {
                self.heard = Some((self.heard.map_or(now, |(first, _)| first), now));
            }
            What::Line { lane, line, .. } => {
                if self.sent.len() == LAST_LINES {
                    self.sent.remove(0);
                }
                self.sent.push((*lane, line.text.clone()));
            }
            What::Closed {
                lane,
                direction,
                close,
            } if *direction == of_subject && !self.left.contains(lane) => {
                self.closed.insert(*lane, *close);
                self.broke_at.get_or_insert(now);
            }
            What::Closed {
                lane, direction, ..
            } if *direction != of_subject && !self.closed.contains_key(lane) => {
                self.left.push(*lane);
            }
            _ => {}
        }
    }

    /// Notes why the game could not begin.
    pub(in crate::engine) fn unreached(&mut self, breakdown: &Breakdown) {
        self.unreached = breakdown.is_unreached().then(|| breakdown.to_string());
    }

    /// Returns true if the other side sent a line, or a part of one.
    pub(in crate::engine) fn has_heard(&self) -> bool {
        self.heard.is_some()
    }

    /// Notes how many lanes the other side had not ended when the game was over.
    pub(in crate::engine) fn parted(&mut self, still_open: usize) {
        self.still_open = still_open;
    }

    /// Notes what showed right after the game that nobody listens any more.
    pub(in crate::engine) fn gone(&mut self, why: String) {
        self.gone = Some(why);
    }

    /// Returns true if every lane was closed, and at least one of them by the other side.
    pub(in crate::engine) fn is_over(&self) -> bool {
        !self.closed.is_empty() && self.closed.len() + self.left.len() >= self.opened
    }

    /// Describes the connections of a broken-off game, in words.
    pub(super) fn connections(&self, name: impl Fn(usize) -> String, ended: Instant) -> String {
        if self.closed.is_empty() {
            let since = self.heard.map_or(Duration::ZERO, |(_, last)| {
                ended.saturating_duration_since(last)
            });
            let unread = match self.unread {
                0 => String::new(),
                1 => ", and 1 byte was not read".to_owned(),
                bytes => format!(", and {bytes} bytes were not read"),
            };
            let since = since.as_secs_f64();
            return format!(
                "its connections stayed open, and nothing came for {since:.1} s{unread}"
            );
        }
        let lanes_by = |close: Close, how: &str| {
            let lanes = self.closed.iter().filter(|(_, known)| **known == close);
            let mut names: Vec<_> = lanes.map(|(lane, _)| name(*lane)).collect();
            // Which connection a server accepts first is chance.
            names.sort();
            (!names.is_empty()).then(|| format!("{how} ({})", names.join(", ")))
        };
        let shown = [
            (Close::End, "closed"),
            (Close::Reset, "reset"),
            (Close::Broken, "broken off"),
            (Close::Lost, "lost"),
        ];
        let shown: Vec<_> = shown
            .into_iter()
            .filter_map(|(close, how)| lanes_by(close, how))
            .collect();
        format!("its connections were {}", shown.join(", "))
    }
}
