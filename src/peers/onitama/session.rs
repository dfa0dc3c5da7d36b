//! One game of the built-in judge of Onitama.

use std::future::pending;
use std::time::Duration;

use super::RefereeFault as Fault;
use super::output::Output;
use super::referee::{End, Referee};
use crate::games::onitama::Deal;
use crate::games::onitama::OnitamaJudge;
use crate::peers::machine::Arrival;
use crate::peers::move_clock::{ClockFault, MoveClock};
use crate::peers::{Desk, parties};
use crate::protocol::{Cause, Dialect, Facts, GameEvent, Line, LineEnding, PlayerLine};
use crate::rules::{GameResult, Move, PerSeat, Seat, Table};

/// Maximum number of off-turn lines that are skipped at once before a turn begins.
const PASSED_OVER: usize = 256;

/// The lanes of the players.
const PLAYERS: PerSeat<usize> = PerSeat([0, 1]);

/// One game under way.
pub(super) struct Session<'a> {
    referee: &'a mut Referee,
    desk: Desk,
    deal: Deal,
    table: Box<dyn Table>,
    /// True for each player that has disconnected.
    is_gone: PerSeat<bool>,
    turns: u32,
    clock: MoveClock,
}

/// Event while a move is awaited.
enum Came {
    /// A line, or the end of the stream.
    Line(Seat, Option<Line>),
    /// A part of a line.
    Part,
    Timeout,
}

impl<'a> Session<'a> {
    pub(super) fn new(referee: &'a mut Referee, desk: Desk, deal: Deal) -> Session<'a> {
        // Only in its own mind does a referee at fault let the other player start.
        let played = match referee.has(Fault::OtherStarts) {
            true => Deal {
                starter: deal.starter.other(),
                ..deal
            },
            false => deal,
        };
        let table = referee.table(played.setup());
        let fault = match referee.fault {
            Some(Fault::NoTimeout) => Some(ClockFault::Never),
            Some(Fault::EarlyTimeout) => Some(ClockFault::Half),
            Some(Fault::LateTimeout) => Some(ClockFault::Late),
            Some(Fault::ClockFromGreeting) => Some(ClockFault::FromGreeting),
            Some(Fault::ClockRunsOn) => Some(ClockFault::RunsOn),
            Some(Fault::ClockIsOneSum) => Some(ClockFault::OneSum),
            _ => None,
        };
        let clock = MoveClock::new(referee.timeout, fault, desk.now());
        Session {
            referee,
            desk,
            deal,
            table,
            is_gone: PerSeat([false, false]),
            turns: 0,
            clock,
        }
    }

    pub(super) async fn play(&mut self) -> End {
        if self.referee.has(Fault::SilentStart) {
            pending::<()>().await;
        }
        let facts = Facts::default().with_setup(self.deal.setup());
        let output = Output {
            fault: self.referee.fault,
        };
        for (party, lane) in parties(PLAYERS, 0) {
            self.desk.send(lane, &output.greeting(party, &facts)).await;
        }
        loop {
            if let Some(winner) = self.table.phase().result().and_then(GameResult::winner) {
                self.say_who(winner).await;
                return End::Won(winner);
            }
            self.turns += 1;
            if self.turns == 3 && self.referee.has(Fault::DiesMidgame) {
                return End::Died;
            }
            let by = self.table.to_move();
            match self.awaited_move(by).await {
                Ok(mv) => {
                    self.pass_over(by.other()).await;
                    self.table.play(mv).expect("the move was checked");
                    let result = self.table.phase().result();
                    self.tell(GameEvent::Moved { by, mv, result }).await;
                }
                Err((loser, cause)) => {
                    self.say_who(loser.other()).await;
                    return End::Lost(loser, cause);
                }
            }
        }
    }

    async fn tell(&mut self, happening: GameEvent) {
        let output = Output {
            fault: self.referee.fault,
        };
        for (party, lane) in parties(PLAYERS, 0) {
            self.desk
                .send(lane, &output.happening(&happening, party))
                .await;
        }
    }

    async fn say_who(&mut self, winner: Seat) {
        if self.referee.has(Fault::SaysWho) {
            let line = format!("{} wins\n", crate::games::onitama::SIDES[winner.index()]);
            for &lane in &PLAYERS.0 {
                self.desk.send(lane, line.as_bytes()).await;
            }
        }
    }

    /// Returns the deadline of the turn that begins; `None` if there is none.
    fn deadline(&mut self, by: Seat) -> Option<Duration> {
        let deadline = self.clock.start(by, self.desk.now());
        deadline.filter(|_| self.turns > 1 || !self.referee.has(Fault::FirstTurnUntimed))
    }

    /// New time for the turn, where the fault is to give it for this reason.
    fn restarted(&self, fault: Fault, deadline: Option<Duration>) -> Option<Duration> {
        if self.referee.has(fault) {
            self.clock.restart(self.desk.now())
        } else {
            deadline
        }
    }

    /// The next thing that comes from either player.
    async fn next(&mut self, by: Seat, deadline: Option<Duration>) -> Came {
        let reads_other = !self.is_gone[by.other()] && !self.referee.has(Fault::OffTurnKept);
        let lanes = [PLAYERS[by], PLAYERS[by.other()]];
        let seat = |lane: usize| if lane == PLAYERS[by] { by } else { by.other() };
        match self
            .desk
            .first_arrival(if reads_other { &lanes } else { &lanes[..1] }, deadline)
            .await
        {
            Arrival::Line(lane, line) => Came::Line(seat(lane), Some(line)),
            Arrival::End(lane) => Came::Line(seat(lane), None),
            Arrival::Part => Came::Part,
            Arrival::Deadline => Came::Timeout,
        }
    }

    /// The move of the player on turn, or who has lost and why.
    async fn awaited_move(&mut self, by: Seat) -> Result<Move, (Seat, Cause)> {
        let mut deadline = self.deadline(by);
        loop {
            let line = match self.next(by, deadline).await {
                Came::Timeout => return Err((by, Cause::Timeout)),
                Came::Part => {
                    deadline = self.restarted(Fault::ClockRestartsOnHalfALine, deadline);
                    continue;
                }
                Came::Line(seat, line) => {
                    match line.filter(|line| line.ending != LineEnding::Missing) {
                        // "Any string sent by a player *out of turn* is ignored."
                        Some(_) if seat != by && !self.referee.has(Fault::OffTurnLoses) => {
                            deadline = self.restarted(Fault::ClockRestartsOffTurn, deadline);
                            continue;
                        }
                        Some(_) if seat != by => {
                            return Err((seat, Cause::Invalid("oni/input/off-turn")));
                        }
                        Some(line) => line,
                        None if seat == by => return Err((by, Cause::HangUp)),
                        None => {
                            self.is_gone[seat] = true;
                            deadline = self.restarted(Fault::ClockRestartsOnHangUp, deadline);
                            continue;
                        }
                    }
                }
            };
            match self.meaning(&line) {
                PlayerLine::Move(mv) => match self.table.check(mv) {
                    Ok(()) => {
                        self.clock.stop(by, self.desk.now());
                        return Ok(mv);
                    }
                    Err(_) if self.referee.has(Fault::IgnoresIllegalMove) => {}
                    Err(refusal) => {
                        if self.referee.has(Fault::BroadcastsIllegalMove) {
                            self.tell(GameEvent::Moved {
                                by,
                                mv,
                                result: None,
                            })
                            .await;
                        }
                        return Err((by, Cause::Invalid(refusal.requirement)));
                    }
                },
                PlayerLine::Invalid(requirement) => return Err((by, Cause::Invalid(requirement))),
                PlayerLine::Ignored(_) | PlayerLine::Open(_) => {
                    if self.referee.has(Fault::AnswersIgnoredLines) {
                        self.desk.send(PLAYERS[by], b"not a move\n").await;
                    }
                    deadline = self.restarted(Fault::ClockRestarts, deadline);
                }
            }
        }
    }

    /// Returns the meaning of a line, by the dialect and the fault.
    fn meaning(&self, line: &Line) -> PlayerLine {
        let said = OnitamaJudge.read_player_line(&line.text);
        match (self.referee.fault, said) {
            (Some(Fault::NotAMoveLoses), PlayerLine::Ignored(requirement)) => {
                PlayerLine::Invalid(requirement)
            }
            (Some(Fault::EmptyLineLoses), PlayerLine::Ignored(requirement))
                if line.text.is_empty() =>
            {
                PlayerLine::Invalid(requirement)
            }
            (Some(Fault::TakesBlanks), PlayerLine::Ignored(_)) => {
                let words = line
                    .text
                    .split(u8::is_ascii_whitespace)
                    .filter(|word| !word.is_empty());
                OnitamaJudge.read_player_line(&words.collect::<Vec<_>>().join(&b' '))
            }
            (Some(Fault::OpenLinesLose), PlayerLine::Open(open)) if open.may_lose => {
                PlayerLine::Invalid(open.requirement)
            }
            (Some(Fault::TakesCrlf), PlayerLine::Open(open)) => {
                open.mv.map_or(said, PlayerLine::Move)
            }
            _ => said,
        }
    }

    /// Passes over what this player has sent before its turn begins.
    async fn pass_over(&mut self, seat: Seat) {
        if self.is_gone[seat] || self.referee.has(Fault::OffTurnKept) {
            return;
        }
        for _ in 0..PASSED_OVER {
            match self
                .desk
                .first_line(&[PLAYERS[seat]], Some(self.desk.now()))
                .await
            {
                Some((_, Some(_))) => {}
                Some((_, None)) => {
                    self.is_gone[seat] = true;
                    return;
                }
                None => return,
            }
        }
    }
}
