//! The lines of a replay's lanes, each with the turn that it belongs to.

use std::time::Duration;

use super::Replay;
use super::seat::seat_of;
use crate::archive::FinishedGame;
use crate::finding::{Finding, LaneText};
use crate::protocol::{Dialect, Duty, GameEvent, LaneKind, OwedLine, Party};
use crate::rules::Seat;
use crate::transcript::{Direction, LoggedLane, LoggedLine};

/// A lane of a finished game, with the turn of each line.
#[derive(Debug)]
pub struct ReplayLane {
    /// Owner of the lane; `None` for a player whose seat is not known.
    pub party: Option<Party>,
    /// Name of the owner, fit to show: `Alice (first)`, `spectator 1`.
    pub owner: String,
    /// The lines in the order of the file, with the turn of each; 0 is before the first turn.
    pub lines: Vec<(usize, LoggedLine)>,
    /// Place of the line that the error or the finding is about, if it is in this lane.
    pub wrong: Option<usize>,
    /// Places of the lines, in the order of the turns: a line may be sent before its turn.
    by_turn: Vec<usize>,
}

impl ReplayLane {
    fn new(party: Option<Party>, owner: String, lines: Vec<(usize, LoggedLine)>) -> ReplayLane {
        let mut by_turn: Vec<_> = (0..lines.len()).collect();
        by_turn.sort_by_key(|&place| lines[place].0);
        ReplayLane {
            party,
            owner,
            lines,
            wrong: None,
            by_turn,
        }
    }

    /// Finds the line that a finding is about: by its number in the file, or by its text in a recorded scenario, where the lane of a bot has
    /// no other beside it.
    fn wrong_line(&self, logged: &LoggedLane, finding: &Finding, is_only: bool) -> Option<usize> {
        let last = |is_it: &dyn Fn(&LoggedLine) -> bool| {
            let mut lines = self.lines.iter();
            lines.rposition(|(_, line)| is_it(line))
        };
        if let Some(at) = &finding.in_file {
            let is_of_file = |line: &LoggedLine| {
                logged.sent_apart.is_none() || line.direction == Direction::Received
            };
            let is_it = |line: &LoggedLine| is_of_file(line) && line.number == at.line;
            return last(&is_it).filter(|_| at.file == logged.name);
        }
        let views = finding.lanes.iter().filter(|view| !view.agrees);
        let mut views = views.filter(|view| is_only || view.lane == self.owner);
        match &views.next()?.received {
            LaneText::Line(text) => last(&|line| line.line.text == *text),
            _ => None,
        }
    }

    /// Returns the places of a turn's lines among all lines, in ascending order.
    #[must_use]
    pub fn places_of(&self, turn: usize) -> &[usize] {
        let of = |place: usize| self.lines[place].0;
        let start = self.by_turn.partition_point(|&place| of(place) < turn);
        let end = self.by_turn.partition_point(|&place| of(place) <= turn);
        &self.by_turn[start..end]
    }

    /// The lines of a turn.
    pub fn lines_of(&self, turn: usize) -> impl Iterator<Item = &LoggedLine> {
        let places = self.places_of(turn).iter();
        places.map(|&place| &self.lines[place].1)
    }
}

impl Replay {
    /// Adds the lines of the lanes that told the game.
    pub(super) fn add_lanes(&mut self, game: &FinishedGame) {
        let logged = &game.logged;
        let mut spectators = 0;
        let lanes = logged.lanes.iter().map(|lane| {
            let party = match lane.kind {
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
            let lines = self.placed(self.dialect, lane, party);
            ReplayLane::new(party, owner, lines)
        });
        self.lanes = lanes.collect();
        let finding = match game.recorded.is_some() {
            true => game.findings().first(),
            false => game.stopped_by(),
        };
        let is_only = self.lanes.len() == 1;
        for (lane, logged) in self.lanes.iter_mut().zip(&logged.lanes) {
            lane.wrong = finding.and_then(|finding| lane.wrong_line(logged, finding, is_only));
        }
        self.notes.extend(logged.cut_off.clone());
    }

    /// The lines of a lane with the turn of each.
    fn placed(
        &self,
        dialect: &dyn Dialect,
        lane: &LoggedLane,
        party: Option<Party>,
    ) -> Vec<(usize, LoggedLine)> {
        let greeting = dialect.greeting(lane.kind == LaneKind::Spectator).len();
        let mut owed = self.owed(dialect, party.unwrap_or(Party::Spectator));
        owed.reverse();
        let (mut received, mut at) = (0, 0);
        let place = |line: &LoggedLine| {
            if line.direction == Direction::Sent {
                let seat = match party {
                    Some(Party::Player(seat)) => seat,
                    _ => return (at, line.clone()),
                };
                return (self.turn_of(seat, at).unwrap_or(self.last()), line.clone());
            }
            received += 1;
            if received > greeting {
                at = next_turn(&mut owed, &line.line.text).unwrap_or(self.last());
            }
            (at, line.clone())
        };
        let mut lines: Vec<_> = lane.lines.iter().map(place).collect();
        if let (Some(apart), Some(Party::Player(seat))) = (&lane.sent_apart, party) {
            let mut from = 0;
            for line in &apart.lines {
                let turn = self.turn_of(seat, from).unwrap_or(self.last());
                from = turn + 1;
                lines.push((turn, line.clone()));
            }
            // The received lines of a turn come first: a player answers them.
            lines.sort_by_key(|&(turn, _)| turn);
        }
        lines
    }

    /// The first turn from this one on in which the player moves or loses.
    fn turn_of(&self, seat: Seat, from: usize) -> Option<usize> {
        let mut turns = self.frames.iter().skip(from.max(1));
        let acts = |frame: &&super::Frame| {
            frame.by == Some(seat) && !matches!(frame.deed, super::FrameAction::Skipped { .. })
        };
        turns.find(acts).map(|frame| frame.number)
    }

    /// Returns the lines that a party receives after the handshake, each with its turn.
    fn owed(&self, dialect: &dyn Dialect, party: Party) -> Vec<(usize, OwedLine)> {
        let (mut turn, mut all, mut told) = (1, Vec::new(), Vec::new());
        for event in &self.history {
            dialect.tell(event, party, &mut told);
            all.extend(told.drain(..).map(|line| (turn, line)));
            turn += usize::from(!matches!(event, GameEvent::Rolled { skipped: false, .. }));
        }
        all
    }

    /// The time that the player took in a turn, and the time since the start at which the turn was over, where the file tells times.
    #[must_use]
    pub fn times(&self, turn: usize) -> Option<(Duration, Duration)> {
        let by = self.frames.get(turn)?.by?;
        let is_own = |lane: &&ReplayLane| lane.party == Some(Party::Player(by));
        if let Some(times) = self.recorded_times.get(turn.wrapping_sub(1)) {
            return *times;
        }
        let own = self.lanes.iter().filter(is_own);
        let others = self.lanes.iter().filter(|lane| !is_own(lane));
        own.chain(others).find_map(|lane| {
            let last = *lane.places_of(turn).last()?;
            let before = last.checked_sub(1)?;
            let (from, to) = (lane.lines[before].1.at?, lane.lines[last].1.at?);
            Some((to.saturating_sub(from), to))
        })
    }
}

/// The longest pause between two turns that are played.
const IDLE: Duration = Duration::from_secs(2);

/// The pause between two turns of a game without times.
const UNTIMED: Duration = Duration::from_secs(1);

impl Replay {
    /// The pause before a turn where the game is played at its recorded speed: the time that the turn took, 2 s at most.
    #[must_use]
    pub fn pause_before(&self, turn: usize) -> Duration {
        let took = self.times(turn).map_or(UNTIMED, |(took, _)| took);
        took.min(IDLE)
    }
}

/// The turn of a received line, by what the lane is owed, in reverse order.
fn next_turn(owed: &mut Vec<(usize, OwedLine)>, text: &[u8]) -> Option<usize> {
    loop {
        let (turn, line) = owed.pop()?;
        if line.line == text || line.duty == Duty::Must {
            return Some(turn);
        }
    }
}
