//! The traits of a game. Rules are pure: `(position, roll, move) -> position`, without clock, randomness or I/O.
//!
//! [`Rules`] is what a game writes, typed by its own positions, rolls and moves. [`Table`] is the same game in progress with
//! the types erased: live runs, the built-in referees, `verify` and `replay` all play through it, so there is one rules path.

mod course;
mod facts;
mod game;
mod misread;
mod mistake;
mod mistakes;
#[cfg(test)]
mod perft_tests;
mod picture;
mod seat;
mod table;

pub use course::Course;
pub use facts::{Attempt, CoverageItem, Fact, Situation, Situations, Trace, Traces};
pub use game::{Game, GameData, SetupKey};
pub use misread::Occasions;
pub use mistake::Mistake;
pub use mistakes::{EachRow, MistakeRow, Mistakes, MistakesOf};
#[cfg(test)]
pub(crate) use perft_tests::assert_counts;
pub use picture::{
    CellKind, CellSize, Grid, Picture, PictureCell, PictureChange, Stock, StockItem, StockKind,
    Token, TokenPlace,
};
pub use seat::{PerSeat, Seat};
pub use table::{Phase, Table};

use std::collections::VecDeque;
use std::fmt::Debug;
use std::hash::Hash;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A roll with its type erased; the game says what the number means (Ur: the four coins as bits).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Roll(pub u16);

/// A move with its type erased; the game says what the number means (Ur: the token's number).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(pub u32);

/// The end of a game by its rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// This seat has won.
    Won(Seat),
    /// Nobody has won.
    Drawn,
}

impl GameResult {
    /// The winner, if there is one.
    #[must_use]
    pub fn winner(self) -> Option<Seat> {
        match self {
            GameResult::Won(seat) => Some(seat),
            GameResult::Drawn => None,
        }
    }
}

/// One event of a game that follows its rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RollOrMove {
    /// The roll of a turn.
    Roll(Roll),
    /// A move.
    Move(Move),
}

/// Random setup before the first turn (a deal, the player who starts), with its type erased; zero for a game
/// without one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Setup(pub u64);

/// Reason why the rules refuse a move: one row per reason, compared by its code.
#[derive(Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Stable short name, such as `own-token`.
    pub code: &'static str,
    /// Id of the requirement that forbids the move.
    pub requirement: &'static str,
    /// The reason in a few words, to follow "because".
    pub reason: &'static str,
}

impl Refusal {
    /// A reason with this code, the requirement that forbids the move, and its words.
    #[must_use]
    pub const fn new(
        code: &'static str,
        requirement: &'static str,
        reason: &'static str,
    ) -> Refusal {
        Refusal {
            code,
            requirement,
            reason,
        }
    }
}

/// A kind of legal move that a scenario can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveKind {
    /// Its name in scenarios.
    pub name: &'static str,
    /// Description of the effect of such a move.
    pub summary: &'static str,
}

/// The kind that every game has: the move wins the game for its player.
pub const WIN: MoveKind = MoveKind {
    name: "win",
    summary: "wins the game",
};

/// The rules of one game; a variant of them (a deliberate deviation) is part of the value that implements this.
pub trait Rules: Clone + Debug + Send + Sync + 'static {
    /// Position: all facts that decide how the game can go on, with the player on turn.
    type Position: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// The rolls that differ in what they allow, one of each kind (Ur: one per number of heads). Empty without rolls.
    const ROLLS: &'static [Roll] = &[];

    /// Returns true if a turn begins with a roll.
    #[must_use]
    fn has_rolls() -> bool {
        !Self::ROLLS.is_empty()
    }

    /// The position before the first turn.
    fn start(&self, setup: Setup) -> Self::Position;

    /// The position before the first turn of a game that a subject does not set up wholly: this is left of the game before, which began
    /// with the setup `before` and ended with `end`. `None`: no such thing is known of the game.
    fn start_with(
        &self,
        _setup: Setup,
        _left: Remnant,
        _before: Setup,
        _end: &Self::Position,
    ) -> Option<Self::Position> {
        None
    }

    /// Returns the player on turn; after the end, the player who would be next. Without rolls it stays the
    /// turn of a player who cannot move.
    fn to_move(&self, position: &Self::Position) -> Seat;

    /// The result, if the game is over.
    fn result(&self, position: &Self::Position) -> Option<GameResult>;

    /// The winner, if the game is won.
    fn winner(&self, position: &Self::Position) -> Option<Seat> {
        self.result(position).and_then(GameResult::winner)
    }

    /// Returns true if at least one move is legal; must agree with [`Rules::legal_moves`], and is the fast
    /// check for the hot path.
    fn can_move(&self, position: &Self::Position, roll: Roll) -> bool {
        !self.legal_moves(position, roll).is_empty()
    }

    /// Every legal move, in the game's own order.
    fn legal_moves(&self, position: &Self::Position, roll: Roll) -> Vec<Move>;

    /// The position after a move.
    ///
    /// # Errors
    /// The reason why the rules refuse it.
    fn moved(
        &self,
        position: &Self::Position,
        roll: Roll,
        mv: Move,
    ) -> Result<Self::Position, &'static Refusal>;

    /// The position after a turn that had to be skipped; asked only in a game with rolls. Without rolls the turn stays.
    fn skipped(&self, position: &Self::Position, _roll: Roll) -> Self::Position {
        *position
    }

    /// The one of all positions that differ only in which of several equal tokens stands where: from each of them the same games follow,
    /// under other numbers of the tokens.
    fn canonical(&self, position: &Self::Position) -> Self::Position {
        *position
    }

    /// Names, to `see`, what a turn shows: kinds of the move, coverage items, the requirements by which it goes as it does, and those that it
    /// puts to the test.
    fn facts(
        &self,
        before: &Self::Position,
        roll: Roll,
        attempt: Attempt,
        see: &mut dyn FnMut(Fact),
    );

    /// The way of a legal move, such as `cell 2 to 4`, where the move does not say it itself.
    fn route(&self, _before: &Self::Position, _roll: Roll, _mv: Move) -> Option<String> {
        None
    }

    /// Explains why no move was possible, in words; only called for a game with rolls.
    fn describe_skip(&self, _before: &Self::Position, _roll: Roll) -> String {
        "no move is legal".to_owned()
    }

    /// The position as data, for every drawing of it.
    fn picture(&self, position: &Self::Position) -> Picture;
}

/// What is left of the game before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remnant {
    /// The board.
    Board,
    /// The player on turn.
    Turn,
    /// The whole position.
    Position,
    /// What is drawn before the first turn, but not who has that.
    Setup,
    /// How much each player has of what wins the game.
    Score,
}

impl Remnant {
    /// A server keeps the board of the game before.
    pub const OF_BOARD: (Remnant, Mistake) = (
        Remnant::Board,
        Mistake::new(
            "board-of-earlier-game",
            "the board was still that of the game before",
            "",
        ),
    );
    /// A server keeps whose turn it was in the game before.
    pub const OF_TURN: (Remnant, Mistake) = (
        Remnant::Turn,
        Mistake::new(
            "turn-of-earlier-game",
            "the player who was next in the game before had the first turn",
            "",
        ),
    );
    /// A server goes on with the game before.
    pub const OF_POSITION: (Remnant, Mistake) = (
        Remnant::Position,
        Mistake::new(
            "position-of-earlier-game",
            "the game before went on where it had ended",
            "",
        ),
    );
}

/// Source of a game's rolls: a forced list first, then dice that a seed determines.
#[derive(Debug, Clone)]
pub struct RollSource {
    forced: VecDeque<Roll>,
    dice: ChaCha8Rng,
}

impl RollSource {
    /// Forced rolls, taken first and in order; when they have run out, dice from `seed`.
    #[must_use]
    pub fn new(forced: impl IntoIterator<Item = Roll>, seed: u64) -> Self {
        RollSource {
            forced: forced.into_iter().collect(),
            dice: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// The next roll; `draw` makes one from a uniformly random number where none is forced.
    pub fn next(&mut self, draw: impl FnOnce(u64) -> Roll) -> Roll {
        match self.forced.pop_front() {
            Some(roll) => roll,
            None => draw(self.dice.next_u64()),
        }
    }
}

/// A number in `0..bound` from a uniformly random one, so that a seed means the same for ever (bias below `bound / 2^64`).
///
/// # Panics
/// Panics if `bound` is zero.
#[must_use]
pub fn below(random: u64, bound: usize) -> usize {
    assert!(bound > 0, "nothing to choose from");
    ((u128::from(random) * bound as u128) >> 64) as usize
}
