//! The trait of a game: its rules behind a table, its notation as scenarios write it, and its data.

use std::sync::LazyLock;
use std::time::Duration;

use super::{
    CoverageItem, Mistake, Mistakes, Move, MoveKind, Refusal, Remnant, Roll, Seat, Setup, Table,
};

/// The data of a game. What a game does not have is left as [`GameData::new`] has it.
#[derive(Debug)]
pub struct GameData {
    /// Name in scenarios and on the command line.
    pub name: &'static str,
    /// Other names that mean this game.
    pub aliases: &'static [&'static str],
    /// Name as people say it.
    pub title: &'static str,
    /// Names of the two seats in scenarios and transcripts.
    pub seats: [&'static str; 2],
    /// The known mistakes in its rules.
    pub mistakes: Option<&'static LazyLock<Mistakes>>,
    /// The known mistakes of a running server, such as [`Remnant::OF_BOARD`]. One that breaks no requirement of its own breaks that of the wrong
    /// line.
    pub remnants: &'static [(Remnant, Mistake)],
    /// The parts of the random setup before the first turn; together they are a setup.
    pub setup: &'static [SetupKey],
    /// The rolls that differ in what they allow, one of each kind, the least first; without rolls none.
    pub rolls: &'static [Roll],
    /// Form of a roll for messages: `four coins such as 0 1 1 0`.
    pub roll_syntax: &'static str,
    /// Form of a move for messages: `the number of a token, 0 to 6`.
    pub move_syntax: &'static str,
    /// Number of its moves, legal or not: they are numbered from 0.
    pub moves: u32,
    /// The kinds of legal moves that scenarios can ask for, beside [`super::WIN`].
    pub kinds: &'static [MoveKind],
    /// Reasons why the rules refuse moves.
    pub refusals: &'static [&'static Refusal],
    /// The longest pace (the least time between turns) that a referee can be asked for; `None` where there is no pace.
    pub longest_pace: Option<Duration>,
    /// The timeout for a move where nobody sets one, if the specification says it.
    pub default_timeout: Option<Duration>,
    /// The pace where nobody sets one, if the specification says it.
    pub default_pace: Option<Duration>,
}

impl GameData {
    /// The data that every game has.
    #[must_use]
    pub const fn new(
        name: &'static str,
        title: &'static str,
        seats: [&'static str; 2],
    ) -> GameData {
        GameData {
            name,
            aliases: &[],
            title,
            seats,
            mistakes: None,
            remnants: &[],
            setup: &[],
            rolls: &[],
            roll_syntax: "nothing: there are no rolls",
            move_syntax: "a move",
            moves: 0,
            kinds: &[],
            refusals: &[],
            longest_pace: None,
            default_timeout: None,
            default_pace: None,
        }
    }
}

/// A part of the random setup, as scenarios fix it and commands of subjects take it.
#[derive(Debug)]
pub struct SetupKey {
    /// Its key in scenarios, and its place in commands.
    pub name: &'static str,
    /// What is due under the key.
    pub due: &'static str,
}

/// A game: its rules behind [`Table`], its notation as scenarios write it, and its data.
pub trait Game: Sync {
    /// The data.
    fn data(&self) -> &'static GameData;

    /// A game before its first turn, by the rules as specified.
    fn table(&self, setup: Setup) -> Box<dyn Table>;

    /// Draws a random setup from a uniformly random number.
    fn draw_setup(&self, _random: u64) -> Setup {
        Setup::default()
    }

    /// A setup from the texts under the keys of [`GameData::setup`], in their order.
    ///
    /// # Errors
    /// The number of the first text that is not what is due.
    fn setup_of(&self, _texts: &[&str]) -> Result<Setup, usize> {
        Ok(Setup::default())
    }

    /// The parts of a setup as a subject takes them when they are forced, in the order of [`GameData::setup`].
    fn setup_texts(&self, _setup: Setup) -> Vec<String> {
        Vec::new()
    }

    /// A roll from a uniformly random number, each roll as likely as the game's coins or dice make it; without meaning in a game without
    /// rolls.
    fn draw_roll(&self, _random: u64) -> Roll {
        Roll(0)
    }

    /// Reads a roll as scenarios write it.
    fn parse_roll(&self, _text: &str) -> Option<Roll> {
        None
    }

    /// Writes a roll as scenarios write it.
    fn format_roll(&self, _roll: Roll) -> String {
        String::new()
    }

    /// Reads a move as scenarios write it. Does not check that it is legal.
    fn parse_move(&self, text: &str) -> Option<Move>;

    /// Writes a move as scenarios write it.
    fn format_move(&self, mv: Move) -> String;

    /// The situations that tests of this game are to bring about, each by its number; [`super::Fact::Covers`] names it.
    fn coverage_items(&self) -> &'static [CoverageItem] {
        &[]
    }
}

impl dyn Game + '_ {
    /// Name in scenarios and on the command line.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.data().name
    }

    /// Other names that mean this game.
    #[must_use]
    pub fn aliases(&self) -> &'static [&'static str] {
        self.data().aliases
    }

    /// Name as people say it.
    #[must_use]
    pub fn title(&self) -> &'static str {
        self.data().title
    }

    /// Names of the two seats in scenarios and transcripts.
    #[must_use]
    pub fn seat_names(&self) -> [&'static str; 2] {
        self.data().seats
    }

    /// The name of a seat.
    #[must_use]
    pub fn seat_name(&self, seat: Seat) -> &'static str {
        self.seat_names()[seat.index()]
    }

    /// The seat of that name.
    #[must_use]
    pub fn seat_called(&self, name: &str) -> Option<Seat> {
        let mut seats = Seat::BOTH.into_iter();
        seats.find(|&seat| self.seat_name(seat) == name)
    }

    /// The known mistakes in its rules.
    #[must_use]
    pub fn mistakes(&self) -> &'static Mistakes {
        self.data().mistakes.map_or(Mistakes::none(), |known| known)
    }

    /// The parts of the random setup; see [`GameData::setup`].
    #[must_use]
    pub fn setup_keys(&self) -> &'static [SetupKey] {
        self.data().setup
    }

    /// A setup as commands take it: its parts by their places, and the whole of it in the place `setup`.
    #[must_use]
    pub fn setup_values(&self, setup: Setup) -> Vec<(&'static str, String)> {
        let whole = ("setup", self.format_setup(setup));
        let names = self.setup_keys().iter().map(|key| key.name);
        let parts = names.zip(self.setup_texts(setup));
        [whole].into_iter().chain(parts).collect()
    }

    /// Writes a whole setup: its parts with blanks between.
    #[must_use]
    pub fn format_setup(&self, setup: Setup) -> String {
        self.setup_texts(setup).join(" ")
    }

    /// Reads a whole setup.
    #[must_use]
    pub fn parse_setup(&self, text: &str) -> Option<Setup> {
        let texts: Vec<_> = text.split_whitespace().collect();
        self.setup_of(&texts).ok()
    }

    /// Every move that its notation has, legal or not.
    #[must_use]
    pub fn every_move(&self) -> Vec<Move> {
        (0..self.data().moves).map(Move).collect()
    }

    /// The legal moves in words, as what is due: `3 (cell 11 to 14), the only legal move`.
    #[must_use]
    pub fn due_in_words(&self, table: &dyn Table) -> String {
        let legal = table.legal_moves();
        // Several moves can have the same way.
        let mut ways: Vec<(Option<String>, Vec<String>)> = Vec::new();
        for &mv in &legal {
            let route = table.route(mv);
            match ways.iter_mut().find(|(way, _)| *way == route) {
                Some((_, moves)) => moves.push(self.format_move(mv)),
                None => ways.push((route, vec![self.format_move(mv)])),
            }
        }
        let written = ways.iter().map(|(way, moves)| match way {
            Some(way) => format!("{} ({way})", moves.join(", ")),
            None => moves.join(", "),
        });
        let written = written.collect::<Vec<_>>().join("; ");
        match legal.len() {
            0 => "a move, and none is legal".to_owned(),
            1 => format!("{written}, the only legal move"),
            _ => format!("a legal move: {written}"),
        }
    }

    /// The rolls that differ in what they allow; see [`GameData::rolls`].
    #[must_use]
    pub fn kinds_of_roll(&self) -> &'static [Roll] {
        self.data().rolls
    }
}

impl std::fmt::Debug for dyn Game {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Game({})", self.name())
    }
}
