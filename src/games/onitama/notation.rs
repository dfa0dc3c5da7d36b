//! Onitama in text: `Cobra a5 b4`, and how a game starts.

use super::card::{CARDS, CELLS, Card, OnitamaCell, cell, cell_name};
use crate::rules::{Move, Seat, Setup};

/// A card, and a piece's way by it. The rules may forbid it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CardMove {
    /// The card that is used.
    pub card: Card,
    /// Cell at which the piece starts.
    pub from: OnitamaCell,
    /// Destination of the piece.
    pub to: OnitamaCell,
}

impl CardMove {
    /// The step as a number below `MOVES`.
    #[must_use]
    pub fn packed(self) -> Move {
        let way = usize::from(self.from) * CELLS + usize::from(self.to);
        Move((self.card.index() * CELLS * CELLS + way) as u32)
    }

    /// The step of that number; `None` where it is none.
    #[must_use]
    pub fn of(mv: Move) -> Option<CardMove> {
        let (rest, to) = (mv.0 as usize / CELLS, mv.0 as usize % CELLS);
        Some(CardMove {
            card: *Card::ALL.get(rest / CELLS)?,
            from: (rest % CELLS) as OnitamaCell,
            to: to as OnitamaCell,
        })
    }
}

/// Number of the steps of all cards between any two cells.
pub(super) const MOVES: u32 = (CARDS * CELLS * CELLS) as u32;

/// The sides as seed `004` calls them, by seat.
pub const SIDES: [&str; 2] = ["Top", "Bottom"];

/// The seats in small letters, as scenarios write them.
pub(super) const SEATS: [&str; 2] = ["top", "bottom"];

/// Reads `Cobra a5 b4`, with any blanks between.
pub(super) fn parse_move(text: &str) -> Option<Move> {
    let mut words = text.split_whitespace();
    let step = CardMove {
        card: Card::named(words.next()?)?,
        from: cell(words.next()?)?,
        to: cell(words.next()?)?,
    };
    words.next().is_none().then(|| step.packed())
}

/// Writes `Cobra a5 b4`.
///
/// # Panics
/// Panics if the number is no move of this game.
pub(super) fn format_move(mv: Move) -> String {
    let CardMove { card, from, to } = CardMove::of(mv).expect("moves of this game only");
    format!("{} {} {}", card.name(), cell_name(from), cell_name(to))
}

/// Reads five different cards with commas between: Top's two, Bottom's two, the middle one.
#[must_use]
pub fn cards_from_list(text: &str) -> Option<[Card; DEALT]> {
    let cards: Option<Vec<Card>> = text.split(',').map(Card::named).collect();
    let cards = cards?.try_into().ok()?;
    Deal::new(cards, Seat::First).map(|deal| deal.cards)
}

/// Writes the cards with commas between.
#[must_use]
pub fn card_list(cards: [Card; DEALT]) -> String {
    cards.map(Card::name).join(",")
}

/// Reads five different cards with commas, and perhaps blanks, between.
pub(super) fn parse_cards(text: &str) -> Option<[Card; DEALT]> {
    let cards: Vec<&str> = text.split(',').map(str::trim).collect();
    cards_from_list(&cards.join(","))
}

/// Reads the name of a side, in any letters.
pub(super) fn parse_seat(text: &str) -> Option<Seat> {
    Seat::BOTH
        .into_iter()
        .find(|seat| SEATS[seat.index()].eq_ignore_ascii_case(text.trim()))
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case_files::assert_lines;
    use crate::games::onitama::Onitama;
    use crate::rules::Game;

    #[test]
    fn reads_every_move_that_it_writes() {
        for card in Card::ALL {
            for (from, to) in [(0, 24), (20, 16), (7, 7)] {
                let mv = CardMove { card, from, to }.packed();
                assert_eq!(parse_move(&format_move(mv)), Some(mv));
                assert_eq!(CardMove::of(mv), Some(CardMove { card, from, to }));
            }
        }
        assert_eq!(CardMove::of(Move(MOVES)), None);
    }

    #[test]
    fn says_of_each_text_whether_it_is_a_move_or_a_setup() {
        assert_lines("onitama-moves", |text| {
            format!("{:?}", parse_move(text).map(format_move))
        });
        let game: &dyn Game = &Onitama;
        assert_lines("onitama-setups", |text| {
            format!("{:?}", game.parse_setup(text).map(Deal::of))
        });
    }
}
