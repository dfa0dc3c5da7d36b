//! Notations of finished games: records of turns, not lines between participants.

use std::time::Duration;

use crate::diagnostic::{Diagnostic, Diagnostics, Source, Span};
use crate::finding::Finding;
use crate::protocol::GameEvent;
use crate::requirement::Specification;
use crate::rules::{Game, Move, PerSeat, Phase, Roll, Seat, Setup, Table};

/// A notation in which finished games are written down, and their states.
#[derive(Debug)]
pub struct Notation {
    /// Name, as the user writes it.
    pub name: &'static str,
    /// Description of its files: `move records of X (a JSON list)`.
    pub title: &'static str,
    /// The game that is written down.
    pub game: &'static dyn Game,
    /// The catalogue of its own requirements, if it has one.
    pub specification: Option<&'static Specification>,
    /// Returns true if these first bytes look like a file of records, valid or not.
    pub is_records: fn(&[u8]) -> bool,
    /// Reads records into turns, up to the first record that breaks a rule. Fails with every problem of the file.
    pub read: fn(&Source) -> Result<NotatedGame, Diagnostics>,
    /// Writes games, if urtext writes the notation.
    pub write: Option<WriteGame>,
    /// The parts of a game that a file in this notation keeps.
    pub keeps: &'static [GamePart],
    /// The notation of states of the game, if it has one.
    pub states: Option<&'static StateNotation>,
    /// Advice for records that lack rolls, if the notation can write them.
    pub roll_help: Option<&'static str>,
}

/// Writes the turns of a legal game from its start, with the players' names, where known. Fails if the notation cannot express this game.
pub type WriteGame = fn(&[NotatedTurn], &PerSeat<Option<Vec<u8>>>) -> Result<String, Diagnostic>;

impl Notation {
    /// Size of the largest file that is read, in bytes.
    pub const SIZE_LIMIT: u64 = 4 << 20;
}

/// A notation of single states of a game.
#[derive(Debug)]
pub struct StateNotation {
    /// Description of its files.
    pub title: &'static str,
    /// Returns true if these first bytes look like a state, valid or not.
    pub is_state: fn(&[u8]) -> bool,
    /// Reads a state. Fails with every problem of the file.
    pub read: fn(&Source) -> Result<ReadState, Diagnostics>,
    /// Writes the state after turns from the start of a game, which a player lost before the end if there is one.
    pub write: fn(&[NotatedTurn], Option<Seat>) -> String,
    /// Id of the requirement that a state is the result of its records.
    pub requirement: &'static str,
}

/// A state as [`StateNotation::write`] writes it, and the player who has resigned, of which no record tells.
pub type ReadState = (String, Option<Seat>);

/// A part of a finished game that some formats keep and others drop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GamePart {
    /// Names of the players.
    Names,
    /// Rolls, at least as the number of steps.
    Rolls,
    /// Each coin or die of a roll.
    Coins,
    /// Numbers of equal tokens.
    TokenNumbers,
    /// A loss before the end by the rules.
    Loss,
    /// Time of each turn.
    Times,
    /// Lines of each lane, in both directions.
    Lanes,
}

impl GamePart {
    /// Every part, in the order of tables.
    pub const ALL: [GamePart; 7] = [
        GamePart::Names,
        GamePart::Rolls,
        GamePart::Coins,
        GamePart::TokenNumbers,
        GamePart::Loss,
        GamePart::Times,
        GamePart::Lanes,
    ];

    /// Returns the name of the part, for tables and warnings.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            GamePart::Names => "names",
            GamePart::Rolls => "rolls",
            GamePart::Coins => "coins of a roll",
            GamePart::TokenNumbers => "token numbers",
            GamePart::Loss => "a loss before the end",
            GamePart::Times => "times",
            GamePart::Lanes => "lanes",
        }
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
    /// The player who lost before the end by the rules, if a record says so.
    pub lost: Option<Seat>,
    /// Findings about records, each with its span in the file: *fail* where the record is wrong, *inconclusive* where it would be
    /// right if something happened that no record tells, *lenient* where the texts leave it open. A finding with a board is
    /// about the rules at that position; without one the records contradict each other.
    pub findings: Vec<Finding>,
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
    /// Time from the start of the game to the end of the turn, where known.
    pub at: Option<Duration>,
}

impl NotatedGame {
    /// A game of these players, with no record yet.
    #[must_use]
    pub fn new(players: PerSeat<Option<String>>) -> NotatedGame {
        NotatedGame {
            warnings: Diagnostics::new(),
            players,
            records: Vec::new(),
            turns: Vec::new(),
            lost: None,
            findings: Vec::new(),
        }
    }
}

impl NotatedTurn {
    /// A turn that no record tells.
    #[must_use]
    pub fn new(by: Seat, roll: Roll, mv: Option<Move>) -> NotatedTurn {
        NotatedTurn {
            record: None,
            by,
            rolled: None,
            is_roll_complete: false,
            roll,
            mv,
            at: None,
        }
    }

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
                rolled,
                is_roll_complete: true,
                ..NotatedTurn::new(by, rolled.take().unwrap_or(Roll(0)), mv)
            });
        }
        turns
    }

    /// Returns the events of turns from a table at the start of a game, and the game after them.
    ///
    /// # Panics
    /// Panics if the turns are not legal.
    #[must_use]
    pub fn played(
        turns: &[NotatedTurn],
        mut table: Box<dyn Table>,
    ) -> (Vec<GameEvent>, Box<dyn Table>) {
        let mut history = Vec::new();
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

    /// Returns the board of a finding about the record after these turns.
    ///
    /// # Panics
    /// Panics if the turns are not legal.
    #[must_use]
    pub fn board_after(turns: &[NotatedTurn], game: &dyn Game) -> (String, String) {
        let board = NotatedTurn::played(turns, game.table(Setup::default()))
            .1
            .draw();
        (Finding::BEFORE_LINE.to_owned(), board)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack;

    #[test]
    fn turns_of_a_history_are_played_to_the_same_history_with_and_without_rolls() {
        for game in pack::games() {
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
            let table = game.table(Setup::default());
            assert_eq!(NotatedTurn::played(&turns, table).0, history, "{game:?}");
        }
    }
}
