//! A position as an SVG picture, from the pack's own data. It needs no script and no file beside it.

use std::fmt::Write;

use crate::diagnostic::visible;
use crate::replay::Replay;
use crate::rules::{
    CellKind, Picture, PictureCell, PictureChange, Seat, Stock, StockItem, StockKind, Token,
    TokenPlace,
};

/// Width and height of a cell, in the units of the picture.
const CELL: u32 = 56;
/// Free space around everything.
const MARGIN: u32 = 14;
/// Space of the names of columns and rows.
const NAMES: u32 = 20;
/// Height of a line of text or of tokens beside the board.
const LINE: u32 = 30;
/// Distance of tokens beside the board.
const STEP: u32 = 30;
/// Width and height of a cell of a card.
const CARD_CELL: u32 = 12;
/// Number of cells of a card in a row: two in every direction from the middle.
const CARD_CELLS: u32 = 5;
/// Width of a card with the space after it.
const CARD: u32 = CARD_CELLS * CARD_CELL + 24;
/// Height of a card with its name.
const CARD_LINE: u32 = CARD_CELLS * CARD_CELL + 26;

/// The colours: blue and orange of Okabe and Ito, which differ for everybody, and the shapes differ as well.
const STYLE: &str = "\
svg{font:14px system-ui,sans-serif;background:#fff;color:#222}\
text{fill:currentColor}.m{text-anchor:middle;dominant-baseline:central}\
.c{fill:#f4efe4;stroke:#8a8170;stroke-width:1.5}.own{fill:#e9e2d2}.home{fill:#dfe8d8}\
.r{fill:none;stroke:#8a5a00;stroke-width:2}\
.t0{fill:#0072b2;stroke:#003a5c;stroke-width:2}.t1{fill:#e69f00;stroke:#6b4a00;stroke-width:2}\
.l0{fill:#fff;font-weight:600}.l1{fill:#000;font-weight:600}\
.to{fill:none;stroke:#cc0066;stroke-width:4}.from{fill:none;stroke:#cc0066;stroke-width:3;stroke-dasharray:5 4}\
.x{stroke:#cc0066;stroke-width:3}.n{font-weight:600}.k{fill:#8a8170}.k1{fill:#222}\
@media(prefers-color-scheme:dark){svg{background:#1c1b19;color:#eee}.c{fill:#35322c;stroke:#8a8170}\
.own{fill:#2b2823}.home{fill:#2f3a2b}.r{stroke:#e8b84a}.k1{fill:#eee}.to,.from,.x{stroke:#ff5fa8}}";

/// Returns the position after a turn of a replay as a file of its own. Its title tells the turn.
///
/// # Panics
/// If the replay has no such turn.
#[must_use]
pub fn draw(replay: &Replay, turn: usize) -> String {
    let frame = &replay.frames()[turn];
    let drawing = Drawing {
        picture: &frame.picture(),
        names: Seat::BOTH.map(|seat| replay.player(seat)),
        last_move: replay.facts(turn).map(|facts| facts.change),
        caption: &replay.describe(frame),
    };
    drawing.draw()
}

/// A position to draw.
struct Drawing<'a> {
    picture: &'a Picture,
    /// Names of the players; fit to show.
    names: [String; 2],
    /// The move that led to it.
    last_move: Option<PictureChange>,
    /// The turn in words: the title of the picture.
    caption: &'a str,
}

/// A drawing that grows.
struct Canvas {
    body: String,
    width: u32,
    height: u32,
}

impl Drawing<'_> {
    fn draw(&self) -> String {
        let mut canvas = Canvas {
            body: String::new(),
            width: 0,
            height: MARGIN,
        };
        let above = self.picture.above;
        self.side(&mut canvas, above, true);
        self.board(&mut canvas);
        self.side(&mut canvas, above.other(), false);
        let (width, height) = (canvas.width + MARGIN, canvas.height + MARGIN);
        let (title, body) = (escaped(self.caption), canvas.body);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             role=\"img\" aria-labelledby=\"title\">\n<title id=\"title\">{title}</title>\n<style>{STYLE}</style>\n{body}</svg>\n"
        )
    }

    /// The player of a seat: name, tokens and cards beside the board.
    fn side(&self, canvas: &mut Canvas, seat: Seat, is_above: bool) {
        let stocks: Vec<_> = self.picture.stocks_of(Some(seat)).collect();
        if is_above {
            self.name(canvas, seat);
        }
        for stock in stocks {
            canvas.stock(stock, Some(seat), is_above);
        }
        if !is_above {
            self.name(canvas, seat);
        }
    }

    fn name(&self, canvas: &mut Canvas, seat: Seat) {
        let y = canvas.height + LINE / 2;
        canvas.token(seat, "", MARGIN + 11, y, 9);
        let is_on_turn = self.picture.to_move == Some(seat);
        let turn = if is_on_turn { " ◀ on turn" } else { "" };
        let name = escaped(&self.names[seat.index()]);
        let x = MARGIN + 28;
        canvas.put(
            &format!("<text class=\"n\" x=\"{x}\" y=\"{y}\" dominant-baseline=\"central\">{name}{turn}</text>"),
        );
        let length = self.names[seat.index()].chars().count() + turn.chars().count();
        canvas.reach(x + 9 * u32::try_from(length).unwrap_or(0));
        canvas.height += LINE;
    }

    fn board(&self, canvas: &mut Canvas) {
        let picture = self.picture;
        let has_names = !picture.rows.is_empty();
        let left = MARGIN + if has_names { NAMES } else { 0 };
        let top = canvas.height + 6;
        let last = |of: fn(&PictureCell) -> u16| {
            picture
                .cells
                .iter()
                .map(of)
                .max()
                .map_or(0, |last| u32::from(last) + 1)
        };
        let (columns, rows) = (last(|cell| cell.column), last(|cell| cell.row));
        for (row, name) in (0..).zip(&picture.rows) {
            canvas.middle("k", name, MARGIN + 6, top + row * CELL + CELL / 2);
        }
        for (number, cell) in picture.cells.iter().enumerate() {
            let (x, y) = (
                left + u32::from(cell.column) * CELL,
                top + u32::from(cell.row) * CELL,
            );
            let class = match (cell.kind, cell.owner) {
                (CellKind::Home(_), _) => "c home",
                (_, Some(_)) => "c own",
                _ => "c",
            };
            let name = escaped(&cell.name);
            canvas.put(&format!(
                "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" rx=\"4\"><title>{name}</title></rect>"
            ));
            let (mx, my) = (x + CELL / 2, y + CELL / 2);
            match cell.kind {
                CellKind::Rosette => canvas.rosette(mx, my),
                CellKind::Home(seat) => canvas.home(seat, mx, my),
                CellKind::Plain => {}
            }
            if let Some(Token { seat, label }) = &cell.token {
                canvas.token(*seat, label, mx, my, 18);
            }
            self.mark(canvas, number, x, y);
        }
        canvas.height = top + rows * CELL + 6;
        canvas.reach(left + columns * CELL);
        if !picture.columns.is_empty() {
            for (column, name) in (0..).zip(&picture.columns) {
                canvas.middle(
                    "k",
                    name,
                    left + column * CELL + CELL / 2,
                    canvas.height + 6,
                );
            }
            canvas.height += NAMES;
        }
        for stock in picture.stocks_of(None) {
            canvas.stock(stock, None, false);
        }
    }

    /// Marks origin, destination and capture of the last move.
    fn mark(&self, canvas: &mut Canvas, cell: usize, x: u32, y: u32) {
        let Some(change) = &self.last_move else {
            return;
        };
        let at = |place: &Option<TokenPlace>| {
            place.as_ref().is_some_and(|place| place.cell == Some(cell))
        };
        let side = CELL - 6;
        let frame = |class: &str| {
            format!(
                "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\" rx=\"4\"/>",
                x + 3,
                y + 3
            )
        };
        if at(&change.from) {
            canvas.put(&frame("from"));
        }
        if at(&change.to) {
            canvas.put(&frame("to"));
            if change.captured.is_some() {
                let (x, y) = (x + CELL - 14, y + 6);
                canvas.put(&format!(
                    "<path class=\"x\" d=\"M{x} {y}l8 8m0-8l-8 8\"><title>captured</title></path>"
                ));
            }
        }
    }
}

impl Canvas {
    fn put(&mut self, element: &str) {
        self.body.push_str(element);
        self.body.push('\n');
    }

    fn reach(&mut self, right: u32) {
        self.width = self.width.max(right);
    }

    fn middle(&mut self, class: &str, text: &str, x: u32, y: u32) {
        let text = escaped(text);
        self.put(&format!(
            "<text class=\"m {class}\" x=\"{x}\" y=\"{y}\">{text}</text>"
        ));
    }

    /// A circle for the first seat, a diamond for the second.
    fn token(&mut self, seat: Seat, label: &str, x: u32, y: u32, size: u32) {
        let number = seat.index();
        match seat {
            Seat::First => self.put(&format!(
                "<circle class=\"t0\" cx=\"{x}\" cy=\"{y}\" r=\"{size}\"/>"
            )),
            Seat::Second => {
                let size = size + size / 5;
                self.put(&format!(
                    "<path class=\"t1\" d=\"M{x} {}l{size} {size}l-{size} {size}l-{size}-{size}z\"/>",
                    y - size
                ));
            }
        }
        if !label.is_empty() {
            self.middle(&format!("l{number}"), label, x, y);
        }
    }

    /// Eight petals at the border of the cell, which a token does not cover.
    fn rosette(&mut self, x: u32, y: u32) {
        let mut path = String::new();
        for (dx, dy) in [
            (0, -24),
            (17, -17),
            (24, 0),
            (17, 17),
            (0, 24),
            (-17, 17),
            (-24, 0),
            (-17, -17),
        ] {
            let (px, py) = (i64::from(x) + dx, i64::from(y) + dy);
            write!(path, "M{px} {py}m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0")
                .expect("a string takes all");
        }
        self.put(&format!(
            "<path class=\"r\" d=\"{path}\"><title>rosette</title></path>"
        ));
    }

    fn home(&mut self, seat: Seat, x: u32, y: u32) {
        let number = seat.index();
        let (left, top) = (x - 20, y + 20);
        self.put(&format!(
            "<path class=\"t{number}\" d=\"M{left} {top}h40v-6h-40z\" opacity=\".6\"/>"
        ));
    }

    /// Tokens or cards beside the board, in a line.
    fn stock(&mut self, stock: &Stock, owner: Option<Seat>, is_above: bool) {
        match stock.kind {
            StockKind::Tokens => self.tokens(stock, owner),
            StockKind::Cards => self.cards(stock, is_above),
        }
    }

    fn tokens(&mut self, stock: &Stock, owner: Option<Seat>) {
        let y = self.height + LINE / 2;
        let name = escaped(stock.name);
        self.put(&format!(
            "<text class=\"k\" x=\"{MARGIN}\" y=\"{y}\" dominant-baseline=\"central\">{name}</text>"
        ));
        let mut x = MARGIN + 62;
        for item in &stock.items {
            match owner {
                Some(seat) => self.small_token(seat, &item.label, x, y),
                None => self.middle("", &item.label, x, y),
            }
            x += STEP;
        }
        if stock.items.is_empty() {
            self.middle("k", "–", x, y);
            x += STEP;
        }
        self.reach(x);
        self.height += LINE;
    }

    fn small_token(&mut self, seat: Seat, label: &str, x: u32, y: u32) {
        self.token(seat, "", x, y, 12);
        let (number, label) = (seat.index(), escaped(label));
        self.put(&format!(
            "<text class=\"m l{number}\" font-size=\"11\" x=\"{x}\" y=\"{y}\">{label}</text>"
        ));
    }

    fn cards(&mut self, stock: &Stock, is_above: bool) {
        let mut x = MARGIN;
        if !stock.name.is_empty() {
            let y = self.height + CARD_LINE / 2;
            let name = escaped(stock.name);
            self.put(&format!(
                "<text class=\"k\" x=\"{x}\" y=\"{y}\">{name}</text>"
            ));
            x += 62;
        }
        for item in &stock.items {
            self.card(item, x, self.height + 4, is_above);
            x += CARD;
        }
        self.reach(x);
        self.height += CARD_LINE;
    }

    /// The steps of a card around the middle, as the player sees them who sits there.
    fn card(&mut self, item: &StockItem, x: u32, y: u32, is_above: bool) {
        for row in 0..CARD_CELLS {
            for column in 0..CARD_CELLS {
                let half = i64::from(CARD_CELLS / 2);
                let turn = if is_above { -1 } else { 1 };
                let step = (
                    (half - i64::from(row)) * turn,
                    (i64::from(column) - half) * turn,
                );
                let is_step = item
                    .steps
                    .iter()
                    .any(|&(forward, right)| (i64::from(forward), i64::from(right)) == step);
                let class = match (step, is_step) {
                    ((0, 0), _) => "k1",
                    (_, true) => "t1",
                    _ => "c",
                };
                let (cx, cy) = (x + column * CARD_CELL, y + row * CARD_CELL);
                let side = CARD_CELL - 1;
                self.put(&format!("<rect class=\"{class}\" stroke-width=\"1\" x=\"{cx}\" y=\"{cy}\" width=\"{side}\" height=\"{side}\"/>"));
            }
        }
        let middle = CARD_CELLS * CARD_CELL;
        self.middle("", &item.label, x + middle / 2, y + middle + 9);
    }
}

/// A text inside an element or an attribute, with what steers a display made visible.
fn escaped(text: &str) -> String {
    let text = visible::plain(text).to_string();
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
