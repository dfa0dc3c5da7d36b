//! Rules as somebody reads them wrongly.

use super::{
    Attempt, Exercise, GameResult, Move, Picture, Refusal, Roll, Rules, Seat, Setup, Trace,
};

/// A variant of the rules, in every turn or in the turns of one player.
#[derive(Debug, Clone)]
pub(super) struct MisreadRules<R> {
    /// The rules.
    pub(super) rules: R,
    /// The variant.
    pub(super) variant: R,
    /// The player in whose turns the variant holds, if the rules hold in those of the other.
    pub(super) only: Option<Seat>,
}

impl<R: Rules> MisreadRules<R> {
    fn in_force(&self, position: &R::Position) -> &R {
        match self.only {
            Some(seat) if self.rules.to_move(position) != seat => &self.rules,
            _ => &self.variant,
        }
    }
}

impl<R: Rules> Rules for MisreadRules<R> {
    type Position = R::Position;

    fn start(&self, setup: Setup) -> R::Position {
        match self.only {
            Some(_) => self.rules.start(setup),
            None => self.variant.start(setup),
        }
    }

    fn has_rolls(&self) -> bool {
        self.rules.has_rolls()
    }

    fn kinds_of_roll(&self) -> &'static [Roll] {
        self.rules.kinds_of_roll()
    }

    fn to_move(&self, position: &R::Position) -> Seat {
        self.rules.to_move(position)
    }

    /// Where the variant holds for one player, that player's win is one by the variant.
    fn result(&self, position: &R::Position) -> Option<GameResult> {
        let Some(only) = self.only else {
            return self.variant.result(position);
        };
        let is_his = |result: &GameResult| result.winner() == Some(only);
        let by_variant = self.variant.result(position).filter(is_his);
        let by_rules = self.rules.result(position).filter(|result| !is_his(result));
        by_variant.or(by_rules)
    }

    fn can_move(&self, position: &R::Position, roll: Roll) -> bool {
        self.in_force(position).can_move(position, roll)
    }

    fn legal_moves(&self, position: &R::Position, roll: Roll) -> Vec<Move> {
        self.in_force(position).legal_moves(position, roll)
    }

    fn moved(
        &self,
        position: &R::Position,
        roll: Roll,
        mv: Move,
    ) -> Result<R::Position, &'static Refusal> {
        self.in_force(position).moved(position, roll, mv)
    }

    /// Who reads the rules wrongly takes a move that he would not have made as it is.
    fn moved_all_the_same(
        &self,
        position: &R::Position,
        roll: Roll,
        mv: Move,
    ) -> Option<R::Position> {
        let moved = self.moved(position, roll, mv);
        moved.or_else(|_| self.rules.moved(position, roll, mv)).ok()
    }

    fn skipped(&self, position: &R::Position, roll: Roll) -> R::Position {
        self.in_force(position).skipped(position, roll)
    }

    fn canonical(&self, position: &R::Position) -> R::Position {
        self.rules.canonical(position)
    }

    fn turn_ground(&self, before: &R::Position, roll: Roll, mv: Option<Move>) -> &'static str {
        self.in_force(before).turn_ground(before, roll, mv)
    }

    fn move_ground(&self, before: &R::Position, roll: Roll, mv: Move) -> Option<&'static str> {
        self.in_force(before).move_ground(before, roll, mv)
    }

    fn is_of_kind(&self, before: &R::Position, roll: Roll, mv: Move, kind: &str) -> bool {
        self.in_force(before).is_of_kind(before, roll, mv, kind)
    }

    fn breaks_one_rule(&self, position: &R::Position, roll: Roll, mv: Move) -> bool {
        self.in_force(position).breaks_one_rule(position, roll, mv)
    }

    fn covers(
        &self,
        before: &R::Position,
        roll: Roll,
        mv: Option<Move>,
        see: &mut dyn FnMut(usize),
    ) {
        self.in_force(before).covers(before, roll, mv, see);
    }

    fn exercises(
        &self,
        before: &R::Position,
        roll: Roll,
        attempt: Attempt,
        see: &mut dyn FnMut(Exercise),
    ) {
        self.in_force(before).exercises(before, roll, attempt, see);
    }

    fn completes(
        &self,
        before: &R::Position,
        roll: Roll,
        attempt: Attempt,
        by_subject: bool,
        trace: Trace,
    ) -> bool {
        let rules = self.in_force(before);
        rules.completes(before, roll, attempt, by_subject, trace)
    }

    fn describe_move(&self, before: &R::Position, roll: Roll, mv: Move) -> String {
        self.in_force(before).describe_move(before, roll, mv)
    }

    fn describe_skip(&self, before: &R::Position, roll: Roll) -> String {
        self.in_force(before).describe_skip(before, roll)
    }

    fn picture(&self, position: &R::Position) -> Picture {
        self.rules.picture(position)
    }
}
