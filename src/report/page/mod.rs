//! A finished game as one HTML page: a script draws it from the lines of `urtext replay --json`. Without scripts, the page shows the moves.
//! Nothing is loaded, and the page allows only its own style and script.

use std::collections::BTreeMap;

use askama::Template;
use serde::Serialize;

use super::template::{Inline, in_script};
use crate::replay::{Frame, PrintedParts, Replay};
use crate::rules::{CellKind, Seat, StockKind};

const STYLE: Inline = Inline(include_str!("page.css"));
const SCRIPT: Inline = Inline(include_str!("page.js"));

#[derive(Template)]
#[template(path = "page/page.html", config = "src/report/askama.toml")]
struct Page<'r> {
    replay: &'r Replay,
    players: [String; 2],
    turn: usize,
    trouble: Option<&'r str>,
    printed: String,
    geometry: String,
    lines: String,
    style: Inline,
    script: Inline,
}

/// The facts that the lines of a replay lack.
#[derive(Debug, Serialize)]
struct Geometry {
    /// The seat whose side is above the board.
    above: &'static str,
    /// Names of the columns, from left to right.
    columns: Vec<String>,
    /// Names of the rows, from the top down.
    rows: Vec<String>,
    /// The seats of home cells, by their numbers.
    homes: BTreeMap<usize, &'static str>,
    /// The kind of each stock: `tokens` or `cards`.
    stocks: Vec<&'static str>,
    /// The cells that cards reach, forward and to the right.
    cards: BTreeMap<String, &'static [(i8, i8)]>,
    /// True if a line of the game is wrong, or the judge has a finding.
    is_bad: bool,
}

impl Geometry {
    fn of(replay: &Replay) -> Geometry {
        let pictures: Vec<_> = replay.frames().iter().map(Frame::picture).collect();
        let first = &pictures[0];
        let seat = |seat: Seat| first.seats[seat.index()];
        let homes = first.cells.iter().enumerate();
        let homes = homes.filter_map(|(number, cell)| match cell.kind {
            CellKind::Home(owner) => Some((number, seat(owner))),
            CellKind::Plain | CellKind::Rosette => None,
        });
        let stocks = first.stocks.iter().map(|stock| match stock.kind {
            StockKind::Tokens => "tokens",
            StockKind::Cards => "cards",
        });
        let stocked = pictures.iter().flat_map(|picture| &picture.stocks);
        let cards = stocked.filter(|stock| stock.kind == StockKind::Cards);
        let cards = cards.flat_map(|stock| &stock.items);
        Geometry {
            above: seat(first.above),
            homes: homes.collect(),
            stocks: stocks.collect(),
            cards: cards.map(|card| (card.label.clone(), card.steps)).collect(),
            columns: first.columns.clone(),
            rows: first.rows.clone(),
            is_bad: replay.is_bad(),
        }
    }
}

/// Returns a game as a page that opens at the turn at which the replay stands. `trouble` is the drawing of what is wrong with the game, without
/// colours.
#[must_use]
pub fn draw(replay: &Replay, trouble: Option<&str>) -> String {
    let lines = replay.json(replay.frames());
    let geometry = serde_json::to_string(&Geometry::of(replay)).expect("all keys are texts");
    let page = Page {
        replay,
        players: Seat::BOTH.map(|seat| replay.player(seat)),
        turn: replay.frame().number,
        trouble,
        printed: replay.print(&mut 0, PrintedParts::default()),
        geometry: in_script(&geometry),
        lines: in_script(&lines),
        style: STYLE,
        script: SCRIPT,
    };
    page.render().expect("a string takes all")
}
