//! `urtext replay`, and hc-ur move records in `urtext verify` and `urtext replay`.

use std::fs;
use std::path::Path;
use std::process;

use crate::harness::{DATA, PEERS, Ran, python, urtext_in};

/// Runs it beside the data of the tests.
fn urtext(arguments: &[&str]) -> Ran {
    urtext_in(DATA.as_ref(), arguments, "")
}

/// Runs it in a folder of its own with this file.
fn urtext_file(name: &str, text: &str, arguments: &[&str]) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), text).unwrap();
    urtext_in(folder.path(), arguments, "")
}

const CAPTURED: &str = "code-colosseum/spectator.received";

#[test]
fn the_captured_game_as_records_and_back_is_the_same_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (records, stream) = (path("game.json"), path("game.txt"));
    let said = urtext(&["replay", CAPTURED, "--to", "hc-ur", "-o", &records]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(0), ""));
    insta::assert_snapshot!(said.stderr, @r"
    note[convert/dropped]: not written: token numbers
     |
     = note: read as the stream of one participant, written as move records of hc-ur (a JSON list)
    ");
    let said = urtext(&["verify", &records]);
    assert!(
        said.stdout
            .ends_with("Alice against Bob, 164 turns: Bob (second) has won\n"),
        "{}",
        said.stdout
    );
    assert_eq!(said.code, Some(0));
    assert_eq!(
        urtext(&["replay", &records, "--to", "spectator", "-o", &stream]).code,
        Some(0)
    );
    let said = urtext(&["verify", &stream]);
    assert!(
        said.stdout
            .ends_with("Alice against Bob, 164 turns: Bob (second) has won\n"),
        "{}",
        said.stdout
    );
    // Tokens may have got other numbers, so the squares are compared, and the rolls.
    for at in ["0", "1", "50", "100", "163", "164"] {
        let state = |file: &str| urtext(&["replay", file, "--to", "state", "--at", at]).stdout;
        assert_eq!(state(CAPTURED), state(&records), "turn {at}");
        assert_eq!(state(CAPTURED), state(&stream), "turn {at}");
    }
    let captured = fs::read_to_string(Path::new(DATA).join(CAPTURED)).unwrap();
    let rolls = |text: &str| {
        text.lines()
            .filter(|line| line.len() == 7)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        rolls(&captured),
        rolls(&fs::read_to_string(&stream).unwrap())
    );
    let golden = urtext(&["replay", &records, "--to", "golden"]).stdout;
    let said = urtext_file("golden.txt", &golden, &["verify", "golden.txt"]);
    assert!(
        said.stdout
            .starts_with("pass golden.txt: Alice against Bob, 164 turns"),
        "{}",
        said.stdout
    );
    assert_eq!(
        fs::read_to_string(&records).unwrap(),
        urtext(&["replay", &stream, "--to", "hc-ur"]).stdout
    );
}

#[test]
fn the_captured_game_of_royalur_is_the_same_game() {
    const NET: &str = "royalur-net/captured.json";
    for (command, due) in [
        (
            &["verify", NET][..],
            "Alice against Bob, 164 turns: Bob (second) has won\n",
        ),
        (&["replay", "--moves", NET], "Bob (second) has won\n"),
    ] {
        let said = urtext(command);
        assert!(said.stdout.ends_with(due), "{}{}", said.stdout, said.stderr);
        assert_eq!(said.code, Some(0));
    }
    for at in ["0", "1", "50", "100", "163", "164"] {
        let state = |file: &str| urtext(&["replay", file, "--to", "state", "--at", at]).stdout;
        assert_eq!(state(CAPTURED), state(NET), "turn {at}");
    }
    let text = fs::read_to_string(Path::new(DATA).join(NET)).unwrap();
    let dialect = ["verify", "-", "--dialect", "royalur-json"];
    let said = urtext_in(DATA.as_ref(), &dialect, &text);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let said = urtext_in(DATA.as_ref(), &["verify", "-"], &text);
    let help = "on standard input with `--dialect royalur-json`";
    assert!(said.stderr.contains(help), "{}", said.stderr);
    let said = urtext(&["replay", CAPTURED, "--to", "royalur-json"]);
    assert_eq!(said.code, Some(2), "it is read, and not written");
}

/// Turns of any game, in any form, become another form or are refused.
#[test]
fn no_conversion_falls_over_a_game_of_another_kind() {
    const ONITAMA: &str = "onitama-judge/top.txt";
    for source in [
        ONITAMA,
        CAPTURED,
        "hc-ur/captured.json",
        "royalur-net/captured.json",
    ] {
        for target in ["hc-ur", "state", "golden", "spectator"] {
            let said = urtext(&["replay", source, "--to", target]);
            assert!(
                matches!(said.code, Some(0 | 2)) && !said.stderr.contains("panicked"),
                "{source} {target}: {said:#?}"
            );
        }
    }
    let said = urtext(&["replay", ONITAMA, "--to", "hc-ur"]);
    insta::assert_snapshot!(said.stderr, @r"
    error[convert/other-game]: hc-ur is a notation of the Royal Game of Ur
     |
     = note: this is a game of Onitama
    ");
    let said = urtext(&["replay", ONITAMA, "--to", "state"]);
    insta::assert_snapshot!(said.stderr, @"error[convert/no-states]: Onitama has no notation of states");
}

#[test]
fn a_game_by_other_rules_is_refused_and_names_them() {
    let text = fs::read_to_string(Path::new(DATA).join("royalur-net/captured.json")).unwrap();
    let masters = text.replace("\"bell\"", "\"masters\"");
    for command in [&["verify"][..], &["replay"], &["replay", "--to", "golden"]] {
        let arguments = [command, &["masters.json"]].concat();
        let said = urtext_file("masters.json", &masters, &arguments);
        let title = "error[royalur-json/game]: this game has other rules: `paths` is \"masters\", not \"bell\"\n --> masters.json:1:";
        assert!(said.stderr.starts_with(title), "{}", said.stderr);
        assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""));
    }
}

#[test]
fn a_resignation_is_a_loss_before_the_end_and_a_note_where_it_is_not_written() {
    const NET: &str = "royalur-net/resigned.json";
    let said = urtext(&["verify", NET]);
    insta::assert_snapshot!(said.stdout, @"pass royalur-net/resigned.json: PlayerA against PlayerB, 8 turns: PlayerB (second) has lost, PlayerA (first) wins: resigned");
    let said = urtext(&["replay", NET, "--to", "hc-ur"]);
    assert!(
        said.stderr
            .contains("note[convert/loss]: that the second player lost is not written"),
        "{}",
        said.stderr
    );
}

#[test]
fn names_the_parts_that_are_made_up_for_a_format() {
    let net = "royalur-net/captured.json";
    let said = urtext(&["replay", net, "--to", "golden"]);
    insta::assert_snapshot!(said.stderr, @r"
    note[convert/dropped]: not written: times
     |
     = note: read as a game in RoyalUr's JSON notation, written as a golden transcript

    note[convert/made-up]: made up: token numbers
     |
     = note: a new token gets the lowest free number

    note[convert/made-up-rolls]: of 144 rolls only the number of heads is known; tails are written first
    ");
}

#[test]
fn the_captured_game_without_rolls_is_inconclusive_and_never_wrong() {
    let said = urtext(&["replay", CAPTURED, "--to", "hc-ur", "--without-rolls"]);
    assert_eq!(
        said.stdout,
        fs::read_to_string(Path::new(DATA).join("hc-ur/captured.json")).unwrap()
    );
    let said = urtext(&["verify", "hc-ur/captured.json"]);
    assert!(
        said.stdout
            .starts_with("inconclusive[hc/turn/skipped-unrecorded]: 12 turns without a record")
    );
    assert!(said.stdout.ends_with(
        "inconclusive hc-ur/captured.json: Alice against Bob, 162 turns: Bob (second) has won\n"
    ));
    assert_eq!(said.code, Some(4));
    let said = urtext(&["replay", "hc-ur/captured.json", "--to", "spectator"]);
    insta::assert_snapshot!(said.stderr, @r#"
    error[convert/no-rolls]: streams show every roll, and 162 turns here have none
     |
     = note: the first is turn 1
     = help: give each record its `roll`, and each skipped turn a record: `{author: …, roll: "0 0 0 0", skipped: true}`
     = note: which turns were skipped is not told either
    "#);
    assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""));
}

#[test]
fn replays_records_with_and_without_rolls() {
    let said = urtext(&["replay", "hc-ur/captured.json", "--at", "2"]);
    insta::assert_snapshot!(said.stdout, @r"
    Royal Game of Ur: Alice (first) against Bob (second)

    2. Bob (second) turn skipped: there is no record of it, and the next is the other player's
      second  start: b0 b1 b2 b3 b4 b5 b6  out: -
    +----+----+----+----+         +----+----+
    | *  |    |    |    |         | *  |    |
    +----+----+----+----+----+----+----+----+
    |    |    |    | *  |    |    |    |    |
    +----+----+----+----+----+----+----+----+
    | *  | a0 |    |    |         | *  |    |
    +----+----+----+----+         +----+----+
    > first   start: a1 a2 a3 a4 a5 a6     out: -
    ");
    assert_eq!(said.code, Some(4));
    let said = urtext(&["replay", "hc-ur/captured.json", "--at", "100"]);
    assert!(
        said.stdout.contains("100. Bob (second) moved "),
        "{}",
        said.stdout
    );
    let records = urtext(&["replay", "seed/spectator.txt", "--to", "hc-ur"]);
    assert!(
        records
            .stderr
            .contains("note[convert/loss]: that the second player lost is not written")
    );
    let said = urtext_file(
        "game.json",
        &records.stdout,
        &["replay", "game.json", "--at", "6"],
    );
    insta::assert_snapshot!(said.stdout, @r"
    Royal Game of Ur: PlayerA (first) against PlayerB (second)

    6. PlayerA (first) rolled 1 0 1 1, moved 0: token 0 from cell 3 to cell 6, captures token 0
    > second  start: b0 b1 b2 b3 b4 b5 b6  out: -
    +----+----+----+----+         +----+----+
    | *  |    |    |    |         | *  |    |
    +----+----+----+----+----+----+----+----+
    |    | a0 |    | *  |    |    |    |    |
    +----+----+----+----+----+----+----+----+
    | *  |    |    |    |         | *  |    |
    +----+----+----+----+         +----+----+
      first   start: a1 a2 a3 a4 a5 a6     out: -
    ");
    assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""));
}

#[test]
fn names_the_rule_that_a_record_breaks_and_goes_no_further() {
    let records = r#"[
  {"author": "A", "move_type": {"CreateToken": {"distance": 2}}},
  {"author": "B", "move_type": {"CreateToken": {"distance": 1}}},
  {"author": "A", "move_type": {"CreateToken": {"distance": 2}}},
  {"author": "B", "move_type": {"CreateToken": {"distance": 9}}}
]"#;
    let said = urtext_file("game.json", records, &["verify", "game.json"]);
    insta::assert_snapshot!(said.stdout, @r#"
    fail[hc/create/destination]: record 3: an own token stands on (2,2) (must)
    --> game.json:4
     = expected: a valid move of A (first)
     = received: {"author": "A", "move_type": {"CreateToken": {"distance": 2}}}
     = where: record 3, after 2 turns
     = specification: "the move destination is not on top of another of the player's tokens *(calculate by reducing game state)*"
     = board: before this line
                second  start: b1 b2 b3 b4 b5 b6     out: -
              +----+----+----+----+         +----+----+
              | *  |    |    | b0 |         | *  |    |
              +----+----+----+----+----+----+----+----+
              |    |    |    | *  |    |    |    |    |
              +----+----+----+----+----+----+----+----+
              | *  |    | a0 |    |         | *  |    |
              +----+----+----+----+         +----+----+
              > first   start: a1 a2 a3 a4 a5 a6     out: -

    note: 1 record is not judged by the rules, being after record 3
    "#);
    assert_eq!((said.code, said.stderr.as_str()), (Some(1), ""));
    let said = urtext_file(
        "game.json",
        records,
        &["replay", "game.json", "--to", "state", "--at", "2"],
    );
    assert!(
        said.stdout.contains(r#""tokens": [{"x": 2, "y": 2}]"#),
        "{}",
        said.stdout
    );
    assert!(
        said.stderr.contains("fail[hc/create/destination]"),
        "{}",
        said.stderr
    );
    assert_eq!(said.code, Some(1));
    let said = urtext_file(
        "game.json",
        records,
        &["replay", "game.json", "--to", "hc-ur"],
    );
    assert_eq!((said.code, said.stdout.as_str()), (Some(1), ""));
}

#[test]
fn a_broken_chain_does_not_hide_how_the_game_ends() {
    let records = urtext(&["replay", CAPTURED, "--to", "hc-ur"]).stdout;
    let line = records.lines().nth(5).unwrap();
    let previous = line
        .split("\"previous_move\":\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let broken = records.replacen(line, &line.replace(previous, "nowhere"), 1);
    let said = urtext_file("game.json", &broken, &["verify", "game.json"]);
    assert!(
        said.stdout
            .contains("fail[hc/chain/unbroken]: record 5: it follows \"nowhere\""),
        "{}",
        said.stdout
    );
    assert!(!said.stdout.contains("= board"), "{}", said.stdout);
    assert_eq!(said.code, Some(1));
    let said = urtext_file("game.json", &broken, &["replay", "game.json"]);
    assert!(said.stdout.ends_with("Bob (second) has won\n"));
    assert_eq!(said.code, Some(1));
}

#[test]
fn holds_a_state_against_the_records() {
    let folder = tempfile::tempdir().unwrap();
    let state = urtext(&["replay", "hc-ur/captured.json", "--to", "state"]).stdout;
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("right.json", &state);
    write(
        "wrong.json",
        &state.replace("\"complete\": true", "\"complete\": false"),
    );
    fs::copy(
        Path::new(DATA).join("hc-ur/captured.json"),
        folder.path().join("game.json"),
    )
    .unwrap();
    let verify = |state: &str| {
        urtext_in(
            folder.path(),
            &["verify", "game.json", "--state", state],
            "",
        )
    };
    assert_eq!(verify("right.json").code, Some(4));
    let said = verify("wrong.json");
    assert!(
        said.stdout.contains("fail[hc/state/reduces]"),
        "{}",
        said.stdout
    );
    assert_eq!(said.code, Some(1));
    assert_eq!(verify("missing.json").code, Some(2));
    assert_eq!(verify("game.json").code, Some(2));
}

#[test]
fn an_independent_program_comes_to_the_same_states() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().join("game.json");
    fs::write(
        &records,
        urtext(&["replay", CAPTURED, "--to", "hc-ur"]).stdout,
    )
    .unwrap();
    let program = format!("{PEERS}/hcur_state.py");
    let output = process::Command::new(python)
        .arg(program)
        .arg(&records)
        .output()
        .unwrap();
    let states = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        states.lines().count(),
        164,
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    for (turn, theirs) in states
        .lines()
        .enumerate()
        .filter(|(turn, _)| turn % 9 == 1 || *turn > 160)
    {
        let turn = (turn + 1).to_string();
        let ours = urtext(&["replay", CAPTURED, "--to", "state", "--at", &turn]).stdout;
        let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(value(&ours), value(theirs), "turn {turn}");
    }
}

#[test]
fn a_chain_that_is_broken_at_every_record_is_judged_in_bounded_time_and_space() {
    let record =
        r#"{"author": "A", "previous_move": "x", "move_type": {"CreateToken": {"distance": 9}}}"#;
    let records = format!("[{}]", [record; 40_000].join(","));
    let said = urtext_file("game.json", &records, &["verify", "game.json"]);
    assert!(
        said.stdout
            .contains("note: 39900 more complaints of this file are not told"),
        "{}",
        said.stdout
    );
    assert_eq!(said.stdout.matches("fail[hc/chain/no-fork]").count(), 19);
    assert_eq!(said.code, Some(1));
}

#[test]
fn says_what_is_wrong_with_a_file_or_with_what_is_asked() {
    let deep = format!("[{{game: {}", "[".repeat(1 << 20));
    let said = urtext_file("game.json", &deep, &["verify", "game.json"]);
    assert!(
        said.stderr
            .contains("lists and objects stand too deep in each other"),
        "{}",
        said.stderr
    );
    assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""));
    let large = format!("[{}", " ".repeat(5 << 20));
    let said = urtext_file("game.json", &large, &["verify", "game.json"]);
    assert!(
        said.stderr.contains("error[file/too-large]"),
        "{}",
        said.stderr
    );
    assert_eq!(said.code, Some(2));
    let said = urtext_file(
        "game.json",
        "[{author: 1}]",
        &["replay", "game.json", "--to", "hc-ur"],
    );
    insta::assert_snapshot!(said.stderr, @r"
    error[hc-ur/record]: this record has no move
     --> game.json:1:2
      |
    1 | [{author: 1}]
      |  ^^^^^^^^^^^
      |
      = help: a record has `move_type: {MoveToken: {from: {x: 0, y: 2}, distance: 4}}`, `move_type: {CreateToken: {distance: 3}}`, or `skipped: true` with a `roll`

    error[hc-ur/record]: `author` is a text, and this is 1
     --> game.json:1:11
      |
    1 | [{author: 1}]
      |           ^
      |
      = help: it stands in quotation marks
    ");
    assert_eq!(said.code, Some(2));
    for arguments in [
        &["replay", CAPTURED, "--to", "hc-ur", "--at", "3"][..],
        &["replay", CAPTURED, "--to", "state", "--without-rolls"],
        &["replay", CAPTURED, "--to", "state", "--at", "165"],
        &["replay", "missing.json", "--to", "state"],
        &["replay", CAPTURED, "--to", "morse"],
        &["verify", CAPTURED, "--state", "hc-ur/seed-state.txt"],
        &["verify", CAPTURED, "hc-ur/captured.json", "--together"],
        &[
            "replay",
            "onitama-judge/top.txt",
            "onitama-judge/bottom.txt",
            "--to",
            "hc-ur",
        ],
    ] {
        let said = urtext(arguments);
        assert_eq!(
            (said.code, said.stdout.as_str()),
            (Some(2), ""),
            "{arguments:?}"
        );
        assert!(!said.stderr.is_empty());
    }
    let said = urtext_in(
        Path::new(DATA),
        &["verify", "-", "--dialect", "hc-ur"],
        "[{author: \"A\", move_type: {CreateToken: {distance: 3}}}]",
    );
    assert_eq!(
        (said.code, said.stderr.as_str()),
        (Some(0), ""),
        "{}",
        said.stdout
    );
    let same = "Bob\nBob\n0 0 1 1\n3\n";
    let said = urtext_file("game.txt", same, &["replay", "game.txt", "--to", "hc-ur"]);
    assert!(
        said.stderr
            .contains("error[convert/author]: both players have the same name"),
        "{}",
        said.stderr
    );
}
