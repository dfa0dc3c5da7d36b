//! One game that the turns so far can have led to, and what a turn does to it.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::matchup::Matchup;
use crate::protocol::{Answered, Cause, GameEvent, Model, Open};
use crate::rules::{Move, Refusal, Seat, Table};
use crate::scenario::{Choice, Leaving, PlayerAction, Side, Turn};

/// A game that can have come up, and the named choices on the way there.
#[derive(Clone)]
pub(super) struct World {
    pub(super) model: Model,
    /// The moves chosen under names that are excluded later on, by the number of the name.
    chosen: Vec<Option<Move>>,
}

/// Error of a turn in a position; errors later in this list are closer to a correct turn.
#[derive(Debug, Clone, Copy)]
pub(super) enum Wrong {
    /// The game is over.
    Over,
    /// This seat is on turn.
    OtherSeat(Seat),
    /// No move is possible, and one is written.
    Blocked,
    /// A move is possible, and none is written.
    NotBlocked,
    /// No other move is possible than the one that is excluded.
    OnlyExcluded(Move),
    /// The rules refuse the move.
    Refused(Move, &'static Refusal),
    /// The rules allow the move that is marked illegal.
    Legal(Move),
    /// The line is ignored by this requirement, and is marked illegal.
    Ignored(&'static str),
    /// The line is not ignored, and it is marked so.
    NotIgnored,
    /// The specification leaves open what the line is.
    Open(Open),
}

impl Wrong {
    pub(super) fn rank(&self) -> u8 {
        match self {
            Wrong::Over => 0,
            Wrong::OtherSeat(_) => 1,
            Wrong::Blocked | Wrong::NotBlocked => 2,
            Wrong::OnlyExcluded(_) => 3,
            Wrong::Refused(..)
            | Wrong::Legal(_)
            | Wrong::Ignored(_)
            | Wrong::NotIgnored
            | Wrong::Open(..) => 4,
        }
    }
}

/// The games that a turn leads to.
pub(super) struct Reached {
    pub(super) worlds: Vec<World>,
    /// Id of the entry that leaves open to which of them, or whether the turn loses.
    pub(super) open: Option<&'static str>,
}

/// A turn, with what is known for it from those before.
pub(super) struct Played<'t> {
    pub(super) turn: &'t Turn,
    /// False if only the roll and the seat of the turn could be read.
    pub(super) is_read: bool,
    /// Lines of the player off turn before the action.
    pub(super) meanwhile: Vec<Sent>,
    pub(super) sent: Sent,
    /// The number of the name that the turn gives.
    pub(super) name: Option<usize>,
    /// The number of the name that the turn excludes.
    pub(super) except: Option<usize>,
}

/// Bytes that a player sends at once, after an unfinished line from before.
#[derive(Default)]
pub(super) struct Sent {
    pub(super) lines: Vec<Vec<u8>>,
    /// The part of a line that no newline has ended.
    pub(super) rest: Vec<u8>,
    /// The way in which the player disconnects afterwards.
    pub(super) leaving: Option<Leaving>,
}

impl World {
    /// The game before its first turn, where the scenario determines it.
    pub(super) fn start(matchup: &Matchup, names: usize) -> Option<World> {
        Some(World {
            model: matchup.model()?,
            chosen: vec![None; names],
        })
    }

    pub(super) fn table(&self) -> &dyn Table {
        self.model.table().expect("the setup is known")
    }

    /// Equal for equal worlds.
    pub(super) fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.table().fingerprint(), &self.chosen).hash(&mut hasher);
        hasher.finish()
    }

    /// Returns true if the game is over because the player lost it in its turn.
    pub(super) fn is_lost_by(&self, seat: Seat) -> bool {
        matches!(self.model.history().last(), Some(GameEvent::Lost { by, .. }) if *by == seat)
    }

    /// The events of a turn of this seat, since the game was as `before`.
    pub(super) fn events_since(
        &self,
        before: &World,
        seat: Seat,
    ) -> impl Iterator<Item = &GameEvent> {
        let events = &self.model.history()[before.model.history().len()..];
        events.iter().filter(move |event| event.by() == seat)
    }

    /// Describes what the turn has done to the game before it.
    pub(super) fn describe(&self, before: &World, turn: &Turn) -> String {
        let event = self.events_since(before, turn.seat).last();
        match (event, before.rolled(turn)) {
            (Some(&GameEvent::Moved { mv, .. }), Ok(rolled)) => rolled.table().describe_move(mv),
            (
                Some(&GameEvent::Rolled {
                    roll,
                    skipped: true,
                    ..
                }),
                _,
            ) => before.table().describe_skip(roll),
            _ => String::new(),
        }
    }

    /// Returns the world after this turn's roll.
    ///
    /// # Errors
    /// A turn of that seat cannot be now.
    pub(super) fn rolled(&self, turn: &Turn) -> Result<Cow<'_, World>, Wrong> {
        if self.table().phase().result().is_some() {
            return Err(Wrong::Over);
        }
        if self.table().to_move() != turn.seat {
            return Err(Wrong::OtherSeat(self.table().to_move()));
        }
        let mut world = Cow::Borrowed(self);
        if let Some(roll) = turn.roll.filter(|_| self.model.awaits_roll()) {
            world.to_mut().model.roll(roll);
        }
        Ok(world)
    }

    /// Returns true if the game waits for a move of this seat that is possible, or for any line of it in a game without rolls, where no
    /// turn is skipped.
    pub(super) fn awaits(&self, seat: Seat) -> bool {
        self.model.awaits_move_of() == Some(seat)
    }

    /// Returns the games after the turn.
    pub(super) fn after(&self, played: &Played<'_>, matchup: &Matchup) -> Result<Reached, Wrong> {
        let Played { turn, sent, .. } = played;
        let (seat, mut world) = (turn.seat, self.rolled(turn)?);
        if !played.is_read {
            return Ok(world.into_owned().reached());
        }
        for sent in &played.meanwhile {
            world.to_mut().take(seat.other(), sent);
        }
        if !world.awaits(seat) {
            return match turn.action {
                PlayerAction::Skip => Ok(world.into_owned().reached()),
                _ => Err(Wrong::Blocked),
            };
        }
        let answered = match &turn.action {
            PlayerAction::Skip => return Err(Wrong::NotBlocked),
            PlayerAction::Move(Choice::Any { .. }) => return world.branches(played),
            PlayerAction::Move(Choice::This(mv)) => match world.table().check(*mv) {
                Ok(()) => Some(world.to_mut().model.moved(*mv)),
                Err(refusal) => return Err(Wrong::Refused(*mv, refusal)),
            },
            PlayerAction::Illegal(line) | PlayerAction::Ignored(line) => {
                Some(world.to_mut().model.said(seat, line))
            }
            PlayerAction::Silent | PlayerAction::Send(_) | PlayerAction::Leave(_) => {
                world.to_mut().take(seat, sent)
            }
        };
        if answered.is_none() && world.awaits(seat) {
            world.to_mut().model.forfeit(seat, Cause::Timeout);
        }
        let is_line = matches!(
            turn.action,
            PlayerAction::Illegal(_) | PlayerAction::Ignored(_)
        );
        match (&turn.action, answered) {
            (PlayerAction::Illegal(_), Some(Answered::Moved(mv))) => Err(Wrong::Legal(mv)),
            (PlayerAction::Illegal(_), Some(Answered::Ignored(id))) => Err(Wrong::Ignored(id)),
            (PlayerAction::Ignored(_), Some(Answered::Moved(_) | Answered::Lost(_))) => {
                Err(Wrong::NotIgnored)
            }
            _ => match world.model.undecided() {
                Some(open) if is_line || matchup.side == Side::Bot => Err(Wrong::Open(open)),
                _ => Ok(world.into_owned().reached()),
            },
        }
    }

    /// Takes what a player sends; returns the answer to the first line that is not ignored.
    fn take(&mut self, seat: Seat, sent: &Sent) -> Option<Answered> {
        let answers = sent.lines.iter().map(|line| self.model.said(seat, line));
        let mut decides = answers.filter(|answered| !matches!(answered, Answered::Ignored(_)));
        let first = decides.next();
        decides.for_each(drop);
        if let (Some(how), Some(lane)) = (sent.leaving, self.model.lane_of(seat)) {
            let still_reads = how == Leaving::HalfClose;
            self.model.leave(lane, still_reads, &sent.rest);
        }
        first
    }

    /// Returns the games after every legal move except the excluded one.
    fn branches(&self, played: &Played<'_>) -> Result<Reached, Wrong> {
        let excluded = played.except.and_then(|except| self.chosen[except]);
        let mut moves = self.table().legal_moves();
        moves.retain(|mv| Some(*mv) != excluded);
        if let Some(only) = excluded.filter(|_| moves.is_empty()) {
            return Err(Wrong::OnlyExcluded(only));
        }
        let branch = |mv| {
            let mut world = self.clone();
            world.model.moved(mv);
            if let Some(name) = played.name {
                world.chosen[name] = Some(mv);
            }
            world
        };
        Ok(Reached {
            worlds: moves.into_iter().map(branch).collect(),
            open: None,
        })
    }

    fn reached(self) -> Reached {
        let Some(open) = self.model.undecided() else {
            return Reached {
                worlds: vec![self],
                open: None,
            };
        };
        let world = |model| World {
            model,
            chosen: self.chosen.clone(),
        };
        Reached {
            worlds: self.model.readings().map(world).collect(),
            open: Some(open.requirement),
        }
    }
}
