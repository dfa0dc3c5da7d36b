//! Many seeded games of built-in bots through the built-in referee, in one process: every game is recorded on every lane,
//! and every recording verifies.
//!
//! The variable `URTEXT_SOAK_GAMES` says how many; in a release build 10,000 take a minute or two.

use std::io::{self, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use tokio::io::AsyncReadExt;
use urtext::event::{Event, What};
use urtext::peers::royalur::{Bot, End, Referee};
use urtext::peers::{BotError, Policy};
use urtext::peers::{Company, Lane};
use urtext::protocol::royalur::CodeColosseum;
use urtext::protocol::{Framer, LaneKind};
use urtext::rules::{PerSeat, RollSource};
use urtext::transcript::recording::{Header, Reader, Writer};
use urtext::transcript::{Direction, FiledGame};
use urtext::verify::{self, Ending, Judged, Verdict};

const LANES: [LaneKind; 3] = [LaneKind::Player, LaneKind::Player, LaneKind::Spectator];

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

/// A player's lane, with a bot at its other end.
fn player(log: &Log, lane: usize, mut bot: Bot) -> (Lane, thread::JoinHandle<Result<(), BotError>>) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    ours.set_nonblocking(true).unwrap();
    let (reader, writer) = tokio::net::UnixStream::from_std(ours).unwrap().into_split();
    let input = Tapped(theirs.try_clone().unwrap(), Tap::new(log, lane, Direction::Received));
    let output = Tapped(theirs, Tap::new(log, lane, Direction::Sent));
    (Lane::over(reader, writer), thread::spawn(move || bot.play(input, output)))
}

/// What came of one game.
struct Played {
    end: End,
    recording: Vec<u8>,
    /// What the spectator received.
    stream: Vec<u8>,
}

/// The bots of a game: every pair of policies comes up.
fn bots(number: u64) -> [Bot; 2] {
    let policies = [Policy::Random, Policy::First, Policy::Last];
    let bot = |which: u64, seed: u64| Bot::new(policies[which as usize % 3], seed, Duration::ZERO);
    [bot(number, 2 * number), bot(number / 3, 2 * number + 1)]
}

async fn play(number: u64, fault: Option<&str>) -> Played {
    let log = Log::new();
    let names = PerSeat([format!("Anne {number}").into_bytes(), b"Bob".to_vec()]);
    let rolls = RollSource::new([], number);
    let mut referee = Referee::new(names, Duration::from_secs(60), Duration::ZERO, rolls);
    if let Some(fault) = fault {
        referee = referee.with_fault(fault).unwrap();
    }
    let [first, second] = bots(number);
    let ((first, first_bot), (second, second_bot)) = (player(&log, 0, first), player(&log, 1, second));
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let (reader, writer) = tokio::io::split(ours);
    let company = Company {
        players: PerSeat([first, second]),
        spectators: vec![Lane::over(reader, writer)],
        bots: Vec::new(),
    };
    let mut tap = Tap::new(&log, 2, Direction::Received);
    let watch = async {
        let (mut theirs, mut stream, mut chunk) = (theirs, Vec::new(), [0; 4096]);
        while let Ok(count @ 1..) = theirs.read(&mut chunk).await {
            tap.pass(&chunk[..count]);
            stream.extend_from_slice(&chunk[..count]);
        }
        stream
    };
    let ((end, _), stream) = tokio::join!(referee.conduct(company), watch);
    for bot in [first_bot, second_bot] {
        bot.join().unwrap().unwrap_or_else(|error| panic!("game {number}: a bot gave up: {error}"));
    }
    let events = std::mem::take(&mut *log.events.lock().unwrap());
    let mut writer = Writer::new(Vec::new(), &Header::new(&CodeColosseum, &LANES)).unwrap();
    events.iter().for_each(|event| writer.event(event).unwrap());
    Played { end, recording: writer.verdict(&serde_json::Value::Null).unwrap(), stream }
}

fn judged(played: &Played) -> Judged {
    let mut reader = Reader::new("game.jsonl", BufReader::new(played.recording.as_slice())).unwrap();
    verify::judge(&FiledGame::from_recording("game.jsonl", &mut reader).unwrap())
}

/// What verify says of a recording has to be what the referee said of the game.
fn assert_verifies(number: u64, played: &Played) {
    let judged = judged(played);
    let End::Won(winner) = played.end else { panic!("game {number} ended by {:?}", played.end) };
    match judged.verdict {
        Verdict::Legal(ending) => assert_eq!(ending, Ending::Won(winner), "game {number}"),
        other => panic!("game {number}: {other:?}"),
    }
    assert!(judged.notes.is_empty(), "game {number}: {:?}", judged.notes);
}

fn games() -> u64 {
    let games = std::env::var("URTEXT_SOAK_GAMES").ok();
    games.map_or(200, |games| games.parse().expect("URTEXT_SOAK_GAMES is a number"))
}

#[test]
fn every_game_of_built_in_bots_is_won_and_verifies() {
    let (games, next) = (games(), AtomicU64::new(0));
    let streams = Mutex::new(vec![Vec::new(); games as usize]);
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
                    let played = runtime.block_on(play(number, None));
                    assert_verifies(number, &played);
                    streams.lock().unwrap()[number as usize] = played.stream;
                }
            });
        }
    });
    let streams = streams.into_inner().unwrap();
    assert_streams_verify(&streams);
}

/// The spectators' streams in one file, as `urtext verify` takes them.
fn assert_streams_verify(streams: &[Vec<u8>]) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.txt");
    std::fs::write(&file, streams.join(&b'\n')).unwrap();
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_urtext"));
    let output = command.args(["verify", "--complete"]).arg(&file).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}");
    // Numbers are printed in groups of three digits.
    assert!(said.replace(',', "").contains(&format!("{} games", streams.len())), "{said}");
    println!("{said}");
}

#[tokio::test]
async fn a_wrong_line_on_one_lane_is_a_complaint() {
    let played = play(0, Some("garbles-roll-for-spectators")).await;
    match judged(&played).verdict {
        Verdict::Wrong(complaint) => assert_eq!(complaint.requirement, "ur/roll/same-for-all"),
        other => panic!("{other:?}"),
    }
}
