//! Descriptions of events, in words.

use std::fmt::Write;

use super::UrRules;
use super::position::{END, START, TOKENS, UrCell, UrPosition};
use crate::rules::{Move, Roll, Rules};

fn place(cell: UrCell) -> String {
    match cell {
        START => "the start".to_owned(),
        END => "out".to_owned(),
        cell => format!("cell {cell}"),
    }
}

/// `token 3 from cell 3 to cell 6, captures token 0`.
pub(super) fn describe_move(rules: UrRules, before: &UrPosition, roll: Roll, mv: Move) -> String {
    let (from, to) = rules.way(before, roll, mv);
    let mut text = match to {
        END => format!("token {} from {} out of the track", mv.0, place(from)),
        to => format!("token {} from {} to {}", mv.0, place(from), place(to)),
    };
    if rules.captures(before, to) {
        let victim = before
            .token_on(before.mover().other(), to)
            .expect("a captured token stands there");
        write!(text, ", captures token {victim}").expect("a string takes all");
    }
    let after = rules
        .moved(before, roll, mv)
        .expect("only legal moves are described");
    if rules.result(&after).is_some() {
        return text;
    }
    if rules.is_rosette(to) {
        text.push_str(" (rosette), plays again");
    } else if after.mover() == before.mover() {
        text.push_str(", plays again");
    }
    text
}

/// `no coin shows a head` or, for each token on the track, what stands in its way.
pub(super) fn describe_skip(rules: UrRules, before: &UrPosition, roll: Roll) -> String {
    if rules.steps(roll) == 0 {
        return "no head, nothing can move".to_owned();
    }
    let mut reasons: Vec<String> = Vec::new();
    for token in 0..TOKENS {
        let from = before.cell(before.mover(), token);
        if from == END {
            continue;
        }
        let Err(refusal) = rules.moved(before, roll, Move(token as u32)) else {
            continue;
        };
        let who = if from == START {
            "a token at the start".to_owned()
        } else {
            format!("token {token} on {}", place(from))
        };
        let reason = match refusal.code {
            "own-token" => format!(
                "{who}: an own token is on {}",
                place(from + rules.steps(roll))
            ),
            "occupied-rosette" => {
                format!(
                    "{who}: the rosette on {} is occupied",
                    place(from + rules.steps(roll))
                )
            }
            _ => format!("{who}: needs exactly {}", END - from),
        };
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    format!(
        "nothing can move {}: {}",
        rules.steps(roll),
        reasons.join("; ")
    )
}
