//! The trait of a wire protocol, and its data.

use std::fmt::Debug;

use super::{
    Cause, Closing, Duty, Facts, GameEvent, Greeting, OffTurn, OwedLine, Party, PlayerLine, Plays,
    RefereeLine, SetupLine, Slot,
};
use crate::requirement::{Level, Role, Specification};
use crate::rules::{Game, Move, Seat};

/// The data of a wire protocol. What a protocol does not have is left as [`DialectData::new`] has it.
#[derive(Debug)]
pub struct DialectData {
    /// Name, in golden transcripts and on the command line.
    pub name: &'static str,
    /// The game that is played over it.
    pub game: &'static dyn Game,
    /// The catalogue of its requirements.
    pub specification: &'static Specification,
    /// The lines of a player's handshake, in order.
    pub greeting: &'static [Greeting],
    /// Number of its first lines that spectators receive as well.
    pub greets_spectators: usize,
    /// The forms of the lines that tell the parts of the random setup.
    pub setup: &'static [SetupLine],
    /// True if games can have spectators.
    pub has_spectators: bool,
    /// The lines by which the handshake tells the players their seats, without newline.
    pub seat_lines: [&'static str; 2],
    /// The line that reports a loss, without newline, if one does.
    pub loss_line: Option<&'static [u8]>,
    /// Lines of a player that are almost moves, for hostile games.
    pub odd_lines: &'static [&'static [u8]],
    /// The game that the specification shows whole: roll and move of each turn, as scenarios write them.
    pub example: &'static [(&'static str, Option<&'static str>)],
}

impl DialectData {
    /// The data that every protocol has.
    #[must_use]
    pub const fn new(
        name: &'static str,
        game: &'static dyn Game,
        specification: &'static Specification,
    ) -> DialectData {
        DialectData {
            name,
            game,
            specification,
            greeting: &[],
            greets_spectators: 0,
            setup: &[],
            has_spectators: true,
            seat_lines: ["first", "second"],
            loss_line: None,
            odd_lines: &[],
            example: &[],
        }
    }
}

/// A wire protocol: what each lane must receive, and what its lines mean. Pure; works on single lines.
///
/// The catalogue says by its roles who receives a line about a move and about a loss.
pub trait Dialect: Sync {
    /// The data.
    fn data(&self) -> &'static DialectData;

    /// Checks a part of the random setup that a line of the handshake tells.
    ///
    /// # Errors
    /// Id of the requirement that the line breaks.
    fn check_setup(&self, _part: u8, _text: &str) -> Result<(), &'static str> {
        Ok(())
    }

    /// Returns the meaning of a line from the referee, by its form; cheap, for the hot path.
    fn hear(&self, line: &[u8]) -> RefereeLine {
        match self.read_player_line(line) {
            _ if self.data().loss_line == Some(line) => RefereeLine::Loss,
            PlayerLine::Move(mv) => RefereeLine::Move(mv),
            _ => RefereeLine::Other,
        }
    }

    /// Reads the lines of a stream below its handshake into `plays`. `mark`: the byte before each line that the participant sent; no
    /// line that is received begins with it. Returns `false` where a line is no roll, move or loss, or lacks its newline.
    ///
    /// Must agree with [`Plays::read`], and is what the hot path calls, only once for a lane.
    fn read_plays(&self, stream: &[u8], mark: Option<u8>, plays: &mut Plays) -> bool {
        plays.read(self, stream, mark)
    }

    /// Returns the meaning of a line from a player, by its form.
    fn read_player_line(&self, line: &[u8]) -> PlayerLine;

    /// Id of the requirement that a line breaks which is there instead of a roll, if it is not [`Role::Roll`].
    fn no_roll_requirement(&self, _line: &[u8]) -> Option<&'static str> {
        None
    }

    /// Id of the requirement that a bot breaks by a line that is no move, if it is not [`Role::BotFormat`].
    fn no_move_requirement(&self, _line: &[u8]) -> Option<&'static str> {
        None
    }

    /// The meaning of a move by a bot that errs in reading the board: the move, the requirement that it breaks, and what it behaves as if.
    fn misread_move(&self, _mv: Move) -> Option<(Move, &'static str, &'static str)> {
        None
    }
}

impl dyn Dialect + '_ {
    /// Name, in golden transcripts and on the command line.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.data().name
    }

    /// The game that is played over it.
    #[must_use]
    pub fn game(&self) -> &'static dyn Game {
        self.data().game
    }

    /// Returns true if the handshake tells the players' names.
    #[must_use]
    pub fn has_names(&self) -> bool {
        let mut lines = self.data().greeting.iter();
        lines.any(|line| matches!(line.slot, Slot::Name(_)))
    }

    /// The lines of the handshake, in order.
    #[must_use]
    pub fn greeting(&self, is_spectator: bool) -> &'static [Greeting] {
        let all = self.data().greeting;
        if is_spectator {
            &all[..self.data().greets_spectators]
        } else {
            all
        }
    }

    /// Ids of the requirements with a role.
    #[must_use]
    pub fn ids(&self, role: Role) -> &'static [&'static str] {
        self.data().specification.roles().all(role)
    }

    /// Id of the requirement with a role that not every game has.
    #[must_use]
    pub fn find_id(&self, role: Role) -> Option<&'static str> {
        self.ids(role).first().copied()
    }

    /// Id of the requirement with a role that every catalogue has.
    #[must_use]
    pub fn id(&self, role: Role) -> &'static str {
        self.find_id(role).unwrap_or_default()
    }

    /// The line that this party receives for an event; `None` if it receives none.
    #[must_use]
    pub fn tell(&self, event: &GameEvent, to: Party) -> Option<OwedLine> {
        let id = |[own, opponents, spectators]: [Role; 3]| {
            self.find_id(match to {
                Party::Player(seat) if seat == event.by() => own,
                Party::Player(_) => opponents,
                Party::Spectator => spectators,
            })
        };
        match *event {
            GameEvent::Rolled { roll, skipped, .. } => {
                let shown = if skipped {
                    Role::SkipShown
                } else {
                    Role::SameRoll
                };
                Some(OwedLine::must(
                    self.game().format_roll(roll),
                    self.id(shown),
                ))
            }
            GameEvent::Moved { mv, result, .. } => {
                let told = [
                    Role::MoveToMover,
                    Role::MoveToOpponent,
                    Role::MoveToSpectators,
                ];
                id(told).map(|id| {
                    let last = self.find_id(Role::LastMove).filter(|_| result.is_some());
                    OwedLine::must(self.write_move(mv), last.unwrap_or(id))
                })
            }
            GameEvent::Lost { by, cause } => {
                let told = [
                    Role::LossToLoser,
                    Role::LossToOpponent,
                    Role::LossToSpectators,
                ];
                id(told).map(|id| {
                    let is_own = to == Party::Player(by);
                    let of_cause = match cause {
                        Cause::Timeout => self.find_id(Role::LossByTimeout),
                        Cause::HangUp => self.find_id(Role::LossByHangUp),
                        _ => None,
                    };
                    let id = of_cause.filter(|_| !is_own).unwrap_or(id);
                    let line = OwedLine::must(self.data().loss_line.unwrap_or_default(), id);
                    let duty = if is_own { Duty::May } else { Duty::Must };
                    OwedLine { duty, ..line }
                })
            }
        }
    }

    /// The line by which a player sends a move, without newline.
    #[must_use]
    pub fn write_move(&self, mv: Move) -> Vec<u8> {
        self.game().format_move(mv).into_bytes()
    }

    /// Id of the requirement that a bot breaks by a line that is no move, or not written as one.
    #[must_use]
    pub fn bot_line_requirement(&self, line: &[u8]) -> &'static str {
        let of_line = self.no_move_requirement(line);
        of_line.unwrap_or_else(|| self.id(Role::BotFormat))
    }

    /// Reads a line of the handshake: learns from it, or compares it with what other lanes were told. For
    /// [`Slot::OwnSeat`] the seat that it tells is returned.
    ///
    /// # Errors
    /// Id of the requirement that the line breaks.
    pub fn read_greeting(
        &self,
        slot: Slot,
        line: &[u8],
        facts: &mut Facts,
    ) -> Result<Option<Seat>, &'static str> {
        let is_told = |seat: &Seat| self.data().seat_lines[seat.index()].as_bytes() == line;
        let read = match slot {
            Slot::Setup(part) => {
                let form = &self.data().setup[usize::from(part)];
                if let Some(text) = form.part(line) {
                    self.check_setup(part, text)?;
                    match self.known_setup(part, facts) {
                        Some(known) if known != line => return Err(form.repeated),
                        _ => facts.setup_lines[usize::from(part)] = Some(line.to_vec()),
                    }
                }
                let forms = self.data().setup.iter().zip(&facts.setup_lines);
                let texts: Option<Vec<_>> = forms
                    .map(|(form, line)| form.part(line.as_ref()?))
                    .collect();
                let setup = texts.and_then(|texts| self.game().setup_of(&texts).ok());
                facts.setup = setup.or(facts.setup);
                form.part(line).map(|_| None)
            }
            Slot::Name(seat) => facts.name(seat, line).is_ok().then_some(None),
            Slot::OwnSeat => Seat::BOTH.into_iter().find(is_told).map(Some),
        };
        let mut greeting = self.greeting(false).iter();
        read.ok_or_else(|| {
            let due = greeting.find(|due| due.slot == slot);
            due.expect("the line is one of the handshake").requirement
        })
    }

    /// Writes a line of the handshake for this party; `None` where the facts do not say what it tells.
    ///
    /// # Panics
    /// Panics if a spectator would receive its own seat.
    #[must_use]
    pub fn write_greeting(&self, slot: Slot, to: Party, facts: &Facts) -> Option<Vec<u8>> {
        match (slot, to) {
            (Slot::Name(seat), _) => facts.names[seat].clone(),
            (Slot::Setup(part), _) => self.known_setup(part, facts),
            (Slot::OwnSeat, Party::Player(seat)) => {
                Some(self.data().seat_lines[seat.index()].as_bytes().to_vec())
            }
            (Slot::OwnSeat, Party::Spectator) => unreachable!("a spectator has no seat"),
        }
    }

    /// The line of a part of the setup, where it is known.
    fn known_setup(&self, part: u8, facts: &Facts) -> Option<Vec<u8>> {
        match facts.setup {
            Some(setup) => {
                let text = self.game().setup_texts(setup).swap_remove(part.into());
                let form = &self.data().setup[usize::from(part)];
                Some([form.before, &*text, form.after].concat().into_bytes())
            }
            None => facts.setup_lines[usize::from(part)].clone(),
        }
    }

    /// Id of the requirement by which the handshake has no further line.
    #[must_use]
    pub fn greeting_ends(&self, is_spectator: bool) -> &'static str {
        self.id(if is_spectator {
            Role::SpectatorGreetingEnds
        } else {
            Role::GreetingEnds
        })
    }

    /// Id of the requirement by which nothing comes after the end of the game, which a player has lost or won.
    #[must_use]
    pub fn nothing_after(&self, is_lost: bool) -> &'static str {
        self.id(if is_lost {
            Role::NothingAfterLoss
        } else {
            Role::NothingAfterEnd
        })
    }

    /// The fate of a line that a player sends off turn.
    #[must_use]
    pub fn off_turn(&self) -> OffTurn {
        self.off_turn_by(self.id(Role::OffTurnLine))
    }

    /// The fate of a second line that a player sends in one turn.
    #[must_use]
    pub fn second_line(&self) -> OffTurn {
        self.find_id(Role::SecondLine)
            .map_or_else(|| self.off_turn(), |id| self.off_turn_by(id))
    }

    fn off_turn_by(&self, id: &'static str) -> OffTurn {
        let entry = self.data().specification.find(id);
        if entry.is_some_and(|entry| entry.level == Level::Unspecified) {
            OffTurn::Open(id)
        } else {
            OffTurn::Ignored(id)
        }
    }

    /// The requirements by which the referee ends every lane after this end of the game, in a dialect where it has to.
    ///
    /// Without a loss line, only the close shows a loss, and its reason can only be inferred.
    #[must_use]
    pub fn closes_after(&self, ending: &GameEvent) -> Option<Closing> {
        let [none, some] = match ending {
            GameEvent::Moved {
                result: Some(_), ..
            } => [Role::EndCloses; 2],
            GameEvent::Lost {
                cause: Cause::Timeout | Cause::HangUp,
                ..
            } => [Role::TimeoutShownByClose, Role::TimeoutClosesBoth],
            GameEvent::Lost { .. } => [Role::InvalidShownByClose, Role::InvalidClosesBoth],
            GameEvent::Rolled { .. } | GameEvent::Moved { result: None, .. } => return None,
        };
        Some(Closing {
            none: self.find_id(none)?,
            some: self.find_id(some)?,
        })
    }

    /// Returns true if only the close of a lane shows a loss.
    #[must_use]
    pub fn is_loss_silent(&self) -> bool {
        self.find_id(Role::InvalidShownByClose).is_some()
    }
}

impl Debug for dyn Dialect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Dialect({})", self.name())
    }
}
