//! Tiles of the board by name, and cells of a player's track.

use crate::games::royalur::UrCell;
use crate::rules::Seat;

/// Returns the letter of the column that only this player uses.
fn own_column(seat: Seat) -> char {
    match seat {
        Seat::First => 'A',
        Seat::Second => 'C',
    }
}

/// Returns the name of a cell from 1 to 14 on a player's track: the bell path, down the own column from row 4, up the middle column, and
/// down to row 7.
pub(super) fn of_cell(seat: Seat, cell: UrCell) -> String {
    match cell {
        1..=4 => format!("{}{}", own_column(seat), 5 - cell),
        5..=12 => format!("B{}", cell - 4),
        _ => format!("{}{}", own_column(seat), 21 - cell),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_tiles_of_the_bell_path() {
        let path = |seat| {
            (1..=14)
                .map(|cell| of_cell(seat, cell))
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(
            path(Seat::First),
            "A4 A3 A2 A1 B1 B2 B3 B4 B5 B6 B7 B8 A8 A7"
        );
        assert_eq!(
            path(Seat::Second),
            "C4 C3 C2 C1 B1 B2 B3 B4 B5 B6 B7 B8 C8 C7"
        );
    }
}
