//! Requirements that each turn of Onitama exercises.

use super::cell::{CELLS, OnitamaCell, SIDE, temple};
use super::notation::CardMove;
use super::position::OnitamaPosition;
use super::{Card, Hand, OnitamaRules};
use crate::rules::{Attempt, Exercise, Roll, Rules, Seat, Trace};

const SIXTEEN: &str = "oni/cards/sixteen";
const ROTATE: &str = "oni/cards/rotate";
const IN_HAND: &str = "oni/cards/two-in-hand";
const THROUGH: &str = "oni/cards/through-the-middle";

/// Trace of a card that a player has used.
const USED: u32 = 0;
/// Trace of a card that a player has taken from the middle.
const TAKEN: u32 = 1;

fn trace(requirement: &'static str, what: u32, seat: Seat, card: Card) -> Exercise {
    Exercise::Later(Trace {
        requirement,
        key: (what * 2 + seat.index() as u32) << 8 | card.index() as u32,
    })
}

/// Lists the cells that the player's own pieces reach by these cards, cells with own pieces included.
fn reach(
    before: &OnitamaPosition,
    cards: Hand,
    is_turned: bool,
) -> impl Iterator<Item = (Card, OnitamaCell, u32)> {
    let own = before.pieces(before.mover);
    let origins = move || (0..CELLS as OnitamaCell).filter(move |cell| own >> cell & 1 != 0);
    let cards: Vec<Card> = cards.cards().collect();
    let of = move |card: Card| origins().map(move |from| (card, from, card.reach(from, is_turned)));
    cards.into_iter().flat_map(of)
}

/// Names the requirements that a turn puts to the test.
pub(super) fn exercises(
    rules: OnitamaRules,
    before: &OnitamaPosition,
    attempt: Attempt,
    see: &mut dyn FnMut(Exercise),
) {
    let is_stuck = !rules.can_move(before, Roll(0));
    match attempt {
        Attempt::Moved(mv) => {
            moved(before, rules.step(before, mv), see);
            chosen(before, see);
        }
        Attempt::Refused(_) if is_stuck => see(Exercise::Now("oni/difference/no-valid-move")),
        Attempt::Forfeited if is_stuck => {
            see(Exercise::Now("oni/difference/no-valid-move"));
            see(Exercise::Now("oni/timeout/no-valid-move"));
        }
        Attempt::Refused(_) | Attempt::Forfeited | Attempt::Skipped => {}
    }
}

fn moved(before: &OnitamaPosition, step: CardMove, see: &mut dyn FnMut(Exercise)) {
    let CardMove { card, from, to } = step;
    let mover = before.mover;
    let (home, far) = (temple(mover) / SIDE, temple(mover.other()) / SIDE);
    see(Exercise::Now("oni/cards/steps"));
    // By the card as the other side sees it, the step would not be there.
    if card.reach(from, mover == Seat::Second) >> to & 1 == 0 {
        see(Exercise::Now("oni/cards/turned-for-top"));
    }
    if from / SIDE == home {
        see(Exercise::Now("oni/board/home-rows"));
    }
    if to % SIDE == SIDE - 1 || to / SIDE == far {
        see(Exercise::Now("oni/board/five-by-five"));
    }
    for middle in before.middle.cards() {
        see(trace(THROUGH, TAKEN, mover, middle));
    }
    see(trace(THROUGH, USED, mover, card));
    see(trace(ROTATE, USED, mover, card));
    see(trace(SIXTEEN, USED, mover, card));
    see(trace(IN_HAND, USED, mover, card));
    let is_master = before.master(mover) == Some(from);
    if before.has_piece(mover.other(), to) {
        see(Exercise::Now("oni/move/capture"));
    }
    let takes_master = before.master(mover.other()) == Some(to);
    let is_across = is_master && to == temple(mover.other());
    for (wins, id) in [
        (takes_master, "oni/win/master-captured"),
        (is_across, "oni/win/temple"),
    ] {
        if wins {
            see(Exercise::Now(id));
            see(Exercise::Now("oni/board/masters-on-column-c"));
        }
    }
    if takes_master || is_across {
        return;
    }
    see(Exercise::Next("oni/turn/alternates"));
    if to == temple(mover.other()) {
        see(Exercise::Next("oni/win/master-only"));
    } else if is_master && to / SIDE == far {
        see(Exercise::Next("oni/win/only-the-temple"));
    }
}

/// Names the requirements that a player can break in its choice of a move.
fn chosen(before: &OnitamaPosition, see: &mut dyn FnMut(Exercise)) {
    let mover = before.mover;
    let (hand, own) = (before.hands[mover], before.pieces(mover));
    let is_turned = mover == Seat::First;
    let leads = |cards: Hand| reach(before, cards, is_turned).any(|(.., cells)| cells & !own != 0);
    let mut of_mover = |holds: bool, id| {
        if holds {
            see(Exercise::OfMover(id));
        }
    };
    // Eleven cards are not dealt, most cells of the board are no step, and there are empty ones and the opponent's.
    for id in [
        "card-not-dealt",
        "not-a-step",
        "empty-origin",
        "opponents-piece",
    ] {
        let refusal = super::refusal::ALL
            .iter()
            .find(|refusal| refusal.code == id);
        refusal
            .into_iter()
            .for_each(|refusal| of_mover(true, refusal.requirement));
    }
    of_mover(leads(before.middle), "oni/invalid/middle-card");
    of_mover(
        leads(before.hands[mover.other()]),
        "oni/invalid/opponents-card",
    );
    of_mover(
        reach(before, hand, is_turned).any(|(.., cells)| cells & own != 0),
        "oni/invalid/own-piece",
    );
    let mut as_others = reach(before, hand, !is_turned).zip(reach(before, hand, is_turned));
    of_mover(
        as_others.any(|((.., theirs), (.., cells))| theirs & !cells & !own != 0),
        "oni/cards/turned-for-top",
    );
}

/// Returns true if a turn shows the place of a card, of which an earlier turn left a trace.
pub(super) fn completes(
    before: &OnitamaPosition,
    attempt: Attempt,
    by_subject: bool,
    trace: Trace,
) -> bool {
    let step = match attempt {
        Attempt::Moved(mv) | Attempt::Refused(mv) => CardMove::of(mv),
        Attempt::Skipped | Attempt::Forfeited => None,
    };
    let Some(step) = step else { return false };
    let is_legal = matches!(attempt, Attempt::Moved(_));
    let is_his = before.mover.index() as u32 == trace.key >> 8 & 1;
    let is_card = step.card.index() as u32 == trace.key & 0xFF;
    if by_subject && is_his {
        return true;
    }
    match trace.requirement {
        IN_HAND => is_his && is_legal,
        // The other player has it by now; or its player tries it again.
        ROTATE => is_card && is_legal != is_his,
        SIXTEEN => is_card && !is_his && is_legal,
        _ if trace.key >> 9 == TAKEN => is_card && is_his && is_legal,
        _ => is_card && !is_legal && before.middle.has(step.card),
    }
}
