//! Dialogues by a clock that the test turns: what may come during a wait, and that no repeat keeps a game from being ended.

use std::ops::{Deref, DerefMut};
use std::time::Duration;

use crate::event::What;
use crate::finding::{Finding, LaneText, Verdict};
use crate::judge::timing_tests::{self, said, settings};
use crate::judge::{Judgement, Settings};
use crate::protocol::{Line, LineEnding};
use crate::scenario::MOST_SENT;
use crate::transcript::{Close, Direction};

/// The most actions that one event may lead to: a step each, and what begins and ends a wait.
const MOST_ACTIONS: usize = 1010;

/// A dialogue between the judge and a subject that the test plays.
struct Table(timing_tests::Table);

impl Deref for Table {
    type Target = timing_tests::Table;

    fn deref(&self) -> &timing_tests::Table {
        &self.0
    }
}

impl DerefMut for Table {
    fn deref_mut(&mut self) -> &mut timing_tests::Table {
        &mut self.0
    }
}

/// Keys above the steps, in five lines.
const HEAD: &str = "scenario: t\ngame: lines\nsubject: referee\nparticipants: [a, b]\nsteps:\n";

impl Table {
    fn new(steps: &str) -> Table {
        let steps: String = steps.lines().map(|step| format!("  {step}\n")).collect();
        let settings = Settings {
            timeout: None,
            forces_rolls: false,
            ..settings()
        };
        let text = HEAD.to_owned() + &steps;
        Table(timing_tests::Table::new(&text, settings))
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

    /// Something happens at a time in milliseconds.
    fn then(self, at: u64, what: What) -> Table {
        let mut table = self.until(at);
        table.next.push_back(what);
        table.until(at)
    }

    /// The first participant receives a line.
    fn hears(self, at: u64, text: &str) -> Table {
        self.then(at, said(Direction::Received, text))
    }

    fn ends(self, at: u64) -> Table {
        self.closes(at, Close::End)
    }

    fn closes(self, at: u64, close: Close) -> Table {
        let (lane, direction) = (0, Direction::Received);
        let closed = What::Closed {
            lane,
            direction,
            close,
        };
        self.then(at, closed)
    }

    fn concludes(self) -> Judgement {
        self.until(60_000).0.judge.conclude()
    }

    #[track_caller]
    fn passes(self) {
        let judgement = self.concludes();
        let findings = &judgement.findings;
        assert_eq!(judgement.verdict, Verdict::Pass, "{findings:#?}");
    }

    /// Fails at the step that stands on this line of the steps.
    #[track_caller]
    fn fails(self, line: usize, title: &str) {
        let source = self.scenario.source.clone();
        let judgement = self.concludes();
        let findings = &judgement.findings;
        assert_eq!(judgement.verdict, Verdict::Fail, "{findings:#?}");
        let finding = &findings[0];
        assert!(finding.title.contains(title), "{finding:#?}");
        let place = source.position(finding.span.unwrap().start).line;
        assert_eq!(place - HEAD.lines().count(), line, "{finding:#?}");
    }
}

/// An event of a participant in words: a line that it receives, the beginning of one, or the end of its stream.
fn happens(words: &str) -> What {
    let (who, what) = words.split_once(' ').unwrap();
    let (lane, direction) = (usize::from(who == "b"), Direction::Received);
    let closed = |close| What::Closed {
        lane,
        direction,
        close,
    };
    match what {
        "ENDS" => closed(Close::End),
        "IS RESET" => closed(Close::Reset),
        text => {
            let mut line = Line::new(text.trim_start_matches("HALF "));
            if text.starts_with("HALF ") {
                line.ending = LineEnding::Missing;
            }
            What::Line {
                lane,
                direction,
                line,
            }
        }
    }
}

/// All that a finding says.
fn words(finding: &Finding) -> String {
    let text = |text: &LaneText| match text {
        LaneText::Line(line) => String::from_utf8_lossy(line).into_owned(),
        LaneText::Words(words) => words.clone(),
        LaneText::Timed(words, time) => LaneText::timed(words, *time),
        LaneText::Nothing => String::new(),
    };
    let mut all = vec![finding.title.clone()];
    for lane in &finding.lanes {
        all.extend([text(&lane.expected), text(&lane.received)]);
    }
    all.extend(finding.all_notes().cloned());
    all.join("\n")
}

#[test]
fn each_kind_of_step_says_what_was_due_and_what_came() {
    let several = "- a gets: hello\n- b gets: {any of: [red, green]}";
    let captures =
        "- a gets: welcome {id} of {all}\n- a sends: \"{id}?\"\n- b gets: \"{id} of {all}\"";
    let optional = "- a gets: {optional: \"note {text}\"}\n- a gets: go";
    let answer = "- a gets: one\n- a sends: next\n- a gets: two";
    let ends = "- a sends: bye\n- a sees: end";
    let ends_later = "- a sends: bye\n- b gets: x\n- a sees: end";
    let at_last = "- a gets: go\n- a gets: {optional: \"note {text}\"}";
    let by = |steps: &str, how: &str| format!("{steps} by {how}");
    let otherwise = "the stream of a ended otherwise than is due";
    let rows: [(&str, &[&str], &[&str]); 26] = [
        (several, &["a hello", "b green"], &[]),
        (
            several,
            &["a hello", "b blue"],
            &[
                "b received another line than the one that was due",
                "one of \"red\", \"green\"",
                "blue",
            ],
        ),
        (
            several,
            &["a hello "],
            &["a received another line", "hello "],
        ),
        (captures, &["a welcome 7 of 9", "b 7 of 9"], &[]),
        (
            captures,
            &["a welcome 7 of 9", "b 8 of 9"],
            &[
                "b received another line",
                "7 of 9",
                "8 of 9",
                "{all} is \"9\", captured from line 1 of a",
                "{id} is \"7\", captured from line 1 of a",
            ],
        ),
        (
            "- a gets: \"{x}-{x}\"",
            &["a 1-2"],
            &["{x} has to be the same text at each of its places in the line"],
        ),
        (optional, &["a go"], &[]),
        (optional, &["a note x", "a go"], &[]),
        (
            optional,
            &["a note x", "a note x"],
            &["a received another line"],
        ),
        (answer, &["a one", "a two"], &[]),
        (answer, &["a one", "a surplus"], &["two", "surplus"]),
        (
            answer,
            &["a one", "a two", "a surplus"],
            &["nothing more", "surplus"],
        ),
        ("- all gets: go", &["b go", "a go"], &[]),
        (
            "- all gets: go",
            &["b go", "a stop"],
            &["a received another line"],
        ),
        (ends, &["a ENDS"], &[]),
        (&by(ends, "close"), &["a ENDS"], &[]),
        (
            &by(ends, "reset"),
            &["a ENDS"],
            &[
                otherwise,
                "a reset of the connection",
                "the end of the stream",
            ],
        ),
        (
            ends,
            &["a one more"],
            &[
                "the stream of a has a line where its end is due",
                "one more",
            ],
        ),
        (ends_later, &["a IS RESET", "b x"], &[]),
        (&by(ends_later, "reset"), &["a IS RESET", "b x"], &[]),
        (
            &by(ends_later, "close"),
            &["a IS RESET", "b x"],
            &["the end of the stream", "a reset of the connection"],
        ),
        (
            "- a gets: bye",
            &["a HALF bye", "a ENDS"],
            &["\"bye\" without a newline before the end"],
        ),
        (
            at_last,
            &["a go", "a HALF note x", "a ENDS"],
            &[
                "nothing more",
                "\"note x\" without a newline before the end",
            ],
        ),
        (
            &format!("{at_last}\n- a sees: end"),
            &["a go", "a HALF note x", "a ENDS"],
            &[
                "the end of the stream",
                "\"note x\" without a newline before the end",
            ],
        ),
        (
            "- a waits: 100ms\n- a sends: go",
            &["a early"],
            &["nothing for 0.1 s", "early"],
        ),
        (
            "- a gets: hello\n- a gets: ho",
            &["a hello"],
            &["nothing for 5.0 s", "ho"],
        ),
    ];
    for (steps, comes, says) in rows {
        let table = comes.iter().fold(Table::new(steps), |table, words| {
            table.then(0, happens(words))
        });
        let judgement = table.concludes();
        let said: String = judgement.findings.iter().map(words).collect();
        let verdict = if says.is_empty() {
            Verdict::Pass
        } else {
            Verdict::Fail
        };
        assert_eq!(judgement.verdict, verdict, "{steps}\n{comes:?}: {said}");
        for text in says {
            assert!(
                said.contains(text),
                "{steps}\n{comes:?}: no {text:?} in {said}"
            );
        }
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
    let table = Table::new("- a gets: go");
    let judgement = table.closes(50, Close::Lost).concludes();
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
        let now = table.now;
        if table.step(now) {
            continue;
        }
        let direction = Direction::Received;
        if !has_ended && table.events > 2 && table.sent.0 == 0 && table.alarm.is_some() {
            table.take(said(direction, "x"));
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
    for step in steps {
        let text = repeated(step);
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
                is_over || table.0.judge.conclude().verdict == Verdict::Inconclusive,
                "{step}"
            );
        }
    }
}

#[test]
fn what_is_repeated_is_done_as_often_as_it_stands_there() {
    let mut table = Table::new(&repeated("a sends: x"));
    play(&mut table, usize::MAX);
    assert_eq!(table.sent, (500_000, 1_000_000));
    assert!(table.most <= MOST_ACTIONS, "{}", table.most);
    assert_eq!(table.0.judge.conclude().verdict, Verdict::Pass);
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
