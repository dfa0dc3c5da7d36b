use super::*;
use crate::diagnostic::Source;
use crate::finding::{Finding, Reaction, Symptom};
use crate::protocol::history;
use crate::rules::{Move, Seat};
use crate::scenario::{Alone, resolve};

const OBSERVED: &str = "a loss came instead of a move";

fn scenario() -> Arc<Scenario> {
    let text = "scenario: t\ngame: royalur\nsubject: referee\nchecks: [ur/roll/line]\nturns:\n  - first: 0 0 1 1 > 3\n";
    let (mut scenarios, _) = resolve(&Source::new("s.yaml", text.to_owned()), "s", &Alone);
    Arc::new(scenarios.pop().unwrap())
}

/// A failed game: a legal move that captures on the fifth cell was refused, or this came instead.
fn failure(reaction: Reaction) -> Outcome {
    let mut finding = Finding::new(Verdict::Fail, OBSERVED);
    let turns = "first 1 > 0, second 4 > 0, second 1 > 0, first 4 > 0";
    finding.symptom = Some(Symptom {
        reaction,
        settled: history(turns).len() - 1,
        attempt: Some((Seat::First, Some(Move(0)))),
        lane_of: None,
        is_time_over: false,
    });
    let mut outcome = Outcome::new(&scenario()).with(finding);
    outcome.history = history(turns);
    outcome
}

/// The title of the first failed game after all were held against each other.
fn explained(mut outcomes: Vec<Outcome>) -> String {
    let scenarios = vec![scenario(); outcomes.len()];
    let subjects = vec!["mine".to_owned(); outcomes.len()];
    explain(&scenarios, &subjects, &mut outcomes);
    outcomes[0].findings.remove(0).title.to_string()
}

#[test]
fn a_cause_explains_half_of_the_failures_that_can_show_one() {
    let of = |others: usize, crashes: usize| {
        let mut crash = failure(Reaction::End);
        crash.findings[0].symptom = None;
        let others = std::iter::repeat_n(failure(Reaction::Other), others);
        let others = others.chain(std::iter::repeat_n(crash, crashes));
        explained(
            [failure(Reaction::Loss)]
                .into_iter()
                .chain(others)
                .collect(),
        )
    };
    assert!(of(0, 0).contains("as if"), "{}", of(0, 0));
    assert_eq!(of(0, 0), of(1, 5));
    assert_eq!(of(2, 0), OBSERVED);
}

#[test]
fn a_requirement_that_rests_on_a_mistake_is_given_up_with_the_mistake() {
    let requirement = |reaction| {
        let mut outcome = failure(reaction);
        let finding = &mut outcome.findings[0];
        finding.requirement = Some("ur/capture/safe-cell");
        finding.plain = Some("ur/move/accepted");
        let mut outcomes = [outcome];
        explain(&[scenario()], &["mine".to_owned()], &mut outcomes);
        outcomes[0].findings[0].requirement
    };
    assert_eq!(requirement(Reaction::Other), Some("ur/move/accepted"));
    assert_ne!(requirement(Reaction::Loss), Some("ur/move/accepted"));
}

/// The causes that these suspects leave of so many failures, each with the failures that it explains, from 1.
fn causes_of(suspects: &[(&'static str, &[usize])], failures: usize) -> String {
    let suspect = |&(name, explained): &(&'static str, &[usize])| {
        let row: &Mistake = Box::leak(Box::new(Mistake::new(name, name, name)));
        (row, explained.to_vec())
    };
    let suspects = suspects.iter().map(suspect).collect();
    let causes = causes(suspects, (1..=failures).collect(), &[], |_, _| false);
    let named = causes.iter().map(|RunCause { rows, explained }| {
        let names: Vec<_> = rows.iter().map(|row| row.name).collect();
        format!("{}{explained:?}", names.join("|"))
    });
    named.collect::<Vec<_>>().join(" ")
}

#[test]
fn two_causes_explain_together_what_no_single_one_does() {
    let halves: [(_, &[_]); 3] = [("a", &[1, 2, 3]), ("b", &[4, 5, 6]), ("c", &[1, 4])];
    assert_eq!(causes_of(&halves, 7), "a[1, 2, 3] b[4, 5, 6]");
    assert_eq!(causes_of(&halves, 10), "", "too much is left");
    assert_eq!(causes_of(&halves[..1], 6), "a[1, 2, 3]");
    // The second explains one failure alone.
    let chance: [(_, &[_]); 2] = [("a", &[1, 2, 3]), ("b", &[3, 4])];
    assert_eq!(causes_of(&chance, 5), "a[1, 2, 3]");
    assert_eq!(causes_of(&chance, 7), "");
}
