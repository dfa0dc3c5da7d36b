//! The Royal Game of Ur as a game: names, notation and variants.

use std::time::Duration;

use super::facts::SITUATIONS;
use super::mistakes::MISTAKES;
use super::notation::coins;
use super::position::TOKENS;
use super::{UrRules, notation, refusal};
use crate::rules::{
    Course, CoverageItem, Game, Mistakes, Move, MoveKind, Refusal, Roll, Rules, Setup, Table,
};

/// The game, in its pack.
#[derive(Debug)]
pub struct RoyalUr;

impl Game for RoyalUr {
    fn name(&self) -> &'static str {
        "royalur"
    }

    /// Seed `000` calls the game `chess`.
    fn aliases(&self) -> &'static [&'static str] {
        &["ur", "chess"]
    }

    fn title(&self) -> &'static str {
        "Royal Game of Ur"
    }

    fn seat_names(&self) -> [&'static str; 2] {
        ["first", "second"]
    }

    fn table(&self, setup: Setup) -> Box<dyn Table> {
        Box::new(Course::new(UrRules::COMPILED, setup))
    }

    fn mistakes(&self) -> &'static Mistakes {
        &MISTAKES
    }

    /// Four fair coins: the four highest bits.
    fn draw_roll(&self, random: u64) -> Roll {
        Roll((random >> 60) as u16)
    }

    fn kinds_of_roll(&self) -> &'static [Roll] {
        UrRules::STANDARD.kinds_of_roll()
    }

    /// Seed `000`: "`pace`: the minimum number of seconds between turns (default: `1.5`, min: `0`, max: `30`)".
    fn longest_pace(&self) -> Option<Duration> {
        Some(Duration::from_secs(30))
    }

    /// Seed `000`: "the default timeout is `90` seconds".
    fn default_timeout(&self) -> Option<Duration> {
        Some(Duration::from_secs(90))
    }

    /// Seed `000`: "the minimum number of seconds between turns (default: `1.5`, …)".
    fn default_pace(&self) -> Option<Duration> {
        Some(Duration::from_millis(1500))
    }

    fn parse_roll(&self, text: &str) -> Option<Roll> {
        notation::parse_roll(text)
    }

    fn format_roll(&self, roll: Roll) -> String {
        coins(roll).to_string()
    }

    fn parse_move(&self, text: &str) -> Option<Move> {
        notation::parse_move(text)
    }

    fn format_move(&self, mv: Move) -> String {
        mv.0.to_string()
    }

    fn roll_syntax(&self) -> &'static str {
        "four coins such as `0 1 1 0`"
    }

    fn move_kinds(&self) -> &'static [MoveKind] {
        &[
            MoveKind {
                name: "capture",
                summary: "sends a token of the opponent back to the start",
            },
            MoveKind {
                name: "exit",
                summary: "takes a token off the track",
            },
            MoveKind {
                name: "reach-rosette",
                summary: "lands on a cell that gives another turn",
            },
        ]
    }

    fn coverage_items(&self) -> &'static [CoverageItem] {
        SITUATIONS.items()
    }

    fn refusals(&self) -> &'static [&'static Refusal] {
        refusal::ALL
    }

    fn every_move(&self) -> Vec<Move> {
        (0..TOKENS as u32).map(Move).collect()
    }

    fn move_syntax(&self) -> &'static str {
        "the number of a token, 0 to 6"
    }
}
