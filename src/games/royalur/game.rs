//! The Royal Game of Ur as a game: names, notation and variants.

use std::time::Duration;

use super::UrRules;
use super::facts::SITUATIONS;
use super::mistakes::MISTAKES;
use super::position::TOKENS;
use super::rules::{HOME, KINDS_OF_ROLL, OCCUPIED_ROSETTE, OVERSHOOT, OWN_TOKEN};
use crate::rules::{
    Course, CoverageItem, Game, GameData, Mistake, Move, MoveKind, Remnant, Roll, Setup, Table,
};

/// The game, in its pack.
#[derive(Debug)]
pub struct RoyalUr;

static DATA: GameData = GameData {
    // Seed `000` calls the game `chess`.
    aliases: &["ur", "chess"],
    mistakes: Some(&MISTAKES),
    remnants: &[
        Remnant::OF_BOARD,
        Remnant::OF_TURN,
        Remnant::OF_POSITION,
        (
            Remnant::Score,
            Mistake::new(
                "score-of-earlier-games",
                "tokens that were out in the games before counted as well",
                "ur/win/seven-out",
            ),
        ),
    ],
    rolls: KINDS_OF_ROLL,
    roll_syntax: "four coins such as `0 1 1 0`",
    kinds: &[
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
    ],
    refusals: &[&HOME, &OVERSHOOT, &OWN_TOKEN, &OCCUPIED_ROSETTE],
    // Seed `000`: "`pace`: the minimum number of seconds between turns (default: `1.5`, min: `0`, max: `30`)".
    longest_pace: Some(Duration::from_secs(30)),
    default_pace: Some(Duration::from_millis(1500)),
    // Seed `000`: "the default timeout is `90` seconds".
    default_timeout: Some(Duration::from_secs(90)),
    move_syntax: "the number of a token, 0 to 6",
    moves: TOKENS as u32,
    ..GameData::new("royalur", "Royal Game of Ur", ["first", "second"])
};

impl Game for RoyalUr {
    fn data(&self) -> &'static GameData {
        &DATA
    }

    fn table(&self, setup: Setup) -> Box<dyn Table> {
        Box::new(Course::new(UrRules::COMPILED, setup))
    }

    /// Four fair coins: the four highest bits.
    fn draw_roll(&self, random: u64) -> Roll {
        Roll((random >> 60) as u16)
    }

    /// `0 1 1 0` or `0110`.
    fn parse_roll(&self, text: &str) -> Option<Roll> {
        let coins: String = text.split_ascii_whitespace().collect();
        let is_roll = coins.len() == 4 && coins.bytes().all(|coin| b"01".contains(&coin));
        let roll = u16::from_str_radix(&coins, 2);
        roll.ok().filter(|_| is_roll).map(Roll)
    }

    fn format_roll(&self, roll: Roll) -> String {
        coins(roll).to_string()
    }

    /// One digit without sign.
    fn parse_move(&self, text: &str) -> Option<Move> {
        let &[digit] = text.as_bytes() else {
            return None;
        };
        let token = u32::from(digit.wrapping_sub(b'0'));
        ((token as usize) < TOKENS).then_some(Move(token))
    }

    fn format_move(&self, mv: Move) -> String {
        mv.0.to_string()
    }

    fn coverage_items(&self) -> &'static [CoverageItem] {
        SITUATIONS.items()
    }
}

const LINES: [&str; 16] = [
    "0 0 0 0", "0 0 0 1", "0 0 1 0", "0 0 1 1", "0 1 0 0", "0 1 0 1", "0 1 1 0", "0 1 1 1",
    "1 0 0 0", "1 0 0 1", "1 0 1 0", "1 0 1 1", "1 1 0 0", "1 1 0 1", "1 1 1 0", "1 1 1 1",
];

/// The four coins of a roll as the wire shows them: `0 1 1 0` (seed `000`: "4 space-separated binary digits").
#[must_use]
pub fn coins(roll: Roll) -> &'static str {
    LINES[usize::from(roll.0 & 0xF)]
}

/// Reads the wire's form of a roll, exactly.
#[inline]
#[must_use]
pub fn roll_from_coins(line: &[u8]) -> Option<Roll> {
    let &[a, b, c, d, e, f, g] = line else {
        return None;
    };
    roll_from_line([a, b, c, d, e, f, g, b'\n'])
}

/// Reads the wire's form of a roll with its newline.
#[inline]
#[must_use]
pub fn roll_from_line(line: [u8; 8]) -> Option<Roll> {
    const COINS: u64 = 0x0100_0100_0100_0100;
    // All characters at once: each coin with the character after it.
    let text = u64::from_be_bytes(line);
    let coins = text & COINS;
    let roll = (coins >> 53 | coins >> 38 | coins >> 23 | coins >> 8) & 0xF;
    (text ^ coins == u64::from_be_bytes(*b"0 0 0 0\n")).then_some(Roll(roll as u16))
}

/// A roll with so many heads, tails first.
pub(super) fn heads(count: u64) -> Roll {
    Roll((1 << count.min(4)) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case_files::assert_lines;
    use crate::games::royalur::RoyalUr;
    use crate::rules::Game;

    #[test]
    fn reads_every_roll_that_it_writes() {
        for number in 0..16 {
            let roll = Roll(number);
            assert_eq!(roll_from_coins(coins(roll).as_bytes()), Some(roll));
            assert_eq!(RoyalUr.parse_roll(coins(roll)), Some(roll));
            assert_eq!(
                RoyalUr.parse_roll(&coins(roll).replace(' ', "")),
                Some(roll)
            );
        }
    }

    #[test]
    fn says_of_each_text_whether_it_is_a_roll_or_a_token() {
        assert_lines("royalur-rolls", |text| {
            let (line, written) = (roll_from_coins(text.as_bytes()), RoyalUr.parse_roll(text));
            format!("{line:?}, {written:?}")
        });
        assert_lines("royalur-moves", |text| {
            format!("{:?}", RoyalUr.parse_move(text))
        });
    }
}
