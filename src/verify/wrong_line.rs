//! Findings about the first wrong line of a finished game.

use super::ending::player;
use crate::finding::{FileLine, Finding, LaneText, LaneView, Verdict};
use crate::judge::{End, deviation_title, lane_texts};
use crate::protocol::{
    Deviation, DueLine, Expected, GameEvent, LineEnding, Model, Party, RefereeLine,
};
use crate::transcript::{Extent, LaneTranscript};

/// A line of a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) lane: usize,
    /// The line of its file.
    pub(super) number: usize,
}

/// The finding about the first wrong line of a game.
pub(super) fn finding(
    lanes: &[LaneTranscript],
    model: &Model,
    told_by: &[Place],
    place: Place,
    deviation: &Deviation,
) -> Finding {
    let (dialect, party) = (model.dialect(), model.party(place.lane));
    let game = dialect.game();
    let lane = match party {
        Some(Party::Player(seat)) => game.seat_name(seat),
        Some(Party::Spectator) => "the spectator",
        None => "the lane",
    };
    let mut finding = Finding::new(Verdict::Fail, deviation_title(deviation, lane));
    finding.requirement = Some(deviation.requirement);
    let (mut expected, received) = lane_texts(deviation, End::Line);
    if let (Expected::NothingYet, Some(table)) = (&deviation.expected, model.table()) {
        let legal = table.legal_moves();
        expected = format!("{}, or a loss", game.due_in_words(table)).into();
        let is_whole = matches!(deviation.received, Some((_, LineEnding::Newline)));
        match (deviation.heard, legal.first()) {
            (Some(RefereeLine::Move(mv)), _) => {
                if let Err(refusal) = table.check(mv) {
                    let mv = game.format_move(mv);
                    finding.requirement = Some(refusal.requirement);
                    finding.title = format!("move {mv} is not legal: {}", refusal.reason);
                }
            }
            // It stands in the place of a line that tells this party a move.
            (Some(RefereeLine::Other), Some(&mv)) if is_whole => {
                let (by, result) = (table.to_move(), None);
                let moved = GameEvent::Moved { by, mv, result };
                let told = party.and_then(|to| dialect.tell(&moved, to));
                let told = told.map(|told| told.requirement);
                finding.requirement = told.or(finding.requirement);
            }
            _ => {}
        }
    }
    if let (Expected::Line(_), Some(DueLine::Event(number, ..))) =
        (&deviation.expected, deviation.due)
        && let Some(told) = told_by.get(number)
        && told.lane != place.lane
        && told.number > 0
    {
        let file = &lanes[told.lane].file;
        finding
            .notes
            .push(format!("told by {file}:{}", told.number));
    }
    // The wrong line may lie behind what other lanes have told already.
    let before = match deviation.due {
        Some(DueLine::Handshake) => 0,
        Some(DueLine::Event(number, ..)) => number,
        Some(DueLine::NextRoll) | None => model.history().len(),
    };
    let history = &model.history()[..before];
    let rolled = history.iter().rev().find_map(|event| match *event {
        GameEvent::Rolled { by, roll, .. } => Some((by, roll)),
        _ => None,
    });
    if let (Some((by, roll)), Some(table)) = (rolled, model.table_after(before)) {
        let turn = GameEvent::turns(history);
        let who = player(game, &model.facts().names, by);
        let roll = game.format_roll(roll);
        finding
            .notes
            .push(format!("in turn {turn}, {who} rolled {roll}"));
        finding.board = Some((Finding::BEFORE_LINE.to_owned(), table.draw()));
    }
    if let Some((text, _)) = &deviation.received
        && let Some(line) = text.strip_suffix(b"\r")
        && (matches!(&deviation.expected, Expected::Line(due) if due == line)
            || dialect.hear(line) != RefereeLine::Other)
    {
        let note = "the line ends with CR LF; if the file was converted, restore its LF line ends";
        finding.notes.push(note.to_owned());
    }
    let LaneTranscript { file, extent, .. } = &lanes[place.lane];
    if deviation.expected == Expected::NothingMore && *extent == Extent::Capture {
        let note = "if another game begins here, write an empty line before it";
        finding.notes.push(note.to_owned());
    }
    let mut finding = at_line(finding, file, place.number, expected, received);
    finding.lanes[0].lane = lane.to_owned();
    finding
}

/// A finding about a line of a file: what was expected and received there.
pub(crate) fn at_line(
    finding: Finding,
    file: &str,
    line: usize,
    expected: impl Into<LaneText>,
    received: LaneText,
) -> Finding {
    Finding {
        lanes: vec![LaneView::new(file, line as u64, expected, received)],
        in_file: Some(FileLine {
            file: file.to_owned(),
            line,
        }),
        ..finding
    }
}
