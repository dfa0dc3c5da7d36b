//! The lines between the cells of a board, for any size of cell.

use super::Picture;

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
