//! The JUnit report: a test suite for each suite of scenarios, a test case for each scenario.

use std::io::{self, Write};
use std::iter;
use std::time::Duration;

use chrono::DateTime;
use quick_junit::{
    FlakyOrRerun, NonSuccessKind, Report, TestCase, TestCaseStatus, TestRerun, TestSuite,
};

use super::finding::grouped;
use super::findings::FindingResult;
use super::results::{Observed, Results};
use super::scenario::{EXPECTED, Expectation, ScenarioResult};
use super::status::Status;
use crate::event::GameSummary;
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
    for scenarios in grouped(results.scenarios.iter(), |scenario| scenario.suite()) {
        let mut suite = TestSuite::new(scenarios[0].suite());
        suite.set_time(time(
            scenarios.iter().map(|scenario| scenario.seconds).sum(),
        ));
        suite.add_test_cases(scenarios.into_iter().map(case));
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
    let text = |text: &str| Some(text.to_owned());
    let subject = scenario.subject.as_ref();
    let expected = scenario.expected.as_ref();
    let one = [
        ("title", text(&scenario.title)),
        ("verdict", text(scenario.verdict.word())),
        (EXPECTED, expected.map(Expectation::remark)),
        ("subject", subject.map(|subject| subject.name.clone())),
        ("cause", scenario.cause().map(|cause| cause.summary.clone())),
        ("games", scenario.failed_games()),
    ];
    let one = one
        .into_iter()
        .filter_map(|(key, value)| Some((key, value?)));
    let checks = scenario.checks.iter().map(|check| {
        let (id, level) = (&check.requirement, check.level);
        ("requirement", format!("{id} ({level})"))
    });
    let open = Observed::ledger(iter::once(scenario)).into_iter();
    let open = open.map(|one| ("open", format!("{}: {}", one.requirement, one.seen)));
    for (key, value) in one.chain(checks).chain(open) {
        case.add_property((key, value.as_str()));
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
    let verdict = || scenario.verdict.word().to_owned();
    let message = scenario
        .reason()
        .map_or_else(verdict, FindingResult::headline);
    let is_flaky = scenario.verdict == Verdict::Flaky;
    let texts = scenario
        .findings
        .iter()
        .map(|finding| scenario.in_full(finding));
    let text = texts.collect::<Vec<_>>().join("\n\n");
    let kind = match (scenario.standing, scenario.verdict) {
        (Status::Conforms, Verdict::Pass | Verdict::Lenient) => return TestCaseStatus::success(),
        (Status::Conforms, Verdict::Flaky) if scenario.expected.is_none() => {
            let mut status = TestCaseStatus::success();
            let mut failed: Vec<_> = scenario.failures().map(rerun).collect();
            if let Some(first) = failed.first_mut() {
                first.set_description(text);
            }
            status.add_reruns(failed);
            return status;
        }
        (Status::Deviates, _) | (Status::Open, Verdict::Flaky) => NonSuccessKind::Failure,
        (Status::Open | Status::Conforms, _) => {
            let mut status = TestCaseStatus::skipped();
            status.set_type(scenario.word()).set_message(message);
            return status;
        }
        _ => NonSuccessKind::Error,
    };
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(scenario.word()).set_message(message);
    if !text.is_empty() {
        status.set_description(text);
    }
    // The failure itself is the first game that failed.
    let failed = scenario.failures().skip(usize::from(!is_flaky));
    status.add_reruns(failed.map(rerun));
    if is_flaky {
        status.set_rerun_kind(FlakyOrRerun::Flaky);
    }
    status
}

/// A game that failed: `flakyFailure`, or `rerunFailure` if no game passed.
fn rerun(game: &GameSummary) -> TestRerun {
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
