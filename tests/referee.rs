//! The built-in referee as others meet it: over TCP and over pipes.

mod subject;

use subject::{Referee, Then};

/// The streams printed in the seed, with `>` before what was sent.
const FIRST: &str = include_str!("data/seed/first.txt");
const SECOND: &str = include_str!("data/seed/second.txt");
const SPECTATOR: &str = include_str!("data/seed/spectator.txt");

/// The rolls of the seed's example.
const ROLLS: &str = "0011 1111 1010 0100 0000 1011 0011 0001 1010";

fn received(stream: &str) -> String {
    stream.lines().filter(|line| !line.starts_with('>')).map(|line| format!("{line}\n")).collect()
}

fn sent(stream: &str) -> String {
    stream.lines().filter_map(|line| line.strip_prefix('>')).map(|line| format!("{line}\n")).collect()
}

#[test]
fn the_example_of_the_seed_gives_its_three_streams() {
    let referee = Referee::start(&["--rolls", ROLLS, "--spectators", "1"]);
    let seen = referee.play([&sent(FIRST), &sent(SECOND)], Then::StaySilent);
    assert_eq!(seen, [FIRST, SECOND, SPECTATOR].map(received));
    let ended = referee.end();
    assert_eq!(ended.code, Some(0));
    assert!(ended.stderr.contains("PlayerA (first) wins"), "{}", ended.stderr);
    assert!(ended.stderr.contains("ur/retire/own-token"), "{}", ended.stderr);
}

#[test]
fn a_silent_player_is_retired_when_its_time_is_over() {
    let referee = Referee::start(&["--rolls", "0001", "--timeout", "0.2", "--spectators", "1"]);
    let seen = referee.play(["", ""], Then::StaySilent);
    assert_eq!(seen[0], "PlayerA\nPlayerB\n0\n0 0 0 1\n", "the retired player is told nothing more");
    assert_eq!(seen[1], "PlayerA\nPlayerB\n1\n0 0 0 1\nRETIRE\n");
    assert_eq!(seen[2], "PlayerA\nPlayerB\n0 0 0 1\nRETIRE\n");
    assert!(referee.end().stderr.contains("PlayerA (first) sent nothing for 0.2 s"));
}

#[test]
fn a_player_who_hangs_up_on_its_turn_is_retired() {
    let referee = Referee::start(&["--rolls", "0001 0001", "--spectators", "1"]);
    let seen = referee.play(["0\n", ""], Then::HangUp);
    assert_eq!(seen[0], "PlayerA\nPlayerB\n0\n0 0 0 1\n0 0 0 1\nRETIRE\n");
    assert!(referee.end().stderr.contains("PlayerB (second) hung up"));
}
