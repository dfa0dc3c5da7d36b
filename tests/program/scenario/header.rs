//! What is said of the keys beside the turns.

use super::drawn;

#[test]
fn shows_all_faults_of_a_file_at_once() {
    insta::assert_snapshot!(drawn(
        "\
scenaro: t
game: royalu
subject: refree
seat: first
checks: [ur/roll/head, ur/bot/legal-token, ur/roll/heads, ur/roll/heads]
names: [a, a]
spectators: 17
timeout: 0s
pace: 31s
golden: ../x.txt
turns:
  - first: 0 0 1 1 > 7
"
    ), @r#"
        error[yaml/unknown-key]: there is no key `scenaro` in a scenario
         --> s.yaml:1:1
          |
        1 | scenaro: t
          | ^^^^^^^ not known here
          |
          = help: write `scenario`

        error[scenario/unknown-game]: there is no game `royalu`
         --> s.yaml:2:7
          |
        2 | game: royalu
          |       ^^^^^^
          |
          = help: write `royalur`

        error[yaml/expected-one-of]: one of `referee`, `bot` is due here
         --> s.yaml:3:10
          |
        3 | subject: refree
          |          ^^^^^^ this is the text `refree`
          |
          = help: write `referee`

        error[scenario/seat]: a scenario for a referee has no `seat`: urtext plays both players
         --> s.yaml:4:1
          |
        4 | seat: first
          | ^^^^^^^^^^^
          |
          = help: remove this line

        error[scenario/unknown-requirement]: there is no requirement `ur/roll/head`
         --> s.yaml:5:10
          |
        5 | checks: [ur/roll/head, ur/bot/legal-token, ur/roll/heads, ur/roll/heads]
          |          ^^^^^^^^^^^^
          |
          = help: write `ur/roll/heads`

        error[scenario/other-side]: `ur/bot/legal-token` demands nothing of a referee, which is under test here
         --> s.yaml:5:24
          |
        5 | checks: [ur/roll/head, ur/bot/legal-token, ur/roll/heads, ur/roll/heads]
          |                        ^^^^^^^^^^^^^^^^^^ the bot names a token that can move by the roll
          |
          = help: remove it, or move it to a scenario for the other side

        error[scenario/repeated-requirement]: `ur/roll/heads` stands here twice
         --> s.yaml:5:59
          |
        5 | checks: [ur/roll/head, ur/bot/legal-token, ur/roll/heads, ur/roll/heads]
          |                                            -------------  ^^^^^^^^^^^^^ here again
          |                                            |
          |                                            first here
          |
          = help: remove one

        error[scenario/names]: the two players have the same name
         --> s.yaml:6:12
          |
        6 | names: [a, a]
          |         -  ^ here again
          |         |
          |         first here
          |
          = help: write two different names, so that each line of the handshake tells them apart

        error[scenario/spectators]: at most 16 spectators can watch
         --> s.yaml:7:13
          |
        7 | spectators: 17
          |             ^^
          |
          = help: write a number from 0 to 16

        error[scenario/timeout]: a timeout is longer than nothing and at most 1h
         --> s.yaml:8:10
          |
        8 | timeout: 0s
          |          ^^
          |
          = help: write another, such as `2s`

        error[scenario/pace]: the pace of the Royal Game of Ur is at most 30s
         --> s.yaml:9:7
          |
        9 | pace: 31s
          |       ^^^
          |
          = help: write one from `0s` to `30s`

        error[scenario/golden]: this cannot be the file of the golden transcript: it holds a `.` or `..`, and must stay in its folder
          --> s.yaml:10:9
           |
        10 | golden: ../x.txt
           |         ^^^^^^^^
           |
           = help: write a plain file name, such as `seed-example.txt`, or remove the line: the name follows from the scenario's

        error[turn/move]: `7` is no move
          --> s.yaml:12:22
           |
        12 |   - first: 0 0 1 1 > 7
           |                      ^ due is the number of a token, 0 to 6
           |
           = help: to have the line sent all the same, write `"7" illegal`
    "#);
}

#[test]
fn only_a_bot_receives_its_lines_in_pieces() {
    insta::assert_snapshot!(drawn(
        "\
scenario: t
game: royalur
subject: referee
checks: [ur/roll/line]
writes: split
turns:
  - first: 0 0 0 0
"
    ), @r"
        error[scenario/writes]: a scenario for a referee has no `writes`: each player sends what its turn says
         --> s.yaml:5:1
          |
        5 | writes: split
          | ^^^^^^^^^^^^^
          |
          = help: remove this line; the key `send` of a turn sends parts of lines
    ");
}

#[test]
fn a_bot_has_a_seat_and_no_spectators() {
    insta::assert_snapshot!(drawn(
        "\
scenario: t
game: royalur
subject: bot
spectators: 1
checks: [ur/bot/both-seats]
turns:
  - opponent: 0 0 0 0
  - bot: 0 0 0 0
"
    ), @r"
        error[yaml/missing-key]: a scenario for a bot needs the key `seat`
         --> s.yaml:1:1
          |
        1 | scenario: t
          | ^^^^^^^^^^^ not in this mapping
          |
          = help: write `seat: first` or `seat: second`

        error[scenario/spectators]: a scenario for a bot has no spectators: urtext is the referee
         --> s.yaml:4:1
          |
        4 | spectators: 1
          | ^^^^^^^^^^^^^
          |
          = help: remove this line
    ");
    insta::assert_snapshot!(drawn(
        "\
scenario: t
game: royalur
subject: bot
seat: frist
checks: [ur/bot/both-seats]
turns:
  - bot: 0 0 0 0
"
    ), @r"
        error[yaml/expected-one-of]: one of `first`, `second` is due here
         --> s.yaml:4:7
          |
        4 | seat: frist
          |       ^^^^^ this is the text `frist`
          |
          = help: write `first`
    ");
}

#[test]
fn an_unknown_game_says_which_are_known() {
    insta::assert_snapshot!(drawn(
        "\
scenario: t
game: backgammon
subject: referee
checks: [ur/roll/line]
turns:
  - black: 6 6
"
    ), @r"
        error[scenario/unknown-game]: there is no game `backgammon`
         --> s.yaml:2:7
          |
        2 | game: backgammon
          |       ^^^^^^^^^^
          |
          = help: known are `royalur` (Royal Game of Ur), `onitama` (Onitama), `lines` (a dialogue of lines)
    ");
}

#[test]
fn checks_are_known_and_can_be_checked() {
    insta::assert_snapshot!(drawn(
        "\
scenario: t
game: royalur
subject: referee
checks: []
turns:
  - first: 0 0 0 0
"
    ), @r"
        error[scenario/no-checks]: a scenario has to check at least one requirement
         --> s.yaml:4:9
          |
        4 | checks: []
          |         ^^
          |
          = help: write the id of one, such as those that `urtext requirements` lists
    ");
    insta::assert_snapshot!(drawn(
        "\
scenario: t
game: royalur
subject: referee
checks: [ur/players/exactly-two, everything]
turns:
  - first: 0 0 0 0
"
    ), @r"
        error[scenario/unchecked]: no scenario can check `ur/players/exactly-two`
         --> s.yaml:4:10
          |
        4 | checks: [ur/players/exactly-two, everything]
          |          ^^^^^^^^^^^^^^^^^^^^^^ how a third player would be turned away is not said, so it shows on no lane; every scenario plays with two
          |
          = help: remove it

        error[scenario/unknown-requirement]: there is no requirement `everything`
         --> s.yaml:4:34
          |
        4 | checks: [ur/players/exactly-two, everything]
          |                                  ^^^^^^^^^^
          |
          = help: `urtext requirements` lists them all
    ");
}

#[test]
fn two_names_of_one_line_are_due() {
    insta::assert_snapshot!(drawn(
        "\
scenario: t
game: royalur
subject: referee
checks: [ur/roll/line]
names: [a]
turns:
  - first: 0 0 0 0
"
    ), @r"
        error[scenario/names]: two names are due, one for each player
         --> s.yaml:5:8
          |
        5 | names: [a]
          |        ^^^ these are 1
          |
          = help: write both, the first player's first: `names: [Ada, Bob]`
    ");
    insta::assert_snapshot!(drawn(
        "\
scenario: t
game: royalur
subject: referee
checks: [ur/roll/line]
names: [\"a\\0\", ~]
turns:
  - first: 0 0 0 0
"
    ), @r#"
        error[scenario/names]: a name cannot hold a NUL
         --> s.yaml:5:9
          |
        5 | names: ["a\0", ~]
          |         ^^^^^
          |
          = help: no program could be given such a name

        error[scenario/names]: a name is due here
         --> s.yaml:5:16
          |
        5 | names: ["a\0", ~]
          |                ^ this is null
          |
          = help: write a text on one line
    "#);
}

#[test]
fn a_title_and_turns_are_due() {
    insta::assert_snapshot!(drawn(
        "\
scenario: \"\"
game: royalur
subject: referee
checks: [ur/roll/line]
turns: []
"
    ), @r#"
        error[scenario/title]: the title is empty
         --> s.yaml:1:11
          |
        1 | scenario: ""
          |           ^^
          |
          = help: say in a few words what is played

        error[scenario/no-turns]: a scenario needs at least one turn
         --> s.yaml:5:8
          |
        5 | turns: []
          |        ^^
          |
          = help: add one line for each turn below `turns:`, such as `- first: 0 0 1 1 > 3`
    "#);
}

#[test]
fn a_game_that_is_not_determined_has_no_golden_transcript() {
    insta::assert_snapshot!(drawn(
        "\
scenario: t
game: royalur
subject: bot
seat: first
checks: [ur/bot/both-seats]
golden: x.txt
turns:
  - bot: 0 0 0 1 > any
  - opponent: 0 0 0 1 > any
"
    ), @r"
        error[scenario/golden]: this game has no golden transcript: urtext chooses some of its moves at random
         --> s.yaml:6:1
          |
        6 | golden: x.txt
          | ^^^^^^^^^^^^^
          |
          = help: remove this line, or write every move of the opponent and no `play: to the end`
    ");
}

#[test]
fn a_catalogue_of_requirements_is_called_one() {
    insta::assert_snapshot!(drawn(
        "\
protocol: royalur
seeds: {}
requirements: []
"
    ), @r"
        error[scenario/catalogue]: this is a catalogue of requirements, not a scenario
        --> s.yaml
         = help: name a scenario, or the folder: catalogues in it are passed over
    ");
}

#[test]
fn everybody_who_is_there_from_the_beginning_connects_once() {
    let text = |connect: &str| {
        format!(
            "scenario: t\ngame: royalur\nsubject: referee\nchecks: [ur/roll/line]\nspectators: 2\nconnect: {connect}\nturns:\n  \
             - first: 0 0 0 1 > 0\n    meanwhile: [spectator 2: join]\n"
        )
    };
    let (scenario, faults) = super::read(&text("[spectator, player, player]"));
    assert!(
        !faults.has_errors(),
        "{}",
        faults.draw(urtext::diagnostic::Paint::Plain)
    );
    assert_eq!(scenario.unwrap().game().unwrap().connect.len(), 3);
    // The second spectator joins only later.
    for connect in [
        "[player, player]",
        "[spectator, player, player, spectator]",
        "[]",
    ] {
        let said = drawn(&text(connect));
        assert!(
            said.contains("begins with two players and 1 spectator,"),
            "{said}"
        );
        assert!(said.contains("[player, player, spectator]"), "{said}");
    }
    assert!(drawn(&text("[first]")).contains("one of `player`, `spectator` is due here"));
    let bot = "scenario: t\ngame: royalur\nsubject: bot\nseat: first\nchecks: [ur/bot/both-seats]\nconnect: []\nturns: [bot: 0 0 0 0]\n";
    assert!(drawn(bot).contains("nobody connects to anything"));
}

#[test]
fn a_game_without_a_default_is_told_to_say_a_time() {
    let text = "scenario: t\ngame: onitama\nsubject: referee\nchecks: [oni/timeout/forfeit]\ntimeout: default\n\
                deal: Monkey,Elephant,Goose,Boar,Horse\nstarter: top\nturns:\n  - top: silent\n";
    let said = drawn(text);
    assert!(
        said.contains("has no timeout by default") && said.contains("s.yaml:5:10"),
        "{said}"
    );
}
