//! Notations of finished games: records of turns, not lines between participants.

use crate::diagnostic::{Diagnostic, Diagnostics, Source, Span};
use crate::protocol::GameEvent;
use crate::rules::{Game, Move, PerSeat, Phase, Roll, Seat, Setup, Table};

/// A notation in which finished games are written down, and their states.
pub trait Notation: Sync {
    /// Name, as the user writes it.
    fn name(&self) -> &'static str;

    /// Description of its files: `move records of X (a JSON list)`.
    fn title(&self) -> &'static str;

    /// The game that is written down.
    fn game(&self) -> &'static dyn Game;

    /// Size of the largest file that is read, in bytes.
    fn size_limit(&self) -> u64;

    /// Returns true if these first bytes look like a file of records, valid or not.
    fn is_records(&self, head: &[u8]) -> bool;

    /// Reads records into turns, up to the first record that breaks a rule.
    ///
    /// # Errors
    /// Every fault of the file.
    fn read(&self, source: &Source) -> Result<NotatedGame, Diagnostics>;

    /// Writes turns from the start of a game as records; without rolls and skipped turns where `with_rolls` is false.
    ///
    /// # Errors
    /// Fails if records cannot name these players.
    fn write(
        &self,
        turns: &[NotatedTurn],
        names: &PerSeat<Option<Vec<u8>>>,
        with_rolls: bool,
    ) -> Result<String, Diagnostic>;

    /// Reads a state of the game.
    ///
    /// # Errors
    /// Every fault of the file.
    fn read_state(&self, source: &Source) -> Result<NotatedState, Diagnostics>;

    /// Writes the state after turns from the start of a game. `lost`: the player who lost before the end.
    fn write_state(&self, turns: &[NotatedTurn], lost: Option<Seat>) -> String;

    /// Id of the requirement that a state is the result of its records.
    fn state_requirement(&self) -> &'static str;

    /// Advice for records that lack rolls.
    fn roll_help(&self) -> &'static str;

    /// Reports the rolls of which the records leave a part open, and how that part is written elsewhere.
    fn made_up_rolls(&self, turns: &[NotatedTurn]) -> Option<String>;
}

impl std::fmt::Debug for dyn Notation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Notation({})", self.name())
    }
}

/// A game as its records tell it.
#[derive(Debug, Clone)]
pub struct NotatedGame {
    /// Warnings about the file.
    pub warnings: Diagnostics,
    /// The players who have records.
    pub players: PerSeat<Option<String>>,
    /// Span of each record.
    pub records: Vec<Span>,
    /// The turns up to the end, or to the first record that breaks a rule.
    pub turns: Vec<NotatedTurn>,
    /// Requirements that records break, and remarks.
    pub breaches: Vec<Breach>,
}

/// One turn of a game that is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotatedTurn {
    /// The record that tells it, from 0; `None` where only the next record shows that it was skipped.
    pub record: Option<usize>,
    /// The player of the turn.
    pub by: Seat,
    /// The roll, if a record contains it.
    pub rolled: Option<Roll>,
    /// True if each coin or die of the roll is given.
    pub is_roll_complete: bool,
    /// The roll by which it is played: the one that was told, or one that fits the move; without meaning in a game without rolls.
    pub roll: Roll,
    /// The move; `None` where the turn was skipped.
    pub mv: Option<Move>,
}

impl NotatedTurn {
    /// The turns of a game that streams or recordings tell; a loss and a roll without its move are no turns here.
    #[must_use]
    pub fn of_history(history: &[GameEvent]) -> Vec<NotatedTurn> {
        let mut turns: Vec<NotatedTurn> = Vec::new();
        let mut rolled = None;
        for happening in history {
            let (by, mv) = match *happening {
                GameEvent::Rolled { by, roll, skipped } => {
                    rolled = Some(roll);
                    if !skipped {
                        continue;
                    }
                    (by, None)
                }
                GameEvent::Moved { by, mv, .. } => (by, Some(mv)),
                GameEvent::Lost { .. } => break,
            };
            turns.push(NotatedTurn {
                record: None,
                by,
                rolled,
                is_roll_complete: true,
                roll: rolled.take().unwrap_or(Roll(0)),
                mv,
            });
        }
        turns
    }

    /// Returns the events of turns from the start of a game, and the game after them.
    ///
    /// # Panics
    /// Panics if the turns are not legal.
    #[must_use]
    pub fn played(turns: &[NotatedTurn], game: &dyn Game) -> (Vec<GameEvent>, Box<dyn Table>) {
        let mut history = Vec::new();
        let mut table = game.table(Setup::default());
        for &NotatedTurn { by, roll, mv, .. } in turns {
            if table.phase() == Phase::Roll {
                history.push(GameEvent::Rolled {
                    by,
                    roll,
                    skipped: mv.is_none(),
                });
                table.take_roll(roll);
            }
            if let Some(mv) = mv {
                table.play(mv).expect("the turns are legal");
                let result = table.phase().result();
                history.push(GameEvent::Moved { by, mv, result });
            }
        }
        (history, table)
    }
}

/// A requirement that a record does not keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breach {
    /// Id of the requirement.
    pub requirement: &'static str,
    /// Index of the record, from 0.
    pub record: usize,
    /// Span of the error.
    pub span: Span,
    /// Error in one line, escaped for display.
    pub title: String,
    /// Consequence for the record.
    pub weight: Weight,
    /// True if a rule of the game is broken at the position before the record; else the file contradicts itself.
    pub is_of_position: bool,
    /// Advice for the author of the records.
    pub hint: Option<&'static str>,
}

/// Consequence of a breach for the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// The record is wrong.
    Fails,
    /// It would be right if something happened that no record tells.
    Open,
    /// The texts leave it open; it is only noted.
    Noted,
}

/// A state of the game that is written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotatedState {
    /// The state as [`Notation::write_state`] writes it.
    pub text: String,
    /// The player who has resigned, of which no record tells.
    pub resigned: Option<Seat>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack;

    #[test]
    fn turns_of_a_history_are_played_to_the_same_history_with_and_without_rolls() {
        for game in pack::games().filter(|game| !game.every_move().is_empty()) {
            let mut table = game.table(Setup::default());
            let mut history = Vec::new();
            for number in 1..40_u64 {
                let by = table.to_move();
                if table.phase() == Phase::Roll {
                    let roll = game.draw_roll(number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
                    let skipped = !table.take_roll(roll);
                    history.push(GameEvent::Rolled { by, roll, skipped });
                }
                if let Some(&mv) = table.legal_moves().first() {
                    table.play(mv).unwrap();
                    let result = table.phase().result();
                    history.push(GameEvent::Moved { by, mv, result });
                    if result.is_some() {
                        break;
                    }
                }
            }
            let turns = NotatedTurn::of_history(&history);
            let has_rolls = !game.kinds_of_roll().is_empty();
            assert!(turns.iter().all(|turn| turn.rolled.is_some() == has_rolls));
            assert_eq!(NotatedTurn::played(&turns, game).0, history, "{game:?}");
        }
    }
}
