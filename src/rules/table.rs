//! The object-safe face of rules, through which everything but a game's own code plays.

use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::{
    Attempt, Fact, GameResult, Move, Picture, PictureChange, Refusal, Remnant, Roll, Rules, Seat,
    Setup, WIN,
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

/// The one implementation of [`Table`]: rules, the position they have led to, and the roll in force.
#[derive(Debug, Clone)]
pub struct Course<R: Rules> {
    rules: R,
    setup: Setup,
    position: R::Position,
    phase: Phase,
    roll: Roll,
    /// The turn before this one: position, roll, and what its player did.
    last: Option<(R::Position, Roll, Attempt)>,
}

impl<R: Rules> Course<R> {
    /// A game before its first turn.
    pub fn new(rules: R, setup: Setup) -> Self {
        let position = rules.start(setup);
        let mut course = Course {
            rules,
            setup,
            position,
            phase: Phase::Roll,
            roll: Roll(0),
            last: None,
        };
        course.begin_turn();
        course
    }

    /// The position that has been reached.
    pub fn position(&self) -> &R::Position {
        &self.position
    }

    /// The roll in force, or this one where none is.
    fn roll_or(&self, roll: Roll) -> Roll {
        if self.phase == Phase::Move {
            self.roll
        } else {
            roll
        }
    }

    #[inline]
    fn begin_turn(&mut self) {
        self.phase = match self.rules.result(&self.position) {
            Some(result) => Phase::Over(result),
            None if self.rules.has_rolls() => Phase::Roll,
            None => Phase::Move,
        };
    }
}

impl<R: Rules> Table for Course<R> {
    fn phase(&self) -> Phase {
        self.phase
    }

    #[inline]
    fn to_move(&self) -> Seat {
        self.rules.to_move(&self.position)
    }

    fn roll(&self) -> Option<Roll> {
        (self.phase == Phase::Move && self.rules.has_rolls()).then_some(self.roll)
    }

    #[inline]
    fn take_roll(&mut self, roll: Roll) -> bool {
        assert_eq!(
            self.phase,
            Phase::Roll,
            "a roll is taken only where one is awaited"
        );
        self.roll = roll;
        if self.rules.can_move(&self.position, roll) {
            self.phase = Phase::Move;
            return true;
        }
        self.last = Some((self.position, roll, Attempt::Skipped));
        self.position = self.rules.skipped(&self.position, roll);
        false
    }

    #[inline]
    fn play(&mut self, mv: Move) -> Result<(), &'static Refusal> {
        assert_eq!(
            self.phase,
            Phase::Move,
            "a move is played only where one is awaited"
        );
        let next = self.rules.moved(&self.position, self.roll, mv)?;
        self.last = Some((self.position, self.roll, Attempt::Moved(mv)));
        self.position = next;
        self.begin_turn();
        Ok(())
    }

    fn play_all_the_same(&mut self, mv: Move) -> bool {
        assert_eq!(
            self.phase,
            Phase::Move,
            "a move is played only where one is awaited"
        );
        let next = self.rules.moved_all_the_same(&self.position, self.roll, mv);
        let Some(next) = next else {
            return false;
        };
        self.last = None;
        self.position = next;
        self.begin_turn();
        true
    }

    fn check(&self, mv: Move) -> Result<(), &'static Refusal> {
        self.rules.moved(&self.position, self.roll, mv).map(|_| ())
    }

    fn legal_moves(&self) -> Vec<Move> {
        match self.phase {
            Phase::Move => self.rules.legal_moves(&self.position, self.roll),
            _ => Vec::new(),
        }
    }

    fn turn_ground(&self) -> Option<&'static str> {
        let (before, roll, attempt) = self.last?;
        let mut ground = None;
        self.rules.facts(&before, roll, attempt, &mut |fact| {
            if let Fact::Turn(id) = fact {
                ground = Some(id);
            }
        });
        ground
    }

    fn facts(&self, roll: Roll, attempt: Attempt, see: &mut dyn FnMut(Fact)) {
        let roll = self.roll_or(roll);
        self.rules.facts(&self.position, roll, attempt, see);
        if let Attempt::Moved(mv) = attempt
            && let Ok(next) = self.rules.moved(&self.position, roll, mv)
            && self.rules.winner(&next) == Some(self.to_move())
        {
            see(Fact::Kind(WIN.name));
        }
    }

    fn describe_move(&self, mv: Move) -> String {
        let mut next = self.clone();
        next.play(mv).expect("only legal moves are described");
        let (before, after) = (self.picture(), next.picture());
        let change = PictureChange::between(&before, &after, self.to_move());
        let text = change.in_words(&before, &after);
        text + match next.phase {
            Phase::Over(GameResult::Won(_)) => ", wins the game",
            Phase::Over(GameResult::Drawn) => ", the game is drawn",
            _ if next.to_move() == self.to_move() => ", plays again",
            _ => "",
        }
    }

    fn route(&self, mv: Move) -> Option<String> {
        self.rules.route(&self.position, self.roll, mv)
    }

    fn describe_skip(&self, roll: Roll) -> String {
        self.rules.describe_skip(&self.position, roll)
    }

    fn picture(&self) -> Picture {
        self.rules.picture(&self.position)
    }

    fn fingerprint(&self) -> u64 {
        fingerprint(&self.position, self.roll())
    }

    fn canonical_fingerprint(&self) -> u64 {
        fingerprint(&self.rules.canonical(&self.position), self.roll())
    }

    fn fork(&self) -> Box<dyn Table> {
        Box::new(self.clone())
    }

    fn restart(&mut self) {
        *self = Course::new(self.rules.clone(), self.setup);
    }

    fn restart_with(&mut self, setup: Setup, left: Remnant) -> bool {
        let Some(position) = self
            .rules
            .start_with(setup, left, self.setup, &self.position)
        else {
            return false;
        };
        let phase = match self.rules.has_rolls() {
            true => Phase::Roll,
            false => Phase::Move,
        };
        let setup = match left {
            Remnant::Setup => self.setup,
            _ => setup,
        };
        *self = Course {
            position,
            phase,
            ..Course::new(self.rules.clone(), setup)
        };
        true
    }
}

/// A number for a position and the roll in force.
fn fingerprint(position: &impl Hash, roll: Option<Roll>) -> u64 {
    // DefaultHasher::new has fixed keys: the number is the same in every run of one build.
    let mut hasher = DefaultHasher::new();
    position.hash(&mut hasher);
    roll.hash(&mut hasher);
    hasher.finish()
}
