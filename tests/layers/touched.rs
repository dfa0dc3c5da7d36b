//! The table in `src/lib.rs` of the files that an addition touches.

use std::fs;
use std::path::Path;

/// The paths of a table: texts between backticks that begin like a folder of the crate. `GAME` stands for the folder of every game.
fn paths(text: &str) -> Vec<String> {
    let rows = text.lines().filter_map(|line| line.strip_prefix("//! | "));
    let words = rows.flat_map(|row| row.split('`').skip(1).step_by(2));
    words
        .filter(|word| {
            ["src/", "docs/", "scenarios/"]
                .iter()
                .any(|root| word.starts_with(root))
        })
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_file_that_the_table_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let paths = paths(&fs::read_to_string(root.join("src/lib.rs")).unwrap());
    assert!(paths.len() > 10, "{paths:?}");
    let games = urtext::games::PACKS;
    let missing: Vec<_> = paths
        .iter()
        .flat_map(|path| {
            games
                .iter()
                .map(move |pack| path.replace("GAME", pack.game.name()))
        })
        .filter(|path| !root.join(path).exists())
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn reads_the_paths_of_a_table() {
    let text = "//! Text of `src/no.rs`.\n//! | a game | `src/games/GAME/mod.rs`, a row in `PACKS` of `src/games/mod.rs` |\n";
    assert_eq!(paths(text), ["src/games/GAME/mod.rs", "src/games/mod.rs"]);
}
