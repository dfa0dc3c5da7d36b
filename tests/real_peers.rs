//! The shipped suites against peers that share no code with urtext, and the example game of the specification.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const URTEXT: &str = env!("CARGO_BIN_EXE_urtext");
const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The streams printed in the seed, with `>` before what was sent.
const STREAMS: [(&str, &str); 3] = [
    ("first", include_str!("data/seed/first.txt")),
    ("second", include_str!("data/seed/second.txt")),
    ("spectator 1", include_str!("data/seed/spectator.txt")),
];

/// Whether there is a Python to run the peers with. Where not, the test says so, or fails if nothing may be left out.
fn has_python(test: &str) -> bool {
    let version =
        Command::new("python3").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let has_python = version.is_ok_and(|status| status.success());
    if !has_python {
        let must_run = std::env::var_os("URTEXT_TEST_REQUIRE_ALL").is_some();
        assert!(!must_run, "{test} needs python3, and URTEXT_TEST_REQUIRE_ALL is set");
        eprintln!("{test} is skipped: there is no python3");
    }
    has_python
}

/// The arguments that make the independent referee the subject.
fn python_referee(variant: Option<&str>) -> Vec<String> {
    let peer = format!("{ROOT}/tests/peers/ur_referee.py");
    let ours = ["--as", "referee", "--rolls-env", "UR_ROLLS", "--late-spectator", "nothing"];
    let command = ["--", "python3", &peer];
    let mut args: Vec<String> = ours.iter().chain(&command).map(|&word| word.to_owned()).collect();
    let options =
        "--spectators {spectators} --timeout {timeout} --pace {pace} --names {first},{second} --seed {seed}";
    args.extend(options.split(' ').map(str::to_owned));
    args.extend(variant.iter().flat_map(|variant| ["--variant".to_owned(), (*variant).to_owned()]));
    args
}

/// The arguments that make the independent bot the subject.
fn python_bot(options: &[&str]) -> Vec<String> {
    let peer = format!("{ROOT}/tests/peers/ur_bot.py");
    ["--as", "bot", "--", "python3", &peer].iter().chain(options).map(|&word| word.to_owned()).collect()
}

/// Runs urtext in an empty folder: its exit status, and what it said on standard output.
fn run_in(folder: &Path, args: &[&str], subject: &[String]) -> (Option<i32>, String) {
    let mut command = Command::new(URTEXT);
    // Interpreters are slow to start, and more so side by side.
    command
        .args(["run", "--jobs", "4", "--start-budget", "60s"])
        .args(args)
        .args(subject)
        .current_dir(folder);
    let output = command.env_remove("CI").env_remove("UR_ROLLS").output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

fn run(args: &[&str], subject: &[String]) -> (Option<i32>, String) {
    run_in(tempfile::tempdir().unwrap().path(), args, subject)
}

#[track_caller]
fn assert_passes(args: &[&str], subject: &[String], scenarios: usize) {
    let (code, said) = run(args, subject);
    let plural = if scenarios == 1 { "scenario" } else { "scenarios" };
    assert_eq!(code, Some(0), "{said}");
    // Status 0: each passed, where the specification leaves something open by a choice of the peer's own.
    assert!(said.contains(&format!("{scenarios} {plural}: ")), "{said}");
}

fn count(suite: &str) -> usize {
    urtext::scenario::suite::load(suite).0.len()
}

#[test]
fn the_golden_transcript_of_the_example_is_the_three_streams_of_the_seed() {
    let golden = fs::read_to_string(format!("{ROOT}/snapshots/royalur/referee/seed-example.txt")).unwrap();
    let blocks = STREAMS.map(|(name, stream)| format!("\n[{name}]\n{stream}"));
    assert_eq!(golden, format!("# urtext golden transcript 1\ndialect: code-colosseum\n{}", blocks.concat()));
}

#[test]
fn the_example_of_the_seed_passes_against_the_built_in_referee() {
    assert_passes(&["--suite", "royalur/referee/seed-example"], &[], 1);
}

#[test]
fn the_example_of_the_seed_passes_against_the_independent_referee() {
    if has_python("the example against the independent referee") {
        assert_passes(&["--suite", "royalur/referee/seed-example"], &python_referee(None), 1);
    }
}

#[test]
fn the_suite_passes_against_the_independent_referee() {
    if has_python("the suite against the independent referee") {
        assert_passes(&["--suite", "royalur/referee"], &python_referee(None), count("royalur/referee"));
    }
}

#[test]
fn the_suite_passes_against_the_independent_bot_however_it_chooses() {
    if !has_python("the suite against the independent bot") {
        return;
    }
    for policy in ["first", "last", "random"] {
        let bot = python_bot(&["--policy", policy, "--seed", "{seed}"]);
        assert_passes(&["--suite", "royalur/bot"], &bot, count("royalur/bot"));
    }
}

#[test]
fn free_play_against_the_independent_referee_keeps_the_rules() {
    if has_python("free play against the independent referee") {
        assert_passes(&["--free-games", "12"], &python_referee(None), 12);
    }
}

#[test]
fn the_independent_referee_gives_the_shipped_golden_transcripts() {
    if !has_python("golden transcripts of the independent referee") {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let scenarios = place.path().join("scenarios/referee");
    fs::create_dir_all(&scenarios).unwrap();
    let shipped = Path::new(ROOT);
    for file in fs::read_dir(shipped.join("scenarios/royalur/referee")).unwrap().map(Result::unwrap) {
        let text = fs::read_to_string(file.path()).unwrap().replace("golden: seed-example.txt\n", "");
        fs::write(scenarios.join(file.file_name()), text).unwrap();
    }
    let (code, said) = run_in(place.path(), &["--bless", "scenarios"], &python_referee(None));
    assert_eq!(code, Some(0), "{said}");
    let goldens: Vec<_> =
        fs::read_dir(place.path().join("snapshots/referee")).unwrap().map(Result::unwrap).collect();
    // Scenarios about what the specification leaves open have none.
    let ours = fs::read_dir(shipped.join("snapshots/royalur/referee")).unwrap().count();
    assert_eq!(goldens.len(), ours);
    for golden in goldens {
        let ours =
            fs::read_to_string(shipped.join("snapshots/royalur/referee").join(golden.file_name())).unwrap();
        assert_eq!(fs::read_to_string(golden.path()).unwrap(), ours, "{:?}", golden.file_name());
    }
}

#[track_caller]
fn assert_caught(suite: &str, subject: &[String], requirement: &str) {
    let (code, said) = run(&["--suite", suite, "--answer-budget", "1s"], subject);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains(&format!("fail[{requirement}]")), "{said}");
}

#[test]
fn every_variant_of_the_independent_referee_is_caught_for_what_it_is() {
    if !has_python("variants of the independent referee") {
        return;
    }
    for (variant, requirement, scenario) in [
        ("cell-8-capturable", "ur/capture/safe-rosette", "occupied-rosette"),
        ("no-extra-turn-8", "ur/extra-turn/cell-8", "extra-turn-cell-8"),
        ("no-retire-to-spectators", "ur/retire/spectators", "own-token"),
        ("echoes-moves", "ur/move/not-echoed", "seed-example"),
    ] {
        let suite = format!("royalur/referee/{scenario}");
        assert_caught(&suite, &python_referee(Some(variant)), requirement);
    }
}

#[test]
fn every_variant_of_the_independent_bot_is_caught_for_what_it_is() {
    if !has_python("variants of the independent bot") {
        return;
    }
    for (variant, requirement, scenario) in [
        ("answers-when-skipped", "ur/bot/silent-when-skipped", "silent-after-roll-0"),
        ("forgets-captures", "ur/bot/one-line-per-turn", "captured-and-blocked"),
        ("no-newline", "ur/bot/newline", "first-seat"),
    ] {
        let suite = format!("royalur/bot/{scenario}");
        let bot = python_bot(&["--policy", "first", "--variant", variant]);
        assert_caught(&suite, &bot, requirement);
    }
}
