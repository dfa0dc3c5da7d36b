//! What only the games that failed have in common: a line off turn or in pieces, a participant who leaves, or odd names.

use super::{GameOfRun, reason};
use crate::diagnostic::visible::quoted;
use crate::event::Outcome;
use crate::scenario::{Act, Deed, Participant, PlannedGame, SendPart, StepKind, Turn};

/// So many games have to pass before a circumstance of those that failed says something.
pub(super) const ENOUGH: usize = 5;

/// The circumstance of each failed game, by its number, where every failed game has one and enough others passed.
pub(super) fn circumstances(games: &[GameOfRun<'_>], passed: usize) -> Vec<(usize, String)> {
    let failed = games.iter().filter(|game| reason(game.outcome).is_some());
    let all: Option<Vec<_>> = failed
        .map(|game| Some((game.number, circumstance(game.plan, game.outcome)?)))
        .collect();
    all.filter(|_| passed >= ENOUGH).unwrap_or_default()
}

/// The last odd event of a failed game before its finding, in words; else its odd names.
fn circumstance(plan: &PlannedGame, outcome: &Outcome) -> Option<String> {
    let finding = reason(outcome)?;
    if finding.title.observed().is_some() {
        // The title names the event already.
        return None;
    }
    let named = || {
        let names = plan.names.as_ref()?;
        let quote = |name: &String| quoted(name.as_bytes()).at_most(40).to_string();
        let [first, second] = [&names.0[0], &names.0[1]].map(quote);
        Some(format!("with the names {first} and {second}"))
    };
    let until = plan
        .steps
        .iter()
        .position(|step| Some(step.span) == finding.span);
    let played = &plan.steps[..until.map_or(0, |at| at + 1)];
    let odd = played.iter().rev().find_map(|step| match &step.kind {
        StepKind::Turn(turn) => of_turn(plan, turn),
        _ => None,
    });
    odd.or_else(named)
}

/// The last odd event of a turn.
fn of_turn(plan: &PlannedGame, turn: &Turn) -> Option<String> {
    if turn.deed.comes_in_pieces() {
        let line = SendPart::lines(&turn.deed.sent(plan.dialect)).0.pop()?;
        let line = quoted(&line).at_most(40).to_string();
        return Some(format!("after {line} was sent in pieces"));
    }
    turn.meanwhile
        .iter()
        .rev()
        .find_map(|act| of_act(plan, act))
}

fn of_act(plan: &PlannedGame, act: &Act) -> Option<String> {
    let seat_name = |seat| plan.dialect.game().seat_name(seat);
    let left = |seat| format!("after {} had left off turn", seat_name(seat));
    let leaves = act.deed.leaving().is_some();
    match act.who {
        _ if act.deed == Deed::Join => None,
        Participant::Other => None,
        Participant::Spectator(number) => {
            leaves.then(|| format!("after spectator {number} had left"))
        }
        Participant::Player(seat) if leaves => Some(left(seat)),
        Participant::Player(seat) => {
            let (mut lines, rest) = SendPart::lines(act.deed.parts());
            let line = lines.pop().unwrap_or(rest);
            let line = quoted(&line).at_most(40).to_string();
            Some(format!("after {} sent {line} off turn", seat_name(seat)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Source;
    use crate::finding::{Finding, Verdict};
    use crate::scenario::{Alone, Scenario, resolve};

    fn scenario(text: &str) -> Scenario {
        let head =
            "scenario: t\ngame: royalur\nsubject: referee\nchecks: [ur/roll/line]\nspectators: 1\n";
        let source = Source::new("s.yaml", head.to_owned() + text);
        let (mut scenarios, problems) = resolve(&source, "s", &Alone);
        scenarios.pop().unwrap_or_else(|| panic!("{problems:?}"))
    }

    /// The circumstances of games that failed in these steps, while so many others passed.
    fn said(failed: &[(&Scenario, usize)], passed: usize) -> Vec<String> {
        let of = |&(scenario, step): &(&Scenario, usize)| {
            let mut finding = Finding::new(Verdict::Fail, "nothing came");
            let steps = &scenario.game().unwrap().steps;
            finding.span = steps.get(step).map(|step| step.span);
            Outcome::new(scenario).with(finding)
        };
        let outcomes: Vec<_> = failed.iter().map(of).collect();
        let games = failed.iter().zip(&outcomes).zip(0..);
        let games: Vec<_> = games
            .map(|(((scenario, _), outcome), number)| GameOfRun {
                number,
                plan: scenario.game().unwrap(),
                outcome,
            })
            .collect();
        let found = circumstances(&games, passed);
        found.into_iter().map(|(_, words)| words).collect()
    }

    const LEAVES: &str = "turns:\n  - first: 0 0 1 1 > 3\n  - second: 0 0 0 1 > 0\n    meanwhile:\n      - spectator 1: leave\n  - first: 0 1 0 0 > 2\n";

    #[test]
    fn what_only_the_failed_games_have_is_said() {
        let leaves = scenario(LEAVES);
        let odd = scenario("names: [\"0 0 1 1\", B]\nturns:\n  - first: 0 0 1 1 > 3\n");
        let plain = scenario("turns:\n  - first: 0 0 1 1 > 3\n");
        let left = "after spectator 1 had left";
        assert_eq!(said(&[(&leaves, 1)], 5), [left]);
        assert_eq!(said(&[(&leaves, 2)], 5), [left]);
        let turns = "turns:\n  - first: 0 0 1 1 > 0\n  - second: 0 0 0 1 > silent\n    meanwhile:\n      - first: {send: [{pause: 1s}], then: hang up}\n";
        assert_eq!(
            said(&[(&scenario(turns), 1)], 5),
            ["after first had left off turn"]
        );
        assert_eq!(
            said(&[(&leaves, 2), (&odd, 9)], 5),
            [left, "with the names \"0 0 1 1\" and \"B\""]
        );
        let nothing: [&str; 0] = [];
        assert_eq!(said(&[(&leaves, 0)], 5), nothing, "it failed before");
        assert_eq!(said(&[(&leaves, 1)], 4), nothing, "too few passed");
        assert_eq!(said(&[(&leaves, 1), (&plain, 0)], 5), nothing);
    }
}
