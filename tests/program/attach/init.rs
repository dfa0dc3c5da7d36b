//! `urtext init`: what it writes passes the check and can be played with at once.

use std::process::Command;

use crate::harness::{Place, Ran, URTEXT, has_python, python, words};

/// Starts `urtext init` for the built-in referee or bot, with these words after its game.
fn init(place: &Place, side: &str, words: &[&str]) -> Ran {
    let flags = ["init", "--as", side, "--game", "royalur", "--"];
    place.urtext(&[&flags[..], &[URTEXT, side, "royalur"], words].concat())
}

#[test]
fn what_is_written_passes_the_check_and_plays_at_once() {
    let referee = words("--spectators {spectators} --pace {pace} --rolls {rolls}");
    for (side, words, scenario) in [
        ("referee", &referee[..], "seed-example"),
        ("bot", &[], "first-seat"),
    ] {
        let place = Place::new();
        let wrote = init(&place, side, words).expect(0);
        assert_eq!(wrote.stderr, "");
        let wrote = wrote.says("wrote urtext.yaml\nnext: urtext doctor examines the subject, ");
        wrote.says("urtext run tests it\n");
        assert_eq!(place.files(), ["urtext.yaml"]);
        let checked = place.urtext(&["check"]).expect(0);
        assert_eq!(checked.stdout, "checked 1 subject: no problems\n");
        let scenario = format!("royalur/{side}/{scenario}");
        place
            .run(&["--subject", "mine", "--suite", &scenario])
            .expect(0);
    }
}

/// Plays somebody at a terminal: pairs of a text to wait for, and what is typed then.
const TERMINAL: &str = r"
import fcntl, os, pty, struct, sys, termios
urtext, dialogue = sys.argv[1], sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0:
    os.execv(urtext, [urtext, 'init'])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', 40, 120, 0, 0))
seen, since = b'', 0
while True:
    try:
        chunk = os.read(terminal, 4096)
    except OSError:
        break
    if not chunk:
        break
    seen += chunk
    if dialogue and dialogue[0].encode() in seen[since:]:
        since = len(seen)
        os.write(terminal, dialogue[1].encode())
        dialogue = dialogue[2:]
sys.stdout.buffer.write(seen)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
";

/// The status of `urtext init` at a terminal, and the screen.
fn at_a_terminal(place: &Place, dialogue: &[&str]) -> (Option<i32>, String) {
    let mut terminal = Command::new(python().unwrap());
    terminal.args(["-c", TERMINAL, URTEXT]).args(dialogue);
    let output = terminal.current_dir(place.path()).output().unwrap();
    let seen = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code(), seen)
}

#[test]
fn on_a_terminal_it_asks_for_what_is_missing() {
    if !has_python() {
        return;
    }
    let place = Place::new();
    let command = format!("{URTEXT} bot royalur --seed {{seed}}\r");
    let dialogue = [
        "What is under test?",
        "bot\r",
        "Which game does it play?",
        "royalur\r",
        "Its command, or HOST:PORT",
        &command,
    ];
    let (code, seen) = at_a_terminal(&place, &dialogue);
    assert_eq!(code, Some(0), "{seen}");
    place
        .run(&["--suite", "royalur/bot/first-seat"])
        .expect(0)
        .says("1 passed");
}

#[test]
fn ctrl_c_at_a_question_ends_it_and_writes_nothing() {
    if !has_python() {
        return;
    }
    let place = Place::new();
    let (code, seen) = at_a_terminal(&place, &["What is under test?", "\x03"]);
    assert_eq!(code, Some(130), "{seen}");
    assert!(place.files().is_empty());
}
