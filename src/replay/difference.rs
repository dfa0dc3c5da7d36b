//! The first difference between two finished games, turn by turn.

use super::{Frame, FrameAction, Replay};
use crate::diagnostic::visible;
use crate::pack::GamePart;
use crate::rules::{Phase, Roll, Seat, Table};
use crate::verify::Ending;

/// Describes the first difference between two games, with a name before each side; `None` if they are equal, as far as the formats of both tell:
/// numbers of equal tokens and coins of a roll count only where both files have them.
#[must_use]
pub fn first_difference(both: [&Replay; 2], names: [&str; 2]) -> Option<String> {
    let sides = |texts: [&str; 2]| {
        let width = names.map(|name| name.chars().count()).into_iter().max();
        let width = width.unwrap_or(0);
        let line = |side: usize| format!("  {:width$}  {}", names[side], texts[side]);
        format!("{}\n{}", line(0), line(1))
    };
    let games = both.map(|replay| replay.game().name());
    if games[0] != games[1] {
        return Some(format!("different games\n{}", sides(games)));
    }
    let setups = both.map(|replay| replay.finished.judged.setup);
    if setups[0] != setups[1] && setups.iter().all(Option::is_some) {
        return Some("different random setups".to_owned());
    }
    for seat in Seat::BOTH {
        let known = both.map(|replay| replay.finished.judged.names[seat].as_deref());
        if known[0] != known[1] && known.iter().all(Option::is_some) {
            let shown = both.map(|replay| replay.player(seat));
            let seat = both[0].game().seat_name(seat);
            let sides = sides([&shown[0], &shown[1]]);
            return Some(format!("different names of the {seat} player\n{sides}"));
        }
    }
    let has = |part| {
        let formats = both.map(|replay| replay.finished.format);
        formats.iter().all(|format| format.keeps.contains(&part))
    };
    let (has_coins, has_numbers) = (has(GamePart::Coins), has(GamePart::TokenNumbers));
    let last = both[0].last().max(both[1].last());
    for number in 1..=last {
        let turns = both.map(|replay| turn(replay, number));
        let before = both[0].frames().get(number - 1);
        match (turns, before) {
            ([None, None], _) => break,
            ([Some(one), Some(other)], Some(before))
                if is_same_roll(&*before.table, [one, other], has_coins)
                    && position(one, has_numbers) == position(other, has_numbers) =>
            {
                continue;
            }
            _ => {}
        }
        let words = [0, 1].map(|side| match turns[side] {
            Some(turn) => both[side].describe(turn),
            None => "the game has no such turn".to_owned(),
        });
        let board = before.map_or(String::new(), |before| before.table.draw());
        let (sides, board) = (sides([&words[0], &words[1]]), board.trim_end());
        return Some(format!(
            "different in turn {number}\n{sides}\n\nbefore turn {number}:\n{board}"
        ));
    }
    let ends = both.map(end);
    let is_end = ends[0] != ends[1] && has(GamePart::Loss);
    is_end.then(|| format!("different ends\n{}", sides([&ends[0], &ends[1]])))
}

/// A turn that has ended, and by which nobody has lost.
fn turn(replay: &Replay, number: usize) -> Option<&Frame> {
    let frame = replay.frames().get(number)?;
    let is_over = matches!(
        frame.action,
        FrameAction::Moved { .. } | FrameAction::Skipped { .. }
    );
    is_over.then_some(frame)
}

/// Returns true if both rolls have the same coins, or where these are not told, allow the same moves.
fn is_same_roll(before: &dyn Table, turns: [&Frame; 2], has_coins: bool) -> bool {
    let allowed = |roll: Roll| -> Vec<String> {
        let mut table = before.fork();
        if table.phase() != Phase::Roll || !table.take_roll(roll) {
            return Vec::new();
        }
        let moves = table.legal_moves().into_iter();
        moves.map(|mv| table.describe_move(mv)).collect()
    };
    match turns.map(|turn| turn.roll) {
        [Some(one), Some(other)] if has_coins => one == other,
        [Some(one), Some(other)] => allowed(one) == allowed(other),
        _ => true,
    }
}

/// A number for the position after a turn; positions with other numbers of tokens are equal unless these are told.
fn position(turn: &Frame, has_numbers: bool) -> u64 {
    match has_numbers {
        true => turn.table.fingerprint(),
        false => turn.table.canonical_fingerprint(),
    }
}

/// The end of a game in words.
fn end(replay: &Replay) -> String {
    match (replay.finished.wrong(), replay.finished.judged.ending) {
        (Some(wrong), _) => format!("wrong: {}", visible::plain(&wrong.title)),
        (None, Some(Ending::Lost { by, .. })) => format!("{} has lost", replay.player(by)),
        (None, Some(Ending::Over(_))) => "over by the rules".to_owned(),
        (None, _) => "incomplete".to_owned(),
    }
}
