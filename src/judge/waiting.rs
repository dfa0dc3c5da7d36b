//! Waits: their beginning, their end, and the tolerance for lag.

use std::time::Duration;

use super::action::Command;
use super::slack::AFTERMATH;
use super::state::State;
use super::wait::{Pending, Wait};
use crate::event::Slowest;
use crate::scenario::{SendPart, Side};

impl<K> State<K> {
    /// Returns true if a pause before the next bytes is not over.
    pub(super) fn is_pausing(&self) -> bool {
        let current = self.waits.current;
        current.is_some_and(|(wait, until)| wait == Wait::Pause && self.seen.now < until)
    }

    /// Begins a pause before the next bytes.
    pub(super) fn pause(&mut self, time: Duration) {
        self.waits.current = None;
        self.wait(Wait::Pause, self.seen.now + time);
    }

    /// Sends what waits to be sent; returns false while a pause before the next bytes lasts.
    ///
    /// # Panics
    /// Panics if a player is to leave: that is no part of a line here.
    pub(super) fn send_waiting(&mut self) -> bool {
        if self.is_pausing() {
            return false;
        }
        while let Some((lane, part)) = self.outgoing.outbox.pop_front() {
            match part {
                SendPart::Bytes(bytes) => self.results.commands.push(Command::Send { lane, bytes }),
                SendPart::Pause(time) => {
                    self.pause(time);
                    return false;
                }
                SendPart::Leave(_) => unreachable!("to leave is a step of its own"),
            }
        }
        true
    }

    /// Begins to wait, or goes on waiting for the same; the budget counts from the last progress.
    pub(super) fn wait(&mut self, wait: Wait, until: Duration) {
        // What is overdue is not in time because it is asked for again.
        let is_same = |known: Wait| known == wait || known == Wait::Late && wait == Wait::Answer;
        if self.waits.current.is_some_and(|(known, _)| is_same(known)) {
            return;
        }
        self.waits.current = Some((wait, until));
        if self.waits.awaits_what_is_due() && wait != Wait::Late {
            self.waits.due = Some((self.seen.now, until));
        }
        self.results.commands.push(Command::WakeAt(until));
    }

    /// Treats the awaited line as missing, as if its whole budget had passed.
    pub(super) fn hurry(&mut self) {
        let Some((wait, _)) = self
            .waits
            .current
            .filter(|_| self.waits.awaits_what_is_due())
        else {
            return;
        };
        let wait = if wait == Wait::Answer {
            Wait::Late
        } else {
            wait
        };
        self.waits.current = Some((wait, self.seen.now));
        self.waits.due = self.waits.due.map(|(from, _)| (from, self.seen.now));
    }

    /// Returns the time at which a wait would be over, if the budgets were as short as `patience`; `own`: that of the game's timeout.
    pub(super) fn silent_from(&self, patience: Slowest, own: Duration) -> Option<Duration> {
        let budgets = self.seen.settings.budgets;
        let (wait, until) = self.waits.current?;
        let (from, _) = self.waits.due?;
        let shorter = |budget: Duration, patience: Duration| {
            until.checked_sub(budget.saturating_sub(patience))
        };
        let at = match wait {
            Wait::Handshake => Some(until.min(from + patience.first)),
            Wait::Answer if self.seen.scenario.side() == Side::Bot => {
                let patience = if self.seen.heard.anything {
                    patience.later
                } else {
                    patience.first
                };
                Some(until.min(from + patience))
            }
            // A clock that was started anew shows later.
            Wait::Answer => shorter(budgets.answer, patience.later).map(|at| at.max(from + own)),
            Wait::Close | Wait::CloseAfterUs => Some(until.min(from + patience.later.max(own))),
            _ => None,
        };
        at.map(|at| at + self.seen.lags.lost_since(from))
    }

    /// Returns the lateness of a line that arrives now; `None` if it is in time, or late only by lag.
    pub(super) fn lateness(&mut self) -> Option<Duration> {
        let (Wait::Late, until) = self.waits.current? else {
            return None;
        };
        let late = self
            .seen
            .now
            .saturating_sub(until.checked_sub(self.seen.patience())?);
        let lost = self
            .seen
            .lags
            .lost_since(self.waits.due.map_or(self.seen.now, |(from, _)| from));
        if late <= lost {
            self.seen.lags.has_excused = true;
            return None;
        }
        Some(late)
    }

    /// Resets the wait after an awaited event.
    pub(super) fn progress(&mut self) {
        // An aftermath has its time, whatever comes in it, and so has a pause.
        let is_pausing = matches!(self.waits.current, Some((Wait::Pause, _)));
        if self.waits.pending.is_none() && !is_pausing {
            self.waits.current = None;
        }
    }

    /// Returns the current wait, if its time is over.
    pub(super) fn expired(&self) -> Option<Wait> {
        self.waits
            .current
            .and_then(|(wait, until)| (self.seen.now >= until).then_some(wait))
    }

    /// Waits for later events, which decide what an observation means.
    pub(super) fn await_aftermath(&mut self, pending: Pending) {
        self.waits.pending = Some(pending);
        self.waits.current = None;
        self.wait(Wait::AfterClose, self.seen.now + AFTERMATH);
    }
}

impl State {
    /// Returns true if only the pace has to pass.
    pub(super) fn awaits_pace(&self) -> bool {
        let is_answer = matches!(self.waits.current, Some((Wait::Answer, _)));
        is_answer && !self.seen.settings.pace.is_zero() && self.seen.model.awaits_roll()
    }
}
