//! Rules as somebody reads them wrongly every time but the first.

use super::{
    Attempt, Exercise, GameResult, Move, Picture, Refusal, Roll, Rules, Seat, Setup, Trace,
};

/// The rules until their variant matters for the first time, and the variant from then on.
#[derive(Debug, Clone)]
pub(super) struct OccasionalRules<R> {
    /// The rules.
    pub(super) rules: R,
    /// The variant.
    pub(super) variant: R,
}

/// A position, and whether the variant has mattered before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Occasion<P> {
    position: P,
    has_mattered: bool,
}

impl<R: Rules> OccasionalRules<R> {
    fn in_force(&self, at: &Occasion<R::Position>) -> &R {
        match at.has_mattered {
            true => &self.variant,
            false => &self.rules,
        }
    }

    fn then(
        &self,
        at: &Occasion<R::Position>,
        position: R::Position,
        matters: bool,
    ) -> Occasion<R::Position> {
        Occasion {
            position,
            has_mattered: at.has_mattered || matters,
        }
    }
}

impl<R: Rules> Rules for OccasionalRules<R> {
    type Position = Occasion<R::Position>;

    fn start(&self, setup: Setup) -> Self::Position {
        Occasion {
            position: self.rules.start(setup),
            has_mattered: false,
        }
    }

    fn has_rolls(&self) -> bool {
        self.rules.has_rolls()
    }

    fn kinds_of_roll(&self) -> &'static [Roll] {
        self.rules.kinds_of_roll()
    }

    fn to_move(&self, at: &Self::Position) -> Seat {
        self.rules.to_move(&at.position)
    }

    fn result(&self, at: &Self::Position) -> Option<GameResult> {
        self.in_force(at).result(&at.position)
    }

    fn can_move(&self, at: &Self::Position, roll: Roll) -> bool {
        self.in_force(at).can_move(&at.position, roll)
    }

    fn legal_moves(&self, at: &Self::Position, roll: Roll) -> Vec<Move> {
        self.in_force(at).legal_moves(&at.position, roll)
    }

    fn moved(
        &self,
        at: &Self::Position,
        roll: Roll,
        mv: Move,
    ) -> Result<Self::Position, &'static Refusal> {
        let by_rules = self.rules.moved(&at.position, roll, mv).ok();
        let by_variant = self.variant.moved(&at.position, roll, mv).ok();
        let next = self.in_force(at).moved(&at.position, roll, mv)?;
        Ok(self.then(at, next, by_rules != by_variant))
    }

    fn moved_all_the_same(
        &self,
        at: &Self::Position,
        roll: Roll,
        mv: Move,
    ) -> Option<Self::Position> {
        let moved = self.moved(at, roll, mv).ok();
        moved.or_else(|| {
            let next = self.rules.moved(&at.position, roll, mv).ok()?;
            Some(self.then(at, next, true))
        })
    }

    fn skipped(&self, at: &Self::Position, roll: Roll) -> Self::Position {
        let can_move = |rules: &R| rules.can_move(&at.position, roll);
        let skipped = |rules: &R| rules.skipped(&at.position, roll);
        let matters = can_move(&self.rules) != can_move(&self.variant)
            || skipped(&self.rules) != skipped(&self.variant);
        self.then(at, skipped(self.in_force(at)), matters)
    }

    fn canonical(&self, at: &Self::Position) -> Self::Position {
        Occasion {
            position: self.rules.canonical(&at.position),
            ..*at
        }
    }

    fn turn_ground(&self, before: &Self::Position, roll: Roll, mv: Option<Move>) -> &'static str {
        self.in_force(before)
            .turn_ground(&before.position, roll, mv)
    }

    fn move_ground(&self, before: &Self::Position, roll: Roll, mv: Move) -> Option<&'static str> {
        self.in_force(before)
            .move_ground(&before.position, roll, mv)
    }

    fn is_of_kind(&self, before: &Self::Position, roll: Roll, mv: Move, kind: &str) -> bool {
        self.in_force(before)
            .is_of_kind(&before.position, roll, mv, kind)
    }

    fn breaks_one_rule(&self, at: &Self::Position, roll: Roll, mv: Move) -> bool {
        self.in_force(at).breaks_one_rule(&at.position, roll, mv)
    }

    fn covers(
        &self,
        before: &Self::Position,
        roll: Roll,
        mv: Option<Move>,
        see: &mut dyn FnMut(usize),
    ) {
        self.in_force(before)
            .covers(&before.position, roll, mv, see);
    }

    fn exercises(
        &self,
        before: &Self::Position,
        roll: Roll,
        attempt: Attempt,
        see: &mut dyn FnMut(Exercise),
    ) {
        self.in_force(before)
            .exercises(&before.position, roll, attempt, see);
    }

    fn completes(
        &self,
        before: &Self::Position,
        roll: Roll,
        attempt: Attempt,
        by_subject: bool,
        trace: Trace,
    ) -> bool {
        self.in_force(before)
            .completes(&before.position, roll, attempt, by_subject, trace)
    }

    fn describe_move(&self, before: &Self::Position, roll: Roll, mv: Move) -> String {
        self.in_force(before)
            .describe_move(&before.position, roll, mv)
    }

    fn describe_skip(&self, before: &Self::Position, roll: Roll) -> String {
        self.in_force(before).describe_skip(&before.position, roll)
    }

    fn picture(&self, at: &Self::Position) -> Picture {
        self.rules.picture(&at.position)
    }
}
