//! Batches of a match's games, small enough to be judged on several threads.

use std::ops::Range;
use std::sync::Arc;

use super::interleave::Interleaving;
use super::{Clean, FastPath, Judged, Stream};
use crate::pack::Protocol;
use crate::protocol::Dialect;
use crate::transcript::LoggedGame;
use crate::transcript::bare::{self, BareGame};

/// Size of a batch, in bytes.
const SIZE: usize = 256 << 10;

/// The files that hold a lane each of every game of a match.
#[derive(Debug)]
pub struct Streams {
    /// Name of the games in reports.
    pub name: String,
    /// Dialect of the games.
    pub dialect: &'static dyn Dialect,
    /// The name of each file, and whether `>` stands in it before what was sent.
    pub lanes: Vec<(String, bool)>,
}

/// Consecutive games of a match, to be judged away from the files.
pub struct Batch {
    streams: Arc<Streams>,
    /// The number of the first game, from 1.
    first: usize,
    text: Vec<u8>,
    /// The lanes of all games, game by game.
    lanes: Vec<Lane>,
}

struct Lane {
    first_line: usize,
    text: Range<usize>,
    is_too_large: bool,
}

/// Consecutive games of a match that were judged.
pub struct JudgedBatch {
    /// The files of the match.
    pub streams: Arc<Streams>,
    /// The number of the first game, from 1.
    pub first: usize,
    /// The games, in order.
    pub games: Vec<BatchGame>,
}

/// A game of a batch that was judged.
pub enum BatchGame {
    /// Read without a complaint.
    Clean(Clean),
    /// Judged by its lanes.
    Judged(Box<(LoggedGame, Judged)>),
    /// Not judged, because it is larger than any game.
    TooLarge {
        /// The line of the file with which it begins, from 1.
        first_line: usize,
    },
}

impl Batch {
    /// An empty batch from the beginning of a match.
    #[must_use]
    pub fn new(streams: Streams) -> Batch {
        Batch {
            streams: Arc::new(streams),
            first: 1,
            text: Vec::new(),
            lanes: Vec::new(),
        }
    }

    /// Adds the next lane of the game that is being added.
    pub fn push(&mut self, lane: BareGame<'_>) {
        let start = self.text.len();
        self.text.extend_from_slice(lane.text);
        let BareGame {
            first_line,
            is_too_large,
            ..
        } = lane;
        self.lanes.push(Lane {
            first_line,
            text: start..self.text.len(),
            is_too_large,
        });
    }

    /// Returns true if the batch is large enough to be judged.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.text.len() >= SIZE
    }

    /// The number of the game after it.
    #[must_use]
    pub fn next_number(&self) -> usize {
        self.first + self.lanes.len() / self.streams.lanes.len()
    }

    /// The batch that follows, empty.
    #[must_use]
    pub fn next(&self) -> Batch {
        let text = Vec::with_capacity(self.text.len());
        Batch {
            streams: self.streams.clone(),
            first: self.next_number(),
            text,
            lanes: Vec::new(),
        }
    }

    /// Judges its games.
    #[must_use]
    pub fn judge(self) -> JudgedBatch {
        let mut fast_path = FastPath::new(self.streams.dialect);
        let games = self.lanes.chunks_exact(self.streams.lanes.len());
        let games = games
            .map(|lanes| self.judge_game(lanes, &mut fast_path))
            .collect();
        JudgedBatch {
            games,
            streams: self.streams,
            first: self.first,
        }
    }

    fn judge_game(&self, lanes: &[Lane], fast_path: &mut FastPath) -> BatchGame {
        if let Some(lane) = lanes.iter().find(|lane| lane.is_too_large) {
            return BatchGame::TooLarge {
                first_line: lane.first_line,
            };
        }
        let all = || lanes.iter().zip(&self.streams.lanes);
        let text = |lane: &Lane| &self.text[lane.text.clone()];
        let streams = all().map(|(lane, &(_, marks_sent))| Stream {
            text: text(lane),
            marks_sent,
        });
        if let Some(clean) = fast_path.pass(streams) {
            return BatchGame::Clean(clean);
        }
        let dialect = self.streams.dialect;
        let lanes = all().map(|(lane, (name, marks_sent))| {
            let game = BareGame {
                first_line: lane.first_line,
                text: text(lane),
                is_too_large: false,
            };
            bare::lane(name, game, dialect, *marks_sent)
        });
        let game = LoggedGame::new(Protocol::Game(dialect), lanes.collect());
        let judged = Interleaving::new(&game, dialect).judge();
        BatchGame::Judged(Box::new((game, judged)))
    }
}
