//! Games of bots that failed, as scenarios.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::failure::urtext;
use super::{command, explore_json, faulty, python, with};

/// What was written of the first failure of a bot, and how many turns its game had.
struct Found {
    written: Value,
    turns: u64,
    before: u64,
    games: u64,
    _folder: tempfile::TempDir,
}

/// Explores a bot until it fails, and plays what was written by the very command that is printed.
#[track_caller]
fn found(arguments: &[&str], bot: &[String]) -> Found {
    let folder = tempfile::tempdir().unwrap();
    let (status, table) = explore_json(&with(
        &[arguments, &["--out", folder.path().to_str().unwrap()]].concat(),
        bot,
    ));
    assert_eq!(status, Some(1), "{table}");
    let written = table["failures"][0]["written"][0].clone();
    assert_eq!(written["fails"], true, "{table}");
    let (status, said) = urtext(&["check", written["scenario"].as_str().unwrap()]);
    assert_eq!(status, Some(0), "{said}");
    let said = printed(written["repeat"].as_str().unwrap());
    let requirement = written["requirement"].as_str().unwrap();
    assert!(
        said.contains(&format!("fail[{requirement}]")),
        "{written}\n{said}"
    );
    let number = |key: &str| written[key].as_u64().unwrap_or_else(|| panic!("{table}"));
    let games = table["games"].as_u64().unwrap();
    Found {
        turns: number("turns"),
        before: number("before"),
        games,
        written,
        _folder: folder,
    }
}

/// What the command says, which has to find a deviation.
#[track_caller]
pub(super) fn printed(command: &str) -> String {
    let words = command
        .strip_prefix("urtext run ")
        .unwrap_or_else(|| panic!("{command}"));
    let program = Path::new(env!("CARGO_BIN_EXE_urtext"));
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    // As it was seen, and by the cause that is inferred.
    let run = |option: &str| {
        let output = Command::new("sh")
            .args(["-c", &format!("urtext run {option} {words}")])
            .env("PATH", &path)
            .output()
            .unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let said = text(&output.stdout) + &text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{command}\n{said}");
        said
    };
    run("--no-diagnosis") + &run("")
}

#[test]
fn a_bot_that_answers_in_skipped_turns_does_so_in_the_first_one() {
    let bot = command("bot", "royalur", "--seed 3 --fault answers-when-skipped");
    let found = found(&["--seed", "1", "--hostile", "0"], &bot);
    assert_eq!(found.written["requirement"], "ur/bot/silent-when-skipped");
    assert!(found.turns <= 4 && found.before > 10, "{}", found.written);
}

#[test]
fn a_bot_that_forgets_captures_fails_in_a_shorter_game() {
    let bot = faulty("bot", "royalur", "forgets-captures");
    let found = found(&["--seed", "1", "--hostile", "0", "--shrink", "40"], &bot);
    assert!(
        found.turns <= found.before && found.turns <= 12,
        "{}",
        found.written
    );
    let text = std::fs::read_to_string(found.written["scenario"].as_str().unwrap()).unwrap();
    assert!(
        text.contains("> any"),
        "what it answers is left to the bot: {text}"
    );
}

#[test]
fn a_bot_that_misses_its_extra_turn_does_so_after_the_first_rosette() {
    let bot = faulty("bot", "royalur", "ignores-extra-turn");
    let arguments = ["--seed", "1", "--hostile", "0", "--budget", "answer=6s"];
    let found = found(&arguments, &bot);
    assert!(found.turns <= 4, "{}", found.written);
    assert!(
        found.written["repeat"]
            .as_str()
            .unwrap()
            .contains("--budget answer=6s"),
        "{}",
        found.written
    );
    assert_eq!(
        found.games, 1,
        "what the first game waited for in vain is not waited for in seven more"
    );
}

#[test]
fn a_bot_of_onitama_fails_in_a_game_that_no_shorter_one_explains() {
    for (fault, most) in [("keeps-cards", 5), ("rows-from-below", 2), ("quits", 3)] {
        let bot = faulty("bot", "onitama", fault);
        let found = found(&["--seed", "4", "--hostile", "0"], &bot);
        assert!(found.turns <= most, "{fault}: {}", found.written);
    }
}

#[test]
fn a_bot_that_stays_after_its_opponent_has_lost_fails_in_a_game_that_the_opponent_loses() {
    let bot = faulty("bot", "royalur", "survives-end");
    let found = found(&["--seed", "2", "--hostile", "100"], &bot);
    assert_eq!(found.written["requirement"], "ur/bot/ends-after-retire");
    let text = std::fs::read_to_string(found.written["scenario"].as_str().unwrap()).unwrap();
    assert!(
        text.trim_end().ends_with("silent") || text.trim_end().ends_with("hang up"),
        "{text}"
    );
}

#[test]
fn independent_bots_are_shrunk_too() {
    let Some(bot) = python("bot", "royalur", "ur_bot.py --variant answers-when-skipped") else {
        return;
    };
    let found_at_ur = found(&["--seed", "3", "--hostile", "0", "--shrink", "40"], &bot);
    assert!(
        found_at_ur.turns < found_at_ur.before,
        "{}",
        found_at_ur.written
    );
    let Some(bot) = python(
        "bot",
        "onitama",
        "oni_bot.py {host} {port} --variant forgets-rotation",
    ) else {
        return;
    };
    let found_at_onitama = found(&["--seed", "3", "--hostile", "0"], &bot);
    assert!(found_at_onitama.turns <= 5, "{}", found_at_onitama.written);
}

/// Which choices it makes is chance, and so is what is kept of it.
#[test]
fn of_a_bot_that_plays_otherwise_each_time_a_scenario_is_kept_only_if_it_fails_often_enough() {
    let folder = tempfile::tempdir().unwrap();
    // Its choices are its own each time.
    let bot = command("bot", "royalur", "--fault forgets-captures");
    let out = folder.path().to_str().unwrap();
    let arguments = [
        "--seed",
        "1",
        "--games",
        "200",
        "--hostile",
        "0",
        "--shrink",
        "20",
        "--out",
        out,
    ];
    let (status, table) = explore_json(&with(&arguments, &bot));
    assert_eq!(status, Some(1), "{table}");
    let failure = &table["failures"][0];
    let written = failure["written"].as_array().unwrap();
    for written in written {
        let text = std::fs::read_to_string(written["scenario"].as_str().unwrap()).unwrap();
        let times = written["failed"].as_u64();
        assert!(
            written["fails"] == true || times.is_some_and(|times| (3..10).contains(&times)),
            "{table}"
        );
        assert!(
            times.is_none_or(|times| text.contains(&format!("# failed {times} of 10\n"))),
            "{text}"
        );
    }
    if written.is_empty() {
        assert!(
            Path::new(failure["recording"].as_str().unwrap()).exists(),
            "{table}"
        );
        assert!(
            failure["unwritten"].as_str().unwrap().contains("failed "),
            "{table}"
        );
    }
}
