//! Built-in peers in memory, on a virtual clock.

use crate::harness::{Place, count};

#[test]
fn the_same_seed_gives_the_same_report_and_recordings_whatever_is_played_beside() {
    let place = Place::new();
    let suites = "--suite royalur/bot --suite royalur/referee/default-timeout --suite onitama/bot";
    let suites: Vec<_> = suites.split(' ').collect();
    let play = |folder: &str, jobs: &str| {
        let args = [
            "--slow", "-v", "--seed", "7", "--record", folder, "--jobs", jobs,
        ];
        place.run(&[&suites[..], &args].concat()).expect(0).stdout
    };
    assert!(play("one", "1") == play("two", "9"), "another report");
    let files = place.files();
    let (one, two) = files.split_at(files.len() / 2);
    assert!(one.len() > 40, "{}", one.len());
    for (one, two) in one.iter().zip(two) {
        assert_eq!(one.strip_prefix("one"), two.strip_prefix("two"));
        assert!(place.read(one) == place.read(two), "{one} and {two} differ");
    }
}

#[test]
fn a_minute_and_a_half_of_virtual_time_is_waited_for_without_a_real_second() {
    let place = Place::new();
    let began = std::time::Instant::now();
    let ran = place.run(&["--suite", "royalur/referee/default-timeout"]);
    ran.expect(0).says("1 scenario: 1 passed in 9");
    assert!(
        began.elapsed() < std::time::Duration::from_secs(60),
        "the scenario waits for 90 s"
    );
}

#[test]
fn an_unkind_network_is_the_same_for_the_same_seed_and_repeats_by_the_command_in_the_report() {
    let place = Place::new();
    let args = [
        "--network",
        "outages",
        "--free-games",
        "1",
        "--game",
        "royalur",
        "--seed",
    ];
    let run = |seed: &str| place.run(&[&args[..], &[seed]].concat());
    let said = "the network lost the connection of PlayerA (first) before the game was over";
    let ran = run("76").expect(3);
    assert!(ran.stdout.contains(said), "{}", ran.stdout);
    assert!(
        ran.stdout
            .contains("urtext run --free-games 1 --seed 76 --network outages --game royalur\n"),
        "{}",
        ran.stdout
    );
    assert_eq!(ran.stdout, run("76").stdout);
    assert_ne!(ran.stdout, run("77").stdout);
}

#[test]
fn a_pause_that_begins_late_is_not_held_against_a_referee_whose_timeout_is_over() {
    // urtext reads the beginning of the turn 1.6 s late, and its player pauses 1.5 s of a timeout of 3 s.
    let scenario = "onitama/referee/clock-opponents-turn";
    let late = ["--network", "busy", "--seed", "54326"];
    let ran = Place::new().run(&[&late[..], &["--suite", scenario]].concat());
    ran.expect(4)
        .says("and urtext may have been late itself")
        .says("the referee can have waited 3.24s for its line, with a timeout of 3.00s");
}

#[test]
fn a_fault_narrows_what_is_played_and_is_named_in_the_report() {
    let place = Place::new();
    let suites = [
        "--suite",
        "royalur/referee/roll-heads",
        "--suite",
        "royalur/bot",
    ];
    let tails = ["--subject", "built-in", "--fault", "tails"];
    place
        .run(&[&suites[..], &tails].concat())
        .expect(1)
        .says("urtext 0.1.0: the built-in royalur referee with the fault tails, in memory on a virtual clock\n")
        .says("fail[ur/roll/heads]")
        .says("repeat: urtext run --suite royalur/referee/roll-heads --subject built-in --fault tails\n")
        .says("1 scenario: 0 passed, 1 failed");
    // The side and the game narrow it too.
    let bots = count("onitama/bot");
    let side = ["--subject", "built-in", "--as", "bot", "--game", "onitama"];
    place
        .run(&side)
        .expect(0)
        .says("urtext 0.1.0: the built-in onitama bot, in memory on a virtual clock\n")
        .says(&format!("{bots} scenarios: {bots} passed"));
    let free = ["--free-games", "1", "--seed", "3"];
    place
        .run(&[&free[..], &tails].concat())
        .says("the built-in royalur referee with the fault tails");
}
