//! Drawings of what is wrong with a game.

use super::tests::{FIRST, SECOND, SPECTATOR, complaint, together, with_line};
use crate::diagnostic::Paint;

fn drawn(streams: &[&str]) -> String {
    crate::report::draw_in_file(complaint(&together(streams))).draw(Paint::Plain)
}

#[test]
fn says_why_a_move_is_not_legal() {
    insta::assert_snapshot!(drawn(&[&SPECTATOR.replace("0 0 0 1\n4", "0 0 0 1\n7")]), @r#"
    fail[ur/move/relayed-to-spectators]: this is no move (must)
    --> one:17
     = expected: a legal move of PlayerA (first): 0, 1, 2, 3, 4, 5, 6, or `RETIRE`
     = received: `7`
     = where: turn 8, PlayerA (first), rolled 0 0 0 1
     = specification: "If the move is valid, the other player and the spectators will receive the sent number"
     = board: before this line
                second  start: b1 b2 b3 b4 b5 b6     out: -
              +----+----+----+----+         +----+----+
              | *  |    | b0 |    |         | *  |    |
              +----+----+----+----+----+----+----+----+
              |    | a3 |    | *  |    |    |    |    |
              +----+----+----+----+----+----+----+----+
              | *  |    |    |    |         | *  |    |
              +----+----+----+----+         +----+----+
              > first   start: a0 a1 a2 a4 a5 a6     out: -
    "#);
    insta::assert_snapshot!(drawn(&[&with_line(SPECTATOR, 19, "2")]), @r#"
    fail[ur/retire/own-token]: move 2 is not legal: an own token stands there (must)
    --> one:19
     = expected: a legal move of PlayerB (second): 0, or `RETIRE`
     = received: `2`
     = where: turn 9, PlayerB (second), rolled 1 0 1 0
     = specification: "The player cannot move a token in a cell already occupied by one of its token"
     = board: before this line
              > second  start: b1 b2 b3 b4 b5 b6     out: -
              +----+----+----+----+         +----+----+
              | *  |    | b0 |    |         | *  |    |
              +----+----+----+----+----+----+----+----+
              |    | a3 |    | *  |    |    |    |    |
              +----+----+----+----+----+----+----+----+
              | *  |    |    | a4 |         | *  |    |
              +----+----+----+----+         +----+----+
                first   start: a0 a1 a2 a5 a6        out: -
    "#);
}

#[test]
fn says_how_the_lanes_differ() {
    insta::assert_snapshot!(drawn(&[FIRST, SECOND, &SPECTATOR.replace("0 1 0 0", "0 0 1 0")]), @r#"
    fail[ur/roll/same-for-all]: the lanes tell different games (must)
    --> three:9
     = expected: `0 1 0 0`
     = received: `0 0 1 0`
     = difference: 0 {-1-}{+0+} {-0-}{+1+} 0
     = told by: two:10
     = where: turn 3, PlayerB (second), rolled 1 0 1 0
     = specification: "In the `roll` sub-turn both players and spectators will receive a single line containing 4 space-separated binary digits."
     = board: before this line
                second  start: b1 b2 b3 b4 b5 b6     out: -
              +----+----+----+----+         +----+----+
              | *  |    |    |    |         | *  |    |
              +----+----+----+----+----+----+----+----+
              |    | b0 |    | *  |    |    |    |    |
              +----+----+----+----+----+----+----+----+
              | *  |    | a3 |    |         | *  |    |
              +----+----+----+----+         +----+----+
              > first   start: a0 a1 a2 a4 a5 a6     out: -
    "#);
    let short: String = SPECTATOR
        .lines()
        .take(18)
        .map(|line| format!("{line}\n"))
        .collect();
    insta::assert_snapshot!(drawn(&[FIRST, SECOND, &short]), @r#"
    fail[ur/retire/spectators]: the lane ends although a line was still due (must)
    --> three:19
     = expected: `RETIRE`
     = received: nothing
     = told by: two:20
     = where: turn 9, PlayerB (second), rolled 1 0 1 0
     = specification: "otherwise they will receive `RETIRE`, which indicates that the game has ended with a win for the opponent."
     = board: before this line
              > second  start: b1 b2 b3 b4 b5 b6     out: -
              +----+----+----+----+         +----+----+
              | *  |    | b0 |    |         | *  |    |
              +----+----+----+----+----+----+----+----+
              |    | a3 |    | *  |    |    |    |    |
              +----+----+----+----+----+----+----+----+
              | *  |    |    | a4 |         | *  |    |
              +----+----+----+----+         +----+----+
                first   start: a0 a1 a2 a5 a6        out: -
    "#);
}

#[test]
fn says_what_is_wrong_with_a_line_of_another_kind() {
    insta::assert_snapshot!(drawn(&[&SPECTATOR.replace("0 1 0 0\n3\n", "0 1 0 0\n")]), @r#"
    fail[ur/skip/only-when-blocked]: a roll came while a move was due (must)
    --> one:10
     = expected: a legal move of PlayerA (first): 0, 1, 2, 3, 4, 5, 6, or `RETIRE`
     = received: `0 0 0 0`
     = where: turn 4, PlayerA (first), rolled 0 1 0 0
     = specification: "Otherwise, the `move` sub-turn begins."
     = board: before this line
                second  start: b1 b2 b3 b4 b5 b6     out: -
              +----+----+----+----+         +----+----+
              | *  |    |    |    |         | *  |    |
              +----+----+----+----+----+----+----+----+
              |    | b0 |    | *  |    |    |    |    |
              +----+----+----+----+----+----+----+----+
              | *  |    | a3 |    |         | *  |    |
              +----+----+----+----+         +----+----+
              > first   start: a0 a1 a2 a4 a5 a6     out: -
    "#);
    insta::assert_snapshot!(drawn(&[&SPECTATOR.replace("0 0 1 1\n", "0 0 1 1\r\n")]), @r#"
    fail[ur/roll/line]: this is no roll (must)
    --> one:3
     = expected: four coins such as `0 1 1 0`
     = received: `0 0 1 1\r`
     = specification: "In the `roll` sub-turn both players and spectators will receive a single line containing 4 space-separated binary digits."
     = help: the line ends with CR LF; if the file was converted, restore its LF line ends
    "#);
    insta::assert_snapshot!(drawn(&[&format!("{SPECTATOR}0 0 1 1\n")]), @r#"
    fail[ur/retire/ends-the-game]: a line after the end of the game (must)
    --> one:20
     = expected: nothing: the game is over
     = received: `0 0 1 1`
     = where: turn 9, PlayerB (second), rolled 1 0 1 0
     = specification: "otherwise they will receive `RETIRE`, which indicates that the game has ended with a win for the opponent."
     = board: before this line
              > second  start: b1 b2 b3 b4 b5 b6     out: -
              +----+----+----+----+         +----+----+
              | *  |    | b0 |    |         | *  |    |
              +----+----+----+----+----+----+----+----+
              |    | a3 |    | *  |    |    |    |    |
              +----+----+----+----+----+----+----+----+
              | *  |    |    | a4 |         | *  |    |
              +----+----+----+----+         +----+----+
                first   start: a0 a1 a2 a5 a6        out: -
    "#);
    insta::assert_snapshot!(drawn(&[&SECOND.replace(">0\n", "")]), @r#"
    fail[ur/skip/only-when-blocked]: a roll came while a move was due (must)
    --> one:7
     = expected: a legal move of PlayerB (second): 0, 1, 2, 3, 4, 5, 6, or `RETIRE`
     = received: `1 0 1 0`
     = where: turn 2, PlayerB (second), rolled 1 1 1 1
     = specification: "Otherwise, the `move` sub-turn begins."
     = board: before this line
              > second  start: b0 b1 b2 b3 b4 b5 b6  out: -
              +----+----+----+----+         +----+----+
              | *  |    |    |    |         | *  |    |
              +----+----+----+----+----+----+----+----+
              |    |    |    | *  |    |    |    |    |
              +----+----+----+----+----+----+----+----+
              | *  |    | a3 |    |         | *  |    |
              +----+----+----+----+         +----+----+
                first   start: a0 a1 a2 a4 a5 a6     out: -
    "#);
}

#[test]
fn a_line_as_long_as_a_file_is_wrong_and_shown_in_part() {
    let long = SPECTATOR.replace("RETIRE", &"R".repeat(200_000));
    assert!(drawn(&[&long]).len() < 3000);
    assert_eq!(
        complaint(&together(&[&long])).requirement.unwrap(),
        "ur/line/newline-terminated"
    );
}
