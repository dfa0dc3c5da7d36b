//! The movement cards: which cells a piece reaches by them.

use crate::rules::Seat;

/// A step from the mover's own point of view: cells forward, cells to the right; negative is back, and left.
pub(super) type Offset = (i8, i8);

/// Number of cards.
pub(super) const CARDS: usize = 16;

/// One of the 16 movement cards, numbered in the order of [`Card::ALL`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Card(u8);

/// Names and steps, as the cards of the original game have them.
const DECK: [(&str, &[Offset]); CARDS] = [
    ("Tiger", &[(2, 0), (-1, 0)]),
    ("Crab", &[(1, 0), (0, -2), (0, 2)]),
    ("Monkey", &[(1, -1), (1, 1), (-1, -1), (-1, 1)]),
    ("Crane", &[(1, 0), (-1, -1), (-1, 1)]),
    ("Dragon", &[(1, -2), (1, 2), (-1, -1), (-1, 1)]),
    ("Elephant", &[(1, -1), (1, 1), (0, -1), (0, 1)]),
    ("Mantis", &[(1, -1), (1, 1), (-1, 0)]),
    ("Boar", &[(1, 0), (0, -1), (0, 1)]),
    ("Frog", &[(1, -1), (0, -2), (-1, 1)]),
    ("Goose", &[(1, -1), (0, -1), (0, 1), (-1, 1)]),
    ("Horse", &[(1, 0), (0, -1), (-1, 0)]),
    ("Eel", &[(1, -1), (0, 1), (-1, -1)]),
    ("Rabbit", &[(1, 1), (0, 2), (-1, -1)]),
    ("Rooster", &[(1, 1), (0, -1), (0, 1), (-1, -1)]),
    ("Ox", &[(1, 0), (0, 1), (-1, 0)]),
    ("Cobra", &[(1, 1), (0, -1), (-1, 1)]),
];

/// Returns the cells that these steps reach from a cell, as a bit mask; `is_turned`: true for the player at row 1; `wraps`: true if a
/// step beyond a side of the board comes in on the other side, a row further.
pub(super) fn reach(
    steps: impl IntoIterator<Item = Offset>,
    from: OnitamaCell,
    is_turned: bool,
    wraps: bool,
) -> u32 {
    let (row, column) = ((from / SIDE) as i8, (from % SIDE) as i8);
    // Row 1 is at the top: Bottom's way forward is towards lower rows.
    let way = if is_turned { 1 } else { -1 };
    let is_inside = |place: &i8| (0..SIDE as i8).contains(place);
    let ends = steps.into_iter().map(|(forward, right)| {
        let (row, column) = (row + way * forward, column - way * right);
        let is_on_board = wraps || is_inside(&row) && is_inside(&column);
        is_on_board.then_some(row * SIDE as i8 + column)
    });
    let cells = ends
        .flatten()
        .filter(|cell| (0..CELLS as i8).contains(cell));
    cells.fold(0, |cells, cell| cells | 1 << cell)
}

impl Card {
    /// Every card, in the order of their numbers.
    pub const ALL: [Card; CARDS] = {
        let mut all = [Card(0); CARDS];
        let mut card = 0;
        while card < CARDS {
            all[card] = Card(card as u8);
            card += 1;
        }
        all
    };

    /// The card of that name, spelt exactly so.
    #[must_use]
    pub fn named(name: &str) -> Option<Card> {
        Card::ALL.into_iter().find(|card| card.name() == name)
    }

    /// The name, capitalized as seed `004` has it.
    #[must_use]
    pub fn name(self) -> &'static str {
        DECK[self.index()].0
    }

    /// The number of the card.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Its steps.
    pub(super) fn steps(self) -> &'static [Offset] {
        DECK[self.index()].1
    }

    /// The cells that a piece reaches from a cell, a bit for each; `is_turned`: the card is turned for Top.
    pub(super) fn reach(self, from: OnitamaCell, is_turned: bool) -> u32 {
        reach(self.steps().iter().copied(), from, is_turned, false)
    }
}

/// A set of cards, a bit for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Hand(u16);

impl Hand {
    /// These cards and no others.
    #[must_use]
    pub fn of(cards: &[Card]) -> Hand {
        Hand(cards.iter().fold(0, |bits, card| bits | 1 << card.0))
    }

    /// Returns true if the hand has the card.
    #[must_use]
    pub fn has(self, card: Card) -> bool {
        self.0 & 1 << card.0 != 0
    }

    /// The cards of both.
    pub(super) fn with(self, other: Hand) -> Hand {
        Hand(self.0 | other.0)
    }

    /// The cards that are not in the other one.
    pub(super) fn without(self, other: Hand) -> Hand {
        Hand(self.0 & !other.0)
    }

    /// Its cards in the order of their numbers.
    pub fn cards(self) -> impl Iterator<Item = Card> {
        bits(u32::from(self.0)).map(Card)
    }
}

/// Cells of a row, and rows.
pub(super) const SIDE: u8 = 5;
/// Cells of the board.
pub const CELLS: usize = 25;

/// A cell, numbered by rows from a1 (0) over e1 (4) to e5 (24).
pub type OnitamaCell = u8;

/// The numbers of the bits that are set, the lowest first.
pub(super) fn bits(mut set: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as u8)?;
        set &= set - 1;
        Some(lowest)
    })
}

/// The cell of that name, such as `c5`: a column from a to e and a row from 1 to 5.
#[must_use]
pub fn cell(name: &str) -> Option<OnitamaCell> {
    let &[column, row] = name.as_bytes() else {
        return None;
    };
    let (column, row) = (column.wrapping_sub(b'a'), row.wrapping_sub(b'1'));
    (column < SIDE && row < SIDE).then(|| row * SIDE + column)
}

/// The name of a cell.
#[must_use]
pub fn cell_name(cell: OnitamaCell) -> String {
    let (column, row) = (b'a' + cell % SIDE, b'1' + cell / SIDE);
    [column, row].map(char::from).iter().collect()
}

/// The cell on which the player's Master starts, and to which the opponent's Master goes to win.
#[must_use]
pub fn temple(seat: Seat) -> OnitamaCell {
    match seat {
        Seat::First => 2,
        Seat::Second => 22,
    }
}
