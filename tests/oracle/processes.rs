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
use std::process::Command;
use std::sync::{Arc, LazyLock};

use serde::Deserialize;
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

/// The peers that are played with processes, and the rows that may differ from those in memory: `processes.yaml`.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Plan {
    /// Of a game and a side, the faults of the built-in peer.
    built_in: Vec<(String, String, Vec<String>)>,
    python: Vec<Python>,
    /// Why rows differ from those in memory: of sections that contain the first text, rows that contain the second.
    why: Vec<[String; 3]>,
    /// Rows that chance decides, which are left out: of sections that contain the first text, the scenario or its folder, and why.
    by_chance: Vec<[String; 3]>,
}

/// A peer in Python, and each of its variants with the fault of the built-in peer that is most like it.
#[derive(Deserialize)]
struct Python {
    game: String,
    side: String,
    command: String,
    variants: Vec<(String, String)>,
}

static PLAN: LazyLock<Plan> =
    LazyLock::new(|| serde_yaml::from_str(include_str!("processes.yaml")).unwrap());

/// The interpreter itself: a script that is found by its name may take longer to start than the peer, which needs nothing of `site` either.
static INTERPRETER: LazyLock<String> = LazyLock::new(|| {
    let asked = Command::new("python3")
        .args(["-c", "import sys; print(sys.executable)"])
        .output()
        .expect("python3 is there");
    String::from_utf8(asked.stdout).unwrap().trim().to_owned()
});

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
        let is_meant = |[section, left_out, _]: &&[String; 3]| {
            let is_folder = left_out.ends_with('/') && scenario.starts_with(left_out);
            self.name.contains(section) && (left_out == scenario || is_folder)
        };
        PLAN.by_chance.iter().find(is_meant).map(|[.., why]| &**why)
    }

    fn why_different(&self, row: &str) -> Option<&'static str> {
        let is_meant =
            |[section, part, _]: &&[String; 3]| self.name.contains(section) && row.contains(part);
        PLAN.why.iter().find(is_meant).map(|[.., why]| &**why)
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
        !scenario.keys.is_slow && (is_honest || seen.insert(&simulated[short_name(&scenario.name)]))
    };
    scenarios.iter().filter(is_chosen).collect()
}

fn built_in_sections<'s>(suites: &'s Suites, simulated: &Rows) -> Vec<Section<'s>> {
    let mut sections = Vec::new();
    for (game, side_word, faults) in &PLAN.built_in {
        let (side, scenarios) = &suites[&(game.as_str(), side_word.as_str())];
        let peers = peers::find(game).expect("every shipped scenario has built-in peers");
        for fault in std::iter::once(None).chain(faults.iter().map(|fault| Some(fault.as_str()))) {
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
    for Python {
        game,
        side: side_word,
        command,
        variants,
    } in &PLAN.python
    {
        let (side, scenarios) = &suites[&(game.as_str(), side_word.as_str())];
        let program = command.split(' ').next().expect("it has a first word");
        let honest = (None, "honest");
        let variants = variants
            .iter()
            .map(|(variant, fault)| (Some(variant), fault.as_str()));
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
    let command = format!("{} -S {PEERS}/{command}", *INTERPRETER);
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
        engine::settle(&games, &mut outcomes, None, false);
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
