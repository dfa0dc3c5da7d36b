//! Holds a reading of the rules against what a failed game shows.

use crate::finding::{Reaction, Symptom};
use crate::protocol::GameEvent;
use crate::rules::{Move, Phase, Seat, Table};
use crate::scenario::awaits;

/// Returns true if a subject that plays by this table, which stands before the first turn, would have come as far as this game, and shown
/// this. `bot`: the seat of the subject; `None` for a referee.
#[must_use]
pub fn fits(
    symptom: &Symptom,
    bot: Option<Seat>,
    history: &[GameEvent],
    table: &mut dyn Table,
) -> bool {
    let Symptom {
        reaction, attempt, ..
    } = *symptom;
    if let Some(bot) = bot {
        return is_of_bot(table, bot, history, reaction);
    }
    if !follows(table, &history[..symptom.settled]) {
        return false;
    }
    let mut reactions = react(table, attempt, symptom.lane_of);
    if symptom.is_time_over && reactions.contains(&Reaction::Waits) {
        // Whoever is on turn has sent nothing.
        reactions.push(Reaction::Loss);
        if symptom.lane_of == Some(table.to_move()) {
            reactions.push(Reaction::End);
        }
    }
    let is_silent_loss = reaction == Reaction::End && symptom.is_loss_silent;
    reactions.contains(&reaction) || is_silent_loss && reactions.contains(&Reaction::Loss)
}

/// Returns true if a bot that plays by this table would have gone astray in this game: then it can show anything.
#[must_use]
pub fn is_astray(bot: Seat, history: &[GameEvent], table: &mut dyn Table) -> bool {
    matches!(walk_bot(table, bot, history), BotWalk::Astray { .. })
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
    if reaction == Reaction::Answer(None) {
        // A line that is no move says nothing of the rules.
        return false;
    }
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

/// Returns true if a legal move was refused, and a referee that plays by this table, which is before the first turn, would have taken it.
pub(super) fn takes_refused(
    symptom: &Symptom,
    history: &[GameEvent],
    table: &mut dyn Table,
) -> bool {
    let is_refusal = matches!(symptom.reaction, Reaction::Loss | Reaction::End);
    match (symptom.attempt, history.last()) {
        (Some((by, Some(mv))), Some(GameEvent::Moved { result: None, .. })) if is_refusal => {
            follows(table, &history[..symptom.settled])
                && awaits(table, by)
                && table.check(mv).is_ok()
        }
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
    lane_of: Option<Seat>,
) -> Vec<Reaction> {
    if let (Phase::Move, Some((by, mv))) = (table.phase(), attempt)
        && table.to_move() == by
    {
        let is_legal = mv.is_some_and(|mv| table.play(mv).is_ok());
        match (is_legal, lane_of == Some(by)) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack;
    use crate::protocol::history;
    use crate::rules::Setup;

    /// Returns true if a bot on the first seat that plays by this reading would have come so far and reacted so; `rules`: by the rules.
    fn fits(reading: &str, turns: &str, reaction: Reaction) -> bool {
        let game = pack::game("royalur").unwrap();
        let mut table = match reading {
            "rules" => game.table(Setup::default()),
            reading => game.mistakes().table(Setup::default(), reading).unwrap(),
        };
        is_of_bot(table.as_mut(), Seat::First, &history(turns), reaction)
    }

    #[test]
    fn a_legal_move_that_was_refused_contradicts_the_readings_that_take_it() {
        let game = pack::game("royalur").unwrap();
        let refused = Symptom {
            reaction: Reaction::End,
            settled: 1,
            attempt: Some((Seat::First, Some(Move(0)))),
            lane_of: Some(Seat::First),
            is_time_over: false,
            is_loss_silent: true,
        };
        let takes = |symptom: &Symptom, reading: &str| {
            let mut table = game.mistakes().table(Setup::default(), reading).unwrap();
            takes_refused(symptom, &history("first 3 > 0"), table.as_mut())
        };
        assert!(takes(&refused, "no-extra-turn-4"));
        // By it, the second player was on turn.
        assert!(!takes(&refused, "second-player-starts"));
        let untold = Symptom {
            reaction: Reaction::Nothing,
            ..refused
        };
        assert!(!takes(&untold, "no-extra-turn-4"));
    }

    #[test]
    fn a_line_that_nobody_awaited_explains_the_surplus_line_of_a_later_turn() {
        let turns = "first 0, second 0, first 1 > 0";
        let surplus = Reaction::Answer(Some(Move(1)));
        assert!(!fits("rules", turns, surplus));
        assert!(fits("0-heads-move-1", turns, surplus));
        assert!(!fits("0-heads-move-1", turns, Reaction::Answer(None)));
        // That would have shown long before.
        let later = "second 0, first 2 > 1, second 0, first 3 > 2, second 0, first 4 > 3";
        assert!(!fits(
            "0-heads-move-1",
            &format!("{turns}, {later}"),
            surplus
        ));
    }

    #[test]
    fn a_bot_ends_where_it_was_told_a_move_that_is_illegal_by_its_reading() {
        let reading = "last-1-tokens-barred";
        let told = "first 1 > 0, second 1 > 6, first 2";
        assert!(fits(reading, told, Reaction::End));
        assert!(!fits("rules", told, Reaction::End));
        assert!(!fits("stacking", told, Reaction::End));
        // It has taken the move as it is.
        let taken = format!("{told} > 1");
        assert!(!fits(reading, &taken, Reaction::End));
        // It has made such a move itself.
        let made = told.replacen("> 0", "> 6", 1);
        assert!(!fits(reading, &made, Reaction::End));
    }
}
