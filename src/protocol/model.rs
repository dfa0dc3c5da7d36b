//! The model of one game: it advances on what is observed, and predicts every lane.

mod open;

use std::collections::VecDeque;

use super::deviation::{Deviation, Expected, Grounds};
use super::dialect::{Cause, Dialect, Duty, Happening, Heard, OffTurn, Open, Party, Said, Slot, Told};
use super::{Facts, Line, LineEnding};
use crate::rules::{Move, PerSeat, Phase, Roll, Seat, Table};
use open::Undecided;

/// What a lane is before the handshake has told whose it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LaneKind {
    /// A player's.
    Player,
    /// A spectator's.
    Spectator,
}

#[derive(Debug)]
struct Lane {
    kind: LaneKind,
    seat: Option<Seat>,
    greeted: usize,
    due: VecDeque<(Told, Grounds)>,
    received: u64,
    /// Whether nothing is predicted for it: it is not there yet, joined late, or has gone away.
    is_apart: bool,
}

/// What a received line told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Received {
    /// A line of the handshake.
    Greeting,
    /// A line that was due.
    Due,
    /// The first sign of a happening, which the other lanes are told of too.
    News(Happening),
    /// A line that the specification leaves open: id of the entry that says so.
    Open(&'static str),
    /// The first sign of what the referee made of something that the specification leaves open.
    Decided(&'static str),
    /// A line for which nothing is predicted: its lane joined late.
    Apart,
}

/// What a line from a player meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answered {
    /// A legal move, played.
    Moved(Move),
    /// It lost the game.
    Lost(Cause),
    /// It is ignored: id of the requirement that says so.
    Ignored(&'static str),
    /// The specification leaves open what it is, and what the referee does next decides: id of the entry that says so.
    Open(&'static str),
    /// It was not this player's turn.
    OffTurn,
}

/// A line that was sent off turn, and id of the entry that leaves open what becomes of it.
#[derive(Debug)]
struct Kept {
    text: Vec<u8>,
    requirement: &'static str,
}

/// One game as it must look on every lane.
#[derive(Debug)]
pub struct Model {
    dialect: &'static dyn Dialect,
    table: Option<Box<dyn Table>>,
    facts: Facts,
    lanes: Vec<Lane>,
    history: Vec<Happening>,
    /// Beside each happening, what its prediction rested on.
    grounds: Vec<Grounds>,
    is_over: bool,
    undecided: Option<Undecided>,
    sees_sent: PerSeat<bool>,
    /// Players that may be told to have lost at any time: why, and id of the entry that leaves the time open.
    may_lose: PerSeat<Option<(Cause, &'static str)>>,
    /// Players that have gone away.
    is_gone: PerSeat<bool>,
    /// Id of the entry that leaves open when a player is retired who has gone away, where that has to be seen on its turn now.
    retired_on_turn: Option<&'static str>,
    /// Lines sent off turn that the referee may have kept.
    kept: PerSeat<VecDeque<Kept>>,
    /// By which requirement a line was ignored that a player has sent since his last move.
    ignored: PerSeat<Option<&'static str>>,
    /// By which requirement a line was ignored before the last move.
    ignored_before: Option<&'static str>,
    decisions: Vec<(&'static str, String)>,
    /// The line that a player on turn sent last.
    said: Vec<u8>,
}

impl Model {
    /// A game before its handshake. `sees_sent`: whether what a seat sends is reported by [`Model::sent`]; where it is
    /// not, moves are learnt from the lanes that they are relayed to.
    #[must_use]
    pub fn new(dialect: &'static dyn Dialect, lanes: &[LaneKind], sees_sent: PerSeat<bool>) -> Model {
        let lane =
            |&kind| Lane { kind, seat: None, greeted: 0, due: VecDeque::new(), received: 0, is_apart: false };
        let mut model = Model {
            dialect,
            table: None,
            facts: Facts::default(),
            lanes: lanes.iter().map(lane).collect(),
            history: Vec::new(),
            grounds: Vec::new(),
            is_over: false,
            undecided: None,
            sees_sent,
            may_lose: PerSeat([None, None]),
            is_gone: PerSeat([false, false]),
            retired_on_turn: None,
            kept: PerSeat([VecDeque::new(), VecDeque::new()]),
            ignored: PerSeat([None, None]),
            ignored_before: None,
            decisions: Vec::new(),
            said: Vec::new(),
        };
        let has_setup =
            dialect.greeting(false).iter().any(|greeting| matches!(greeting.slot, Slot::Setup(_)));
        if !has_setup {
            model.facts.setup = Some(crate::rules::Setup::default());
        }
        model.open_table();
        model
    }

    /// A game whose facts are known from the start: forced names, or urtext being the referee itself.
    #[must_use]
    pub fn with_facts(mut self, facts: Facts) -> Model {
        let setup = facts.setup.or(self.facts.setup);
        self.facts = Facts { setup, ..facts };
        self.open_table();
        self
    }

    /// Whether what the seat sends is reported by [`Model::sent`], changed when a lane turns out to tell it or not.
    pub fn set_sees_sent(&mut self, seat: Seat, sees: bool) {
        self.sees_sent[seat] = sees;
    }

    /// Says that a player's lane belongs to this seat, where that is known before the handshake.
    pub fn assign(&mut self, lane: usize, seat: Seat) {
        self.lanes[lane].seat = Some(seat);
        // What has happened before was predicted on the lanes that had an owner then.
        let mut told = Vec::new();
        for (happening, &grounds) in self.history.iter().zip(&self.grounds) {
            self.dialect.tell(happening, Party::Player(seat), &mut told);
            self.lanes[lane].due.extend(told.drain(..).map(|told| (told, grounds)));
        }
    }

    fn open_table(&mut self) {
        if self.table.is_none()
            && let Some(setup) = self.facts.setup
        {
            self.table = Some(self.dialect.game().table(setup));
        }
    }

    /// The dialect that predicts.
    #[must_use]
    pub fn dialect(&self) -> &'static dyn Dialect {
        self.dialect
    }

    /// The game so far; `None` while the handshake has not told how it starts.
    #[must_use]
    pub fn table(&self) -> Option<&dyn Table> {
        self.table.as_deref()
    }

    /// What the handshake has told.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Everything that has happened, in order.
    #[must_use]
    pub fn history(&self) -> &[Happening] {
        &self.history
    }

    /// Whether the game has ended, by a win or a loss.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Whose lane it is, once that is known.
    #[must_use]
    pub fn party(&self, lane: usize) -> Option<Party> {
        match self.lanes[lane].kind {
            LaneKind::Spectator => Some(Party::Spectator),
            LaneKind::Player => self.lanes[lane].seat.map(Party::Player),
        }
    }

    /// The lane of a seat, once that is known.
    #[must_use]
    pub fn lane_of(&self, seat: Seat) -> Option<usize> {
        self.lanes.iter().position(|lane| lane.seat == Some(seat))
    }

    /// How many lines the lane has received.
    #[must_use]
    pub fn received(&self, lane: usize) -> u64 {
        self.lanes[lane].received
    }

    /// Whether the handshake is complete on every lane.
    #[must_use]
    pub fn is_greeted(&self) -> bool {
        (0..self.lanes.len()).all(|lane| self.lanes[lane].is_apart || self.next_greeting(lane).is_none())
    }

    /// Whether every lane has received all that it must have by now. A roll that is yet to come does not count.
    #[must_use]
    pub fn is_caught_up(&self) -> bool {
        self.is_greeted()
            && self.lanes.iter().all(|lane| lane.due.iter().all(|(told, _)| told.duty == Duty::May))
    }

    /// The seat that has to move now, if the game waits for a move.
    #[must_use]
    pub fn awaits_move_of(&self) -> Option<Seat> {
        let table = self.table()?;
        // A line that may be no move leaves him on turn as long as nothing tells otherwise.
        let may_be_on_turn =
            self.undecided.as_ref().is_none_or(|open| open.may_leave_the_turn() && open.open.mv.is_none());
        let waits = !self.is_over && may_be_on_turn && table.phase() == Phase::Move;
        waits.then(|| table.to_move())
    }

    /// Whether the game waits for a roll.
    #[must_use]
    pub fn awaits_roll(&self) -> bool {
        !self.is_over
            && self.undecided.is_none()
            && self.table().is_some_and(|table| table.phase() == Phase::Roll)
    }

    fn next_greeting(&self, lane: usize) -> Option<super::Greeting> {
        let lane = &self.lanes[lane];
        self.dialect.greeting(lane.kind == LaneKind::Spectator).get(lane.greeted).copied()
    }

    /// Takes a line that a lane received from the referee.
    ///
    /// # Errors
    /// How it differs from what is predicted. The line is counted; the model stays where it was.
    pub fn receive(&mut self, lane: usize, line: &Line) -> Result<Received, Box<Deviation>> {
        self.lanes[lane].received += 1;
        if self.lanes[lane].is_apart {
            return Ok(Received::Apart);
        }
        if line.ending != LineEnding::Newline {
            let mut deviation = self.deviation(lane, Some(line));
            deviation.requirement = self.dialect.newline_requirement();
            return Err(deviation);
        }
        if let Some(greeting) = self.next_greeting(lane) {
            return self.receive_greeting(lane, greeting, line);
        }
        if self.undecided.is_some() && self.lanes[lane].due.is_empty() {
            self.decide(lane, line);
        }
        while let Some((told, _)) = self.lanes[lane].due.front() {
            let (duty, requirement, is_it) = (told.duty, told.requirement, told.line == line.text);
            if is_it {
                self.lanes[lane].due.pop_front();
                let is_loss = duty == Duty::Must && self.dialect.hear(&line.text) == Heard::Loss;
                if let Some(requirement) = self.retired_on_turn.filter(|_| is_loss) {
                    self.retired_on_turn = None;
                    self.decisions
                        .push((requirement, "the player was retired when its turn came".to_owned()));
                }
                return Ok(if duty == Duty::May { Received::Open(requirement) } else { Received::Due });
            }
            if duty == Duty::Must {
                return Err(self.deviation(lane, Some(line)));
            }
            self.lanes[lane].due.pop_front();
        }
        let decided = self.concede(lane, line);
        let news = if decided.is_some() { None } else { self.learn(lane, line) };
        if news.is_none() && decided.is_none() {
            return Err(self.deviation(lane, Some(line)));
        }
        // This lane has just shown what the prediction would have it receive.
        if self.lanes[lane].due.front().is_some_and(|(told, _)| told.line == line.text) {
            let told = self.lanes[lane].due.pop_front().map(|(told, _)| told);
            if let Some(told) = told.filter(|told| told.duty == Duty::May) {
                return Ok(Received::Open(told.requirement));
            }
        }
        Ok(match (decided, news) {
            (Some(requirement), _) => Received::Decided(requirement),
            (None, Some(news)) => Received::News(news),
            (None, None) => unreachable!("a line that tells nothing is a deviation"),
        })
    }

    fn receive_greeting(
        &mut self,
        lane: usize,
        greeting: super::Greeting,
        line: &Line,
    ) -> Result<Received, Box<Deviation>> {
        let read = self.dialect.read_greeting(greeting.slot, &line.text, &mut self.facts);
        let seat = match read {
            Ok(seat) => seat,
            Err(requirement) => {
                let mut deviation = self.deviation(lane, Some(line));
                deviation.requirement = requirement;
                return Err(deviation);
            }
        };
        if let Some(seat) = seat {
            let taken = self.lane_of(seat).is_some_and(|other| other != lane);
            if taken || self.lanes[lane].seat.is_some_and(|known| known != seat) {
                return Err(self.deviation(lane, Some(line)));
            }
            if self.lanes[lane].seat.is_none() {
                self.assign(lane, seat);
            }
        }
        self.lanes[lane].greeted += 1;
        self.open_table();
        Ok(Received::Greeting)
    }

    /// Learns from a line that no prediction covers: a roll, or a move that no other lane has told.
    fn learn(&mut self, lane: usize, line: &Line) -> Option<Happening> {
        if self.is_over {
            return None;
        }
        let table = self.table.as_deref()?;
        let heard = self.dialect.hear(&line.text);
        match (table.phase(), heard) {
            (Phase::Roll, Heard::Roll(roll)) => Some(self.roll(roll)),
            (Phase::Move, heard) => {
                let by = table.to_move();
                let may_tell =
                    self.lanes[lane].seat != Some(by) || self.dialect.no_echo_requirement().is_none();
                if self.sees_sent[by] || !may_tell {
                    return None;
                }
                match heard {
                    Heard::Move(mv) if table.check(mv).is_ok() => Some(self.play(by, mv)),
                    Heard::Loss => Some(self.lose(by, Cause::Unseen)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Follows the referee where the specification leaves open what it makes of a line sent off turn, or when it takes notice
    /// of a player who has gone away. Returns the id of the entry that leaves it open.
    fn concede(&mut self, lane: usize, line: &Line) -> Option<&'static str> {
        if self.is_over {
            return None;
        }
        match self.dialect.hear(&line.text) {
            Heard::Loss => {
                let may_lose = |&seat: &Seat| self.may_lose[seat].is_some();
                // Of two the one on turn is meant: only its lines are read now.
                let on_turn = self.table().map(Table::to_move);
                let seat = on_turn.into_iter().chain(Seat::BOTH).find(may_lose)?;
                let (cause, requirement) = self.may_lose[seat]?;
                let is_on_turn = on_turn == Some(seat);
                let when = if is_on_turn { "when its turn came" } else { "before its turn came" };
                self.decisions.push((requirement, format!("the player was retired {when}")));
                self.lose(seat, cause);
                Some(requirement)
            }
            Heard::Move(mv) => {
                let seat = self.awaits_move_of()?;
                let kept = self.kept[seat].front()?;
                let meant = self.dialect.read_said(&kept.text).possible_move();
                let may_show =
                    self.lanes[lane].seat != Some(seat) || self.dialect.no_echo_requirement().is_none();
                if meant != Some(mv) || self.check(mv).is_err() || !may_show {
                    return None;
                }
                let requirement = kept.requirement;
                self.take_kept(seat, mv, requirement);
                Some(requirement)
            }
            // Who has sent a line in advance is not told of its own move, and the next that it sees is a roll.
            Heard::Roll(_) => {
                let seat = self.awaits_move_of().filter(|&seat| self.lanes[lane].seat == Some(seat))?;
                let kept = self.kept[seat].front()?;
                let mv = self.dialect.read_said(&kept.text).possible_move()?;
                let requirement = kept.requirement;
                self.check(mv).ok()?;
                self.take_kept(seat, mv, requirement);
                // The roll itself is news.
                None
            }
            _ => None,
        }
    }

    fn take_kept(&mut self, seat: Seat, mv: Move, requirement: &'static str) {
        self.kept[seat].pop_front();
        self.play(seat, mv);
        self.decisions.push((requirement, "the line was kept and taken when the turn came".to_owned()));
    }

    /// What the referee has made of things that the specification leaves open, since this was asked last: id of the entry and
    /// what was seen.
    pub fn take_decisions(&mut self) -> Vec<(&'static str, String)> {
        std::mem::take(&mut self.decisions)
    }

    /// Takes the roll of the turn that begins, and predicts it on every lane.
    ///
    /// # Panics
    /// Where no roll is awaited.
    pub fn roll(&mut self, roll: Roll) -> Happening {
        let table = self.table.as_deref_mut().expect("a game that awaits a roll has a table");
        let by = table.to_move();
        let turn = table.turn_ground();
        let skipped = !table.take_roll(roll);
        let happening = Happening::Rolled { by, roll, skipped };
        self.predict(happening, Grounds { mv: None, turn });
        self.retire_gone();
        happening
    }

    /// A player who has gone away loses once a move of his is due.
    fn retire_gone(&mut self) {
        if let Some(seat) = self.awaits_move_of().filter(|&seat| self.is_gone[seat]) {
            self.lose(seat, Cause::HangUp);
            self.retired_on_turn = Some(self.dialect.gone_off_turn());
        }
    }

    fn play(&mut self, by: Seat, mv: Move) -> Happening {
        let turn = Some(self.turn_ground().unwrap_or(self.dialect.first_turn_requirement()));
        self.ignored_before = self.ignored_ground();
        self.undecided = None;
        self.ignored[by] = None;
        let table = self.table.as_deref_mut().expect("a game that awaits a move has a table");
        let grounds = Grounds { mv: table.move_ground(mv), turn };
        table.play(mv).expect("the move was checked");
        let wins = matches!(table.phase(), Phase::Over(_));
        self.is_over |= wins;
        if self.is_gone[by] {
            self.may_lose[by] = Some((Cause::HangUp, self.dialect.gone_off_turn()));
        }
        let happening = Happening::Moved { by, mv, wins };
        self.predict(happening, grounds);
        self.retire_gone();
        happening
    }

    fn lose(&mut self, by: Seat, cause: Cause) -> Happening {
        let turn = self.turn_ground();
        self.undecided = None;
        let mv = if let Cause::Invalid(requirement) = cause { Some(requirement) } else { None };
        self.is_over = true;
        let happening = Happening::Lost { by, cause };
        self.predict(happening, Grounds { mv, turn });
        happening
    }

    /// By which requirement the turn stands where it stands: by that of a line that was ignored, if there was one.
    fn turn_ground(&self) -> Option<&'static str> {
        self.ignored_ground().or(self.table()?.turn_ground())
    }

    /// Whether a line was to be ignored that was sent since its sender's last move.
    #[must_use]
    pub fn has_ignored(&self) -> bool {
        self.ignored_ground().is_some()
    }

    /// By which requirement a line was to be ignored between the last two moves, if there was one.
    #[must_use]
    pub fn ignored_before_last_move(&self) -> Option<&'static str> {
        self.ignored_before
    }

    /// Id of the requirement that makes the last move more than an ordinary step, if one does.
    #[must_use]
    pub fn ground_of_last_move(&self) -> Option<&'static str> {
        self.grounds.last()?.mv
    }

    /// Whether the turn before the one that is being played was a player's second in a row, and was skipped.
    #[must_use]
    pub fn is_extra_turn_skipped(&self) -> bool {
        let is_before_turn =
            |&at: &usize| matches!(self.history[at], Happening::Rolled { skipped: true, .. });
        let Some(at) = (0..self.history.len()).rev().take(3).find(is_before_turn) else { return false };
        let before = at.checked_sub(1).map(|at| self.history[at]);
        matches!(before, Some(Happening::Moved { by, .. }) if by == self.history[at].by())
    }

    /// By which requirement a line was to be ignored that was sent since its sender's last move.
    fn ignored_ground(&self) -> Option<&'static str> {
        let on_turn = self.table()?.to_move();
        self.ignored[on_turn].or(self.ignored[on_turn.other()])
    }

    fn predict(&mut self, happening: Happening, grounds: Grounds) {
        self.history.push(happening);
        self.grounds.push(grounds);
        let mut told = Vec::new();
        for index in 0..self.lanes.len() {
            if self.lanes[index].is_apart {
                continue;
            }
            let Some(party) = self.party(index) else { continue };
            self.dialect.tell(&happening, party, &mut told);
            self.lanes[index].due.extend(told.drain(..).map(|told| (told, grounds)));
        }
    }

    /// Takes a line that the participant of a lane sent, without its newline.
    pub fn sent(&mut self, lane: usize, text: &[u8]) -> Answered {
        match self.lanes[lane].seat {
            Some(seat) => self.said(seat, text),
            None => Answered::OffTurn,
        }
    }

    /// Takes a line that a player sent, without its newline.
    pub fn said(&mut self, seat: Seat, text: &[u8]) -> Answered {
        if self.awaits_move_of() != Some(seat) {
            // Who is told his own move knows by that that his turn is over.
            let is_told =
                |lane: usize| self.dialect.no_echo_requirement().is_none() && self.lanes[lane].due.is_empty();
            let is_second = self.undecided.as_ref().is_some_and(|open| open.by == seat)
                || matches!(self.history.last(), Some(&Happening::Moved { by, .. }) if by == seat)
                    && !self.lane_of(seat).is_some_and(is_told);
            let becomes = if is_second { self.dialect.second_line() } else { self.dialect.off_turn() };
            match becomes {
                _ if self.is_over => {}
                OffTurn::Open(requirement) => {
                    self.kept[seat].push_back(Kept { text: text.to_vec(), requirement });
                    self.may_lose[seat] = Some((Cause::Invalid(requirement), requirement));
                }
                OffTurn::Ignored(requirement) => self.ignored[seat] = Some(requirement),
            }
            return Answered::OffTurn;
        }
        // What came off turn was not used for this turn.
        self.kept[seat].clear();
        self.may_lose[seat] = None;
        text.clone_into(&mut self.said);
        match self.dialect.read_said(text) {
            Said::Move(mv) => match self.check(mv) {
                Ok(()) if self.undecided.is_some() => self.move_after_open(mv),
                Ok(()) => {
                    self.play(seat, mv);
                    Answered::Moved(mv)
                }
                Err(requirement) => self.lost(seat, Cause::Invalid(requirement)),
            },
            Said::Invalid(requirement) => self.lost(seat, Cause::Invalid(requirement)),
            Said::Ignored(requirement) => {
                self.ignored[seat] = Some(requirement);
                Answered::Ignored(requirement)
            }
            Said::Open(open) => self.open(seat, text, open),
        }
    }

    fn lost(&mut self, by: Seat, cause: Cause) -> Answered {
        self.lose(by, cause);
        Answered::Lost(cause)
    }

    fn check(&self, mv: Move) -> Result<(), &'static str> {
        self.table()
            .expect("a game that awaits a move has a table")
            .check(mv)
            .map_err(|refusal| refusal.requirement)
    }

    /// Takes it that the player on turn let the timeout pass, or hung up: he has sent no valid move.
    ///
    /// # Panics
    /// Where the seat is not on turn.
    pub fn forfeit(&mut self, seat: Seat, cause: Cause) {
        assert_eq!(self.awaits_move_of(), Some(seat), "only the player on turn can forfeit");
        self.lose(seat, cause);
    }

    /// Takes it that a participant went away. A player who was on turn forfeits; another one loses when his turn comes, or
    /// earlier: that is open. `still_reads`: the lane goes on receiving. `unfinished`: the line that was begun and not ended; the
    /// dialect may leave open whether it counts.
    pub fn leave(&mut self, lane: usize, still_reads: bool, unfinished: &[u8]) {
        if !still_reads {
            self.set_apart(lane);
        }
        let Some(seat) = self.lanes[lane].seat else { return };
        self.is_gone[seat] = true;
        if self.awaits_move_of() == Some(seat) {
            let mv = self.dialect.read_said(unfinished).possible_move();
            match (mv.filter(|&mv| self.check(mv).is_ok()), self.dialect.unfinished_line()) {
                (Some(_), Some(requirement)) => {
                    self.open(
                        seat,
                        unfinished,
                        Open { mv, may_lose: true, may_be_ignored: false, requirement },
                    );
                }
                _ => drop(self.lose(seat, Cause::HangUp)),
            }
        } else if !self.is_over {
            self.may_lose[seat] = Some((Cause::HangUp, self.dialect.gone_off_turn()));
        }
    }

    /// Says that a lane is not there from the beginning, or not any more: nothing is predicted for it line by line.
    pub fn set_apart(&mut self, lane: usize) {
        self.lanes[lane].is_apart = true;
        self.lanes[lane].due.clear();
    }

    /// Whether a line sent off turn may have been kept for the turn of this player: id of the entry that leaves it open.
    #[must_use]
    pub fn may_have_kept(&self, seat: Seat) -> Option<&'static str> {
        self.kept[seat].front().map(|kept| kept.requirement)
    }

    /// Whether somebody may be told to have lost at any time.
    #[must_use]
    pub fn may_lose(&self) -> bool {
        Seat::BOTH.into_iter().any(|seat| self.may_lose[seat].is_some())
    }

    /// Whether the player has gone away.
    #[must_use]
    pub fn is_gone(&self, seat: Seat) -> bool {
        self.is_gone[seat]
    }

    /// Everything that a party has to be told from the beginning to now, and how many lines of it are the handshake.
    #[must_use]
    pub fn whole_stream(&self, party: Party) -> (Vec<Told>, usize) {
        let greeting = self.dialect.greeting(party == Party::Spectator);
        let greet = |greeting: &super::Greeting| {
            let line = self.dialect.write_greeting(greeting.slot, party, &self.facts)?;
            Some(Told { line, requirement: greeting.requirement, duty: Duty::Must })
        };
        let mut told: Vec<Told> = greeting.iter().filter_map(greet).collect();
        for happening in &self.history {
            self.dialect.tell(happening, party, &mut told);
        }
        (told, greeting.len())
    }

    /// Takes the next line that the lane has to be told, for whoever plays the referee: the handshake first.
    pub fn take_due(&mut self, lane: usize) -> Option<Told> {
        if let Some(greeting) = self.next_greeting(lane) {
            let line = self.dialect.write_greeting(greeting.slot, self.party(lane)?, &self.facts)?;
            self.lanes[lane].greeted += 1;
            self.lanes[lane].received += 1;
            return Some(Told { line, requirement: greeting.requirement, duty: Duty::Must });
        }
        loop {
            let (told, _) = self.lanes[lane].due.pop_front()?;
            if told.duty == Duty::Must {
                self.lanes[lane].received += 1;
                return Some(told);
            }
        }
    }

    /// What the lane still has to receive before the game can go on, as a deviation with nothing received.
    #[must_use]
    pub fn missing(&self, lane: usize) -> Option<Box<Deviation>> {
        if self.lanes[lane].is_apart {
            return None;
        }
        let is_owed = self.next_greeting(lane).is_some()
            || self.lanes[lane].due.iter().any(|(told, _)| told.duty == Duty::Must)
            || self.awaits_roll()
            || self.undecided.as_ref().is_some_and(|undecided| !undecided.may_leave_the_turn());
        is_owed.then(|| self.deviation(lane, None))
    }

    /// What a lane has not received yet and gets in the end, as a deviation in time alone: the line itself is as it has to be, so that no rule
    /// by which it might have been missing is named.
    #[must_use]
    pub fn overdue(&self, lane: usize) -> Option<Box<Deviation>> {
        let mut missing = self.missing(lane)?;
        let due = self.lanes[lane].due.iter().find(|(told, _)| told.duty == Duty::Must);
        let of_roll = || self.awaits_roll().then(|| self.dialect.roll_requirements()[0]);
        let by_itself = match self.next_greeting(lane) {
            Some(_) => None,
            None => due.map(|(told, _)| told.requirement).or_else(of_roll),
        };
        missing.requirement = by_itself.unwrap_or(missing.requirement);
        Some(missing)
    }

    /// That a lane ends here although the game goes on, as a deviation with nothing received.
    #[must_use]
    pub fn ended_early(&self, lane: usize) -> Box<Deviation> {
        self.deviation(lane, None)
    }

    fn deviation(&self, lane: usize, line: Option<&Line>) -> Box<Deviation> {
        let state = &self.lanes[lane];
        let heard = line.map(|line| self.dialect.hear(&line.text));
        let turn = self.turn_ground();
        let no_roll = || match line {
            Some(line) => self.dialect.no_roll_requirement(&line.text),
            None => self.dialect.roll_requirements()[0],
        };
        let due = state.due.iter().find(|(told, _)| told.duty == Duty::Must);
        let echoed = match (self.history.last(), heard) {
            (Some(&Happening::Moved { by, mv, .. }), Some(Heard::Move(heard)))
                if heard == mv && state.seat == Some(by) =>
            {
                self.dialect.no_echo_requirement()
            }
            _ => None,
        };
        let (expected, requirement, grounds) = if let Some(greeting) = self.next_greeting(lane) {
            (self.expected_greeting(lane, greeting), greeting.requirement, Grounds::default())
        } else if self.is_surplus_greeting(lane, heard) {
            let ends = self.dialect.greeting_ends(state.kind == LaneKind::Spectator);
            (self.expected_roll(), ends, Grounds::default())
        } else if let Some((told, grounds)) = due {
            let requirement = self.blame(lane, told, *grounds, line.zip(heard));
            (Expected::Line(told.line.clone()), requirement, *grounds)
        } else if self.is_over {
            let is_lost = matches!(self.history.last(), Some(Happening::Lost { .. }));
            let is_passed_on = is_lost && line.is_some_and(|line| line.text == self.said);
            let requirement = match is_passed_on {
                true => self.dialect.not_passed_on_requirement(),
                false => self.dialect.nothing_after_requirement(is_lost),
            };
            (Expected::NothingMore, requirement, Grounds { mv: None, turn })
        } else if self.awaits_roll() {
            let to_move = self.table().map(Table::to_move);
            let requirement = match self.history.last() {
                Some(Happening::Rolled { skipped: true, .. }) => turn,
                Some(&Happening::Moved { by, .. }) if to_move == Some(by) && line.is_none() => {
                    self.dialect.new_roll_requirement()
                }
                _ => None,
            };
            (self.expected_roll(), requirement.unwrap_or_else(no_roll), Grounds { mv: None, turn })
        } else if let Some(Undecided { open, later, .. }) = &self.undecided {
            let expected = match (open.mv.or(*later), open.may_lose) {
                (Some(mv), false) => Expected::Line(self.dialect.write_move(mv)),
                _ => Expected::Kind("the move or the loss".to_owned()),
            };
            // A legal move that was sent after it has to be answered, whatever the open line was.
            let requirement = later.map_or(open.requirement, |_| self.dialect.move_awaited_requirement());
            (expected, requirement, Grounds { mv: None, turn })
        } else {
            let requirement = match (heard, self.ignored_ground()) {
                (Some(Heard::Other), _) => self.dialect.nothing_else_requirement(),
                // The player is on turn still because a line was to be ignored.
                (_, Some(requirement)) => requirement,
                _ => self.dialect.move_awaited_requirement(),
            };
            (Expected::NothingYet, requirement, Grounds { mv: None, turn })
        };
        Box::new(Deviation {
            lane,
            line_number: state.received + u64::from(line.is_none()),
            requirement: echoed.unwrap_or(requirement),
            grounds,
            expected,
            received: line.map(|line| (line.text.clone(), line.ending)),
            heard,
        })
    }

    /// Whether a line where the first roll is due looks like one more line of the handshake.
    fn is_surplus_greeting(&self, lane: usize, heard: Option<Heard>) -> bool {
        let state = &self.lanes[lane];
        let due = state.due.front().map(|(told, _)| self.dialect.hear(&told.line));
        let is_roll_due = due.map_or(self.awaits_roll(), |due| matches!(due, Heard::Roll(_)));
        state.received == state.greeted as u64 + 1 && is_roll_due && matches!(heard, Some(Heard::Move(_)))
    }

    /// Whether another lane has been told that the game is lost.
    fn is_loss_told(&self, lane: usize) -> bool {
        let Some(Happening::Lost { by, .. }) = self.history.last() else { return false };
        (0..self.lanes.len()).any(|other| {
            other != lane && self.party(other) != Some(Party::Player(*by)) && self.lanes[other].due.is_empty()
        })
    }

    /// Whether another lane has been told of the last happening in these words: then it is the telling that is missing here.
    #[must_use]
    pub fn is_told_elsewhere(&self, lane: usize, line: &[u8]) -> bool {
        let Some(happening) = self.history.last() else { return false };
        (0..self.lanes.len()).filter(|&other| other != lane && !self.lanes[other].is_apart).any(|other| {
            let mut told = Vec::new();
            if let Some(party) = self.party(other) {
                self.dialect.tell(happening, party, &mut told);
            }
            let is_due = self.lanes[other].due.iter().any(|(due, _)| due.line == line);
            told.iter().any(|told| told.line == line) && !is_due
        })
    }

    /// The requirement that the most telling ground names, by what came in place of the line that was due.
    fn blame(
        &self,
        lane: usize,
        told: &Told,
        grounds: Grounds,
        came: Option<(&Line, Heard)>,
    ) -> &'static str {
        let ground = match (self.dialect.hear(&told.line), came.map(|(_, heard)| heard)) {
            (Heard::Loss, Some(Heard::Loss)) => None,
            (Heard::Loss, Some(Heard::Other)) => {
                grounds.mv.filter(|_| came.is_some_and(|(line, _)| line.text == self.said))
            }
            // Where others have been told, the referee knows that the move loses.
            (Heard::Loss, None) if self.is_loss_told(lane) => None,
            (Heard::Loss, _) => grounds.mv,
            (Heard::Move(_), Some(Heard::Loss)) => grounds.mv.or(grounds.turn),
            (Heard::Move(_), None) if self.is_told_elsewhere(lane, &told.line) => None,
            (Heard::Move(_), Some(Heard::Other)) => self
                .dialect
                .move_format_requirement()
                .filter(|_| came.is_some_and(|(line, _)| line.text.eq_ignore_ascii_case(&told.line))),
            // A winning move that nobody is told of says nothing about whose turn it was.
            (Heard::Move(_), None) => grounds.turn.filter(|_| !self.is_over),
            _ => None,
        };
        ground.unwrap_or(told.requirement)
    }

    fn expected_roll(&self) -> Expected {
        Expected::Kind(self.dialect.game().roll_syntax().to_owned())
    }

    fn expected_greeting(&self, lane: usize, greeting: super::Greeting) -> Expected {
        let mut free = Seat::BOTH.into_iter().filter(|&seat| self.lane_of(seat).is_none());
        let last_free = free.next().filter(|_| free.next().is_none()).map(Party::Player);
        let party = match (self.party(lane), greeting.slot) {
            (None, Slot::OwnSeat) => last_free,
            // Whoever it is, he is told the same.
            (None, _) => Some(Party::Player(Seat::First)),
            (known, _) => known,
        };
        let line = party.and_then(|party| self.dialect.write_greeting(greeting.slot, party, &self.facts));
        line.map_or_else(|| Expected::Kind(greeting.syntax.to_owned()), Expected::Line)
    }
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;
