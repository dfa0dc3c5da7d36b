//! The first turn that a subject with a mistake in the rules sees in another way.

use crate::event::Outcome;
use crate::finding::BeliefView;
use crate::protocol::GameEvent;
use crate::rules::{Game, GameResult, Phase, Table};
use crate::scenario::{PlannedGame, awaits};

/// Plays the game by the rules and by this table, with which it begins to a subject that makes a mistake, and draws the first position that is
/// not the same to both; `None` if there is none.
pub(super) fn difference(
    plan: &PlannedGame,
    outcome: &Outcome,
    mut belief: Box<dyn Table>,
) -> Option<BeliefView> {
    let (game, history) = (plan.dialect.game(), &outcome.history);
    let mut rules = game.table(outcome.setup.unwrap_or_default());
    let head = |table: &dyn Table, who: &str| format!("{who}: {}", standing(game, table));
    let believer = format!("as the {} believes", plan.side.word());
    let view = |when, rules: &dyn Table, believed| BeliefView {
        when,
        boards: [
            (head(rules, "by the rules"), lines(&rules.draw())),
            believed,
        ],
    };
    let drawn = |belief: &dyn Table| (head(belief, &believer), lines(&belief.draw()));
    if differ(rules.as_ref(), belief.as_ref()) {
        let when = "before the first turn".to_owned();
        return Some(view(when, rules.as_ref(), drawn(belief.as_ref())));
    }
    for (number, event) in history.iter().enumerate() {
        let turn = GameEvent::turns(&history[..=number]);
        let when = format!("turn {turn}, {}", event.describe(game));
        if let GameEvent::Lost { by, .. } = *event {
            // He has lost by a move that the mistake takes.
            let is_taken = awaits(belief.as_ref(), by) && belief.play(outcome.losing_move?).is_ok();
            let head = format!("by the rules: {} has lost", game.seat_name(by));
            return is_taken.then(|| BeliefView {
                boards: [(head, lines(&rules.draw())), drawn(belief.as_ref())],
                when,
            });
        }
        if !event.play_on(rules.as_mut()) {
            return None;
        }
        if let GameEvent::Moved { mv, .. } = *event
            && let Err(refusal) = belief.check(mv)
        {
            let refused = format!("{believer}: this move is not legal, {}", refusal.reason);
            return Some(view(when, rules.as_ref(), (refused, Vec::new())));
        }
        event.play_on(belief.as_mut());
        if differ(rules.as_ref(), belief.as_ref()) {
            return Some(view(when, rules.as_ref(), drawn(belief.as_ref())));
        }
    }
    None
}

/// Returns true if the two do not show the same position, or do not wait for the same.
fn differ(one: &dyn Table, other: &dyn Table) -> bool {
    let state = |table: &dyn Table| (table.phase(), table.to_move());
    state(one) != state(other) || one.draw() != other.draw()
}

/// Says what the game waits for.
fn standing(game: &dyn Game, table: &dyn Table) -> String {
    let who = game.seat_name(table.to_move());
    match table.phase() {
        Phase::Roll => format!("{who} rolls"),
        Phase::Move => format!("{who} moves"),
        Phase::Over(GameResult::Won(winner)) => format!("{} has won", game.seat_name(winner)),
        Phase::Over(GameResult::Drawn) => "the game is drawn".to_owned(),
    }
}

fn lines(board: &str) -> Vec<String> {
    board.trim_end().lines().map(str::to_owned).collect()
}
