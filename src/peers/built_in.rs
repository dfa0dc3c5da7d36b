//! Commands and conditions of the built-in peers.

use std::time::Duration;

use super::{Bot, BotError, Conditions, LobbyClose, Machine, Policy, Referee};
use crate::config::{BuiltIn, LateSpectator, Program, RollHook, Subject, Template, Word};
use crate::pack::FaultRow;
use crate::pack::{Pack, PeersRow, Protocol};
use crate::protocol::{Dialect, Slot};
use crate::rules::Game;
use crate::scenario::Side;

/// The built-in referee and bot of one game, with their faults.
#[derive(Debug, Clone, Copy)]
pub struct Peers {
    /// The protocol that they speak.
    pub dialect: &'static dyn Dialect,
    /// Their data in the pack of the game.
    pub row: &'static PeersRow,
    environment: &'static [(&'static str, &'static str)],
}

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
    /// The peers of a pack, if it has some.
    pub(super) fn of(pack: &'static Pack) -> Option<Peers> {
        Some(Peers {
            dialect: *pack.dialects.first()?,
            row: pack.peers.as_ref()?,
            environment: pack.environment,
        })
    }

    /// The game that they play.
    #[must_use]
    pub fn game(&self) -> &'static dyn Game {
        self.dialect.game()
    }

    /// Returns true if the greeting tells the players' names.
    #[must_use]
    pub fn has_names(&self) -> bool {
        let greeting = self.dialect.greeting(false);
        greeting
            .iter()
            .any(|line| matches!(line.slot, Slot::Name(_)))
    }

    /// Returns true if turns begin with a roll.
    #[must_use]
    pub fn has_rolls(&self) -> bool {
        !self.game().kinds_of_roll().is_empty()
    }

    /// The environment variable by which the referee takes this value, such as `{rolls}`, if there is one.
    #[must_use]
    pub fn variable(&self, value: &str) -> Option<&'static str> {
        let mut environment = self.environment.iter();
        let (name, _) = environment.find(|(_, template)| *template == value)?;
        Some(name)
    }

    /// The faults of the referee: the variants of the rules, then those of lines, time and closing.
    #[must_use]
    pub fn referee_faults(&self) -> Vec<FaultRow> {
        let variants = self
            .game()
            .mistakes()
            .named()
            .iter()
            .map(|&row| FaultRow::from(row));
        variants
            .chain(self.row.referee_faults.iter().copied())
            .collect()
    }

    /// The faults of the bot.
    #[must_use]
    pub fn bot_faults(&self) -> Vec<FaultRow> {
        self.row.bot_faults.to_vec()
    }

    /// The fault of that name of the referee or the bot.
    #[must_use]
    pub fn fault(&self, side: Side, name: &str) -> Option<FaultRow> {
        let (table, variants) = match side {
            Side::Referee => (self.row.referee_faults, self.game().mistakes().named()),
            Side::Bot => (self.row.bot_faults, &[][..]),
        };
        let variant = || variants.iter().find(|row| row.name == name);
        let row = table.iter().find(|row| row.name == name).copied();
        row.or_else(|| variant().map(|&row| row.into()))
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
        let fault = fault.map(|name| {
            self.fault(side, name)
                .expect("the fault is one of this peer")
        });
        if side == Side::Bot {
            let (seed, delay) = (conditions.seed, Duration::ZERO);
            let bot = Bot::new(self.dialect, Policy::Random, seed, delay);
            let mut bot = bot.with_fault(fault);
            return Machine::new(1, async move |desk| {
                Farewell::of_bot(bot.play_at(desk).await)
            });
        }
        let mut referee = Referee::new(self.dialect, conditions).with_fault(fault);
        let spectators = conditions.spectators;
        Machine::new(2 + spectators, async move |desk| {
            let has_died = referee.play(desk, spectators).await.is_none();
            Farewell::of_referee(has_died, referee.closing() == LobbyClose::Reset)
        })
    }

    /// The built-in referee or bot, started from this program and reached like any other subject; with a fault where one is named.
    ///
    /// # Panics
    /// Panics if the table of peers names an unknown placeholder, or gives no transport of a peer.
    #[must_use]
    pub fn subject(&self, program: &str, side: Side, fault: Option<&str>) -> Subject {
        let options = if side == Side::Referee {
            self.row.referee_arguments
        } else {
            self.row.bot_arguments
        };
        let program = program.replace('{', "{{");
        let words = [program.as_str(), side.word(), self.game().name()].into_iter();
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
            program.environment = self.environment.iter().map(variable).collect();
        }
        let takes_rolls = program.takes("rolls");
        let name = fault.map_or_else(|| format!("the built-in {}", side.word()), str::to_owned);
        let mut subject = Subject::started(name, side, Protocol::Game(self.dialect), program)
            .expect("the table says how a peer is reached");
        // Whoever comes late waits for the next game, and there is none.
        subject.late_spectator = LateSpectator::Nothing;
        subject.roll_hook = takes_rolls.then_some(RollHook::Arguments);
        subject.built_in = Some(BuiltIn {
            fault: fault.map(str::to_owned),
        });
        subject
    }
}
