//! The end of a game on paper: by the rules, by a player who breaks one or goes away, or left open by the specification.

use super::{End, Paper};
use crate::diagnostic::{Diagnostic, Source, Span};
use crate::protocol::PlayerLine;
use crate::requirement::Role;
use crate::rules::{GameResult, Seat};
use crate::scenario::resolve::branch::{self, Branch};
use crate::scenario::{Deed, Turn, TurnPlace, Wrong};

impl Paper<'_, '_> {
    /// The end of the game that a deed makes whatever the position is. Reports that the deed is wrong whatever the position is.
    pub(super) fn end_anywhere(
        &mut self,
        seat: Option<Seat>,
        deed: &Deed,
        at: &TurnPlace,
    ) -> Option<End> {
        let dialect = self.plan.dialect;
        let end = |says: String, is_open| {
            Some(End {
                by: at.says(says),
                is_open,
            })
        };
        let open = |id: &str| end(format!("{id} leaves open what this does"), true);
        let lost = || end("this loses the game".to_owned(), false);
        if self.is_wrong || *deed == Deed::Skip || self.participants.has_begun_a_line(seat) {
            return None;
        }
        let lines = deed.lines(dialect);
        let is_bad = matches!(deed.of_line(), Deed::Illegal(_) | Deed::Refused(_));
        let wrong = match (deed.of_line(), lines.first) {
            (Deed::Illegal(_), None) => lines.ignored.first().map(|id| Wrong::Ignored(id)),
            (Deed::Ignored(_), Some(_)) => Some(Wrong::NotIgnored),
            _ => None,
        };
        if let Some(wrong) = wrong {
            self.is_wrong = true;
            self.faults.push(branch::wrong_mark(wrong, self.plan, at));
            return None;
        }
        match lines.first {
            // Where the move is refused, so is every form of it.
            Some(PlayerLine::Open(line)) if !is_bad || line.mv.is_none() => open(line.requirement),
            Some(PlayerLine::Move(_) | PlayerLine::Open(_)) if is_bad => lost(),
            Some(PlayerLine::Invalid(_)) => lost(),
            Some(_) => None,
            None if matches!(deed.of_line(), Deed::Ignored(_)) => None,
            None => {
                let may_count = lines.half.possible_move().is_some();
                let unfinished = dialect.find_id(Role::UnfinishedLine);
                match unfinished.filter(|_| may_count && !is_bad && deed.leaving().is_some()) {
                    Some(id) => open(id),
                    None => lost(),
                }
            }
        }
    }

    /// Returns true if the game can go on; reports once that it is over, or may be.
    pub(super) fn goes_on(&mut self, source: &Source, span: Span) -> bool {
        let Some(End { by, is_open }) = self.end.take() else {
            return true;
        };
        self.branches.clear();
        self.is_wrong = true;
        let (code, title, label, help) = match is_open {
            true => (
                "turn/after-open",
                "whether the game goes on before this turn is left open".to_owned(),
                "no turn can follow",
                "remove this turn and those after it; `- play: to the end` can stand here",
            ),
            false => (
                "turn/after-the-end",
                Wrong::Over.words(self.plan),
                "nothing can follow",
                "remove this turn and those after it",
            ),
        };
        let fault = Diagnostic::error(code, title).at(source, span, label);
        self.faults.push(fault.explained_by(by).help(help));
        false
    }

    /// Returns the end of the game, if this turn ends it or leaves open if it does.
    pub(super) fn end_after(
        &mut self,
        turn: &Turn,
        [before, next]: [&[Branch<'_>]; 2],
        lost: Option<Seat>,
        open: Option<&str>,
    ) -> Option<End> {
        let (seat, key) = (turn.seat, |seat| self.plan.key(seat));
        let end = |says: String, is_open| End {
            by: turn.at.says(says),
            is_open,
        };
        let keeps = |branch: &Branch<'_>| branch.model.may_have_kept(seat).is_some();
        let first_open = &mut self.participants.open;
        if let Some(requirement) = open {
            let end = end(format!("{requirement} leaves open what this does"), true);
            first_open.get_or_insert(end.by.clone());
            return Some(end);
        }
        if keeps(&before[0]) && turn.deed != Deed::Skip {
            let by = first_open.clone()?;
            return Some(End { by, is_open: true });
        }
        if let Some(seat) = lost {
            return Some(end(format!("here `{}` loses the game", key(seat)), false));
        }
        if next.first().is_some_and(keeps) {
            let says = format!("here `{}` sends more than one line", key(seat));
            first_open.get_or_insert(turn.at.says(says));
        }
        if turn.deed.leaving().is_some() {
            self.participants.leaves(turn);
        }
        let result = next.first()?.result()?;
        let says = match result {
            GameResult::Won(winner) => format!("here `{}` wins the game", key(winner)),
            GameResult::Drawn => "here the game is drawn".to_owned(),
        };
        let is_over = next.iter().all(|branch| branch.result().is_some());
        is_over.then(|| end(says, false))
    }
}
