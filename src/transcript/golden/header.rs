//! The header of a block: which lane it is.

use crate::diagnostic::suggest;
use crate::rules::Seat;
use crate::transcript::LaneLabel;

/// The words between the brackets.
pub(super) fn write(label: LaneLabel, seat_names: [&'static str; 2]) -> String {
    match label {
        LaneLabel::Player(seat) => seat_names[seat.index()].to_owned(),
        LaneLabel::Spectator(number) => format!("spectator {number}"),
        LaneLabel::Unseated(number) => format!("player {number}"),
    }
}

/// Reads the words between the brackets.
///
/// # Errors
/// Advice on the text to write instead.
pub(super) fn read(words: &str, seat_names: [&'static str; 2]) -> Result<LaneLabel, String> {
    if let Some(seat) = Seat::BOTH
        .into_iter()
        .find(|seat| seat_names[seat.index()] == words)
    {
        return Ok(LaneLabel::Player(seat));
    }
    let kind = words.split(' ').next().unwrap_or_default();
    let number = words
        .strip_prefix(kind)
        .and_then(|rest| rest.strip_prefix(' '))
        .and_then(number);
    match (kind, number) {
        ("spectator", Some(number)) => return Ok(LaneLabel::Spectator(number)),
        ("player", Some(number)) => return Ok(LaneLabel::Unseated(number)),
        _ => {}
    }
    let [first, second] = seat_names;
    let known = [first, second, "spectator", "player"];
    Err(match suggest(kind, known) {
        Some(word @ ("spectator" | "player")) => format!("write `[{word} N]` with a number from 1"),
        Some(word) => format!("write `[{word}]`"),
        None => format!("lanes are `[{first}]`, `[{second}]`, `[spectator N]` and `[player N]`"),
    })
}

fn number(digits: &str) -> Option<u32> {
    let is_canonical = !digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_canonical.then(|| digits.parse().ok())?
}
