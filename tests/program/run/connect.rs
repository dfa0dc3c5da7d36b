//! A referee that runs already.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use super::UR;
use crate::harness::{Place, URTEXT, count};

struct Running {
    child: Child,
    players: String,
    spectators: String,
}

impl Running {
    fn start(args: &[&str]) -> Running {
        let mut command = Command::new(URTEXT);
        command
            .args(["referee", "royalur", "--pace", "0"])
            .args(args)
            .env_remove("URTEXT_ROLLS");
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap())
            .read_line(&mut line)
            .unwrap();
        let word = |name: &str| {
            line.split_whitespace()
                .find_map(|word| word.strip_prefix(name))
                .unwrap()
                .to_owned()
        };
        Running {
            players: word("players="),
            spectators: word("spectators="),
            child,
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[test]
fn free_games_are_judged_one_after_the_other() {
    let running = Running::start(&["--spectators", "1", "--games", "5", "--seed", "7"]);
    let spectators = format!("spectators={}", running.spectators);
    let args = ["--as", "referee", "--connect", &running.players];
    let args = [&args[..], &["--set", &spectators]].concat();
    let ran = Place::new()
        .run(&[&["--free-games", "5"], &args[..]].concat())
        .expect(0);
    assert!(ran.stdout.contains("5 scenarios: 5 passed"), "{ran:#?}");
}

#[test]
fn free_games_need_no_spectators() {
    let running = Running::start(&["--games", "2", "--seed", "7"]);
    let args = [
        "--free-games",
        "2",
        "--as",
        "referee",
        "--connect",
        &running.players,
    ];
    Place::new()
        .run(&args)
        .expect(0)
        .says("2 scenarios: 2 passed");
}

#[test]
fn a_fault_shows_in_free_play() {
    for (fault, requirement) in [
        ("no-extra-turn-4", "ur/extra-turn/cell-4"),
        ("echoes-to-mover", "ur/move/not-echoed"),
        ("garbles-roll-for-spectators", "ur/roll/same-for-all"),
        ("roll-after-win", "ur/win/nothing-after"),
    ] {
        let running = Running::start(&["--spectators", "1", "--seed", "7", "--fault", fault]);
        let spectators = format!("spectators={}", running.spectators);
        let args = ["--as", "referee", "--connect", &running.players];
        let args = [&args[..], &["--set", &spectators]].concat();
        let more = ["--free-games", "1", "--no-diagnosis"];
        // A failure by silence is confirmed by a second game, for which this referee is not there any more: one game at once.
        let ran = Place::new().run(&[&more, &args[..]].concat()).expect(1);
        assert!(
            ran.stdout.contains(&format!("fail[{requirement}]")),
            "{fault}: {ran:#?}"
        );
    }
}

#[test]
fn scripted_rolls_are_unsupported_there() {
    let running = Running::start(&["--seed", "7"]);
    let suites = [
        "royalur/referee/own-token",
        "royalur/referee/pace",
        "royalur/referee/seed-example",
    ];
    let suites = suites.iter().flat_map(|suite| ["--suite", suite]);
    let args: Vec<&str> = suites
        .chain(["--as", "referee", "--connect", &running.players])
        .collect();
    Place::new().run(&args).expect(4).says("3 unsupported");
}

#[test]
fn a_plain_game_that_fails_three_times_alike_stops_the_run() {
    let running = Running::start(&[
        "--games",
        "50",
        "--seed",
        "7",
        "--fault",
        "roll-without-spaces",
    ]);
    let args = [
        "--suite",
        "royalur/referee",
        "--as",
        "referee",
        "--connect",
        &running.players,
    ];
    let ran = Place::new()
        .run(&args)
        .expect(1)
        .says("fail[ur/roll/line]")
        .says("1 failed");
    ran.says(&format!("{} skipped", count("royalur/referee")));
}

#[test]
fn after_a_plain_game_that_goes_well_the_scenarios_are_played() {
    let running = Running::start(&["--games", "500", "--seed", "7"]);
    let args = [
        "--suite",
        "royalur/referee",
        "--as",
        "referee",
        "--connect",
        &running.players,
    ];
    let ran = Place::new().run(&args).expect(4).says(" unsupported in ");
    assert!(!ran.stdout.contains(" 0 passed"), "{ran:#?}");
}

#[test]
fn a_started_referee_plays_free_games_as_well() {
    Place::new()
        .run(&[&["--free-games", "3"], UR].concat())
        .expect(0)
        .says("3 scenarios: 3 passed");
}
