//! What can be said on the command line. What cannot is in `tests/cases/peers`.

use std::net::TcpListener;

use super::subject::{Referee, Then, command};
use crate::harness::{Ran, urtext};
use urtext::scenario::Side;

/// The spectator's stream of a game in which the first player hangs up after the forced rolls of no heads.
fn spectator_of(referee: &Referee) -> String {
    let [_, _, spectator] = referee.play(["", ""], Then::HangUp);
    spectator.text
}

const FORCED: &str = "PlayerA\nPlayerB\n0 0 0 0\n0 0 0 0\n0 1 0 0\nRETIRE\n";

#[test]
fn rolls_are_forced_by_an_argument_or_else_the_environment() {
    let by_argument = Referee::start(&["--rolls", "0 0 0 0, 0 0 0 0, 0 1 0 0"]);
    let by_lines = Referee::start(&["--rolls", "0 0 0 0\n0000,0100\n"]);
    let by_environment =
        Referee::spawn(command(&["--spectators", "1"]).env("URTEXT_ROLLS", "0000 0000 0100"));
    let args = ["--spectators", "1", "--rolls", "0000 0000 0100"];
    let by_both = Referee::spawn(command(&args).env("URTEXT_ROLLS", "1111"));
    for referee in [by_argument, by_lines, by_environment, by_both] {
        assert_eq!(spectator_of(&referee), FORCED);
    }
}

#[test]
fn a_seed_means_the_same_dice_each_time() {
    let rolls = |seed: &str| {
        let referee = Referee::start(&["--seed", seed, "--rolls", "0000"]);
        spectator_of(&referee)
    };
    assert_eq!(rolls("5"), rolls("5"));
    // Seeds whose dice begin differently, found by trying; what a seed means must not change.
    assert_ne!(rolls("5"), rolls("6"));
}

#[test]
fn a_seed_that_was_not_given_is_shown() {
    let referee = Referee::start(&[]);
    spectator_of(&referee);
    let stderr = referee.end().stderr;
    let seed = stderr
        .lines()
        .find_map(|line| line.strip_prefix("seed "))
        .expect("a line with the seed");
    seed.parse::<u64>().unwrap();
}

#[test]
fn names_are_any_two_lines() {
    for [first, second] in [["Ann Lee", "0 1 1 0"], ["a,b", ">RETIRE"], ["", ""]] {
        let names = ["--name", first, "--name", second, "--rolls", "0001"];
        let expected = format!("{first}\n{second}\n0 0 0 1\nRETIRE\n");
        assert_eq!(spectator_of(&Referee::start(&names)), expected);
    }
}

#[test]
fn a_port_in_use_is_told_with_the_next_step() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let address = format!(":{port}");
    for option in ["--listen", "--listen-spectators"] {
        let ran = Ran::of(&mut command(&[option, &address, "--seed", "1"])).expect(3);
        let expected = format!(
            "urtext referee: 127.0.0.1:{port} is in use by another program: choose another port with {option}, or 0 for any free one\n"
        );
        assert_eq!((ran.stdout.as_str(), ran.stderr), ("", expected));
    }
}

#[test]
fn every_fault_is_listed_with_what_it_does() {
    let peers = urtext::peers::find("royalur").unwrap();
    for (peer, rows) in [
        ("referee", peers.faults(Side::Referee).collect::<Vec<_>>()),
        ("bot", peers.faults(Side::Bot).collect()),
    ] {
        let list = urtext(&[peer, "royalur", "--fault", "list"]).expect(0);
        let rows = rows
            .iter()
            .map(|row| format!("{}: {}\n", row.name, row.summary));
        assert_eq!(list.stdout, rows.collect::<String>());
    }
}
