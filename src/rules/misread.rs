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
    /// The end of the name of a mistake, and its words after "but"; `None` for every turn.
    pub(super) fn words(self) -> Option<(String, String)> {
        let (name, words) = match self {
            Occasions::Always => return None,
            Occasions::Later => ("later", "not the first time"),
            Occasions::First => ("first", "only the first time"),
            Occasions::ExtraTurns => ("in-extra-turns", "only in extra turns"),
            Occasions::AfterSkips => ("after-skips", "only after a skipped turn"),
            Occasions::AfterTwoSkips => ("after-two-skips", "only after two skipped turns"),
            Occasions::From(turn) => {
                return Some((
                    format!("from-turn-{turn}"),
                    format!("only from turn {turn} on"),
                ));
            }
            Occasions::Since(kind, words) => {
                return Some((format!("since-{kind}"), format!("only after {words}")));
            }
            Occasions::Moves(kind, words) => {
                return Some((format!("by-{kind}"), format!("only by {words}")));
            }
            Occasions::Numbered(Move(number)) => {
                return Some((format!("by-{number}"), format!("only by number {number}")));
            }
        };
        Some((name.to_owned(), words.to_owned()))
    }

    /// Returns true if the mistake can be made in one move of a turn and not in another.
    fn are_moves(self) -> bool {
        matches!(self, Occasions::Moves(..) | Occasions::Numbered(_))
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
    /// True if the mistake has mattered before, or the kind of move has been seen.
    has_been: bool,
    /// The player of the turn before; `None` before the first.
    before: Option<Seat>,
    /// Number of turns before, or of skipped ones one after the other.
    turns: u32,
}

impl<R: Rules> Misread<R> {
    /// Returns true if the other rules hold in the turn that begins, for this move where they hold for some moves only.
    fn holds(&self, at: &Occasion<R::Position>, played: Option<(Roll, Move)>) -> bool {
        let holds = match self.when {
            Occasions::Always => true,
            Occasions::Later | Occasions::Since(..) => at.has_been,
            Occasions::First => !at.has_been,
            Occasions::ExtraTurns => at.turns == 0 && at.before == Some(self.to_move(at)),
            Occasions::AfterSkips => at.turns > 0,
            Occasions::AfterTwoSkips => at.turns > 1,
            Occasions::From(turn) => at.turns + 1 >= turn,
            Occasions::Moves(kind, _) => self.is_kind(at, played, kind),
            Occasions::Numbered(meant) => played.is_some_and(|(_, mv)| mv == meant),
        };
        holds && self.only.is_none_or(|only| only == self.to_move(at))
    }

    /// Returns true if the move is a legal one of this kind.
    fn is_kind(
        &self,
        at: &Occasion<R::Position>,
        played: Option<(Roll, Move)>,
        kind: &str,
    ) -> bool {
        let Some((roll, mv)) = played else {
            return false;
        };
        let (rules, at) = (&self.rules, &at.position);
        let facts = |see: &mut dyn FnMut(Fact)| rules.facts(at, roll, Attempt::Moved(mv), see);
        let is_kind = |fact: Fact| fact.is_kind(kind).then_some(());
        rules.moved(at, roll, mv).is_ok() && Fact::last(facts, is_kind).is_some()
    }

    fn in_force(&self, at: &Occasion<R::Position>) -> &R {
        self.by(self.holds(at, None))
    }

    fn by(&self, is_other: bool) -> &R {
        if is_other { &self.other } else { &self.rules }
    }

    /// The position after a turn. `played`: its move; `None` for a skipped one. `matters`: whether the mistake makes a difference.
    fn then(
        &self,
        at: &Occasion<R::Position>,
        position: R::Position,
        played: Option<(Roll, Move)>,
        matters: impl FnOnce() -> bool,
    ) -> Occasion<R::Position> {
        let mut next = Occasion { position, ..*at };
        match self.when {
            // What is not tracked does not tell positions apart.
            Occasions::Always => return next,
            Occasions::Later | Occasions::First => next.has_been |= matters(),
            Occasions::Since(kind, _) => next.has_been |= self.is_kind(at, played, kind),
            Occasions::ExtraTurns | Occasions::AfterSkips | Occasions::AfterTwoSkips => {
                next.before = Some(self.to_move(at));
                next.turns = match played {
                    None => (at.turns + 1).min(2),
                    Some(_) => 0,
                };
            }
            Occasions::From(turn) => next.turns = (at.turns + 1).min(turn),
            Occasions::Moves(..) | Occasions::Numbered(_) => {}
        }
        next.has_held = self.holds(at, played);
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
            turns: 0,
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
        match self.when.are_moves() {
            true => !self.legal_moves(at, roll).is_empty(),
            false => self.in_force(at).can_move(&at.position, roll),
        }
    }

    fn legal_moves(&self, at: &Self::Position, roll: Roll) -> Vec<Move> {
        if !self.when.are_moves() {
            return self.in_force(at).legal_moves(&at.position, roll);
        }
        let mut moves = self.rules.legal_moves(&at.position, roll);
        moves.retain(|&mv| !self.holds(at, Some((roll, mv))));
        let others = self.other.legal_moves(&at.position, roll).into_iter();
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
        let by = |rules: &R| rules.moved(&at.position, roll, mv);
        let played = Some((roll, mv));
        let next = by(self.by(self.holds(at, played)))?;
        Ok(self.then(at, next, played, || {
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
            Some(self.then(at, next, Some((roll, mv)), || true))
        })
    }

    fn skipped(&self, at: &Self::Position, roll: Roll) -> Self::Position {
        let by = |rules: &R| {
            let can_move = rules.can_move(&at.position, roll);
            (can_move, rules.skipped(&at.position, roll))
        };
        let (_, next) = by(self.in_force(at));
        self.then(at, next, None, || by(&self.rules) != by(&self.other))
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
        let played = match attempt {
            Attempt::Moved(mv) | Attempt::Refused(mv) => Some((roll, mv)),
            Attempt::Skipped | Attempt::Forfeited => None,
        };
        self.by(self.holds(before, played))
            .facts(&before.position, roll, attempt, see);
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
