//! Answers of bots whose turn is skipped.

use std::time::Duration;

use crate::event::{Lag, What};
use crate::judge::timing_tests::{Table, said, settings};
use crate::transcript::Direction;

const SKIPPED: &str = "scenario: t\ngame: royalur\nsubject: bot\nseat: first\nchecks: [ur/bot/silent-when-skipped]\n\
    turns:\n  - bot: 0 0 0 0\n  - opponent: 0 0 0 0\n  - bot: 0 0 0 1 > any\n";

/// The requirement under which a bot fails that answers its skipped turn so many milliseconds after it began, on a machine that
/// took `lag` milliseconds of the bot's time.
fn answers_a_skip_after(answer: u64, lag: u64) -> Option<&'static str> {
    let mut table = Table::new(SKIPPED, settings());
    let milliseconds = Duration::from_millis;
    let mut answer = Some(milliseconds(answer));
    while !table.judge.is_finished() {
        let alarm = table.alarm.unwrap_or(Duration::MAX);
        if let Some(what) = table.next.pop_front() {
            table.take(what);
        } else if let Some(at) = answer.take_if(|at| *at <= alarm) {
            table.now = at;
            table.take(said(Direction::Sent, "0"));
        } else {
            table.now = alarm;
            table.take(What::Lag(Lag {
                subject: milliseconds(lag),
                ..Lag::default()
            }));
            table.take(What::Alarm);
        }
    }
    let judgement = table.judge.conclude();
    judgement
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
