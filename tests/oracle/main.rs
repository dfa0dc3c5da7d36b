//! The oracle of verdicts: every shipped scenario against the honest built-in peers and each of their faults, in memory.
//!
//! `snapshots/oracle.txt` has a section for each fault and a row for each scenario: the verdict, and the requirement and the title of the first
//! finding. `snapshots/causes.txt` has what all games of a peer together say of its mistake in the rules. `URTEXT_BLESS_ORACLE=1 cargo test --test oracle` writes it anew; a change of it is reviewed like a golden transcript.

mod processes;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use urtext::config::{Subject, SubjectBudgets};
use urtext::engine::{self, Clock, GamePlan, Network, Options, Run};
use urtext::event::Outcome;
use urtext::judge::Budgets;
use urtext::mistake::{self, MistakeState};
use urtext::mutation::Matrix;
use urtext::peers;
use urtext::scenario::{self, Scenario, Side};

const SNAPSHOTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots");

/// The threads that play, each with its share of the peers of a side: more than there are processors, since no two shares take as long.
const PARTS: usize = 8;

/// Every scenario of a side of a game, with the faults of the peer that it is for, after none.
type Suites = BTreeMap<(&'static str, &'static str), (Side, Vec<Arc<Scenario>>)>;

fn suites() -> Suites {
    let (scenarios, problems) = scenario::suite::all();
    assert!(
        problems.is_empty(),
        "the shipped scenarios are without faults"
    );
    let mut suites = Suites::new();
    for scenario in scenarios {
        let game = scenario.game().unwrap().dialect.game().name();
        let suite = suites
            .entry((game, scenario.side().word()))
            .or_insert_with(|| (scenario.side(), Vec::new()));
        suite.1.push(Arc::new(scenario));
    }
    suites
}

/// The words of a finding without what differs from run to run: durations.
fn masked(title: &str) -> String {
    let units = ["ns", "µs", "ms", "s", "min"];
    let mut words = Vec::new();
    for word in title.split(' ') {
        let bare = word.trim_end_matches([',', ';', '.', ':', ')']);
        let number = bare.trim_end_matches(|letter: char| letter.is_alphabetic());
        let is_duration = number.parse::<f64>().is_ok() && units.contains(&&bare[number.len()..]);
        let is_unit = units.contains(&bare)
            && words
                .last()
                .is_some_and(|last: &String| last.parse::<f64>().is_ok());
        if is_unit {
            words.pop();
        }
        let tail = &word[bare.len()..];
        words.push(if is_duration || is_unit {
            format!("TIME{tail}")
        } else {
            word.to_owned()
        });
    }
    words.join(" ")
}

/// The name of a scenario without its suite.
fn short_name(name: &str) -> &str {
    name.splitn(3, '/')
        .last()
        .expect("the name of a shipped scenario has three parts")
}

fn row(outcome: &Outcome) -> String {
    let mut row = format!("{} {}", short_name(&outcome.name), outcome.verdict.word());
    if let Some(first) = outcome.findings.first() {
        let requirement = first.requirement.unwrap_or("-");
        write!(row, " {requirement}: {}", masked(&first.title)).unwrap();
    }
    row
}

/// Plays the games: in memory, or as processes that this program watches over, with so many at once. Nothing is played a second time.
fn play(games: Vec<GamePlan>, processes: Option<(&str, usize)>) -> Vec<Outcome> {
    let options = Options {
        budgets: Budgets {
            // Interpreters are slow to start, and more so side by side.
            start: Duration::from_secs(60),
            ..Budgets::default()
        },
        clock: processes.map_or(Clock::Virtual(Network::Ideal), |_| Clock::Real),
        program: processes.map(|(program, _)| program.into()),
        ..Options::new(SubjectBudgets::default(), [].into_iter())
    };
    let jobs = processes.map_or(16, |(_, jobs)| jobs);
    let run = Run::new(games, options, jobs);
    let (_, interrupt) = tokio::sync::watch::channel(false);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime
        .block_on(engine::run(run, interrupt, |_| {}))
        .unwrap()
}

/// The honest peer passes, the suite catches every fault under the requirement that it breaks, and each scenario catches one.
fn assert_all_caught(
    game: &'static str,
    side: Side,
    scenarios: &[Arc<Scenario>],
    outcomes: &[Outcome],
) {
    let faults = peers::faults_of(game, side);
    let (honest, faulty) = outcomes.split_at(scenarios.len());
    let faulty = faulty.chunks(scenarios.len()).map(<[Outcome]>::to_vec);
    let mutants: Vec<_> = faults.iter().copied().zip(faulty).collect();
    let names = scenarios.iter().map(|scenario| scenario.name.clone());
    let matrix = Matrix::new(game, side, names.collect(), honest, &mutants);
    assert_eq!(matrix.false_alarms, []);
    assert_eq!(
        matrix.idle(),
        [""; 0],
        "no fault makes these scenarios fail"
    );
    let missed = matrix.rows.iter().filter(|row| !row.is_told());
    let missed: Vec<_> = missed.map(|row| row.fault.name).collect();
    assert_eq!(missed, [""; 0], "nothing catches these faults");
}

/// What all games of a peer together say of its mistake in the rules.
fn explained(
    fault: Option<&str>,
    scenarios: &[Arc<Scenario>],
    subject: &Arc<Subject>,
    mut outcomes: Vec<Outcome>,
) -> String {
    let subjects = vec![subject.name.clone(); scenarios.len()];
    let explanations = mistake::explain(scenarios, &subjects, &mut outcomes);
    let [ledger] = &explanations[..] else {
        panic!("one peer plays one side of one game");
    };
    let mut text = format!(
        "{}: {} of {} refuted, {} consistent, {} untested\n",
        fault.unwrap_or("honest"),
        ledger.that_are(MistakeState::Refuted).len(),
        ledger.total(),
        ledger.that_are(MistakeState::Consistent).len(),
        ledger.that_are(MistakeState::Untested).len()
    );
    for cause in &ledger.causes {
        let [mistake] = cause.rows[..] else {
            continue;
        };
        let (explained, failed) = (cause.explained.len(), ledger.failed);
        writeln!(
            text,
            "  {explained} of {failed}: the {} behaves as if {}",
            ledger.side.word(),
            mistake.summary
        )
        .unwrap();
    }
    let refuted = ledger.that_are(MistakeState::Refuted).into_iter();
    if refuted.map(|row| row.name).any(|name| Some(name) == fault) {
        text.push_str("  its own mistake is refuted\n");
    }
    let supposed = outcomes.iter().flat_map(|outcome| &outcome.findings);
    let several = supposed.filter(|finding| finding.variants.len() > 1);
    let several: BTreeSet<_> = several
        .flat_map(|finding| finding.variants.iter().map(|row| row.name))
        .collect();
    for name in several {
        writeln!(text, "  perhaps {name}").unwrap();
    }
    if fault.is_none() {
        let rows = ledger.that_are(MistakeState::Untested).into_iter();
        rows.for_each(|row| writeln!(text, "  untested {}", row.name).unwrap());
    }
    text
}

/// Plays all scenarios with a peer, and says what all games together say of its mistake in the rules.
fn played(
    subject: &Arc<Subject>,
    fault: Option<&str>,
    scenarios: &[Arc<Scenario>],
) -> (Vec<Outcome>, String) {
    let game = |scenario: &Arc<Scenario>| GamePlan {
        scenario: Arc::clone(scenario),
        subject: Arc::clone(subject),
        golden: None,
        seed: 1,
    };
    let outcomes = play(scenarios.iter().map(game).collect(), None);
    let explained = explained(fault, scenarios, subject, outcomes.clone());
    (outcomes, explained)
}

fn oracle() -> (String, String) {
    let mut text = String::from(
        "Verdicts of the shipped scenarios on each built-in peer; tests/oracle writes this file.\n",
    );
    let mut causes = String::from(
        "Mistakes in the rules that fit all games of each built-in peer; tests/oracle writes this file.\n",
    );
    for ((game, side_word), (side, scenarios)) in suites() {
        let peers = peers::find(game).expect("every shipped scenario has built-in peers");
        let faults = peers::faults_of(game, side);
        let mut faults: Vec<_> = faults.iter().map(|fault| Some(fault.name)).collect();
        faults.insert(0, None);
        let play = |fault: &Option<&str>| {
            let subject = Arc::new(peers.subject("urtext", side, *fault));
            played(&subject, *fault, &scenarios)
        };
        let (outcomes, explained): (Vec<_>, Vec<_>) = thread::scope(|scope| {
            let parts = faults.chunks(faults.len().div_ceil(PARTS));
            let parts = parts.map(|part| scope.spawn(|| part.iter().map(play).collect::<Vec<_>>()));
            let parts: Vec<_> = parts.collect();
            let played = parts.into_iter().map(|part| part.join().unwrap());
            played.flatten().unzip()
        });
        assert_all_caught(game, side, &scenarios, &outcomes.concat());
        writeln!(causes, "\n# {game} {side_word}").unwrap();
        causes += &explained.concat();
        for (fault, outcomes) in faults.iter().zip(&outcomes) {
            writeln!(
                text,
                "\n# {game} {side_word}: {}",
                fault.unwrap_or("honest")
            )
            .unwrap();
            outcomes
                .iter()
                .for_each(|outcome| writeln!(text, "{}", row(outcome)).unwrap());
        }
    }
    (text, causes)
}

/// Holds what was played against the file, or writes the file where that is asked for.
fn compare(file: &Path, played: String) {
    if std::env::var_os("URTEXT_BLESS_ORACLE").is_some() {
        return std::fs::write(file, played).unwrap();
    }
    let kept = std::fs::read_to_string(file).unwrap();
    let [old, new] = [&kept, &played].map(|text| text.lines().collect::<HashSet<_>>());
    let gone = kept
        .lines()
        .filter(|line| !new.contains(line))
        .map(|line| format!("-{line}\n"));
    let come = played
        .lines()
        .filter(|line| !old.contains(line))
        .map(|line| format!("+{line}\n"));
    let differences: String = gone.chain(come).collect();
    assert!(
        kept == played,
        "these rows differ, or their order does:\n{differences}"
    );
}

#[test]
fn every_verdict_is_as_the_oracle_has_it() {
    let (verdicts, causes) = oracle();
    compare(&Path::new(SNAPSHOTS).join("oracle.txt"), verdicts);
    compare(&Path::new(SNAPSHOTS).join("causes.txt"), causes);
}
