//! Games that failed, as scenarios.

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;

use super::bot::printed;
use super::{command, explore_json, faulty, python, with};

pub(super) fn urtext(arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_urtext"))
        .args(arguments)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout) + &text(output.stderr),
    )
}

/// Explores until a failure; its requirement, what was written, and the whole table.
fn first_failure(
    arguments: &[&str],
    subject: &[String],
    folder: &Path,
) -> (String, Vec<PathBuf>, Value) {
    let out = folder.to_str().unwrap();
    let (status, table) = explore_json(&with(&[arguments, &["--out", out]].concat(), subject));
    assert_eq!(status, Some(1), "{table}");
    let failure = &table["failures"][0];
    let written = failure["written"].as_array().unwrap().iter();
    let paths = written
        .map(|written| PathBuf::from(written["scenario"].as_str().unwrap()))
        .collect();
    (
        failure["requirement"].as_str().unwrap().to_owned(),
        paths,
        table,
    )
}

/// Whether `urtext run` says of the subject that it breaks the requirement in this scenario, and `urtext check` finds nothing wrong with it.
#[track_caller]
fn assert_fails(scenario: &Path, more: &[&str], subject: &[String], requirement: &str) {
    let path = scenario.to_str().unwrap();
    let (status, said) = urtext(&["check", path]);
    assert_eq!(status, Some(0), "{said}");
    // It shows as it was seen, or by the cause that is inferred.
    let run = |options: &[&str]| {
        let (status, said) = urtext(&with(&[&["run", path], options, more].concat(), subject));
        assert_eq!(status, Some(1), "{said}");
        said
    };
    let said = run(&["--no-diagnosis"]) + &run(&[]);
    assert!(said.contains(&format!("fail[{requirement}]")), "{said}");
}

#[test]
fn a_failure_is_shrunk_to_a_short_scenario_that_fails_the_same_way() {
    let folder = tempfile::tempdir().unwrap();
    let options = "--pace 0 --seed {seed} --spectators {spectators} --fault relays-before-retire";
    let mut referee = vec![
        "--set".to_owned(),
        "rolls.environment=URTEXT_ROLLS".to_owned(),
    ];
    referee.extend(command("referee", "royalur", options));
    let arguments = ["--seed", "1", "--games", "64", "--hostile", "100"];
    let (requirement, written, table) = first_failure(&arguments, &referee, folder.path());
    assert_eq!(requirement, "ur/retire/instead-of-the-number");
    let [scenario] = &written[..] else {
        panic!("{table}")
    };
    assert_fails(scenario, &[], &referee, &requirement);
    let turns = table["failures"][0]["written"][0]["turns"]
        .as_u64()
        .unwrap();
    assert!(
        turns <= 5,
        "few moves are needed before one can be illegal: {table}"
    );
    // Its golden transcript is that of a referee that does everything right.
    assert!(scenario.with_extension("golden.txt").exists());
    let (status, said) = urtext(&["run", scenario.to_str().unwrap()]);
    assert_eq!(status, Some(0), "{said}");
    let (_, said) = urtext(&["run", scenario.to_str().unwrap(), "--bless"]);
    let is_refused = std::env::var_os("CI").is_some();
    assert!(
        is_refused || said.contains("0 written, 1 unchanged"),
        "{said}"
    );
}

#[test]
fn a_failure_that_comes_out_late_is_shrunk_to_what_it_is_about() {
    let folder = tempfile::tempdir().unwrap();
    let referee = faulty("referee", "royalur", "no-capture-12");
    let arguments = ["--seed", "12", "--games", "64", "--hostile", "0"];
    let (requirement, written, table) = first_failure(&arguments, &referee, folder.path());
    assert_eq!(requirement, "ur/capture/last-shared-cell");
    let [scenario] = &written[..] else {
        panic!("{table}")
    };
    let turns = table["failures"][0]["written"][0]["turns"]
        .as_u64()
        .unwrap();
    // Six turns lead to the capture, and nothing tells of it before the next one.
    assert!((7..=10).contains(&turns), "{table}");
    assert_fails(scenario, &[], &referee, &requirement);
}

#[test]
fn a_failure_at_onitama_is_shrunk_where_the_deal_can_be_forced() {
    let folder = tempfile::tempdir().unwrap();
    let referee = faulty("referee", "onitama", "middle-card-playable");
    let (requirement, written, table) = first_failure(
        &["--seed", "1", "--games", "200", "--hostile", "90"],
        &referee,
        folder.path(),
    );
    assert_eq!(requirement, "oni/invalid/middle-card");
    let [scenario] = &written[..] else {
        panic!("{table}")
    };
    assert_eq!(table["failures"][0]["written"][0]["turns"], 1, "{table}");
    assert_fails(scenario, &[], &referee, &requirement);
}

#[test]
fn a_failure_by_a_line_off_turn_is_shrunk_to_the_turn_in_which_it_shows() {
    // One loses at once, the other one reads it in its sender's next turn.
    for (fault, most) in [("off-turn-loses", 1), ("off-turn-kept", 2)] {
        let folder = tempfile::tempdir().unwrap();
        let referee = faulty("referee", "onitama", fault);
        let arguments = ["--seed", "11", "--games", "100", "--hostile", "100"];
        let (requirement, written, table) = first_failure(&arguments, &referee, folder.path());
        let [scenario] = assert_off_turn(&requirement, &written, &table) else {
            panic!("{table}")
        };
        let told = &table["failures"][0]["written"][0];
        let [turns, before] = ["turns", "before"].map(|key| told[key].as_u64().unwrap());
        assert!(turns <= most && most <= before, "{table}");
        assert_eq!(told["fails"], true, "{table}");
        assert_fails(scenario, &["--seed", "11"], &referee, &requirement);
        let said = printed(told["repeat"].as_str().unwrap());
        assert!(said.contains(&format!("fail[{requirement}]")), "{said}");
        // A game that is played on freely has no golden transcript.
        let text = std::fs::read_to_string(scenario).unwrap();
        let is_free = text.contains("- play: until");
        assert_eq!(
            scenario.with_extension("golden.txt").exists(),
            !is_free,
            "{table}"
        );
    }
}

/// Of two lines that come at once it is chance which one it reads first, and so is what is kept.
#[test]
fn a_failure_of_an_independent_referee_by_a_line_off_turn_is_found_and_written() {
    let judge =
        "oni_judge.py --seed {seed} --deal {deal} --starter {starter} --variant out-of-turn-plays";
    let Some(referee) = python("referee", "onitama", judge) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--seed", "11", "--games", "100", "--hostile", "100"];
    let (requirement, written, table) = first_failure(&arguments, &referee, folder.path());
    let kept = assert_off_turn(&requirement, &written, &table);
    let failure = &table["failures"][0];
    assert!(
        !kept.is_empty() || failure["recording"].is_string(),
        "{table}"
    );
    for told in failure["written"].as_array().unwrap() {
        assert!(
            told["fails"] == true || told["failed"].as_u64() >= Some(3),
            "{table}"
        );
    }
}

/// Whether each scenario that was written is about a line off turn, and a referee that does everything right passes it.
#[track_caller]
fn assert_off_turn<'w>(requirement: &str, written: &'w [PathBuf], table: &Value) -> &'w [PathBuf] {
    assert_eq!(requirement, "oni/input/off-turn", "{table}");
    for scenario in written {
        let text = std::fs::read_to_string(scenario).unwrap();
        let is_meant = text.contains("    meanwhile:\n      - ") && text.contains(": send \"");
        assert!(is_meant || text.contains("any after \""), "{text}");
        let path = scenario.to_str().unwrap();
        let (status, said) = urtext(&["check", path]);
        assert_eq!(status, Some(0), "{said}");
        let (status, said) = urtext(&["run", path]);
        assert_eq!(status, Some(0), "{said}");
    }
    written
}

#[test]
fn what_a_referee_of_ur_makes_of_a_line_off_turn_is_left_open() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("open.yaml");
    let text = "scenario: t\ngame: royalur\nsubject: referee\nchecks: [ur/roll/line]\nturns:\n  - play: until first can move\n  - mover: 'any after \"3\"'\n";
    std::fs::write(&path, text).unwrap();
    let (status, said) = urtext(&["check", path.to_str().unwrap()]);
    assert_eq!(status, Some(2), "{said}");
    assert!(
        said.contains("what becomes of a line off turn is not known here"),
        "{said}"
    );
}

#[test]
fn of_a_failure_that_never_comes_again_only_the_recording_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let once = folder.path().join("once");
    let urtext_path = env!("CARGO_BIN_EXE_urtext");
    // The first game alone has a bot that counts its tokens from 1.
    let script = format!(
        "if mkdir '{}' 2>/dev/null; then exec '{urtext_path}' bot royalur --policy first --fault token-from-1; fi; \
         exec '{urtext_path}' bot royalur --policy first",
        once.display()
    );
    let bot = [
        "--as", "bot", "--game", "royalur", "--", "sh", "-c", &script,
    ]
    .map(str::to_owned);
    let out = folder.path().join("out");
    let (requirement, written, table) = first_failure(&["--seed", "3", "--games", "4"], &bot, &out);
    assert_eq!(written, Vec::<PathBuf>::new(), "{table}");
    let failure = &table["failures"][0];
    let why = failure["unwritten"].as_str().unwrap();
    assert!(
        why.contains("failed 0 of") || why.contains("none that was tried"),
        "{why}"
    );
    let recording = failure["recording"].as_str().unwrap();
    let (status, said) = urtext(&["verify", "--as-recorded", recording]);
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains(&requirement), "{said}");
    let kept: Vec<_> = std::fs::read_dir(&out)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert_eq!(kept, [Path::new(recording)], "nothing else is kept");
    // It says what the choices in it were made for.
    let (status, said) = urtext(&["verify", recording]);
    assert_eq!(status, Some(1), "{said}");
    assert!(!said.contains("would not have sent"), "{said}");
    let text = std::fs::read_to_string(recording).unwrap();
    let roll =
        text.find(r#""dir":"received","line":"0 "#).unwrap() + r#""dir":"received","line":""#.len();
    let altered = out.join("altered.jsonl");
    let (before, after) = (&text[..roll], &text[roll + 1..]);
    std::fs::write(&altered, format!("{before}1{after}")).unwrap();
    let (_, said) = urtext(&["verify", altered.to_str().unwrap()]);
    assert!(said.contains("would not have sent"), "{said}");
    std::fs::remove_file(altered).unwrap();
    // Scenarios are no games.
    std::fs::write(out.join("a.yaml"), "scenario: a\n").unwrap();
    let (status, said) = urtext(&["verify", "--explain", out.to_str().unwrap()]);
    assert_eq!(status, Some(1), "{said}");
}

#[test]
fn a_failure_is_shrunk_to_the_shortest_game_that_shows_its_cause() {
    // Of the readings that explain the whole games, several are left in the first two, and the turn that failed shows none of them.
    for (game, fault, requirement, cause, most) in [
        (
            "royalur",
            "no-extra-turn-14",
            "ur/extra-turn/cell-14",
            "the referee behaves as if the fourteenth cell gave no extra turn",
            6,
        ),
        (
            "royalur",
            "overshoot",
            "ur/retire/overshoot",
            "the referee behaves as if a token could leave the track by more than the exact number",
            5,
        ),
        (
            "royalur",
            "extra-turn-10",
            "ur/extra-turn/only-there",
            "the referee behaves as if the tenth cell gave an extra turn",
            4,
        ),
        // It shows in a move after which no turn follows.
        (
            "onitama",
            "no-temple-win",
            "oni/win/temple",
            "the referee behaves as if a Master on the opponent's temple had not won",
            7,
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let referee = faulty("referee", game, fault);
        let arguments = ["--seed", "1", "--games", "200"];
        let (named, written, table) = first_failure(&arguments, &referee, folder.path());
        assert_eq!(named, requirement, "{table}");
        assert!(table.to_string().contains(cause), "{table}");
        let [scenario] = &written[..] else {
            panic!("{table}")
        };
        let told = &table["failures"][0]["written"][0];
        let number = |key: &str| told[key].as_u64().unwrap();
        assert_eq!(
            (number("turns"), number("shortest")),
            (most, most),
            "{table}"
        );
        assert!(number("before") > 2 * most, "{table}");
        // Alone it may leave several readings.
        let alone = told["requirement"].as_str().unwrap();
        assert!(game == "onitama" || alone == requirement, "{table}");
        assert_fails(scenario, &[], &referee, alone);
    }
}

#[test]
fn a_failure_that_is_not_shortened_is_explained_by_all_games_as_in_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let referee = faulty("referee", "onitama", "card-not-rotated");
    let arguments = ["--seed", "2", "--games", "300", "--shrink", "0"];
    let (requirement, _, table) = first_failure(&arguments, &referee, folder.path());
    assert_eq!(requirement, "oni/cards/rotate", "{table}");
    let cause = "the referee behaves as if a used card stayed with its player";
    assert_eq!(table["failures"][0]["title"], cause, "{table}");
}
