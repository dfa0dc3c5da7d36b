//! What happens in a game: its events, and the lines that are owed for them.

use crate::rules::{Game, GameResult, Move, Roll, Seat, Table};

/// Owner of a lane, once the handshake has shown it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Party {
    /// A player's.
    Player(Seat),
    /// A spectator's: it receives and never sends.
    Spectator,
}

impl Party {
    /// The seat of a player; `None` of a spectator.
    #[must_use]
    pub fn seat(self) -> Option<Seat> {
        match self {
            Party::Player(seat) => Some(seat),
            Party::Spectator => None,
        }
    }
}

/// Reason of a player's loss before the end of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cause {
    /// A move that the rules refuse, or a line that is no move where that loses: id of the requirement it broke.
    Invalid(&'static str),
    /// Silence until the timeout.
    Timeout,
    /// The end of the player's stream while a move of his was due.
    HangUp,
    /// Resignation, which only a notation records.
    Resigned,
    /// Seen only from outside: the lane that would tell is not at hand.
    Unseen,
}

impl Cause {
    /// It in one word, or the id of the broken requirement.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Cause::Invalid(id) => id,
            Cause::Timeout => "timeout",
            Cause::HangUp => "disconnect",
            Cause::Resigned => "resigned",
            Cause::Unseen => "retired",
        }
    }
}

/// An event in a game; each lane receives its own lines for an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameEvent {
    /// The roll of a turn; `skipped`: it left no legal move.
    Rolled {
        /// The player on turn.
        by: Seat,
        /// The roll.
        roll: Roll,
        /// True if no move is possible.
        skipped: bool,
    },
    /// A valid move; `result`: the game is over with it.
    Moved {
        /// The seat that moved.
        by: Seat,
        /// The move.
        mv: Move,
        /// The result, if the move ends the game.
        result: Option<GameResult>,
    },
    /// A player lost before the end; the opponent wins.
    Lost {
        /// The seat that lost.
        by: Seat,
        /// Reason of the loss.
        cause: Cause,
    },
}

impl GameEvent {
    /// Describes the event in a few words.
    #[must_use]
    pub fn describe(&self, game: &dyn Game) -> String {
        let who = game.seat_name(self.by());
        match *self {
            GameEvent::Rolled {
                roll,
                skipped: true,
                ..
            } => format!("{who} rolled {} and could not move", game.format_roll(roll)),
            GameEvent::Rolled { roll, .. } => format!("{who} rolled {}", game.format_roll(roll)),
            GameEvent::Moved { by, mv, result } => {
                let ending = match result {
                    Some(GameResult::Won(winner)) if winner == by => " and won",
                    Some(GameResult::Won(_)) => " and lost",
                    Some(GameResult::Drawn) => " and drew",
                    None => "",
                };
                format!("{who} moved {}{ending}", game.format_move(mv))
            }
            GameEvent::Lost { .. } => format!("{who} has lost"),
        }
    }

    /// Returns true if the game is over after this event.
    #[must_use]
    pub fn ends(&self) -> bool {
        match self {
            GameEvent::Rolled { .. } => false,
            GameEvent::Moved { result, .. } => result.is_some(),
            GameEvent::Lost { .. } => true,
        }
    }

    /// Returns the number of turns that were begun: one for each roll, or one for each move in a game without
    /// rolls.
    #[must_use]
    pub fn turns(history: &[GameEvent]) -> usize {
        let rolled = |event: &&GameEvent| matches!(event, GameEvent::Rolled { .. });
        let moved = |event: &&GameEvent| matches!(event, GameEvent::Moved { .. });
        match history.iter().filter(rolled).count() {
            0 => history.iter().filter(moved).count(),
            rolls => rolls,
        }
    }

    /// Walks over this event on the way through a game: takes its roll, or plays its move. Returns false if the move is not legal.
    pub fn play_on(&self, table: &mut dyn Table) -> bool {
        match *self {
            GameEvent::Rolled { roll, .. } => {
                table.take_roll(roll);
                true
            }
            GameEvent::Moved { mv, .. } => table.play(mv).is_ok(),
            GameEvent::Lost { .. } => true,
        }
    }

    /// Returns the player whose turn it was.
    #[must_use]
    pub fn by(&self) -> Seat {
        match *self {
            GameEvent::Rolled { by, .. }
            | GameEvent::Moved { by, .. }
            | GameEvent::Lost { by, .. } => by,
        }
    }
}

/// Obligation to send a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Duty {
    /// The specification demands it.
    Must,
    /// The specification leaves it open: seen, recorded, never punished.
    May,
}

/// A line that a lane is told.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OwedLine {
    /// The bytes, without newline.
    pub line: Vec<u8>,
    /// Id of the requirement it rests on.
    pub requirement: &'static str,
    /// Obligation to send the line.
    pub duty: Duty,
    /// The move as its player sent it, which may come instead, and id of the entry that leaves that open.
    pub as_sent: Option<(Vec<u8>, &'static str)>,
}

impl OwedLine {
    /// A line that the specification demands.
    #[must_use]
    pub fn must(line: impl Into<Vec<u8>>, requirement: &'static str) -> OwedLine {
        OwedLine {
            line: line.into(),
            requirement,
            duty: Duty::Must,
            as_sent: None,
        }
    }

    /// Returns true if a line with this text is the line.
    #[must_use]
    pub fn is(&self, text: &[u8]) -> bool {
        self.line == text || matches!(&self.as_sent, Some((sent, _)) if sent == text)
    }
}
