//! The board as data: row 1 above, both hands and the middle card.

use super::card::Hand;
use super::cell::{CELLS, OnitamaCell, SIDE, cell_name, temple};
use super::position::OnitamaPosition;
use crate::rules::{CellKind, Picture, PictureCell, Seat, Stock, StockItem, Token};

/// The position as data: `T` and `B` are the Masters, `t` and `b` Students.
pub(super) fn picture(position: &OnitamaPosition) -> Picture {
    let hands = Seat::BOTH.map(|seat| (Some(seat), "", position.hand(seat)));
    let stocks = hands
        .into_iter()
        .chain([(None, "middle", position.middle())]);
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
        ..Picture::new(super::notation::SEATS, position.mover)
    }
}

fn cell(position: &OnitamaPosition, number: OnitamaCell) -> PictureCell {
    let piece = Seat::BOTH
        .into_iter()
        .find(|&seat| position.has_piece(seat, number));
    let token = piece.map(|seat| {
        let is_master = position.master(seat) == Some(number);
        let label = match (seat, is_master) {
            (Seat::First, true) => "T",
            (Seat::First, false) => "t",
            (Seat::Second, true) => "B",
            (Seat::Second, false) => "b",
        };
        Token {
            seat,
            label: label.to_owned(),
        }
    });
    let home = Seat::BOTH.into_iter().find(|&seat| temple(seat) == number);
    let (column, row) = (u16::from(number % SIDE), u16::from(number / SIDE));
    PictureCell {
        kind: home.map_or(CellKind::Plain, CellKind::Home),
        ..PictureCell::new(cell_name(number), column, row, token)
    }
}

fn items(hand: Hand) -> Vec<StockItem> {
    let item = |card: super::Card| StockItem {
        label: card.name().to_owned(),
        steps: card.steps(),
    };
    hand.cards().map(item).collect()
}
