//! `--repeat-failed REPORT`.

use serde_json::Value;

use crate::harness::{Place, Ran, URTEXT, faulty_referee};

/// Name, seed, title of the first finding and reason to play it, of the scenarios in a report.
fn scenarios(report: &str) -> Vec<(String, u64, Value, bool)> {
    let lines = report
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let scenarios = lines.filter(|line| line["type"] == "scenario");
    let of_line = |line: Value| {
        let title = line["findings"][0]["title"].clone();
        let name = line["name"].as_str().unwrap().to_owned();
        (
            name,
            line["seed"].as_u64().unwrap(),
            title,
            line["standing"] == "deviates",
        )
    };
    scenarios.map(of_line).collect()
}

const SIMULATED: [&str; 5] = [
    "run",
    "--simulated",
    "--no-gate",
    "--no-diagnosis",
    "--report",
];

/// Repeats what has failed in `first.json`, and compares all of it.
fn repeats(place: &Place, options: &[&str]) -> Ran {
    let repeat = [
        &SIMULATED[..],
        &["json=second.json", "--repeat-failed", "first.json"],
        options,
    ];
    let ran = place.urtext(&repeat.concat()).expect(1);
    let mut failed = scenarios(&place.read("first.json"));
    let all = failed.len();
    failed.retain(|(.., failed)| *failed);
    assert!(!failed.is_empty() && failed.len() < all, "{failed:?}");
    assert_eq!(scenarios(&place.read("second.json")), failed);
    ran
}

#[test]
fn the_subject_of_the_file_plays_the_same_games_with_the_same_seeds() {
    let subject = |name: &str| {
        format!(
            "  {name}: {{as: bot, game: royalur, command: [{URTEXT:?}, bot, royalur, --fault, moves-onto-own-token]}}\n"
        )
    };
    let place = Place::with(&[subject("mine"), subject("other")].concat());
    let first = [
        "json=first.json",
        "--suite",
        "royalur/bot",
        "--subject",
        "mine",
        "--seed",
        "4711",
    ];
    place.urtext(&[&SIMULATED[..], &first].concat()).expect(1);
    repeats(&place, &[]).says("royalur bot `mine`");
    // What a list shows is what is played.
    let listed = place
        .urtext(&["list", "--repeat-failed", "first.json"])
        .expect(0);
    let names: Vec<_> = scenarios(&place.read("second.json"))
        .into_iter()
        .map(|(name, ..)| name)
        .collect();
    let shown: Vec<_> = listed
        .stdout
        .lines()
        .map(|line| line.split(' ').next().unwrap())
        .collect();
    assert_eq!(shown, names);
}

#[test]
fn a_report_starts_no_program_of_the_command_line() {
    let place = Place::new();
    let own = "scenario: own\nsubject: referee\ngame: royalur\nchecks: [ur/roll/line]\nturns:\n";
    place.write("zz.yaml", &format!("{own}  - first: 0 0 0 1 > 0\n"));
    place.write(
        "aa.yaml",
        &format!("{own}  - first: 0 0 0 0\n  - second: 0 0 1 1 > 0\n"),
    );
    place.write(
        "bb.yaml",
        &format!("{own}  - first: 0 0 1 1 > 0\n  - second: 0 0 1 1 > 0\n"),
    );
    let subject = faulty_referee("second-starts");
    let first = ["json=first.json", "zz.yaml", "bb.yaml", "aa.yaml"];
    place
        .urtext(&[&SIMULATED[..], &first, &subject].concat())
        .expect(1);
    let bare = place
        .urtext(&["run", "--repeat-failed", "first.json"])
        .expect(2);
    bare.complains("a report starts no program")
        .complains("name it again, with --as referee and --connect ADDRESS or -- COMMAND");
    let repeat = ["json=second.json", "--repeat-failed", "first.json"];
    place
        .urtext(&[&SIMULATED[..], &repeat, &subject].concat())
        .expect(1);
    let (first, second) = (place.read("first.json"), place.read("second.json"));
    assert_eq!(scenarios(&second), scenarios(&first));
}

#[test]
fn free_games_are_repeated_by_their_seeds() {
    let place = Place::new();
    let subject = faulty_referee("rerolls-extra-turn");
    let first = ["json=first.json", "--free-games", "30", "--seed", "9"];
    place
        .urtext(&[&SIMULATED[..], &first, &subject].concat())
        .expect(1);
    repeats(&place, &subject);
}

#[test]
fn a_strangers_report_walks_no_folder_and_fetches_nothing() {
    let place = Place::new();
    let subject = faulty_referee("second-starts");
    let suite = ["--suite", "royalur/referee/own-token"];
    let first = [&SIMULATED[..], &["json=first.json"], &suite, &subject].concat();
    place.urtext(&first).expect(1);
    let report = place.read("first.json");
    for path in [".", "coco://127.0.0.1:1/match", "missing.yaml"] {
        let forged = report.replace("\"seed\":", &format!("\"path\":{path:?},\"seed\":"));
        assert_ne!(forged, report);
        place.write("forged.json", &forged);
        let repeat = ["run", "--simulated", "--repeat-failed", "forged.json"];
        let ran = place.urtext(&[&repeat[..], &subject].concat()).expect(2);
        assert!(!ran.said().contains("1 scenario"), "{ran:#?}");
    }
    let number = "royalur/free-game-4000000000";
    place.write(
        "forged.json",
        &report.replace("royalur/referee/own-token", number),
    );
    let repeat = [
        &SIMULATED[..],
        &["json=-", "--repeat-failed", "forged.json"],
        &subject,
    ];
    let ran = place.urtext(&repeat.concat()).expect(1);
    assert_eq!(scenarios(&ran.stdout)[0].0, number);
}

#[test]
fn what_cannot_be_repeated_is_said() {
    let place = Place::new();
    let run = |more: &[&str]| {
        place.urtext(
            &[
                &["run", "--simulated", "--suite", "royalur/bot/first-seat"],
                more,
            ]
            .concat(),
        )
    };
    run(&["--report", "json=first.json"]).expect(0);
    let repeat = ["run", "--repeat-failed", "first.json"];
    place
        .urtext(&repeat)
        .expect(2)
        .complains("nothing has failed");
    place
        .urtext(&[&repeat[..], &["--failed", "first.json"]].concat())
        .expect(2);
    place
        .urtext(&[&repeat[..], &["own.yaml"]].concat())
        .expect(2);
    place
        .urtext(&["run", "--repeat-failed", "none.json"])
        .expect(3);
    let gate = [
        "run",
        "--simulated",
        "--suite",
        "royalur/bot",
        "--report",
        "json=first.json",
    ];
    let bot = [
        "--as", "bot", "--", URTEXT, "bot", "royalur", "--fault", "greets",
    ];
    place
        .urtext(&[&gate[..], &bot].concat())
        .expect(1)
        .says("skipped");
    let again = [&repeat[..], &["--simulated"], &bot].concat();
    place.urtext(&again).expect(1).says("skipped");
}
