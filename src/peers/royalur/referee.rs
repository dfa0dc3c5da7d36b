//! The built-in referee of the Royal Game of Ur, across its games.

use std::time::Duration;

use super::RefereeFault;
use super::session::Session;
use crate::games::royalur::RoyalUr;
use crate::peers::move_clock::{ClockFault, MoveClock};
use crate::peers::{Departure, Desk, LobbyClose, Participants};
use crate::protocol::Cause;
use crate::rules::{Game, PerSeat, RollSource, Seat, Setup, Table};

/// End of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// This player brought all tokens out.
    Won(Seat),
    /// This player lost before the end.
    Lost(Seat, Cause),
    /// The referee itself gave up, as its fault demands.
    Died,
}

/// A referee; honest unless it was given a fault.
///
/// Choices where the specification is silent: a number is valid only as one digit with a newline. A line sent
/// off turn is buffered until the turn. A player who disconnects is retired when its turn begins. The retired
/// player receives no further lines. The timeout starts with the roll. The pace applies after each turn,
/// skipped ones included.
#[derive(Debug)]
pub struct Referee {
    pub(super) names: PerSeat<Vec<u8>>,
    pub(super) timeout: Duration,
    pub(super) pace: Duration,
    pub(super) rolls: RollSource,
    pub(super) fault: Option<RefereeFault>,
    /// A deliberate variant of the rules, by name.
    variant: Option<&'static str>,
}

impl Referee {
    /// An honest referee. Names go out as they are; `timeout` is the time for a move, `pace` the least time between two turns,
    /// and the rolls go on from game to game.
    #[must_use]
    pub fn new(
        names: PerSeat<Vec<u8>>,
        timeout: Duration,
        pace: Duration,
        rolls: RollSource,
    ) -> Referee {
        Referee {
            names,
            timeout,
            pace,
            rolls,
            variant: None,
            fault: None,
        }
    }

    /// This referee with a fault, or with a variant of the rules; `None` where there is none of that name.
    #[must_use]
    pub fn with_fault(self, name: &str) -> Option<Referee> {
        let variant = RoyalUr
            .variants()
            .iter()
            .find(|row| row.name == name)
            .map(|row| row.name);
        let fault = RefereeFault::find(name);
        (variant.is_some() || fault.is_some()).then_some(Referee {
            variant,
            fault,
            ..self
        })
    }

    pub(super) fn has(&self, fault: RefereeFault) -> bool {
        self.fault == Some(fault)
    }

    /// The clock for the moves of a game whose greeting is sent now.
    pub(super) fn clock(&self, now: Duration) -> MoveClock {
        let timeout = match self.fault {
            Some(RefereeFault::DefaultTimeout60)
                if Some(self.timeout) == RoyalUr.default_timeout() =>
            {
                Duration::from_secs(60)
            }
            Some(RefereeFault::ClockAddsPace) => self.timeout + self.pace,
            _ => self.timeout,
        };
        let fault = match self.fault {
            Some(RefereeFault::NoTimeout) => Some(ClockFault::Never),
            Some(RefereeFault::EarlyTimeout) => Some(ClockFault::Half),
            Some(RefereeFault::LateTimeout) => Some(ClockFault::Late),
            Some(RefereeFault::ClockFromGreeting) => Some(ClockFault::FromGreeting),
            Some(RefereeFault::ClockRunsOn) => Some(ClockFault::RunsOn),
            Some(RefereeFault::ClockIsOneSum) => Some(ClockFault::OneSum),
            _ => None,
        };
        MoveClock::new(timeout, fault, now)
    }

    pub(super) fn table(&self) -> Box<dyn Table> {
        match self.variant {
            Some(name) => {
                let table = RoyalUr.variant_table(Setup::default(), name);
                table.expect("the variant was found by its name")
            }
            None => RoyalUr.table(Setup::default()),
        }
    }

    /// Conducts one game from the handshake to the closing of the lanes, as a [`Machine`](crate::peers::Machine) does: the first
    /// two lanes of the desk are the players', the others the spectators'.
    pub async fn play(&mut self, desk: Desk, spectators: usize) -> End {
        let end = Session::new(self, desk.clone(), spectators).play().await;
        if self.has(RefereeFault::NeverCloses) {
            std::future::pending::<()>().await;
        }
        if end != End::Died && !self.has(RefereeFault::Resets) {
            desk.close().await;
        }
        end
    }

    /// Conducts one game over real lanes; tells as well how the bots ended, if there were some.
    pub async fn conduct(&mut self, participants: Participants) -> (End, Vec<Departure>) {
        let spectators = participants.spectators.len();
        participants
            .conduct(|desk| self.play(desk, spectators))
            .await
    }

    /// Returns the kind of close of the referee's connections.
    #[must_use]
    pub fn closing(&self) -> LobbyClose {
        if self.has(RefereeFault::Resets) {
            LobbyClose::Reset
        } else {
            LobbyClose::Orderly
        }
    }
}
