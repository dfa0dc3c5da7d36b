//! The built-in bot as others meet it: over its standard streams. What it says of wrong lines is in `tests/cases/peers`.

use std::collections::HashSet;
use std::io::{Read, Write};
use std::process::Stdio;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::harness::{PATIENT, URTEXT, command, quoted, urtext};

/// A bot that neither speaks nor ends for so long will do neither: an honest one here is done much sooner.
const QUIET: Duration = Duration::from_secs(5);

/// What is seen of a bot that is told a game.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    said: String,
    /// Whether it ends while its input is still open.
    ends_before_its_input: bool,
    code: Option<i32>,
}

/// Tells a bot a game in one go, and ends its input only when it has ended or fallen silent.
fn play(args: &[&str], input: &str) -> Seen {
    let mut command = command(&["bot", "royalur"]);
    command.args(args);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    // One that has ended already does not read all of it.
    drop(child.stdin.as_mut().unwrap().write_all(input.as_bytes()));
    let mut stdout = child.stdout.take().unwrap();
    let (send, receive) = channel();
    std::thread::spawn(move || {
        let mut chunk = [0; 4096];
        while let Ok(count @ 1..) = stdout.read(&mut chunk) {
            send.send(chunk[..count].to_vec()).unwrap();
        }
    });
    let mut said = Vec::new();
    let ends_before_its_input = loop {
        match receive.recv_timeout(QUIET) {
            Ok(chunk) => said.extend(chunk),
            Err(error) => break error == RecvTimeoutError::Disconnected,
        }
    };
    drop(child.stdin.take());
    Seen {
        said: String::from_utf8(said).unwrap(),
        ends_before_its_input,
        code: child.wait().unwrap().code(),
    }
}

/// A game that the opponent wins: each of its tokens goes 4, 8, 12 and out by 3, and the bot never gets to move.
fn lost_game() -> String {
    let mut game = "A\nB\n1\n".to_owned();
    for token in 0..7 {
        game += &format!("1 1 1 1\n{token}\n").repeat(3);
        game += &format!("0 0 0 0\n0 1 1 1\n{token}\n0 0 0 0\n");
    }
    game.strip_suffix("0 0 0 0\n").unwrap().to_owned()
}

#[test]
fn an_honest_bot_plays_its_seat_and_ends_with_the_game() {
    let first = &["--policy", "first"][..];
    let last = &["--policy", "last"][..];
    for (what, args, game, said) in [
        (
            "the first seat",
            first,
            "A\nB\n0\n0 0 0 1\n0 0 0 1\n2\n0 0 1 0\nRETIRE\n",
            "0\n0\n",
        ),
        (
            "the second seat",
            first,
            "A\nB\n1\n0 0 0 1\n2\n0 0 0 1\n0 0 1 0\nRETIRE\n",
            "0\n",
        ),
        (
            "silent when it cannot move",
            last,
            "A\nB\n0\n1 1 1 1\n0 0 0 0\n0 0 0 0\n0 0 0 1\n1 1 1 1\nRETIRE\n",
            "6\n6\n",
        ),
        (
            "another turn after a rosette",
            last,
            "A\nB\n0\n1 1 1 1\n1 0 0 0\n0 0 0 0\n0 0 0 0\nRETIRE\n",
            "6\n6\n",
        ),
        (
            "names like lines of the game",
            first,
            "RETIRE\n0 1 1 0\n0\n0 0 0 1\nRETIRE\n",
            "0\n",
        ),
        ("empty names", first, "\n\n0\n0 0 0 1\nRETIRE\n", "0\n"),
        (
            "names of any characters",
            first,
            "a\rb\nµ\u{202e}\n0\n0 0 0 1\nRETIRE\n",
            "0\n",
        ),
        ("a lost game", &[], &lost_game(), ""),
    ] {
        let expected = Seen {
            said: said.to_owned(),
            ends_before_its_input: true,
            code: Some(0),
        };
        assert_eq!(play(args, game), expected, "{what}");
    }
}

#[test]
fn ends_with_its_input_in_good_order_whatever_is_missing() {
    std::thread::scope(|scope| {
        for input in ["", "A\n", "A\nB\n1\n0 0 0 1\n", "A\nB\n1\n0 0 0"] {
            scope.spawn(move || {
                let expected = Seen {
                    said: String::new(),
                    ends_before_its_input: false,
                    code: Some(0),
                };
                assert_eq!(play(&[], input), expected, "{input:?}");
            });
        }
    });
}

#[test]
fn a_line_that_it_cannot_understand_ends_it_at_once() {
    for input in ["A\nB\n2\n", "A\nB\n1\nbanana\n", "A\nB\n1\n0 0 0 1\n7\n"] {
        let expected = Seen {
            said: String::new(),
            ends_before_its_input: true,
            code: Some(1),
        };
        assert_eq!(play(&[], input), expected, "{input:?}");
    }
}

#[test]
fn a_stream_that_cannot_be_read_is_no_fault_of_the_referee() {
    let folder = std::fs::File::open(".").unwrap();
    let mut bot = command(&["bot", "royalur"]);
    let output = bot.stdin(folder).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{output:?}");
}

/// The pipes are those that `coco connect -c pipe` offers a bot.
#[test]
fn plays_over_the_pipes_of_the_environment() {
    let pipes = ["run", "--as", "bot", "--set", "reach=named-pipes"];
    let suite = ["--suite", "royalur/bot/first-seat", "--no-diagnosis"];
    let bot = ["--", URTEXT, "bot", "royalur"];
    urtext(&[&pipes[..], &suite, &PATIENT, &bot].concat())
        .expect(0)
        .says("1 passed");
}

#[test]
fn the_same_seed_chooses_the_same_moves() {
    let opening = "A\nB\n0\n0 0 0 1\n0 0 0 0\n0 0 0 1\n0 0 0 0\n0 0 1 0\nRETIRE\n";
    let said = |seed: &str| play(&["--seed", seed], opening).said;
    assert_eq!(said("1"), said("1"));
    let all: HashSet<_> = (0..10).map(|seed| said(&seed.to_string())).collect();
    assert!(all.len() > 2, "the seed hardly matters: {all:?}");
}

#[test]
fn two_bots_play_a_game_to_its_end() {
    let bot = format!("{} bot royalur", quoted(URTEXT));
    let referee = ["referee", "royalur", "--pace", "0", "--seed", "7"];
    let bots = ["--games", "2", "--bot", &bot, "--bot", &bot];
    let ran = urtext(&[&referee[..], &bots].concat()).expect(0);
    let mut games = ran.stderr.lines();
    assert!(games.all(|line| line.ends_with(" has won")));
    assert_eq!(ran.stderr.lines().count(), 2, "{ran:#?}");
}

#[test]
fn the_delay_goes_by_before_each_answer() {
    let start = Instant::now();
    let game = "A\nB\n0\n0 0 0 1\n0 0 0 0\n0 0 0 1\nRETIRE\n";
    play(&["--delay", "150ms"], game);
    let took = start.elapsed();
    assert!(took.as_millis() >= 300, "{took:?}");
}
