//! Many seeded games of built-in bots through the built-in referees, in memory: every game is watched on every lane, and what was seen
//! verifies.
//!
//! The variable `URTEXT_SOAK_GAMES` says how many games a test plays, and `URTEXT_SOAK_SEED` plays the game of one seed alone.

mod kind;
mod same;
mod unkind;
mod watched;

use std::io::BufReader;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use urtext::event::{Event, What};
use urtext::pack::Protocol;
use urtext::peers::{Desk, Farewell, Machine, Referee};
use urtext::protocol::{Dialect, GameEvent, LaneKind};
use urtext::rules::GameResult;
use urtext::transcript::recording::{Header, Reader, Writer};
use urtext::transcript::{Direction, LoggedGame};
use urtext::verify::{self, Ending, Judged};

use watched::{Watched, watch};

/// The participants of a game. How the referee says it has ended, its machine's farewell holds.
struct Table {
    dialect: &'static dyn Dialect,
    lanes: &'static [LaneKind],
    referee: Machine<'static, Farewell>,
    /// By lane.
    others: Vec<Machine<'static, Farewell>>,
}

/// A bot's machine that ends well where the bot does.
fn bot<F>(play: impl FnOnce(Desk) -> F) -> Machine<'static, Farewell>
where
    F: Future<Output = Result<(), String>> + Send + 'static,
{
    Machine::new(1, |desk| {
        let play = play(desk);
        async move { farewell(play.await.err().unwrap_or_default()) }
    })
}

/// The machine of a referee, who says how the game has ended.
fn referee(mut referee: Referee, spectators: usize) -> Machine<'static, Farewell> {
    Machine::new(2 + spectators, async move |desk| {
        farewell(match referee.play(desk, spectators).await {
            Some(GameEvent::Moved {
                result: Some(result),
                ..
            }) => format!("{result:?}"),
            Some(GameEvent::Lost { by, .. }) => format!("Lost({by:?})"),
            other => format!("{other:?}"),
        })
    })
}

/// The machine of a spectator, who reads until the end.
fn spectator() -> Machine<'static, Farewell> {
    Machine::new(1, async |desk: Desk| {
        while desk.next_line(0).await.is_some() {}
        farewell(String::new())
    })
}

fn farewell(said: String) -> Farewell {
    Farewell {
        status: 0,
        said,
        resets: false,
    }
}

fn play(table: Table, number: u64, is_unkind: bool) -> Watched {
    watch(table.referee, table.others, number, is_unkind)
}

/// Plays a game of honest peers. Who has won is the same for its referee and for verify.
fn play_honestly(table: Table, number: u64) -> Vec<Event> {
    let (dialect, lanes) = (table.dialect, table.lanes);
    let watched = play(table, number, false);
    for (lane, farewell) in watched.farewells.iter().enumerate() {
        let farewell = farewell
            .as_ref()
            .unwrap_or_else(|| panic!("game {number}: lane {lane} never ends"));
        assert_eq!(farewell.said, "", "game {number}: lane {lane} gave up");
    }
    let judged = judged(dialect, lanes, &watched.events);
    let ending = match judged.ending {
        Some(Ending::Over(result @ GameResult::Won(_))) => format!("{result:?}"),
        other => panic!("game {number}: {other:?}"),
    };
    assert_eq!(
        watched.referee.map(|referee| referee.said),
        Some(ending),
        "game {number}"
    );
    assert!(judged.notes.is_empty(), "game {number}: {:?}", judged.notes);
    watched.events
}

/// What verify says of all lanes together.
fn judged(dialect: &'static dyn Dialect, lanes: &[LaneKind], events: &[Event]) -> Judged {
    let bytes = recording(dialect, lanes, events);
    let mut reader = Reader::new("game.jsonl", BufReader::new(bytes.as_slice())).unwrap();
    let game = LoggedGame::from_recording("game.jsonl", &mut reader).unwrap();
    verify::judge(&game).expect("a game has rules")
}

/// The recording of a game.
fn recording(dialect: &'static dyn Dialect, lanes: &[LaneKind], events: &[Event]) -> Vec<u8> {
    let header = Header::new(Protocol::Game(dialect), lanes);
    let mut writer = Writer::new(Vec::new(), &header).unwrap();
    events.iter().for_each(|event| writer.event(event).unwrap());
    writer.verdict(serde_json::Value::Null).unwrap()
}

/// What came on a lane, with `>` before what was sent where that is asked for.
fn stream(events: &[Event], wanted: usize, tells_sent: bool) -> Vec<u8> {
    let mut stream = Vec::new();
    for event in events {
        match &event.what {
            What::Line {
                lane,
                direction,
                line,
            } if *lane == wanted && (tells_sent || *direction == Direction::Received) => {
                stream.extend((*direction == Direction::Sent).then_some(b'>'));
                stream.extend(line.to_wire());
            }
            _ => {}
        }
    }
    stream
}

/// The seeds of the games that a test plays.
fn seeds() -> Range<u64> {
    let number = |name: &str| {
        let text = std::env::var(name).ok()?;
        Some(text.parse::<u64>().expect("the variable is a number"))
    };
    match number("URTEXT_SOAK_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("URTEXT_SOAK_GAMES").unwrap_or(200),
    }
}

/// Plays the games of these seeds, one on each processor at a time, and returns what came of them in their order.
fn play_all<T: Send>(seeds: Range<u64>, play: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let next = AtomicU64::new(seeds.start);
    let played: Mutex<Vec<(u64, T)>> = Mutex::default();
    let workers = thread::available_parallelism().map_or(2, usize::from);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds.end {
                        return;
                    }
                    let came =
                        catch_unwind(AssertUnwindSafe(|| play(seed))).unwrap_or_else(|panic| {
                            eprintln!(
                                "repeat with: URTEXT_SOAK_SEED={seed} cargo test --test soak"
                            );
                            resume_unwind(panic)
                        });
                    played.lock().unwrap().push((seed, came));
                }
            });
        }
    });
    let mut played = played.into_inner().unwrap();
    played.sort_by_key(|(seed, _)| *seed);
    played.into_iter().map(|(_, came)| came).collect()
}

/// Files of games in a folder, as `urtext verify` reads them.
struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Files {
        Files(tempfile::tempdir().unwrap())
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.0.path().join(name), bytes).unwrap();
    }

    /// `urtext verify --complete` with these arguments passes as many games.
    fn assert_verify(&self, args: &[&str], games: usize) {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_urtext"));
        let output = command
            .args(["verify", "--complete"])
            .args(args)
            .current_dir(&self.0)
            .output()
            .unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        let tally = said.lines().last().unwrap_or_default();
        assert_eq!(
            output.status.code(),
            Some(0),
            "{tally}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        // Numbers are printed in groups of three digits.
        assert!(
            tally.replace(',', "").contains(&format!("{games} games")),
            "{tally}"
        );
        println!("{tally}");
    }

    /// The same for recordings.
    fn assert_verify_recordings(
        &self,
        dialect: &'static dyn Dialect,
        lanes: &[LaneKind],
        games: &[Vec<Event>],
    ) {
        let names: Vec<_> = (1..=games.len())
            .map(|number| format!("{number}.jsonl"))
            .collect();
        for (name, events) in names.iter().zip(games) {
            self.write(name, &recording(dialect, lanes, events));
        }
        self.assert_verify(
            &names.iter().map(String::as_str).collect::<Vec<_>>(),
            games.len(),
        );
    }
}
