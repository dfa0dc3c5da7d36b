//! The first difference between two finished games, turn by turn.

use super::Game;
use crate::diagnostic::{Diagnostic, visible};
use crate::pack::{GamePart, NotatedTurn};
use crate::protocol::GameEvent;
use crate::rules::{self, Phase, Roll, Seat, Table};
use crate::verify::player;

/// The first difference between two games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GameDifference {
    /// They are different games: their names.
    Game([String; 2]),
    /// The games have different random setups.
    Setup,
    /// A player has different names.
    Name {
        /// The seat.
        seat: Seat,
        /// Both names, escaped for display.
        names: [String; 2],
    },
    /// A turn is different.
    Turn {
        /// Its number, from 1.
        number: usize,
        /// The turn in both games, in words; `None` in a game that has ended.
        turns: [Option<String>; 2],
        /// The position before the turn, drawn.
        board: String,
    },
    /// All turns are equal, and the games end differently: both ends in words.
    End([String; 2]),
}

/// Compares two games, as far as the formats of both tell: numbers of equal tokens and coins of a roll count only where both files have them.
///
/// # Errors
/// Fails for lines without rules.
pub fn first_difference(a: &Game, b: &Game) -> Result<Option<GameDifference>, Diagnostic> {
    let games = [a.rules()?.game(), b.rules()?.game()];
    if games[0].name() != games[1].name() {
        let names = games.map(|game| game.name().to_owned());
        return Ok(Some(GameDifference::Game(names)));
    }
    Ok(difference(games[0], [a, b]))
}

/// The first difference between two games by the same rules.
fn difference(game: &dyn rules::Game, both: [&Game; 2]) -> Option<GameDifference> {
    let [a, b] = both;
    if let (Some(one), Some(other)) = (a.setup, b.setup)
        && one != other
    {
        return Some(GameDifference::Setup);
    }
    for seat in Seat::BOTH {
        if let (Some(one), Some(other)) = (&a.names[seat], &b.names[seat])
            && one != other
        {
            let names = [one, other].map(|name| visible::plain(name).at_most(60).to_string());
            return Some(GameDifference::Name { seat, names });
        }
    }
    let has = |part| both.iter().all(|told| told.format.keeps.contains(&part));
    let mut tables = both.map(|told| game.table(told.setup.unwrap_or_default()));
    for number in 1..=a.turns.len().max(b.turns.len()) {
        let turns = both.map(|told| told.turns.get(number - 1));
        let before = tables.clone();
        let words = [0, 1]
            .map(|side| turns[side].map(|turn| in_words(game, both[side], &*before[side], turn)));
        for (table, turn) in tables.iter_mut().zip(turns) {
            play(&mut **table, turn);
        }
        let rolls = turns.map(|turn| turn.and_then(|turn| turn.rolled));
        let moves = turns.map(|turn| turn.map(|turn| turn.mv));
        let is_same_roll = match (rolls, has(GamePart::Coins)) {
            ([Some(one), Some(other)], true) => one == other,
            ([Some(one), Some(other)], false) => same_effect(&*before[0], one, other),
            _ => true,
        };
        let is_same_move = match has(GamePart::TokenNumbers) {
            true => moves[0] == moves[1],
            false => {
                moves[0].is_some() == moves[1].is_some()
                    && tables[0].canonical_fingerprint() == tables[1].canonical_fingerprint()
            }
        };
        if turns[0].is_some() != turns[1].is_some() || !is_same_roll || !is_same_move {
            let board = before[0].draw();
            return Some(GameDifference::Turn {
                number,
                turns: words,
                board,
            });
        }
    }
    let ends = both.map(|told| end(game, told));
    (ends[0] != ends[1] && has(GamePart::Loss)).then_some(GameDifference::End(ends))
}

/// Returns true if two rolls allow the same moves, with the same positions after them.
fn same_effect(before: &dyn Table, one: Roll, other: Roll) -> bool {
    let after = |roll| {
        let mut table = before.fork();
        if table.phase() != Phase::Roll || !table.take_roll(roll) {
            return Vec::new();
        }
        let positions = table.legal_moves().into_iter().map(|mv| {
            let mut moved = table.fork();
            moved.play(mv).expect("the move is legal");
            (mv, moved.fingerprint())
        });
        positions.collect()
    };
    after(one) == after(other)
}

fn play(table: &mut dyn Table, turn: Option<&NotatedTurn>) {
    let Some(turn) = turn else { return };
    if table.phase() == Phase::Roll {
        table.take_roll(turn.roll);
    }
    if let (Some(mv), Phase::Move) = (turn.mv, table.phase()) {
        // The file has been judged: a move that is wrong is the last.
        let _ = table.play(mv);
    }
}

/// A turn in words: `Alice (first) rolled 0 1 1 0: token 0 from cell 3 to cell 5`.
fn in_words(game: &dyn rules::Game, told: &Game, before: &dyn Table, turn: &NotatedTurn) -> String {
    let who = player(game, &told.names, turn.by);
    let mut table = before.fork();
    let has_roll = table.phase() == Phase::Roll;
    let rolled = match turn.rolled {
        Some(roll) if has_roll => format!(" rolled {}", game.format_roll(roll)),
        _ => String::new(),
    };
    if has_roll {
        table.take_roll(turn.roll);
    }
    match turn.mv {
        Some(mv) if table.check(mv).is_ok() => {
            format!("{who}{rolled}: {}", table.describe_move(mv))
        }
        Some(mv) => format!("{who}{rolled}: {}", game.format_move(mv)),
        None => format!("{who}{rolled}: turn skipped"),
    }
}

/// The end of a game in words.
fn end(game: &dyn rules::Game, told: &Game) -> String {
    match (told.wrong(), told.history.last()) {
        (Some(wrong), _) => format!("wrong: {}", visible::plain(&wrong.title)),
        (None, Some(GameEvent::Lost { by, .. })) => {
            format!("{} has lost", player(game, &told.names, *by))
        }
        (
            None,
            Some(GameEvent::Moved {
                result: Some(_), ..
            }),
        ) => "over by the rules".to_owned(),
        (None, _) => "incomplete".to_owned(),
    }
}
