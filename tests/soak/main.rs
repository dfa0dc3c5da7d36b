//! Many seeded games of built-in bots through the built-in referees, in one process: every game is recorded on every lane,
//! and every recording verifies.
//!
//! The variable `URTEXT_SOAK_GAMES` says how many of each game; in a release build 10,000 take a minute or two.

mod onitama;
mod royalur;

use std::io::{self, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use urtext::event::{Event, What};
use urtext::peers::{BotError, Lane};
use urtext::protocol::{Dialect, Framer, LaneKind};
use urtext::transcript::recording::{Header, Reader, Writer};
use urtext::transcript::{Direction, FiledGame};
use urtext::verify::{self, Judged};

/// The events of one game, as they happen on all lanes.
#[derive(Clone)]
struct Log {
    began: Instant,
    events: Arc<Mutex<Vec<Event>>>,
}

impl Log {
    fn new() -> Log {
        Log { began: Instant::now(), events: Arc::default() }
    }

    /// The recording of the game, once it is over.
    fn recording(&self, dialect: &'static dyn Dialect, lanes: &[LaneKind]) -> Vec<u8> {
        let mut writer = Writer::new(Vec::new(), &Header::new(dialect, lanes)).unwrap();
        self.events.lock().unwrap().iter().for_each(|event| writer.event(event).unwrap());
        writer.verdict(&serde_json::Value::Null).unwrap()
    }

    fn push(&self, what: What) {
        // The lock comes first: times never run backwards.
        let mut events = self.events.lock().unwrap();
        events.push(Event { at: self.began.elapsed(), what });
    }
}

/// One direction of a lane, cut into lines for the log.
struct Tap {
    log: Log,
    lane: usize,
    direction: Direction,
    framer: Framer,
}

impl Tap {
    fn new(log: &Log, lane: usize, direction: Direction) -> Tap {
        Tap { log: log.clone(), lane, direction, framer: Framer::default() }
    }

    fn pass(&mut self, bytes: &[u8]) {
        let Tap { log, lane, direction, framer } = self;
        framer.push(bytes, |line| log.push(What::Line { lane: *lane, direction: *direction, line }));
    }
}

/// A bot's stream with a tap on it.
struct Tapped(UnixStream, Tap);

impl Read for Tapped {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.0.read(buffer)?;
        self.1.pass(&buffer[..count]);
        Ok(count)
    }
}

impl Write for Tapped {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // The cause stands before its effects.
        self.1.pass(bytes);
        self.0.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// A player's lane, with a bot at its other end that plays as `play` has it.
fn player(
    log: &Log,
    lane: usize,
    play: impl FnOnce(Tapped, Tapped) -> Result<(), BotError> + Send + 'static,
) -> (Lane, thread::JoinHandle<Result<(), BotError>>) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    ours.set_nonblocking(true).unwrap();
    let (reader, writer) = tokio::net::UnixStream::from_std(ours).unwrap().into_split();
    let input = Tapped(theirs.try_clone().unwrap(), Tap::new(log, lane, Direction::Received));
    let output = Tapped(theirs, Tap::new(log, lane, Direction::Sent));
    (Lane::over(reader, writer), thread::spawn(move || play(input, output)))
}

/// What verify says of a recording.
fn judged(recording: &[u8]) -> Judged {
    let mut reader = Reader::new("game.jsonl", BufReader::new(recording)).unwrap();
    verify::judge(&FiledGame::from_recording("game.jsonl", &mut reader).unwrap())
}

fn games() -> u64 {
    let games = std::env::var("URTEXT_SOAK_GAMES").ok();
    games.map_or(200, |games| games.parse().expect("URTEXT_SOAK_GAMES is a number"))
}

/// Plays that many games, several at a time, and returns what came of them in their order.
fn play_all<T: Send>(games: u64, play: impl Fn(&tokio::runtime::Runtime, u64) -> T + Sync) -> Vec<T> {
    let next = AtomicU64::new(0);
    let played: Mutex<Vec<Option<T>>> = Mutex::new((0..games).map(|_| None).collect());
    let workers = 2 * thread::available_parallelism().map_or(2, usize::from);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= games {
                        return;
                    }
                    let came = play(&runtime, number);
                    played.lock().unwrap()[number as usize] = Some(came);
                }
            });
        }
    });
    played.into_inner().unwrap().into_iter().map(|came| came.expect("every game was played")).collect()
}

/// `urtext verify --complete` with these arguments passes as many games.
fn assert_files_verify(folder: &Path, args: &[&str], games: usize) {
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_urtext"));
    let output = command.args(["verify", "--complete"]).args(args).current_dir(folder).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let tally = said.lines().last().unwrap_or_default();
    assert_eq!(output.status.code(), Some(0), "{tally}: {}", String::from_utf8_lossy(&output.stderr));
    // Numbers are printed in groups of three digits.
    assert!(tally.replace(',', "").contains(&format!("{games} games")), "{tally}");
    println!("{tally}");
}
