//! Entry point for files with finished games: recognises their format.

use std::io::{self, BufReader, Cursor, ErrorKind, Read};
use std::iter;
use std::path::{Path, PathBuf};

use super::bare::{self, BareGame, Games};
use super::{Direction, LaneLabel, LaneTranscript, LoggedGame, golden, recording};
use crate::diagnostic::{self, Diagnostic, Diagnostics, Source, Span, unreadable};
use crate::pack::{self, Notation, Protocol, formats};
use crate::protocol::LaneKind;

/// Number of bytes at the start of a file that identify its format.
const HEAD: u64 = 4096;

/// Number of bytes marked in a rejected file.
const SHOWN: usize = 60;

/// A file, or a pair of files, with finished games in it.
pub struct Opened {
    /// The protocol of the lanes; `None` for move records.
    pub protocol: Option<Protocol>,
    /// True if it holds a whole game rather than one lane of each of its games.
    pub is_whole: bool,
    /// Its games, read one by one.
    pub games: Box<dyn Iterator<Item = io::Result<StoredGame>> + Send>,
}

/// A game as its file holds it.
pub enum StoredGame {
    /// Move records, read whole.
    Records {
        /// Their notation.
        notation: &'static dyn Notation,
        /// The file.
        source: Source,
    },
    /// A golden transcript, a recording, or a `.received`/`.sent` pair, read whole.
    Lanes(Box<LoggedGame>),
    /// A bare stream.
    Stream(BareGame),
}

impl Opened {
    /// The game of a file with lanes.
    fn game(game: LoggedGame) -> Opened {
        let is_player = |lane: &&LaneTranscript| lane.label.kind() == LaneKind::Player;
        Opened {
            protocol: Some(game.protocol),
            is_whole: game.lanes.iter().filter(is_player).count() > 1,
            games: Box::new(iter::once(Ok(StoredGame::Lanes(Box::new(game))))),
        }
    }

    /// The games of a file of bare streams.
    #[must_use]
    pub fn streams(games: Games<Box<dyn Read + Send>>) -> Opened {
        Opened {
            protocol: Some(Protocol::Game(games.dialect())),
            is_whole: false,
            games: Box::new(games.map(|game| game.map(StoredGame::Stream))),
        }
    }
}

/// Opens a file with finished games, whatever its kind: its content tells, and for captured streams its name. `-` is
/// standard input. `protocol`: what bare streams are in; they are looked at where it is `None`. A recording is in the one that its header
/// says, unless this is another. `notation`: that of the file, which else its first bytes show.
///
/// # Errors
/// Every fault of the file: it cannot be read, is empty, is of no known kind, or is a faulty golden transcript or recording.
pub fn open(
    path: &Path,
    protocol: Option<Protocol>,
    notation: Option<&'static dyn Notation>,
) -> Result<Opened, Diagnostics> {
    let name = path.to_string_lossy();
    if path != Path::new("-") {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("sent") => return pair(&path.with_extension("received"), path, protocol),
            Some("received") if path.with_extension("sent").exists() => {
                return pair(path, &path.with_extension("sent"), protocol);
            }
            _ => {}
        }
    }
    let (head, rest) = start(path).map_err(|error| unreadable(&name, &error))?;
    if head.is_empty() {
        let help = "a transcript has at least the names of the players";
        return Err(empty(&name).help(help).into());
    }
    let is_stream = || pack::dialects().any(|dialect| bare::looks_like(&head, dialect));
    let shown = || pack::notations().find(|notation| notation.is_records(&head) && !is_stream());
    if let Some(notation) = notation.or_else(shown) {
        let source = whole(&name, head, rest, notation.size_limit())?;
        return Ok(Opened {
            protocol: None,
            is_whole: true,
            games: Box::new(iter::once(Ok(StoredGame::Records { notation, source }))),
        });
    }
    if golden::is_golden(&head) {
        let source = whole(&name, head, rest, golden::LARGEST)?;
        return Ok(Opened::game(LoggedGame::from_golden(golden::read(
            &source,
        )?)));
    }
    if recording::is_recording(&head) {
        let input = BufReader::new(Cursor::new(head).chain(rest));
        let mut reader = recording::Reader::new(&name, input)?;
        let mut game = LoggedGame::from_recording(&name, &mut reader)?;
        let other = protocol.filter(|protocol| protocol.name() != game.protocol.name());
        if let Some(protocol) = other {
            // Its scenario was played in the other one.
            (game.protocol, game.played) = (protocol, None);
        }
        return Ok(Opened::game(game));
    }
    let dialect = bare::dialect_in(&head, protocol)
        .map_err(|protocol| no_kind(&name, head.clone(), protocol))?;
    let games = Games::new(dialect, head, rest, marks_sent(path));
    Ok(Opened::streams(games))
}

/// Returns true if `>` marks the sent lines in a stream of this name.
fn marks_sent(path: &Path) -> bool {
    path.extension()
        .is_none_or(|extension| extension != "received")
}

/// The file that stands for the pair to which this one belongs, so that a pair is opened once: `.received` for `.sent`.
#[must_use]
pub fn pair_key(path: &Path) -> PathBuf {
    let is_sent = path
        .extension()
        .is_some_and(|extension| extension == "sent");
    if is_sent {
        path.with_extension("received")
    } else {
        path.to_owned()
    }
}

/// The first bytes of a file, and what reads the rest of it.
fn start(path: &Path) -> io::Result<(Vec<u8>, Box<dyn Read + Send>)> {
    let mut input: Box<dyn Read + Send> = if path == Path::new("-") {
        Box::new(io::stdin())
    } else {
        Box::new(diagnostic::open(path)?)
    };
    let mut head = Vec::new();
    input.by_ref().take(HEAD).read_to_end(&mut head)?;
    Ok((head, input))
}

fn whole(
    name: &str,
    mut head: Vec<u8>,
    rest: Box<dyn Read + Send>,
    limit: u64,
) -> Result<Source, Diagnostics> {
    let read = rest.take(limit).read_to_end(&mut head);
    read.map_err(|error| unreadable(name, &error))?;
    if head.len() as u64 > limit {
        let title = format!("the file is larger than {limit} bytes, the most that is read");
        return Err(Diagnostic::error("file/too-large", title)
            .in_file(name)
            .into());
    }
    Ok(Source::from_bytes(name, head))
}

/// Opens a pair of files: the received lines and the sent lines of a participant.
fn pair(received: &Path, sent: &Path, protocol: Option<Protocol>) -> Result<Opened, Diagnostics> {
    let (name, sent_name) = (received.to_string_lossy(), sent.to_string_lossy());
    let broken = |error: io::Error| unreadable(&name, &error);
    let (head, rest) = start(received).map_err(|error| match error.kind() {
        ErrorKind::NotFound => broken(error)
            .help("what was sent does not tell a game; what was received is looked for beside it"),
        _ => broken(error),
    })?;
    let dialect = bare::dialect_in(&head, protocol)
        .map_err(|protocol| no_kind(&name, head.clone(), protocol))?;
    let mut games = Games::new(dialect, head, rest, false);
    let received = match games.next().transpose().map_err(broken)? {
        Some(game) if game.is_too_large => {
            return Err(bare::too_large(&name, game.first_line).into());
        }
        Some(game) => bare::lane(&name, &game, dialect),
        None => return Err(empty(&name).into()),
    };
    if games.next().transpose().map_err(broken)?.is_some() {
        let title =
            "the file holds several games, and which lines were sent in which cannot be told";
        let fault = Diagnostic::error("transcript/pair-of-games", title);
        return Err(fault.in_file(name).into());
    }
    // Here an empty line is a line that was sent, so the file is not cut into games.
    let mut text = Vec::new();
    let limit = bare::GAME_LIMIT as u64 + 1;
    let read = diagnostic::open(sent).and_then(|file| file.take(limit).read_to_end(&mut text));
    read.map_err(|error| unreadable(&sent_name, &error))?;
    if text.len() > bare::GAME_LIMIT {
        return Err(bare::too_large(&sent_name, 1).into());
    }
    let mut sent = bare::lane(&sent_name, &BareGame::new(text, false), dialect);
    for entry in &mut sent.entries {
        entry.direction = Direction::Sent;
    }
    let lane = LaneTranscript {
        label: LaneLabel::Unseated(1),
        tells_sent: true,
        sent_apart: Some(Box::new(sent)),
        ..received
    };
    let game = LoggedGame::new(Protocol::Game(dialect), vec![lane]);
    Ok(Opened::game(game))
}

fn empty(name: &str) -> Diagnostic {
    Diagnostic::error("file/empty", "the file is empty").in_file(name)
}

/// The fault of a file that does not begin like a transcript: the format that was recognised, and those that are read.
fn no_kind(name: &str, head: Vec<u8>, protocol: Protocol) -> Diagnostic {
    let (dialect, dialect_name) = (protocol.dialect(), protocol.name());
    let greeting = dialect
        .and_then(|dialect| dialect.greeting(false).first())
        .map_or("", |greeting| greeting.syntax);
    let (title, advice) = match formats::recognise(&head) {
        Some(format) => (
            format!("this is no transcript: the file is {}", format.name),
            format.help,
        ),
        None if dialect.is_some_and(|dialect| bare::lacks_names(&head, dialect)) => (
            "this stream lacks its beginning: it begins with a roll".to_owned(),
            Some(format!(
                "a stream in the dialect {dialect_name} begins with {greeting}: capture it from its first line"
            )),
        ),
        None => (
            "this is no transcript, and its format is not known".to_owned(),
            Some(format!(
                "a stream in the dialect {dialect_name} begins with {greeting}, and none of the lines below is a line of the game"
            )),
        ),
    };
    let end = head
        .iter()
        .position(|byte| b"\r\n".contains(byte))
        .unwrap_or(head.len());
    let span = Span::new(0, end.min(SHOWN));
    let fault = Diagnostic::error("transcript/no-kind", title).at(
        &Source::from_bytes(name, head),
        span,
        "",
    );
    let fault = advice.into_iter().fold(fault, Diagnostic::help);
    fault.help(formats::readable())
}
