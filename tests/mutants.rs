//! What the suites catch: every fault of the built-in peers is played against the whole suite of its side.
//!
//! `cargo test --test mutants -- --nocapture` prints the matrix.

mod subjects;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use subjects::built_in;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use urtext::config::Subject;
use urtext::engine::{self, Game, Options};
use urtext::event::{Outcome, Verdict};
use urtext::judge::Budgets;
use urtext::peers::{self, FaultRow};
use urtext::requirement::{self, Level};
use urtext::scenario::{Scenario, Side, golden_of, suite};

/// How many games are played at once; most of them only wait.
const AT_ONCE: usize = 24;

/// Faults that no scenario can catch, with the reason.
const EXCEPTIONS: &[(&str, &str)] =
    &[("silent-start", "who never says a byte is not judged: that is an error of the run")];

/// Enough for a loaded machine, and little enough to wait for it some hundred times.
fn options() -> Options {
    Options {
        start_budget: Duration::from_secs(20),
        budgets: Budgets {
            handshake: Duration::from_millis(1500),
            answer: Duration::from_millis(1500),
            close: Duration::from_millis(1000),
        },
        game_budget: Duration::from_secs(60),
        record: None,
        program: Some(env!("CARGO_BIN_EXE_urtext").into()),
    }
}

fn scenarios(game: &str, side: Side) -> Vec<Arc<Scenario>> {
    let (scenarios, faults) = suite::load(&format!("{game}/{}", side.word()));
    assert!(faults.is_empty());
    scenarios.into_iter().map(Arc::new).collect()
}

/// Plays each scenario against each subject, many at once. The outcomes of a subject stand in the order of the scenarios.
async fn play_all(scenarios: &[Arc<Scenario>], subjects: Vec<Subject>) -> Vec<Vec<Outcome>> {
    let (_keep, interrupt) = watch::channel(false);
    let slots = Arc::new(Semaphore::new(AT_ONCE));
    let mut games = Vec::new();
    for subject in subjects.into_iter().map(Arc::new) {
        for scenario in scenarios {
            let golden = golden_of(scenario).unwrap().map(Arc::new);
            games.push(Game {
                scenario: Arc::clone(scenario),
                subject: Arc::clone(&subject),
                golden,
                seed: 1,
            });
        }
    }
    let mut playing = JoinSet::new();
    for (number, game) in games.iter().cloned().enumerate() {
        let (slots, interrupt) = (Arc::clone(&slots), interrupt.clone());
        playing.spawn(async move {
            let _slot = slots.acquire().await.unwrap();
            (number, engine::play(&game, &options(), interrupt).await)
        });
    }
    let mut outcomes = playing.join_all().await;
    outcomes.sort_by_key(|(number, _)| *number);
    let mut outcomes: Vec<_> = outcomes.into_iter().map(|(_, outcome)| outcome).collect();
    engine::settle(&games, &mut outcomes);
    outcomes.chunks(scenarios.len()).map(<[Outcome]>::to_vec).collect()
}

/// The requirement under which a scenario failed.
fn blamed(outcome: &Outcome) -> Option<&'static str> {
    let failed = outcome.findings.iter().find(|finding| finding.verdict == Verdict::Fail)?;
    Some(failed.requirement.unwrap_or("no requirement"))
}

/// A row of the matrix.
struct Row {
    fault: FaultRow,
    /// Names of requirements, each with the scenarios that failed under it.
    blamed: BTreeMap<&'static str, Vec<String>>,
    /// Whether a choice that the specification leaves open was seen to be what the fault makes it.
    is_observed: bool,
}

impl Row {
    fn new(fault: FaultRow, outcomes: &[Outcome]) -> Row {
        let mut by_id: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
        for outcome in outcomes {
            if let Some(id) = blamed(outcome) {
                by_id.entry(id).or_default().push(outcome.name.clone());
            }
        }
        let is_seen =
            |outcome: &Outcome| outcome.open.iter().any(|choice| choice.requirement == fault.breaks);
        Row { fault, blamed: by_id, is_observed: outcomes.iter().any(is_seen) }
    }

    fn caught(&self) -> usize {
        self.blamed.values().map(Vec::len).sum()
    }

    /// Whether what the fault breaks is left open, so that it is to be observed and not to fail.
    fn is_open(&self) -> bool {
        requirement::find(self.fault.breaks).is_some_and(|entry| entry.level == Level::Unspecified)
    }

    fn right(&self) -> usize {
        self.blamed.get(self.fault.breaks).map_or(0, Vec::len)
    }

    /// What is wrong with the row, if anything is.
    fn fault(&self) -> Option<String> {
        let name = self.fault.name;
        let exception = EXCEPTIONS.iter().find(|(known, _)| *known == name);
        match (exception, self.is_open()) {
            (Some(_), _) if self.caught() == 0 => None,
            (Some(_), _) => Some(format!("{name} is caught, and stands among the exceptions")),
            (None, true) if self.caught() > 0 => Some(format!("{name} is left open, and fails")),
            (None, true) if !self.is_observed => Some(format!("{name} is left open, and not observed")),
            (None, false) if self.right() == 0 => {
                Some(format!("{name} is caught by nothing under {}: {:?}", self.fault.breaks, self.blamed))
            }
            _ => None,
        }
    }

    fn line(&self) -> String {
        let exception = EXCEPTIONS.iter().find(|(known, _)| *known == self.fault.name);
        let verdict = match (exception, self.is_open()) {
            (Some((_, why)), _) => format!("not caught: {why}"),
            (None, true) => "left open, and observed".to_owned(),
            (None, false) => format!("{:>2} under the right id", self.right()),
        };
        let others = self.blamed.iter().filter(|(id, _)| **id != self.fault.breaks);
        let others: Vec<_> = others.map(|(id, names)| format!("{id} {}", names.len())).collect();
        let others = if others.is_empty() { String::new() } else { format!("; also {}", others.join(", ")) };
        format!(
            "{:<30} {:>2} caught, {verdict} ({}){others}",
            self.fault.name,
            self.caught(),
            self.fault.breaks
        )
    }
}

async fn prove(game: &str, side: Side) {
    let scenarios = scenarios(game, side);
    let peers = peers::find(game).unwrap();
    let faults = if side == Side::Referee { peers.referee_faults() } else { peers.bot_faults() };
    let honest = play_all(&scenarios, vec![built_in(game, side, None)]).await.remove(0);
    for outcome in &honest {
        let is_kept = matches!(outcome.verdict, Verdict::Pass | Verdict::Lenient);
        assert!(is_kept, "a false alarm: {} {:?}", outcome.name, outcome.findings);
    }
    let subjects = faults.iter().map(|fault| built_in(game, side, Some(fault.name))).collect();
    let played = play_all(&scenarios, subjects).await;
    let rows: Vec<_> =
        faults.into_iter().zip(&played).map(|(fault, outcomes)| Row::new(fault, outcomes)).collect();

    let mut text = format!("\n{} faults of the {}, {} scenarios\n", rows.len(), side.word(), scenarios.len());
    for row in &rows {
        writeln!(text, "  {}", row.line()).unwrap();
    }
    let failing: BTreeSet<_> = rows.iter().flat_map(|row| row.blamed.values().flatten().cloned()).collect();
    let named: BTreeSet<_> = rows.iter().flat_map(|row| row.blamed.keys().copied()).collect();
    let own_id = |scenario: &&Arc<Scenario>| {
        let id = scenario.checks[0];
        rows.iter().any(|row| row.blamed.get(id).is_some_and(|names| names.contains(&scenario.name)))
    };
    let (own, not_own): (Vec<_>, Vec<_>) = scenarios.iter().partition(own_id);
    writeln!(text, "{} of {} scenarios fail for some fault", failing.len(), scenarios.len()).unwrap();
    writeln!(text, "{} fail under the requirement that they exist for; these do not:", own.len()).unwrap();
    for scenario in &not_own {
        writeln!(text, "  {} ({})", scenario.name, scenario.checks[0]).unwrap();
    }
    writeln!(text, "{} requirements are named by some finding", named.len()).unwrap();
    println!("{text}");

    let idle: Vec<_> = scenarios.iter().filter(|scenario| !failing.contains(&scenario.name)).collect();
    assert!(idle.is_empty(), "nothing makes these scenarios fail: {:?}", idle.iter().map(|one| &one.name));
    assert!(failing.len() >= 10, "at least ten scenarios have to be seen failing");
    let wrong: Vec<_> = rows.iter().filter_map(Row::fault).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_suite_for_referees_of_ur_catches_every_fault_for_what_it_breaks() {
    prove("royalur", Side::Referee).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_suite_for_bots_of_ur_catches_every_fault_for_what_it_breaks() {
    prove("royalur", Side::Bot).await;
}
