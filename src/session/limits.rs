//! The limits within which a server creates matches: it is asked for one on each side of each limit that a page names.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::PlayedGame;
use crate::config::{Address, Values, Way};
use crate::diagnostic::Source;
use crate::engine::GamePlan;
use crate::event::Outcome;
use crate::finding::{Finding, Verdict};
use crate::pack;
use crate::requirement::Parameters;
use crate::transport::coco::Client;
use crate::transport::{Breakdown, FailureKind, Patience};

/// Deadline for all requests to a server.
const ANSWERED: Duration = Duration::from_secs(10);

/// Asks a server of matches for matches within and beyond the limits of its game; a server that urtext cannot reach gets no result, nor
/// does any other subject. Nobody joins these matches, so that the server drops them in its time. `plain`: a plain game with the subject.
pub async fn ask_limits(plain: &GamePlan) -> Vec<PlayedGame> {
    let subject = &plain.subject;
    let Way::Coco(arena) = &subject.players.way else {
        return Vec::new();
    };
    let Address::At(server) = &arena.address else {
        return Vec::new();
    };
    let deadline = Instant::now() + ANSWERED;
    let Ok(mut client) = Client::connect(server, Patience::Once, deadline).await else {
        return Vec::new();
    };
    let mut played = Vec::new();
    for requirement in pack::requirements_of(subject.protocol.game_name()) {
        let Some(limit) = &requirement.limit else {
            continue;
        };
        let mut game = plain.clone();
        let scenario = Arc::make_mut(&mut game.scenario);
        let (_, name) = requirement.id.split_once('/').unwrap_or_default();
        scenario.name = format!(
            "{}/server/{}",
            subject.protocol.game_name(),
            name.replace('/', "-")
        );
        scenario.source = Source::new(&scenario.name, "");
        scenario.title = requirement.summary.to_string();
        if let Some(plan) = scenario.game_mut() {
            plan.checks = vec![&requirement.id];
        }
        let mut outcome = Outcome::new(&game.scenario);
        let sides = [(true, &limit.created), (false, &limit.refused)];
        for (is_within, parameters) in sides.into_iter().filter(|side| !side.1.is_empty()) {
            let values = match_of(&subject.game_name, parameters);
            let answer = client.create(arena, &values).await;
            if let Some(mut finding) = judged(is_within, parameters, answer) {
                finding.requirement = Some(&requirement.id);
                outcome.verdict = outcome.verdict.max(finding.verdict);
                outcome.findings.push(finding);
            }
        }
        played.push(PlayedGame {
            game,
            outcome,
            is_gate: true,
        });
    }
    played
}

/// The values of a request for a match with these parameters.
fn match_of(game: &str, parameters: &Parameters) -> Values {
    let mut values = Values::default();
    values.insert("game", game);
    for (name, value) in parameters {
        values.insert(name, value);
    }
    values
}

/// The finding if the server gives the wrong answer to a request for a match.
fn judged(
    is_within: bool,
    parameters: &Parameters,
    answer: Result<String, Breakdown>,
) -> Option<Finding> {
    let words = parameters
        .iter()
        .map(|(name, value)| format!("`{name}: {value}`"));
    let words = words.collect::<Vec<_>>().join(", ");
    match (is_within, answer) {
        (true, Ok(_)) => None,
        (false, Ok(_)) => {
            let title = format!("the server creates a match with {words}");
            Some(Finding::new(Verdict::Fail, title))
        }
        (_, Err(failure)) if failure.kind == FailureKind::Refused => {
            let title = format!("the server creates no match with {words}");
            is_within.then(|| Finding::new(Verdict::Fail, title).noted(failure.to_string()))
        }
        (_, Err(failure)) => Some(Finding::new(Verdict::Error, failure.to_string())),
    }
}
