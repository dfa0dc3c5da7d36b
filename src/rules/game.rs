//! The trait of a game: its rules behind a table, and its notation as scenarios write it.

use std::time::Duration;

use super::{CoverageItem, Mistakes, Move, MoveKind, Refusal, Roll, Seat, Setup, Table};

/// A deliberate deviation from the rules of a game: what a faulty peer plays and a diagnosis supposes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VariantRow {
    /// Name, as the user writes it.
    pub name: &'static str,
    /// Description of the deviation, in words that follow "behaves as if".
    pub summary: &'static str,
    /// Id of the requirement that an implementation of this variant breaks first.
    pub breaks: &'static str,
    /// Name of the variant of which this is a part: that one in some turns only. It is considered where the whole is refuted.
    pub general: Option<&'static str>,
    /// Names of the simpler variants of which this one is made. It is considered where they are refuted.
    pub contains: &'static [&'static str],
}

impl VariantRow {
    /// Returns true if none of these rows is the whole of which this one is a part, or a simpler one that it contains.
    #[must_use]
    pub fn is_simplest_of(&self, rows: &[&VariantRow]) -> bool {
        let is_simpler = |other: &&VariantRow| {
            self.general == Some(other.name) || self.contains.contains(&other.name)
        };
        !rows.iter().any(is_simpler)
    }

    /// A variant that is no part of another one.
    #[must_use]
    pub const fn new(
        name: &'static str,
        summary: &'static str,
        breaks: &'static str,
    ) -> VariantRow {
        VariantRow {
            name,
            summary,
            breaks,
            general: None,
            contains: &[],
        }
    }
}

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

    /// A game before its first turn with a known mistake; `None` where there is no mistake of that name.
    fn variant_table(&self, setup: Setup, mistake: &str) -> Option<Box<dyn Table>> {
        self.mistakes().table(setup, mistake)
    }

    /// The mistakes that the suites are measured by.
    fn variants(&self) -> &'static [VariantRow] {
        self.mistakes().named()
    }

    /// The mistakes that an explanation considers.
    fn hypotheses(&self) -> &'static [VariantRow] {
        self.mistakes().whole()
    }

    /// The mistakes that are made in some turns only, such as every time but the first. An explanation of a referee's failures considers them where no
    /// other explains as many.
    fn occasional(&self) -> &'static [VariantRow] {
        self.mistakes().occasional()
    }

    /// The mistakes that are made under one more condition, such as once a token is out. Games are made that refute them; an explanation does
    /// not consider them.
    fn conditional(&self) -> &'static [VariantRow] {
        self.mistakes().conditional()
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
