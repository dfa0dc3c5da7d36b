use super::super::MistakeResult;
use super::super::findings::FindingResult;
use super::super::results::Results;
use super::super::scenario::{Check, ScenarioResult, SubjectResult};
use super::super::status::Status;
use super::*;
use crate::finding::Verdict;
use crate::requirement::Level;

const ID: &str = "ur/roll/line";

fn read(entries: &str) -> Result<Baseline, String> {
    let text = format!("failures:\n{entries}");
    let source = Source::new(Baseline::NAME, text);
    Baseline::read(source).map_err(|faults| faults.draw(Paint::Plain))
}

fn result(name: &str, verdict: Verdict, title: &str) -> ScenarioResult {
    let finding = FindingResult {
        verdict,
        title: title.to_owned(),
        requirement: Some(ID.to_owned()),
        level: Some(Level::Must),
        ..FindingResult::default()
    };
    ScenarioResult {
        name: name.to_owned(),
        verdict,
        standing: Status::of(verdict),
        subject: Some(SubjectResult {
            name: "mine".to_owned(),
            side: "referee".to_owned(),
            place: None,
        }),
        checks: vec![Check {
            requirement: ID.to_owned(),
            level: Level::Must,
        }],
        findings: (!title.is_empty()).then_some(finding).into_iter().collect(),
        ..ScenarioResult::default()
    }
}

fn results(scenarios: Vec<ScenarioResult>) -> Results {
    Results::new("run", String::new(), 0, scenarios)
}

/// Judges results on 2026-11-23, and returns the word and the standing of each, and the titles of what no longer holds.
fn judged(entries: &str, results: &mut Results) -> (Vec<(&'static str, Status)>, Vec<String>) {
    let today = NaiveDate::from_ymd_opt(2026, 11, 23).unwrap();
    read(entries).unwrap().judge(results, today);
    let standings = results.scenarios.iter();
    let standings = standings.map(|result| (result.word(), result.standing));
    let findings = results.scenarios.iter().flat_map(|result| &result.findings);
    let stale = findings.filter(|finding| finding.text.starts_with("error[baseline/"));
    let stale = stale.map(|finding| finding.title.clone());
    (standings.collect(), stale.collect())
}

#[test]
fn each_verdict_is_held_against_the_entry() {
    use Status::{Broken, Conforms, Deviates, Open};
    let a = "  - scenario: a\n    reason: no roll\n";
    let with = |more: &str| format!("{a}    {more}\n");
    let pass = "the known failure did not occur";
    let old = "this entry expired on 2026-11-22";
    let other = "the scenario fails for another reason than this entry expects";
    for (entry, verdict, title, expected, stale) in [
        (
            a.to_owned(),
            Verdict::Fail,
            "no roll",
            ("expected", Conforms),
            None,
        ),
        (
            a.to_owned(),
            Verdict::Fail,
            "no move",
            ("fail", Deviates),
            Some(other),
        ),
        (
            a.to_owned(),
            Verdict::Pass,
            "",
            ("unexpected pass", Deviates),
            Some(pass),
        ),
        (
            a.to_owned(),
            Verdict::Lenient,
            "",
            ("lenient", Deviates),
            Some(pass),
        ),
        (
            a.to_owned(),
            Verdict::Flaky,
            "no roll",
            ("flaky", Open),
            None,
        ),
        (
            a.to_owned(),
            Verdict::Skipped,
            "no roll",
            ("skipped", Open),
            None,
        ),
        (
            a.to_owned(),
            Verdict::Unsupported,
            "no roll",
            ("unsupported", Open),
            None,
        ),
        (
            a.to_owned(),
            Verdict::Inconclusive,
            "no roll",
            ("inconclusive", Open),
            None,
        ),
        (
            a.to_owned(),
            Verdict::Error,
            "no roll",
            ("error", Broken),
            None,
        ),
        (
            with("flaky: true"),
            Verdict::Pass,
            "",
            ("pass", Conforms),
            None,
        ),
        (
            with("flaky: true"),
            Verdict::Fail,
            "no roll",
            ("expected", Conforms),
            None,
        ),
        (
            with("flaky: true"),
            Verdict::Flaky,
            "no roll",
            ("expected", Conforms),
            None,
        ),
        (
            with("flaky: true"),
            Verdict::Fail,
            "no move",
            ("fail", Deviates),
            Some(other),
        ),
        (
            with("expires: 2026-11-23"),
            Verdict::Fail,
            "no roll",
            ("expected", Conforms),
            None,
        ),
        (
            with("expires: 2026-11-22"),
            Verdict::Fail,
            "no roll",
            ("fail", Deviates),
            Some(old),
        ),
        (
            with("expires: 2026-11-22"),
            Verdict::Pass,
            "",
            ("unexpected pass", Deviates),
            Some(pass),
        ),
        (
            with("expires: 2026-11-22"),
            Verdict::Error,
            "no roll",
            ("error", Broken),
            None,
        ),
        (
            with("subject: mine"),
            Verdict::Fail,
            "no roll",
            ("expected", Conforms),
            None,
        ),
        (
            with("subject: other"),
            Verdict::Fail,
            "no roll",
            ("fail", Deviates),
            None,
        ),
        (
            a.replace("no roll", "'no r*'"),
            Verdict::Fail,
            "no roll",
            ("expected", Conforms),
            None,
        ),
        (
            a.replace("no roll", "o rol"),
            Verdict::Fail,
            "no roll",
            ("fail", Deviates),
            Some(other),
        ),
        (
            a.replace("no roll", ID),
            Verdict::Fail,
            "no roll",
            ("expected", Conforms),
            None,
        ),
        (
            a.replace(": a", ": b"),
            Verdict::Fail,
            "no roll",
            ("fail", Deviates),
            None,
        ),
    ] {
        let mut results = results(vec![result("a", verdict, title)]);
        let found = judged(&entry, &mut results);
        let stale = stale.map(str::to_owned).into_iter().collect();
        assert_eq!(found, (vec![expected], stale), "{entry}{verdict:?} {title}");
    }
}

#[test]
fn a_pass_that_is_not_expected_names_the_lines_to_delete() {
    let mut results = results(vec![
        result("a", Verdict::Pass, ""),
        result("b", Verdict::Fail, "no roll"),
    ]);
    let entry = "  - scenario: a\n    reason: no roll\n";
    let (standings, stale) = judged(entry, &mut results);
    assert_eq!(standings[0], ("unexpected pass", Status::Deviates));
    assert_eq!(stale.len(), 1);
    let [finding] = &results.scenarios[0].findings[..] else {
        panic!("{results:?}");
    };
    let place = finding.place.as_ref().unwrap();
    assert_eq!((place.line, place.end_line), (2, 3));
    let lines = "delete lines 2 to 3 of urtext-baseline.yaml";
    assert!(finding.text.contains(lines), "{}", finding.text);
}

/// Appends to a file what these results lack; the text, and the number of entries that were added.
fn appended(text: &str, scenarios: Vec<ScenarioResult>) -> Result<(String, usize), &'static str> {
    let mut baseline = match text {
        "" => Baseline::empty(Path::new(Baseline::NAME)),
        text => Baseline::read(Source::new(Baseline::NAME, text)).unwrap(),
    };
    let added = baseline.append(&results(scenarios));
    let added = added.map_err(|fault| fault.code())?;
    Ok((baseline.text().to_owned(), added))
}

#[test]
fn new_failures_are_appended_with_the_requirement_as_their_reason() {
    let text = "\
# Issues of our referee
failures:
    # The oldest one
    - scenario: a    # not flaky
      reason: no roll
      expires: 2001-01-01

    - {scenario: b, reason: no roll}
    # The end";
    let mut inferred = result("f", Verdict::Fail, "the referee has no dice");
    inferred.findings[0].mistakes = vec![MistakeResult {
        name: "no-dice".to_owned(),
        summary: "there were no dice".to_owned(),
    }];
    inferred.findings[0].observed = Some("no roll".to_owned());
    let mut without = result("h", Verdict::Fail, "'no': end");
    without.findings[0].requirement = None;
    let played = || {
        vec![
            result("a", Verdict::Fail, "no roll"),
            result("b", Verdict::Pass, ""),
            result("e", Verdict::Fail, "no move"),
            result("e", Verdict::Fail, "no move"),
            inferred.clone(),
            result("g", Verdict::Error, "no start"),
            without.clone(),
        ]
    };
    let added = "
    - scenario: e
      subject: mine
      reason: ur/roll/line
    - scenario: f
      subject: mine
      reason: ur/roll/line
    - scenario: h
      subject: mine
      reason: '''no'': end'
";
    let longer = format!("{text}{added}");
    assert_eq!(appended(text, played()), Ok((longer.clone(), 3)));
    assert_eq!(appended(&longer, played()), Ok((longer.clone(), 0)));
    let (new, _) = appended("", vec![result("e", Verdict::Fail, "x")]).unwrap();
    assert_eq!(
        new,
        "failures:\n  - scenario: e\n    subject: mine\n    reason: ur/roll/line\n"
    );
}

#[test]
fn what_was_seen_is_a_reason_as_well_as_what_is_inferred() {
    let mut inferred = result("a", Verdict::Fail, "the referee has no dice");
    inferred.findings[0].observed = Some("no roll".to_owned());
    for reason in ["no roll", "the referee has no dice", ID] {
        let entry = format!("  - scenario: a\n    reason: {reason}\n");
        let (standings, stale) = judged(&entry, &mut results(vec![inferred.clone()]));
        assert_eq!(standings, [("expected", Status::Conforms)], "{reason}");
        assert!(stale.is_empty());
    }
}

#[test]
fn a_file_whose_end_takes_no_entry_stays_as_it_is() {
    for text in [
        "failures: []\n",
        "failures: [{scenario: a, reason: x}]\n",
        "failures:\n  [{scenario: a,\n    reason: x}]\n",
    ] {
        let failed = vec![result("b", Verdict::Fail, "no roll")];
        assert_eq!(appended(text, failed), Err("baseline/layout"), "{text}");
    }
}
