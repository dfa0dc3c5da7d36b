//! A game without rules: a dialogue that a scenario scripts line by line.

use crate::rules::{
    Course, Game, GameResult, Move, Picture, Refusal, Roll, Rules, Seat, Setup, Table,
};

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

    fn to_move(&self, _position: &()) -> Seat {
        Seat::First
    }

    fn result(&self, _position: &()) -> Option<GameResult> {
        None
    }

    fn legal_moves(&self, _position: &(), _roll: Roll) -> Vec<Move> {
        Vec::new()
    }

    fn moved(&self, _position: &(), _roll: Roll, _mv: Move) -> Result<(), &'static Refusal> {
        Err(&NO_RULES)
    }

    fn turn_ground(&self, _before: &(), _roll: Roll, _mv: Option<Move>) -> &'static str {
        ""
    }

    fn describe_move(&self, _before: &(), _roll: Roll, _mv: Move) -> String {
        String::new()
    }

    fn picture(&self, _position: &()) -> Picture {
        Picture::new(["first", "second"], Seat::First)
    }
}

impl Game for LinesGame {
    fn name(&self) -> &'static str {
        "lines"
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

    fn parse_move(&self, _text: &str) -> Option<Move> {
        None
    }

    fn format_move(&self, _mv: Move) -> String {
        String::new()
    }

    fn every_move(&self) -> Vec<Move> {
        Vec::new()
    }

    fn move_syntax(&self) -> &'static str {
        "a line"
    }
}
