//! Referees that take no forced rolls and no deal, explored in memory.

use urtext::config::{Program, Subject, Template};
use urtext::explore::{Exploration, FailedGame, Rerun};
use urtext::finding::Verdict;
use urtext::report::coverage_notes;
use urtext::scenario::Side;

use super::{Search, failed, played, text};
use crate::harness::{URTEXT, built_in, has, urtext};

/// The built-in referee as one that takes neither rolls nor deal nor timeout.
fn referee(game: &str, fault: Option<&str>) -> Subject {
    let mut subject = built_in(game, Side::Referee, fault);
    subject.roll_hook = None;
    let command = Template::parse(&[URTEXT, "referee", game, "--spectators", "{spectators}"]);
    subject.program = Some(Program::from(command.unwrap()));
    subject
}

/// The failure, which breaks this requirement. The last scenario of it is the failed game, for a referee that can be forced: no command plays
/// it with this subject, for this reason, and an honest referee passes it.
#[track_caller]
fn failure<'e>(exploration: &'e Exploration, requirement: &str, lacks: &str) -> &'e FailedGame {
    let failure = failed(exploration, requirement);
    let forced = failure.written.last().unwrap();
    assert!(forced.path.to_str().unwrap().ends_with("-forced.yaml"));
    assert_eq!(forced.again, Rerun::NotPlayed);
    let why = forced.missing_capability.as_deref().unwrap();
    assert!(why.contains(lacks), "{why}");
    let subject = &exploration.trials.subject;
    let outcome = played(&forced.path, 1, subject);
    assert_eq!(outcome.verdict, Verdict::Unsupported);
    urtext(&["run", forced.path.to_str().unwrap()]).expect(0);
    failure
}

/// The text of the only scenario that waits for what failed, which fails again under this requirement.
#[track_caller]
fn waiting(failure: &FailedGame, subject: &Subject) -> String {
    let [waiting, _] = &failure.written[..] else {
        panic!("{} scenarios", failure.written.len())
    };
    urtext(&["check", waiting.path.to_str().unwrap()]).expect(0);
    let outcome = played(&waiting.path, waiting.seed.unwrap(), subject);
    let found = outcome.failure().unwrap();
    assert_eq!(found.requirement, failure.requirement());
    text(waiting)
}

#[test]
fn a_scenario_waits_for_what_failed() {
    let folder = tempfile::tempdir().unwrap();
    let subject = referee("royalur", Some("no-relay-to-spectators"));
    let exploration = Search::new(2, 24, 0).explore(&subject, folder.path());
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
    let exploration = Search::new(7, 100, 100).explore(&subject, folder.path());
    let failure = failure(&exploration, "oni/input/off-turn", "{setup}");
    let text = waiting(failure, &subject);
    assert!(text.contains("      - other: send \""), "{text}");
}

#[test]
fn nothing_waits_for_a_hostile_turn_that_the_game_never_came_to() {
    let folder = tempfile::tempdir().unwrap();
    let subject = referee("royalur", Some("no-capture-12"));
    let exploration = Search::new(14, 64, 100).explore(&subject, folder.path());
    let failure = failure(
        &exploration,
        "ur/capture/last-shared-cell",
        "--set rolls.environment=",
    );
    // The failed game alone, if nothing that was waited for failed often enough.
    let (_, waiting) = failure.written.split_last().unwrap();
    for waiting in waiting {
        let text = text(waiting);
        assert!(!text.contains("illegal"), "{text}");
        let times = match waiting.again {
            Rerun::Fails(_) => 10,
            Rerun::Sometimes(times, 10) if times >= 3 => times,
            again => panic!("{again:?}"),
        };
        has(&text, format!("# failed {times} of 10\n"));
    }
}

#[test]
fn says_what_cannot_be_done_with_a_subject() {
    // Its timeout is nowhere told, so nobody knows how long to be silent.
    let subject = referee("royalur", None);
    let folder = tempfile::tempdir().unwrap();
    let exploration = Search::new(1, 1, 0).explore(&subject, folder.path());
    let notes = coverage_notes(exploration.explorer.coverage()).join("\n");
    assert!(notes.contains("\nhostile turns: 0 of 24 seen\n"), "{notes}");
    let mut lines = notes.lines();
    let line = lines.find(|line| line.contains("first: silent")).unwrap();
    assert!(line.contains("it needs to know the timeout"), "{line}");
}
