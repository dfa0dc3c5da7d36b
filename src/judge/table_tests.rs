//! A game between the judge and a subject that a test plays, by a clock that the test turns.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use crate::config::LateSpectator;
use crate::diagnostic::Source;
use crate::event::{Event, What};
use crate::judge::{Budgets, Command, Judge, Settings};
use crate::protocol::{Framer, Line};
use crate::scenario::{Alone, Scenario, Side, resolve};
use crate::transcript::{Close, Direction};

/// Forced rolls, no lag, and a timeout of 500 ms.
pub(crate) fn settings() -> Settings {
    Settings {
        budgets: Budgets::default(),
        timeout: Some(Duration::from_millis(500)),
        pace: Duration::ZERO,
        lag: Duration::ZERO,
        late_spectator: LateSpectator::Unknown,
        seed: 1,
    }
}

/// A game between the judge and a subject that the test plays.
pub(crate) struct Table {
    pub(crate) judge: Judge,
    pub(super) scenario: Arc<Scenario>,
    pub(crate) now: Duration,
    pub(super) alarm: Option<Duration>,
    /// Events that come before any alarm: those that follow from the commands of the judge, and others.
    pub(crate) next: VecDeque<What>,
    /// True if the judge has closed the input of the subject.
    pub(super) has_closed: bool,
    /// Number of events, number of lines and bytes that were sent, and maximum number of actions of one event.
    pub(super) events: usize,
    pub(super) sent: (usize, usize),
    pub(super) most: usize,
    framers: [Framer; 4],
}

impl Table {
    pub(crate) fn new(text: &str, settings: Settings) -> Table {
        let (mut scenarios, problems) = resolve(&Source::new("s.yaml", text), "s", &Alone);
        let scenario = Arc::new(scenarios.pop().unwrap_or_else(|| panic!("{problems:?}")));
        let (players, spectators) = scenario.lanes();
        let mut table = Table {
            judge: Judge::new(Arc::clone(&scenario), settings, None),
            scenario: Arc::clone(&scenario),
            now: Duration::ZERO,
            alarm: None,
            next: VecDeque::new(),
            has_closed: false,
            events: 0,
            sent: (0, 0),
            most: 0,
            framers: Default::default(),
        };
        for lane in (0..players + spectators).filter(|&lane| scenario.opens_at_start(lane)) {
            table.take(What::Opened { lane });
        }
        table
    }

    /// The judge hears of an event, and what it hands out is next.
    pub(crate) fn take(&mut self, what: What) {
        // To a bot, urtext is the referee.
        let direction = match self.scenario.side() {
            Side::Referee => Direction::Sent,
            Side::Bot => Direction::Received,
        };
        let commands = self.judge.take(&Event { at: self.now, what });
        self.events += 1;
        self.most = self.most.max(commands.len());
        for command in commands {
            match command {
                Command::Send { lane, bytes } => {
                    self.sent.1 += bytes.len();
                    self.framers[lane].push(&bytes, |line| {
                        self.sent.0 += 1;
                        self.next.push_back(What::Line {
                            lane,
                            direction,
                            line,
                        });
                    });
                }
                Command::Leave { lane, .. } => {
                    self.has_closed = true;
                    self.next.push_back(closed(lane, direction, Close::End));
                }
                Command::Open { lane } => self.next.push_back(What::Opened { lane }),
                Command::WakeAt(at) => self.alarm = Some(at),
                _ => {}
            }
        }
    }

    /// Takes the lines that were handed out as written.
    pub(crate) fn write(&mut self) {
        for what in std::mem::take(&mut self.next) {
            self.take(what);
        }
    }

    /// The alarm rings if it is due by then.
    pub(super) fn ring(&mut self, until: Duration) -> bool {
        let is_over = self.judge.is_finished();
        let Some(at) = self.alarm.take_if(|at| !is_over && *at <= until) else {
            return false;
        };
        self.now = self.now.max(at);
        self.take(What::Alarm);
        true
    }

    /// Takes what is next, written at once, or else the alarm that is due by then; false if there is nothing.
    pub(super) fn step(&mut self, until: Duration) -> bool {
        match self.next.pop_front().filter(|_| !self.judge.is_finished()) {
            Some(what) => {
                self.take(what);
                true
            }
            None => self.ring(until),
        }
    }
}

/// A line of the first lane.
pub(crate) fn said(direction: Direction, text: &str) -> What {
    line(0, direction, text)
}

pub(super) fn line(lane: usize, direction: Direction, text: &str) -> What {
    let line = Line::new(text);
    What::Line {
        lane,
        direction,
        line,
    }
}

pub(super) fn closed(lane: usize, direction: Direction, close: Close) -> What {
    What::Closed {
        lane,
        direction,
        close,
    }
}
