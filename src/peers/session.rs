//! One game of the built-in referee.

use std::future::pending;
use std::time::Duration;

use super::Desk;
use super::machine::Arrival;
use super::output::{Occasion, Output, Turn};
use super::referee::{MoveClock, Referee, parties};
use crate::pack::spoiler::{FramingFault, NewTime, OffTurnLine, RollFault, Spoiler, When};
use crate::protocol::{Cause, Facts, GameEvent, Line, LineEnding, OffTurn, Party, PlayerLine};
use crate::rules::{Move, PerSeat, Phase, Roll, Seat, Setup, Table};

/// Maximum number of off-turn lines that are skipped at once before a turn begins.
const PASSED_OVER: usize = 256;

/// Time within which the end of a stream comes with its last line.
const END_COMES_WITH: Duration = Duration::from_millis(2);

/// One game under way.
pub(super) struct Session<'a> {
    referee: &'a mut Referee,
    desk: Desk,
    output: Output,
    /// The lanes of the players, by seat; those of the spectators follow them.
    players: PerSeat<usize>,
    spectators: usize,
    setup: Setup,
    table: Box<dyn Table>,
    turn: Turn,
    /// The player of the last turn.
    mover: Option<Seat>,
    next_turn: Duration,
    clock: MoveClock,
    /// True if lines off turn are read and ignored, and not kept for their sender's turn.
    ignores_off_turn: bool,
    /// Lanes that have ended while their participant was not on turn, as far as they were looked at.
    ended: Vec<usize>,
    /// The roll of the last turn that was not skipped, and its player.
    last_roll: Option<(Roll, Seat)>,
    /// True if the last turn was skipped.
    is_skipped: bool,
    /// True if a line was too long for a referee at fault.
    gives_up: bool,
}

/// Loss before the end of the game.
type Loss = (Seat, Cause);

/// A move that is accepted: as it is played, and as the others are shown it, which differs only for a faulty referee.
type Accepted = (Move, Move);

impl<'a> Session<'a> {
    pub(super) fn new(referee: &'a mut Referee, desk: Desk, spectators: usize) -> Session<'a> {
        let setup = referee.next_setup();
        let (timeout, fault) = referee.timing();
        let kept = Spoiler::OffTurn(OffTurnLine::Kept);
        let output = referee.output;
        let is_ignored = matches!(output.dialect.off_turn(), OffTurn::Ignored(_));
        for spoiler in output.spoilers {
            if let Spoiler::Framing(fault) = spoiler {
                (0..2).for_each(|lane| desk.misframe(lane, *fault));
            }
        }
        Session {
            output,
            table: referee.table(setup),
            clock: MoveClock::new(timeout, fault, desk.now()),
            ignores_off_turn: is_ignored && !output.has(kept),
            referee,
            desk,
            players: PerSeat([0, 1]),
            spectators,
            setup,
            turn: Turn::default(),
            mover: None,
            next_turn: Duration::ZERO,
            ended: Vec::new(),
            last_roll: None,
            is_skipped: false,
            gives_up: false,
        }
    }

    /// Plays the game; returns the event that ended it, or `None` if the referee gives up.
    pub(super) async fn play(&mut self) -> Option<GameEvent> {
        self.greet().await;
        loop {
            let by = self.table.to_move();
            let has_rolls = self.table.phase() == Phase::Roll;
            let is_extra = self.mover.replace(by) == Some(by);
            self.turn = Turn {
                by: Some(by),
                follows_skip: self.is_skipped,
                follows_kind: self.turn.kind,
                ..Turn::new(self.turn.number + 1, is_extra)
            };
            if self
                .output
                .any(|spoiler| matches!(spoiler, Spoiler::Exits(when) if when.holds(self.turn)))
            {
                return None;
            }
            // The clock's coarse ticks would make each turn take one even without a pace.
            if self.next_turn > self.desk.now() {
                self.desk.sleep_until(self.next_turn).await;
            }
            let mut end = self.play_turn(by, has_rolls).await;
            if self.gives_up {
                return None;
            }
            if let Err((by, cause)) = end {
                let event = GameEvent::Lost { by, cause };
                self.tell(event).await;
                end = Ok(Some(event));
            }
            if let Ok(Some(event)) = end {
                self.follow_end(event).await;
                return Some(event);
            }
            self.next_turn = self.desk.now() + self.referee.pace();
        }
    }

    /// Plays a turn; returns its event if the game is over by the rules.
    async fn play_turn(&mut self, by: Seat, has_rolls: bool) -> Result<Option<GameEvent>, Loss> {
        if has_rolls && !self.roll(by).await? {
            return Ok(None);
        }
        let (played, mv) = self.awaited_move(by).await?;
        self.clock.stop(by, self.desk.now());
        if self.ignores_off_turn {
            self.pass_over(by.other()).await;
        }
        self.turn.kind = self.meant_kind(played);
        self.table.play(played).expect("the move was checked");
        let result = self.table.phase().result();
        let event = GameEvent::Moved { by, mv, result };
        self.tell(event).await;
        Ok(result.map(|_| event))
    }

    /// The kind of a move that a spoiler means, if the move has it.
    fn meant_kind(&self, mv: Move) -> Option<&'static str> {
        let mut spoilers = self.output.spoilers.iter();
        spoilers.find_map(|spoiler| match spoiler {
            Spoiler::Line(_, When::Kind(kind), ..)
            | Spoiler::Untimed(When::AfterKind(kind))
            | Spoiler::KeepsClock(When::AfterKind(kind))
                if self.table.is_of_kind(mv, kind) =>
            {
                Some(*kind)
            }
            _ => None,
        })
    }

    async fn greet(&mut self) {
        if self.output.has(Spoiler::Silent) {
            pending::<()>().await;
        }
        let PerSeat([first, second]) = &self.referee.conditions.names;
        let facts = Facts::with_names(first.as_slice(), second.as_slice()).with_setup(self.setup);
        self.send_all(|output, party| output.greeting(party, &facts))
            .await;
        if self.output.has(Spoiler::SwapsPlayers) {
            self.players.0.reverse();
        }
    }

    async fn tell(&self, event: GameEvent) {
        self.send_all(|output, party| output.event(event, self.turn, party))
            .await;
    }

    /// Sends what only a referee at fault sends after the end of the game.
    async fn follow_end(&mut self, end: GameEvent) {
        let ended = Occasion::Ended(end);
        self.send_all(|output, party| output.lines(ended, self.turn, party, Vec::new()))
            .await;
        let rolls = |spoiler: &Spoiler| matches!(spoiler, Spoiler::RollAfter(on) if on.matches(Occasion::Event(end)));
        if self.output.any(rolls) {
            let game = self.output.dialect.game();
            let by = end.by().other();
            let roll = self.referee.rolls.next(|random| game.draw_roll(random));
            let skipped = false;
            self.tell(GameEvent::Rolled { by, roll, skipped }).await;
        }
    }

    async fn send_all(&self, bytes: impl Fn(&Output, Party) -> Vec<u8>) {
        for (party, lane) in parties(self.players, self.spectators) {
            let bytes = bytes(&self.output, party);
            if !bytes.is_empty() {
                self.desk.send(lane, &bytes).await;
            }
        }
    }

    /// Rolls for the player on turn. Returns `false` if the turn is skipped; fails only where the fault is to wait for a move
    /// that is not possible.
    async fn roll(&mut self, by: Seat) -> Result<bool, Loss> {
        let game = self.output.dialect.game();
        let is_kept = |&(_, before): &(Roll, Seat)| {
            before == by && self.output.has(Spoiler::Roll(RollFault::KeepsRoll))
        };
        let kept = self.last_roll.filter(is_kept);
        let roll = match kept {
            Some((roll, _)) => roll,
            None => self.referee.rolls.next(|random| game.draw_roll(random)),
        };
        let before = (!self.output.spoilers.is_empty()).then(|| self.table.fork());
        let mut skipped = !self.table.take_roll(roll);
        let rerolls = skipped && self.turn.is_extra;
        if rerolls && self.output.has(Spoiler::Roll(RollFault::RerollsExtraTurn)) {
            self.table = before.expect("the referee is at fault");
        } else if self.output.has(Spoiler::Roll(RollFault::SkipsSingleMove))
            && self.table.legal_moves().len() == 1
        {
            // As the rules do with the least roll.
            self.table = before.expect("the referee is at fault");
            skipped = !self.table.take_roll(game.kinds_of_roll()[0]);
        }
        self.last_roll = (!skipped).then_some((roll, by));
        if kept.is_none() {
            self.tell(GameEvent::Rolled { by, roll, skipped }).await;
        }
        self.is_skipped = skipped;
        if skipped {
            self.clock.skip(by, self.desk.now());
            if self.output.has(Spoiler::Roll(RollFault::AwaitsMove)) {
                let mut deadline = self.deadline(by);
                loop {
                    self.awaited_line(by, &mut deadline).await?;
                }
            }
        }
        Ok(!skipped)
    }

    /// Returns the deadline of the turn that begins; `None` if there is none.
    fn deadline(&mut self, by: Seat) -> Option<Duration> {
        let keeps = |spoiler: &Spoiler| matches!(spoiler, Spoiler::KeepsClock(when) if when.holds(self.turn));
        let keeps = self.output.any(keeps);
        let deadline = self.clock.start(by, keeps, self.desk.now());
        let is_untimed =
            |spoiler: &Spoiler| matches!(spoiler, Spoiler::Untimed(when) if when.holds(self.turn));
        deadline.filter(|_| !self.output.any(is_untimed))
    }

    /// Gives the turn new time, if the fault is to give it for this reason.
    fn restart(&self, reason: NewTime, deadline: &mut Option<Duration>) {
        if self.output.has(Spoiler::NewTime(reason)) {
            *deadline = self.clock.restart(self.desk.now());
        }
    }

    /// The lanes that are looked at while a line is awaited: that of the player on turn, that of the opponent where its lines are
    /// ignored, and those for which a referee at fault gives new time.
    fn watched(&self, by: Seat) -> Vec<usize> {
        let mut lanes = vec![self.players[by]];
        let gives = |reason| self.output.has(Spoiler::NewTime(reason));
        if self.ignores_off_turn || gives(NewTime::OffTurnLine) || gives(NewTime::HangUp) {
            lanes.push(self.players[by.other()]);
        }
        if gives(NewTime::Spectator) {
            lanes.extend(2..2 + self.spectators);
        }
        lanes.retain(|lane| *lane == self.players[by] || !self.ended.contains(lane));
        lanes
    }

    /// The next line of the player on turn.
    async fn awaited_line(
        &mut self,
        by: Seat,
        deadline: &mut Option<Duration>,
    ) -> Result<Line, Loss> {
        let own = self.players[by];
        loop {
            let lanes = self.watched(by);
            let (lane, line) = match self.desk.first_arrival(&lanes, *deadline).await {
                Arrival::Deadline => return Err((by, Cause::Timeout)),
                Arrival::Part => {
                    self.restart(NewTime::Part, deadline);
                    continue;
                }
                Arrival::Line(lane, line) => (lane, Some(line)),
                Arrival::End(lane) => (lane, None),
            };
            // A last line without its newline is not one.
            let line = line.filter(|line| line.ending != LineEnding::Missing);
            match line {
                Some(line) if lane == own => return self.taken(by, line).await,
                None if lane == own => return Err((by, Cause::HangUp)),
                Some(_) => {
                    for spoiler in self.output.spoilers {
                        if let Spoiler::OffTurn(OffTurnLine::Loses(requirement)) = spoiler {
                            return Err((by.other(), Cause::Invalid(requirement)));
                        }
                    }
                    self.restart(NewTime::OffTurnLine, deadline);
                }
                None => {
                    self.ended.push(lane);
                    let is_player = self.players.0.contains(&lane);
                    let reason = if is_player {
                        NewTime::HangUp
                    } else {
                        NewTime::Spectator
                    };
                    self.restart(reason, deadline);
                }
            }
        }
    }

    /// Takes a line of the player on turn, unless the fault is not to.
    async fn taken(&mut self, by: Seat, line: Line) -> Result<Line, Loss> {
        for spoiler in self.output.spoilers {
            match spoiler {
                Spoiler::Framing(FramingFault::DiesOver(length)) if line.text.len() > *length => {
                    self.gives_up = true;
                    return Err((by, Cause::Unseen));
                }
                Spoiler::Framing(FramingFault::DropsLast) => {
                    let soon = self.desk.now() + END_COMES_WITH;
                    if self.desk.ends_by(self.players[by], soon).await {
                        return Err((by, Cause::HangUp));
                    }
                }
                _ => {}
            }
        }
        Ok(line)
    }

    /// The move of the player on turn.
    async fn awaited_move(&mut self, by: Seat) -> Result<Accepted, Loss> {
        let mut deadline = self.deadline(by);
        let loses_by_no_move = matches!(self.output.dialect.off_turn(), OffTurn::Open(_));
        loop {
            let line = self.awaited_line(by, &mut deadline).await?;
            let said = self.meaning(&line);
            let requirement = match said {
                PlayerLine::Move(mv) => match self.table.check(mv) {
                    Ok(()) => return Ok((mv, mv)),
                    Err(refusal) => refusal.requirement,
                },
                PlayerLine::Invalid(requirement) => requirement,
                PlayerLine::Open(open)
                    if !open.may_be_ignored || loses_by_no_move && open.may_lose =>
                {
                    open.requirement
                }
                PlayerLine::Ignored(_) | PlayerLine::Open(_) => {
                    let party = Party::Player(by);
                    let ignored = Occasion::Ignored;
                    let answer = self.output.lines(ignored, self.turn, party, Vec::new());
                    self.desk.send(self.players[by], &answer).await;
                    self.restart(NewTime::IgnoredLine, &mut deadline);
                    continue;
                }
            };
            let loss = (by, Cause::Invalid(requirement));
            let invalid = self
                .output
                .spoilers
                .iter()
                .find_map(|spoiler| match spoiler {
                    Spoiler::ShowsInvalid {
                        any_number,
                        goes_on,
                    } => Some((*any_number, *goes_on)),
                    _ => None,
                });
            match invalid {
                None if self.output.has(Spoiler::IgnoresInvalid) => {}
                None => return Err(loss),
                Some((any_number, goes_on)) => {
                    let shown = match said {
                        _ if any_number => number(&line),
                        PlayerLine::Move(mv) => Some(mv),
                        _ => None,
                    };
                    let mv = shown.ok_or(loss)?;
                    if goes_on {
                        // Something has to be played, so that the game can go on.
                        let played = *self.table.legal_moves().first().ok_or(loss)?;
                        return Ok((played, mv));
                    }
                    let result = None;
                    self.tell(GameEvent::Moved { by, mv, result }).await;
                    return Err(loss);
                }
            }
        }
    }

    /// Returns the meaning of a line, by the dialect and the fault.
    fn meaning(&self, line: &Line) -> PlayerLine {
        let dialect = self.output.dialect;
        let mut said = dialect.read_player_line(&line.text);
        for spoiler in self.output.spoilers {
            if let Spoiler::Reads(sort, reading) = spoiler
                && sort.is(said, &line.text)
            {
                said = reading.of(said, &line.text, dialect);
            }
        }
        said
    }

    /// Passes over what this player has sent before its turn begins.
    async fn pass_over(&mut self, seat: Seat) {
        let lane = self.players[seat];
        if self.ended.contains(&lane) {
            return;
        }
        for _ in 0..PASSED_OVER {
            match self.desk.first_line(&[lane], Some(self.desk.now())).await {
                Some((_, Some(_))) => {}
                Some((_, None)) => return self.ended.push(lane),
                None => return,
            }
        }
    }
}

/// The move of the number that a line is, whether such a move exists or not.
fn number(line: &Line) -> Option<Move> {
    Some(Move(std::str::from_utf8(&line.text).ok()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::royalur::CodeColosseum;
    use crate::pack::row;
    use crate::pack::spoiler::{Edit, On, To};
    use crate::peers::{Conditions, Machine};

    #[test]
    fn a_spoiler_can_mean_the_moves_of_one_kind() {
        const SPOILERS: &[Spoiler] = &[Spoiler::Line(
            On::Move,
            When::Kind("reach-rosette"),
            To::Opponent,
            Edit::Drop,
        )];
        let conditions = Conditions {
            names: PerSeat([b"A".to_vec(), b"B".to_vec()]),
            timeout: Duration::from_secs(1),
            pace: Duration::ZERO,
            spectators: 0,
            rolls: vec![Roll(0b1111), Roll(0b0001)],
            setup: None,
            seed: 1,
        };
        let fault = row("no-rosettes", "does not show them", "", SPOILERS);
        let mut referee = Referee::new(&CodeColosseum, &conditions).with_fault(Some(fault));
        let mut machine = Machine::new(2, async move |desk| referee.play(desk, 0).await);
        machine.feed(0, b"0\n1\n");
        let mut seen = Vec::new();
        for _ in 0..20 {
            machine.advance(Duration::ZERO);
            machine.write(0, std::mem::take);
            seen.extend(machine.write(1, std::mem::take));
        }
        // Token 0 reaches a rosette, then token 1 moves by one.
        let seen = String::from_utf8(seen).unwrap();
        let expected = "A\nB\n1\n1 1 1 1\n0 0 0 1\n1\n";
        assert!(seen.starts_with(expected), "{seen}");
    }
}
