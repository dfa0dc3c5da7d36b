//! `urtext explore` as a user runs it, and explorations in memory.

mod bot;
mod coverage;
mod failure;
mod without_hook;

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use tokio::sync::watch;
use urtext::config::{Subject, SubjectBudgets};
use urtext::engine::{
    self, Clock, Doubt, GamePlan, Network, Options, Placement, PlayOrder, Run, golden_of,
};
use urtext::event::Outcome;
use urtext::explore::{Exploration, ExplorationLimits, Explorer, FailedGame, Trials, Written};
use urtext::scenario;

use crate::harness::{PEERS, Place, URTEXT, has_python, python_words, urtext};

fn options(subject: &Subject) -> Options {
    Options {
        clock: Clock::Virtual(Network::Ideal),
        ..Options::new(SubjectBudgets::default(), std::iter::once(subject))
    }
}

fn wait_for<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.unwrap().block_on(future)
}

/// An exploration up to its first failure.
struct Search {
    seed: u64,
    games: usize,
    /// How many of a hundred games have a hostile turn.
    hostile: u8,
    shrink: usize,
}

impl Search {
    fn new(seed: u64, games: usize, hostile: u8) -> Search {
        let shrink = 200;
        Search {
            seed,
            games,
            hostile,
            shrink,
        }
    }

    /// Explores a subject in memory.
    fn explore(self, subject: &Subject, out: &Path) -> Exploration {
        let (_keep, interrupted) = watch::channel(false);
        let options = options(subject);
        let jobs = NonZeroUsize::new(8);
        let trials = Trials::new(options, jobs, subject.clone(), interrupted);
        let limits = ExplorationLimits {
            games: self.games,
            time: None,
            failures: 1,
            shrink: self.shrink,
            out: out.to_owned(),
        };
        let explorer = Explorer::new(subject, self.seed, self.hostile).unwrap();
        let mut exploration = Exploration::new(limits, explorer, trials.recording().unwrap());
        wait_for(exploration.play()).unwrap();
        exploration
    }
}

/// What comes of a scenario that was written, played with this seed.
fn played(path: &Path, seed: u64, subject: &Subject) -> Outcome {
    let (scenarios, problems) = scenario::load_file(path);
    assert!(problems.is_empty(), "{}", path.display());
    let [scenario] = <[_; 1]>::try_from(scenarios).unwrap();
    let scenario = Arc::new(subject.as_played(scenario));
    let game = GamePlan {
        golden: golden_of(&scenario).unwrap().map(Arc::new),
        scenario,
        subject: Arc::new(subject.clone()),
        seed,
    };
    let run = Run {
        games: vec![game],
        options: options(subject),
        jobs: 1,
        placement: Placement::Free,
        doubt: Doubt::Accept,
        order: PlayOrder::default(),
        has_spoken: false,
    };
    let (_keep, interrupted) = watch::channel(false);
    wait_for(engine::run(run, interrupted, |_| ()))
        .unwrap()
        .remove(0)
}

/// The only failure, under this requirement.
#[track_caller]
fn failed<'e>(exploration: &'e Exploration, requirement: &str) -> &'e FailedGame {
    let [failure] = &exploration.failures[..] else {
        panic!("{} failures", exploration.failures.len())
    };
    assert_eq!(failure.requirement(), Some(requirement));
    failure
}

/// The only scenario that was written of a failure. `urtext check` finds nothing wrong with it.
#[track_caller]
fn only(failure: &FailedGame) -> &Written {
    let unwritten = || panic!("{:?}", failure.unwritten);
    let written = failure.written.as_ref().unwrap_or_else(unwritten);
    urtext(&["check", written.path.to_str().unwrap()]).expect(0);
    written
}

/// The text of a scenario.
fn text(written: &Written) -> String {
    std::fs::read_to_string(&written.path).unwrap()
}

/// The failure that the program finds in a folder, as it stands in its report in JSON.
#[track_caller]
fn reported(place: &Place, arguments: &[&str], subject: &[String]) -> Value {
    let mut words = vec!["explore", "--report", "json=-"];
    words.extend(arguments);
    words.extend(subject.iter().map(String::as_str));
    let said = place.urtext(&words).expect(1).stdout;
    let mut lines = said.lines().map(|line| serde_json::from_str(line).unwrap());
    let is_failure = |line: &Value| line["verdict"] == "fail";
    lines.find(is_failure).expect(&said)
}

/// The remarks about a failure that begin with this word.
fn notes<'f>(failure: &'f Value, word: &str) -> Vec<&'f str> {
    let notes = failure["notes"].as_array().unwrap().iter();
    let notes = notes.map(|note| note.as_str().unwrap());
    notes.filter_map(|note| note.strip_prefix(word)).collect()
}

/// The scenario that a command plays has to fail, both as it was seen and by the cause that is inferred, under this requirement.
#[track_caller]
fn assert_repeats(place: &Place, command: &str, requirement: &str) {
    let words = shell_words::split(command).unwrap();
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let ["urtext", "run", words @ ..] = &words[..] else {
        panic!("{command}")
    };
    let run = |option: &[&str]| place.run(&[option, words].concat()).expect(1).stdout;
    let said = run(&["--no-diagnosis"]) + &run(&[]);
    assert!(said.contains(&format!("fail[{requirement}]")), "{said}");
}

/// The arguments after which the command of a built-in peer stands.
fn command(side: &str, game: &str, options: &str) -> Vec<String> {
    let words = format!("--as {side} --game {game} -- {URTEXT} {side} {game} {options}");
    words.split_whitespace().map(str::to_owned).collect()
}

/// The arguments after which the command of an independent peer stands; `None` where it cannot run.
fn python(side: &str, game: &str, words: &str) -> Option<Vec<String>> {
    has_python().then_some(())?;
    let [python, no_site] = python_words();
    let words = format!("--as {side} --game {game} -- {python} {no_site} {PEERS}/{words}");
    Some(words.split_whitespace().map(str::to_owned).collect())
}
