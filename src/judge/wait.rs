//! What the game waits for, and observations whose meaning later events decide.

use std::time::Duration;

use super::clock::AFTERMATH;
use super::watch::{Command, Watch};
use crate::event::Slowest;
use crate::finding::Finding;
use crate::protocol::Deviation;
use crate::scenario::{SendPart, Side};

/// Longest wait for the first line of a subject that may still be starting, and for its end.
const STARTS_WITHIN: Duration = Duration::from_secs(60);

/// Current wait of the game; each has its own budget and its own message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wait {
    /// The handshake.
    Handshake,
    /// A line that is due.
    Answer,
    /// The timeout that a silent player lets pass.
    Timeout,
    /// The end of the streams after the end of the game, or after urtext has closed its own direction.
    Close,
    /// The end of the streams after a player has gone away: at once, or when its time is over.
    Forfeit,
    /// A line that is overdue: whether it comes at all, and how late.
    Late,
    /// A pause between two pieces of what is sent.
    Pause,
    /// A settling time, to see what the referee makes of a line sent off turn.
    Quiet,
    /// Events after an unexpected close: on other lanes, or the process's exit status.
    AfterClose,
    /// The end of the process after the end of its stream.
    Exit,
}

/// An observation whose meaning depends on later events: on other lanes, or the process's exit.
#[derive(Debug, Clone)]
pub(super) enum Pending {
    /// The subject ended a lane in mid-game.
    Ended { lane: usize },
    /// A line that the model did not predict.
    Line(Box<Deviation>),
    /// A roll in the place of a move, which may come next; with its finding.
    Swapped(Box<Deviation>, Box<Finding>),
    /// The subject owes a line, and urtext has closed its direction of the players' lanes.
    Silent {
        /// The finding about a referee without what comes of that.
        finding: Option<Box<Finding>>,
        /// Number of lines of the subject on each lane by then.
        heard: Vec<usize>,
        /// True if its process had ended by then.
        has_exited: bool,
    },
}

impl Watch {
    /// Returns true if an awaited line or close is due within a budget.
    pub(super) fn awaits_what_is_due(&self) -> bool {
        use Wait::{Answer, Close, Exit, Handshake, Late};
        self.waiting
            .is_some_and(|(wait, _)| matches!(wait, Handshake | Answer | Late | Close | Exit))
    }

    /// Returns the time for something; a subject that has not said anything may still be starting.
    pub(super) fn patience(&self, budget: Duration) -> Duration {
        if self.heard.anything {
            budget
        } else {
            (budget + self.settings.budgets.start)
                .min(STARTS_WITHIN)
                .max(budget)
        }
    }

    /// Returns the further wait for an overdue line.
    pub(super) fn late_patience(&self) -> Duration {
        self.settings.budgets.answer.min(Duration::from_secs(2))
    }

    /// Begins to wait for something; a subject that has not said anything may still be starting.
    pub(super) fn wait_patiently(&mut self, wait: Wait, budget: Duration) {
        self.wait(wait, self.patience(budget));
    }

    /// Begins the further wait for an overdue line.
    pub(super) fn wait_longer(&mut self) {
        self.wait(Wait::Late, self.late_patience());
    }

    /// Returns true if a pause before the next bytes is not over.
    fn is_pausing(&self) -> bool {
        self.waiting
            .is_some_and(|(wait, until)| wait == Wait::Pause && self.now < until)
    }

    /// The next piece that waits to be sent; none while a pause before it lasts.
    pub(super) fn next_piece(&mut self) -> Option<(usize, SendPart)> {
        if self.is_pausing() {
            return None;
        }
        match self.outbox.pop_front()? {
            (_, SendPart::Pause(time)) => {
                self.waiting = None;
                self.wait(Wait::Pause, time);
                None
            }
            piece => Some(piece),
        }
    }

    /// Returns true if nothing waits to be sent.
    pub(super) fn has_sent_all(&self) -> bool {
        self.outbox.is_empty() && !self.is_pausing()
    }

    /// Sends what waits to be sent; returns false while a pause before the next bytes lasts.
    ///
    /// # Panics
    /// Panics if a player is to leave: that is no part of a line here.
    pub(super) fn send_waiting(&mut self) -> bool {
        while let Some((lane, piece)) = self.next_piece() {
            match piece {
                SendPart::Bytes(bytes) => self.commands.push(Command::Send { lane, bytes }),
                _ => unreachable!("to leave is a step of its own"),
            }
        }
        self.has_sent_all()
    }

    /// Begins to wait, or goes on waiting for the same; the budget counts from the last progress.
    pub(super) fn wait(&mut self, wait: Wait, time: Duration) {
        self.wait_until(wait, self.now + time);
    }

    /// Begins to wait until this time, or goes on waiting for the same.
    pub(super) fn wait_until(&mut self, wait: Wait, until: Duration) {
        // What is overdue is not in time because it is asked for again.
        let is_same = |known: Wait| known == wait || known == Wait::Late && wait == Wait::Answer;
        if self.waiting.is_some_and(|(known, _)| is_same(known)) {
            return;
        }
        self.waiting = Some((wait, until));
        if self.awaits_what_is_due() && wait != Wait::Late {
            self.due = Some((self.now, until));
        }
        self.commands.push(Command::WakeAt(until));
    }

    /// Treats the awaited line as missing, as if its whole budget had passed.
    pub(super) fn hurry(&mut self) {
        let Some((wait, _)) = self.waiting.filter(|_| self.awaits_what_is_due()) else {
            return;
        };
        let wait = if wait == Wait::Answer {
            Wait::Late
        } else {
            wait
        };
        self.waiting = Some((wait, self.now));
        self.due = self.due.map(|(from, _)| (from, self.now));
    }

    /// Returns the time at which a wait would be over, if the budgets were as short as `patience`; `own`: that of the game's timeout.
    pub(super) fn silent_from(&self, patience: Slowest, own: Duration) -> Option<Duration> {
        let budgets = self.settings.budgets;
        let (wait, until) = self.waiting?;
        let (from, _) = self.due?;
        let shorter = |budget: Duration, patience: Duration| {
            until.checked_sub(budget.saturating_sub(patience))
        };
        let at = match wait {
            Wait::Handshake => Some(until.min(from + patience.first)),
            Wait::Answer if self.scenario.side() == Side::Bot => {
                let patience = if self.heard.anything {
                    patience.later
                } else {
                    patience.first
                };
                Some(until.min(from + patience))
            }
            // A clock that was started anew shows later.
            Wait::Answer => shorter(budgets.answer, patience.later).map(|at| at.max(from + own)),
            Wait::Close => Some(until.min(from + patience.later.max(own))),
            _ => None,
        };
        at.map(|at| at + self.lags.lost_since(from))
    }

    /// Returns the lateness of a line that arrives now; `None` if it is in time, or late only by lag.
    pub(super) fn lateness(&mut self) -> Option<Duration> {
        let (Wait::Late, until) = self.waiting? else {
            return None;
        };
        let late = self
            .now
            .saturating_sub(until.checked_sub(self.late_patience())?);
        let lost = self
            .lags
            .lost_since(self.due.map_or(self.now, |(from, _)| from));
        if late <= lost {
            self.lags.has_excused = true;
            return None;
        }
        Some(late)
    }

    /// Resets the wait after an awaited event.
    pub(super) fn progress(&mut self) {
        // An aftermath has its time, whatever comes in it, and so has a pause.
        let is_pausing = matches!(self.waiting, Some((Wait::Pause, _)));
        if self.pending.is_none() && !is_pausing {
            self.waiting = None;
        }
    }

    /// Returns the current wait, if its time is over.
    pub(super) fn expired(&self) -> Option<Wait> {
        self.waiting
            .and_then(|(wait, until)| (self.now >= until).then_some(wait))
    }

    /// Closes the subject's input: output that it has not flushed, or a line that it has not ended, arrives when it sees EOF.
    pub(super) fn await_last_words(&mut self, finding: Option<Box<Finding>>) {
        let theirs = self.subject_direction();
        let lanes = self.lanes.iter();
        let heard = lanes.map(|lane| lane.lines(theirs).count()).collect();
        let has_exited = self.exited.is_some();
        self.hang_up();
        self.await_aftermath(Pending::Silent {
            finding,
            heard,
            has_exited,
        });
    }

    /// Waits for later events, which decide what an observation means.
    pub(super) fn await_aftermath(&mut self, pending: Pending) {
        self.pending = Some(pending);
        self.waiting = None;
        self.wait(Wait::AfterClose, AFTERMATH);
    }
}
