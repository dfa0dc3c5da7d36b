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
    let (distance, span, rules) = match record.act {
        HcurAction::Create { distance, span } => (distance, span, &CREATE),
        HcurAction::Move { distance, span, .. } => (distance, span, &MOVE),
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
    if RULES.winner(position).is_some() {
        wrong(
            rules.not_over,
            record.span,
            "a move after the end of the game".to_owned(),
        );
    }
    if distance > LONGEST {
        wrong(
            rules.length,
            span,
            format!("a move of {distance} squares, and {LONGEST} is the most"),
        );
    }
    if let Some(rolled) = record.roll
        && u64::from(RULES.steps(rolled.roll)) != distance
    {
        let coins = game().format_roll(rolled.roll);
        let title = match rolled.tells_coins {
            true => format!("a move of {distance} with the roll {coins}"),
            false => format!(
                "a move of {distance} with a roll of {}",
                RULES.steps(rolled.roll)
            ),
        };
        wrong(rules.matches_roll, span, title);
    }
    let token = match record.act {
        HcurAction::Move {
            from, from_span, ..
        } => {
            let token = from.cell(seat).and_then(|cell| before.token_on(seat, cell));
            if token.is_none() {
                wrong(
                    "hc/move/token-at-from",
                    from_span,
                    missing(&before, seat, from),
                );
            }
            token
        }
        _ => {
            let token = before.token_on(seat, 0);
            if token.is_none() {
                let title = "no token is left to bring onto the board".to_owned();
                wrong("hc/create/tokens-left", record.span, title);
            }
            token
        }
    };
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
            "own-token" => (rules.destination, format!("an own token stands{there}")),
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

/// Ids of the rules that both kinds of move have, each in its own list.
struct Ids {
    not_over: &'static str,
    length: &'static str,
    matches_roll: &'static str,
    destination: &'static str,
}

const CREATE: Ids = Ids {
    not_over: "hc/create/not-over",
    length: "hc/create/length",
    matches_roll: "hc/create/length-matches-roll",
    destination: "hc/create/destination",
};

const MOVE: Ids = Ids {
    not_over: "hc/move/not-over",
    length: "hc/move/length",
    matches_roll: "hc/move/length-matches-roll",
    destination: "hc/move/destination",
};
