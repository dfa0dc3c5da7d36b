//! Turns of a replay (`replay --json`), read by every command that takes a finished game.

use std::fs;

use crate::harness::{DATA, Ran, urtext_in};

const SOURCES: [&str; 4] = [
    "code-colosseum/spectator.received",
    "onitama-judge/top.txt",
    "seed/first.txt",
    "hc-ur/captured.json",
];

fn urtext(arguments: &[&str]) -> Ran {
    urtext_in(DATA.as_ref(), arguments, "")
}

/// Output and exit status of a command, without the name of the file.
fn said_of(command: &[&str], file: &str) -> (String, Option<i32>) {
    let said = urtext(&[command, &[file]].concat());
    (said.stdout.replace(file, "FILE"), said.code)
}

#[test]
fn a_game_as_frames_is_the_same_game_for_every_command() {
    let folder = tempfile::tempdir().unwrap();
    for source in SOURCES {
        let path = folder.path().join("turns.jsonl");
        let file = path.to_string_lossy();
        fs::write(&path, urtext(&["replay", "--json", source]).stdout).unwrap();
        let named = urtext(&["verify", "--verbose", &file]);
        assert!(
            named
                .stderr
                .contains("read as turns of a replay (JSON Lines)"),
            "{}",
            named.stderr
        );
        for command in [
            &["replay", "--print"][..],
            &["replay", "--at", "5"],
            &["convert", "--to", "frames"],
        ] {
            assert_eq!(
                said_of(command, &file),
                said_of(command, source),
                "{command:?} {source}"
            );
        }
        let last = |said: (String, _)| (said.0.lines().last().map(str::to_owned), said.1);
        assert_eq!(
            last(said_of(&["verify"], &file)),
            last(said_of(&["verify"], source)),
            "{source}"
        );
        let same = urtext(&["diff", source, &file]);
        assert_eq!(same.code, Some(0), "{}", same.stdout);
        if source != "hc-ur/captured.json" {
            let golden = |file: &str| urtext(&["convert", "--to", "golden", file]).stdout;
            assert_eq!(golden(&file), golden(source), "{source}");
        }
        let input = urtext_in(
            DATA.as_ref(),
            &["verify", "--dialect", "frames", "-"],
            &fs::read_to_string(&path).unwrap(),
        );
        assert_eq!(input.code, named.code, "{}", input.stderr);
    }
}

#[test]
fn times_of_a_recording_stay_in_frames() {
    let header = r#"{"urtext":"recording","version":1,"dialect":"code-colosseum","subject":null,"lanes":[{"kind":"spectator"}],"scenario":null,"parameters":{}}"#;
    let lines = include_str!("../data/seed/spectator.txt").lines().zip(1..);
    let lines = lines.map(|(line, second)| {
        format!("{{\"t\":{second}.5,\"lane\":0,\"dir\":\"received\",\"line\":\"{line}\"}}\n")
    });
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (recording, turns) = (path("game.jsonl"), path("turns.jsonl"));
    fs::write(
        &recording,
        format!("{header}\n{}", lines.collect::<String>()),
    )
    .unwrap();
    let written = urtext(&["convert", "--to", "frames", &recording, "-o", &turns]);
    assert!(
        written.stderr.contains("not written: lanes"),
        "{}",
        written.stderr
    );
    let times = |file: &str| urtext(&["replay", "--moves", "--times", file]).stdout;
    assert!(
        times(&recording).contains("at 4.500 s"),
        "{}",
        times(&recording)
    );
    // The loss is no turn of the records, and has no time.
    let without_loss = |text: String| {
        text.lines()
            .filter(|line| !line.contains("lost"))
            .collect::<Vec<_>>()
            .join("\n")
    };
    assert_eq!(without_loss(times(&turns)), without_loss(times(&recording)));
}

#[test]
fn a_malformed_line_is_shown_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let text = urtext(&["replay", "--json", "seed/first.txt"]).stdout;
    fs::write(
        folder.path().join("a.jsonl"),
        text.replacen("0 1 0 0", "0 1 0 \u{1b}", 1),
    )
    .unwrap();
    for command in [
        &["verify"][..],
        &["replay"],
        &["convert", "--to", "golden"],
        &["diff", "a.jsonl"],
    ] {
        let said = urtext_in(folder.path(), &[command, &["a.jsonl"]].concat(), "");
        assert_eq!(said.code, Some(2), "{command:?}");
        for part in ["a.jsonl:6:", "error[frames/", "^"] {
            assert!(said.stderr.contains(part), "{command:?}: {}", said.stderr);
        }
        assert!(!said.stderr.contains('\u{1b}'), "{command:?}");
    }
}

#[test]
fn frames_that_end_at_an_error_fail_again() {
    let folder = tempfile::tempdir().unwrap();
    let stream = fs::read_to_string(format!("{DATA}/seed/spectator.txt")).unwrap();
    fs::write(
        folder.path().join("a.txt"),
        stream.replacen("0 1 0 0", "0 1 0 7", 1),
    )
    .unwrap();
    let written = urtext_in(folder.path(), &["replay", "--json", "a.txt"], "");
    assert_eq!(written.code, Some(1), "{}", written.stderr);
    fs::write(folder.path().join("a.jsonl"), written.stdout).unwrap();
    let said = urtext_in(folder.path(), &["verify", "a.jsonl"], "");
    assert_eq!(said.code, Some(1));
    assert!(
        said.stdout.contains("the replay ends at an error"),
        "{}",
        said.stdout
    );
}
