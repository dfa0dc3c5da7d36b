//! Configuration of a subject, its start and its endpoints: from the command line, or from `urtext.yaml`.

mod coco;
pub mod file;
mod missing_capability;
mod pattern;
mod program;
mod reach;
mod template;

pub use coco::{Arena, CocoUrl, SCHEME, address, match_url};
pub use file::{Digits, RollFormat, RollHook, Text};
pub use pattern::{Captures, HOLES, UrlPattern};
pub use program::{Bytes, Folder, Limits, Parameter, ParameterKind, Program, duration, seconds};
pub use reach::{Ability, Address, Description, Entrance, Reach, Spectators, Way};
use template::is_name as is_place_name;
pub use template::{LISTS, Template, Values, Word, placeholders, places};

use std::time::Duration;

use crate::diagnostic::{Diagnostic, Problem, Source, Span, visible};
use crate::pack::Protocol;
use crate::scenario::Side;
use crate::yaml::{Words, keys};

/// A referee or a bot under test.
#[derive(Debug, Clone)]
pub struct Subject {
    /// Its name in reports.
    pub name: String,
    /// Kind of the subject: a referee or a bot.
    pub side: Side,
    /// The protocol of its lanes.
    pub protocol: Protocol,
    /// The subject's own name of the game: fills `{game}`.
    pub game_name: String,
    /// Program that urtext starts; `None` for a subject that runs already.
    pub program: Option<Program>,
    /// Transport of the players' lanes; of a bot, its own lane.
    pub players: Entrance,
    /// Transport of the spectators' lanes; `None` if nobody can watch.
    pub spectators: Option<Entrance>,
    /// Fixed number of spectators that the referee waits for before a game, if there is one.
    pub awaited_spectators: Option<u32>,
    /// Roll hook; `None` if the referee accepts no forced rolls.
    pub roll_hook: Option<RollHook>,
    /// Format of the list of forced rolls.
    pub roll_format: RollFormat,
    /// Lines that a late spectator receives.
    pub late_spectator: LateSpectator,
    /// Its timeout for a move, where it is fixed.
    pub timeout: Option<Duration>,
    /// Its pace, where it is fixed.
    pub pace: Option<Duration>,
    /// The subject's own budgets; the run sets the others.
    pub budgets: SubjectBudgets,
    /// Values of the subject's own placeholders.
    pub parameters: Vec<Parameter>,
    /// Command-line arguments that name the subject, to repeat a run.
    pub arguments: String,
    /// True if its file makes the subject the default when no subject is named.
    pub is_default: bool,
    /// The file that declares it, with the span of its name there.
    pub declared: Option<(Source, Span)>,
    /// The built-in peer, which can also be played in memory.
    pub built_in: Option<BuiltIn>,
}

/// Identifies a subject as a built-in peer of its game and side.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BuiltIn {
    /// The fault that it was given; `None`: it is honest.
    pub fault: Option<String>,
}

/// Lines that a spectator receives who joins a running game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LateSpectator {
    /// Everything from the beginning.
    Whole,
    /// Later events only, with or without the names before them.
    FromNow,
    /// Nothing, or no connection at all.
    Nothing,
    /// Not stated.
    #[default]
    Unknown,
}

impl Words for LateSpectator {
    const WORDS: &'static [(&'static str, LateSpectator)] = &[
        ("whole", LateSpectator::Whole),
        ("from-now", LateSpectator::FromNow),
        ("nothing", LateSpectator::Nothing),
        ("unknown", LateSpectator::Unknown),
    ];
}

keys! {
    /// Budgets of a subject; `None` is the run's budget.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct SubjectBudgets in "budgets" {
        /// From the start to the connection of every lane
        optional "start" => start: Option<Duration> where some_time;
        /// From the connection to the end of the handshake
        optional "handshake" => handshake: Option<Duration> where some_time;
        /// For a line that is due, on top of pace and timeout
        optional "answer" => answer: Option<Duration> where some_time;
        /// From the end of the game to the end of every stream
        optional "close" => close: Option<Duration> where some_time;
        /// To end the game of a player who is gone, if the timeout is not known
        optional "forfeit" => forfeit: Option<Duration> where some_time;
        /// For a whole game
        optional "whole" => whole: Option<Duration> where some_time;
        /// For all games of a scenario that waits for chance
        optional "wait" => wait: Option<Duration> where some_time;
    }
}

fn some_time(time: &Duration) -> Result<(), [&'static str; 3]> {
    match time.is_zero() {
        true => Err([
            "yaml/value",
            "nothing is done in no time",
            "write a longer time, such as `2s`",
        ]),
        false => Ok(()),
    }
}

impl SubjectBudgets {
    /// Returns each budget by its word, in `urtext.yaml` and on the command line.
    pub fn by_word(&mut self) -> [(&'static str, &mut Option<Duration>); 7] {
        [
            ("start", &mut self.start),
            ("handshake", &mut self.handshake),
            ("answer", &mut self.answer),
            ("close", &mut self.close),
            ("forfeit", &mut self.forfeit),
            ("whole", &mut self.whole),
            ("wait", &mut self.wait),
        ]
    }
}

impl Subject {
    /// A subject of that name that is reached these ways; everything else is as where nothing is said.
    pub fn new(
        name: impl Into<String>,
        side: Side,
        protocol: Protocol,
        players: impl Into<Entrance>,
    ) -> Subject {
        Subject {
            name: name.into(),
            side,
            protocol,
            game_name: protocol.game_name().to_owned(),
            program: None,
            players: players.into(),
            spectators: None,
            awaited_spectators: None,
            roll_hook: None,
            roll_format: RollFormat::default(),
            late_spectator: LateSpectator::Unknown,
            timeout: None,
            pace: None,
            budgets: SubjectBudgets::default(),
            parameters: Vec::new(),
            arguments: String::new(),
            is_default: false,
            declared: None,
            built_in: None,
        }
    }

    /// A subject that urtext starts, reached as its command tells.
    ///
    /// # Errors
    /// Fails if no endpoint follows from the command, or the command contradicts itself.
    pub fn started(
        name: impl Into<String>,
        side: Side,
        protocol: Protocol,
        program: impl Into<Program>,
    ) -> Result<Subject, Problem> {
        let program = program.into();
        let (players, spectators) = Description::default().ways(side, Some(&program))?;
        let mut subject = Subject::new(name, side, protocol, players);
        subject.spectators = spectators.map(Into::into);
        subject.program = Some(program);
        Ok(subject)
    }

    /// Its name with its command or its address, as reports show it.
    #[must_use]
    pub fn label(&self) -> String {
        let shown = |text: &str| visible::plain(text).at_most(80).to_string();
        let name = shown(&self.name);
        let command = self
            .program
            .as_ref()
            .map(|program| program.command.to_string());
        match (command, self.players.way.address()) {
            (Some(command), _) if command.starts_with(&self.name) => {
                format!("`{}`", shown(&command))
            }
            (Some(command), _) => format!("`{name}` ({})", shown(&command)),
            (None, Some(Address::At(address))) if *address != self.name => {
                format!("`{name}` ({})", shown(address))
            }
            (None, _) => format!("`{name}`"),
        }
    }

    /// Returns true if the command or the environment has a placeholder of that name.
    #[must_use]
    pub fn takes(&self, place: &str) -> bool {
        self.program
            .as_ref()
            .is_some_and(|program| program.takes(place))
    }

    /// Returns the errors of the parameters that have no value.
    pub fn unset_parameters(&self) -> impl Iterator<Item = Diagnostic> {
        let values = self
            .parameters
            .iter()
            .map(|parameter| parameter.value.as_ref());
        values.filter_map(|value| value.err().cloned())
    }

    /// Returns true if spectators can watch.
    #[must_use]
    pub fn has_spectators(&self) -> bool {
        self.spectators.is_some()
    }

    /// Returns true if the subject receives a port that urtext chose, and that another program can take
    /// first.
    #[must_use]
    pub fn is_told_a_port(&self) -> bool {
        let is_chosen = |entrance: &Entrance| entrance.way.address() == Some(&Address::Chosen);
        is_chosen(&self.players) || self.spectators.as_ref().is_some_and(is_chosen)
    }

    /// Returns true if a match is created for every game, with the players, timings and names that the game
    /// needs.
    #[must_use]
    pub fn creates_matches(&self) -> bool {
        matches!(self.players.way, Way::Coco(_))
    }

    /// The address of a server that runs already and plays game after game; `None` for a subject that urtext starts for each game.
    #[must_use]
    pub fn server(&self) -> Option<&str> {
        match self.players.way.address() {
            Some(Address::At(address)) if self.program.is_none() => Some(address),
            _ => None,
        }
    }

    /// Returns true if the subject's games run one after the other: at a fixed address, players of different
    /// games would meet.
    #[must_use]
    pub fn plays_alone(&self) -> bool {
        matches!(self.players.way, Way::Connect(Address::At(_)))
    }
}
