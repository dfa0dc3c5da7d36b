//! The line that was sent off turn in a game that was played, and in which turn.

use crate::protocol::{Dialect, GameEvent, PlayerLine};
use crate::rules::{Move, Seat};
use crate::scenario::{PlannedGame, SendPart, StepKind};

/// A line that a player sent off turn.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct OffTurnLine {
    pub(super) by: Seat,
    /// Without its newline.
    pub(super) text: Vec<u8>,
    /// Number of moves that this player had made; the line belongs to the next turn of the other player.
    pub(super) after: usize,
}

impl OffTurnLine {
    /// The line that the scenario had sent off turn, taken out of what each seat has sent, the next line last. Between two lanes there is
    /// no order; between which of its own moves the player has sent it, its own lane tells.
    pub(super) fn taken_from(
        sent: &mut [Vec<Vec<u8>>; 2],
        plan: &PlannedGame,
        history: &[GameEvent],
    ) -> Option<OffTurnLine> {
        let (by, text) = meant(plan)?;
        let lines = &mut sent[by.index()];
        let moved = |happening: &GameEvent| match *happening {
            GameEvent::Moved { by: who, mv, .. } if who == by => Some(mv),
            _ => None,
        };
        let moves: Vec<_> = history.iter().filter_map(moved).collect();
        let is_it = |place: &usize| {
            let others = lines[place + 1..]
                .iter()
                .rev()
                .chain(lines[..*place].iter().rev());
            lines[*place] == text && begins_with(plan.dialect, others, &moves)
        };
        let place = (0..lines.len()).rev().find(is_it)?;
        let after = lines[place + 1..]
            .iter()
            .filter(|line| is_a_move(plan.dialect, line))
            .count();
        Some(OffTurnLine {
            by,
            text: lines.remove(place),
            after,
        })
    }
}

/// Returns the line that the scenario sends off turn, with its sender.
fn meant(plan: &PlannedGame) -> Option<(Seat, Vec<u8>)> {
    let mut on_turn = None;
    for step in &plan.steps {
        match &step.kind {
            StepKind::PlayUntil(until) => on_turn = until.who,
            StepKind::Improvise(turn) => {
                let mut lines = turn.meanwhile.iter();
                let line = lines.find_map(|act| SendPart::lines(act.deed.parts()).0.pop());
                if let Some(line) = line {
                    return Some((turn.seat.or(on_turn)?.other(), line));
                }
            }
            StepKind::Turn(_) | StepKind::PlayToTheEnd => {}
        }
    }
    None
}

/// Returns true if the lines, without ignored ones, begin with these moves.
fn begins_with<'l>(
    dialect: &dyn Dialect,
    lines: impl Iterator<Item = &'l Vec<u8>>,
    moves: &[Move],
) -> bool {
    let mut said = lines.filter(|line| is_a_move(dialect, line));
    moves.iter().all(|mv| {
        said.next()
            .and_then(|line| dialect.read_player_line(line).possible_move())
            == Some(*mv)
    })
}

fn is_a_move(dialect: &dyn Dialect, line: &[u8]) -> bool {
    !matches!(dialect.read_player_line(line), PlayerLine::Ignored(_))
}
