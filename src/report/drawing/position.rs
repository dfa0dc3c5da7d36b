//! A position on a board that is laid out, drawn and in words.

use std::fmt::Write;

use super::layout::{BoardDrawing, MARGIN, SlotKind};
use crate::replay::Replay;
use crate::rules::Seat;

/// The marks of a turn, by the numbers of places.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::report) struct TurnMarks {
    /// The cell from which the token moved.
    pub(in crate::report) from: Option<usize>,
    /// The cell to which it moved.
    pub(in crate::report) to: Option<usize>,
    /// True if a token was captured there.
    pub(in crate::report) is_capture: bool,
    /// The cells that the token could reach instead.
    pub(in crate::report) reach: Vec<usize>,
    /// The player who is on turn after it.
    pub(in crate::report) to_move: Option<Seat>,
}

impl TurnMarks {
    /// The marks of a turn.
    pub(in crate::report) fn of(replay: &Replay, turn: usize) -> TurnMarks {
        let change = replay.facts(turn).map(|facts| facts.change);
        let change = change.unwrap_or_default();
        let to = change.to.and_then(|place| place.cell);
        let mut reach = replay.reach(turn);
        reach.retain(|&cell| Some(cell) != to);
        TurnMarks {
            from: change.from.and_then(|place| place.cell),
            to,
            is_capture: change.captured.is_some(),
            reach,
            to_move: replay.frames()[turn].picture().to_move,
        }
    }
}

impl BoardDrawing {
    /// Draws the position after a turn. Elements that change have the name of their mark.
    pub(in crate::report) fn draw(&self, items: &[usize], marks: &TurnMarks) -> String {
        let mut drawn = self.fixed.clone();
        for (seat, y) in Seat::BOTH.into_iter().zip(self.names_at) {
            let shown = visibility(marks.to_move == Some(seat));
            let x = self.width - MARGIN;
            writeln!(
                drawn,
                "<text data-turn=\"{}\" class=\"n\" text-anchor=\"end\" x=\"{x}\" y=\"{y}\"{shown}>◀ on turn</text>",
                seat.index()
            )
            .expect("a string takes all");
        }
        for (mark, cell) in [("from", marks.from), ("to", marks.to)] {
            let at = cell.map_or((0, 0), |cell| self.slots[cell].corner());
            let shown = visibility(cell.is_some());
            writeln!(drawn, "<rect class=\"{mark}\" data-mark=\"{mark}\" x=\"{}\" y=\"{}\" width=\"50\" height=\"50\" rx=\"7\" fill=\"none\" stroke=\"#cc0066\" stroke-width=\"4\"{shown}/>", at.0, at.1)
                .expect("a string takes all");
        }
        drawn.push_str("<g data-mark=\"reach\" fill=\"#cc0066\" class=\"reach\">");
        for &cell in &marks.reach {
            let (x, y) = self.slots[cell].middle();
            write!(
                drawn,
                "<circle cx=\"{}\" cy=\"{}\" r=\"5\"/>",
                x - 19,
                y + 19
            )
            .expect("a string takes all");
        }
        drawn.push_str("</g>\n");
        drawn.push_str("<g data-mark=\"items\" text-anchor=\"middle\" font-weight=\"600\">\n");
        for (slot, item) in self.slots.iter().zip(items) {
            let ((x, y), side) = (slot.corner(), slot.side);
            let item = match item {
                0 => String::new(),
                item => format!(" href=\"#i{item}\""),
            };
            writeln!(
                drawn,
                "<use x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\"{item}/>"
            )
            .expect("a string takes all");
        }
        drawn.push_str("</g>\n");
        let (x, y) = marks.to.map_or((0, 0), |cell| self.slots[cell].corner());
        let shown = visibility(marks.is_capture);
        writeln!(drawn, "<use data-mark=\"captured\" href=\"#captured\" x=\"{x}\" y=\"{y}\" width=\"50\" height=\"50\"{shown}/>")
            .expect("a string takes all");
        drawn
    }

    /// A position in words: the tokens of each player, then what belongs to nobody.
    pub(in crate::report) fn describe(
        &self,
        players: &[String; 2],
        items: &[usize],
        marks: &TurnMarks,
    ) -> String {
        let mut said = Vec::new();
        for owner in [Some(Seat::First), Some(Seat::Second), None] {
            let parts = self.parts_of(owner, items);
            let who = match owner {
                Some(seat) if marks.to_move == owner => {
                    format!("{}, on turn", players[seat.index()])
                }
                Some(seat) => players[seat.index()].clone(),
                None if parts.is_empty() => continue,
                None => "Next to the board".to_owned(),
            };
            said.push(format!("{who}: {}.", parts.join(", ")));
        }
        said.join(" ")
    }

    /// The tokens of an owner on the board, then each of his stocks.
    fn parts_of(&self, owner: Option<Seat>, items: &[usize]) -> Vec<String> {
        let mut parts: Vec<String> = Vec::new();
        let mut stock_before = None;
        for (slot, &item) in self.slots.iter().zip(items).filter(|(_, item)| **item > 0) {
            let item = &self.items[item - 1];
            let owned_by = match slot.kind {
                SlotKind::Cell => item.seat(),
                SlotKind::Stock(owner) => owner,
            };
            if owned_by != owner {
                continue;
            }
            let (label, name) = (item.label(), slot.name.as_str());
            match (slot.kind, parts.last_mut()) {
                (SlotKind::Cell, _) => parts.push(format!("{label} on {name}")),
                (SlotKind::Stock(_), Some(part)) if stock_before == Some(name) => {
                    part.push_str(&format!(" {label}"));
                }
                (SlotKind::Stock(_), _) => parts.push(format!("{name} {label}").trim().to_owned()),
            }
            stock_before = (slot.kind != SlotKind::Cell).then_some(name);
        }
        parts
    }
}

fn visibility(is_shown: bool) -> &'static str {
    match is_shown {
        true => "",
        false => " visibility=\"hidden\"",
    }
}
