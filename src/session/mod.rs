//! A run: the plain games before it, its rounds and retries, the explanation of what failed, and its results.
//!
//! Every command that plays games plays them through [`Session`], or [`explore`]. A command takes the [`Event`]s to show progress.

mod limits;
mod results;

use std::cell::Cell;
use std::collections::{BTreeMap, HashSet};
use std::io;
use std::rc::Rc;
use std::sync::Arc;

pub use limits::ask_limits;
pub use results::{Terms, conclude};
use tokio::sync::watch;

use crate::diagnostic::counted;
use crate::engine::{self, EarlyEnd, GamePlan, PlayOrder, Progress, Run, not_played};
use crate::event::{Outcome, SeveralGames};
use crate::explore::{Exploration, closed_gates, plain_games, skip_closed};
use crate::finding::Verdict;
use crate::mistake::{self, Ledger};
use crate::protocol::GameEvent;
use crate::report::FindingResult;
use crate::scenario::Side;

/// A run to play.
#[derive(Debug)]
pub struct Session {
    /// The games and their options. The order says what ends the run early.
    pub run: Run,
    /// Verdicts that count as failures.
    pub failures: Vec<Verdict>,
    /// How often every scenario is played.
    pub repeat: u32,
    /// How often a failed scenario is played again until it passes.
    pub retries: u32,
    /// Plays a plain game with each subject first, and asks servers of matches for their limits; without it, nothing is known to be in vain.
    pub has_gate: bool,
    /// Looks for causes of failures in all games together.
    pub is_explained: bool,
}

/// What a command learns of a session while it plays. A session may play several runs: plain games, rounds, retries.
#[derive(Debug)]
pub enum Event<'a> {
    /// So many games begin.
    Begin(usize),
    /// Something happened in one of them.
    Progress(Progress<'a>),
    /// The first failure of several games is certain: its verdict, its scenario and its title, in a line.
    Failed(&'a str),
    /// They are over.
    End,
}

/// A game that is over.
#[derive(Debug)]
pub struct PlayedGame {
    /// The game.
    pub game: GamePlan,
    /// Its outcome.
    pub outcome: Outcome,
    /// True for a plain game whose failure is the reason to skip others, and for what a server was asked: neither is a scenario of the run.
    pub is_gate: bool,
}

/// The games of a run that is over.
#[derive(Debug)]
pub struct Played {
    /// The games, the plain ones first.
    pub games: Vec<PlayedGame>,
    /// What all games say of the subjects' mistakes in the rules. Its games are numbered without the plain ones.
    pub explanations: Vec<Ledger>,
    /// Number of rounds that were played whole, if the time was over before the last.
    pub rounds: Option<u32>,
    /// True if the user has ended the run.
    pub is_interrupted: bool,
}

/// So many games of chance show whether chance differs between them.
const ENOUGH: usize = 5;

/// So many rolls at the beginning of two games are hardly the same by chance.
const FIRST_ROLLS: usize = 5;

impl Played {
    /// A remark on each referee of whose games of chance many began alike: such a run tests few games.
    fn same_chance(&self) -> Vec<String> {
        let mut referees: BTreeMap<&str, Vec<_>> = BTreeMap::new();
        for PlayedGame { game, outcome, .. } in &self.games {
            let Some(plan) = game.scenario.game() else {
                continue;
            };
            let is_forced = plan.setup.is_some() || !plan.forced_rolls().is_empty();
            let roll = |event: &GameEvent| match event {
                GameEvent::Rolled { roll, .. } => Some(*roll),
                _ => None,
            };
            let rolls = outcome.history.iter().filter_map(roll).take(FIRST_ROLLS);
            let rolls: Vec<_> = rolls.collect();
            let is_shown = match plan.dialect.game().setup_keys() {
                [] => rolls.len() == FIRST_ROLLS,
                _ => outcome.setup.is_some(),
            };
            if plan.side == Side::Referee && !is_forced && is_shown {
                let start = (outcome.setup, rolls);
                let referee = referees.entry(&game.subject.name);
                referee.or_default().push(start);
            }
        }
        let remark = |(name, starts): (&str, Vec<_>)| {
            let (games, different) = (starts.len(), starts.iter().collect::<HashSet<_>>().len());
            let starts = counted(different, "start");
            let is_few = games >= ENOUGH && 2 * different <= games;
            is_few.then(|| format!(
                "observed: {name}: {games} games of chance with {starts} (deal or first rolls); are its random numbers seeded by a constant, or by the time in whole seconds?"
            ))
        };
        referees.into_iter().filter_map(remark).collect()
    }
}

impl Session {
    /// A session that plays each game once and does nothing else.
    #[must_use]
    pub fn once(run: Run) -> Session {
        Session {
            run,
            failures: vec![Verdict::Fail, Verdict::Error],
            repeat: 1,
            retries: 0,
            has_gate: false,
            is_explained: false,
        }
    }

    /// Plays the run to its end, or until the user interrupts.
    ///
    /// # Errors
    /// Fails if the threads that play cannot be started.
    pub async fn play(
        mut self,
        interrupt: &watch::Receiver<bool>,
        report: &dyn Fn(Event<'_>),
    ) -> io::Result<Played> {
        let games = self.run.games.clone();
        let announce = announcer(report);
        let spared = self.run.order.spared.clone();
        // A plain game that fails is played again to be sure, which takes long after a silence.
        let is_doubted = Cell::new(false);
        let doubt = |outcome: &Outcome| {
            let first = outcome.findings.first();
            if first.is_some_and(|finding| finding.by_silence)
                && !is_doubted.replace(true)
                && let Some(title) = first_title(outcome)
            {
                let line = format!(
                    "urtext: the plain game before the others failed: {title}; it is played again to be sure"
                );
                report(Event::Failed(&line));
            }
        };
        let play = async |run: Run, failed: &dyn Fn(&Outcome)| {
            report(Event::Begin(run.games.len()));
            let tell = |progress: Progress<'_>| {
                if let Some(outcome) = failure(&progress)
                    && !spared.contains(&outcome.name)
                {
                    failed(outcome);
                }
                report(Event::Progress(progress));
            };
            let outcomes = engine::run(run, interrupt.clone(), tell).await;
            report(Event::End);
            outcomes
        };
        let plain = async |run: Run| play(run, &doubt).await;
        let is_alone = games.len() == 1;
        let listed = async |run: Run| match is_alone {
            true => play(run, &|_| {}).await,
            false => play(run, &announce).await,
        };
        let mut closed = match self.has_gate && !self.run.order.is_over() {
            true => closed_gates(&self.run, &plain).await?,
            false => Vec::new(),
        };
        closed.iter().for_each(|gate| announce(&gate.outcome));
        let skipped = skip_closed(&mut self.run.games, &mut closed);
        let mut asked = Vec::new();
        if self.has_gate && !*interrupt.borrow() {
            for plain in plain_games(&self.run) {
                asked.extend(ask_limits(&plain).await);
            }
            asked.iter().for_each(|asked| announce(&asked.outcome));
        }
        let is_explained = self.is_explained;
        let (mut outcomes, rounds) = match closed.first() {
            // A plain game has failed, and a failure ends the run.
            Some(gate) if !self.run.order.fatal.is_empty() => {
                let failed = EarlyEnd::Failure(&gate.outcome.name);
                let games = self.run.games.iter();
                let outcomes = games.map(|game| not_played(&game.scenario, failed));
                (outcomes.collect::<Vec<_>>(), None)
            }
            _ => self.play_rounds(interrupt, &listed).await?,
        };
        for (place, outcome) in skipped {
            outcomes.insert(place, outcome);
        }
        let is_interrupted = *interrupt.borrow();
        let mut explanations = Vec::new();
        if is_explained && !is_interrupted {
            let named = |game: &GamePlan| (Arc::clone(&game.scenario), game.subject.name.clone());
            let (scenarios, names): (Vec<_>, Vec<_>) = games.iter().map(named).unzip();
            explanations = mistake::explain(&scenarios, &names, &mut outcomes);
        }
        let played = |is_gate| {
            move |(game, outcome)| PlayedGame {
                game,
                outcome,
                is_gate,
            }
        };
        let gates = closed.into_iter().map(|gate| (gate.game, gate.outcome));
        let before = gates.map(played(true)).chain(asked);
        let own = games.into_iter().zip(outcomes).map(played(false));
        Ok(Played {
            games: before.chain(own).collect(),
            explanations,
            rounds,
            is_interrupted,
        })
    }

    /// Plays the games in rounds, and returns the outcome of each scenario, and the number of whole rounds if the time was over before the last.
    ///
    /// # Errors
    /// Fails if `play` fails.
    async fn play_rounds(
        &self,
        interrupt: &watch::Receiver<bool>,
        play: &impl AsyncFn(Run) -> io::Result<Vec<Outcome>>,
    ) -> io::Result<(Vec<Outcome>, Option<u32>)> {
        let order = &self.run.order;
        let is_ended = || *interrupt.borrow() || order.is_over();
        let games = self.run.games.iter().map(|_| Games::default());
        let mut games: Vec<_> = games.collect();
        for round in 1..=self.repeat {
            let mut left: Vec<_> = (0..games.len()).collect();
            let has_failed = loop {
                let folder = (round > 1).then(|| format!("repeat-{round}"));
                let run = self.part(&left, order.clone(), folder);
                self.take(&mut games, &left, play(run).await?);
                let failed = |games: &[Games]| -> Vec<_> {
                    let places = left.iter().copied();
                    places.filter(|&place| games[place].have_failed()).collect()
                };
                let mut again = failed(&games);
                for retry in 1..=self.retries {
                    if again.is_empty() || is_ended() {
                        break;
                    }
                    let order = PlayOrder {
                        limit: order.limit.clone(),
                        ..PlayOrder::default()
                    };
                    let run = self.part(&again, order, Some(format!("retry-{retry}")));
                    self.take(&mut games, &again, play(run).await?);
                    again = failed(&games);
                }
                // A failure that did not last has held up the others.
                left.retain(|&game| games[game].rounds < round);
                if left.is_empty() || !again.is_empty() || is_ended() {
                    let name = |place: usize| self.run.games[place].scenario.name.as_str();
                    break !again.iter().all(|&game| order.spared.contains(name(game)));
                }
            };
            if has_failed && !order.fatal.is_empty() || is_ended() {
                break;
            }
        }
        let whole = games.iter().map(|games| games.rounds).min();
        let whole = whole.filter(|&whole| order.is_over() && whole < self.repeat);
        let outcome = |games: Games| {
            let played = games.played.map(SeveralGames::into_outcome);
            played
                .or(games.skipped)
                .expect("each game was played or skipped in the first round")
        };
        Ok((games.into_iter().map(outcome).collect(), whole))
    }

    /// The run of these games alone. `folder`: where they are recorded, below the folder of the first games.
    fn part(&self, places: &[usize], order: PlayOrder, folder: Option<String>) -> Run {
        let games = places.iter().map(|&place| self.run.games[place].clone());
        let mut run = Run {
            games: games.collect(),
            order,
            ..self.run.clone()
        };
        if let (Some(record), Some(folder)) = (&mut run.options.record, folder) {
            record.push(folder);
        }
        run
    }

    fn take(&self, games: &mut [Games], places: &[usize], outcomes: Vec<Outcome>) {
        for (&place, outcome) in places.iter().zip(outcomes) {
            let games = &mut games[place];
            if outcome.verdict == Verdict::Skipped {
                games.skipped = Some(outcome);
                continue;
            }
            games.rounds += 1;
            match &mut games.played {
                Some(played) => played.add(outcome, &self.failures),
                played => *played = Some(SeveralGames::new(outcome, &self.failures)),
            }
        }
    }
}

/// Plays an exploration to its end, or until the user interrupts, and returns it.
///
/// # Errors
/// Fails if the threads that play cannot be started.
pub async fn explore(
    mut exploration: Exploration,
    report: Rc<dyn Fn(Event<'_>)>,
) -> io::Result<Exploration> {
    report(Event::Begin(exploration.limits.games));
    let tell = Rc::clone(&report);
    let announce = announcer(move |event| tell(event));
    let tell = Rc::clone(&report);
    exploration.trials.tell_by(Rc::new(move |progress| {
        failure(&progress).into_iter().for_each(&announce);
        tell(Event::Progress(progress));
    }));
    let played = exploration.play().await;
    report(Event::End);
    played.map(|()| exploration)
}

/// The outcome of a game that is over and has failed.
fn failure<'o>(progress: &Progress<'o>) -> Option<&'o Outcome> {
    let Progress::Ended(outcome) = progress else {
        return None;
    };
    matches!(outcome.verdict, Verdict::Fail | Verdict::Error).then_some(outcome)
}

/// Announces the first of the outcomes that it is given, with a title that infers nothing.
fn announcer(report: impl Fn(Event<'_>)) -> impl Fn(&Outcome) {
    let has_announced = Cell::new(false);
    move |outcome| {
        if !has_announced.get()
            && let Some(title) = first_title(outcome)
        {
            has_announced.set(true);
            let (verdict, name) = (outcome.verdict.word(), &outcome.name);
            report(Event::Failed(&format!("{verdict}: {name}: {title}")));
        }
    }
}

/// The title of the first finding.
fn first_title(outcome: &Outcome) -> Option<String> {
    Some(FindingResult::of(outcome).into_iter().next()?.title)
}

/// The games of one scenario.
#[derive(Default)]
struct Games {
    played: Option<SeveralGames>,
    /// Number of rounds that have played it.
    rounds: u32,
    /// The outcome of a game that did not begin.
    skipped: Option<Outcome>,
}

impl Games {
    /// Returns true if one of them failed and none passed.
    fn have_failed(&self) -> bool {
        self.played.as_ref().is_some_and(SeveralGames::has_failed)
    }
}
