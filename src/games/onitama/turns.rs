//! Turns of Onitama by its rules, in words, and as a picture: row 1 above, both hands and the middle card.

use super::card::Hand;
use super::card::{CELLS, OnitamaCell, SIDE, bits, cell_name, temple};
use super::notation::Deal;
use super::notation::{CardMove, SEATS};
use super::position::OnitamaPosition;
use super::rules::Starter;
use super::{Card, OnitamaRules, facts};
use crate::rules::{
    Attempt, CellKind, Fact, GameResult, Move, Picture, PictureCell, Refusal, Remnant, Roll, Rules,
    Seat, Setup, Stock, StockItem, Token,
};

impl Rules for OnitamaRules {
    type Position = OnitamaPosition;

    fn start(&self, setup: Setup) -> OnitamaPosition {
        let deal = Deal::of(setup);
        let starter = match self.starter {
            Starter::Named => deal.starter,
            Starter::Other => deal.starter.other(),
            Starter::Always(seat) => seat,
        };
        OnitamaPosition::start(Deal { starter, ..deal })
    }

    fn start_with(
        &self,
        setup: Setup,
        left: Remnant,
        before: Setup,
        end: &OnitamaPosition,
    ) -> Option<OnitamaPosition> {
        let start = self.start(setup);
        Some(match left {
            Remnant::Board => OnitamaPosition {
                hands: start.hands,
                middle: start.middle,
                mover: start.mover,
                ..*end
            },
            Remnant::Turn => OnitamaPosition {
                mover: end.mover,
                ..start
            },
            Remnant::Position => *end,
            Remnant::Setup => OnitamaPosition {
                mover: start.mover,
                ..self.start(before)
            },
            Remnant::Score => return None,
        })
    }

    fn to_move(&self, position: &OnitamaPosition) -> Seat {
        position.mover
    }

    fn result(&self, position: &OnitamaPosition) -> Option<GameResult> {
        let has_won = |&seat: &Seat| {
            self.capture_wins && position.master(seat.other()).is_none()
                || self.is_across(position, seat)
        };
        Seat::BOTH.into_iter().find(has_won).map(GameResult::Won)
    }

    fn can_move(&self, position: &OnitamaPosition, _roll: Roll) -> bool {
        self.ways(position).any(|(.., cells)| cells != 0)
    }

    /// By card, then origin, then destination.
    fn legal_moves(&self, position: &OnitamaPosition, _roll: Roll) -> Vec<Move> {
        // Room for all of them in most positions.
        let mut moves = Vec::with_capacity(24);
        for (card, from, cells) in self.ways(position) {
            let step = |to| self.named(CardMove { card, from, to }).packed();
            moves.extend(bits(cells).map(step));
        }
        moves
    }

    fn moved(
        &self,
        position: &OnitamaPosition,
        _roll: Roll,
        mv: Move,
    ) -> Result<OnitamaPosition, &'static Refusal> {
        let CardMove { card, from, to } = self.checked(position, mv)?;
        let mover = position.mover;
        let captures = position.has_piece(mover.other(), to);
        let mut next = *position;
        if !self.unmoved {
            next.put(mover, from, to);
        }
        if captures && self.uncaptured {
            next.leave(mover.other(), position, to);
        }
        self.rotate(&mut next, card, mover);
        if !(captures && self.again_after_capture) {
            next.mover = mover.other();
        }
        Ok(next)
    }

    fn facts(
        &self,
        before: &OnitamaPosition,
        _roll: Roll,
        attempt: Attempt,
        see: &mut dyn FnMut(Fact),
    ) {
        facts::facts(*self, before, attempt, see);
    }

    /// The position as data: `T` and `B` are the Masters, `t` and `b` Students.
    fn picture(&self, position: &OnitamaPosition) -> Picture {
        let hands = Seat::BOTH.map(|seat| (Some(seat), "", position.hands[seat]));
        let stocks = hands.into_iter().chain([(None, "middle", position.middle)]);
        Picture {
            above: Seat::First,
            cells: (0..CELLS as OnitamaCell)
                .map(|number| cell(position, number))
                .collect(),
            columns: (b'a'..)
                .take(usize::from(SIDE))
                .map(|name| char::from(name).to_string())
                .collect(),
            rows: (1..=SIDE).map(|row| row.to_string()).collect(),
            stocks: stocks
                .map(|(owner, name, hand)| Stock {
                    items: items(hand),
                    ..Stock::cards(owner, name)
                })
                .collect(),
            ..Picture::new(SEATS, position.mover)
        }
    }
}

fn cell(position: &OnitamaPosition, number: OnitamaCell) -> PictureCell {
    let piece = Seat::BOTH
        .into_iter()
        .find(|&seat| position.has_piece(seat, number));
    let token = piece.map(|seat| {
        let is_master = position.master(seat) == Some(number);
        let (label, name) = match (seat, is_master) {
            (Seat::First, true) => ("T", "the Master"),
            (Seat::First, false) => ("t", "a Student"),
            (Seat::Second, true) => ("B", "the Master"),
            (Seat::Second, false) => ("b", "a Student"),
        };
        Token::new(seat, label, name)
    });
    let home = Seat::BOTH.into_iter().find(|&seat| temple(seat) == number);
    let (column, row) = (u16::from(number % SIDE), u16::from(number / SIDE));
    PictureCell {
        kind: home.map_or(CellKind::Plain, CellKind::Home),
        ..PictureCell::new(cell_name(number), column, row, token)
    }
}

fn items(hand: Hand) -> Vec<StockItem> {
    let item = |card: Card| StockItem {
        label: card.name().to_owned(),
        steps: card.steps(),
    };
    hand.cards().map(item).collect()
}

#[cfg(test)]
#[path = "turns_tests.rs"]
mod tests;
