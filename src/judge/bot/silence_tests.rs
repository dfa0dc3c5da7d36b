//! Findings about bots that fall silent or end.

use crate::event::What;
use crate::finding::{Finding, Verdict};
use crate::judge::Settings;
use crate::judge::timing_tests::{Table, said, settings};
use crate::transcript::{Close, Direction};

const SCENARIO: &str = "scenario: t\ngame: royalur\nsubject: bot\nseat: first\nchecks: [ur/bot/legal-token]\n\
    turns:\n  - bot: 0 0 1 1 > any\n  - opponent: 0 1 0 0 > 0\n  - bot: 0 0 0 1 > any\n";

/// Returns the finding about a bot that sends these lines when a move is due, is then silent, and ends
/// when its input does, or before.
fn found(mut lines: &[&str], ends_before: bool) -> Finding {
    let settings = Settings {
        timeout: None,
        ..settings()
    };
    let mut table = Table::new(SCENARIO, settings);
    let mut end = vec![
        What::Exited {
            status: "exit status 3".to_owned(),
            is_success: false,
        },
        What::Closed {
            lane: 0,
            direction: Direction::Sent,
            close: Close::End,
        },
    ];
    while !table.judge.is_finished() {
        let what = table.next.pop_front().unwrap_or(What::Alarm);
        table.take(what);
        if std::mem::take(&mut table.has_closed) {
            table.next.extend(end.drain(..));
        }
        if table.next.is_empty() {
            if let Some((line, rest)) = lines.split_first() {
                table.next.push_back(said(Direction::Sent, line));
                lines = rest;
            } else if ends_before && !end.is_empty() {
                table.next.extend(end.drain(..));
            } else {
                table.now = table.now.max(table.alarm.expect("it waits"));
            }
        }
    }
    table.judge.conclude().findings.remove(0)
}

#[test]
fn a_bot_that_ends_only_when_its_input_is_closed_is_not_said_to_have_ended_by_itself() {
    let told = "the bot was still there; its process ended after urtext had then closed its input: exit status 3";
    for (lines, verdict) in [(&["0"][..], Verdict::Fail), (&[][..], Verdict::Error)] {
        let finding = found(lines, false);
        assert_eq!(finding.verdict, verdict);
        let ended: Vec<_> = finding
            .notes
            .iter()
            .filter(|note| note.contains("ended"))
            .collect();
        assert_eq!(ended, [told]);
    }
    assert!(found(&[], false).notes[0].starts_with("nothing came for "));
}

#[test]
fn a_bot_that_ends_by_itself_is_said_to() {
    let finding = found(&["0"], true);
    assert_eq!(finding.title, "the bot ended in mid-game");
    assert_eq!(finding.crash.as_deref(), Some("exit status 3"));
    let finding = found(&[], true);
    assert_eq!(finding.crash.as_deref(), Some("exit status 3"));
}

#[test]
fn a_bot_that_crashes_when_its_move_is_due_is_told_apart() {
    for lines in [&[][..], &["0"]] {
        assert!(found(lines, true).crashed_in_turn);
        assert!(!found(lines, false).crashed_in_turn);
    }
}
