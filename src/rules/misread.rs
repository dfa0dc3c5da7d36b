//! Rules as somebody reads them wrongly, in every turn or on some occasions.

use super::{Attempt, Fact, GameResult, Move, Picture, Refusal, Roll, Rules, Seat, Setup};

/// The turns in which a mistake is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occasions {
    /// Every turn.
    Always,
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
    /// The end of the name of a mistake, and the end of its words.
    pub(super) fn words(self) -> (&'static str, &'static str) {
        match self {
            Occasions::Always => ("", ""),
            Occasions::Later => ("-later", ", but not the first time"),
            Occasions::First => ("-first", ", but only the first time"),
            Occasions::ExtraTurns => ("-in-extra-turns", ", but only in extra turns"),
            Occasions::AfterSkips => ("-after-skips", ", but only after a skipped turn"),
        }
    }
}

/// The rules, and others in their place on some occasions.
#[derive(Debug, Clone)]
pub(super) struct Misread<R> {
    /// The rules.
    pub(super) rules: R,
    /// The other rules.
    pub(super) other: R,
    /// The turns in which the other rules hold.
    pub(super) when: Occasions,
    /// The player in whose turns they hold, if not in those of both.
    pub(super) only: Option<Seat>,
}

/// A position, and as much of the turns before as the occasions need.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Occasion<P> {
    position: P,
    /// True if the other rules held in the last turn.
    has_held: bool,
    /// True if the mistake has mattered before.
    has_been: bool,
    /// The player of the turn before; `None` before the first.
    before: Option<Seat>,
    /// True if the turn before was skipped.
    is_after_skip: bool,
}

impl<R: Rules> Misread<R> {
    /// Returns true if the other rules hold in the turn that begins.
    fn holds(&self, at: &Occasion<R::Position>) -> bool {
        let holds = match self.when {
            Occasions::Always => true,
            Occasions::Later => at.has_been,
            Occasions::First => !at.has_been,
            Occasions::ExtraTurns => !at.is_after_skip && at.before == Some(self.to_move(at)),
            Occasions::AfterSkips => at.is_after_skip,
        };
        holds && self.only.is_none_or(|only| only == self.to_move(at))
    }

    fn in_force(&self, at: &Occasion<R::Position>) -> &R {
        self.by(self.holds(at))
    }

    fn by(&self, is_other: bool) -> &R {
        if is_other { &self.other } else { &self.rules }
    }

    /// The position after a turn. `matters`: whether the mistake makes a difference.
    fn then(
        &self,
        at: &Occasion<R::Position>,
        position: R::Position,
        is_skipped: bool,
        matters: impl FnOnce() -> bool,
    ) -> Occasion<R::Position> {
        let mut next = Occasion { position, ..*at };
        match self.when {
            // What is not tracked does not tell positions apart.
            Occasions::Always => return next,
            Occasions::Later | Occasions::First => next.has_been |= matters(),
            Occasions::ExtraTurns | Occasions::AfterSkips => {
                next.before = Some(self.to_move(at));
                next.is_after_skip = is_skipped;
            }
        }
        next.has_held = self.holds(at);
        next
    }
}

impl<R: Rules> Rules for Misread<R> {
    type Position = Occasion<R::Position>;

    fn start(&self, setup: Setup) -> Self::Position {
        let has_held = self.when == Occasions::Always && self.only.is_none();
        Occasion {
            position: self.by(has_held).start(setup),
            has_held,
            has_been: false,
            before: None,
            is_after_skip: false,
        }
    }

    fn kinds_of_roll(&self) -> &'static [Roll] {
        self.rules.kinds_of_roll()
    }

    fn to_move(&self, at: &Self::Position) -> Seat {
        self.rules.to_move(&at.position)
    }

    /// Where the other rules hold in every turn of one player, that player's win is one by them.
    fn result(&self, at: &Self::Position) -> Option<GameResult> {
        let only = self.only.filter(|_| self.when == Occasions::Always);
        let Some(only) = only else {
            return self.by(at.has_held).result(&at.position);
        };
        let is_his = |result: &GameResult| result.winner() == Some(only);
        let by_other = self.other.result(&at.position).filter(is_his);
        let by_rules = self.rules.result(&at.position);
        by_other.or(by_rules.filter(|result| !is_his(result)))
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
        let by = |rules: &R| rules.moved(&at.position, roll, mv);
        let next = by(self.in_force(at))?;
        Ok(self.then(at, next, false, || {
            by(&self.rules).ok() != by(&self.other).ok()
        }))
    }

    /// Who reads the rules wrongly takes a move that he would not have made as it is.
    fn moved_all_the_same(
        &self,
        at: &Self::Position,
        roll: Roll,
        mv: Move,
    ) -> Option<Self::Position> {
        let moved = self.moved(at, roll, mv).ok();
        moved.or_else(|| {
            let next = self.rules.moved(&at.position, roll, mv).ok()?;
            Some(self.then(at, next, false, || true))
        })
    }

    fn skipped(&self, at: &Self::Position, roll: Roll) -> Self::Position {
        let by = |rules: &R| {
            let can_move = rules.can_move(&at.position, roll);
            (can_move, rules.skipped(&at.position, roll))
        };
        let (_, next) = by(self.in_force(at));
        self.then(at, next, true, || by(&self.rules) != by(&self.other))
    }

    fn canonical(&self, at: &Self::Position) -> Self::Position {
        Occasion {
            position: self.rules.canonical(&at.position),
            ..*at
        }
    }

    fn facts(
        &self,
        before: &Self::Position,
        roll: Roll,
        attempt: Attempt,
        see: &mut dyn FnMut(Fact),
    ) {
        self.in_force(before)
            .facts(&before.position, roll, attempt, see);
    }

    fn describe_skip(&self, before: &Self::Position, roll: Roll) -> String {
        self.in_force(before).describe_skip(&before.position, roll)
    }

    fn picture(&self, at: &Self::Position) -> Picture {
        self.rules.picture(&at.position)
    }
}
