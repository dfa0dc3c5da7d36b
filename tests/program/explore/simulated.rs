//! Built-in peers that are explored in memory.

use std::path::Path;
use std::process::{Command, Output};

/// Explores in a folder.
fn explore_in(folder: &Path, arguments: &str) -> Output {
    let words = arguments.split_whitespace();
    Command::new(env!("CARGO_BIN_EXE_urtext"))
        .arg("explore")
        .args(words)
        .current_dir(folder)
        .output()
        .unwrap()
}

#[test]
fn the_same_seed_gives_the_same_report_and_the_same_files_whatever_is_played_at_once() {
    for subject in [
        "--as referee --shrink 40 -- urtext referee royalur --seed {seed} --fault retire-lowercase",
        "--as bot --shrink 40 -- urtext bot royalur --fault ignores-extra-turn",
    ] {
        let folders = [(), ()].map(|()| tempfile::tempdir().unwrap());
        let explored = |folder: &Path, jobs: &str| {
            let output = explore_in(folder, &format!("--simulated --seed 5 {jobs} {subject}"));
            assert_eq!(output.status.code(), Some(1), "{output:?}");
            let mut files: Vec<_> = std::fs::read_dir(folder.join("explored"))
                .unwrap()
                .map(|entry| entry.unwrap().path())
                .collect();
            files.sort();
            let text = |path: &Path| {
                (
                    path.file_name().unwrap().to_owned(),
                    std::fs::read(path).unwrap(),
                )
            };
            (
                output.stdout,
                files.iter().map(|path| text(path)).collect::<Vec<_>>(),
            )
        };
        let first = explored(folders[0].path(), "--jobs 1");
        assert!(!first.1.is_empty());
        assert!(
            first == explored(folders[1].path(), "--jobs 7"),
            "{subject}"
        );
        assert!(
            first == explored(folders[0].path(), ""),
            "what is there already is not written again: {subject}"
        );
    }
}

#[test]
fn another_program_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (subject, problem, help) in [
        (
            "--as bot -- python3 bot.py",
            "only the built-in peers can be simulated",
            "-- urtext bot royalur",
        ),
        (
            "--as referee --connect :4000",
            "only the built-in peers can be simulated",
            "--subject built-in",
        ),
        (
            "--as bot -- urtext bot royalur --delay 1s",
            "`--delay 1s` of a built-in bot",
            "leave it out",
        ),
        (
            "--as bot -- urtext bot royalur --fault forget-captures",
            "no fault `forget-captures`",
            "`forgets-captures`",
        ),
    ] {
        for command in ["explore", "run"] {
            let words = format!("{command} --simulated {subject}");
            let words = words.split_whitespace();
            let output = Command::new(env!("CARGO_BIN_EXE_urtext"))
                .args(words)
                .current_dir(folder.path())
                .output()
                .unwrap();
            let said = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{command} {subject}: {said}");
            assert!(
                said.contains(problem) && said.contains(help),
                "{command} {subject}: {said}"
            );
        }
    }
}
