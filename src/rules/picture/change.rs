//! The difference of two pictures: the facts of a move.

use super::{Picture, Stock, StockKind, Token};
use crate::rules::Seat;

/// The facts of a move that can be seen on the board.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PictureChange {
    /// Origin of the token; `None` if it was not seen before.
    pub from: Option<TokenPlace>,
    /// Destination of the token; `None` if it cannot be seen any more.
    pub to: Option<TokenPlace>,
    /// The opponent's token that stood on the destination.
    pub captured: Option<Token>,
    /// The card that left the player's hand.
    pub card: Option<String>,
}

/// A place of a token: a cell, or a stock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenPlace {
    /// The number of the cell; `None` for a stock.
    pub cell: Option<usize>,
    /// The name, short for a stock.
    pub name: String,
}

impl PictureChange {
    /// The facts of a player's move, from the pictures before and after it.
    #[must_use]
    pub fn between(before: &Picture, after: &Picture, by: Seat) -> PictureChange {
        let gains = |now: &Picture, then: &Picture| {
            let has = |picture: &Picture, cell: usize| {
                let token = picture.cells.get(cell).and_then(|cell| cell.token.as_ref());
                token.is_some_and(|token| token.seat == by)
            };
            let mut cells = 0..now.cells.len();
            let cell = cells.find(|&cell| has(now, cell) && !has(then, cell));
            let of_cell = |cell: usize| TokenPlace {
                cell: Some(cell),
                name: now.cells[cell].name.clone(),
            };
            cell.map(of_cell).or_else(|| {
                let stock = longer(now, then, by, StockKind::Tokens)?;
                let name = stock.short.to_owned();
                Some(TokenPlace { cell: None, name })
            })
        };
        let to = gains(after, before);
        let captured = to.as_ref().and_then(|spot| {
            let token = before.cells[spot.cell?].token.clone()?;
            (token.seat != by).then_some(token)
        });
        let hand = |picture: &Picture| -> Vec<String> {
            let cards = |stock: &&Stock| stock.kind == StockKind::Cards;
            let stocks = picture.stocks_of(Some(by)).filter(cards);
            stocks
                .flat_map(|stock| stock.items.iter().map(|item| item.label.clone()))
                .collect()
        };
        let held = hand(after);
        PictureChange {
            from: gains(before, after),
            to,
            captured,
            card: hand(before).into_iter().find(|card| !held.contains(card)),
        }
    }
}

/// The stock of a player that has more items now than then.
fn longer<'a>(now: &'a Picture, then: &Picture, by: Seat, kind: StockKind) -> Option<&'a Stock> {
    let of_kind = |stock: &&Stock| stock.kind == kind;
    let pairs = now.stocks_of(Some(by)).zip(then.stocks_of(Some(by)));
    pairs
        .filter(|(now, then)| now.items.len() > then.items.len())
        .map(|(now, _)| now)
        .find(of_kind)
}
