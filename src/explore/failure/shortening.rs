//! The one loop that shortens a failed game: shorter games are played, and one that fails alike is shortened again.

use std::collections::HashSet;
use std::io;
use std::sync::Arc;

use crate::event::{self, Outcome};
use crate::explore::script::{Answers, Script};
use crate::explore::trials::{AT_ONCE, Trials};
use crate::finding::{LaneText, LaneView};
use crate::mistake::{self, Ledger};
use crate::requirement::Role;
use crate::rules::Mistake;
use crate::scenario::{PlannedGame, Scenario, Side, write};
use crate::yaml::Number;

/// Number of plays of a game that shows whether it fails often enough.
pub(super) const TIMES: usize = 3;
/// Number of mistakes above which none is asked for: they have no wrong rule in common that a game could show.
const MOST: usize = 12;

/// A game with its outcome.
pub(super) type Played = (Script, Outcome);

/// Games that shorten a failed one, and what they have shown.
pub(super) struct Shortening<'t> {
    pub(super) trials: &'t Trials,
    /// The game that is shortened.
    plan: PlannedGame,
    /// The outcome that a shorter game has to share: the same requirement, or the same sort of failure.
    pub(super) like: Outcome,
    seed: u64,
    /// Maximum number of games for each search.
    tries: usize,
    /// True if chance decides what happens in a game.
    pub(super) is_by_chance: bool,
    tried: HashSet<String>,
    /// Answers of the bot under test.
    answers: Answers,
    /// The mistakes that the subject may make.
    pub(super) ledger: Ledger,
    /// Outcome of the short game that told a mistake.
    told: Option<Outcome>,
    /// How often a game failed that failed most often, of those that did so too seldom, and of how many.
    pub(super) best_dropped: Option<(usize, usize)>,
}

/// Id of the requirement under which a game failed.
pub(super) fn requirement(outcome: &Outcome) -> Option<&'static str> {
    outcome.failure()?.requirement
}

/// Returns true if two games failed alike.
fn is_same(one: &Outcome, other: &Outcome) -> bool {
    let both = one.failure().zip(other.failure());
    both.is_some_and(|(one, other)| event::is_like(one, other))
}

/// How often a game failed alike.
#[derive(Debug, Default)]
pub(super) struct Count {
    pub(super) failed: usize,
    pub(super) of: usize,
    /// Seed of the first game that did.
    pub(super) seed: Option<u64>,
    /// Outcome of that game.
    outcome: Option<Outcome>,
}

impl Count {
    /// Returns true if the game fails often enough to be of use: in a third of all games.
    pub(super) fn is_often(&self) -> bool {
        self.failed > 0 && self.failed * 3 >= self.of
    }
}

impl<'t> Shortening<'t> {
    pub(super) fn new(
        trials: &'t Trials,
        ledger: Ledger,
        plan: &PlannedGame,
        like: &Outcome,
        seed: u64,
        tries: usize,
    ) -> Shortening<'t> {
        Shortening {
            trials,
            plan: plan.clone(),
            like: like.clone(),
            seed,
            tries,
            is_by_chance: false,
            tried: HashSet::new(),
            answers: Answers::default(),
            ledger,
            told: None,
            best_dropped: None,
        }
    }

    /// Plays the next games that were not tried, learns from them, and returns them as they were played. None are left after `tries`.
    async fn play(
        &mut self,
        trials: &Trials,
        candidates: &mut impl Iterator<Item = Script>,
    ) -> io::Result<Vec<Played>> {
        let about = requirement(&self.like);
        let mut batch: Vec<(Script, Arc<Scenario>)> = Vec::new();
        while batch.len() < AT_ONCE && self.tried.len() < self.tries && !trials.is_interrupted() {
            let Some(script) = candidates.next() else {
                break;
            };
            let form = script.as_plan(about).titled("");
            if self.tried.insert(write(&trials.subject.as_played(form)))
                && let Some(mut scenario) = script.scenario(about)
                && let Some(plan) = scenario.game_mut()
            {
                plan.keys.attempts = Some(Number(1));
                let played = trials.subject.as_played(scenario);
                batch.push((script, Arc::new(played)));
            }
        }
        let games = batch
            .iter()
            .map(|(_, scenario)| (Arc::clone(scenario), self.seed));
        let outcomes = trials.play(games.collect()).await?;
        let mut all = Vec::new();
        for ((script, scenario), outcome) in batch.into_iter().zip(outcomes) {
            if let Some(plan) = scenario.game() {
                self.ledger.take(self.ledger.games.len(), plan, &outcome);
            }
            // A bot may have answered otherwise.
            let played = match script.side() {
                Side::Referee => Some(script),
                Side::Bot => Script::of(&scenario, &outcome),
            };
            all.extend(played.map(|script| (script, outcome)));
        }
        Ok(all)
    }

    /// Shorter and shorter games that fail alike, the shortest one last.
    pub(super) async fn shorten(
        &mut self,
        trials: &Trials,
        whole: &Script,
    ) -> io::Result<Vec<Played>> {
        self.tried.clear();
        self.answers.learn(whole);
        let (mut best, mut found) = (whole.clone(), Vec::new());
        loop {
            let (answers, mut has_news) = (self.answers.clone(), false);
            let mut candidates = best.shorter(&answers, requirement(&self.like));
            let mut shorter = None;
            while shorter.is_none() {
                let played = self.play(trials, &mut candidates).await?;
                if played.is_empty() {
                    break;
                }
                for (script, _) in &played {
                    has_news |= self.answers.learn(script);
                }
                let mut failing: Vec<_> = played
                    .into_iter()
                    .filter(|(script, outcome)| {
                        script.is_shorter_than(&best) && self.fails_like(outcome)
                    })
                    .map(|(script, _)| script)
                    .collect();
                failing.sort_by_key(Script::cost);
                for script in failing {
                    let count = self.fails(trials, &script, TIMES).await?;
                    if count.is_often() {
                        shorter = count.outcome.map(|outcome| (script, outcome));
                        break;
                    }
                }
            }
            drop(candidates);
            match shorter {
                Some((script, outcome)) => {
                    self.like.clone_from(&outcome);
                    best = script.clone();
                    found.push((script, outcome));
                }
                None if has_news => {}
                None => return Ok(found),
            }
        }
    }

    /// Plays a game several times as it is written: with the same seed, or with others where chance decides.
    pub(super) async fn fails(
        &mut self,
        trials: &Trials,
        script: &Script,
        times: usize,
    ) -> io::Result<Count> {
        let mut count = Count::default();
        let Some(scenario) = script.scenario(requirement(&self.like)).map(Arc::new) else {
            return Ok(count);
        };
        let seeds = (times..2 * times).map(|number| match self.is_by_chance {
            true => self.seed.wrapping_add(number as u64),
            false => self.seed,
        });
        let games = seeds.clone().map(|seed| (Arc::clone(&scenario), seed));
        let outcomes = trials.play(games.collect()).await?;
        for (seed, outcome) in seeds.zip(outcomes) {
            count.of += 1;
            if self.fails_like(&outcome) {
                count.failed += 1;
                count.seed.get_or_insert(seed);
                count.outcome.get_or_insert(outcome);
            }
        }
        if !count.is_often() {
            self.best_dropped = self.best_dropped.max(Some((count.failed, count.of)));
        }
        Ok(count)
    }

    /// Returns true if a game failed alike. A line that is missing only under short timeouts is another failure.
    fn fails_like(&self, outcome: &Outcome) -> bool {
        let is_alike = is_same(outcome, &self.like)
            && outcome.failed_by_silence() <= self.like.failed_by_silence();
        // To which turn of a bot a line belongs that is one too many shows better the fewer there are.
        let is_bots = self.trials.subject.side == Side::Bot;
        is_alike || is_bots && has_surplus(outcome) && has_surplus(&self.like)
    }

    /// The game with pauses after skipped turns, where it fails by a line in one: else it depends on who is quicker which later answer such a
    /// line is taken for.
    pub(super) async fn with_pauses(&self, script: &Script) -> io::Result<Option<Played>> {
        let silent = Some(script.plan.dialect.id(Role::BotSilentWhenSkipped));
        let is_possible = script.skips_the_bot() && requirement(&self.like) != silent;
        let Some(scenario) = script
            .scenario(silent)
            .filter(|_| is_possible)
            .map(Arc::new)
        else {
            return Ok(None);
        };
        let games = vec![(Arc::clone(&scenario), self.seed)];
        let mut outcomes = self.trials.patient().play(games).await?.into_iter();
        let outcome = outcomes.find(|outcome| requirement(outcome) == silent);
        Ok(outcome.and_then(|outcome| Some((Script::of(&scenario, &outcome)?, outcome))))
    }

    /// A short game that tells a mistake which may explain the failure from the rules, and fails by it.
    pub(super) async fn told(&mut self, script: &Script) -> io::Result<Option<Played>> {
        let mistakes = self.mistakes(&self.like);
        if mistakes.len() > MOST {
            return Ok(None);
        }
        self.tried.clear();
        self.answers.learn(script);
        let (trials, answers) = (self.trials.patient(), self.answers.clone());
        let mut candidates = script.telling(&mistakes, &answers);
        loop {
            let played = self.play(&trials, &mut candidates).await?;
            if played.is_empty() {
                return Ok(None);
            }
            let common = |(_, outcome): &Played| self.common(outcome, &self.like);
            // One that shows at the requirement which the mistake breaks is clearer.
            let is_clear = |game: &Played| {
                let breaks = |row: &&Mistake| requirement(&game.1) == Some(row.breaks);
                common(game).iter().any(breaks)
            };
            let failed = played.into_iter().filter(|game| !common(game).is_empty());
            let told = failed.min_by_key(|game| (!is_clear(game), game.0.cost()));
            if told.is_some() {
                self.told = told.as_ref().map(|(_, outcome)| outcome.clone());
                return Ok(told);
            }
        }
    }

    /// The mistakes that explain a failure and that no game refutes.
    pub(super) fn mistakes(&self, outcome: &Outcome) -> Vec<&'static Mistake> {
        let explains = |row: &Mistake| mistake::explains(row, &self.plan, outcome);
        self.ledger.possible(explains)
    }

    /// The mistakes that explain both failures.
    fn common(&self, one: &Outcome, other: &Outcome) -> Vec<&'static Mistake> {
        let (mut rows, others) = (self.mistakes(one), self.mistakes(other));
        rows.retain(|row| others.iter().any(|other| other.name == row.name));
        rows
    }

    /// The mistake that alone explains the failed game and the one that told it.
    pub(super) fn cause(&self, failed: &Outcome) -> Option<&'static Mistake> {
        match self.common(failed, self.told.as_ref()?)[..] {
            [row] => Some(row),
            _ => None,
        }
    }
}

/// Returns true if the bot sent a line when none was owed.
fn has_surplus(outcome: &Outcome) -> bool {
    let is_surplus = |lane_view: &LaneView| {
        lane_view.expected == LaneText::Nothing && matches!(lane_view.received, LaneText::Line(_))
    };
    let failed = outcome.failure();
    failed.is_some_and(|finding| finding.lanes.first().is_some_and(is_surplus))
}
