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
    /// The turns after two that were skipped one after the other.
    AfterTwoSkips,
    /// The turns from this one on, counted from 1.
    From(u32),
    /// The turns after the first move of this kind, one of the game's own; with the words for that.
    Since(&'static str, &'static str),
    /// The moves of this kind, one of the game's own; with the words for that.
    Moves(&'static str, &'static str),
    /// This move, where the game names it by a number.
    Numbered(Move),
}

impl Occasions {
    /// The end of the name of a reading, and the words behind its summary.
    pub(super) fn words(self) -> (String, String) {
        let fixed = |name: &str, words: &str| (name.to_owned(), words.to_owned());
        let (name, words) = match self {
            Occasions::Later => fixed("later", "not the first time"),
            Occasions::First => fixed("first", "only the first time"),
            Occasions::ExtraTurns => fixed("in-extra-turns", "only in extra turns"),
            Occasions::AfterSkips => fixed("after-skips", "only after a skipped turn"),
            Occasions::AfterTwoSkips => fixed("after-two-skips", "only after two skipped turns"),
            Occasions::From(turn) => (
                format!("from-turn-{turn}"),
                format!("only from turn {turn} on"),
            ),
            Occasions::Since(kind, words) => {
                (format!("since-{kind}"), format!("only after {words}"))
            }
            Occasions::Moves(kind, words) => (format!("by-{kind}"), format!("only by {words}")),
            Occasions::Numbered(Move(number)) => {
                (format!("by-{number}"), format!("only by number {number}"))
            }
        };
        (name, format!("but {words}"))
    }

    /// Returns true if the variant can hold for one move of a turn and not for another.
    fn are_moves(self) -> bool {
        matches!(self, Occasions::Moves(..) | Occasions::Numbered(_))
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
    /// The player in whose turns it holds, if not in those of both.
    pub(super) only: Option<Seat>,
}

/// A position, and what was before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Occasion<P> {
    position: P,
    /// True if the variant has mattered before.
    has_mattered: bool,
    /// The player of the turn before; `None` before the first.
    before: Option<Seat>,
    /// Number of skipped turns one after the other before, at most two.
    skips: u8,
    /// Number of turns before, as far as that decides.
    turns: u32,
    /// True if the kind of move has been seen.
    is_since: bool,
    /// True if the variant held in the last turn.
    has_held: bool,
}

impl<R: Rules> OccasionalRules<R> {
    /// Returns true if the variant holds in the turn that begins, for this move where it holds for some moves only.
    fn holds(&self, at: &Occasion<R::Position>, played: Option<(Roll, Move)>) -> bool {
        let holds = match self.occasions {
            Occasions::Later => at.has_mattered,
            Occasions::First => !at.has_mattered,
            Occasions::ExtraTurns => at.skips == 0 && at.before == Some(self.to_move(at)),
            Occasions::AfterSkips => at.skips > 0,
            Occasions::AfterTwoSkips => at.skips > 1,
            Occasions::From(turn) => at.turns + 1 >= turn,
            Occasions::Since(..) => at.is_since,
            Occasions::Moves(kind, _) => played.is_some_and(|(roll, mv)| {
                self.rules.moved(&at.position, roll, mv).is_ok()
                    && self.rules.is_of_kind(&at.position, roll, mv, kind)
            }),
            Occasions::Numbered(meant) => played.is_some_and(|(_, mv)| mv == meant),
        };
        holds && self.only.is_none_or(|only| only == self.to_move(at))
    }

    fn in_force(&self, at: &Occasion<R::Position>) -> &R {
        self.by(self.holds(at, None))
    }

    fn by(&self, is_variant: bool) -> &R {
        if is_variant {
            &self.variant
        } else {
            &self.rules
        }
    }

    /// The position after a turn. `played`: its move; `None` for a skipped one.
    fn then(
        &self,
        at: &Occasion<R::Position>,
        position: R::Position,
        matters: bool,
        played: Option<(Roll, Move)>,
    ) -> Occasion<R::Position> {
        // A game in which nothing is tracked has fewer positions that differ.
        let (is_tracked, most) = match self.occasions {
            Occasions::ExtraTurns | Occasions::AfterSkips | Occasions::AfterTwoSkips => (true, 0),
            Occasions::From(turn) => (false, turn),
            _ => (false, 0),
        };
        let is_since = match (self.occasions, played) {
            (Occasions::Since(kind, _), Some((roll, mv))) => {
                at.is_since
                    || self.rules.moved(&at.position, roll, mv).is_ok()
                        && self.rules.is_of_kind(&at.position, roll, mv, kind)
            }
            _ => at.is_since,
        };
        Occasion {
            position,
            has_mattered: at.has_mattered || matters,
            before: is_tracked.then(|| self.to_move(at)),
            skips: match played {
                None if is_tracked => (at.skips + 1).min(2),
                _ => 0,
            },
            turns: (at.turns + 1).min(most),
            is_since,
            has_held: self.holds(at, played),
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
            skips: 0,
            turns: 0,
            is_since: false,
            has_held: false,
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
        self.by(at.has_held).result(&at.position)
    }

    fn can_move(&self, at: &Self::Position, roll: Roll) -> bool {
        match self.occasions.are_moves() {
            true => !self.legal_moves(at, roll).is_empty(),
            false => self.in_force(at).can_move(&at.position, roll),
        }
    }

    fn legal_moves(&self, at: &Self::Position, roll: Roll) -> Vec<Move> {
        if !self.occasions.are_moves() {
            return self.in_force(at).legal_moves(&at.position, roll);
        }
        let mut moves = self.rules.legal_moves(&at.position, roll);
        moves.retain(|&mv| !self.holds(at, Some((roll, mv))));
        let others = self.variant.legal_moves(&at.position, roll).into_iter();
        moves.extend(others.filter(|&mv| self.holds(at, Some((roll, mv)))));
        moves.sort_unstable();
        moves
    }

    fn moved(
        &self,
        at: &Self::Position,
        roll: Roll,
        mv: Move,
    ) -> Result<Self::Position, &'static Refusal> {
        let by_rules = self.rules.moved(&at.position, roll, mv).ok();
        let by_variant = self.variant.moved(&at.position, roll, mv).ok();
        let played = Some((roll, mv));
        let rules = self.by(self.holds(at, played));
        let next = rules.moved(&at.position, roll, mv)?;
        Ok(self.then(at, next, by_rules != by_variant, played))
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
            Some(self.then(at, next, true, Some((roll, mv))))
        })
    }

    fn skipped(&self, at: &Self::Position, roll: Roll) -> Self::Position {
        let can_move = |rules: &R| rules.can_move(&at.position, roll);
        let skipped = |rules: &R| rules.skipped(&at.position, roll);
        let matters = can_move(&self.rules) != can_move(&self.variant)
            || skipped(&self.rules) != skipped(&self.variant);
        self.then(at, skipped(self.in_force(at)), matters, None)
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
