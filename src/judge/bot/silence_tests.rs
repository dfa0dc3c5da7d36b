//! Findings about bots that fall silent or end.

use std::sync::Arc;
use std::time::Duration;

use crate::config::LateSpectator;
use crate::diagnostic::Source;
use crate::event::{Event, What};
use crate::finding::{Finding, Verdict};
use crate::judge::{Budgets, Command, Judge, Settings};
use crate::protocol::{Framer, Line};
use crate::scenario::{Alone, resolve};
use crate::transcript::{Close, Direction};

const SCENARIO: &str = "scenario: t\ngame: royalur\nsubject: bot\nseat: first\nchecks: [ur/bot/legal-token]\n\
    turns:\n  - bot: 0 0 1 1 > any\n  - opponent: 0 1 0 0 > 0\n  - bot: 0 0 0 1 > any\n";

/// Returns the finding about a bot that sends these lines when a move is due, is then silent, and ends
/// when its input does, or before.
fn found(mut lines: &[&str], ends_before: bool) -> Finding {
    let (mut scenarios, _) = resolve(&Source::new("s.yaml", SCENARIO), "s", &Alone);
    let settings = Settings {
        budgets: Budgets::default(),
        timeout: None,
        pace: Duration::ZERO,
        lag: Duration::ZERO,
        forces_rolls: true,
        late_spectator: LateSpectator::Unknown,
        seed: 1,
    };
    let mut judge = Judge::new(Arc::new(scenarios.pop().unwrap()), settings, None);
    let (mut at, mut framer) = (Duration::ZERO, Framer::default());
    let (mut events, mut alarm) = (vec![What::Opened { lane: 0 }], None);
    let end = [
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
    for _ in 0..100 {
        if judge.is_finished() {
            break;
        }
        let what = if events.is_empty() {
            What::Alarm
        } else {
            events.remove(0)
        };
        for action in judge.take(&Event { at, what }) {
            match action {
                Command::Send { lane, bytes } => {
                    let direction = Direction::Received;
                    framer.push(&bytes, |line| {
                        events.push(What::Line {
                            lane,
                            direction,
                            line,
                        })
                    });
                }
                Command::Close { .. } => events.extend(end.clone()),
                Command::WakeAt(time) => alarm = Some(time),
                _ => {}
            }
        }
        if events.is_empty()
            && let Some((line, rest)) = lines.split_first()
        {
            let (line, direction) = (Line::new(*line), Direction::Sent);
            events.push(What::Line {
                lane: 0,
                direction,
                line,
            });
            lines = rest;
        } else if events.is_empty() && ends_before && alarm.is_some() {
            events.extend(end.clone());
        }
        at = if events.is_empty() {
            alarm.unwrap_or(at).max(at)
        } else {
            at
        };
    }
    judge.conclude().findings.remove(0)
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
