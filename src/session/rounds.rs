//! Order, early end and repeats of the games of a run.

use std::io;

use tokio::sync::watch;

use super::Session;
use crate::engine::{PlayOrder, Run};
use crate::event::{Outcome, SeveralGames};
use crate::finding::Verdict;

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

impl Session {
    /// Plays the games in rounds, and returns the outcome of each scenario, and the number of whole rounds if the time was over before the last.
    ///
    /// # Errors
    /// Fails if `play` fails.
    pub(super) async fn play_rounds(
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
