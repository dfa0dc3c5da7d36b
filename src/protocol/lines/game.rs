//! A game without rules: a dialogue that a scenario scripts line by line.

use crate::rules::{Course, GameResult, Move, MoveKind, Refusal, Roll, Rules, Seat, Setup, Table};
use crate::rules::{Game, VariantRow};

/// The game that has no rules.
#[derive(Debug)]
pub struct LinesGame;

/// Rules that know nothing and refuse everything.
#[derive(Debug, Clone)]
struct NoRules;

static NO_RULES: Refusal = Refusal {
    code: "no-rules",
    requirement: "",
    reason: "this game has no rules, only lines",
};

impl Rules for NoRules {
    type Position = ();

    fn start(&self, _setup: Setup) -> Self::Position {}

    fn has_rolls(&self) -> bool {
        false
    }

    fn kinds_of_roll(&self) -> &'static [Roll] {
        &[]
    }

    fn to_move(&self, _position: &()) -> Seat {
        Seat::First
    }

    fn result(&self, _position: &()) -> Option<GameResult> {
        None
    }

    fn can_move(&self, _position: &(), _roll: Roll) -> bool {
        false
    }

    fn legal_moves(&self, _position: &(), _roll: Roll) -> Vec<Move> {
        Vec::new()
    }

    fn moved(&self, _position: &(), _roll: Roll, _mv: Move) -> Result<(), &'static Refusal> {
        Err(&NO_RULES)
    }

    fn skipped(&self, _position: &(), _roll: Roll) -> Self::Position {}

    fn turn_ground(&self, _before: &(), _roll: Roll, _mv: Option<Move>) -> &'static str {
        ""
    }

    fn move_ground(&self, _before: &(), _roll: Roll, _mv: Move) -> Option<&'static str> {
        None
    }

    fn is_of_kind(&self, _before: &(), _roll: Roll, _mv: Move, _kind: &str) -> bool {
        false
    }

    fn describe_move(&self, _before: &(), _roll: Roll, _mv: Move) -> String {
        String::new()
    }

    fn describe_skip(&self, _before: &(), _roll: Roll) -> String {
        String::new()
    }

    fn draw(&self, _position: &()) -> String {
        String::new()
    }
}

impl Game for LinesGame {
    fn name(&self) -> &'static str {
        "lines"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &[]
    }

    fn title(&self) -> &'static str {
        "a dialogue of lines"
    }

    fn seat_names(&self) -> [&'static str; 2] {
        ["first", "second"]
    }

    fn table(&self, setup: Setup) -> Box<dyn Table> {
        Box::new(Course::new(NoRules, setup))
    }

    fn variant_table(&self, _setup: Setup, _variant: &str) -> Option<Box<dyn Table>> {
        None
    }

    fn variants(&self) -> &'static [VariantRow] {
        &[]
    }

    fn draw_setup(&self, _random: u64) -> Setup {
        Setup::default()
    }

    fn draw_roll(&self, _random: u64) -> Roll {
        Roll(0)
    }

    fn kinds_of_roll(&self) -> &'static [Roll] {
        &[]
    }

    fn longest_pace(&self) -> Option<std::time::Duration> {
        None
    }

    fn parse_roll(&self, _text: &str) -> Option<Roll> {
        None
    }

    fn format_roll(&self, _roll: Roll) -> String {
        String::new()
    }

    fn parse_move(&self, _text: &str) -> Option<Move> {
        None
    }

    fn format_move(&self, _mv: Move) -> String {
        String::new()
    }

    fn roll_syntax(&self) -> &'static str {
        "nothing"
    }

    fn move_kinds(&self) -> &'static [MoveKind] {
        &[]
    }

    fn refusals(&self) -> &'static [&'static Refusal] {
        &[]
    }

    fn every_move(&self) -> Vec<Move> {
        Vec::new()
    }

    fn move_syntax(&self) -> &'static str {
        "a line"
    }
}
