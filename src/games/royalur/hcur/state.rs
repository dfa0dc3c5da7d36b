//! The game state of hc-ur (seed `002`, "Game state").

use serde::{Deserialize, Serialize};

use crate::diagnostic::{Diagnostic, Source};
use crate::games::royalur::json::JsonFile;
use crate::games::royalur::{UrCell, UrPosition, UrRules};
use crate::rules::{Rules, Seat};

/// Positions of both players' tokens, and whether the game is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a state, which is an object")]
pub struct HcurState {
    /// True if the game is over.
    pub complete: bool,
    /// The tokens of the first seat.
    pub player_1: HcurSide,
    /// The tokens of the second seat.
    pub player_2: HcurSide,
}

/// One player's tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a player's tokens as an object")]
pub struct HcurSide {
    /// The squares of those on the board, in the order of the path.
    pub tokens: Vec<Square>,
    /// Number of tokens that have reached home.
    pub tokens_home: usize,
    /// True if the player has resigned.
    pub resigned: bool,
}

const HELP: &str = "a state is `{complete: false, player_1: {tokens: [{x: 4, y: 1}], tokens_home: 1, resigned: false}, player_2: …}`";

impl HcurState {
    /// Id of the requirement that a state is what its records come to.
    pub const REDUCES: &str = "hc/state/reduces";

    /// The state at a position. `resigned`: who has lost before the end, for which hc-ur has no other word.
    #[must_use]
    pub fn of(position: &UrPosition, resigned: Option<Seat>) -> HcurState {
        let side = |seat| {
            let mut cells: Vec<_> = position.cells(seat).collect();
            cells.sort_unstable();
            let tokens = cells.into_iter();
            HcurSide {
                tokens: tokens
                    .filter_map(|cell| Square::of_cell(seat, cell))
                    .collect(),
                tokens_home: position.out(seat),
                resigned: resigned == Some(seat),
            }
        };
        HcurState {
            complete: resigned.is_some() || UrRules::STANDARD.winner(position).is_some(),
            player_1: side(Seat::First),
            player_2: side(Seat::Second),
        }
    }

    /// The player who has resigned.
    #[must_use]
    pub fn resigned(&self) -> Option<Seat> {
        let sides = [&self.player_1, &self.player_2];
        let mut seats = Seat::BOTH.into_iter().zip(sides);
        seats.find(|(_, side)| side.resigned).map(|(seat, _)| seat)
    }

    /// The state as indented JSON in the seed's shape; without a newline at the end.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a state is JSON")
    }

    /// Reads a state; the order of the tokens is of no account.
    ///
    /// # Errors
    /// The first place that is not of the form, and a list in the place of an object.
    pub fn read(source: &Source) -> Result<HcurState, Diagnostic> {
        let file = JsonFile::new(source, "hc-ur/state")?;
        // The library reads an object out of a list as well.
        let is_due = |(at, _): &(usize, &str)| {
            let before = file.text()[..*at].trim_end().strip_suffix(':');
            before.is_some_and(|before| before.trim_end().ends_with("\"tokens\""))
        };
        let mut lists = file.text().match_indices('[');
        if let Some((_, list)) = lists.find(|list| !is_due(list)) {
            let why = "this is a list where an object is due";
            return Err(file.problem(list, why).help(HELP));
        }
        let mut state: HcurState = file.read().map_err(|problem| problem.help(HELP))?;
        for (seat, side) in [
            (Seat::First, &mut state.player_1),
            (Seat::Second, &mut state.player_2),
        ] {
            side.tokens.sort_by_key(|square| square.cell(seat));
        }
        Ok(state)
    }
}

/// A square as hc-ur names it: column from the left, row from the top, both from 0. It may lie beside the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    expecting = "a square is `{x: 0, y: 2}`: column from the left and row from the top, from 0"
)]
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
    fn what_is_off_the_path_has_no_cell() {
        let (x, y) = (i64::MIN, i64::MAX);
        assert_eq!(Square { x, y }.cell(Seat::First), None);
        for cell in [0, 15] {
            assert_eq!(Square::of_cell(Seat::First, cell), None);
        }
    }
}
