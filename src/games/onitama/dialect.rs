//! Onitama as the judge of seed `004` speaks it ("The judge").

use super::SPECIFICATION;
use super::{Card, CardMove, Deal, Onitama, SIDES, card_list, cards_from_list, cell};
use crate::protocol::{
    Dialect, Facts, GameEvent, Greeting, LINE_LIMIT, Open, OwedLine, Party, PlayerLine,
    RefereeLine, Slot,
};
use crate::requirement::Specification;
use crate::rules::{Game, Move, Seat};

/// The dialect, in the pack of its game.
#[derive(Debug)]
pub struct OnitamaJudge;

/// The part of the setup that the line `Cards: …` tells: the deal, as if Top started.
const CARDS: u8 = 0;
/// The part that the line `… starts` tells: the seat.
const STARTER: u8 = 1;

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
        requirement: "oni/setup/starter",
        syntax: "`Top starts` or `Bottom starts`",
    },
];

fn seat_named(name: &[u8]) -> Option<Seat> {
    Seat::BOTH
        .into_iter()
        .find(|seat| SIDES[seat.index()].as_bytes() == name)
}

/// The parts of the setup that the facts tell.
fn parts(facts: &Facts) -> (Option<Deal>, Option<Seat>) {
    if let Some(setup) = facts.setup {
        let deal = Deal::of(setup);
        return (Some(deal), Some(deal.starter));
    }
    let [cards, starter] = facts.setup_parts;
    let deal = cards.map(|number| Deal::of(crate::rules::Setup(number)));
    (deal, starter.map(|index| Seat::BOTH[index as usize]))
}

/// The cards that a line of the handshake tells, as the number under which [`Facts`] keep them.
fn read_cards(line: &[u8]) -> Result<u64, &'static str> {
    const FORM: &str = "oni/setup/cards";
    let text = std::str::from_utf8(line).map_err(|_| FORM)?;
    let list = text.strip_prefix("Cards: ").ok_or(FORM)?;
    if let Some(cards) = cards_from_list(list) {
        return Deal::new(cards, Seat::First)
            .map(|deal| deal.setup().0)
            .ok_or(FORM);
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

/// The seat of the player who starts, as the number under which [`Facts`] keep it.
fn read_starter(line: &[u8]) -> Option<u64> {
    seat_named(line.strip_suffix(b" starts")?).map(|seat| seat.index() as u64)
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

impl Dialect for OnitamaJudge {
    fn name(&self) -> &'static str {
        "onitama-judge"
    }

    fn game(&self) -> &'static dyn Game {
        &Onitama
    }

    fn has_spectators(&self) -> bool {
        false
    }

    fn specification(&self) -> Option<&'static Specification> {
        Some(&SPECIFICATION)
    }

    fn greeting(&self, is_spectator: bool) -> &'static [Greeting] {
        if is_spectator { &[] } else { GREETING }
    }

    fn seat_lines(&self) -> [&'static str; 2] {
        ["You are Top", "You are Bottom"]
    }

    fn read_setup(&self, part: u8, line: &[u8], facts: &mut Facts) -> Result<(), &'static str> {
        let (value, repeated) = match part {
            CARDS => (read_cards(line)?, "oni/setup/cards-to-both"),
            _ => (
                read_starter(line).ok_or("oni/setup/starter")?,
                "oni/setup/starter",
            ),
        };
        if self.write_setup(part, facts).is_some_and(|due| due != line) {
            return Err(repeated);
        }
        facts
            .setup_part(part, value)
            .expect("it is what the known line says");
        if let (Some(deal), Some(starter)) = parts(facts) {
            facts.setup = Some(Deal { starter, ..deal }.setup());
        }
        Ok(())
    }

    fn write_setup(&self, part: u8, facts: &Facts) -> Option<Vec<u8>> {
        let (deal, starter) = parts(facts);
        let line = match part {
            CARDS => format!("Cards: {}", card_list(deal?.cards)),
            _ => format!("{} starts", SIDES[starter?.index()]),
        };
        Some(line.into_bytes())
    }

    /// "If the move is valid, it is applied, and broadcast back to **both** players."; of a loss nobody is told.
    fn tell(&self, happening: &GameEvent, to: Party, out: &mut Vec<OwedLine>) {
        if let GameEvent::Moved { by, mv, result } = *happening {
            let requirement = match to {
                _ if result.is_some() => "oni/win/broadcast",
                Party::Player(seat) if seat == by => "oni/move/confirmed",
                _ => "oni/move/broadcast",
            };
            out.push(OwedLine::must(self.write_move(mv), requirement));
        }
    }

    fn hear(&self, line: &[u8]) -> RefereeLine {
        match read_move(line) {
            Some(Shape::CardMove(step)) => RefereeLine::Move(step.packed()),
            _ => RefereeLine::Other,
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
        let CardMove { card, from, to } = CardMove::of(mv)?;
        let turned = |cell: u8| (4 - cell / 5) * 5 + cell % 5;
        let meant = CardMove {
            card,
            from: turned(from),
            to: turned(to),
        }
        .packed();
        Some((
            meant,
            "oni/board/cells",
            "the rows were numbered from the bottom",
        ))
    }

    fn bot_line_requirement(&self, _line: &[u8]) -> &'static str {
        "oni/bot/format"
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

    #[test]
    fn a_setup_is_learnt_from_two_lines_and_is_the_same_for_both_players() {
        let mut facts = Facts::default();
        assert_lines("onitama-setup-lines", |line| {
            let number = if line.contains("starts") {
                STARTER
            } else {
                CARDS
            };
            let read = OnitamaJudge.read_setup(number, line.as_bytes(), &mut facts);
            format!("{read:?}")
        });
        use crate::rules::Game;
        let setup = Onitama.parse_setup("Cobra,Eel,Crab,Rabbit,Tiger; bottom starts");
        assert_eq!(facts.setup, setup);
    }
}
