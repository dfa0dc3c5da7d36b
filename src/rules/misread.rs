//! Rules as somebody reads them wrongly, in every turn or on some occasions.

use super::{GameResult, Rules, Seat};

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

/// The rules that hold in place of those of the game on some occasions.
#[derive(Debug, Clone)]
pub(super) struct Misread<R> {
    /// The other rules.
    pub(super) other: R,
    /// The turns in which they hold.
    pub(super) when: Occasions,
    /// The player in whose turns they hold, if not in those of both.
    pub(super) only: Option<Seat>,
    /// The turns so far.
    pub(super) so_far: SoFar,
}

/// As much of the turns so far as the occasions need. What is not tracked does not tell positions apart.
#[derive(Debug, Clone, Copy, Default, Hash)]
pub(super) struct SoFar {
    /// True if the other rules held in the last turn.
    pub(super) has_held: bool,
    /// True if the mistake has mattered before.
    has_been: bool,
    /// The player of the turn before; `None` before the first.
    before: Option<Seat>,
    /// True if the turn before was skipped.
    is_after_skip: bool,
}

impl<R: Rules> Misread<R> {
    /// Rules before the first turn.
    pub(super) fn new(other: R, when: Occasions, only: Option<Seat>) -> Misread<R> {
        let has_held = when == Occasions::Always && only.is_none();
        Misread {
            other,
            when,
            only,
            so_far: SoFar {
                has_held,
                ..SoFar::default()
            },
        }
    }

    /// Returns true if the other rules hold in the turn of this player that begins.
    pub(super) fn holds(&self, mover: Seat) -> bool {
        let so_far = &self.so_far;
        let holds = match self.when {
            Occasions::Always => true,
            Occasions::Later => so_far.has_been,
            Occasions::First => !so_far.has_been,
            Occasions::ExtraTurns => !so_far.is_after_skip && so_far.before == Some(mover),
            Occasions::AfterSkips => so_far.is_after_skip,
        };
        holds && self.only.is_none_or(|only| only == mover)
    }

    /// The result, if the game is over. Where the other rules hold in every turn of one player, that player's win is one by them.
    pub(super) fn result(&self, rules: &R, position: &R::Position) -> Option<GameResult> {
        let only = self.only.filter(|_| self.when == Occasions::Always);
        let Some(only) = only else {
            let rules = match self.so_far.has_held {
                true => &self.other,
                false => rules,
            };
            return rules.result(position);
        };
        let is_his = |result: &GameResult| result.winner() == Some(only);
        let by_other = self.other.result(position).filter(is_his);
        let by_rules = rules.result(position);
        by_other.or(by_rules.filter(|result| !is_his(result)))
    }

    /// Takes a turn of this player. `matters`: whether the other rules make a difference in it.
    pub(super) fn pass(&mut self, mover: Seat, is_skipped: bool, matters: impl FnOnce(&R) -> bool) {
        let has_held = self.holds(mover);
        let so_far = &mut self.so_far;
        match self.when {
            Occasions::Always => return,
            Occasions::Later | Occasions::First => so_far.has_been |= matters(&self.other),
            Occasions::ExtraTurns | Occasions::AfterSkips => {
                so_far.before = Some(mover);
                so_far.is_after_skip = is_skipped;
            }
        }
        so_far.has_held = has_held;
    }
}
