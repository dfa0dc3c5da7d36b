//! Random setup before the first turn: five cards, and the player who starts.

use super::card::{CARDS, Card};
use crate::rules::{Seat, Setup};

/// Number of cards that are dealt.
pub(super) const DEALT: usize = 5;

/// Number of setups: the ordered choices of five cards of sixteen, times two players to start.
pub(super) const SETUPS: usize = 16 * 15 * 14 * 13 * 12 * 2;

/// Five different cards, and who starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Deal {
    /// The cards as seed `004` lists them: Top's two, Bottom's two, the middle one.
    pub cards: [Card; DEALT],
    /// The player with the first turn.
    pub starter: Seat,
}

impl Deal {
    /// These cards and this player to start; `None` where a card is named twice.
    #[must_use]
    pub fn new(cards: [Card; DEALT], starter: Seat) -> Option<Deal> {
        let is_repeated = |index: usize| cards[..index].contains(&cards[index]);
        (!(0..DEALT).any(is_repeated)).then_some(Deal { cards, starter })
    }

    /// The deal as a number below `SETUPS`: each card by its place among those that are left, the starter last.
    #[must_use]
    pub fn setup(self) -> Setup {
        let mut left = Card::ALL.to_vec();
        let mut number = 0;
        for card in self.cards {
            let place = left
                .iter()
                .position(|&other| other == card)
                .expect("no card is dealt twice");
            number = number * left.len() + place;
            left.remove(place);
        }
        Setup((number * 2 + self.starter.index()) as u64)
    }

    /// The deal of that number; every number below `SETUPS` is one.
    ///
    /// # Panics
    /// Panics if the number is no setup of this game.
    #[must_use]
    pub fn of(setup: Setup) -> Deal {
        let mut number = usize::try_from(setup.0).expect("setups of this game are small numbers");
        assert!(number < SETUPS, "{number} is no setup of Onitama");
        let starter = Seat::BOTH[number % 2];
        number /= 2;
        let mut places = [0; DEALT];
        for (index, place) in places.iter_mut().enumerate().rev() {
            *place = number % (CARDS - index);
            number /= CARDS - index;
        }
        let mut left = Card::ALL.to_vec();
        Deal {
            cards: places.map(|place| left.remove(place)),
            starter,
        }
    }
}
