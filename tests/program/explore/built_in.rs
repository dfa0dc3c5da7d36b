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
        "--shrink 40 --subject built-in --fault retire-lowercase",
        "--shrink 40 --subject built-in --as bot --fault ignores-extra-turn",
    ] {
        let folders = [(), ()].map(|()| tempfile::tempdir().unwrap());
        let explored = |folder: &Path, jobs: &str| {
            let output = explore_in(folder, &format!("--seed 5 {jobs} {subject}"));
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
