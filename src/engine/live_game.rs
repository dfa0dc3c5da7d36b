//! A game on live lanes: the judge asks, the engine does.

use std::future::poll_fn;
use std::io;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::Instant;

use super::attach::{Endpoints, Opening};
use super::evidence::processes;
use super::lag::{LagMeter, SAMPLED_EVERY};
use super::lanes::Lanes;
use super::pauses::Pauses;
use super::record::{Recorder, in_micros};
use super::server::Visit;
use super::slots::Slot;
use super::suspicion::Watch;
use super::telling::Teller;
use super::waiting::{Waiting, Woken};
use crate::event::{Event, Lag, What};
use crate::judge::{Command, Judge};
use crate::scenario::{Leaving, Side};
use crate::transcript::Direction;
use crate::transport::{ProcessSample, Wire};

/// Longest time that recorded lines stay in the buffer, so that not every line needs its own write.
const RECORDED_WITHIN: Duration = Duration::from_millis(50);

/// After how many events the budget and the interrupt are looked at, whatever else there is to tell.
const UNHEARD: u64 = 64;

/// Longest time that a late participant retries: the subject listens already, or does not any more.
const JOINING: Duration = Duration::from_secs(1);

/// Longest time for the exit status of a subject that has ended to come, and how often it is looked for.
const EXIT_WITHIN: Duration = Duration::from_secs(20);
const EXIT_AGAIN: Duration = Duration::from_millis(5);

/// The directions of urtext's own lines and of the subject's, where that side is tested.
pub(super) fn directions(side: Side) -> [Direction; 2] {
    match side {
        Side::Referee => [Direction::Sent, Direction::Received],
        Side::Bot => [Direction::Received, Direction::Sent],
    }
}

/// The ways to the lanes that open during the game.
pub(super) struct Entrance {
    pub(super) endpoints: Endpoints,
    /// Lanes that are being opened while the game goes on.
    joining: Vec<(usize, Opening)>,
    /// Lanes that are opened once more, since the server turned them away.
    reopened: Vec<usize>,
}

impl Entrance {
    pub(super) fn new(endpoints: Endpoints) -> Entrance {
        Entrance {
            endpoints,
            joining: Vec::new(),
            reopened: Vec::new(),
        }
    }
}

/// A game whose first lanes are open.
pub(super) struct LiveGame<'g> {
    pub(super) side: Side,
    pub(super) lanes: Lanes,
    pub(super) entrance: Entrance,
    pub(super) judge: Judge,
    pub(super) recorder: Recorder,
    pub(super) pauses: Pauses,
    pub(super) lag: LagMeter<'g>,
    pub(super) waiting: Waiting<'g>,
    /// Receives all news of the game; `None` unless the user debugs it.
    pub(super) teller: Option<&'g Teller>,
    pub(super) slot: &'g mut Slot,
    pub(super) visit: &'g mut Visit,
    pub(super) watch: &'g mut Watch,
    /// Start of the game; times of events count from here.
    pub(super) first: Instant,
    pub(super) was_hurried: bool,
    /// Until when alarms wait for the exit status of a subject that has ended.
    pub(super) exit_by: Option<Instant>,
    /// The error that keeps the recording from being written.
    pub(super) broke_down: Option<io::Error>,
}

impl LiveGame<'_> {
    /// Plays until the judge has finished, or the recording cannot be written.
    pub(super) async fn play(&mut self, budget: Duration) {
        let mut events: u64 = 0;
        while !self.judge.is_finished() && self.broke_down.is_none() {
            // Lanes that always have something to tell keep neither the budget nor a signal from being heard.
            events += 1;
            let looks_up = events.is_multiple_of(UNHEARD);
            if looks_up {
                tokio::task::yield_now().await;
            }
            match poll_fn(|context| self.poll(looks_up, context)).await {
                Ok(what) => self.take(Some(what)),
                Err(Woken::Exited(ended)) => self.take(Some(What::Exited {
                    status: ended.status,
                    is_success: ended.is_success,
                })),
                Err(Woken::Alarm) => self.alarm(),
                Err(Woken::Silence) => self.look_at_silence(),
                Err(Woken::Record) => self.broke_down = self.recorder.write_out().err(),
                Err(Woken::Sample) => self.take(None),
                Err(Woken::Interrupted) => self.take(Some(What::Interrupted)),
                Err(Woken::TooLong) => self.take(Some(What::OutOfTime { budget })),
            }
        }
    }

    /// Polls everything that the game waits for: what came is judged before the time that it was waited for.
    fn poll(&mut self, looks_up: bool, context: &mut Context<'_>) -> Poll<Result<What, Woken>> {
        if looks_up && let Poll::Ready(woken) = self.waiting.poll_end(context) {
            return Poll::Ready(Err(woken));
        }
        let (lanes, [ours, _]) = (&mut self.lanes, directions(self.side));
        let joining = &mut self.entrance.joining;
        joining.retain_mut(|(lane, opening)| {
            let Poll::Ready(opened) = opening.as_mut().poll(context) else {
                return true;
            };
            // Who is not let in receives nothing, and whether that is meant is for the judge to say.
            lanes.open(*lane, opened.unwrap_or_else(|_| Wire::closed()), ours);
            false
        });
        if let Poll::Ready(what) = lanes.poll(context) {
            return Poll::Ready(Ok(what));
        }
        let looks = self.watch.looks_at(&self.judge);
        self.waiting.set_silence(looks.map(|at| self.first + at));
        self.waiting.poll(context).map(Err)
    }

    fn sample(&self) -> Option<ProcessSample> {
        self.lag.processes()
    }

    /// The alarm is due, which the lanes report after what has come before it. The exit status of a subject that has ended by then comes
    /// before it too, and is waited for.
    fn alarm(&mut self) {
        if self.waiting.awaits_exit() && self.lag.subject_has_ended() {
            let now = Instant::now();
            if now < *self.exit_by.get_or_insert(now + EXIT_WITHIN) {
                return self.waiting.set_alarm(now + EXIT_AGAIN);
            }
        }
        let is_due = self.judge.awaits_what_is_due();
        let is_shown = is_due || self.side == Side::Bot;
        let sample = is_shown.then(|| self.sample()).flatten();
        let processes = sample.map(|sample| processes(&sample, &self.lanes, is_due));
        self.lanes.alarm(processes, What::Alarm);
    }

    /// The subject is silent for longer than usual.
    fn look_at_silence(&mut self) {
        let sample = self.sample();
        let computed = sample.as_ref().map(ProcessSample::cpu_time);
        let at = in_micros(self.first.elapsed());
        if self.watch.look(at, computed, &self.judge) {
            self.was_hurried = true;
            let processes = sample.map(|sample| processes(&sample, &self.lanes, true));
            self.lanes.alarm(processes, What::Hurried);
        }
        self.set_busy();
    }

    /// Takes an event, after the lag that can have delayed it; `None` where only lag is to be read.
    fn take(&mut self, what: Option<What>) {
        if what.as_ref().is_some_and(|what| self.is_reopening(what)) {
            return;
        }
        let is_event = what.is_some();
        let lag = self.lag.read().map(|lag| {
            What::Lag(Lag {
                own: in_micros(lag.own),
                subject: in_micros(lag.subject),
                start: in_micros(lag.start),
            })
        });
        // Lag is of the same time as the event that it can have delayed.
        let at = in_micros(self.first.elapsed());
        for what in lag.into_iter().chain(what) {
            let event = Event { at, what };
            if let Err(error) = self.recorder.event(&event) {
                self.broke_down = Some(error);
                break;
            }
            self.judge(&event);
        }
        if is_event && self.lag.has_processes() {
            self.waiting.set_sample(|| Instant::now() + SAMPLED_EVERY);
        }
        self.set_busy();
    }

    /// Returns true for an event of a lane that the server turned away, and that is opened once more.
    fn is_reopening(&mut self, what: &What) -> bool {
        let entrance = &mut self.entrance;
        let [_, of_subject] = directions(self.side);
        match *what {
            What::Closed { lane, .. }
                if self.visit.is_turned_away(what, of_subject, Instant::now()) =>
            {
                self.lanes.forget(lane);
                let opening = self.visit.reopen(lane, &mut entrance.endpoints);
                entrance.joining.push((lane, opening));
                entrance.reopened.push(lane);
                true
            }
            What::Opened { lane } => {
                let mut reopened = entrance.reopened.iter();
                let place = reopened.position(|&reopened| reopened == lane);
                place
                    .map(|place| entrance.reopened.swap_remove(place))
                    .is_some()
            }
            _ => false,
        }
    }

    /// Has an event judged, and carries out the commands.
    fn judge(&mut self, event: &Event) {
        let [_, of_subject] = directions(self.side);
        if self.recorder.is_behind() {
            self.waiting.set_record(|| Instant::now() + RECORDED_WITHIN);
        }
        self.pauses.take(event, self.judge.is_biding());
        let contact = &mut self.visit.contact;
        contact.take(&event.what, of_subject, Instant::now());
        if matches!(event.what, What::Line { direction, .. } if direction == of_subject) {
            self.watch.heard(event.at, &self.judge);
            self.lag.has_answered = true;
            if self.slot.is_undecided()
                && let Some(sample) = self.sample()
            {
                self.slot.starts(self.lag.without_lag(), sample.cpu_time());
            }
        }
        let commands = self.judge.take(event);
        if let Some(teller) = self.teller {
            teller.tell_event(&event.what, &self.judge);
        }
        for command in commands {
            match command {
                Command::Send { lane, bytes } => self.lanes.send(lane, &bytes),
                Command::Close { lane } => self.lanes.leave(lane, Leaving::HalfClose),
                Command::Leave { lane, how } => self.lanes.leave(lane, how),
                Command::Open { lane } => {
                    let deadline = Instant::now() + JOINING;
                    let opening = self.entrance.endpoints.open(lane, deadline);
                    self.entrance.joining.push((lane, opening));
                }
                Command::Read { lane, pace } => self.lanes.read_at(lane, pace),
                Command::WakeAt(at) => self.waiting.set_alarm(self.first + at),
                Command::Finish => {}
            }
        }
    }

    fn set_busy(&mut self) {
        let is_idle = self.judge.is_biding() || self.watch.is_waiting;
        self.slot.set_busy(!is_idle);
    }
}
