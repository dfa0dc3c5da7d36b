//! Descriptions of events, in words.

use std::fmt::Write;

use super::OnitamaRules;
use super::cell::{cell_name, temple};
use super::position::OnitamaPosition;
use crate::rules::{Move, Roll, Rules};

/// `the Student from e1 to d2 by Cobra, captures a Student, gets Tiger`.
pub(super) fn describe_move(
    rules: OnitamaRules,
    before: &OnitamaPosition,
    roll: Roll,
    mv: Move,
) -> String {
    let step = rules.step(before, mv);
    let mover = before.mover;
    let piece = if before.master(mover) == Some(step.from) {
        "the Master"
    } else {
        "a Student"
    };
    let mut text = format!(
        "{piece} from {} to {} by {}",
        cell_name(step.from),
        cell_name(step.to),
        step.card.name()
    );
    for seat in [mover.other(), mover]
        .into_iter()
        .filter(|&seat| before.has_piece(seat, step.to))
    {
        let victim = if before.master(seat) == Some(step.to) {
            "the Master"
        } else {
            "a Student"
        };
        write!(text, ", captures {victim}").expect("a string takes all");
    }
    let after = rules
        .moved(before, roll, mv)
        .expect("only legal moves are described");
    if step.to == temple(mover.other()) && after.master(mover) == Some(step.to) {
        text.push_str(", reaches the temple");
    }
    if rules.result(&after).is_some() {
        return text;
    }
    for card in after
        .hand(mover)
        .cards()
        .filter(|&card| !before.hand(mover).has(card))
    {
        write!(text, ", gets {}", card.name()).expect("a string takes all");
    }
    if after.mover == mover {
        text.push_str(", plays again");
    }
    text
}
