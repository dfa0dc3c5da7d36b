//! Order, early end and repeats of the games of a run.

use std::io;
use std::num::NonZeroU32;
use std::time::Duration;

use clap::Args;

use crate::cli::interrupt::Interrupt;
use crate::engine::{PlayOrder, Run};
use crate::event::{Outcome, SeveralGames};
use crate::finding::Verdict;

/// Options of the order of the games, and of repeats.
#[derive(Debug, Clone, Args)]
pub(super) struct RoundArgs {
    /// End the run at the first failure
    ///
    /// A failure of a scenario that the baseline names does not count. Games that have begun are stopped if the failure is certain; what was
    /// not played to its end is reported as skipped. Built-in peers then play one game after the other, so that the report stays the same.
    #[arg(long)]
    pub(super) fail_fast: bool,

    /// Begin no further game after this time, such as 30m
    ///
    /// Games that have begun are played to their end, also a second game that confirms a failure, and the others are reported as skipped:
    /// the exit status is 4 unless --allow skipped is given. With --repeat, the rounds end, and only a scenario without any game is
    /// skipped. With built-in peers, it is the time of the virtual clock.
    #[arg(long = "for", value_name = "DURATION", hide_short_help = true, value_parser = humantime::parse_duration)]
    pub(super) limit: Option<Duration>,

    /// Play every scenario N times, in rounds
    ///
    /// A scenario is flaky if some of its games fail and others pass.
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "bless",
        hide_short_help = true
    )]
    repeat: Option<NonZeroU32>,

    /// Play a failed scenario again until it passes, up to N times [default: 0]
    ///
    /// A scenario that passes then is flaky: the exit status is 4 unless --allow flaky is given.
    #[arg(long, value_name = "N", conflicts_with_all = ["bless", "repeat"], hide_short_help = true)]
    retries: Option<u32>,
}

impl RoundArgs {
    /// Sets how often a failed scenario is played again, where nothing is said of repeats.
    pub(super) fn retry(&mut self, retries: Option<u32>) {
        if self.repeat.is_none() {
            self.retries = self.retries.or(retries);
        }
    }

    /// Returns true if the run may end before all its games have begun.
    pub(super) fn ends_early(&self) -> bool {
        self.fail_fast || self.limit.is_some()
    }

    /// Plays the games in rounds, and returns the outcome of each scenario. `failures`: verdicts that count as failures. `order`: what ends the
    /// run early.
    ///
    /// # Errors
    /// Fails if `play` fails.
    pub(super) async fn play(
        &self,
        run: Run,
        failures: &[Verdict],
        order: PlayOrder,
        interrupt: &Interrupt,
        play: impl AsyncFn(Run) -> io::Result<Vec<Outcome>>,
    ) -> io::Result<Vec<Outcome>> {
        let mut rounds = Rounds {
            games: run.games.iter().map(|_| Games::default()).collect(),
            run,
            failures,
            play,
        };
        let is_ended = || interrupt.has_come() || order.is_over();
        let last = self.repeat.map_or(1, u32::from);
        for round in 1..=last {
            let mut left: Vec<_> = (0..rounds.games.len()).collect();
            let has_failed = loop {
                let folder = (round > 1).then(|| format!("repeat-{round}"));
                rounds.play(&left, order.clone(), folder).await?;
                let mut failed = rounds.failed(&left);
                for retry in 1..=self.retries.unwrap_or(0) {
                    if failed.is_empty() || is_ended() {
                        break;
                    }
                    let folder = Some(format!("retry-{retry}"));
                    let order = PlayOrder {
                        limit: order.limit.clone(),
                        ..PlayOrder::default()
                    };
                    rounds.play(&failed, order, folder).await?;
                    failed = rounds.failed(&left);
                }
                // A failure that did not last has held up the others.
                left.retain(|&game| rounds.is_left(game, round));
                if left.is_empty() || !failed.is_empty() || is_ended() {
                    let is_spared = |&game: &usize| order.spared.contains(rounds.name(game));
                    break !failed.iter().all(is_spared);
                }
            };
            if has_failed && self.fail_fast || is_ended() {
                break;
            }
        }
        if order.is_over() && last > 1 {
            rounds.say_where_time_was_over(last);
        }
        Ok(rounds.outcomes())
    }
}

/// The games of a run, played in rounds.
struct Rounds<'r, P> {
    run: Run,
    games: Vec<Games>,
    failures: &'r [Verdict],
    play: P,
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

impl<P: AsyncFn(Run) -> io::Result<Vec<Outcome>>> Rounds<'_, P> {
    /// Plays these games. `folder`: where they are recorded, below the folder of the first games.
    async fn play(
        &mut self,
        places: &[usize],
        order: PlayOrder,
        folder: Option<String>,
    ) -> io::Result<()> {
        let games = places.iter().map(|&place| self.run.games[place].clone());
        let mut run = Run {
            games: games.collect(),
            order,
            ..self.run.clone()
        };
        if let (Some(record), Some(folder)) = (&mut run.options.record, folder) {
            record.push(folder);
        }
        for (&place, outcome) in places.iter().zip((self.play)(run).await?) {
            let games = &mut self.games[place];
            if outcome.verdict == Verdict::Skipped {
                games.skipped = Some(outcome);
                continue;
            }
            games.rounds += 1;
            match &mut games.played {
                Some(played) => played.add(outcome, self.failures),
                played => *played = Some(SeveralGames::new(outcome, self.failures)),
            }
        }
        Ok(())
    }

    /// Returns those of these games that failed and did not pass.
    fn failed(&self, places: &[usize]) -> Vec<usize> {
        let has_failed = |&place: &usize| {
            let played = self.games[place].played.as_ref();
            played.is_some_and(SeveralGames::has_failed)
        };
        places.iter().copied().filter(has_failed).collect()
    }

    fn name(&self, place: usize) -> &str {
        &self.run.games[place].scenario.name
    }

    /// Returns true if a game has not begun in this round.
    fn is_left(&self, place: usize, round: u32) -> bool {
        self.games[place].rounds < round
    }

    fn say_where_time_was_over(&self, last: u32) {
        let whole = self.games.iter().map(|games| games.rounds).min();
        if let Some(whole) = whole.filter(|&whole| whole < last) {
            anstream::eprintln!(
                "urtext: the time of --for was over after {whole} of {last} rounds"
            );
        }
    }

    fn outcomes(self) -> Vec<Outcome> {
        let outcome = |games: Games| {
            let played = games.played.map(SeveralGames::into_outcome);
            played
                .or(games.skipped)
                .expect("each game was played or skipped in the first round")
        };
        self.games.into_iter().map(outcome).collect()
    }
}
