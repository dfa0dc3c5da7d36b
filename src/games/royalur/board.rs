//! The board as data: the second player's row above, the shared lane between, the first player's row below.

use super::position::{END, START, UrCell, UrPosition};
use crate::rules::{CellKind, Picture, PictureCell, Seat, Stock, StockItem, Token};

/// Cells of a player's own row from left to right; 0 stands for the notch.
const OWN_ROW: [UrCell; 8] = [4, 3, 2, 1, 0, 0, 14, 13];
/// Cells of the shared lane from left to right.
const SHARED_ROW: [UrCell; 8] = [5, 6, 7, 8, 9, 10, 11, 12];

/// Columns of text that seven tokens take.
const ROOM: usize = 20;

/// The position as data: `a0` to `a6` are the first player's tokens, `b0` to `b6` the second's.
pub(super) fn picture(position: &UrPosition) -> Picture {
    let mut picture = Picture::new(["first", "second"], position.mover());
    let rows = [
        (OWN_ROW, Some(Seat::Second)),
        (SHARED_ROW, None),
        (OWN_ROW, Some(Seat::First)),
    ];
    for ((row, (cells, owner)), column) in (0..)
        .zip(rows)
        .flat_map(|row| (0..8).map(move |column| (row, column)))
    {
        let cell = cells[usize::from(column)];
        if cell == 0 {
            continue;
        }
        let seats = Seat::BOTH.into_iter();
        let token = seats
            .filter(|&seat| owner.is_none_or(|owner| owner == seat))
            .find_map(|seat| {
                let number = position.token_on(seat, cell)?;
                let label = label(seat, number);
                Some(Token { seat, label })
            });
        picture.cells.push(PictureCell {
            kind: match cell {
                4 | 8 | 14 => CellKind::Rosette,
                _ => CellKind::Plain,
            },
            owner,
            ..PictureCell::new(cell.to_string(), column, row, token)
        });
    }
    for seat in Seat::BOTH {
        let at = |cell| {
            let tokens = position.cells(seat).enumerate();
            let items = tokens.filter(move |&(_, there)| there == cell);
            items.map(move |(token, _)| StockItem {
                label: label(seat, token),
                steps: &[],
            })
        };
        picture.stocks.push(Stock {
            items: at(START).collect(),
            room: ROOM,
            ..Stock::tokens(seat, "start", "s")
        });
        picture.stocks.push(Stock {
            items: at(END).collect(),
            ..Stock::tokens(seat, "out", "o")
        });
    }
    picture
}

fn label(seat: Seat, token: usize) -> String {
    let letter = match seat {
        Seat::First => 'a',
        Seat::Second => 'b',
    };
    format!("{letter}{token}")
}
