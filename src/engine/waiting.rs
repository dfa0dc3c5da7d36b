//! Events that a game waits for, apart from its lanes.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::sync::watch;
use tokio::time::{Instant, Sleep, sleep_until};

use crate::transport::{Ended, Process};

/// Event that woke a game.
#[derive(Debug)]
pub(super) enum Woken {
    /// The subject's process has ended.
    Exited(Ended),
    /// The alarm is due.
    Alarm,
    /// The recording's buffer has to be written out.
    Record,
    /// The subject has been silent for longer than usual.
    Silence,
    /// The subject's processes have to be sampled.
    Sample,
    /// The user interrupts the run.
    Interrupted,
    /// The game has gone on for too long.
    TooLong,
}

type Future1<'w, T> = Pin<Box<dyn Future<Output = T> + Send + 'w>>;

/// The process, the interrupt and the clocks of one game. Every line sets its alarm anew, and mostly to later than before, so
/// that one timer is kept which then wakes too early now and again, instead of one that is set by every line.
pub(super) struct Waiting<'w> {
    exit: Option<Future1<'w, Ended>>,
    interrupt: Option<Future1<'w, ()>>,
    timer: Pin<Box<Sleep>>,
    alarm: Option<Instant>,
    record: Option<Instant>,
    sample: Option<Instant>,
    silence: Option<Instant>,
    end: Instant,
}

impl<'w> Waiting<'w> {
    /// Waits until `end` at the latest.
    pub(super) fn new(
        process: Option<&'w mut Process>,
        mut interrupt: watch::Receiver<bool>,
        end: Instant,
    ) -> Waiting<'w> {
        Waiting {
            exit: process.map(|process| Box::pin(process.ended()) as _),
            interrupt: Some(Box::pin(async move {
                if interrupt
                    .wait_for(|&is_interrupted| is_interrupted)
                    .await
                    .is_err()
                {
                    // Nobody is left who could interrupt.
                    std::future::pending().await
                }
            })),
            timer: Box::pin(sleep_until(end)),
            alarm: None,
            record: None,
            sample: None,
            silence: None,
            end,
        }
    }

    /// Sets the alarm, instead of any that was set before.
    pub(super) fn set_alarm(&mut self, at: Instant) {
        self.alarm = Some(at);
    }

    /// Returns true if the subject is a process whose exit status has not come.
    pub(super) fn awaits_exit(&self) -> bool {
        self.exit.is_some()
    }

    /// Sets when the subject's silence is looked at, instead of any such time that was set before.
    pub(super) fn set_silence(&mut self, at: Option<Instant>) {
        self.silence = at;
    }

    /// Sets when the recording has to be written out, if that is not set already.
    pub(super) fn set_record(&mut self, at: impl FnOnce() -> Instant) {
        self.record.get_or_insert_with(at);
    }

    /// Sets when the subject's processes have to be sampled, if that is not set already.
    pub(super) fn set_sample(&mut self, at: impl FnOnce() -> Instant) {
        self.sample.get_or_insert_with(at);
    }

    /// Returns the next event; each event is returned once.
    pub(super) fn poll(&mut self, context: &mut Context<'_>) -> Poll<Woken> {
        if let Some(exit) = &mut self.exit
            && let Poll::Ready(ended) = exit.as_mut().poll(context)
        {
            self.exit = None;
            return Poll::Ready(Woken::Exited(ended));
        }
        if let Poll::Ready(woken) = self.poll_clocks(context) {
            return Poll::Ready(woken);
        }
        self.poll_interrupt(context)
    }

    /// Returns the event that ends the game, whatever else is ready.
    pub(super) fn poll_end(&mut self, context: &mut Context<'_>) -> Poll<Woken> {
        if self.end <= Instant::now() {
            return Poll::Ready(Woken::TooLong);
        }
        self.poll_interrupt(context)
    }

    fn poll_interrupt(&mut self, context: &mut Context<'_>) -> Poll<Woken> {
        if let Some(interrupt) = &mut self.interrupt
            && interrupt.as_mut().poll(context).is_ready()
        {
            self.interrupt = None;
            return Poll::Ready(Woken::Interrupted);
        }
        Poll::Pending
    }

    fn poll_clocks(&mut self, context: &mut Context<'_>) -> Poll<Woken> {
        loop {
            let next = [self.alarm, self.record, self.sample, self.silence];
            let next = next.into_iter().flatten().fold(self.end, Instant::min);
            if self.timer.deadline() > next {
                self.timer.as_mut().reset(next);
            }
            std::task::ready!(self.timer.as_mut().poll(context));
            let now = Instant::now();
            let is_due = |at: &mut Instant| *at <= now;
            if self.alarm.take_if(is_due).is_some() {
                return Poll::Ready(Woken::Alarm);
            }
            if self.silence.take_if(is_due).is_some() {
                return Poll::Ready(Woken::Silence);
            }
            if self.sample.take_if(is_due).is_some() {
                return Poll::Ready(Woken::Sample);
            }
            if self.record.take_if(is_due).is_some() {
                return Poll::Ready(Woken::Record);
            }
            if self.end <= now {
                return Poll::Ready(Woken::TooLong);
            }
            self.timer.as_mut().reset(next);
        }
    }
}
