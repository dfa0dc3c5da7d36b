//! What is written of a failed game: the shortest game, the whole one, a scenario that waits for the failure, or the recording.

use std::io;
use std::path::Path;

use super::FailedGame;
use super::written::{UNWRITTEN, Written, file_name, keep_recording};
use crate::config::Subject;
use crate::explore::trials::Trials;
use crate::explore::{Explorer, Script};
use crate::hypothesis::{self, Ledger};
use crate::scenario::{Scenario, Side};

impl FailedGame {
    /// Shrinks the failure if its rolls can be forced, with at most `tries` games, and writes the scenario. A
    /// scenario whose file does not fail is dropped; if all are, the game's recording is kept.
    pub(in crate::explore) async fn settle(
        &mut self,
        trials: &Trials,
        explorer: &Explorer,
        folder: &Path,
        tries: usize,
    ) {
        let mut ledger = explorer.ledger().clone();
        let told = self
            .write_down(trials, explorer, &mut ledger, folder, tries)
            .await;
        hypothesis::explain_failure(&ledger, &self.planned.scenario, &mut self.outcome);
        if let Some((told, script)) = told {
            let known = self.infer(&told, &ledger, &script);
            for written in &mut self.written {
                written.shortest =
                    known.map(|known| written.turns.map_or(known, |turns| turns.min(known)));
            }
        }
        if self
            .written
            .iter()
            .any(|written| written.missing_capability.is_none())
        {
            return;
        }
        let Some(recording) = trials.recording_of(&self.planned.scenario.name) else {
            return;
        };
        let name = file_name(self.requirement());
        match keep_recording(&recording, folder, &name) {
            Ok(path) => self.recording = Some(path),
            Err(error) => self.unwritten = Some(error.to_string()),
        }
    }

    /// Writes the scenarios of the failure. Returns the game by which a reading told it, with the script of this one; the ledger learns from the
    /// games that are played for it.
    async fn write_down(
        &mut self,
        trials: &Trials,
        explorer: &Explorer,
        ledger: &mut Ledger,
        folder: &Path,
        tries: usize,
    ) -> Option<(FailedGame, Script)> {
        let Some(script) = Script::of(&self.planned.scenario, &self.outcome) else {
            self.unwritten =
                Some("the game broke off before it was known how it starts".to_owned());
            return None;
        };
        let requirement = self.requirement();
        let name = file_name(requirement);
        let Some(scenario) = script.scenario(&name, requirement) else {
            self.unwritten = Some(UNWRITTEN.to_owned());
            return None;
        };
        let missing_capability = missing_capability(&trials.subject, &scenario);
        let told = if tries > 0 && missing_capability.is_none() {
            self.told_by_a_reading(trials, ledger, &script, tries).await
        } else {
            None
        };
        if let Some(told) = &told
            && let Ok(Some(written)) = self.keep_told(told, trials, folder, &script, tries).await
        {
            self.written = vec![written];
        }
        if !self.written.is_empty() {
            return told.map(|told| (told, script));
        }
        let whole = script.clone();
        let written = if tries == 0 {
            let written = self.write_game(folder, &name, &script, requirement);
            written.map(|written| {
                vec![Written {
                    missing_capability,
                    ..written
                }]
            })
        } else if script.side() == Side::Bot {
            self.settle_bot(trials, explorer, script, folder, tries)
                .await
        } else if missing_capability.is_none() {
            self.settle_referee(trials, explorer, script, folder, tries)
                .await
        } else {
            self.wait_for(trials, explorer, &script, folder, &name, tries)
                .await
                .and_then(|mut all| {
                    let written =
                        self.write_game(folder, &format!("{name}-forced"), &script, requirement)?;
                    all.push(Written {
                        missing_capability,
                        ..written
                    });
                    Ok(all)
                })
        };
        match written {
            Ok(written) => self.written = written,
            Err(error) => self.unwritten = Some(error.to_string()),
        }
        told.map(|told| (told, whole))
    }

    /// Writes the shortest game in which the referee fails; where none is known, the whole game; where that does not fail again, a scenario that
    /// waits for what failed.
    async fn settle_referee(
        &self,
        trials: &Trials,
        explorer: &Explorer,
        script: Script,
        folder: &Path,
        tries: usize,
    ) -> io::Result<Vec<Written>> {
        let (requirement, name) = (self.requirement(), file_name(self.requirement()));
        let shortest = self.shortest_of_referee(trials, &script, tries).await;
        let shortest = shortest.filter(|shortest| shortest.length() < script.length());
        for game in [
            shortest,
            Some(script.clone()),
            Some(script.with_turns_after()),
        ]
        .into_iter()
        .flatten()
        {
            if let Some(written) = self
                .keep_game(trials, folder, &name, (&game, &script), requirement)
                .await?
            {
                return Ok(vec![written]);
            }
        }
        // Not all that was done is part of a game's turns.
        self.wait_for(trials, explorer, &script, folder, &name, tries)
            .await
    }

    /// Writes the shortest game in which the bot fails; where none is known, the whole game; where that does not fail again, a scenario that waits
    /// for what failed.
    async fn settle_bot(
        &self,
        trials: &Trials,
        explorer: &Explorer,
        script: Script,
        folder: &Path,
        tries: usize,
    ) -> io::Result<Vec<Written>> {
        let whole = (script.clone(), self.requirement());
        let shortest = match self.in_a_skipped_turn(trials, &script).await {
            Some(clearer) => {
                let shown = Script::of(&clearer.planned.scenario, &clearer.outcome);
                clearer
                    .shortest_of_bot(trials, shown.unwrap_or_else(|| script.clone()), tries)
                    .await
            }
            None => self.shortest_of_bot(trials, script.clone(), tries).await,
        };
        let shortest = Some(shortest).filter(|(game, requirement)| {
            game.length() < script.length() || *requirement != self.requirement()
        });
        let on = (script.with_turns_after(), whole.1);
        for (game, requirement) in [shortest, Some(whole), Some(on)].into_iter().flatten() {
            let name = file_name(requirement);
            if let Some(written) = self
                .keep_game(trials, folder, &name, (&game, &script), requirement)
                .await?
            {
                return Ok(vec![written]);
            }
        }
        let name = file_name(self.requirement());
        self.wait_for(trials, explorer, &script, folder, &name, tries)
            .await
    }
}

/// Returns the capability that the subject lacks to play the scenario, with advice on how to name the capability.
fn missing_capability(subject: &Subject, scenario: &Scenario) -> Option<String> {
    let missing = subject.missing_capability(scenario)?;
    let forces_rolls = scenario
        .game()
        .is_some_and(|plan| !plan.forced_rolls().is_empty());
    if subject.roll_hook.is_some() || !forces_rolls {
        return Some(missing);
    }
    Some(format!(
        "{missing}; one that it has is named by --set rolls.environment=NAME, or by {{rolls}} in its command"
    ))
}
