//! The Royal Game of Ur, as Code Colosseum plays it.

use std::fs;

use super::{assert_passes, assert_same_goldens};
use crate::harness::{PEERS, ROOT, has_python, python_words, urtext, words};

/// The streams printed in the seed, with `>` before what was sent.
const STREAMS: [(&str, &str); 3] = [
    ("first", include_str!("../../data/seed/first.txt")),
    ("second", include_str!("../../data/seed/second.txt")),
    ("spectator 1", include_str!("../../data/seed/spectator.txt")),
];

/// The arguments that make the independent referee the subject.
fn python_referee() -> Vec<String> {
    let peer = format!("{PEERS}/ur_referee.py");
    let ours = words("--as referee --set rolls.environment=UR_ROLLS --set late-spectator=nothing");
    let [python, no_site] = python_words();
    let command = ["--", python, no_site, &peer];
    let mut args: Vec<String> = ours
        .iter()
        .chain(&command)
        .map(|&word| word.to_owned())
        .collect();
    let options = "--spectators {spectators} --timeout {timeout} --pace {pace} --names {first},{second} --seed {seed}";
    args.extend(options.split(' ').map(str::to_owned));
    args
}

#[test]
fn the_golden_transcript_of_the_example_is_the_three_streams_of_the_seed() {
    let golden =
        fs::read_to_string(format!("{ROOT}/snapshots/royalur/referee/seed-example.txt")).unwrap();
    let blocks = STREAMS.map(|(name, stream)| format!("\n[{name}]\n{stream}"));
    assert_eq!(
        golden,
        format!(
            "# urtext golden transcript 1\ndialect: code-colosseum\n{}",
            blocks.concat()
        )
    );
}

#[test]
fn free_play_against_the_independent_referee_keeps_the_rules() {
    if has_python() {
        assert_passes(&["--free-games", "6"], &python_referee(), 6);
    }
}

#[test]
#[ignore = "it starts some hundred interpreters; .ci/run has it played"]
fn the_independent_referee_passes_by_chance_without_its_hook() {
    if !has_python() {
        return;
    }
    let mut referee = python_referee();
    let hook = referee
        .iter()
        .position(|word| word == "rolls.environment=UR_ROLLS");
    referee.drain(hook.unwrap() - 1..=hook.unwrap());
    let mut args = words("run --suite royalur/referee --allow inconclusive");
    args.extend(referee.iter().map(String::as_str));
    urtext(&args)
        .expect(0)
        .leaves_out("failed")
        .leaves_out("unsupported");
}

#[test]
#[ignore = "it starts some hundred interpreters; .ci/run has it played"]
fn the_independent_referee_passes_and_gives_the_shipped_golden_transcripts() {
    if has_python() {
        assert_same_goldens("royalur/referee", &python_referee());
    }
}
