//! The Royal Game of Ur, as Code Colosseum plays it.

use std::fs;

use super::{assert_caught, assert_passes, assert_same_goldens};
use crate::harness::{PEERS, ROOT, count, has_python, python_words};

/// The streams printed in the seed, with `>` before what was sent.
const STREAMS: [(&str, &str); 3] = [
    ("first", include_str!("../../data/seed/first.txt")),
    ("second", include_str!("../../data/seed/second.txt")),
    ("spectator 1", include_str!("../../data/seed/spectator.txt")),
];

/// The arguments that make the independent referee the subject.
fn python_referee(variant: Option<&str>) -> Vec<String> {
    let peer = format!("{PEERS}/ur_referee.py");
    let ours = [
        "--as",
        "referee",
        "--set",
        "rolls.environment=UR_ROLLS",
        "--set",
        "late-spectator=nothing",
    ];
    let [python, no_site] = python_words();
    let command = ["--", python, no_site, &peer];
    let mut args: Vec<String> = ours
        .iter()
        .chain(&command)
        .map(|&word| word.to_owned())
        .collect();
    let options = "--spectators {spectators} --timeout {timeout} --pace {pace} --names {first},{second} --seed {seed}";
    args.extend(options.split(' ').map(str::to_owned));
    args.extend(
        variant
            .iter()
            .flat_map(|variant| ["--variant".to_owned(), (*variant).to_owned()]),
    );
    args
}

/// The arguments that make the independent bot the subject.
fn python_bot(options: &[&str]) -> Vec<String> {
    let peer = format!("{PEERS}/ur_bot.py");
    let [python, no_site] = python_words();
    ["--as", "bot", "--", python, no_site, &peer]
        .iter()
        .chain(options)
        .map(|&word| word.to_owned())
        .collect()
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
fn the_example_of_the_seed_passes_against_the_built_in_referee() {
    assert_passes(&["--suite", "royalur/referee/seed-example"], &[], 1);
}

#[test]
fn the_suite_passes_against_the_independent_bot_however_it_chooses() {
    if !has_python() {
        return;
    }
    for policy in ["first", "last", "random"] {
        let bot = python_bot(&["--policy", policy, "--seed", "{seed}"]);
        assert_passes(&["--suite", "royalur/bot"], &bot, count("royalur/bot"));
    }
}

#[test]
fn free_play_against_the_independent_referee_keeps_the_rules() {
    if has_python() {
        assert_passes(&["--free-games", "12"], &python_referee(None), 12);
    }
}

#[test]
fn the_independent_referee_passes_and_gives_the_shipped_golden_transcripts() {
    if has_python() {
        assert_same_goldens("royalur/referee", &python_referee(None));
    }
}

#[test]
fn every_variant_of_the_independent_referee_is_caught_for_what_it_is() {
    if !has_python() {
        return;
    }
    let variants = [
        (
            "cell-8-capturable",
            "ur/capture/safe-rosette",
            "occupied-rosette",
        ),
        (
            "no-extra-turn-8",
            "ur/extra-turn/cell-8",
            "extra-turn-cell-8",
        ),
        (
            "no-retire-to-spectators",
            "ur/retire/spectators",
            "own-token",
        ),
        ("echoes-moves", "ur/move/not-echoed", "seed-example"),
    ];
    let referee = |variant| python_referee(Some(variant));
    assert_caught(
        "royalur/referee",
        &variants.map(|(variant, id, scenario)| (referee(variant), id, scenario)),
    );
}

#[test]
fn every_variant_of_the_independent_bot_is_caught_for_what_it_is() {
    if !has_python() {
        return;
    }
    let variants = [
        (
            "answers-when-skipped",
            "ur/bot/silent-when-skipped",
            "silent-after-roll-0",
        ),
        (
            "forgets-captures",
            "ur/bot/one-line-per-turn",
            "captured-and-blocked",
        ),
        ("no-newline", "ur/bot/newline", "first-seat"),
    ];
    let bot = |variant| python_bot(&["--policy", "first", "--variant", variant]);
    assert_caught(
        "royalur/bot",
        &variants.map(|(variant, id, scenario)| (bot(variant), id, scenario)),
    );
}
