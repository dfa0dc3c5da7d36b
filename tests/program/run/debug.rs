//! `--debug`.

use crate::harness::{Place, faulty_referee};

/// A folder with a sound referee and bot whose budgets end every game before it begins.
fn hasty() -> Place {
    let budgets =
        "budgets: {start: 1ms, handshake: 1ms, answer: 1ms, close: 1ms, forfeit: 1ms, whole: 1ms}";
    let place = Place::with("");
    let subjects = format!(
        "  mine: {{as: bot, game: royalur, command: [PROGRAM, bot, royalur], {budgets}}}\n  \
           ref:\n    as: referee\n    game: royalur\n    {budgets}\n    rolls: {{environment: URTEXT_ROLLS}}\n    \
           command: [PROGRAM, referee, royalur, --spectators, '{{spectators}}', --pace, '{{pace}}', --timeout, '{{timeout}}']\n"
    );
    let subjects = subjects.replace("PROGRAM", crate::harness::URTEXT);
    place.write("urtext.yaml", &format!("subjects:\n{subjects}"));
    place
}

const REFEREE: [&str; 4] = ["--suite", "royalur/referee/own-token", "--subject", "ref"];

#[test]
fn everything_is_told_and_no_budget_ends_the_game() {
    let place = hasty();
    place.run(&REFEREE).expect(3);
    let ran = place.run(&[&REFEREE[..], &["--debug"]].concat()).expect(0);
    let ran = ran.says("1 scenario: 1 passed");
    let told: Vec<_> = ran.stderr.lines().collect();
    let process = told[0].strip_prefix("ref runs as process ").unwrap();
    let (id, _) = process.split_once(';').unwrap();
    assert_eq!(
        told[1..3],
        [format!("  gdb -p {id}"), format!("  lldb -p {id}")]
    );
    assert!(told[3].starts_with(&format!("  py-spy dump --pid {id}")));
    assert!(
        told.iter().any(|line| line.starts_with("ref: ")),
        "{told:#?}"
    );
    assert!(
        told.iter().any(|line| line.contains("(first) > ")),
        "{told:#?}"
    );
    for line in ["spectator 1 < RETIRE", "spectator 1: closed by the referee"] {
        assert!(told.contains(&line), "{told:#?}");
    }
    let bot = [
        "--suite",
        "royalur/bot/first-seat",
        "--subject",
        "mine",
        "--debug",
    ];
    let ran = hasty().run(&bot).expect(0);
    ran.complains("mine has ended: exit status 0");
}

#[test]
fn a_failure_is_found_in_one_game() {
    let place = Place::new();
    let game = [
        "--suite",
        "royalur/referee/own-token",
        "--no-diagnosis",
        "--debug",
    ];
    let ran = place
        .run(&[&game[..], &faulty_referee("stacking")].concat())
        .expect(1);
    assert_eq!(
        ran.stderr.matches(" runs as process ").count(),
        1,
        "{ran:#?}"
    );
    ran.says("1 scenario: 0 passed, 1 failed");
}

#[test]
fn one_scenario_is_debugged() {
    let place = Place::new();
    let run = |args: &[&str]| place.run(&[&["--debug"], args].concat()).expect(2);
    let title = "--debug plays one game with a process, and this would be ";
    run(&["--suite", "royalur/bot", "--as", "bot", "--", "true"])
        .complains(&format!("{title}2"))
        .complains("name one scenario");
    run(&["--suite", "royalur/bot/first-seat"])
        .complains(&format!("{title}1 game in memory"))
        .complains("its command after `--as SIDE --`");
}
