//! The diagnostic of a turn that contradicts the rules.

use super::branch::Branch;
use super::forms::{ANY, Doer};
use crate::diagnostic::{Diagnostic, Mark};
use crate::scenario::{Deed, PlannedGame, Turn, Wrong};

/// A turn that is wrong in every position that can be reached, and one of them.
pub(super) struct WrongTurn<'w> {
    pub(super) plan: &'w PlannedGame,
    pub(super) turn: &'w Turn,
    pub(super) branch: &'w Branch<'w>,
    /// True if no other position is possible.
    pub(super) is_only: bool,
}

impl WrongTurn<'_> {
    /// The fault; `last` is the turn before, and its effect.
    pub(super) fn fault(&self, wrong: Wrong, last: Option<&Mark>) -> Diagnostic {
        let WrongTurn {
            plan, turn, branch, ..
        } = self;
        let (matchup, at) = (plan.matchup(), &turn.at);
        let deed = at.deed;
        let (before, rolled) = (branch.table(), branch.rolled(turn));
        let table = rolled.table();
        let written = |deed: &str| format!("write `{}`", matchup.written(turn.roll, deed));
        let (code, span, label, help) = match wrong {
            Wrong::Over => unreachable!("no turn is played in a game that is over"),
            Wrong::OtherSeat(due) => (
                "turn/wrong-seat",
                at.seat,
                String::new(),
                format!("write `{}`", matchup.key(due)),
            ),
            Wrong::Blocked => (
                "turn/blocked",
                deed,
                turn.roll
                    .map_or(String::new(), |roll| before.describe_skip(roll)),
                format!("{}, or another roll to move", written("")),
            ),
            Wrong::NotBlocked => (
                "turn/not-blocked",
                at.roll,
                format!("`{}` can move", matchup.key(turn.seat)),
                written(if matchup.is_subject(turn.seat) {
                    ANY
                } else {
                    "…"
                }),
            ),
            Wrong::OnlyExcluded(mv) => (
                "turn/only-excluded",
                deed,
                format!("only {} can be played", matchup.listed(&[mv])),
                "remove `except` and the name, or change the turns before".to_owned(),
            ),
            Wrong::Refused(mv, _) => {
                let sent = Deed::Illegal(matchup.dialect.write_move(mv));
                let sent = Doer::OnTurn.written(&sent, matchup.dialect);
                let marked = written(&sent.unwrap_or_default());
                let help = format!("to have it sent all the same, {marked}");
                ("turn/refused", deed, String::new(), help)
            }
            Wrong::Legal(mv) => (
                "turn/legal",
                at.mark,
                table.describe_move(mv),
                written(&matchup.game().format_move(mv)),
            ),
            Wrong::Ignored(requirement) => (
                "turn/ignored",
                deed,
                requirement.to_owned(),
                "write `ignored` instead of `illegal`; the turn goes on after it".to_owned(),
            ),
            Wrong::NotIgnored => (
                "turn/not-ignored",
                deed,
                String::new(),
                "write a move without quotation marks, and mark a line that loses as `illegal`"
                    .to_owned(),
            ),
            Wrong::Open(requirement) => (
                "turn/open",
                deed,
                requirement.to_owned(),
                "send another line, or that of a move that the rules refuse here".to_owned(),
            ),
        };
        let mut fault = Diagnostic::error(code, wrong.words(plan)).at(&at.source, span, label);
        match (wrong, last) {
            (Wrong::OtherSeat(_), Some(last)) => fault = fault.explained_by(last.clone()),
            (Wrong::OtherSeat(due), None) => {
                fault = fault.note(format!("`{}` begins the game", matchup.key(due)))
            }
            (Wrong::NotBlocked | Wrong::Refused(..), _) => {
                let moves = table.legal_moves();
                fault = fault.note(match moves.is_empty() {
                    true => "no move is legal".to_owned(),
                    false => format!("legal here: {}", matchup.listed(&moves)),
                });
            }
            _ => {}
        }
        let fault = fault.help(help);
        match wrong {
            _ if !self.is_only => fault
                .note("so it is in every position that the turns before can lead to; this is of one of them"),
            Wrong::Blocked | Wrong::NotBlocked | Wrong::Refused(..) => {
                fault.note(format!("the position before the turn:\n{}", before.draw().trim_end()))
            }
            _ => fault,
        }
    }
}
