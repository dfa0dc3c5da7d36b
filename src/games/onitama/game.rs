//! Onitama as a game: names, notation and variants.

use super::cell::{CELLS, OnitamaCell};
use super::facts::SITUATIONS;
use super::mistakes::MISTAKES;
use super::notation::{CardMove, card_list};
use super::{Card, Deal, OnitamaRules, notation, refusal, setup};
use crate::rules::{
    Course, CoverageItem, Game, Mistakes, Move, MoveKind, Refusal, Setup, Table, below,
};

/// The game, in its pack.
#[derive(Debug)]
pub struct Onitama;

impl Game for Onitama {
    fn name(&self) -> &'static str {
        "onitama"
    }

    fn title(&self) -> &'static str {
        "Onitama"
    }

    fn seat_names(&self) -> [&'static str; 2] {
        notation::SEATS
    }

    fn table(&self, setup: Setup) -> Box<dyn Table> {
        Box::new(Course::new(OnitamaRules::STANDARD, setup))
    }

    fn mistakes(&self) -> &'static Mistakes {
        &MISTAKES
    }

    /// Seed `004`: "The server then randomly draws five cards", "the server randomly selects a player".
    fn draw_setup(&self, random: u64) -> Setup {
        Setup(below(random, setup::SETUPS) as u64)
    }

    fn setup_syntax(&self) -> Option<&'static str> {
        Some(
            "the five cards of `Cards:` and who starts, such as `Cobra,Eel,Crab,Rabbit,Tiger; top starts`",
        )
    }

    fn setup_keys(&self) -> &'static [(&'static str, &'static str)] {
        &[
            (
                "deal",
                "five different cards, Top's two, Bottom's two and the middle one, such as `Cobra,Eel,Crab,Rabbit,Tiger`",
            ),
            ("starter", "who has the first turn, `top` or `bottom`"),
        ]
    }

    fn setup_of(&self, texts: &[&str]) -> Result<Setup, usize> {
        let [cards, starter] = texts else {
            return Err(texts.len());
        };
        let cards = notation::parse_cards(cards).ok_or(0_usize)?;
        let starter = notation::parse_seat(starter).ok_or(1_usize)?;
        Deal::new(cards, starter).map(Deal::setup).ok_or(0)
    }

    fn parse_setup(&self, text: &str) -> Option<Setup> {
        notation::parse_setup(text).map(Deal::setup)
    }

    fn format_setup(&self, setup: Setup) -> String {
        let Deal { cards, starter } = Deal::of(setup);
        format!("{}; {} starts", card_list(cards), self.seat_name(starter))
    }

    fn setup_values(&self, setup: Setup) -> Vec<(&'static str, String)> {
        let Deal { cards, starter } = Deal::of(setup);
        let (deal, starter) = (card_list(cards), notation::SIDES[starter.index()]);
        vec![
            ("setup", format!("{deal} {starter}")),
            ("deal", deal),
            ("starter", starter.to_owned()),
        ]
    }

    fn parse_move(&self, text: &str) -> Option<Move> {
        notation::parse_move(text)
    }

    fn format_move(&self, mv: Move) -> String {
        notation::format_move(mv)
    }

    fn move_kinds(&self) -> &'static [MoveKind] {
        &[
            MoveKind {
                name: "capture",
                summary: "takes a piece of the opponent",
            },
            MoveKind {
                name: "take-master",
                summary: "takes the opponent's Master",
            },
            MoveKind {
                name: "reach-temple",
                summary: "brings the own Master onto the opponent's temple",
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
        let cells = || 0..CELLS as OnitamaCell;
        let from = |card: Card, from| cells().map(move |to| CardMove { card, from, to }.packed());
        Card::ALL
            .into_iter()
            .flat_map(|card| cells().flat_map(move |cell| from(card, cell)))
            .collect()
    }

    fn move_syntax(&self) -> &'static str {
        "a card, an origin and a destination such as `Cobra a5 b4`"
    }
}
