//! Squares of the board and cells of a player's track.

use crate::games::royalur::UrCell;
use crate::rules::Seat;

/// A square as hc-ur names it: column from the left, row from the top, both from 0. It may lie beside the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square {
    /// Column, 0 to 7 on the board.
    pub x: i64,
    /// Row, 0 to 2 on the board.
    pub y: i64,
}

/// Columns of cells 1 to 4, from the way in to the rosette in the corner.
const IN: [i64; 4] = [3, 2, 1, 0];

impl Square {
    /// The square of a cell from 1 to 14 on the track of this player; `None` for the start and the end.
    ///
    /// Seed `002`: "Tokens move in this pattern", and its table. The single arrows are player 1's, whose own row is the lowest
    /// (y = 2), as in the seed's game state with a token of player 1 on (2,2); the double arrows are player 2's.
    #[must_use]
    pub fn of_cell(seat: Seat, cell: UrCell) -> Option<Square> {
        let y = Square::own_row(seat);
        let column = i64::from(cell);
        match cell {
            1..=4 => Some(Square {
                x: IN[usize::from(cell) - 1],
                y,
            }),
            5..=12 => Some(Square {
                x: column - 5,
                y: 1,
            }),
            13..=14 => Some(Square { x: 20 - column, y }),
            _ => None,
        }
    }

    /// The cell of this player's track that lies on the square.
    #[must_use]
    pub fn cell(self, seat: Seat) -> Option<UrCell> {
        (1..=14).find(|&cell| Square::of_cell(seat, cell) == Some(self))
    }

    /// The row in which only this player's tokens stand.
    #[must_use]
    pub fn own_row(seat: Seat) -> i64 {
        match seat {
            Seat::First => 2,
            Seat::Second => 0,
        }
    }

    /// Returns true if the board has such a square.
    #[must_use]
    pub fn is_on_board(self) -> bool {
        Seat::BOTH.into_iter().any(|seat| self.cell(seat).is_some())
    }
}

impl std::fmt::Display for Square {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({},{})", self.x, self.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(seat: Seat) -> Vec<(i64, i64)> {
        (1..=14)
            .map(|cell| Square::of_cell(seat, cell).unwrap())
            .map(|square| (square.x, square.y))
            .collect()
    }

    /// The arrows of the seed's table, followed square by square.
    #[test]
    fn follows_the_arrows_of_the_seed() {
        let lower: [&str; 3] = ["________", ">>>>>>>v", "^<<<__<<"];
        let upper: [&str; 3] = ["v<<<__<<", ">>>>>>>^", "________"];
        for (seat, arrows) in [(Seat::First, lower), (Seat::Second, upper)] {
            let (mut x, mut y) = (3_i64, Square::own_row(seat));
            let mut walked = Vec::new();
            for _ in 0..14 {
                walked.push((x, y));
                match arrows[y as usize].as_bytes()[x as usize] {
                    b'<' => x -= 1,
                    b'>' => x += 1,
                    b'^' => y -= 1,
                    b'v' => y += 1,
                    other => panic!("walked off the board at ({x},{y}): {other}"),
                }
            }
            assert_eq!(squares(seat), walked);
            assert_eq!(
                (x, y),
                (5, Square::own_row(seat)),
                "the end lies beside the second rosette"
            );
        }
    }

    #[test]
    fn the_board_is_the_grid_less_four_squares() {
        let all = (-1..9).flat_map(|x| (-1..4).map(move |y| Square { x, y }));
        let on: Vec<_> = all.filter(|square| square.is_on_board()).collect();
        assert_eq!(on.len(), 20);
        for (x, y) in [(4, 0), (5, 0), (4, 2), (5, 2)] {
            assert!(!Square { x, y }.is_on_board());
        }
        let (x, y) = (i64::MIN, i64::MAX);
        assert_eq!(Square { x, y }.cell(Seat::First), None);
        for cell in [0, 15] {
            assert_eq!(Square::of_cell(Seat::First, cell), None);
        }
    }
}
