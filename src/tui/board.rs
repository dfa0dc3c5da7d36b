//! The board, drawn from the picture of the pack.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use super::layout::Places;
use super::state::ViewerState;
use crate::replay::Frame;
use crate::rules::{CellKind, CellSize, Picture, Seat, Stock, StockKind, Token, TokenPlace};

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

/// Draws the board with both sides.
pub(super) fn draw(state: &ViewerState, places: &Places, buffer: &mut Buffer) {
    let frame = state.replay.frame();
    let mut picture = frame.picture();
    if state.is_flipped {
        picture = picture.flipped();
    }
    let Rect { x, y, width, .. } = places.board;
    let mut below = y;
    let mut put = |column: u16, row: u16, text: &str, seat: Option<Seat>| {
        let style = seat.map_or(Style::new(), |seat| style_of(state, seat));
        let room = usize::from(width.saturating_sub(column));
        buffer.set_stringn(x + column, y + row, text, room, style);
        below = below.max(y + row + 1);
    };
    let is_ascii = state.options.is_ascii;
    let corner = picture.frame(places.cell, usize::from(width), is_ascii, &mut put);
    let position = Position {
        state,
        picture: &picture,
        frame,
        reach: state.replay.reach(frame),
    };
    let CellSize { width, height } = places.cell;
    for (number, cell) in picture.cells.iter().enumerate() {
        let (column, row) = corner(cell);
        let inside = Rect::new(x + column, y + row, width, height);
        position.draw_cell(number, inside, buffer);
    }
    let rest = Rect {
        y: below,
        height: (y + places.board.height).saturating_sub(below),
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

/// A position, with what happened in the turn that led to it.
struct Position<'s> {
    state: &'s ViewerState,
    picture: &'s Picture,
    frame: &'s Frame,
    /// The other cells that the token could have reached.
    reach: Vec<usize>,
}

impl Position<'_> {
    /// Draws a cell: in the upper line its kind, its name or what was captured; in the middle the token. A low cell has one line.
    fn draw_cell(&self, number: usize, inside: Rect, buffer: &mut Buffer) {
        let (cell, state) = (&self.picture.cells[number], self.state);
        let (width, is_low) = (usize::from(inside.width), inside.height < 2);
        let kind = match (cell.kind, state.options.is_ascii) {
            (CellKind::Plain, _) => ' ',
            (_, true) => '*',
            (CellKind::Rosette, false) => '✿',
            (CellKind::Home(_), false) => '⌂',
        };
        let change = &self.frame.change;
        let is_at = |place: &Option<TokenPlace>| {
            place.as_ref().and_then(|place| place.cell) == Some(number)
        };
        let (is_to, is_from) = (is_at(&change.to), is_at(&change.from));
        let is_reached = self.reach.contains(&number);
        let captured = change.captured.as_ref().filter(|_| is_to);
        let mut plain = Style::new();
        if state.options.has_colour && cell.kind != CellKind::Plain {
            plain = plain.fg(ROSETTE);
        }
        if !is_low {
            let mut note = captured.map_or(cell.name.clone(), |token| format!("x{}", token.label));
            let room = width.saturating_sub(2);
            // A long name, such as "column 3, row 1", has no room; the margins show column and row.
            if note.chars().count() > room {
                note.clear();
            }
            let upper = format!("{kind}{note:>room$}");
            buffer.set_stringn(inside.x, inside.y, upper, width, plain);
        }
        let (text, mut style) = match &cell.token {
            Some(token) if is_low => {
                let text = low_token(token, captured.is_some(), is_to, kind);
                (text, style_of(state, token.seat))
            }
            Some(token) => {
                let mark = match (is_to, is_reached) {
                    (true, _) => '>',
                    (false, true) => '+',
                    (false, false) => ' ',
                };
                let text = format!("{mark}{}", shaped(token.seat, &token.label));
                (text, style_of(state, token.seat))
            }
            None => {
                let mark = match (is_from, is_reached) {
                    (true, _) => 'o',
                    (false, true) => '+',
                    (false, false) if is_low => kind,
                    (false, false) => ' ',
                };
                (mark.to_string(), plain)
            }
        };
        if is_to {
            style = style.add_modifier(Modifier::REVERSED);
        }
        let row = inside.y + inside.height / 2;
        buffer.set_stringn(inside.x, row, format!("{text:^width$}"), width, style);
    }
}

/// A token in a cell with a single row of four columns: mark, shape, number, and the kind of the cell if it has one.
fn low_token(token: &Token, captures: bool, is_to: bool, kind: char) -> String {
    let (open, close) = SHAPES[token.seat.index()];
    let number = token
        .label
        .trim_start_matches(|c: char| !c.is_ascii_digit());
    let label = match number {
        "" => &token.label,
        number => number,
    };
    let mark = match (captures, is_to) {
        (true, _) => 'x',
        (false, true) => '>',
        (false, false) => ' ',
    };
    let end = if kind == ' ' { close } else { kind };
    format!("{mark}{open}{label}{end}")
}
