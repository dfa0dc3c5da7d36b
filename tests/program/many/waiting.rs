//! Games that only wait for time to pass cost no place: a suite takes as long as its longest scenario.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

use urtext::finding::Verdict;
use urtext::scenario::suite;

use super::referees::{door, subject};
use super::run::play;

const GAMES: usize = 16;

/// A referee of the scenario up to the turn of the player that stays silent. It leaves when all games have come that far.
fn conduct(door: &TcpListener, all_wait: &Barrier) {
    let mut lanes = [(); 3].map(|()| door.accept().unwrap().0);
    let tell = |lane: &mut TcpStream, text: &str| lane.write_all(text.as_bytes()).unwrap();
    for (lane, seat) in lanes.iter_mut().zip(["0\n", "1\n", ""]) {
        tell(lane, &format!("Anne\nBob\n{seat}0 0 1 1\n"));
    }
    let mut token = String::new();
    BufReader::new(&lanes[0]).read_line(&mut token).unwrap();
    tell(&mut lanes[0], "0 0 0 1\n");
    lanes[1..]
        .iter_mut()
        .for_each(|lane| tell(lane, &format!("{token}0 0 0 1\n")));
    all_wait.wait();
}

#[test]
fn games_that_wait_for_a_timeout_are_all_open_at_once_however_few_may_be_busy() {
    let (scenarios, faults) = suite::load("royalur/referee/timeout");
    assert!(faults.is_empty());
    let [mut scenario] = scenarios.try_into().unwrap();
    // No game ends before all are there, on however slow a machine.
    let timeout = Duration::from_secs(3600);
    scenario.game_mut().unwrap().timeout = Some(timeout);
    let lobby: Vec<_> = (0..GAMES).map(|_| door()).collect();
    let subjects: Vec<_> = lobby
        .iter()
        .map(|door| Arc::new(subject(door, timeout)))
        .collect();
    let all_wait = Barrier::new(GAMES);
    let outcomes = thread::scope(|scope| {
        for door in &lobby {
            scope.spawn(|| conduct(door, &all_wait));
        }
        play(vec![scenario; GAMES], &subjects, 2)
    });
    for outcome in &outcomes {
        // A game that had waited for the others in vain would have run out of its game budget, which is an error.
        assert_eq!(outcome.verdict, Verdict::Fail, "{:?}", outcome.findings);
    }
}
