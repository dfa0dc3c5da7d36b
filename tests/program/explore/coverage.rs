//! What explored games have shown.

use urtext::explore::Exploration;
use urtext::mistake::MistakeState;
use urtext::report::coverage_notes;
use urtext::scenario::Side;

use super::Search;
use crate::harness::{built_in, has};

fn explored(game: &str, side: Side, search: Search) -> Exploration {
    let folder = tempfile::tempdir().unwrap();
    let exploration = search.explore(&built_in(game, side, None), folder.path());
    assert!(exploration.failures.is_empty());
    exploration
}

/// How often the games have put a requirement to the test.
fn times(exploration: &Exploration, id: &str) -> u64 {
    let mut requirements = exploration.explorer.coverage().requirements();
    let (_, times) = requirements.find(|(entry, _)| entry.id == id).unwrap();
    times
}

#[test]
fn counts_what_an_honest_referee_has_shown() {
    let exploration = explored("royalur", Side::Referee, Search::new(1, 8, 50));
    let of = |id: &str| times(&exploration, id);
    // Every game has its handshake on two lanes and begins once.
    let begun = ["ur/handshake/index", "ur/handshake/first-player-starts"];
    assert_eq!(begun.map(of), [16, 8]);
    assert!(of("ur/roll/line") > of("ur/skip/roll-shown"));
    assert_eq!(of("ur/example/streams"), 0, "no rolls are forced");
    let situations = &exploration.explorer.coverage().situations;
    let seen = situations.iter().filter(|row| row.times > 0).count();
    assert!(seen > situations.len() / 2, "{situations:?}");
}

#[test]
fn names_what_was_never_reached() {
    let exploration = explored("onitama", Side::Referee, Search::new(5, 2, 0));
    assert_eq!(
        times(&exploration, "oni/greeting/seat"),
        4,
        "two games with two players"
    );
    let notes = coverage_notes(exploration.explorer.coverage());
    let [requirements, _, hostile] = &notes[..] else {
        panic!("{notes:#?}")
    };
    assert!(requirements.contains("put to the test\n"), "{requirements}");
    has(requirements, "\n  oni/invalid/middle-card: ");
    assert!(
        hostile.starts_with("hostile turns: 0 of 32 seen\n  "),
        "{hostile}"
    );
}

#[test]
fn a_seed_gives_the_same_games_again() {
    let situations = |seed: u64| {
        let exploration = explored("onitama", Side::Referee, Search::new(seed, 4, 50));
        exploration.explorer.coverage().situations.clone()
    };
    assert_eq!(situations(77), situations(77));
    assert_ne!(situations(77), situations(78));
}

#[test]
fn ends_when_everything_was_seen() {
    let exploration = explored("onitama", Side::Bot, Search::new(2, 2000, 50));
    let coverage = exploration.explorer.coverage();
    assert!(coverage.is_complete());
    assert!(coverage.played() < 400, "{}", coverage.played());
}

#[test]
fn sends_the_illegal_moves_that_untested_mistakes_allow() {
    let exploration = explored("onitama", Side::Referee, Search::new(1, 150, 50));
    let ledger = exploration.explorer.ledger();
    // Without them it is 294: that a card has a step too many shows in no legal game.
    let refuted = ledger.that_are(MistakeState::Refuted).len();
    let untested = ledger.that_are(MistakeState::Untested);
    assert!(refuted > 310, "{refuted}, {untested:?}");
}

#[test]
fn explores_a_bot_in_both_seats() {
    for (game, legal) in [
        ("royalur", "ur/bot/legal-token"),
        ("onitama", "oni/bot/valid-move"),
    ] {
        let exploration = explored(game, Side::Bot, Search::new(2, 6, 50));
        assert!(times(&exploration, legal) > 20);
        let hostile = &exploration.explorer.coverage().hostile;
        let is_seen =
            |row: &urtext::explore::CoverageRow| row.name.starts_with("bot as ") && row.times > 0;
        assert!(hostile.iter().any(is_seen), "{hostile:?}");
    }
}
