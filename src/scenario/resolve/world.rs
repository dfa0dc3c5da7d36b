//! One position that the turns so far can have led to, and what a turn does to it.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::matchup::Matchup;
use crate::protocol::{Cause, GameEvent, Open, PlayerLine};
use crate::requirement::Role;
use crate::rules::{Move, Phase, Refusal, Seat, Table};
use crate::scenario::{Choice, PlayerAction, Side, Turn};

/// A position that can be reached, and the named choices on the way there.
#[derive(Debug)]
pub(super) struct World {
    pub(super) table: Box<dyn Table>,
    /// The moves chosen under names that are excluded later on, by the number of the name.
    pub(super) chosen: Vec<Option<Move>>,
    /// The move by which the last turn has led here, if it was one.
    pub(super) came_by: Option<Move>,
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
    /// This requirement leaves the line open: it may count as that legal move, or as none.
    Open(Option<Move>, &'static str),
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

/// Effect of a turn on a position.
pub(super) enum Effect {
    /// It leads to these.
    Leads(Vec<World>),
    /// It loses the game, for this cause, by a line that names this move.
    Loses(Cause, Option<Move>),
    /// It leads there, or loses: the entry of that id leaves it open.
    Open(Vec<World>, &'static str),
}

impl Effect {
    /// Lists the possible events of the turn of this seat, each with the move that a losing line names.
    pub(super) fn happenings(&self, by: Seat) -> Vec<(GameEvent, Option<Move>)> {
        let moved = |world: &World| {
            let result = world.table.phase().result();
            world
                .came_by
                .map(|mv| (GameEvent::Moved { by, mv, result }, None))
        };
        match *self {
            Effect::Leads(ref worlds) | Effect::Open(ref worlds, _) => {
                worlds.iter().filter_map(moved).collect()
            }
            Effect::Loses(cause, named) => vec![(GameEvent::Lost { by, cause }, named)],
        }
    }
}

/// A turn, with what is known for it from those before.
pub(super) struct Played<'t> {
    pub(super) turn: &'t Turn,
    /// False if only the roll and the seat of the turn could be read.
    pub(super) is_read: bool,
    pub(super) sent: Sent,
    /// True if the player disconnected before.
    pub(super) is_gone: bool,
    /// The number of the name that the turn gives.
    pub(super) name: Option<usize>,
    /// The number of the name that the turn excludes.
    pub(super) except: Option<usize>,
}

/// Lines that a player has sent by the end of a turn, from this turn and from before.
#[derive(Default)]
pub(super) struct Sent {
    pub(super) lines: Vec<Vec<u8>>,
    /// The part of a line that no newline has ended.
    pub(super) rest: Vec<u8>,
    /// True if the player disconnects afterwards.
    pub(super) leaves: bool,
}

impl Sent {
    /// Returns the meaning of the line that decides the turn: the first that is not ignored.
    pub(super) fn deciding(&self, matchup: &Matchup) -> Option<PlayerLine> {
        let said = self
            .lines
            .iter()
            .map(|line| matchup.dialect.read_player_line(line));
        said.into_iter()
            .find(|said| !matches!(said, PlayerLine::Ignored(_)))
    }

    /// Returns the number of lines after the one that decides the turn.
    pub(super) fn surplus(&self, matchup: &Matchup) -> usize {
        let is_ignored = |line: &Vec<u8>| {
            matches!(
                matchup.dialect.read_player_line(line),
                PlayerLine::Ignored(_)
            )
        };
        let deciding = self.lines.iter().position(|line| !is_ignored(line));
        deciding.map_or(0, |at| self.lines.len() - at - 1)
    }
}

impl World {
    /// The game before its first turn, where the scenario determines it.
    pub(super) fn start(matchup: &Matchup, names: usize) -> Option<World> {
        Some(World {
            table: matchup.table()?,
            chosen: vec![None; names],
            came_by: None,
        })
    }

    /// Equal for equal worlds.
    pub(super) fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.table.fingerprint(), &self.chosen).hash(&mut hasher);
        hasher.finish()
    }

    fn fork(&self) -> World {
        World {
            table: self.table.fork(),
            chosen: self.chosen.clone(),
            came_by: None,
        }
    }

    /// Returns the world after this turn's roll, and true if the roll leaves a move.
    ///
    /// `None` where a turn of that seat cannot be now.
    pub(super) fn rolled(&self, turn: &Turn) -> Result<(World, bool), Wrong> {
        if let Phase::Over(_) = self.table.phase() {
            return Err(Wrong::Over);
        }
        if self.table.to_move() != turn.seat {
            return Err(Wrong::OtherSeat(self.table.to_move()));
        }
        let mut world = self.fork();
        let can_move = match (self.table.phase(), turn.roll) {
            (Phase::Roll, Some(roll)) => world.table.take_roll(roll),
            _ => !world.table.legal_moves().is_empty(),
        };
        Ok((world, can_move))
    }

    /// Returns the effect of the turn on this position.
    pub(super) fn after(&self, played: &Played<'_>, matchup: &Matchup) -> Result<Effect, Wrong> {
        let (world, can_move) = self.rolled(played.turn)?;
        // Without rolls no turn is skipped: who cannot move is on turn, and loses by whatever it does.
        let can_move = can_move || !matchup.has_rolls();
        match (&played.turn.action, can_move) {
            _ if !played.is_read => Ok(Effect::Leads(vec![world])),
            (PlayerAction::Skip, false) => Ok(Effect::Leads(vec![world])),
            (PlayerAction::Skip, true) if played.is_gone => Ok(Effect::Loses(Cause::HangUp, None)),
            (PlayerAction::Skip, true) => Err(Wrong::NotBlocked),
            (_, false) => Err(Wrong::Blocked),
            (PlayerAction::Silent, true) => Ok(Effect::Loses(Cause::Timeout, None)),
            (PlayerAction::Leave(_), true) => Ok(Effect::Loses(Cause::HangUp, None)),
            (PlayerAction::Move(Choice::Any { .. }), true) => {
                let excluded = played.except.and_then(|except| world.chosen[except]);
                match (world.branches(played.name, excluded), excluded) {
                    (branches, Some(excluded)) if branches.is_empty() => {
                        Err(Wrong::OnlyExcluded(excluded))
                    }
                    (branches, _) => Ok(Effect::Leads(branches)),
                }
            }
            (PlayerAction::Move(Choice::This(mv)), true) => match world.moved(*mv) {
                Ok(world) => Ok(Effect::Leads(vec![world])),
                Err(refusal) => Err(Wrong::Refused(*mv, refusal)),
            },
            (PlayerAction::Ignored(line), true) => match matchup.dialect.read_player_line(line) {
                PlayerLine::Ignored(_) => Ok(Effect::Leads(vec![world])),
                PlayerLine::Open(open) => world.loses_by_open(open),
                _ => Err(Wrong::NotIgnored),
            },
            (PlayerAction::Illegal(line), true) => match matchup.dialect.read_player_line(line) {
                PlayerLine::Ignored(requirement) => Err(Wrong::Ignored(requirement)),
                PlayerLine::Open(open) => world.loses_by_open(open),
                PlayerLine::Move(mv) => world.loses_by(mv, Wrong::Legal(mv)),
                PlayerLine::Invalid(id) => Ok(Effect::Loses(Cause::Invalid(id), None)),
            },
            (PlayerAction::Send(_), true) => world.after_sending(&played.sent, matchup),
        }
    }

    /// Returns the effect of the first line that is not ignored; without one the player loses, by the timeout
    /// or the disconnect.
    fn after_sending(&self, sent: &Sent, matchup: &Matchup) -> Result<Effect, Wrong> {
        let open = |open: Open| {
            let moved = open.mv.map(|mv| self.moved(mv));
            let broken = moved
                .as_ref()
                .and_then(|moved| moved.as_ref().err())
                .map(|refusal| refusal.requirement);
            let mut worlds: Vec<World> = moved.and_then(Result::ok).into_iter().collect();
            if open.may_be_ignored {
                worlds.push(self.fork());
            }
            match matchup.side {
                _ if worlds.is_empty() => Ok(Effect::Loses(
                    Cause::Invalid(broken.unwrap_or(open.requirement)),
                    open.mv,
                )),
                Side::Referee => Ok(Effect::Open(worlds, open.requirement)),
                Side::Bot => Err(Wrong::Open(open.mv, open.requirement)),
            }
        };
        match sent.deciding(matchup) {
            Some(PlayerLine::Open(reading)) => return open(reading),
            Some(PlayerLine::Move(mv)) => {
                return Ok(match self.moved(mv) {
                    Ok(world) => Effect::Leads(vec![world]),
                    Err(refusal) => Effect::Loses(Cause::Invalid(refusal.requirement), Some(mv)),
                });
            }
            Some(PlayerLine::Invalid(id)) => return Ok(Effect::Loses(Cause::Invalid(id), None)),
            Some(PlayerLine::Ignored(_)) | None => {}
        }
        match (
            matchup.dialect.read_player_line(&sent.rest).possible_move(),
            matchup.dialect.find_id(Role::UnfinishedLine),
        ) {
            (mv @ Some(_), Some(requirement)) if sent.leaves => open(Open {
                mv,
                may_lose: true,
                may_be_ignored: false,
                requirement,
            }),
            _ if sent.leaves => Ok(Effect::Loses(Cause::HangUp, None)),
            _ => Ok(Effect::Loses(Cause::Timeout, None)),
        }
    }

    /// Returns the positions after every legal move except the excluded one.
    fn branches(&self, name: Option<usize>, excluded: Option<Move>) -> Vec<World> {
        let moves = self
            .table
            .legal_moves()
            .into_iter()
            .filter(|mv| Some(*mv) != excluded);
        moves
            .filter_map(|mv| {
                let mut world = self.moved(mv).ok()?;
                if let Some(name) = name {
                    world.chosen[name] = Some(mv);
                }
                Some(world)
            })
            .collect()
    }

    fn moved(&self, mv: Move) -> Result<World, &'static Refusal> {
        let mut table = self.table.fork();
        table.play(mv)?;
        Ok(World {
            table,
            chosen: self.chosen.clone(),
            came_by: Some(mv),
        })
    }

    fn loses_by_open(&self, open: Open) -> Result<Effect, Wrong> {
        match open.mv.filter(|_| !open.may_be_ignored) {
            Some(mv) => self.loses_by(mv, Wrong::Open(Some(mv), open.requirement)),
            None if open.may_be_ignored => Err(Wrong::Open(open.mv, open.requirement)),
            None => Ok(Effect::Loses(Cause::Invalid(open.requirement), None)),
        }
    }

    fn loses_by(&self, mv: Move, otherwise: Wrong) -> Result<Effect, Wrong> {
        match self.table.check(mv) {
            Ok(()) => Err(otherwise),
            Err(refusal) => Ok(Effect::Loses(Cause::Invalid(refusal.requirement), Some(mv))),
        }
    }
}
