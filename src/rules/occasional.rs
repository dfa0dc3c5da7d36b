//! Rules as somebody reads them wrongly in some turns only.

use super::{
    Attempt, Exercise, GameResult, Move, Picture, Refusal, Roll, Rules, Seat, Setup, Trace,
};

/// The turns in which a variant of the rules holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occasions {
    /// Every time that it matters but the first.
    Later,
    /// The first time that it matters.
    First,
    /// The turns of a player who has had the turn before, too, and has moved in it.
    ExtraTurns,
    /// The turns after one that was skipped.
    AfterSkips,
}

impl Occasions {
    /// The end of the name of a reading, and the words behind its summary.
    pub(super) fn words(self) -> (&'static str, &'static str) {
        match self {
            Occasions::Later => ("later", "but not the first time"),
            Occasions::First => ("first", "but only the first time"),
            Occasions::ExtraTurns => ("in-extra-turns", "but only in extra turns"),
            Occasions::AfterSkips => ("after-skips", "but only after a skipped turn"),
        }
    }
}

/// The rules, and a variant of them that holds on some occasions.
#[derive(Debug, Clone)]
pub(super) struct OccasionalRules<R> {
    /// The rules.
    pub(super) rules: R,
    /// The variant.
    pub(super) variant: R,
    /// The turns in which the variant holds.
    pub(super) occasions: Occasions,
}

/// A position, and what was before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Occasion<P> {
    position: P,
    /// True if the variant has mattered before.
    has_mattered: bool,
    /// The player of the turn before; `None` before the first.
    before: Option<Seat>,
    /// True if that turn was skipped.
    was_skipped: bool,
}

impl<R: Rules> OccasionalRules<R> {
    fn in_force(&self, at: &Occasion<R::Position>) -> &R {
        let holds = match self.occasions {
            Occasions::Later => at.has_mattered,
            Occasions::First => !at.has_mattered,
            Occasions::ExtraTurns => !at.was_skipped && at.before == Some(self.to_move(at)),
            Occasions::AfterSkips => at.was_skipped,
        };
        if holds { &self.variant } else { &self.rules }
    }

    fn then(
        &self,
        at: &Occasion<R::Position>,
        position: R::Position,
        matters: bool,
        was_skipped: bool,
    ) -> Occasion<R::Position> {
        // A game in which nothing is tracked has fewer positions that differ.
        let is_tracked = matches!(
            self.occasions,
            Occasions::ExtraTurns | Occasions::AfterSkips
        );
        Occasion {
            position,
            has_mattered: at.has_mattered || matters,
            before: is_tracked.then(|| self.to_move(at)),
            was_skipped,
        }
    }
}

impl<R: Rules> Rules for OccasionalRules<R> {
    type Position = Occasion<R::Position>;

    fn start(&self, setup: Setup) -> Self::Position {
        Occasion {
            position: self.rules.start(setup),
            has_mattered: false,
            before: None,
            was_skipped: false,
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
        Ok(self.then(at, next, by_rules != by_variant, false))
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
            Some(self.then(at, next, true, false))
        })
    }

    fn skipped(&self, at: &Self::Position, roll: Roll) -> Self::Position {
        let can_move = |rules: &R| rules.can_move(&at.position, roll);
        let skipped = |rules: &R| rules.skipped(&at.position, roll);
        let matters = can_move(&self.rules) != can_move(&self.variant)
            || skipped(&self.rules) != skipped(&self.variant);
        self.then(at, skipped(self.in_force(at)), matters, true)
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
