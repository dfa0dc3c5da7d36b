//! The counting of games.

use std::collections::BTreeMap;

use super::player::{PlayerCount, Record};
use super::quantiles::Quantiles;
use super::report::SlowestAnswer;
use super::row::{Answer, GameRow};
use crate::rules::{PerSeat, Seat};

/// Limit of players of a game with numbers of their own; further ones are counted together.
const PLAYERS: usize = 4096;

/// Limit of pairs of players with numbers of their own.
const PAIRS: usize = 1 << 16;

/// The name of players who are counted together.
const OTHERS: &str = "(others)";

/// Statistics of the games that were counted.
#[derive(Debug, Clone, Default)]
pub struct Statistics {
    pub(super) games: BTreeMap<&'static str, GameCount>,
    pub(super) wrong: u64,
    pub(super) unreadable: u64,
}

/// The games of one kind as far as they have been counted.
#[derive(Debug, Clone, Default)]
pub(super) struct GameCount {
    pub(super) games: u64,
    pub(super) incomplete: u64,
    pub(super) draws: u64,
    pub(super) wins: PerSeat<u64>,
    pub(super) captures: PerSeat<u64>,
    pub(super) losses: BTreeMap<String, u64>,
    pub(super) turns: Quantiles,
    pub(super) players: BTreeMap<String, PlayerCount>,
    pub(super) pairs: BTreeMap<[String; 2], Record>,
}

impl Statistics {
    /// Counts a legal game.
    pub fn add(&mut self, row: &GameRow) {
        self.games.entry(row.game).or_default().add(row);
    }

    /// Counts a game with an error; nothing else of the game is counted.
    pub fn add_wrong(&mut self) {
        self.wrong += 1;
    }

    /// Counts a file or a game that cannot be read.
    pub fn add_unreadable(&mut self) {
        self.unreadable += 1;
    }

    /// Counts the games of others.
    pub fn merge(&mut self, others: Statistics) {
        self.wrong += others.wrong;
        self.unreadable += others.unreadable;
        for (game, count) in others.games {
            self.games.entry(game).or_default().merge(count);
        }
    }
}

impl GameCount {
    fn add(&mut self, row: &GameRow) {
        let captures = [row.captures_first, row.captures_second];
        let names = [&row.first, &row.second].map(|name| self.known(name));
        self.games += 1;
        let is_over = row.ending != "incomplete";
        self.incomplete += u64::from(!is_over);
        self.draws += u64::from(row.ending == "drawn");
        if is_over {
            self.turns.add(row.turns as u64);
        }
        if let Some(winner) = row.winning {
            self.wins[winner] += 1;
            if row.ending != "won" {
                *self.losses.entry(row.ending.clone()).or_default() += 1;
            }
        }
        let record = |seat: Seat| match row.winning {
            _ if !is_over => Record::default(),
            Some(winner) if winner == seat => Record {
                wins: 1,
                ..Record::default()
            },
            Some(_) => Record {
                losses: 1,
                ..Record::default()
            },
            None => Record {
                draws: 1,
                ..Record::default()
            },
        };
        for seat in Seat::BOTH {
            let (name, captures) = (&names[seat.index()], captures[seat.index()]);
            self.captures[seat] += captures;
            let player = self.players.entry(name.clone()).or_default();
            player.record.merge(record(seat));
            player.captures += captures;
        }
        for &Answer { by, turn, mv, took } in &row.answers {
            let player = self.players.entry(names[by.index()].clone()).or_default();
            let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
            player.answers.get_or_insert_default().add(micros);
            let (file, game) = (row.file.clone(), row.number);
            player.answered(SlowestAnswer {
                ms: took.as_secs_f64() * 1e3,
                file,
                game,
                turn,
                mv: row.rules.format_move(mv),
            });
        }
        let [first, second] = names;
        self.met(first, second, record(Seat::First));
    }

    /// The name under which a player is counted.
    fn known(&self, name: &str) -> String {
        match self.players.len() < PLAYERS || self.players.contains_key(name) {
            true => name.to_owned(),
            false => OTHERS.to_owned(),
        }
    }

    /// Counts games of a pair of players, told from the first one's side.
    fn met(&mut self, first: String, second: String, record: Record) {
        if record.games() == 0 {
            return;
        }
        let (pair, record) = match first <= second {
            true => ([first, second], record),
            false => ([second, first], record.turned()),
        };
        if self.pairs.len() < PAIRS || self.pairs.contains_key(&pair) {
            self.pairs.entry(pair).or_default().merge(record);
        }
    }

    fn merge(&mut self, others: GameCount) {
        self.games += others.games;
        self.incomplete += others.incomplete;
        self.draws += others.draws;
        for seat in Seat::BOTH {
            self.wins[seat] += others.wins[seat];
            self.captures[seat] += others.captures[seat];
        }
        for (cause, count) in others.losses {
            *self.losses.entry(cause).or_default() += count;
        }
        self.turns.merge(&others.turns);
        for (name, player) in others.players {
            let name = self.known(&name);
            self.players.entry(name).or_default().merge(player);
        }
        for ([first, second], record) in others.pairs {
            let (first, second) = (self.known(&first), self.known(&second));
            self.met(first, second, record);
        }
    }
}
