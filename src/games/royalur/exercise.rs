//! Requirements that each turn of Ur exercises.

use super::UrRules;
use super::position::{END, START, TOKENS, UrCell, UrPosition};
use super::refusal;
use crate::rules::{Attempt, Exercise, Move, Refusal, Roll, Rules, Trace};

/// Cells that each player has for itself.
pub(super) const PRIVATE: [UrCell; 6] = [1, 2, 3, 4, 13, 14];

/// Requirements that turns leave as traces until the token of the trace moves again.
const ONLY_SHARED: &str = "ur/capture/only-shared";
const SENT_BACK: &str = "ur/capture/sent-back-to-start";
const CELL_TAKEN: &str = "ur/capture/cell-taken";

/// Names the requirements that a blocked token exercises when its player has to do without that token.
fn in_the_way(refused: &Refusal) -> &'static [&'static str] {
    match refused.code {
        code if code == refusal::OWN_TOKEN.code => &["ur/retire/own-token"],
        code if code == refusal::OCCUPIED_ROSETTE.code => {
            &["ur/retire/occupied-rosette", "ur/capture/safe-rosette"]
        }
        code if code == refusal::OVERSHOOT.code => &[
            "ur/retire/overshoot",
            "ur/exit/exact",
            "ur/track/fourteen-cells",
        ],
        _ => &[],
    }
}

/// Names the requirements that a turn puts to the test.
pub(super) fn exercises(
    rules: UrRules,
    before: &UrPosition,
    roll: Roll,
    attempt: Attempt,
    see: &mut dyn FnMut(Exercise),
) {
    let refused = |token: u32| rules.refused(before, roll, Move(token));
    let tokens = || 0..TOKENS as u32;
    match attempt {
        Attempt::Skipped => {
            let is_zero = rules.steps(roll) == 0;
            see(Exercise::Now(if is_zero {
                "ur/skip/roll-0"
            } else {
                "ur/skip/blocked"
            }));
            see(Exercise::Now("ur/roll/heads"));
            see(Exercise::Next("ur/skip/roll-follows-for-other"));
            let stands = tokens().filter_map(refused).flat_map(in_the_way);
            stands.for_each(|id| see(Exercise::Now(id)));
        }
        Attempt::Moved(mv) => {
            moved(rules, before, roll, mv, see);
            for refused in tokens().filter_map(refused) {
                in_the_way(refused)
                    .iter()
                    .for_each(|id| see(Exercise::OfMover(id)));
                if refused.code == refusal::HOME.code {
                    see(Exercise::OfMover(refused.requirement));
                }
            }
        }
        Attempt::Refused(mv) => {
            let refused = refused(mv.0);
            refused
                .into_iter()
                .flat_map(in_the_way)
                .for_each(|id| see(Exercise::Now(id)));
        }
        Attempt::Forfeited => {}
    }
}

fn moved(rules: UrRules, before: &UrPosition, roll: Roll, mv: Move, see: &mut dyn FnMut(Exercise)) {
    let (from, to) = rules.way(before, roll, mv);
    let (mover, token) = (before.mover(), mv.0 as usize);
    let later = |requirement, seat: crate::rules::Seat, token: usize| {
        Exercise::Later(Trace {
            requirement,
            key: (seat.index() * TOKENS + token) as u32,
        })
    };
    see(Exercise::Now("ur/roll/heads"));
    see(Exercise::Next("ur/move/forward-by-roll"));
    if token == 0 || token == TOKENS - 1 {
        see(Exercise::Now("ur/tokens/numbered-0-to-6"));
    }
    if token == TOKENS - 1 {
        see(Exercise::Now("ur/tokens/seven"));
    }
    if from == START {
        see(Exercise::Now("ur/move/enters-the-track"));
        see(Exercise::Now("ur/tokens/start-off-the-track"));
    }
    if let Some(other) = before
        .token_on(mover.other(), to)
        .filter(|_| PRIVATE.contains(&to))
    {
        see(Exercise::Now("ur/track/private-cells-apart"));
        see(later(ONLY_SHARED, mover.other(), other));
    }
    if rules.captures(before, to) {
        see(Exercise::Now("ur/capture/shared-lane"));
        rules
            .move_ground(before, roll, mv)
            .into_iter()
            .for_each(|id| see(Exercise::Now(id)));
        if let Some(victim) = before.token_on(mover.other(), to) {
            see(later(SENT_BACK, mover.other(), victim));
        }
        see(later(CELL_TAKEN, mover, token));
    }
    if to == 14 {
        see(Exercise::Next("ur/track/fourteen-cells"));
    }
    if to == END {
        see(Exercise::Now("ur/exit/exact"));
        see(Exercise::Now("ur/track/fourteen-cells"));
        match before.out(mover) + 1 {
            TOKENS => {
                see(Exercise::Now("ur/win/seven-out"));
                return see(Exercise::Now("ur/tokens/seven"));
            }
            6 => see(Exercise::Next("ur/win/seven-out")),
            _ => {}
        }
    }
    see(Exercise::Next(rules.turn_ground(before, roll, Some(mv))));
    if !rules.is_rosette(to) {
        see(Exercise::Next("ur/turn/alternates"));
        see(Exercise::Next("ur/extra-turn/only-there"));
    }
}

/// Returns true if a turn shows the place of a token, of which an earlier turn left a trace.
pub(super) fn completes(
    rules: UrRules,
    before: &UrPosition,
    roll: Roll,
    attempt: Attempt,
    by_subject: bool,
    trace: Trace,
) -> bool {
    let (seat, token) = (trace.key as usize / TOKENS, trace.key as usize % TOKENS);
    let is_his = before.mover().index() == seat;
    match attempt {
        Attempt::Moved(mv) if is_his => by_subject || mv.0 as usize == token,
        // The captor is captured in turn where it stands.
        Attempt::Moved(mv) => {
            let (_, to) = rules.way(before, roll, mv);
            trace.requirement == CELL_TAKEN
                && rules.captures(before, to)
                && before.token_on(before.mover().other(), to) == Some(token)
        }
        // Elsewhere the token could have moved.
        Attempt::Skipped => is_his && rules.steps(roll) > 0,
        Attempt::Refused(_) | Attempt::Forfeited => false,
    }
}
