//! What a run plays: the scenarios that are asked for, each with the subject it is for.

use std::sync::Arc;

use super::RunArgs;
use crate::cli::again;
use crate::cli::stored::Stored;
use crate::cli::subject::built_in;
use crate::config::Subject;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::engine::Game;
use crate::scenario::{self, Scenario, Side};

/// The scenarios to play: named ones, or the shipped suites.
pub(super) fn gather(
    args: &RunArgs,
    subject: Option<&Subject>,
    stored: &Stored,
    faults: &mut Diagnostics,
) -> Vec<Scenario> {
    if let Some(games) = args.free_games {
        let Some(subject) = subject else {
            let fault = Diagnostic::error("run/free-games", "--free-games needs a referee");
            faults.push(fault.help("add --as referee with --connect ADDRESS, or with -- COMMAND…"));
            return Vec::new();
        };
        if subject.side != Side::Referee {
            faults.push(Diagnostic::error(
                "run/free-games",
                "--free-games plays against a referee, and this is a bot",
            ));
            return Vec::new();
        }
        return (1..=games).map(|number| scenario::free_game(subject.game, number)).collect();
    }
    let (games, paths): (Vec<_>, Vec<_>) =
        args.paths.iter().cloned().partition(|path| again::is_finished_game(path));
    let asks = args.from.is_some() || args.seat.is_some() || args.game_number.is_some();
    if games.is_empty() && asks {
        let title = "--from, --seat and --game-number go with a finished game";
        let fault = Diagnostic::error("run/recording", title);
        faults.push(
            fault.help("name the recording: urtext run game.jsonl --from 12 --as bot -- python3 mybot.py"),
        );
    }
    let (mut scenarios, problems) = match (paths.is_empty(), games.is_empty()) {
        (false, _) => scenario::load(&paths),
        (true, true) => shipped(&args.suite),
        (true, false) => (Vec::new(), Diagnostics::new()),
    };
    faults.append(problems);
    let side = subject.map_or(Side::Referee, |subject| subject.side);
    let game_played = subject.map(|subject| subject.game);
    for game in games {
        match args.again(side, game_played).scenario(&game, stored) {
            Ok(scenario) => scenarios.push(scenario),
            Err(problems) => faults.append(problems),
        }
    }
    scenarios
}

/// The shipped suites of these names, or all.
pub(in crate::cli) fn shipped(suites: &[String]) -> (Vec<Scenario>, Diagnostics) {
    if suites.is_empty() {
        return scenario::suite::all();
    }
    let mut all = (Vec::new(), Diagnostics::new());
    for name in suites {
        let (scenarios, problems) = scenario::suite::load(name);
        all.0.extend(scenarios);
        all.1.append(problems);
    }
    all
}

/// Each scenario with the subject it is for; scenarios for the other side or another game are left out.
pub(super) fn pair(
    scenarios: Vec<Scenario>,
    subject: Option<Subject>,
    args: &RunArgs,
    faults: &mut Diagnostics,
) -> Vec<Game> {
    let total = scenarios.len();
    let games: Vec<_> = match subject {
        Some(subject) => {
            let subject = Arc::new(subject);
            let fits = |scenario: &Scenario| {
                scenario.side == subject.side && scenario.dialect.game().name() == subject.game.name()
            };
            let fitting = scenarios.into_iter().filter(fits);
            fitting.map(|scenario| (scenario, Arc::clone(&subject))).collect::<Vec<_>>()
        }
        None => scenarios
            .into_iter()
            .filter(|scenario| args.subject.is_of_game(scenario.dialect.game()))
            .filter_map(|scenario| {
                let subject = built_in(scenario.dialect.game(), scenario.side);
                if subject.is_none() {
                    let title = format!("there is no built-in {} for this scenario", scenario.side.word());
                    let fault = Diagnostic::error("run/built-in", title).in_file(scenario.source.name());
                    faults.push(fault.help("say with --as and -- COMMAND… what is under test"));
                }
                Some((scenario, Arc::new(subject?)))
            })
            .collect(),
    };
    if games.is_empty() && faults.is_empty() {
        let fault =
            Diagnostic::error("run/nothing", format!("none of {total} scenarios is for this subject"));
        faults.push(
            fault.help("a scenario says `subject: referee` or `subject: bot`; compare --as and --game"),
        );
    }
    let mut paired = Vec::new();
    for (scenario, subject) in games {
        // What is to be written anew need not be right, nor there.
        let golden = if args.bless { Ok(None) } else { scenario::golden_of(&scenario) };
        match golden {
            Ok(golden) => {
                let seed = args.seed.wrapping_add(paired.len() as u64);
                let golden = golden.map(Arc::new);
                paired.push(Game { scenario: Arc::new(scenario), subject, golden, seed });
            }
            Err(problems) => faults.append(problems),
        }
    }
    paired
}

/// The games that are played unless slow ones are asked for: all others, or the one that was named.
pub(super) fn without_slow(mut games: Vec<Game>) -> Vec<Game> {
    if games.len() > 1 {
        games.retain(|game| !game.scenario.is_slow);
    }
    games
}
