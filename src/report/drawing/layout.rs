//! Where the parts of a drawing are.

use std::fmt::Write;

use super::items::{CARD, Item, ROSETTE, SHAPES};
use super::text::escaped;
use crate::rules::{CellKind, Picture, PictureCell, Seat, Stock, StockKind};

/// Width and height of a cell, in the units of the drawing.
const CELL: u32 = 56;
/// Free space around everything.
pub(super) const MARGIN: u32 = 14;
/// Space of the names of columns and rows.
const NAMES: u32 = 20;
/// Height of a line of text or of tokens next to the board.
const LINE: u32 = 32;
/// Distance of tokens next to the board.
const STEP: u32 = 25;
/// Space of the name of a stock.
const STOCK_NAME: u32 = 38;
/// Width and height of a card with its name.
const CARD_SIZE: (u32, u32) = (80, 88);
/// The most characters of a name that are drawn.
const NAME: usize = 30;

/// A place that shows an item or nothing: a cell, or a place in a stock.
#[derive(Debug)]
pub(in crate::report) struct Slot {
    x: u32,
    y: u32,
    /// Width and height of the item.
    pub(in crate::report) side: u32,
    /// Name of the cell or of the stock.
    pub(in crate::report) name: String,
    pub(in crate::report) kind: SlotKind,
}

/// The part of the picture in which a place lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::report) enum SlotKind {
    /// The board.
    Cell,
    /// A stock of this player, or of nobody.
    Stock(Option<Seat>),
}

impl Slot {
    /// Left upper corner of the item.
    pub(in crate::report) fn corner(&self) -> (u32, u32) {
        (self.x, self.y)
    }

    /// Middle of the item.
    pub(super) fn middle(&self) -> (u32, u32) {
        (self.x + self.side / 2, self.y + self.side / 2)
    }
}

/// A board with everything that does not change during a game, and with room for all that comes next to it.
#[derive(Debug)]
pub(in crate::report) struct BoardDrawing {
    /// Width in the units of the drawing.
    pub(in crate::report) width: u32,
    /// Height in the units of the drawing.
    pub(in crate::report) height: u32,
    /// Elements that do not change.
    pub(super) fixed: String,
    /// Height of the line of each player.
    pub(super) names_at: [u32; 2],
    /// The places: first the cells, by their numbers in the picture.
    pub(in crate::report) slots: Vec<Slot>,
    /// The items that are seen in the game; 1 is the first.
    pub(in crate::report) items: Vec<Item>,
    /// Number of places of each stock.
    rooms: Vec<usize>,
}

impl BoardDrawing {
    /// The board of a game with these positions.
    ///
    /// # Panics
    /// If there is no position.
    pub(in crate::report) fn new(names: &[String; 2], positions: &[Picture]) -> BoardDrawing {
        BoardDrawing::with_items(names, positions, Vec::new())
    }

    /// The board of a game with these positions, with the numbers of items that are known already.
    ///
    /// # Panics
    /// If there is no position.
    pub(in crate::report) fn with_items(
        names: &[String; 2],
        positions: &[Picture],
        items: Vec<Item>,
    ) -> BoardDrawing {
        let first = positions.first().expect("a game has a start");
        let room = |stock: usize| {
            let items = positions
                .iter()
                .map(|picture| picture.stocks[stock].items.len());
            items.max().unwrap_or(0)
        };
        let mut drawing = BoardDrawing {
            width: 0,
            height: MARGIN,
            fixed: String::new(),
            names_at: [0; 2],
            slots: Vec::new(),
            items,
            rooms: (0..first.stocks.len()).map(room).collect(),
        };
        drawing.lay_out(names, first);
        for picture in positions {
            drawing.learn(picture);
        }
        drawing.width += MARGIN;
        drawing.height += MARGIN;
        drawing
    }

    /// The symbols of shapes and items.
    pub(in crate::report) fn symbols(&self) -> String {
        let mut symbols = SHAPES.to_owned();
        if self.fixed.contains("#rosette") {
            symbols.push_str(ROSETTE);
        }
        if self
            .items
            .iter()
            .any(|item| matches!(item, Item::Card { .. }))
        {
            symbols.push_str(CARD);
        }
        for (number, item) in (1..).zip(&self.items) {
            symbols.push_str(&item.symbol(&format!("i{number}")));
        }
        symbols
    }

    /// The item of every place in a position, by its number; 0 is none.
    pub(in crate::report) fn items_of(&self, picture: &Picture) -> Vec<usize> {
        let number = |item: &Item| {
            let at = self.items.iter().position(|known| known == item);
            at.map_or(0, |at| at + 1)
        };
        let cells = picture.cells.iter().map(|cell| {
            let token = cell.token.as_ref().map(Item::of_token);
            token.map_or(0, |item| number(&item))
        });
        let mut items: Vec<_> = cells.collect();
        for (stock, &room) in picture.stocks.iter().zip(&self.rooms) {
            let held = stock_items(picture, stock).map(|item| number(&item));
            items.extend(held.chain(std::iter::repeat(0)).take(room));
        }
        items
    }

    fn learn(&mut self, picture: &Picture) {
        let tokens = picture.cells.iter().filter_map(|cell| cell.token.as_ref());
        let mut seen: Vec<_> = tokens.map(Item::of_token).collect();
        for stock in &picture.stocks {
            seen.extend(stock_items(picture, stock));
        }
        for item in seen {
            if !self.items.contains(&item) {
                self.items.push(item);
            }
        }
    }

    fn put(&mut self, element: &str) {
        self.fixed.push_str(element);
        self.fixed.push('\n');
    }

    fn widen(&mut self, right: u32) {
        self.width = self.width.max(right);
    }

    fn lay_out(&mut self, names: &[String; 2], picture: &Picture) {
        let (columns, rows) = picture_size(picture);
        let left = MARGIN + if picture.rows.is_empty() { 0 } else { NAMES };
        let right = left + columns * CELL;
        self.widen(right);
        let above = picture.above;
        let mut stocks: Vec<Vec<Slot>> = self.rooms.iter().map(|_| Vec::new()).collect();
        self.name(above, &names[above.index()]);
        self.tokens(picture, Some(above), &mut stocks);
        let top = self.height + 4;
        self.board(picture, (left, top));
        self.height = top + rows * CELL + 4;
        for (column, name) in (0..).zip(&picture.columns) {
            self.label(name, left + column * CELL + CELL / 2, self.height + 8);
        }
        self.height += if picture.columns.is_empty() { 0 } else { NAMES };
        self.cards(picture, (right + 16, top, top + rows * CELL), &mut stocks);
        self.tokens(picture, None, &mut stocks);
        self.tokens(picture, Some(above.other()), &mut stocks);
        self.name(above.other(), &names[above.other().index()]);
        self.slots.extend(stocks.into_iter().flatten());
    }

    /// The shape and the name of a player.
    fn name(&mut self, seat: Seat, name: &str) {
        let y = self.height + LINE / 2;
        let mut short: String = name.chars().take(NAME).collect();
        if short.len() < name.len() {
            short.push('…');
        }
        self.widen(MARGIN + 28 + 8 * u32::try_from(short.chars().count()).unwrap_or(0) + 80);
        let (x, corner, number) = (MARGIN + 28, y - 11, seat.index());
        self.put(&format!(
            "<svg x=\"{MARGIN}\" y=\"{corner}\" width=\"22\" height=\"22\" viewBox=\"-25 -25 50 50\"><use href=\"#t{number}\"/></svg>\
             <text class=\"n\" fill=\"#222\" x=\"{x}\" y=\"{0}\">{1}</text>",
            y + 5,
            escaped(&short)
        ));
        self.names_at[number] = y + 5;
        self.height += LINE;
    }

    fn label(&mut self, text: &str, x: u32, y: u32) {
        let text = escaped(text);
        self.put(&format!(
            "<text class=\"k\" fill=\"#756b57\" text-anchor=\"middle\" x=\"{x}\" y=\"{}\">{text}</text>",
            y + 5
        ));
    }

    fn board(&mut self, picture: &Picture, (left, top): (u32, u32)) {
        let at = |cell: &PictureCell| {
            let (column, row) = (u32::from(cell.column), u32::from(cell.row));
            (left + column * CELL, top + row * CELL)
        };
        for (row, name) in (0..).zip(&picture.rows) {
            self.label(name, MARGIN + 6, top + row * CELL + CELL / 2);
        }
        for (class, fill, is_own) in [("c", "#f4ecd9", false), ("c own", "#e6dbc2", true)] {
            let mut path = String::new();
            for cell in picture
                .cells
                .iter()
                .filter(|cell| cell.owner.is_some() == is_own)
            {
                let (x, y) = at(cell);
                write!(path, "M{} {}h54v54h-54z", x + 1, y + 1).expect("a string takes all");
            }
            if !path.is_empty() {
                self.put(&format!(
                    "<path class=\"{class}\" fill=\"{fill}\" stroke=\"#a8987a\" stroke-width=\"1.5\" stroke-linejoin=\"round\" d=\"{path}\"/>"
                ));
            }
        }
        for cell in &picture.cells {
            let (x, y) = at(cell);
            match cell.kind {
                CellKind::Rosette => self.put(&format!(
                    "<use href=\"#rosette\" x=\"{}\" y=\"{}\" width=\"50\" height=\"50\"/>",
                    x + 3,
                    y + 3
                )),
                CellKind::Home(seat) => {
                    let (number, x, y) = (seat.index(), x + 6, y + CELL - 6);
                    let fill = ["#0072b2", "#e69f00"][number];
                    self.put(&format!(
                        "<path class=\"t{number}\" fill=\"{fill}\" stroke=\"none\" d=\"M{x} {y}h44v-6h-44z\"><title>home</title></path>"
                    ));
                }
                CellKind::Plain => {}
            }
            self.slots.push(Slot {
                x: x + 3,
                y: y + 3,
                side: CELL - 6,
                name: cell.name.clone(),
                kind: SlotKind::Cell,
            });
        }
        self.cell_names(picture, at);
    }

    /// The names of the cells, where the margins do not name columns and rows.
    fn cell_names(&mut self, picture: &Picture, at: impl Fn(&PictureCell) -> (u32, u32)) {
        if !picture.columns.is_empty() || !picture.rows.is_empty() {
            return;
        }
        let mut names = String::new();
        for cell in picture.cells.iter().filter(|cell| cell.name.len() < 4) {
            let ((x, y), name) = (at(cell), escaped(&cell.name));
            write!(
                names,
                "<text x=\"{}\" y=\"{}\">{name}</text>",
                x + 5,
                y + 12
            )
            .expect("a string takes all");
        }
        self.put(&format!(
            "<g class=\"k\" fill=\"#756b57\" font-size=\"9\">{names}</g>"
        ));
    }

    /// The stocks of tokens of an owner, next to each other where there is room.
    fn tokens(&mut self, picture: &Picture, owner: Option<Seat>, stocks: &mut [Vec<Slot>]) {
        let mut x = MARGIN;
        for (number, stock) in picture.stocks.iter().enumerate() {
            if stock.owner != owner || stock.kind != StockKind::Tokens {
                continue;
            }
            let room = self.rooms[number].max(1);
            let width = STOCK_NAME + u32::try_from(room).unwrap_or(0) * STEP;
            if x > MARGIN && x + width > self.width {
                x = MARGIN;
                self.height += LINE;
            }
            let name = escaped(stock.name);
            let y = self.height + LINE / 2 + 5;
            self.put(&format!(
                "<text class=\"k\" fill=\"#756b57\" x=\"{x}\" y=\"{y}\">{name}</text>"
            ));
            let slot = |place: usize| Slot {
                x: x + STOCK_NAME + u32::try_from(place).unwrap_or(0) * STEP,
                y: self.height + 2,
                side: STEP + 1,
                name: stock.name.to_owned(),
                kind: SlotKind::Stock(owner),
            };
            stocks[number] = (0..self.rooms[number]).map(slot).collect();
            x += width + 10;
            self.widen(x - 10);
        }
        self.height += if x > MARGIN { LINE } else { 0 };
    }

    /// The cards, to the right of the board: each player's on the side of the player, the others in the middle.
    fn cards(
        &mut self,
        picture: &Picture,
        (left, top, bottom): (u32, u32, u32),
        stocks: &mut [Vec<Slot>],
    ) {
        let (width, height) = CARD_SIZE;
        for (number, stock) in picture.stocks.iter().enumerate() {
            if stock.kind != StockKind::Cards {
                continue;
            }
            let y = match stock.owner {
                Some(seat) if seat == picture.above => top,
                Some(_) => (bottom - height).max(top + 2 * height),
                None => ((top + bottom - height) / 2).max(top + height),
            };
            let slot = |place: usize| Slot {
                x: left + u32::try_from(place).unwrap_or(0) * width,
                y,
                side: width,
                name: stock.name.to_owned(),
                kind: SlotKind::Stock(stock.owner),
            };
            stocks[number] = (0..self.rooms[number]).map(slot).collect();
            self.widen(left + u32::try_from(self.rooms[number]).unwrap_or(0) * width);
            self.height = self.height.max(y + height);
        }
    }
}

/// Number of columns and rows of the board.
fn picture_size(picture: &Picture) -> (u32, u32) {
    let last = |of: fn(&PictureCell) -> u16| {
        let last = picture.cells.iter().map(of).max();
        last.map_or(0, |last| u32::from(last) + 1)
    };
    (last(|cell| cell.column), last(|cell| cell.row))
}

fn stock_items<'a>(picture: &'a Picture, stock: &'a Stock) -> impl Iterator<Item = Item> + 'a {
    let is_above = stock.owner == Some(picture.above);
    let items = stock.items.iter();
    items.map(move |item| Item::of_stock(item, stock.owner, is_above))
}
