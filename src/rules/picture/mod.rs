//! A position as data: cells, tokens, and what lies next to the board. Every drawing of a game starts here, and a game draws
//! nothing itself.

mod change;
mod grid;
mod text;

pub use change::{PictureChange, TokenPlace};
pub use grid::{CellSize, Grid};

use super::Seat;

/// A position as data, for whoever draws it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// The names of the seats.
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
#[derive(Debug, Clone, PartialEq, Eq)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellKind {
    /// A cell without a meaning of its own.
    Plain,
    /// A cell that gives another turn.
    Rosette,
    /// The home of a player, such as a temple.
    Home(Seat),
}

/// A token on the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Its owner.
    pub seat: Seat,
    /// Its name in one or two characters, which also tells the owner: `a3`, `T`.
    pub label: String,
}

/// Tokens or cards next to the board.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    pub room: usize,
}

/// Kind of the items of a stock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StockKind {
    /// Tokens, which go to the board or come from it.
    Tokens,
    /// Cards, which allow moves.
    Cards,
}

/// A token or a card next to the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StockItem {
    /// Its name: `b4`, `Rabbit`.
    pub label: String,
    /// The steps that a card allows: cells forward and cells to the right, as the player below the board sees them.
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
