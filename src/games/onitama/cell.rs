//! Cells of the board, by number and by name.

use crate::rules::Seat;

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
