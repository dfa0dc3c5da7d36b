//! The layers of the crate: a module uses only those above it in `src/lib.rs`, tokio stays where connections and processes
//! are, and a game is named in its pack alone.
//!
//! No files use each other in a circle larger than a pair (`circles`), and the size of every room is kept (`size`).
//!
//! Comments and tests inside `src` are passed over: examples and tests need a game.

mod circles;
mod paths;
mod size;
mod source;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use source::{SOURCES, Source};

/// The order of the layers, the lowest first. `src/lib.rs` lists those that there are in this order.
const LAW: &[&str] = &[
    "platform",
    "diagnostic",
    "yaml",
    "rules",
    "requirement",
    "finding",
    "protocol",
    "pack",
    "transcript",
    "scenario",
    "config",
    "event",
    "mistake",
    "judge",
    "verify",
    "archive",
    "replay",
    "transport",
    "peers",
    "engine",
    "explore",
    "mutation",
    "games",
    "report",
    "session",
    "tui",
    "cli",
];

/// Layers with an asynchronous runtime.
const WITH_TOKIO: &[&str] = &[
    "platform",
    "transport",
    "peers",
    "engine",
    "explore",
    "session",
    "cli",
];

/// The layer of the packs, which may name games.
const GAMES: &str = "games";

/// Names of games and of their protocols as they can stand in code, in small letters and without what joins words.
fn game_names(layer: &str) -> Vec<String> {
    let names = urtext::pack::games().flat_map(|game| [game.name(), game.title()]);
    // On the command line a dialect can also be the server that speaks it, and help texts name notations.
    let spoken = urtext::pack::dialects().map(|dialect| dialect.name());
    let spoken = spoken.chain(urtext::pack::notations().map(|notation| notation.name));
    let spoken = spoken.filter(|_| layer != "cli");
    names.chain(spoken).map(joined).collect()
}

/// How the ids of requirements begin in code: the first part of every id in the catalogues.
fn id_beginnings() -> BTreeSet<String> {
    let requirements = urtext::pack::catalogues().flat_map(|catalogue| &catalogue.requirements);
    requirements
        .map(|entry| format!("\"{}/", entry.id.split('/').next().unwrap()))
        .collect()
}

fn joined(text: &str) -> String {
    text.to_lowercase().replace([' ', '-', '_'], "")
}

/// What breaks the layers in a file, each with its line.
fn violations(source: &Source) -> Vec<String> {
    let code = &source.code;
    let mut found = Vec::new();
    let Some(layer) = source.layer() else {
        return found;
    };
    let place = |line: usize| format!("{}:{line}", source.path.display());
    let rank = |name: &str| LAW.iter().position(|known| *known == name);
    let Some(own) = rank(layer) else {
        return vec![format!("{}: `{layer}` is no layer", place(1))];
    };
    let used = source
        .paths
        .iter()
        .filter_map(|path| Some((path.line, path.absolute()?.first()?.clone())));
    for (line, name) in used.collect::<BTreeSet<_>>() {
        if rank(&name).is_some_and(|used| used > own) {
            found.push(format!(
                "{}: `{layer}` uses `{name}`, which is below it",
                place(line)
            ));
        }
    }
    let (names, ids) = (game_names(layer), id_beginnings());
    for (number, line) in code
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line))
    {
        let words = || line.split(|c: char| !c.is_alphanumeric() && c != '_');
        if !WITH_TOKIO.contains(&layer) && words().any(|word| word == "tokio") {
            found.push(format!("{}: `{layer}` uses tokio", place(number)));
        }
        // A command with its arguments, as an example in a help text.
        let is_example = layer == "cli" && line.contains("urtext ");
        if layer != GAMES && !is_example {
            let text = joined(line);
            let name = names.iter().find(|name| text.contains(name.as_str()));
            let id = ids
                .iter()
                .find(|id| line.contains(id.as_str()))
                .map(|id| id[1..].to_owned());
            if let Some(name) = name.cloned().or(id) {
                found.push(format!("{}: `{layer}` names a game: {name}", place(number)));
            }
        }
    }
    found
}

#[test]
fn the_modules_stand_in_the_order_of_the_layers() {
    let text =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).unwrap();
    let modules: Vec<_> = text
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'))
        .collect();
    let lawful: Vec<_> = LAW
        .iter()
        .copied()
        .filter(|layer| modules.contains(layer))
        .collect();
    assert_eq!(modules, lawful);
    assert!(modules.len() > 10, "{modules:?}");
}

#[test]
fn no_layer_is_broken() {
    assert!(
        SOURCES.len() > 100,
        "where are the sources? found {}",
        SOURCES.len()
    );
    let found: Vec<_> = SOURCES.iter().flat_map(violations).collect();
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

/// A file of an example: its path, and its code with `\n` for a new line.
fn example(line: &str) -> Source {
    let (path, code) = line.split_once(": ").unwrap();
    Source::new(path, &code.replace("\\n", "\n"))
}

/// What is seen in the examples of `examples.txt`: a file alone, or several files that may use each other in circles.
#[test]
fn sees_what_breaks_the_layers_and_passes_over_what_is_allowed() {
    let seen = |lines: &str| {
        let files: Vec<_> = lines
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(example)
            .collect();
        let seen = match &files[..] {
            [file] => violations(file),
            _ => circles::of_example(files).concat(),
        };
        format!(
            "{lines}\n{}",
            seen.iter()
                .map(|row| format!("    {row}\n"))
                .collect::<String>()
        )
    };
    let examples = include_str!("examples.txt").trim_end().split("\n\n");
    insta::with_settings!({snapshot_path => "../../snapshots/insta", prepend_module_to_snapshot => false, omit_expression => true}, {
        insta::assert_snapshot!("layers", examples.map(seen).collect::<Vec<_>>().join("\n"));
    });
}

#[test]
fn files_for_tests_are_known_by_their_declaration() {
    let source = Source::new(
        "transcript/mod.rs",
        "#[cfg(test)]\nmod arbitrary;\npub mod golden;\n",
    );
    assert_eq!(source.test_modules, [Path::new("transcript/arbitrary.rs")]);
    let source = Source::new("rules/seat.rs", "#[cfg(test)]\nmod deep;\n");
    assert_eq!(source.test_modules, [Path::new("rules/seat/deep.rs")]);
}
