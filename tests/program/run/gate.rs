//! The plain game before all others.

use crate::harness::{Place, Ran, URTEXT, count, faulty_bot, faulty_referee};

const REFEREES: &str = "royalur/referee";

/// How many lines a subject left in a file, one for each time it was started.
fn starts(place: &Place) -> usize {
    place.read("starts").lines().count()
}

/// Runs a suite with a bot that notes each start, and then does as the script says.
fn with_script(place: &Place, script: &str, more: &[&str]) -> Ran {
    let notes = format!("echo x >> starts; {script}");
    let bot = [
        "--suite",
        "royalur/bot",
        "--as",
        "bot",
        "--",
        "sh",
        "-c",
        &notes,
        URTEXT,
    ];
    place.run(&[more, &bot].concat())
}

#[test]
fn a_beginning_that_fails_three_times_alike_stops_the_run_with_one_finding() {
    let args = [
        vec!["--suite", REFEREES],
        faulty_referee("roll-without-spaces"),
    ]
    .concat();
    let ran = Place::new().run(&args).expect(1);
    assert_eq!(
        ran.stdout.matches("fail[ur/roll/line]").count(),
        1,
        "{ran:#?}"
    );
    let rest = count(REFEREES);
    let ran = ran
        .says("step `first roll` of a plain game failed 3 times alike")
        .says("--no-gate plays it all the same")
        .says(&format!("and {} more scenarios:", rest - 1));
    assert!(ran.stdout.lines().count() < 60, "{ran:#?}");
    ran.says(&format!(
        "{} scenarios: 0 passed, 1 failed, {rest} skipped",
        rest + 1
    ));
}

#[test]
fn a_bot_whose_first_answer_fails_is_started_three_times() {
    let place = Place::new();
    let ran = with_script(&place, "echo banana; exec cat > /dev/null", &[]).expect(1);
    assert_eq!(starts(&place), 3);
    let bots = count("royalur/bot");
    let ran = ran.says(&format!("1 failed, {bots} skipped"));
    // The command that repeats the plain game.
    let last = ran.stdout.lines().next_back().unwrap();
    assert!(
        last.starts_with("repeat: urtext doctor --as bot -- sh -c "),
        "{ran:#?}"
    );
}

#[test]
fn no_gate_plays_everything() {
    let place = Place::new();
    let ran = with_script(&place, "echo banana; exec cat > /dev/null", &["--no-gate"]).expect(1);
    let bots = count("royalur/bot");
    assert!(starts(&place) >= bots, "{ran:#?}");
    ran.says(&format!("{bots} scenarios: 0 passed, {bots} failed"));
}

#[test]
fn few_scenarios_have_no_gate() {
    let place = Place::new();
    let script = "echo x >> starts; echo banana; exec cat > /dev/null";
    let one = [
        "--suite",
        "royalur/bot/first-seat",
        "--as",
        "bot",
        "--",
        "sh",
        "-c",
        script,
    ];
    place
        .run(&one)
        .expect(1)
        .says("1 scenario: 0 passed, 1 failed");
    assert_eq!(starts(&place), 1);
}

#[test]
fn a_subject_that_fails_only_once_is_not_stopped() {
    let place = Place::new();
    let first = "[ $(wc -l < starts) -gt 1 ] || { echo banana; exec cat > /dev/null; }; exec \"$0\" bot royalur --policy first";
    let bots = count("royalur/bot");
    with_script(&place, first, &[])
        .expect(0)
        .says(&format!("{bots} scenarios: {bots} passed"));
}

#[test]
fn a_subject_that_fails_later_than_its_beginning_is_not_stopped() {
    let args = [
        vec!["--suite", "royalur/bot"],
        faulty_bot("moves-onto-own-token"),
    ]
    .concat();
    let ran = Place::new().run(&args).expect(1);
    assert!(!ran.stdout.contains("skipped"), "{ran:#?}");
}

#[test]
fn a_hook_that_does_not_work_is_one_error_and_says_what_was_written() {
    // This referee takes forced rolls from another variable.
    let command = "--seed {seed} --spectators {spectators} --timeout {timeout} --pace {pace} --name {first} --name {second}";
    let mut args = vec![
        "--suite",
        REFEREES,
        "--as",
        "referee",
        "--set",
        "rolls.environment=OTHER",
        "--",
    ];
    args.extend([URTEXT, "referee", "royalur"]);
    args.extend(command.split(' '));
    let ran = Place::new().run(&args).expect(3);
    assert_eq!(
        ran.stdout
            .matches("error: the roll hook does not work")
            .count(),
        1,
        "{ran:#?}"
    );
    let ran = ran.says("note: the forced rolls were written to the variable OTHER: \"");
    ran.says("note: what came: ").says("1 could not be played");
}

#[test]
fn a_hook_that_holds_only_at_first_is_an_error_and_not_the_referees_failure() {
    // The dice are free after the first forced roll, as where chance rolls the first one.
    let script = "exec \"$0\" referee royalur --seed 3 --spectators \"$1\" --pace 0 --rolls \"${MY_ROLLS%% *}\"";
    let own_token = [
        "--suite",
        "royalur/referee/own-token",
        "--as",
        "referee",
        "--set",
        "rolls.environment=MY_ROLLS",
    ];
    let command = ["--", "sh", "-c", script, URTEXT, "{spectators}"];
    let ran = Place::new()
        .run(&[&own_token[..], &command].concat())
        .expect(3);
    let ran = ran.says("error: the roll hook does not work: it did not hold later in the game");
    ran.says("was forced as `")
        .says("the forced rolls were written to the variable MY_ROLLS: \"");
}
