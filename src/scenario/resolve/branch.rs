//! One game that the turns so far can have led to, and the effect of a turn on it.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::participants::Sent;
use crate::protocol::{Answered, Cause, GameEvent, Model};
use crate::rules::{GameResult, Move, Seat, Table};
use crate::scenario::{Choice, Deed, Leaving, Turn, Wrong};

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
        sent: &Sent,
    ) -> Result<(Vec<Branch<'p>>, Option<&'static str>), Wrong> {
        let seat = turn.seat;
        let mut branch = self.rolled(turn);
        Wrong::check_turn(turn, self.table().to_move(), &branch.model)?;
        for sent in meanwhile {
            branch.take(seat.other(), sent);
        }
        let answered = match &turn.deed {
            Deed::Skip => None,
            Deed::Move(Choice::Any { name, except }) => {
                return Ok((branch.chosen(name.as_deref(), except.as_deref())?, None));
            }
            Deed::Move(Choice::This(mv)) => {
                let checked = branch.table().check(*mv);
                checked.map_err(|refusal| Wrong::Refused(*mv, refusal))?;
                Some(branch.model.moved(*mv))
            }
            _ => branch.take(seat, sent),
        };
        if let Some(answered) = answered {
            Wrong::check_line(&turn.deed, answered)?;
        }
        let is_silent = matches!(answered, None | Some(Answered::Ignored(_)));
        let may_wait = matches!(turn.deed, Deed::Skip | Deed::Ignored(_));
        if is_silent && !may_wait && branch.model.awaits_move_of() == Some(seat) {
            branch.model.forfeit(seat, Cause::Timeout);
        }
        let Some(open) = branch.model.undecided() else {
            return Ok((vec![branch], None));
        };
        let of_model = |model| Branch {
            model,
            chosen: branch.chosen.clone(),
        };
        Ok((
            branch.model.readings().map(of_model).collect(),
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

    /// Returns the branches after every legal move but the one that was called `except`.
    fn chosen(
        &self,
        name: Option<&'p str>,
        except: Option<&str>,
    ) -> Result<Vec<Branch<'p>>, Wrong> {
        let excluded = except.and_then(|except| self.chosen.get(except)).copied();
        let mut moves = self.table().legal_moves();
        moves.retain(|mv| Some(*mv) != excluded);
        if let Some(only) = excluded.filter(|_| moves.is_empty()) {
            return Err(Wrong::OnlyExcluded(only));
        }
        let branch = |mv| {
            let mut branch = self.clone();
            branch.model.moved(mv);
            branch.chosen.extend(name.map(|name| (name, mv)));
            branch
        };
        Ok(moves.into_iter().map(branch).collect())
    }
}
