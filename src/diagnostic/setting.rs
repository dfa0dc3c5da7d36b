//! Settings that an advice names, as the program in use calls them.

use std::fmt;
use std::sync::OnceLock;

/// A setting that a finding or a diagnostic advises to change.
///
/// It is displayed under the name that the program gave to [`Setting::call`], such as an option of its command line; in a program that gave
/// none, under the name of the variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// The longest time for an answer.
    AnswerBudget,
    /// Writes golden transcripts.
    Bless,
    /// The commands that the built-in referee starts as its players.
    Bot,
    /// The file with the subjects.
    Config,
    /// The protocol or notation of a file.
    Dialect,
    /// Begins no further game after a failure.
    FailFast,
    /// The time after which no further game begins.
    For,
    /// Plays free games instead of scenarios.
    FreeGames,
    /// The longest time for a whole game.
    GameBudget,
    /// The number of a game in a file with several.
    GameNumber,
    /// The longest time for a handshake.
    HandshakeBudget,
    /// The address to listen on.
    Host,
    /// Number of games that are played at once.
    Jobs,
    /// The lines that a late spectator receives.
    LateSpectator,
    /// Plays everything, also where the plain game before all others fails.
    NoGate,
    /// A parameter of a subject.
    Parameter,
    /// The port to listen on for players.
    Port,
    /// The folder for recordings.
    Record,
    /// The variable of the environment with the forced rolls.
    RollsEnv,
    /// The port to listen on for spectators.
    SpectatorPort,
    /// The longest time for a subject to start.
    StartBudget,
    /// The file with a state of a game.
    State,
    /// The subject under test.
    Subject,
    /// The subject's timeout for a move.
    Timeout,
}

static NAMES: OnceLock<fn(Setting) -> &'static str> = OnceLock::new();

impl Setting {
    /// Calls the settings by these names in this process. The names that were given first stay.
    pub fn call(names: fn(Setting) -> &'static str) {
        NAMES.get_or_init(|| names);
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match NAMES.get() {
            Some(name) => f.write_str(name(*self)),
            None => fmt::Debug::fmt(self, f),
        }
    }
}
