//! Batches of a match's games, small enough for `urtext verify` to judge on several threads.

use std::ops::Range;
use std::sync::Arc;

use super::tally::{Report, Tally, of_game};
use crate::protocol::Dialect;
use crate::transcript::bare::{self, BareGame};
use crate::transcript::{self, LoggedGame};
use crate::verify::{self, Clean, FastPath, Judged, Stream};

/// Size of a batch, in bytes.
const SIZE: usize = 256 << 10;

/// The files that hold a lane each of every game of a match.
#[derive(Debug)]
pub(super) struct Streams {
    /// Name of the games in reports.
    pub(super) name: String,
    pub(super) dialect: &'static dyn Dialect,
    /// The name of each file, and whether `>` stands in it before what was sent.
    pub(super) lanes: Vec<(String, bool)>,
}

/// Consecutive games of a match, to be judged away from the files.
pub(super) struct Batch {
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

/// A game that was judged.
enum Seen {
    Clean(Clean),
    Judged(Box<(LoggedGame, Judged)>),
    TooLarge { first_line: usize },
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
    pub(super) fn next_number(&self) -> usize {
        self.first + self.lanes.len() / self.streams.lanes.len()
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

    /// Judges its games, and returns what is to be reported of them.
    pub(super) fn judge(self) -> Report {
        let mut fast_path = FastPath::new(self.streams.dialect);
        let games = self.lanes.chunks_exact(self.streams.lanes.len());
        let seen: Vec<_> = games
            .map(|lanes| self.judge_game(lanes, &mut fast_path))
            .collect();
        let (streams, first) = (self.streams, self.first);
        Box::new(move |tally| {
            seen.into_iter()
                .zip(first..)
                .for_each(|(seen, number)| seen.report(&streams, number, tally));
        })
    }

    fn judge_game(&self, lanes: &[Lane], fast_path: &mut FastPath) -> Seen {
        if let Some(lane) = lanes.iter().find(|lane| lane.is_too_large) {
            return Seen::TooLarge {
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
            return Seen::Clean(clean);
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
        let game = LoggedGame::new(dialect, lanes.collect());
        let judged = verify::judge(&game);
        Seen::Judged(Box::new((game, judged)))
    }
}

impl Seen {
    fn report(self, streams: &Streams, number: usize, tally: &mut Tally) {
        let Streams { name, dialect, .. } = streams;
        match self {
            Seen::Clean(clean) => tally.clean(name, number, *dialect, &clean),
            Seen::Judged(game) => tally.judged(&of_game(name, number), &game.0, game.1),
            Seen::TooLarge { first_line } => tally.fault(transcript::too_large(name, first_line)),
        }
    }
}
