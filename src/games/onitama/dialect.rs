//! Onitama as the judge of seed `004` speaks it ("The judge").

use super::SPECIFICATION;
use super::notation::DEALT;
use super::rules::CellNames;
use super::{
    Card, CardMove, Deal, Onitama, OnitamaRules, OnitamaVariant, SIDES, card_list, cards_from_list,
    cell,
};
use crate::protocol::{
    Dialect, DialectData, Greeting, LINE_LIMIT, LineRequirements, Open, PlayerLine, Slot,
};
use crate::rules::{Move, Seat, Setup};

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

/// The cards that a line of the handshake tells.
fn read_cards(line: &[u8]) -> Result<[Card; DEALT], &'static str> {
    const FORM: &str = "oni/setup/cards";
    let text = std::str::from_utf8(line).map_err(|_| FORM)?;
    let list = text.strip_prefix("Cards: ").ok_or(FORM)?;
    if let Some(cards) = cards_from_list(list) {
        return Ok(cards);
    }
    let names: Vec<&str> = list.split(',').collect();
    let is_known = |name: &&str| {
        Card::ALL
            .into_iter()
            .any(|card| card.name().eq_ignore_ascii_case(name))
    };
    if names.len() != 5 || !names.iter().all(is_known) {
        return Err(FORM);
    }
    let are_spelt = names.iter().all(|name| Card::named(name).is_some());
    Err(if are_spelt {
        "oni/setup/five-different"
    } else {
        "oni/setup/card-names"
    })
}

/// The player who starts.
fn read_starter(line: &[u8]) -> Option<Seat> {
    let name = line.strip_suffix(b" starts")?;
    let mut seats = Seat::BOTH.into_iter();
    seats.find(|seat| SIDES[seat.index()].as_bytes() == name)
}

/// Form of a line of three words with single blanks between names, of which the last two look like cells.
enum Shape {
    CardMove(CardMove),
    /// There is no card of that name.
    NoSuchCard,
    /// The card exists, and a cell is off the board.
    OffBoard,
}

/// Reads `<card> <origin> <destination>`; `None` for what does not have that shape at all.
fn read_move(line: &[u8]) -> Option<Shape> {
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
        (None, ..) => Shape::NoSuchCard,
        (Some(card), Some(from), Some(to)) => Shape::CardMove(CardMove { card, from, to }),
        _ => Shape::OffBoard,
    })
}

static DATA: DialectData = DialectData {
    has_spectators: false,
    greeting: GREETING,
    seat_lines: ["You are Top", "You are Bottom"],
    // "If the move is valid, it is applied, and broadcast back to **both** players."; of a loss nobody is told.
    lines: LineRequirements {
        moves: [Some("oni/move/confirmed"), Some("oni/move/broadcast"), None],
        last_move: Some("oni/win/broadcast"),
        ..LineRequirements::NOTHING
    },
    bot_format: "oni/bot/format",
    ..DialectData::new("onitama-judge", &Onitama, &SPECIFICATION)
};

impl Dialect for OnitamaJudge {
    fn data(&self) -> &'static DialectData {
        &DATA
    }

    fn check_setup(&self, part: u8, line: &[u8], known: Option<&[u8]>) -> Result<(), &'static str> {
        let repeated = match part {
            CARDS => read_cards(line).map(|_| "oni/setup/cards-to-both")?,
            _ => {
                read_starter(line).ok_or(STARTS)?;
                STARTS
            }
        };
        match known {
            Some(known) if known != line => Err(repeated),
            _ => Ok(()),
        }
    }

    fn setup_of(&self, [cards, starter]: [Option<&[u8]>; 2]) -> Option<Setup> {
        let (cards, starter) = (read_cards(cards?).ok()?, read_starter(starter?)?);
        Deal::new(cards, starter).map(Deal::setup)
    }

    fn setup_line(&self, part: u8, setup: Setup) -> Vec<u8> {
        let Deal { cards, starter } = Deal::of(setup);
        let line = match part {
            CARDS => format!("Cards: {}", card_list(cards)),
            _ => format!("{} starts", SIDES[starter.index()]),
        };
        line.into_bytes()
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
            Some(Shape::CardMove(step)) => PlayerLine::Move(step.packed()),
            Some(Shape::NoSuchCard) => invalid_or_ignored("oni/input/unknown-card"),
            Some(Shape::OffBoard) => invalid_or_ignored("oni/input/off-board"),
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
        let misread = OnitamaRules::variant(OnitamaVariant {
            cells,
            ..OnitamaVariant::STANDARD
        });
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
    let words: Vec<&[u8]> = line
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
        .collect();
    line.iter().any(u8::is_ascii_whitespace)
        && matches!(read_move(&words.join(&b' ')), Some(Shape::CardMove(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case_files::assert_lines;
    use crate::protocol::Facts;

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
        use crate::rules::Game;
        let setup = Onitama.parse_setup("Cobra,Eel,Crab,Rabbit,Tiger; bottom starts");
        assert_eq!(facts.setup, setup);
    }
}
