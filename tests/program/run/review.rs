//! `urtext review`.

use std::fs;

use crate::harness::{Place, Ran, SCENARIOS, urtext_in};

const GOLDENS: [&str; 2] = ["snapshots/overshoot.txt", "snapshots/own-token.txt"];

/// A folder with two scenarios whose golden transcripts wait.
fn proposed() -> Place {
    let place = Place::new();
    for name in ["overshoot", "own-token"] {
        let path = format!("{SCENARIOS}/royalur/referee/{name}.yaml");
        place.write(
            &format!("scenarios/{name}.yaml"),
            &fs::read_to_string(path).unwrap(),
        );
    }
    place
        .run(&["--bless", "scenarios"])
        .expect(0)
        .says("2 proposed");
    place
}

/// `urtext review`, with these answers.
fn answered(place: &Place, args: &[&str], answers: &str) -> Ran {
    urtext_in(place.path(), &[&["review"], args].concat(), answers)
}

/// Which golden transcripts are there, and which wait.
fn there(place: &Place) -> Vec<String> {
    let files = place.files().into_iter();
    files.filter(|name| name.starts_with("snap")).collect()
}

#[test]
fn each_answer_does_what_it_says() {
    let place = proposed();
    answered(&place, &[], "what\ns\nq\n")
        .expect(0)
        .says("\novershoot: a new golden transcript, snapshots/overshoot.txt\n")
        .says("+ 1 1 1 1                 turn 1: first rolled 1 1 1 1 (ur/roll/same-for-all)\n")
        .says("0 accepted, 0 refused, 2 left");
    assert_eq!(there(&place), GOLDENS.map(|name| format!("{name}.new")));
    // The end of the answers leaves the rest as it is.
    answered(&place, &[], "a\n")
        .expect(0)
        .says("1 accepted, 0 refused, 1 left");
    assert_eq!(
        there(&place),
        [GOLDENS[0].to_owned(), format!("{}.new", GOLDENS[1])]
    );
    answered(&place, &[], "r\n")
        .expect(0)
        .says("0 accepted, 1 refused, 0 left");
    assert_eq!(there(&place), GOLDENS[..1]);
    place.run(&["--bless", "scenarios"]).expect(0);
    fs::remove_file(place.join(GOLDENS[0])).unwrap();
    place.run(&["--bless", "scenarios"]).expect(0);
    answered(&place, &[], "l\n").expect(0).says("2 accepted");
    assert_eq!(there(&place), GOLDENS);
    place.run(&["scenarios"]).expect(0);
}

#[test]
fn without_questions_all_is_refused() {
    let place = proposed();
    place
        .urtext(&["review", "--reject"])
        .expect(0)
        .says("0 accepted, 2 refused");
    assert!(there(&place).is_empty());
}

#[test]
fn the_check_fails_where_something_waits_or_has_no_scenario() {
    let place = proposed();
    place
        .urtext(&["review", "--check"])
        .expect(1)
        .says("waits for review: snapshots/overshoot.txt\n");
    place.urtext(&["review", "--accept"]).expect(0);
    let says = "golden transcripts: nothing waits for review\n";
    place.urtext(&["review", "--check"]).expect(0).says(says);
    fs::remove_file(place.join("scenarios/overshoot.yaml")).unwrap();
    // What is no golden transcript belongs to somebody else.
    place.write("snapshots/notes.txt", "mine\n");
    place
        .urtext(&["review", "--check"])
        .expect(1)
        .says("has no scenario: snapshots/overshoot.txt\n");
    place
        .urtext(&["review"])
        .expect(0)
        .says("1 golden transcript without a scenario; `--remove` removes them\n");
    place
        .urtext(&["review", "--remove"])
        .expect(0)
        .says("removed: snapshots/overshoot.txt\n");
    assert_eq!(there(&place), ["snapshots/notes.txt", GOLDENS[1]]);
}

#[test]
fn nothing_is_written_under_ci() {
    let place = proposed();
    for args in [&["review"][..], &["review", "--accept"]] {
        let output = place.command(args).env("CI", "true").output().unwrap();
        Ran::from(output).expect(2).complains("under CI");
    }
    let check = place
        .command(&["review", "--check"])
        .env("CI", "1")
        .output();
    Ran::from(check.unwrap()).expect(1);
}

#[test]
fn of_a_dialogue_each_change_is_taken_by_itself() {
    let place = Place::new();
    let steps = (1..=9)
        .map(|number| format!("  - bot sends: '{{any{number}}}'\n"))
        .collect::<String>();
    place.write(
        "s.yaml",
        &format!("scenario: s\ngame: lines\nsubject: bot\nparticipants: [bot]\nsteps:\n  - bot gets: hello\n{steps}"),
    );
    let play = |answers: &str| {
        let shell = format!("read -r line; printf '{answers}'");
        place.run(&[
            "s.yaml", "--game", "lines", "--bless", "--as", "bot", "--", "sh", "-c", &shell,
        ])
    };
    play("1\\n2\\n3\\n4\\n5\\n6\\n7\\n8\\n9\\n").expect(0);
    place.urtext(&["review", ".", "--accept"]).expect(0);
    play("one\\n2\\n3\\n4\\n5\\n6\\n7\\n8\\nnine\\n")
        .expect(0)
        .says("  - >9\n  + >nine\n");
    answered(&place, &["s.yaml"], "r\na\n")
        .expect(0)
        .says("accept change 1 of 2?")
        .says("1 accepted");
    let golden = place.read("s.golden.txt");
    assert!(
        golden.contains("\n>1\n>2\n") && golden.ends_with("\n>nine\n"),
        "{golden}"
    );
    assert!(!place.join("s.golden.txt.new").exists());
}

#[test]
fn a_proposal_that_is_broken_is_told_and_changes_nothing() {
    let place = proposed();
    place.write(
        "snapshots/overshoot.txt.new",
        "# urtext golden transcript 1\nhello\n",
    );
    place
        .urtext(&["review", "--accept"])
        .expect(2)
        .complains("snapshots/overshoot.txt.new:2:1");
    assert_eq!(there(&place), GOLDENS.map(|name| format!("{name}.new")));
}
