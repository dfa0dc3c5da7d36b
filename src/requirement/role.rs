//! Roles: how protocol, judge and reports find the requirement that they need, whatever game it is.

use std::sync::LazyLock;
use std::{array, fmt};

use serde_json::{Value as Json, json};

use super::Catalogue;
use crate::diagnostic::Faults;
use crate::yaml::{Kind, Node};

/// A role with `: One` is that of exactly one requirement of every game.
macro_rules! roles {
    ($($(#[doc = $doc:literal])+ $name:ident $(: $one:ident)?,)+) => {
        /// The part that a requirement plays in every game that has one like it. A catalogue gives it as `role: [newline]`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Role {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Role {
            /// Every role, and true if exactly one requirement of each game has it.
            const ALL: &[(Role, bool)] = &[$((Role::$name, !stringify!($($one)?).is_empty()),)+];
        }
    };
}

roles! {
    /// A player's handshake has no further line.
    GreetingEnds: One,
    /// A spectator's handshake has no further line.
    SpectatorGreetingEnds,
    /// Lines end with a newline.
    Newline: One,
    /// Lines may end with a carriage return as well.
    CarriageReturn: One,
    /// The referee sends no other lines than those that are described.
    NothingElse: One,
    /// The first line that shows a roll; without rolls: no such line comes.
    Roll: One,
    /// The line that shows the same roll to further participants; without rolls: no such line comes.
    SameRoll: One,
    /// The first turn is the right player's.
    FirstTurn: One,
    /// The referee waits for the move of a player who can move.
    MoveAwaited: One,
    /// A legal move is accepted, if the specification has a sentence for that beside the one about who receives the move.
    MoveAccepted,
    /// A move is written in its form, if the specification says so apart from who receives it.
    MoveFormat,
    /// The mover does not receive the own move.
    NoEcho,
    /// The mover receives a move; without such a requirement it does not.
    MoveToMover,
    /// The opponent of the mover receives a move; without such a requirement it does not.
    MoveToOpponent,
    /// Spectators receive a move; without such a requirement they do not.
    MoveToSpectators,
    /// The move that ends the game is sent, if that has a requirement of its own.
    LastMove,
    /// It is open whether the player who has lost before the end receives the loss; without such a requirement it does not.
    LossToLoser,
    /// The opponent receives a loss before the end; without such a requirement it does not.
    LossToOpponent,
    /// Spectators receive a loss before the end; without such a requirement they do not.
    LossToSpectators,
    /// The others receive a loss by timeout, if that has a requirement of its own.
    LossByTimeout,
    /// The others receive a loss by a disconnect, if that has a requirement of its own.
    LossByHangUp,
    /// The roll of a skipped turn is shown.
    SkipShown,
    /// An extra turn in which nothing can move goes to the other player.
    SkippedExtraTurn,
    /// An extra turn has a roll of its own.
    NewRoll,
    /// Turns do not follow each other faster than the pace.
    Pace,
    /// The pace that the referee keeps by default.
    DefaultPace,
    /// It is open whether the pace is kept after a skipped turn.
    PaceAfterSkip,
    /// A line of a player off turn: ignored, or, at the level `unspecified`, left open.
    OffTurnLine: One,
    /// A second line in one turn, if it is not as a line off turn: ignored, or, at the level `unspecified`, left open.
    SecondLine,
    /// It is open whether a line counts whose newline never comes because the player disconnects.
    UnfinishedLine,
    /// It is open when a player who disconnected off turn loses.
    GoneOffTurn: One,
    /// Spectators that join late; without spectators: clients that are no players.
    LateSpectator: One,
    /// A line that loses is not passed on.
    NotPassedOn: One,
    /// The timeout that the referee takes by default.
    DefaultTimeout,
    /// Nobody loses by silence before the timeout.
    TimeoutNotEarly: One,
    /// A silent player loses soon after the timeout.
    TimeoutNotLate: One,
    /// Only the player's own turn uses up its time.
    OwnTurnTimed: One,
    /// No event in a turn gives its player new time.
    NoNewTime: One,
    /// Nor does an ignored line.
    NoNewTimeByIgnoredLine,
    /// It is open whether the time of a player's earlier turns counts.
    TimeInSum,
    /// Nothing comes after a move that ends the game.
    NothingAfterEnd: One,
    /// Nothing comes after a loss.
    NothingAfterLoss: One,
    /// Close of the lanes after the game: stated, or left open.
    Close: One,
    /// A move that ends the game closes the players' lanes.
    EndCloses,
    /// A loss by timeout or disconnect shows only in the close.
    TimeoutShownByClose,
    /// A loss by timeout or disconnect closes the lanes of both players.
    TimeoutClosesBoth,
    /// A loss by an invalid move shows only in the close.
    InvalidShownByClose,
    /// A loss by an invalid move closes the lanes of both players.
    InvalidClosesBoth,
    /// A bot answers every turn in which it can move, by one line.
    BotAnswers: One,
    /// A bot's moves are legal.
    BotLegal: One,
    /// A bot is silent if its turn is skipped; without rolls: as off turn.
    BotSilentWhenSkipped: One,
    /// A bot is silent off turn; where such lines are ignored: it may send them.
    BotSilentOffTurn: One,
    /// A bot may send lines on turn that are ignored.
    BotIgnoredLines,
    /// A bot writes its lines as moves.
    BotFormat,
    /// A bot's lines end with a newline.
    BotNewline: One,
    /// A bot answers within the timeout.
    BotWithinTimeout: One,
    /// A bot takes the seat that it is given.
    BotOwnSeat: One,
    /// A bot ends when the game is won.
    BotEndsAfterGame: One,
    /// A bot ends when a player has lost before the end of the game.
    BotEndsAfterLoss: One,
    /// A bot ends when its input is closed.
    BotEndsOnClosedInput: One,
    /// A bot accepts its own move back as a confirmation.
    BotConfirmation,
    /// It is open whether a bot's exit status means anything.
    BotExitStatus: One,
    /// Put to the test by a referee's handshake.
    ShownByGreeting,
    /// Put to the test by a roll line.
    ShownByRoll,
    /// Put to the test by a valid move that a referee accepts.
    ShownByMove,
    /// Put to the test by a move of a bot.
    ShownByBotMove,
    /// Put to the test by a loss that the opponent is told.
    ShownByLoss,
    /// Put to the test by a loss that spectators are told.
    ShownByLossToSpectators,
    /// Only the lanes of spectators show it.
    SeenBySpectators,
    /// Put to the test by a disconnect on turn.
    ShownByHangUp,
    /// Put to the test by a line that comes in several pieces.
    ShownByPieces,
    /// Put to the test by a name of more than ASCII letters and digits, sent to a bot.
    ShownByOddName,
    /// The lanes of the specification's example game are as it shows them.
    ExampleGame,
}

/// The word for each role: its name in small letters, its words joined by `-`.
static WORDS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let word = |(role, _): &(Role, bool)| {
        let mut word = String::new();
        for letter in format!("{role:?}").chars() {
            if letter.is_uppercase() && !word.is_empty() {
                word.push('-');
            }
            word.push(letter.to_ascii_lowercase());
        }
        word
    };
    Role::ALL.iter().map(word).collect()
});

fn words() -> Vec<&'static str> {
    WORDS.iter().map(String::as_str).collect()
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&WORDS[*self as usize])
    }
}

impl Kind for Role {
    fn read(node: &Node, faults: &Faults) -> Option<Role> {
        let word = node.as_one_of(&words(), faults)?;
        let mut roles = WORDS.iter().zip(Role::ALL);
        roles
            .find(|(known, _)| *known == word)
            .map(|(_, (role, _))| *role)
    }

    fn shape() -> Json {
        json!({"enum": words()})
    }
}

/// The requirements of one catalogue by their roles.
#[derive(Debug)]
pub struct Roles([Vec<&'static str>; Role::ALL.len()]);

impl Roles {
    /// Reads the roles out of a catalogue.
    ///
    /// # Errors
    /// The first role of exactly one requirement that too many or too few requirements have.
    pub(super) fn of(catalogue: &'static Catalogue) -> Result<Roles, String> {
        let mut roles = Roles(array::from_fn(|_| Vec::new()));
        for entry in &catalogue.requirements {
            let its = entry.role.iter();
            its.for_each(|role| roles.0[*role as usize].push(&entry.id));
        }
        let is_due = |(_, is_one): &&(Role, bool)| *is_one && catalogue.judged.is_none();
        for (role, _) in Role::ALL.iter().filter(is_due) {
            let ids = roles.all(*role);
            if ids.len() != 1 {
                let protocol = &catalogue.protocol;
                return Err(format!(
                    "{protocol}: exactly one requirement has the role `{role}`, not {ids:?}"
                ));
            }
        }
        Ok(roles)
    }

    /// Ids of the requirements with a role, in the order of the catalogue.
    #[must_use]
    pub fn all(&self, role: Role) -> &[&'static str] {
        &self.0[role as usize]
    }
}
