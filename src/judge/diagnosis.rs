//! Known deviations from the rules that explain an observation.

use super::observed::Observed;
use crate::protocol::{Cause, Expected, GameEvent};
use crate::requirement::Role;
use crate::rules::VariantRow;
use crate::rules::{Move, Phase, Seat, Table};
use crate::scenario::{Side, awaits};

/// Unexpected action of the subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reaction {
    /// A roll.
    Roll,
    /// The move that was sent, relayed as valid.
    Move,
    /// A loss.
    Loss,
    /// Nothing.
    Nothing,
    /// Nothing, and no lane ends: a move is awaited.
    Waits,
    /// The end of the stream.
    End,
    /// A line that means nothing.
    Other,
    /// A bot's line: the move that it names, if it names one.
    Answer(Option<Move>),
}

/// The usual variants of the rules under which all that was seen so far is right, and this reaction on that lane too.
pub(super) fn explain(
    seen: &Observed,
    lane: usize,
    reaction: Reaction,
) -> Vec<&'static VariantRow> {
    let variants = seen.plan.dialect.game().variants();
    let is_seen = |row: &&VariantRow| is_straight(seen, row);
    of(seen, variants.iter().filter(is_seen), lane, reaction)
}

/// Every wrong reading of the rules, those last that hold in some turns only, under which all that was seen so far is right, and this
/// reaction on that lane too.
pub(super) fn hypotheses(
    seen: &Observed,
    lane: usize,
    reaction: Reaction,
) -> Vec<&'static VariantRow> {
    let setup = seen.model.facts().setup.unwrap_or_default();
    // What the rules themselves explain is no sign of another reading.
    if explains(seen, seen.plan.dialect.game().table(setup), lane, reaction) {
        return Vec::new();
    }
    let rows = seen.plan.hypotheses().chain(seen.plan.occasional());
    of(seen, rows, lane, reaction)
}

/// Returns true unless a bot that plays by the variant would have gone astray before: then it can show anything, and one game says too little.
fn is_straight(seen: &Observed, row: &VariantRow) -> bool {
    let setup = seen.model.facts().setup.unwrap_or_default();
    let (history, bot) = (seen.model.history(), seen.plan.bot_seat);
    let table = seen.plan.dialect.game().variant_table(setup, row.name);
    let is_astray = |mut table: Box<dyn Table>| {
        matches!(
            walk_bot(table.as_mut(), bot, history),
            BotWalk::Astray { .. }
        )
    };
    seen.plan.side == Side::Referee || !table.is_some_and(is_astray)
}

fn of(
    seen: &Observed,
    rows: impl Iterator<Item = &'static VariantRow>,
    lane: usize,
    reaction: Reaction,
) -> Vec<&'static VariantRow> {
    let setup = seen.model.facts().setup.unwrap_or_default();
    let table = |row: &VariantRow| seen.plan.dialect.game().variant_table(setup, row.name);
    rows.filter(|row| table(row).is_some_and(|table| explains(seen, table, lane, reaction)))
        .collect()
}

fn explains(seen: &Observed, mut table: Box<dyn Table>, lane: usize, reaction: Reaction) -> bool {
    let history = seen.model.history();
    if seen.plan.side == Side::Bot {
        return is_of_bot(table.as_mut(), seen.plan.bot_seat, history, reaction);
    }
    // What was said last is not confirmed by any lane yet, or it is what the deviation is about.
    let (settled, attempt) = match history.last() {
        Some(GameEvent::Moved { by, mv, .. }) if !is_confirmed(seen, lane, *by) => {
            (&history[..history.len() - 1], Some((*by, Some(*mv))))
        }
        Some(GameEvent::Lost {
            by,
            cause: Cause::Invalid(_),
        }) => {
            let attempt = (*by, seen.model.losing_move());
            (&history[..history.len() - 1], Some(attempt))
        }
        // Who was silent, or went away, has attempted nothing.
        Some(GameEvent::Lost { .. }) => (&history[..history.len() - 1], None),
        _ => (history, None),
    };
    if !follows(table.as_mut(), settled) {
        return false;
    }
    // Whom his own move is told like everybody else has no lane of his own kind.
    let is_own_lane =
        !is_echoed(seen) && attempt.is_some_and(|(by, _)| seen.model.lane_of(by) == Some(lane));
    let reactions = react(table.as_mut(), attempt, is_own_lane);
    let is_silent_loss = reaction == Reaction::End && is_loss_silent(seen);
    reactions.contains(&reaction) || is_silent_loss && reactions.contains(&Reaction::Loss)
}

/// Returns true if the lane, or every lane, has received the last move.
fn is_confirmed(seen: &Observed, lane: usize, by: Seat) -> bool {
    let is_told = |lane: usize| {
        !seen
            .model
            .missing(lane)
            .is_some_and(|missing| matches!(missing.expected, Expected::Line(_)))
    };
    let is_to_be_told = is_echoed(seen) || seen.model.lane_of(by) != Some(lane);
    seen.model.is_caught_up() || is_to_be_told && is_told(lane)
}

/// Returns true if players receive their own moves.
fn is_echoed(seen: &Observed) -> bool {
    seen.plan.dialect.find_id(Role::NoEcho).is_none()
}

/// How the game of a bot looks to one that plays by a variant of the rules.
enum BotWalk {
    Kept {
        is_refused: bool,
    },
    /// The bot was told what could not be, or would have sent a line that nobody awaited and that is taken for its next one. It has moved
    /// this often since.
    Astray {
        moves: usize,
    },
    /// The bot has made a move that is illegal by the variant, or was not its own.
    Broken,
}

/// So many moves a bot may make before it shows that it has gone astray.
const SOON: usize = 3;

/// Plays the game of a bot by a variant. It takes the moves of its opponent as they are.
fn walk_bot(table: &mut dyn Table, bot: Seat, history: &[GameEvent]) -> BotWalk {
    let mut is_refused = false;
    for (number, event) in history.iter().enumerate() {
        let is_due = match *event {
            GameEvent::Moved { by, mv, .. } if by == bot => {
                if !awaits(table, by) || table.play(mv).is_err() {
                    return BotWalk::Broken;
                }
                is_refused = false;
                true
            }
            GameEvent::Moved { by, mv, .. } => {
                let is_due = awaits(table, by);
                is_refused |= is_due && table.check(mv).is_err();
                is_due && table.play_all_the_same(mv)
            }
            GameEvent::Rolled { by, roll, skipped } => {
                let is_due = table.phase() == Phase::Roll;
                let is_skip = is_due && !table.take_roll(roll);
                is_refused |= is_skip && by == bot && !skipped;
                is_due
            }
            GameEvent::Lost { .. } => return BotWalk::Broken,
        };
        if !is_due {
            let is_own =
                |event: &&GameEvent| matches!(event, GameEvent::Moved { by, .. } if *by == bot);
            let moves = history[number..].iter().filter(is_own).count();
            return BotWalk::Astray { moves };
        }
    }
    BotWalk::Kept { is_refused }
}

/// Returns true if a bot that plays by the variant would have come as far as this, and reacted so.
fn is_of_bot(table: &mut dyn Table, bot: Seat, history: &[GameEvent], reaction: Reaction) -> bool {
    let is_refused = match walk_bot(table, bot, history) {
        BotWalk::Kept { is_refused } => is_refused,
        BotWalk::Astray { moves } => return moves <= SOON,
        BotWalk::Broken => return false,
    };
    let is_on_turn = awaits(table, bot);
    // Who has to move and finds no legal move sends any line, or none, or ends.
    let is_stuck = is_on_turn && table.legal_moves().is_empty();
    match reaction {
        Reaction::Answer(mv) => {
            is_stuck || is_on_turn && mv.is_some_and(|mv| table.check(mv).is_ok())
        }
        Reaction::Nothing => is_stuck || !is_on_turn,
        Reaction::End => is_stuck || is_refused || table.phase().result().is_some(),
        _ => false,
    }
}

/// Plays the events by the variant; `false` where it would have shown something else than was seen.
fn follows(table: &mut dyn Table, history: &[GameEvent]) -> bool {
    history.iter().all(|event| match *event {
        GameEvent::Rolled { roll, .. } => {
            let is_due = table.phase() == Phase::Roll;
            if is_due {
                table.take_roll(roll);
            }
            is_due
        }
        GameEvent::Moved { by, mv, .. } => awaits(table, by) && table.play(mv).is_ok(),
        GameEvent::Lost { .. } => false,
    })
}

/// Returns the next lines of a referee that plays by the variant, with or without a player's line. The
/// player's own lane is told of what follows the move, and not of the move.
fn react(
    table: &mut dyn Table,
    attempt: Option<(Seat, Option<Move>)>,
    is_own_lane: bool,
) -> Vec<Reaction> {
    if let (Phase::Move, Some((by, mv))) = (table.phase(), attempt)
        && table.to_move() == by
    {
        let is_legal = mv.is_some_and(|mv| table.play(mv).is_ok());
        match (is_legal, is_own_lane) {
            (true, false) => return vec![Reaction::Move],
            (false, false) => return vec![Reaction::Loss],
            (false, true) => return vec![Reaction::Loss, Reaction::End, Reaction::Nothing],
            (true, true) => {}
        }
    }
    match table.phase() {
        Phase::Over(_) => vec![Reaction::End, Reaction::Nothing],
        Phase::Roll => vec![Reaction::Roll],
        Phase::Move => vec![Reaction::Nothing, Reaction::Waits],
    }
}

/// Returns true if only the close of a lane shows a loss.
pub(super) fn is_loss_silent(seen: &Observed) -> bool {
    let Some(by) = seen
        .model
        .awaits_move_of()
        .or(seen.model.history().last().map(GameEvent::by))
    else {
        return false;
    };
    seen.plan
        .dialect
        .closes_after(&GameEvent::Lost {
            by,
            cause: Cause::Unseen,
        })
        .is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack;
    use crate::rules::{Roll, Setup};

    fn rolled(by: Seat, heads: u32) -> GameEvent {
        let (roll, skipped) = (Roll((1 << heads) - 1), heads == 0);
        GameEvent::Rolled { by, roll, skipped }
    }

    fn moved(by: Seat, token: u32) -> GameEvent {
        let (mv, result) = (Move(token), None);
        GameEvent::Moved { by, mv, result }
    }

    /// Returns true if a bot on the first seat that plays by this reading would have come so far and reacted so; `rules`: by the rules.
    fn fits(reading: &str, history: &[GameEvent], reaction: Reaction) -> bool {
        let game = pack::game("royalur").unwrap();
        let mut table = match reading {
            "rules" => game.table(Setup::default()),
            reading => game.variant_table(Setup::default(), reading).unwrap(),
        };
        is_of_bot(table.as_mut(), Seat::First, history, reaction)
    }

    #[test]
    fn a_line_that_nobody_awaited_explains_the_surplus_line_of_a_later_turn() {
        use Seat::{First, Second};
        let history = [
            rolled(First, 0),
            rolled(Second, 0),
            rolled(First, 1),
            moved(First, 0),
        ];
        let surplus = Reaction::Answer(Some(Move(1)));
        assert!(!fits("rules", &history, surplus));
        assert!(fits("0-heads-move-1", &history, surplus));
        // That would have shown long before.
        let mut later = history.to_vec();
        for token in 1..4 {
            later.extend([
                rolled(Second, 0),
                rolled(First, token + 1),
                moved(First, token),
            ]);
        }
        assert!(!fits("0-heads-move-1", &later, surplus));
    }

    #[test]
    fn a_bot_ends_where_it_was_told_a_move_that_is_illegal_by_its_reading() {
        use Seat::{First, Second};
        let mut history = vec![
            rolled(First, 1),
            moved(First, 0),
            rolled(Second, 1),
            moved(Second, 6),
            rolled(First, 2),
        ];
        let reading = "last-1-tokens-barred";
        assert!(fits(reading, &history, Reaction::End));
        assert!(!fits("rules", &history, Reaction::End));
        assert!(!fits("stacking", &history, Reaction::End));
        // It has taken the move as it is.
        history.push(moved(First, 1));
        assert!(!fits(reading, &history, Reaction::End));
        // It has made such a move itself.
        history[1] = moved(First, 6);
        assert!(!fits(reading, &history[..5], Reaction::End));
    }
}
