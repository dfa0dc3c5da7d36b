//! What is said of a turn that cannot be read.

use super::{bot, referee};

#[test]
fn carets_stand_under_the_word_that_is_no_move() {
    insta::assert_snapshot!(referee(&["first: 0 0 1 1 > 7"]), @r#"
        error[turn/move]: `7` is no move
         --> s.yaml:6:22
          |
        6 |   - first: 0 0 1 1 > 7
          |                      ^ due is the number of a token, 0 to 6
          |
          = help: to have the line sent all the same, write `"7" illegal`
    "#);
}

#[test]
fn carets_stand_under_a_word_in_quotation_marks_too() {
    insta::assert_snapshot!(referee(&["first: '0 0 1 1 > 7'"]), @r#"
        error[turn/move]: `7` is no move
         --> s.yaml:6:23
          |
        6 |   - first: '0 0 1 1 > 7'
          |                       ^ due is the number of a token, 0 to 6
          |
          = help: to have the line sent all the same, write `"7" illegal`
    "#);
}

#[test]
fn where_escapes_move_the_words_the_whole_value_is_marked() {
    insta::assert_snapshot!(referee(&[r#"first: "0 0 1 1 \x3e 7""#]), @r#"
        error[turn/move]: `7` is no move
         --> s.yaml:6:12
          |
        6 |   - first: "0 0 1 1 \x3e 7"
          |            ^^^^^^^^^^^^^^^^ due is the number of a token, 0 to 6
          |
          = help: to have the line sent all the same, write `"7" illegal`
    "#);
}

#[test]
fn a_roll_that_is_none_says_how_one_is_written() {
    insta::assert_snapshot!(referee(&["first: 0 0 2 1 > 3", "second: 0 0 1", r#"first: "> 3""#]), @r#"
        error[turn/roll]: `0 0 2 1` is no roll
         --> s.yaml:6:12
          |
        6 |   - first: 0 0 2 1 > 3
          |            ^^^^^^^
          |
          = help: write four coins such as `0 1 1 0`

        error[turn/roll]: `0 0 1` is no roll
         --> s.yaml:7:13
          |
        7 |   - second: 0 0 1
          |             ^^^^^
          |
          = help: write four coins such as `0 1 1 0`

        error[turn/roll]: the roll is missing before the `>`
         --> s.yaml:8:13
          |
        8 |   - first: "> 3"
          |             ^
          |
          = help: write four coins such as `0 1 1 0`
    "#);
}

#[test]
fn a_missing_arrow_is_found_between_roll_and_move() {
    insta::assert_snapshot!(referee(&["first: 0 0 1 1 3 illegal"]), @r"
        error[turn/arrow]: a `>` is due between the roll and what is done
         --> s.yaml:6:20
          |
        6 |   - first: 0 0 1 1 3 illegal
          |                    ^^^^^^^^^ not part of the roll
          |
          = help: write `0 0 1 1 > 3 illegal`
    ");
}

#[test]
fn nothing_after_the_arrow_is_a_fault() {
    insta::assert_snapshot!(referee(&["first: 0 0 1 1 >"]), @r"
        error[turn/move]: what is done is missing after the `>`
         --> s.yaml:6:20
          |
        6 |   - first: 0 0 1 1 >
          |                    ^
          |
          = help: write the number of a token, 0 to 6; or, where nothing can move, the roll alone
    ");
}

#[test]
fn a_bare_arrow_is_the_header_of_an_empty_block() {
    insta::assert_snapshot!(referee(&["first: >3"]), @r"
        error[yaml/block-of-text]: a value that begins with `>` or `|` is a block of text to YAML
         --> s.yaml:6:12
          |
        6 |   - first: >3
          |            ^^ this is an empty block
          |
          = help: put it in quotation marks; a move is written after its roll, such as `0 0 0 1 > 3`
    ");
}

#[test]
fn a_slip_in_a_word_gets_the_word() {
    insta::assert_snapshot!(referee(&[
        "first: 0 0 1 1 > 3 ilegal",
        "second: 0 0 1 1 > silnt",
        r#"first: 0 0 1 1 > "x" ilegal"#,
    ]), @r#"
        error[turn/unknown-word]: `ilegal` means nothing here
         --> s.yaml:6:24
          |
        6 |   - first: 0 0 1 1 > 3 ilegal
          |                        ^^^^^^
          |
          = help: write `illegal`

        error[turn/unknown-word]: `silnt` means nothing here
         --> s.yaml:7:23
          |
        7 |   - second: 0 0 1 1 > silnt
          |                       ^^^^^
          |
          = help: write `silent`

        error[turn/unknown-word]: `ilegal` means nothing here
         --> s.yaml:8:26
          |
        8 |   - first: 0 0 1 1 > "x" ilegal
          |                          ^^^^^^
          |
          = help: write `illegal`
    "#);
}

#[test]
fn nothing_follows_what_is_done() {
    insta::assert_snapshot!(referee(&[
        "first: 0 0 1 1 > 3 4",
        "second: 0 0 1 1 > silent illegal",
        r#"first: 0 0 1 1 > "x" illegal 3"#,
        r#"second: 0 0 1 1 > "x" 3"#,
        "first: 0 0 1 1 > illegal",
    ]), @r#"
        error[turn/unknown-word]: `4` means nothing here
         --> s.yaml:6:24
          |
        6 |   - first: 0 0 1 1 > 3 4
          |                        ^
          |
          = help: nothing but `illegal` can follow a move

        error[turn/unknown-word]: `illegal` means nothing here
         --> s.yaml:7:30
          |
        7 |   - second: 0 0 1 1 > silent illegal
          |                              ^^^^^^^
          |
          = help: nothing follows `silent`

        error[turn/unknown-word]: `3` means nothing here
         --> s.yaml:8:34
          |
        8 |   - first: 0 0 1 1 > "x" illegal 3
          |                                  ^
          |
          = help: nothing follows `illegal`

        error[turn/unknown-word]: `3` means nothing here
         --> s.yaml:9:27
          |
        9 |   - second: 0 0 1 1 > "x" 3
          |                           ^
          |
          = help: nothing but `illegal` or `ignored` can follow a line

        error[turn/move]: what is illegal is missing before `illegal`
          --> s.yaml:10:22
           |
        10 |   - first: 0 0 1 1 > illegal
           |                      ^^^^^^^
           |
           = help: write the number of a token, 0 to 6
    "#);
}

#[test]
fn the_clauses_of_any_are_read_one_by_one() {
    insta::assert_snapshot!(bot(&[
        "bot: 0 0 1 1 > any a",
        "opponent: 0 0 1 1 > any as",
        "bot: 0 0 1 1 > any as A",
        "opponent: 0 0 0 1 > any as a as b",
        "bot: 0 0 0 1 > any exept a",
    ]), @r"
        error[turn/unknown-word]: `a` means nothing here
         --> s.yaml:7:24
          |
        7 |   - bot: 0 0 1 1 > any a
          |                        ^
          |
          = help: write `any`, `any as` and a name, or `any except` and a name

        error[turn/name]: a name is missing after `as`
         --> s.yaml:8:29
          |
        8 |   - opponent: 0 0 1 1 > any as
          |                             ^^
          |
          = help: write one, such as `as a`

        error[turn/name]: `A` cannot be the name of a choice
         --> s.yaml:9:27
          |
        9 |   - bot: 0 0 1 1 > any as A
          |                           ^
          |
          = help: write a small letter, and after it small letters, digits and `-` as you like

        error[turn/unknown-word]: `as` means nothing here
          --> s.yaml:10:34
           |
        10 |   - opponent: 0 0 0 1 > any as a as b
           |                                  ^^
           |
           = help: write `as` once

        error[turn/unknown-word]: `exept` means nothing here
          --> s.yaml:11:24
           |
        11 |   - bot: 0 0 0 1 > any exept a
           |                        ^^^^^
           |
           = help: write `except`
    ");
}

#[test]
fn a_quoted_line_has_to_be_marked_illegal() {
    insta::assert_snapshot!(referee(&[r#"first: 0 0 1 1 > "banana""#, r#"second: 0 0 1 1 > "3""#]), @r#"
        error[turn/line]: a line in quotation marks is for what is no good move, and then `illegal` or `ignored` follows it
         --> s.yaml:6:22
          |
        6 |   - first: 0 0 1 1 > "banana"
          |                      ^^^^^^^^
          |
          = help: write `"banana" illegal`

        error[turn/line]: a line in quotation marks is for what is no good move, and then `illegal` or `ignored` follows it
         --> s.yaml:7:23
          |
        7 |   - second: 0 0 1 1 > "3"
          |                       ^^^
          |
          = help: write the move without quotation marks: `3`
    "#);
}

#[test]
fn a_quoted_line_is_read_with_its_escapes_or_refused() {
    insta::assert_snapshot!(referee(&[
        r#"first: 0 0 0 1 > "ba\q" illegal"#,
        r#"second: 0 0 0 1 > "ba\u000a" illegal"#,
        r#"first: 0 0 0 1 > "ba # x" illegal"#,
        r#"second: 0 0 0 1 > "\xf" illegal"#,
        r#"first: 0 0 0 1 > "\ud800" illegal"#,
    ]), @r#"
        error[turn/line]: this is no known escape
         --> s.yaml:6:25
          |
        6 |   - first: 0 0 0 1 > "ba\q" illegal
          |                         ^^
          |
          = help: write `\\` for a backslash; known are `\"`, `\/`, `\b`, `\f`, `\r`, `\t`, `\u00e9`, and `\xff` for a byte

        error[turn/line]: a line cannot hold a line end
         --> s.yaml:7:23
          |
        7 |   - second: 0 0 0 1 > "ba\u000a" illegal
          |                       ^^^^^^^^^^
          |
          = help: its end is added by itself; to send several lines, or anything else as it is, use the key `send`

        error[turn/line]: this quotation mark is never closed
         --> s.yaml:8:22
          |
        8 |   - first: 0 0 0 1 > "ba # x" illegal
          |                      ^^^
          |
          = help: add a `"`; where ` #` stands in the line, put the whole turn in single quotation marks

        error[turn/line]: this is no known escape
         --> s.yaml:9:24
          |
        9 |   - second: 0 0 0 1 > "\xf" illegal
          |                        ^^
          |
          = help: write `\\` for a backslash; known are `\"`, `\/`, `\b`, `\f`, `\r`, `\t`, `\u00e9`, and `\xff` for a byte

        error[turn/line]: this is no known escape
          --> s.yaml:10:23
           |
        10 |   - first: 0 0 0 1 > "\ud800" illegal
           |                       ^^
           |
           = help: write `\\` for a backslash; known are `\"`, `\/`, `\b`, `\f`, `\r`, `\t`, `\u00e9`, and `\xff` for a byte
    "#);
}

#[test]
fn a_referee_has_no_player_who_chooses() {
    insta::assert_snapshot!(referee(&["first: 0 0 1 1 > any"]), @r"
        error[turn/any]: a scenario for a referee says every move
         --> s.yaml:6:22
          |
        6 |   - first: 0 0 1 1 > any
          |                      ^^^
          |
          = note: urtext plays both players, so nobody is there to choose
          = help: write the number of a token, 0 to 6
    ");
}

#[test]
fn a_bot_cannot_be_made_to_err() {
    insta::assert_snapshot!(bot(&[
        "bot: 0 0 1 1 > 7",
        "opponent: 0 0 1 1 > 0",
        "bot: 0 0 1 1 > 0 illegal",
    ]), @r"
        error[turn/move]: `7` is no move
         --> s.yaml:7:20
          |
        7 |   - bot: 0 0 1 1 > 7
          |                    ^ due is the number of a token, 0 to 6
          |
          = help: write `any`: the bot under test chooses for itself

        error[turn/bot-move]: the bot under test cannot be made to do this
         --> s.yaml:9:20
          |
        9 |   - bot: 0 0 1 1 > 0 illegal
          |                    ^ it chooses for itself, and is to choose a legal move
          |
          = help: write `0 0 1 1 > any`
    ");
    insta::assert_snapshot!(bot(&[
        r#"bot: 0 0 1 1 > "x" illegal"#,
        "opponent: 0 0 1 1 > 0",
        "bot: 0 0 1 1 > silent",
    ]), @r#"
        error[turn/bot-move]: the bot under test cannot be made to do this
         --> s.yaml:7:20
          |
        7 |   - bot: 0 0 1 1 > "x" illegal
          |                    ^^^ it chooses for itself, and is to choose a legal move
          |
          = help: write `0 0 1 1 > any`

        error[turn/bot-move]: the bot under test cannot be made to do this
         --> s.yaml:9:20
          |
        9 |   - bot: 0 0 1 1 > silent
          |                    ^^^^^^ it chooses for itself, and is to choose a legal move
          |
          = help: write `0 0 1 1 > any`, or the roll alone where nothing can move
    "#);
}

#[test]
fn a_turn_names_its_player_by_the_words_of_its_side() {
    insta::assert_snapshot!(referee(&["frist: 0 0 1 1 > 3", "bot: 0 0 1 1 > 3"]), @r"
        error[yaml/unknown-key]: there is no key `frist` in a turn
         --> s.yaml:6:5
          |
        6 |   - frist: 0 0 1 1 > 3
          |     ^^^^^ not known here
          |
          = help: write `first`

        error[yaml/unknown-key]: there is no key `bot` in a turn
         --> s.yaml:7:5
          |
        7 |   - bot: 0 0 1 1 > 3
          |     ^^^ not known here
          |
          = help: in a scenario for a referee, write `first` or `second`
    ");
    insta::assert_snapshot!(bot(&["first: 0 0 0 1 > any", "oponent: 0 0 0 1 > 0", "weather: fine"]), @r"
        error[yaml/unknown-key]: there is no key `first` in a turn
         --> s.yaml:7:5
          |
        7 |   - first: 0 0 0 1 > any
          |     ^^^^^ not known here
          |
          = note: in a scenario for a bot, turns are `bot:` or `opponent:`
          = help: write `bot`

        error[yaml/unknown-key]: there is no key `oponent` in a turn
         --> s.yaml:8:5
          |
        8 |   - oponent: 0 0 0 1 > 0
          |     ^^^^^^^ not known here
          |
          = help: write `opponent`

        error[yaml/unknown-key]: there is no key `weather` in a turn
         --> s.yaml:9:5
          |
        9 |   - weather: fine
          |     ^^^^^^^ not known here
          |
          = help: a turn is `bot: …` or `opponent: …`
    ");
}

#[test]
fn a_turn_is_a_mapping_with_one_key() {
    insta::assert_snapshot!(referee(&["0 0 1 1 > 3", "first: 0 0 0 0\n    second: 0 0 0 0", "[first]"]), @r"
        error[turn/form]: a turn begins with who plays it
         --> s.yaml:6:5
          |
        6 |   - 0 0 1 1 > 3
          |     ^^^^^^^^^^^ this is text
          |
          = help: write `- first: 1 1 1 1 > …`

        error[turn/form]: a turn is one player's; the next one has its own line
         --> s.yaml:8:5
          |
        8 |     second: 0 0 0 0
          |     ^^^^^^ one too many
          |
          = help: write `- second: …` on a line of its own

        error[turn/form]: a turn begins with who plays it
         --> s.yaml:9:5
          |
        9 |   - [first]
          |     ^^^^^^^ this is a list
          |
          = help: write `- first: 1 1 1 1 > …`
    ");
}

#[test]
fn a_game_is_played_to_the_end_last_and_in_those_words() {
    insta::assert_snapshot!(referee(&["play: to the ende", "play: to the end", "first: 0 0 0 0"]), @r"
    error[turn/play]: a game is played `to the end`, or `until` something can be done
     --> s.yaml:6:11
      |
    6 |   - play: to the ende
      |           ^^^^^^^^^^^
      |
      = help: write `play: to the end`, or such as `play: until mover can capture`

    error[turn/play-not-last]: nothing can follow a game that is played to the end
     --> s.yaml:7:5
      |
    7 |   - play: to the end
      |     ^^^^^^^^^^^^^^^^ turns follow this
      |
      = help: put it last, or remove the turns after it
    ");
}
