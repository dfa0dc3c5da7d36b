//! The newcomer's guide, tried in an empty folder: its files are those that stand in it, and its commands say what it says they do.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tempfile::TempDir;

use crate::harness::{PATIENT, has, has_python, urtext_in};

const GUIDE: &str = include_str!("../../docs/guide.md");

/// The lines that the guide shows below this command; what it leaves out is `…`, and no duration is compared.
fn shown(words: &str) -> impl Iterator<Item = &'static str> {
    let from = GUIDE
        .split(&format!("$ urtext {words}"))
        .nth(1)
        .expect("the command is in the guide");
    let lines = from
        .lines()
        .skip(1)
        .take_while(|line| !line.starts_with(['$', '`', ' ']) || line.starts_with("  "));
    lines
        .filter(|line| *line != "…")
        .map(|line| line.split(" in ").next().unwrap_or_default())
}

/// The blocks of the guide in that language.
fn blocks(language: &str) -> Vec<&'static str> {
    let start = format!("```{language}\n");
    let rest = GUIDE.split(start.as_str()).skip(1);
    rest.map(|rest| rest.split("```").next().expect("a split has a first part"))
        .collect()
}

fn urtext(folder: &Path, words: &str) -> (Option<i32>, String) {
    has(GUIDE, format!("$ urtext {words}"));
    let ran = urtext_in(folder, &words.split_whitespace().collect::<Vec<_>>(), "");
    (ran.code, ran.stdout)
}

/// Runs a command of the guide, which says what the guide shows.
fn as_shown(folder: &Path, words: &str, status: i32) -> String {
    let (got, said) = urtext(folder, words);
    assert_eq!(got, Some(status), "{words}: {said}");
    shown(words).for_each(|line| assert!(said.contains(line), "{words}: no {line:?} in {said}"));
    said
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn the_first_scenario_checks_passes_and_catches_its_fault() {
    let folder = folder();
    fs::create_dir(folder.path().join("scenarios")).unwrap();
    let [scenario] = blocks("yaml")[..] else {
        panic!("one scenario")
    };
    fs::write(folder.path().join("scenarios/rosette.yaml"), scenario).unwrap();
    as_shown(folder.path(), "check", 0);
    as_shown(folder.path(), "run scenarios", 0);
    as_shown(folder.path(), "run scenarios --bless", 0);
    assert!(folder.path().join("snapshots/rosette.txt").is_file());
    as_shown(
        folder.path(),
        "mutants scenarios --fault no-extra-turn-4",
        0,
    );
    as_shown(folder.path(), "run scenarios --record games", 0);
    assert!(as_shown(folder.path(), "verify games/rosette.jsonl", 0).contains("pass"));
    assert!(as_shown(folder.path(), "replay games/rosette.jsonl", 0).contains("token 0"));
}

/// The commands of these pages that test `./myreferee`, with the words of their arguments.
fn commands_for_a_referee() -> Vec<Vec<String>> {
    let pages = [include_str!("../../README.md"), GUIDE];
    let text = pages.concat().replace("\\\n", " ");
    let commands = text
        .lines()
        .filter_map(|line| line.strip_prefix("$ urtext "));
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect();
    commands
        .filter(|line| line.contains("./myreferee"))
        .map(words)
        .collect()
}

#[test]
fn the_commands_for_a_referee_play_as_they_are_printed() {
    let folder = folder();
    let program = format!(
        "#!/bin/sh\nplayers=$2 spectators=$4; shift 4\nURTEXT_ROLLS=\"$MY_ROLLS\" exec {} referee royalur \
         --listen :$players --listen-spectators :$spectators \"$@\"\n",
        crate::harness::URTEXT
    );
    let file = folder.path().join("myreferee");
    fs::write(&file, program).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    let commands = commands_for_a_referee();
    assert_eq!(commands.len(), 2);
    // `tests/oracle` plays each scenario with a process: parts are enough here.
    for (words, shard) in commands.iter().zip(["4/4", "1/8"]) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let [command, rest @ ..] = &words[..] else {
            panic!("a command")
        };
        let patient = [&[*command, "--shard", shard][..], &PATIENT, rest].concat();
        let ran = urtext_in(folder.path(), &patient, "");
        // The command gives the referee no names: odd ones, in the first part, are left out.
        assert_eq!(ran.code, Some(0), "{}", ran.stdout);
        let last = ran.stdout.lines().rfind(|line| line.contains(" passed, "));
        let last = last.unwrap_or_else(|| panic!("{}", ran.stdout));
        assert!(
            !last.contains("unsupported") && !last.contains("failed"),
            "{last}"
        );
    }
}

#[test]
#[ignore = "it starts some hundred interpreters; .ci/run has it played"]
fn the_bot_has_the_mistakes_that_the_guide_tells_and_mends() {
    if !has_python() {
        return;
    }
    let folder = folder();
    let [bot, turn] = blocks("python")[..] else {
        panic!("a bot and its mending")
    };
    let command = "run --suite royalur/bot --as bot -- python3 bot.py";
    assert!(
        GUIDE.contains("The last line of the bot is the mistake here"),
        "the last line is what is replaced below"
    );
    let last = bot.trim_end().lines().last().unwrap();
    let mended = bot.replace(&format!("{last}\n"), turn);
    let ended = mended.replace("while True:", "while [15] * 7 not in cells:");
    let written = [
        (bot, Some(1), Some("as if no cell gave an extra turn")),
        (&mended, Some(1), None),
        (&ended, Some(0), None),
    ];
    for (text, status, finding) in written {
        fs::write(folder.path().join("bot.py"), text).unwrap();
        let (got, said) = urtext(folder.path(), command);
        // On a machine that is too slow for a scenario, its verdict is flaky.
        let is_slow = (got, status) == (Some(4), Some(0)) && said.contains(" 1 flaky in ");
        assert!(got == status || is_slow, "{got:?} {said}");
        if text == bot {
            // How many of the scenarios fail is certain only on a machine that has time.
            let findings: Vec<_> = shown(command)
                .filter(|line| line.starts_with("fail"))
                .collect();
            assert!(!findings.is_empty());
            findings
                .iter()
                .for_each(|line| assert!(said.contains(line), "no {line:?} in {said}"));
        }
        assert!(
            finding.is_none_or(|finding| said.contains(finding)),
            "{said}"
        );
        if text == mended {
            assert!(said.contains("fail[ur/bot/ends-after-game]"), "{said}");
        }
        if text == mended && !said.contains("ur/bot/within-timeout") {
            // Equal findings are shown once.
            assert_eq!(said.matches("fail[").count(), 1, "{said}");
            assert!(
                said.contains("and 5 more failures:") && said.contains("6 failed"),
                "{said}"
            );
        }
    }
}
