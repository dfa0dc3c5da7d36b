//! The first difference between two finished games, turn by turn.

use super::{Frame, FrameAction, Replay};
use crate::archive::FinishedGame;
use crate::diagnostic::visible;
use crate::pack::GamePart;
use crate::rules::{Phase, Roll, Seat, Table};
use crate::verify::Ending;

/// Describes the first difference between two games, with a name before each side; `None` if they are equal, as far as the formats of both tell:
/// numbers of equal tokens and coins of a roll count only where both files have them.
#[must_use]
pub fn first_difference(both: [&FinishedGame; 2], names: [&str; 2]) -> Option<String> {
    let sides = |texts: [&str; 2]| sides(names, texts);
    let replays = [Replay::new(both[0])?, Replay::new(both[1])?];
    let games = replays.each_ref().map(|replay| replay.game().name());
    if games[0] != games[1] {
        return Some(format!("different games\n{}", sides(games)));
    }
    if let (Some(one), Some(other)) = (both[0].setup, both[1].setup)
        && one != other
    {
        return Some("different random setups".to_owned());
    }
    for seat in Seat::BOTH {
        if let (Some(one), Some(other)) = (&both[0].names[seat], &both[1].names[seat])
            && one != other
        {
            let shown = [one, other].map(|name| visible::plain(name).at_most(60).to_string());
            let seat = replays[0].game().seat_name(seat);
            let sides = sides([&shown[0], &shown[1]]);
            return Some(format!("different names of the {seat} player\n{sides}"));
        }
    }
    let has = |part| both.iter().all(|game| game.format.keeps.contains(&part));
    for number in 1..=replays[0].last().max(replays[1].last()) {
        let turns = replays.each_ref().map(|replay| turn(replay, number));
        let [before, _] = replays
            .each_ref()
            .map(|replay| replay.frames().get(number - 1));
        let is_equal = match (turns, before) {
            ([None, None], _) => break,
            ([Some(one), Some(other)], Some(before)) => {
                is_same_roll(&*before.table, [one, other], has(GamePart::Coins))
                    && is_same_move(one, other, has(GamePart::TokenNumbers))
            }
            _ => false,
        };
        if !is_equal {
            let words = [0, 1].map(|side| match turns[side] {
                Some(turn) => in_words(&replays[side], turn),
                None => "the game has no such turn".to_owned(),
            });
            let equal = match number - 1 {
                0 => String::new(),
                1 => "; turn 1 is equal".to_owned(),
                last => format!("; turns 1 to {last} are equal"),
            };
            let sides = sides([&words[0], &words[1]]);
            let board = before.map_or(String::new(), |before| before.table.draw());
            let board = board.trim_end();
            return Some(format!(
                "different in turn {number}{equal}\n{sides}\n\nbefore turn {number}:\n{board}"
            ));
        }
    }
    let ends = [0, 1].map(|side| end(both[side], &replays[side]));
    let is_end = ends[0] != ends[1] && has(GamePart::Loss);
    is_end.then(|| format!("different ends\n{}", sides([&ends[0], &ends[1]])))
}

fn sides(names: [&str; 2], texts: [&str; 2]) -> String {
    let width = names.map(|name| name.chars().count()).into_iter().max();
    let width = width.unwrap_or(0);
    let line = |side: usize| format!("  {:width$}  {}", names[side], texts[side]);
    format!("{}\n{}", line(0), line(1))
}

/// A turn that has ended, and by which nobody has lost.
fn turn(replay: &Replay, number: usize) -> Option<&Frame> {
    let is_over = |frame: &&Frame| {
        matches!(
            frame.deed,
            FrameAction::Moved { .. } | FrameAction::Skipped { .. }
        )
    };
    replay.frames().get(number).filter(is_over)
}

fn is_same_roll(before: &dyn Table, turns: [&Frame; 2], has_coins: bool) -> bool {
    match turns.map(|turn| turn.roll) {
        [Some(one), Some(other)] if has_coins => one == other,
        [Some(one), Some(other)] => after(before, one) == after(before, other),
        _ => true,
    }
}

/// The moves that a roll allows, with the position after each.
fn after(before: &dyn Table, roll: Roll) -> Vec<(crate::rules::Move, u64)> {
    let mut table = before.fork();
    if table.phase() != Phase::Roll || !table.take_roll(roll) {
        return Vec::new();
    }
    let moves = table.legal_moves().into_iter();
    let positions = moves.map(|mv| {
        let mut moved = table.fork();
        moved.play(mv).expect("the move is legal");
        (mv, moved.fingerprint())
    });
    positions.collect()
}

fn is_same_move(one: &Frame, other: &Frame, has_numbers: bool) -> bool {
    match (&one.deed, &other.deed) {
        (FrameAction::Moved { mv: one, .. }, FrameAction::Moved { mv: other, .. })
            if has_numbers =>
        {
            one == other
        }
        (FrameAction::Moved { .. }, FrameAction::Moved { .. })
        | (FrameAction::Skipped { .. }, FrameAction::Skipped { .. }) => {
            one.table.canonical_fingerprint() == other.table.canonical_fingerprint()
        }
        _ => false,
    }
}

/// A turn in words: `Alice (first) rolled 0 1 1 0: token 0 from cell 3 to cell 5`.
fn in_words(replay: &Replay, turn: &Frame) -> String {
    let who = turn.by.map_or(String::new(), |by| replay.player(by));
    let roll = turn.roll.map(|roll| replay.game().format_roll(roll));
    let rolled = roll.map_or(String::new(), |roll| format!(" rolled {roll}"));
    match &turn.deed {
        FrameAction::Moved { what, .. } => format!("{who}{rolled}: {what}"),
        _ => format!("{who}{rolled}: turn skipped"),
    }
}

/// The end of a game in words.
fn end(game: &FinishedGame, replay: &Replay) -> String {
    match (game.wrong(), game.ending) {
        (Some(wrong), _) => format!("wrong: {}", visible::plain(&wrong.title)),
        (None, Some(Ending::Lost { by, .. })) => format!("{} has lost", replay.player(by)),
        (None, Some(Ending::Over(_))) => "over by the rules".to_owned(),
        (None, _) => "incomplete".to_owned(),
    }
}
