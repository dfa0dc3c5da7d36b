//! The part of the oracle that plays with processes: the built-in peers over real pipes and TCP, and the peers in Python.
//!
//! `snapshots/oracle-processes.txt` has its rows. Where a row differs from the row of the same peer in memory, both are written, and why they
//! differ. `cargo test --test oracle -- --ignored` compares, and with `URTEXT_BLESS_ORACLE=1` writes the file anew.
//!
//! Everything is played with full patience. A game that does not end as the file has it is played again, apart, up to twice: load can
//! delay a process.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use urtext::config::{LateSpectator, Program, RollHook, Subject, Template};
use urtext::engine::{self, GamePlan};
use urtext::event::Outcome;
use urtext::pack::Protocol;
use urtext::peers;
use urtext::scenario::{Scenario, Side};

use super::{SNAPSHOTS, Suites, compare, play, row, short_name, suites};

const URTEXT: &str = env!("CARGO_BIN_EXE_urtext");
const PEERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/peers");

/// Games that are played at once.
const JOBS: usize = 16;

/// The same for those that are played again, and how often they are at most.
const APART: usize = 2;
const REPEATS: usize = 2;

/// The faults of built-in peers that are played with processes: wrong rules, wrong protocol, silence, closing, clocks and framing. Referees
/// and the bots of Onitama are reached over TCP, the bots of Ur over pipes.
const FAULTS: [(&str, &str, &[&str]); 4] = [
    (
        "royalur",
        "referee",
        &[
            "cell-8-capturable",
            "echoes-to-mover",
            "no-retire-to-spectators",
            "silent-start",
            "no-timeout",
            "early-timeout",
            "no-newline-last",
            "dies-midgame",
            "never-closes",
            "resets",
        ],
    ),
    (
        "royalur",
        "bot",
        &[
            "answers-when-skipped",
            "waits-for-echo",
            "slow",
            "no-newline",
            "crashes-on-retire",
            "survives-end",
        ],
    ),
    (
        "onitama",
        "referee",
        &[
            "card-not-rotated",
            "no-echo",
            "off-turn-loses",
            "late-timeout",
            "no-newline",
            "drops-only-the-loser",
            "resets",
        ],
    ),
    (
        "onitama",
        "bot",
        &["uses-opponents-card", "lowercase-card", "slow", "quits"],
    ),
];

/// A peer in Python: its game and side, its command, and each variant with the fault of the built-in peer that is most like it.
type Python = (
    &'static str,
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

const PYTHON: [Python; 4] = [
    (
        "royalur",
        "referee",
        "ur_referee.py --spectators {spectators} --timeout {timeout} --pace {pace} --names {first},{second} --seed {seed}",
        &[
            ("cell-8-capturable", "cell-8-capturable"),
            ("no-extra-turn-8", "no-extra-turn-8"),
            ("no-retire-to-spectators", "no-retire-to-spectators"),
            ("echoes-moves", "echoes-to-mover"),
        ],
    ),
    (
        "royalur",
        "bot",
        "ur_bot.py --policy random --seed {seed}",
        &[
            ("answers-when-skipped", "answers-when-skipped"),
            ("forgets-captures", "forgets-captures"),
            ("no-newline", "no-newline"),
        ],
    ),
    (
        "onitama",
        "referee",
        "oni_judge.py --timeout {timeout} --seed {seed} --deal {deal} --starter {starter}",
        &[
            ("no-broadcast-to-mover", "no-echo"),
            ("out-of-turn-plays", "off-turn-kept"),
            ("keeps-card", "card-not-rotated"),
            ("no-temple-win", "no-temple-win"),
            ("ignores-invalid", "ignores-illegal-move"),
        ],
    ),
    (
        "onitama",
        "bot",
        "oni_bot.py {host} {port} --policy random --seed {seed}",
        &[
            ("wrong-hand", "uses-opponents-card"),
            ("forgets-rotation", "keeps-cards"),
            ("moves-out-of-turn", "talks-off-turn"),
        ],
    ),
];

/// Why rows differ from those in memory: of sections that contain the first text, rows that contain the second.
const WHY: &[(&str, &str, &str)] = &[
    (
        "ur_referee.py --variant",
        "adaptive-",
        "the coins that Python draws from this seed make another game",
    ),
    (
        "ur_bot.py --variant forgets-captures",
        " pass",
        "the moves that Python draws from this seed are legal all the same: one game does not show it",
    ),
    (
        "ur_bot.py --variant",
        "readings/",
        "the moves that Python draws from this seed make another game, in which the fault shows otherwise",
    ),
    (
        "oni_bot.py --variant forgets-rotation",
        " pass",
        "the moves that Python draws from this seed are legal all the same: one game does not show it",
    ),
    (
        "oni_bot.py --variant moves-out-of-turn",
        " pass",
        "its lines off turn are moves, of which a run makes no note; those of the built-in bot are no moves",
    ),
    (
        "oni_judge.py",
        "-moves-and-leaves#",
        "this judge ends the game as soon as the player off turn hangs up, which the specification leaves open",
    ),
    (
        "oni_judge.py",
        "clock-opponent-hangs-up lenient",
        "this judge ends the game as soon as the player off turn hangs up, which the specification leaves open",
    ),
];

/// Rows that chance decides, which are left out: of sections that contain the first text, the scenario or its folder, and why.
const BY_CHANCE: &[(&str, &str, &str)] = &[
    (
        "out-of-turn-plays",
        "out-of-turn",
        "two lines that were kept can be read in either order, and the first one is named",
    ),
    (
        "echoes-to-mover",
        "clock-of-the-second-player#plain",
        "as in second-player-wins: the next roll can be read before the echo",
    ),
    (
        "echoes",
        "second-player-wins",
        "the first finding depends on which of two sockets is read first, that of the echo or that of the next roll",
    ),
    (
        "echoes",
        "generated/",
        "as in second-player-wins: an extra turn's roll can be read before the echo",
    ),
    (
        "onitama bot: quits",
        "cards-turned-for-top",
        "the game is over so soon that the bot can still be there, and what it does not read then ends its connection otherwise",
    ),
];

/// The rows of the oracle: of each section, by scenario, what follows the scenario's name.
type Rows = BTreeMap<String, BTreeMap<String, String>>;

/// A peer with the scenarios that it is played with.
struct Section<'s> {
    name: String,
    /// The section of the simulated oracle whose peer is this one, or is most like it.
    like: String,
    subject: Arc<Subject>,
    scenarios: Vec<&'s Arc<Scenario>>,
}

impl Section<'_> {
    fn why_left_out(&self, scenario: &str) -> Option<&'static str> {
        let is_meant = |(section, left_out, _): &&(&str, &str, &str)| {
            let is_it = *left_out == scenario;
            let is_folder = left_out.ends_with('/') && scenario.starts_with(left_out);
            self.name.contains(section) && (is_it || is_folder)
        };
        BY_CHANCE.iter().find(is_meant).map(|(.., why)| *why)
    }

    fn why_different(&self, row: &str) -> Option<&'static str> {
        let is_meant = |(section, part, _): &&(&str, &str, &str)| {
            self.name.contains(section) && row.contains(part)
        };
        WHY.iter().find(is_meant).map(|(.., why)| *why)
    }

    fn games(&self) -> impl Iterator<Item = GamePlan> {
        let is_played =
            |scenario: &&&Arc<Scenario>| self.why_left_out(short_name(&scenario.name)).is_none();
        self.scenarios
            .iter()
            .filter(is_played)
            .map(|&scenario| GamePlan {
                scenario: Arc::clone(scenario),
                subject: Arc::clone(&self.subject),
                golden: None,
                seed: 1,
            })
    }
}

fn rows(text: &str) -> Rows {
    let mut rows = Rows::new();
    let mut section = String::new();
    for line in text
        .lines()
        .skip(1)
        .filter(|line| !line.is_empty() && !line.starts_with(' '))
    {
        match line.strip_prefix("# ") {
            Some(name) => section = name.to_owned(),
            None => {
                let (scenario, rest) = line
                    .split_once(' ')
                    .expect("a row has a scenario and a verdict");
                rows.entry(section.clone())
                    .or_default()
                    .insert(scenario.to_owned(), rest.to_owned());
            }
        }
    }
    rows
}

/// All scenarios of the suite against an honest peer; against a wrong one, one for each row that differs from the others in memory.
fn chosen<'s>(
    scenarios: &'s [Arc<Scenario>],
    is_honest: bool,
    simulated: &BTreeMap<String, String>,
) -> Vec<&'s Arc<Scenario>> {
    let mut seen = BTreeSet::new();
    let is_chosen = |scenario: &&Arc<Scenario>| {
        !scenario.is_slow && (is_honest || seen.insert(&simulated[short_name(&scenario.name)]))
    };
    scenarios.iter().filter(is_chosen).collect()
}

fn built_in_sections<'s>(suites: &'s Suites, simulated: &Rows) -> Vec<Section<'s>> {
    let mut sections = Vec::new();
    for (game, side_word, faults) in FAULTS {
        let (side, scenarios) = &suites[&(game, side_word)];
        let peers = peers::find(game).expect("every shipped scenario has built-in peers");
        for fault in std::iter::once(None).chain(faults.iter().map(|&fault| Some(fault))) {
            let name = format!("{game} {side_word}: {}", fault.unwrap_or("honest"));
            sections.push(Section {
                subject: Arc::new(peers.subject(URTEXT, *side, fault)),
                scenarios: chosen(scenarios, fault.is_none(), &simulated[&name]),
                like: name.clone(),
                name,
            });
        }
    }
    sections
}

fn python_sections<'s>(suites: &'s Suites, simulated: &Rows) -> Vec<Section<'s>> {
    let mut sections = Vec::new();
    for (game, side_word, command, variants) in PYTHON {
        let (side, scenarios) = &suites[&(game, side_word)];
        let program = command.split(' ').next().expect("it has a first word");
        let honest = (None, "honest");
        let variants = variants
            .iter()
            .map(|&(variant, fault)| (Some(variant), fault));
        for (variant, fault) in std::iter::once(honest).chain(variants) {
            let like = format!("{game} {side_word}: {fault}");
            let variant_words: String = variant
                .iter()
                .map(|variant| format!(" --variant {variant}"))
                .collect();
            sections.push(Section {
                name: format!("{game} {side_word}: tests/peers/{program}{variant_words}"),
                subject: Arc::new(python(game, *side, &format!("{command}{variant_words}"))),
                scenarios: chosen(scenarios, variant.is_none(), &simulated[&like]),
                like,
            });
        }
    }
    sections
}

fn python(game: &str, side: Side, command: &str) -> Subject {
    let protocol = Protocol::of_game(game).expect("every shipped scenario has a game");
    let command = format!("python3 {PEERS}/{command}");
    let words: Vec<_> = command.split(' ').collect();
    let program = Program::from(Template::parse(&words).expect("the places are known"));
    let mut subject = Subject::started(command.as_str(), side, protocol, program)
        .expect("the command tells how it is reached");
    subject.late_spectator = LateSpectator::Nothing;
    if command.contains("ur_referee.py") {
        subject.roll_hook = Some(RollHook::Environment("UR_ROLLS".to_owned()));
    }
    subject
}

/// Plays all sections. Games that do not end as the file has it, or where it has no row as in memory, are played again, apart.
fn outcomes(sections: &[Section<'_>], kept: &Rows, simulated: &Rows) -> Vec<Outcome> {
    let games: Vec<_> = sections.iter().flat_map(Section::games).collect();
    let owners: Vec<_> = sections
        .iter()
        .flat_map(|section| section.games().map(move |_| section))
        .collect();
    let is_expected = |section: &Section<'_>, outcome: &Outcome| {
        let row = row(outcome);
        let (scenario, rest) = row
            .split_once(' ')
            .expect("a row has a scenario and a verdict");
        let kept = kept.get(&section.name).and_then(|rows| rows.get(scenario));
        kept.unwrap_or_else(|| &simulated[&section.like][scenario]) == rest
    };
    let mut outcomes = play(games.clone(), Some((URTEXT, JOBS)));
    for _ in 0..REPEATS {
        let others =
            (0..games.len()).filter(|&number| !is_expected(owners[number], &outcomes[number]));
        let others: Vec<_> = others.collect();
        if others.is_empty() {
            break;
        }
        let again = play(
            others.iter().map(|&number| games[number].clone()).collect(),
            Some((URTEXT, APART)),
        );
        others
            .iter()
            .zip(again)
            .for_each(|(&number, outcome)| outcomes[number] = outcome);
        // A game that stayed silent is judged by the other games of its subject.
        engine::settle(&games, &mut outcomes, None);
    }
    outcomes
}

/// Writes the rows of a section. Returns the rows that differ from those in memory for no known reason.
fn write_section(
    text: &mut String,
    section: &Section<'_>,
    in_memory: &BTreeMap<String, String>,
    outcomes: &mut impl Iterator<Item = Outcome>,
) -> String {
    let mut unexplained = String::new();
    writeln!(text, "\n# {}", section.name).unwrap();
    for scenario in &section.scenarios {
        let name = short_name(&scenario.name);
        if let Some(why) = section.why_left_out(name) {
            writeln!(text, "{name} is left out: {why}").unwrap();
            continue;
        }
        let played = row(&outcomes.next().expect("every game has an outcome"));
        writeln!(text, "{played}").unwrap();
        let in_memory = &in_memory[name];
        if played == format!("{name} {in_memory}") {
            continue;
        }
        match section.why_different(&played) {
            Some(why) => writeln!(text, "    in memory: {in_memory}\n    because {why}").unwrap(),
            None => {
                write!(
                    unexplained,
                    "\n{}: {played}\n    in memory: {in_memory}",
                    section.name
                )
                .unwrap();
            }
        }
    }
    unexplained
}

#[test]
#[ignore = "it starts hundreds of processes; .ci/run has it played"]
fn every_verdict_on_a_process_is_as_the_oracle_has_it() {
    let simulated = rows(&fs::read_to_string(Path::new(SNAPSHOTS).join("oracle.txt")).unwrap());
    let file = Path::new(SNAPSHOTS).join("oracle-processes.txt");
    let kept = rows(&fs::read_to_string(&file).unwrap_or_default());
    let suites = suites();
    let mut sections = built_in_sections(&suites, &simulated);
    sections.extend(python_sections(&suites, &simulated));
    let mut outcomes = outcomes(&sections, &kept, &simulated).into_iter();
    let mut text = String::from(
        "Verdicts on processes, over pipes and TCP; where one differs from that in memory, both and why. tests/oracle writes this file.\n",
    );
    let mut write =
        |section| write_section(&mut text, section, &simulated[&section.like], &mut outcomes);
    let unexplained: String = sections.iter().map(&mut write).collect();
    assert!(
        unexplained.is_empty(),
        "WHY has no reason for:{unexplained}"
    );
    compare(&file, text);
}
