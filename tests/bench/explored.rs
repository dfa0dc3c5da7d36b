//! How soon `urtext explore` finds each fault of the built-in peers, and how short a game it makes of it.
//!
//! Games are played in memory with one seed, so the table is the same on every machine. `cargo bench --bench explored` prints it;
//! `tests/bench/explored.txt` keeps it.

use std::process::Command;

use serde_json::Value;
use urtext::peers;
use urtext::scenario::Side;

const TITLE: &str = "\
Each fault of the built-in peers, explored with seed 7 and up to 100 games. Game: the first one that fails. Turns: of the shortest
game that was made of it, and of the failing game before that. Shortest: the shortest game known that can show the cause, where one was
searched. `cargo bench --bench explored` prints this table.
";

/// What an exploration of this fault says, in JSON.
fn explored(game: &str, side: Side, fault: &str) -> Value {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let peer = ["--subject", "built-in", "--game", game, "--as", side.word()];
    let output = Command::new(env!("CARGO_BIN_EXE_urtext"))
        .current_dir(folder.path())
        .args(["explore", "--json", "--seed", "7", "--fault", fault])
        .args(peer)
        .output()
        .expect("urtext can be started");
    serde_json::from_slice(&output.stdout).expect("it prints JSON")
}

fn main() {
    println!("{TITLE}");
    for peers in peers::all() {
        let game = peers.game().name();
        for side in Side::ALL {
            let faults = peers::faults_of(game, side);
            let mut found = 0;
            println!(
                "{:<32}  game  turns  before  shortest",
                format!("{game} {}", side.word())
            );
            for fault in &faults {
                let told = explored(game, side, fault.name);
                let failure = &told["failures"][0];
                found += usize::from(failure.is_object());
                let written = &failure["written"][0];
                let number =
                    |value: &Value| value.as_u64().map_or("-".to_owned(), |it| it.to_string());
                println!(
                    "  {:<30}  {:>4}  {:>5}  {:>6}  {:>8}",
                    fault.name,
                    number(&failure["game"]),
                    number(&written["turns"]),
                    number(&written["before"]),
                    number(&written["shortest"]),
                );
            }
            println!("  found {found} of {}\n", faults.len());
        }
    }
}
