//! How many finished games `urtext verify` judges in a second, with a Python checker beside it in the same run.
//!
//! `cargo bench --bench verify`. The games are spectators' streams of seeded random play, some 300 lines each. Both programs are
//! pinned to no core and run one after the other on the same file; the ratio of their wall times is printed at the end.

use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use urtext::games::{Game, royalur::RoyalUr};
use urtext::protocol::royalur::CodeColosseum;
use urtext::rules::{Phase, Roll, RollSource, Seat, below};
use urtext::transcript::bare::{self, BareGame, Games};
use urtext::transcript::{Direction, FiledGame, FiledLine};
use urtext::verify::{self, Screen};

/// Games in the file that both programs judge.
const BESIDE: u64 = 2_000;

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

/// Judges every game of a text as `urtext verify` does, and returns how many are clean.
fn clean(text: &[u8]) -> usize {
    let mut games = Games::new(&CodeColosseum, Vec::new(), text);
    let mut screen = Screen::new(&CodeColosseum);
    let mut count = 0;
    while let Some(game) = games.next_game().expect("memory can be read") {
        count += usize::from(screen.pass(game.text).is_some());
    }
    count
}

/// The same game as both players' streams tell it, for the way that lanes are held against each other.
fn lanes(stream: &str) -> FiledGame {
    let lane = |name: &str, text: &str| {
        let game = BareGame { first_line: 1, text: text.as_bytes(), is_too_large: false };
        bare::lane(name, game, &CodeColosseum, true)
    };
    let spectator = lane("spectator", stream);
    let mut table = RoyalUr.table(RoyalUr.draw_setup(0));
    let mut players = [Seat::First, Seat::Second]
        .map(|seat| lane("player", &format!("PlayerA\nPlayerB\n{}\n", seat.index())));
    for line in &spectator.lines[2..] {
        let text = str::from_utf8(&line.line.text).expect("the generator writes text");
        let by = table.to_move();
        let is_move = table.phase() == Phase::Move;
        match is_move {
            true => table.play(RoyalUr.parse_move(text).expect("a move")).expect("a legal one"),
            false => drop(table.take_roll(RoyalUr.parse_roll(text).expect("a roll"))),
        }
        for (seat, player) in Seat::BOTH.into_iter().zip(&mut players) {
            let direction = if is_move && seat == by { Direction::Sent } else { Direction::Received };
            player.tells_sent = true;
            player.lines.push(FiledLine { direction, ..line.clone() });
        }
    }
    let [first, second] = players;
    FiledGame::new(&CodeColosseum, vec![first, second, spectator])
}

fn in_memory(criterion: &mut Criterion) {
    let text = file(1_000);
    assert_eq!(clean(text.as_bytes()), 1_000);
    let mut group = criterion.benchmark_group("verify");
    group.throughput(Throughput::Elements(1_000));
    group.bench_function("spectators' streams", |bench| bench.iter(|| clean(black_box(text.as_bytes()))));
    let game = lanes(&stream(1));
    group.throughput(Throughput::Elements(1));
    group.bench_function("three lanes together", |bench| bench.iter(|| verify::judge(black_box(&game))));
    group.finish();
}

/// The shortest wall time of a few runs of a command; `None` where it cannot be run or complains.
fn quickest(program: &str, arguments: &[&str], runs: u32) -> Option<Duration> {
    let mut best = None;
    for _ in 0..runs {
        let start = Instant::now();
        let status = Command::new(program).args(arguments).stdout(Stdio::null()).status().ok()?;
        let took = start.elapsed();
        if !status.success() {
            return None;
        }
        best = Some(best.map_or(took, |best: Duration| best.min(took)));
    }
    best
}

fn beside_python(_: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder for the games");
    let path = folder.path().join("games.txt");
    let text = file(BESIDE);
    std::fs::write(&path, &text).expect("the games are written");
    let path = path.to_str().expect("a path that is text");
    let checker = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers/ur_checker.py");
    let checker = checker.to_str().expect("a path that is text");
    let lines = text.lines().count();
    println!(
        "\n{BESIDE} games, {lines} lines, {} bytes; whole processes, the best of several runs",
        text.len()
    );
    let per_second = |time: Duration| BESIDE as f64 / time.as_secs_f64();
    let ours =
        quickest(env!("CARGO_BIN_EXE_urtext"), &["verify", path], 20).expect("urtext judges the games");
    println!("urtext verify: {:>10.0} games/s", per_second(ours));
    match quickest("python3", &[checker, path], 3) {
        Some(theirs) => {
            println!("ur_checker.py: {:>10.0} games/s", per_second(theirs));
            println!("ratio: {:.1}", theirs.as_secs_f64() / ours.as_secs_f64());
        }
        None => println!("ur_checker.py: not run, python3 is missing or the checker complains"),
    }
}

criterion_group!(benches, in_memory, beside_python);
criterion_main!(benches);
