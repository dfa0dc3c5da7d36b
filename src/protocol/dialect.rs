//! The trait of a wire protocol, and its vocabulary.

use std::fmt::Debug;

use super::{Facts, Plays};
use crate::requirement::{Level, Role, Specification};
use crate::rules::{Game, GameResult, Move, Roll, Seat, Table};

/// Owner of a lane, once the handshake has shown it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Party {
    /// A player's.
    Player(Seat),
    /// A spectator's: it receives and never sends.
    Spectator,
}

impl Party {
    /// The seat of a player; `None` of a spectator.
    #[must_use]
    pub fn seat(self) -> Option<Seat> {
        match self {
            Party::Player(seat) => Some(seat),
            Party::Spectator => None,
        }
    }
}

/// Reason of a player's loss before the end of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cause {
    /// A move that the rules refuse, or a line that is no move where that loses: id of the requirement it broke.
    Invalid(&'static str),
    /// Silence until the timeout.
    Timeout,
    /// The end of the player's stream while a move of his was due.
    HangUp,
    /// Resignation, which only a notation records.
    Resigned,
    /// Seen only from outside: the lane that would tell is not at hand.
    Unseen,
}

impl Cause {
    /// It in one word, or the id of the broken requirement.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Cause::Invalid(id) => id,
            Cause::Timeout => "timeout",
            Cause::HangUp => "disconnect",
            Cause::Resigned => "resigned",
            Cause::Unseen => "retired",
        }
    }
}

/// An event in a game; each lane receives its own lines for an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameEvent {
    /// The roll of a turn; `skipped`: it left no legal move.
    Rolled {
        /// The player on turn.
        by: Seat,
        /// The roll.
        roll: Roll,
        /// True if no move is possible.
        skipped: bool,
    },
    /// A valid move; `result`: the game is over with it.
    Moved {
        /// The seat that moved.
        by: Seat,
        /// The move.
        mv: Move,
        /// The result, if the move ends the game.
        result: Option<GameResult>,
    },
    /// A player lost before the end; the opponent wins.
    Lost {
        /// The seat that lost.
        by: Seat,
        /// Reason of the loss.
        cause: Cause,
    },
}

impl GameEvent {
    /// Describes the event in a few words.
    #[must_use]
    pub fn describe(&self, game: &dyn Game) -> String {
        let who = game.seat_name(self.by());
        match *self {
            GameEvent::Rolled {
                roll,
                skipped: true,
                ..
            } => format!("{who} rolled {} and could not move", game.format_roll(roll)),
            GameEvent::Rolled { roll, .. } => format!("{who} rolled {}", game.format_roll(roll)),
            GameEvent::Moved { by, mv, result } => {
                let ending = match result {
                    Some(GameResult::Won(winner)) if winner == by => " and won",
                    Some(GameResult::Won(_)) => " and lost",
                    Some(GameResult::Drawn) => " and drew",
                    None => "",
                };
                format!("{who} moved {}{ending}", game.format_move(mv))
            }
            GameEvent::Lost { .. } => format!("{who} has lost"),
        }
    }

    /// Returns the number of turns that were begun: one for each roll, or one for each move in a game without
    /// rolls.
    #[must_use]
    pub fn turns(history: &[GameEvent]) -> usize {
        let rolled = |event: &&GameEvent| matches!(event, GameEvent::Rolled { .. });
        let moved = |event: &&GameEvent| matches!(event, GameEvent::Moved { .. });
        match history.iter().filter(rolled).count() {
            0 => history.iter().filter(moved).count(),
            rolls => rolls,
        }
    }

    /// Walks over this event on the way through a game: takes its roll, or plays its move. Returns false if the move is not legal.
    pub fn play_on(&self, table: &mut dyn Table) -> bool {
        match *self {
            GameEvent::Rolled { roll, .. } => {
                table.take_roll(roll);
                true
            }
            GameEvent::Moved { mv, .. } => table.play(mv).is_ok(),
            GameEvent::Lost { .. } => true,
        }
    }

    /// Returns the player whose turn it was.
    #[must_use]
    pub fn by(&self) -> Seat {
        match *self {
            GameEvent::Rolled { by, .. }
            | GameEvent::Moved { by, .. }
            | GameEvent::Lost { by, .. } => by,
        }
    }
}

/// Obligation to send a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Duty {
    /// The specification demands it.
    Must,
    /// The specification leaves it open: seen, recorded, never punished.
    May,
}

/// A line that a lane is told.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OwedLine {
    /// The bytes, without newline.
    pub line: Vec<u8>,
    /// Id of the requirement it rests on.
    pub requirement: &'static str,
    /// Obligation to send the line.
    pub duty: Duty,
}

impl OwedLine {
    /// A line that the specification demands.
    #[must_use]
    pub fn must(line: impl Into<Vec<u8>>, requirement: &'static str) -> OwedLine {
        OwedLine {
            line: line.into(),
            requirement,
            duty: Duty::Must,
        }
    }
}

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

/// A wire protocol: what each lane must receive, and what its lines mean. Pure; works on single lines.
///
/// A dialect reports a loss by a line if [`Dialect::tell`] appends a line for the loss.
pub trait Dialect: Sync {
    /// Name, in golden transcripts and on the command line.
    fn name(&self) -> &'static str;

    /// The game that is played over it.
    fn game(&self) -> &'static dyn Game;

    /// The catalogue of its requirements, if it has one.
    fn specification(&self) -> Option<&'static Specification> {
        None
    }

    /// Returns true if games can have spectators.
    fn has_spectators(&self) -> bool {
        true
    }

    /// The lines of the handshake, in order.
    fn greeting(&self, is_spectator: bool) -> &'static [Greeting];

    /// The lines by which the handshake tells the players their seats, without newline.
    fn seat_lines(&self) -> [&'static str; 2] {
        self.game().seat_names()
    }

    /// Reads a line of the handshake that tells a part of the random setup: learns from it, or compares it with what other lanes were
    /// told.
    ///
    /// # Errors
    /// Id of the requirement that the line breaks.
    ///
    /// # Panics
    /// Panics in a dialect whose handshake has no such line.
    fn read_setup(&self, part: u8, _line: &[u8], _facts: &mut Facts) -> Result<(), &'static str> {
        unreachable!("the handshake has no part {part} of a setup")
    }

    /// Writes a line of the handshake that tells a part of the random setup; `None` where the facts do not say what it tells.
    ///
    /// # Panics
    /// Panics in a dialect whose handshake has no such line.
    fn write_setup(&self, part: u8, _facts: &Facts) -> Option<Vec<u8>> {
        unreachable!("the handshake has no part {part} of a setup")
    }

    /// Appends the lines that this party receives for an event.
    fn tell(&self, happening: &GameEvent, to: Party, out: &mut Vec<OwedLine>);

    /// Returns the meaning of a line from the referee, by its form; cheap, for the hot path.
    fn hear(&self, line: &[u8]) -> RefereeLine;

    /// Reads the lines of a stream below its handshake into `plays`. `mark`: the byte before each line that the participant sent; no
    /// line that is received begins with it. Returns `false` where a line is no roll, move or loss, or lacks its newline.
    ///
    /// Must agree with [`Plays::read`], and is what the hot path calls, only once for a lane.
    fn read_plays(&self, stream: &[u8], mark: Option<u8>, plays: &mut Plays) -> bool {
        plays.read(self, stream, mark)
    }

    /// The line by which a player sends a move, without newline.
    fn write_move(&self, mv: Move) -> Vec<u8> {
        self.game().format_move(mv).into_bytes()
    }

    /// Returns the meaning of a line from a player, by its form.
    fn read_player_line(&self, line: &[u8]) -> PlayerLine;

    /// Id of the requirement that a line breaks which is there instead of a roll, if it is not [`Role::Roll`].
    fn no_roll_requirement(&self, _line: &[u8]) -> Option<&'static str> {
        None
    }

    /// Id of the requirement that a bot breaks by a line that is no move, or not written as one.
    fn bot_line_requirement(&self, line: &[u8]) -> &'static str;

    /// The meaning of a move by a bot that errs in reading the board: the move, the requirement that it breaks, and what it behaves as if.
    fn misread_move(&self, _mv: Move) -> Option<(Move, &'static str, &'static str)> {
        None
    }

    /// Lines of a player that are almost moves, for hostile games.
    fn odd_lines(&self) -> &'static [&'static [u8]] {
        &[]
    }

    /// The game that the specification shows whole: roll and move of each turn, as scenarios write them.
    fn example(&self) -> &'static [(&'static str, Option<&'static str>)] {
        &[]
    }
}

/// Requirements by their roles in the catalogue of the game.
impl dyn Dialect + '_ {
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
        let is_told = |seat: &Seat| self.seat_lines()[seat.index()].as_bytes() == line;
        let read = match slot {
            Slot::Setup(part) => return self.read_setup(part, line, facts).map(|()| None),
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
            (Slot::Setup(part), _) => self.write_setup(part, facts),
            (Slot::OwnSeat, Party::Player(seat)) => {
                Some(self.seat_lines()[seat.index()].as_bytes().to_vec())
            }
            (Slot::OwnSeat, Party::Spectator) => unreachable!("a spectator has no seat"),
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
}

impl Debug for dyn Dialect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Dialect({})", self.name())
    }
}
