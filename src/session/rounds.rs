//! Order, early end and repeats of the games of a run.

use std::io;

use tokio::sync::watch;

use super::Session;
use crate::engine::{PlayOrder, Run};
use crate::event::{Outcome, SeveralGames};
use crate::finding::Verdict;

/// The games of a run, played in rounds.
pub(super) struct Rounds<'i, P> {
    session: Session,
    order: PlayOrder,
    interrupt: &'i watch::Receiver<bool>,
    games: Vec<Games>,
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

impl<'i, P: AsyncFn(Run) -> io::Result<Vec<Outcome>>> Rounds<'i, P> {
    pub(super) fn new(
        mut session: Session,
        interrupt: &'i watch::Receiver<bool>,
        play: P,
    ) -> Rounds<'i, P> {
        Rounds {
            order: std::mem::take(&mut session.run.order),
            games: session.run.games.iter().map(|_| Games::default()).collect(),
            session,
            interrupt,
            play,
        }
    }

    /// Plays the games in rounds, and returns the outcome of each scenario, and the number of whole rounds if the time was over before the last.
    ///
    /// # Errors
    /// Fails if `play` fails.
    pub(super) async fn play(mut self) -> io::Result<(Vec<Outcome>, Option<u32>)> {
        let last = self.session.repeat;
        for round in 1..=last {
            let mut left: Vec<_> = (0..self.games.len()).collect();
            let has_failed = loop {
                let folder = (round > 1).then(|| format!("repeat-{round}"));
                self.play_once(&left, self.order.clone(), folder).await?;
                let mut failed = self.failed(&left);
                for retry in 1..=self.session.retries {
                    if failed.is_empty() || self.is_ended() {
                        break;
                    }
                    let folder = Some(format!("retry-{retry}"));
                    let order = PlayOrder {
                        limit: self.order.limit.clone(),
                        ..PlayOrder::default()
                    };
                    self.play_once(&failed, order, folder).await?;
                    failed = self.failed(&left);
                }
                // A failure that did not last has held up the others.
                left.retain(|&game| self.games[game].rounds < round);
                if left.is_empty() || !failed.is_empty() || self.is_ended() {
                    let spared = &self.order.spared;
                    break !failed.iter().all(|&game| spared.contains(self.name(game)));
                }
            };
            if has_failed && !self.order.fatal.is_empty() || self.is_ended() {
                break;
            }
        }
        let whole = self.games.iter().map(|games| games.rounds).min();
        let whole = whole.filter(|&whole| self.order.is_over() && whole < last);
        let outcome = |games: Games| {
            let played = games.played.map(SeveralGames::into_outcome);
            played
                .or(games.skipped)
                .expect("each game was played or skipped in the first round")
        };
        Ok((self.games.into_iter().map(outcome).collect(), whole))
    }

    fn is_ended(&self) -> bool {
        *self.interrupt.borrow() || self.order.is_over()
    }

    /// Plays these games. `folder`: where they are recorded, below the folder of the first games.
    async fn play_once(
        &mut self,
        places: &[usize],
        order: PlayOrder,
        folder: Option<String>,
    ) -> io::Result<()> {
        let run = &self.session.run;
        let games = places.iter().map(|&place| run.games[place].clone());
        let mut run = Run {
            games: games.collect(),
            order,
            ..run.clone()
        };
        if let (Some(record), Some(folder)) = (&mut run.options.record, folder) {
            record.push(folder);
        }
        let failures = &self.session.failures;
        for (&place, outcome) in places.iter().zip((self.play)(run).await?) {
            let games = &mut self.games[place];
            if outcome.verdict == Verdict::Skipped {
                games.skipped = Some(outcome);
                continue;
            }
            games.rounds += 1;
            match &mut games.played {
                Some(played) => played.add(outcome, failures),
                played => *played = Some(SeveralGames::new(outcome, failures)),
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
        &self.session.run.games[place].scenario.name
    }
}
