//! The catalogue of requirements: that nothing in it is without a check or a reason, and that it can be read from outside.

use urtext::pack;
use urtext::requirement::{Catalogue, Side};
use urtext::scenario::suite;

use crate::harness::urtext;

fn said(arguments: &[&str]) -> String {
    urtext(&[&["requirements"], arguments].concat())
        .expect(0)
        .stdout
}

fn with_suites() -> impl Iterator<Item = &'static Catalogue> {
    let names = suite::names();
    let has_suite = move |catalogue: &&Catalogue| {
        names
            .iter()
            .any(|name| name.split('/').next() == Some(&catalogue.protocol))
    };
    pack::catalogues().filter(has_suite)
}

/// That the games of a scenario put to the test what it claims, the honest row of the oracle holds: else it is inconclusive.
#[test]
fn every_requirement_is_checked_by_a_scenario_or_says_why_none_can() {
    let scenarios = suite::all().0;
    let checks = |id: &String| {
        let mut all = scenarios.iter().flat_map(|scenario| scenario.checks());
        all.any(|checked| checked == id)
    };
    let entries = with_suites().flat_map(|catalogue| &catalogue.requirements);
    let due = entries.filter(|entry| entry.unchecked.is_none());
    let bare: Vec<_> = due.filter(|entry| !checks(&entry.id)).collect();
    assert!(
        bare.is_empty(),
        "neither a scenario nor a reason: {bare:#?}"
    );
}

#[test]
fn a_catalogue_without_suites_and_only_such_a_one_has_another_judge() {
    let with: Vec<_> = with_suites().map(|catalogue| &catalogue.protocol).collect();
    for catalogue in pack::catalogues() {
        let has_suite = with.contains(&&catalogue.protocol);
        assert_ne!(
            has_suite,
            catalogue.judged.is_some(),
            "{}",
            catalogue.protocol
        );
    }
}

#[test]
fn a_scenario_checks_what_binds_the_side_under_test() {
    for scenario in suite::all().0 {
        let side = scenario.side();
        assert!(!scenario.checks().is_empty(), "{}", scenario.name);
        for id in scenario.checks() {
            let entry = pack::requirement(id).unwrap();
            assert!(
                entry.binds.contains(&side),
                "{} checks {id}, which does not bind its side",
                scenario.name
            );
        }
    }
}

#[test]
fn lists_every_requirement_once_with_level_and_number_of_scenarios() {
    let listed = said(&[]);
    for catalogue in pack::catalogues() {
        for entry in &catalogue.requirements {
            let start = format!("  {} ", entry.id);
            let lines: Vec<_> = listed
                .lines()
                .filter(|line| line.starts_with(&start))
                .collect();
            assert_eq!(lines.len(), 1, "{}", entry.id);
            assert!(
                lines[0].contains(&entry.level.to_string()) && lines[0].contains(&*entry.summary)
            );
        }
    }
}

#[test]
fn explains_one_with_its_sentence_and_the_scenarios_that_check_it() {
    let text = said(&["ur/extra-turn/cell-8"]);
    insta::with_settings!({snapshot_path => "../../snapshots/insta/requirements", prepend_module_to_snapshot => false}, {
        insta::assert_snapshot!("extra-turn-cell-8", text);
    });
}

#[test]
fn says_why_nothing_checks_a_requirement() {
    let checked = suite::all().0;
    let is_checked = |id: &str| {
        let mut scenarios = checked.iter();
        scenarios.any(|scenario| scenario.checks().contains(&id))
    };
    let listed = said(&[]);
    for catalogue in with_suites() {
        for entry in &catalogue.requirements {
            let start = format!("  {} ", entry.id);
            let mut lines = listed.lines().skip_while(|line| !line.starts_with(&start));
            let (row, below) = (lines.next().unwrap(), lines.next().unwrap_or_default());
            assert_eq!(row.contains("    -  "), !is_checked(&entry.id), "{row}");
            let reason = entry.unchecked.as_ref().filter(|_| !is_checked(&entry.id));
            assert_eq!(
                Some(below.trim()) == reason.map(|reason| &**reason),
                reason.is_some()
            );
        }
    }
}

#[test]
fn lists_a_group_and_what_a_side_keeps() {
    let group = said(&["ur/extra-turn"]);
    assert!(group.contains("ur/extra-turn/cell-4") && group.contains("ur/extra-turn/cell-14"));
    assert!(!group.contains("ur/roll/"));
    let royalur = said(&["--game", "royalur"]);
    for entry in pack::catalogues().flat_map(|catalogue| &catalogue.requirements) {
        let start = format!("  {} ", entry.id);
        let row = royalur.lines().find(|line| line.starts_with(&start));
        assert_eq!(row.is_some(), entry.id.starts_with("ur/"), "{}", entry.id);
        let Some(row) = row else { continue };
        let side = match entry.binds[..] {
            [Side::Bot] => "  bot  ",
            [Side::Referee] => "  referee  ",
            _ => "  both  ",
        };
        assert!(row.contains(side), "{row}");
    }
}

#[test]
fn says_what_puts_a_requirement_to_the_test() {
    let text = said(&["ur/capture/first-shared-cell"]);
    assert!(
        text.contains("what puts it to the test\n  line: a capture on cell 5\n"),
        "{text}"
    );
}

#[test]
fn suggests_the_id_that_was_meant() {
    for (arguments, told) in [
        (
            ["ur/extra-turn/cel-8"].as_slice(),
            "did you mean `ur/extra-turn/cell-8`?",
        ),
        (
            &["--game", "chess"],
            "possible values: royalur, hc-ur, onitama",
        ),
    ] {
        urtext(&[&["requirements"], arguments].concat())
            .expect(2)
            .complains(told);
    }
}
