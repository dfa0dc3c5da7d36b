//! Which scenarios are played.

use crate::harness::{Place, Ran, SCENARIOS, URTEXT, count};

#[test]
fn works_from_any_folder_and_leaves_nothing_there() {
    let place = Place::new();
    let bots = count("royalur/bot");
    place
        .run(&["--suite", "royalur/bot"])
        .expect(0)
        .says(&format!("{bots} scenarios: {bots} passed"));
    place
        .run(&[
            "--suite",
            "royalur/bot",
            "--suite",
            "royalur/referee/illegal-lines#word",
        ])
        .expect(0)
        .says(&format!("{} scenarios", bots + 1));
    place
        .run(&["--suite", "royalur/bot/first-seat"])
        .expect(0)
        .says("1 scenario: 1 passed");
    assert!(place.files().is_empty(), "{:?}", place.files());
}

#[test]
fn paths_are_files_and_folders() {
    let place = Place::new();
    let own_token = format!("{SCENARIOS}/royalur/referee/own-token.yaml");
    place
        .run(&[&own_token])
        .expect(0)
        .says("1 scenario: 1 passed");
    let all = count("royalur/bot") + 1;
    let ran = place
        .run(&[&format!("{SCENARIOS}/royalur/bot"), &own_token])
        .expect(0);
    ran.says(&format!("{all} scenarios: {all} passed"));
}

#[test]
fn a_path_and_the_suite_inside_the_program_play_the_same_games() {
    let place = Place::new();
    let names = |ran: Ran| -> Vec<String> {
        let lines = ran
            .stdout
            .lines()
            .filter(|line| line.trim_start().starts_with("pass"));
        lines
            .map(|line| line.split_whitespace().nth(1).unwrap().to_owned())
            .collect()
    };
    let shipped = names(place.run(&["-v"]).expect(0));
    let files = names(place.run(&["-v", SCENARIOS]).expect(0));
    assert_eq!(shipped, files);
    assert!(shipped.len() > 40);
}

#[test]
fn a_subject_plays_only_the_scenarios_for_it() {
    let bot = [
        "--as", "bot", "--", URTEXT, "bot", "royalur", "--policy", "last",
    ];
    let bots = count("royalur/bot");
    Place::new()
        .run(&bot)
        .expect(0)
        .says(&format!("{bots} scenarios: {bots} passed"));
    let referee = [
        "--as",
        "referee",
        "--set",
        "late-spectator=nothing",
        "--",
        URTEXT,
        "referee",
        "royalur",
        "--spectators",
        "{spectators}",
        "--timeout",
        "{timeout}",
        "--pace",
        "{pace}",
        "--name",
        "{first}",
        "--name",
        "{second}",
        "--rolls",
        "{rolls}",
    ];
    let ran = Place::new().run(&referee).expect(0);
    assert!(
        ran.stdout
            .contains(&format!("{} scenarios: ", count("royalur/referee"))),
        "{ran:#?}"
    );
    assert!(!ran.stdout.contains("unsupported"), "{ran:#?}");
}

#[test]
fn forced_rolls_come_by_an_argument_or_a_file_or_a_variable() {
    let own_token = ["--suite", "royalur/referee/own-token", "--as", "referee"];
    for hook in [
        &[
            "--",
            URTEXT,
            "referee",
            "royalur",
            "--spectators",
            "{spectators}",
            "--pace",
            "0",
            "--rolls",
            "{rolls}",
        ][..],
        &[
            "--",
            "sh",
            "-c",
            "exec \"$0\" referee royalur --spectators \"$1\" --pace 0 --rolls \"$(cat \"$2\")\"",
            URTEXT,
            "{spectators}",
            "{rolls_file}",
        ],
        &[
            "--set",
            "rolls.environment=URTEXT_ROLLS",
            "--",
            URTEXT,
            "referee",
            "royalur",
            "--spectators",
            "{spectators}",
            "--pace",
            "0",
        ],
        &[
            "--set",
            "rolls.environment=URTEXT_ROLLS",
            "--",
            URTEXT,
            "referee",
            "royalur",
            "--spectators",
            "{spectators}",
            "--pace",
            "0",
            "--listen",
            ":{port}",
            "--listen-spectators",
            ":{spectator_port}",
        ],
    ] {
        Place::new().run(&[&own_token[..], hook].concat()).expect(0);
    }
    // A hook that the referee does not know is an error, not a verdict.
    let hook = [
        "--set",
        "rolls.environment=MY_ROLLS",
        "--",
        URTEXT,
        "referee",
        "royalur",
        "--spectators",
        "{spectators}",
        "--pace",
        "0",
        "--seed",
        "1",
    ];
    Place::new()
        .run(&[&own_token[..], &hook].concat())
        .expect(3)
        .says("the roll hook does not work");
}

#[test]
fn plays_slow_scenarios_when_they_are_asked_for_or_named() {
    let place = Place::new();
    place
        .run(&["--suite", "royalur/referee"])
        .expect(0)
        .says("2 slow scenarios left out (--slow plays them)");
    let ran = place
        .run(&["--suite", "royalur/referee/default-pace"])
        .expect(0);
    assert!(!ran.stdout.contains("left out"), "{}", ran.stdout);
    ran.says("1 scenario: 1 passed");
    let other_game = place.run(&["--game", "onitama"]).expect(0);
    assert!(
        !other_game.stdout.contains("left out"),
        "{}",
        other_game.stdout
    );
    let other = "--suite royalur/referee/default-pace --as referee --set rolls.environment=R --set pace=0s -- true";
    place
        .run(&other.split(' ').collect::<Vec<_>>())
        .expect(4)
        .says("by itself, and this one has another");
}
