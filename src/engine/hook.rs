//! Explanations of findings about forced rolls: the hook's content, and the settings that would explain the
//! received rolls.

use crate::config::{RollHook, Subject};
use crate::diagnostic::visible::quoted;
use crate::event::Outcome;
use crate::finding::Verdict;
use crate::protocol::GameEvent;
use crate::requirement::Role;
use crate::rules::Game;
use crate::scenario::PlannedGame;

/// Adds to a finding about forced rolls what was written to the hook, and which settings fit what came.
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
    if is_no_roll {
        let note = "if the referee reads them in another form, say so under `rolls` (between-rolls, between-digits, digits)";
        return finding.notes.push(note.to_owned());
    }
    finding
        .notes
        .push(format!("what came: {}", shown.join(", ")));
    let fitting = format.fitting(&text, &shown, faces(game));
    finding.notes.push(match fitting.as_slice() {
        [] => format!(
            "no setting of `rolls` explains that: check that the referee reads {place}; \
             without a hook (`rolls: none`), `--free-games` judges what it rolls itself"
        ),
        settings => format!(
            "settings of `rolls` that would explain that: `{}`",
            settings.join("`, or `")
        ),
    });
}

/// Returns the lowest and the highest digit of the game's rolls.
fn faces(game: &dyn Game) -> [u32; 2] {
    let rolls = game
        .kinds_of_roll()
        .iter()
        .map(|roll| game.format_roll(*roll));
    let rolls: Vec<_> = rolls.collect();
    let digits = rolls.iter().flat_map(|roll| roll.split_whitespace());
    let digits = digits.filter_map(|digit| digit.parse().ok());
    let [lowest, highest] = [digits.clone().min(), digits.max()];
    [lowest.unwrap_or(0), highest.unwrap_or(0)]
}
