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
    "rules",
    "requirement",
    "finding",
    "protocol",
    "pack",
    "transcript",
    "scenario",
    "config",
    "event",
    "hypothesis",
    "judge",
    "verify",
    "archive",
    "replay",
    "transport",
    "peers",
    "engine",
    "explore",
    "session",
    "mutation",
    "games",
    "report",
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
    let spoken = spoken.chain(urtext::pack::notations().map(|notation| notation.name()));
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

#[track_caller]
fn assert_seen(path: &str, text: &str, expected: &[&str]) {
    assert_eq!(violations(&Source::new(path, text)), expected, "{text}");
}

#[test]
fn sees_every_way_of_looking_down() {
    let down = "judge/state.rs:1: `judge` uses `engine`, which is below it";
    for text in [
        "use crate::engine::run;",
        "pub(crate) use crate::{event::Event, engine::{self, run}};",
        "fn f() { crate::engine::run() }",
        "use super::super::engine::run;",
        "mod inner { fn f() -> super::super::super::engine::Run {} }",
        "fn f() { println!(\"{}\", crate::engine::run()) }",
    ] {
        assert_seen("judge/state.rs", text, &[down]);
    }
    assert_seen(
        "judge/mod.rs",
        "use super::cli;",
        &["judge/mod.rs:1: `judge` uses `cli`, which is below it"],
    );
    assert_seen(
        "rules.rs",
        "\nuse super::protocol;",
        &["rules.rs:2: `rules` uses `protocol`, which is below it"],
    );
    assert_seen(
        "helper/mod.rs",
        "",
        &["helper/mod.rs:1: `helper` is no layer"],
    );
}

#[test]
fn sees_tokio_and_the_names_of_games_where_they_do_not_belong() {
    assert_seen(
        "judge/mod.rs",
        "use tokio::time::sleep;",
        &["judge/mod.rs:1: `judge` uses tokio"],
    );
    let named = |name: &str| format!("scenario/mod.rs:1: `scenario` names a game: {name}");
    for (text, name) in [
        ("const GAME: &str = \"royalur\";", "royalur"),
        (
            "fn f() { let title = \"the Royal Game of Ur\"; }",
            "royalgameofur",
        ),
        ("fn f() { let id = \"ur/win/seven-out\"; }", "ur/"),
        (
            "const URL: &str = \"https://x\"; const ID: &str = \"ur/win\"; // fine",
            "ur/",
        ),
    ] {
        assert_seen("scenario/mod.rs", text, &[&named(name)]);
    }
    assert_seen(
        "judge/mod.rs",
        "use crate::games::onitama::Card;",
        &[
            "judge/mod.rs:1: `judge` uses `games`, which is below it",
            "judge/mod.rs:1: `judge` names a game: onitama",
        ],
    );
    let game = "const GAME: &str = \"onitama\";";
    let seen = "cli/run.rs:1: `cli` names a game: onitama";
    assert_seen("cli/run.rs", game, &[seen]);
    assert_seen("games/onitama/rules.rs", game, &[]);
}

#[test]
fn passes_over_what_is_allowed() {
    for (path, text) in [
        (
            "judge/mod.rs",
            "use crate::event::Event;\nuse crate::judge::state;\nuse super::rules::Move;",
        ),
        (
            "judge/state.rs",
            "use super::engine; // a module of its own\n",
        ),
        (
            "judge/mod.rs",
            "// use crate::engine;\n/* tokio */ /// plays `royalur`, such as \"ur/a\"\n",
        ),
        (
            "judge/mod.rs",
            "fn f() {}\n\n#[cfg(test)]\nmod tests {\n    use crate::engine;\n    use tokio::x;\n}\n",
        ),
        (
            "judge/mod.rs",
            "#[cfg(test)]\n#[path = \"x.rs\"]\nmod tests;\n",
        ),
        (
            "judge/mod.rs",
            "fn f<'a>() { let c = '\"'; let s: &'a str; // crate::engine\nlet r = r#\"a \" // b\"#; }",
        ),
        ("engine/mod.rs", "use tokio::time; use crate::judge::Judge;"),
        (
            "cli/run.rs",
            "const HELP: &str = \"urtext run --suite onitama/referee\";",
        ),
        ("games/mod.rs", "pub mod royalur;"),
        ("lib.rs", "pub mod engine; use crate::cli;"),
        (
            "main.rs",
            "fn main() { urtext::main(urtext::games::PACKS) }",
        ),
    ] {
        assert_seen(path, text, &[]);
    }
    assert_seen(
        "judge/mod.rs",
        "#[cfg(test)]\nfn of_streams() {\n    use crate::engine;\n}\nuse crate::engine;\n",
        &["judge/mod.rs:5: `judge` uses `engine`, which is below it"],
    );
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
