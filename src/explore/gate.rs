//! The plain game before all others: where its beginning fails three times alike, the rest of a run would only say so again.

use std::io;
use std::sync::Arc;

use super::plain::plain_game;
use crate::config::Subject;
use crate::engine::{Doubt, GamePlan, PlayOrder, Run};
use crate::event::Outcome;
use crate::finding::{Finding, FindingSort, Verdict};
use crate::protocol::GameEvent;
use crate::scenario::{Scenario, Side};
use crate::transcript::Direction;

/// With fewer scenarios for a subject there is no gate.
const FEW: usize = 5;

/// Number of plain games that have to fail alike.
const TIMES: usize = 3;

/// A subject whose games are skipped, and the reason.
#[derive(Debug)]
pub struct ClosedGate {
    /// The subject.
    pub subject: Arc<Subject>,
    /// The plain game.
    pub scenario: Arc<Scenario>,
    /// The place of the first game for it.
    pub first: usize,
    /// Outcome of the plain game.
    pub outcome: Outcome,
}

/// Plays a plain game with each subject that has enough games, and returns those with which it fails from its beginning, three times
/// alike. `play` plays a run.
///
/// # Errors
/// Those of `play`.
pub async fn closed_gates(
    run: &Run,
    play: &impl AsyncFn(Run) -> io::Result<Vec<Outcome>>,
) -> io::Result<Vec<ClosedGate>> {
    let mut plain = plain_games(run);
    let mut outcomes: Vec<Option<Outcome>> = vec![None; plain.len()];
    for time in 1..=TIMES {
        if plain.is_empty() {
            return Ok(Vec::new());
        }
        for game in &mut plain {
            game.scenario = plain_of(&game.subject, time).unwrap_or(game.scenario.clone());
        }
        let mut options = run.options.clone();
        // A game that opens the gate is no scenario, and is not recorded.
        options.record = options.record.filter(|_| time == TIMES);
        let (games, placement) = (plain.clone(), run.placement);
        let gate = Run {
            games,
            options,
            jobs: run.jobs,
            placement,
            doubt: Doubt::Accept,
            order: PlayOrder::default(),
        };
        let played = play(gate).await?;
        let again = plain
            .into_iter()
            .zip(outcomes)
            .zip(played)
            .filter(|((game, before), now)| {
                let is_alike = before
                    .as_ref()
                    .is_none_or(|before| reason(before) == reason(now));
                is_alike && begins_badly(&game.scenario, now)
            });
        (plain, outcomes) = again.map(|((game, _), now)| (game, Some(now))).unzip();
    }
    let closed = plain.into_iter().zip(outcomes.into_iter().flatten());
    let closed = closed.map(|(plan, outcome)| {
        let is_same = |game: &GamePlan| Arc::ptr_eq(&game.subject, &plan.subject);
        let first = run.games.iter().position(is_same);
        ClosedGate {
            first: first.expect("it has enough games"),
            subject: plan.subject,
            scenario: plan.scenario,
            outcome,
        }
    });
    Ok(closed.collect())
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
        if let Some(scenario) = plain_of(subject, 1) {
            let subject = Arc::clone(subject);
            plain.push(GamePlan {
                scenario,
                subject,
                golden: None,
                seed: game.seed,
            });
        }
    }
    plain
}

/// The plain game that a subject plays at this try. Each has other rolls: a subject may misread one of them.
fn plain_of(subject: &Subject, time: usize) -> Option<Arc<Scenario>> {
    let dialect = subject.protocol.dialect()?;
    let has_hook = subject.roll_hook.is_some();
    plain_game(dialect, subject.side, has_hook, time - 1).map(Arc::new)
}

/// Takes the games out that are not played, and returns what is reported of each, by its place.
pub fn skip_closed(games: &mut Vec<GamePlan>, closed: &mut [ClosedGate]) -> Vec<(usize, Outcome)> {
    let mut skipped = Vec::new();
    let mut place = 0;
    games.retain(|game| {
        place += 1;
        let gate = closed
            .iter()
            .find(|gate| Arc::ptr_eq(&gate.subject, &game.subject));
        if let Some(gate) = gate {
            let title = format!(
                "not played: {} failed {TIMES} times alike",
                gate.outcome.name
            );
            skipped.push((
                place - 1,
                Outcome::new(&game.scenario).with(Finding::new(Verdict::Skipped, title)),
            ));
        }
        gate.is_none()
    });
    for gate in closed {
        if let Some(finding) = gate.outcome.findings.first_mut() {
            finding.notes.push(format!(
                "a plain game went so {TIMES} times, and nothing else was played with this subject; --no-gate plays it all the same"));
        }
    }
    skipped
}

/// Returns true if a game failed in its handshake or at its first roll; for a bot, by its first answer.
fn begins_badly(scenario: &Scenario, outcome: &Outcome) -> bool {
    let has_failed = matches!(outcome.verdict, Verdict::Fail | Verdict::Error);
    let has_begun = match scenario.side() {
        // Our first move answers the first roll.
        Side::Referee => {
            let entries = outcome.transcript.lanes.iter().flat_map(|lane| &lane.entries);
            entries.filter(|entry| entry.direction == Direction::Sent).count() > 0
        }
        Side::Bot => outcome
            .history
            .iter()
            .any(|happening| matches!(happening, GameEvent::Moved { by, .. } if scenario.game().is_some_and(|plan| plan.bot_seat == *by))),
    };
    has_failed && !has_begun
}

/// Returns the key by which failures are compared: the verdict and the requirement, or the sort of the failure. Ports, times, and the
/// lane that showed it first do not count: they are chance.
fn reason(outcome: &Outcome) -> Option<(Verdict, Result<&'static str, FindingSort>)> {
    let finding = outcome.findings.first()?;
    let sort = || finding.kind.sort();
    Some((finding.verdict, finding.requirement.ok_or_else(sort)))
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
            reason(&Outcome::new(&game).with(Finding {
                requirement,
                ..finding
            }))
        };
        let (roll, turn) = (Some("ur/roll/line"), Some("ur/turn/alternates"));
        assert_eq!(
            failed(roll, "PlayerA received"),
            failed(roll, "PlayerB received")
        );
        assert_ne!(
            failed(roll, "PlayerA received"),
            failed(turn, "PlayerA received")
        );
        assert_eq!(
            failed(None, "port 4000 refuses"),
            failed(None, "port 4001 refuses")
        );
        assert_ne!(
            failed(None, "port 4000 refuses"),
            failed(None, "port 4000 is silent")
        );
    }
}
