//! What happens in a game, as a run shows it on standard error.

use crate::diagnostic::visible;
use crate::engine::{GameNews, GamePlan};
use crate::scenario::Side;
use crate::transcript::Direction;
use crate::transport::EchoedLine;

/// The most bytes of a line that are shown.
const LONGEST: usize = 1000;

/// Returns what is shown of it. `is_alone`: no other game is played, so that the scenario need not be named.
pub(super) fn describe(game: &GamePlan, news: &GameNews, is_alone: bool) -> String {
    let subject = visible::plain(&game.subject.name).at_most(80);
    match news {
        GameNews::Started(id) => format!(
            "{subject} runs as process {id}; to attach a debugger:\n  gdb -p {id}\n  lldb -p {id}\n  py-spy dump --pid {id}    (Python)"
        ),
        GameNews::Stderr(line) => {
            let said = match line {
                EchoedLine::Line(line) => visible::plain(line).to_string(),
                EchoedLine::TooMuch => "… the rest of standard error is not shown".to_owned(),
            };
            match is_alone {
                true => format!("{subject}: {said}"),
                false => format!("{subject} [{}]: {said}", game.scenario.name),
            }
        }
        GameNews::Line {
            lane,
            direction,
            text,
        } => {
            let mark = if *direction == Direction::Sent {
                '>'
            } else {
                '<'
            };
            format!("{lane} {mark} {}", visible::plain(text).at_most(LONGEST))
        }
        GameNews::Closed { lane, direction } => {
            let side = game.scenario.side();
            let of_subject = match side {
                Side::Referee => Direction::Received,
                Side::Bot => Direction::Sent,
            };
            match *direction == of_subject {
                true => format!("{lane}: closed by the {}", side.word()),
                false => format!("{lane}: closed by urtext"),
            }
        }
        GameNews::Exited(status) => format!("{subject} has ended: {status}"),
    }
}
