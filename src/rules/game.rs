//! The trait of a game: its rules behind a table, and its notation as scenarios write it.

use std::time::Duration;

use super::{CoverageItem, Mistakes, Move, MoveKind, Refusal, Roll, Seat, Setup, Table};

/// A game: its rules behind [`Table`], and its notation as scenarios write it.
pub trait Game: Sync {
    /// Name in scenarios and on the command line.
    fn name(&self) -> &'static str;

    /// Other names that mean this game.
    fn aliases(&self) -> &'static [&'static str] {
        &[]
    }

    /// Name as people say it.
    fn title(&self) -> &'static str;

    /// Returns the names of the two seats in scenarios and transcripts.
    fn seat_names(&self) -> [&'static str; 2];

    /// A game before its first turn, by the rules as specified.
    fn table(&self, setup: Setup) -> Box<dyn Table>;

    /// The known mistakes in its rules.
    fn mistakes(&self) -> &'static Mistakes {
        Mistakes::none()
    }

    /// Draws a random setup from a uniformly random number.
    fn draw_setup(&self, _random: u64) -> Setup {
        Setup::default()
    }

    /// Returns the form of a setup for messages; `None` for a game without a random setup.
    fn setup_syntax(&self) -> Option<&'static str> {
        None
    }

    /// The keys by which a scenario fixes what chance would, each with what is due there; together they are a setup.
    fn setup_keys(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// A setup from the texts under [`Game::setup_keys`], in their order.
    ///
    /// # Errors
    /// The number of the first text that is not what is due.
    fn setup_of(&self, _texts: &[&str]) -> Result<Setup, usize> {
        Ok(Setup::default())
    }

    /// Reads a setup as scenarios and hooks write it.
    fn parse_setup(&self, _text: &str) -> Option<Setup> {
        None
    }

    /// Writes a setup as scenarios write it.
    fn format_setup(&self, _setup: Setup) -> String {
        String::new()
    }

    /// A setup as a subject takes it when it is forced: by the place in a command that it fills, `setup` for the whole of it.
    fn setup_values(&self, _setup: Setup) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// A roll from a uniformly random number, each roll as likely as the game's coins or dice make it; without meaning in a game without
    /// rolls.
    fn draw_roll(&self, _random: u64) -> Roll {
        Roll(0)
    }

    /// The rolls that differ in what they allow, one of each kind, the least first. Empty in a game without rolls.
    fn kinds_of_roll(&self) -> &'static [Roll] {
        &[]
    }

    /// The longest pace (the least time between turns) that a referee can be asked for; `None` where there is no pace.
    fn longest_pace(&self) -> Option<Duration> {
        None
    }

    /// The timeout for a move where nobody sets one, if the specification says it.
    fn default_timeout(&self) -> Option<Duration> {
        None
    }

    /// The pace where nobody sets one, if the specification says it.
    fn default_pace(&self) -> Option<Duration> {
        None
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

    /// Returns the form of a roll for messages: `four coins such as 0 1 1 0`.
    fn roll_syntax(&self) -> &'static str {
        "nothing: there are no rolls"
    }

    /// Returns the form of a move for messages: `the number of a token, 0 to 6`.
    fn move_syntax(&self) -> &'static str;

    /// The kinds of legal moves that scenarios can ask for, beside [`super::WIN`].
    fn move_kinds(&self) -> &'static [MoveKind] {
        &[]
    }

    /// Lists the reasons why the rules refuse moves.
    fn refusals(&self) -> &'static [&'static Refusal] {
        &[]
    }

    /// The situations that tests of this game are to bring about, each by its number; [`super::Fact::Covers`] names it.
    fn coverage_items(&self) -> &'static [CoverageItem] {
        &[]
    }

    /// Every move that its notation has, legal or not.
    fn every_move(&self) -> Vec<Move>;

    /// The name of a seat.
    fn seat_name(&self, seat: Seat) -> &'static str {
        self.seat_names()[seat.index()]
    }

    /// The seat of that name.
    fn seat_called(&self, name: &str) -> Option<Seat> {
        let mut seats = Seat::BOTH.into_iter();
        seats.find(|&seat| self.seat_name(seat) == name)
    }
}

impl std::fmt::Debug for dyn Game {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Game({})", self.name())
    }
}
