//! How many finished games `urtext verify` judges in a second, with something simple beside it in the same run.
//!
//! `cargo bench --bench verify`. The games are seeded random play of some 330 lines. In memory, a figure is the processor time of one
//! thread; for whole processes it is wall time, pinned to no core, and `--jobs 2` needs two processors that are idle. The rows of a round
//! run one after the other; a figure is the median of the rounds, and so is a ratio, which is to the first row of the same round.

mod table;

use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use urtext::games::royalur::CodeColosseum;
use urtext::games::royalur::RoyalUr;
use urtext::pack::Protocol;
use urtext::protocol::{LaneKind, Line};
use urtext::rules::Game;
use urtext::rules::{Phase, Roll, RollSource, Seat, below};
use urtext::transcript::bare::{self, BareGame, Games};
use urtext::transcript::recording::{Header, Reader, Writer};
use urtext::transcript::{Direction, Event, LoggedGame, What};
use urtext::verify::{self, FastPath};

use table::Table;

/// How much is judged.
struct Sizes {
    /// How often everything in memory is judged in a round.
    times: usize,
    /// Spectators' streams in memory; a tenth as many games of three lanes.
    games: u64,
    /// Games of a large file.
    filed: u64,
    rounds: usize,
}

fn main() {
    // Without the word from `cargo bench` it only shows that it works.
    let sizes = match std::env::args().any(|argument| argument == "--bench") {
        true => Sizes {
            times: 50,
            games: 1_000,
            filed: 40_000,
            rounds: 3,
        },
        false => Sizes {
            times: 1,
            games: 10,
            filed: 10,
            rounds: 1,
        },
    };
    in_memory(&sizes);
    whole_processes(&sizes);
}

/// The spectator's stream of the game that a seed determines: random rolls, random legal moves.
fn stream(seed: u64) -> String {
    let mut dice = RollSource::new([], seed);
    let mut table = RoyalUr.table(RoyalUr.draw_setup(0));
    let mut text = String::from("PlayerA\nPlayerB\n");
    loop {
        let line = match table.phase() {
            Phase::Over(_) => return text,
            Phase::Roll => {
                let roll = dice.next(|random| RoyalUr.draw_roll(random));
                table.take_roll(roll);
                RoyalUr.format_roll(roll)
            }
            Phase::Move => {
                let moves = table.legal_moves();
                let random = dice.next(|random| Roll((random >> 48) as u16)).0;
                let mv = moves[below(u64::from(random) << 48, moves.len())];
                table.play(mv).expect("a legal move is played");
                RoyalUr.format_move(mv)
            }
        };
        text.push_str(&line);
        text.push('\n');
    }
}

fn file(games: u64) -> String {
    (0..games).map(stream).collect::<Vec<_>>().join("\n")
}

/// Passes every game of a text as `urtext verify` does, and returns how many pass.
fn clean(text: &[u8]) -> usize {
    let games = Games::new(&CodeColosseum, Vec::new(), text, true);
    let mut fast_path = FastPath::new(&CodeColosseum);
    let games = games.map(|game| game.expect("memory can be read"));
    games
        .filter(|game| fast_path.pass([game]).is_some())
        .count()
}

/// The baseline: a checker of one spectator's stream that knows nothing but Ur, by bytes and masks. Returns the number of legal games.
fn checked_by_masks(text: &[u8]) -> usize {
    let mut games = 0;
    let mut rest = text;
    while !rest.is_empty() {
        let Some(length) = legal_game(rest) else {
            return games;
        };
        games += 1;
        rest = &rest[length..];
        rest = rest.strip_prefix(b"\n").unwrap_or(rest);
    }
    games
}

/// The length of the game at the beginning of a text, where it is legal up to its win.
fn legal_game(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    for _name in 0..2 {
        at += text[at..].iter().position(|&byte| byte == b'\n')? + 1;
    }
    let (mut cells, mut taken, mut mover) = ([[0_u8; 7]; 2], [1_u32; 2], 0);
    loop {
        let &[a, b' ', b, b' ', c, b' ', d, b'\n'] = text.get(at..at + 8)? else {
            return None;
        };
        at += 8;
        let coins = [a, b, c, d].map(|coin| coin ^ b'0');
        if coins.iter().any(|&coin| coin > 1) {
            return None;
        }
        let steps: u8 = coins.iter().sum();
        let (own, other) = (taken[mover], taken[1 - mover]);
        let free = 0xFFFE & !(own & 0x7FFE) & !(other & 1 << 8);
        if steps == 0 || own << steps & free == 0 {
            mover = 1 - mover;
            continue;
        }
        let &[digit, b'\n'] = text.get(at..at + 2)? else {
            return None;
        };
        at += 2;
        let token = usize::from(digit.wrapping_sub(b'0'));
        let from = *cells[mover].get(token)?;
        let to = from + steps;
        if from == 15 || 1_u32 << to & free == 0 {
            return None;
        }
        cells[mover][token] = to;
        taken[mover] =
            own & !(1 << from) & 0x7FFF | 1 << to & 0x7FFF | u32::from(cells[mover].contains(&0));
        if other & 1 << to & 0x1FE0 != 0 {
            let victim = cells[1 - mover].iter().position(|&cell| cell == to)?;
            cells[1 - mover][victim] = 0;
            taken[1 - mover] = other & !(1 << to) | 1;
        }
        if cells[mover] == [15; 7] {
            return Some(at);
        }
        mover = if matches!(to, 4 | 8 | 14) {
            mover
        } else {
            1 - mover
        };
    }
}

/// The streams of a game as its two players, with `>` before what they sent, and a spectator received them.
fn streams(spectator: &str) -> [String; 3] {
    let head = "PlayerA\nPlayerB\n";
    let mut players = [format!("{head}0\n"), format!("{head}1\n")];
    let mut table = RoyalUr.table(RoyalUr.draw_setup(0));
    for line in spectator.strip_prefix(head).expect("the names").lines() {
        let by = table.to_move();
        let is_move = table.phase() == Phase::Move;
        match is_move {
            true => table
                .play(RoyalUr.parse_move(line).expect("a move"))
                .expect("a legal one"),
            false => drop(table.take_roll(RoyalUr.parse_roll(line).expect("a roll"))),
        }
        for (seat, player) in Seat::BOTH.into_iter().zip(&mut players) {
            let mark = if is_move && seat == by { ">" } else { "" };
            player.push_str(&format!("{mark}{line}\n"));
        }
    }
    let [first, second] = players;
    [first, second, spectator.to_owned()]
}

/// Judges the games of a match by the streams of three lanes in full, and returns how many are legal.
fn judged(games: &[[String; 3]]) -> usize {
    let lane = |text: &String| {
        let game = BareGame::new(text.as_str(), true);
        bare::lane("lane", &game, &CodeColosseum)
    };
    let is_legal = |game: &&[String; 3]| {
        let game = LoggedGame::new(
            Protocol::Game(&CodeColosseum),
            game.iter().map(lane).collect(),
        );
        verify::judge(&game).is_ok_and(|judged| judged.ending.is_some())
    };
    games.iter().filter(is_legal).count()
}

/// Passes the games of a match by the streams of three lanes, and returns how many pass.
fn passed(games: &[[String; 3]]) -> usize {
    let mut fast_path = FastPath::new(&CodeColosseum);
    let streams = |game: &[String; 3]| game.each_ref().map(|text| BareGame::new(&**text, true));
    games
        .iter()
        .filter(|game| fast_path.pass(&streams(game)).is_some())
        .count()
}

/// A recording of every game, as `urtext record` writes it, one after the other.
fn recordings(games: &[[String; 3]]) -> Vec<Vec<u8>> {
    games.iter().map(recording).collect()
}

fn recording(game: &[String; 3]) -> Vec<u8> {
    let kinds = [LaneKind::Player, LaneKind::Player, LaneKind::Spectator];
    let mut file = Vec::new();
    let header = Header::new(Protocol::Game(&CodeColosseum), &kinds);
    let mut writer = Writer::new(&mut file, &header).expect("memory can be written");
    let mut micros = 0;
    // In turns, as they go in a game: the order between lanes means nothing.
    let mut lines = game.each_ref().map(|text| text.lines());
    while lines.iter().any(|lines| lines.clone().next().is_some()) {
        for (lane, lines) in lines.iter_mut().enumerate() {
            let Some(line) = lines.next() else { continue };
            let (direction, text) = match line.strip_prefix('>') {
                Some(sent) => (Direction::Sent, sent),
                None => (Direction::Received, line),
            };
            micros += 137;
            let line = Line::new(text.as_bytes().to_vec());
            let event = Event {
                at: Duration::from_micros(micros),
                what: What::Line {
                    lane,
                    direction,
                    line,
                },
            };
            writer.event(&event).expect("memory can be written");
        }
    }
    writer.write_out().expect("memory can be written");
    drop(writer);
    file
}

/// Reads and judges recordings as `urtext verify` does, and returns how many are legal.
fn judged_recordings(files: &[Vec<u8>]) -> usize {
    let is_legal = |file: &&Vec<u8>| {
        let mut reader = Reader::new("game.jsonl", file.as_slice()).expect("a header");
        let game =
            LoggedGame::from_recording("game.jsonl", &mut reader).expect("a sound recording");
        verify::judge(&game).is_ok_and(|judged| judged.ending.is_some())
    };
    files.iter().filter(|file| is_legal(file)).count()
}

/// The processor time of this thread that it takes to come to a number so many times. The number has to be this one. Systems that count
/// this time by the ticks of their clock need enough times.
fn cost(is: usize, times: usize, count: impl Fn() -> usize) -> Option<Duration> {
    let used = || {
        let usage = getrusage(UsageWho::RUSAGE_THREAD).expect("the system tells");
        [usage.user_time(), usage.system_time()]
            .map(|time| Duration::new(time.tv_sec() as u64, 1000 * time.tv_usec() as u32))
            .iter()
            .sum::<Duration>()
    };
    let before = used();
    for _ in 0..times {
        assert_eq!(black_box(count()), is);
    }
    Some(used() - before)
}

fn in_memory(sizes: &Sizes) {
    let (times, count) = (sizes.times, sizes.games as usize);
    let text = file(sizes.games);
    let games: Vec<_> = (0..sizes.games.div_ceil(10))
        .map(|seed| streams(&stream(seed)))
        .collect();
    let files = recordings(&games);
    let bytes: usize = files.iter().map(Vec::len).sum();
    let mut table = Table::new("in memory, on one processor".to_owned(), "games");
    let mut recorded = Table::new("recordings of three lanes".to_owned(), "bytes");
    for _ in 0..sizes.rounds {
        let (text, games, files) = (
            black_box(text.as_bytes()),
            black_box(&games),
            black_box(&files),
        );
        let (all, few) = (times * count, times * games.len());
        table.row("streams, by bytes and masks", all, || {
            cost(count, times, || checked_by_masks(text))
        });
        table.row("streams of spectators", all, || {
            cost(count, times, || clean(text))
        });
        table.row("three lanes together", few, || {
            cost(games.len(), times, || passed(games))
        });
        table.row("the same by the full judge", games.len(), || {
            cost(games.len(), 1, || judged(games))
        });
        recorded.row("read and judged", times * bytes, || {
            cost(files.len(), times, || judged_recordings(files))
        });
    }
    table.print();
    recorded.print();
}

/// How long a command takes; `None` where it cannot be run or complains.
fn time(program: &str, arguments: &[&str]) -> Option<Duration> {
    let start = Instant::now();
    let status = Command::new(program)
        .args(arguments)
        .stdout(Stdio::null())
        .status()
        .ok()?;
    status.success().then(|| start.elapsed())
}

fn whole_processes(sizes: &Sizes) {
    const PARTS: usize = 8;
    let folder = tempfile::tempdir().expect("a folder for the games");
    let written = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("the games are written");
        path.to_str().expect("a path that is text").to_owned()
    };
    let count = sizes.filed as usize;
    let text = file(sizes.filed);
    let large = written("games.txt", &text);
    let parts: Vec<_> = (0..PARTS)
        .map(|part| written(&format!("{part}.txt"), &text))
        .collect();
    let few = sizes.filed.div_ceil(20);
    let small = written("few.txt", &file(few));
    let checker = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers/ur_checker.py");
    let checker = checker.to_str().expect("a path that is text");
    let verify = |jobs: &str, files: &[String]| {
        let files = files.iter().map(String::as_str);
        let arguments: Vec<_> = ["verify", "--jobs", jobs]
            .into_iter()
            .chain(files)
            .collect();
        let took = time(env!("CARGO_BIN_EXE_urtext"), &arguments);
        Some(took.expect("urtext judges the games"))
    };
    let mut one = Table::new("one large file, whole processes".to_owned(), "games");
    let mut several = Table::new(format!("{PARTS} such files"), "games");
    for _ in 0..sizes.rounds {
        let file = std::slice::from_ref(&large);
        one.row("urtext verify --jobs 1", count, || verify("1", file));
        one.row("urtext verify --jobs 2", count, || verify("2", file));
        one.row("ur_checker.py", few as usize, || {
            time("python3", &[checker, &small])
        });
        several.row("urtext verify --jobs 1", PARTS * count, || {
            verify("1", &parts)
        });
        several.row("urtext verify --jobs 2", PARTS * count, || {
            verify("2", &parts)
        });
    }
    one.print();
    several.print();
}
