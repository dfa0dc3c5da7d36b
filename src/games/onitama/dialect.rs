//! Onitama as the judge of seed `004` speaks it ("The judge").

use super::SPECIFICATION;
use super::notation::DEALT;
use super::rules::CellNames;
use super::{Card, CardMove, Onitama, OnitamaRules, SIDES, cards_from_list, cell};
use crate::protocol::{
    Dialect, DialectData, Greeting, LINE_LIMIT, Open, PlayerLine, SetupLine, Slot, single_spaced,
};
use crate::rules::Move;

/// The dialect, in the pack of its game.
#[derive(Debug)]
pub struct OnitamaJudge;

/// The part of the setup that the line `Cards: …` tells.
const CARDS: u8 = 0;
/// The part that the line `… starts` tells.
const STARTER: u8 = 1;
const STARTS: &str = "oni/setup/starter";

/// Seed `004`, "Game setup".
const GREETING: &[Greeting] = &[
    Greeting {
        slot: Slot::OwnSeat,
        requirement: "oni/greeting/seat",
        syntax: "`You are Top` or `You are Bottom`",
    },
    Greeting {
        slot: Slot::Setup(CARDS),
        requirement: "oni/setup/cards",
        syntax: "`Cards: ` and the names of five different cards with commas between",
    },
    Greeting {
        slot: Slot::Setup(STARTER),
        requirement: STARTS,
        syntax: "`Top starts` or `Bottom starts`",
    },
];

/// Reads `<card> <origin> <destination>`; `None` for anything but three words with single blanks between, of which the last two look like
/// cells.
///
/// # Errors
/// The requirement on unknown cards or on cells off the board.
fn read_move(line: &[u8]) -> Option<Result<CardMove, &'static str>> {
    let text = std::str::from_utf8(line).ok()?;
    let mut words = text.split(' ');
    let (card, from, to) = (words.next()?, words.next()?, words.next()?);
    let looks_like_a_cell = |word: &str| matches!(word.as_bytes(), [column, row] if column.is_ascii_alphabetic() && row.is_ascii_digit());
    let looks_like_a_card =
        |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if words.next().is_some()
        || !looks_like_a_cell(from)
        || !looks_like_a_cell(to)
        || !looks_like_a_card(card)
    {
        return None;
    }
    Some(match (Card::named(card), cell(from), cell(to)) {
        (None, ..) => Err("oni/input/unknown-card"),
        (Some(card), Some(from), Some(to)) => Ok(CardMove { card, from, to }),
        _ => Err("oni/input/off-board"),
    })
}

static DATA: DialectData = DialectData {
    has_spectators: false,
    greeting: GREETING,
    setup: &[
        SetupLine {
            before: "Cards: ",
            after: "",
            repeated: "oni/setup/cards-to-both",
        },
        SetupLine {
            before: "",
            after: " starts",
            repeated: STARTS,
        },
    ],
    seat_lines: ["You are Top", "You are Bottom"],
    ..DialectData::new("onitama-judge", &Onitama, &SPECIFICATION)
};

impl Dialect for OnitamaJudge {
    fn data(&self) -> &'static DialectData {
        &DATA
    }

    fn check_setup(&self, part: u8, text: &str) -> Result<(), &'static str> {
        if part == STARTER {
            return match SIDES.contains(&text) {
                true => Ok(()),
                false => Err(STARTS),
            };
        }
        let names: Vec<&str> = text.split(',').collect();
        let is_known = |name: &&str| {
            let mut cards = Card::ALL.into_iter();
            cards.any(|card| card.name().eq_ignore_ascii_case(name))
        };
        let is_spelt = |name: &&str| Card::named(name).is_some();
        match cards_from_list(text) {
            Some(_) => Ok(()),
            None if names.len() != DEALT || !names.iter().all(is_known) => Err("oni/setup/cards"),
            None if names.iter().all(is_spelt) => Err("oni/setup/five-different"),
            None => Err("oni/setup/card-names"),
        }
    }

    fn read_player_line(&self, line: &[u8]) -> PlayerLine {
        let invalid_or_ignored = |requirement| {
            PlayerLine::Open(Open {
                mv: None,
                may_lose: true,
                may_be_ignored: true,
                requirement,
            })
        };
        if line.len() >= LINE_LIMIT {
            return invalid_or_ignored("oni/input/long-line");
        }
        match read_move(line) {
            Some(Ok(step)) => PlayerLine::Move(step.packed()),
            Some(Err(requirement)) => invalid_or_ignored(requirement),
            None => match line
                .strip_suffix(b"\r")
                .map(|line| self.read_player_line(line))
            {
                Some(PlayerLine::Move(mv)) => PlayerLine::Open(Open {
                    mv: Some(mv),
                    may_lose: false,
                    may_be_ignored: true,
                    requirement: "oni/input/crlf",
                }),
                Some(PlayerLine::Open(open)) => PlayerLine::Open(open),
                _ if line.is_empty() => PlayerLine::Ignored("oni/input/empty-line"),
                _ if is_move_with_blanks(line) => PlayerLine::Ignored("oni/input/blanks"),
                _ => PlayerLine::Ignored("oni/input/not-a-move"),
            },
        }
    }

    fn misread_move(&self, mv: Move) -> Option<(Move, &'static str, &'static str)> {
        let cells = CellNames::RowsReversed;
        let misread = OnitamaRules {
            cells,
            ..OnitamaRules::STANDARD
        };
        let meant = misread.named(CardMove::of(mv)?);
        Some((
            meant.packed(),
            "oni/board/cells",
            "the rows were numbered from the bottom",
        ))
    }
}

/// Returns true if a line would be a move without leading, trailing and repeated blanks.
fn is_move_with_blanks(line: &[u8]) -> bool {
    let has_blanks = line.iter().any(u8::is_ascii_whitespace);
    has_blanks && matches!(read_move(&single_spaced(line)), Some(Ok(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case_files::assert_lines;
    use crate::protocol::Facts;
    use crate::rules::Game;

    #[test]
    fn a_setup_is_learnt_from_two_lines_and_is_the_same_for_both_players() {
        let mut facts = Facts::default();
        assert_lines("onitama-setup-lines", |line| {
            let number = if line.contains("starts") {
                STARTER
            } else {
                CARDS
            };
            let dialect: &dyn Dialect = &OnitamaJudge;
            let read = dialect.read_greeting(Slot::Setup(number), line.as_bytes(), &mut facts);
            format!("{:?}", read.map(|_| ()))
        });
        let game: &dyn Game = &Onitama;
        let setup = game.parse_setup("Cobra,Eel,Crab,Rabbit,Tiger Bottom");
        assert_eq!(facts.setup, setup);
    }
}
