use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::*;
use crate::explore::made_up::made_up;
use crate::pack;
use crate::rules::{Roll, Seat, below};

/// A long game of Ur by random rolls and moves, up to the move after the first one that leaves the track.
fn up_to_an_exit(seed: u64) -> Script {
    let dialect = pack::dialect("royalur").unwrap();
    let game = dialect.game();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut table = game.table(crate::rules::Setup::default());
    let mut turns = Vec::new();
    let mut is_last = false;
    loop {
        let (seat, roll) = (table.to_move(), game.draw_roll(random.next_u64()));
        let turn = |what| Turn::new(seat, Some(roll), what);
        if !table.take_roll(roll) {
            turns.push(turn(Deed::Skip));
            continue;
        }
        let legal = table.legal_moves();
        let mv = legal[below(random.next_u64(), legal.len())];
        turns.push(turn(Deed::this(mv)));
        if is_last {
            return Script {
                plan: made_up(dialect, Side::Referee, Seat::First, &[]),
                turns,
                free_from: usize::MAX,
                then_free: 0,
            };
        }
        is_last = table.is_of_kind(mv, "exit");
        table.play(mv).unwrap();
    }
}

#[test]
fn every_shorter_game_is_legal_and_reads_as_a_scenario() {
    let script = up_to_an_exit(3);
    let none = Answers::default();
    let shorter: Vec<_> = script.shorter(&none, None).collect();
    assert!(shorter.len() > 20, "{}", shorter.len());
    let readable = shorter
        .iter()
        .filter(|script| script.scenario(None).is_some())
        .count();
    // A game that is left where nothing can follow is no scenario of its own.
    assert!(
        readable * 10 >= shorter.len() * 9,
        "{readable} of {}",
        shorter.len()
    );
    assert!(shorter.iter().all(|shorter| shorter.cost() < script.cost()));
}

#[test]
fn finds_a_short_way_to_what_the_turn_before_the_last_showed() {
    let script = up_to_an_exit(5);
    assert!(script.length() > 15, "{}", script.length());
    let leaves_early = |script: &Script| {
        let before_last = script
            .turns
            .len()
            .checked_sub(2)
            .and_then(|place| script.before(place));
        before_last.is_some_and(
            |(table, turn)| matches!(turn.deed, Deed::Move(Choice::This(mv)) if table.is_of_kind(mv, "exit")),
        )
    };
    let none = Answers::default();
    let shortest = script
        .shorter(&none, None)
        .filter(leaves_early)
        .map(|script| script.length())
        .min();
    // To cells 4, 8 and 12, a turn of the other player skipped, out, and a move after it: the fewest turns.
    assert_eq!(shortest, Some(6));
}

#[test]
fn finds_a_short_way_to_what_failed_wherever_in_the_game_it_stood() {
    let script = up_to_an_exit(5);
    let (answers, requirement) = (Answers::default(), Some("ur/capture/last-shared-cell"));
    let captures_on_12 = |script: &Script| {
        let place = script.turns.len().checked_sub(2);
        place
            .and_then(|place| script.before(place))
            .is_some_and(|(table, turn)| {
                let mut shown = Vec::new();
                let Some(mv) = turn.deed.mv() else {
                    return false;
                };
                table.covers(turn.roll.unwrap_or(Roll(0)), Some(mv), &mut |item| {
                    shown.push(item)
                });
                let items = script.plan.dialect.game().coverage_items();
                shown
                    .iter()
                    .any(|&item| items[item].requirement == requirement)
            })
    };
    let games: Vec<_> = script
        .shorter(&answers, requirement)
        .filter(captures_on_12)
        .collect();
    // Each player by cells 4 and 8 to 12, and a move after it: which one shows the capture depends on what failed.
    assert_eq!(games.iter().map(Script::length).min(), Some(7));
    assert!(games.iter().filter(|script| script.length() == 7).count() > 3);
}
