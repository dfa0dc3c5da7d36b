//! `--bless`.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::harness::{Place, ROOT, Ran, SCENARIOS, faulty_referee};

const GOLDEN: &str = "snapshots/own-token.txt";

/// A folder with one scenario, as a user of the tool has it.
fn place() -> Place {
    let place = Place::new();
    let text = fs::read_to_string(format!("{SCENARIOS}/royalur/referee/own-token.yaml")).unwrap();
    place.write("scenarios/own-token.yaml", &text);
    place
}

fn shipped() -> String {
    let path = format!("{ROOT}/snapshots/royalur/referee/own-token.txt");
    fs::read_to_string(path).unwrap()
}

#[test]
fn writes_the_golden_transcript_and_leaves_it_alone_the_second_time() {
    let place = place();
    place
        .run(&["--bless", "scenarios"])
        .expect(0)
        .says("golden transcripts: 1 written, 0 unchanged\n");
    assert_eq!(place.read(GOLDEN), shipped());
    let path = place.path().join(GOLDEN);
    let written = fs::metadata(&path).unwrap();
    assert_eq!(written.permissions().mode() & 0o777, 0o644);
    let ran = place.run(&["--bless", "scenarios"]).expect(0);
    assert!(
        ran.stdout
            .contains("golden transcripts: 0 written, 1 unchanged\n"),
        "{ran:#?}"
    );
    assert_eq!(
        fs::metadata(&path).unwrap().modified().unwrap(),
        written.modified().unwrap()
    );
    place.run(&["scenarios"]).expect(0);
    assert_eq!(
        place.files(),
        ["scenarios/own-token.yaml", GOLDEN],
        "nothing is left beside it"
    );
}

#[test]
fn writes_a_golden_transcript_that_is_out_of_date_anew() {
    let place = place();
    place.write(GOLDEN, &shipped().replacen("RETIRE\n", "", 1));
    place
        .run(&["scenarios"])
        .expect(1)
        .says("the game differs from its golden transcript")
        .says("--bless writes it anew");
    place
        .run(&["--bless", "scenarios"])
        .expect(0)
        .says("written: snapshots/own-token.txt\n")
        .says("1 written");
    assert_eq!(place.read(GOLDEN), shipped());
}

#[test]
fn refuses_under_ci_and_runs_nothing() {
    let place = place();
    let output = place
        .command(&["run", "--bless", "scenarios"])
        .env("CI", "true")
        .output()
        .unwrap();
    let ran = Ran::from(output)
        .expect(2)
        .complains("goldens are not written under CI");
    assert_eq!(ran.stdout, "");
    assert_eq!(place.files(), ["scenarios/own-token.yaml"]);
}

#[test]
fn refuses_a_game_that_deviates() {
    let place = place();
    let args = [vec!["--bless", "scenarios"], faulty_referee("stacking")].concat();
    let ran = place.run(&args).expect(1);
    assert!(
        ran.stdout.contains("0 written, 0 unchanged, 1 not blessed"),
        "{ran:#?}"
    );
    assert_eq!(place.files(), ["scenarios/own-token.yaml"]);
}

#[test]
fn what_the_specification_leaves_open_does_not_get_into_a_golden_transcript() {
    for fault in ["tells-retired-player", "crlf-lines", "resets"] {
        let place = place();
        let args = [vec!["--bless", "scenarios"], faulty_referee(fault)].concat();
        place.run(&args).expect(0).says("1 written");
        assert_eq!(place.read(GOLDEN), shipped(), "{fault}");
    }
}

#[test]
fn a_file_that_cannot_be_written_keeps_no_other_from_being_written() {
    let place = place();
    let text = place.read("scenarios/own-token.yaml");
    place.write("scenarios/before.yaml", &text);
    // Nothing can be written where a folder is.
    place.write("rec/before.jsonl/taken", "");
    let ran = place
        .run(&["--bless", "--record", "rec", "scenarios"])
        .expect(3);
    let ran = ran
        .says("the recording cannot be written")
        .says("1 could not be played")
        .says("1 written");
    assert_eq!(place.read(GOLDEN), shipped(), "{ran:#?}");
    assert!(
        place
            .read("rec/own-token.jsonl")
            .contains("\"verdict\":\"pass\"")
    );
}
