//! Games that only wait for time to pass cost no place: a suite takes as long as its longest scenario.

use std::time::Duration;

use urtext::event::Verdict;
use urtext::games::{Game, royalur::RoyalUr};
use urtext::peers::royalur::End;
use urtext::protocol::Cause;
use urtext::rules::Seat;
use urtext::scenario::suite;

use super::referees::{Conduct, Referees};
use super::run::play;

#[test]
fn games_that_wait_for_a_timeout_are_all_open_at_once_however_few_may_be_busy() {
    let (scenarios, faults) = suite::load("royalur/referee/timeout");
    assert!(faults.is_empty());
    let [scenario] = scenarios.try_into().unwrap();
    let timeout = scenario.timeout.unwrap();
    assert!(timeout >= Duration::from_secs(1), "long enough for all of them to begin");
    let rolls = ["0 0 1 1", "0 0 0 1"].map(|roll| RoyalUr.parse_roll(roll).unwrap());
    let conduct = Conduct { rolls: rolls.into(), timeout, is_begun_together: false };
    let games = 16;
    let referees = Referees::start(games, &conduct);
    let outcomes = play(vec![scenario; games], &referees, 2);
    for outcome in &outcomes {
        assert_eq!(outcome.verdict, Verdict::Pass, "{:?}", outcome.findings);
        assert!(outcome.took >= timeout);
    }
    let (conducted, most_open) = referees.join();
    assert!(conducted.iter().all(|conducted| conducted.end == End::Lost(Seat::Second, Cause::Timeout)));
    assert_eq!(most_open, games);
}
