//! One game that the turns so far can have led to, the effect of a turn on it, and the diagnostic of a turn that contradicts the rules.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::forms::{ANY, Doer};
use super::participants::Sent;
use crate::diagnostic::{Diagnostic, Faults, Mark, suggest, visible};
use crate::protocol::{Answered, Cause, Framer, GameEvent, Model};
use crate::rules::{GameResult, Move, Seat, Table};
use crate::scenario::{Choice, Deed, Leaving, PlannedGame, Turn, TurnPlace, Wrong};

/// A game that the turns so far can have led to.
#[derive(Clone)]
pub(super) struct Branch<'p> {
    pub(super) model: Model,
    /// The named choices on the way there.
    chosen: BTreeMap<&'p str, Move>,
}

impl<'p> Branch<'p> {
    pub(super) fn new(model: Model) -> Branch<'p> {
        Branch {
            model,
            chosen: BTreeMap::new(),
        }
    }

    pub(super) fn table(&self) -> &dyn Table {
        self.model.table().expect("the setup is known")
    }

    /// Equal for equal branches.
    pub(super) fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.table().fingerprint(), &self.chosen).hash(&mut hasher);
        hasher.finish()
    }

    /// The result of the game by its rules.
    pub(super) fn result(&self) -> Option<GameResult> {
        self.table().phase().result()
    }

    /// The player who has lost the game by breaking a rule or going away.
    pub(super) fn lost_by(&self) -> Option<Seat> {
        match self.model.history().last()? {
            GameEvent::Lost { by, .. } => Some(*by),
            _ => None,
        }
    }

    /// The events of a turn of this seat, since the game was as `before`.
    pub(super) fn events_since(
        &self,
        before: &Branch<'_>,
        seat: Seat,
    ) -> impl Iterator<Item = &GameEvent> {
        let events = &self.model.history()[before.model.history().len()..];
        events.iter().filter(move |event| event.by() == seat)
    }

    /// Describes the effect of the last event of a turn that begins here.
    pub(super) fn describe(&self, turn: &Turn, event: &GameEvent) -> String {
        match *event {
            GameEvent::Moved { mv, .. } => self.rolled(turn).table().describe_move(mv),
            GameEvent::Rolled {
                roll,
                skipped: true,
                ..
            } => self.table().describe_skip(roll),
            _ => String::new(),
        }
    }

    /// The branch after the roll of a turn.
    pub(super) fn rolled(&self, turn: &Turn) -> Branch<'p> {
        let mut branch = self.clone();
        if let Some(roll) = turn.roll.filter(|_| self.model.awaits_roll()) {
            branch.model.roll(roll);
        }
        branch
    }

    /// Returns the branches after the turn, and the id of the entry that leaves open which of them it is, or if the turn loses.
    ///
    /// # Errors
    /// The turn contradicts the rules.
    pub(super) fn after(
        &self,
        turn: &'p Turn,
        meanwhile: &[Sent],
        begun: &Framer,
    ) -> Result<(Vec<Branch<'p>>, Option<&'static str>), Wrong> {
        let seat = turn.seat;
        let mut branch = self.rolled(turn);
        Wrong::check_turn(turn, self.table().to_move(), &branch.model)?;
        for sent in meanwhile {
            branch.take(seat.other(), sent);
        }
        let (name, except) = match turn.deed.choice() {
            Some(Choice::Any { name, except, .. }) => (name.as_deref(), except.as_deref()),
            _ => (None, None),
        };
        let excluded = except.and_then(|except| self.chosen.get(except)).copied();
        let dialect = branch.model.dialect();
        let moves = turn.deed.moves(branch.table(), dialect, excluded)?;
        let Some(moves) = moves else {
            return branch.does(seat, &turn.deed, begun);
        };
        let (mut all, mut open) = (Vec::new(), None);
        for mv in moves {
            let mut branch = branch.clone();
            branch.chosen.extend(name.map(|name| (name, mv)));
            let deed = turn.deed.with(mv, dialect);
            let (reached, left_open) = branch.does(seat, &deed, begun)?;
            all.extend(reached);
            open = open.or(left_open);
        }
        Ok((all, open))
    }

    /// Returns the branches after a deed that leaves no move open.
    fn does(
        mut self,
        seat: Seat,
        deed: &Deed,
        begun: &Framer,
    ) -> Result<(Vec<Branch<'p>>, Option<&'static str>), Wrong> {
        if let Some(Choice::This(mv)) = deed.choice() {
            let checked = self.table().check(*mv);
            checked.map_err(|refusal| Wrong::Refused(*mv, refusal))?;
        }
        let answered = match deed {
            Deed::Skip => None,
            Deed::Move(Choice::This(mv)) => Some(self.model.moved(*mv)),
            deed => {
                let parts = deed.sent(self.model.dialect());
                self.take(seat, &Sent::of(&parts, &mut begun.clone()))
            }
        };
        if let Some(answered) = answered {
            Wrong::check_line(deed, answered)?;
        }
        let is_silent = matches!(answered, None | Some(Answered::Ignored(_)));
        let may_wait = matches!(deed.of_line(), Deed::Skip | Deed::Ignored(_));
        if is_silent && !may_wait && self.model.awaits_move_of() == Some(seat) {
            self.model.forfeit(seat, Cause::Timeout);
        }
        let Some(open) = self.model.undecided() else {
            return Ok((vec![self], None));
        };
        let of_model = |model| Branch {
            model,
            chosen: self.chosen.clone(),
        };
        Ok((
            self.model.games_of_meanings().map(of_model).collect(),
            Some(open.requirement),
        ))
    }

    /// Takes the bytes of a player; returns the answer to the first line that is not ignored, or to the last one.
    fn take(&mut self, seat: Seat, sent: &Sent) -> Option<Answered> {
        let mut answered = None;
        for line in &sent.lines {
            let next = self.model.said(seat, line);
            if matches!(answered, None | Some(Answered::Ignored(_))) {
                answered = Some(next);
            }
        }
        if let (Some(how), Some(lane)) = (sent.leaving, self.model.lane_of(seat)) {
            let still_reads = how == Leaving::HalfClose;
            self.model.leave(lane, still_reads, &sent.rest);
        }
        answered
    }
}

/// The fault of a line with another effect than the one that its mark says.
pub(super) fn wrong_mark(wrong: Wrong, plan: &PlannedGame, at: &TurnPlace) -> Diagnostic {
    let (code, label, help) = of_mark(wrong);
    let fault = at.problem(code, wrong.words(plan), label);
    fault.help(help)
}

/// The code, the label and the help of such a fault.
fn of_mark(wrong: Wrong) -> (&'static str, &'static str, &'static str) {
    match wrong {
        Wrong::Ignored(requirement) => (
            "turn/ignored",
            requirement,
            "write `ignored` instead of `illegal`; the turn goes on after it",
        ),
        Wrong::Open(requirement) => (
            "turn/open",
            requirement,
            "send another line, or that of a move that the rules refuse here",
        ),
        _ => (
            "turn/not-ignored",
            "",
            "write a move without quotation marks, and mark a line that loses as `illegal`",
        ),
    }
}

/// Refuses names that are used before they are given, and those that are given twice.
pub(super) fn refuse_names(plan: &PlannedGame, faults: &Faults) {
    let mut given = BTreeMap::<&str, Mark>::new();
    for (_, _, deed, at) in plan.placed_deeds() {
        let Some(Choice::Any { name, except, .. }) = deed.choice() else {
            continue;
        };
        if let Some(except) = except.as_deref()
            && !given.contains_key(except)
        {
            let shown = visible::plain(except);
            let title = format!("no choice before this is called `{shown}`");
            let help = match suggest(except, given.keys().copied()) {
                Some(meant) => format!("write `{meant}`"),
                None => format!("name one first: `any as {shown}`"),
            };
            faults.push(at.problem("turn/unknown-name", title, "").help(help));
        }
        let Some(name) = name.as_deref() else {
            continue;
        };
        if let Some(first) = given.get(name) {
            let title = format!(
                "another choice is called `{}` already",
                visible::plain(name)
            );
            let fault = at
                .problem("turn/repeated-name", title, "")
                .explained_by(first.clone());
            faults.push(fault.help("give it another name"));
        } else {
            given.insert(name, Mark::new(&at.source, at.deed, "this one"));
        }
    }
}

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
        let at = &turn.at;
        let deed = at.deed;
        let (before, rolled) = (branch.table(), branch.rolled(turn));
        let table = rolled.table();
        let written = |deed: &str| format!("write `{}`", plan.written(turn.roll, deed));
        let (code, span, label, help) = match wrong {
            Wrong::Over => unreachable!("no turn is played in a game that is over"),
            Wrong::OtherSeat(due) => (
                "turn/wrong-seat",
                at.seat,
                String::new(),
                format!("write `{}`", plan.key(due)),
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
                format!("`{}` can move", plan.key(turn.seat)),
                written(if plan.is_subject(turn.seat) {
                    ANY
                } else {
                    "…"
                }),
            ),
            Wrong::OnlyExcluded(mv) => (
                "turn/only-excluded",
                deed,
                format!("only {} can be played", plan.listed(&[mv])),
                "remove `except` and the name, or change the turns before".to_owned(),
            ),
            Wrong::NoneOfKind(_) | Wrong::NoneRefused(_) => (
                "turn/no-such-move",
                deed,
                String::new(),
                "write another move, or change the turns before".to_owned(),
            ),
            Wrong::Refused(mv, _) => {
                let sent = Deed::Illegal(plan.dialect.write_move(mv));
                let sent = Doer::OnTurn.written(&sent, plan);
                let marked = written(&sent.unwrap_or_default());
                let help = format!("to have it sent all the same, {marked}");
                ("turn/refused", deed, String::new(), help)
            }
            Wrong::Legal(mv) => (
                "turn/legal",
                deed,
                table.describe_move(mv),
                written(&plan.game().format_move(mv)),
            ),
            Wrong::Ignored(_) | Wrong::NotIgnored | Wrong::Open(_) => {
                let (code, label, help) = of_mark(wrong);
                (code, deed, label.to_owned(), help.to_owned())
            }
        };
        let mut fault = Diagnostic::error(code, wrong.words(plan)).at(&at.source, span, label);
        match (wrong, last) {
            (Wrong::OtherSeat(_), Some(last)) => fault = fault.explained_by(last.clone()),
            (Wrong::OtherSeat(due), None) => {
                fault = fault.note(format!("`{}` begins the game", plan.key(due)))
            }
            (Wrong::NotBlocked | Wrong::Refused(..), _) => {
                let moves = table.legal_moves();
                fault = fault.note(match moves.is_empty() {
                    true => "no move is legal".to_owned(),
                    false => format!("legal here: {}", plan.listed(&moves)),
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
