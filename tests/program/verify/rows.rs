//! `urtext verify --rows`: a table with a row for each game.

use std::fs;

use crate::harness::{DATA, Place};

/// The lanes of two games in folders of their own, one of them also as records, and a file with two games.
fn archive() -> Place {
    let place = Place::new();
    for (folder, lanes) in [
        (
            "code-colosseum",
            &[
                "alice.received",
                "alice.sent",
                "bob.received",
                "bob.sent",
                "spectator.received",
            ][..],
        ),
        ("seed", &["first.txt", "second.txt", "spectator.txt"]),
    ] {
        for lane in lanes {
            let text = fs::read_to_string(format!("{DATA}/{folder}/{lane}")).unwrap();
            place.write(&format!("games/{folder}/{lane}"), &text);
        }
    }
    let seed = fs::read_to_string(format!("{DATA}/seed/spectator.txt")).unwrap();
    place.write("games/two.txt", &format!("{seed}\n{seed}"));
    let records = fs::read_to_string(format!("{DATA}/royalur-net/captured.json")).unwrap();
    place.write("games/code-colosseum/game.json", &records);
    place
}

#[test]
fn the_lanes_of_a_game_are_one_row() {
    let place = archive();
    let said = place
        .urtext(&["verify", "games", "--rows", "games.csv"])
        .expect(0);
    insta::assert_snapshot!(place.read("games.csv"), @r"
    file,game,first,second,winner,ending,turns,slowest_first_ms,slowest_second_ms
    games/code-colosseum/alice.received,royalur,Alice,Bob,second,won,164,,
    games/code-colosseum/game.json,royalur,Alice,Bob,second,won,164,,
    games/seed/first.txt,royalur,PlayerA,PlayerB,first,ur/retire/own-token,8,,
    games/two.txt,royalur,PlayerA,PlayerB,first,retired,8,,
    games/two.txt game 2,royalur,PlayerA,PlayerB,first,retired,8,,
    ");
    let (_, summary) = said.stdout.split_once("games    ").unwrap();
    insta::assert_snapshot!(format!("games    {summary}"), @r"
    games    royalur 5
    lanes    4 more of these games
    turns    shortest 8, median 8, longest 164
    wins     first 3, second 2
    endings  retired 2, ur/retire/own-token 1, won 2
    slowest  no file has times
    ");
    let one = place.read("games.csv");
    place
        .urtext(&["verify", "games", "--rows", "games.csv", "--jobs", "1"])
        .expect(0);
    assert_eq!(place.read("games.csv"), one);
}

#[test]
fn a_wrong_game_has_no_row_and_hostile_names_are_escaped() {
    let place = archive();
    let captured = place.read("games/code-colosseum/spectator.received");
    place.write("games/letter.txt", "Dear reader,\n\nthis is a letter.\n");
    place.write(
        "games/wrong.txt",
        &captured.replacen("\n0\n", "\n6\n6\n", 1),
    );
    let long = "x".repeat(500);
    let hostile = captured.replace("Alice", &format!("=\u{1b}[31m\u{202e}{long}"));
    place.write("games/hostile.txt", &hostile);
    place
        .urtext(&["verify", "games", "--rows", "games.csv"])
        .expect(2)
        .complains("--> games/letter.txt:1:1");
    let table = place.read("games.csv");
    assert!(
        !table.contains("wrong.txt") && !table.contains("letter.txt"),
        "{table}"
    );
    assert!(table.contains("games/hostile.txt,royalur,'="), "{table}");
    assert!(!table.contains(['\u{1b}', '\u{202e}']), "{table}");
    assert!(table.lines().all(|line| line.len() < 600), "{table}");
}

#[test]
fn the_slowest_answers_come_from_recordings() {
    let place = Place::new();
    let suite = ["--simulated", "--suite", "royalur/referee/late-but-in-time"];
    place
        .run(&[&suite[..], &["--record", "games"]].concat())
        .expect(0);
    let said = place
        .urtext(&["verify", "games", "--rows", "games.csv"])
        .expect(0);
    let file = "games/royalur/referee/late-but-in-time.jsonl";
    assert!(
        said.stdout.contains("slowest  2.00 s by ") && said.stdout.contains(file),
        "{said:#?}"
    );
    assert!(place.read("games.csv").contains(",2000."), "{said:#?}");
}

#[test]
fn a_table_that_cannot_be_written_is_3_and_standard_input_has_none() {
    let place = archive();
    place
        .urtext(&["verify", "games", "--rows", "missing/games.csv"])
        .expect(3)
        .complains("missing/games.csv cannot be written");
    place
        .urtext(&["verify", "-", "--rows", "games.csv"])
        .expect(2)
        .complains("`--rows` takes files and folders");
}
