//! `urtext explore` as a user runs it.

mod bot;
mod built_in;
mod coverage;
mod failure;
mod without_hook;

use assert_cmd::Command;
use serde_json::Value;

use crate::harness::{self, PEERS, has_python, python_words};

/// What `urtext explore` with these arguments exits with, prints and says of problems.
pub(crate) fn explore(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_urtext"))
        .arg("explore")
        .args(arguments)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// The same with `--json`, read.
pub(crate) fn explore_json(arguments: &[&str]) -> (Option<i32>, Value) {
    let (status, said, problems) = explore(&[&["--json"], arguments].concat());
    (
        status,
        serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error}\n{said}\n{problems}")),
    )
}

/// How often each of a table's rows was seen, by name.
pub(crate) fn times(table: &Value, key: &str, name: &str) -> Vec<(String, u64)> {
    let rows = table[key].as_array().unwrap().iter();
    rows.map(|row| {
        (
            row[name].as_str().unwrap().to_owned(),
            row["times"].as_u64().unwrap(),
        )
    })
    .collect()
}

/// The arguments after which the command of a built-in peer stands.
pub(crate) fn command(side: &str, game: &str, options: &str) -> Vec<String> {
    let words = format!(
        "--as {side} --game {game} -- {} {side} {game} {options}",
        env!("CARGO_BIN_EXE_urtext")
    );
    words.split_whitespace().map(str::to_owned).collect()
}

pub(crate) fn with<'w>(first: &[&'w str], command: &'w [String]) -> Vec<&'w str> {
    first
        .iter()
        .copied()
        .chain(command.iter().map(String::as_str))
        .collect()
}

/// The arguments that make a built-in peer with a fault the subject, in memory.
pub(crate) fn faulty(side: &str, game: &str, fault: &str) -> Vec<String> {
    harness::faulty(side, game, fault).map(str::to_owned).into()
}

/// The arguments after which the command of an independent peer stands; `None` where it cannot run.
pub(crate) fn python(side: &str, game: &str, words: &str) -> Option<Vec<String>> {
    has_python().then_some(())?;
    let [python, no_site] = python_words();
    let words = format!("--as {side} --game {game} -- {python} {no_site} {PEERS}/{words}");
    Some(words.split_whitespace().map(str::to_owned).collect())
}
