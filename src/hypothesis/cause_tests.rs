use super::*;
use crate::diagnostic::Source;
use crate::finding::{Reaction, Symptom};
use crate::pack;
use crate::protocol::history;
use crate::rules::{Move, Seat};
use crate::scenario::{Alone, resolve};

const OBSERVED: &str = "a move came instead of a roll";

fn scenario() -> Arc<Scenario> {
    let text = "scenario: t\ngame: royalur\nsubject: referee\nchecks: [ur/roll/line]\nturns:\n  - first: 0 0 1 1 > 3\n";
    let (mut scenarios, _) = resolve(&Source::new("s.yaml", text.to_owned()), "s", &Alone);
    Arc::new(scenarios.pop().unwrap())
}

/// A failed game that this reading alone explains, if one does.
fn failure(reading: Option<&str>) -> Outcome {
    let mut finding = Finding::new(Verdict::Fail, OBSERVED);
    let mut readings = pack::game("royalur").unwrap().mistakes().whole().iter();
    finding.hypotheses = reading.map(|name| vec![readings.find(|row| row.name == name).unwrap()]);
    Outcome::new(&scenario()).with(finding)
}

/// The title and the note of the first failed game after all were held against each other.
fn explained(mut outcomes: Vec<Outcome>) -> (String, Option<String>) {
    let scenarios = vec![scenario(); outcomes.len()];
    let subjects = vec!["mine".to_owned(); outcomes.len()];
    explain(&scenarios, &subjects, &mut outcomes);
    let finding = outcomes[0].findings.remove(0);
    (finding.title, finding.supposition)
}

#[test]
fn what_explains_one_failure_of_many_is_a_possibility() {
    let cause = "the referee behaves as if the eighth cell gave no extra turn".to_owned();
    let of = |others: usize| {
        let mut failures = vec![failure(Some("no-extra-turn-8"))];
        failures.extend(std::iter::repeat_n(failure(None), others));
        explained(failures)
    };
    assert_eq!(of(0), (cause.clone(), None));
    assert_eq!(of(1), (cause, None));
    let (title, note) = of(2);
    assert_eq!(title, OBSERVED);
    let note = note.unwrap();
    let possible = "possibly the referee behaves as if the eighth cell gave no extra turn: only this failure fits";
    assert_eq!(note, possible);
}

#[test]
fn what_would_have_taken_a_legal_move_that_was_refused_is_no_cause() {
    let explains = || failure(Some("no-extra-turn-8"));
    let mut refused = failure(None);
    refused.history = history("first 2 > 3");
    refused.findings[0].symptom = Some(Symptom {
        reaction: Reaction::Loss,
        settled: 1,
        attempt: Some((Seat::First, Some(Move(3)))),
        lane_of: None,
        is_time_over: false,
        is_loss_silent: false,
    });
    let (title, _) = explained(vec![explains(), explains(), failure(None)]);
    assert!(title.contains("as if"), "{title}");
    let (title, note) = explained(vec![explains(), explains(), refused.clone()]);
    assert_eq!((title.as_str(), note), (OBSERVED, None));
    // The referee has a second mistake.
    refused.findings[0].hypotheses = failure(Some("no-extra-turn-4"))
        .findings
        .remove(0)
        .hypotheses;
    let (title, _) = explained(vec![explains(), explains(), refused]);
    assert!(title.contains("as if"), "{title}");
}

#[test]
fn what_only_crashes_of_a_bot_in_its_turn_show_is_no_cause() {
    let crash = || {
        let mut failure = failure(Some("no-extra-turn-8"));
        failure.findings[0].crashed_in_turn = true;
        failure
    };
    assert_eq!(
        explained(vec![crash(), crash()]),
        (OBSERVED.to_owned(), None)
    );
    let (title, _) = explained(vec![crash(), failure(Some("no-extra-turn-8"))]);
    assert!(title.contains("as if"), "{title}");
}
