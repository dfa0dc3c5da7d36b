//! How much memory a game takes that is open beside others: full games of Ur over TCP that all begin together.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use urtext::engine::{GamePlan, Placement};
use urtext::scenario::Side;

use crate::dialogue::Play;
use crate::{Bench, play, referee, subject};

/// The name of the role in which this program plays games against referees at these addresses.
pub(crate) const GAMES: &str = "games";

/// Prints the most memory that so many games take, and what that is for each of them.
pub(crate) fn print(bench: &Bench, games: usize) {
    let one = most(bench, 1);
    let all = most(bench, games);
    let each = (all - one) as f64 / (games - 1) as f64;
    println!("\n{games} games of Ur over TCP at once, all recorded");
    println!("  one game {one} kB, all of them {all} kB: {each:.0} kB for each game more");
}

/// The most memory, in kilobytes, that so many games take in a process of their own.
fn most(bench: &Bench, games: usize) -> u64 {
    let mut referees = Command::new(&bench.me)
        .args([subject::ROLE, "referees", &games.to_string()])
        .stdout(Stdio::piped())
        .spawn()
        .expect("this program runs");
    let mut addresses = String::new();
    let output = referees.stdout.as_mut().expect("a pipe");
    BufReader::new(output)
        .read_line(&mut addresses)
        .expect("they say where they listen");
    let player = Command::new(&bench.me)
        .args([subject::ROLE, GAMES])
        .args(addresses.split_whitespace())
        .stderr(Stdio::inherit())
        .output()
        .expect("this program runs");
    referees.wait().expect("they end with their games");
    assert!(player.status.success());
    String::from_utf8_lossy(&player.stdout)
        .trim()
        .parse()
        .expect("kilobytes")
}

/// Plays a game with each of these referees, all at once, and prints how much memory that took at most, in kilobytes.
pub(crate) fn play_games(addresses: &[String]) {
    let folder = tempfile::tempdir().expect("a folder for recordings");
    let game = |(number, address): (usize, &String)| GamePlan {
        scenario: Play::whole(number as u64).scenario(Side::Referee, &format!("game-{number}")),
        subject: referee(address),
        golden: None,
        seed: 1,
    };
    let games: Vec<_> = addresses.iter().enumerate().map(game).collect();
    let jobs = games.len();
    let outcomes = play(games, crate::options(folder.path()), jobs, Placement::Free);
    assert_eq!(outcomes.len(), jobs);
    let status = std::fs::read_to_string("/proc/self/status").expect("the system tells");
    let most = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .expect("the most memory");
    println!("{}", most.trim().trim_end_matches(" kB"));
}
