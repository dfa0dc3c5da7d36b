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
use crate::requirement::{Binds, Role};
use crate::scenario::{Side, Writes};
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
    let mut plain = plain_games(run);
    let mut failed: Vec<Option<Failed>> = vec![None; plain.len()];
    let mut times = 0;
    while !plain.is_empty() && times < due_times(&failed) {
        times += 1;
        for (game, before) in plain.iter_mut().zip(&failed) {
            // The game that a bot has played with each line by itself is played once more, with its lines at once.
            let answers_apart = before.as_ref().is_some_and(|before| before.answers_apart);
            let number = if answers_apart { SILENT_TIMES } else { times };
            let Some(plain) = plain_of(&game.subject, number) else {
                continue;
            };
            game.scenario = plain.scenario;
            let is_silent = before.as_ref().is_some_and(Failed::is_silent);
            if is_silent
                && times == SILENT_TIMES
                && game.subject.side == Side::Bot
                && let Some(plan) = Arc::make_mut(&mut game.scenario).game_mut()
            {
                plan.keys.writes = Writes::Apart;
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
            let is_apart = game.scenario.game()?.keys.writes == Writes::Apart;
            let examination = Examination {
                game: game.clone(),
                outcome,
                answer_budget,
            };
            let Some(step) = examination.failed_beginning() else {
                // The next game shows whether it answers lines that come at once.
                let mut before = before.filter(|_| is_apart)?;
                before.answers_apart = true;
                return Some((game, Some(before)));
            };
            let is_like =
                |before: &Failed| is_alike(&before.examination.outcome, &examination.outcome);
            // By which rule a move is wrong, the other games tell.
            let finding = examination.outcome.findings.first();
            let symptom = finding.and_then(|finding| finding.symptom.as_ref());
            let reaction = symptom.map(|symptom| symptom.reaction);
            let has_moved = matches!(reaction, Some(Reaction::Answer(Some(_))));
            let is_alike = before.as_ref().is_none_or(is_like);
            let answers_apart = before.is_some_and(|before| before.answers_apart);
            let failed = Failed {
                examination,
                step,
                answers_apart,
            };
            (is_alike && !has_moved).then_some((game, Some(failed)))
        });
        (plain, failed) = again.unzip();
    }
    let closed = failed.into_iter().flatten();
    Ok(closed.map(|failed| failed.closed(times)).collect())
}

/// A subject that has failed in the beginning of each plain game so far.
#[derive(Debug, Clone)]
struct Failed {
    /// The last one that failed.
    examination: Examination,
    step: &'static str,
    /// True if it played the game in which each line came by itself.
    answers_apart: bool,
}

impl Failed {
    /// Returns true if nothing came in time, or before the subject ended.
    fn is_silent(&self) -> bool {
        let Examination { game, outcome, .. } = &self.examination;
        let finding = outcome.findings.first();
        let is_mute = || game.subject.side == Side::Bot && !self.examination.has(Direction::Sent);
        finding.is_some_and(|finding| finding.by_silence) || is_mute()
    }

    fn closed(self, times: usize) -> ClosedGate {
        let Examination {
            game, mut outcome, ..
        } = self.examination;
        if let (true, Some(finding)) = (self.answers_apart, outcome.findings.first_mut()) {
            let dialect = game.subject.protocol.dialect();
            let ids = dialect.map_or(&[][..], |dialect| dialect.ids(Role::ShownByPieces));
            let mut known = ids.iter().filter_map(|id| pack::requirement(id));
            let of_bot = known.find(|known| known.binds.contains(&Binds::Bot));
            finding.requirement = of_bot.map(|known| known.id.as_str());
            finding.retitle("the bot says nothing where several lines come at once, and plays where each comes by itself");
            finding.verdict = Verdict::Fail;
            finding.drop_questions();
            outcome.verdict = Verdict::Fail;
        }
        ClosedGate {
            game,
            outcome,
            step: self.step,
            times: times - usize::from(self.answers_apart),
        }
    }
}

/// The number of plain games that have to fail.
fn due_times(failed: &[Option<Failed>]) -> usize {
    let is_settled = |failed: &Option<Failed>| {
        failed
            .as_ref()
            .is_some_and(|failed| failed.is_silent() && !failed.answers_apart)
    };
    match failed.iter().all(is_settled) {
        true => SILENT_TIMES,
        false => TIMES,
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
