//! Referees that take no forced rolls and no deal, explored in memory.

use std::num::NonZeroUsize;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use tokio::sync::watch;
use urtext::config::{Program, Subject, SubjectBudgets, Template};
use urtext::engine::{self, Clock, Doubt, GamePlan, Network, Options, Placement, PlayOrder, Run};
use urtext::event::Outcome;
use urtext::explore::{Exploration, ExplorationLimits, Explorer, FailedGame, Rerun, Trials};
use urtext::finding::Verdict;
use urtext::report::draw_coverage;
use urtext::scenario::{self, Side};

use super::failure::urtext;
use crate::harness::{URTEXT, built_in};

/// The built-in referee as one that takes neither rolls nor deal nor timeout.
fn referee(game: &str, fault: Option<&str>) -> Subject {
    let mut subject = built_in(game, Side::Referee, fault);
    subject.roll_hook = None;
    let command = Template::parse(&[URTEXT, "referee", game, "--spectators", "{spectators}"]);
    subject.program = Some(Program::from(command.unwrap()));
    subject
}

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

/// Explores a referee, up to its first failure.
fn explored(subject: &Subject, seed: u64, games: usize, hostile: u8, out: &Path) -> Exploration {
    let (_keep, interrupted) = watch::channel(false);
    let (options, began) = (options(subject), Rc::new(|_| {}));
    let trials = Trials::new(
        options,
        NonZeroUsize::new(8),
        subject.clone(),
        interrupted,
        began,
    );
    let limits = ExplorationLimits {
        games,
        time: None,
        failures: 1,
        shrink: 200,
        out: out.to_owned(),
    };
    let explorer = Explorer::new(subject, seed, hostile).unwrap();
    let mut exploration = Exploration::new(limits, explorer, trials.recording().unwrap());
    wait_for(exploration.play(|_| {})).unwrap();
    exploration
}

/// What comes of a scenario that was written, played with this seed.
fn played(path: &Path, seed: u64, subject: &Subject) -> Outcome {
    let (scenarios, problems) = scenario::load_file(path);
    assert!(problems.is_empty(), "{}", path.display());
    let [scenario] = <[_; 1]>::try_from(scenarios).unwrap();
    let game = GamePlan {
        golden: scenario::golden_of(&scenario).unwrap().map(Arc::new),
        scenario: Arc::new(scenario),
        subject: Arc::new(subject.clone()),
        seed,
    };
    let run = Run {
        games: vec![game],
        options: options(subject),
        jobs: 1.into(),
        placement: Placement::Free,
        doubt: Doubt::Accept,
        order: PlayOrder::default(),
    };
    let (_keep, interrupted) = watch::channel(false);
    wait_for(engine::run(run, interrupted, |_| ()))
        .unwrap()
        .remove(0)
}

/// The failure, which breaks this requirement. The last scenario of it is the failed game, for a referee that can be forced: no command plays
/// it with this subject, for this reason, and an honest referee passes it.
#[track_caller]
fn failure<'e>(exploration: &'e Exploration, requirement: &str, lacks: &str) -> &'e FailedGame {
    let [failure] = &exploration.failures[..] else {
        panic!("{} failures", exploration.failures.len())
    };
    assert_eq!(failure.requirement(), Some(requirement));
    let forced = failure.written.last().unwrap();
    assert!(forced.path.to_str().unwrap().ends_with("-forced.yaml"));
    assert_eq!(forced.again, Rerun::NotPlayed);
    let why = forced.missing_capability.as_deref().unwrap();
    assert!(why.contains(lacks), "{why}");
    let subject = &exploration.trials.subject;
    let outcome = played(&forced.path, 1, subject);
    assert_eq!(outcome.verdict, Verdict::Unsupported);
    let (status, said) = urtext(&["run", forced.path.to_str().unwrap()]);
    assert_eq!(status, Some(0), "{said}");
    failure
}

/// The text of the only scenario that waits for what failed, which fails again under this requirement.
#[track_caller]
fn waiting(failure: &FailedGame, subject: &Subject) -> String {
    let [waiting, _] = &failure.written[..] else {
        panic!("{} scenarios", failure.written.len())
    };
    let path = waiting.path.to_str().unwrap();
    let (status, said) = urtext(&["check", path]);
    assert_eq!(status, Some(0), "{said}");
    let outcome = played(&waiting.path, waiting.seed.unwrap(), subject);
    let found = outcome.failure().unwrap();
    assert_eq!(found.requirement, failure.requirement());
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn a_scenario_waits_for_what_failed() {
    let folder = tempfile::tempdir().unwrap();
    let subject = referee("royalur", Some("no-relay-to-spectators"));
    let exploration = explored(&subject, 2, 24, 0, folder.path());
    let failure = failure(
        &exploration,
        "ur/move/relayed-to-spectators",
        "--set rolls.environment=",
    );
    let text = waiting(failure, &subject);
    assert!(
        text.contains("play: until ") && text.contains("mover: any"),
        "{text}"
    );
}

#[test]
fn a_line_off_turn_is_a_hostile_turn_where_it_has_to_be_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let subject = referee("onitama", Some("off-turn-loses"));
    let exploration = explored(&subject, 7, 100, 100, folder.path());
    let failure = failure(&exploration, "oni/input/off-turn", "{setup}");
    let text = waiting(failure, &subject);
    assert!(text.contains("any after \""), "{text}");
}

#[test]
fn nothing_waits_for_a_hostile_turn_that_the_game_never_came_to() {
    let folder = tempfile::tempdir().unwrap();
    let subject = referee("royalur", Some("no-capture-12"));
    let exploration = explored(&subject, 14, 64, 100, folder.path());
    let failure = failure(
        &exploration,
        "ur/capture/last-shared-cell",
        "--set rolls.environment=",
    );
    // The failed game alone, if nothing that was waited for failed often enough.
    let (_, waiting) = failure.written.split_last().unwrap();
    for waiting in waiting {
        let text = std::fs::read_to_string(&waiting.path).unwrap();
        assert!(!text.contains("illegal"), "{text}");
        let times = match waiting.again {
            Rerun::Fails(_) => 10,
            Rerun::Sometimes(times, 10) if times >= 3 => times,
            again => panic!("{again:?}"),
        };
        assert!(
            text.contains(&format!("# failed {times} of 10\n")),
            "{text}"
        );
    }
}

#[test]
fn says_what_cannot_be_done_with_a_subject() {
    // Its timeout is nowhere told, so nobody knows how long to be silent.
    let subject = referee("royalur", None);
    let folder = tempfile::tempdir().unwrap();
    let exploration = explored(&subject, 1, 1, 0, folder.path());
    let said = draw_coverage(exploration.explorer.coverage(), false);
    let mut lines = said.lines();
    let line = lines.find(|line| line.contains("first: silent")).unwrap();
    assert!(line.contains("it needs to know the timeout"), "{line}");
    assert!(said.contains("hostile turns: 0 of 24 seen"), "{said}");
}
