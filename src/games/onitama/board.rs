//! The board as text: row 1 above, both hands and the middle card beside it.

use std::fmt::Write;

use super::card::Hand;
use super::cell::{OnitamaCell, SIDE, temple};
use super::position::OnitamaPosition;
use crate::rules::Seat;

/// Draws the board: `T` and `B` are the Masters, `t` and `b` Students, `*` an empty temple.
pub(super) fn draw(position: &OnitamaPosition) -> String {
    let mut text = String::new();
    let edge = "    +---+---+---+---+---+\n";
    hand(&mut text, position, Seat::First);
    text.push_str("      a   b   c   d   e\n");
    for row in 0..SIDE {
        text.push_str(edge);
        write!(text, "  {} ", row + 1).expect("a string takes all");
        for column in 0..SIDE {
            write!(text, "| {} ", square(position, row * SIDE + column))
                .expect("a string takes all");
        }
        text.push('|');
        if row == SIDE / 2 {
            write!(text, "   middle: {}", names(position.middle())).expect("a string takes all");
        }
        text.push('\n');
    }
    text.push_str(edge);
    hand(&mut text, position, Seat::Second);
    text
}

fn square(position: &OnitamaPosition, cell: OnitamaCell) -> char {
    for (seat, master, student) in [(Seat::First, 'T', 't'), (Seat::Second, 'B', 'b')] {
        if position.has_piece(seat, cell) {
            return if position.master(seat) == Some(cell) {
                master
            } else {
                student
            };
        }
    }
    if Seat::BOTH.map(temple).contains(&cell) {
        '*'
    } else {
        ' '
    }
}

fn names(hand: Hand) -> String {
    let names: Vec<_> = hand.cards().map(super::Card::name).collect();
    if names.is_empty() {
        "-".to_owned()
    } else {
        names.join(" ")
    }
}

fn hand(text: &mut String, position: &OnitamaPosition, seat: Seat) {
    let arrow = if position.mover == seat { ">" } else { " " };
    let name = super::notation::SEATS[seat.index()];
    writeln!(text, "{arrow} {name:<6}  {}", names(position.hand(seat)))
        .expect("a string takes all");
}

#[cfg(test)]
mod tests {
    use super::super::{Deal, OnitamaPosition, cell};
    use super::*;
    use crate::rules::Setup;

    #[test]
    fn draws_each_piece_once_the_cards_and_the_empty_temple() {
        let at = |name: &str| cell(name).unwrap();
        let pieces: [(OnitamaCell, &[OnitamaCell]); 2] = [
            (at("c1"), &[at("a1"), at("d3")]),
            (at("b5"), &[at("e5"), at("d4")]),
        ];
        let position = OnitamaPosition::new(pieces, Deal::of(Setup(1)));
        insta::assert_snapshot!(draw(&position), @r"
          top     Tiger Crab
              a   b   c   d   e
            +---+---+---+---+---+
          1 | t |   | T |   |   |
            +---+---+---+---+---+
          2 |   |   |   |   |   |
            +---+---+---+---+---+
          3 |   |   |   | t |   |   middle: Dragon
            +---+---+---+---+---+
          4 |   |   |   | b |   |
            +---+---+---+---+---+
          5 |   | B | * |   | b |
            +---+---+---+---+---+
        > bottom  Monkey Crane
        ");
    }
}
