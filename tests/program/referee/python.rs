//! Games with the independent peers of `tests/peers`, which share no code with urtext.

use std::process::{Command, Stdio};

use super::subject::{Referee, command};
use crate::harness::{PEERS, URTEXT, has_python, python_words, quoted};

#[test]
fn independent_bots_play_to_the_end_against_the_built_in_referee() {
    if !has_python() {
        return;
    }
    let [python, no_site] = python_words();
    let python = |policy: &str| {
        format!(
            "{python} {no_site} {} --policy {policy}",
            quoted(format!("{PEERS}/ur_bot.py"))
        )
    };
    let ours = format!("{} bot royalur --seed 2", quoted(URTEXT));
    for (first, second) in [
        (python("random --seed 4"), ours.clone()),
        (ours, python("last")),
    ] {
        let output = command(&[
            "--seed", "8", "--games", "2", "--bot", &first, "--bot", &second,
        ])
        .output()
        .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{stderr}");
        let wins: Vec<_> = stderr
            .lines()
            .map(|line| line.ends_with(" has won"))
            .collect();
        assert_eq!(wins, [true, true], "nothing else is said: {stderr}");
    }
}

#[test]
fn built_in_bots_play_to_the_end_against_the_independent_referee() {
    if !has_python() {
        return;
    }
    let [python, no_site] = python_words();
    let mut referee = Command::new(python);
    referee
        .arg(no_site)
        .arg(format!("{PEERS}/ur_referee.py"))
        .args(["--pace", "0", "--seed", "3"]);
    let referee = Referee::spawn(&mut referee);
    let players = [referee.player(), referee.player()].map(|lane| {
        let [input, output] = lane.into_stdio();
        let mut bot = Command::new(URTEXT);
        bot.args(["bot", "royalur", "--seed", "5"])
            .stdin(input)
            .stdout(output)
            .stderr(Stdio::piped());
        bot.spawn().unwrap()
    });
    for player in players {
        let output = player.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        assert_eq!(output.status.code(), Some(0));
    }
    let ended = referee.end();
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
}

#[test]
fn both_referees_tell_the_same_of_the_same_game() {
    if !has_python() {
        return;
    }
    for (rolls, sent) in [
        ("0000 1111 0001 0010 1111 0001", ["0\n5\n", "0\n1\n0\n+3\n"]),
        ("0001 0001 0001 0001", ["0\n0\n", "0\n"]),
        ("0001", ["0\r\n", ""]),
        ("0001 0001", ["0\n", ""]),
    ] {
        let rolls = ["--rolls", rolls, "--spectators", "1", "--pace", "0"];
        let [python, no_site] = python_words();
        let mut python = Command::new(python);
        python
            .arg(no_site)
            .arg(format!("{PEERS}/ur_referee.py"))
            .args(rolls);
        let [ours, theirs] = [command(&rolls), python].map(|mut command| {
            let referee = Referee::spawn(&mut command);
            referee
                .play(sent, super::Then::HangUp)
                .map(|seen| (seen.text, seen.end))
        });
        assert_eq!(ours, theirs, "{rolls:?}");
    }
}
