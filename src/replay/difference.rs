//! The first difference between two finished games, turn by turn.

use super::{Frame, FrameAction, Replay};
use crate::diagnostic::visible;
use crate::pack::GamePart;
use crate::rules::{PictureChange, Seat};
use crate::verify::Ending;

/// Describes the first difference between two games, with a name before each side; `None` if they are equal, as far as the formats of both tell:
/// numbers of equal tokens, and rolls apart from the moves, count only where both files have every coin and number.
#[must_use]
pub fn first_difference(both: [&Replay; 2], names: [&str; 2]) -> Option<String> {
    let difference = |of: &str, texts: [&str; 2]| {
        let width = names.map(|name| name.chars().count()).into_iter().max();
        let width = width.unwrap_or(0);
        let line = |side: usize| format!("\n  {:width$}  {}", names[side], texts[side]);
        format!("different {of}{}{}", line(0), line(1))
    };
    for ((of, one), (_, other)) in facts(both[0]).into_iter().zip(facts(both[1])) {
        if let (Some(one), Some(other)) = (one, other)
            && one != other
        {
            return Some(difference(&of, [&one, &other]));
        }
    }
    let has = |part| {
        let formats = both.map(|replay| replay.finished.format);
        formats.iter().all(|format| format.keeps.contains(&part))
    };
    for number in 1.. {
        let turns = both.map(|replay| replay.frames().get(number).filter(|turn| is_played(turn)));
        match turns {
            [None, None] => break,
            [Some(one), Some(other)] if is_same(one, other, has) => continue,
            _ => {}
        }
        let words = [0, 1].map(|side| match turns[side] {
            Some(turn) => both[side].describe(turn),
            None => "the game has no such turn".to_owned(),
        });
        let difference = difference(&format!("in turn {number}"), [&words[0], &words[1]]);
        let board = both[0].frames()[number - 1].table.draw();
        let board = board.trim_end();
        return Some(format!("{difference}\n\nbefore turn {number}:\n{board}"));
    }
    let ends = both.map(end);
    let is_end = ends[0] != ends[1] && has(GamePart::Loss);
    is_end.then(|| difference("ends", [&ends[0], &ends[1]]))
}

/// The facts of a game before its first turn, as far as they are known. Games of one kind have the same ones.
fn facts(replay: &Replay) -> Vec<(String, Option<String>)> {
    let (game, outcome) = (replay.game(), &replay.finished.outcome);
    let setup = outcome.setup.filter(|_| !game.setup_keys().is_empty());
    let mut facts = vec![
        ("games".to_owned(), Some(game.title().to_owned())),
        (
            "random setups".to_owned(),
            setup.map(|setup| game.format_setup(setup)),
        ),
    ];
    facts.extend(Seat::BOTH.map(|seat| {
        let name = outcome.names[seat].as_ref().map(|_| replay.player(seat));
        (
            format!("names of the {} player", game.seat_name(seat)),
            name,
        )
    }));
    facts
}

/// Returns true for a turn that has ended, and by which nobody has lost.
fn is_played(turn: &Frame) -> bool {
    matches!(
        turn.action,
        FrameAction::Moved { .. } | FrameAction::Skipped { .. }
    )
}

/// Returns true if the turns are equal, as far as both formats tell. `has`: a part that both formats keep.
fn is_same(one: &Frame, other: &Frame, has: impl Fn(GamePart) -> bool) -> bool {
    let is_same_roll = match (one.roll, other.roll) {
        (Some(one), Some(other)) if has(GamePart::Coins) => one == other,
        _ => true,
    };
    let facts = |turn: &Frame| {
        let PictureChange {
            from,
            to,
            captured,
            card,
            ..
        } = turn.change.clone();
        (turn.by, from, to, captured.is_some(), card)
    };
    let is_same_position = match has(GamePart::TokenNumbers) {
        true => one.table.fingerprint() == other.table.fingerprint(),
        false => facts(one) == facts(other),
    };
    is_same_roll && is_same_position
}

/// The end of a game in words.
fn end(replay: &Replay) -> String {
    match (replay.finished.outcome.failure(), replay.finished.ending) {
        (Some(wrong), _) => format!("wrong: {}", visible::plain(&*wrong.title)),
        (None, Some(Ending::Lost { by, .. })) => format!("{} has lost", replay.player(by)),
        (None, Some(Ending::Over(_))) => "over by the rules".to_owned(),
        (None, _) => "incomplete".to_owned(),
    }
}
