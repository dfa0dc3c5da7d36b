//! The JUnit report: a test suite for each suite of scenarios, a test case for each scenario.

use std::io::{self, Write};
use std::time::Duration;

use chrono::DateTime;
use quick_junit::{
    FlakyOrRerun, NonSuccessKind, Report, TestCase, TestCaseStatus, TestRerun, TestSuite,
};

use super::attempts::AttemptResult;
use super::results::Results;
use super::scenario::{EXPECTED, ScenarioResult, Standing};
use crate::finding::Verdict;

/// Writes a report.
///
/// Scenarios that were not tested are skipped test cases, unless the reason is a flaky failure.
///
/// # Errors
/// Fails if the output fails.
pub(super) fn write(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    let mut report = Report::new("urtext");
    if let Some(began) = &results.run.began
        && let Ok(began) = DateTime::parse_from_rfc3339(began)
    {
        report.set_timestamp(began);
    }
    if let Some(end) = &results.end {
        report.set_time(time(end.seconds));
    }
    let mut suites: Vec<(&str, TestSuite)> = Vec::new();
    for scenario in &results.scenarios {
        let suite = scenario.suite();
        let at = suites.iter().position(|(name, _)| *name == suite);
        let at = at.unwrap_or_else(|| {
            suites.push((suite, TestSuite::new(suite)));
            suites.len() - 1
        });
        suites[at].1.add_test_case(case(scenario));
    }
    for (name, mut suite) in suites {
        let of_suite = results
            .scenarios
            .iter()
            .filter(|scenario| scenario.suite() == name);
        suite.set_time(time(of_suite.map(|scenario| scenario.seconds).sum()));
        report.add_test_suite(suite);
    }
    report.serialize(&mut *out).map_err(io::Error::other)?;
    out.write_all(b"\n")
}

fn time(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}

fn case(scenario: &ScenarioResult) -> TestCase {
    let mut case = TestCase::new(scenario.name.as_str(), status(scenario));
    case.set_classname(scenario.suite());
    case.set_time(time(scenario.seconds));
    case.add_property(("title", scenario.title.as_str()));
    case.add_property(("verdict", scenario.verdict.word()));
    if let Some(entry) = &scenario.expected {
        case.add_property((EXPECTED, entry.remark().as_str()));
    }
    if let Some(subject) = &scenario.subject {
        case.add_property(("subject", subject.name.as_str()));
    }
    for check in &scenario.checks {
        case.add_property((
            "requirement",
            format!("{} ({})", check.requirement, check.level).as_str(),
        ));
    }
    if let Some(cause) = scenario.cause() {
        case.add_property(("cause", cause.summary.as_str()));
    }
    if let Some(games) = scenario.failed_games() {
        case.add_property(("games", games.as_str()));
    }
    for choice in &scenario.open {
        let told = format!("{}: {}", choice.requirement, choice.seen);
        case.add_property(("open", told.as_str()));
    }
    if let Some(place) = &scenario.place {
        case.extra.insert("file".into(), place.file.as_str().into());
        case.extra
            .insert("line".into(), place.line.to_string().into());
    }
    if !scenario.stderr.is_empty() {
        case.set_system_err(scenario.stderr.as_str());
    }
    case
}

fn status(scenario: &ScenarioResult) -> TestCaseStatus {
    let reason = scenario.reason();
    let message = reason.map_or_else(
        || scenario.verdict.word().to_owned(),
        super::findings::FindingResult::headline,
    );
    let is_flaky = scenario.verdict == Verdict::Flaky;
    let kind = match (scenario.standing, scenario.verdict) {
        (Standing::Conforms, Verdict::Pass | Verdict::Lenient) => return TestCaseStatus::success(),
        (Standing::Conforms, Verdict::Flaky) if scenario.expected.is_none() => {
            let mut status = TestCaseStatus::success();
            let mut failed: Vec<_> = reruns(scenario).collect();
            if let (Some(first), Some(reason)) = (failed.first_mut(), reason) {
                first.set_description(scenario.told(reason));
            }
            status.add_reruns(failed);
            return status;
        }
        (Standing::Deviates, _) | (Standing::Open, Verdict::Flaky) => NonSuccessKind::Failure,
        (Standing::Broken, _) => NonSuccessKind::Error,
        (Standing::Open | Standing::Conforms, _) => {
            let mut status = TestCaseStatus::skipped();
            status.set_type(scenario.word()).set_message(message);
            return status;
        }
    };
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(scenario.word()).set_message(message);
    let findings = scenario.findings.iter();
    let texts: Vec<_> = findings.map(|finding| scenario.told(finding)).collect();
    if !texts.is_empty() {
        status.set_description(texts.join("\n\n"));
    }
    // The failure itself is the first game that failed.
    status.add_reruns(reruns(scenario).skip(usize::from(!is_flaky)));
    if is_flaky {
        status.set_rerun_kind(FlakyOrRerun::Flaky);
    }
    status
}

/// The games that failed.
fn reruns(scenario: &ScenarioResult) -> impl Iterator<Item = TestRerun> {
    scenario.games.iter().filter(|game| game.failed).map(rerun)
}

/// A game that failed: `flakyFailure`, or `rerunFailure` if no game passed.
fn rerun(game: &AttemptResult) -> TestRerun {
    let kind = match game.verdict {
        Verdict::Error => NonSuccessKind::Error,
        _ => NonSuccessKind::Failure,
    };
    let mut rerun = TestRerun::new(kind);
    rerun
        .set_time(time(game.seconds))
        .set_type(game.verdict.word())
        .set_message(game.headline());
    rerun
}
