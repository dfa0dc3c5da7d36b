//! Makes the generated suites: games with forced rolls that tell mistakes in the rules from the rules, and from each other.
//!
//! `cargo run --release --example mistakes -- royalur -o scenarios/royalur/referee/generated`

mod search;

use std::path::PathBuf;
use std::process::ExitCode;
use std::{fs, iter};

use clap::Parser;
use urtext::protocol::Dialect;
use urtext::rules::Mistake;
use urtext::{pack, scenario};

use search::{Search, Told};

/// Writes scenarios for a referee with forced rolls; the first lines of each name the mistakes that it refutes.
#[derive(Parser)]
struct Args {
    /// The game
    game: String,
    /// Mistakes of which games are sought [default: all that an explanation considers]
    mistakes: Vec<String>,
    /// Writes each game to a file in this folder [default: prints them]
    #[arg(long, short)]
    output: Option<PathBuf>,
    /// The greatest number of games
    #[arg(long, default_value = "1000")]
    most: usize,
    /// Number of random games among which these are sought
    #[arg(long, default_value = "12000")]
    tries: usize,
    /// Decides the random games
    #[arg(long, default_value = "1")]
    seed: u64,
}

fn main() -> ExitCode {
    match made(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn made(args: &Args) -> Result<(), String> {
    let of_game = |dialect: &&dyn Dialect| dialect.game().name() == args.game;
    let dialect = pack::dialects()
        .find(of_game)
        .ok_or("there is no such game")?;
    let game = dialect.game();
    let all = || game.mistakes().whole().iter();
    let named = |name: &String| {
        let row = all().find(|row| row.name == *name);
        row.ok_or_else(|| format!("{} has no mistake {name}", game.name()))
    };
    let mut search = Search::new(dialect, args.seed);
    let mistakes: Vec<_> = match args.mistakes.as_slice() {
        [] => all().collect(),
        names => names.iter().map(named).collect::<Result<_, _>>()?,
    };
    search.seek(&mistakes, args.tries, args.most);
    let Told { games, left, alike } = search.told;
    let mut told = Vec::new();
    for (number, found) in iter::zip(1.., games) {
        let mut refutes = found.refutes.clone();
        // The title names a mistake that no game before refutes, if there is one, and a simple one of these.
        refutes.sort_by_key(|row| (told.contains(&row.name), row.general.is_some()));
        let mut title = format!("shows if {}", refutes[0].summary);
        match refutes.len() - 1 {
            0 => {}
            1 => title += ", and 1 other mistake",
            others => title += &format!(", and {others} other mistakes"),
        }
        told.extend(refutes.iter().map(|row| row.name));
        let name = format!("game-{number:02}");
        let text = found.comment() + &scenario::write(&found.scenario(&name, &title));
        let Some(folder) = &args.output else {
            print!("{text}");
            continue;
        };
        let path = folder.join(name).with_extension("yaml");
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, text));
        written.map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let names = |rows: &[&Mistake]| {
        rows.iter()
            .map(|row| row.name)
            .collect::<Vec<_>>()
            .join(", ")
    };
    eprintln!("not told from the rules: {}: {}", left.len(), names(&left));
    let pairs: Vec<_> = alike
        .iter()
        .map(|pair| pair.map(|row| row.name).join(" and "))
        .collect();
    eprintln!(
        "not told from each other: {}: {}",
        pairs.len(),
        pairs.join(", ")
    );
    Ok(())
}
