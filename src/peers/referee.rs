//! The built-in referee, across its games.

use std::future::pending;
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use tokio::time::timeout;

use super::drive::drive;
use super::output::{Occasion, Output};
use super::session::Session;
use super::{Desk, Farewell, Machine, Participants};
use crate::pack::FaultRow;
use crate::pack::spoiler::{ClockFault, Spoiler, To};
use crate::protocol::{Dialect, GameEvent, Party};
use crate::rules::{Game, PerSeat, Roll, RollSource, Seat, Setup, Table};
use crate::transport::Ended;

/// Longest time for a bot to end by itself after its lane is closed.
const GRACE: Duration = Duration::from_millis(500);

/// Conditions of the games of a built-in peer.
#[derive(Debug, Clone)]
pub struct Conditions {
    /// The players' names.
    pub names: PerSeat<Vec<u8>>,
    /// The time for a move.
    pub timeout: Duration,
    /// The least time between two turns.
    pub pace: Duration,
    /// Number of spectators from the start.
    pub spectators: usize,
    /// The rolls that come first.
    pub rolls: Vec<Roll>,
    /// Setup of every game; drawn for each where there is none.
    pub setup: Option<Setup>,
    /// Decides everything else.
    pub seed: u64,
}

/// Exit of a bot.
#[derive(Debug)]
pub struct Departure {
    /// Its status; `None` where it did not end by itself.
    pub ended: Option<Ended>,
    /// The end of what it said on standard error.
    pub said: Vec<u8>,
}

/// A referee of any game; honest unless it was given a fault.
///
/// Choices where the specification is silent: a line that may be ignored is ignored, any other line that is not exactly a
/// move loses. A move without its newline is no line. Lines off turn are ignored where the specification says so, else kept for
/// their sender's turn. A player who disconnects on turn loses at once; off turn, when its turn begins. The loser receives no
/// further lines. The timeout starts with the line that begins the turn. The pace applies after each turn, skipped ones
/// included.
#[derive(Debug)]
pub struct Referee {
    pub(super) output: Output,
    pub(super) conditions: Conditions,
    pub(super) rolls: RollSource,
    setups: ChaCha8Rng,
    fault: Option<FaultRow>,
}

impl Referee {
    /// An honest referee. The rolls go on from game to game; a given setup is the same in each.
    #[must_use]
    pub fn new(dialect: &'static dyn Dialect, conditions: &Conditions) -> Referee {
        Referee {
            output: Output::honest(dialect),
            conditions: conditions.clone(),
            rolls: RollSource::new(conditions.rolls.iter().copied(), conditions.seed),
            setups: ChaCha8Rng::seed_from_u64(conditions.seed),
            fault: None,
        }
    }

    /// This referee with a fault, if one is given.
    #[must_use]
    pub fn with_fault(mut self, fault: Option<FaultRow>) -> Referee {
        self.output.spoilers = fault.map_or(&[], |fault| fault.spoilers);
        Referee { fault, ..self }
    }

    fn game(&self) -> &'static dyn Game {
        self.output.dialect.game()
    }

    /// The time for a move, and the fault of the clock for it.
    pub(super) fn timing(&self) -> (Duration, Option<ClockFault>) {
        let mut spoilers = self.output.spoilers.iter();
        let fault = spoilers.find_map(|spoiler| match spoiler {
            Spoiler::Clock(fault) => Some(*fault),
            _ => None,
        });
        let Conditions { timeout, pace, .. } = self.conditions;
        let is_default = Some(timeout) == self.game().data().default_timeout;
        let timeout = match fault {
            Some(ClockFault::AddsPace) => timeout + pace,
            Some(ClockFault::Default(other)) if is_default => other,
            _ => timeout,
        };
        (timeout, fault)
    }

    /// The least time between two turns.
    pub(super) fn pace(&self) -> Duration {
        let pace = self.conditions.pace;
        let is_default = Some(pace) == self.game().data().default_pace;
        let drops = |spoiler: &Spoiler| matches!(spoiler, Spoiler::NoPace(only_default) if is_default || !only_default);
        match self.output.any(drops) {
            true => Duration::ZERO,
            false => pace,
        }
    }

    /// The setup of the next game.
    pub(super) fn next_setup(&mut self) -> Setup {
        let drawn = self.game().draw_setup(self.setups.next_u64());
        self.conditions.setup.unwrap_or(drawn)
    }

    /// A game as the referee plays it.
    pub(super) fn table(&self, setup: Setup) -> Box<dyn Table> {
        let game = self.game();
        let spoilers = self.output.spoilers.iter();
        let setup = spoilers.fold(setup, |setup, spoiler| {
            spoiler.of_setup(game, setup).unwrap_or(setup)
        });
        match self.fault.and_then(|fault| fault.variant()) {
            Some(name) => game
                .mistakes()
                .table(setup, name)
                .expect("the rules have the variants of the faults"),
            None => game.table(setup),
        }
    }

    /// Conducts one game from the greeting to the closing of the lanes, as a [`Machine`](super::Machine) does: the first two lanes
    /// of the desk are the players', the others the spectators'. Returns the event that ended the game; `None` if the referee gave
    /// up, as its fault demands.
    pub async fn play(&mut self, desk: Desk, spectators: usize) -> Option<GameEvent> {
        let end = Session::new(self, desk.clone(), spectators).play().await?;
        for spoiler in self.output.spoilers {
            match spoiler {
                Spoiler::Resets => return Some(end),
                Spoiler::ClosesOnly(on, to) if on.matches(Occasion::Event(end)) => {
                    // The other lanes are held until somebody ends the process.
                    close_only(&desk, spectators, *to, end);
                    pending::<()>().await;
                }
                _ => {}
            }
        }
        desk.close().await;
        Some(end)
    }

    /// This referee as a machine for one game.
    #[must_use]
    pub fn machine(mut self, spectators: usize) -> Machine<'static, Farewell> {
        Machine::new(2 + spectators, async move |desk| {
            let end = self.play(desk, spectators).await;
            Farewell {
                status: if end.is_none() { 3 } else { 0 },
                resets: self.resets(),
                ..Farewell::default()
            }
        })
    }

    /// Conducts one game over real lanes; tells as well how the bots ended, if there were some. What does not end by itself after the
    /// game is ended.
    pub async fn conduct(
        &mut self,
        participants: Participants,
    ) -> (Option<GameEvent>, Vec<Departure>) {
        let Participants { mut lanes, bots } = participants;
        let spectators = lanes.len() - 2;
        let machine = Machine::new(lanes.len(), |desk| self.play(desk, spectators));
        let end = drive(machine, &mut lanes).await;
        for lane in lanes {
            match self.resets() {
                true => lane.reset(),
                false => lane.abandon(),
            }
        }
        let mut departures = Vec::new();
        for mut bot in bots {
            let ended = timeout(GRACE, bot.ended()).await.ok();
            departures.push(Departure {
                ended,
                said: bot.end(Duration::ZERO).await.stderr,
            });
        }
        (end, departures)
    }

    /// Returns true if the referee resets its connections instead of closing them.
    fn resets(&self) -> bool {
        self.output.has(Spoiler::Resets)
    }
}

/// Every lane of a desk with whose it is: the players', then as many spectators'.
pub(super) fn parties(
    players: PerSeat<usize>,
    spectators: usize,
) -> impl Iterator<Item = (Party, usize)> {
    let seated = Seat::BOTH
        .into_iter()
        .map(move |seat| (Party::Player(seat), players[seat]));
    seated.chain((0..spectators).map(|number| (Party::Spectator, 2 + number)))
}

fn close_only(desk: &Desk, spectators: usize, to: To, end: GameEvent) {
    for (party, lane) in parties(PerSeat([0, 1]), spectators) {
        if to.means(party, Some(end.by())) {
            desk.end(lane);
        }
    }
}

/// The time for a move, as a referee measures it. Times are those of its desk.
#[derive(Debug)]
pub(super) struct MoveClock {
    timeout: Duration,
    fault: Option<ClockFault>,
    greeted: Duration,
    /// Start of each player's clock, if the fault is that the clock never stops.
    started: PerSeat<Option<Duration>>,
    /// Time that each player used in its earlier turns.
    used: PerSeat<Duration>,
    /// Start of each player's last turn.
    began: PerSeat<Option<Duration>>,
}

impl MoveClock {
    /// A clock of a game whose greeting is sent now.
    pub(super) fn new(timeout: Duration, fault: Option<ClockFault>, now: Duration) -> MoveClock {
        let (started, used) = (PerSeat([None; 2]), PerSeat([Duration::ZERO; 2]));
        MoveClock {
            timeout,
            fault,
            greeted: now,
            started,
            used,
            began: PerSeat([None; 2]),
        }
    }

    /// The turn of a player begins: when its time is over; `None`: never. `keeps`: its time runs on from its turn before.
    pub(super) fn start(&mut self, by: Seat, keeps: bool, now: Duration) -> Option<Duration> {
        let before = self.began[by].filter(|_| keeps);
        self.began[by] = Some(before.unwrap_or(now));
        let time = match self.fault {
            Some(ClockFault::Never) => return None,
            Some(ClockFault::Half) => self.timeout / 2,
            Some(ClockFault::Late) => self.timeout + Duration::from_millis(1500),
            Some(ClockFault::OneSum) => self.timeout.saturating_sub(self.used[by]),
            _ => self.timeout,
        };
        let start = match self.fault {
            Some(ClockFault::FromGreeting) => self.greeted,
            Some(ClockFault::RunsOn) => self.run(by, now),
            _ => self.started[by].or(before).unwrap_or(now),
        };
        start.checked_add(time)
    }

    /// Starts a player's clock without ever stopping it, unless that has been done before; when that was.
    fn run(&mut self, by: Seat, now: Duration) -> Duration {
        *self.started[by].get_or_insert(now)
    }

    /// The turn of a player is skipped.
    pub(super) fn skip(&mut self, by: Seat, now: Duration) {
        if self.fault == Some(ClockFault::RunsWhenSkipped) {
            self.run(by, now);
        }
    }

    /// The time of a turn that begins anew.
    pub(super) fn restart(&self, now: Duration) -> Option<Duration> {
        now.checked_add(self.timeout)
    }

    /// The player has moved.
    pub(super) fn stop(&mut self, by: Seat, now: Duration) {
        self.used[by] += now.saturating_sub(self.began[by].unwrap_or(now));
    }
}
