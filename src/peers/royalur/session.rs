//! One game of the built-in referee of the Royal Game of Ur.

use std::future::pending;
use std::time::Duration;

use super::RefereeFault as Fault;
use super::output::Output;
use super::referee::{End, Referee};
use crate::games::royalur::CodeColosseum;
use crate::games::royalur::RoyalUr;
use crate::peers::machine::Arrival;
use crate::peers::move_clock::MoveClock;
use crate::peers::{Desk, parties};
use crate::protocol::{Cause, Dialect, Facts, GameEvent, Line, LineEnding, Open, PlayerLine};
use crate::rules::{Game, Move, PerSeat, Phase, Roll, Seat, Table};

/// One game under way.
pub(super) struct Session<'a> {
    referee: &'a mut Referee,
    desk: Desk,
    /// The lanes of the players, by seat; those of the spectators follow them.
    players: PerSeat<usize>,
    spectators: usize,
    table: Box<dyn Table>,
    turns: u32,
    next_turn: Duration,
    /// The player of the last turn.
    mover: Option<Seat>,
    /// True if the turn is its player's second in a row.
    is_extra: bool,
    clock: MoveClock,
    /// Lanes that have ended, of those who are not on turn; only a referee at fault looks at them.
    ended: Vec<usize>,
    /// The roll of the last turn, and who moved by it.
    last: Option<(Roll, Seat)>,
}

/// Result of a player's line.
struct Answer {
    played: Move,
    /// Move that the others are shown; differs from the played one only for a faulty referee.
    shown: Move,
}

impl<'a> Session<'a> {
    pub(super) fn new(referee: &'a mut Referee, desk: Desk, spectators: usize) -> Session<'a> {
        let table = referee.table();
        let players = PerSeat([0, 1]);
        let clock = referee.clock(desk.now());
        Session {
            referee,
            desk,
            players,
            spectators,
            table,
            turns: 0,
            next_turn: Duration::ZERO,
            mover: None,
            is_extra: false,
            clock,
            ended: Vec::new(),
            last: None,
        }
    }

    pub(super) async fn play(&mut self) -> End {
        self.greet().await;
        loop {
            match self.table.phase() {
                Phase::Roll => {
                    self.turns += 1;
                    if self.turns == 3 && self.referee.has(Fault::DiesMidgame) {
                        return End::Died;
                    }
                    // The clock's coarse ticks would make each turn take one even without a pace.
                    if self.next_turn > self.desk.now() {
                        self.desk.sleep_until(self.next_turn).await;
                    }
                    if let Err((by, cause)) = self.roll().await {
                        return self.retire(by, cause).await;
                    }
                }
                Phase::Move => {
                    let by = self.table.to_move();
                    match self.awaited_move(by).await {
                        Ok(answer) => self.relay(by, &answer).await,
                        Err(cause) => return self.retire(by, cause).await,
                    }
                }
                Phase::Over(result) => {
                    let winner = result.winner().expect("Ur has no draw");
                    if self.referee.has(Fault::RollAfterWin) {
                        self.stray_roll(winner.other()).await;
                    }
                    return End::Won(winner);
                }
            }
        }
    }

    async fn greet(&mut self) {
        if self.referee.has(Fault::SilentStart) {
            pending::<()>().await;
        }
        let PerSeat([first, second]) = &self.referee.names;
        let facts = Facts::with_names(first.as_slice(), second.as_slice());
        let output = Output {
            fault: self.referee.fault,
        };
        for (party, lane) in parties(self.players, self.spectators) {
            self.desk.send(lane, &output.greeting(party, &facts)).await;
        }
        if self.referee.has(Fault::SecondStarts) {
            self.players.0.reverse();
        }
    }

    async fn tell(&mut self, happening: GameEvent) {
        let output = Output {
            fault: self.referee.fault,
        };
        for (party, lane) in parties(self.players, self.spectators) {
            self.desk
                .send(lane, &output.happening(&happening, party))
                .await;
        }
    }

    /// Rolls for the player on turn. Fails only where the fault is to wait for a move that is not possible.
    async fn roll(&mut self) -> Result<(), (Seat, Cause)> {
        let by = self.table.to_move();
        let kept = self
            .last
            .filter(|&(_, before)| before == by && self.referee.has(Fault::ExtraTurnKeepsRoll));
        let roll = match kept {
            Some((roll, _)) => roll,
            None => self.referee.rolls.next(|random| RoyalUr.draw_roll(random)),
        };
        let before = self.table.fork();
        self.is_extra = self.mover == Some(by);
        self.mover = Some(by);
        let mut skipped = !self.table.take_roll(roll);
        if skipped && self.is_extra && self.referee.has(Fault::RerollsExtraTurn) {
            self.table = before;
        } else if self.referee.has(Fault::SkipsSingleMove) && self.table.legal_moves().len() == 1 {
            // Which the rules do only where no coin shows heads.
            self.table = before;
            skipped = !self.table.take_roll(Roll(0));
        }
        self.last = (!skipped).then_some((roll, by));
        if kept.is_none() {
            self.tell(GameEvent::Rolled { by, roll, skipped }).await;
        }
        if skipped {
            if self.referee.has(Fault::ClockRunsWhenSkipped) {
                self.clock.run(by, self.desk.now());
            }
            if self.referee.has(Fault::WaitsWhenSkipped) {
                let deadline = self.deadline(by);
                loop {
                    self.awaited_line(by, deadline)
                        .await
                        .map_err(|cause| (by, cause))?;
                }
            }
            self.end_turn();
        }
        Ok(())
    }

    /// A roll that nobody should see any more.
    async fn stray_roll(&mut self, by: Seat) {
        let roll = self.referee.rolls.next(|random| RoyalUr.draw_roll(random));
        self.tell(GameEvent::Rolled {
            by,
            roll,
            skipped: false,
        })
        .await;
    }

    fn end_turn(&mut self) {
        let is_default = Some(self.referee.pace) == RoyalUr.default_pace();
        let is_at_once = self.referee.has(Fault::DefaultPace0) && is_default;
        if !is_at_once && !self.referee.has(Fault::IgnoresPace) {
            self.next_turn = self.desk.now() + self.referee.pace;
        }
    }

    /// Returns the deadline of the turn that begins; `None` if there is none.
    fn deadline(&mut self, by: Seat) -> Option<Duration> {
        let deadline = self.clock.start(by, self.desk.now());
        match self.referee.fault {
            Some(Fault::FirstTurnUntimed) if self.turns == 1 => None,
            Some(Fault::ExtraTurnUntimed) if self.is_extra => None,
            _ => deadline,
        }
    }

    async fn awaited_line(
        &mut self,
        by: Seat,
        mut deadline: Option<Duration>,
    ) -> Result<Line, Cause> {
        let own = self.players[by];
        loop {
            let lanes = self.watched(own);
            let line = match self.desk.first_arrival(&lanes, deadline).await {
                Arrival::Deadline => return Err(Cause::Timeout),
                Arrival::Line(lane, line) if lane == own => Some(line),
                Arrival::End(lane) if lane == own => None,
                piece => {
                    if self.gives_new_time(&piece) {
                        deadline = self.clock.restart(self.desk.now());
                    }
                    continue;
                }
            };
            // A last line without its newline is not one: "a single line …, ended with a `LF`".
            return line
                .filter(|line| line.ending != LineEnding::Missing)
                .ok_or(Cause::HangUp);
        }
    }

    /// The lanes that are looked at while a line is awaited: that of the player on turn, and those for which a referee at fault gives
    /// new time.
    fn watched(&self, own: usize) -> Vec<usize> {
        let others = match self.referee.fault {
            Some(Fault::ClockRestartsOffTurn | Fault::ClockRestartsOnHangUp) => 0..2,
            Some(Fault::ClockRestartsOnSpectator) => 2..2 + self.spectators,
            _ => 0..0,
        };
        let others = others.filter(|lane| *lane != own && !self.ended.contains(lane));
        std::iter::once(own).chain(others).collect()
    }

    /// Returns true if a faulty referee restarts the clock of the player on turn for this event.
    fn gives_new_time(&mut self, piece: &Arrival) -> bool {
        if let Arrival::End(lane) = piece {
            self.ended.push(*lane);
        }
        match piece {
            Arrival::Part => self.referee.has(Fault::ClockRestartsOnHalfALine),
            Arrival::Line(..) => self.referee.has(Fault::ClockRestartsOffTurn),
            Arrival::End(_) => !self.referee.has(Fault::ClockRestartsOffTurn),
            Arrival::Deadline => false,
        }
    }

    /// The move of the player on turn.
    async fn awaited_move(&mut self, by: Seat) -> Result<Answer, Cause> {
        let deadline = self.deadline(by);
        loop {
            let line = self.awaited_line(by, deadline).await?;
            let cause = match CodeColosseum.read_player_line(&line.text) {
                PlayerLine::Move(mv) => match self.table.check(mv) {
                    Ok(()) => {
                        return Ok(Answer {
                            played: mv,
                            shown: mv,
                        });
                    }
                    Err(refusal) => Cause::Invalid(refusal.requirement),
                },
                PlayerLine::Invalid("ur/retire/negative-number")
                    if self.referee.has(Fault::IgnoresSign) =>
                {
                    match CodeColosseum.read_player_line(&line.text[1..]) {
                        PlayerLine::Move(mv) if self.table.check(mv).is_ok() => {
                            return Ok(Answer {
                                played: mv,
                                shown: mv,
                            });
                        }
                        _ => Cause::Invalid("ur/retire/negative-number"),
                    }
                }
                PlayerLine::Open(Open { mv: Some(mv), .. })
                    if self.referee.has(Fault::AcceptsOpenForms)
                        && self.table.check(mv).is_ok() =>
                {
                    return Ok(Answer {
                        played: mv,
                        shown: mv,
                    });
                }
                PlayerLine::Invalid(requirement) | PlayerLine::Open(Open { requirement, .. }) => {
                    Cause::Invalid(requirement)
                }
                PlayerLine::Ignored(_) => continue,
            };
            match self.referee.fault {
                Some(Fault::IgnoresIllegalMove) => {}
                Some(Fault::IgnoresEmptyLine) if line.text.is_empty() => {}
                Some(Fault::AcceptsAnyToken) => return self.any_token(&line).ok_or(cause),
                Some(Fault::RelaysBeforeRetire) => {
                    if let Some(Answer { shown, .. }) = self.any_token(&line) {
                        self.tell(GameEvent::Moved {
                            by,
                            mv: shown,
                            result: None,
                        })
                        .await;
                    }
                    return Err(cause);
                }
                _ => return Err(cause),
            }
        }
    }

    /// Takes an illegal number for a move; something has to be played, so that the game can go on.
    fn any_token(&self, line: &Line) -> Option<Answer> {
        let shown = Move(std::str::from_utf8(&line.text).ok()?.parse().ok()?);
        let &played = self.table.legal_moves().first()?;
        Some(Answer { played, shown })
    }

    async fn relay(&mut self, by: Seat, answer: &Answer) {
        self.clock.stop(by, self.desk.now());
        self.table
            .play(answer.played)
            .expect("the move was checked");
        let result = self.table.phase().result();
        self.tell(GameEvent::Moved {
            by,
            mv: answer.shown,
            result,
        })
        .await;
        self.end_turn();
    }

    async fn retire(&mut self, by: Seat, cause: Cause) -> End {
        self.tell(GameEvent::Lost { by, cause }).await;
        if self.referee.has(Fault::RollsAfterRetire) {
            self.stray_roll(by.other()).await;
        }
        End::Lost(by, cause)
    }
}
