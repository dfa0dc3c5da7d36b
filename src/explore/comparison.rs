//! Two bots in the same game: the same rolls and the same opponent, up to the first different answer.

use std::io;
use std::sync::Arc;

use super::Trials;
use crate::diagnostic::Span;
use crate::event::Outcome;
use crate::finding::{Finding, LaneText, Verdict};
use crate::pack::NotatedTurn;
use crate::protocol::{Dialect, GameEvent};
use crate::rules::{Roll, Seat};
use crate::scenario::{PlannedGame, PlayerAction, Scenario, Side, Step, StepKind};
use crate::transcript::Direction;

/// Number of further games that show if a bot answers the same each time.
const STEADY: usize = 3;

/// A bot's answer in the turn in which two bots differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BotAnswer {
    /// A legal move: its line, and its effect in words.
    Move(String, String),
    /// The game failed: the line that was wrong, where it was a line, and the title of the finding.
    Wrong(Option<Vec<u8>>, String),
    /// The bot did nothing wrong, and no answer of it was due.
    Nothing,
}

/// The first turn in which two bots answer differently.
#[derive(Debug)]
pub struct Divergence {
    /// Number of the turn, from 1.
    pub turn: usize,
    /// The seat of the bots.
    pub seat: Seat,
    /// The roll of the turn, where there are rolls.
    pub roll: Option<Roll>,
    /// The position before the answers, drawn.
    pub board: String,
    /// Both answers.
    pub answers: [BotAnswer; 2],
    /// True for a bot that answers differently when it plays the same game again, so that the difference says nothing.
    pub is_unsteady: [bool; 2],
}

/// Result of one game with two bots.
#[derive(Debug)]
pub enum Compared {
    /// Both bots answered alike: the number of turns, and the failure that both games end with.
    Equal {
        /// Number of turns.
        turns: usize,
        /// Title of the finding, where both bots failed alike.
        failure: Option<String>,
    },
    /// The bots answered differently.
    Different(Box<Divergence>),
    /// A bot could not be played with: its place, and the finding.
    NotPlayed(usize, Box<Finding>),
}

/// A game of a bot against a random opponent, to its end. The seed decides rolls and opponent, as long as the bot answers alike.
#[must_use]
pub fn random_game(dialect: &'static dyn Dialect, bot_seat: Seat, number: u64) -> Scenario {
    let plan = PlannedGame {
        bot_seat,
        attempts: 1,
        ..PlannedGame::new(dialect, Side::Bot)
    };
    let title = format!("random game {number}");
    let steps = [StepKind::PlayToTheEnd];
    Scenario {
        name: format!("{}/random-game-{number}", dialect.game().name()),
        ..plan.with_steps(steps).titled(title)
    }
}

/// Leaves a bot its own moves in a finished game, and goes on at random after the last turn that fits.
pub fn free_the_bot(scenario: &mut Scenario) {
    let Some(plan) = scenario.game_mut() else {
        return;
    };
    plan.checks.clear();
    plan.attempts = 1;
    for step in &mut plan.steps {
        if let StepKind::Turn(turn) = &mut step.kind
            && turn.seat == plan.bot_seat
            && turn.action.mv().is_some()
        {
            turn.action = PlayerAction::ANY;
        }
    }
    plan.steps.push(play_on());
}

fn play_on() -> Step {
    Step {
        span: Span::at(0),
        kind: StepKind::PlayToTheEnd,
    }
}

/// Plays a game with both bots. Turns of a finished game that do not fit the bots' answers are left out, with those after them.
///
/// # Errors
/// Fails if no game can begin.
pub async fn compare(trials: [&Trials; 2], scenario: Scenario, seed: u64) -> io::Result<Compared> {
    let mut scenario = Arc::new(scenario);
    loop {
        let outcomes = both(trials, &scenario, seed).await?;
        let outcomes = [&outcomes[0], &outcomes[1]];
        let plan = scenario.game().expect("bots play games");
        let misfits = outcomes.map(|outcome| misfit(plan, outcome));
        let is_undecided = |bot: &usize| misfits[*bot].is_none() && is_undecided(outcomes[*bot]);
        if let Some(bot) = [0, 1].into_iter().find(is_undecided) {
            return Ok(Compared::NotPlayed(bot, Box::new(reason(outcomes[bot]))));
        }
        if let Some(mut different) = divergence(plan, outcomes) {
            for _ in 0..STEADY {
                let again = both(trials, &scenario, seed).await?;
                for bot in [0, 1] {
                    let own = divergence(plan, [outcomes[bot], &again[bot]]);
                    different.is_unsteady[bot] |= own.is_some_and(|own| own.turn <= different.turn);
                }
            }
            return Ok(Compared::Different(Box::new(different)));
        }
        let Some(fitting) = misfits[0] else {
            return Ok(Compared::Equal {
                turns: NotatedTurn::of_history(&outcomes[0].history).len(),
                failure: outcomes[0].failure().map(|finding| finding.title.clone()),
            });
        };
        let plan = Arc::make_mut(&mut scenario).game_mut();
        let steps = &mut plan.expect("bots play games").steps;
        steps.truncate(fitting);
        steps.push(play_on());
    }
}

async fn both(
    trials: [&Trials; 2],
    scenario: &Arc<Scenario>,
    seed: u64,
) -> io::Result<[Outcome; 2]> {
    let play = async |trials: &Trials| {
        let outcomes = trials.play(vec![(Arc::clone(scenario), seed)]).await?;
        io::Result::Ok(outcomes.into_iter().next().expect("one game was played"))
    };
    let (one, other) = tokio::try_join!(play(trials[0]), play(trials[1]))?;
    Ok([one, other])
}

/// The place of the recorded turn that does not fit the game, if the game ended there.
fn misfit(plan: &PlannedGame, outcome: &Outcome) -> Option<usize> {
    let finding = outcome.findings.first()?;
    let is_it =
        |step: &Step| matches!(step.kind, StepKind::Turn(_)) && Some(step.span) == finding.span;
    let place = plan.steps.iter().position(is_it);
    place.filter(|_| finding.verdict == Verdict::Inconclusive && !finding.by_silence)
}

/// Returns true if the game says nothing of the bot.
fn is_undecided(outcome: &Outcome) -> bool {
    use Verdict::{Fail, Flaky, Lenient, Pass};
    !matches!(outcome.verdict, Pass | Lenient | Flaky | Fail)
}

/// The first turn in which the bots of two outcomes of a game answered differently.
fn divergence(plan: &PlannedGame, outcomes: [&Outcome; 2]) -> Option<Divergence> {
    let [one, other] = outcomes.map(|outcome| &outcome.history);
    let equal = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    if equal == one.len().max(other.len()) {
        let failures = outcomes.map(|outcome| {
            outcome
                .failure()
                .map(|finding| (finding.requirement, last_line(outcome)))
        });
        if failures[0] == failures[1] {
            return None;
        }
    }
    let before = &one[..equal];
    let game = plan.dialect.game();
    let mut table = game.table(outcomes[0].setup.unwrap_or_default());
    before.iter().for_each(|event| {
        event.play_on(&mut *table);
    });
    let answers = outcomes.map(|outcome| match outcome.history.get(equal) {
        Some(&GameEvent::Moved { by, mv, .. }) if by == plan.bot_seat => {
            let line = plan.dialect.write_move(mv);
            let line = String::from_utf8_lossy(&line).into_owned();
            BotAnswer::Move(line, table.describe_move(mv))
        }
        _ => outcome.failure().map_or(BotAnswer::Nothing, |finding| {
            BotAnswer::Wrong(wrong_line(finding), finding.title.clone())
        }),
    });
    Some(Divergence {
        turn: NotatedTurn::of_history(before).len() + 1,
        seat: plan.bot_seat,
        roll: table.roll(),
        board: table.draw(),
        answers,
        is_unsteady: [false; 2],
    })
}

/// The reason of a verdict.
fn reason(outcome: &Outcome) -> Finding {
    let first = outcome.findings.first().cloned();
    first.unwrap_or_else(|| Finding::new(outcome.verdict, outcome.verdict.word()))
}

/// The received line that a finding is about.
fn wrong_line(finding: &Finding) -> Option<Vec<u8>> {
    match &finding.lanes.first()?.received {
        LaneText::Line(line) => Some(line.clone()),
        LaneText::Words(_) | LaneText::Timed(..) | LaneText::Nothing => None,
    }
}

/// The last line that the bot sent.
fn last_line(outcome: &Outcome) -> Option<&[u8]> {
    let entries = outcome.transcript.lanes.first()?.entries.iter();
    let sent = entries
        .rev()
        .find(|entry| entry.direction == Direction::Sent);
    sent.map(|entry| entry.line.text.as_slice())
}
