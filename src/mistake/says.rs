//! What a game says of a known mistake. A game that is wrong by the rules and right by the mistake *explains* by it; one that is right by the
//! rules and wrong by the mistake *refutes* it.

use super::reason;
use crate::event::Outcome;
use crate::finding::{Reaction, Symptom, Verdict};
use crate::protocol::GameEvent;
use crate::rules::{Mistake, Move, Phase, Seat, Setup, Table};
use crate::scenario::{PlannedGame, Side, Sign, awaits, is_shown, see_bot};

/// A bot that makes a mistake, and picks at random among the moves that it holds to be legal, would have kept to the rules for so long
/// with at most this probability: then what it does otherwise has another cause, such as a value that is out of date.
pub(super) const UNLIKELY: f64 = 0.001;

/// What a game says of a mistake.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Says {
    /// A subject that makes the mistake would have shown something else.
    Refutes,
    /// A subject that makes the mistake can have played it.
    Allows {
        /// True if the game failed, and such a subject would have shown all of it.
        explains: bool,
        /// Probability that a bot that makes the mistake, and picks at random among the moves that it holds to be legal, would not have shown
        /// it; 1 for a referee.
        unshown: f64,
    },
}

impl Says {
    /// Nothing, and there was no chance to say more.
    pub const NOTHING: Says = Says::Allows {
        explains: false,
        unshown: 1.0,
    };

    /// The game failed by the mistake.
    pub const EXPLAINS: Says = Says::Allows {
        explains: true,
        unshown: 1.0,
    };
}

/// Holds a mistake in the rules against a game. `known`: for each of its events, whether a game before has shown what a bot decides there.
pub(super) fn says(row: &Mistake, plan: &PlannedGame, outcome: &Outcome, known: &[bool]) -> Says {
    let setup = outcome.setup.unwrap_or_default();
    let mistakes = plan.dialect.game().mistakes();
    let table = mistakes.table_of(plan.bot_seat, setup, row.name);
    table.map_or(Says::NOTHING, |table| {
        says_from(table, plan, outcome, known)
    })
}

/// Holds a mistake against a game, which begins with this table to whoever makes the mistake.
pub(super) fn says_from(
    mut table: Box<dyn Table>,
    plan: &PlannedGame,
    outcome: &Outcome,
    known: &[bool],
) -> Says {
    let has_failed = outcome.verdict == Verdict::Fail;
    if !has_failed && !matches!(outcome.verdict, Verdict::Pass | Verdict::Lenient) {
        return Says::NOTHING;
    }
    let setup = outcome.setup.unwrap_or_default();
    let history = &outcome.history;
    let symptom = reason(outcome).and_then(|finding| finding.symptom.as_ref());
    let symptom =
        symptom.filter(|symptom| fits(symptom, plan, setup, history, table.fork().as_mut()));
    let explains = symptom.is_some();
    let mut unshown = 1.0;
    let mut rules = plan.dialect.game().table(setup);
    let event = match plan.side {
        Side::Bot => {
            let bot = plan.bot_seat;
            let walk = walk(bot, history, table.as_mut(), rules, false, known);
            let next = history.get(walk.events);
            unshown = walk.unshown;
            // A line that nobody awaited may have been taken for the next answer, and the game may have failed by that, or been over to the bot.
            let may_be_taken = matches!(next, Some(GameEvent::Rolled { .. }))
                && (has_failed || may_win(table.as_ref()));
            let shows = match walk.sign {
                Sign::Refuted => !may_be_taken,
                // In a game that passed, one of so many later answers would have been one too many.
                Sign::Surplus => !has_failed && walk.moves_after(bot, history) >= SOON,
                _ => false,
            };
            shows.then_some(walk.events)
        }
        Side::Referee if has_failed => {
            first_sign(settled(history), None, table.as_mut(), rules.as_mut())
        }
        Side::Referee => {
            let sign = first_sign(history, outcome.losing_move, table.as_mut(), rules.as_mut());
            // Where the winner leaves, its absence may end the game.
            let leaves = plan.turns().last();
            let leaves = leaves.is_some_and(|(_, turn)| turn.deed.leaving().is_some());
            sign.filter(|&event| event < history.len() || !leaves)
        }
    };
    match event.filter(|_| !explains) {
        Some(_) => Says::Refutes,
        // By a wrong move, the bot has shown the mistake.
        None if symptom.is_some_and(Symptom::is_move) => Says::EXPLAINS,
        None => Says::Allows { explains, unshown },
    }
}

/// Returns true if a mistake in the rules explains the failure of a game.
#[must_use]
pub fn explains(row: &Mistake, plan: &PlannedGame, outcome: &Outcome) -> bool {
    let said = says(row, plan, outcome, &[]);
    matches!(said, Says::Allows { explains: true, .. })
}

/// What a referee that failed has certainly shown: all before the last move but one. What was sent after that may be what the failure is
/// about.
fn settled(history: &[GameEvent]) -> &[GameEvent] {
    let moves = history.iter().enumerate().rev();
    let mut moves = moves.filter(|(_, event)| !matches!(event, GameEvent::Rolled { .. }));
    &history[..moves.nth(1).map_or(0, |(number, _)| number)]
}

/// Plays the events of a referee's game with a mistake, up to a loss before the end by the rules, and returns the number of the first that does
/// not fit, from 0; the number of all events where the game would not end as it did. `losing`: the move by which it was lost, if it is one.
#[must_use]
pub fn first_sign(
    history: &[GameEvent],
    losing: Option<Move>,
    mistaken: &mut dyn Table,
    rules: &mut dyn Table,
) -> Option<usize> {
    for (number, event) in history.iter().enumerate() {
        if let GameEvent::Lost { by, .. } = *event {
            let is_other = |mv| mistaken.check(mv).is_ok() && rules.check(mv).is_err();
            let is_taken = awaits(mistaken, by) && losing.is_some_and(is_other);
            return is_taken.then_some(number);
        }
        if !is_shown(mistaken, event) {
            return Some(number);
        }
        event.play_on(rules);
    }
    let end = rules.phase().result();
    (end.is_some() && end != mistaken.phase().result()).then_some(history.len())
}

/// The game of a bot, as far as it fits a mistake.
struct Walk {
    /// Number of events that fit.
    events: usize,
    /// What the next event says.
    sign: Sign,
    /// Probability that the bot would not have shown the mistake.
    unshown: f64,
    /// True if the bot holds what it was told last to be against the rules.
    is_refused: bool,
}

/// Returns true if a move ends the game.
fn may_win(table: &dyn Table) -> bool {
    table.legal_moves().into_iter().any(|mv| {
        let mut after = table.fork();
        after.play(mv).is_ok() && after.phase().result().is_some()
    })
}

/// So many moves a bot may make before it shows that it has gone astray.
const SOON: usize = 3;

impl Walk {
    /// Number of the bot's moves after the events that fit.
    fn moves_after(&self, bot: Seat, history: &[GameEvent]) -> usize {
        let is_own =
            |event: &&GameEvent| matches!(event, GameEvent::Moved { by, .. } if *by == bot);
        history[self.events..].iter().filter(is_own).count()
    }

    /// Returns true if the bot was told what could not be, or would have sent a line that nobody awaited and that is taken for its next one:
    /// then it can show anything.
    fn is_astray(&self, history: &[GameEvent]) -> bool {
        match self.sign {
            Sign::Fits(_) => false,
            Sign::Refuted => matches!(history[self.events], GameEvent::Rolled { .. }),
            Sign::Surplus | Sign::Unclear => {
                !matches!(history[self.events], GameEvent::Lost { .. })
            }
        }
    }
}

/// Plays the game of a bot that makes a mistake, as far as it fits. `takes_all`: the bot takes the moves of its opponent as they are.
fn walk(
    bot: Seat,
    history: &[GameEvent],
    mistaken: &mut dyn Table,
    mut rules: Box<dyn Table>,
    takes_all: bool,
    known: &[bool],
) -> Walk {
    let mut walk = Walk {
        events: 0,
        sign: Sign::Fits(0.0),
        unshown: 1.0,
        is_refused: false,
    };
    for event in history {
        let mut sign = see_bot(mistaken, bot, rules.as_ref(), event);
        let is_refused = match *event {
            GameEvent::Moved { by, mv, .. } if by != bot && sign == Sign::Unclear && takes_all => {
                if awaits(mistaken, by) && mistaken.play_all_the_same(mv) {
                    sign = Sign::Fits(0.0);
                }
                true
            }
            // It holds its own turn to be skipped.
            GameEvent::Rolled { by, skipped, .. } => {
                by == bot && !skipped && mistaken.phase() == Phase::Roll
            }
            _ => false,
        };
        walk.sign = sign;
        let Sign::Fits(chance) = sign else {
            break;
        };
        if !known.get(walk.events).is_some_and(|is_known| *is_known) {
            walk.unshown *= 1.0 - chance;
        }
        let is_own = matches!(event, GameEvent::Moved { by, .. } if *by == bot);
        walk.is_refused = is_refused || walk.is_refused && !is_own;
        walk.events += 1;
        event.play_on(rules.as_mut());
    }
    walk
}

/// Returns true if a bot that plays by this table would have gone astray in this game: then it can show anything.
#[must_use]
pub fn is_astray(
    plan: &PlannedGame,
    setup: Setup,
    history: &[GameEvent],
    table: &mut dyn Table,
) -> bool {
    let rules = plan.dialect.game().table(setup);
    walk(plan.bot_seat, history, table, rules, true, &[]).is_astray(history)
}

/// Returns true if a subject that plays by this table, which is before the first turn, would have come as far as this game, and shown this.
#[must_use]
pub fn fits(
    symptom: &Symptom,
    plan: &PlannedGame,
    setup: Setup,
    history: &[GameEvent],
    table: &mut dyn Table,
) -> bool {
    let Symptom {
        reaction, attempt, ..
    } = *symptom;
    if plan.side == Side::Bot {
        let rules = plan.dialect.game().table(setup);
        return is_of_bot(table, rules, plan.bot_seat, history, reaction);
    }
    let mut shown = history[..symptom.settled].iter();
    if !shown.all(|event| is_shown(table, event)) {
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
    let is_silent_loss = reaction == Reaction::End && plan.dialect.is_loss_silent();
    reactions.contains(&reaction) || is_silent_loss && reactions.contains(&Reaction::Loss)
}

/// Returns true if a bot that plays by this table would have come as far as this, and reacted so.
fn is_of_bot(
    table: &mut dyn Table,
    rules: Box<dyn Table>,
    bot: Seat,
    history: &[GameEvent],
    reaction: Reaction,
) -> bool {
    if reaction == Reaction::Answer(None) {
        // A line that is no move says nothing of the rules.
        return false;
    }
    let walk = walk(bot, history, table, rules, true, &[]);
    if walk.events < history.len() {
        // A number that is no move comes of no position.
        let may_be_sent = !matches!(reaction, Reaction::Number(_));
        return may_be_sent && walk.is_astray(history) && walk.moves_after(bot, history) <= SOON;
    }
    let is_on_turn = awaits(table, bot);
    // Who has to move and finds no legal move sends no line, or ends.
    let is_stuck = is_on_turn && table.legal_moves().is_empty();
    match reaction {
        Reaction::Answer(Some(mv)) | Reaction::Number(mv) => is_on_turn && table.check(mv).is_ok(),
        Reaction::Nothing => is_stuck || !is_on_turn,
        Reaction::End => is_stuck || walk.is_refused || table.phase().result().is_some(),
        _ => false,
    }
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

    /// Returns true if a bot on the first seat that plays by this mistake would have come so far and reacted so; `rules`: by the rules.
    fn fits(mistake: &str, turns: &str, reaction: Reaction) -> bool {
        let game = pack::game("royalur").unwrap();
        let mut table = match mistake {
            "rules" => game.table(Setup::default()),
            mistake => game.mistakes().table(Setup::default(), mistake).unwrap(),
        };
        let rules = game.table(Setup::default());
        is_of_bot(
            table.as_mut(),
            rules,
            Seat::First,
            &history(turns),
            reaction,
        )
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
    fn a_bot_can_keep_a_captured_token_where_it_was_or_count_from_1() {
        let captured =
            "first 4 > 0, first 1 > 0, second 4 > 0, second 0, first 1 > 1, second 1 > 0, first 1";
        // Token 1 bars the first cell to token 0, which waits at the start.
        let moved = Reaction::Answer(Some(Move(0)));
        assert!(fits("captured-stays", captured, moved));
        assert!(fits("captured-stays-for-opponent", captured, moved));
        assert!(fits("captured-stays-0", captured, moved));
        for other in ["rules", "captured-stays-for-own", "captured-stays-6"] {
            assert!(!fits(other, captured, moved), "{other}");
        }
        let beyond = Reaction::Number(Move(7));
        assert!(fits("tokens-from-1", "first 1", beyond));
        assert!(!fits("rules", "first 1", beyond));
    }

    #[test]
    fn a_bot_ends_where_it_was_told_a_move_that_is_illegal_by_its_mistake() {
        let mistake = "last-1-tokens-barred";
        let told = "first 1 > 0, second 1 > 6, first 2";
        assert!(fits(mistake, told, Reaction::End));
        assert!(!fits("rules", told, Reaction::End));
        assert!(!fits("stacking", told, Reaction::End));
        // It has taken the move as it is.
        let taken = format!("{told} > 1");
        assert!(!fits(mistake, &taken, Reaction::End));
        // It has made such a move itself.
        let made = told.replacen("> 0", "> 6", 1);
        assert!(!fits(mistake, &made, Reaction::End));
    }
}
