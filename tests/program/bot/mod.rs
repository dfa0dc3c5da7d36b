//! The built-in bot as others meet it: over its standard streams.

mod faults;
mod subject;

use std::process::Command;

use subject::{Seen, play};

use crate::harness::{PATIENT, URTEXT, quoted, urtext};

/// What an honest bot does: it says this, and ends by itself with status 0 while its input is still open.
fn ends_having_said(said: &str) -> Seen {
    Seen {
        said: said.to_owned(),
        ends_before_its_input: true,
        code: Some(0),
    }
}

#[test]
fn takes_the_seat_that_the_index_gives_it() {
    let first = "A\nB\n0\n0 0 0 1\n0 0 0 1\n2\n0 0 1 0\nRETIRE\n";
    assert_eq!(
        play(&["--policy", "first"], first),
        ends_having_said("0\n0\n")
    );
    let second = "A\nB\n1\n0 0 0 1\n2\n0 0 0 1\n0 0 1 0\nRETIRE\n";
    assert_eq!(
        play(&["--policy", "first"], second),
        ends_having_said("0\n")
    );
}

#[test]
fn plays_on_after_a_rosette_and_is_silent_when_it_cannot_move() {
    let game = "A\nB\n0\n1 1 1 1\n0 0 0 0\n0 0 0 0\n0 0 0 1\n1 1 1 1\nRETIRE\n";
    assert_eq!(
        play(&["--policy", "last"], game),
        ends_having_said("6\n6\n")
    );
    let extra = "A\nB\n0\n1 1 1 1\n1 0 0 0\n0 0 0 0\n0 0 0 0\nRETIRE\n";
    assert_eq!(
        play(&["--policy", "last"], extra),
        ends_having_said("6\n6\n")
    );
}

#[test]
fn names_are_any_lines() {
    for names in ["RETIRE\n0 1 1 0\n", "\n\n", ">a\n1\n", "a\rb\nµ\u{202e}\n"] {
        let game = format!("{names}0\n0 0 0 1\nRETIRE\n");
        assert_eq!(
            play(&["--policy", "first"], &game),
            ends_having_said("0\n"),
            "{names:?}"
        );
    }
}

#[test]
fn ends_with_the_game_that_it_loses() {
    let mut game = "A\nB\n1\n".to_owned();
    for token in 0..7 {
        for roll in [
            "1 1 1 1", "1 1 1 1", "1 1 1 1", "0 0 0 0", "0 1 1 1", "0 0 0 0",
        ] {
            game += &format!("{roll}\n");
            if roll != "0 0 0 0" {
                game += &format!("{token}\n");
            }
        }
    }
    let won = game.strip_suffix("0 0 0 0\n").unwrap();
    assert_eq!(play(&[], won), ends_having_said(""));
}

#[test]
fn ends_with_its_input_in_good_order_whatever_is_missing() {
    std::thread::scope(|scope| {
        for input in [
            "",
            "A\n",
            "A\nB\n0\n",
            "A\nB\n1\n0 0 0 1\n",
            "A\nB\n1\n0 0 0",
        ] {
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
fn a_line_that_it_cannot_understand_ends_it_with_status_1() {
    for input in [
        "A\nB\n2\n",
        "A\nB\n0\r\n",
        "A\nB\n1\nbanana\n",
        "A\nB\n1\n0 0 0 1\n7\n",
        "A\nB\n1\n0 0 0 1\n0 0 0 1\n",
        "A\nB\n1\n0 1 0 0 \n",
        "A\nB\n1\n3\n",
    ] {
        let seen = play(&[], input);
        assert_eq!(
            (seen.said.as_str(), seen.ends_before_its_input, seen.code),
            ("", true, Some(1)),
            "{input:?}"
        );
    }
}

#[test]
fn says_which_line_it_does_not_understand_and_lets_nothing_hostile_through() {
    let output = subject::output(&[], "A\nB\n1\n0 0 0 1\n\u{1b}[2J\n");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        stderr,
        "urtext bot: line 5: expected a legal move of the opponent or RETIRE, received \"\\x1b[2J\"\n"
    );
}

#[test]
fn a_stream_that_cannot_be_read_is_no_fault_of_the_referee() {
    let folder = std::fs::File::open(".").unwrap();
    let output = Command::new(URTEXT)
        .args(["bot", "royalur"])
        .stdin(folder)
        .output()
        .unwrap();
    assert_eq!(
        output.status.code(),
        Some(3),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
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
    let all: std::collections::HashSet<_> = (0..20).map(|seed| said(&seed.to_string())).collect();
    assert!(all.len() > 5, "the seed hardly matters: {all:?}");
}

#[test]
fn two_bots_play_a_game_to_its_end() {
    let bot = format!("{} bot royalur", quoted(URTEXT));
    let output = Command::new(URTEXT)
        .args([
            "referee", "royalur", "--pace", "0", "--seed", "7", "--games", "3", "--bot", &bot,
            "--bot", &bot,
        ])
        .env_remove("URTEXT_ROLLS")
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(
        stderr
            .lines()
            .all(|line| line.ends_with("wins: all tokens are out")),
        "{stderr}"
    );
    assert_eq!(stderr.lines().count(), 3);
}

#[test]
fn the_delay_goes_by_before_each_answer() {
    let start = std::time::Instant::now();
    play(
        &["--delay", "150ms"],
        "A\nB\n0\n0 0 0 1\n0 0 0 0\n0 0 0 1\nRETIRE\n",
    );
    let took = start.elapsed();
    assert!(took.as_millis() >= 300, "{took:?}");
}
