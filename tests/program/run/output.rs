//! Where what is said goes.

use std::process::{Command, Stdio};

use crate::harness::{Place, URTEXT, count, faulty_referee};

#[test]
fn results_go_to_standard_output_and_no_progress_is_shown_without_a_terminal() {
    let args = [
        vec!["--suite", "royalur/referee/own-token"],
        faulty_referee("stacking"),
    ]
    .concat();
    let ran = Place::new().run(&args).expect(1);
    let ran = ran.quietly();
    assert!(
        !ran.stdout.contains('\u{1b}'),
        "no colours in a pipe: {ran:#?}"
    );
    assert!(
        !ran.stdout.contains('\r'),
        "no progress in a pipe: {ran:#?}"
    );
}

#[test]
fn colours_can_be_had_in_a_pipe_and_be_refused() {
    let place = Place::new();
    let coloured_by = |variables: &[(&str, &str)], options: &[&str]| {
        let run = ["run", "--suite", "royalur/bot/first-seat"];
        let mut command = place.command(&[&run[..], options].concat());
        let output = command.envs(variables.iter().copied()).output().unwrap();
        String::from_utf8(output.stdout).unwrap().contains('\u{1b}')
    };
    let coloured = |variables: &[(&str, &str)]| coloured_by(variables, &[]);
    assert!(coloured(&[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&[]));
    assert!(!coloured(&[("NO_COLOR", "1")]));
    // Who writes it on the command line means it.
    assert!(coloured_by(&[("NO_COLOR", "1")], &["--color", "always"]));
    assert!(!coloured_by(
        &[("CLICOLOR_FORCE", "1")],
        &["--color", "never"]
    ));
}

#[test]
fn a_closed_pipe_on_standard_output_is_no_error() {
    let place = Place::new();
    let mut child = Command::new(URTEXT)
        .args(["run", "--suite", "royalur/bot"])
        .current_dir(place.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!said.contains("error"), "{said}");
}

#[test]
fn verbose_has_a_line_for_every_scenario_and_brief_only_for_what_did_not_pass() {
    let place = Place::new();
    let lines = |args: &[&str]| {
        place
            .run(args)
            .expect(0)
            .stdout
            .lines()
            .filter(|line| line.contains("pass "))
            .count()
    };
    assert_eq!(
        lines(&["--suite", "royalur/bot", "--verbose"]),
        count("royalur/bot")
    );
    assert_eq!(lines(&["--suite", "royalur/bot"]), 0);
}

#[test]
fn the_order_is_that_of_the_scenarios_whatever_ends_first() {
    let place = Place::new();
    let names = |jobs: &str| -> Vec<String> {
        let ran = place
            .run(&["--suite", "royalur", "-v", "--jobs", jobs])
            .expect(0);
        let lines = ran
            .stdout
            .lines()
            .filter(|line| line.trim_start().starts_with("pass"));
        lines
            .map(|line| line.split_whitespace().nth(1).unwrap().to_owned())
            .collect()
    };
    let many = names("40");
    assert_eq!(many, names("1"));
    // The cases of a file are in its order, and the files of a folder stand before the folders in it.
    let file = |name: &String| name.split('#').next().unwrap().to_owned();
    let files = many.iter().map(file);
    assert!(files.is_sorted_by_key(|file| (file.rsplit_once('/').unwrap().0.to_owned(), file)));
}

#[test]
fn the_shipped_suites_pass_against_the_built_in_peers() {
    let ran = Place::new().run(&[]).expect(0);
    let suites = urtext::scenario::suite::all().0;
    let fast = suites
        .iter()
        .filter(|scenario| !scenario.keys.is_slow)
        .count();
    assert!(
        fast < suites.len() && ran.stdout.contains(&format!("{fast} scenarios: ")),
        "{ran:#?}"
    );
    ran.quietly();
}
