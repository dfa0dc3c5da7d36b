//! `urtext init`: what it writes is sound, and can be played with at once.

use std::fs;
use std::process::Command;

use crate::harness::{Place, URTEXT, python};

const ONE: &str = "royalur/referee/seed-example";

#[test]
fn what_is_written_for_a_command_passes_the_check_and_plays_at_once() {
    let place = Place::new();
    let referee = [
        URTEXT,
        "referee",
        "royalur",
        "--spectators",
        "{spectators}",
        "--pace",
        "{pace}",
    ];
    let flags = [
        "init",
        "--as",
        "referee",
        "--name",
        "my referee",
        "--rolls-env",
        "URTEXT_ROLLS",
        "--",
    ];
    let wrote = place.urtext(&[flags.as_slice(), &referee].concat());
    assert_eq!(
        (wrote.code, wrote.stderr.as_str()),
        (Some(0), ""),
        "{wrote:#?}"
    );
    assert_eq!(
        wrote.stdout,
        "wrote urtext.yaml\ntry: urtext run --subject 'my referee'\n"
    );
    let checked = place.urtext(&["check"]);
    assert_eq!(
        (checked.code, checked.stdout.as_str()),
        (Some(0), "checked 1 subject: no faults\n")
    );
    let ran = place.urtext(&["run", "--subject", "my referee", "--suite", ONE]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
}

#[test]
fn what_is_written_for_a_bot_plays_at_once_from_another_file() {
    let place = Place::new();
    let flags = [
        "init",
        "--as",
        "bot",
        "--file",
        "sub/bots.yaml",
        "--",
        URTEXT,
        "bot",
        "royalur",
    ];
    assert_eq!(
        place.urtext(&flags).code,
        Some(3),
        "there is no such folder"
    );
    fs::create_dir(place.path().join("sub")).unwrap();
    let wrote = place.urtext(&flags);
    assert_eq!(
        wrote.stdout,
        "wrote sub/bots.yaml\ntry: urtext run --subject mine --config sub/bots.yaml\n"
    );
    let ran = place.urtext(&[
        "run",
        "--subject",
        "mine",
        "--config",
        "sub/bots.yaml",
        "--suite",
        "royalur/bot/first-seat",
    ]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
}

#[test]
fn a_file_that_is_there_is_overwritten_only_by_force() {
    let place = Place::with("  old: {as: bot, game: ur, command: [b]}\n");
    let path = place.path().join("urtext.yaml");
    let before = fs::read(&path).unwrap();
    let refused = place.urtext(&["init", "--as", "bot", "--", "b"]);
    assert_eq!(refused.code, Some(2));
    for words in ["there is urtext.yaml already", "--file", "--force"] {
        assert!(refused.stderr.contains(words), "{refused:#?}");
    }
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(
        place
            .urtext(&["init", "--force", "--as", "bot", "--", "b"])
            .code,
        Some(0)
    );
    let after = fs::read_to_string(&path).unwrap();
    assert!(
        after.contains("  mine:\n") && !after.contains("  old:"),
        "{after}"
    );
    let names: Vec<_> = fs::read_dir(place.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names, ["urtext.yaml"], "nothing else is left");
}

#[test]
fn what_cannot_be_meant_is_refused_and_nothing_is_written() {
    let place = Place::new();
    for (flags, words) in [
        (vec!["--as", "bot", "--", "b", "{port}"], "--reach connects"),
        (
            vec!["--as", "bot", "--", "b", "{prot}"],
            "did you mean {port}?",
        ),
        (vec!["--as", "referee", "--connect", "nowhere"], "HOST:PORT"),
        (vec!["--as", "referee", "--", "r", "--pace", "1s"], "wrote"),
        (
            vec!["--as", "referee", "--pace", "1h", "--", "r"],
            "the longest pace is",
        ),
        (
            vec!["--as", "referee"],
            "its command (after --), or its address (--connect)",
        ),
    ] {
        let said = place.urtext(&[&["init"], flags.as_slice()].concat());
        let wrote = said.code == Some(0);
        assert_eq!(
            place.path().join("urtext.yaml").exists(),
            wrote,
            "{said:#?}"
        );
        assert!((said.stdout + &said.stderr).contains(words), "{flags:?}");
        let _ = fs::remove_file(place.path().join("urtext.yaml"));
    }
}

/// Plays somebody at a terminal: what is typed after `--`, each after a question.
const TERMINAL: &str = r"
import os, pty, select, sys
urtext, typed = sys.argv[1], sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0:
    os.execv(urtext, [urtext, 'init'])
seen = b''
while True:
    try:
        chunk = os.read(terminal, 4096)
    except OSError:
        break
    if not chunk:
        break
    seen += chunk
    if typed and (seen.endswith(b'? ') or seen.endswith(b'] ')):
        seen += b'\n'
        os.write(terminal, typed.pop(0).encode() + b'\n')
sys.stdout.buffer.write(seen)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
";

#[test]
fn on_a_terminal_it_asks() {
    let Some(python) = python() else { return };
    let place = Place::new();
    let command = format!("{URTEXT} bot royalur --seed {{seed}}");
    let typed = ["bot", "royalur", command.as_str(), "", "robot"];
    let mut terminal = Command::new(python);
    terminal
        .args(["-c", TERMINAL, URTEXT])
        .args(typed)
        .current_dir(place.path());
    let output = terminal.output().unwrap();
    let seen = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{seen}");
    assert!(
        seen.contains("Is a referee or a bot under test? [referee]"),
        "{seen}"
    );
    let ran = place.urtext(&[
        "run",
        "--subject",
        "robot",
        "--suite",
        "royalur/bot/first-seat",
    ]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
}
