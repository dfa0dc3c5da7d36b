//! The trait of a wire protocol, and its vocabulary.

use std::fmt::Debug;

use super::{Cause, Duty, GameEvent, OwedLine, Party};
use crate::requirement::{Level, Role, Specification};
use crate::rules::{Game, Move, PerSeat, Roll, Seat, Setup};

/// One line of the handshake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Greeting {
    /// Content of the line.
    pub slot: Slot,
    /// Id of the requirement it rests on.
    pub requirement: &'static str,
    /// Description of the expected line while its text is unknown.
    pub syntax: &'static str,
}

/// Content of a line of the handshake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Slot {
    /// The name of the player of that seat.
    Name(Seat),
    /// The receiver's seat.
    OwnSeat,
    /// A part of the random setup; the dialect numbers the parts.
    Setup(u8),
}

/// Meaning of a line from the referee, by its form alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RefereeLine {
    /// A roll.
    Roll(Roll),
    /// A move.
    Move(Move),
    /// A player has lost.
    Loss,
    /// Nothing that the dialect knows.
    Other,
}

/// Meaning of a line from a player on turn, by its form alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PlayerLine {
    /// A move; whether it is legal is for the rules.
    Move(Move),
    /// No move, and that loses the game: id of the requirement it breaks.
    Invalid(&'static str),
    /// No move, and that is ignored: id of the requirement that says so.
    Ignored(&'static str),
    /// The specification leaves open what it is.
    Open(Open),
}

impl PlayerLine {
    /// The move that the line is, or may be.
    #[must_use]
    pub fn possible_move(self) -> Option<Move> {
        match self {
            PlayerLine::Move(mv) => Some(mv),
            PlayerLine::Open(open) => open.mv,
            PlayerLine::Invalid(_) | PlayerLine::Ignored(_) => None,
        }
    }
}

/// Interpretations of a line that the specification leaves open; at least two of them are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Open {
    /// The move that it may be; one that the rules refuse then loses.
    pub mv: Option<Move>,
    /// True if the line may count as no move and lose the game.
    pub may_lose: bool,
    /// True if the line may count as no move and be ignored.
    pub may_be_ignored: bool,
    /// Id of the entry that leaves it open.
    pub requirement: &'static str,
}

/// Requirements on the close of the lanes after the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Closing {
    /// Requirement that is broken if no lane closes: the game seems to go on.
    pub none: &'static str,
    /// Requirement that is broken if only some lanes close.
    pub some: &'static str,
}

/// Effect of a line that a player sends while it is not on turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OffTurn {
    /// It is ignored: id of the requirement that says so.
    Ignored(&'static str),
    /// The specification leaves open whether it is ignored, kept for the player's turn, or loses: id of the entry that says so.
    Open(&'static str),
}

/// The data of a wire protocol. What a protocol does not have is left as [`DialectData::new`] has it.
#[derive(Debug)]
pub struct DialectData {
    /// Name, in golden transcripts and on the command line.
    pub name: &'static str,
    /// The game that is played over it.
    pub game: &'static dyn Game,
    /// The catalogue of its requirements, if it has one.
    pub specification: Option<&'static Specification>,
    /// The lines of a player's handshake, in order.
    pub greeting: &'static [Greeting],
    /// Number of its first lines that spectators receive as well.
    pub greets_spectators: usize,
    /// True if games can have spectators.
    pub has_spectators: bool,
    /// The lines by which the handshake tells the players their seats, without newline.
    pub seat_lines: [&'static str; 2],
    /// The line that reports a loss, without newline, if one does.
    pub loss_line: Option<&'static [u8]>,
    /// The requirements on which the lines about events of the game rest.
    pub lines: LineRequirements,
    /// Id of the requirement that a bot breaks by a line that is no move, or not written as one.
    pub bot_format: &'static str,
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
            specification: Some(specification),
            greeting: &[],
            greets_spectators: 0,
            has_spectators: true,
            seat_lines: ["first", "second"],
            loss_line: None,
            lines: LineRequirements::NOTHING,
            bot_format: "",
            odd_lines: &[],
            example: &[],
        }
    }
}

/// Ids of the requirements on which the lines about events of a game rest. Of three, the first is for the player of the event, the next for
/// the opponent, the last for spectators; who has none is told nothing.
#[derive(Debug)]
pub struct LineRequirements {
    /// A roll, and one that skips the turn.
    pub rolls: [&'static str; 2],
    /// A move.
    pub moves: [Option<&'static str>; 3],
    /// The move that ends the game, if it has a requirement of its own.
    pub last_move: Option<&'static str>,
    /// A loss before the end. That its player is told is left open.
    pub losses: [Option<&'static str>; 3],
    /// A loss by timeout, to the others.
    pub timeout: &'static str,
    /// A loss by a disconnect, to the others.
    pub hang_up: &'static str,
}

impl LineRequirements {
    /// Nothing is told.
    pub const NOTHING: LineRequirements = LineRequirements {
        rolls: [""; 2],
        moves: [None; 3],
        last_move: None,
        losses: [None; 3],
        timeout: "",
        hang_up: "",
    };
}

/// A wire protocol: what each lane must receive, and what its lines mean. Pure; works on single lines.
///
/// A dialect reports a loss by a line if [`LineRequirements::losses`] has a requirement for the line.
pub trait Dialect: Sync {
    /// The data.
    fn data(&self) -> &'static DialectData;

    /// Checks a line of the handshake that tells a part of the random setup: its form, and that it is the `known` line of this part.
    ///
    /// # Errors
    /// Id of the requirement that the line breaks.
    ///
    /// # Panics
    /// Panics in a dialect whose handshake has no such line.
    fn check_setup(
        &self,
        part: u8,
        _line: &[u8],
        _known: Option<&[u8]>,
    ) -> Result<(), &'static str> {
        unreachable!("the handshake has no part {part} of a setup")
    }

    /// The random setup by the lines of its parts, once they tell it.
    fn setup_of(&self, _lines: [Option<&[u8]>; 2]) -> Option<Setup> {
        None
    }

    /// Writes a line of the handshake that tells a part of the random setup.
    ///
    /// # Panics
    /// Panics in a dialect whose handshake has no such line.
    fn setup_line(&self, part: u8, _setup: Setup) -> Vec<u8> {
        unreachable!("the handshake has no part {part} of a setup")
    }

    /// The lines that this party receives for an event.
    fn tell(&self, event: &GameEvent, to: Party) -> Vec<OwedLine> {
        let (data, ids) = (self.data(), &self.data().lines);
        let whose = match to {
            Party::Player(seat) if seat == event.by() => 0,
            Party::Player(_) => 1,
            Party::Spectator => 2,
        };
        let owed = match *event {
            GameEvent::Rolled { roll, skipped, .. } => {
                let requirement = ids.rolls[usize::from(skipped)];
                Some(OwedLine::must(data.game.format_roll(roll), requirement))
            }
            GameEvent::Moved { mv, result, .. } => ids.moves[whose].map(|requirement| {
                let last = ids.last_move.filter(|_| result.is_some());
                OwedLine::must(self.write_move(mv), last.unwrap_or(requirement))
            }),
            GameEvent::Lost { cause, .. } => ids.losses[whose].map(|requirement| {
                let (duty, requirement) = match cause {
                    _ if whose == 0 => (Duty::May, requirement),
                    Cause::Timeout => (Duty::Must, ids.timeout),
                    Cause::HangUp => (Duty::Must, ids.hang_up),
                    _ => (Duty::Must, requirement),
                };
                let line = OwedLine::must(data.loss_line.unwrap_or_default(), requirement);
                OwedLine { duty, ..line }
            }),
        };
        owed.into_iter().collect()
    }

    /// Returns the meaning of a line from the referee, by its form; cheap, for the hot path.
    fn hear(&self, line: &[u8]) -> RefereeLine {
        match self.read_player_line(line) {
            _ if self.data().loss_line == Some(line) => RefereeLine::Loss,
            PlayerLine::Move(mv) => RefereeLine::Move(mv),
            _ => RefereeLine::Other,
        }
    }

    /// The line by which a player sends a move, without newline.
    fn write_move(&self, mv: Move) -> Vec<u8> {
        self.data().game.format_move(mv).into_bytes()
    }

    /// Returns the meaning of a line from a player, by its form.
    fn read_player_line(&self, line: &[u8]) -> PlayerLine;

    /// Id of the requirement that a line breaks which is there instead of a roll, if it is not [`Role::Roll`].
    fn no_roll_requirement(&self, _line: &[u8]) -> Option<&'static str> {
        None
    }

    /// Id of the requirement that a bot breaks by a line that is no move, or not written as one.
    fn bot_line_requirement(&self, _line: &[u8]) -> &'static str {
        self.data().bot_format
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

    /// The catalogue of its requirements, if it has one.
    #[must_use]
    pub fn specification(&self) -> Option<&'static Specification> {
        self.data().specification
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
        self.specification()
            .map_or(&[], |specification| specification.roles().all(role))
    }

    /// Id of the requirement with a role that not every game has.
    #[must_use]
    pub fn find_id(&self, role: Role) -> Option<&'static str> {
        self.ids(role).first().copied()
    }

    /// Id of the requirement with a role that every catalogue has. Empty for a game without a catalogue.
    #[must_use]
    pub fn id(&self, role: Role) -> &'static str {
        self.find_id(role).unwrap_or_default()
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
                let known = self.known_setup(part, facts);
                self.check_setup(part, line, known.as_deref())?;
                facts.setup_lines[usize::from(part)] = Some(line.to_vec());
                let lines = facts.setup_lines.each_ref().map(|line| line.as_deref());
                facts.setup = self.setup_of(lines).or(facts.setup);
                return Ok(None);
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
            Some(setup) => Some(self.setup_line(part, setup)),
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
        let entry = self
            .specification()
            .and_then(|catalogue| catalogue.find(id));
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

/// Facts from the handshake so far: the names, and the random setup.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// The players' names, as bytes without newline.
    pub names: PerSeat<Option<Vec<u8>>>,
    /// Random setup, once all its parts are known.
    pub setup: Option<Setup>,
    /// The lines of its parts that were told so far.
    pub setup_lines: [Option<Vec<u8>>; 2],
}

impl Facts {
    /// Facts with both names known.
    #[must_use]
    pub fn with_names(first: impl Into<Vec<u8>>, second: impl Into<Vec<u8>>) -> Facts {
        Facts {
            names: PerSeat([Some(first.into()), Some(second.into())]),
            ..Facts::default()
        }
    }

    /// Facts with what chance has fixed before the first turn.
    #[must_use]
    pub fn with_setup(self, setup: Setup) -> Facts {
        Facts {
            setup: Some(setup),
            ..self
        }
    }

    /// Learns a name, or compares it with the one that is known.
    ///
    /// # Errors
    /// The name that is known, where it is another.
    pub fn name(&mut self, seat: Seat, name: &[u8]) -> Result<(), Vec<u8>> {
        match &self.names[seat] {
            Some(known) if known == name => Ok(()),
            Some(known) => Err(known.clone()),
            None => {
                self.names[seat] = Some(name.to_vec());
                Ok(())
            }
        }
    }
}
