//! Dialogues by a clock that the test turns: what may come during a wait, and that no repeat keeps a game from being ended.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use crate::config::LateSpectator;
use crate::diagnostic::Source;
use crate::event::{Event, What};
use crate::finding::Verdict;
use crate::judge::{Budgets, Command, Judge, Judgement, Settings};
use crate::protocol::Line;
use crate::scenario::{Alone, Dialogue, LineDeed, MOST_SENT, Plan, Scenario, Wanted, resolve};
use crate::transcript::{Close, Direction};

/// The most actions that one event may lead to: a step each, and what begins and ends a wait.
const MOST_ACTIONS: usize = 1010;

/// A game between the judge and a subject that the test plays.
struct Table {
    scenario: Arc<Scenario>,
    judge: Judge,
    now: Duration,
    alarm: Option<Duration>,
    /// Events that come next, before any alarm.
    next: VecDeque<What>,
    /// Number of events, number of lines and bytes that were sent, and maximum number of actions of one
    /// event.
    events: usize,
    sent: (usize, usize),
    most: usize,
}

/// Keys above the steps, in five lines.
const HEAD: &str = "scenario: t\ngame: lines\nsubject: referee\nparticipants: [a, b]\nsteps:\n";

fn scenario(steps: &str) -> Scenario {
    let steps: String = steps.lines().map(|step| format!("  {step}\n")).collect();
    let (mut scenarios, problems) = resolve(
        &Source::new("s.yaml", HEAD.to_owned() + &steps),
        "s",
        &Alone,
    );
    scenarios.pop().unwrap_or_else(|| panic!("{problems:?}"))
}

impl Table {
    fn new(steps: &str) -> Table {
        let settings = Settings {
            budgets: Budgets::default(),
            timeout: None,
            pace: Duration::ZERO,
            lag: Duration::ZERO,
            forces_rolls: false,
            late_spectator: LateSpectator::Unknown,
            seed: 1,
        };
        let scenario = Arc::new(scenario(steps));
        let judge = Judge::new(Arc::clone(&scenario), settings, None);
        let next = (0..2).map(|lane| What::Opened { lane }).collect();
        Table {
            scenario,
            judge,
            now: Duration::ZERO,
            alarm: None,
            next,
            events: 0,
            sent: (0, 0),
            most: 0,
        }
    }

    fn take(&mut self, what: What) {
        self.events += 1;
        let actions = self.judge.take(&Event { at: self.now, what });
        self.most = self.most.max(actions.len());
        for action in actions {
            match action {
                Command::Send { lane, bytes } => {
                    self.sent.1 += bytes.len();
                    for text in bytes.split_inclusive(|&byte| byte == b'\n') {
                        self.sent.0 += 1;
                        let line = Line::new(text.strip_suffix(b"\n").unwrap_or(text));
                        self.next.push_back(What::Line {
                            lane,
                            direction: Direction::Sent,
                            line,
                        });
                    }
                }
                Command::Leave { lane, .. } => {
                    let (direction, close) = (Direction::Sent, Close::End);
                    self.next.push_back(What::Closed {
                        lane,
                        direction,
                        close,
                    });
                }
                Command::WakeAt(at) => self.alarm = Some(at),
                _ => {}
            }
        }
    }

    /// The next thing that happens by itself until that time; `false` where nothing does.
    fn step(&mut self, until: Duration) -> bool {
        if self.judge.is_finished() {
            return false;
        }
        if let Some(what) = self.next.pop_front() {
            self.take(what);
            return true;
        }
        let Some(at) = self.alarm.take_if(|at| *at <= until) else {
            return false;
        };
        self.now = self.now.max(at);
        self.take(What::Alarm);
        true
    }

    /// Lets time pass until so many milliseconds.
    fn until(mut self, milliseconds: u64) -> Table {
        let until = Duration::from_millis(milliseconds);
        while self.step(until) {}
        self.now = until;
        self
    }

    /// The first participant receives a line, at a time in milliseconds.
    fn hears(self, at: u64, text: &str) -> Table {
        let mut table = self.until(at);
        table.next.push_back(What::Line {
            lane: 0,
            direction: Direction::Received,
            line: Line::new(text),
        });
        table.until(at)
    }

    fn ends(self, at: u64) -> Table {
        self.closes(at, Close::End)
    }

    fn closes(self, at: u64, close: Close) -> Table {
        let mut table = self.until(at);
        let direction = Direction::Received;
        table.next.push_back(What::Closed {
            lane: 0,
            direction,
            close,
        });
        table.until(at)
    }

    fn concludes(self) -> Judgement {
        self.until(60_000).judge.conclude()
    }

    #[track_caller]
    fn passes(self) {
        let judgement = self.concludes();
        assert_eq!(
            judgement.verdict,
            Verdict::Pass,
            "{:#?}",
            judgement.findings
        );
    }

    /// Fails at the step that stands on this line of the steps.
    #[track_caller]
    fn fails(self, line: usize, title: &str) {
        let source = self.scenario.source.clone();
        let judgement = self.concludes();
        assert_eq!(
            judgement.verdict,
            Verdict::Fail,
            "{:#?}",
            judgement.findings
        );
        let finding = &judgement.findings[0];
        assert!(finding.title.contains(title), "{finding:#?}");
        let place = source.position(finding.span.unwrap().start).line;
        assert_eq!(place - HEAD.lines().count(), line, "{finding:#?}");
    }
}

const OPTIONAL: &str = "- a gets: {optional: \"note {text}\"}\n- a waits: 100ms\n- a gets: go";

#[test]
fn an_optional_line_may_come_during_a_wait_which_then_counts_anew() {
    Table::new(OPTIONAL).hears(150, "go").passes();
    Table::new(OPTIONAL)
        .hears(50, "note x")
        .hears(151, "go")
        .passes();
    Table::new(OPTIONAL)
        .hears(50, "note x")
        .hears(120, "go")
        .fails(2, "a received another line");
    // It may come later as well, until the next line that is due.
    Table::new(OPTIONAL)
        .hears(150, "note x")
        .hears(150, "go")
        .passes();
    Table::new(OPTIONAL)
        .hears(150, "go")
        .hears(150, "note x")
        .fails(3, "a received another line");
    Table::new(OPTIONAL)
        .hears(50, "note x")
        .hears(60, "note x")
        .fails(2, "a received another line");
    Table::new(OPTIONAL)
        .hears(50, "go")
        .fails(2, "a received another line");
}

#[test]
fn a_wait_fails_where_the_lane_ends_or_has_ended() {
    let waits = "- a waits: 100ms\n- b sends: x";
    Table::new(waits)
        .ends(50)
        .fails(1, "the lane of a ended while nothing was to come");
    let begun = "- a gets: go\n- a waits: 100ms";
    Table::new(begun)
        .hears(10, "go")
        .ends(10)
        .fails(2, "the lane of a ended while nothing was to come");
    Table::new("- b waits: 100ms\n- a waits: 100ms")
        .ends(50)
        .fails(2, "the lane of a ended");
    Table::new("- b waits: 100ms\n- a sees: end")
        .ends(50)
        .passes();
    Table::new("- a sees: end\n- a waits: 100ms")
        .ends(50)
        .passes();
    Table::new(waits).ends(150).passes();
}

#[test]
fn a_connection_that_the_network_loses_is_nobodys_deviation() {
    let judgement = Table::new("- a gets: go")
        .closes(50, Close::Lost)
        .concludes();
    assert_eq!(judgement.verdict, Verdict::Error);
    let [finding] = &judgement.findings[..] else {
        panic!("{:#?}", judgement.findings);
    };
    assert_eq!(
        finding.title,
        "the network lost the connection of a before the game was over"
    );
    assert!(finding.by_network && finding.notes[0].contains("neither side has closed"));
}

#[test]
fn who_has_left_can_leave_again_and_the_dialogue_goes_on() {
    let table = Table::new("- a leaves: half-close\n- a leaves: hang up\n- b sends: x").until(10);
    assert_eq!(table.sent.0, 1);
    table.passes();
}

/// Returns the kind of step; the compiler reports a missing kind here, and the test below then too.
fn kind(action: &LineDeed) -> &'static str {
    match action {
        LineDeed::Write { .. } => "write",
        LineDeed::Expect {
            want: Wanted::AnyOf(_),
            ..
        } => "expect",
        LineDeed::Expect {
            want: Wanted::Optional(_),
            ..
        } => "optional",
        LineDeed::ExpectEnd { .. } => "end",
        LineDeed::Quiet { .. } => "quiet",
        LineDeed::Leave { .. } => "leave",
        LineDeed::Read { .. } => "read",
        LineDeed::Repeat { .. } => "repeat",
    }
}

const KINDS: [&str; 8] = [
    "write", "expect", "optional", "end", "quiet", "leave", "read", "repeat",
];

fn kinds(dialogue: &Dialogue) -> BTreeSet<&'static str> {
    let mut kinds = BTreeSet::new();
    let mut lists = vec![&dialogue.steps];
    while let Some(steps) = lists.pop() {
        for step in steps {
            kinds.insert(kind(&step.what));
            if let LineDeed::Repeat { steps, .. } = &step.what {
                lists.push(steps);
            }
        }
    }
    kinds
}

/// One step in three repeats, 500,000 times in all: half of what a dialogue may have.
fn repeated(step: &str) -> String {
    format!(
        "- repeat: 50\n  steps:\n    - repeat: 100\n      steps:\n        - repeat: 100\n          steps:\n            - {step}"
    )
}

/// Plays on, at most so many events; the subject sends `x` to whoever waits for it, and ends once.
fn play(table: &mut Table, events: usize) {
    let mut has_ended = false;
    while table.events < events && !table.judge.is_finished() {
        // What is to come at once comes before the line that is waited for.
        if table.step(table.now) {
            continue;
        }
        let direction = Direction::Received;
        if !has_ended && table.events > 2 && table.sent.0 == 0 && table.alarm.is_some() {
            table.take(What::Line {
                lane: 0,
                direction,
                line: Line::new("x"),
            });
        } else if !table.step(Duration::MAX) {
            has_ended = true;
            table.take(What::Closed {
                lane: 0,
                direction,
                close: Close::End,
            });
        }
    }
}

#[test]
fn no_step_that_is_repeated_keeps_the_judge_from_hearing_what_else_happens() {
    let steps = [
        "a sends: x",
        "a gets: x",
        "a gets: {any of: [y, x]}",
        "a gets: {optional: y}",
        "a sees: end",
        "a waits: 0ms",
        "a leaves: half-close",
        "a reads: everything",
    ];
    let mut seen = BTreeSet::new();
    for step in steps {
        let text = repeated(step);
        let Plan::Dialogue(dialogue) = scenario(&text).plan.clone() else {
            panic!("{text}")
        };
        seen.extend(kinds(&dialogue));
        // Whenever the run is interrupted, the game is over at once.
        for events in [3, 50, 400] {
            let mut table = Table::new(&text);
            play(&mut table, events);
            assert!(
                table.most <= MOST_ACTIONS,
                "{step}: {} actions at once",
                table.most
            );
            let is_over = table.judge.is_finished();
            table.take(What::Interrupted);
            assert!(table.judge.is_finished(), "{step}");
            assert!(
                is_over || table.judge.conclude().verdict == Verdict::Inconclusive,
                "{step}"
            );
        }
    }
    assert_eq!(
        seen,
        BTreeSet::from(KINDS),
        "every kind of step is repeated here"
    );
}

#[test]
fn what_is_repeated_is_done_as_often_as_it_stands_there() {
    let mut table = Table::new(&repeated("a sends: x"));
    play(&mut table, usize::MAX);
    assert_eq!(table.sent, (500_000, 1_000_000));
    assert!(table.most <= MOST_ACTIONS, "{}", table.most);
    assert_eq!(table.judge.conclude().verdict, Verdict::Pass);
}

#[test]
fn lines_that_came_before_they_were_looked_at_are_looked_at_a_part_at_a_time() {
    let mut table = Table::new(
        "- a gets: {optional: never}\n- b gets: x\n- repeat: 100000\n  steps: [{a gets: y}]",
    );
    let line = |lane, text| What::Line {
        lane,
        direction: Direction::Received,
        line: Line::new(text),
    };
    while table.step(Duration::ZERO) {}
    (0..100_000).for_each(|_| table.take(line(0, "y")));
    table.take(line(1, "x"));
    let before = table.events;
    assert!(!table.judge.is_finished());
    while table.step(Duration::ZERO) {}
    assert!(
        table.events - before >= 100,
        "{} events",
        table.events - before
    );
    table.passes();
}

#[test]
fn a_wait_goes_on_after_the_judge_has_given_way() {
    // The answer that is due after a thousand steps is waited for as long as any other first line.
    let steps = "- repeat: 999\n  steps: [{a reads: everything}]\n- a gets: go";
    Table::new(steps).hears(14_900, "go").passes();
    let table = Table::new(steps).until(15_100);
    assert!(table.judge.is_finished(), "nothing came within the budget");
}

#[test]
fn what_was_captured_cannot_be_sent_without_end() {
    let steps = "- a gets: \"{id}\"\n- repeat: 1000\n  steps:\n    - a sends: \"{id}\"";
    let table = Table::new(steps).hears(0, &"x".repeat(60_000));
    let sent = table.sent.1;
    assert!(sent <= MOST_SENT && sent > MOST_SENT / 2, "{sent}");
    let judgement = table.concludes();
    assert_eq!(judgement.verdict, Verdict::Error);
    assert!(
        judgement.findings[0]
            .title
            .contains("more than 16777216 bytes"),
        "{:#?}",
        judgement.findings
    );
    // However often a name stands in one line, no more is put together.
    let steps = format!(
        "- a gets: \"{{id}}\"\n- a sends: \"{}\"",
        "{id}".repeat(100_000)
    );
    let judgement = Table::new(&steps).hears(0, &"x".repeat(60_000)).concludes();
    assert_eq!(judgement.verdict, Verdict::Error);
}

#[test]
fn braces_without_a_name_in_them_are_sent_in_one_go() {
    let braces = "{".repeat(1_000_000);
    let table = Table::new(&format!(
        "- a gets: \"{{id}}\"\n- a sends: \"{braces}{{id}}\""
    ))
    .hears(0, "7");
    assert_eq!(table.sent.1, 1_000_002);
    table.passes();
}
