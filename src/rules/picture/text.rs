//! A picture as lines of plain text, for findings and for print.

use super::{CellKind, CellSize, Grid, Picture, PictureCell};
use crate::rules::Seat;

impl Picture {
    /// Draws the position in ASCII; lines with a newline each. `>` marks the player on turn, `*` an empty cell with a meaning of its own.
    #[must_use]
    pub fn text(&self) -> String {
        let label = |cell: &PictureCell| match (&cell.token, cell.kind) {
            (Some(token), _) => token.label.clone(),
            (None, CellKind::Plain) => String::new(),
            (None, CellKind::Rosette | CellKind::Home(_)) => "*".to_owned(),
        };
        let stocks = self.stocks.iter().filter(|stock| stock.room > 0);
        let stocked = stocks.flat_map(|stock| &stock.items);
        let labels = stocked.map(|item| item.label.clone());
        let labels = labels.chain(self.cells.iter().map(label));
        let longest = labels.map(|label| label.chars().count()).max();
        let longest = longest.unwrap_or_default().max(1);
        let size = CellSize {
            width: u16::try_from(longest).unwrap_or(u16::MAX) + 2,
            height: 1,
        };
        let grid = Grid::new(self, size);
        let mut board: Vec<Vec<char>> = grid
            .text(true)
            .iter()
            .map(|line| line.chars().collect())
            .collect();
        for cell in &self.cells {
            let (x, y) = grid.corner(cell.column, cell.row);
            for (offset, character) in label(cell).chars().enumerate() {
                board[usize::from(y) + 1][usize::from(x) + 2 + offset] = character;
            }
        }
        let mut text = self.side(self.above);
        let margin = if self.rows.is_empty() { "" } else { "    " };
        if !self.columns.is_empty() {
            let width = usize::from(size.width) + 1;
            let names = self.columns.iter().map(|name| format!("{name:<width$}"));
            let line = format!("{margin}  {}", names.collect::<String>());
            text += line.trim_end();
            text.push('\n');
        }
        let row_lines = self.row_lines();
        for (number, line) in board.iter().enumerate() {
            let line: String = line.iter().collect();
            let is_named = number % 2 == 1 && !self.rows.is_empty();
            text += &match self.rows.get(number / 2).filter(|_| is_named) {
                Some(name) => format!("  {name} {line}"),
                None => format!("{margin}{line}"),
            };
            if number == row_lines {
                for stock in self.stocks_of(None) {
                    text += &format!("   {}: {}", stock.name, stock.list());
                }
            }
            text.push('\n');
        }
        text.push_str(&self.side(self.above.other()));
        text
    }

    /// The line of the board next to which the stocks of nobody are written: that of the middle row.
    fn row_lines(&self) -> usize {
        let rows = self.cells.iter().map(|cell| cell.row + 1).max();
        usize::from(rows.unwrap_or(0)) / 2 * 2 + 1
    }

    /// The line of a player: the mark of the turn, the name, and what lies on this side of the board.
    #[must_use]
    pub fn side(&self, seat: Seat) -> String {
        let arrow = if self.to_move == Some(seat) { ">" } else { " " };
        let width = self.seats.map(str::len).into_iter().max().unwrap_or(0);
        let mut line = format!("{arrow} {:<width$}", self.seats[seat.index()]);
        for stock in self.stocks_of(Some(seat)) {
            let room = stock.room;
            let list = stock.list();
            line += &match stock.name {
                "" => format!("  {list:<room$}"),
                name => format!("  {name}: {list:<room$}"),
            };
        }
        format!("{}\n", line.trim_end())
    }
}
