//! Which scenarios are played.

use crate::harness::{Place, SCENARIOS, URTEXT, count};

#[test]
fn works_from_any_folder_and_leaves_nothing_there() {
    let place = Place::new();
    let bots = count("royalur/bot");
    place
        .line("run --suite royalur/bot")
        .expect(0)
        .says(&format!("{bots} scenarios: {bots} passed"));
    place
        .line("run --suite royalur/bot --suite royalur/referee/illegal-lines#word")
        .expect(0)
        .says(&format!("{} scenarios", bots + 1));
    place.line("run --suite royalur/bot/first-seat").passes();
    assert!(place.files().is_empty(), "{:?}", place.files());
}

#[test]
fn paths_are_files_and_folders() {
    let place = Place::new();
    let own_token = format!("{SCENARIOS}/royalur/referee/own-token.yaml");
    place.run(&[&own_token]).passes();
    let all = count("royalur/bot") + 1;
    let ran = place
        .run(&[&format!("{SCENARIOS}/royalur/bot"), &own_token])
        .expect(0);
    ran.says(&format!("{all} scenarios: {all} passed"));
}

#[test]
fn a_path_and_the_suite_inside_the_program_play_the_same_games() {
    let list = |args: &[&str]| Place::new().run(args).expect(0).stdout;
    let shipped = list(&["--list"]);
    assert_eq!(shipped, list(&["--list", SCENARIOS]));
    assert!(shipped.lines().count() > 40, "{shipped}");
}

/// The built-in referee as a process that plays every scenario.
const REFEREE: &str = "referee royalur --spectators {spectators} --timeout {timeout} --pace {pace} \
    --name {first} --name {second} --rolls {rolls}";

#[test]
fn a_subject_plays_only_the_scenarios_for_it() {
    let bots = count("royalur/bot");
    Place::new()
        .line(&format!(
            "run --as bot -- {URTEXT} bot royalur --policy last"
        ))
        .expect(0)
        .says(&format!("{bots} scenarios: {bots} passed"));
    Place::new()
        .line(&format!(
            "run --as referee --set late-spectator=nothing -- {URTEXT} {REFEREE}"
        ))
        .expect(0)
        .says(&format!("{} scenarios: ", count("royalur/referee")))
        .leaves_out("unsupported");
}

#[test]
fn forced_rolls_come_by_an_argument_or_a_file_or_a_variable() {
    let run = |options: &str, command: &str| {
        Place::new().line(&format!(
            "run --suite royalur/referee/own-token --as referee {options} -- {command}"
        ))
    };
    let referee = format!("{URTEXT} referee royalur --spectators {{spectators}} --pace 0");
    run("", &format!("{referee} --rolls {{rolls}}")).expect(0);
    let shell =
        "exec \"$0\" referee royalur --spectators \"$1\" --pace 0 --rolls \"$(cat \"$2\")\"";
    run(
        "",
        &format!("sh -c '{shell}' {URTEXT} {{spectators}} {{rolls_file}}"),
    )
    .expect(0);
    let variable = "--set rolls.environment=URTEXT_ROLLS";
    run(variable, &referee).expect(0);
    let ports = "--listen :{port} --listen-spectators :{spectator_port}";
    run(variable, &format!("{referee} {ports}")).expect(0);
    // A hook that the referee does not know is an error, not a verdict.
    run(
        "--set rolls.environment=MY_ROLLS",
        &format!("{referee} --seed 1"),
    )
    .expect(3)
    .says("the roll hook does not work");
}

#[test]
fn plays_slow_scenarios_when_they_are_asked_for_or_named() {
    let place = Place::new();
    place
        .line("run --suite royalur/referee")
        .expect(0)
        .says("2 slow scenarios left out (--slow plays them)");
    place
        .line("run --suite royalur/referee/default-pace")
        .leaves_out("left out")
        .passes();
    place
        .line("run --game onitama")
        .expect(0)
        .leaves_out("left out");
    place
        .line("run --suite royalur/referee/default-pace --as referee --set rolls.environment=R --set pace=0s -- true")
        .expect(4)
        .says("by itself, and this one has another");
}
