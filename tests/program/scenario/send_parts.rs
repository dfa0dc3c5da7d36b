//! What is said of the pieces that a turn sends.

use super::{referee, with_keys};

#[test]
fn a_piece_is_text_in_quotation_marks_or_says_what_it_is() {
    insta::assert_snapshot!(referee(&[
        &with_keys("first: 0 0 1 1", &["send: 3"]),
        &with_keys("second: 0 0 1 1", &["send: |", "  3"]),
    ]), @r#"
        error[turn/send]: what is sent is text in quotation marks
         --> s.yaml:7:11
          |
        7 |     send: 3
          |           ^ these are missing
          |
          = help: write "3"

        error[turn/send]: what is sent is text in quotation marks
         --> s.yaml:9:11
          |
        9 |     send: |
          |           ^ these are missing
          |
          = help: write `"…"`, with `\n` where a line ends
    "#);
    insta::assert_snapshot!(referee(&[
        &with_keys("first: 0 0 1 1", &["send: [3, [\"x\"], {puase: 1s}, {}]"]),
        &with_keys("second: 0 0 1 1", &["send:"]),
        &with_keys("first: 0 0 1 1", &["send: []"]),
        &with_keys("second: 0 0 1 1", &["send: [\"\", {pause: 1s}]"]),
    ]), @r#"
        error[turn/send]: what is sent is text in quotation marks
         --> s.yaml:7:12
          |
        7 |     send: [3, ["x"], {puase: 1s}, {}]
          |            ^ these are missing
          |
          = help: write "3"

        error[turn/send]: a piece of what is sent is due here
         --> s.yaml:7:15
          |
        7 |     send: [3, ["x"], {puase: 1s}, {}]
          |               ^^^^^ this is a list
          |
          = help: write `"…"`, `{repeat: "…", times: …}`, `{hex: "…"}` or `{pause: …}`

        error[yaml/unknown-key]: there is no key `puase` in a piece of what is sent
         --> s.yaml:7:23
          |
        7 |     send: [3, ["x"], {puase: 1s}, {}]
          |                       ^^^^^ not known here
          |
          = help: write `pause`

        error[yaml/missing-key]: a piece of what is sent needs one of the keys `repeat`, `hex`, `pause`
         --> s.yaml:7:35
          |
        7 |     send: [3, ["x"], {puase: 1s}, {}]
          |                                   ^^ not in this mapping

        error[turn/send]: a piece of what is sent is due here
         --> s.yaml:9:9
          |
        9 |     send:
          |         ^ this is nothing
          |
          = help: write `"…"`, `{repeat: "…", times: …}`, `{hex: "…"}` or `{pause: …}`

        error[turn/send]: nothing is sent
          --> s.yaml:11:11
           |
        11 |     send: []
           |           ^^
           |
           = help: write a text in quotation marks, such as `"3\n"`

        error[turn/send]: nothing is sent
          --> s.yaml:13:11
           |
        13 |     send: ["", {pause: 1s}]
           |           ^^^^^^^^^^^^^^^^^
           |
           = help: write a text in quotation marks, such as `"3\n"`
    "#);
}

#[test]
fn a_byte_is_no_escape_of_yaml() {
    insta::assert_snapshot!(referee(&[&with_keys("first: 0 0 1 1", &[r#"send: "\\\x07\xe9\n""#])]), @r#"
        error[turn/send]: to YAML this is the character U+00E9, not a byte
         --> s.yaml:7:18
          |
        7 |     send: "\\\x07\xe9\n"
          |                  ^^^^ two bytes in UTF-8
          |
          = help: write the byte as a piece of its own: `{hex: "e9"}`
    "#);
}

#[test]
fn what_a_piece_says_has_to_be_right() {
    insta::assert_snapshot!(referee(&[
        &with_keys("first: 0 0 1 1", &["send: [{hex: \"f 0 a\"}, {hex: xy}]"]),
        &with_keys("second: 0 0 1 1", &["send: [{pause: 61s}, {pause: 3}, \"x\"]"]),
        &with_keys("first: 0 0 1 1", &["send: [{repeat: \"a\"}]"]),
        &with_keys("second: 0 0 1 1", &["send: [{repeat: a, times: 3}]"]),
        &with_keys("first: 0 0 1 1", &["send: [{hex: \"00\", times: 3}]"]),
        &with_keys("second: 0 0 1 1", &["send: [{hex: \"00\", pause: 1s}]"]),
    ]), @r#"
        error[turn/send]: these are no bytes
         --> s.yaml:7:18
          |
        7 |     send: [{hex: "f 0 a"}, {hex: xy}]
          |                  ^^^^^^^
          |
          = help: write two hexadecimal digits for each byte, such as `{hex: "ff 00 0a"}`

        error[turn/send]: these are no bytes
         --> s.yaml:7:34
          |
        7 |     send: [{hex: "f 0 a"}, {hex: xy}]
          |                                  ^^
          |
          = help: write two hexadecimal digits for each byte, such as `{hex: "ff 00 0a"}`

        error[turn/time]: this is longer than 1m
         --> s.yaml:9:20
          |
        9 |     send: [{pause: 61s}, {pause: 3}, "x"]
          |                    ^^^
          |
          = help: write a shorter time, such as `300ms`

        error[yaml/expected-duration]: a length of time is due here
         --> s.yaml:9:34
          |
        9 |     send: [{pause: 61s}, {pause: 3}, "x"]
          |                                  ^ this has no unit
          |
          = help: write `3s` for seconds, or `3ms` for milliseconds

        error[turn/send]: how often is missing
          --> s.yaml:11:13
           |
        11 |     send: [{repeat: "a"}]
           |             ^^^^^^
           |
           = help: write `times`, such as `{repeat: "a", times: 100000}`

        error[turn/send]: what is sent is text in quotation marks
          --> s.yaml:13:21
           |
        13 |     send: [{repeat: a, times: 3}]
           |                     ^ these are missing
           |
           = help: write "a"

        error[turn/send]: `times` means nothing beside `hex`
          --> s.yaml:15:24
           |
        15 |     send: [{hex: "00", times: 3}]
           |                        ^^^^^
           |
           = help: remove it

        error[yaml/too-many-keys]: a piece of what is sent takes only one of the keys `repeat`, `hex`, `pause`
          --> s.yaml:17:24
           |
        17 |     send: [{hex: "00", pause: 1s}]
           |             ---        ^^^^^ one too many
           |             |
           |             one is here already
    "#);
}

#[test]
fn what_is_sent_in_pieces_is_bounded() {
    let parts = vec!["\"x\""; 1001].join(", ");
    let many = referee(&[&with_keys("first: 0 0 1 1", &[&format!("send: [{parts}]")])]);
    assert!(
        many.contains("error[turn/send]: at most 1000 pieces are sent at once"),
        "{many}"
    );
    let lines = referee(&[&with_keys(
        "first: 0 0 1 1",
        &["send: {repeat: \"\\n\", times: 1000001}"],
    )]);
    assert!(
        lines.contains("the scenarios of a file send at most 1000000 lines in pieces"),
        "{lines}"
    );
    let repeated = "send: {repeat: \"abcd\", times: 4000000}";
    insta::assert_snapshot!(referee(&[
        &with_keys("first: 0 0 1 1", &[repeated]),
        &with_keys("second: 0 0 1 1", &[repeated]),
        &with_keys("first: 0 0 1 1", &["send: {repeat: \"ab\", times: 18446744073709551615}"]),
    ]), @r#"
        error[turn/after-open]: whether the game goes on before this turn is left open
         --> s.yaml:8:5
          |
        6 |   - first: 0 0 1 1
          |     -------------- ur/input/long-line leaves open what this does
        7 |     send: {repeat: "abcd", times: 4000000}
        8 |   - second: 0 0 1 1
          |     ^^^^^^ no turn can follow
          |
          = help: remove this turn and those after it; `- play: to the end` can stand here

        error[turn/send]: the scenarios of a file send at most 16777216 bytes in pieces
         --> s.yaml:9:35
          |
        9 |     send: {repeat: "abcd", times: 4000000}
          |                                   ^^^^^^^ too many with this
          |
          = help: send less

        error[turn/send]: the scenarios of a file send at most 16777216 bytes in pieces
          --> s.yaml:11:20
           |
        11 |     send: {repeat: "ab", times: 18446744073709551615}
           |                    ^^^^ too many with this
           |
           = help: send less
    "#);
}
