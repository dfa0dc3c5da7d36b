//! What can be said on the command line, and what is wrong with what cannot.

use std::net::TcpListener;

use super::subject::{Referee, Then, command};
use crate::harness::urtext;

/// The spectator's stream of a game in which the first player hangs up after the forced rolls of no heads.
fn spectator_of(referee: &Referee) -> String {
    let [_, _, spectator] = referee.play(["", ""], Then::HangUp);
    spectator.text
}

const FORCED: &str = "PlayerA\nPlayerB\n0 0 0 0\n0 0 0 0\n0 1 0 0\nRETIRE\n";

#[test]
fn rolls_are_forced_by_an_argument_or_the_environment() {
    let by_argument = Referee::start(&["--rolls", "0 0 0 0, 0 0 0 0, 0 1 0 0"]);
    let by_lines = Referee::start(&["--rolls", "0 0 0 0\n0000,0100\n"]);
    let by_environment =
        Referee::spawn(command(&["--spectators", "1"]).env("URTEXT_ROLLS", "0000 0000 0100"));
    for referee in [by_argument, by_lines, by_environment] {
        assert_eq!(spectator_of(&referee), FORCED);
    }
}

#[test]
fn an_argument_comes_before_the_environment() {
    let args = ["--spectators", "1", "--rolls", "0000 0000 0100"];
    let referee = Referee::spawn(command(&args).env("URTEXT_ROLLS", "1111"));
    assert_eq!(spectator_of(&referee), FORCED);
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
    for (args, names) in [
        (
            &["--name", "Ann Lee", "--name", "0 1 1 0"][..],
            "Ann Lee\n0 1 1 0\n",
        ),
        (
            &["--name", "a,b", "--name", ">RETIRE"][..],
            "a,b\n>RETIRE\n",
        ),
        (&["--name", "", "--name", ""][..], "\n\n"),
    ] {
        let referee = Referee::start(&[args, &["--rolls", "0001"]].concat());
        assert_eq!(spectator_of(&referee), format!("{names}0 0 0 1\nRETIRE\n"));
    }
}

/// Runs a command that is to end at once, and returns its exit status and standard error.
fn refused(args: &[&str]) -> (Option<i32>, String) {
    let output = command(args).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    (
        output.status.code(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    )
}

#[test]
fn a_port_in_use_is_told_with_the_next_step() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    for option in ["--listen", "--listen-spectators"] {
        let (code, stderr) = refused(&[option, &format!(":{port}"), "--seed", "1"]);
        assert_eq!(code, Some(3));
        let expected = format!(
            "urtext referee: 127.0.0.1:{port} is in use by another program: choose another port with {option}, or 0 for any free one\n"
        );
        assert_eq!(stderr, expected);
    }
}

#[test]
fn wrong_arguments_end_with_status_2_and_say_what_is_wrong() {
    for (args, message) in [
        (&["--pace", "30.1"][..], "at least 0 and at most 30"),
        (&["--pace", "-0.1"][..], "at least 0 and at most 30"),
        (&["--pace", "nan"][..], "finite"),
        (&["--timeout", "0"][..], "more than 0"),
        (&["--timeout", "-1"][..], "more than 0"),
        (&["--name", "A"][..], "given twice"),
        (&["--name", "A\n", "--name", "B"][..], "line feed"),
        (
            &["--setup", "Cobra"][..],
            "royalur has nothing that --setup could set",
        ),
        (&["--bot", "x"][..], "given twice"),
        (&["--bot", "'x", "--bot", "x"][..], "quot"),
        (&["--bot", "", "--bot", "x"][..], "no program"),
        (
            &["--bot", "x", "--bot", "x", "--listen", ":0"][..],
            "cannot be used with",
        ),
        (&["--fault", "no-timeuot"][..], "no-timeout"),
    ] {
        let (code, stderr) = refused(args);
        assert_eq!(code, Some(2), "{args:?}: {stderr}");
        assert!(stderr.contains(message), "{args:?}: {stderr}");
    }
}

#[test]
fn a_wrong_roll_is_pointed_at() {
    let (code, stderr) = refused(&["--rolls", "0011 0112 1111"]);
    assert_eq!(code, Some(2));
    assert!(stderr.contains("--> --rolls:1:6\n"), "{stderr}");
    assert!(stderr.contains("     ^^^^ expected four coins"), "{stderr}");
}

#[test]
fn a_bot_that_cannot_be_started_is_named() {
    let (code, stderr) = refused(&[
        "--bot",
        "/no/such/bot",
        "--bot",
        "/no/such/bot",
        "--seed",
        "1",
    ]);
    assert_eq!(code, Some(3));
    assert!(
        stderr.contains("`/no/such/bot` cannot be started"),
        "{stderr}"
    );
    assert!(stderr.contains("--bot"), "{stderr}");
}

#[test]
fn every_fault_is_listed_with_what_it_does() {
    let peers = urtext::peers::find("royalur").unwrap();
    for (peer, rows) in [
        ("referee", peers.referee_faults()),
        ("bot", peers.bot_faults()),
    ] {
        let list = urtext(&[peer, "royalur", "--fault", "list"]).expect(0);
        let rows = rows
            .iter()
            .map(|row| format!("{}: {}\n", row.name, row.summary));
        assert_eq!(list.stdout, rows.collect::<String>());
    }
}

#[test]
fn what_a_game_does_not_have_is_refused() {
    for option in ["--spectators", "--name", "--pace", "--rolls"] {
        let refused = urtext(&["referee", "onitama", option, "1"]).expect(2);
        refused.complains(&format!("onitama has nothing that {option} could set"));
    }
    let refused = urtext(&["referee", "onitama", "--listen-spectators", ":1"]).expect(2);
    refused.complains("onitama has nothing that --listen-spectators could set");
    let setup = urtext(&["referee", "onitama", "--setup", "Ox"]).expect(2);
    setup.complains("--setup is \"Ox\": expected the five cards");
    let game = urtext(&["referee", "royalr"]).expect(2);
    game.complains("royalur");
    let bot = urtext(&["bot", "royalur", "127.0.0.1", "1"]).expect(2);
    bot.complains("a bot of royalur does not connect");
    let bot = urtext(&["bot", "onitama"]).expect(2);
    bot.complains("say where the referee listens, HOST PORT");
}
