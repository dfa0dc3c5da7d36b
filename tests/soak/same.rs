//! The same seed gives the same game: hashes of all events of many simulated games, with their times.
//!
//! `snapshots/simulated.txt` has a row for each group of games: the shipped scenarios of a game and a side on a network, against the honest
//! built-in peer and each of its faults, and the first seeds of the random games. `URTEXT_BLESS_SIMULATED=1 cargo test --test soak same` writes
//! the rows of the games that it played; `URTEXT_SOAK_GAMES=12500` plays 100,000 random games.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use urtext::config::SubjectBudgets;
use urtext::engine::{self, Clock, GamePlan, Network, Options, Run};
use urtext::peers;
use urtext::scenario::{self, Scenario, Side};

use super::{play_all, seeds};

const KEPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots/simulated.txt");

const NETWORKS: [(&str, Network); 4] = [
    ("ideal", Network::Ideal),
    ("jitter", Network::Jitter),
    ("outages", Network::Outages),
    ("busy", Network::Busy),
];

/// Scenarios that each fault is played with.
const SHARE: usize = 2;

/// Random games that are played at a time.
const BATCH: u64 = 50;

/// The hash FNV-1a, which is the same on every machine and by every compiler.
struct Hash(u64);

impl Hash {
    fn new() -> Hash {
        Hash(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// Returns the events of a recording: the lines between its header and its verdict.
fn events(recording: &str) -> &str {
    let (_, events) = recording.split_once('\n').unwrap();
    &events[..events.trim_end().rfind('\n').map_or(0, |at| at + 1)]
}

/// Plays each scenario once and hashes the recordings.
fn play(games: Vec<GamePlan>, network: Network, hash: &mut Hash) {
    let folder = tempfile::tempdir().unwrap();
    let options = Options {
        clock: Clock::Virtual(network),
        record: Some(folder.path().to_owned()),
        ..Options::new(SubjectBudgets::default(), [].into_iter())
    };
    let (_, interrupt) = tokio::sync::watch::channel(false);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let run = Run::new(games, options, 16);
    let outcomes = runtime
        .block_on(engine::run(run, interrupt, |_| {}))
        .unwrap();
    for outcome in outcomes {
        let recording = std::fs::read_to_string(outcome.recording.unwrap()).unwrap();
        hash.add(events(&recording).as_bytes());
    }
}

/// Plays the suite of one game and side: everything with the honest peer, and a share of it with each fault.
fn suite(scenarios: &[Arc<Scenario>], network: Network) -> u64 {
    let side = scenarios[0].side();
    let game = scenarios[0].game().unwrap().dialect.game().name();
    let peers = peers::find(game).unwrap();
    let mut hash = Hash::new();
    let plans = |fault: Option<&str>, seed, share: &[usize]| {
        let subject = Arc::new(peers.subject("urtext", side, fault));
        let plan = |&which: &usize| GamePlan {
            scenario: Arc::clone(&scenarios[which % scenarios.len()]),
            subject: Arc::clone(&subject),
            golden: None,
            seed,
        };
        share.iter().map(plan).collect()
    };
    let all: Vec<_> = (0..scenarios.len()).collect();
    for seed in 1..=2 {
        play(plans(None, seed, &all), network, &mut hash);
    }
    for (number, fault) in peers::faults_of(game, side).iter().enumerate() {
        let first = number * SHARE;
        let share: Vec<_> = (first..first + SHARE).collect();
        play(
            plans(Some(fault.name), number as u64, &share),
            network,
            &mut hash,
        );
    }
    hash.0
}

fn rows() -> BTreeMap<String, u64> {
    let (scenarios, _) = scenario::suite::all();
    let mut suites: BTreeMap<_, Vec<Arc<Scenario>>> = BTreeMap::new();
    for scenario in scenarios {
        let name = (
            scenario.game().unwrap().dialect.game().name(),
            scenario.side().word(),
        );
        suites.entry(name).or_default().push(Arc::new(scenario));
    }
    let suites: Vec<_> = suites.into_iter().collect();
    let mut rows = BTreeMap::new();
    let count = NETWORKS.len() * suites.len();
    let played = play_all(0..count as u64, |number| {
        let (word, network) = NETWORKS[number as usize % NETWORKS.len()];
        let ((game, side), scenarios) = &suites[number as usize / NETWORKS.len()];
        (format!("{game} {side} {word}"), suite(scenarios, network))
    });
    rows.extend(played);
    for peers in peers::all() {
        let game = peers.game().name();
        let subject = Arc::new(peers.subject("urtext", Side::Referee, None));
        for (word, network) in NETWORKS {
            let seeds = seeds();
            let batches = seeds.end.div_ceil(BATCH);
            let hashes = play_all(0..batches, |batch| {
                let numbers = batch * BATCH..seeds.end.min((batch + 1) * BATCH);
                let plan = |seed| GamePlan {
                    scenario: Arc::new(scenario::free_game(peers.dialect, seed as u32)),
                    subject: Arc::clone(&subject),
                    golden: None,
                    seed,
                };
                let mut hash = Hash::new();
                play(numbers.map(plan).collect(), network, &mut hash);
                hash.0
            });
            let mut all = Hash::new();
            hashes.iter().for_each(|hash| all.add(&hash.to_le_bytes()));
            rows.insert(format!("{game} random {word} {}", seeds.end), all.0);
        }
    }
    rows
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let mut kept = BTreeMap::new();
    for line in std::fs::read_to_string(KEPT).unwrap_or_default().lines() {
        if let Some((name, hash)) = line.rsplit_once(": ") {
            kept.insert(name.to_owned(), hash.to_owned());
        }
    }
    let mut differences = String::new();
    for (name, hash) in rows() {
        let hash = format!("{hash:016x}");
        if kept.get(&name).is_some_and(|kept| *kept != hash) {
            writeln!(differences, "{name}").unwrap();
        }
        kept.insert(name, hash);
    }
    if std::env::var_os("URTEXT_BLESS_SIMULATED").is_some() {
        let mut text = String::from(
            "Hashes of the events of simulated games; tests/soak/same.rs writes this file.\n\n",
        );
        for (name, hash) in kept {
            writeln!(text, "{name}: {hash}").unwrap();
        }
        return std::fs::write(KEPT, text).unwrap();
    }
    assert_eq!(differences, "", "these games are not as they were");
}
