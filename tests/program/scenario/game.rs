//! What is said of a turn that the rules do not bear out.

use super::{bot, drawn, referee};

#[test]
fn names_whose_turn_it_is_and_why() {
    insta::assert_snapshot!(referee(&["first: 1 1 1 1 > 0", "second: 1 0 0 0 > 2"]), @r"
        error[turn/wrong-seat]: it is the turn of `first` here, not of `second`
         --> s.yaml:7:5
          |
        6 |   - first: 1 1 1 1 > 0
          |     ------------------ token 0 from the start to cell 4 (rosette), plays again
        7 |   - second: 1 0 0 0 > 2
          |     ^^^^^^
          |
          = help: write `first`
    ");
    insta::assert_snapshot!(referee(&["first: 0 0 0 0", "first: 1 0 0 0 > 2"]), @r"
        error[turn/wrong-seat]: it is the turn of `second` here, not of `first`
         --> s.yaml:7:5
          |
        6 |   - first: 0 0 0 0
          |     -------------- no head, nothing can move
        7 |   - first: 1 0 0 0 > 2
          |     ^^^^^
          |
          = help: write `second`
    ");
    insta::assert_snapshot!(referee(&["second: 0 0 0 0"]), @r"
        error[turn/wrong-seat]: it is the turn of `first` here, not of `second`
         --> s.yaml:6:5
          |
        6 |   - second: 0 0 0 0
          |     ^^^^^^
          |
          = note: `first` begins the game
          = help: write `first`
    ");
}

#[test]
fn a_turn_is_not_skipped_where_a_move_is_possible() {
    insta::assert_snapshot!(referee(&["first: 1 1 1 0"]), @r"
        error[turn/not-blocked]: a move is possible with this roll, so the turn is not skipped
         --> s.yaml:6:12
          |
        6 |   - first: 1 1 1 0
          |            ^^^^^^^ `first` can move
          |
          = note: legal here: `0`, `1`, `2`, `3`, `4`, `5` and `6`
          = help: write `1 1 1 0 > …`
          = note: the position before the turn:
                    second  start: b0 b1 b2 b3 b4 b5 b6  out: -
                  +----+----+----+----+         +----+----+
                  | *  |    |    |    |         | *  |    |
                  +----+----+----+----+----+----+----+----+
                  |    |    |    | *  |    |    |    |    |
                  +----+----+----+----+----+----+----+----+
                  | *  |    |    |    |         | *  |    |
                  +----+----+----+----+         +----+----+
                  > first   start: a0 a1 a2 a3 a4 a5 a6  out: -
    ");
}

#[test]
fn a_turn_without_a_possible_move_is_skipped() {
    insta::assert_snapshot!(referee(&[
        "first: 0 0 0 0 > 3",
        "second: 0 0 0 0 > silent",
        r#"first: 0 0 0 0 > "x" illegal"#,
    ]), @r#"
        error[turn/blocked]: no move is possible here, so the turn is skipped
         --> s.yaml:6:22
          |
        6 |   - first: 0 0 0 0 > 3
          |                      ^ no head, nothing can move
          |
          = help: write `0 0 0 0`, or another roll to move
          = note: the position before the turn:
                    second  start: b0 b1 b2 b3 b4 b5 b6  out: -
                  +----+----+----+----+         +----+----+
                  | *  |    |    |    |         | *  |    |
                  +----+----+----+----+----+----+----+----+
                  |    |    |    | *  |    |    |    |    |
                  +----+----+----+----+----+----+----+----+
                  | *  |    |    |    |         | *  |    |
                  +----+----+----+----+         +----+----+
                  > first   start: a0 a1 a2 a3 a4 a5 a6  out: -

        error[turn/blocked]: nothing is due here, for no move is possible
         --> s.yaml:7:23
          |
        7 |   - second: 0 0 0 0 > silent
          |                       ^^^^^^ no head, nothing can move
          |
          = help: write `0 0 0 0`, or another roll to wait for the timeout
          = note: the position before the turn:
                  > second  start: b0 b1 b2 b3 b4 b5 b6  out: -
                  +----+----+----+----+         +----+----+
                  | *  |    |    |    |         | *  |    |
                  +----+----+----+----+----+----+----+----+
                  |    |    |    | *  |    |    |    |    |
                  +----+----+----+----+----+----+----+----+
                  | *  |    |    |    |         | *  |    |
                  +----+----+----+----+         +----+----+
                    first   start: a0 a1 a2 a3 a4 a5 a6  out: -

        error[turn/blocked]: no move is possible here, so the turn is skipped
         --> s.yaml:8:22
          |
        8 |   - first: 0 0 0 0 > "x" illegal
          |                      ^^^ no head, nothing can move
          |
          = help: write `0 0 0 0`, or another roll to move
          = note: the position before the turn:
                    second  start: b0 b1 b2 b3 b4 b5 b6  out: -
                  +----+----+----+----+         +----+----+
                  | *  |    |    |    |         | *  |    |
                  +----+----+----+----+----+----+----+----+
                  |    |    |    | *  |    |    |    |    |
                  +----+----+----+----+----+----+----+----+
                  | *  |    |    |    |         | *  |    |
                  +----+----+----+----+         +----+----+
                  > first   start: a0 a1 a2 a3 a4 a5 a6  out: -
    "#);
}

#[test]
fn says_what_stands_in_the_way_of_every_token() {
    insta::assert_snapshot!(referee(&[
        "first: 1 1 1 1 > 0",
        "first: 1 1 1 1 > 0",
        "first: 0 0 0 1 > 1",
        "second: 1 1 1 1 > 0",
        "second: 1 1 1 1 > 0",
    ]), @r"
        error[turn/blocked]: no move is possible here, so the turn is skipped
          --> s.yaml:10:23
           |
        10 |   - second: 1 1 1 1 > 0
           |                       ^ nothing can move 4: token 0 on cell 4: the rosette on cell 8 is occupied; a token at the start: an own token is on cell 4
           |
           = help: write `1 1 1 1`, or another roll to move
           = note: the position before the turn:
                   > second  start: b1 b2 b3 b4 b5 b6     out: -
                   +----+----+----+----+         +----+----+
                   | b0 |    |    |    |         | *  |    |
                   +----+----+----+----+----+----+----+----+
                   |    |    |    | a0 |    |    |    |    |
                   +----+----+----+----+----+----+----+----+
                   | *  |    |    | a1 |         | *  |    |
                   +----+----+----+----+         +----+----+
                     first   start: a2 a3 a4 a5 a6        out: -
    ");
}

#[test]
fn a_move_that_the_rules_refuse_says_why_and_what_is_legal() {
    insta::assert_snapshot!(referee(&["first: 0 0 0 1 > 0", "second: 0 0 0 0", "first: 1 0 0 0 > 3"]), @r"
        error[turn/refused]: the rules refuse this move: an own token stands there
         --> s.yaml:8:22
          |
        8 |   - first: 1 0 0 0 > 3
          |                      ^
          |
          = note: legal here: `0`
          = help: to have it sent all the same, write `1 0 0 0 > 3 illegal`
          = note: the position before the turn:
                    second  start: b0 b1 b2 b3 b4 b5 b6  out: -
                  +----+----+----+----+         +----+----+
                  | *  |    |    |    |         | *  |    |
                  +----+----+----+----+----+----+----+----+
                  |    |    |    | *  |    |    |    |    |
                  +----+----+----+----+----+----+----+----+
                  | *  |    |    | a0 |         | *  |    |
                  +----+----+----+----+         +----+----+
                  > first   start: a1 a2 a3 a4 a5 a6     out: -
    ");
}

#[test]
fn a_legal_move_is_not_illegal() {
    insta::assert_snapshot!(referee(&["first: 1 1 1 1 > 0 illegal", r#"first: 0 0 0 1 > "3" illegal"#]), @r#"
        error[turn/legal]: the rules allow this move, so it loses nothing
         --> s.yaml:6:24
          |
        6 |   - first: 1 1 1 1 > 0 illegal
          |                      - ^^^^^^^ not so
          |                      |
          |                      token 0 from the start to cell 4 (rosette), plays again
          |
          = help: remove `illegal`

        error[turn/legal]: the rules allow this move, so it loses nothing
         --> s.yaml:7:22
          |
        7 |   - first: 0 0 0 1 > "3" illegal
          |                      ^^^ token 3 from the start to cell 1
          |
          = help: write `3`, without quotation marks and `illegal`
    "#);
}

#[test]
fn a_line_whose_effect_is_left_open_cannot_be_predicted() {
    insta::assert_snapshot!(referee(&[r#"first: 0 0 0 1 > "+3" illegal"#]), @r#"
        error[turn/open]: the specification leaves open what this line does here
         --> s.yaml:6:22
          |
        6 |   - first: 0 0 0 1 > "+3" illegal
          |                      ^^^^ the move `3`, which is legal, or no move at all
          |
          = note: ur/input/number-format: what each lane receives cannot be said beforehand
          = help: send another line, or that of a move that the rules refuse here
    "#);
}

#[test]
fn a_line_that_loses_whatever_it_is_taken_for_is_not_ignored() {
    insta::assert_snapshot!(referee(&[
        "first: 0 0 0 1 > 0",
        "second: 0 0 0 0",
        "first: '0 0 0 1 > \" 1 \" ignored'",
    ]), @r#"
        error[turn/not-ignored]: this line is not ignored
         --> s.yaml:8:23
          |
        8 |   - first: '0 0 0 1 > " 1 " ignored'
          |                       ^^^^^
          |
          = help: write a move without quotation marks, and mark a line that loses as `illegal`
    "#);
}

#[test]
fn nothing_follows_a_turn_that_loses_the_game() {
    insta::assert_snapshot!(referee(&[
        r#"first: 0 0 0 1 > "x" illegal"#,
        "second: 0 0 0 0",
        "first: 0 0 0 0",
    ]), @r#"
        error[turn/after-the-end]: the game is over before this turn
         --> s.yaml:7:5
          |
        6 |   - first: 0 0 0 1 > "x" illegal
          |     ---------------------------- here `first` loses the game
        7 |   - second: 0 0 0 0
          |     ^^^^^^ nothing can follow
          |
          = help: remove this turn and those after it
    "#);
    insta::assert_snapshot!(referee(&["first: 0 0 0 1 > silent", "play: to the end"]), @r"
        error[turn/after-the-end]: the game is over before this turn
         --> s.yaml:7:5
          |
        6 |   - first: 0 0 0 1 > silent
          |     ----------------------- here `first` loses the game
        7 |   - play: to the end
          |     ^^^^^^^^^^^^^^^^ nothing can follow
          |
          = help: remove this turn and those after it
    ");
}

#[test]
fn after_any_only_what_is_wrong_everywhere_is_a_fault() {
    insta::assert_snapshot!(bot(&["bot: 0 0 0 1 > any", "opponent: 0 0 0 1 > 0", "bot: 0 0 1 0"]), @r"
        error[turn/not-blocked]: a move is possible with this roll, so the turn is not skipped
         --> s.yaml:9:10
          |
        9 |   - bot: 0 0 1 0
          |          ^^^^^^^ `bot` can move
          |
          = note: legal here: `0`
          = help: write `0 0 1 0 > any`
          = note: so it is in every position that the turns before can lead to; this is of one of them
    ");
    insta::assert_snapshot!(bot(&["bot: 0 0 0 1 > any", "bot: 0 0 0 1 > any"]), @r"
        error[turn/wrong-seat]: it is the turn of `opponent` here, not of `bot`
         --> s.yaml:8:5
          |
        7 |   - bot: 0 0 0 1 > any
          |     ------------------ whatever is moved here
        8 |   - bot: 0 0 0 1 > any
          |     ^^^
          |
          = help: write `opponent`
          = note: so it is in every position that the turns before can lead to; this is of one of them
    ");
}

#[test]
fn a_choice_that_is_excluded_must_leave_another() {
    insta::assert_snapshot!(bot(&[
        "bot: 0 0 0 1 > any as a",
        "opponent: 0 0 0 0",
        "bot: 0 0 0 1 > any except a",
    ]), @r"
        error[turn/only-excluded]: no other move is possible than the one that is excluded
         --> s.yaml:9:20
          |
        9 |   - bot: 0 0 0 1 > any except a
          |                    ^^^^^^^^^^^^ only `0` can be played
          |
          = help: remove `except` and the name, or change the turns before
          = note: so it is in every position that the turns before can lead to; this is of one of them
    ");
}

#[test]
fn names_of_choices_are_given_once_and_before_they_are_used() {
    insta::assert_snapshot!(bot(&[
        "bot: 0 0 0 1 > any as a",
        "opponent: 0 0 0 1 > 0",
        "bot: 0 0 0 1 > any except b",
        "opponent: 0 0 0 0",
        "bot: 0 0 0 1 > any as a",
    ]), @r"
        error[turn/unknown-name]: no choice before this is called `b`
         --> s.yaml:9:31
          |
        9 |   - bot: 0 0 0 1 > any except b
          |                               ^
          |
          = help: name one first: `any as b`

        error[turn/repeated-name]: another choice is called `a` already
          --> s.yaml:11:27
           |
         7 |   - bot: 0 0 0 1 > any as a
           |                           - this one
        ...
        11 |   - bot: 0 0 0 1 > any as a
           |                           ^
           |
           = help: give it another name
    ");
    insta::assert_snapshot!(bot(&[
        "bot: 0 0 0 1 > any as long-name",
        "opponent: 0 0 0 0",
        "bot: 0 0 1 1 > any except lang-name",
    ]), @r"
        error[turn/unknown-name]: no choice before this is called `lang-name`
         --> s.yaml:9:31
          |
        9 |   - bot: 0 0 1 1 > any except lang-name
          |                               ^^^^^^^^^
          |
          = help: write `long-name`
    ");
}

#[test]
fn says_nothing_about_the_game_after_a_turn_that_cannot_be_read() {
    insta::assert_snapshot!(referee(&["first: 1 1 1 1 > 7", "second: 0 0 0 0"]), @r#"
        error[turn/move]: `7` is no move
         --> s.yaml:6:22
          |
        6 |   - first: 1 1 1 1 > 7
          |                      ^ due is the number of a token, 0 to 6
          |
          = help: to have the line sent all the same, write `"7" illegal`
    "#);
}

#[test]
fn goes_on_with_any_legal_move_after_one_that_is_refused() {
    insta::assert_snapshot!(referee(&[
        "first: 0 0 0 1 > 0",
        "second: 0 0 0 0",
        "first: 0 0 0 1 > 3",
        "first: 0 0 0 0",
    ]), @r"
        error[turn/refused]: the rules refuse this move: an own token stands there
         --> s.yaml:8:22
          |
        8 |   - first: 0 0 0 1 > 3
          |                      ^
          |
          = note: legal here: `0`
          = help: to have it sent all the same, write `0 0 0 1 > 3 illegal`
          = note: the position before the turn:
                    second  start: b0 b1 b2 b3 b4 b5 b6  out: -
                  +----+----+----+----+         +----+----+
                  | *  |    |    |    |         | *  |    |
                  +----+----+----+----+----+----+----+----+
                  |    |    |    | *  |    |    |    |    |
                  +----+----+----+----+----+----+----+----+
                  | *  |    |    | a0 |         | *  |    |
                  +----+----+----+----+         +----+----+
                  > first   start: a1 a2 a3 a4 a5 a6     out: -

        error[turn/wrong-seat]: it is the turn of `second` here, not of `first`
         --> s.yaml:9:5
          |
        8 |   - first: 0 0 0 1 > 3
          |     ------------------
        9 |   - first: 0 0 0 0
          |     ^^^^^
          |
          = help: write `second`
    ");
}

#[test]
fn nothing_follows_the_winning_move() {
    let whole = include_str!("../../../scenarios/royalur/referee/second-player-wins.yaml");
    insta::assert_snapshot!(drawn(&format!("{}\n  - first: 0 0 0 0\n", whole.trim_end())), @r"
        error[turn/after-the-end]: the game is over before this turn
          --> s.yaml:64:5
           |
        63 |   - second: 1 1 1 1 > 4   # the seventh token is out
           |     ------------------- here `second` wins the game
        64 |   - first: 0 0 0 0
           |     ^^^^^ nothing can follow
           |
           = help: remove this turn and those after it
    ");
}
