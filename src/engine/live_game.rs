//! A game on live lanes: the judge asks, the engine does.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, Sleep, sleep_until};

use super::attach::{Endpoints, Opening};
use super::lag::{LagMeter, SAMPLED_EVERY};
use super::live_lanes::LiveLanes;
use super::options::{GameNews, Teller};
use super::patience::Patience;
use super::play::Play;
use super::record::in_micros;
use super::run_plan::interrupted;
use super::server::Visit;
use super::slots::Slot;
use crate::event::{Event, Slowest, What};
use crate::judge::Command;
use crate::transcript::Direction;
use crate::transport::{Ended, Process, Wire};

/// After how many events the budget and the interrupt are looked at, whatever else there is to tell.
const UNHEARD: u64 = 64;

/// Longest time that a late participant retries: the subject listens already, or does not any more.
const JOINING: Duration = Duration::from_secs(1);

/// Longest time for the exit status of a subject that has ended to come, and how often it is looked for.
const EXIT_WITHIN: Duration = Duration::from_secs(20);
const EXIT_AGAIN: Duration = Duration::from_millis(5);

/// Less lag than this is no excuse for a silence.
const NOTABLE_LAG: Duration = Duration::from_millis(500);

/// The most time by which the ends of waits are put off in one game, since lag took it from the subject.
const PUT_OFF_MOST: Duration = Duration::from_secs(60);

/// Longer than any budget.
const WHOLE: Slowest = Slowest {
    first: Duration::from_secs(1 << 40),
    later: Duration::from_secs(1 << 40),
};

/// A game whose first lanes are open.
pub(super) struct LiveGame<'g> {
    pub(super) play: Play,
    pub(super) lanes: LiveLanes,
    /// The ways to the lanes that open during the game.
    pub(super) endpoints: Endpoints,
    /// Lanes that are being opened while the game goes on.
    pub(super) joining: Vec<Joining>,
    pub(super) lag: LagMeter<'g>,
    pub(super) waiting: Waiting<'g>,
    /// Receives all news of the game; `None` unless the user debugs it.
    pub(super) teller: Option<&'g Teller>,
    /// Receives what the game waits for, where that takes long.
    pub(super) waits: &'g Teller,
    pub(super) slot: &'g mut Slot,
    pub(super) visit: &'g mut Visit,
    /// `None`: every silence is waited for to the end.
    pub(super) patience: Option<&'g mut Patience>,
    /// Start of the game; times of events count from here.
    pub(super) first: Instant,
    /// Until when alarms wait for the exit status of a subject that has ended.
    pub(super) exit_by: Option<Instant>,
    /// By how much the ends of waits were put off.
    pub(super) put_off: Duration,
}

/// A lane that is being opened.
pub(super) struct Joining {
    lane: usize,
    opening: Opening,
    /// True if it was open before, and the server turned it away: the judge has seen it open.
    is_again: bool,
}

impl LiveGame<'_> {
    /// Plays until the judge has finished, or the recording cannot be written. Returns what is left of the game.
    pub(super) async fn play(mut self) -> (Play, LiveLanes, Endpoints) {
        let mut events: u64 = 0;
        while !self.play.is_over() {
            // Lanes that always have something to tell keep neither the budget nor a signal from being heard.
            events += 1;
            let looks_up = events.is_multiple_of(UNHEARD);
            if looks_up {
                tokio::task::yield_now().await;
            }
            match poll_fn(|context| self.poll(looks_up, context)).await {
                Woken::What(what) => self.take(what),
                Woken::Alarm => self.alarm(),
                Woken::Silence => self.look_at_silence(),
                Woken::Sample => {
                    self.take_lag();
                    self.set_busy();
                }
            }
        }
        (self.play, self.lanes, self.endpoints)
    }

    /// Polls everything that the game waits for: what came is judged before the time that it was waited for.
    fn poll(&mut self, looks_up: bool, context: &mut Context<'_>) -> Poll<Woken> {
        if looks_up && let Poll::Ready(woken) = self.waiting.poll_end(context) {
            return Poll::Ready(woken);
        }
        let lanes = &mut self.lanes;
        self.joining.retain_mut(|joining| {
            let Poll::Ready(opened) = joining.opening.as_mut().poll(context) else {
                return true;
            };
            // Who is not let in receives nothing, and whether that is meant is for the judge to say.
            let wire = opened.unwrap_or(Wire::Closed);
            match joining.is_again {
                true => lanes.put(joining.lane, wire),
                false => lanes.open(joining.lane, wire),
            }
            false
        });
        if let Poll::Ready(what) = lanes.poll(context) {
            return Poll::Ready(Woken::What(what));
        }
        let patience = self.patience.as_ref();
        let looks = patience.and_then(|it| it.looks_at(&self.play.judge, self.play.slowest()));
        self.waiting.silence = looks.map(|at| self.first + at);
        self.waiting.poll(context)
    }

    /// The direction in which the subject writes.
    fn of_subject(&self) -> Direction {
        self.lanes.lanes.theirs()
    }

    /// The alarm is due, which the lanes report after what has come before it. The exit status of a subject that has ended by then comes
    /// before it too, and is waited for.
    fn alarm(&mut self) {
        if self.waiting.exit.is_some() && self.lag.subject_has_ended() {
            let now = Instant::now();
            if now < *self.exit_by.get_or_insert(now + EXIT_WITHIN) {
                self.waiting.alarm = Some(now + EXIT_AGAIN);
                return;
            }
        }
        // Lag explains a silence that is no longer than its budget and the lag, and then the game would show nothing.
        let at = self.take_lag();
        let until = self.play.judge.silent_from(WHOLE).unwrap_or_default();
        let more = until.saturating_sub(at);
        if more >= NOTABLE_LAG && self.put_off + more <= PUT_OFF_MOST {
            self.put_off += more;
            self.waiting.alarm = Some(self.first + until);
            return;
        }
        self.tell_alarm(What::Alarm);
    }

    /// Has an alarm told, after the state of a bot's processes.
    fn tell_alarm(&mut self, alarm: What) {
        let is_bot = self.of_subject() == Direction::Sent;
        let processes = is_bot.then(|| self.lag.processes()).flatten();
        let processes = processes.map(What::Processes);
        self.lanes.alarm(processes.into_iter().chain([alarm]));
    }

    /// The subject is silent for longer than it usually is.
    fn look_at_silence(&mut self) {
        let now = self.first.elapsed();
        let Some(patience) = &mut self.patience else {
            return;
        };
        if let Some((owed, at_most)) = patience.long_silence(now, &self.play.judge) {
            self.waits.tell(GameNews::Waits { owed, at_most });
        }
        if patience.is_over(now, &self.play.judge) {
            self.tell_alarm(What::Hurried);
        }
    }

    /// Takes an event, after the lag that can have delayed it.
    fn take(&mut self, what: What) {
        if self.is_reopened(&what) {
            return;
        }
        let at = self.take_lag();
        self.judge(&Event { at, what });
        if self.lag.has_processes() {
            let next = || Instant::now() + SAMPLED_EVERY;
            self.waiting.sample.get_or_insert_with(next);
        }
        self.set_busy();
    }

    /// Takes the lag until now, which is of the same time as the event that it can have delayed.
    fn take_lag(&mut self) -> Duration {
        let lag = self.lag.read();
        let at = in_micros(self.first.elapsed());
        self.play.lag(at, lag);
        at
    }

    /// Opens a lane once more that the server turned away. Returns true if this was the end of such a lane.
    fn is_reopened(&mut self, what: &What) -> bool {
        let of_subject = self.of_subject();
        let is_turned_away = self.visit.is_turned_away(what, of_subject, Instant::now());
        let What::Closed { lane, .. } = *what else {
            return false;
        };
        if is_turned_away {
            self.lanes.forget(lane);
            let opening = self.visit.reopen(lane, &mut self.endpoints);
            self.joining.push(Joining {
                lane,
                opening,
                is_again: true,
            });
        }
        is_turned_away
    }

    /// Has an event judged, and carries out the commands.
    fn judge(&mut self, event: &Event) {
        let of_subject = self.of_subject();
        let contact = &mut self.visit.contact;
        contact.take(&event.what, of_subject, Instant::now());
        let commands = self.play.take(event);
        self.play.write_out();
        if let Some(teller) = self.teller {
            teller.tell_event(&event.what, &self.play.judge);
        }
        for command in commands {
            match self.lanes.lanes.carry_out(command) {
                Some(Command::Open { lane }) => {
                    let deadline = Instant::now() + JOINING;
                    let opening = self.endpoints.open(lane, deadline);
                    self.joining.push(Joining {
                        lane,
                        opening,
                        is_again: false,
                    });
                }
                Some(Command::Read { lane, pace }) => self.lanes.read_at(lane, pace),
                Some(Command::WakeAt(at)) => self.waiting.alarm = Some(self.first + at),
                _ => {}
            }
        }
    }

    fn set_busy(&mut self) {
        self.slot.set_busy(!self.play.judge.is_biding());
    }
}

/// Event that woke a game.
#[derive(Debug)]
enum Woken {
    /// Something for the judge.
    What(What),
    /// The alarm is due.
    Alarm,
    /// The subject has been silent for longer than usual.
    Silence,
    /// The subject's processes have to be sampled.
    Sample,
}

type Future1<'w, T> = Pin<Box<dyn Future<Output = T> + Send + 'w>>;

/// The process, the interrupt and the clocks of one game. Every line sets its alarm anew, and mostly to later than before, so
/// that one timer is kept which then wakes too early now and again, instead of one that is set by every line.
pub(super) struct Waiting<'w> {
    /// The end of the subject's process; `None` without a process, and once that was told.
    exit: Option<Future1<'w, Ended>>,
    interrupt: Option<Future1<'w, ()>>,
    timer: Pin<Box<Sleep>>,
    alarm: Option<Instant>,
    /// When the subject's processes have to be sampled.
    sample: Option<Instant>,
    /// When the subject's silence is looked at.
    silence: Option<Instant>,
    budget: Duration,
    end: Instant,
}

impl<'w> Waiting<'w> {
    /// Waits for the end of the budget at the latest.
    pub(super) fn new(
        process: Option<&'w mut Process>,
        interrupt: watch::Receiver<bool>,
        first: Instant,
        budget: Duration,
    ) -> Waiting<'w> {
        let end = first + budget;
        Waiting {
            exit: process.map(|process| Box::pin(process.ended()) as _),
            interrupt: Some(Box::pin(interrupted(interrupt))),
            timer: Box::pin(sleep_until(end)),
            alarm: None,
            sample: None,
            silence: None,
            budget,
            end,
        }
    }

    /// Returns the next event; each event is returned once.
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Woken> {
        if let Some(exit) = &mut self.exit
            && let Poll::Ready(ended) = exit.as_mut().poll(context)
        {
            self.exit = None;
            return Poll::Ready(Woken::What(What::Exited {
                status: ended.status,
                is_success: ended.is_success,
            }));
        }
        if let Poll::Ready(woken) = self.poll_clocks(context) {
            return Poll::Ready(woken);
        }
        self.poll_interrupt(context)
    }

    /// Returns the event that ends the game, whatever else is ready.
    fn poll_end(&mut self, context: &mut Context<'_>) -> Poll<Woken> {
        if self.end <= Instant::now() {
            return Poll::Ready(self.out_of_time());
        }
        self.poll_interrupt(context)
    }

    fn out_of_time(&self) -> Woken {
        Woken::What(What::OutOfTime {
            budget: self.budget,
        })
    }

    fn poll_interrupt(&mut self, context: &mut Context<'_>) -> Poll<Woken> {
        if let Some(interrupt) = &mut self.interrupt
            && interrupt.as_mut().poll(context).is_ready()
        {
            self.interrupt = None;
            return Poll::Ready(Woken::What(What::Interrupted));
        }
        Poll::Pending
    }

    fn poll_clocks(&mut self, context: &mut Context<'_>) -> Poll<Woken> {
        loop {
            let next = [self.alarm, self.silence, self.sample];
            let next = next.into_iter().flatten().fold(self.end, Instant::min);
            if self.timer.deadline() > next {
                self.timer.as_mut().reset(next);
            }
            ready!(self.timer.as_mut().poll(context));
            let now = Instant::now();
            for (clock, woken) in [
                (&mut self.alarm, Woken::Alarm),
                (&mut self.silence, Woken::Silence),
                (&mut self.sample, Woken::Sample),
            ] {
                if clock.take_if(|at| *at <= now).is_some() {
                    return Poll::Ready(woken);
                }
            }
            if self.end <= now {
                return Poll::Ready(self.out_of_time());
            }
            self.timer.as_mut().reset(next);
        }
    }
}
