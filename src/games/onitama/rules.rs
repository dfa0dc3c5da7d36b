//! The rules of seed `004` on [`OnitamaPosition`]s.

use super::card::{Card, Hand, Offset, OnitamaCell, bits, reach, temple};
use super::notation::CardMove;
use super::position::OnitamaPosition;
use crate::rules::{Move, PerSeat, Refusal, Seat};

/// It names no card or no cell of this game.
static NO_SUCH_STEP: Refusal = Refusal::new(
    "no-such-step",
    "oni/input/off-board",
    "there is no such card or no such cell",
);
/// The card is in no hand and not in the middle.
pub(super) static CARD_NOT_DEALT: Refusal = Refusal::new(
    "card-not-dealt",
    "oni/invalid/card-not-dealt",
    "the card is not in this game",
);
/// The card lies in the middle.
pub(super) static MIDDLE_CARD: Refusal = Refusal::new(
    "middle-card",
    "oni/invalid/middle-card",
    "the card lies in the middle",
);
/// The opponent holds the card.
pub(super) static OPPONENTS_CARD: Refusal = Refusal::new(
    "opponents-card",
    "oni/invalid/opponents-card",
    "the card is the opponent's",
);
/// Nothing stands on the origin.
pub(super) static EMPTY_ORIGIN: Refusal = Refusal::new(
    "empty-origin",
    "oni/invalid/empty-origin",
    "no piece stands on the origin",
);
/// The opponent's piece stands on the origin.
pub(super) static OPPONENTS_PIECE: Refusal = Refusal::new(
    "opponents-piece",
    "oni/invalid/opponents-piece",
    "the piece on the origin is the opponent's",
);
/// The card does not lead from the origin to the destination.
pub(super) static NOT_A_STEP: Refusal = Refusal::new(
    "not-a-step",
    "oni/invalid/not-a-step",
    "the card does not lead from the origin to the destination",
);
/// An own piece stands on the destination.
pub(super) static OWN_PIECE: Refusal = Refusal::new(
    "own-piece",
    "oni/invalid/own-piece",
    "an own piece stands on the destination",
);

impl OnitamaRules {
    /// The cells that a card leads to from a cell, a bit for each.
    pub(super) fn reach(self, seat: Seat, card: Card, from: OnitamaCell) -> u32 {
        let mut slips = self.slips.iter();
        let slip = slips.find(|(name, _)| *name == card.name());
        let steps = slip.map_or(card.steps(), |(_, steps)| steps).iter();
        let side = if self.mirrored[seat] { -1 } else { 1 };
        let steps = steps.map(|(forward, right)| (*forward, side * right));
        reach(steps, from, self.turned[seat], self.wraps)
    }

    /// The cards that the player on turn can use.
    pub(super) fn playable(self, position: &OnitamaPosition) -> Hand {
        let mover = position.mover;
        let mut hand = position.hands[mover];
        if self.plays_middle {
            hand = hand.with(position.middle);
        }
        if self.plays_opponents {
            hand = hand.with(position.hands[mover.other()]);
        }
        hand
    }

    /// The cells on which a step cannot end.
    pub(super) fn barred(self, position: &OnitamaPosition) -> u32 {
        let mover = position.mover;
        match self.onto {
            Onto::Opponents => position.pieces[mover],
            Onto::Nothing => position.pieces[mover] | position.pieces[mover.other()],
            Onto::Any => 0,
        }
    }

    /// The step that this one is to whoever names the cells so.
    pub(super) fn named(self, step: CardMove) -> CardMove {
        let cells = self.cells;
        CardMove {
            from: cells.of(step.from),
            to: cells.of(step.to),
            ..step
        }
    }

    pub(super) fn checked(
        self,
        position: &OnitamaPosition,
        mv: Move,
    ) -> Result<CardMove, &'static Refusal> {
        let step = self.named(CardMove::of(mv).ok_or(&NO_SUCH_STEP)?);
        self.broken(position, step).next().map_or(Ok(step), Err)
    }

    /// The reasons against a step, one for each rule that it breaks; the first is the one to give.
    pub(super) fn broken(
        self,
        position: &OnitamaPosition,
        CardMove { card, from, to }: CardMove,
    ) -> impl Iterator<Item = &'static Refusal> {
        let (mover, other) = (position.mover, position.mover.other());
        let of_card = if position.middle.has(card) {
            &MIDDLE_CARD
        } else if position.hands[other].has(card) {
            &OPPONENTS_CARD
        } else {
            &CARD_NOT_DEALT
        };
        let of_piece = if position.has_piece(other, from) {
            &OPPONENTS_PIECE
        } else {
            &EMPTY_ORIGIN
        };
        let reached = self.reach(mover, card, from);
        let rules = [
            (self.playable(position).has(card), of_card),
            (position.has_piece(mover, from), of_piece),
            (reached >> to & 1 != 0, &NOT_A_STEP),
            // Only a variant of the rules bars a cell with an opponent's piece on it.
            (self.barred(position) >> to & 1 == 0, &OWN_PIECE),
        ];
        let broken = rules.into_iter().filter(|(is_kept, _)| !is_kept);
        broken.map(|(_, reason)| reason)
    }

    /// Lists the destinations of the pieces of the player on turn, by card and origin.
    pub(super) fn ways(
        self,
        position: &OnitamaPosition,
    ) -> impl Iterator<Item = (Card, OnitamaCell, u32)> {
        let (mover, barred) = (position.mover, self.barred(position));
        let own = position.pieces[mover];
        self.playable(position).cards().flat_map(move |card| {
            bits(own).map(move |from| (card, from, self.reach(mover, card, from) & !barred))
        })
    }

    pub(super) fn rotate(self, next: &mut OnitamaPosition, used: Card, by: Seat) {
        let used_hand = Hand::of(&[used]);
        if next.middle.has(used) {
            return;
        }
        match self.rotation {
            Rotation::Kept => {}
            Rotation::ThroughMiddle => {
                next.exchange(used, next.middle);
                next.middle = used_hand;
            }
            Rotation::ToOpponent => {
                next.exchange(used, next.middle);
                next.middle = Hand::default();
                next.hands[by.other()] = next.hands[by.other()].with(used_hand);
            }
        }
    }

    /// Returns true if this player has crossed the board, by the rule for that.
    pub(super) fn is_across(self, position: &OnitamaPosition, seat: Seat) -> bool {
        let goal = temple(seat.other());
        let master = position.master(seat);
        match self.across {
            Across::MasterOnTemple => master == Some(goal),
            Across::PieceOnTemple => position.has_piece(seat, goal),
            Across::MasterOnRow => master.is_some_and(|cell| cell / 5 == goal / 5),
            Across::Never => false,
        }
    }

    /// The step of a legal move.
    pub(super) fn step(self, position: &OnitamaPosition, mv: Move) -> CardMove {
        self.checked(position, mv)
            .expect("only legal moves are described")
    }
}

/// The rules of Onitama, or a deliberate variant of them, as settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OnitamaRules {
    /// True for each player whose cards are turned by 180 degrees.
    pub turned: PerSeat<bool>,
    /// Condition for a win by crossing the board.
    pub across: Across,
    /// True if the capture of the Master ends the game.
    pub capture_wins: bool,
    /// Destination of a used card.
    pub rotation: Rotation,
    /// True if the middle card can be used as well; it then stays in the middle.
    pub plays_middle: bool,
    /// True if the opponent's cards can be used as well.
    pub plays_opponents: bool,
    /// Pieces allowed on the destination.
    pub onto: Onto,
    /// True if a capture gives another turn.
    pub again_after_capture: bool,
    /// The names of cards with other steps than their own, and those steps: cells forward, cells to the right.
    pub slips: &'static [(&'static str, &'static [Offset])],
    /// True for each player for whom left and right are exchanged on every card.
    pub mirrored: PerSeat<bool>,
    /// Player with the first turn.
    pub starter: Starter,
    /// True if a step beyond a side of the board comes in on the other side, a row further.
    pub wraps: bool,
    /// True if a captured piece stays where it was.
    pub uncaptured: bool,
    /// True if a moved piece stays where it was, and captures nothing.
    pub unmoved: bool,
    /// The names of the cells.
    pub cells: CellNames,
}

/// The way in which the cells are named, as the board is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CellNames {
    /// As it is.
    Right,
    /// With the rows from the other side.
    RowsReversed,
    /// With the columns from the other side.
    ColumnsReversed,
    /// Turned by 180 degrees.
    Turned,
}

impl CellNames {
    /// The cell that this one is called; the same the other way round.
    pub(super) fn of(self, cell: OnitamaCell) -> OnitamaCell {
        let (row, column) = (cell / 5, cell % 5);
        match self {
            CellNames::Right => cell,
            CellNames::RowsReversed => (4 - row) * 5 + column,
            CellNames::ColumnsReversed => row * 5 + 4 - column,
            CellNames::Turned => 24 - cell,
        }
    }
}

/// Condition for a win by crossing the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Across {
    /// His Master stands on the opponent's temple.
    MasterOnTemple,
    /// A piece of his stands there.
    PieceOnTemple,
    /// His Master stands somewhere on the opponent's home row.
    MasterOnRow,
    /// Crossing the board does not win.
    Never,
}

/// Player with the first turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Starter {
    /// The one whom the judge has named.
    Named,
    /// The other one.
    Other,
    /// This one, whoever was named.
    Always(Seat),
}

/// Destination of a used card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rotation {
    /// To the middle; the card from there takes its place.
    ThroughMiddle,
    /// Nowhere.
    Kept,
    /// To the opponent at once; the card from the middle takes its place.
    ToOpponent,
}

/// Pieces allowed on the destination of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Onto {
    /// Nothing, or an opponent's piece.
    Opponents,
    /// Nothing.
    Nothing,
    /// Any piece, an own one too: it is captured.
    Any,
}

impl OnitamaRules {
    /// The rules of seed `004`.
    pub const STANDARD: OnitamaRules = OnitamaRules {
        turned: PerSeat([true, false]),
        across: Across::MasterOnTemple,
        capture_wins: true,
        rotation: Rotation::ThroughMiddle,
        plays_middle: false,
        plays_opponents: false,
        onto: Onto::Opponents,
        again_after_capture: false,
        slips: &[],
        mirrored: PerSeat([false, false]),
        starter: Starter::Named,
        wraps: false,
        uncaptured: false,
        unmoved: false,
        cells: CellNames::Right,
    };
}
