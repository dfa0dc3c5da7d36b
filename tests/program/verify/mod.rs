//! `urtext verify` on the streams of the seed, on a captured game, and on files that are none.

mod json;
mod python;
mod rows;

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::harness::{DATA, Place, Ran, URTEXT, urtext_in};

const SPECTATOR: &str = include_str!("../../data/seed/spectator.txt");

fn verify_in(folder: &Path, arguments: &[&str], input: &str) -> Ran {
    urtext_in(folder, &[&["verify"], arguments].concat(), input)
}

/// Runs it beside the streams of the seed and the captured game.
fn verify(arguments: &[&str]) -> Ran {
    verify_in(DATA.as_ref(), arguments, "")
}

/// Runs it in a folder of its own with these files.
fn verify_files(files: &[(&str, &str)], arguments: &[&str]) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    verify_in(folder.path(), arguments, "")
}

#[test]
fn the_streams_of_the_seed_conform() {
    let said = verify(&["seed/first.txt", "seed/second.txt", "seed/spectator.txt"]);
    insta::assert_snapshot!(said.stdout, @r"
    pass seed/first.txt: PlayerA against PlayerB, 9 turns: PlayerB (second) has lost, PlayerA (first) wins: no valid move (the lanes at hand do not show why)
    pass seed/second.txt: PlayerA against PlayerB, 9 turns: PlayerB (second) has lost, PlayerA (first) wins: a move onto an own token is invalid (ur/retire/own-token)
    pass seed/spectator.txt: PlayerA against PlayerB, 9 turns: PlayerB (second) has lost, PlayerA (first) wins: no valid move (the lanes at hand do not show why)
    3 games, 0 complaints
    ");
    assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""));
    let said = verify(&[
        "--together",
        "seed/first.txt",
        "seed/second.txt",
        "seed/spectator.txt",
    ]);
    insta::assert_snapshot!(said.stdout, @"pass seed/first.txt + seed/second.txt + seed/spectator.txt: PlayerA against PlayerB, 9 turns: PlayerB (second) has lost, PlayerA (first) wins: a move onto an own token is invalid (ur/retire/own-token)");
    assert_eq!(said.code, Some(0));
}

#[test]
fn names_the_format_of_each_file_where_it_is_asked_for() {
    let recording = r#"{"urtext":"recording","version":1,"dialect":"code-colosseum","subject":null,"lanes":[{"kind":"spectator"}],"scenario":null,"parameters":{}}"#;
    let line =
        |line| format!("{{\"t\":1.5,\"lane\":0,\"dir\":\"received\",\"line\":\"{line}\"}}\n");
    let recording = format!(
        "{recording}\n{}",
        SPECTATOR.lines().map(line).collect::<String>()
    );
    let golden = urtext_in(
        DATA.as_ref(),
        &["replay", "seed/first.txt", "--to", "golden"],
        "",
    );
    let net = include_str!("../../data/royalur-net/resigned.json");
    let files = [
        ("a.txt", SPECTATOR, "the stream of one participant"),
        ("b.txt", golden.stdout.as_str(), "a golden transcript"),
        ("c.jsonl", &recording, "a recording"),
        ("d.json", net, "a game in RoyalUr's JSON notation"),
    ];
    let written = files.map(|(name, text, _)| (name, text));
    let named = files.map(|(name, _, format)| format!("{name}: read as {format}\n"));
    let quiet = verify_files(&written, &["."]);
    let said = verify_files(&written, &[".", "--verbose"]);
    assert_eq!((said.stdout, said.code), (quiet.stdout, quiet.code));
    assert!(!quiet.stderr.contains("read as"), "{}", quiet.stderr);
    let lines = said.stderr.lines().filter(|line| line.contains("read as"));
    let lines: Vec<_> = lines.map(|line| line.trim_start_matches("./")).collect();
    assert_eq!(
        lines,
        named.concat().lines().collect::<Vec<_>>(),
        "{}",
        said.stderr
    );
    let folder = tempfile::tempdir().unwrap();
    for ((name, text, _), named) in files.iter().zip(&named) {
        fs::write(folder.path().join(name), text).unwrap();
        let shown = urtext_in(folder.path(), &["replay", "--print", "-v", name], "");
        assert!(shown.stderr.starts_with(named.as_str()), "{}", shown.stderr);
        let quiet = urtext_in(folder.path(), &["replay", "--print", name], "");
        assert_eq!((shown.stdout, shown.code), (quiet.stdout, quiet.code));
    }
    let said = verify_files(&written, &["--together", "a.txt", "-v"]);
    assert_eq!(said.stderr, named[0]);
}

#[test]
fn the_captured_game_conforms_by_each_file_and_by_all_of_them() {
    let all = [
        "alice.received",
        "alice.sent",
        "bob.received",
        "bob.sent",
        "spectator.received",
    ]
    .map(|name| format!("code-colosseum/{name}"));
    for file in &all {
        let said = verify(&[file]);
        assert!(
            said.stdout
                .contains("Alice against Bob, 164 turns: Bob (second) has won"),
            "{}",
            said.stdout
        );
        assert_eq!(said.code, Some(0), "{file}");
    }
    let mut arguments: Vec<_> = all.iter().map(String::as_str).collect();
    let said = verify(&arguments);
    assert!(
        said.stdout.ends_with("3 games, 0 complaints\n"),
        "a pair is one game: {}",
        said.stdout
    );
    arguments.push("--together");
    let said = verify(&arguments);
    assert_eq!(
        (said.code, said.stdout.lines().count()),
        (Some(0), 1),
        "{}",
        said.stdout
    );
}

#[test]
fn names_the_first_wrong_line() {
    let wrong = SPECTATOR.replace("RETIRE", "2");
    let said = verify_files(&[("game.txt", &wrong)], &["game.txt"]);
    insta::assert_snapshot!(said.stdout, @r#"
    fail[ur/retire/own-token]: move 2 is not legal: an own token stands there (must)
    --> game.txt:19
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
    assert_eq!(said.code, Some(1));
}

#[test]
fn judges_many_games_of_one_file_and_counts_them() {
    let wrong = SPECTATOR.replace("RETIRE", "2");
    let many = format!(
        "{}{wrong}\n\n\n{SPECTATOR}",
        format!("{SPECTATOR}\n").repeat(30)
    );
    let said = verify_files(&[("games.txt", &many)], &["games.txt"]);
    assert!(
        said.stdout.contains("--> games.txt:619\n"),
        "{}",
        said.stdout
    );
    assert!(
        said.stdout.contains(" = in: games.txt game 31"),
        "{}",
        said.stdout
    );
    assert!(
        said.stdout.ends_with("\n32 games, 1 complaint\n"),
        "{}",
        said.stdout
    );
    let said = verify_in(
        Path::new("."),
        &["-"],
        &format!("{SPECTATOR}\n").repeat(1200),
    );
    assert_eq!(
        (said.code, said.stdout.as_str()),
        (Some(0), "1,200 games, 0 complaints\n")
    );
}

/// A file that is shared among the threads: wrong games far apart, one that is cut off, and one that is too large.
fn large_file() -> String {
    let wrong = SPECTATOR.replace("RETIRE", "2");
    let short: String = SPECTATOR
        .lines()
        .take(9)
        .map(|line| format!("{line}\n"))
        .collect();
    let games: Vec<_> = (0..12_000)
        .map(|number| match number {
            7 | 5_000 | 11_999 => wrong.clone(),
            3 | 9_000 => short.clone(),
            6_000 => "x".repeat(1 << 20) + "\n" + SPECTATOR,
            _ => SPECTATOR.to_owned(),
        })
        .collect();
    games.join("\n")
}

#[test]
fn several_threads_report_what_one_reports_in_the_same_order() {
    let large = large_file();
    let wrong = SPECTATOR.replace("RETIRE", "2");
    let files = [
        ("large.txt", large.as_str()),
        ("wrong.txt", &wrong),
        ("right.txt", SPECTATOR),
        ("none.txt", "{}"),
    ];
    let with_jobs = |arguments: &[&str], jobs: &str| {
        let said = verify_files(&files, &[arguments, &["--jobs", jobs]].concat());
        (said.code, said.stdout, said.stderr)
    };
    for arguments in [
        &[
            "wrong.txt",
            "large.txt",
            "none.txt",
            "right.txt",
            "wrong.txt",
        ][..],
        &["right.txt", "wrong.txt", "right.txt"],
        &["--together", "large.txt", "large.txt"],
    ] {
        let one = with_jobs(arguments, "1");
        assert!(
            one.1.contains("fail[") && one.1.contains("complaint"),
            "{}",
            one.1
        );
        assert_eq!(with_jobs(arguments, "3"), one);
    }
}

#[test]
fn several_games_are_told_in_their_order() {
    let wrong = SPECTATOR.replace("RETIRE", "2");
    let short: String = SPECTATOR
        .lines()
        .take(5)
        .map(|line| format!("{line}\n"))
        .collect();
    let games = [SPECTATOR, &wrong, &short, &wrong, SPECTATOR].join("\n");
    let said = verify_files(&[("games.txt", &games)], &["games.txt"]);
    let first_words = |line: &&str| {
        ["pass ", "fail["].iter().any(|word| line.starts_with(word)) || line.starts_with("--> ")
    };
    let told: Vec<_> = said
        .stdout
        .lines()
        .filter(first_words)
        .map(|line| line.split([':', ']']).next().unwrap())
        .collect();
    assert_eq!(
        told,
        [
            "pass games.txt",
            "fail[ur/retire/own-token",
            "--> games.txt",
            "pass games.txt game 3",
            "fail[ur/retire/own-token",
            "--> games.txt",
            "pass games.txt game 5"
        ],
        "{}",
        said.stdout
    );
    assert!(
        said.stdout
            .ends_with("\n5 games, 2 complaints (1 incomplete)\n"),
        "{}",
        said.stdout
    );
}

#[test]
fn a_game_that_stops_early_conforms_unless_the_end_is_demanded() {
    let short: String = SPECTATOR
        .lines()
        .take(5)
        .map(|line| format!("{line}\n"))
        .collect();
    let files = [("game.txt", short.as_str())];
    let said = verify_files(&files, &["game.txt"]);
    insta::assert_snapshot!(said.stdout, @"pass game.txt: PlayerA against PlayerB, 2 turns: incomplete: stops where PlayerB (second) has to move");
    assert_eq!(said.code, Some(0));
    let said = verify_files(&files, &["--complete", "game.txt"]);
    insta::assert_snapshot!(said.stdout, @r"
    fail: the game was not played to its end
    --> game.txt
     = incomplete: stops where PlayerB (second) has to move
    ");
    assert_eq!(said.code, Some(1));
}

#[test]
fn nothing_to_judge_is_never_silently_green() {
    let said = verify_files(&[("game.txt", "A\u{202e}\nB\n")], &["game.txt"]);
    insta::assert_snapshot!(said.stdout, @r"
    inconclusive game.txt: A\u{202e} against B, 0 turns: stops before the first turn: there is nothing to judge
         note: the file was read as the stream of one participant
    ");
    assert_eq!(said.code, Some(4));
}

#[test]
fn says_of_a_file_that_it_is_no_transcript() {
    let files = [
        ("empty", ""),
        ("text", "Dear reader,\n\nthis is\na letter.\n"),
        ("lone.sent", "3\n"),
    ];
    let arguments = ["empty", "text", "lone.sent", "missing"];
    let said = verify_files(&files, &arguments);
    insta::assert_snapshot!(said.stderr, @r"
    error[file/empty]: the file is empty
    --> empty
     = help: a transcript has at least the names of the players

    error[transcript/no-kind]: this is no transcript, and its format is not known
     --> text:1:1
      |
    1 | Dear reader,
      | ^^^^^^^^^^^^
      |
      = help: a stream in the dialect code-colosseum begins with the name of the first player, and none of the lines below is a line of the game
      = help: give a golden transcript, a recording (JSON Lines), the stream of one participant, move records of hc-ur (a JSON list), a game in RoyalUr's JSON notation, or the history of a match: coco://HOST:PORT/ID

    error[file/missing]: there is no such file
    --> lone.received
     = help: check the spelling; a path is taken from the folder you are in
     = help: what was sent does not tell a game; what was received is looked for beside it

    error[file/missing]: there is no such file
    --> missing
     = help: check the spelling; a path is taken from the folder you are in
    ");
    assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""));
}

#[test]
fn a_folder_stands_for_the_files_below_it() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("games/b.txt", "A\nB\n0 0 0 1\n0\n");
    write("games/a/one.txt", "A\nB\n0 0 0 1\n0\n");
    write("games/a/pair.received", "A\nB\n0\n0 0 0 1\n0 0 0 1\n");
    write("games/a/pair.sent", "0\n");
    write("games/.hidden", "Dear reader,\n");
    fs::create_dir(folder.path().join("empty")).unwrap();
    for jobs in ["1", "2"] {
        let said = verify_in(folder.path(), &["games", "--jobs", jobs], "");
        let files: Vec<_> = said
            .stdout
            .lines()
            .filter_map(|line| line.strip_prefix("pass "))
            .collect();
        let names = [
            "games/a/one.txt: ",
            "games/a/pair.received: ",
            "games/b.txt: ",
        ];
        assert_eq!(files.len(), names.len(), "{}", said.stdout);
        assert!(
            files
                .iter()
                .zip(names)
                .all(|(file, name)| file.starts_with(name)),
            "{}",
            said.stdout
        );
        assert!(
            said.stdout
                .ends_with("3 games, 0 complaints (3 incomplete)\n")
        );
        assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""));
    }
    let said = verify_in(folder.path(), &["empty"], "");
    assert!(
        said.stderr
            .starts_with("error[file/empty]: this folder holds no file\n--> empty\n"),
        "{}",
        said.stderr
    );
    assert_eq!(said.code, Some(2));
}

/// The first lines of files that hold no transcript, and the words by which each is refused.
const NO_TRANSCRIPTS: &[(&str, &str, &str)] = &[
    (
        "record.json",
        r#"{"name": "x", "moves": [1, 2, 3]}"#,
        "the file is JSON",
    ),
    ("lines.json", "{\n\"a\":\n0\n}\n", "the file is JSON"),
    ("list.json", "[\n1,\n0,\n2]\n", "the file is JSON"),
    ("text.json", "\"hello\"\n", "the file is JSON"),
    (
        "state.json",
        r#"{"complete": false, "player_1": {"tokens": [], "tokens_home": 1}}"#,
        "a game state of hc-ur",
    ),
    (
        "game.pgn",
        "[Event \"x\"]\n1. e4 e5\n",
        "a game in tags and numbered moves, such as PGN",
    ),
    (
        "page.html",
        "<html>\n<body>\n3\n",
        "the file is HTML or XML",
    ),
    (
        "game.yaml",
        "scenario: x\ngame: royalur\n",
        "the file is a scenario",
    ),
    (
        "program",
        "\u{7f}ELF\0\0\n0\n1\n2\n",
        "the file is binary data",
    ),
    (
        "tail.txt",
        "0 0 1 1\n3\n1 1 1 1\n0\n",
        "lacks its beginning: it begins with a roll",
    ),
    (
        "letter.txt",
        "Dear reader,\n\nthis is a letter.\n",
        "its format is not known",
    ),
];

#[test]
fn what_does_not_begin_like_a_transcript_is_refused_by_name() {
    for command in [&["verify"][..], &["replay"], &["replay", "--to", "golden"]] {
        for (name, text, words) in NO_TRANSCRIPTS {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join(name), text).unwrap();
            let ran = urtext_in(folder.path(), &[command, &[name]].concat(), "");
            let said = ran.stderr;
            assert!(
                said.starts_with("error[transcript/no-kind]: "),
                "{command:?} {name}: {said}"
            );
            for words in [
                *words,
                &format!("--> {name}:1:1\n"),
                "give a golden transcript, a recording",
                "coco://",
            ] {
                assert!(
                    said.contains(words),
                    "{command:?} {name}: {words:?} in {said}"
                );
            }
            assert_eq!(
                (ran.code, ran.stdout.as_str()),
                (Some(2), ""),
                "{command:?} {name}"
            );
        }
    }
    let said = verify_in(Path::new("."), &["-"], "{\"name\": \"x\"}\n");
    assert!(said.stderr.contains("--> -:1:1\n"), "{}", said.stderr);
    let said = verify_in(Path::new("."), &["-"], "[{\"author\": \"A\"}]\n");
    assert!(
        said.stderr
            .contains("on standard input with `--dialect hc-ur`"),
        "{}",
        said.stderr
    );
}

#[test]
fn a_stream_with_odd_names_or_a_broken_beginning_is_still_a_stream() {
    for name in [
        "{\"name\": \"x\"}",
        "[1, 2]",
        "[Event \"x\"]",
        "1. FC",
        "<html>",
        "#!x",
        "scenario: x",
        "\u{1}\0",
        "\"q\"",
        "",
    ] {
        let odd = SPECTATOR.replacen("PlayerA", name, 1);
        let said = verify_files(&[("game.txt", &odd)], &["game.txt"]);
        assert!(
            name.is_empty() || said.stdout.contains("PlayerB (second) has lost"),
            "{name}: {}{}",
            said.stdout,
            said.stderr
        );
        let player = include_str!("../../data/seed/second.txt").replacen("PlayerA", name, 1);
        let said = verify_files(&[("game.txt", &player)], &["game.txt"]);
        assert!(
            name.is_empty() || said.stdout.contains("PlayerB (second) has lost"),
            "{name}: {}{}",
            said.stdout,
            said.stderr
        );
    }
    // A wrong line is the referee's fault, and no reason to refuse the file.
    for (text, requirement) in [
        ("A\nB\n2\n0 0 1 1\n", "ur/"),
        ("A\nB\n0011\n3\n1111\n0\n", "ur/roll/line"),
        ("A\nB\n0\n2\n", "ur/handshake/three-lines"),
        ("You are Left\nCards: Cobra,Eel,Crab,Rabbit,Tiger\n", "oni/"),
        ("Cards: Cobra,Eel,Crab,Rabbit,Tiger\nTop starts\n", "oni/"),
    ] {
        let said = verify_files(&[("game.txt", text)], &["game.txt"]);
        assert!(
            said.stdout.contains(&format!("fail[{requirement}")),
            "{text:?}: {}{}",
            said.stdout,
            said.stderr
        );
    }
    // One that is cut off in its handshake has nothing to judge, in either game, and nothing to show.
    for text in [
        "PlayerA",
        "PlayerA\nPlay",
        "PlayerA\nPlayerB\n0",
        "You are T",
        "You are Top\nCards: Cob",
    ] {
        let said = verify_files(&[("game.txt", text)], &["game.txt"]);
        let other = if text.starts_with("You") {
            "top against bottom"
        } else {
            "against"
        };
        assert!(
            said.stdout.starts_with("inconclusive") && said.stdout.contains(other),
            "{text:?}: {}{}",
            said.stdout,
            said.stderr
        );
        assert_eq!(said.code, Some(4), "{text:?}");
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("game.txt"), text).unwrap();
        let ran = urtext_in(folder.path(), &["replay", "game.txt"], "");
        assert!(
            ran.stderr.contains("the game stops before its first turn"),
            "{text:?}: {ran:#?}"
        );
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(4), ""), "{text:?}");
    }
}

#[test]
fn half_a_lane_is_not_judged_by_itself() {
    let alice = fs::read_to_string("tests/data/code-colosseum/alice.received").unwrap();
    let spectator = fs::read_to_string("tests/data/code-colosseum/spectator.received").unwrap();
    let files = [
        ("alice.received", alice.as_str()),
        ("spectator.received", spectator.as_str()),
    ];
    let said = verify_files(&files, &["alice.received"]);
    insta::assert_snapshot!(said.stderr, @r"
    error[verify/half-a-lane]: this is what a player received, and what he sent is not at hand
    --> alice.received
     = help: put NAME.sent beside NAME.received, or give another lane of the game as well
    ");
    assert_eq!(said.code, Some(2));
    assert_eq!(
        verify_files(
            &files,
            &["--together", "alice.received", "spectator.received"]
        )
        .code,
        Some(0)
    );
}

#[test]
fn memory_does_not_grow_with_one_endless_line_or_game() {
    let endless_line = format!("A\nB\n{}", "0".repeat(3 << 20));
    let endless_game = format!("A\nB\n{}", "0 0 0 0\n".repeat(300_000));
    let files = [
        ("line.txt", endless_line.as_str()),
        ("game.txt", endless_game.as_str()),
    ];
    let said = verify_files(&files, &["line.txt", "game.txt"]);
    assert_eq!(
        said.stderr
            .matches("error[transcript/game-too-large]")
            .count(),
        1,
        "{}",
        said.stderr
    );
    assert_eq!(said.code, Some(2));
}

#[test]
fn refuses_a_whole_game_among_lanes() {
    let [first, second] = [
        include_str!("../../data/seed/first.txt"),
        include_str!("../../data/seed/second.txt"),
    ];
    let golden = format!(
        "# urtext golden transcript 1\ndialect: code-colosseum\n[first]\n{first}[second]\n{second}"
    );
    let files = [
        ("golden.txt", golden.as_str()),
        ("spectator.txt", SPECTATOR),
    ];
    let apart = verify_files(&files, &["golden.txt", "spectator.txt"]);
    assert_eq!(apart.code, Some(0), "{}{}", apart.stdout, apart.stderr);
    let said = verify_files(&files, &["--together", "golden.txt", "spectator.txt"]);
    assert!(
        said.stderr.contains("error[lanes/whole-game]"),
        "{}",
        said.stderr
    );
    assert_eq!(said.code, Some(2));
}

#[test]
fn lines_without_rules_are_unsupported_and_not_passed() {
    let golden = "# urtext golden transcript 1\ndialect: lines\n[first]\nhello\n>x\n";
    let said = verify_files(&[("golden.txt", golden)], &["golden.txt"]);
    assert_eq!(
        said.stdout,
        "unsupported golden.txt: the dialect lines has no rules to judge by\n"
    );
    assert_eq!(said.code, Some(4));
}

#[test]
fn a_captured_game_without_rolls_or_names_conforms() {
    let said = verify(&[
        "--together",
        "onitama-judge/bottom.txt",
        "onitama-judge/top.txt",
    ]);
    insta::assert_snapshot!(said.stdout, @"pass onitama-judge/bottom.txt + onitama-judge/top.txt: top against bottom, 18 turns: top has won");
    assert_eq!(said.code, Some(0));
}

/// A captured game as that side saw it.
fn captured(side: &str) -> String {
    let path = format!("{DATA}/onitama-judge/{side}.txt");
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn a_match_of_several_games_conforms_on_each_lane_and_on_both_together() {
    let (top, bottom) = (captured("top"), captured("bottom"));
    // What tells the seat begins the next game, with and without an empty line before it.
    let files = [
        ("top.txt", [top.as_str(), &top, &bottom].concat()),
        (
            "bottom.txt",
            [&bottom, "\n", &bottom, "\n\n", &top].concat(),
        ),
    ];
    let files = files.each_ref().map(|(name, text)| (*name, text.as_str()));
    let said = verify_files(&files, &["--complete", "top.txt"]);
    insta::assert_snapshot!(said.stdout, @r"
    pass top.txt: top against bottom, 18 turns: top has won
    pass top.txt game 2: top against bottom, 18 turns: top has won
    pass top.txt game 3: top against bottom, 18 turns: top has won
    3 games, 0 complaints
    ");
    assert_eq!(said.code, Some(0));
    let said = verify_files(
        &files,
        &["--complete", "--together", "top.txt", "bottom.txt"],
    );
    insta::assert_snapshot!(said.stdout, @r"
    pass top.txt + bottom.txt: top against bottom, 18 turns: top has won
    pass top.txt + bottom.txt game 2: top against bottom, 18 turns: top has won
    pass top.txt + bottom.txt game 3: top against bottom, 18 turns: top has won
    3 games, 0 complaints
    ");
    assert_eq!(said.code, Some(0));
}

#[test]
fn a_match_of_which_a_lane_lacks_a_game_or_differs_in_one_does_not_conform() {
    let (top, bottom) = (captured("top"), captured("bottom"));
    let twice = [top.as_str(), &top].concat();
    let said = verify_files(
        &[("top.txt", &twice), ("bottom.txt", &bottom)],
        &["--together", "top.txt", "bottom.txt"],
    );
    assert!(
        said.stderr.contains("error[lanes/fewer-games]"),
        "{}",
        said.stderr
    );
    assert_eq!(said.code, Some(2));
    let other = [
        bottom.as_str(),
        &bottom.replace("Rabbit d5 e4", "Boar d5 d4"),
    ]
    .concat();
    let said = verify_files(
        &[("top.txt", &twice), ("bottom.txt", &other)],
        &["--together", "top.txt", "bottom.txt"],
    );
    assert!(
        said.stdout.contains("fail["),
        "{}{}",
        said.stdout,
        said.stderr
    );
    assert_eq!(said.code, Some(1));
}

#[test]
fn an_interrupt_leaves_reports_of_what_was_judged() {
    let place = Place::new();
    let game = fs::read_to_string(format!("{DATA}/code-colosseum/spectator.received")).unwrap();
    place.write("a.received", &game);
    place.write("z.received", &game);
    let mut command = Command::new(URTEXT);
    let reports = ["--report", "json=g.json", "--report", "junit=g.xml"];
    command
        .current_dir(place.path())
        .args(["verify", "a.received", "-", "z.received"])
        .args(reports)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut games = child.stdin.take().unwrap();
    let game = format!("{game}\n");
    // A pipe does not hold that much: once it is written, some was read, and before that signals are heard.
    for _ in 0..=(1 << 20) / game.len() {
        games.write_all(game.as_bytes()).unwrap();
    }
    kill(Pid::from_raw(child.id().cast_signed()), Signal::SIGTERM).unwrap();
    // Games come for as long as they are read.
    let end = loop {
        if let Err(error) = games.write_all(game.as_bytes()) {
            break error;
        }
    };
    assert_eq!(end.kind(), ErrorKind::BrokenPipe);
    drop(games);
    let said = Ran::from(child.wait_with_output().unwrap()).expect(130);
    assert!(said.stdout.contains(" games, 0 complaints\n"), "{said:#?}");
    assert!(said.stderr.contains("interrupted: "), "{said:#?}");
    let (json, junit) = (place.read("g.json"), place.read("g.xml"));
    for report in [&json, &junit] {
        assert!(report.contains("a.received"), "{report}");
        assert!(!report.contains("z.received"), "{report}");
    }
    assert!(
        json.lines().last().unwrap().contains("\"status\":130"),
        "{json}"
    );
}
