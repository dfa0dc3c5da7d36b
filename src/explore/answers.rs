use std::collections::HashMap;

use super::script::{Script, ScriptDeed, ScriptTurn};
use crate::rules::{Move, Roll};

/// What a bot was seen to answer, by the game before. One that answers otherwise the next time is taken at its last word.
#[derive(Debug, Default)]
pub struct Answers(HashMap<(Vec<ScriptTurn>, Option<Roll>), Move>);

impl Answers {
    /// Learns the answers of a game that was played. Returns whether one of them is new.
    pub fn learn(&mut self, script: &Script) -> bool {
        let known = self.0.len();
        for (place, turn) in script.turns.iter().enumerate() {
            if let ScriptDeed::Move(mv) = turn.what
                && script.is_bots(turn.seat)
            {
                self.0.insert((script.turns[..place].to_vec(), turn.roll), mv);
            }
        }
        self.0.len() > known
    }

    /// What the bot answers to this roll after these turns, where that is known.
    pub(super) fn after(&self, turns: &[ScriptTurn], roll: Option<Roll>) -> Option<Move> {
        if self.0.is_empty() {
            return None;
        }
        self.0.get(&(turns.to_vec(), roll)).copied()
    }
}
