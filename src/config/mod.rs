//! How a subject is started and reached: from the command line, or from `urtext.yaml`.

mod address;
mod coco;
pub mod file;
mod lacks;
mod parameter;
mod pattern;
mod program;
mod reach;
mod rolls;
mod schema;
mod template;

pub use address::address;
pub use coco::{Arena, CocoUrl, SCHEME, UrlFault};
pub use parameter::{Kind, Parameter, seconds};
pub use pattern::{Captures, HOLES, Pattern, PatternFault};
pub use program::{Folder, Limits, Program, parse_bytes};
pub use reach::{Ability, Address, Description, Entrance, Spectators, Unreachable, Way};
pub use rolls::{Digits, RollFormat, RollHook};
pub use schema::schema;
use template::is_name as is_place_name;
pub use template::{Fault as TemplateFault, LISTS, PLACEHOLDERS, Template, Values, Word, places};

use std::time::Duration;

use crate::diagnostic::visible;
use crate::games::Game;
use crate::scenario::Side;

/// A referee or a bot under test.
#[derive(Debug, Clone)]
pub struct Subject {
    /// Its name in reports.
    pub name: String,
    /// What it is.
    pub side: Side,
    /// The game that it plays.
    pub game: &'static dyn Game,
    /// What it calls that game: fills `{game}`.
    pub game_name: String,
    /// How urtext starts it; `None`: it runs already.
    pub program: Option<Program>,
    /// How the players' lanes are reached; of a bot, its own.
    pub players: Entrance,
    /// How the spectators' lanes are reached; `None`: nobody can watch.
    pub spectators: Option<Entrance>,
    /// How many spectators it waits for before it begins a game, where that is fixed.
    pub awaited_spectators: Option<u32>,
    /// How it takes forced rolls; `None`: it does not.
    pub roll_hook: Option<RollHook>,
    /// How the list of forced rolls is written.
    pub roll_format: RollFormat,
    /// What a spectator receives who comes late.
    pub late_spectator: LateSpectator,
    /// Its timeout for a move, where it is fixed.
    pub timeout: Option<Duration>,
    /// Its pace, where it is fixed.
    pub pace: Option<Duration>,
    /// How long it may take for what, where that is not for the run to say.
    pub budgets: Budgets,
    /// What fills places of its own.
    pub parameters: Vec<Parameter>,
    /// How the command line names it, to repeat a run.
    pub arguments: String,
    /// Whether its file says that it is tested where nobody names a subject.
    pub is_default: bool,
    /// That it is one of the built-in peers, which can also be played in memory.
    pub built_in: Option<BuiltIn>,
}

/// Which of the built-in peers of its game and side a subject is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BuiltIn {
    /// The fault that it was given; `None`: it is honest.
    pub fault: Option<String>,
    /// Decides what it leaves to chance; `None`: the seed of each game does.
    pub seed: Option<u64>,
}

/// What a spectator receives who joins a game that has begun.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LateSpectator {
    /// Everything from the beginning.
    Whole,
    /// What happens from then on, with the names before it or without.
    FromNow,
    /// Nothing, or no connection at all.
    Nothing,
    /// Nobody says.
    #[default]
    Unknown,
}

impl LateSpectator {
    /// The words for what can be said of it.
    pub const WORDS: [(&str, LateSpectator); 4] = [
        ("whole", LateSpectator::Whole),
        ("from-now", LateSpectator::FromNow),
        ("nothing", LateSpectator::Nothing),
        ("unknown", LateSpectator::Unknown),
    ];

    /// What a word says.
    #[must_use]
    pub fn of(word: &str) -> Option<LateSpectator> {
        LateSpectator::WORDS.into_iter().find(|(known, _)| *known == word).map(|(_, late)| late)
    }

    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        LateSpectator::WORDS.into_iter().find(|(_, late)| *late == self).map_or("", |(word, _)| word)
    }
}

/// How long a subject may take; `None`: as long as the run says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Budgets {
    /// From its start to the connection of every lane.
    pub start: Option<Duration>,
    /// From the connection to the end of the handshake.
    pub handshake: Option<Duration>,
    /// For a line that is due, on top of pace and timeout.
    pub answer: Option<Duration>,
    /// From the end of the game to its own end.
    pub close: Option<Duration>,
    /// For a referee to end the game of a player who has gone away, where its timeout is not known.
    pub forfeit: Option<Duration>,
    /// For a whole game.
    pub whole: Option<Duration>,
}

impl Subject {
    /// A subject of that name that is reached these ways; everything else is as where nothing is said.
    pub fn new(
        name: impl Into<String>,
        side: Side,
        game: &'static dyn Game,
        players: impl Into<Entrance>,
    ) -> Subject {
        Subject {
            name: name.into(),
            side,
            game,
            game_name: game.name().to_owned(),
            program: None,
            players: players.into(),
            spectators: None,
            awaited_spectators: None,
            roll_hook: None,
            roll_format: RollFormat::default(),
            late_spectator: LateSpectator::Unknown,
            timeout: None,
            pace: None,
            budgets: Budgets::default(),
            parameters: Vec::new(),
            arguments: String::new(),
            is_default: false,
            built_in: None,
        }
    }

    /// A subject that urtext starts, reached as its command tells.
    ///
    /// # Errors
    /// Where the command does not tell, or contradicts itself.
    pub fn started(
        name: impl Into<String>,
        side: Side,
        game: &'static dyn Game,
        program: impl Into<Program>,
    ) -> Result<Subject, Unreachable> {
        let program = program.into();
        let (players, spectators) = Description::default().ways(side, Some(&program))?;
        let mut subject = Subject::new(name, side, game, players);
        subject.spectators = spectators.map(Into::into);
        subject.program = Some(program);
        Ok(subject)
    }

    /// Its name with its command or its address, as reports show it.
    #[must_use]
    pub fn label(&self) -> String {
        let shown = |text: &str| visible::plain(text).at_most(80).to_string();
        let name = shown(&self.name);
        let command = self.program.as_ref().map(|program| program.command.to_string());
        match (command, self.players.way.address()) {
            (Some(command), _) if command.starts_with(&self.name) => format!("`{}`", shown(&command)),
            (Some(command), _) => format!("`{name}` ({})", shown(&command)),
            (None, Some(Address::At(address))) if *address != self.name => {
                format!("`{name}` ({})", shown(address))
            }
            (None, _) => format!("`{name}`"),
        }
    }

    /// Whether its command or its environment has a place of that name.
    #[must_use]
    pub fn takes(&self, place: &str) -> bool {
        self.program.as_ref().is_some_and(|program| program.takes(place))
    }

    /// Whether spectators can watch.
    #[must_use]
    pub fn has_spectators(&self) -> bool {
        self.spectators.is_some()
    }

    /// Whether it is told a port that urtext has chosen, and that another program can take before it does.
    #[must_use]
    pub fn is_told_a_port(&self) -> bool {
        let is_chosen = |entrance: &Entrance| entrance.way.address() == Some(&Address::Chosen);
        is_chosen(&self.players) || self.spectators.as_ref().is_some_and(is_chosen)
    }

    /// Whether a match is created for every game, with the players, the times and the names that it needs.
    #[must_use]
    pub fn creates_matches(&self) -> bool {
        matches!(self.players.way, Way::Coco(_))
    }

    /// What a late spectator receives where nobody says otherwise: the protocol of matches says that it is everything.
    #[must_use]
    pub fn usual_late_spectator(&self) -> LateSpectator {
        if self.creates_matches() { LateSpectator::Whole } else { LateSpectator::default() }
    }

    /// Takes over what an address says beside the server, where it is not said already.
    pub fn take_over(&mut self, url: &CocoUrl) {
        if let Some(game) = &url.game {
            game.clone_into(&mut self.game_name);
        }
        self.timeout = self.timeout.or(url.timeout);
        self.pace = self.pace.or(url.pace);
    }

    /// The address of a server that runs already and plays game after game; `None` for a subject that urtext starts for each game.
    #[must_use]
    pub fn server(&self) -> Option<&str> {
        match self.players.way.address() {
            Some(Address::At(address)) if self.program.is_none() => Some(address),
            _ => None,
        }
    }

    /// Whether its games are played one after the other: where it listens at an address that is not ours to choose, players of
    /// different games would meet.
    #[must_use]
    pub fn plays_alone(&self) -> bool {
        matches!(self.players.way, Way::Connect(Address::At(_)))
    }
}
