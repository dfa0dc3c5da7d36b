//! `urtext replay --against` on two finished games.

use crate::harness::{DATA, Place};

fn captured() -> String {
    std::fs::read_to_string(format!("{DATA}/code-colosseum/spectator.received")).unwrap()
}

/// A folder with the captured game, and the same with another second move.
fn place() -> Place {
    let place = Place::new();
    let text = captured();
    place.write("a.txt", &text);
    place.write("same.txt", &text);
    let lines: Vec<_> = text.lines().collect();
    // After two names, two turns of which the second is skipped, and the roll of the third.
    assert_eq!(lines[6], "3");
    let other = [&lines[..6], &["5"]].concat().join("\n");
    place.write("b.txt", &format!("{other}\n"));
    place.write("short.txt", &format!("{}\n", lines[..5].join("\n")));
    place
}

#[test]
fn equal_games_are_equal_in_any_format() {
    let place = place();
    place
        .urtext(&["replay", "a.txt", "--against", "same.txt"])
        .expect(0)
        .says("equal: 164 turns");
    let converted = place
        .urtext(&["replay", "a.txt", "--to", "hc-ur"])
        .expect(0)
        .stdout;
    place.write("converted", &converted);
    for file in ["converted", &format!("{DATA}/royalur-net/captured.json")] {
        place
            .urtext(&["replay", "a.txt", "--against", file])
            .expect(0)
            .says("equal: 164 turns");
    }
}

#[test]
fn the_first_difference_is_shown_with_the_board_before_it() {
    let place = place();
    let different = place
        .urtext(&["replay", "a.txt", "--against", "b.txt"])
        .expect(1);
    insta::assert_snapshot!(different.stdout, @r"
    different in turn 3; turns 1 to 2 are equal
      a.txt  Alice (first) rolled 0 1 0 0: token 3 from the start to cell 1
      b.txt  Alice (first) rolled 0 1 0 0: token 5 from cell 3 to cell 4 (rosette), plays again

    before turn 3:
      second  start: b0 b1 b2 b3 b4 b5 b6  out: -
    +----+----+----+----+         +----+----+
    | *  |    |    |    |         | *  |    |
    +----+----+----+----+----+----+----+----+
    |    |    |    | *  |    |    |    |    |
    +----+----+----+----+----+----+----+----+
    | *  | a5 |    |    |         | *  |    |
    +----+----+----+----+         +----+----+
    > first   start: a0 a1 a2 a3 a4 a6     out: -
    ");
    let shorter = place
        .urtext(&["replay", "short.txt", "--against", "a.txt"])
        .expect(1);
    let shorter = shorter.says("different in turn 3; turns 1 to 2 are equal\n");
    assert!(
        shorter
            .stdout
            .contains("short.txt  the game has no such turn\n"),
        "{}",
        shorter.stdout
    );
    place.write("named.txt", &captured().replacen("Alice", "Al", 1));
    let named = place
        .urtext(&["replay", "a.txt", "--against", "named.txt"])
        .expect(1);
    named
        .says("different names of the first player\n")
        .says("named.txt  Al\n");
    let onitama = format!("{DATA}/onitama-judge/top.txt");
    place
        .urtext(&["replay", "a.txt", "--against", &onitama])
        .expect(1)
        .says("different games\n");
}

#[test]
fn a_file_that_cannot_be_read_is_no_difference() {
    let place = place();
    place
        .urtext(&["replay", "a.txt", "--against", "none.txt"])
        .expect(2)
        .complains("none.txt");
    place
        .urtext(&[
            "replay",
            "a.txt",
            "--against",
            "b.txt",
            "--game-number",
            "2",
        ])
        .expect(2)
        .complains("there is no game 2");
    place.write("no.txt", "<html>");
    place
        .urtext(&["replay", "no.txt", "--against", "none.txt"])
        .expect(2)
        .complains("no.txt")
        .complains("none.txt");
}
