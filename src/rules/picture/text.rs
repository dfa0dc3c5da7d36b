//! A picture as lines of plain text, for findings and for print.

use super::{CellKind, CellSize, Grid, Picture, PictureCell, Stock};
use crate::rules::Seat;

/// Takes the column and the row of a text, the text, and the seat of a side.
type PutText<'p> = dyn FnMut(u16, u16, &str, Option<Seat>) + 'p;

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
        let mut lines: Vec<Vec<char>> = Vec::new();
        let mut put = |column: u16, row: u16, text: &str, _: Option<Seat>| {
            let (start, row) = (usize::from(column), usize::from(row));
            let end = start + text.chars().count();
            lines.resize(lines.len().max(row + 1), Vec::new());
            let line = &mut lines[row];
            line.resize(line.len().max(end), ' ');
            line.splice(start..end, text.chars());
        };
        let corner = self.frame(size, usize::MAX, true, &mut put);
        for cell in &self.cells {
            let (column, row) = corner(cell);
            put(column + 1, row, &label(cell), None);
        }
        let line = |line: &Vec<char>| format!("{}\n", String::from_iter(line).trim_end());
        lines.iter().map(line).collect()
    }

    /// Columns to the left of the cells.
    #[must_use]
    pub fn margin(&self) -> u16 {
        let widest = self.rows.iter().map(|name| name.chars().count()).max();
        widest.map_or(0, |widest| {
            u16::try_from(widest).unwrap_or(u16::MAX).saturating_add(1)
        })
    }

    /// Puts everything but the content of the cells: both sides, the names of columns and rows, the borders, and the stocks of nobody.
    /// A side takes at most `width` columns, if it can. Returns where the inside of a
    /// cell begins.
    pub fn frame(
        &self,
        size: CellSize,
        width: usize,
        is_ascii: bool,
        put: &mut PutText<'_>,
    ) -> impl Fn(&PictureCell) -> (u16, u16) + use<> {
        let (left, grid) = (self.margin(), Grid::new(self, size));
        put(0, 0, &self.side(self.above, width), Some(self.above));
        let mut top = 1;
        if !self.columns.is_empty() {
            let cell = usize::from(size.width) + 1;
            let names = self.columns.iter().map(|name| format!("{name:^cell$}"));
            put(left + 1, top, &names.collect::<String>(), None);
            top += 1;
        }
        let mut below = top;
        for line in grid.text(is_ascii) {
            put(left, below, &line, None);
            below += 1;
        }
        let corner = move |cell: &PictureCell| {
            let (column, row) = grid.corner(cell.column, cell.row);
            (left + column + 1, top + row + 1)
        };
        for cell in &self.cells {
            if let Some(name) = self.rows.get(usize::from(cell.row)) {
                let (_, row) = corner(cell);
                put(0, row + size.height.div_ceil(2) - 1, name, None);
            }
        }
        let other = self.above.other();
        put(0, below, &self.side(other, width), Some(other));
        let common = self.stocks_of(None);
        let common = common.map(|stock| format!("  {}: {}", stock.name, stock.list()));
        let common: String = common.collect();
        if !common.is_empty() {
            put(0, below + 1, &common, None);
        }
        corner
    }

    /// The line of a player: the mark of the turn, the name, and what lies on this side of the board. Stocks are lists in columns; where `width` has
    /// no room for that, lists, or else numbers of items.
    fn side(&self, seat: Seat, width: usize) -> String {
        let arrow = if self.to_move == Some(seat) { ">" } else { " " };
        let longest = self.seats.map(str::len).into_iter().max().unwrap_or(0);
        let name = format!("{arrow} {:<longest$}", self.seats[seat.index()]);
        let with = |list: fn(&Stock) -> String| {
            let stocks = self.stocks_of(Some(seat)).map(|stock| match stock.name {
                "" => format!("  {}", list(stock)),
                name => format!("  {name}: {}", list(stock)),
            });
            name.clone() + &stocks.collect::<String>()
        };
        let in_columns = with(|stock| format!("{:<room$}", stock.list(), room = stock.room));
        let fits = |line: &String| line.trim_end().chars().count() <= width;
        let mut lines = [in_columns, with(Stock::list)].into_iter();
        let counted = || with(|stock| stock.items.len().to_string());
        lines.find(fits).unwrap_or_else(counted)
    }
}
