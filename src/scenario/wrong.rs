//! Ways in which a turn does not fit the game, each with one sentence for `check` and for a run.

use super::{Choice, Deed, PlannedGame, Turn};
use crate::protocol::{Answered, Dialect, Model};
use crate::rules::{Game, Move, Refusal, Seat, Table};

/// Contradiction between a turn of a scenario and the game before it.
#[derive(Debug, Clone, Copy)]
pub enum Wrong {
    /// The game is over.
    Over,
    /// This seat is on turn.
    OtherSeat(Seat),
    /// No move is possible, and the turn has a deed.
    Blocked,
    /// A move is possible, and the turn has no deed.
    NotBlocked,
    /// The excluded move is the only one that is possible.
    OnlyExcluded(Move),
    /// No move of this kind is possible.
    NoneOfKind(&'static str),
    /// The rules refuse no move, for the reason with this code where one is named.
    NoneRefused(Option<&'static str>),
    /// The rules refuse the move.
    Refused(Move, &'static Refusal),
    /// The rules allow the move that is marked `illegal`.
    Legal(Move),
    /// This requirement has the line ignored that is marked `illegal`.
    Ignored(&'static str),
    /// The line that is marked `ignored` is not ignored.
    NotIgnored,
    /// This entry leaves open what the line does.
    Open(&'static str),
}

impl Wrong {
    /// Checks the player of a turn, and if it is skipped. `by`: the player whose turn it is; `model`: the game after the roll.
    ///
    /// # Errors
    /// The contradiction.
    pub fn check_turn(turn: &Turn, by: Seat, model: &Model) -> Result<(), Wrong> {
        let is_skipped = model.awaits_move_of() != Some(by);
        match (is_skipped, turn.deed == Deed::Skip) {
            _ if turn.seat != by => Err(Wrong::OtherSeat(by)),
            // A player who has gone away loses with the roll.
            _ if model.is_over() => Ok(()),
            (true, false) => Err(Wrong::Blocked),
            (false, true) => Err(Wrong::NotBlocked),
            _ => Ok(()),
        }
    }

    /// Checks the mark of a line by its effect.
    ///
    /// # Errors
    /// The contradiction.
    pub fn check_line(deed: &Deed, answered: Answered) -> Result<(), Wrong> {
        Err(match (deed.of_line(), answered) {
            (Deed::Illegal(_), Answered::Moved(mv)) => Wrong::Legal(mv),
            (Deed::Illegal(_), Answered::Ignored(requirement)) => Wrong::Ignored(requirement),
            (Deed::Ignored(_), Answered::Moved(_) | Answered::Lost(_)) => Wrong::NotIgnored,
            (Deed::Illegal(_) | Deed::Ignored(_), Answered::Open(requirement)) => {
                Wrong::Open(requirement)
            }
            _ => return Ok(()),
        })
    }

    /// The sentence that says it.
    #[must_use]
    pub fn words(self, plan: &PlannedGame) -> String {
        let words = match self {
            Wrong::Over => "the game is over before this turn",
            Wrong::OtherSeat(due) => {
                let (due, written) = (plan.key(due), plan.key(due.other()));
                return format!("it is the turn of `{due}` here, not of `{written}`");
            }
            Wrong::Blocked => "no move is possible here, so the turn is skipped",
            Wrong::NotBlocked => "a move is possible with this roll, so the turn is not skipped",
            Wrong::OnlyExcluded(_) => "no other move is possible than the one that is excluded",
            Wrong::NoneOfKind(kind) => {
                return format!("no move of the kind `{kind}` is possible here");
            }
            Wrong::NoneRefused(None) => "the rules refuse no move here",
            Wrong::NoneRefused(Some(code)) => {
                return format!("the rules refuse no move here for the reason `{code}`");
            }
            Wrong::Refused(_, refusal) => {
                return format!("the rules refuse this move: {}", refusal.reason);
            }
            Wrong::Legal(_) => "the rules allow this move, so it loses nothing",
            Wrong::Ignored(_) => "this line is ignored, so it loses nothing",
            Wrong::NotIgnored => "this line is not ignored",
            Wrong::Open(_) => "the specification leaves open what this line does here",
        };
        words.to_owned()
    }
}

impl Deed {
    /// The moves that it leaves open in a position, all but the excluded one; `None` where it leaves none open.
    ///
    /// # Errors
    /// The position lacks such a move.
    pub fn moves(
        &self,
        table: &dyn Table,
        dialect: &dyn Dialect,
        excluded: Option<Move>,
    ) -> Result<Option<Vec<Move>>, Wrong> {
        let moves = match self.of_line() {
            Deed::Move(Choice::Any { kind, .. }) => {
                let mut moves = table.legal_moves();
                if let Some(kind) = *kind {
                    moves.retain(|&mv| table.is_of_kind(mv, kind));
                    if moves.is_empty() {
                        return Err(Wrong::NoneOfKind(kind));
                    }
                }
                moves.retain(|&mv| Some(mv) != excluded);
                if let Some(only) = excluded.filter(|_| moves.is_empty()) {
                    return Err(Wrong::OnlyExcluded(only));
                }
                moves
            }
            Deed::Refused(code) => {
                let mut moves = refused_moves(table, dialect.game(), *code);
                // One that breaks several rules says nothing of each.
                if moves.iter().any(|&mv| table.breaks_one_rule(mv)) {
                    moves.retain(|&mv| table.breaks_one_rule(mv));
                }
                if moves.is_empty() {
                    return Err(Wrong::NoneRefused(*code));
                }
                moves
            }
            _ => return Ok(None),
        };
        Ok(Some(moves))
    }
}

/// The moves that the rules refuse, for the reason of that code where one is named.
pub(super) fn refused_moves(table: &dyn Table, game: &dyn Game, code: Option<&str>) -> Vec<Move> {
    let mut moves = game.every_move();
    moves.retain(|&mv| {
        let refusal = table.check(mv).err();
        refusal.is_some_and(|refusal| code.is_none_or(|code| refusal.code == code))
    });
    moves
}
