//! Batches of a match's games, small enough to be judged on several threads.

use std::ops::Range;
use std::sync::Arc;

use super::Game;
use super::read::{Found, Judging, ReadOptions};
use crate::pack::{Protocol, file_format};
use crate::protocol::Dialect;
use crate::transcript::bare::{self, BareGame};
use crate::transcript::{LoggedGame, too_large};
use crate::verify::{self, FastPath, Stream};

/// Size of a batch, in bytes.
const SIZE: usize = 256 << 10;

/// The files that hold a lane each of every game of a match.
#[derive(Debug)]
pub(super) struct Streams {
    /// Name of the games in reports.
    pub(super) name: Arc<str>,
    /// Dialect of the games.
    pub(super) dialect: &'static dyn Dialect,
    /// The name of each file, and true if `>` marks the sent lines in it.
    pub(super) lanes: Vec<(String, bool)>,
}

/// Consecutive games of a match, to be judged away from the files.
pub(super) struct Batch {
    streams: Arc<Streams>,
    /// The number of the first game, from 1.
    first: u64,
    text: Vec<u8>,
    /// The lanes of all games, game by game.
    lanes: Vec<Lane>,
}

struct Lane {
    first_line: usize,
    text: Range<usize>,
    is_too_large: bool,
}

impl Batch {
    /// An empty batch from the beginning of a match.
    pub(super) fn new(streams: Streams) -> Batch {
        Batch {
            streams: Arc::new(streams),
            first: 1,
            text: Vec::new(),
            lanes: Vec::new(),
        }
    }

    /// Adds the next lane of the game that is being added.
    pub(super) fn push(&mut self, lane: BareGame<'_>) {
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
    pub(super) fn is_full(&self) -> bool {
        self.text.len() >= SIZE
    }

    /// The number of the game after it.
    pub(super) fn next_number(&self) -> u64 {
        self.first + (self.lanes.len() / self.streams.lanes.len()) as u64
    }

    /// The batch that follows, empty.
    pub(super) fn next(&self) -> Batch {
        let text = Vec::with_capacity(self.text.len());
        Batch {
            streams: self.streams.clone(),
            first: self.next_number(),
            text,
            lanes: Vec::new(),
        }
    }

    /// Judges its games.
    pub(super) fn judge(self, options: &ReadOptions<'_>) -> Vec<Found> {
        let is_quick = options.judging == Judging::Quick;
        let mut fast_path = is_quick.then(|| FastPath::new(self.streams.dialect));
        let games = self.lanes.chunks_exact(self.streams.lanes.len());
        (self.first..)
            .zip(games)
            .map(|(number, lanes)| self.judge_game(number, lanes, fast_path.as_mut()))
            .collect()
    }

    fn judge_game(&self, number: u64, lanes: &[Lane], fast_path: Option<&mut FastPath>) -> Found {
        let dialect = self.streams.dialect;
        let all = || lanes.iter().zip(&self.streams.lanes);
        if let Some((lane, (file, _))) = all().find(|(lane, _)| lane.is_too_large) {
            return Err(too_large(file, lane.first_line).into());
        }
        let text = |lane: &Lane| &self.text[lane.text.clone()];
        let streams = all().map(|(lane, &(_, marks_sent))| Stream {
            text: text(lane),
            marks_sent,
        });
        let game = |lanes| {
            let name = Arc::clone(&self.streams.name);
            let logged = LoggedGame::new(Protocol::Game(dialect), lanes);
            Game::new(name, number, file_format::STREAM, logged)
        };
        if let Some(clean) = fast_path.and_then(|fast_path| fast_path.pass(streams)) {
            return Ok(game(Vec::new()).clean(clean));
        }
        let lanes = all().map(|(lane, (name, marks_sent))| {
            let game = BareGame {
                first_line: lane.first_line,
                text: text(lane),
                is_too_large: false,
            };
            bare::lane(name, game, dialect, *marks_sent)
        });
        let game = game(lanes.collect());
        let judged = verify::judge(&game.logged);
        game.judged(judged)
    }
}
