//! Holds a wrong reading of the rules against a game that was played.

use crate::event::Outcome;
use crate::finding::Verdict;
use crate::protocol::{GameEvent, PlayerLine};
use crate::rules::{Mistake, Move, Phase, Seat, Table};
use crate::scenario::{Deed, OpenReading, PlannedGame, Side, Sign, Step, StepKind, awaits};

/// What a game says of a reading.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Word {
    /// A subject that believes it would have shown something else than this event, by its number from 0, up to where the game failed. The
    /// number of all events where the game would have gone on.
    Refuted(usize),
    /// A bot that believes it, and picks at random among the moves that it holds to be legal, would not have shown it with this
    /// probability.
    Unshown(f64),
}

/// Holds a reading against a game.
pub(super) fn hold(row: &'static Mistake, plan: &PlannedGame, outcome: &Outcome) -> Word {
    let setup = outcome.setup.unwrap_or_default();
    match plan.dialect.game().mistakes().table(setup, row.name) {
        Some(table) => hold_by(row, table, plan, outcome),
        None => Word::Unshown(1.0),
    }
}

/// Holds a reading against a game, which begins with this table to whoever believes it.
pub(super) fn hold_by(
    row: &'static Mistake,
    mut table: Box<dyn Table>,
    plan: &PlannedGame,
    outcome: &Outcome,
) -> Word {
    let nothing = Word::Unshown(1.0);
    if !matches!(
        outcome.verdict,
        Verdict::Pass | Verdict::Lenient | Verdict::Fail
    ) {
        return nothing;
    }
    let setup = outcome.setup.unwrap_or_default();
    let history = &outcome.history;
    let rules = plan.dialect.game();
    match plan.side {
        Side::Bot => {
            let mut reading = OpenReading {
                row,
                unshown: 1.0,
                table,
            };
            hold_bot(
                plan.bot_seat,
                history,
                outcome.verdict == Verdict::Fail,
                &mut reading,
                rules.table(setup).as_mut(),
            )
        }
        Side::Referee => {
            let shown = match outcome.verdict {
                Verdict::Fail => settled(history),
                _ => history,
            };
            let losing = losing_move(plan, outcome).filter(|_| shown.len() == history.len());
            let mut rules = rules.table(setup);
            match first_sign(shown, losing, table.as_mut(), rules.as_mut()) {
                Some(sign) => Word::Refuted(sign.event),
                None => nothing,
            }
        }
    }
}

fn hold_bot(
    bot: Seat,
    history: &[GameEvent],
    has_failed: bool,
    reading: &mut OpenReading,
    rules: &mut dyn Table,
) -> Word {
    for (number, event) in history.iter().enumerate() {
        match reading.see(Some(bot), rules, event) {
            Sign::Fits(_) => {}
            // A line that nobody awaited may have been taken for the next answer, and the game may have failed by that.
            Sign::Refuted if has_failed && matches!(event, GameEvent::Rolled { .. }) => break,
            Sign::Refuted => return Word::Refuted(number),
            // In a game that passed, one of so many later answers would have been one too many.
            Sign::Surplus if !has_failed && moves(bot, &history[number..]) >= ENOUGH => {
                return Word::Refuted(number);
            }
            Sign::Surplus | Sign::Unclear => break,
        }
        event.play_on(rules);
    }
    Word::Unshown(reading.unshown)
}

/// Number of moves after which a line too many has shown.
const ENOUGH: usize = 3;

/// Number of moves of this player.
fn moves(by: Seat, history: &[GameEvent]) -> usize {
    let is_his = |event: &&GameEvent| matches!(event, GameEvent::Moved { .. }) && event.by() == by;
    history.iter().filter(is_his).count()
}

/// What a referee that failed has certainly shown: all before the last move but one. What was sent after that may be what the failure is
/// about.
fn settled(history: &[GameEvent]) -> &[GameEvent] {
    let moves = history.iter().enumerate().rev();
    let mut moves = moves.filter(|(_, event)| !matches!(event, GameEvent::Rolled { .. }));
    &history[..moves.nth(1).map_or(0, |(number, _)| number)]
}

/// First sign in a game that a referee plays by a reading and not by the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FirstSign {
    /// Number of the event that the reading does not allow for, from 0; the number of all events where the game would not end as it did.
    pub event: usize,
    /// Next event by the reading, and its player.
    due: (Phase, Seat),
    /// True if the reading refuses the move, or takes one that the rules refuse.
    is_about_move: bool,
}

/// Plays the events of a referee's game by a reading, up to a loss before the end by the rules, and returns where they do not fit.
/// `losing` is the move by which the game was lost, if it is one.
pub fn first_sign(
    history: &[GameEvent],
    losing: Option<Move>,
    variant: &mut dyn Table,
    rules: &mut dyn Table,
) -> Option<FirstSign> {
    let at = |event: usize, variant: &dyn Table, is_about_move: bool| {
        let due = (variant.phase(), variant.to_move());
        Some(FirstSign {
            event,
            due,
            is_about_move,
        })
    };
    for (number, event) in history.iter().enumerate() {
        let is_due = match *event {
            GameEvent::Rolled { .. } => variant.phase() == Phase::Roll,
            GameEvent::Moved { by, .. } => awaits(variant, by),
            GameEvent::Lost { by, .. } => {
                let is_legal = |mv| variant.check(mv).is_ok();
                let is_taken = awaits(variant, by) && losing.is_some_and(is_legal);
                return at(number, variant, true).filter(|_| is_taken);
            }
        };
        if !is_due || !event.play_on(variant) {
            return at(number, variant, is_due);
        }
        event.play_on(rules);
    }
    let end = rules.phase().result();
    let is_other_end = end.is_some() && end != variant.phase().result();
    at(history.len(), variant, false).filter(|_| is_other_end)
}

/// Returns the illegal move by which the game was lost, where the scenario has one sent.
pub(super) fn losing_move(plan: &PlannedGame, outcome: &Outcome) -> Option<Move> {
    let last = outcome.history.last()?;
    let is_improvised = |step: &Step| match &step.kind {
        StepKind::Improvise(turn) => matches!(turn.deed, Deed::Refused(_)),
        _ => false,
    };
    if plan.steps.last().is_some_and(is_improvised) {
        return plan.losing_move(last, &outcome.transcript);
    }
    let turn = plan.turns().last().map(|(_, turn)| turn)?;
    let line = match (&turn.deed, last) {
        (Deed::Illegal(line), GameEvent::Lost { by, .. }) if *by == turn.seat => line,
        _ => return None,
    };
    match plan.dialect.read_player_line(line) {
        PlayerLine::Move(mv) => Some(mv),
        _ => None,
    }
}
