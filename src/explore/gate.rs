//! The plain game before all others: if its beginning fails three times alike, or twice by silence, the other games of a run would fail in the
//! same way.

use std::io;
use std::sync::Arc;

use super::examination::Examination;
use super::plain::plain_game;
use crate::config::Subject;
use crate::engine::{GamePlan, Run};
use crate::event::{self, Outcome};
use crate::finding::{Finding, Reaction, Verdict};
use crate::pack;
use crate::requirement::{Role, Side};
use crate::scenario::Writes;
use crate::transcript::Direction;

/// With fewer scenarios for a subject there is no gate.
const FEW: usize = 5;

/// Number of plain games that have to fail alike.
const TIMES: usize = 3;

/// The same for silent subjects, which take long. In the last of these games a bot gets each line by itself.
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
    let mut closed = Vec::new();
    for plain in plain_games(run) {
        closed.extend(closed_gate(run, &plain, play).await?);
    }
    Ok(closed)
}

/// Plays plain games with the subject of `first`, until one gets through its beginning or enough have failed alike.
async fn closed_gate(
    run: &Run,
    first: &GamePlan,
    play: &impl AsyncFn(Run) -> io::Result<Vec<Outcome>>,
) -> io::Result<Option<ClosedGate>> {
    let mut closed: Option<ClosedGate> = None;
    // True once a silent bot has played the game in which each line came by itself.
    let mut answers_apart = false;
    for time in 1..=TIMES {
        // That game is played once more, with its lines at once.
        let number = if answers_apart { SILENT_TIMES } else { time };
        let Some(plain) = plain_of(&first.subject, number) else {
            return Ok(None);
        };
        let mut game = GamePlan {
            seed: first.seed,
            ..plain
        };
        let is_silent = closed.as_ref().is_some_and(ClosedGate::is_silent);
        let is_apart = is_silent && time == SILENT_TIMES && game.subject.side == Side::Bot;
        if is_apart && let Some(plan) = Arc::make_mut(&mut game.scenario).game_mut() {
            plan.keys.writes = Writes::Apart;
        }
        let is_last = time == TIMES || is_silent && time == SILENT_TIMES;
        let mut options = run.options.clone();
        // A game that opens the gate is no scenario, and is not recorded.
        options.record = options.record.filter(|_| is_last);
        let gate = Run {
            placement: run.placement,
            ..Run::new(vec![game.clone()], options, run.jobs)
        };
        let examination = Examination {
            game,
            outcome: play(gate).await?.remove(0),
            answer_budget: run.options.budgets.answer,
        };
        let step = examination.failed_beginning();
        if step.is_none() && is_apart {
            // The next game shows whether it answers lines that come at once.
            answers_apart = true;
            continue;
        }
        let Examination { game, outcome, .. } = examination;
        // By which rule a move is wrong, the other games tell.
        let symptom = outcome
            .findings
            .first()
            .and_then(|finding| finding.symptom.as_ref());
        let reaction = symptom.map(|symptom| symptom.reaction);
        let has_moved = matches!(reaction, Some(Reaction::Answer(Some(_))));
        let is_like = |before: &ClosedGate| is_alike(&before.outcome, &outcome);
        let is_alike = !has_moved && closed.as_ref().is_none_or(is_like);
        let Some(step) = step.filter(|_| is_alike) else {
            return Ok(None);
        };
        let failed = ClosedGate {
            game,
            outcome,
            step,
            times: time - usize::from(answers_apart),
        };
        let is_settled = time >= SILENT_TIMES && failed.is_silent();
        closed = Some(failed);
        if is_settled {
            break;
        }
    }
    if let Some(closed) = closed.as_mut().filter(|_| answers_apart) {
        closed.reads_one_line();
    }
    Ok(closed)
}

impl ClosedGate {
    /// Returns true if nothing came in time, or before the subject ended.
    fn is_silent(&self) -> bool {
        let finding = self.outcome.findings.first();
        let is_mute = || {
            let is_bot = self.game.subject.side == Side::Bot;
            is_bot && !self.outcome.has_line(Direction::Sent)
        };
        finding.is_some_and(|finding| finding.by_silence) || is_mute()
    }

    /// Rewrites the finding: the bot reads only one of several lines that come at once.
    fn reads_one_line(&mut self) {
        let Some(finding) = self.outcome.findings.first_mut() else {
            return;
        };
        let dialect = self.game.subject.protocol.dialect();
        let ids = dialect.map_or(&[][..], |dialect| dialect.ids(Role::ShownByPieces));
        let mut known = ids.iter().filter_map(|id| pack::requirement(id));
        let of_bot = known.find(|known| known.binds.contains(&Side::Bot));
        finding.requirement = of_bot.map(|known| known.id.as_str());
        finding.retitle("the bot says nothing where several lines come at once, and plays where each comes by itself");
        finding.verdict = Verdict::Fail;
        finding.drop_questions();
        self.outcome.verdict = Verdict::Fail;
    }
}

/// A plain game with each subject that has enough games.
#[must_use]
pub fn plain_games(run: &Run) -> Vec<GamePlan> {
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
    both.is_some_and(|(one, other)| event::is_like(one, other))
}

#[cfg(test)]
mod tests {
    use tokio::sync::watch;

    use super::*;
    use crate::config::SubjectBudgets;
    use crate::engine::{self, Clock, Network, Options};
    use crate::peers;
    use crate::rules::Seat;
    use crate::scenario::{self, PlannedGame};

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

    #[tokio::test]
    async fn a_bot_that_plays_only_where_lines_come_apart_reads_one_line_of_several() {
        let game = pack::usual().game.name();
        let subject = peers::subject(game, Side::Bot, None).unwrap();
        let subject = Arc::new(subject);
        let (_stop, interrupt) = watch::channel(false);
        let options = Options {
            clock: Clock::Virtual(Network::Ideal),
            ..Options::new(SubjectBudgets::default(), std::iter::once(&*subject))
        };
        let plain = plain_of(&subject, 1).unwrap();
        let run = || Run::new(vec![plain.clone(); FEW], options.clone(), 1);
        // In the seat that is played first, or where lines come at once, such bots are silent.
        let closed = async |is_silent: fn(&PlannedGame) -> bool| {
            let play = async |run: Run| {
                let silent: Vec<_> = run
                    .games
                    .iter()
                    .map(|game| is_silent(game.scenario.game().unwrap()))
                    .collect();
                let scenarios: Vec<_> = run
                    .games
                    .iter()
                    .map(|game| Arc::clone(&game.scenario))
                    .collect();
                let mut outcomes = engine::run(run, interrupt.clone(), |_| {}).await?;
                for ((outcome, is_silent), scenario) in
                    outcomes.iter_mut().zip(silent).zip(scenarios)
                {
                    if is_silent {
                        let finding = Finding::new(Verdict::Error, "the bot sent nothing");
                        *outcome = Outcome::new(&scenario).with(Finding {
                            by_silence: true,
                            ..finding
                        });
                    }
                }
                Ok(outcomes)
            };
            let closed = closed_gates(&run(), &play).await.unwrap();
            let finding = closed
                .first()
                .and_then(|gate| gate.outcome.findings.first());
            finding.map(|finding| (finding.requirement, finding.verdict))
        };
        let cause = closed(|plan| plan.keys.writes != Writes::Apart).await;
        let whole_lines = cause.as_ref().and_then(|(requirement, _)| *requirement);
        assert!(
            whole_lines.is_some_and(|id| id.ends_with("/bot/whole-lines")),
            "{cause:?}"
        );
        assert_eq!(cause.unwrap().1, Verdict::Fail);
        assert_eq!(closed(|_| true).await, Some((None, Verdict::Error)));
        assert_eq!(closed(|plan| plan.bot_seat == Seat::Second).await, None);
    }
}
