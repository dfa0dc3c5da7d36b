//! Choice of the scenarios to play, each with its subject.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::RunArgs;
use crate::cli::replay_live;
use crate::cli::subject::{Origin, Tested};
use crate::config::{Subject, file};
use crate::diagnostic::{Diagnostic, Diagnostics, visible};
use crate::engine::GamePlan;
use crate::pack::Protocol;
use crate::peers;
use crate::protocol::Dialect;
use crate::scenario::{self, Scenario, Side};

/// The scenarios to play: named ones, or the shipped suites. `kind`: the side under test, and its game where it is known.
pub(super) fn gather(
    args: &RunArgs,
    kind: (Side, Option<Protocol>),
    matches: &[(PathBuf, Vec<u8>)],
    faults: &mut Diagnostics,
) -> Vec<Scenario> {
    let (games, paths): (Vec<_>, Vec<_>) = args
        .paths
        .iter()
        .cloned()
        .partition(|path| replay_live::is_finished_game(path));
    let asks = args.from.is_some() || args.seat.is_some() || args.game_number.is_some();
    if games.is_empty() && asks {
        let title = "--from, --seat and --game-number go with a finished game";
        let fault = Diagnostic::error("run/recording", title);
        faults.push(fault.help(
            "name the recording: urtext run game.jsonl --from 12 --as bot -- python3 mybot.py",
        ));
    }
    let (mut scenarios, problems) = match (paths.is_empty(), games.is_empty()) {
        (false, _) => scenario::load(&paths),
        (true, true) => scenario::suite::named(&args.suite),
        (true, false) => (Vec::new(), Diagnostics::new()),
    };
    faults.append(problems);
    let (side, protocol) = kind;
    for game in games {
        match args.again(side, protocol).scenario(&game, matches) {
            Ok(scenario) => scenarios.push(scenario),
            Err(problems) => faults.append(problems),
        }
    }
    scenarios
}

/// The games of free play against the referee under test.
pub(super) fn free_games(
    args: &RunArgs,
    games: u32,
    tested: &Tested,
) -> Result<Vec<Scenario>, Diagnostic> {
    let dialect = free_game(args, tested)?;
    let game = |number| scenario::free_game(dialect, number);
    Ok((1..=games).map(game).collect())
}

/// The name of the game of these scenarios, where those for this side are of one game.
pub(super) fn game_of(scenarios: &[Scenario], side: Side) -> Option<&'static str> {
    let of_side = scenarios.iter().filter(|scenario| scenario.side() == side);
    let mut names = of_side.map(|scenario| scenario.protocol().game_name());
    let first = names.next()?;
    names.all(|name| name == first).then_some(first)
}

/// Returns the kind of subject that plays finished games again, and its game where it is known.
pub(super) fn kind(args: &RunArgs, tested: &Tested) -> (Side, Option<Protocol>) {
    let first = tested.subjects.first();
    let protocol = first.filter(|_| tested.origin == Origin::CommandLine);
    let side = match (&tested.origin, first) {
        (Origin::File(_), _) => {
            let mut sides = tested.subjects.iter().map(|subject| subject.side);
            let is_referee = sides.any(|side| side == Side::Referee) && args.seat.is_none();
            Some(if is_referee { Side::Referee } else { Side::Bot })
        }
        (_, first) => first.map(|subject| subject.side),
    };
    let protocol = protocol.map(|subject| subject.protocol);
    (side.unwrap_or(Side::Referee), protocol)
}

/// The wire protocol of free play: that of the referee under test.
fn free_game(args: &RunArgs, tested: &Tested) -> Result<&'static dyn Dialect, Diagnostic> {
    let fault = |title: &str| Diagnostic::error("run/free-games", title);
    let is_asked = |subject: &&Arc<Subject>| {
        subject.side == Side::Referee && args.subject.is_of_game(subject.protocol.game_name())
    };
    let asked = tested.subjects.iter().filter(is_asked);
    let mut dialects: Vec<_> = asked.map(|subject| subject.protocol).collect();
    dialects.dedup_by_key(|protocol| protocol.game_name());
    match (&tested.origin, &dialects[..]) {
        (_, [Protocol::Game(dialect)]) => Ok(*dialect),
        (_, [Protocol::Lines]) => Err(fault(
            "--free-games plays by the rules of a game, and `lines` has none",
        )),
        (Origin::CommandLine, _) => Err(fault(
            "--free-games plays against a referee, and this is a bot",
        )),
        (Origin::File(path), several) => {
            let which = match several.is_empty() {
                true => "no referee that is meant",
                false => "several referees",
            };
            let path = path.display();
            let title = format!("--free-games needs a referee, and {path} has {which}");
            Err(fault(&title).help("name one with --subject, or its game with --game"))
        }
        (Origin::BuiltIn, _) => Err(fault("--free-games needs a referee").help(
            "add --as referee with --connect ADDRESS, or with -- COMMAND…; --game GAME alone plays against the built-in referee",
        )),
    }
}

/// Reasons why scenarios are left out, each with their number.
type LeftOut = BTreeMap<String, usize>;

/// Each scenario with the subject it is for, and the first line of the report.
pub(super) fn pair(
    scenarios: Vec<Scenario>,
    tested: &Tested,
    args: &RunArgs,
    faults: &mut Diagnostics,
) -> (Vec<GamePlan>, String) {
    let (mut games, mut left_out) = (Vec::new(), LeftOut::new());
    let total = scenarios.len();
    for scenario in scenarios {
        let (game, side) = (scenario.protocol().game_name(), scenario.side());
        if !args.subject.is_of_game(game) {
            continue;
        }
        let subject = match file::usual(&tested.subjects, side, game) {
            Ok(subject) => Arc::clone(subject),
            Err(names) => {
                let what = format!("{game} {}", side.word());
                let reason = match &tested.origin {
                    // A built-in peer without the fault is not meant.
                    Origin::BuiltIn if peers::find(game).is_some() => continue,
                    Origin::BuiltIn if !args.subject.is_of(game, side) => continue,
                    Origin::BuiltIn => {
                        let title =
                            format!("there is no built-in {} for this scenario", side.word());
                        let fault = Diagnostic::error("run/built-in", title);
                        let fault = fault.in_file(scenario.source.name());
                        faults.push(fault.help("say with --as and -- COMMAND… what is under test"));
                        continue;
                    }
                    Origin::CommandLine => format!("for the {what}"),
                    Origin::File(path) if names.is_empty() => {
                        format!("no {what} in {}", path.display())
                    }
                    Origin::File(path) => format!(
                        "no `default:` in {} decides which {what} is meant (`{}`)",
                        path.display(),
                        names.join("`, `")
                    ),
                };
                *left_out.entry(reason).or_default() += 1;
                continue;
            }
        };
        // What is to be written anew need not be right, nor there.
        let golden = match args.bless {
            true => Ok(None),
            false => scenario::golden_of(&scenario),
        };
        match golden {
            Ok(golden) => games.push(GamePlan {
                scenario: Arc::new(scenario),
                subject,
                golden: golden.map(Arc::new),
                seed: args.seed.wrapping_add(games.len() as u64),
            }),
            Err(problems) => faults.append(problems),
        }
    }
    if games.is_empty() && faults.is_empty() {
        faults.push(nothing(tested, &left_out, total));
    }
    let heading = heading(tested, &games, &left_out);
    (games, heading)
}

/// The fault that no scenario is for what is tested.
fn nothing(tested: &Tested, left_out: &LeftOut, total: usize) -> Diagnostic {
    let fault = |title| Diagnostic::error("run/nothing", title);
    match &tested.origin {
        Origin::File(path) if !left_out.is_empty() => {
            let path = path.display();
            let reasons: Vec<_> = left_out.keys().map(String::as_str).collect();
            fault(format!("none of {total} scenarios has a subject in {path}"))
                .note(reasons.join("; "))
                .help("name one with --subject; `--subject built-in` tests the built-in peers")
        }
        _ => fault(format!("none of {total} scenarios is for this subject"))
            .help("a scenario says `subject: referee` or `subject: bot`; compare --as and --game"),
    }
}

/// The first line of a report: the program, what is under test, and what is left out.
fn heading(tested: &Tested, games: &[GamePlan], left_out: &LeftOut) -> String {
    let mut labels: Vec<String> = Vec::new();
    for GamePlan { subject, .. } in games {
        let what = format!("{} {}", subject.protocol.game_name(), subject.side.word());
        let fault = subject
            .built_in
            .as_ref()
            .and_then(|built_in| built_in.fault.as_ref());
        let label = match &tested.origin {
            Origin::BuiltIn => fault.map_or(what.clone(), |fault| {
                format!("{what} with the fault {fault}")
            }),
            _ => format!("{what} {}", subject.label()),
        };
        if !labels.contains(&label) {
            labels.push(label);
        }
    }
    let all = labels.join(", ");
    let all = match &tested.origin {
        Origin::BuiltIn => format!("the built-in {all}, in memory on a virtual clock"),
        Origin::File(path) => {
            format!(
                "{all}, from {}",
                visible::plain(path.to_string_lossy().as_bytes())
            )
        }
        Origin::CommandLine => all,
    };
    let reasons: Vec<_> = match left_out.len() {
        1 => left_out.keys().cloned().collect(),
        _ => left_out
            .iter()
            .map(|(reason, count)| format!("{count} {reason}"))
            .collect(),
    };
    let left_out = match left_out.values().sum() {
        0 => String::new(),
        1 => "; 1 scenario left out: ".to_owned(),
        many => format!("; {many} scenarios left out: "),
    };
    format!(
        "urtext {}: {all}{left_out}{}\n",
        env!("CARGO_PKG_VERSION"),
        reasons.join(", ")
    )
}

/// The games that are played unless slow ones are asked for: all others, or the one that was named.
pub(super) fn without_slow(mut games: Vec<GamePlan>) -> Vec<GamePlan> {
    if games.len() > 1 {
        games.retain(|game| !game.scenario.is_slow);
    }
    games
}
