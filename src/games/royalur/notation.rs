//! Ur in text: four coins, a token's number.

use crate::rules::{Move, Roll};

use super::TOKENS;

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

/// Reads a roll as people write it: `0 1 1 0` or `0110`.
pub(super) fn parse_roll(text: &str) -> Option<Roll> {
    let mut roll = 0;
    let mut coins = 0;
    for digit in text.chars().filter(|c| !c.is_ascii_whitespace()) {
        roll = roll << 1 | u16::try_from(digit.to_digit(2)?).ok()?;
        coins += 1;
        if coins > 4 {
            return None;
        }
    }
    (coins == 4).then_some(Roll(roll))
}

/// Reads a token's number, one digit without sign.
pub(super) fn parse_move(text: &str) -> Option<Move> {
    let &[digit] = text.as_bytes() else {
        return None;
    };
    let token = u32::from(digit.wrapping_sub(b'0'));
    ((token as usize) < TOKENS).then_some(Move(token))
}

/// A roll with so many heads, tails first.
pub(super) fn heads(count: u64) -> Roll {
    Roll((1 << count.min(4)) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case_files::assert_lines;

    #[test]
    fn reads_every_roll_that_it_writes() {
        for number in 0..16 {
            let roll = Roll(number);
            assert_eq!(roll_from_coins(coins(roll).as_bytes()), Some(roll));
            assert_eq!(parse_roll(coins(roll)), Some(roll));
            assert_eq!(parse_roll(&coins(roll).replace(' ', "")), Some(roll));
        }
    }

    #[test]
    fn says_of_each_text_whether_it_is_a_roll_or_a_token() {
        assert_lines("royalur-rolls", |text| {
            let (line, written) = (roll_from_coins(text.as_bytes()), parse_roll(text));
            format!("{line:?}, {written:?}")
        });
        assert_lines("royalur-moves", |text| format!("{:?}", parse_move(text)));
    }
}
