//! What urtext sends and how, and how it reads and leaves.

use std::fmt::Write as _;
use std::io::Read as _;
use std::time::{Duration, Instant};

use super::play::{Lane, bot, referee, scripted};
use crate::harness::{Place, ROOT};

/// Tells b, in hexadecimal digits, each line that a sends.
fn spell([mut a, mut b]: [Lane; 2]) {
    loop {
        let line = a.line();
        if line.is_empty() {
            return b.send("end\n");
        }
        let spelt = line.iter().fold(String::new(), |mut spelt, byte| {
            write!(spelt, "{byte:02x}").unwrap();
            spelt
        });
        b.send(spelt + "\n");
    }
}

#[test]
fn every_kind_of_bytes_goes_out_as_it_is_written() {
    for (sent, spelt) in [
        ("hello", "68656c6c6f0a"),
        ("[\"crlf\\r\\n\"]", "63726c660d0a"),
        ("[\"\\n\"]", "0a"),
        ("\"\"", "0a"),
        ("[\"\\0a\\n\"]", "00610a"),
        ("[{hex: \"ff c0\"}, \"\\n\"]", "ffc00a"),
        ("[\"3\", {pause: 100ms}, \"\\n\"]", "330a"),
        ("[{repeat: \"ab\", times: 3}, \"\\n\"]", "6162616261620a"),
    ] {
        referee(&format!("- a sends: {sent}\n- b gets: \"{spelt}\""), spell).passes();
    }
    let whole = |[mut a, mut b]: [Lane; 2]| b.send(format!("{}\n", a.line().len()));
    referee(
        "- a sends: [{repeat: \"x\", times: 1000000}, \"\\n\"]\n- b gets: \"1000001\"",
        whole,
    )
    .passes();
}

#[test]
fn several_lines_in_one_write_and_a_line_that_never_ends() {
    referee(
        "- a sends: [\"1\\n2\\n3\\n\"]\n- b gets: \"310a\"\n- b gets: \"320a\"\n- b gets: \"330a\"",
        spell,
    )
    .passes();
    referee(
        "- a sends: [\"1\"]\n- a leaves: half-close\n- b gets: \"31\"\n- b gets: end",
        spell,
    )
    .passes();
}

#[test]
fn a_pause_keeps_the_rest_of_a_line_back() {
    // From before the game: on a busy machine the first half may be read late, the second one comes never early.
    let since = Instant::now();
    referee(
        "- a sends: [\"3\", {pause: 300ms}, \"\\n\"]\n- b gets: whole",
        move |[mut a, mut b]| {
            let mut first = [0];
            a.stream().read_exact(&mut first).unwrap();
            assert_eq!(a.line(), b"\n");
            let passed = since.elapsed();
            assert!(passed >= Duration::from_millis(300), "{passed:?}");
            b.send("whole\n");
        },
    )
    .passes();
}

#[test]
fn a_participant_leaves_in_each_of_the_ways() {
    for (how, seen) in [
        ("hang up", "closed"),
        ("half-close", "closed"),
        ("reset", "reset"),
    ] {
        let tell = |[mut a, mut b]: [Lane; 2]| b.send(format!("{}\n", a.end()));
        referee(&format!("- a leaves: {how}\n- b gets: {seen}"), tell).passes();
    }
    // Who has closed only its own direction goes on reading.
    referee(
        "- a leaves: half-close\n- a gets: still there",
        |[mut a, _b]| {
            assert_eq!(a.end(), "closed");
            a.send("still there\n");
        },
    )
    .passes();
}

/// A thousand lines of 16 KiB: more than a connection holds by itself.
const LINE: usize = 16 * 1024;
const LINES: usize = 1000;

fn flood(a: &mut Lane) {
    let line = format!("{}\n", "x".repeat(LINE - 1));
    for _ in 0..LINES {
        a.send(&line);
    }
}

fn flooded(steps: &str) -> String {
    format!(
        "{steps}\n- repeat: {LINES}\n  steps: [{{a gets: \"{{line}}\"}}]\n- b gets: {{any of: [done]}}"
    )
}

#[test]
fn a_participant_that_reads_nothing_holds_the_subject_up() {
    let steps =
        flooded("- a reads: nothing\n- a sends: go\n- b gets: stuck\n- a reads: everything");
    referee(&steps, |[mut a, mut b]| {
        assert_eq!(a.line(), b"go\n");
        a.stream()
            .set_write_timeout(Some(Duration::from_millis(500)))
            .unwrap();
        let line = format!("{}\n", "x".repeat(LINE - 1));
        let mut left = line.repeat(LINES).into_bytes();
        let mut is_stuck = false;
        while !left.is_empty() {
            match std::io::Write::write(&mut a.stream(), &left) {
                Ok(sent) => drop(left.drain(..sent)),
                Err(_) if !is_stuck => {
                    is_stuck = true;
                    b.send("stuck\n");
                }
                Err(_) => {}
            }
        }
        b.send("done\n");
    })
    .passes();
}

#[test]
fn a_participant_that_reads_slowly_slows_the_subject_down() {
    let steps = flooded("- a reads: {bytes a second: 10000000}\n- a sends: go");
    let began = Instant::now();
    referee(&steps, |[mut a, mut b]| {
        assert_eq!(a.line(), b"go\n");
        flood(&mut a);
        b.send("done\n");
    })
    .passes();
    assert!(
        began.elapsed() > Duration::from_secs(1),
        "{:?}",
        began.elapsed()
    );
}

#[test]
fn what_a_pipe_cannot_do_is_unsupported() {
    let ran = bot(
        "- bot gets: hello\n- bot leaves: reset",
        "read line; read line",
    );
    ran.expect(4)
        .says("unsupported: s: it resets a connection, and this subject is not reached over TCP");
    bot(
        "- bot gets: hello\n- bot sends: hi\n- bot leaves: half-close\n- bot sends: bye",
        "read line; echo hi; read line; echo bye",
    )
    .passes();
}

#[test]
fn the_dialogue_in_the_documentation_can_be_played() {
    let page = include_str!("../../../docs/scenarios.md");
    let mut examples = page
        .split("```yaml\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next());
    let text = examples
        .find(|example| example.contains("game: lines"))
        .unwrap();
    let lobby = |pong: &'static str| {
        move |[mut ada, mut bob]: [Lane; 2]| {
            assert_eq!(ada.line(), b"hello ada\n");
            ada.send("welcome 7\n");
            assert_eq!(bob.line(), b"hello bob\n");
            bob.send("welcome 8\n");
            bob.send("ada is here\nready 2\nbegin\n");
            ada.send("notice that bob is there\nbegin\n");
            for _ in 0..3 {
                assert_eq!(ada.line(), b"ping 7\r\n");
                ada.send(pong);
                if pong != "pong 7\n" {
                    return;
                }
            }
            bob.end();
        }
    };
    scripted(text, lobby("pong 7\n")).passes();
    scripted(text, lobby("pong 8\n")).fails(&["ada received another line", "pong 7", "pong 8"]);
}

#[test]
fn the_examples_of_dialogues_are_sound() {
    let place = Place::new();
    let ran = place.urtext(&["check", &format!("{ROOT}/docs/dialogues")]);
    let ran = ran.expect(0);
    assert!(
        ran.stdout.starts_with("checked 3 scenarios"),
        "{}",
        ran.stdout
    );
}
