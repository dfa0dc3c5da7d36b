//! Variants of the rules that the games of a run refute: a referee that plays by them would not have passed there.

use std::sync::Arc;

use crate::config::Subject;
use crate::event::Outcome;
use crate::finding::{Finding, Verdict};
use crate::protocol::{GameEvent, PlayerLine};
use crate::rules::{Phase, Seat, Table, VariantRow};
use crate::scenario::{PlannedGame, PlayerAction, Scenario, Side};

/// Drops the variants of the rules that a passed game of the same referee refutes from the findings that name several. A finding whose
/// variants are all refuted stays as it is: what the referee believes is none of them, or not always the same.
pub fn refute(scenarios: &[Arc<Scenario>], subjects: &[Arc<Subject>], outcomes: &mut [Outcome]) {
    for failed in 0..outcomes.len() {
        let Some(place) = outcomes[failed].findings.iter().position(is_ambiguous) else {
            continue;
        };
        let variants = outcomes[failed].findings[place].variants.clone();
        let refuting = |row: &VariantRow| {
            let mut passed = (0..outcomes.len()).filter(|&other| {
                outcomes[other].verdict == Verdict::Pass
                    && Arc::ptr_eq(&subjects[other], &subjects[failed])
            });
            passed.find(|&other| is_refuted_by(row, &scenarios[other], &outcomes[other]))
        };
        let (mut rest, mut notes) = (Vec::new(), Vec::new());
        for row in variants {
            match refuting(row) {
                None => rest.push(row),
                Some(game) => notes.push(format!(
                    "it does not behave as if {}: it passes {}",
                    row.summary, outcomes[game].name
                )),
            }
        }
        if !rest.is_empty() && !notes.is_empty() {
            let word = scenarios[failed].side().word();
            let finding = &mut outcomes[failed].findings[place];
            finding.suppose(word, rest);
            finding.notes.extend(notes);
        }
    }
}

fn is_ambiguous(finding: &Finding) -> bool {
    finding.verdict == Verdict::Fail && finding.variants.len() > 1
}

/// Returns true if a referee that plays by the variant would have shown something else in a game that it passed.
fn is_refuted_by(row: &VariantRow, scenario: &Scenario, passed: &Outcome) -> bool {
    let Some(plan) = scenario.game().filter(|plan| plan.side == Side::Referee) else {
        return false;
    };
    let (game, setup) = (plan.dialect.game(), passed.setup.unwrap_or_default());
    let tables = game.variant_table(setup, row.name);
    tables.is_some_and(|table| differs(plan, &passed.history, table, game.table(setup)))
}

/// Plays the events of a referee's game by a variant, up to a loss before the end by the rules.
fn differs(
    plan: &PlannedGame,
    history: &[GameEvent],
    mut variant: Box<dyn Table>,
    mut rules: Box<dyn Table>,
) -> bool {
    for event in history {
        let is_possible = match *event {
            GameEvent::Rolled { .. } => variant.phase() == Phase::Roll,
            GameEvent::Moved { by, .. } => awaits(variant.as_ref(), by),
            GameEvent::Lost { by, .. } => {
                return awaits(variant.as_ref(), by) && is_allowed(plan, by, variant.as_ref());
            }
        };
        if !is_possible || !event.play_on(variant.as_mut()) {
            return true;
        }
        event.play_on(rules.as_mut());
    }
    let end = rules.phase().result();
    end.is_some() && end != variant.phase().result()
}

fn awaits(table: &dyn Table, by: Seat) -> bool {
    table.phase() == Phase::Move && table.to_move() == by
}

/// Returns true if the variant allows the illegal move by which this player lost, where the scenario writes one.
fn is_allowed(plan: &PlannedGame, by: Seat, variant: &dyn Table) -> bool {
    let last = plan.turns().last().map(|(_, turn)| turn);
    let line = match last.map(|turn| (turn.seat, &turn.action)) {
        Some((seat, PlayerAction::Illegal(line))) if seat == by => line,
        _ => return false,
    };
    let said = plan.dialect.read_player_line(line);
    matches!(said, PlayerLine::Move(mv) if variant.check(mv).is_ok())
}
