//! The built-in referees and bots, each with its switchable faults; ordinary subjects, reached like any other.

mod bot;
mod drive;
mod lobby;
mod machine;
mod output;
mod referee;
mod roll_list;
mod session;

use std::time::Duration;

pub use bot::{Bot, Policy};
pub use lobby::{Lobby, Participants};
pub use machine::{CHUNK, Desk, Farewell, Machine};
pub use referee::{Conditions, Departure, Referee};
pub use roll_list::parse_rolls;

use crate::config::{BuiltIn, LateSpectator, Program, RollHook, Subject, Template, Word};
use crate::pack::{self, FaultRow, Pack, PeersRow, Protocol};
use crate::protocol::Dialect;
use crate::rules::Game;
use crate::scenario::Side;

/// The peers of every game that has some.
pub fn all() -> impl Iterator<Item = Peers> {
    pack::all().filter_map(Peers::of)
}

/// The peers of the game of that name or alias.
#[must_use]
pub fn find(game: &str) -> Option<Peers> {
    Peers::of(pack::find(game)?)
}

/// The faults of the built-in peer of that side; none where there is no such peer.
#[must_use]
pub fn faults_of(game: &str, side: Side) -> Vec<FaultRow> {
    find(game).map_or(Vec::new(), |peers| peers.faults(side).collect())
}

/// The built-in referee or bot of a game, started from this program and reached like any other subject; with a fault where one is named.
#[must_use]
pub fn subject(game: &str, side: Side, fault: Option<&str>) -> Option<Subject> {
    let program = std::env::current_exe().unwrap_or_else(|_| "urtext".into());
    Some(find(game)?.subject(&program.to_string_lossy(), side, fault))
}

/// The built-in referee and bot of one game, with their faults.
#[derive(Debug, Clone, Copy)]
pub struct Peers {
    /// The protocol that they speak.
    pub dialect: &'static dyn Dialect,
    /// Their data in the pack of the game.
    pub row: &'static PeersRow,
    environment: &'static [(&'static str, &'static str)],
}

impl Peers {
    /// The peers of a pack, if it has some.
    fn of(pack: &'static Pack) -> Option<Peers> {
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

    /// The faults of the referee, the variants of the rules first, or of the bot.
    pub fn faults(&self, side: Side) -> impl Iterator<Item = FaultRow> + use<> {
        let (variants, rows) = match side {
            Side::Referee => (self.game().mistakes().named(), self.row.referee_faults),
            Side::Bot => (&[][..], self.row.bot_faults),
        };
        let has_usual = self.row.has_usual_faults;
        let usual = has_usual.then(|| pack::usual_faults(self.dialect, side));
        let variants = variants.iter().map(|&row| FaultRow::from(row));
        variants
            .chain(rows.iter().copied())
            .chain(usual.into_iter().flatten())
    }

    /// The fault of that name of the referee or the bot.
    #[must_use]
    pub fn fault(&self, side: Side, name: &str) -> Option<FaultRow> {
        self.faults(side).find(|row| row.name == name)
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
        match side {
            Side::Referee => Referee::new(self.dialect, conditions)
                .with_fault(fault)
                .machine(conditions.spectators),
            Side::Bot => {
                let (policy, delay) = (Policy::Random, Duration::ZERO);
                let bot = Bot::new(self.dialect, policy, conditions.seed, delay);
                bot.with_fault(fault).machine()
            }
        }
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
