//! `urtext replay` on finished games of every kind.

mod against;
mod follow;
mod notation;
mod terminal;

use std::fs;
use std::path::Path;

use crate::harness::{DATA, Ran, urtext_in};

const SPECTATOR: &str = include_str!("../data/seed/spectator.txt");

fn replay_in(folder: &Path, arguments: &[&str], input: &str) -> Ran {
    urtext_in(folder, &[&["replay"], arguments].concat(), input)
}

/// Runs it beside the streams of the seed and the captured game.
fn replay(arguments: &[&str]) -> Ran {
    replay_in(DATA.as_ref(), arguments, "")
}

/// Runs it in a folder of its own with this file.
fn replay_file(text: &str, arguments: &[&str]) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("game.txt"), text).unwrap();
    let arguments: Vec<_> = ["game.txt"].iter().chain(arguments).copied().collect();
    replay_in(folder.path(), &arguments, "")
}

#[test]
fn prints_the_game_of_the_seed() {
    let said = replay(&["--print", "seed/second.txt"]);
    insta::with_settings!({snapshot_path => "../../snapshots/insta/replay", prepend_module_to_snapshot => false}, {
        insta::assert_snapshot!("seed_second_player", said.stdout);
    });
    assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""));
}

#[test]
fn prints_the_same_game_from_every_lane_and_pair() {
    let first = replay(&["seed/first.txt"]).stdout;
    let spectator = replay(&["seed/spectator.txt"]).stdout;
    assert_eq!(first, spectator);
    let together = replay(&["seed/first.txt", "seed/second.txt", "seed/spectator.txt"]).stdout;
    assert_eq!(together, replay(&["seed/second.txt"]).stdout);
    let alice = replay(&["code-colosseum/alice.received"]).stdout;
    assert_eq!(alice, replay(&["code-colosseum/bob.sent"]).stdout);
    assert_eq!(alice, replay(&["code-colosseum/spectator.received"]).stdout);
    assert!(alice.ends_with("Bob (second) has won\n"));
    assert_eq!(alice.matches(" rolled ").count(), 164);
}

#[test]
fn prints_one_position() {
    let said = replay(&["code-colosseum/spectator.received", "--at", "100"]);
    insta::assert_snapshot!(said.stdout, @r"
    Royal Game of Ur: Alice (first) against Bob (second)

    100. Bob (second) rolled 0 1 1 0, moved 5: token 5 from cell 4 to cell 6, captures token 3
      second  start: b1                    out: b0 b3 b6
    +----+----+----+----+         +----+----+
    | *  |    | b4 |    |         | *  |    |
    +----+----+----+----+----+----+----+----+
    | b2 | b5 | a4 | *  |    |    | a5 |    |
    +----+----+----+----+----+----+----+----+
    | *  | a6 | a2 | a0 |         | a1 |    |
    +----+----+----+----+         +----+----+
    > first   start: a3                    out: -
    ");
    let out_of_range = replay(&["code-colosseum/spectator.received", "--at", "165"]);
    insta::assert_snapshot!(out_of_range.stderr, @"error[replay/no-such-turn]: there is no turn 165: the game has turns 1 to 164, and 0 is before the first");
    assert_eq!((said.code, out_of_range.code), (Some(0), Some(2)));
    assert_eq!(out_of_range.stdout, "");
}

#[test]
fn shows_the_game_that_is_asked_for() {
    let other = SPECTATOR.replace("PlayerA", "Ann");
    let many = format!("{SPECTATOR}\n{other}");
    let first = replay_file(&many, &["--at", "0"]);
    assert!(first.stdout.starts_with(
        "Royal Game of Ur: PlayerA (first) against PlayerB (second) (game 1 of several; --game-number NUMBER shows another)\n"
    ));
    insta::assert_snapshot!(first.stderr, @r"
    note[replay/several-games]: this file holds several games
    --> game.txt
     = note: this is the first; `--game-number NUMBER` takes another
    ");
    let second = replay_file(&many, &["--at", "0", "--game-number", "2"]);
    assert!(
        second.stdout.contains("Ann (first)") && second.stdout.contains("(game 2 of several; ")
    );
    assert_eq!(second.stderr, "");
    let only = replay_file(SPECTATOR, &["--at", "0"]);
    assert!(!only.stdout.contains("game 1"), "{}", only.stdout);
    let third = replay_file(&many, &["--game-number", "3"]);
    insta::assert_snapshot!(third.stderr, @r"
    error[replay/no-such-game]: there is no game 3 in this file: it holds 2 games
    --> game.txt
    ");
    assert_eq!(
        (first.code, second.code, third.code),
        (Some(0), Some(0), Some(2))
    );
}

#[test]
fn a_game_of_a_match_is_shown_as_both_players_saw_it() {
    let [top, bottom] = ["top", "bottom"].map(|side| {
        let path = format!("{DATA}/onitama-judge/{side}.txt");
        std::fs::read_to_string(path).unwrap()
    });
    let place = tempfile::tempdir().unwrap();
    // The second game is cut off after the third move, as each player saw it.
    let start = |game: &str| {
        let received = |line: &&str| !line.starts_with('>');
        game.lines()
            .filter(received)
            .take(6)
            .map(|line| format!("{line}\n"))
            .collect::<String>()
    };
    std::fs::write(
        place.path().join("top.txt"),
        format!("{top}{}", start(&top)),
    )
    .unwrap();
    std::fs::write(
        place.path().join("bottom.txt"),
        format!("{bottom}\n{}", start(&bottom)),
    )
    .unwrap();
    let said = replay_in(
        place.path(),
        &["top.txt", "bottom.txt", "--game-number", "2", "--at", "3"],
        "",
    );
    insta::assert_snapshot!(said.stdout, @r"
    Onitama: top against bottom (game 2 of several; --game-number NUMBER shows another)

    3. bottom moved Frog b5 a4: a Student from b5 to a4 by Frog, gets Goose
    > top     Rabbit Ox
          a   b   c   d   e
        +---+---+---+---+---+
      1 | t | t | T |   | t |
        +---+---+---+---+---+
      2 |   |   |   |   | t |
        +---+---+---+---+---+
      3 |   |   |   |   |   |   middle: Frog
        +---+---+---+---+---+
      4 | b |   |   |   | b |
        +---+---+---+---+---+
      5 | b |   | B |   | b |
        +---+---+---+---+---+
      bottom  Boar Goose
    ");
    assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""));
    let first = replay_in(
        place.path(),
        &["top.txt", "bottom.txt", "--game-number", "1", "--at", "18"],
        "",
    );
    assert!(
        first.stdout.contains("captures the Master, wins the game"),
        "{}",
        first.stdout
    );
    assert_eq!(
        replay_in(
            place.path(),
            &["top.txt", "bottom.txt", "--game-number", "3"],
            ""
        )
        .code,
        Some(2),
        "there are two"
    );
}

#[test]
fn shows_a_game_up_to_its_wrong_line_and_says_what_is_wrong() {
    let said = replay_file(&SPECTATOR.replace("0 0 1 1\n0\n", "0 0 1 1\n7\n"), &[]);
    let last = said
        .stdout
        .lines()
        .rev()
        .take(14)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .collect::<Vec<_>>();
    insta::assert_snapshot!(last.join("\n"), @r"
      first   start: a0 a1 a2 a4 a5 a6     out: -

    7. PlayerB (second) rolled 0 0 1 1, and the line that follows is wrong
    > second  start: b0 b1 b2 b3 b4 b5 b6  out: -
    +----+----+----+----+         +----+----+
    | *  |    |    |    |         | *  |    |
    +----+----+----+----+----+----+----+----+
    |    | a3 |    | *  |    |    |    |    |
    +----+----+----+----+----+----+----+----+
    | *  |    |    |    |         | *  |    |
    +----+----+----+----+         +----+----+
      first   start: a0 a1 a2 a4 a5 a6     out: -

    game.txt:15: this is no move
    ");
    assert!(
        said.stderr
            .contains("fail[ur/move/relayed-to-spectators]: this is no move"),
        "{}",
        said.stderr
    );
    assert_eq!(said.code, Some(1));
}

#[test]
fn replays_golden_transcripts_and_recordings() {
    let golden = format!(
        "# urtext golden transcript 1\ndialect: code-colosseum\n[spectator 1]\n{SPECTATOR}"
    );
    let lines = SPECTATOR.lines().map(|line| {
        format!("{{\"t\":0.000001,\"lane\":0,\"dir\":\"received\",\"line\":\"{line}\"}}\n")
    });
    let header = r#"{"urtext":"recording","version":1,"dialect":"code-colosseum","subject":null,"lanes":[{"kind":"spectator"}],"scenario":null,"parameters":{}}"#;
    let recording = format!("{header}\n{}{{\"t\":", lines.collect::<String>());
    let json = replay_file(&recording, &["--json"]).stdout;
    let end = json.lines().last().unwrap();
    assert!(
        end.contains(r#""notes":["game.txt:22: the last line was cut off"#),
        "{end}"
    );
    let expected = replay(&["seed/spectator.txt"]).stdout;
    assert_eq!(replay_file(&golden, &[]).stdout, expected);
    let said = replay_file(&recording, &[]);
    assert_eq!((said.stdout, said.code), (expected.clone(), Some(0)));
    assert!(
        said.stderr.contains("warning[recording/cut-off]"),
        "{}",
        said.stderr
    );
    assert_eq!(
        replay_in(Path::new("."), &["-"], SPECTATOR).stdout,
        expected
    );
}

#[test]
fn refuses_what_is_no_game() {
    assert_eq!(replay(&["missing.txt"]).code, Some(2));
    assert_eq!(replay(&["seed/first.txt", "--at", "-1"]).code, Some(2));
    assert_eq!(
        replay(&["seed/first.txt", "seed/second.txt", "--game-number", "2"]).code,
        Some(2)
    );
    let unknown = replay(&["seed/first.txt", "--dialect", "chess960"]);
    assert!(
        unknown.stderr.contains("dialects are: code-colosseum"),
        "{}",
        unknown.stderr
    );
    assert_eq!(unknown.code, Some(2));
}

#[test]
fn nobody_is_on_turn_after_the_end() {
    let marked = |said: &Ran| {
        said.stdout
            .lines()
            .filter(|line| line.starts_with("> "))
            .count()
    };
    let won = replay(&["code-colosseum/spectator.received", "--at", "164"]);
    assert!(
        won.stdout.contains("Bob (second)") && won.stdout.contains("\n  second"),
        "{}",
        won.stdout
    );
    let lost = replay(&["seed/spectator.txt", "--at", "9"]);
    assert!(lost.stdout.contains(" lost: "), "{}", lost.stdout);
    let match_won = replay(&["onitama-judge/top.txt", "--at", "18"]);
    assert!(
        match_won.stdout.contains("wins the game"),
        "{}",
        match_won.stdout
    );
    for (name, ended) in [("won", &won), ("lost", &lost), ("match", &match_won)] {
        assert_eq!(marked(ended), 0, "{name}: {}", ended.stdout);
    }
    assert_eq!(
        marked(&replay(&[
            "code-colosseum/spectator.received",
            "--at",
            "163"
        ])),
        1
    );
}

#[test]
fn several_games_of_a_match_are_told_at_once() {
    let place = tempfile::tempdir().unwrap();
    for side in ["top", "bottom"] {
        let path = format!("{DATA}/onitama-judge/{side}.txt");
        fs::write(
            place.path().join(format!("{side}.txt")),
            fs::read_to_string(path).unwrap().repeat(2),
        )
        .unwrap();
    }
    let said = replay_in(place.path(), &["top.txt", "bottom.txt"], "");
    assert!(
        said.stdout
            .starts_with("Onitama: top against bottom (game 1 of several; "),
        "{}",
        said.stdout
    );
    assert!(
        said.stderr.contains("this file holds several games"),
        "{}",
        said.stderr
    );
    let second = replay_in(
        place.path(),
        &["top.txt", "bottom.txt", "--game-number", "2"],
        "",
    );
    assert!(
        second.stdout.contains("(game 2 of several; ") && second.stderr.is_empty(),
        "{}",
        second.stderr
    );
}

#[test]
fn prints_a_line_per_turn_with_lanes_and_times() {
    let moves = replay(&["seed/first.txt", "seed/second.txt", "--moves"]);
    insta::assert_snapshot!(moves.stdout, @r"
    Royal Game of Ur: PlayerA (first) against PlayerB (second)

    0 start
    1 F 0011 3 s→2
    2 S 1111 0 s→4 +
    3 S 1010 0 4→6
    4 F 0100 3 2→3
    5 S 0000 -
    6 F 1011 3 3x6
    7 S 0011 0 s→2
    8 F 0001 4 s→1
    9 S 1010 lost

    PlayerB (second) has lost, PlayerA (first) wins: a move onto an own token is invalid (ur/retire/own-token)
    ");
    let lanes = replay(&["--lanes", "seed/first.txt", "seed/second.txt", "--at", "2"]);
    assert!(
        lanes.stdout.ends_with(
            "    PlayerA (first): < 1 1 1 1 | < 0\n    PlayerB (second): < 1 1 1 1 | > 0\n"
        ),
        "{}",
        lanes.stdout
    );
    let ascii = replay(&["--moves", "--ascii", "onitama-judge/top.txt"]);
    assert!(ascii.stdout.is_ascii() && ascii.stdout.contains("11 B Frog e4xd3\n"));
    let header = r#"{"urtext":"recording","version":1,"dialect":"code-colosseum","subject":null,"lanes":[{"kind":"spectator"}],"scenario":null,"parameters":{}}"#;
    let lines = SPECTATOR.lines().zip(1..).map(|(line, second)| {
        format!("{{\"t\":{second}.5,\"lane\":0,\"dir\":\"received\",\"line\":\"{line}\"}}\n")
    });
    let recording = format!("{header}\n{}", lines.collect::<String>());
    let times = replay_file(&recording, &["--moves", "--times"]);
    assert!(
        times
            .stdout
            .contains("\n1 F 0011 3 s→2  (1.000 s, at 4.500 s)\n"),
        "{}",
        times.stdout
    );
}

#[test]
fn the_command_of_the_viewer_continues_a_game() {
    // The viewer copies this command at turn 4 of the file.
    let said = urtext_in(DATA.as_ref(), &["run", "seed/first.txt", "--from", "5"], "");
    assert_eq!(said.code, Some(0), "{}", said.stdout);
}

#[test]
fn json_follows_its_schema_and_tells_every_turn() {
    let schema = urtext_in(DATA.as_ref(), &["schema", "replay"], "").stdout;
    let schema = serde_json::from_str(&schema).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    for files in [
        &["code-colosseum/spectator.received"][..],
        &["onitama-judge/top.txt", "onitama-judge/bottom.txt"],
        &["seed/second.txt"],
        &["hc-ur/captured.json"],
    ] {
        let said = replay(&[files, &["--json"]].concat());
        let lines: Vec<serde_json::Value> = said
            .stdout
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        for line in &lines {
            assert!(validator.is_valid(line), "{line}");
        }
        let turns = lines[0]["turns"].as_u64().unwrap();
        assert_eq!(
            (&lines[0]["type"], &lines[0]["version"]),
            (&"game".into(), &1.into())
        );
        assert_eq!(lines.len() as u64, turns + 3, "{files:?}");
        assert_eq!(lines.last().unwrap()["type"], "end");
    }
    let one = replay(&["onitama-judge/top.txt", "--json", "--at", "11"]);
    let turn: serde_json::Value = serde_json::from_str(one.stdout.lines().nth(1).unwrap()).unwrap();
    let facts = ["by", "move", "from", "to", "captured", "card"].map(|key| &turn[key]);
    assert_eq!(facts, ["bottom", "Frog e4 d3", "e4", "d3", "t", "Frog"]);
    assert_eq!(turn["cells"].as_array().unwrap().len(), 25);
    assert_eq!(
        replay(&["seed/first.txt", "--json", "--at", "10"]).code,
        Some(2)
    );
}
