//! The plain game before all others: if its beginning fails three times alike, or twice by silence, the other games of a run would fail in the
//! same way.

use std::io;
use std::sync::Arc;

use super::examination::Examination;
use super::plain::plain_game;
use crate::config::Subject;
use crate::engine::{GamePlan, Run};
use crate::event::Outcome;
use crate::finding::{Finding, Reaction, Verdict};

/// With fewer scenarios for a subject there is no gate.
const FEW: usize = 5;

/// Number of plain games that have to fail alike.
const TIMES: usize = 3;

/// The same where they fail by silence, each for as long as an answer may take.
const SILENT_TIMES: usize = 2;

/// A subject whose games are skipped, and the reason.
#[derive(Debug)]
pub struct ClosedGate {
    /// The plain game.
    pub game: GamePlan,
    /// Its outcome.
    pub outcome: Outcome,
    /// The step of the plain game that failed.
    pub step: &'static str,
    /// How often it failed alike.
    times: usize,
}

/// Plays a plain game with each subject that has enough games, and returns the subjects with which one of its first steps fails each time alike.
/// `play` plays a run.
///
/// # Errors
/// Those of `play`.
pub async fn closed_gates(
    run: &Run,
    play: &impl AsyncFn(Run) -> io::Result<Vec<Outcome>>,
) -> io::Result<Vec<ClosedGate>> {
    let mut plain = plain_games(run);
    let mut failed: Vec<Option<(Examination, &'static str)>> = vec![None; plain.len()];
    let mut times = 0;
    while !plain.is_empty() && times < due_times(&failed) {
        times += 1;
        for game in &mut plain {
            if let Some(plain) = plain_of(&game.subject, times) {
                game.scenario = plain.scenario;
            }
        }
        let mut options = run.options.clone();
        // A game that opens the gate is no scenario, and is not recorded.
        options.record = options.record.filter(|_| times == due_times(&failed));
        let gate = Run {
            placement: run.placement,
            ..Run::new(plain.clone(), options, run.jobs)
        };
        let answer_budget = run.options.budgets.answer;
        let again = play(gate).await?.into_iter().zip(plain).zip(failed);
        let again = again.filter_map(|((outcome, game), before)| {
            let is_like = |(before, _): (Examination, _)| is_alike(&before.outcome, &outcome);
            let is_alike = before.is_none_or(is_like);
            let examination = Examination {
                game: game.clone(),
                outcome,
                answer_budget,
            };
            let step = examination.failed_beginning()?;
            // By which rule a move is wrong, the other games tell.
            let finding = examination.outcome.findings.first();
            let symptom = finding.and_then(|finding| finding.symptom.as_ref());
            let reaction = symptom.map(|symptom| symptom.reaction);
            let has_moved = matches!(reaction, Some(Reaction::Answer(Some(_))));
            (is_alike && !has_moved).then_some((game, Some((examination, step))))
        });
        (plain, failed) = again.unzip();
    }
    let closed = failed.into_iter().flatten();
    let closed = closed.map(|(Examination { game, outcome, .. }, step)| ClosedGate {
        game,
        outcome,
        step,
        times,
    });
    Ok(closed.collect())
}

/// How often these games have to fail.
fn due_times(failed: &[Option<(Examination, &str)>]) -> usize {
    let is_silent = |failed: &Option<(Examination, _)>| {
        let failed = failed.as_ref();
        let finding = failed.and_then(|(one, _)| one.outcome.findings.first());
        finding.is_some_and(|finding| finding.by_silence)
    };
    match failed.iter().all(is_silent) {
        true => SILENT_TIMES,
        false => TIMES,
    }
}

/// A plain game with each subject that has enough games.
fn plain_games(run: &Run) -> Vec<GamePlan> {
    let mut plain: Vec<GamePlan> = Vec::new();
    for game in &run.games {
        let is_same = |other: &&GamePlan| Arc::ptr_eq(&other.subject, &game.subject);
        let subject = &game.subject;
        let is_known = plain.iter().any(|other| is_same(&other));
        if is_known || run.games.iter().filter(is_same).count() < FEW {
            continue;
        }
        plain.extend(plain_of(subject, 1).map(|plain| GamePlan {
            seed: game.seed,
            ..plain
        }));
    }
    plain
}

/// The plain game that a subject plays at this try, from 1; `None` without a model of its game. Each try has other rolls: a subject may
/// misread one of them.
#[must_use]
pub fn plain_of(subject: &Arc<Subject>, time: usize) -> Option<GamePlan> {
    let dialect = subject.protocol.dialect()?;
    let has_hook = subject.roll_hook.is_some();
    let scenario = plain_game(dialect, subject.side, has_hook, time - 1)?;
    Some(GamePlan {
        scenario: Arc::new(scenario),
        subject: Arc::clone(subject),
        golden: None,
        seed: 1,
    })
}

/// Takes the games out that are not played, and returns what is reported of each, by its place.
pub fn skip_closed(games: &mut Vec<GamePlan>, closed: &mut [ClosedGate]) -> Vec<(usize, Outcome)> {
    let mut skipped = Vec::new();
    let mut place = 0;
    games.retain(|game| {
        place += 1;
        let gate = closed
            .iter()
            .find(|gate| Arc::ptr_eq(&gate.game.subject, &game.subject));
        if let Some(gate) = gate {
            let (step, name, times) = (gate.step, &gate.outcome.name, gate.times);
            let title =
                format!("not played: step `{step}` of {name} failed {times} times in the same way");
            skipped.push((
                place - 1,
                Outcome::new(&game.scenario).with(Finding::new(Verdict::Skipped, title)),
            ));
        }
        gate.is_none()
    });
    for gate in closed {
        if let Some(finding) = gate.outcome.findings.first_mut() {
            let note = "`urtext doctor` shows all steps of a plain game; --no-gate plays the scenarios all the same";
            finding.notes.push(note.to_owned());
        }
    }
    skipped
}

/// Returns true if two plain games ended alike.
fn is_alike(one: &Outcome, other: &Outcome) -> bool {
    let both = one.findings.first().zip(other.findings.first());
    both.is_some_and(|(one, other)| one.is_like(other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack;
    use crate::scenario;

    #[test]
    fn games_that_break_the_same_requirement_fail_alike_whichever_lane_shows_it_first() {
        let game = scenario::free_game(pack::usual().dialects[0], 1);
        let failed = |requirement: Option<&'static str>, title: &str| {
            let finding = Finding::new(Verdict::Fail, title);
            Outcome::new(&game).with(Finding {
                requirement,
                ..finding
            })
        };
        let (roll, turn) = (Some("ur/roll/line"), Some("ur/turn/alternates"));
        let (first, second) = ("PlayerA received", "PlayerB received");
        assert!(is_alike(&failed(roll, first), &failed(roll, second)));
        assert!(!is_alike(&failed(roll, first), &failed(turn, first)));
        let refuses = failed(None, "port 4000 refuses");
        assert!(is_alike(&refuses, &failed(None, "port 4001 refuses")));
        assert!(!is_alike(&refuses, &failed(None, "port 4000 is silent")));
    }
}
