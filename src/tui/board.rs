//! The board, drawn from the picture of the pack.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use super::layout::{Places, margin};
use super::state::ViewerState;
use crate::replay::Frame;
use crate::rules::{
    CellKind, CellSize, Grid, Picture, PictureCell, Seat, Stock, StockKind, Token, TokenPlace,
};

/// Colours that people with any colour vision tell apart; each fact that they show can also be read.
const SEATS: [Color; 2] = [Color::Indexed(214), Color::Indexed(75)];
const ROSETTE: Color = Color::Indexed(176);

/// The characters around a token, by which the seats differ without colour.
const SHAPES: [(char, char); 2] = [('(', ')'), ('[', ']')];

/// The style of a seat.
pub(super) fn style_of(state: &ViewerState, seat: Seat) -> Style {
    let style = Style::new().add_modifier(Modifier::BOLD);
    match state.options.has_colour {
        true => style.fg(SEATS[seat.index()]),
        false => style,
    }
}

/// A text in the shape of a seat's tokens: `(a)`, `[b]`.
pub(super) fn shaped(seat: Seat, text: &str) -> String {
    let (open, close) = SHAPES[seat.index()];
    format!("{open}{text}{close}")
}

/// Marks of one position: what happened in the turn that led to it.
struct Marks<'s> {
    frame: &'s Frame,
    reach: Vec<usize>,
    size: CellSize,
    is_ascii: bool,
    has_path: bool,
}

/// Draws the board with both sides.
pub(super) fn draw(state: &ViewerState, places: &Places, buffer: &mut Buffer) {
    let frame = state.replay.frame();
    let mut picture = frame.picture();
    if state.shown.is_flipped {
        picture = picture.flipped();
    }
    let marks = Marks {
        frame,
        reach: state.replay.reach(frame),
        size: places.cell,
        is_ascii: state.options.is_ascii,
        has_path: state.shown.has_path,
    };
    let Rect { x, y, width, .. } = places.board;
    let mut line = y;
    let mut row = |buffer: &mut Buffer, text: &str, style: Style| {
        buffer.set_stringn(x, line, text, usize::from(width), style);
        line += 1;
    };
    let above = picture.above;
    row(
        buffer,
        &side(&picture, above, width),
        style_of(state, above),
    );
    let left = margin(&picture);
    if !picture.columns.is_empty() {
        let cell = usize::from(places.cell.width) + 1;
        let names = picture.columns.iter().map(|name| format!("{name:^cell$}"));
        let names: String = names.collect();
        row(
            buffer,
            &format!("{:left$} {names}", "", left = usize::from(left)),
            Style::new(),
        );
    }
    let grid = Grid::new(&picture, places.cell);
    let lines = grid.text(state.options.is_ascii);
    let top = line;
    for (number, text) in (top..).zip(&lines) {
        buffer.set_stringn(
            x + left,
            number,
            text,
            usize::from(width - left),
            Style::new(),
        );
    }
    for (number, cell) in picture.cells.iter().enumerate() {
        let (column, row) = grid.corner(cell.column, cell.row);
        let inside = Rect::new(
            x + left + column + 1,
            top + row + 1,
            places.cell.width,
            places.cell.height,
        );
        for ((x, y, text), style) in marks.cell(state, &picture, number).rows(inside) {
            buffer.set_stringn(x, y, text, usize::from(inside.width), style);
        }
        if let Some(name) = picture.rows.get(usize::from(cell.row)) {
            buffer.set_string(
                x,
                top + row + places.cell.height.div_ceil(2),
                name,
                Style::new(),
            );
        }
    }
    line = top + u16::try_from(lines.len()).unwrap_or(u16::MAX);
    let mut row = |buffer: &mut Buffer, text: &str, style: Style| {
        buffer.set_stringn(x, line, text, usize::from(width), style);
        line += 1;
    };
    let below = above.other();
    row(
        buffer,
        &side(&picture, below, width),
        style_of(state, below),
    );
    let common = picture
        .stocks_of(None)
        .map(|stock| format!("  {}: {}", stock.name, stock.list()));
    let common: String = common.collect();
    if !common.is_empty() {
        row(buffer, &common, Style::new());
    }
    let used = line - y;
    let rest = Rect {
        y: line,
        height: places.board.height.saturating_sub(used),
        ..places.board
    };
    cards(&picture, rest, buffer);
}

/// Rows and columns of a card: its name, and the squares around the token that it moves.
const CARD: (u16, u16) = (6, 11);

/// Draws the steps of every card, as its owner sees the board, where there is room for them.
fn cards(picture: &Picture, area: Rect, buffer: &mut Buffer) {
    let is_card = |stock: &&Stock| stock.kind == StockKind::Cards;
    let stocks = picture.stocks.iter().filter(is_card);
    let cards = stocks.flat_map(|stock| stock.items.iter().map(move |item| (stock.owner, item)));
    let cards: Vec<_> = cards.filter(|(_, item)| !item.steps.is_empty()).collect();
    let wide = usize::from(CARD.1) * cards.len();
    if area.height <= CARD.0 || usize::from(area.width) < wide {
        return;
    }
    for (x, (owner, card)) in (area.x..).step_by(usize::from(CARD.1)).zip(cards) {
        let name = match owner {
            Some(seat) => shaped(seat, &card.label),
            None => card.label.clone(),
        };
        buffer.set_stringn(x, area.y + 1, name, usize::from(CARD.1), Style::new());
        let turn = if owner == Some(picture.above) { -1 } else { 1 };
        for (y, forward) in (area.y + 2..).zip([2, 1, 0, -1, -2]) {
            let square = |right: i8| match (forward, right) {
                (0, 0) => "o ",
                step if card.steps.contains(&(step.0 * turn, step.1 * turn)) => "+ ",
                _ => ". ",
            };
            let squares: String = (-2..=2).map(square).collect();
            buffer.set_stringn(x, y, squares, usize::from(CARD.1), Style::new());
        }
    }
}

/// The line of a player: the mark of the turn, the shape, the seat, and what lies on this side of the board; counted where it is too long.
fn side(picture: &Picture, seat: Seat, width: u16) -> String {
    let arrow = if picture.to_move == Some(seat) {
        ">"
    } else {
        " "
    };
    let name = shaped(seat, picture.seats[seat.index()]);
    let line = |list: fn(&Stock) -> String| {
        let stocks = picture.stocks_of(Some(seat)).map(|stock| match stock.name {
            "" => format!("  {}", list(stock)),
            name => format!("  {name}: {}", list(stock)),
        });
        format!("{arrow} {name}{}", stocks.collect::<String>())
    };
    let whole = line(Stock::list);
    match whole.chars().count() <= usize::from(width) {
        true => whole,
        false => line(|stock| stock.items.len().to_string()),
    }
}

/// The text of a cell: upper line with its kind, its name or what was captured; lower line with the token.
struct CellText {
    upper: String,
    lower: String,
    upper_style: Style,
    lower_style: Style,
}

impl CellText {
    /// The rows of the cell that have a text.
    fn rows(&self, inside: Rect) -> impl Iterator<Item = ((u16, u16, &str), Style)> {
        let is_low = inside.height < 2;
        let upper = ((inside.x, inside.y, self.upper.as_str()), self.upper_style);
        let low = inside.y + inside.height / 2;
        let lower = ((inside.x, low, self.lower.as_str()), self.lower_style);
        [(!is_low).then_some(upper), Some(lower)]
            .into_iter()
            .flatten()
    }
}

impl Marks<'_> {
    fn cell(&self, state: &ViewerState, picture: &Picture, number: usize) -> CellText {
        let cell = &picture.cells[number];
        let CellSize { width, height } = self.size;
        let (width, is_low) = (usize::from(width), height < 2);
        let kind = self.kind(cell.kind);
        let at = |place: &Option<TokenPlace>| {
            place.as_ref().and_then(|place| place.cell) == Some(number)
        };
        let change = &self.frame.change;
        let (is_to, is_from) = (at(&change.to), at(&change.from));
        let captured = change.captured.as_ref().filter(|_| is_to);
        let note = match captured {
            Some(token) => format!("x{}", token.label),
            None => cell.name.clone(),
        };
        let way = self.way(picture, number);
        let room = width.saturating_sub(2);
        // A long name, such as "column 3, row 1", has no room; the margins show column and row.
        let note = if note.chars().count() > room {
            String::new()
        } else {
            note
        };
        let upper = format!("{kind}{note:>room$}{way}");
        let lower = match &cell.token {
            Some(token) if is_low => low_token(token, cell, captured.is_some(), is_to, kind),
            Some(token) => {
                let mark = match (is_to, self.reach.contains(&number)) {
                    (true, _) => '>',
                    (false, true) => '+',
                    (false, false) => ' ',
                };
                format!(
                    "{:^width$}",
                    format!("{mark}{}", shaped(token.seat, &token.label))
                )
            }
            None => {
                let mark = match (is_from, self.reach.contains(&number)) {
                    (true, _) => 'o',
                    (false, true) => '+',
                    (false, false) if is_low => kind,
                    (false, false) => ' ',
                };
                format!("{mark:^width$}")
            }
        };
        let mut upper_style = Style::new();
        if state.options.has_colour && cell.kind != CellKind::Plain {
            upper_style = upper_style.fg(ROSETTE);
        }
        let mut lower_style = match &cell.token {
            Some(token) => style_of(state, token.seat),
            None => upper_style,
        };
        if is_to {
            lower_style = lower_style.add_modifier(Modifier::REVERSED);
        }
        CellText {
            upper,
            lower,
            upper_style,
            lower_style,
        }
    }

    fn kind(&self, kind: CellKind) -> char {
        match (kind, self.is_ascii) {
            (CellKind::Plain, _) => ' ',
            (_, true) => '*',
            (CellKind::Rosette, false) => '✿',
            (CellKind::Home(_), false) => '⌂',
        }
    }

    /// The direction of the path from a cell.
    fn way(&self, picture: &Picture, number: usize) -> char {
        if !self.has_path {
            return ' ';
        }
        let next = |path: &Vec<usize>| {
            let at = path.iter().position(|&cell| cell == number)?;
            path.get(at + 1).copied()
        };
        let Some(next) = picture.paths.0.iter().find_map(next) else {
            return ' ';
        };
        let (from, to) = (&picture.cells[number], &picture.cells[next]);
        let arrows = match self.is_ascii {
            true => ['>', '<', 'v', '^'],
            false => ['→', '←', '↓', '↑'],
        };
        match (to.column.cmp(&from.column), to.row.cmp(&from.row)) {
            (std::cmp::Ordering::Greater, _) => arrows[0],
            (std::cmp::Ordering::Less, _) => arrows[1],
            (_, std::cmp::Ordering::Greater) => arrows[2],
            (_, _) => arrows[3],
        }
    }
}

/// A token in a cell with a single row of four columns: mark, shape, number, and the kind of the cell if it has one.
fn low_token(token: &Token, cell: &PictureCell, captures: bool, is_to: bool, kind: char) -> String {
    let (open, close) = SHAPES[token.seat.index()];
    let number = token
        .label
        .trim_start_matches(|c: char| !c.is_ascii_digit());
    let label = if number.is_empty() {
        &token.label
    } else {
        number
    };
    let mark = match (captures, is_to) {
        (true, _) => 'x',
        (false, true) => '>',
        (false, false) => ' ',
    };
    let end = if cell.kind == CellKind::Plain {
        close
    } else {
        kind
    };
    format!("{mark}{open}{label}{end}")
}
