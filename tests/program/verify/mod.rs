//! `urtext verify` by several threads, interrupted, and for programs. What it says of games is in `snapshots/cases`.

mod json;
mod python;
mod rows;

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::harness::{DATA, Place, Ran, URTEXT, has, urtext_in};

const SPECTATOR: &str = include_str!("../../data/seed/spectator.txt");

fn verify_in(folder: &Path, arguments: &[&str], input: &str) -> Ran {
    urtext_in(folder, &[&["verify"], arguments].concat(), input)
}

/// Runs it in a folder of its own with these files.
fn verify_files(files: &[(&str, &str)], arguments: &[&str]) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    verify_in(folder.path(), arguments, "")
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
    has(json.lines().last().unwrap(), "\"status\":130");
}
