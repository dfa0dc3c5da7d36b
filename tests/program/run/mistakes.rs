//! Mistakes in the rules that explain failures, over all games of a run.

use crate::harness::{Place, Ran, faulty};

/// Plays scenarios of the referee's suite against the built-in referee with this fault.
fn play(place: &Place, scenarios: &[&str], fault: &str) -> Ran {
    let suites = scenarios
        .iter()
        .flat_map(|name| ["--suite".to_owned(), format!("royalur/referee{name}")]);
    let suites: Vec<_> = suites.collect();
    let mut args: Vec<_> = suites.iter().map(String::as_str).collect();
    args.extend(["--no-gate", "--report", "json=run.jsonl"]);
    if !fault.is_empty() {
        args.extend(faulty("referee", "royalur", fault));
    }
    place.run(&args)
}

/// The lines of the JSON report.
fn report(place: &Place) -> Vec<serde_json::Value> {
    let report = std::fs::read_to_string(place.path().join("run.jsonl")).unwrap();
    let lines = report.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().unwrap()
}

#[test]
fn games_that_pass_refute_what_a_failure_alone_leaves_open() {
    let place = Place::new();
    let consistent = |scenarios: &[&str]| {
        play(&place, scenarios, "cell-8-capturable").expect(1);
        let end = report(&place).pop().unwrap();
        let mistakes = end["mistakes"][0]["mistakes"].as_object().unwrap();
        assert_eq!(mistakes["cell-8-capturable"], "consistent");
        let states = mistakes.values();
        states.filter(|state| *state == "consistent").count()
    };
    let alone = consistent(&["/second-player-wins"]);
    let with_others = consistent(&["/second-player-wins", "/first-player-wins", "/overshoot"]);
    assert!(with_others < alone, "{alone} {with_others}");
}

#[test]
fn a_reading_that_explains_every_failure_is_the_cause() {
    let place = Place::new();
    let said = play(&place, &[""], "no-extra-turn-8").expect(1).stdout;
    let cause = "the referee behaves as if the eighth cell gave no extra turn";
    let line = said.lines().find(|line| line.starts_with(cause)).unwrap();
    let explained = line.split_once("this explains ").unwrap().1;
    let explained: usize = explained.split(' ').next().unwrap().parse().unwrap();
    assert!(explained >= 22, "{line}");
    let all = format!("this explains {explained} of {explained} failures, and fits all ");
    assert!(line.contains(&all), "{line}");
    // The finding that shows the cause comes first, then the cause; how many others fit is for `-v`.
    assert!(
        said.find("\nfail[") < said.find(&format!("\n{line}")),
        "{said}"
    );
    assert!(!said.contains("known mistakes"), "{said}");
    let lines = report(&place);
    let caused = lines
        .iter()
        .filter(|line| line["findings"][0]["mistakes"][0]["name"] == "no-extra-turn-8");
    let caused: Vec<_> = caused.collect();
    assert_eq!(caused.len(), explained);
    for scenario in caused {
        let finding = &scenario["findings"][0];
        assert_eq!(finding["title"], cause);
        assert_ne!(finding["observed"], cause);
    }
    let end = lines.last().unwrap();
    let mistakes = end["mistakes"][0]["mistakes"].as_object().unwrap();
    let told = &end["mistakes"][0]["causes"][0];
    assert_eq!(told["mistakes"][0]["name"], "no-extra-turn-8");
    assert_eq!(told["explains"].as_array().unwrap().len(), explained);
    // Every report made of it says the same.
    for format in ["markdown", "html"] {
        let page = place.path().join("page");
        let page = page.to_str().unwrap();
        let args = ["report", format, "run.jsonl", "--output", page];
        let made = place
            .urtext(&args[..if format == "html" { 5 } else { 3 }])
            .expect(0);
        let text = match format {
            "html" => std::fs::read_to_string(place.path().join("page/index.html")).unwrap(),
            _ => made.stdout,
        };
        assert!(text.contains(line), "{format}: {text}");
    }
    let junit = place
        .urtext(&["report", "junit", "run.jsonl"])
        .expect(0)
        .stdout;
    let property = "<property name=\"cause\" value=\"the eighth cell gave no extra turn\"/>";
    assert_eq!(junit.matches(property).count(), explained);
    assert_eq!(mistakes["no-extra-turn-4"], "refuted");
    assert_eq!(mistakes["no-extra-turn-8"], "consistent");
}

#[test]
fn without_a_diagnosis_every_title_is_what_was_seen() {
    let place = Place::new();
    let args = ["--report", "json=run.jsonl", "--no-diagnosis"];
    let subject = faulty("referee", "royalur", "no-extra-turn-8");
    let said = place.run(&[&args[..], &subject].concat()).expect(1).stdout;
    assert!(said.contains("\nfail["), "{said}");
    assert!(!said.contains("as if"), "{said}");
    for line in report(&place) {
        let text = line.to_string();
        assert!(
            !text.contains("as if") && !text.contains("\"cause\""),
            "{text}"
        );
    }
}

#[test]
fn a_fault_of_the_protocol_is_no_reading_of_the_rules() {
    let place = Place::new();
    for fault in [
        "skip-not-shown",
        "rerolls-extra-turn",
        "ignores-illegal-move",
    ] {
        let said = play(&place, &[""], fault).expect(1).stdout;
        assert!(!said.contains("behaves as if"), "{fault}: {said}");
    }
}

#[test]
fn a_conforming_referee_believes_in_no_reading_and_the_untested_ones_are_named() {
    let place = Place::new();
    let said = play(&place, &[""], "").stdout;
    assert!(!said.contains("behaves as if"), "{said}");
    assert!(!said.contains("fit the failures"), "{said}");
    assert!(!said.contains("known mistakes"), "{said}");
    let part = place.run(&["--suite", "royalur/referee/overshoot", "-v"]);
    part.expect(0)
        .says("  captured-is-out: a captured token was out of the game");
}
