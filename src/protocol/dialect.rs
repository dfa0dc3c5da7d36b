use std::fmt::Debug;

use super::{Facts, Plays, WholeLines};
use crate::games::Game;
use crate::rules::{Move, Roll, Seat};

/// Whose lane it is, once the handshake has told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Party {
    /// A player's.
    Player(Seat),
    /// A spectator's: it receives and never sends.
    Spectator,
}

/// Why a player has lost before the end of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cause {
    /// A move that the rules refuse, or a line that is no move where that loses: id of the requirement it broke.
    Invalid(&'static str),
    /// Silence until the timeout.
    Timeout,
    /// The end of the player's stream while a move of his was due.
    HangUp,
    /// Seen only from outside: the lane that would tell is not at hand.
    Unseen,
}

/// Something that happened in a game; each lane is told of it in its own way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Happening {
    /// The roll of a turn; `skipped`: it left no legal move.
    Rolled {
        /// Whose turn.
        by: Seat,
        /// What was rolled.
        roll: Roll,
        /// Whether nothing can move.
        skipped: bool,
    },
    /// A valid move; `wins`: the game is over with it.
    Moved {
        /// Who moved.
        by: Seat,
        /// The move.
        mv: Move,
        /// Whether the move wins the game.
        wins: bool,
    },
    /// A player lost before the end; the opponent wins.
    Lost {
        /// Who lost.
        by: Seat,
        /// Why.
        cause: Cause,
    },
}

impl Happening {
    /// Whose turn it happened in.
    #[must_use]
    pub fn by(&self) -> Seat {
        match *self {
            Happening::Rolled { by, .. } | Happening::Moved { by, .. } | Happening::Lost { by, .. } => by,
        }
    }
}

/// Whether a line has to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Duty {
    /// The specification demands it.
    Must,
    /// The specification leaves it open: seen, recorded, never punished.
    May,
}

/// A line that a lane is told.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Told {
    /// The bytes, without newline.
    pub line: Vec<u8>,
    /// Id of the requirement it rests on.
    pub requirement: &'static str,
    /// Whether it has to come.
    pub duty: Duty,
}

/// One line of the handshake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Greeting {
    /// What the line tells.
    pub slot: Slot,
    /// Id of the requirement it rests on.
    pub requirement: &'static str,
    /// What is due there as long as it is not known, in words.
    pub syntax: &'static str,
}

/// What a line of the handshake tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Slot {
    /// The name of the player of that seat.
    Name(Seat),
    /// Which seat the receiver has.
    OwnSeat,
    /// What chance has fixed before the first turn; the dialect tells the parts apart by the number.
    Setup(u8),
}

/// What a line from the referee means, by its form alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Heard {
    /// A roll.
    Roll(Roll),
    /// A move.
    Move(Move),
    /// A player has lost.
    Loss,
    /// Nothing that the dialect knows.
    Other,
}

/// What a line from a player on turn means, by its form alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Said {
    /// A move; whether it is legal is for the rules.
    Move(Move),
    /// No move, and that loses the game: id of the requirement it breaks.
    Invalid(&'static str),
    /// No move, and that is ignored: id of the requirement that says so.
    Ignored(&'static str),
    /// The specification leaves open what it is.
    Open(Open),
}

impl Said {
    /// The move that the line is, or may be.
    #[must_use]
    pub fn possible_move(self) -> Option<Move> {
        match self {
            Said::Move(mv) => Some(mv),
            Said::Open(open) => open.mv,
            Said::Invalid(_) | Said::Ignored(_) => None,
        }
    }
}

/// How a line may be taken where the specification leaves that open; at least two readings are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Open {
    /// The move that it may be; one that the rules refuse then loses.
    pub mv: Option<Move>,
    /// Whether it may be no move and lose.
    pub may_lose: bool,
    /// Whether it may be no move and be ignored.
    pub may_be_ignored: bool,
    /// Id of the entry that leaves it open.
    pub requirement: &'static str,
}

/// By which requirements every lane ends with the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Closing {
    /// What is broken where no lane ends: the game goes on, as it seems.
    pub none: &'static str,
    /// What is broken where some lanes end and others do not.
    pub some: &'static str,
}

/// What becomes of a line that a player sends while it is not on turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OffTurn {
    /// It is ignored: id of the requirement that says so.
    Ignored(&'static str),
    /// The specification leaves open whether it is ignored, kept for the player's turn, or loses: id of the entry that says so.
    Open(&'static str),
}

/// A wire protocol: what each lane must receive, and what its lines mean. Pure; works on single lines.
///
/// Whether a loss is told by a line shows in what [`Dialect::tell`] says of it.
pub trait Dialect: Sync {
    /// Name, in golden transcripts and on the command line.
    fn name(&self) -> &'static str;

    /// The game that is played over it.
    fn game(&self) -> &'static dyn Game;

    /// Whether there can be spectators.
    fn has_spectators(&self) -> bool {
        true
    }

    /// The lines of the handshake, in order.
    fn greeting(&self, is_spectator: bool) -> &'static [Greeting];

    /// Id of the requirement by which the handshake has no further line.
    fn greeting_ends(&self, is_spectator: bool) -> &'static str;

    /// Reads a line of the handshake: learns from it, or compares it with what other lanes were told. For
    /// [`Slot::OwnSeat`] the seat that it tells is returned.
    ///
    /// # Errors
    /// Id of the requirement that the line breaks.
    fn read_greeting(&self, slot: Slot, line: &[u8], facts: &mut Facts)
    -> Result<Option<Seat>, &'static str>;

    /// Writes a line of the handshake for this party; `None` where the facts do not say what it tells.
    ///
    /// # Panics
    /// Where a spectator is to be told its own seat.
    fn write_greeting(&self, slot: Slot, to: Party, facts: &Facts) -> Option<Vec<u8>>;

    /// What a party is told of a happening: lines appended to `out`.
    fn tell(&self, happening: &Happening, to: Party, out: &mut Vec<Told>);

    /// What a line from the referee means by its form; cheap, for the hot path.
    fn hear(&self, line: &[u8]) -> Heard;

    /// Reads the lines of a stream below its handshake into `plays`. `mark`: the byte before each line that the participant sent.
    /// Returns `false` where a line is no roll, move or loss, or lacks its newline.
    ///
    /// Stands in the trait so that `hear` is called directly, and only this once for a game through `dyn Dialect`.
    fn read_plays(&self, stream: &[u8], mark: Option<u8>, plays: &mut Plays) -> bool {
        let mut lines = WholeLines { rest: stream };
        for line in lines.by_ref() {
            let is_read = match line.split_first() {
                Some((&first, sent)) if Some(first) == mark => plays.send(self, sent),
                _ => plays.receive(self, line),
            };
            if !is_read {
                return false;
            }
        }
        lines.rest.is_empty()
    }

    /// The line by which a player sends a move, without newline.
    fn write_move(&self, mv: Move) -> Vec<u8>;

    /// What a line from a player means by its form.
    fn read_said(&self, line: &[u8]) -> Said;

    /// What becomes of a line that a player sends while it is not on turn.
    fn off_turn(&self) -> OffTurn;

    /// What becomes of a second line that a player sends in one turn.
    fn second_line(&self) -> OffTurn {
        self.off_turn()
    }

    /// Id of the entry that leaves open whether the beginning of a line counts whose newline never comes, because the player hangs up.
    fn unfinished_line(&self) -> Option<&'static str> {
        None
    }

    /// Id of the entry that leaves open whether the pace is kept after a skipped turn as well.
    fn pace_after_skip(&self) -> Option<&'static str> {
        None
    }

    /// Id of the entry that leaves open when a player who has gone away off turn is told to have lost.
    fn gone_off_turn(&self) -> &'static str;

    /// Id of the entry about spectators that join late; without spectators, about clients that are no players.
    fn late_spectator(&self) -> &'static str;

    /// Id of the requirement by which turns do not follow each other faster than the pace, where the dialect has one.
    fn pace_requirement(&self) -> Option<&'static str>;

    /// Id of the requirement by which lines end with a newline.
    fn newline_requirement(&self) -> &'static str;

    /// Id of the requirement for the line that shows a roll, first and on further lanes; without rolls, the one by which no
    /// such line comes.
    fn roll_requirements(&self) -> [&'static str; 2];

    /// Id of the requirement that a line breaks which stands where a roll is due, and shows none.
    fn no_roll_requirement(&self, _line: &[u8]) -> &'static str {
        self.roll_requirements()[0]
    }

    /// Id of the requirement that says what the referee takes where nobody sets the pace.
    fn default_pace_requirement(&self) -> Option<&'static str> {
        None
    }

    /// Id of the requirement by which the referee waits for the move of a player who can move.
    fn move_awaited_requirement(&self) -> &'static str;

    /// Id of the requirement that says whose the first turn is.
    fn first_turn_requirement(&self) -> &'static str;

    /// Id of the requirement by which the roll of a skipped turn is shown, where the dialect has rolls.
    fn skip_shown_requirement(&self) -> Option<&'static str>;

    /// Id of the requirement by which an extra turn in which nothing can move goes to the other player, where there are such turns.
    fn skipped_extra_turn_requirement(&self) -> Option<&'static str> {
        None
    }

    /// Id of the requirement by which the mover does not receive his own move, where the dialect has it so.
    fn no_echo_requirement(&self) -> Option<&'static str>;

    /// Ids of the requirements on the time for a move.
    fn clock_requirements(&self) -> &'static ClockRequirements;

    /// Id of the requirement by which nothing comes after the end of the game, which a player has lost or won.
    fn nothing_after_requirement(&self, is_lost: bool) -> &'static str;

    /// Id of the requirement by which a player who plays again gets a roll of his own for it, where the dialect has it so.
    fn new_roll_requirement(&self) -> Option<&'static str>;

    /// Id of the requirement by which the referee sends no other lines than those that are described.
    fn nothing_else_requirement(&self) -> &'static str;

    /// Id of the requirement by which a line that loses is not passed on.
    fn not_passed_on_requirement(&self) -> &'static str;

    /// Id of the entry that leaves open whether the referee's lines end with a carriage return as well.
    fn carriage_return_requirement(&self) -> &'static str;

    /// Id of the requirement by which a move is written as it is, where the dialect says that apart from who is told it.
    fn move_format_requirement(&self) -> Option<&'static str> {
        None
    }

    /// By which requirements the referee ends every lane when the game has ended so, in a dialect where it has to.
    ///
    /// Where a loss is told by no line, the end of the lanes is all that shows it: what it was for can only be inferred.
    fn closes_after(&self, _ending: &Happening) -> Option<Closing> {
        None
    }

    /// Id of the requirement that leaves open, or states, how lanes are closed after the end of the game.
    fn close_requirement(&self) -> &'static str;

    /// Ids of the requirements that parts of a game put to the test, beside those that other methods name by their role.
    fn exercises(&self) -> &'static Exercises {
        &Exercises::NONE
    }

    /// Ids of the requirements on a bot.
    fn bot_requirements(&self) -> &'static BotRequirements;

    /// What a bot that errs in reading the board may have meant by a move: the move, the requirement that it breaks, and what it
    /// behaves as if.
    fn misread_move(&self, _mv: Move) -> Option<(Move, &'static str, &'static str)> {
        None
    }

    /// Id of the requirement that a bot breaks by a line that is no move, or not written as one.
    fn bot_line_requirement(&self, line: &[u8]) -> &'static str;
}

/// Ids of the requirements that parts of a game put to the test, beside those that have a role of their own in [`Dialect`].
#[derive(Debug)]
pub struct Exercises {
    /// The handshake of a referee.
    pub handshake: &'static [&'static str],
    /// A roll line of a referee.
    pub roll: &'static [&'static str],
    /// A valid move that a referee takes.
    pub mv: &'static [&'static str],
    /// A move of the bot under test.
    pub bot_move: &'static [&'static str],
    /// A loss, told to the opponent.
    pub loss: &'static [&'static str],
    /// A loss, told to spectators.
    pub loss_to_spectators: &'static [&'static str],
    /// A loss by a hang-up on turn.
    pub hang_up: &'static [&'static str],
    /// A line that comes in several pieces.
    pub in_pieces: &'static [&'static str],
    /// A name that is more than ASCII letters and digits, told to a bot.
    pub odd_name: &'static [&'static str],
    /// The example game of the specification.
    pub example: Option<ExampleGame>,
}

/// A game that the specification shows whole.
#[derive(Debug)]
pub struct ExampleGame {
    /// Id of the requirement by which its lanes are as they are shown.
    pub requirement: &'static str,
    /// Roll and move of each turn, as scenarios write them.
    pub turns: &'static [(&'static str, Option<&'static str>)],
}

impl Exercises {
    /// Nothing beside what has a role.
    pub const NONE: Exercises = Exercises {
        handshake: &[],
        roll: &[],
        mv: &[],
        bot_move: &[],
        loss: &[],
        loss_to_spectators: &[],
        hang_up: &[],
        in_pieces: &[],
        odd_name: &[],
        example: None,
    };
}

/// Ids of the requirements on the time for a move, by what can go wrong.
#[derive(Debug)]
pub struct ClockRequirements {
    /// The timeout that the referee takes where nobody sets it, where the specification says one.
    pub by_default: Option<&'static str>,
    /// Nobody loses by silence before the timeout is over.
    pub not_early: &'static str,
    /// A silent player loses soon after the timeout is over.
    pub not_late: &'static str,
    /// Only the player's own turn uses up its time.
    pub own_turn: &'static str,
    /// Nothing that happens during a turn gives its player new time.
    pub no_new_time: &'static str,
    /// Nor does a line that is ignored, in a dialect where some are.
    pub ignored_lines: Option<&'static str>,
    /// The entry that leaves open whether the time of a player's earlier turns counts, where it is open.
    pub one_sum: Option<&'static str>,
}

/// Ids of the requirements on a bot, by what can go wrong.
#[derive(Debug)]
pub struct BotRequirements {
    /// It answers every turn in which it can move, by one line.
    pub one_line: &'static str,
    /// What it sends is legal.
    pub legal: &'static str,
    /// It is silent where its turn is skipped; without rolls, as while it is not its turn.
    pub silent_when_skipped: &'static str,
    /// It is silent while it is not its turn; where such lines are ignored, the entry that allows them.
    pub silent_off_turn: &'static str,
    /// The entry that lets it send lines on its turn that are ignored, in a dialect where some are.
    pub ignored_lines: Option<&'static str>,
    /// Its lines end with a newline.
    pub newline: &'static str,
    /// It answers within the timeout.
    pub within_timeout: &'static str,
    /// It takes the seat that it is given.
    pub own_seat: &'static str,
    /// It ends when the game is won.
    pub ends_after_game: &'static str,
    /// It ends when a player has lost before.
    pub ends_after_loss: &'static str,
    /// It ends when its input is closed.
    pub ends_on_closed_input: &'static str,
    /// It takes its own move that comes back for a confirmation, in a dialect where it does.
    pub confirmation: Option<&'static str>,
    /// Whether its exit status means anything, which is open.
    pub exit_status: &'static str,
}

impl Debug for dyn Dialect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Dialect({})", self.name())
    }
}
