//! The built-in referee, across its games.

use std::future::pending;
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::occasion::Occasion;
use super::session::Session;
use super::{Conditions, Departure, Desk, LobbyClose, Participants, parties};
use crate::pack::FaultRow;
use crate::pack::spoiler::{ClockFault, Spoiler, To};
use crate::protocol::{Dialect, GameEvent};
use crate::rules::{PerSeat, RollSource, Setup, Table};

/// A referee of any game; honest unless it was given a fault.
///
/// Choices where the specification is silent: a line that may be ignored is ignored, any other line that is not exactly a
/// move loses. A move without its newline is no line. Lines off turn are ignored where the specification says so, else kept for
/// their sender's turn. A player who disconnects on turn loses at once; off turn, when its turn begins. The loser receives no
/// further lines. The timeout starts with the line that begins the turn. The pace applies after each turn, skipped ones
/// included.
#[derive(Debug)]
pub struct Referee {
    pub(super) dialect: &'static dyn Dialect,
    pub(super) names: PerSeat<Vec<u8>>,
    timeout: Duration,
    pace: Duration,
    pub(super) rolls: RollSource,
    setup: Option<Setup>,
    setups: ChaCha8Rng,
    fault: Option<FaultRow>,
}

impl Referee {
    /// An honest referee. The rolls go on from game to game; a given setup is the same in each.
    #[must_use]
    pub fn new(dialect: &'static dyn Dialect, conditions: &Conditions) -> Referee {
        Referee {
            dialect,
            names: conditions.names.clone(),
            timeout: conditions.timeout,
            pace: conditions.pace,
            rolls: RollSource::new(conditions.rolls.iter().copied(), conditions.seed),
            setup: conditions.setup,
            setups: ChaCha8Rng::seed_from_u64(conditions.seed),
            fault: None,
        }
    }

    /// This referee with a fault, if one is given.
    #[must_use]
    pub fn with_fault(self, fault: Option<FaultRow>) -> Referee {
        Referee { fault, ..self }
    }

    pub(super) fn spoilers(&self) -> &'static [Spoiler] {
        self.fault.map_or(&[], |fault| fault.spoilers)
    }

    /// The time for a move, and the fault of the clock for it.
    pub(super) fn timing(&self) -> (Duration, Option<ClockFault>) {
        let fault = self.spoilers().iter().find_map(|spoiler| match spoiler {
            Spoiler::Clock(fault) => Some(*fault),
            _ => None,
        });
        let is_default = Some(self.timeout) == self.dialect.game().default_timeout();
        let timeout = match fault {
            Some(ClockFault::AddsPace) => self.timeout + self.pace,
            Some(ClockFault::Default(timeout)) if is_default => timeout,
            _ => self.timeout,
        };
        (timeout, fault)
    }

    /// The least time between two turns.
    pub(super) fn pace(&self) -> Duration {
        let is_default = Some(self.pace) == self.dialect.game().default_pace();
        let drops = |spoiler: &Spoiler| matches!(spoiler, Spoiler::NoPace(only_default) if is_default || !only_default);
        if self.spoilers().iter().any(drops) {
            Duration::ZERO
        } else {
            self.pace
        }
    }

    /// The setup of the next game.
    pub(super) fn next_setup(&mut self) -> Setup {
        let drawn = self.dialect.game().draw_setup(self.setups.next_u64());
        self.setup.unwrap_or(drawn)
    }

    /// A game as the referee plays it.
    pub(super) fn table(&self, setup: Setup) -> Box<dyn Table> {
        let game = self.dialect.game();
        let setup = self.spoilers().iter().fold(setup, |setup, spoiler| {
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
        for spoiler in self.spoilers() {
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

    /// Conducts one game over real lanes; tells as well how the bots ended, if there were some.
    pub async fn conduct(
        &mut self,
        participants: Participants,
    ) -> (Option<GameEvent>, Vec<Departure>) {
        let spectators = participants.spectators.len();
        participants
            .conduct(|desk| self.play(desk, spectators))
            .await
    }

    /// Returns the kind of close of the referee's connections.
    #[must_use]
    pub fn closing(&self) -> LobbyClose {
        if self.spoilers().contains(&Spoiler::Resets) {
            LobbyClose::Reset
        } else {
            LobbyClose::Orderly
        }
    }
}

fn close_only(desk: &Desk, spectators: usize, to: To, end: GameEvent) {
    for (party, lane) in parties(PerSeat([0, 1]), spectators) {
        if to.means(party, Some(end.by())) {
            desk.end(lane);
        }
    }
}
