//! Scenarios that wait for what chance brings, against referees that take neither rolls nor a deal.

use super::UR;
use crate::harness::{Place, URTEXT};

const ONITAMA: &[&str] = &[
    "--as",
    "referee",
    "--game",
    "onitama",
    "--",
    URTEXT,
    "referee",
    "onitama",
    "--timeout",
    "{timeout}",
];

#[track_caller]
fn run(suite: &str, subject: &[&str], code: i32) -> String {
    let args: Vec<&str> = ["--suite", suite].iter().chain(subject).copied().collect();
    Place::new().run(&args).expect(code).stdout
}

#[test]
fn what_waits_for_chance_is_played_without_a_hook() {
    let said = run("royalur/referee/adaptive-whoever", UR, 0);
    assert!(said.contains("8 scenarios: 8 passed"), "{said}");
    let said = run("onitama/referee/adaptive-invalid", ONITAMA, 0);
    assert!(said.contains("12 scenarios: 12 passed"), "{said}");
}

#[test]
fn what_needs_an_exact_deal_or_rolls_is_unsupported_without_a_hook() {
    let said = run("royalur/referee/own-token", UR, 4);
    assert!(
        said.contains("it forces rolls, and this referee takes none"),
        "{said}"
    );
    let said = run("onitama/referee/blanks", ONITAMA, 4);
    assert!(
        said.contains("it forces `deal` and `starter`, and this referee takes none"),
        "{said}"
    );
}

#[test]
fn what_never_comes_up_is_inconclusive_after_so_many_games() {
    let place = Place::new();
    let never = "scenario: t\ngame: royalur\nsubject: referee\nattempts: 3\nchecks: [ur/win/seven-out]\nturns:\n  - play: until first can win, within 10 turns\n  - first: any win\n";
    place.write("never.yaml", never);
    let said = place.run(&["never.yaml"]).expect(4).stdout;
    assert!(
        said.contains("`first can win` did not come up in 10 turns"),
        "{said}"
    );
    assert!(said.contains("so it was in each of 3 games"), "{said}");
    place.write(
        "over.yaml",
        &never
            .replace("within 10 turns", "within 9000 turns")
            .replace("first can win", "first cannot move")
            .replace("first: any", "mover: any"),
    );
    let said = place.run(&["over.yaml"]).expect(4).stdout;
    assert!(
        said.contains("as the game went, there is no move for `mover: any win`"),
        "{said}"
    );
}

#[test]
fn a_fault_shows_in_the_game_that_brings_its_situation() {
    let mut faulty = ONITAMA.to_vec();
    faulty.extend(["--fault", "captures-own-piece"]);
    let said = run("onitama/referee/adaptive-invalid#top-own-piece", &faulty, 1);
    assert!(said.contains("fail[oni/invalid/own-piece]"), "{said}");
    assert!(
        said.contains("the referee behaves as if a piece could capture an own one"),
        "{said}"
    );
}
