//! Quick check that a golden transcript can belong to a scenario.

use super::{Scenario, Side};
use crate::diagnostic::{Diagnostic, Setting, Source, Span};
use crate::protocol::RefereeLine;
use crate::rules::{Roll, Seat};
use crate::transcript::{Direction, LaneLabel, PlacedTranscript};

/// Says where a golden transcript belongs to another game than the scenario: by its protocol, its lanes, or its rolls.
///
/// It compares what a scenario fixes and nothing more, so a transcript that passes may still differ from what is observed.
pub fn mismatches(
    scenario: &Scenario,
    golden: &PlacedTranscript,
    source: &Source,
) -> Vec<Diagnostic> {
    let of = format!("the scenario {}", scenario.source.name());
    let error = |code, title: String| Diagnostic::error(code, title);
    let (wanted, found) = (scenario.dialect.name(), golden.transcript.dialect.as_str());
    if wanted != found {
        let title =
            format!("this golden transcript is in the dialect `{found}`, and {of} in `{wanted}`");
        return vec![
            error("golden/other-game", title)
                .in_file(source.name())
                .help(format!(
                    "name another golden transcript, or remove it and run with {}",
                    Setting::Bless
                )),
        ];
    }
    let mut mismatches = Vec::new();
    let seat_names = scenario.dialect.game().seat_names();
    for label in golden
        .transcript
        .lanes
        .iter()
        .map(|lane| lane.label)
        .filter(|label| !has_lane(scenario, *label))
    {
        let title = format!("{of} has no lane of `{}`", label.display(seat_names));
        let help = "remove its block, or name another golden transcript";
        mismatches.push(
            error("golden/other-game", title)
                .in_file(source.name())
                .help(help),
        );
    }
    let rolls: Vec<Roll> = scenario.forced_rolls();
    for (lane, lines) in golden.transcript.lanes.iter().zip(&golden.lines) {
        let greeting = scenario
            .dialect
            .greeting(matches!(lane.label, LaneLabel::Spectator(_)))
            .len();
        let received = lane
            .entries
            .iter()
            .zip(lines)
            .filter(|(entry, _)| entry.direction == Direction::Received);
        let shown = received.skip(greeting).filter_map(|(entry, line)| {
            match scenario.dialect.hear(&entry.line.text) {
                RefereeLine::Roll(roll) => Some((roll, *line)),
                _ => None,
            }
        });
        for (number, (roll, line)) in shown.enumerate() {
            let wanted = rolls.get(number);
            if wanted == Some(&roll) {
                continue;
            }
            let title = "this golden transcript is of another game than its scenario".to_owned();
            let fault = error("golden/other-game", title).at(source, line_span(source, line), "");
            let game = scenario.dialect.game();
            let fault = fault.help(format!(
                "write it anew with `urtext run {}`, or name another one in the scenario",
                Setting::Bless
            ));
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
    mismatches
}

fn has_lane(scenario: &Scenario, label: LaneLabel) -> bool {
    match (scenario.side, label) {
        (Side::Referee, LaneLabel::Player(Seat::First | Seat::Second)) => true,
        (Side::Referee, LaneLabel::Spectator(number)) => number <= scenario.spectators,
        (Side::Bot, LaneLabel::Player(seat)) => seat == scenario.bot_seat,
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
