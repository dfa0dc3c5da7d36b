//! Diagnostics for turns that contradict the rules.

use super::matchup::Matchup;
use super::places::Places;
use super::spot::Spot;
use super::world::{World, Wrong};
use crate::diagnostic::{Diagnostic, visible};
use crate::protocol::Open;
use crate::rules::{Move, Seat};
use crate::scenario::action_text::ANY;
use crate::scenario::{PlayerAction, Turn};

/// A turn that is wrong in every position that can be reached, and the one of them that it is shown in.
pub(super) struct WrongTurn<'b> {
    pub(super) matchup: &'b Matchup,
    pub(super) turn: &'b Turn,
    pub(super) places: &'b Places,
    pub(super) world: &'b World,
    /// True if no other position is possible.
    pub(super) is_only: bool,
}

impl WrongTurn<'_> {
    /// The fault; `last` is the turn before, and what it did.
    pub(super) fn fault(&self, wrong: Wrong, last: Option<&Spot>) -> Diagnostic {
        let source = &self.places.source;
        let fault = match wrong {
            Wrong::Over => {
                Diagnostic::error("turn/after-the-end", "the game is over before this turn")
                    .at(source, self.places.seat, "nothing can follow")
                    .help("remove this turn and those after it")
            }
            Wrong::OtherSeat(seat) => self.other_seat(seat, last),
            Wrong::Blocked => self.blocked(),
            Wrong::NotBlocked => self.not_blocked(),
            Wrong::OnlyExcluded(mv) => {
                let title = "no other move is possible than the one that is excluded";
                Diagnostic::error("turn/only-excluded", title)
                    .at(
                        source,
                        self.places.action(),
                        format!("only {} can be played", self.matchup.listed(&[mv])),
                    )
                    .help("remove `except` and the name, or change the turns before")
            }
            Wrong::Refused(mv, refusal) => {
                let title = format!("the rules refuse this move: {}", refusal.reason);
                let roll = self.turn.roll;
                let dialect = self.matchup.dialect;
                let sent = PlayerAction::Illegal(dialect.write_move(mv)).text(dialect);
                let marked = self.matchup.written(roll, &sent);
                Diagnostic::error("turn/refused", title)
                    .at(source, self.places.action(), "")
                    .note(self.legal_moves())
                    .help(format!("to have it sent all the same, write `{marked}`"))
            }
            Wrong::Legal(mv) => self.legal(mv),
            Wrong::Ignored(requirement) => {
                let title = "this line is ignored, so it loses nothing";
                Diagnostic::error("turn/ignored", title)
                    .at(source, self.places.action(), requirement)
                    .help("write `ignored` instead of `illegal`; the turn goes on after it")
            }
            Wrong::NotIgnored => Diagnostic::error("turn/not-ignored", "this line is not ignored")
                .at(source, self.places.action(), "")
                .help(
                    "write a move without quotation marks, and mark a line that loses as `illegal`",
                ),
            Wrong::Open(open) => self.open(open),
        };
        match wrong {
            Wrong::Over => fault,
            _ if !self.is_only => fault
                .note("so it is in every position that the turns before can lead to; this is of one of them"),
            Wrong::Blocked | Wrong::NotBlocked | Wrong::Refused(..) => {
                let board = self.world.table().draw();
                fault.note(format!("the position before the turn:\n{}", board.trim_end()))
            }
            _ => fault,
        }
    }

    fn other_seat(&self, seat: Seat, last: Option<&Spot>) -> Diagnostic {
        let source = &self.places.source;
        let (due, written) = (self.matchup.key(seat), self.matchup.key(self.turn.seat));
        let title = format!("it is the turn of `{due}` here, not of `{written}`");
        let mut fault =
            Diagnostic::error("turn/wrong-seat", title).at(source, self.places.seat, "");
        fault = match last {
            Some(last) => last.context_of(fault),
            None => fault.note(format!("`{due}` begins the game")),
        };
        fault.help(format!("write `{due}`"))
    }

    fn not_blocked(&self) -> Diagnostic {
        let source = &self.places.source;
        let action = if self.matchup.is_subject(self.turn.seat) {
            ANY
        } else {
            "…"
        };
        let roll = self.turn.roll;
        let title = "a move is possible with this roll, so the turn is not skipped";
        let span = self.places.roll.unwrap_or(self.places.step);
        Diagnostic::error("turn/not-blocked", title)
            .at(
                source,
                span,
                format!("`{}` can move", self.matchup.key(self.turn.seat)),
            )
            .note(self.legal_moves())
            .help(format!("write `{}`", self.matchup.written(roll, action)))
    }

    /// A line whose effect the specification leaves open.
    fn open(&self, open: Open) -> Diagnostic {
        let Open {
            mv, requirement, ..
        } = open;
        let source = &self.places.source;
        let title = "the specification leaves open what this line does here";
        let label = match mv {
            Some(mv) => {
                format!(
                    "the move {}, which is legal, or no move at all",
                    self.matchup.listed(&[mv])
                )
            }
            None => "it loses, or is ignored".to_owned(),
        };
        Diagnostic::error("turn/open", title)
            .at(source, self.places.action(), label)
            .note(format!(
                "{requirement}: what each lane receives cannot be said beforehand"
            ))
            .help("send another line, or that of a move that the rules refuse here")
    }

    fn blocked(&self) -> Diagnostic {
        let roll = self.turn.roll;
        let label = roll.map_or(String::new(), |roll| self.world.table().describe_skip(roll));
        let (title, advice) = match &self.turn.action {
            PlayerAction::Silent => (
                "nothing is due here, for no move is possible",
                "wait for the timeout",
            ),
            PlayerAction::Send(_) | PlayerAction::Leave(_) => {
                ("no move is due here, for none is possible", "have one due")
            }
            _ => ("no move is possible here, so the turn is skipped", "move"),
        };
        let source = &self.places.source;
        let fault =
            Diagnostic::error("turn/blocked", title).at(source, self.places.action(), label);
        match roll {
            Some(_) => fault.help(format!(
                "write `{}`, or another roll to {advice}",
                self.matchup.written(roll, "")
            )),
            None => fault,
        }
    }

    fn legal(&self, mv: Move) -> Diagnostic {
        let source = &self.places.source;
        let did = match self.world.rolled(self.turn) {
            Ok(rolled) if rolled.awaits(self.turn.seat) => rolled.table().describe_move(mv),
            _ => String::new(),
        };
        let fault = Diagnostic::error(
            "turn/legal",
            "the rules allow this move, so it loses nothing",
        );
        match self.places.action.and_then(|action| action.illegal) {
            Some(illegal) => fault
                .at(source, illegal, "not so")
                .context(source, self.places.action(), did)
                .help("remove `illegal`"),
            None => {
                let written = self.matchup.game().format_move(mv);
                let help = format!(
                    "write `{}`, without quotation marks and `illegal`",
                    visible::plain(&written)
                );
                fault.at(source, self.places.action(), did).help(help)
            }
        }
    }

    fn legal_moves(&self) -> String {
        let rolled = self.world.rolled(self.turn);
        let moves = rolled.map_or(Vec::new(), |rolled| rolled.table().legal_moves());
        if moves.is_empty() {
            return "no move is legal".to_owned();
        }
        format!("legal here: {}", self.matchup.listed(&moves))
    }
}
