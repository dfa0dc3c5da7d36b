//! What is said of a turn in which more is done than a line is sent, of going away, and of what follows.

use super::{bot, drawn, referee, with_keys, with_turns};

#[test]
fn a_turn_says_once_what_is_done() {
    insta::assert_snapshot!(referee(&[
        &with_keys("first: 0 0 1 1 > 3", &["send: \"3\\n\""]),
        &with_keys("second: 0 0 1 1", &["send: \"3\\n\"", "silent: until the timeout"]),
        &with_keys("first: 0 0 1 1 > hang up", &["silent: until the timeout"]),
        &with_keys("second: 0 0 1 1", &["silent: for ever"]),
        &with_keys("first: 0 0 1 1 > 3", &["then: hang up"]),
        &with_keys("second: 0 0 1 1", &["send: \"3\"", "then: leave"]),
    ]), @r#"
        error[turn/form]: this turn says twice what is done
         --> s.yaml:6:22
          |
        6 |   - first: 0 0 1 1 > 3
          |                      ^ here
        7 |     send: "3\n"
          |     ---- and here
          |
          = help: remove one of them

        error[turn/form]: who is silent sends nothing
          --> s.yaml:10:5
           |
        10 |     silent: until the timeout
           |     ^^^^^^
           |
           = help: remove `send` or `silent`

        error[turn/form]: this turn says twice what is done
          --> s.yaml:11:22
           |
        11 |   - first: 0 0 1 1 > hang up
           |                      ^^^^^^^ here
        12 |     silent: until the timeout
           |     ------ and here
           |
           = help: remove one of them

        error[turn/form]: a player can be silent only until the timeout
          --> s.yaml:14:13
           |
        14 |     silent: for ever
           |             ^^^^^^^^
           |
           = help: write `silent: until the timeout`

        error[turn/form]: `then` says what follows `send`
          --> s.yaml:16:5
           |
        16 |     then: hang up
           |     ^^^^
           |
           = help: write `> hang up` after the roll

        error[yaml/expected-one-of]: one of `hang up`, `half-close`, `reset` is due here
          --> s.yaml:19:11
           |
        19 |     then: leave
           |           ^^^^^ this is the text `leave`
    "#);
}

#[test]
fn keys_beside_a_turn_need_the_turn() {
    insta::assert_snapshot!(referee(&[
        "send: \"3\\n\"",
        &with_keys("first: 0 0 1 1", &["sned: \"3\\n\""]),
        &with_keys("play: to the end", &["meanwhile: []"]),
    ]), @r#"
    error[turn/form]: a turn begins with who plays it
     --> s.yaml:6:5
      |
    6 |   - send: "3\n"
      |     ^^^^^^^^^^^
      |
      = help: write `- first: 1 1 1 1 > …`

    error[yaml/unknown-key]: there is no key `sned` in a turn
     --> s.yaml:8:5
      |
    8 |     sned: "3\n"
      |     ^^^^ not known here
      |
      = help: write `send`

    error[turn/form]: `meanwhile` belongs to the turn of a player who is named
      --> s.yaml:10:5
       |
    10 |     meanwhile: []
       |     ^^^^^^^^^
       |
       = help: remove it
    "#);
}

#[test]
fn a_player_goes_away_in_one_of_three_ways() {
    insta::assert_snapshot!(referee(&[
        "first: 0 0 1 1 > hang",
        "second: 0 0 1 1 > hang-up",
        "first: 0 0 1 1 > hang up now",
        "second: 0 0 1 1 > resett",
        "first: 0 0 1 1 > half-close 3",
    ]), @r"
        error[turn/unknown-word]: `hang` means nothing here
         --> s.yaml:6:22
          |
        6 |   - first: 0 0 1 1 > hang
          |                      ^^^^
          |
          = help: write `hang up`

        error[turn/unknown-word]: `hang-up` means nothing here
         --> s.yaml:7:23
          |
        7 |   - second: 0 0 1 1 > hang-up
          |                       ^^^^^^^
          |
          = help: write `hang up`

        error[turn/unknown-word]: `now` means nothing here
         --> s.yaml:8:30
          |
        8 |   - first: 0 0 1 1 > hang up now
          |                              ^^^
          |
          = help: nothing follows `hang up`

        error[turn/unknown-word]: `resett` means nothing here
         --> s.yaml:9:23
          |
        9 |   - second: 0 0 1 1 > resett
          |                       ^^^^^^
          |
          = help: write `reset`

        error[turn/unknown-word]: `3` means nothing here
          --> s.yaml:10:33
           |
        10 |   - first: 0 0 1 1 > half-close 3
           |                                 ^
           |
           = help: nothing follows `half-close`
    ");
}

#[test]
fn nothing_follows_who_has_gone_away_on_turn() {
    insta::assert_snapshot!(referee(&["first: 0 0 1 1 > reset", "second: 0 0 0 0"]), @r"
        error[turn/after-the-end]: the game is over before this turn
         --> s.yaml:7:5
          |
        6 |   - first: 0 0 1 1 > reset
          |     ---------------------- here `first` loses the game
        7 |   - second: 0 0 0 0
          |     ^^^^^^ nothing can follow
          |
          = help: remove this turn and those after it
    ");
    insta::assert_snapshot!(referee(&["first: 0 0 0 0 > hang up"]), @r"
        error[turn/blocked]: no move is due here, for none is possible
         --> s.yaml:6:22
          |
        6 |   - first: 0 0 0 0 > hang up
          |                      ^^^^^^^ no head, nothing can move
          |
          = help: write `0 0 0 0`, or another roll to have one due
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
fn what_is_sent_leads_on_or_loses_by_its_first_line() {
    let turn = |sent: &str| with_keys("first: 0 0 1 1", &[&format!("send: {sent}")]);
    for loses in [
        "\"7\\n\"",
        "\"x\\n3\\n\"",
        "\"3\"",
        "{hex: \"00 0a\"}",
        "{repeat: \"a\", times: 60000}",
    ] {
        let drawn = referee(&[&turn(loses), "second: 0 0 0 0"]);
        assert!(
            drawn.contains("here `first` loses the game"),
            "{loses}: {drawn}"
        );
    }
    insta::assert_snapshot!(referee(&[&turn("[\"3\", \"\\n\"]"), "first: 0 0 0 0"]), @r#"
        error[turn/wrong-seat]: it is the turn of `second` here, not of `first`
         --> s.yaml:8:5
          |
        6 |   - first: 0 0 1 1
          |     -------------- token 3 from the start to cell 2
        7 |     send: ["3", "\n"]
        8 |   - first: 0 0 0 0
          |     ^^^^^
          |
          = help: write `second`
    "#);
}

#[test]
fn no_turn_follows_a_line_of_which_it_is_open_what_it_does() {
    let turn = with_keys("first: 0 0 1 1", &["send: \"3\\r\\n\""]);
    insta::assert_snapshot!(referee(&[&turn, "second: 0 0 0 0"]), @r#"
        error[turn/after-open]: whether the game goes on before this turn is left open
         --> s.yaml:8:5
          |
        6 |   - first: 0 0 1 1
          |     -------------- ur/input/crlf leaves open what this does
        7 |     send: "3\r\n"
        8 |   - second: 0 0 0 0
          |     ^^^^^^ no turn can follow
          |
          = help: remove this turn and those after it; `- play: to the end` can stand here
    "#);
    let unfinished = with_keys("first: 0 0 1 1", &["send: \"3\"", "then: reset"]);
    insta::assert_snapshot!(referee(&[&unfinished, "second: 0 0 0 0"]), @r"
        error[turn/after-open]: whether the game goes on before this turn is left open
         --> s.yaml:9:5
          |
        6 |   - first: 0 0 1 1
          |     -------------- ur/input/no-final-newline leaves open what this does
        ...
        9 |   - second: 0 0 0 0
          |     ^^^^^^ no turn can follow
          |
          = help: remove this turn and those after it; `- play: to the end` can stand here
    ");
}

#[test]
fn a_surplus_line_makes_the_next_turn_of_its_sender_the_last() {
    let turn = with_keys("first: 0 0 1 1", &["send: \"3\\n4\\n\""]);
    insta::assert_snapshot!(referee(&[
        &turn,
        "second: 0 0 0 0",
        "first: 0 0 0 0",
        "second: 0 0 0 0",
        "first: 0 0 0 1 > 4",
        "second: 0 0 0 0",
    ]), @r"
        error[turn/after-open]: whether the game goes on before this turn is left open
          --> s.yaml:12:5
           |
         6 |   - first: 0 0 1 1
           |     -------------- here `first` sends more than one line
        ...
        12 |   - second: 0 0 0 0
           |     ^^^^^^ no turn can follow
           |
           = help: remove this turn and those after it; `- play: to the end` can stand here
    ");
}

#[test]
fn a_game_that_is_open_has_no_golden_transcript() {
    let turn = with_keys("first: 0 0 1 1", &["send: \"+3\\n\""]);
    insta::assert_snapshot!(drawn(&(with_turns(super::REFEREE, &[&turn]) + "golden: x.txt\n")), @r#"
        error[scenario/golden]: this game has no golden transcript: what it comes to is left open
         --> s.yaml:8:1
          |
        6 |   - first: 0 0 1 1
          |     -------------- ur/input/number-format leaves open what this does
        7 |     send: "+3\n"
        8 | golden: x.txt
          | ^^^^^^^^^^^^^
          |
          = help: remove this line
    "#);
}

#[test]
fn a_line_has_to_be_whole_before_the_timeout() {
    let turn = with_keys(
        "first: 0 0 1 1",
        &["send: [\"3\", {pause: 2s}, \"\\n\", {pause: 1s}]"],
    );
    let text = with_turns(super::REFEREE, &[&turn]).replace("turns:", "timeout: 2s\nturns:");
    insta::assert_snapshot!(drawn(&text), @r#"
        error[turn/too-late]: the line is whole only after 2s
         --> s.yaml:8:11
          |
        8 |     send: ["3", {pause: 2s}, "\n", {pause: 1s}]
          |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the timeout is 2s
          |
          = help: to let the timeout pass, write `silent: until the timeout`, or send no line end
    "#);
}

#[test]
fn a_bot_sees_of_its_opponent_only_what_the_referee_makes_of_it() {
    let send = |sent: &str, then: &[&str]| {
        let mut keys = vec![format!("send: {sent}")];
        keys.extend(then.iter().map(|key| (*key).to_owned()));
        with_keys(
            "opponent: 0 0 1 1",
            &keys.iter().map(String::as_str).collect::<Vec<_>>(),
        )
    };
    insta::assert_snapshot!(bot(&[
        "bot: 0 0 1 1 > hang up",
        &send("[\"3\", {pause: 1s}, \"\\n\"]", &[]),
        &with_keys("bot: 0 0 1 1", &["send: \"3\\n\""]),
        &send("\"3\\n4\\n\"", &[]),
        &with_keys("bot: 0 0 1 1 > any", &["meanwhile:", "  - opponent: hang up"]),
        &send("\"3\"", &["then: hang up"]),
    ]), @r#"
        error[turn/bot-move]: the bot under test cannot be made to do this
         --> s.yaml:7:20
          |
        7 |   - bot: 0 0 1 1 > hang up
          |                    ^^^^^^^ it chooses for itself, and is to choose a legal move
          |
          = help: write `0 0 1 1 > any`

        error[turn/send]: the bot under test cannot see this: urtext is the referee, and takes one line
         --> s.yaml:9:11
          |
        9 |     send: ["3", {pause: 1s}, "\n"]
          |           ^^^^^^^^^^^^^^^^^^^^^^^^
          |
          = help: send one line or a part of one, without pauses, and let nothing follow it

        error[turn/bot-move]: the bot under test cannot be made to do this
          --> s.yaml:11:11
           |
        11 |     send: "3\n"
           |           ^^^^^ it chooses for itself, and is to choose a legal move
           |
           = help: write `0 0 1 1 > any`

        error[turn/send]: the bot under test cannot see this: urtext is the referee, and takes one line
          --> s.yaml:13:11
           |
        13 |     send: "3\n4\n"
           |           ^^^^^^^^
           |
           = help: send one line or a part of one, without pauses, and let nothing follow it

        error[turn/meanwhile]: nothing happens meanwhile in a scenario for a bot
          --> s.yaml:15:5
           |
        15 |     meanwhile:
           |     ^^^^^^^^^
           |
           = note: urtext is the referee there, and the bot sees nothing but its lines
           = help: remove it

        error[turn/send]: the bot under test cannot see this: urtext is the referee, and takes one line
          --> s.yaml:18:11
           |
        18 |     send: "3"
           |           ^^^
           |
           = help: send one line or a part of one, without pauses, and let nothing follow it
    "#);
    insta::assert_snapshot!(bot(&["bot: 0 0 1 1 > any", &send("\"+3\\n\"", &[])]), @r#"
        error[turn/open]: the specification leaves open what this line does here
         --> s.yaml:9:11
          |
        9 |     send: "+3\n"
          |           ^^^^^^ the move `3`, which is legal, or no move at all
          |
          = note: ur/input/number-format: what each lane receives cannot be said beforehand
          = help: send another line, or that of a move that the rules refuse here
          = note: so it is in every position that the turns before can lead to; this is of one of them
    "#);
}
