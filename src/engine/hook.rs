//! Explanations of findings about forced rolls: the hook's content, and the received rolls.

use crate::config::{RollHook, Subject};
use crate::diagnostic::visible::quoted;
use crate::event::Outcome;
use crate::finding::Verdict;
use crate::protocol::GameEvent;
use crate::requirement::Role;
use crate::scenario::PlannedGame;

/// Adds to a finding about forced rolls what was written to the hook, and what came.
pub(super) fn explain(outcome: &mut Outcome, subject: &Subject, plan: &PlannedGame) {
    let game = plan.dialect.game();
    let rolls: Vec<_> = plan
        .forced_rolls()
        .into_iter()
        .map(|roll| game.format_roll(roll))
        .collect();
    let roll_line = plan.dialect.id(Role::Roll);
    let shown: Vec<_> = outcome
        .history
        .iter()
        .filter_map(|happening| match happening {
            GameEvent::Rolled { roll, .. } => Some(game.format_roll(*roll)),
            GameEvent::Moved { .. } | GameEvent::Lost { .. } => None,
        })
        .collect();
    let (Some(hook), Some(finding)) = (&subject.roll_hook, outcome.findings.first_mut()) else {
        return;
    };
    // A first roll that is none at all may come of a text that the subject reads in another way.
    let is_no_roll = finding.verdict == Verdict::Fail
        && finding.requirement == Some(roll_line)
        && shown.is_empty();
    if rolls.is_empty() || !(finding.by_hook || is_no_roll) {
        return;
    }
    let format = &subject.roll_format;
    let (place, text) = match hook {
        RollHook::Environment(name) => (format!("the variable {name}"), format.line(&rolls)),
        RollHook::Arguments if subject.takes("rolls_file") => {
            ("the file {rolls_file}".to_owned(), format.file(&rolls))
        }
        RollHook::Arguments => ("the argument {rolls}".to_owned(), format.line(&rolls)),
    };
    finding.notes.push(format!(
        "the forced rolls were written to {place}: {}",
        quoted(&text)
    ));
    if !shown.is_empty() {
        let came = format!("what came: {}", shown.join(", "));
        finding.notes.push(came);
    }
    finding.notes.push(format!(
        "check that the referee reads {place}; if it reads rolls in another form, say so under `rolls` (between-rolls, between-digits, \
         digits); without a hook (`rolls: none`), `--free-games` judges what it rolls itself"
    ));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Address, Way};
    use crate::finding::Finding;
    use crate::pack::{self, Protocol};
    use crate::rules::Seat;
    use crate::scenario::{Side, suite};

    #[test]
    fn says_what_was_written_what_came_and_what_to_check() {
        let game = pack::usual().game;
        let scenarios = suite::all().0;
        let plans = scenarios
            .iter()
            .map(|scenario| (scenario, scenario.game().unwrap()));
        let (scenario, plan) = plans
            .into_iter()
            .find(|(_, plan)| {
                plan.side == Side::Referee
                    && plan.dialect.game().name() == pack::usual().game.name()
                    && plan.forced_rolls().len() > 2
                    && !game
                        .format_roll(plan.forced_rolls()[0])
                        .starts_with("1 1 1 1")
            })
            .unwrap();
        let protocol = Protocol::Game(plan.dialect);
        let mut subject = Subject::new("s", Side::Referee, protocol, Way::Connect(Address::Chosen));
        subject.roll_hook = Some(RollHook::Environment("MY_ROLLS".to_owned()));
        let mut finding = Finding::new(Verdict::Error, "the roll hook does not work");
        finding.by_hook = true;
        let mut outcome = Outcome::new(scenario).with(finding);
        let roll = game.parse_roll("1 1 1 1").unwrap();
        outcome.history.push(GameEvent::Rolled {
            by: Seat::First,
            roll,
            skipped: false,
        });
        explain(&mut outcome, &subject, plan);
        let [written, came, check] = &outcome.findings[0].notes[..] else {
            panic!("three notes")
        };
        let first = game.format_roll(plan.forced_rolls()[0]).replace(' ', "");
        assert!(
            written.starts_with(&format!(
                "the forced rolls were written to the variable MY_ROLLS: \"{first} "
            )),
            "{written}"
        );
        assert_eq!(came, "what came: 1 1 1 1");
        assert!(check.contains("between-digits"), "{check}");
    }
}
