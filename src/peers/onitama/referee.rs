//! The built-in judge of Onitama, across its games.

use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::RefereeFault;
use super::session::Session;
use crate::games::onitama::{Card, Deal, Onitama};
use crate::peers::{Departure, Desk, LobbyClose, Participants};
use crate::protocol::Cause;
use crate::rules::{Game, Seat, Setup, Table};

/// End of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// This player won by a move.
    Won(Seat),
    /// This player lost before the end.
    Lost(Seat, Cause),
    /// The referee itself gave up, as its fault demands.
    Died,
}

/// Source of the games' deals: forced parts are equal in every game, the others are drawn by a seed.
#[derive(Debug, Clone)]
pub struct Dealer {
    cards: Option<[Card; 5]>,
    starter: Option<Seat>,
    random: ChaCha8Rng,
}

impl Dealer {
    /// A dealer with what is forced, and chance from `seed` for the rest.
    #[must_use]
    pub fn new(cards: Option<[Card; 5]>, starter: Option<Seat>, seed: u64) -> Dealer {
        Dealer {
            cards,
            starter,
            random: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// The deal of the next game.
    pub fn deal(&mut self) -> Deal {
        let drawn = Deal::of(Onitama.draw_setup(self.random.next_u64()));
        Deal {
            cards: self.cards.unwrap_or(drawn.cards),
            starter: self.starter.unwrap_or(drawn.starter),
        }
    }
}

/// A judge of Onitama; honest unless it was given a fault.
///
/// Choices where the specification is silent: the first connection is Top, and the sides are sent when both
/// players have connected. A line with an unknown card, a cell off the board or a CR before the newline is no
/// move and is ignored. A move without its newline is no line. A player who disconnects on turn loses at
/// once; off turn, when its turn begins. The timeout starts with the line that begins the turn.
#[derive(Debug)]
pub struct Referee {
    pub(super) timeout: Duration,
    dealer: Dealer,
    pub(super) fault: Option<RefereeFault>,
    /// A deliberate variant of the rules, by name.
    variant: Option<&'static str>,
}

impl Referee {
    /// An honest referee; `timeout` is the time for a move.
    #[must_use]
    pub fn new(timeout: Duration, dealer: Dealer) -> Referee {
        Referee {
            timeout,
            dealer,
            fault: None,
            variant: None,
        }
    }

    /// This referee with a fault, or with a variant of the rules; `None` where there is none of that name.
    #[must_use]
    pub fn with_fault(self, name: &str) -> Option<Referee> {
        let variant = Onitama
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

    pub(super) fn table(&self, setup: Setup) -> Box<dyn Table> {
        match self.variant {
            Some(name) => Onitama
                .variant_table(setup, name)
                .expect("the variant was found by its name"),
            None => Onitama.table(setup),
        }
    }

    /// Conducts one game from the greeting to the dropping of the connections, as a [`Machine`](crate::peers::Machine) does: the
    /// lanes of the desk are the players'.
    pub async fn play(&mut self, desk: Desk) -> End {
        let deal = self.dealer.deal();
        let end = Session::new(self, desk.clone(), deal).play().await;
        if end == End::Died || self.has(RefereeFault::Resets) {
            return end;
        }
        if let Some(dropped) = self.wrongly_drops(end) {
            // What is not dropped is held until somebody ends the process.
            dropped.iter().for_each(|seat| desk.end(seat.index()));
            std::future::pending::<()>().await;
        }
        desk.close().await;
        end
    }

    /// Conducts one game over real lanes; tells as well how the bots ended, if there were some.
    pub async fn conduct(&mut self, participants: Participants) -> (End, Vec<Departure>) {
        participants.conduct(|desk| self.play(desk)).await
    }

    /// The only one that is dropped, or nobody, where the fault is not to drop both.
    fn wrongly_drops(&self, end: End) -> Option<Option<Seat>> {
        match (self.fault?, end) {
            (RefereeFault::DropsOnlyTheLoser, End::Lost(by, Cause::Invalid(_)))
            | (RefereeFault::TimeoutDropsOne, End::Lost(by, Cause::Timeout)) => Some(Some(by)),
            (RefereeFault::StaysAfterWin, End::Won(_)) => Some(None),
            _ => None,
        }
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
