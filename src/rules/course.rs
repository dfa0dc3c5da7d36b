//! A game in progress: rules, the position that they have led to, and the roll in force.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::misread::Misread;
use super::{
    Attempt, Fact, GameResult, Move, Phase, Picture, PictureChange, Refusal, Remnant, Roll,
    RollOrMove, Rules, Seat, Setup, Table, WIN,
};

/// The one implementation of [`Table`].
#[derive(Debug, Clone)]
pub struct Course<R: Rules> {
    rules: R,
    /// The other rules of somebody who reads the rules wrongly.
    misread: Option<Misread<R>>,
    setup: Setup,
    position: R::Position,
    phase: Phase,
    roll: Roll,
    last: Option<Last<R::Position>>,
}

/// The turn before this one.
#[derive(Debug, Clone, Copy)]
struct Last<P> {
    before: P,
    roll: Roll,
    attempt: Attempt,
    /// True if the other rules held in it.
    is_misread: bool,
}

impl<P> Last<P> {
    /// The position after the turn; `None` where these rules do not allow it.
    fn next<R: Rules<Position = P>>(&self, rules: &R) -> Option<P> {
        match self.attempt {
            Attempt::Moved(mv) => rules.moved(&self.before, self.roll, mv).ok(),
            _ if rules.can_move(&self.before, self.roll) => None,
            _ => Some(rules.skipped(&self.before, self.roll)),
        }
    }
}

impl<R: Rules> Course<R> {
    /// A game before its first turn.
    pub fn new(rules: R, setup: Setup) -> Self {
        Course::misread(rules, None, setup)
    }

    /// A game before its first turn, with other rules in some turns.
    pub(super) fn misread(rules: R, misread: Option<Misread<R>>, setup: Setup) -> Self {
        let first = match &misread {
            Some(misread) if misread.so_far.has_held => &misread.other,
            _ => &rules,
        };
        let mut course = Course {
            position: first.start(setup),
            rules,
            misread,
            setup,
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

    /// The other rules, or those of the game.
    #[inline]
    fn rules(&self, is_misread: bool) -> &R {
        match &self.misread {
            Some(misread) if is_misread => &misread.other,
            _ => &self.rules,
        }
    }

    #[inline]
    fn is_misread(&self) -> bool {
        let misread = self.misread.as_ref();
        misread.is_some_and(|misread| misread.holds(self.to_move()))
    }

    /// The rules of this turn.
    #[inline]
    fn in_force(&self) -> &R {
        self.rules(self.is_misread())
    }

    #[inline]
    fn begin_turn(&mut self) {
        let result = match &self.misread {
            Some(misread) => misread.result(&self.rules, &self.position),
            None => self.rules.result(&self.position),
        };
        self.phase = match result {
            Some(result) => Phase::Over(result),
            None if R::has_rolls() => Phase::Roll,
            None => Phase::Move,
        };
    }

    /// Goes on to the position after this turn.
    #[inline]
    fn go_on(&mut self, attempt: Attempt, next: R::Position) {
        let last = Last {
            before: self.position,
            roll: self.roll,
            attempt,
            is_misread: self.is_misread(),
        };
        let mover = self.to_move();
        if let Some(misread) = &mut self.misread {
            misread.pass(mover, attempt == Attempt::Skipped, |other| {
                last.next(&self.rules) != last.next(other)
            });
        }
        self.last = Some(last);
        self.position = next;
    }

    /// A number for a position, what the other rules depend on, and the roll in force.
    fn number(&self, position: &R::Position) -> u64 {
        // DefaultHasher::new has fixed keys: the number is the same in every run of one build.
        let mut hasher = DefaultHasher::new();
        position.hash(&mut hasher);
        if let Some(misread) = &self.misread {
            misread.so_far.hash(&mut hasher);
        }
        self.roll().hash(&mut hasher);
        hasher.finish()
    }
}

const NO_ROLL: &str = "a roll is taken only where one is awaited";
const NO_MOVE: &str = "a move is played only where one is awaited";

impl<R: Rules> Table for Course<R> {
    fn phase(&self) -> Phase {
        self.phase
    }

    #[inline]
    fn to_move(&self) -> Seat {
        self.rules.to_move(&self.position)
    }

    fn roll(&self) -> Option<Roll> {
        (self.phase == Phase::Move && R::has_rolls()).then_some(self.roll)
    }

    #[inline]
    fn take_roll(&mut self, roll: Roll) -> bool {
        assert_eq!(self.phase, Phase::Roll, "{NO_ROLL}");
        self.roll = roll;
        let rules = self.in_force();
        if rules.can_move(&self.position, roll) {
            self.phase = Phase::Move;
            return true;
        }
        let next = rules.skipped(&self.position, roll);
        self.go_on(Attempt::Skipped, next);
        false
    }

    // Inlined, the copy of `play_all` stays in registers.
    #[inline(always)]
    fn play(&mut self, mv: Move) -> Result<(), &'static Refusal> {
        assert_eq!(self.phase, Phase::Move, "{NO_MOVE}");
        let next = self.in_force().moved(&self.position, self.roll, mv)?;
        self.go_on(Attempt::Moved(mv), next);
        self.begin_turn();
        Ok(())
    }

    fn play_all_the_same(&mut self, mv: Move) -> bool {
        assert_eq!(self.phase, Phase::Move, "{NO_MOVE}");
        let moved = |rules: &R| rules.moved(&self.position, self.roll, mv).ok();
        let Some(next) = moved(self.in_force()).or_else(|| moved(&self.rules)) else {
            return false;
        };
        self.go_on(Attempt::Moved(mv), next);
        self.last = None;
        self.begin_turn();
        true
    }

    fn play_all(&mut self, plays: &[RollOrMove], mut movers: Option<&mut Vec<Seat>>) -> bool {
        // A copy that nothing else can see is kept in registers.
        let mut course = self.clone();
        let is_legal = plays.iter().all(|&play| {
            if let Some(movers) = &mut movers {
                movers.push(course.to_move());
            }
            match (play, course.phase) {
                (RollOrMove::Roll(roll), Phase::Roll) => {
                    course.take_roll(roll);
                    true
                }
                (RollOrMove::Move(mv), Phase::Move) => course.play(mv).is_ok(),
                _ => false,
            }
        });
        *self = course;
        is_legal
    }

    fn check(&self, mv: Move) -> Result<(), &'static Refusal> {
        let moved = self.in_force().moved(&self.position, self.roll, mv);
        moved.map(|_| ())
    }

    fn legal_moves(&self) -> Vec<Move> {
        match self.phase {
            Phase::Move => self.in_force().legal_moves(&self.position, self.roll),
            _ => Vec::new(),
        }
    }

    fn turn_ground(&self) -> Option<&'static str> {
        let last = self.last.as_ref()?;
        let mut ground = None;
        let see = &mut |fact| {
            if let Fact::Turn(id) = fact {
                ground = Some(id);
            }
        };
        let rules = self.rules(last.is_misread);
        rules.facts(&last.before, last.roll, last.attempt, see);
        ground
    }

    fn facts(&self, roll: Roll, attempt: Attempt, see: &mut dyn FnMut(Fact)) {
        let (roll, rules) = (self.roll_or(roll), self.in_force());
        rules.facts(&self.position, roll, attempt, see);
        if let Attempt::Moved(mv) = attempt
            && let Ok(next) = rules.moved(&self.position, roll, mv)
            && rules.winner(&next) == Some(self.to_move())
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
        self.in_force().route(&self.position, self.roll, mv)
    }

    fn describe_skip(&self, roll: Roll) -> String {
        self.in_force().describe_skip(&self.position, roll)
    }

    fn picture(&self) -> Picture {
        self.rules.picture(&self.position)
    }

    fn fingerprint(&self) -> u64 {
        self.number(&self.position)
    }

    fn canonical_fingerprint(&self) -> u64 {
        self.number(&self.rules.canonical(&self.position))
    }

    fn fork(&self) -> Box<dyn Table> {
        Box::new(self.clone())
    }

    fn restart(&mut self) {
        let misread = self.misread.take();
        let misread = misread.map(|it| Misread::new(it.other, it.when, it.only));
        *self = Course::misread(self.rules.clone(), misread, self.setup);
    }

    fn restart_with(&mut self, setup: Setup, left: Remnant) -> bool {
        let Some(position) = self
            .rules
            .start_with(setup, left, self.setup, &self.position)
        else {
            return false;
        };
        let phase = match R::has_rolls() {
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
