//! Quick check that a golden transcript can belong to a scenario.

use super::{Plan, PlannedGame, Scenario, Side};
use crate::diagnostic::{Diagnostic, Source, Span};
use crate::protocol::RefereeLine;
use crate::rules::{Roll, Seat};
use crate::transcript::{Direction, LaneLabel, Transcript};

/// Code of the fault that a golden transcript belongs to another game.
const OTHER_GAME: &str = "golden/other-game";

/// Says where a golden transcript belongs to another game than the scenario: by its protocol, its lanes, or its rolls.
///
/// It compares what a scenario fixes and nothing more, so a transcript that passes may still differ from what is observed.
pub fn mismatches(scenario: &Scenario, golden: &Transcript, source: &Source) -> Vec<Diagnostic> {
    let of = format!("the scenario {}", scenario.source.name());
    let (wanted, found) = (scenario.protocol().name(), golden.dialect.as_str());
    if wanted != found {
        let title =
            format!("this golden transcript is in the dialect `{found}`, and {of} in `{wanted}`");
        return vec![
            Diagnostic::error(OTHER_GAME, title)
                .in_file(source.name())
                .help(
                    "name another golden transcript, or remove it and run with --bless".to_owned(),
                ),
        ];
    }
    let mut mismatches = Vec::new();
    let seat_names = scenario.protocol().seat_names();
    for label in golden
        .lanes
        .iter()
        .map(|lane| lane.label)
        .filter(|label| !has_lane(scenario, *label))
    {
        let title = format!("{of} has no lane of `{}`", label.display(seat_names));
        let help = "remove its block, or name another golden transcript";
        mismatches.push(
            Diagnostic::error(OTHER_GAME, title)
                .in_file(source.name())
                .help(help),
        );
    }
    if let Some(plan) = scenario.game() {
        wrong_rolls(plan, golden, source, &of, &mut mismatches);
    }
    mismatches
}

/// Adds, for each lane, the first roll that is not the one that the scenario forces; `of` names the scenario.
fn wrong_rolls(
    plan: &PlannedGame,
    golden: &Transcript,
    source: &Source,
    of: &str,
    mismatches: &mut Vec<Diagnostic>,
) {
    let rolls: Vec<Roll> = plan.forced_rolls();
    for lane in &golden.lanes {
        let greeting = plan
            .dialect
            .greeting(matches!(lane.label, LaneLabel::Spectator(_)))
            .len();
        let received = lane
            .entries
            .iter()
            .filter(|entry| entry.direction == Direction::Received);
        let shown =
            received
                .skip(greeting)
                .filter_map(|entry| match plan.dialect.hear(&entry.line.text) {
                    RefereeLine::Roll(roll) => Some((roll, entry.number)),
                    _ => None,
                });
        for (number, (roll, line)) in shown.enumerate() {
            let wanted = rolls.get(number);
            if wanted == Some(&roll) {
                continue;
            }
            let title = "this golden transcript is of another game than its scenario".to_owned();
            let fault =
                Diagnostic::error(OTHER_GAME, title).at(source, line_span(source, line), "");
            let game = plan.dialect.game();
            let fault = fault.help(
                "write it anew with `urtext run --bless`, or name another one in the scenario"
                    .to_owned(),
            );
            mismatches.push(match wanted {
                Some(wanted) => fault.note(format!(
                    "roll {} is {} here, and {} in {of}",
                    number + 1,
                    game.format_roll(roll),
                    game.format_roll(*wanted)
                )),
                None => fault.note(format!("{of} has only {} rolls", rolls.len())),
            });
            break;
        }
    }
}

fn has_lane(scenario: &Scenario, label: LaneLabel) -> bool {
    let plan = match &scenario.plan {
        Plan::Game(plan) => plan,
        Plan::Dialogue(dialogue) => {
            return matches!(label, LaneLabel::Unseated(number) if number as usize <= dialogue.participants.len());
        }
    };
    match (plan.side, label) {
        (Side::Referee, LaneLabel::Player(Seat::First | Seat::Second)) => true,
        (Side::Referee, LaneLabel::Spectator(number)) => number <= plan.spectators,
        (Side::Bot, LaneLabel::Player(seat)) => seat == plan.bot_seat,
        (Side::Bot, LaneLabel::Spectator(_)) | (_, LaneLabel::Unseated(_)) => false,
    }
}

/// The line of that number, counted from 1.
fn line_span(source: &Source, number: usize) -> Span {
    let mut start = 0;
    for (index, line) in source.bytes().split(|&byte| byte == b'\n').enumerate() {
        if index + 1 == number {
            return source.first_line(Span::new(start, start + line.len()));
        }
        start += line.len() + 1;
    }
    Span::at(source.bytes().len())
}
