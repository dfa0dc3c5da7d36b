//! What is said of what happens meanwhile.

use super::{REFEREE, drawn, referee, with_turns};

/// A turn in which all this happens.
fn meanwhile(turn: &str, acts: &[&str]) -> String {
    acts.iter()
        .fold(format!("{turn}\n    meanwhile:"), |text, act| {
            text + "\n      - " + act
        })
}

/// The faults with two spectators there.
fn watched(turns: &[&str]) -> String {
    drawn(&with_turns(
        &REFEREE.replace("turns:", "spectators: 2\nturns:"),
        turns,
    ))
}

#[test]
fn each_act_is_one_participants() {
    insta::assert_snapshot!(referee(&[
        &meanwhile("first: 0 0 1 1 > 3", &["hang up", "second: hang up\n        first: reset", "{}"]),
        "second: 0 0 1 1 > 3\n    meanwhile: hang up",
        &meanwhile("first: 0 0 1 1 > 3", &["secnd: hang up", "spectator: leave", "spectator 01: leave", "bot: reset"]),
    ]), @r#"
        error[turn/meanwhile]: who does it comes first
         --> s.yaml:8:9
          |
        8 |       - hang up
          |         ^^^^^^^ this is text
          |
          = help: write such as `- second: hang up`, `- second: send "…"` or `- spectator 1: leave`

        error[turn/meanwhile]: one participant does one thing
         --> s.yaml:9:9
          |
        9 |       - second: hang up
          |         ^^^^^^^^^^^^^^^
          |
          = help: write each on a line of its own, after `- `

        error[turn/meanwhile]: one participant does one thing
          --> s.yaml:11:9
           |
        11 |       - {}
           |         ^^
           |
           = help: write each on a line of its own, after `- `

        error[turn/meanwhile]: a list of what happens meanwhile is due here
          --> s.yaml:13:16
           |
        13 |     meanwhile: hang up
           |                ^^^^^^^ this is text
           |
           = help: write such as `- second: hang up`, `- second: send "…"` or `- spectator 1: leave`

        error[turn/meanwhile]: there is no participant `secnd`
          --> s.yaml:16:9
           |
        16 |       - secnd: hang up
           |         ^^^^^
           |
           = help: write `second`

        error[turn/meanwhile]: there is no participant `spectator`
          --> s.yaml:17:9
           |
        17 |       - spectator: leave
           |         ^^^^^^^^^
           |
           = help: write `spectator 1`

        error[turn/meanwhile]: there is no participant `spectator 01`
          --> s.yaml:18:9
           |
        18 |       - spectator 01: leave
           |         ^^^^^^^^^^^^
           |
           = help: write `spectator 1`

        error[turn/meanwhile]: there is no participant `bot`
          --> s.yaml:19:9
           |
        19 |       - bot: reset
           |         ^^^
           |
           = help: write such as `- second: hang up`, `- second: send "…"` or `- spectator 1: leave`
    "#);
}

#[test]
fn each_participant_does_what_it_can() {
    insta::assert_snapshot!(referee(&[&meanwhile("first: 0 0 1 1 > 3", &[
        "second: leave",
        "second: join",
        "second: hangup",
        "spectator 1: hang up",
        "spectator 1: half-close",
        "spectator 1: send \"x\\n\"",
        "spectator 1: {send: \"x\\n\"}",
    ])]), @r#"
        error[turn/meanwhile]: `leave` means nothing here
         --> s.yaml:8:17
          |
        8 |       - second: leave
          |                 ^^^^^
          |
          = help: write `hang up`

        error[turn/meanwhile]: `join` means nothing here
         --> s.yaml:9:17
          |
        9 |       - second: join
          |                 ^^^^
          |
          = help: write one of `hang up`, `half-close`, `reset`, or `send` and a text

        error[turn/meanwhile]: `hangup` means nothing here
          --> s.yaml:10:17
           |
        10 |       - second: hangup
           |                 ^^^^^^
           |
           = help: write `hang up`

        error[turn/meanwhile]: `hang up` means nothing here
          --> s.yaml:11:22
           |
        11 |       - spectator 1: hang up
           |                      ^^^^^^^
           |
           = help: write `leave`

        error[turn/meanwhile]: `half-close` means nothing here
          --> s.yaml:12:22
           |
        12 |       - spectator 1: half-close
           |                      ^^^^^^^^^^
           |
           = help: write one of `join`, `leave`, `reset`

        error[turn/meanwhile]: a spectator only watches
          --> s.yaml:13:22
           |
        13 |       - spectator 1: send "x\n"
           |                      ^^^^^^^^^^ it sends nothing
           |
           = help: remove this

        error[turn/meanwhile]: a spectator only watches
          --> s.yaml:14:29
           |
        14 |       - spectator 1: {send: "x\n"}
           |                             ^^^^^ it sends nothing
           |
           = help: remove this
    "#);
}

#[test]
fn what_is_sent_stands_in_quotation_marks() {
    insta::assert_snapshot!(referee(&[&meanwhile("first: 0 0 1 1 > 3", &[
        "second: send",
        "second: send 3",
        "second: send \"3\\n\" \"4\\n\"",
        "second: send \"3\\q\"",
        "second: send \"\"",
        "second: send \"3",
        "second: {sned: \"3\"}",
        "second: {send: \"3\", then: leave}",
    ])]), @r#"
        error[turn/meanwhile]: what is sent is missing after `send`
         --> s.yaml:8:17
          |
        8 |       - second: send
          |                 ^^^^
          |
          = help: write it in quotation marks, such as `send "3\n"`

        error[turn/meanwhile]: what is sent is missing after `send`
         --> s.yaml:9:17
          |
        9 |       - second: send 3
          |                 ^^^^^^
          |
          = help: write it in quotation marks, such as `send "3\n"`

        error[turn/meanwhile]: nothing follows what is sent
          --> s.yaml:10:28
           |
        10 |       - second: send "3\n" "4\n"
           |                            ^^^^^
           |
           = help: use the form `{send: ["…", …]}` for several pieces

        error[turn/meanwhile]: this is no known escape
          --> s.yaml:11:24
           |
        11 |       - second: send "3\q"
           |                        ^^
           |
           = help: write `\\` for a backslash; known are `\"`, `\/`, `\b`, `\f`, `\r`, `\t`, `\u00e9`, and `\xff` for a byte

        error[turn/meanwhile]: nothing is sent
          --> s.yaml:12:22
           |
        12 |       - second: send ""
           |                      ^^
           |
           = help: write a text between the quotation marks

        error[turn/meanwhile]: this quotation mark is never closed
          --> s.yaml:13:22
           |
        13 |       - second: send "3
           |                      ^^
           |
           = help: add a `"`; where ` #` stands in the line, put the whole turn in single quotation marks

        error[yaml/unknown-key]: there is no key `sned` in what is done meanwhile
          --> s.yaml:14:18
           |
        14 |       - second: {sned: "3"}
           |                  ^^^^ not known here
           |
           = help: write `send`

        error[yaml/expected-one-of]: one of `hang up`, `half-close`, `reset` is due here
          --> s.yaml:15:35
           |
        15 |       - second: {send: "3", then: leave}
           |                                   ^^^^^ this is the text `leave`
    "#);
}

#[test]
fn the_player_on_turn_does_nothing_meanwhile() {
    insta::assert_snapshot!(referee(&[
        &meanwhile("first: 0 0 1 1 > 3", &["first: send \"3\\n\""]),
        &meanwhile("second: 0 0 0 0", &["first: send \"3\\n\""]),
    ]), @r#"
        error[turn/own-turn]: it is the turn of `first`: what it does is not meanwhile
         --> s.yaml:8:9
          |
        8 |       - first: send "3\n"
          |         ^^^^^
          |
          = help: use the key `send` in the turn, or write it after the roll

        error[turn/meanwhile]: a skipped turn is over with its roll, so nothing can happen meanwhile
          --> s.yaml:10:5
           |
        10 |     meanwhile:
           |     ^^^^^^^^^
           |
           = help: put it into a turn in which somebody moves
    "#);
}

#[test]
fn spectators_come_and_go_in_order() {
    insta::assert_snapshot!(watched(&[
        &meanwhile("first: 0 0 1 1 > 3", &["spectator 0: leave", "spectator 3: join", "spectator 2: leave"]),
        &meanwhile("second: 0 0 1 1 > 3", &["spectator 1: leave", "spectator 2: join", "spectator 2: join"]),
        &meanwhile("first: 0 0 0 1 > 3", &["spectator 1: reset"]),
    ]), @r"
        error[turn/unknown-spectator]: there are only the spectators 1 to 2 in this scenario
         --> s.yaml:9:9
          |
        9 |       - spectator 0: leave
          |         ^^^^^^^^^^^
          |
          = help: spectators are numbered from 1

        error[turn/unknown-spectator]: there are only the spectators 1 to 2 in this scenario
          --> s.yaml:10:9
           |
        10 |       - spectator 3: join
           |         ^^^^^^^^^^^
           |
           = help: write `spectators: 3` above, those that join late included

        error[turn/spectator]: spectator 2 is not there yet
          --> s.yaml:11:9
           |
        11 |       - spectator 2: leave
           |         ^^^^^^^^^^^^^^^^^^
        ...
        15 |       - spectator 2: join
           |         ----------------- it joins only here
           |
           = help: let it join before

        error[turn/spectator]: spectator 2 is there already
          --> s.yaml:16:9
           |
        16 |       - spectator 2: join
           |         ^^^^^^^^^^^^^^^^^
           |
           = help: remove this

        error[turn/spectator]: spectator 1 has left
          --> s.yaml:19:9
           |
        14 |       - spectator 1: leave
           |         ------------------ here it leaves
        ...
        19 |       - spectator 1: reset
           |         ^^^^^^^^^^^^^^^^^^
           |
           = help: who comes later is another spectator: give it another number
    ");
    let none = REFEREE.replace("turns:", "spectators: 0\nturns:");
    insta::assert_snapshot!(
        drawn(&with_turns(&none, &[&meanwhile("first: 0 0 1 1 > 3", &["spectator 1: leave"])])), @r"
        error[turn/unknown-spectator]: there is no spectator in this scenario
         --> s.yaml:9:9
          |
        9 |       - spectator 1: leave
          |         ^^^^^^^^^^^
          |
          = help: write `spectators: 1` above, those that join late included
    ");
}

#[test]
fn who_has_gone_away_does_nothing_any_more() {
    insta::assert_snapshot!(referee(&[
        &meanwhile("first: 0 0 1 1 > 3", &["second: hang up", "second: send \"3\\n\""]),
        "second: 0 0 0 1 > 3",
    ]), @r#"
        error[turn/gone]: `second` has gone away already
         --> s.yaml:9:9
          |
        8 |       - second: hang up
          |         --------------- here `second` goes away
        9 |       - second: send "3\n"
          |         ^^^^^^
          |
          = help: remove this

        error[turn/gone]: `second` has gone away, and can do nothing here
          --> s.yaml:10:23
           |
         8 |       - second: hang up
           |         --------------- here `second` goes away
         9 |       - second: send "3\n"
        10 |   - second: 0 0 0 1 > 3
           |                       ^
           |
           = help: write `0 0 0 1` alone: with a possible move, the player is retired here at the latest
    "#);
}

#[test]
fn who_has_gone_away_is_retired_on_its_turn_at_the_latest() {
    insta::assert_snapshot!(referee(&[
        &meanwhile("first: 0 0 1 1 > 3", &["second: hang up"]),
        "second: 0 0 0 0",
        "first: 0 0 0 0",
        "second: 0 0 0 1",
        "first: 0 0 0 0",
    ]), @r"
        error[turn/after-the-end]: the game is over before this turn
          --> s.yaml:12:5
           |
        11 |   - second: 0 0 0 1
           |     --------------- here `second` loses the game
        12 |   - first: 0 0 0 0
           |     ^^^^^ nothing can follow
           |
           = help: remove this turn and those after it
    ");
}

#[test]
fn a_line_off_turn_makes_the_next_turn_of_its_sender_the_last() {
    insta::assert_snapshot!(referee(&[
        &meanwhile("first: 0 0 1 1 > 3", &["second: {send: [\"3\", {pause: 10ms}, \"\\n\"]}"]),
        "second: 0 0 0 0",
        "first: 0 0 0 0",
        "second: 0 0 0 1 > 4",
        "first: 0 0 0 0",
    ]), @r#"
        error[turn/after-open]: whether the game goes on before this turn is left open
          --> s.yaml:12:5
           |
         8 |       - second: {send: ["3", {pause: 10ms}, "\n"]}
           |         ------------------------------------------ here `second` sends a line off turn
        ...
        12 |   - first: 0 0 0 0
           |     ^^^^^ no turn can follow
           |
           = help: remove this turn and those after it; `- play: to the end` can stand here
    "#);
}

#[test]
fn half_a_line_is_ended_before_another_one_begins() {
    insta::assert_snapshot!(referee(&[
        &meanwhile("first: 0 0 1 1 > 3", &["second: send \"3\""]),
        "second: 0 0 0 1 > 4",
    ]), @r"
        error[turn/half-line]: `second` has sent half a line before, and this would be its end
         --> s.yaml:9:23
          |
        9 |   - second: 0 0 0 1 > 4
          |                       ^
          |
          = help: use the key `send`, with the rest of that line
    ");
}

#[test]
fn a_game_with_a_hang_up_off_turn_has_no_golden_transcript() {
    let turn = meanwhile("first: 0 0 1 1 > 3", &["second: reset"]);
    insta::assert_snapshot!(drawn(&(with_turns(REFEREE, &[&turn]) + "golden: x.txt\n")), @r"
        error[scenario/golden]: this game has no golden transcript: what it comes to is left open
         --> s.yaml:9:1
          |
        8 |       - second: reset
          |         ------------- here `second` goes away
        9 | golden: x.txt
          | ^^^^^^^^^^^^^
          |
          = help: remove this line
    ");
}

#[test]
fn much_can_happen_in_a_turn_but_not_anything() {
    let acts = vec!["second: send \"x\""; 101];
    let drawn = referee(&[&meanwhile("first: 0 0 1 1 > 3", &acts)]);
    assert!(
        drawn.contains("error[turn/meanwhile]: at most 100 things can happen in one turn"),
        "{drawn}"
    );
}
