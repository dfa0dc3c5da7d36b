//! Tries the known faults as explanations of what failed.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use super::explanation::{explanations, telling};
use super::faulty_games::play_mutants;
use crate::diagnostic::Setting;
use crate::engine::Run;
use crate::event::Outcome;
use crate::finding::Verdict;
use crate::peers;
use crate::rules::Game;
use crate::scenario::{Scenario, Side};

/// Enough for a mutant to show what it does.
const ANSWER: Duration = Duration::from_millis(1500);

/// An explanation of a failed outcome: the number of the outcome, and a note.
#[derive(Debug)]
pub struct Explanation {
    outcome: usize,
    note: String,
}

/// Returns the result of a diagnosis.
///
/// # Errors
/// The reason in a few words, if the diagnosis panics, breaks or is interrupted.
pub fn explanations_of(
    outcomes: &[Outcome],
    diagnosis: impl FnOnce(&[Outcome]) -> io::Result<Vec<Explanation>>,
) -> Result<Vec<Explanation>, String> {
    match catch_unwind(AssertUnwindSafe(|| diagnosis(outcomes))) {
        Ok(Ok(explanations)) => Ok(explanations),
        Ok(Err(error)) if error.kind() == io::ErrorKind::Interrupted => {
            Err("interrupted".to_owned())
        }
        Ok(Err(error)) => Err(format!("the run cannot begin: {error}")),
        Err(panic) => Err(format!(
            "an error in urtext itself: {}",
            panic_message(&*panic)
        )),
    }
}

/// Adds these explanations to the findings that no reading of the rules explains: what all games say is worth more than what a few do.
pub fn add_explanations(outcomes: &mut [Outcome], explanations: Vec<Explanation>) {
    for Explanation { outcome, note } in explanations {
        let failed = outcomes[outcome].failure_mut();
        if let Some(finding) = failed.filter(|finding| finding.cause().is_none()) {
            finding.notes.push(note);
        }
    }
}

/// The first line of a panic's message.
fn panic_message(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or(panic.downcast_ref::<&str>().copied());
    text.and_then(|text| text.lines().next())
        .unwrap_or("a panic without a message")
}

/// Returns which known fault explains a failure, for the failures that exactly one fault explains. `games` are the scenarios of
/// the outcomes, and `play` plays a run.
///
/// # Errors
/// Those of `play`.
pub async fn diagnose(
    games: &[Arc<Scenario>],
    outcomes: &[Outcome],
    play: &impl AsyncFn(Run) -> io::Result<Vec<Outcome>>,
) -> io::Result<Vec<Explanation>> {
    let mut explained = Vec::new();
    for side in [Side::Referee, Side::Bot] {
        let Some(game) = failing_game(games, outcomes, side) else {
            continue;
        };
        // A slow scenario would be as slow with every mutant.
        let is_meant = |number: &usize| {
            !games[*number].is_slow
                && games[*number].side() == side
                && games[*number].protocol().game_name() == game.name()
        };
        let numbers: Vec<_> = (0..outcomes.len()).filter(is_meant).collect();
        let looked_at = telling(numbers.iter().map(|&number| &outcomes[number]));
        let looked_at: Vec<_> = looked_at.into_iter().map(|place| numbers[place]).collect();
        let scenarios: Vec<_> = looked_at
            .iter()
            .map(|&number| Arc::clone(&games[number]))
            .collect();
        let mutants = play_mutants(
            &scenarios,
            peers::faults_of(game.name(), side),
            None,
            ANSWER,
            play,
        )
        .await?;
        let observed: Vec<_> = looked_at.iter().map(|&number| &outcomes[number]).collect();
        for (&outcome, faults) in looked_at.iter().zip(explanations(&observed, &mutants)) {
            let [fault] = faults[..] else { continue };
            let word = side.word();
            let does = match game.variants().iter().any(|row| row.name == fault.name) {
                true => format!("behaves as if {}", fault.summary),
                false => fault.summary.to_owned(),
            };
            let note = format!(
                "of all known faults one explains this: the {word} {does} (as `urtext {word} {} {} {}`)",
                game.name(),
                Setting::Fault,
                fault.name
            );
            explained.push(Explanation { outcome, note });
        }
    }
    Ok(explained)
}

/// The first game with built-in peers of which a scenario for that side failed.
fn failing_game(
    games: &[Arc<Scenario>],
    outcomes: &[Outcome],
    side: Side,
) -> Option<&'static dyn Game> {
    // What breaks no requirement, as a server that breaks off, no fault explains.
    let is_meant = |outcome: &Outcome| {
        let mut failed = outcome
            .findings
            .iter()
            .filter(|finding| finding.verdict == Verdict::Fail);
        failed.any(|finding| finding.requirement.is_some())
    };
    let failed = games
        .iter()
        .zip(outcomes)
        .filter(|(_, outcome)| is_meant(outcome));
    let of_side = failed.filter(|(scenario, _)| scenario.side() == side);
    of_side
        .filter_map(|(scenario, _)| Some(scenario.game()?.dialect.game()))
        .find(|game| peers::find(game.name()).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Finding;
    use crate::games::royalur::CodeColosseum;
    use crate::scenario::free_game;

    #[test]
    fn a_diagnosis_that_breaks_says_why() {
        let finding = Finding::new(Verdict::Fail, "the bot did not answer");
        let scenario = free_game(&CodeColosseum, 1);
        let mut outcomes = vec![Outcome::new(&scenario).with(finding)];
        let panicked = explanations_of(&outcomes, |_| panic!("index {} of no list\nand more", 3));
        assert_eq!(
            panicked.unwrap_err(),
            "an error in urtext itself: index 3 of no list"
        );
        let stopped = explanations_of(&outcomes, |_| Err(io::ErrorKind::Interrupted.into()));
        assert_eq!(stopped.unwrap_err(), "interrupted");
        let broken = explanations_of(&outcomes, |_| Err(io::Error::other("no threads")));
        assert_eq!(broken.unwrap_err(), "the run cannot begin: no threads");
        let found = Explanation {
            outcome: 0,
            note: "one fault explains this".to_owned(),
        };
        add_explanations(&mut outcomes, vec![found]);
        assert_eq!(outcomes[0].findings[0].notes, ["one fault explains this"]);
    }
}
