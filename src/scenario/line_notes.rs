//! What each line of a predicted transcript tells, and the requirement that it rests on: notes for whoever reviews it.

use std::collections::VecDeque;

use crate::protocol::{Dialect, Duty, GameEvent, OwedLine, Party};
use crate::transcript::{Direction, Entry, LaneLabel, LaneTranscript, Transcript};

/// Returns the note of each entry of each lane of a transcript, by the history of its game: `turn 3: first rolled 2 (ur/roll/line)`.
#[must_use]
pub fn line_notes(
    dialect: &dyn Dialect,
    history: &[GameEvent],
    transcript: &Transcript,
) -> Vec<Vec<Option<String>>> {
    let lanes = transcript.lanes.iter();
    lanes.map(|lane| of_lane(dialect, history, lane)).collect()
}

fn of_lane(
    dialect: &dyn Dialect,
    history: &[GameEvent],
    lane: &LaneTranscript,
) -> Vec<Option<String>> {
    let party = match lane.label {
        LaneLabel::Player(seat) => Party::Player(seat),
        LaneLabel::Spectator(_) => Party::Spectator,
        LaneLabel::Unseated(_) => return vec![None; lane.entries.len()],
    };
    let mut greetings = dialect.greeting(party == Party::Spectator).iter();
    let (mut told, mut moved) = (VecDeque::new(), VecDeque::new());
    for (turn, event) in with_turns(history) {
        let mut lines = Vec::new();
        dialect.tell(event, party, &mut lines);
        let words = event.describe(dialect.game());
        told.extend(lines.into_iter().map(|line| {
            let note = format!("turn {turn}: {words} ({})", line.requirement);
            (line, note)
        }));
        if let GameEvent::Moved { by, mv, .. } = *event
            && party == Party::Player(by)
        {
            moved.push_back((dialect.write_move(mv), format!("turn {turn}: {words}")));
        }
    }
    let note = |Entry { direction, line }: &Entry| match direction {
        Direction::Sent if moved.front().is_some_and(|(text, _)| *text == line.text) => {
            moved.pop_front().map(|(_, note)| note)
        }
        Direction::Sent => Some("sent, and no move of the game".to_owned()),
        Direction::Received => match greetings.next() {
            Some(greeting) => Some(format!("the handshake ({})", greeting.requirement)),
            None => told_by(&line.text, &mut told),
        },
    };
    lane.entries.iter().map(note).collect()
}

/// The note of the next line that is told, past those that the specification leaves open and that did not come.
fn told_by(text: &[u8], told: &mut VecDeque<(OwedLine, String)>) -> Option<String> {
    while let Some((line, note)) = told.pop_front() {
        if line.line == text {
            return Some(note);
        }
        if line.duty == Duty::Must {
            return None;
        }
    }
    None
}

/// The events of a game, each with the number of its turn.
fn with_turns(history: &[GameEvent]) -> impl Iterator<Item = (usize, &GameEvent)> {
    let is_rolled = history
        .iter()
        .any(|event| matches!(event, GameEvent::Rolled { .. }));
    let mut turn = 0;
    history.iter().map(move |event| {
        // Without rolls, a turn begins with its move, or with the loss instead of one.
        turn += usize::from(match event {
            GameEvent::Rolled { .. } => true,
            GameEvent::Moved { .. } | GameEvent::Lost { .. } => !is_rolled,
        });
        (turn, event)
    })
}

#[cfg(test)]
mod tests {
    use super::line_notes;
    use crate::diagnostic::Source;
    use crate::pack::Protocol;
    use crate::protocol::{Cause, GameEvent};
    use crate::rules::{Move, Roll, Seat};
    use crate::transcript::golden;

    #[test]
    fn every_line_has_its_turn_and_its_requirement() {
        let text = "# urtext golden transcript 1\ndialect: code-colosseum\n\n[first]\nA\nB\n0\n0 1 1 0\n>0\n1 1 1 1\n\n\
                    [second]\nA\nB\n1\n0 1 1 0\n0\n1 1 1 1\n>7\nRETIRE\n";
        let transcript = golden::read(&Source::new("g.txt", text))
            .unwrap()
            .transcript;
        let Some(Protocol::Game(dialect)) = Protocol::named("code-colosseum") else {
            panic!("a game's")
        };
        let rolled = |by, coins| GameEvent::Rolled {
            by,
            roll: Roll(coins),
            skipped: false,
        };
        let history = [
            rolled(Seat::First, 0b0110),
            GameEvent::Moved {
                by: Seat::First,
                mv: Move(0),
                result: None,
            },
            rolled(Seat::Second, 0b1111),
            GameEvent::Lost {
                by: Seat::Second,
                cause: Cause::Timeout,
            },
        ];
        let notes = line_notes(dialect, &history, &transcript);
        let told = |lane: usize| -> Vec<&str> {
            let notes = notes[lane].iter();
            notes
                .map(|note| note.as_deref().unwrap_or_default())
                .collect()
        };
        assert_eq!(
            told(0),
            [
                "the handshake (ur/handshake/first-name)",
                "the handshake (ur/handshake/second-name)",
                "the handshake (ur/handshake/index)",
                "turn 1: first rolled 0 1 1 0 (ur/roll/same-for-all)",
                "turn 1: first moved 0",
                "turn 2: second rolled 1 1 1 1 (ur/roll/same-for-all)",
            ]
        );
        assert_eq!(
            told(1)[3..],
            [
                "turn 1: first rolled 0 1 1 0 (ur/roll/same-for-all)",
                "turn 1: first moved 0 (ur/move/relayed-to-opponent)",
                "turn 2: second rolled 1 1 1 1 (ur/roll/same-for-all)",
                "sent, and no move of the game",
                "turn 2: second has lost (ur/retire/own-lane)",
            ]
        );
    }
}
