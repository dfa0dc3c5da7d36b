//! Referees that take no forced rolls and no deal, explored in memory.

use urtext::config::{Program, Subject, Template};
use urtext::explore::{Exploration, Written};
use urtext::report::coverage_notes;
use urtext::scenario::Side;

use super::{Search, failed, only, played, text};
use crate::harness::{URTEXT, built_in, has, urtext};

/// The built-in referee as one that takes neither rolls nor deal nor timeout.
fn referee(game: &str, fault: Option<&str>) -> Subject {
    let mut subject = built_in(game, Side::Referee, fault);
    subject.roll_hook = None;
    let command = Template::parse(&[URTEXT, "referee", game, "--spectators", "{spectators}"]);
    subject.program = Some(Program::from(command.unwrap()));
    subject
}

/// The scenario of the failure: it forces a game that an honest referee passes, and fails again by chance with
/// the subject, which cannot be forced.
#[track_caller]
fn waiting(exploration: &Exploration) -> &Written {
    let written = only(&exploration.failures[0]);
    urtext(&["run", written.path.to_str().unwrap()]).expect(0);
    let subject = &exploration.trials.subject;
    let outcome = played(&written.path, written.seed.unwrap(), subject);
    // Chance decides at which requirement it shows first.
    assert!(outcome.failure().is_some(), "{:?}", outcome.verdict);
    let (failed, of) = (written.failed, written.of);
    assert!(failed > 3 && of == 10, "{failed} of {of}");
    has(&text(written), format!("# failed {failed} of 10\n"));
    written
}

#[test]
fn a_scenario_waits_for_what_failed() {
    let folder = tempfile::tempdir().unwrap();
    let subject = referee("royalur", Some("no-relay-to-spectators"));
    let exploration = Search::new(2, 24, 0).explore(&subject, folder.path());
    failed(&exploration, "ur/move/relayed-to-spectators");
    let written = waiting(&exploration);
    assert!(written.turns <= 2, "{}", written.turns);
}

#[test]
fn a_line_off_turn_is_a_hostile_turn_where_it_has_to_be_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let subject = referee("onitama", Some("off-turn-loses"));
    let exploration = Search::new(7, 100, 100).explore(&subject, folder.path());
    failed(&exploration, "oni/input/off-turn");
    let text = text(waiting(&exploration));
    assert!(text.contains(": send \""), "{text}");
}

#[test]
fn a_rule_that_failed_is_waited_for_in_a_short_game() {
    let folder = tempfile::tempdir().unwrap();
    let subject = referee("royalur", Some("no-capture-12"));
    let search = Search {
        shrink: 24,
        ..Search::new(14, 64, 100)
    };
    let exploration = search.explore(&subject, folder.path());
    failed(&exploration, "ur/capture/last-shared-cell");
    let written = waiting(&exploration);
    assert!(written.turns < 10, "{}", text(written));
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
