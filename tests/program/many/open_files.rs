//! The limit of open files: raised for urtext where games need it, and as it was for what they start.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use nix::sys::stat::Mode;
use nix::unistd::mkfifo;

use crate::harness::{SCENARIOS, URTEXT, has};

/// More than can be open with so few files.
const GAMES: usize = 40;
const FILES: &str = "64";

/// Says its limits and that it is there, and goes on once all are.
const BOT: &str = "ulimit -Sn >> soft; ulimit -Hn >> hard; echo here > arrivals; : < go; exec \"$0\" bot royalur --seed 1";

#[test]
fn is_raised_where_games_need_it_and_restored_in_what_they_start() {
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name);
    let scenario = format!("{SCENARIOS}/royalur/bot/first-seat.yaml");
    let scenario = fs::read_to_string(scenario).unwrap();
    fs::create_dir(path("scenarios")).unwrap();
    for number in 0..GAMES {
        fs::write(path(&format!("scenarios/{number}.yaml")), &scenario).unwrap();
    }
    for name in ["arrivals", "go"] {
        mkfifo(&path(name), Mode::S_IRWXU).unwrap();
    }
    let script = format!("ulimit -Sn {FILES}; exec \"$0\" \"$@\"");
    let jobs = GAMES.to_string();
    let run = [
        "run",
        "--no-gate",
        "--jobs",
        &jobs,
        "scenarios",
        "--as",
        "bot",
        "--budget=answer=2min",
        "--budget=close=2min",
    ];
    let child = Command::new("sh")
        .args(["-c", &script, URTEXT])
        .args(run)
        .args(["--", "sh", "-c", BOT, URTEXT])
        .current_dir(place.path())
        .env_remove("CI")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // Also held for writing, so that it does not end between one bot and the next.
    let arrivals = File::options()
        .read(true)
        .write(true)
        .open(path("arrivals"))
        .unwrap();
    assert_eq!(
        BufReader::new(arrivals)
            .lines()
            .take(GAMES)
            .filter(|line| line.as_ref().unwrap() == "here")
            .count(),
        GAMES
    );
    let go = File::options()
        .read(true)
        .write(true)
        .open(path("go"))
        .unwrap();
    let output = child.wait_with_output().unwrap();
    drop(go);
    let said = String::from_utf8(output.stdout).unwrap();
    has(&said, format!("{GAMES} scenarios: {GAMES} passed"));
    assert_eq!(
        fs::read_to_string(path("soft")).unwrap(),
        format!("{FILES}\n").repeat(GAMES)
    );
    let own = Command::new("sh")
        .args(["-c", "ulimit -Hn"])
        .output()
        .unwrap();
    assert_eq!(fs::read(path("hard")).unwrap(), own.stdout.repeat(GAMES));
}
