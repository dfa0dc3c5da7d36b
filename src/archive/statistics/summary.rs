//! Reports of what was counted.

use super::count::{GameCount, Statistics};
use super::player::{PlayerCount, Record};
use super::quantiles::Quantiles;
use super::report::{
    AnswerTimes, GameStatistics, LengthStatistics, PairStatistics, PlayerStatistics,
    StatisticsReport,
};
use crate::pack;
use crate::rules::Seat;

impl Statistics {
    /// Returns the numbers for a report.
    #[must_use]
    pub fn report(&self) -> StatisticsReport {
        let games = self.games.iter();
        StatisticsReport {
            version: 1,
            games: games
                .map(|(game, count)| GameStatistics::new(game, count))
                .collect(),
            wrong: self.wrong,
            unreadable: self.unreadable,
        }
    }
}

impl GameStatistics {
    pub(super) fn new(game: &str, count: &GameCount) -> GameStatistics {
        let seats = pack::game(game).map_or(["first", "second"], |game| game.seat_names());
        let by_seat = |numbers: [u64; 2]| {
            let seats = seats.map(str::to_owned);
            seats.into_iter().zip(numbers).collect()
        };
        let numbers = |of: &crate::rules::PerSeat<u64>| Seat::BOTH.map(|seat| of[seat]);
        let mut players: Vec<_> = count
            .players
            .iter()
            .map(|(name, player)| PlayerStatistics::new(game, name, player))
            .collect();
        players.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| a.player.cmp(&b.player)));
        let pairs = count.pairs.iter().flat_map(|([first, second], record)| {
            let turned = PairStatistics::new(game, second, first, record.turned());
            let own = PairStatistics::new(game, first, second, *record);
            [Some(own), (first != second).then_some(turned)]
        });
        GameStatistics {
            game: game.to_owned(),
            games: count.games,
            incomplete: count.incomplete,
            draws: count.draws,
            wins: by_seat(numbers(&count.wins)),
            captures: by_seat(numbers(&count.captures)),
            losses: count.losses.clone(),
            turns: LengthStatistics::new(&count.turns),
            players,
            pairs: pairs.flatten().collect(),
        }
    }
}

impl LengthStatistics {
    fn new(turns: &Quantiles) -> LengthStatistics {
        LengthStatistics {
            shortest: turns.at(0.0),
            quarter: turns.at(0.25),
            median: turns.at(0.5),
            three_quarters: turns.at(0.75),
            longest: turns.at(1.0),
        }
    }
}

impl PlayerStatistics {
    fn new(game: &str, name: &str, player: &PlayerCount) -> PlayerStatistics {
        let record = player.record;
        let (low, high) = record.interval();
        let answers = player.answers.as_ref().zip(player.slowest.clone());
        PlayerStatistics {
            game: game.to_owned(),
            player: name.to_owned(),
            games: record.games(),
            wins: record.wins,
            draws: record.draws,
            losses: record.losses,
            score: record.score(),
            low,
            high,
            captures: player.captures,
            answers: answers.map(|(times, slowest)| {
                let ms = |part| times.at(part) as f64 / 1e3;
                AnswerTimes {
                    answers: times.count(),
                    median_ms: ms(0.5),
                    p95_ms: ms(0.95),
                    p99_ms: ms(0.99),
                    slowest,
                }
            }),
        }
    }
}

impl PairStatistics {
    fn new(game: &str, player: &str, opponent: &str, record: Record) -> PairStatistics {
        let (low, high) = record.interval();
        PairStatistics {
            game: game.to_owned(),
            player: player.to_owned(),
            opponent: opponent.to_owned(),
            games: record.games(),
            wins: record.wins,
            draws: record.draws,
            losses: record.losses,
            score: record.score(),
            low,
            high,
        }
    }
}
