//! Rules that one player reads wrongly, or a referee for one player.

use super::{
    Attempt, Exercise, GameResult, Move, Picture, Refusal, Roll, Rules, Seat, Setup, Trace,
};

/// A variant of the rules in the turns of one player, and the rules in those of the other.
#[derive(Debug, Clone)]
pub(super) struct OneSided<R> {
    /// The rules.
    pub(super) rules: R,
    /// The variant.
    pub(super) variant: R,
    /// The player in whose turns the variant holds.
    pub(super) only: Seat,
}

impl<R: Rules> OneSided<R> {
    fn in_force(&self, position: &R::Position) -> &R {
        if self.rules.to_move(position) == self.only {
            &self.variant
        } else {
            &self.rules
        }
    }
}

impl<R: Rules> Rules for OneSided<R> {
    type Position = R::Position;

    fn start(&self, setup: Setup) -> R::Position {
        self.rules.start(setup)
    }

    fn kinds_of_roll(&self) -> &'static [Roll] {
        self.rules.kinds_of_roll()
    }

    fn to_move(&self, position: &R::Position) -> Seat {
        self.rules.to_move(position)
    }

    /// A win of this player is one by the variant.
    fn result(&self, position: &R::Position) -> Option<GameResult> {
        let is_his = |result: &GameResult| result.winner() == Some(self.only);
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
