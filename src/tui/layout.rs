//! The places of all parts of the viewer, for any size of the terminal.

use ratatui::layout::Rect;

use super::state::ViewerState;
use crate::rules::{CellSize, Grid, Picture};

/// Part of the viewer next to the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pane {
    /// The turns, one per line.
    Moves,
    /// The lines of every lane.
    Lanes,
    /// The legal moves at the position that is shown.
    Legal,
    /// The result, the finding, and notes of the judge.
    Notes,
}

impl Pane {
    /// Every pane, in the order of Tab.
    pub(super) const ALL: [Pane; 4] = [Pane::Moves, Pane::Lanes, Pane::Legal, Pane::Notes];

    /// Its title.
    pub(super) fn title(self) -> &'static str {
        match self {
            Pane::Moves => "moves",
            Pane::Lanes => "lanes",
            Pane::Legal => "legal",
            Pane::Notes => "notes",
        }
    }
}

/// The places of all parts.
#[derive(Debug)]
pub(super) struct Places {
    /// Game and players.
    pub heading: Rect,
    /// The board with its sides; empty if the terminal is too small for it.
    pub board: Rect,
    /// Size of a cell of the board.
    pub cell: CellSize,
    /// The panes that are shown, without their titles.
    pub panes: Vec<(Pane, Rect)>,
    /// Description of the turn.
    pub caption: Rect,
    /// Turn, prompts and keys.
    pub status: Rect,
}

/// Sizes of cells, the largest first.
const CELLS: [(u16, u16); 5] = [(11, 5), (9, 4), (7, 3), (5, 2), (4, 1)];

/// The fewest columns of a pane.
const NARROWEST: u16 = 12;

/// Columns and rows from which two panes, and from which all of them, are shown.
const TWO: (u16, u16) = (26, 24);
const ALL: (u16, u16) = (70, 30);

/// Rows above and below the cells: names of columns, both sides, stocks of nobody.
pub(super) fn rows_around(picture: &Picture) -> u16 {
    let is_named = u16::from(!picture.columns.is_empty());
    let has_middle = u16::from(picture.stocks_of(None).next().is_some());
    2 + is_named + has_middle
}

/// The places of all parts in an area.
pub(super) fn places(state: &ViewerState, area: Rect) -> Places {
    let picture = state.replay.frame().picture();
    let row = |y: u16, height: u16| Rect::new(area.x, area.y + y, area.width, height);
    let (first, last) = (area.height.min(1), u16::from(area.height >= 3));
    let caption = match area.height {
        0..10 => 0,
        10..40 => 2,
        _ => 3,
    };
    let main = area.height - first - last - caption;
    let (columns, rows) = (
        area.width.saturating_sub((area.width * 3 / 10).max(18)),
        main,
    );
    let around = rows_around(&picture);
    let fits = |&(width, height): &(u16, u16)| {
        let (wide, high) = Grid::extent(&picture, CellSize { width, height });
        wide.saturating_add(picture.margin()) <= columns && high.saturating_add(around) <= rows
    };
    let has_board = !picture.cells.is_empty();
    let found = CELLS.into_iter().find(fits).filter(|_| has_board);
    let (width, height) = found.unwrap_or((0, 0));
    let cell = CellSize { width, height };
    let wide = found.map_or(0, |_| {
        let wide = Grid::extent(&picture, cell).0 + picture.margin();
        // The names of the cards in a hand are wider than a small board.
        wide.max(columns.min(36))
    });
    let board = Rect {
        width: wide,
        ..row(first, main)
    };
    let left = wide + u16::from(wide > 0);
    let beside = Rect {
        x: area.x + left,
        width: area.width.saturating_sub(left),
        ..board
    };
    Places {
        heading: row(0, first),
        board,
        cell,
        panes: panes(state.pane, beside),
        caption: row(first + main, caption),
        status: row(area.height - last, last),
    }
}

/// The panes that an area shows, without their titles.
fn panes(focus: Pane, area: Rect) -> Vec<(Pane, Rect)> {
    if area.width < NARROWEST || area.height < 2 {
        return Vec::new();
    }
    let below_title = |rect: Rect| Rect {
        y: rect.y + 1,
        height: rect.height - 1,
        ..rect
    };
    let (half_wide, half_high) = (area.width / 2, area.height / 2);
    let part = |x: u16, y: u16, width: u16, height: u16| {
        below_title(Rect::new(area.x + x, area.y + y, width, height))
    };
    let (right, low) = (area.width - half_wide, area.height - half_high);
    if area.width >= ALL.0 && area.height >= ALL.1 {
        return vec![
            (Pane::Moves, part(0, 0, half_wide - 1, half_high)),
            (Pane::Lanes, part(half_wide, 0, right, half_high)),
            (Pane::Legal, part(0, half_high, half_wide - 1, low)),
            (Pane::Notes, part(half_wide, half_high, right, low)),
        ];
    }
    if area.width >= TWO.0 && area.height >= TWO.1 {
        let other = if focus == Pane::Moves {
            Pane::Lanes
        } else {
            focus
        };
        return vec![
            (Pane::Moves, part(0, 0, area.width, half_high)),
            (other, part(0, half_high, area.width, low)),
        ];
    }
    vec![(focus, below_title(area))]
}

/// The first turn of a list of moves with so many rows, so that the turn that is shown is in its middle.
pub(super) fn first_turn(at: usize, last: usize, rows: u16) -> usize {
    let rows = usize::from(rows);
    at.saturating_sub(rows / 2)
        .min((last + 1).saturating_sub(rows))
}
