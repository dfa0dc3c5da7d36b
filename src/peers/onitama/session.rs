use std::future::{pending, ready};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::RefereeFault as Fault;
use super::referee::{End, Referee};
use super::voice::Voice;
use crate::games::onitama::Deal;
use crate::peers::Company;
use crate::protocol::onitama::OnitamaJudge;
use crate::protocol::{Cause, Dialect, Facts, Happening, Line, LineEnding, Said};
use crate::rules::{Move, PerSeat, Phase, Seat, Table};

/// How many lines that came off turn are passed over at once before a turn begins.
const PASSED_OVER: usize = 256;

/// One game under way.
pub(super) struct Session<'a> {
    referee: &'a mut Referee,
    company: &'a mut Company,
    deal: Deal,
    table: Box<dyn Table>,
    /// Who has hung up.
    is_gone: PerSeat<bool>,
    turns: u32,
}

/// What comes while a move is awaited.
enum Came {
    /// A line, or the end of the stream.
    Line(Seat, Option<Line>),
    Timeout,
}

impl<'a> Session<'a> {
    pub(super) fn new(referee: &'a mut Referee, company: &'a mut Company, deal: Deal) -> Session<'a> {
        // Only in its own mind does a referee at fault let the other player start.
        let played = match referee.has(Fault::OtherStarts) {
            true => Deal { starter: deal.starter.other(), ..deal },
            false => deal,
        };
        let table = referee.table(played.setup());
        Session { referee, company, deal, table, is_gone: PerSeat([false, false]), turns: 0 }
    }

    pub(super) async fn play(&mut self) -> End {
        if self.referee.has(Fault::SilentStart) {
            pending::<()>().await;
        }
        let facts = Facts::default().with_setup(self.deal.setup());
        let voice = Voice { fault: self.referee.fault };
        for (party, lane) in self.company.lanes() {
            lane.send(&voice.greeting(party, &facts)).await;
        }
        loop {
            if let Phase::Over(winner) = self.table.phase() {
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
                    let wins = matches!(self.table.phase(), Phase::Over(_));
                    self.tell(Happening::Moved { by, mv, wins }).await;
                }
                Err((loser, cause)) => {
                    self.say_who(loser.other()).await;
                    return End::Lost(loser, cause);
                }
            }
        }
    }

    async fn tell(&mut self, happening: Happening) {
        let voice = Voice { fault: self.referee.fault };
        for (party, lane) in self.company.lanes() {
            lane.send(&voice.happening(&happening, party)).await;
        }
    }

    async fn say_who(&mut self, winner: Seat) {
        if self.referee.has(Fault::SaysWho) {
            let line = format!("{} wins\n", crate::games::onitama::SIDES[winner.index()]);
            for (_, lane) in self.company.lanes() {
                lane.send(line.as_bytes()).await;
            }
        }
    }

    fn deadline(&self) -> Option<Instant> {
        let time = match self.referee.fault {
            Some(Fault::NoTimeout) => Duration::MAX,
            Some(Fault::EarlyTimeout) => self.referee.timeout / 2,
            _ => self.referee.timeout,
        };
        Instant::now().checked_add(time)
    }

    /// The next thing that comes from either player.
    async fn next(&mut self, by: Seat, deadline: Option<Instant>) -> Came {
        let PerSeat([top, bottom]) = &mut self.company.players;
        let (own, other) = if by == Seat::First { (top, bottom) } else { (bottom, top) };
        let reads_other = !self.is_gone[by.other()] && !self.referee.has(Fault::OffTurnKept);
        let timeout = async {
            match deadline {
                Some(deadline) => sleep_until(deadline).await,
                None => pending().await,
            }
        };
        tokio::select! {
            line = own.next_line() => Came::Line(by, line),
            line = other.next_line(), if reads_other => Came::Line(by.other(), line),
            () = timeout => Came::Timeout,
        }
    }

    /// The move of the player on turn, or who has lost and why.
    async fn awaited_move(&mut self, by: Seat) -> Result<Move, (Seat, Cause)> {
        let mut deadline = self.deadline();
        loop {
            let line = match self.next(by, deadline).await {
                Came::Timeout => return Err((by, Cause::Timeout)),
                Came::Line(seat, line) => match line.filter(|line| line.ending != LineEnding::Missing) {
                    // "Any string sent by a player *out of turn* is ignored."
                    Some(_) if seat != by && !self.referee.has(Fault::OffTurnLoses) => continue,
                    Some(_) if seat != by => return Err((seat, Cause::Invalid("oni/input/off-turn"))),
                    Some(line) => line,
                    None if seat == by => return Err((by, Cause::HangUp)),
                    None => {
                        self.is_gone[seat] = true;
                        continue;
                    }
                },
            };
            match self.meaning(&line) {
                Said::Move(mv) => match self.table.check(mv) {
                    Ok(()) => return Ok(mv),
                    Err(_) if self.referee.has(Fault::IgnoresIllegalMove) => {}
                    Err(refusal) => {
                        if self.referee.has(Fault::BroadcastsIllegalMove) {
                            self.tell(Happening::Moved { by, mv, wins: false }).await;
                        }
                        return Err((by, Cause::Invalid(refusal.requirement)));
                    }
                },
                Said::Invalid(requirement) => return Err((by, Cause::Invalid(requirement))),
                Said::Ignored(_) | Said::Open(_) => {
                    if self.referee.has(Fault::AnswersIgnoredLines) {
                        self.company.players[by].send(b"not a move\n").await;
                    }
                    if self.referee.has(Fault::ClockRestarts) {
                        deadline = self.deadline();
                    }
                }
            }
        }
    }

    /// What a line is taken for, by the dialect and the fault.
    fn meaning(&self, line: &Line) -> Said {
        let said = OnitamaJudge.read_said(&line.text);
        match (self.referee.fault, said) {
            (Some(Fault::NotAMoveLoses), Said::Ignored(requirement)) => Said::Invalid(requirement),
            (Some(Fault::EmptyLineLoses), Said::Ignored(requirement)) if line.text.is_empty() => {
                Said::Invalid(requirement)
            }
            (Some(Fault::TakesBlanks), Said::Ignored(_)) => {
                let words = line.text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
                OnitamaJudge.read_said(&words.collect::<Vec<_>>().join(&b' '))
            }
            (Some(Fault::OpenLinesLose), Said::Open(open)) if open.may_lose => {
                Said::Invalid(open.requirement)
            }
            (Some(Fault::TakesCrlf), Said::Open(open)) => open.mv.map_or(said, Said::Move),
            _ => said,
        }
    }

    /// Passes over what this player has sent before its turn begins.
    async fn pass_over(&mut self, seat: Seat) {
        if self.is_gone[seat] || self.referee.has(Fault::OffTurnKept) {
            return;
        }
        for _ in 0..PASSED_OVER {
            tokio::select! {
                biased;
                line = self.company.players[seat].next_line() => {
                    if line.is_none() {
                        self.is_gone[seat] = true;
                        return;
                    }
                }
                () = ready(()) => return,
            }
        }
    }
}
