//! Commands and conditions of the built-in peers.

use std::time::Duration;

use super::{BotError, FaultRow, Machine};
use crate::config::{BuiltIn, LateSpectator, Program, RollHook, Subject, Template, Word};
use crate::rules::{Game, PerSeat, Roll, Setup};
use crate::scenario::Side;

/// Arguments of a game's built-in peers: words after the name of the game, separated by blanks, and
/// environment variables. Places such as `{port}` are filled for each game.
#[derive(Debug)]
pub(super) struct Starting {
    pub(super) referee: &'static str,
    pub(super) bot: &'static str,
    pub(super) environment: &'static [(&'static str, &'static str)],
}

/// Conditions of one game for a built-in peer in memory.
#[derive(Debug, Clone)]
pub struct Conditions {
    /// The players' names.
    pub names: PerSeat<Vec<u8>>,
    /// The time for a move.
    pub timeout: Duration,
    /// The least time between two turns.
    pub pace: Duration,
    /// Number of spectators from the start.
    pub spectators: usize,
    /// The rolls that come first.
    pub rolls: Vec<Roll>,
    /// Random setup before the first turn.
    pub setup: Setup,
    /// Decides everything else.
    pub seed: u64,
}

/// The built-in referee and bot of one game, with their faults.
pub struct Peers {
    pub(super) game: &'static dyn Game,
    pub(super) referee_faults: &'static [FaultRow],
    pub(super) bot_faults: &'static [FaultRow],
    pub(super) starting: Starting,
    pub(super) referee: Made,
    pub(super) bot: Made,
}

/// Makes a peer for one game; `None` where there is no such fault.
pub(super) type Made = fn(&Conditions, Option<&str>) -> Option<Machine<'static, Farewell>>;

/// Exit of a peer's program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Farewell {
    /// Its exit status.
    pub status: u8,
    /// Its standard error.
    pub said: String,
    /// True if the peer resets the lanes that it has not closed.
    pub resets: bool,
}

impl Farewell {
    pub(super) fn of_referee(has_died: bool, resets: bool) -> Farewell {
        Farewell {
            status: if has_died { 3 } else { 0 },
            said: String::new(),
            resets,
        }
    }

    pub(super) fn of_bot(played: Result<(), BotError>) -> Farewell {
        match played {
            Ok(()) => Farewell {
                status: 0,
                said: String::new(),
                resets: false,
            },
            Err(error) => Farewell {
                status: 1,
                said: format!("urtext bot: {error}\n"),
                resets: false,
            },
        }
    }
}

impl Peers {
    /// The game that they play.
    #[must_use]
    pub fn game(&self) -> &'static dyn Game {
        self.game
    }

    /// The faults of the referee: the variants of the rules, then those of lines, time and closing.
    #[must_use]
    pub fn referee_faults(&self) -> Vec<FaultRow> {
        let variants = self.game.variants().iter().map(|&row| FaultRow::from(row));
        variants
            .chain(self.referee_faults.iter().copied())
            .collect()
    }

    /// The faults of the bot.
    #[must_use]
    pub fn bot_faults(&self) -> Vec<FaultRow> {
        self.bot_faults.to_vec()
    }

    /// The built-in referee or bot as a machine for one game, with a fault where one is named. A referee's lanes are the players', in
    /// the order of their connections, then the spectators'; a bot has one.
    ///
    /// # Panics
    /// Panics if no fault has that name.
    #[must_use]
    pub fn machine(
        &self,
        side: Side,
        fault: Option<&str>,
        conditions: &Conditions,
    ) -> Machine<'static, Farewell> {
        let make = if side == Side::Referee {
            self.referee
        } else {
            self.bot
        };
        make(conditions, fault).expect("the fault is one of this peer")
    }

    /// The built-in referee or bot, started from this program and reached like any other subject; with a fault where one is named.
    ///
    /// # Panics
    /// Panics if the table of peers names an unknown placeholder, or gives no transport of a peer.
    #[must_use]
    pub fn subject(&self, program: &str, side: Side, fault: Option<&str>) -> Subject {
        let options = if side == Side::Referee {
            self.starting.referee
        } else {
            self.starting.bot
        };
        let program = program.replace('{', "{{");
        let words = [program.as_str(), side.word(), self.game.name()].into_iter();
        let words = words
            .chain(options.split_whitespace())
            .chain(["--seed", "{seed}"]);
        let words: Vec<&str> = words
            .chain(fault.iter().flat_map(|fault| ["--fault", fault]))
            .collect();
        let mut program =
            Program::from(Template::parse(&words).expect("the table has known places only"));
        if side == Side::Referee {
            let variable = |(name, value): &(&str, &str)| {
                (
                    name.to_string(),
                    Some(Word::parse(value, &[]).expect("the table has known places only")),
                )
            };
            program.environment = self.starting.environment.iter().map(variable).collect();
        }
        let takes_rolls = program.takes("rolls");
        let name = fault.map_or_else(|| format!("the built-in {}", side.word()), str::to_owned);
        let mut subject = Subject::started(name, side, self.game, program)
            .expect("the table says how a peer is reached");
        // Whoever comes late waits for the next game, and there is none.
        subject.late_spectator = LateSpectator::Nothing;
        subject.roll_hook = takes_rolls.then_some(RollHook::Arguments);
        subject.built_in = Some(BuiltIn {
            fault: fault.map(str::to_owned),
            seed: None,
        });
        subject
    }
}
