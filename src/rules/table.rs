//! The object-safe face of rules, through which everything but a game's own code plays.

use std::fmt::Debug;

use super::{
    Attempt, Fact, GameResult, Move, Picture, Refusal, Remnant, Roll, RollOrMove, Seat, Setup,
};

/// Next event that the game waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// The roll of the player to move.
    Roll,
    /// A move of the player to move.
    Move,
    /// Nothing: the game is over.
    Over(GameResult),
}

impl Phase {
    /// The result, if the game is over.
    #[must_use]
    pub fn result(self) -> Option<GameResult> {
        match self {
            Phase::Over(result) => Some(result),
            Phase::Roll | Phase::Move => None,
        }
    }
}

/// A game in progress with the types of its rules erased.
///
/// Guarantee: a call that returns an error leaves the table as it was.
pub trait Table: Debug + Send + Sync {
    /// Returns the next event that the game waits for.
    fn phase(&self) -> Phase;

    /// Returns the player on turn; after the end, the player who would be next.
    fn to_move(&self) -> Seat;

    /// The roll in force, while a move is awaited in a game with rolls.
    fn roll(&self) -> Option<Roll>;

    /// Takes the roll of this turn. Returns `false` if no move is legal; the turn is then skipped at once.
    ///
    /// # Panics
    /// Outside [`Phase::Roll`]: the caller has to ask first.
    fn take_roll(&mut self, roll: Roll) -> bool;

    /// Plays a move.
    ///
    /// # Errors
    /// The reason why the rules refuse it.
    ///
    /// # Panics
    /// Outside [`Phase::Move`].
    fn play(&mut self, mv: Move) -> Result<(), &'static Refusal>;

    /// Plays a move that another player has made, as whoever plays by these rules takes it: with a mistake in the rules that refuses
    /// the move, too. Returns `false` where it makes no sense.
    ///
    /// # Panics
    /// Outside [`Phase::Move`].
    fn play_all_the_same(&mut self, mv: Move) -> bool;

    /// Plays rolls and moves one after the other, and appends the mover of each to `movers`, if wanted. Returns `false` at the first
    /// that is not due or not legal.
    fn play_all(&mut self, plays: &[RollOrMove], movers: Option<&mut Vec<Seat>>) -> bool;

    /// Checks that a move is legal now.
    ///
    /// # Errors
    /// The reason why the rules refuse it.
    fn check(&self, mv: Move) -> Result<(), &'static Refusal>;

    /// Every legal move, in the game's own order; empty outside [`Phase::Move`], and for a player who cannot move in a game
    /// without rolls: the game then waits for a move that cannot come.
    fn legal_moves(&self) -> Vec<Move>;

    /// Id of the requirement by which the turn stands where it stands; `None` before the first turn is over.
    fn turn_ground(&self) -> Option<&'static str>;

    /// Names, to `see`, what this turn shows; a move in it is legal unless it is said to be refused. A roll that is in force counts instead
    /// of `roll`.
    fn facts(&self, roll: Roll, attempt: Attempt, see: &mut dyn FnMut(Fact));

    /// What this turn shows; see [`Table::facts`].
    fn facts_of(&self, attempt: Attempt) -> Vec<Fact> {
        let mut all = Vec::new();
        self.facts(Roll(0), attempt, &mut |fact| all.push(fact));
        all
    }

    /// Id of the requirement that makes this legal move more than an ordinary step, if one does.
    fn move_ground(&self, mv: Move) -> Option<&'static str> {
        let mut facts = self.facts_of(Attempt::Moved(mv)).into_iter().rev();
        facts.find_map(|fact| match fact {
            Fact::Move(id) => Some(id),
            _ => None,
        })
    }

    /// Returns true if this move is legal and of that kind: one of the game's own, or [`super::WIN`].
    fn is_of_kind(&self, mv: Move, kind: &str) -> bool {
        let is_kind = |fact: &Fact| matches!(fact, Fact::Kind(known) if *known == kind);
        self.check(mv).is_ok() && self.facts_of(Attempt::Moved(mv)).iter().any(is_kind)
    }

    /// Returns true if the reason that [`Table::check`] gives is the only one against a refused move.
    fn breaks_one_rule(&self, mv: Move) -> bool {
        let facts = self.facts_of(Attempt::Refused(mv));
        !facts.contains(&Fact::BreaksMore)
    }

    /// Names, to `see`, the coverage items that the turn shows with this legal move, or (`None`) where this roll has it skipped.
    fn covers(&self, roll: Roll, mv: Option<Move>, see: &mut dyn FnMut(usize)) {
        self.facts(roll, Attempt::of(mv), &mut |fact| {
            if let Fact::Covers(item) = fact {
                see(item);
            }
        });
    }

    /// Describes the effect of a legal move.
    fn describe_move(&self, mv: Move) -> String;

    /// The way of a legal move, where the move does not say it itself.
    fn route(&self, mv: Move) -> Option<String>;

    /// Explains why this roll leaves no move now, in words; meaningful only if [`Table::take_roll`] would
    /// return `false`.
    fn describe_skip(&self, roll: Roll) -> String;

    /// The position as data; after the end, the player on turn is who would be next.
    fn picture(&self) -> Picture;

    /// The board as lines of text.
    fn draw(&self) -> String {
        self.picture().text()
    }

    /// A number that is equal for equal positions with equal rolls in force, and differs for others (within one game).
    fn fingerprint(&self) -> u64;

    /// Returns a fingerprint that is equal also for positions that differ only in the order of equal tokens.
    fn canonical_fingerprint(&self) -> u64;

    /// Returns an independent copy of the table.
    fn fork(&self) -> Box<dyn Table>;

    /// Back to the start position of the same rules and setup.
    fn restart(&mut self);

    /// Begins another game, in which this is left of the one before; `false` where no such thing is known of the game. The game does not
    /// end before its first turn, whatever is left.
    fn restart_with(&mut self, setup: Setup, left: Remnant) -> bool;
}

impl Clone for Box<dyn Table> {
    fn clone(&self) -> Self {
        self.fork()
    }
}
