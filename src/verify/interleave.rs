//! The order in which the lanes of a finished game reach the model.

use std::collections::VecDeque;

use super::ending::player;
use super::wrong_line::{self, Place};
use super::{Awaited, Ending, Judged};
use crate::diagnostic::{Diagnostic, counted};
use crate::finding::Finding;
use crate::protocol::{
    Answered, Cause, Deviation, Dialect, LaneKind, Line, LineEnding, Model, Open, Party,
    PlayerLine, RefereeLine,
};
use crate::rules::{Mistake, PerSeat, Seat};
use crate::transcript::{Direction, Entry, Extent, LaneTranscript, LoggedGame};

/// Feeds the lanes of a finished game to the model so that every cause comes before its effects.
///
/// Within one direction of a lane the order is given. Across lanes the model tells what can come next: what is owed, a roll, or
/// the move of the player on turn, which is taken from his own lane where that tells it and from the others where not.
pub(super) struct Interleaving<'a> {
    dialect: &'static dyn Dialect,
    game: &'a LoggedGame,
    model: Model,
    cursors: Vec<Cursor<'a>>,
    /// First line that reported each event: lane, and line of its file.
    told_by: Vec<Place>,
    notes: Vec<String>,
}

/// State of a lane that is fed to the model.
struct Cursor<'a> {
    rest: &'a [Entry],
    /// Lines that the player sent and the model has not taken yet.
    sent: VecDeque<Sent<'a>>,
}

#[derive(Clone, Copy)]
struct Sent<'a> {
    line: &'a Entry,
    /// True if the line was certainly sent before the turn that would take the line.
    is_early: bool,
}

/// Reason to stop feeding before the lanes end.
enum Stop {
    Wrong(Box<Finding>),
    /// A player's lane would go on, and what he sent is not at hand.
    Untold(Diagnostic),
}

impl<'a> Interleaving<'a> {
    /// The lanes of a game; `None` for those of a dialogue.
    pub(super) fn of(game: &'a LoggedGame) -> Option<Interleaving<'a>> {
        let dialect = game.protocol.dialect()?;
        let kinds: Vec<_> = game.lanes.iter().map(|lane| lane.label.kind()).collect();
        let mut model = Model::new(dialect, &kinds, PerSeat([false, false]));
        for (number, lane) in game.lanes.iter().enumerate() {
            if let Some(seat) = lane.label.seat() {
                model.assign(number, seat);
                model.set_sees_sent(seat, lane.tells_sent);
            }
        }
        let cursor = |lane: &'a LaneTranscript| {
            let apart = lane.sent_apart.iter().flat_map(|apart| &apart.entries);
            let sent = apart
                .map(|line| Sent {
                    line,
                    is_early: false,
                })
                .collect();
            Cursor {
                rest: &lane.entries,
                sent,
            }
        };
        Some(Interleaving {
            dialect,
            game,
            model,
            cursors: game.lanes.iter().map(cursor).collect(),
            told_by: Vec::new(),
            notes: Vec::new(),
        })
    }

    /// The same lanes, as a game by a mistake in the rules.
    pub(super) fn read_by(self, mistake: &'static Mistake) -> Interleaving<'a> {
        Interleaving {
            model: self.model.read_by(mistake),
            ..self
        }
    }

    /// Judges a game that is told to its end.
    pub(super) fn judge(mut self) -> Result<Judged, Diagnostic> {
        let fed = self.feed().and_then(|()| self.owed());
        self.judged(fed)
    }

    /// Judges a game that goes on.
    pub(super) fn judge_so_far(mut self) -> Result<Judged, Diagnostic> {
        let fed = self.feed();
        self.judged(fed)
    }

    fn judged(mut self, fed: Result<(), Stop>) -> Result<Judged, Diagnostic> {
        let facts = self.model.facts();
        let history = self.model.history().to_vec();
        let mut judged = Judged::of(None, facts.names.clone(), facts.setup, history);
        match fed {
            Ok(()) => {
                let ending = self.ending();
                judged.ending = Some(ending);
                judged.left_off = self.left_off(ending);
                self.note_leftovers();
            }
            Err(Stop::Wrong(finding)) => judged.findings.push(*finding),
            Err(Stop::Untold(fault)) => return Err(fault),
        }
        judged.notes = self.notes;
        Ok(judged)
    }

    fn feed(&mut self) -> Result<(), Stop> {
        self.greet()?;
        loop {
            let mut goes_on = false;
            for lane in 0..self.cursors.len() {
                if self.can_receive(lane) {
                    self.receive(lane)?;
                    goes_on = true;
                }
            }
            // A player answers what he was told, so his lane catches up first.
            if !goes_on && let Some(seat) = self.model.awaits_move_of() {
                goes_on = self.answer(seat)?;
            }
            if !goes_on {
                return Ok(());
            }
        }
    }

    /// The handshakes of all lanes come first: they tell whose lanes they are.
    fn greet(&mut self) -> Result<(), Stop> {
        for lane in 0..self.cursors.len() {
            let is_spectator = self.game.lanes[lane].label.kind() == LaneKind::Spectator;
            for _ in self.dialect.greeting(is_spectator) {
                self.queue_sent(lane, true);
                if !self.cursors[lane].rest.is_empty() {
                    self.receive(lane)?;
                }
            }
            if let Some(Party::Player(seat)) = self.model.party(lane) {
                self.model
                    .set_sees_sent(seat, self.game.lanes[lane].tells_sent);
            }
        }
        Ok(())
    }

    /// Returns true if the next line that a lane received can be judged before any other event.
    fn can_receive(&mut self, lane: usize) -> bool {
        let on_turn = self.model.awaits_move_of();
        self.queue_sent(lane, on_turn.is_none() || on_turn != self.seat(lane));
        if self.cursors[lane].rest.is_empty() {
            return false;
        }
        match on_turn {
            // Until he has moved, only what the lane lags behind; with one lane there is no lag.
            Some(_) => self.cursors.len() > 1 && self.model.is_owed(lane),
            None if self.model.is_over() || self.model.awaits_roll() => true,
            // What is made of an open answer shows on the other lanes first.
            None => {
                let answerer = self.model.table().map(|table| table.to_move());
                let mut others = self.cursors.iter().enumerate();
                self.seat(lane) != answerer
                    || others.all(|(other, cursor)| other == lane || cursor.rest.is_empty())
            }
        }
    }

    fn seat(&self, lane: usize) -> Option<Seat> {
        match self.model.party(lane) {
            Some(Party::Player(seat)) => Some(seat),
            _ => None,
        }
    }

    /// Moves what was sent from the head of the lane to what the model is yet to take.
    fn queue_sent(&mut self, lane: usize, is_early: bool) {
        let Cursor { rest, sent } = &mut self.cursors[lane];
        while let Some((line, after)) = rest.split_first()
            && line.direction == Direction::Sent
        {
            sent.push_back(Sent { line, is_early });
            *rest = after;
        }
    }

    /// Gives the next received line of a lane to the model.
    fn receive(&mut self, lane: usize) -> Result<(), Stop> {
        let Some((filed, after)) = self.cursors[lane].rest.split_first() else {
            return Ok(());
        };
        self.cursors[lane].rest = after;
        // A capture may end within a line.
        let may_be_cut =
            filed.line.ending == LineEnding::Missing && self.extent(lane) == Extent::Capture;
        let whole = may_be_cut.then(|| Line::new(filed.line.text.clone()));
        let received = self
            .model
            .receive(lane, whole.as_ref().unwrap_or(&filed.line));
        let number = filed.number;
        let place = Place { lane, number };
        let is_over = self.model.is_over();
        if may_be_cut && (received.is_ok() || !is_over) {
            let says = match received {
                Ok(_) => "has no newline",
                Err(_) => "was cut off and is not judged",
            };
            let name = &self.game.lanes[lane].file;
            let note = format!("{name}:{number}: the last line {says}");
            self.notes.push(note);
        }
        match received {
            Ok(_) => self.told_by.resize(self.model.history().len(), place),
            Err(_) if may_be_cut && !is_over => {}
            Err(deviation) => return Err(self.wrong(place, &deviation)),
        }
        Ok(())
    }

    fn wrong(&self, place: Place, deviation: &Deviation) -> Stop {
        let lanes = &self.game.lanes;
        let finding = wrong_line::finding(lanes, &self.model, &self.told_by, place, deviation);
        Stop::Wrong(Box::new(finding))
    }

    /// Lets the player on turn move. Returns whether anything happened.
    fn answer(&mut self, seat: Seat) -> Result<bool, Stop> {
        let lane = self.model.lane_of(seat);
        if let Some(lane) = lane.filter(|&lane| self.game.lanes[lane].tells_sent) {
            self.queue_sent(lane, false);
            self.drop_what_was_not_taken(lane, seat);
            if let Some(Sent { line, .. }) = self.cursors[lane].sent.pop_front() {
                self.take_sent(lane, seat, line);
                return Ok(true);
            }
        } else {
            let other = self.next_lines(lane).next();
            if let Some((other, _)) = other {
                self.receive(other)?;
                return Ok(true);
            }
        }
        // Nothing that he sent is left, or at hand.
        if self.shows_loss(None) {
            self.forfeit(seat, Cause::Unseen, lane.unwrap_or(0));
            return Ok(true);
        }
        let next = self.next_lines(None).next();
        match (next, lane) {
            (Some((next, _)), Some(own)) if next == own && !self.game.lanes[own].tells_sent => {
                let title = "this is what a player received, and what he sent is not at hand";
                let help =
                    "put NAME.sent beside NAME.received, or give another lane of the game as well";
                let fault = Diagnostic::error("verify/half-a-lane", title);
                let fault = fault.in_file(&*self.game.lanes[own].file);
                Err(Stop::Untold(fault.help(help)))
            }
            // The game goes on without his move: that line is wrong.
            (Some((next, _)), _) => self.receive(next).map(|()| true),
            (None, _) => Ok(false),
        }
    }

    /// Gives a line that a player on turn sent to the model.
    fn take_sent(&mut self, lane: usize, seat: Seat, line: &Entry) {
        let place = Place {
            lane,
            number: line.number,
        };
        let may_be_lost = self.extent(lane) == Extent::Lost && self.next_received(lane).is_none();
        if may_be_lost && self.shows_loss(Some(lane)) {
            return self.forfeit(seat, Cause::HangUp, lane);
        }
        if may_be_lost && self.next_lines(None).next().is_none() {
            let lost = "the connection was lost, and no lane shows that the line arrived";
            return self.note(place, lost);
        }
        if line.line.ending == LineEnding::Missing {
            // Whether a referee takes the end of the stream for the end of the line is its choice.
            if self.shows_loss(Some(lane)) {
                return self.forfeit(seat, Cause::HangUp, lane);
            }
            let is_legal = matches!(self.dialect.read_player_line(&line.line.text), PlayerLine::Move(mv)
                if self.model.table().is_some_and(|table| table.check(mv).is_ok()));
            if !is_legal {
                return self.note(place, "the last line was cut off and is not judged");
            }
        }
        match self.model.sent(lane, &line.line.text) {
            Answered::Open(requirement) => {
                let open = format!("{requirement}: the specification leaves this form open");
                self.note(place, &open);
            }
            Answered::Ignored(requirement) => {
                self.note(place, &format!("{requirement}: ignored"));
            }
            Answered::Moved(_) | Answered::Lost(_) | Answered::OffTurn => {}
        }
        self.told_by.resize(self.model.history().len(), place);
    }

    fn forfeit(&mut self, seat: Seat, cause: Cause, lane: usize) {
        let number = self.next_received(lane).map_or(0, |line| line.number);
        self.model.forfeit(seat, cause);
        self.told_by
            .resize(self.model.history().len(), Place { lane, number });
    }

    fn next_received(&self, lane: usize) -> Option<&'a Entry> {
        self.cursors[lane]
            .rest
            .iter()
            .find(|line| line.direction == Direction::Received)
    }

    /// The next line that each lane received, with the lane. `but`: a lane that is left out.
    fn next_lines(&self, but: Option<usize>) -> impl Iterator<Item = (usize, &'a Entry)> {
        let lanes = (0..self.cursors.len()).filter(move |&lane| Some(lane) != but);
        lanes.filter_map(|lane| Some((lane, self.next_received(lane)?)))
    }

    /// Returns true if the next line of a lane shows that the player on turn has lost. `but`: a lane that is left out if there are others.
    fn shows_loss(&self, but: Option<usize>) -> bool {
        let mut next = self.next_lines(but.filter(|_| self.cursors.len() > 1));
        next.any(|(_, line)| self.dialect.hear(&line.line.text) == RefereeLine::Loss)
    }

    /// Drops a line sent off turn if another lane shows a move that was sent later: a referee may ignore such
    /// lines.
    fn drop_what_was_not_taken(&mut self, lane: usize, seat: Seat) {
        let shown = self.next_lines(Some(lane)).find_map(|(_, line)| {
            match self.dialect.hear(&line.line.text) {
                RefereeLine::Move(mv) => Some(mv),
                _ => None,
            }
        });
        let Some(shown) = shown else { return };
        let is_shown = |sent: &Sent<'_>| {
            let said = self.dialect.read_player_line(&sent.line.line.text);
            matches!(said, PlayerLine::Move(mv) | PlayerLine::Open(Open { mv: Some(mv), .. }) if mv == shown)
        };
        let sent = &self.cursors[lane].sent;
        let Some(taken) = sent.iter().position(is_shown) else {
            return;
        };
        if sent.iter().take(taken).all(|sent| sent.is_early) && taken > 0 {
            let who = player(self.dialect.game(), &self.model.facts().names, seat);
            self.notes.push(format!(
                "{who}: {} sent before the turn and not read",
                counted(taken, "line")
            ));
            self.cursors[lane].sent.drain(..taken);
        }
    }

    /// After the end of the game, what a lane still had to receive.
    fn owed(&mut self) -> Result<(), Stop> {
        if !self.model.is_over() {
            return Ok(());
        }
        for lane in 0..self.cursors.len() {
            let last = self.game.lanes[lane].entries.last();
            let is_owed = match self.extent(lane) {
                Extent::Whole => true,
                Extent::Capture => last.is_none_or(|last| last.line.ending != LineEnding::Missing),
                Extent::LeftOff | Extent::Lost => false,
            };
            let Some(deviation) = self.model.missing(lane) else {
                continue;
            };
            if is_owed {
                let number = last.map_or(1, |last| last.number + 1);
                return Err(self.wrong(Place { lane, number }, &deviation));
            }
            if let Some(last) = last.filter(|last| last.at.is_none()) {
                let (lane, number) = (&self.game.lanes[lane].file, last.number);
                let note = format!("{lane}:{number}: the lane stops before the end of the game");
                self.notes.push(note);
            }
        }
        Ok(())
    }

    /// Describes the exit of a recorded bot before the end of its game.
    fn left_off(&self, ending: Ending) -> Option<String> {
        let mut status = self.game.exited.clone()?;
        let last = self.game.lanes.first()?.entries.last();
        let is_sent = |last: &&Entry| last.direction == Direction::Sent;
        if last
            .filter(is_sent)
            .is_some_and(|last| last.line.ending == LineEnding::Missing)
        {
            status += "; its last line has no newline";
        }
        match ending {
            Ending::Over(_) | Ending::Lost { .. } | Ending::Unstarted => None,
            Ending::Incomplete(Awaited::Move(seat)) if self.model.lane_of(seat) == Some(0) => {
                Some(format!("the bot ended when its move was due: {status}"))
            }
            Ending::Incomplete(_) => {
                Some(format!("the bot ended before the game was over: {status}"))
            }
        }
    }

    fn ending(&self) -> Ending {
        let Some(start) = self.model.first_table() else {
            return Ending::Unstarted;
        };
        match Ending::of(self.model.history(), start) {
            Ending::Incomplete(Awaited::Move(seat)) if self.model.awaits_move_of().is_none() => {
                Ending::Incomplete(Awaited::Answer(seat))
            }
            ending => ending,
        }
    }

    fn note_leftovers(&mut self) {
        for lane in 0..self.cursors.len() {
            self.queue_sent(lane, true);
            let Some(first) = self.cursors[lane].sent.front() else {
                continue;
            };
            let place = Place {
                lane,
                number: first.line.number,
            };
            let count = counted(self.cursors[lane].sent.len(), "line");
            let when = if self.model.is_over() {
                "after the end of the game"
            } else {
                "off turn"
            };
            self.note(place, &format!("{count} sent {when}"));
        }
    }

    /// Notes something about a line that a player sent.
    fn note(&mut self, place: Place, what: &str) {
        let lane = &self.game.lanes[place.lane];
        let file = &lane.sent_apart.as_deref().unwrap_or(lane).file;
        self.notes.push(format!("{file}:{}: {what}", place.number));
    }

    fn extent(&self, lane: usize) -> Extent {
        self.game.lanes[lane].extent
    }
}
