//! The items of a board: tokens, texts and cards, each a symbol that places show.

use std::fmt::Write;

use super::text::escaped;
use crate::rules::{Seat, StockItem, Token};

/// An item that a place can show.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::report) enum Item {
    /// A token of a player.
    Token(Seat, String),
    /// A text that belongs to nobody.
    Text(String),
    /// A card.
    Card {
        /// Its name.
        label: String,
        /// Its owner.
        owner: Option<Seat>,
        /// Cells forward and to the right.
        steps: &'static [(i8, i8)],
        /// True if its player sits above the board.
        is_above: bool,
    },
}

impl Item {
    pub(super) fn of_token(token: &Token) -> Item {
        Item::Token(token.seat, token.label.clone())
    }

    pub(super) fn of_stock(item: &StockItem, owner: Option<Seat>, is_above: bool) -> Item {
        let label = item.label.clone();
        match (owner, item.steps) {
            (owner, steps @ [_, ..]) => Item::Card {
                label,
                owner,
                steps,
                is_above,
            },
            (Some(seat), []) => Item::Token(seat, label),
            (None, []) => Item::Text(label),
        }
    }

    /// Its name.
    pub(in crate::report) fn label(&self) -> &str {
        match self {
            Item::Token(_, label) | Item::Text(label) | Item::Card { label, .. } => label,
        }
    }

    /// Its owner.
    pub(in crate::report) fn seat(&self) -> Option<Seat> {
        match self {
            Item::Token(seat, _) => Some(*seat),
            Item::Text(_) => None,
            Item::Card { owner, .. } => *owner,
        }
    }

    /// Its shape: a circle for the first seat, a diamond for the second.
    pub(super) fn symbol(&self, id: &str) -> String {
        let label = escaped(self.label());
        let (height, drawn) = match self {
            Item::Token(seat, _) => {
                let (number, fill) = (seat.index(), ["#fff", "#000"][seat.index()]);
                (
                    50,
                    format!(
                        "<use href=\"#t{number}\"/><text fill=\"{fill}\" dy=\".35em\" font-size=\"14\">{label}</text>"
                    ),
                )
            }
            Item::Text(_) => (
                50,
                format!(
                    "<text class=\"ink\" fill=\"#222\" dy=\".35em\" font-size=\"18\">{label}</text>"
                ),
            ),
            Item::Card {
                steps, is_above, ..
            } => {
                let path = squares(steps, *is_above);
                (
                    60,
                    format!(
                        "<use href=\"#card\"/><path class=\"t1\" fill=\"#e69f00\" d=\"{path}\"/>\
                     <text class=\"ink\" fill=\"#222\" y=\"33\" font-size=\"9\">{label}</text>"
                    ),
                )
            }
        };
        format!("<symbol id=\"{id}\" viewBox=\"-25 -25 50 {height}\">{drawn}</symbol>\n")
    }
}

/// The squares that a card reaches, as its player sees them.
fn squares(steps: &[(i8, i8)], is_above: bool) -> String {
    let turn = if is_above { -1 } else { 1 };
    let mut path = String::new();
    for &(forward, right) in steps {
        let (x, y) = (i16::from(right) * turn * 9, i16::from(forward) * turn * -9);
        write!(path, "M{} {}h8v8h-8z", x - 4, y - 4).expect("a string takes all");
    }
    path
}

/// The shapes that items share.
pub(super) const SHAPES: &str = "\
<g id=\"t0\" class=\"t0\" fill=\"#0072b2\" stroke=\"#003a5c\" stroke-width=\"2\"><circle r=\"18\"/><circle r=\"14\" fill=\"none\" stroke-width=\"1\"/></g>
<g id=\"t1\" class=\"t1\" fill=\"#e69f00\" stroke=\"#6b4a00\" stroke-width=\"2\"><path d=\"M0-23 23 0 0 23-23 0z\"/><path d=\"M0-18 18 0 0 18-18 0z\" fill=\"none\" stroke-width=\"1\"/></g>
<symbol id=\"captured\" viewBox=\"0 0 50 50\"><title>captured</title><path class=\"x\" stroke=\"#cc0066\" stroke-width=\"4\" d=\"M36 6l8 8m0-8-8 8\"/></symbol>
";

/// The squares of a card; the middle one is the token.
pub(super) const CARD: &str = "<g id=\"card\" stroke-width=\".7\"><path class=\"c\" fill=\"#f4ecd9\" stroke=\"#a8987a\" d=\"M-22.5-22.5h45v45h-45zm9 0v45m9-45v45m9-45v45m9-45v45m-36-36h45m-45 9h45m-45 9h45m-45 9h45\"/><path class=\"ink\" fill=\"#222\" d=\"M-4-4h8v8h-8z\"/></g>\n";

/// Eight petals that reach past a token.
pub(super) const ROSETTE: &str = "<symbol id=\"rosette\" viewBox=\"-25 -25 50 50\"><title>rosette</title><g class=\"r\" fill=\"#f0cf8e\" stroke=\"#8a5a00\" stroke-width=\"1.5\">\
<path id=\"petals\" d=\"M0 0c-8-9-6-20 0-24c6 4 8 15 0 24c9-8 20-6 24 0c-4 6-15 8-24 0c8 9 6 20 0 24c-6-4-8-15 0-24c-9 8-20 6-24 0c4-6 15-8 24 0\"/>\
<use href=\"#petals\" transform=\"rotate(45)\"/></g></symbol>\n";
