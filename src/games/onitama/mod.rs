//! Onitama, as the challenge of seed `004` plays it: Top is the first seat, Bottom the second.

mod card;
mod dialect;
mod facts;
mod faults;
mod mistakes;
mod notation;
mod position;
mod rules;
mod turns;

pub use card::{CELLS, Card, Hand, OnitamaCell, cell, cell_name, temple};
pub use dialect::OnitamaJudge;
pub use faults::{BOT_FAULTS, REFEREE_FAULTS};
pub use notation::{CardMove, Deal, SIDES, card_list, cards_from_list};
pub use position::OnitamaPosition;
pub use rules::OnitamaRules;

use include_dir::include_dir;

use crate::pack::{Pack, PeersRow};
use crate::requirement::Specification;
use crate::rules::{
    Course, CoverageItem, Game, GameData, Mistake, Move, MoveKind, Remnant, Setup, SetupKey, Table,
    below,
};
use facts::SITUATIONS;
use mistakes::MISTAKES;
use rules::{
    CARD_NOT_DEALT, EMPTY_ORIGIN, MIDDLE_CARD, NOT_A_STEP, OPPONENTS_CARD, OPPONENTS_PIECE,
    OWN_PIECE,
};

/// All that makes the game.
pub static PACK: Pack = Pack {
    suite: Some("onitama"),
    goldens: Some(&include_dir!("$CARGO_MANIFEST_DIR/snapshots/onitama")),
    peers: Some(PeersRow {
        has_usual_faults: true,
        referee_faults: REFEREE_FAULTS,
        bot_faults: BOT_FAULTS,
        referee_arguments: "--listen :{port} --timeout {timeout}",
        bot_arguments: "{host} {port}",
    }),
    environment: &[("URTEXT_DEAL", "{setup}")],
    ..Pack::new(&Onitama, &[&OnitamaJudge])
};

/// The catalogue of the wire protocol.
static SPECIFICATION: Specification = Specification::new(
    "onitama",
    include_str!("../../../scenarios/onitama/requirements.yaml"),
);

/// The game, in its pack.
#[derive(Debug)]
pub struct Onitama;

static DATA: GameData = GameData {
    mistakes: Some(&MISTAKES),
    remnants: &[
        Remnant::OF_BOARD,
        Remnant::OF_TURN,
        Remnant::OF_POSITION,
        (
            Remnant::Setup,
            Mistake::new(
                "cards-of-first-game",
                "every game had the cards of the first game",
                "oni/setup/cards",
            ),
        ),
    ],
    setup: &[
        SetupKey {
            name: "deal",
            due: "five different cards, Top's two, Bottom's two and the middle one, such as `Cobra,Eel,Crab,Rabbit,Tiger`",
        },
        SetupKey {
            name: "starter",
            due: "who has the first turn, `top` or `bottom`",
        },
    ],
    kinds: &[
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
    ],
    refusals: &[
        &CARD_NOT_DEALT,
        &MIDDLE_CARD,
        &OPPONENTS_CARD,
        &EMPTY_ORIGIN,
        &OPPONENTS_PIECE,
        &NOT_A_STEP,
        &OWN_PIECE,
    ],
    move_syntax: "a card, an origin and a destination such as `Cobra a5 b4`",
    moves: notation::MOVES,
    ..GameData::new("onitama", "Onitama", notation::SEATS)
};

impl Game for Onitama {
    fn data(&self) -> &'static GameData {
        &DATA
    }

    fn table(&self, setup: Setup) -> Box<dyn Table> {
        Box::new(Course::new(OnitamaRules::STANDARD, setup))
    }

    /// Seed `004`: "The server then randomly draws five cards", "the server randomly selects a player".
    fn draw_setup(&self, random: u64) -> Setup {
        Setup(below(random, notation::SETUPS) as u64)
    }

    fn setup_of(&self, texts: &[&str]) -> Result<Setup, usize> {
        let [cards, starter] = texts else {
            return Err(texts.len());
        };
        let cards = notation::parse_cards(cards).ok_or(0_usize)?;
        let starter = notation::parse_seat(starter).ok_or(1_usize)?;
        Deal::new(cards, starter).map(Deal::setup).ok_or(0)
    }

    fn setup_texts(&self, setup: Setup) -> Vec<String> {
        let Deal { cards, starter } = Deal::of(setup);
        vec![
            card_list(cards),
            notation::SIDES[starter.index()].to_owned(),
        ]
    }

    fn parse_move(&self, text: &str) -> Option<Move> {
        notation::parse_move(text)
    }

    fn format_move(&self, mv: Move) -> String {
        notation::format_move(mv)
    }

    fn coverage_items(&self) -> &'static [CoverageItem] {
        SITUATIONS.items()
    }
}
