//! Steered games reach what is wanted.

use super::*;
use crate::pack;
use crate::rules::{RollSource, Setup};

fn random(mut number: u64) -> impl FnMut() -> u64 {
    move || {
        number = number
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        number ^ number >> 29
    }
}

/// Plays to the end and counts the situations that were seen, of those whose name contains a word.
fn seen(game: &dyn Game, word: &str, is_steered: bool, seed: u64) -> usize {
    let is_meant = |item: usize| game.coverage_items()[item].name.contains(word);
    let steering = Steering::towards(game, |item| is_steered && is_meant(item));
    let mut dice = RollSource::new([], seed);
    let mut table = game.table(game.draw_setup(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
    let mut random = random(seed);
    let mut seen = Vec::new();
    loop {
        match table.phase() {
            Phase::Over(_) => break,
            Phase::Roll => {
                table.take_roll(dice.next(|random| game.draw_roll(random)));
            }
            Phase::Move => {
                let moves = table.legal_moves();
                let Some(mv) = steering.pick(game, &*table, None, &moves, &mut random) else {
                    break;
                };
                table.covers(Roll(0), Some(mv), &mut |item| seen.push(item));
                table.play(mv).unwrap();
            }
        }
    }
    seen.retain(|&item| is_meant(item));
    seen.sort_unstable();
    seen.dedup();
    seen.len()
}

fn of_all(name: &str, word: &str, is_steered: bool) -> usize {
    let game = pack::game(name).unwrap();
    (1..=4).map(|seed| seen(game, word, is_steered, seed)).sum()
}

#[test]
fn steered_games_show_more_of_what_is_wanted_than_random_ones() {
    for (game, word) in [
        ("royalur", "captures"),
        ("royalur", "beside"),
        ("onitama", "side by side"),
    ] {
        let (steered, random) = (of_all(game, word, true), of_all(game, word, false));
        assert!(
            steered > random,
            "{game}, {word}: {steered} of steered games, {random} of random ones"
        );
    }
}

/// Plays a bot's game whose other choices are steered or not, and returns the number of mistakes that it leaves open.
fn left_open(game: &dyn Game, is_steered: bool, seed: u64) -> usize {
    let setup = game.draw_setup(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let whole = game
        .mistakes()
        .whole()
        .iter()
        .filter(|row| row.general.is_none());
    let mut open = OpenMistakes::new(game, Some(Seat::First), setup, whole);
    let (mut table, mut history) = (game.table(setup), Vec::new());
    let mut random = random(seed);
    let steering = Steering::default();
    while history.len() < 120 && table.phase().result().is_none() {
        open.catch_up(&history);
        let (by, shown) = (table.to_move(), is_steered.then_some(&open));
        if table.phase() == Phase::Roll {
            let roll = match shown {
                Some(_) => steering.roll(game, &*table, shown, &mut random),
                None => game.draw_roll(random()),
            };
            let skipped = !table.take_roll(roll);
            history.push(GameEvent::Rolled { by, roll, skipped });
            continue;
        }
        let moves = table.legal_moves();
        let shown = shown.filter(|_| by != Seat::First);
        let picked = match shown {
            Some(_) => steering.pick(game, &*table, shown, &moves, &mut random),
            None => moves.get(below(random(), moves.len().max(1))).copied(),
        };
        let Some(mv) = picked else { break };
        table.play(mv).unwrap();
        let result = table.phase().result();
        history.push(GameEvent::Moved { by, mv, result });
    }
    open.catch_up(&history);
    open.number()
}

#[test]
fn steered_games_of_a_bot_leave_fewer_mistakes_open_than_random_ones() {
    for game in pack::games().filter(|game| !game.mistakes().whole().is_empty()) {
        let left = |is_steered| -> usize {
            let seeds = 1..=3;
            seeds.map(|seed| left_open(game, is_steered, seed)).sum()
        };
        let (steered, random) = (left(true), left(false));
        let name = game.name();
        assert!(
            steered < random,
            "{name}: {steered} after steered games, {random} after random ones"
        );
    }
}

#[test]
fn takes_the_move_that_shows_what_is_wanted_at_once() {
    let game = pack::game("onitama").unwrap();
    let table = game.table(Setup(12_345));
    let moves = table.legal_moves();
    let shown = |mv: Move| {
        let mut shown = Vec::new();
        table.covers(Roll(0), Some(mv), &mut |item| shown.push(item));
        shown
    };
    let last = *moves.last().unwrap();
    let wanted = shown(last);
    let steering = Steering::towards(game, |item| wanted.contains(&item));
    // A choice that is left to chance is as good as any other; this number leaves none.
    let picked = steering
        .pick(game, &*table, None, &moves, &mut || u64::MAX / 3 * 2)
        .unwrap();
    assert!(shown(picked).iter().any(|item| wanted.contains(item)));
    assert_eq!(steering.pick(game, &*table, None, &[], &mut || 1), None);
}
