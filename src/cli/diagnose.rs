//! Tries the known faults as explanations of what failed.

use std::sync::Arc;
use std::time::Duration;

use super::interrupt::Interrupt;
use super::mutants::{faults_of, play_mutants};
use crate::event::{Outcome, Verdict};
use crate::games::Game;
use crate::mutation::{explanations, telling};
use crate::peers;
use crate::scenario::{Scenario, Side};

/// Enough for a mutant to show what it does.
const ANSWER: Duration = Duration::from_millis(1500);

/// Adds to findings which known fault explains them, where there is one. `games` are the scenarios of the outcomes.
pub(super) async fn diagnose(games: &[Arc<Scenario>], outcomes: &mut [Outcome], interrupt: &Interrupt) {
    for side in [Side::Referee, Side::Bot] {
        let Some(game) = failing_game(games, outcomes, side) else { continue };
        // A slow scenario would be as slow with every mutant.
        let is_meant = |number: &usize| {
            !games[*number].is_slow
                && games[*number].side == side
                && games[*number].dialect.game().name() == game.name()
        };
        let numbers: Vec<_> = (0..outcomes.len()).filter(is_meant).collect();
        let looked_at = telling(numbers.iter().map(|&number| &outcomes[number]));
        let looked_at: Vec<_> = looked_at.into_iter().map(|place| numbers[place]).collect();
        let scenarios: Vec<_> = looked_at.iter().map(|&number| Arc::clone(&games[number])).collect();
        // A run that is interrupted has said what it had to say.
        let Ok(mutants) =
            play_mutants(&scenarios, faults_of(game.name(), side), None, ANSWER, interrupt).await
        else {
            return;
        };
        let observed: Vec<_> = looked_at.iter().map(|&number| &outcomes[number]).collect();
        let explained = explanations(&observed, &mutants);
        for (&number, faults) in looked_at.iter().zip(explained) {
            let [fault] = faults[..] else { continue };
            let word = side.word();
            let does = match game.variants().iter().any(|row| row.name == fault.name) {
                true => format!("behaves as if {}", fault.summary),
                false => fault.summary.to_owned(),
            };
            let findings = &mut outcomes[number].findings;
            let Some(finding) = findings.iter_mut().find(|finding| finding.verdict == Verdict::Fail) else {
                continue;
            };
            let note = format!(
                "of all known faults one explains this: the {word} {does} (as `urtext {word} {} --fault {}`)",
                game.name(),
                fault.name
            );
            // The judge may have found it out by the rules alone.
            if !finding.title.contains(fault.summary) {
                finding.notes.push(note);
            }
        }
    }
}

/// The first game with built-in peers of which a scenario for that side failed.
fn failing_game(games: &[Arc<Scenario>], outcomes: &[Outcome], side: Side) -> Option<&'static dyn Game> {
    let failed = games.iter().zip(outcomes).filter(|(_, outcome)| outcome.verdict == Verdict::Fail);
    let of_side = failed.filter(|(scenario, _)| scenario.side == side);
    of_side.map(|(scenario, _)| scenario.dialect.game()).find(|game| peers::find(game.name()).is_some())
}
