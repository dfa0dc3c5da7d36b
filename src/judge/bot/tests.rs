//! Answers of bots whose turn is skipped.

use std::sync::Arc;

use super::*;
use crate::diagnostic::Source;
use crate::event::Lag;
use crate::judge::Judge;
use crate::judge::timing_tests::settings;
use crate::protocol::Framer;
use crate::scenario::{Alone, resolve};

const SKIPPED: &str = "scenario: t\ngame: royalur\nsubject: bot\nseat: first\nchecks: [ur/bot/silent-when-skipped]\n\
    turns:\n  - bot: 0 0 0 0\n  - opponent: 0 0 0 0\n  - bot: 0 0 0 1 > any\n";

/// The requirement under which a bot fails that answers its skipped turn so many milliseconds after it began, on a machine that
/// took `lag` milliseconds of the bot's time.
fn answers_a_skip_after(answer: u64, lag: u64) -> Option<&'static str> {
    let (mut scenarios, _) = resolve(&Source::new("s.yaml", SKIPPED), "s", &Alone);
    let mut judge = Judge::new(Arc::new(scenarios.pop().unwrap()), settings(), None);
    let milliseconds = Duration::from_millis;
    let mut events = vec![(Duration::ZERO, What::Opened { lane: LANE })];
    let (mut alarm, mut framer) = (Duration::MAX, Framer::default());
    let mut is_answered = false;
    while !judge.is_finished() {
        if events.is_empty() && !is_answered && milliseconds(answer) <= alarm {
            is_answered = true;
            let line = What::Line {
                lane: LANE,
                direction: Direction::Sent,
                line: Line::new(*b"0"),
            };
            events.push((milliseconds(answer), line));
        } else if events.is_empty() {
            let lag = What::Lag(Lag {
                subject: milliseconds(lag),
                ..Lag::default()
            });
            events.extend([(alarm, lag), (alarm, What::Alarm)]);
        }
        let (at, what) = events.remove(0);
        for action in judge.take(&Event { at, what }) {
            match action {
                Command::WakeAt(at) => alarm = at,
                Command::Send { lane, bytes } => framer.push(&bytes, |line| {
                    events.push((
                        at,
                        What::Line {
                            lane,
                            direction: Direction::Received,
                            line,
                        },
                    ));
                }),
                _ => {}
            }
        }
    }
    judge
        .conclude()
        .findings
        .first()
        .and_then(|finding| finding.requirement)
}

#[test]
fn an_answer_to_a_skipped_turn_is_not_taken_for_the_next_one_of_a_bot_that_was_kept_waiting() {
    let id = "ur/bot/silent-when-skipped";
    assert_eq!(answers_a_skip_after(240, 0), Some(id));
    assert_eq!(answers_a_skip_after(640, 400), Some(id));
    assert_ne!(
        answers_a_skip_after(640, 0),
        Some(id),
        "by then it is the answer to the next roll"
    );
}
