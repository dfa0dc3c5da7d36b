//! The facts of a move that can be seen in the pictures before and after it.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Picture, Stock, StockKind, Token};
use crate::rules::Seat;

/// The facts of a move that can be seen on the board.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct PictureChange {
    /// Origin of the token; `None` if it was not seen before.
    pub from: Option<TokenPlace>,
    /// Destination of the token; `None` if it cannot be seen any more.
    pub to: Option<TokenPlace>,
    /// The opponent's token that stood on the destination.
    pub captured: Option<Token>,
    /// The card that left the player's hand.
    pub card: Option<String>,
    /// The card that came into it.
    pub gained: Option<String>,
}

/// A place of a token: a cell, or a stock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
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
                let stock = longer(now, then, by)?;
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
        let (held, holds) = (hand(before), hand(after));
        let missing = |cards: &[String], others: &[String]| {
            let mut cards = cards.iter();
            cards.find(|card| !others.contains(card)).cloned()
        };
        PictureChange {
            from: gains(before, after),
            to,
            captured,
            card: missing(&held, &holds),
            gained: missing(&holds, &held),
        }
    }

    /// The move in words: `token 3 from cell 2 to cell 6, captures token 0`. The pictures are those before and after it.
    pub(in crate::rules) fn in_words(&self, before: &Picture, after: &Picture) -> String {
        let token = |place: &Option<TokenPlace>, picture: &Picture| {
            let token = picture.cells[place.as_ref()?.cell?].token.as_ref();
            token.map(|token| token.name.clone())
        };
        let moved = token(&self.from, before).or_else(|| token(&self.to, after));
        let mut text = moved.unwrap_or_default();
        for (word, place) in [("from", &self.from), ("to", &self.to)] {
            let Some(TokenPlace { cell, name }) = place else {
                continue;
            };
            let mut stocks = before.stocks.iter();
            let stock = stocks.find(|stock| cell.is_none() && stock.short == name);
            let is_number = name.parse::<u32>().is_ok();
            let kind = if is_number { "cell " } else { "" };
            text += &format!(
                " {word} {kind}{}",
                stock.map_or(&**name, |stock| stock.name)
            );
        }
        if let Some(card) = &self.card {
            text += &format!(" by {card}");
        }
        if let Some(captured) = &self.captured {
            text += &format!(", captures {}", captured.name);
        }
        if let Some(card) = &self.gained {
            text += &format!(", gets {card}");
        }
        text
    }
}

/// The stock of a player that has more tokens now than then.
fn longer<'a>(now: &'a Picture, then: &Picture, by: Seat) -> Option<&'a Stock> {
    let of_kind = |stock: &&Stock| stock.kind == StockKind::Tokens;
    let pairs = now.stocks_of(Some(by)).zip(then.stocks_of(Some(by)));
    pairs
        .filter(|(now, then)| now.items.len() > then.items.len())
        .map(|(now, _)| now)
        .find(of_kind)
}
