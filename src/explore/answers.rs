//! The answers of a bot under test in earlier games, so that shorter games can predict its moves.

use std::collections::HashMap;

use super::script::Script;
use crate::rules::{Move, Roll};
use crate::scenario::Turn;

/// Observed answers of a bot, by the game before each answer. One that answers otherwise the next time is
/// taken at its last word.
#[derive(Debug, Default)]
pub struct Answers(HashMap<(Vec<Turn>, Option<Roll>), Move>);

impl Answers {
    /// Learns the answers of a game that was played. Returns whether one of them is new.
    pub fn learn(&mut self, script: &Script) -> bool {
        let known = self.0.len();
        for (place, turn) in script.turns.iter().enumerate() {
            if let Some(mv) = turn.deed.mv()
                && script.is_bots(turn.seat)
            {
                self.0
                    .insert((script.turns[..place].to_vec(), turn.roll), mv);
            }
        }
        self.0.len() > known
    }

    /// Returns the bot's answer to this roll after these turns, if known.
    pub(super) fn after(&self, turns: &[Turn], roll: Option<Roll>) -> Option<Move> {
        if self.0.is_empty() {
            return None;
        }
        self.0.get(&(turns.to_vec(), roll)).copied()
    }
}
