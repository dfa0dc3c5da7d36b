//! `urtext verify --explain`: the causes of the failures of recordings and of a server's games.

use std::fs;
use std::path::PathBuf;

use urtext::protocol::LaneKind;
use urtext::transcript::Direction;
use walkdir::WalkDir;

use crate::harness::{Place, ROOT, has, words};
use crate::record::command::{lines, read};

const RUN: &str = "--no-gate --suite royalur/referee --report json=run.json --record games --subject built-in --fault no-capture-5";
const CAUSE: &str = "the referee behaves as if the fifth cell was not shared: this explains ";

#[test]
fn the_recordings_of_a_run_have_its_cause_with_the_game_that_shows_it_best() {
    let place = Place::new();
    let words: Vec<_> = RUN.split_whitespace().collect();
    place.run(&words).expect(1);
    assert!(place.read("run.json").contains("\"no-capture-5\""));
    let said = place
        .urtext(&["verify", "games", "--explain"])
        .expect(1)
        .stdout;
    // The finding in full, then the cause.
    for part in [
        "fail[ur/capture/first-shared-cell]: the referee behaves as if the fifth cell was not shared",
        "capture-cell-5.yaml:12:5",
        "\n   = in games/royalur/referee/capture-cell-5.",
        CAUSE,
        "shortest in games/royalur/referee/capture-cell-5.",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    // The board after the capture by the rules and as the referee believes: the captured token stays there.
    let board = said
        .split_once("= board: turn 4, second moved 0\n")
        .unwrap()
        .1;
    let believed = board.split_once("by the rules: first rolls").unwrap();
    let lines: Vec<_> = believed.1.lines().take(6).collect();
    assert!(
        lines[0].ends_with("as the referee believes: first rolls"),
        "{board}"
    );
    assert_eq!(
        lines[5].trim(),
        "| b0 |    |    | *  |    |    |    |    |       | a0 |    |    | *  |    |    |    |    |"
    );
    let open = place
        .urtext(&["verify", "games", "--explain", "-v"])
        .expect(1)
        .stdout;
    assert!(open.contains("\n  fit the failures:\n    "), "{open}");
    has(&open, "    no-capture-5: the fifth cell was not shared\n");
}

/// Plays the referee's suite against the built-in one with this fault, and writes what the first spectator of each game received.
fn watched(place: &Place, fault: Option<&str>, folder: &str) {
    // A long game shows enough of its referee by itself.
    let long = format!("{ROOT}/tests/cases/run/_whoever.yaml");
    for games in [&["--suite", "royalur/referee"][..], &[&long]] {
        let mut words = words("--no-gate --record games --subject built-in");
        words.extend(fault.iter().flat_map(|fault| ["--fault", fault]));
        place.run(&[&words, games].concat());
    }
    fs::create_dir(place.join(folder)).unwrap();
    let games = WalkDir::new(place.join("games"))
        .into_iter()
        .map(Result::unwrap);
    for (number, file) in games.filter(|file| file.file_type().is_file()).enumerate() {
        let game = read(file.path());
        let lane = game
            .lanes
            .iter()
            .position(|lane| lane.label.kind() == LaneKind::Spectator);
        let Some(lane) = lane else { continue };
        let mut received = lines(&game, lane, Direction::Received).join(&b'\n');
        received.push(b'\n');
        fs::write(
            place.join(&format!("{folder}/{number}.spectator")),
            received,
        )
        .unwrap();
    }
}

#[test]
fn the_games_of_a_server_show_what_it_believes() {
    let place = Place::new();
    watched(&place, Some("overshoot"), "faulty");
    let faulty = place
        .urtext(&["verify", "faulty", "--explain"])
        .expect(1)
        .stdout;
    let cause = "the referee behaves as if a token could leave the track by more than the exact number: this explains 2";
    let (faulty, _) = faulty.split_once(cause).expect(&faulty);
    assert!(
        faulty.starts_with("fail[ur/retire/overshoot]: "),
        "{faulty}"
    );
    // Without `--explain`, the cause is named too, because the games are few. The reports name it as well.
    let verify = words("verify faulty --report markdown=v.md --report json=v.json");
    let verified = place.urtext(&verify).expect(1).stdout;
    let line = verified.lines().rev().nth(1).unwrap();
    assert!(line.starts_with(cause), "{verified}");
    assert!(place.read("v.md").contains(cause));
    let end = place.read("v.json").lines().last().unwrap().to_owned();
    assert!(
        end.contains("\"causes\":[{") && end.contains("\"overshoot\""),
        "{end}"
    );
    // So is who replays one that shows enough by itself.
    let words =
        "the referee behaves as if a token could leave the track by more than the exact number";
    let files = fs::read_dir(place.join("faulty")).unwrap();
    let shows = |file: &PathBuf| {
        let replayed = place.urtext(&["replay", &file.to_string_lossy(), "--print"]);
        replayed.stdout.contains(words)
    };
    let mut files = files.map(|file| file.unwrap().path());
    let file = files.find(shows).expect("no replay names the cause");
    place
        .urtext(&["replay", &file.to_string_lossy(), "--html", "page.html"])
        .expect(1);
    assert!(place.read("page.html").contains(words));
    let place = Place::new();
    watched(&place, None, "honest");
    let honest = place
        .urtext(&["verify", "honest", "--explain"])
        .expect(0)
        .stdout;
    assert!(!honest.contains("behaves as if"), "{honest}");
    let verified = place.urtext(&["verify", "honest"]).expect(0).stdout;
    assert!(!verified.contains("behaves as if"), "{verified}");
}
