//! The catalogue of requirements: that nothing in it is without a check or a reason, and that it can be read from outside.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use urtext::explore;
use urtext::pack;
use urtext::requirement::{Binds, Catalogue, Level};
use urtext::scenario::{Side, suite};

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

#[test]
fn every_requirement_is_put_to_the_test_by_a_scenario_or_says_why_none_can() {
    let mut exercised = BTreeSet::new();
    for scenario in suite::all().0.into_iter().map(Arc::new) {
        let shown = explore::exercised(&scenario);
        for id in scenario.checks() {
            assert!(
                shown.contains(id),
                "{} claims {id}, and never puts it to the test",
                scenario.name
            );
        }
        exercised.extend(shown);
    }
    let is_checked = |id: &str| exercised.contains(id);
    let mut bare = Vec::new();
    for catalogue in with_suites() {
        let open = catalogue
            .requirements
            .iter()
            .filter(|entry| entry.unchecked.is_none());
        bare.extend(
            open.map(|entry| entry.id.as_str())
                .filter(|id| !is_checked(id)),
        );
    }
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
        let side = if scenario.side() == Side::Bot {
            Binds::Bot
        } else {
            Binds::Referee
        };
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
                lines[0].contains(&entry.level.to_string()) && lines[0].contains(&entry.summary)
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
    let (_, checked) = (suite::names(), suite::all().0);
    let is_checked = |id: &str| {
        checked
            .iter()
            .any(|scenario| scenario.checks().contains(&id))
    };
    let listed = said(&["--unchecked"]);
    for catalogue in with_suites() {
        for entry in &catalogue.requirements {
            assert_eq!(
                listed.contains(&format!("  {} ", entry.id)),
                !is_checked(&entry.id),
                "{}",
                entry.id
            );
            if let Some(reason) = entry.unchecked.as_ref().filter(|_| !is_checked(&entry.id)) {
                assert!(listed.contains(reason), "{}", entry.id);
            }
        }
    }
}

#[test]
fn lists_a_group_and_what_a_side_keeps_at_a_level() {
    let group = said(&["ur/extra-turn"]);
    assert!(group.contains("ur/extra-turn/cell-4") && group.contains("ur/extra-turn/cell-14"));
    assert!(!group.contains("ur/roll/"));
    let bot = said(&["--game", "royalur", "--binds", "bot", "--level", "must"]);
    for entry in pack::catalogues().flat_map(|catalogue| &catalogue.requirements) {
        let is_meant = entry.id.starts_with("ur/")
            && entry.binds.contains(&Binds::Bot)
            && entry.level == Level::Must;
        assert_eq!(
            bot.contains(&format!("  {} ", entry.id)),
            is_meant,
            "{}",
            entry.id
        );
    }
}

#[test]
fn prints_json_with_everything_that_is_known() {
    let all: serde_json::Value = serde_json::from_str(&said(&["--json", "ur/retire"])).unwrap();
    let all = all.as_array().unwrap();
    assert!(all.len() > 1);
    for one in all {
        assert!(one["id"].as_str().unwrap().starts_with("ur/retire/"));
        assert_eq!(one["game"], "royalur");
        let is_quoted = !one["specification"].as_array().unwrap().is_empty();
        assert!(is_quoted || one["level"] == "unspecified", "{one}");
    }
}

#[test]
fn counts_the_scenarios_of_a_user_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.yaml");
    let text = "scenario: mine\ngame: royalur\nsubject: referee\nchecks: [ur/roll/heads]\nturns:\n  - first: 0 0 1 1 > 3\n";
    std::fs::write(&file, text).unwrap();
    let path = file.to_str().unwrap();
    let lists_it = |text: &str| text.lines().any(|line| line.trim() == path);
    assert!(Path::new(path).is_absolute());
    assert!(
        lists_it(&said(&["ur/roll/heads", "--scenarios", path])),
        "whole, as it was given"
    );
    assert!(!said(&["ur/roll/heads"]).contains("mine"));
    let all: serde_json::Value =
        serde_json::from_str(&said(&["ur/roll/heads", "--json", "--scenarios", path])).unwrap();
    assert!(
        all[0]["scenarios"]
            .as_array()
            .unwrap()
            .contains(&path.into())
    );
}

#[test]
fn a_claim_that_no_game_puts_to_the_test_does_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.yaml");
    let text = "scenario: mine\ngame: royalur\nsubject: referee\nattempts: 3\nchecks: [ur/move/not-echoed, ur/win/seven-out]\nturns:\n  - play: until mover can move\n  - mover: any\n";
    std::fs::write(&file, text).unwrap();
    let path = file.to_str().unwrap();
    assert!(said(&["ur/move/not-echoed", "--scenarios", path]).contains(path));
    assert!(!said(&["ur/win/seven-out", "--scenarios", path]).contains(path));
}

#[test]
fn says_what_puts_a_requirement_to_the_test() {
    let text = said(&["ur/capture/first-shared-cell"]);
    assert!(
        text.contains("what puts it to the test\n  line: a capture on cell 5\n"),
        "{text}"
    );
    let all: serde_json::Value =
        serde_json::from_str(&said(&["--json", "ur/retire/timeout"])).unwrap();
    assert_eq!(all[0]["exercised"], "time");
    assert!(all[0]["needs"].as_str().unwrap().contains("`silent`"));
}

#[test]
fn suggests_the_id_that_was_meant() {
    for (arguments, told) in [
        (
            ["ur/extra-turn/cel-8"].as_slice(),
            "did you mean `ur/extra-turn/cell-8`?",
        ),
        (&["--game", "chess"], "there are royalur, hc-ur, onitama"),
    ] {
        urtext(&[&["requirements"], arguments].concat())
            .expect(2)
            .complains(told);
    }
}
