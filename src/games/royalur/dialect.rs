//! Ur as Code Colosseum speaks it (seed `000`, "Implementation details").

use super::{RoyalUr, SPECIFICATION, roll_from_coins, roll_from_line};
use crate::protocol::{
    Dialect, DialectData, Greeting, LINE_LIMIT, Open, PlayerLine, Plays, RefereeLine, Slot,
};
use crate::rules::{Move, RollOrMove, Seat};

/// The line that tells that a player has lost.
const RETIRE: &[u8] = b"RETIRE";

/// The dialect, in the pack of its game.
#[derive(Debug)]
pub struct CodeColosseum;

/// The move of a token by the digit of its number.
#[inline]
fn token(digit: u8) -> Move {
    Move(u32::from(digit - b'0'))
}

/// Seed `000`: "At the beginning of the game both players will receive 3 lines"; "Spectators will only receive the first two".
const GREETING: &[Greeting] = &[
    Greeting {
        slot: Slot::Name(Seat::First),
        requirement: "ur/handshake/first-name",
        syntax: "the name of the first player",
    },
    Greeting {
        slot: Slot::Name(Seat::Second),
        requirement: "ur/handshake/second-name",
        syntax: "the name of the second player",
    },
    Greeting {
        slot: Slot::OwnSeat,
        requirement: "ur/handshake/index",
        syntax: "the seat of the receiver",
    },
];

static DATA: DialectData = DialectData {
    greeting: GREETING,
    greets_spectators: 2,
    loss_line: Some(RETIRE),
    odd_lines: &[b"-1", b"7", b"99999999999999999999", b"3 3"],
    // Seed `000`, the example game.
    example: &[
        ("0 0 1 1", Some("3")),
        ("1 1 1 1", Some("0")),
        ("1 0 1 0", Some("0")),
        ("0 1 0 0", Some("3")),
        ("0 0 0 0", None),
        ("1 0 1 1", Some("3")),
        ("0 0 1 1", Some("0")),
        ("0 0 0 1", Some("4")),
        ("1 0 1 0", Some("2")),
    ],
    seat_lines: ["0", "1"],
    ..DialectData::new("code-colosseum", &RoyalUr, &SPECIFICATION)
};

impl Dialect for CodeColosseum {
    fn data(&self) -> &'static DialectData {
        &DATA
    }

    #[inline]
    fn hear(&self, line: &[u8]) -> RefereeLine {
        match line {
            [digit @ b'0'..=b'6'] => RefereeLine::Move(token(*digit)),
            RETIRE => RefereeLine::Loss,
            _ => roll_from_coins(line).map_or(RefereeLine::Other, RefereeLine::Roll),
        }
    }

    /// Rolls and moves have a fixed length, so that no newline is searched. A loss and whatever is wrong is read line by line.
    fn read_plays(&self, stream: &[u8], mark: Option<u8>, plays: &mut Plays) -> bool {
        let mut rest = stream;
        loop {
            if let Some((&line, after)) = rest.split_first_chunk()
                && let Some(roll) = roll_from_line(line)
            {
                plays.all.push(RollOrMove::Roll(roll));
                rest = after;
                continue;
            }
            let (is_sent, line) = match rest.split_first() {
                Some((&first, line)) if Some(first) == mark => (true, line),
                _ => (false, rest),
            };
            let [digit @ b'0'..=b'6', b'\n', after @ ..] = line else {
                return plays.read(self, rest, mark);
            };
            if is_sent {
                plays.sent.push(plays.all.len());
            }
            plays.all.push(RollOrMove::Move(token(*digit)));
            rest = after;
        }
    }

    fn read_player_line(&self, line: &[u8]) -> PlayerLine {
        if let [digit @ b'0'..=b'6'] = line {
            return PlayerLine::Move(token(*digit));
        }
        if line.len() >= LINE_LIMIT {
            return PlayerLine::Open(Open {
                mv: None,
                may_lose: true,
                may_be_ignored: true,
                requirement: "ur/input/long-line",
            });
        }
        let trimmed = line.trim_ascii();
        let number = trimmed.strip_prefix(b"+").unwrap_or(trimmed);
        match str::from_utf8(number).map(str::parse) {
            Ok(Ok(token @ 0..=6_u64)) if is_number(number) => PlayerLine::Open(Open {
                mv: Some(Move(token as u32)),
                may_lose: true,
                may_be_ignored: false,
                requirement: match line.ends_with(b"\r") {
                    true => "ur/input/crlf",
                    false => "ur/input/number-format",
                },
            }),
            _ if is_number(number) => PlayerLine::Invalid("ur/retire/number-out-of-range"),
            _ if number.strip_prefix(b"-").is_some_and(is_number) => {
                PlayerLine::Invalid("ur/retire/negative-number")
            }
            _ if line.is_empty() => PlayerLine::Invalid("ur/retire/empty-line"),
            _ => PlayerLine::Invalid("ur/retire/not-a-number"),
        }
    }

    fn no_roll_requirement(&self, line: &[u8]) -> Option<&'static str> {
        let coins = line.iter().filter(|&&byte| byte != b' ').count();
        let is_coins = line.iter().all(|byte| b"01 ".contains(byte)) && line.contains(&b' ');
        (is_coins && coins != 4).then_some("ur/roll/four-coins")
    }

    fn no_move_requirement(&self, line: &[u8]) -> Option<&'static str> {
        let is_invalid = matches!(self.read_player_line(line), PlayerLine::Invalid(_));
        let is_token = is_invalid && is_number(line.strip_prefix(b"-").unwrap_or(line));
        is_token.then_some("ur/tokens/numbered-0-to-6")
    }
}

fn is_number(digits: &[u8]) -> bool {
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}
