//! The rules by which a record is valid, one by one (seed `002`, "A player makes a valid move when").

use super::{HcurAction, HcurRecord, Square, game};
use crate::finding::{Finding, Verdict};
use crate::games::royalur::notation::heads;
use crate::games::royalur::{UrPosition, UrRules};
use crate::rules::{Move, Roll, Rules, Seat};

const RULES: UrRules = UrRules::STANDARD;

/// The longest move (seed `002`: "the move length is no more than 4 tiles").
const LONGEST: u64 = 4;

/// Effect of a valid record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Valid {
    /// The roll by which it is played.
    pub(super) roll: Roll,
    /// The token that moves; `None` where the turn is skipped.
    pub(super) mv: Option<Move>,
}

/// Judges a record of this player at this position, whoever is on turn there; every rule that it breaks is pushed.
pub(super) fn check(
    record: &HcurRecord,
    seat: Seat,
    position: &UrPosition,
    findings: &mut Vec<Finding>,
) -> Option<Valid> {
    let found = findings.len();
    let before = position.with_mover(seat);
    let mut wrong = |requirement, span, title: String| {
        findings.push(Finding::at(span, Verdict::Fail, requirement, title));
    };
    let (from, distance, span) = match record.act {
        HcurAction::Move {
            from,
            distance,
            span,
        } => (from, distance, span),
        HcurAction::Skipped => {
            let rolled = record.roll.expect("the reader demands it");
            if RULES.can_move(&before, rolled.roll) {
                let title = format!(
                    "the turn was skipped although a token can move {}",
                    RULES.steps(rolled.roll)
                );
                wrong("hc/turn/skip-only-when-blocked", rolled.span, title);
                return None;
            }
            return Some(Valid {
                roll: rolled.roll,
                mv: None,
            });
        }
    };
    // A rule of both kinds of move has two ids: for one that brings a token onto the board, and for one on it.
    let id = |create, on_board| if from.is_none() { create } else { on_board };
    if RULES.winner(position).is_some() {
        let title = "a move after the end of the game".to_owned();
        wrong(
            id("hc/create/not-over", "hc/move/not-over"),
            record.span,
            title,
        );
    }
    if distance > LONGEST {
        let title = format!("a move of {distance} squares, and {LONGEST} is the most");
        wrong(id("hc/create/length", "hc/move/length"), span, title);
    }
    if let Some(rolled) = record.roll
        && u64::from(RULES.steps(rolled.roll)) != distance
    {
        let title = match rolled.tells_coins {
            true => format!(
                "a move of {distance} with the roll {}",
                game().format_roll(rolled.roll)
            ),
            false => format!(
                "a move of {distance} with a roll of {}",
                RULES.steps(rolled.roll)
            ),
        };
        let ids = (
            "hc/create/length-matches-roll",
            "hc/move/length-matches-roll",
        );
        wrong(id(ids.0, ids.1), span, title);
    }
    let cell = from.map_or(Some(0), |(_, from)| from.cell(seat));
    let token = cell.and_then(|cell| before.token_on(seat, cell));
    match from {
        _ if token.is_some() => {}
        Some((span, from)) => {
            let title = missing(&before, seat, from);
            wrong("hc/move/token-at-from", span, title);
        }
        None => {
            let title = "no token is left to bring onto the board".to_owned();
            wrong("hc/create/tokens-left", record.span, title);
        }
    }
    let mv = Move(token? as u32);
    let roll = record.roll.map_or(heads(distance), |rolled| rolled.roll);
    if distance > 0
        && distance <= LONGEST
        && let Err(refusal) = RULES.moved(&before, heads(distance), mv)
    {
        let from = before.cell(seat, mv.0 as usize);
        let to = Square::of_cell(seat, from + distance as u8);
        let there = to.map_or(String::new(), |to| format!(" on {to}"));
        let (requirement, title) = match refusal.code {
            "own-token" => (
                id("hc/create/destination", "hc/move/destination"),
                format!("an own token stands{there}"),
            ),
            "occupied-rosette" => (
                "hc/capture/not-on-a-rosette",
                format!("the opponent's token{there} is safe on the rosette"),
            ),
            _ => {
                let left = 15 - from;
                (
                    "hc/move/off-the-end",
                    format!("{distance} squares, and {left} would leave the board exactly"),
                )
            }
        };
        wrong(requirement, span, title);
    }
    if findings.len() > found {
        return None;
    }
    if distance == 0 {
        let title = "a move of 0 squares is taken for a skipped turn";
        findings.push(Finding::at(
            span,
            Verdict::Lenient,
            "hc/move/distance-0",
            title,
        ));
        return Some(Valid {
            roll: Roll(0),
            mv: None,
        });
    }
    Some(Valid { roll, mv: Some(mv) })
}

/// Explains why the player has no token on a square.
fn missing(before: &UrPosition, seat: Seat, from: Square) -> String {
    if !from.is_on_board() {
        return format!("the board has no square {from}");
    }
    let Some(cell) = from.cell(seat) else {
        return format!("{from} is no square of this player's path");
    };
    let is_opponents = Square::of_cell(seat.other(), cell) == Some(from)
        && before.token_on(seat.other(), cell).is_some();
    match is_opponents {
        true => format!("the token on {from} is the opponent's"),
        false => format!("no token stands on {from}"),
    }
}
