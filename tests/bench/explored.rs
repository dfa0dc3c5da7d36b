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
game that was made of it, and of the failing game before that.
`cargo bench --bench explored` prints this table.
";

/// The game of the failure that an exploration of this fault finds, and the turns of the scenario that is written of it: its own, and those
/// of the failed game.
fn explored(game: &str, side: Side, fault: &str) -> Option<[Option<u64>; 3]> {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let peer = ["--subject", "built-in", "--game", game, "--as", side.word()];
    let report = ["--seed", "7", "--fault", fault, "--report", "json=-"];
    let output = Command::new(env!("CARGO_BIN_EXE_urtext"))
        .current_dir(folder.path())
        .arg("explore")
        .args(report)
        .args(peer)
        .output()
        .expect("urtext can be started");
    let said = String::from_utf8(output.stdout).expect("JSON is UTF-8");
    let lines = said
        .lines()
        .map(|line| serde_json::from_str(line).expect("it prints JSON"));
    let mut failures = lines.filter(|line: &Value| line["verdict"] == "fail");
    let failure = failures.next()?;
    let number = failure["name"].as_str()?.rsplit('/').next()?.parse().ok();
    let notes = failure["notes"]
        .as_array()?
        .iter()
        .filter_map(Value::as_str);
    let note = notes
        .clone()
        .find(|note| note.starts_with("written "))
        .unwrap_or_default();
    let before = |word: &str| {
        let (text, _) = note.split_once(word)?;
        text.rsplit(' ').next()?.parse().ok()
    };
    let turns = before(" of ").or_else(|| before(" turn"));
    Some([number, turns, before(" turn")])
}

fn main() {
    println!("{TITLE}");
    for peers in peers::all() {
        let game = peers.game().name();
        for side in Side::ALL {
            let faults = peers::faults_of(game, side);
            let mut found = 0;
            let head = format!("{game} {}", side.word());
            println!("{head:<32}  game  turns  before");
            for fault in &faults {
                let failure = explored(game, side, fault.name);
                found += usize::from(failure.is_some());
                let shown = failure.unwrap_or_default();
                let [number, turns, before] =
                    shown.map(|value| value.map_or("-".to_owned(), |it| it.to_string()));
                println!("  {:<30}  {number:>4}  {turns:>5}  {before:>6}", fault.name);
            }
            println!("  found {found} of {}\n", faults.len());
        }
    }
}
