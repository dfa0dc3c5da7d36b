//! Opened files, read game by game before anything is judged: one file, or several that hold the lanes of the same games.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::finished_game::{FinishedGame, Found};
use super::read::{Judging, ReadOptions};
use super::records::judge_records;
use crate::diagnostic::{self, Diagnostic, Diagnostics};
use crate::pack::{Notation, Protocol, file_format};
use crate::protocol::LaneKind;
use crate::transcript::bare::{self, BareGame, Games};
use crate::transcript::{LoggedGame, LoggedLane, Opened, too_large};
use crate::verify::{FastPath, Stream};

/// Files that hold each a lane of every game of a match, read side by side; or one file.
pub(super) struct OpenFiles {
    pub(super) source: Arc<Source>,
    files: Vec<Content>,
    /// Number of games that were read.
    count: u64,
    /// Warnings about the files.
    pub(super) warnings: Diagnostics,
}

/// The files that games come from.
pub(super) struct Source {
    /// The names of the files, joined by ` + `.
    pub(super) name: Arc<str>,
    /// The protocol of the lanes.
    protocol: Protocol,
    /// The name of each file, and true if `>` marks the sent lines in it.
    files: Vec<(String, bool)>,
}

/// Content of a file.
enum Content {
    /// A whole game; `None` once it is handed out.
    Whole(Option<Part>),
    /// A lane of any number of games.
    Many(Box<Games<Box<dyn Read + Send>>>),
}

/// A game before its judgement, with the contents of its files.
pub(super) struct RawGame {
    source: Arc<Source>,
    /// Its number in the files, from 1.
    number: u64,
    parts: Vec<Part>,
}

enum Part {
    Records(&'static dyn Notation, diagnostic::Source),
    Lanes(Box<LoggedGame>),
    Stream {
        first_line: usize,
        /// `None`: the game is too large.
        text: Option<Vec<u8>>,
    },
}

impl OpenFiles {
    /// Opens the files.
    ///
    /// # Errors
    /// Every fault of the files.
    pub(super) fn open(
        files: &[PathBuf],
        options: &ReadOptions<'_>,
    ) -> Result<OpenFiles, Diagnostics> {
        let mut source = Source {
            name: Arc::default(),
            protocol: Protocol::Lines,
            files: Vec::new(),
        };
        let (mut contents, mut faults) = (Vec::new(), Diagnostics::new());
        let mut warnings = Diagnostics::new();
        let mut protocol = options.read_as.protocol;
        for file in files {
            let opened = options.opened(file, protocol, files.len() > 1);
            let (content, of_lanes, marks_sent) = match opened {
                Ok(Opened::Records { notation, source }) => {
                    let part = Part::Records(notation, source);
                    (Content::Whole(Some(part)), None, false)
                }
                Ok(Opened::Game { game, warnings: of }) => {
                    warnings.append(of);
                    let of_lanes = Some(game.protocol);
                    let part = Part::Lanes(Box::new(game));
                    (Content::Whole(Some(part)), of_lanes, false)
                }
                Ok(Opened::Streams { games, marks_sent }) => {
                    let of_lanes = Some(Protocol::Game(games.dialect()));
                    (Content::Many(games), of_lanes, marks_sent)
                }
                Err(more) => {
                    faults.append(more);
                    continue;
                }
            };
            protocol = protocol.or(of_lanes);
            contents.push(content);
            let name = file.to_string_lossy().into_owned();
            source.files.push((name, marks_sent));
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let names: Vec<_> = source.files.iter().map(|(name, _)| name.as_str()).collect();
        source.name = names.join(" + ").into();
        source.protocol = protocol.unwrap_or(Protocol::Lines);
        Ok(OpenFiles {
            source: Arc::new(source),
            files: contents,
            count: 0,
            warnings,
        })
    }

    /// The next game.
    ///
    /// # Errors
    /// A file cannot be read, or has ended and another goes on.
    pub(super) fn next(&mut self) -> Result<Option<RawGame>, Diagnostics> {
        let (mut parts, mut ended, mut faults) = (Vec::new(), None, Diagnostics::new());
        for (file, (name, _)) in self.files.iter_mut().zip(&self.source.files) {
            match file.next() {
                Ok(Some(part)) => parts.push(part),
                Ok(None) => ended = ended.or(Some(name)),
                Err(error) => faults.push(diagnostic::unreadable(name, &error)),
            }
        }
        match ended {
            _ if !faults.is_empty() => Err(faults),
            Some(name) if !parts.is_empty() => {
                let title = "this file holds fewer games than another";
                let help =
                    "of the files of a match, each holds one lane of every game, in the same order";
                let fault = Diagnostic::error("lanes/fewer-games", title).in_file(name);
                Err(fault.help(help).into())
            }
            Some(_) => Ok(None),
            None => {
                self.count += 1;
                Ok(Some(RawGame {
                    source: Arc::clone(&self.source),
                    number: self.count,
                    parts,
                }))
            }
        }
    }
}

impl ReadOptions<'_> {
    /// Opens a file, or a match of a server. `is_part`: the file is one of several, and holds no game of its own.
    fn opened(
        &self,
        file: &Path,
        protocol: Option<Protocol>,
        is_part: bool,
    ) -> Result<Opened, Diagnostics> {
        let name = file.to_string_lossy();
        if let Some((_, received)) = self.matches.iter().find(|(address, _)| address == file) {
            let Ok(dialect) = bare::dialect_in(received, protocol) else {
                let title =
                    "this match is of a game that has no rules here, or has no line of a game";
                let fault = Diagnostic::error("server/game", title);
                return Err(fault.in_file(name).into());
            };
            let received = Box::new(io::Cursor::new(received.clone()));
            return Ok(Opened::Streams {
                games: Box::new(Games::new(dialect, Vec::new(), received)),
                marks_sent: false,
            });
        }
        let notation = self.read_as.notation.filter(|_| !is_part);
        let opened = crate::transcript::open(file, protocol, notation)?;
        let is_player = |lane: &&LoggedLane| lane.kind == LaneKind::Player;
        let title = match &opened {
            Opened::Records { .. } if is_part => {
                "this file holds move records, which tell a whole game and no lane of one"
            }
            Opened::Game { game, .. }
                if is_part && game.lanes.iter().filter(is_player).nth(1).is_some() =>
            {
                "this file holds the lanes of both players, and so a game of its own"
            }
            _ => return Ok(opened),
        };
        let fault = Diagnostic::error("lanes/whole-game", title).in_file(name);
        Err(fault.help("take it by itself").into())
    }
}

impl Content {
    fn next(&mut self) -> io::Result<Option<Part>> {
        Ok(match self {
            Content::Whole(part) => part.take(),
            Content::Many(games) => games.next_game()?.map(|game| Part::Stream {
                first_line: game.first_line,
                text: (!game.is_too_large).then(|| game.text.to_vec()),
            }),
        })
    }
}

impl RawGame {
    /// Number of bytes of its streams.
    pub(super) fn size(&self) -> usize {
        let size = |part: &Part| match part {
            Part::Stream {
                text: Some(text), ..
            } => text.len(),
            _ => 0,
        };
        self.parts.iter().map(size).sum()
    }

    /// Judges the game, by the fast path first if the options ask for that.
    pub(super) fn judge(
        self,
        options: &ReadOptions<'_>,
        fast_path: &mut Option<FastPath>,
    ) -> Found {
        let source = &*self.source;
        if let [Part::Records(notation, file)] = self.parts.as_slice() {
            return judge_records(*notation, file);
        }
        if let Some(dialect) = source.protocol.dialect()
            && options.judging == Judging::Quick
            && let Some(streams) = self.streams()
        {
            let fast_path = fast_path.get_or_insert_with(|| FastPath::new(dialect));
            if let Some(clean) = fast_path.pass(streams) {
                let logged = LoggedGame::new(source.protocol, Vec::new());
                let (file, format) = (Arc::clone(&source.name), file_format::STREAM);
                return Ok(FinishedGame::new(file, self.number, format, logged, clean));
            }
        }
        let (file, number) = (Arc::clone(&source.name), self.number);
        options.judged(file, number, self.logged()?)
    }

    /// The streams of a game that has nothing else.
    fn streams(&self) -> Option<Vec<Stream<'_>>> {
        let parts = self.parts.iter().zip(&self.source.files);
        let streams = parts.map(|(part, &(_, marks_sent))| match part {
            Part::Stream {
                text: Some(text), ..
            } => Some(Stream { text, marks_sent }),
            _ => None,
        });
        streams.collect()
    }

    /// The lines of the game.
    fn logged(self) -> Result<LoggedGame, Diagnostics> {
        let (source, mut lanes) = (self.source, Vec::new());
        for (part, (name, marks_sent)) in self.parts.into_iter().zip(&source.files) {
            match (part, source.protocol.dialect()) {
                (Part::Lanes(game), _) if source.files.len() == 1 => return Ok(*game),
                (Part::Lanes(game), _) => lanes.extend(game.lanes),
                (Part::Stream { first_line, text }, Some(dialect)) => {
                    let Some(text) = &text else {
                        return Err(too_large(name, first_line).into());
                    };
                    let game = BareGame {
                        first_line,
                        text,
                        is_too_large: false,
                    };
                    lanes.push(bare::lane(name, game, dialect, *marks_sent));
                }
                (Part::Records(..) | Part::Stream { .. }, _) => {
                    unreachable!("records tell a whole game, and streams have a dialect")
                }
            }
        }
        Ok(LoggedGame::new(source.protocol, lanes))
    }
}
