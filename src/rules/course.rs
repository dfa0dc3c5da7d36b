//! A game in progress, for any rules.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::{
    Attempt, Fact, GameResult, Move, Phase, Picture, Refusal, Remnant, Roll, RollOrMove, Rules,
    Seat, Setup, Table, WIN,
};

/// The one implementation of [`Table`]: rules, the position they have led to, and the roll in force.
#[derive(Debug, Clone)]
pub struct Course<R: Rules> {
    rules: R,
    setup: Setup,
    position: R::Position,
    phase: Phase,
    roll: Roll,
    /// The turn before this one: position, roll, and the move unless it was skipped.
    last: Option<(R::Position, Roll, Option<Move>)>,
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
        self.last = Some((self.position, roll, None));
        self.position = self.rules.skipped(&self.position, roll);
        false
    }

    // Inlined, the copy of `play_all` stays in registers.
    #[inline(always)]
    fn play(&mut self, mv: Move) -> Result<(), &'static Refusal> {
        assert_eq!(
            self.phase,
            Phase::Move,
            "a move is played only where one is awaited"
        );
        let next = self.rules.moved(&self.position, self.roll, mv)?;
        self.last = Some((self.position, self.roll, Some(mv)));
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
        self.rules.moved(&self.position, self.roll, mv).map(|_| ())
    }

    fn legal_moves(&self) -> Vec<Move> {
        match self.phase {
            Phase::Move => self.rules.legal_moves(&self.position, self.roll),
            _ => Vec::new(),
        }
    }

    fn turn_ground(&self) -> Option<&'static str> {
        let (before, roll, mv) = self.last?;
        self.rules.grounds(&before, roll, mv).turn
    }

    fn move_ground(&self, mv: Move) -> Option<&'static str> {
        self.rules.grounds(&self.position, self.roll, Some(mv)).mv
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
        let text = self.rules.describe_move(&self.position, self.roll, mv);
        let after = self.rules.moved(&self.position, self.roll, mv).ok();
        text + match after.and_then(|after| self.rules.result(&after)) {
            Some(GameResult::Won(_)) => ", wins the game",
            Some(GameResult::Drawn) => ", the game is drawn",
            None => "",
        }
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
        let Some(position) = self.rules.start_with(setup, left, &self.position) else {
            return false;
        };
        let phase = match self.rules.has_rolls() {
            true => Phase::Roll,
            false => Phase::Move,
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
