//! The lines of a replay's lanes, each with the turn that it belongs to.

use std::time::Duration;

use super::{Frame, FrameAction, Replay};
use crate::finding::{Finding, LaneText};
use crate::protocol::{Dialect, Duty, Facts, GameEvent, LaneKind, OwedLine, Party};
use crate::rules::Seat;
use crate::transcript::{Direction, Entry, LaneTranscript};

/// A lane of a finished game, with the turn of each line.
#[derive(Debug)]
pub struct ReplayLane {
    /// Owner of the lane; `None` for a player whose seat is not known.
    pub party: Option<Party>,
    /// Name of the owner, fit to show: `Alice (first)`, `spectator 1`.
    pub owner: String,
    /// The lines in the order of the turns, and within a turn in that of the file.
    pub lines: Vec<ReplayLine>,
}

/// A line of a lane.
#[derive(Debug)]
pub struct ReplayLine {
    /// Its turn; 0 is before the first. A line may be sent before its turn.
    pub turn: usize,
    /// The line.
    pub line: Entry,
    /// True for the line that the error or the finding is about.
    pub is_wrong: bool,
}

impl ReplayLane {
    /// Marks the line that a finding is about: by its number in the file, or by its text in a recorded scenario, where the lane of a bot has
    /// no other beside it.
    fn mark(&mut self, logged: &LaneTranscript, finding: &Finding, is_only: bool) {
        let is_it: &dyn Fn(&Entry) -> bool = match &finding.in_file {
            Some(at) if at.file != logged.file => return,
            Some(at) => &|line| {
                let is_apart = logged.sent_apart.is_some() && line.direction == Direction::Sent;
                !is_apart && line.number == at.line
            },
            None => {
                let mut views = finding.lanes.iter();
                let view = views.find(|view| is_only || view.lane == self.owner);
                let Some(LaneText::Line(text)) = view.map(|view| &view.received) else {
                    return;
                };
                &|line| line.line.text == *text
            }
        };
        let mut lines = self.lines.iter_mut();
        if let Some(wrong) = lines.rfind(|line| is_it(&line.line)) {
            wrong.is_wrong = true;
        }
    }

    /// The lines of a turn.
    #[must_use]
    pub fn lines_of(&self, turn: usize) -> &[ReplayLine] {
        let start = self.lines.partition_point(|line| line.turn < turn);
        let end = self.lines.partition_point(|line| line.turn <= turn);
        &self.lines[start..end]
    }

    /// The time from the line before a turn to its last line, and that of the last line.
    fn times(&self, turn: usize) -> Option<(Duration, Duration)> {
        let end = self.lines.partition_point(|line| line.turn <= turn);
        let [.., before, last] = &self.lines[..end] else {
            return None;
        };
        let (from, to) = (before.line.at?, last.line.at?);
        (last.turn == turn).then(|| (to.saturating_sub(from), to))
    }
}

impl Replay {
    /// Adds the lines of the lanes that told the game.
    pub(super) fn add_lanes(&mut self) {
        let logged = &self.finished.logged.lanes;
        let finding = match self.finished.recorded.is_some() {
            true => self.finished.outcome.findings.first(),
            false => self.finished.stopped_by(),
        };
        let mut spectators = 0;
        let lanes = logged.iter().map(|lane| {
            let party = match lane.label.kind() {
                LaneKind::Spectator => Some(Party::Spectator),
                LaneKind::Player => seat_of(self.dialect, lane).map(Party::Player),
            };
            let owner = match party {
                Some(Party::Player(seat)) => self.player(seat),
                Some(Party::Spectator) => {
                    spectators += 1;
                    format!("spectator {spectators}")
                }
                None => "a player".to_owned(),
            };
            let lines = self.placed(lane, party);
            let mut placed = ReplayLane {
                party,
                owner,
                lines,
            };
            if let Some(finding) = finding {
                placed.mark(lane, finding, logged.len() == 1);
            }
            placed
        });
        self.lanes = lanes.collect();
        if let Some(cut_off) = &self.finished.logged.cut_off {
            let note = format!("{}: {}", self.finished.file, cut_off.title());
            self.finished.notes.push(note);
        }
    }

    /// The lines of a lane with the turn of each. The received lines of a turn come first: a player answers them.
    fn placed(&self, lane: &LaneTranscript, party: Option<Party>) -> Vec<ReplayLine> {
        let greeting = self
            .dialect
            .greeting(lane.label.kind() == LaneKind::Spectator)
            .len();
        let mut owed = self.owed(party.unwrap_or(Party::Spectator)).into_iter();
        let (mut received, mut at, mut from) = (0, 0, 0);
        let placed = |turn, line: &Entry| ReplayLine {
            turn,
            line: line.clone(),
            is_wrong: false,
        };
        let in_order = lane.entries.iter().map(|line| {
            if line.direction == Direction::Sent {
                return placed(self.turn_of(party, at), line);
            }
            received += 1;
            if received > greeting {
                let is_due = |(_, due): &(usize, OwedLine)| {
                    due.line == line.line.text || due.duty == Duty::Must
                };
                at = owed.find(is_due).map_or(self.last(), |(turn, _)| turn);
            }
            placed(at, line)
        });
        let mut lines: Vec<_> = in_order.collect();
        for line in lane.sent_apart.iter().flat_map(|apart| &apart.entries) {
            let turn = self.turn_of(party, from);
            from = turn + 1;
            lines.push(placed(turn, line));
        }
        lines.sort_by_key(|line| line.turn);
        lines
    }

    /// The first turn from this one on in which the player moves or loses, or the last.
    fn turn_of(&self, party: Option<Party>, from: usize) -> usize {
        let Some(Party::Player(seat)) = party else {
            return from;
        };
        let mut turns = self.frames.iter().skip(from.max(1));
        let acts = |frame: &&Frame| {
            frame.by == Some(seat) && !matches!(frame.action, FrameAction::Skipped { .. })
        };
        turns.find(acts).map_or(self.last(), |frame| frame.number)
    }

    /// Returns the lines that a party receives after the handshake, each with its turn.
    fn owed(&self, party: Party) -> Vec<(usize, OwedLine)> {
        let (mut turn, mut all) = (1, Vec::new());
        for event in &self.finished.outcome.history {
            let owed = self.dialect.tell(event, party);
            all.extend(owed.into_iter().map(|line| (turn, line)));
            turn += usize::from(!matches!(event, GameEvent::Rolled { skipped: false, .. }));
        }
        all
    }

    /// Sets the times of each turn, as records tell them, or else the player's own lane, or another.
    pub(super) fn set_times(&mut self) {
        let mut before = Duration::ZERO;
        for frame in &mut self.frames {
            let Some(by) = frame.by else { continue };
            let turn = self.finished.turns.get(frame.number - 1);
            if let Some(at) = turn.and_then(|turn| turn.at) {
                frame.times = Some((at.saturating_sub(before), at));
                before = at;
                continue;
            }
            let is_own = |lane: &&ReplayLane| lane.party == Some(Party::Player(by));
            let own = self.lanes.iter().filter(is_own);
            let others = self.lanes.iter().filter(|lane| !is_own(lane));
            frame.times = own.chain(others).find_map(|lane| lane.times(frame.number));
        }
    }
}

/// The seat whose lane this is, as the handshake tells.
fn seat_of(dialect: &dyn Dialect, lane: &LaneTranscript) -> Option<Seat> {
    let received = lane.entries.iter();
    let received = received.filter(|line| line.direction == Direction::Received);
    let mut greeting = dialect.greeting(false).iter().zip(received);
    let seat = greeting.find_map(|(greeting, line)| {
        let facts = &mut Facts::default();
        dialect
            .read_greeting(greeting.slot, &line.line.text, facts)
            .ok()?
    });
    seat.or(lane.label.seat())
}
