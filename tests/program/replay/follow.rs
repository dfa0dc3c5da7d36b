//! A game that is shown while it is recorded.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use super::terminal::Terminal;
use crate::harness::{DATA, Place, has};

fn lines() -> Vec<String> {
    let path = format!("{DATA}/code-colosseum/spectator.received");
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| format!("{line}\n")).collect()
}

fn append(file: &mut File, lines: &[String]) {
    file.write_all(lines.concat().as_bytes()).unwrap();
}

fn begin(place: &Place) -> File {
    OpenOptions::new()
        .create(true)
        .append(true)
        .open(place.join("game.txt"))
        .unwrap()
}

#[test]
fn each_turn_is_printed_when_it_is_over() {
    let place = Place::new();
    let arguments = ["replay", "--follow", "--moves", "game.txt"];
    let mut following = place
        .command(&arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(following.stderr.take().unwrap()).lines();
    assert_eq!(
        said.next().unwrap().unwrap(),
        "urtext replay: waiting for the first turn in game.txt"
    );
    let lines = lines();
    let mut file = begin(&place);
    // Two names, the roll and the move of a turn, and the roll of the next.
    append(&mut file, &lines[..5]);
    let mut printed = BufReader::new(following.stdout.take().unwrap())
        .lines()
        .map(Result::unwrap);
    let mut next = || printed.next().unwrap_or_default();
    assert_eq!(
        next(),
        "Royal Game of Ur: Alice (first) against Bob (second)"
    );
    assert_eq!(next(), "");
    assert!(next().ends_with("0 start"));
    let first = next();
    append(&mut file, &lines[5..lines.len() - 1]);
    let second = next();
    append(&mut file, &lines[lines.len() - 1..]);
    let rest: Vec<_> = printed.collect();
    assert_eq!(rest.last().unwrap(), "Bob (second) has won");
    assert!(following.wait().unwrap().success());
    let whole = place.urtext(&["replay", "--moves", "game.txt"]).stdout;
    let whole: Vec<_> = whole.lines().map(str::trim_start).collect();
    let followed: Vec<_> = [&first, &second]
        .into_iter()
        .chain(&rest)
        .map(|line| line.trim_start())
        .collect();
    assert_eq!(whole[3..], followed);
}

#[test]
fn the_viewer_goes_along_with_a_game() {
    let place = Place::new();
    let lines = lines();
    let mut file = begin(&place);
    append(&mut file, &lines[..5]);
    let Some(mut terminal) = Terminal::replay(&place, &["--follow", "game.txt"]) else {
        return;
    };
    terminal.shows("turn 2 of 2  live");
    append(&mut file, &lines[5..6]);
    let screen = terminal.shows("turn 3 of 3");
    has(
        &screen,
        "3. Alice (first) rolled 0 1 0 0, and has not moved yet",
    );
    append(&mut file, &lines[6..7]);
    terminal.shows("3. Alice (first) rolled 0 1 0 0, moved 3");
    terminal.press("\x1b[H");
    terminal.shows("turn 0 of 3");
    append(&mut file, &lines[7..]);
    terminal.shows("turn 0 of 164");
    terminal.press("q");
    assert_eq!(terminal.end().0.code(), Some(0));
}

#[test]
fn a_followed_file_of_empty_lines_has_not_begun() {
    let place = Place::new();
    let mut file = begin(&place);
    file.write_all(b"\n\n").unwrap();
    let arguments = ["replay", "--follow", "--moves", "game.txt"];
    let mut command = place.command(&arguments);
    let mut following = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(following.stderr.take().unwrap()).lines();
    assert!(
        said.next()
            .unwrap()
            .unwrap()
            .contains("waiting for the first turn")
    );
    append(&mut file, &lines());
    let output = following.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .ends_with("Bob (second) has won\n")
    );
}
