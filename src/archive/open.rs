//! Opened files, read game by game before anything is judged: one file, or several that hold the lanes of the same games. The content of a file
//! tells its format, and for captured streams its name.

use std::io::{self, BufReader, Cursor, ErrorKind, Read};
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::files::received_of;
use super::finished_game::{FinishedGame, Found};
use super::read::{Judging, ReadAs, ReadOptions};
use super::records::judge_records;
use crate::diagnostic::{self, Diagnostic, Diagnostics, Source, Span, unreadable};
use crate::pack::{self, Notation, Protocol, formats};
use crate::protocol::{Dialect, LaneKind};
use crate::scenario::is_scenario_file;
use crate::transcript::bare::{self, BareGame, GAME_LIMIT, Games, too_large};
use crate::transcript::{Direction, LaneLabel, LaneTranscript, LoggedGame, golden, recording};
use crate::verify::FastPath;

/// Number of bytes at the start of a file that identify its format.
const HEAD: u64 = 4096;

/// Number of bytes marked in a rejected file.
const SHOWN: usize = 60;

/// The reader of a file.
type Input = Box<dyn Read + Send>;

/// Files that hold each a lane of every game of a match, read side by side; or one file.
pub(super) struct OpenFiles {
    /// The names of the files, joined by ` + `.
    pub(super) name: Arc<str>,
    /// The protocol of the lanes.
    protocol: Protocol,
    files: Vec<OpenFile>,
    /// Number of games that were read.
    pub(super) count: u64,
}

/// A file, or a pair of files, with finished games in it.
struct OpenFile {
    name: Arc<str>,
    /// The protocol of the lanes; `None` for move records.
    protocol: Option<Protocol>,
    games: Box<dyn Iterator<Item = io::Result<StoredGame>> + Send>,
}

/// A game before its judgement, with what each file holds of it.
pub(super) struct RawGame {
    name: Arc<str>,
    protocol: Protocol,
    /// Its number in the files, from 1.
    number: u64,
    parts: Vec<(Arc<str>, StoredGame)>,
}

/// A game as its file holds it.
enum StoredGame {
    /// Move records, read whole.
    Records(&'static Notation, Source),
    /// A golden transcript, a recording, or a `.received`/`.sent` pair, read whole.
    Lanes(Box<LoggedGame>),
    /// A bare stream.
    Stream(BareGame),
}

/// The format of a file.
enum Kind {
    Records(&'static Notation),
    Golden,
    Recording,
    Stream(&'static dyn Dialect),
}

impl Kind {
    /// The format that the first bytes of a file show, where the user names none.
    ///
    /// # Errors
    /// Fails with the protocol that a stream would be in.
    fn of(head: &[u8], read_as: ReadAs) -> Result<Kind, Protocol> {
        let is_stream = || pack::dialects().any(|dialect| bare::looks_like(head, dialect));
        let mut notations = pack::notations();
        let shown = || notations.find(|notation| (notation.is_records)(head) && !is_stream());
        match read_as.notation.or_else(shown) {
            Some(notation) => Ok(Kind::Records(notation)),
            None if golden::is_golden(head) => Ok(Kind::Golden),
            None if recording::is_recording(head) => Ok(Kind::Recording),
            None => bare::dialect_in(head, read_as.protocol).map(Kind::Stream),
        }
    }
}

/// The first bytes of a file, which identify its format; none if it cannot be read, or is a pipe, which would be read only once.
#[must_use]
pub fn head(file: &Path) -> Vec<u8> {
    // An error is reported by whoever reads the file whole.
    let start = file.is_file().then(|| start(file).ok()).flatten();
    start.map_or(Vec::new(), |(head, _)| head)
}

/// Returns true if the first bytes of a file are a finished game rather than scenarios.
#[must_use]
pub fn is_finished_game(file: &Path) -> bool {
    !is_scenario_file(file) && Kind::of(&head(file), ReadAs::default()).is_ok()
}

impl OpenFiles {
    /// Opens the files.
    ///
    /// # Errors
    /// Every fault of the files.
    pub(super) fn open(
        paths: &[PathBuf],
        options: &ReadOptions<'_>,
    ) -> Result<OpenFiles, Diagnostics> {
        let (mut files, mut faults) = (Vec::new(), Diagnostics::new());
        let mut read_as = options.read_as;
        if paths.len() > 1 {
            read_as.notation = None;
        }
        for path in paths {
            match OpenFile::open(path, options, read_as, paths.len() > 1) {
                Ok(file) => {
                    read_as.protocol = read_as.protocol.or(file.protocol);
                    files.push(file);
                }
                Err(more) => faults.append(more),
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let names: Vec<_> = files.iter().map(|file| &*file.name).collect();
        Ok(OpenFiles {
            name: names.join(" + ").into(),
            protocol: read_as.protocol.unwrap_or(Protocol::Lines),
            files,
            count: 0,
        })
    }

    /// The next game.
    ///
    /// # Errors
    /// A file cannot be read, or has ended and another goes on.
    pub(super) fn next(&mut self) -> Result<Option<RawGame>, Diagnostics> {
        let (mut parts, mut ended, mut faults) = (Vec::new(), None, Diagnostics::new());
        for OpenFile { name, games, .. } in &mut self.files {
            match games.next() {
                Some(Ok(part)) => parts.push((Arc::clone(name), part)),
                None => ended = ended.or(Some(name)),
                Some(Err(error)) => faults.push(unreadable(name, &error)),
            }
        }
        match ended {
            _ if !faults.is_empty() => Err(faults),
            Some(name) if !parts.is_empty() => {
                let title = "this file holds fewer games than another";
                let help =
                    "of the files of a match, each holds one lane of every game, in the same order";
                let fault = Diagnostic::error("lanes/fewer-games", title).in_file(&**name);
                Err(fault.help(help).into())
            }
            Some(_) => Ok(None),
            None => {
                self.count += 1;
                Ok(Some(RawGame {
                    name: Arc::clone(&self.name),
                    protocol: self.protocol,
                    number: self.count,
                    parts,
                }))
            }
        }
    }
}

impl OpenFile {
    /// Opens a file, or a match of a server. `-` is standard input. `is_part`: the file is one of several, and holds no game of its own. A
    /// recording is in the protocol that its header says, unless the user names another.
    fn open(
        path: &Path,
        options: &ReadOptions<'_>,
        read_as: ReadAs,
        is_part: bool,
    ) -> Result<OpenFile, Diagnostics> {
        let file: Arc<str> = path.to_string_lossy().into();
        if let Some((_, received)) = options.matches.iter().find(|(address, _)| address == path) {
            let dialect = bare::dialect_in(received, read_as.protocol).map_err(|_| {
                let title =
                    "this match is of a game that has no rules here, or has no line of a game";
                Diagnostic::error("server/game", title).in_file(&*file)
            })?;
            let received: Input = Box::new(Cursor::new(received.clone()));
            let games = Games::new(dialect, Vec::new(), received, false);
            return Ok(OpenFile::streams(file, games));
        }
        let received = received_of(path);
        let sent = received.with_extension("sent");
        let is_received = received.extension().is_some_and(|end| end == "received");
        let is_pair = is_received && (path == sent || sent.exists());
        let name = received.to_string_lossy();
        let (head, rest) = start(&received).map_err(|error| {
            let fault = unreadable(&name, &error);
            let help =
                "what was sent does not tell a game; what was received is looked for beside it";
            match error.kind() {
                ErrorKind::NotFound if is_pair => fault.help(help),
                _ => fault,
            }
        })?;
        if head.is_empty() {
            let help = "a transcript has at least the names of the players";
            return Err(empty(&name).help(help).into());
        }
        if is_report(&head) {
            let fault = Diagnostic::error("file/report", "this is a JSON report, and no game");
            let help = format!("`urtext report text {name}` shows it");
            return Err(fault.in_file(&*name).help(help).into());
        }
        let kind = match is_pair {
            true => bare::dialect_in(&head, read_as.protocol).map(Kind::Stream),
            false => Kind::of(&head, read_as),
        };
        let kind = kind.map_err(|protocol| no_kind(&name, head.clone(), protocol))?;
        let game = match kind {
            Kind::Records(notation) => {
                let input = Cursor::new(head).chain(rest);
                let source = Source::read_from(&name, input, Notation::SIZE_LIMIT)?;
                return OpenFile::whole(file, None, StoredGame::Records(notation, source), is_part);
            }
            Kind::Golden => {
                let input = Cursor::new(head).chain(rest);
                let source = Source::read_from(&name, input, golden::LARGEST)?;
                LoggedGame::from_golden(golden::read(&source)?)
            }
            Kind::Recording => {
                let input = BufReader::new(Cursor::new(head).chain(rest));
                let mut reader = recording::Reader::new(&name, input)?;
                let mut game = LoggedGame::from_recording(&name, &mut reader)?;
                let other = read_as.protocol.filter(|it| *it != game.protocol);
                if let Some(protocol) = other {
                    // Its scenario was played in the other one.
                    (game.protocol, game.played) = (protocol, None);
                }
                game
            }
            Kind::Stream(dialect) => {
                let mut games = Games::new(dialect, head, rest, !is_received);
                if !is_pair {
                    return Ok(OpenFile::streams(file, games));
                }
                let lane = pair(&name, &mut games, &sent)?;
                LoggedGame::new(Protocol::Game(dialect), vec![lane])
            }
        };
        let protocol = Some(game.protocol);
        OpenFile::whole(file, protocol, StoredGame::Lanes(Box::new(game)), is_part)
    }

    /// The games of a file of bare streams.
    fn streams(name: Arc<str>, games: Games<Input>) -> OpenFile {
        OpenFile {
            name,
            protocol: Some(Protocol::Game(games.dialect())),
            games: Box::new(games.map(|game| game.map(StoredGame::Stream))),
        }
    }

    /// The only game of a file; as a part of a game it is one lane.
    fn whole(
        name: Arc<str>,
        protocol: Option<Protocol>,
        game: StoredGame,
        is_part: bool,
    ) -> Result<OpenFile, Diagnostics> {
        let is_player = |lane: &&LaneTranscript| lane.label.kind() == LaneKind::Player;
        let is_lane = match &game {
            StoredGame::Lanes(game) => game.lanes.iter().filter(is_player).count() <= 1,
            _ => false,
        };
        if is_part && !is_lane {
            let title = "this file holds a whole game, and not one lane of a game";
            let fault = Diagnostic::error("lanes/whole-game", title).in_file(&*name);
            return Err(fault.help("take it by itself").into());
        }
        let games = Box::new(iter::once(Ok(game)));
        Ok(OpenFile {
            name,
            protocol,
            games,
        })
    }
}

/// The first bytes of a file, and what reads the rest of it.
fn start(path: &Path) -> io::Result<(Vec<u8>, Input)> {
    let mut input: Input = match path == Path::new("-") {
        true => Box::new(io::stdin()),
        false => Box::new(diagnostic::open(path)?),
    };
    let mut head = Vec::new();
    input.by_ref().take(HEAD).read_to_end(&mut head)?;
    Ok((head, input))
}

/// Returns true for the beginning of a JSON report, which looks like that of a recording.
fn is_report(head: &[u8]) -> bool {
    let line = head.split(|&byte| byte == b'\n').next();
    let line = String::from_utf8_lossy(line.unwrap_or_default());
    [r#""type":"run""#, r#""heading":"#]
        .iter()
        .all(|part| line.contains(part))
}

/// The lane of a pair of files: the received lines and the sent lines of a participant.
fn pair(name: &str, games: &mut Games<Input>, sent: &Path) -> Result<LaneTranscript, Diagnostic> {
    let dialect = games.dialect();
    let broken = |error: io::Error| unreadable(name, &error);
    let game = games.next().transpose().map_err(broken)?;
    let game = game.ok_or_else(|| empty(name))?;
    if game.is_too_large {
        return Err(too_large(name, game.first_line));
    }
    if games.next().transpose().map_err(broken)?.is_some() {
        let title =
            "the file holds several games, and which lines were sent in which cannot be told";
        return Err(Diagnostic::error("transcript/pair-of-games", title).in_file(name));
    }
    let sent_name = sent.to_string_lossy();
    // Here an empty line is a line that was sent, so the file is not cut into games.
    let mut text = Vec::new();
    let limit = GAME_LIMIT as u64 + 1;
    let read = diagnostic::open(sent).and_then(|file| file.take(limit).read_to_end(&mut text));
    read.map_err(|error| unreadable(&sent_name, &error))?;
    if text.len() > GAME_LIMIT {
        return Err(too_large(&sent_name, 1));
    }
    let mut apart = bare::lane(&sent_name, &BareGame::new(text, false), dialect);
    for entry in &mut apart.entries {
        entry.direction = Direction::Sent;
    }
    Ok(LaneTranscript {
        label: LaneLabel::Unseated(1),
        tells_sent: true,
        sent_apart: Some(Box::new(apart)),
        ..bare::lane(name, &game, dialect)
    })
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

impl RawGame {
    /// Number of bytes of its streams.
    pub(super) fn size(&self) -> usize {
        self.streams().map(|game| game.text.len()).sum()
    }

    fn streams(&self) -> impl Iterator<Item = &BareGame> {
        self.parts.iter().filter_map(|(_, part)| match part {
            StoredGame::Stream(game) => Some(game),
            StoredGame::Records(..) | StoredGame::Lanes(_) => None,
        })
    }

    /// Judges the game, by the fast path first if the options ask for that.
    pub(super) fn judge(
        self,
        options: &ReadOptions<'_>,
        fast_path: &mut Option<FastPath>,
    ) -> Found {
        if let [(_, StoredGame::Records(notation, source))] = self.parts.as_slice() {
            return judge_records(notation, source);
        }
        if let Some(dialect) = self.protocol.dialect()
            && options.judging == Judging::Quick
            && self.streams().count() == self.parts.len()
        {
            let fast_path = fast_path.get_or_insert_with(|| FastPath::new(dialect));
            if let Some(clean) = fast_path.pass(self.streams()) {
                let logged = LoggedGame::new(self.protocol, Vec::new());
                return Ok(FinishedGame::new(self.name, self.number, logged, clean));
            }
        }
        let (name, number) = (Arc::clone(&self.name), self.number);
        options.judged(name, number, self.logged()?)
    }

    /// The lines of the game.
    fn logged(mut self) -> Result<LoggedGame, Diagnostic> {
        if let [(_, StoredGame::Lanes(_))] = self.parts[..]
            && let Some((_, StoredGame::Lanes(game))) = self.parts.pop()
        {
            return Ok(*game);
        }
        let mut together = LoggedGame::new(self.protocol, Vec::new());
        for (file, part) in self.parts {
            match (part, self.protocol.dialect()) {
                (StoredGame::Lanes(game), _) => {
                    together.format = game.format;
                    together.lanes.extend(game.lanes);
                    together.cut_off = together.cut_off.or(game.cut_off);
                }
                (StoredGame::Stream(game), _) if game.is_too_large => {
                    return Err(too_large(&file, game.first_line));
                }
                (StoredGame::Stream(game), Some(dialect)) => {
                    together.lanes.push(bare::lane(&file, &game, dialect));
                }
                (StoredGame::Records(..) | StoredGame::Stream(_), _) => {
                    unreachable!("records tell a whole game, and streams have a dialect")
                }
            }
        }
        Ok(together)
    }
}
