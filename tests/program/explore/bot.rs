//! Games of bots that failed, as scenarios.

use urtext::scenario::Side;

use super::{Search, assert_repeats, command, notes, only, played, python, reported, text};
use crate::harness::{Place, built_in, has};

#[test]
fn a_bot_fails_in_a_short_game_whose_answers_are_left_to_it() {
    // Each with the requirement that the scenario breaks, where it is one in particular, and its most turns.
    for (game, fault, seed, hostile, requirement, most) in [
        (
            "royalur",
            "answers-when-skipped",
            1,
            0,
            "ur/bot/silent-when-skipped",
            4,
        ),
        ("royalur", "forgets-captures", 1, 0, "", 12),
        ("royalur", "ignores-extra-turn", 1, 0, "", 4),
        (
            "royalur",
            "survives-end",
            2,
            100,
            "ur/bot/ends-after-retire",
            12,
        ),
        ("onitama", "keeps-cards", 4, 0, "", 5),
        ("onitama", "rows-from-below", 4, 0, "", 2),
        ("onitama", "quits", 4, 0, "", 3),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let bot = built_in(game, Side::Bot, Some(fault));
        let exploration = Search::new(seed, 100, hostile).explore(&bot, folder.path());
        let written = only(&exploration.failures[0]);
        let turns = [written.turns, written.before];
        assert!(
            turns[0] <= most && turns[0] <= turns[1],
            "{fault}: {turns:?}"
        );
        let outcome = played(&written.path, written.seed.unwrap_or(1), &bot);
        let found = outcome.failure().unwrap().requirement.unwrap();
        assert!(found.starts_with(requirement), "{fault}: {found}");
        match fault {
            // What the first game waited for in vain is not waited for in seven more.
            "ignores-extra-turn" => {
                assert_eq!(exploration.explorer.coverage().played(), 1);
                assert!(text(written).contains("> any"), "{}", text(written));
            }
            "survives-end" => {
                let text = text(written);
                let last = text.trim_end();
                assert!(
                    last.ends_with("silent") || last.ends_with("hang up"),
                    "{text}"
                );
            }
            _ => {}
        }
    }
}

#[test]
fn the_command_that_is_printed_fails_alike_and_repeats_the_budgets() {
    let place = Place::new();
    let bot = crate::harness::faulty("bot", "royalur", "ignores-extra-turn").map(str::to_owned);
    let failure = reported(&place, &["--seed", "1", "--budget", "answer=6s"], &bot);
    let repeat = failure["repeat"].as_str().unwrap();
    assert!(repeat.contains("--budget answer=6s"), "{repeat}");
    assert!(repeat.starts_with("urtext run explored/"), "{repeat}");
    let requirement = failure["findings"][0]["requirement"].as_str().unwrap();
    assert_repeats(&place, repeat, requirement);
    let [again] = notes(&failure, "explore again: urtext explore ")[..] else {
        panic!("{failure}")
    };
    assert!(
        again.starts_with("--seed 1 --games 8 ") && again.contains("--budget answer=6s"),
        "{again}"
    );
}

#[test]
#[ignore = "it starts some hundred interpreters; .ci/run has it played"]
fn independent_bots_are_shrunk_too() {
    for (game, bot) in [
        ("royalur", "ur_bot.py --variant answers-when-skipped"),
        (
            "onitama",
            "oni_bot.py {host} {port} --variant forgets-rotation",
        ),
    ] {
        let Some(bot) = python("bot", game, bot) else {
            return;
        };
        let place = Place::new();
        let failure = reported(&place, &["--seed", "3", "--shrink", "8"], &bot);
        let [written] = notes(&failure, "written ")[..] else {
            panic!("{failure}")
        };
        assert!(written.contains(": fails the same way"), "{written}");
    }
}

/// Which choices it makes is chance, and so is what is kept of it.
#[test]
#[ignore = "it starts some hundred processes; .ci/run has it played"]
fn of_a_bot_that_plays_otherwise_each_time_a_scenario_is_kept_only_if_it_fails_often_enough() {
    let place = Place::new();
    // Its choices are its own each time.
    let bot = command("bot", "royalur", "--fault forgets-captures");
    let arguments = ["--seed", "1", "--games", "200", "--shrink", "20"];
    let failure = reported(&place, &arguments, &bot);
    let written = notes(&failure, "written ").into_iter();
    let (kept, recordings): (Vec<_>, Vec<_>) = written.partition(|note| note.contains(".yaml"));
    for note in &kept {
        let (path, _) = note.split_once(".yaml").unwrap();
        let text = place.read(&format!("{path}.yaml"));
        match note.split_once(": failed ") {
            Some((_, times)) => {
                let times = times.split(' ').next().unwrap();
                assert!((1..3).contains(&times.parse().unwrap()), "{note}");
                has(&text, format!("# failed {times} of 3\n"));
            }
            None => assert!(note.contains(": fails the same way"), "{note}"),
        }
    }
    if kept.is_empty() {
        let (path, _) = recordings[0].split_once(": the recording").unwrap();
        assert!(place.join(path).exists(), "{failure}");
        let why = notes(&failure, "no scenario is written: ");
        assert!(why[0].contains("failed "), "{failure}");
    }
}
