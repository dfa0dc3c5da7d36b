//! A position as data: cells, tokens, and what lies next to the board. Every drawing of a game starts here, and a game draws
//! nothing itself.

mod change;
mod text;

pub use change::{PictureChange, TokenPlace};

use schemars::JsonSchema;
use serde::Serialize;

use super::Seat;

/// A position as data, for whoever draws it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Picture {
    /// The names of the seats.
    #[serde(skip)]
    pub seats: [&'static str; 2],
    /// The player on turn; `None` after the end.
    pub to_move: Option<Seat>,
    /// The seat whose side is above the board.
    pub above: Seat,
    /// The cells of the board, in any order.
    pub cells: Vec<PictureCell>,
    /// Names of the columns, from left to right; empty if cells are not named by them.
    pub columns: Vec<String>,
    /// Names of the rows, from the top down; empty if cells are not named by them.
    pub rows: Vec<String>,
    /// Tokens and cards next to the board.
    pub stocks: Vec<Stock>,
}

/// A cell of the board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PictureCell {
    /// Its name in moves and descriptions: `c5`, or `6`.
    pub name: String,
    /// Its column, from 0 at the left.
    pub column: u16,
    /// Its row, from 0 at the top.
    pub row: u16,
    /// Its kind.
    pub kind: CellKind,
    /// The only player whose tokens come here; `None` for a shared cell.
    pub owner: Option<Seat>,
    /// The token on it.
    pub token: Option<Token>,
}

impl PictureCell {
    /// A plain cell of both players.
    #[must_use]
    pub fn new(name: String, column: u16, row: u16, token: Option<Token>) -> PictureCell {
        PictureCell {
            name,
            column,
            row,
            kind: CellKind::Plain,
            owner: None,
            token,
        }
    }
}

/// Kind of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CellKind {
    /// A cell without a meaning of its own.
    Plain,
    /// A cell that gives another turn.
    Rosette,
    /// The home of a player, such as a temple.
    Home(Seat),
}

/// A token on the board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Token {
    /// Its owner.
    pub seat: Seat,
    /// Its name in one or two characters, which also tells the owner: `a3`, `T`.
    pub label: String,
    /// Its name in a sentence: `token 3`, `the Master`.
    #[serde(skip)]
    pub name: String,
}

impl Token {
    /// A token of this player with this label and this name.
    #[must_use]
    pub fn new(seat: Seat, label: impl Into<String>, name: impl Into<String>) -> Token {
        let (label, name) = (label.into(), name.into());
        Token { seat, label, name }
    }
}

/// Tokens or cards next to the board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Stock {
    /// Its owner; `None` for what belongs to nobody.
    pub owner: Option<Seat>,
    /// Its name: `start`; empty for the cards in a hand.
    pub name: &'static str,
    /// Its name in one to three characters, for short notation.
    pub short: &'static str,
    /// Kind of its items.
    pub kind: StockKind,
    /// The items.
    pub items: Vec<StockItem>,
    /// Columns of text that a full stock takes; 0 if nothing follows it.
    #[serde(skip)]
    pub room: usize,
}

/// Kind of the items of a stock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum StockKind {
    /// Tokens, which go to the board or come from it.
    Tokens,
    /// Cards, which allow moves.
    Cards,
}

/// A token or a card next to the board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StockItem {
    /// Its name: `b4`, `Rabbit`.
    pub label: String,
    /// The steps that a card allows: cells forward and cells to the right, as the player below the board sees them.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    pub steps: &'static [(i8, i8)],
}

impl Picture {
    /// An empty board of a game with these seats; the second seat sits above.
    #[must_use]
    pub fn new(seats: [&'static str; 2], to_move: Seat) -> Picture {
        Picture {
            seats,
            to_move: Some(to_move),
            above: Seat::Second,
            cells: Vec::new(),
            columns: Vec::new(),
            rows: Vec::new(),
            stocks: Vec::new(),
        }
    }

    /// A board of plain cells, so many columns by so many rows, with the tokens on it by column and row, from 0 at the upper left. Columns
    /// are numbered from 1.
    #[must_use]
    pub fn board(
        seats: [&'static str; 2],
        to_move: Seat,
        [columns, rows]: [u16; 2],
        token: impl Fn(u16, u16) -> Option<Token>,
    ) -> Picture {
        let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        let cells = places.map(|(column, row)| {
            let name = format!("column {}, row {}", column + 1, rows - row);
            PictureCell::new(name, column, row, token(column, row))
        });
        Picture {
            cells: cells.collect(),
            columns: (1..=columns).map(|number| number.to_string()).collect(),
            ..Picture::new(seats, to_move)
        }
    }

    /// The stocks of an owner, or of nobody.
    pub fn stocks_of(&self, owner: Option<Seat>) -> impl Iterator<Item = &Stock> {
        self.stocks.iter().filter(move |stock| stock.owner == owner)
    }

    /// Returns the position as seen from the other side: the board is turned by half a turn.
    #[must_use]
    pub fn flipped(mut self) -> Picture {
        let last = |of: fn(&PictureCell) -> u16| self.cells.iter().map(of).max().unwrap_or(0);
        let (columns, rows) = (last(|cell| cell.column), last(|cell| cell.row));
        for cell in &mut self.cells {
            (cell.column, cell.row) = (columns - cell.column, rows - cell.row);
        }
        self.columns.reverse();
        self.rows.reverse();
        self.above = self.above.other();
        self
    }
}

impl Stock {
    /// Tokens of a player next to the board.
    #[must_use]
    pub fn tokens(owner: Seat, name: &'static str, short: &'static str) -> Stock {
        Stock {
            owner: Some(owner),
            name,
            short,
            kind: StockKind::Tokens,
            items: Vec::new(),
            room: 0,
        }
    }

    /// Cards of a player, or of nobody.
    #[must_use]
    pub fn cards(owner: Option<Seat>, name: &'static str) -> Stock {
        Stock {
            owner,
            name,
            short: name,
            kind: StockKind::Cards,
            items: Vec::new(),
            room: 0,
        }
    }

    /// The names of its items, or `-` if it is empty.
    #[must_use]
    pub fn list(&self) -> String {
        let labels: Vec<_> = self.items.iter().map(|item| item.label.as_str()).collect();
        match labels.as_slice() {
            [] => "-".to_owned(),
            labels => labels.join(" "),
        }
    }
}

/// Size of a cell without its borders, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellSize {
    /// Columns of text.
    pub width: u16,
    /// Rows of text.
    pub height: u16,
}

const UP: u8 = 1;
const DOWN: u8 = 2;
const LEFT: u8 = 4;
const RIGHT: u8 = 8;

/// Box characters by the directions in which lines leave them.
const BOX: [char; 16] = [
    ' ', '│', '│', '│', '─', '┘', '┐', '┤', '─', '└', '┌', '├', '─', '┴', '┬', '┼',
];

/// The borders of all cells of a picture.
#[derive(Debug)]
pub struct Grid {
    size: CellSize,
    columns: u16,
    rows: u16,
    /// The directions in which lines leave each character.
    lines: Vec<u8>,
}

impl Grid {
    /// The borders of the cells of a picture.
    #[must_use]
    pub fn new(picture: &Picture, size: CellSize) -> Grid {
        let (columns, rows) = Grid::extent(picture, size);
        let lines = vec![0; usize::from(columns) * usize::from(rows)];
        let mut grid = Grid {
            size,
            columns,
            rows,
            lines,
        };
        for cell in &picture.cells {
            let (left, top) = grid.corner(cell.column, cell.row);
            let (right, bottom) = (left + size.width + 1, top + size.height + 1);
            for y in [top, bottom] {
                (left..right).for_each(|x| grid.add(x, y, RIGHT));
                (left + 1..=right).for_each(|x| grid.add(x, y, LEFT));
            }
            for x in [left, right] {
                (top..bottom).for_each(|y| grid.add(x, y, DOWN));
                (top + 1..=bottom).for_each(|y| grid.add(x, y, UP));
            }
        }
        grid
    }

    /// Columns and rows of text that the board of a picture takes.
    #[must_use]
    pub fn extent(picture: &Picture, size: CellSize) -> (u16, u16) {
        let cells = picture.cells.iter();
        let columns = cells.clone().map(|cell| cell.column + 1).max().unwrap_or(0);
        let rows = cells.map(|cell| cell.row + 1).max().unwrap_or(0);
        (columns * (size.width + 1) + 1, rows * (size.height + 1) + 1)
    }

    fn add(&mut self, x: u16, y: u16, direction: u8) {
        self.lines[usize::from(y) * usize::from(self.columns) + usize::from(x)] |= direction;
    }

    /// The upper left corner of a cell's border.
    #[must_use]
    pub fn corner(&self, column: u16, row: u16) -> (u16, u16) {
        (column * (self.size.width + 1), row * (self.size.height + 1))
    }

    /// The lines of text, from the top down, with nothing in the cells.
    #[must_use]
    pub fn text(&self, is_ascii: bool) -> Vec<String> {
        let character = |&lines: &u8| match lines {
            _ if !is_ascii => BOX[usize::from(lines)],
            0 => ' ',
            _ if lines & (UP | DOWN) == 0 => '-',
            _ if lines & (LEFT | RIGHT) == 0 => '|',
            _ => '+',
        };
        let rows = self.lines.chunks(usize::from(self.columns));
        rows.take(usize::from(self.rows))
            .map(|row| row.iter().map(character).collect())
            .collect()
    }
}
