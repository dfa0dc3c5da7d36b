//! Opened files, read game by game before anything is judged: one file, or several that hold the lanes of the same games.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::finished_game::{FinishedGame, Found};
use super::notated_file::{NotatedFile, records};
use super::read::{Judging, ReadOptions};
use crate::diagnostic::{self, Diagnostic, Diagnostics};
use crate::pack::{Protocol, file_format};
use crate::protocol::LaneKind;
use crate::transcript::bare::{self, BareGame, Games};
use crate::transcript::{LoggedGame, LoggedLane, Opened, too_large};
use crate::verify::{FastPath, Stream};

/// Files that hold each a lane of every game of a match, read side by side; or one file.
pub(super) struct OpenFiles {
    pub(super) source: Arc<Source>,
    files: Vec<Content>,
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
    pub(super) files: Vec<(String, bool)>,
}

/// Content of a file.
enum Content {
    /// Move records, which tell a whole game; `None` once they are handed out.
    Records(Option<NotatedFile>),
    /// One game, as it was captured; `None` once it is handed out.
    One(Option<Box<LoggedGame>>),
    /// A lane of any number of games.
    Many(Box<Games<Box<dyn Read + Send>>>),
}

/// A game before its judgement, with the contents of its files.
pub(super) struct RawGame(Vec<Part>);

enum Part {
    Records(NotatedFile),
    Lanes(Box<LoggedGame>),
    Stream {
        first_line: usize,
        text: Vec<u8>,
        is_too_large: bool,
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
        let (mut contents, mut named) = (Vec::new(), Vec::new());
        let (mut warnings, mut faults) = (Diagnostics::new(), Diagnostics::new());
        let mut protocol = options.read_as.protocol;
        for file in files {
            let (content, marks_sent) = match content(file, files.len() > 1, protocol, options) {
                Ok((content, more, marks_sent)) => {
                    warnings.append(more);
                    (content, marks_sent)
                }
                Err(more) => {
                    faults.append(more);
                    continue;
                }
            };
            protocol = protocol.or(match &content {
                Content::Records(_) | Content::One(None) => None,
                Content::One(Some(game)) => Some(game.protocol),
                Content::Many(games) => Some(Protocol::Game(games.dialect())),
            });
            contents.push(content);
            named.push((file.to_string_lossy().into_owned(), marks_sent));
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let names: Vec<_> = named.iter().map(|(name, _)| name.as_str()).collect();
        let source = Source {
            name: names.join(" + ").into(),
            protocol: protocol.unwrap_or(Protocol::Lines),
            files: named,
        };
        Ok(OpenFiles {
            source: Arc::new(source),
            files: contents,
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
            None => Ok(Some(RawGame(parts))),
        }
    }
}

/// Returns the content of a file, warnings about it, and true if `>` marks the sent lines. `is_part`: the file is one of several, and holds no
/// game of its own.
fn content(
    file: &Path,
    is_part: bool,
    protocol: Option<Protocol>,
    options: &ReadOptions<'_>,
) -> Result<(Content, Diagnostics, bool), Diagnostics> {
    let whole_game = |title: &str| {
        let fault = Diagnostic::error("lanes/whole-game", title);
        let fault = fault.in_file(file.to_string_lossy());
        Err(Diagnostics::from(fault.help("take it by itself")))
    };
    let notation = options.read_as.notation.filter(|_| !is_part);
    match records(file, notation) {
        Some(_) if is_part => {
            return whole_game(
                "this file holds move records, which tell a whole game and no lane of one",
            );
        }
        Some(records) => {
            let content = Content::Records(Some(records));
            return Ok((content, Diagnostics::new(), false));
        }
        None => {}
    }
    let is_player = |lane: &&LoggedLane| lane.kind == LaneKind::Player;
    match options.opened(file, protocol)? {
        Opened::Game { game, .. }
            if is_part && game.lanes.iter().filter(is_player).nth(1).is_some() =>
        {
            whole_game("this file holds the lanes of both players, and so a game of its own")
        }
        Opened::Game { game, warnings } => {
            Ok((Content::One(Some(Box::new(game))), warnings, false))
        }
        Opened::Streams { games, marks_sent } => {
            Ok((Content::Many(games), Diagnostics::new(), marks_sent))
        }
    }
}

impl Content {
    fn next(&mut self) -> io::Result<Option<Part>> {
        Ok(match self {
            Content::Records(file) => file.take().map(Part::Records),
            Content::One(game) => game.take().map(Part::Lanes),
            Content::Many(games) => games.next_game()?.map(|game| Part::Stream {
                first_line: game.first_line,
                text: game.text.to_vec(),
                is_too_large: game.is_too_large,
            }),
        })
    }
}

impl RawGame {
    /// Number of bytes of its streams.
    pub(super) fn size(&self) -> usize {
        let size = |part: &Part| match part {
            Part::Stream { text, .. } => text.len(),
            Part::Records(_) | Part::Lanes(_) => 0,
        };
        self.0.iter().map(size).sum()
    }

    /// Judges the game of this number, by the fast path first if there is one.
    pub(super) fn judge(
        self,
        source: &Source,
        number: u64,
        options: &ReadOptions<'_>,
        fast_path: &mut Option<FastPath>,
    ) -> Found {
        if let Some(dialect) = source.protocol.dialect()
            && options.judging == Judging::Quick
            && let Some(streams) = self.streams(source)
        {
            let fast_path = fast_path.get_or_insert_with(|| FastPath::new(dialect));
            if let Some(clean) = fast_path.pass(streams) {
                let (name, lanes) = (Arc::clone(&source.name), Vec::new());
                let logged = LoggedGame::new(source.protocol, lanes);
                return Ok(
                    FinishedGame::new(name, number, file_format::STREAM, logged).clean(clean)
                );
            }
        }
        match self.logged(source) {
            Ok(logged) => options.judged(Arc::clone(&source.name), number, logged?),
            Err(records) => records.judge(),
        }
    }

    /// The streams of a game that has nothing else.
    fn streams(&self, source: &Source) -> Option<Vec<Stream<'_>>> {
        let parts = self.0.iter().zip(&source.files);
        let streams = parts.map(|(part, &(_, marks_sent))| match part {
            Part::Stream {
                text,
                is_too_large: false,
                ..
            } => Some(Stream { text, marks_sent }),
            _ => None,
        });
        streams.collect()
    }

    /// The lines of the game, unless it consists of records.
    pub(super) fn logged(
        self,
        source: &Source,
    ) -> Result<Result<LoggedGame, Diagnostics>, NotatedFile> {
        let mut lanes = Vec::new();
        for (part, (name, marks_sent)) in self.0.into_iter().zip(&source.files) {
            match (part, source.protocol.dialect()) {
                (Part::Records(file), _) => return Err(file),
                (Part::Lanes(game), _) if source.files.len() == 1 => return Ok(Ok(*game)),
                (Part::Lanes(game), _) => lanes.extend(game.lanes),
                (
                    Part::Stream {
                        first_line,
                        text,
                        is_too_large: false,
                    },
                    Some(dialect),
                ) => {
                    let text = &text;
                    let game = BareGame {
                        first_line,
                        text,
                        is_too_large: false,
                    };
                    lanes.push(bare::lane(name, game, dialect, *marks_sent));
                }
                (Part::Stream { first_line, .. }, _) => {
                    return Ok(Err(too_large(name, first_line).into()));
                }
            }
        }
        Ok(Ok(LoggedGame::new(source.protocol, lanes)))
    }
}
