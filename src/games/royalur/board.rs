//! The board as text: the second player's own cells above, the shared lane in the middle, the first player's below.

use std::fmt::Write;

use super::position::{END, START, UrCell, UrPosition};
use crate::rules::Seat;

/// Cells of a player's own row from left to right; 0 stands for the notch.
const OWN_ROW: [UrCell; 8] = [4, 3, 2, 1, 0, 0, 14, 13];
/// Cells of the shared lane from left to right.
const SHARED_ROW: [UrCell; 8] = [5, 6, 7, 8, 9, 10, 11, 12];

/// Draws the board: `a0` to `a6` are the first player's tokens, `b0` to `b6` the second's, `*` an empty rosette.
pub(super) fn draw(position: &UrPosition) -> String {
    let mut text = String::new();
    hand(&mut text, position, Seat::Second);
    let notched = "+----+----+----+----+         +----+----+\n";
    let whole = "+----+----+----+----+----+----+----+----+\n";
    text.push_str(notched);
    row(&mut text, &OWN_ROW, |cell| {
        square(position, &[Seat::Second], cell)
    });
    text.push_str(whole);
    row(&mut text, &SHARED_ROW, |cell| {
        square(position, &Seat::BOTH, cell)
    });
    text.push_str(whole);
    row(&mut text, &OWN_ROW, |cell| {
        square(position, &[Seat::First], cell)
    });
    text.push_str(notched);
    hand(&mut text, position, Seat::First);
    text
}

fn letter(seat: Seat) -> char {
    match seat {
        Seat::First => 'a',
        Seat::Second => 'b',
    }
}

fn square(position: &UrPosition, seats: &[Seat], cell: UrCell) -> String {
    for &seat in seats {
        if let Some(token) = position.token_on(seat, cell) {
            return format!("{}{token}", letter(seat));
        }
    }
    if matches!(cell, 4 | 8 | 14) {
        "*".to_owned()
    } else {
        String::new()
    }
}

fn row(text: &mut String, cells: &[UrCell; 8], square: impl Fn(UrCell) -> String) {
    // The notch is two cells wide and has the walls of its neighbours only.
    let is_notched = cells.contains(&0);
    for (column, &cell) in cells.iter().enumerate() {
        match (is_notched, column) {
            (true, 4) => text.push_str("|    "),
            (true, 5) => text.push_str("     "),
            _ => write!(text, "| {:<3}", square(cell)).expect("a string takes all"),
        }
    }
    text.push_str("|\n");
}

fn hand(text: &mut String, position: &UrPosition, seat: Seat) {
    let tokens = |cell| {
        let numbers = position.cells(seat).enumerate().filter(|&(_, c)| c == cell);
        let list: Vec<_> = numbers
            .map(|(token, _)| format!("{}{token}", letter(seat)))
            .collect();
        if list.is_empty() {
            "-".to_owned()
        } else {
            list.join(" ")
        }
    };
    let (name, turn) = match seat {
        Seat::First => ("first", position.mover() == Seat::First),
        Seat::Second => ("second", position.mover() == Seat::Second),
    };
    let arrow = if turn { ">" } else { " " };
    writeln!(
        text,
        "{arrow} {name:<6}  start: {:<20}  out: {}",
        tokens(START),
        tokens(END)
    )
    .expect("a string takes all");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_each_token_once_and_the_empty_rosettes() {
        let position = UrPosition::new(
            [[0, 1, 4, 5, 12, 14, 15], [0, 0, 0, 8, 13, 15, 15]],
            Seat::Second,
        );
        insta::assert_snapshot!(draw(&position), @r"
        > second  start: b0 b1 b2              out: b5 b6
        +----+----+----+----+         +----+----+
        | *  |    |    |    |         | *  | b4 |
        +----+----+----+----+----+----+----+----+
        | a3 |    |    | b3 |    |    |    | a4 |
        +----+----+----+----+----+----+----+----+
        | a2 |    |    | a1 |         | a5 |    |
        +----+----+----+----+         +----+----+
          first   start: a0                    out: a6
        ");
    }
}
