//! The game state of hc-ur (seed `002`, "Game state").

use serde::Deserialize;

use crate::diagnostic::{Diagnostics, Source};
use crate::games::royalur::json::{JsonFile, Part};
use crate::games::royalur::{TOKENS, UrCell, UrPosition, UrRules};
use crate::rules::{PerSeat, Rules, Seat};

/// The names of the two sides, in the order of the seats.
const NAMES: [&str; 2] = ["player_1", "player_2"];

/// Positions of both players' tokens, and whether the game is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HcurState {
    /// True if the game is over.
    pub complete: bool,
    /// Player 1 in the first seat, player 2 in the second.
    pub sides: PerSeat<HcurSide>,
}

/// One player's tokens.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HcurSide {
    /// The squares of those on the board, in the order of the path.
    pub tokens: Vec<Square>,
    /// Number of tokens that have reached home.
    pub tokens_home: usize,
    /// True if the player has resigned.
    pub resigned: bool,
}

impl HcurSide {
    fn new(seat: Seat, mut cells: Vec<UrCell>, tokens_home: usize, resigned: bool) -> HcurSide {
        cells.sort_unstable();
        let squares = cells.into_iter();
        HcurSide {
            tokens: squares
                .filter_map(|cell| Square::of_cell(seat, cell))
                .collect(),
            tokens_home,
            resigned,
        }
    }
}

/// A state as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a state, which is an object")]
struct StateForm<'f> {
    complete: bool,
    #[serde(borrow)]
    player_1: Part<'f, SideForm<'f>>,
    player_2: Part<'f, SideForm<'f>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a player's tokens as an object")]
struct SideForm<'f> {
    #[serde(borrow)]
    tokens: Vec<Part<'f, Square>>,
    tokens_home: usize,
    resigned: bool,
}

const HELP: &str = "a state is `{complete: false, player_1: {tokens: [{x: 4, y: 1}], tokens_home: 1, resigned: false}, player_2: …}`";

impl HcurState {
    /// Id of the requirement that a state is what its records come to.
    pub const REDUCES: &str = "hc/state/reduces";

    /// The state at a position. `resigned`: who has lost before the end, for which hc-ur has no other word.
    #[must_use]
    pub fn of(position: &UrPosition, resigned: Option<Seat>) -> HcurState {
        let side = |seat| {
            let cells = position.cells(seat).collect();
            HcurSide::new(seat, cells, position.out(seat), resigned == Some(seat))
        };
        HcurState {
            complete: resigned.is_some() || UrRules::STANDARD.winner(position).is_some(),
            sides: PerSeat(Seat::BOTH.map(side)),
        }
    }

    /// The state as JSON in the seed's shape, a line for each member; without a newline at the end.
    #[must_use]
    pub fn to_json(&self) -> String {
        let side = |seat: Seat| {
            let side = &self.sides[seat];
            let tokens = side.tokens.iter();
            let tokens: Vec<_> = tokens
                .map(|Square { x, y }| format!("{{\"x\": {x}, \"y\": {y}}}"))
                .collect();
            format!(
                "  \"{}\": {{\n    \"tokens\": [{}],\n    \"tokens_home\": {},\n    \"resigned\": {}\n  }}",
                NAMES[seat.index()],
                tokens.join(", "),
                side.tokens_home,
                side.resigned
            )
        };
        let sides = Seat::BOTH.map(side).join(",\n");
        format!("{{\n  \"complete\": {},\n{sides}\n}}", self.complete)
    }

    /// Reads a state; the order of the tokens is of no account.
    ///
    /// # Errors
    /// The first place that is not of the form, or everything that cannot be: a square off the player's path, two tokens on one square,
    /// more than seven tokens.
    pub fn read(source: &Source) -> Result<HcurState, Diagnostics> {
        let file = JsonFile::new(source, "hc-ur/state")?;
        let form: Part<'_, StateForm<'_>> = file.read()?;
        let text = form.text;
        let form = form.object();
        let form = form.map_err(|why| file.problem(text, why).help(HELP))?;
        let mut problems = Diagnostics::new();
        let mut problem = |part: &str, title: String| {
            problems.push(file.problem(part, title).help(HELP));
        };
        let mut side = |seat: Seat, part: Part<'_, SideForm<'_>>| {
            let name = NAMES[seat.index()];
            let (text, mut cells) = (part.text, Vec::new());
            let form = match part.object() {
                Ok(form) => form,
                Err(why) => {
                    problem(text, format!("{name}: {why}"));
                    return HcurSide::default();
                }
            };
            for token in form.tokens {
                let text = token.text;
                let title = match token.object().map(|square| (square, square.cell(seat))) {
                    Err(why) => why,
                    Ok((square, None)) => format!("{square} is no square of the path of {name}"),
                    Ok((square, Some(cell))) if cells.contains(&cell) => {
                        format!("two tokens of {name} stand on {square}")
                    }
                    Ok((_, Some(cell))) => {
                        cells.push(cell);
                        continue;
                    }
                };
                problem(text, title);
            }
            if cells.len().saturating_add(form.tokens_home) > TOKENS {
                let title = format!("{name} has more than {TOKENS} tokens");
                problem(text, title);
            }
            HcurSide::new(seat, cells, form.tokens_home, form.resigned)
        };
        let [own, other] = [
            side(Seat::First, form.player_1),
            side(Seat::Second, form.player_2),
        ];
        let mut shared = own.tokens.iter();
        if let Some(shared) = shared.find(|square| other.tokens.contains(square)) {
            let title = format!("both players have a token on {shared}");
            problem(file.text(), title);
        }
        match problems.has_errors() {
            true => Err(problems),
            false => Ok(HcurState {
                complete: form.complete,
                sides: PerSeat([own, other]),
            }),
        }
    }
}

/// A square as hc-ur names it: column from the left, row from the top, both from 0. It may lie beside the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
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
