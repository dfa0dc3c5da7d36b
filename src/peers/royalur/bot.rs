//! The built-in bot of the Royal Game of Ur.

use std::future::pending;
use std::io::{Read, Write};
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::BotFault as Fault;
use crate::games::royalur::CodeColosseum;
use crate::games::royalur::RoyalUr;
use crate::peers::machine::Desk;
use crate::peers::{BotError, LANE, Machine, Policy, drive_blocking, next_whole_line};
use crate::protocol::{Dialect, Facts, RefereeLine};
use crate::rules::{Game, Move, Phase, Seat, Setup, Table};

/// A bot; honest unless it was given a fault.
#[derive(Debug)]
pub struct Bot {
    policy: Policy,
    random: ChaCha8Rng,
    delay: Duration,
    fault: Option<Fault>,
}

impl Bot {
    /// An honest bot; `seed` decides what [`Policy::Random`] chooses, `delay` goes by before each answer.
    #[must_use]
    pub fn new(policy: Policy, seed: u64, delay: Duration) -> Bot {
        Bot {
            policy,
            random: ChaCha8Rng::seed_from_u64(seed),
            delay,
            fault: None,
        }
    }

    /// This bot with a fault; `None` where there is none of that name.
    #[must_use]
    pub fn with_fault(self, name: &str) -> Option<Bot> {
        let fault = Some(Fault::find(name)?);
        Some(Bot { fault, ..self })
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    /// Plays one game over blocking streams.
    ///
    /// # Errors
    /// A line that is not what is due, and a stream that cannot be read or written.
    pub fn play(&mut self, input: impl Read, output: impl Write) -> Result<(), BotError> {
        drive_blocking(Machine::new(1, |desk| self.play_at(desk)), input, output)?
    }

    /// Plays one game, as a [`Machine`] with one lane does, until it is over or the lane ends, whichever comes first. A referee
    /// that does not read any more is as good as the end of the lane.
    ///
    /// # Errors
    /// A line that is not what is due.
    pub async fn play_at(&mut self, desk: Desk) -> Result<(), BotError> {
        self.play_lines(&desk).await?;
        if matches!(
            self.fault,
            Some(Fault::SurvivesEnd | Fault::SurvivesEof | Fault::Slow)
        ) {
            while desk.next_line(LANE).await.is_some() {}
        }
        if self.has(Fault::SurvivesEof) {
            pending::<()>().await;
        }
        Ok(())
    }

    async fn play_lines(&mut self, desk: &Desk) -> Result<(), BotError> {
        if self.has(Fault::Greets) && !self.say(desk, b"hello").await {
            return Ok(());
        }
        let Some(seat) = self.take_seat(desk).await? else {
            return Ok(());
        };
        let mut table = match self.fault {
            Some(Fault::ForgetsCaptures) => RoyalUr
                .variant_table(Setup::default(), "no-capture")
                .expect("the rules have this variant"),
            _ => RoyalUr.table(Setup::default()),
        };
        let (mut is_extra, mut has_moved) = (false, false);
        while !matches!(table.phase(), Phase::Over(_)) {
            let Some(line) = next_whole_line(desk).await else {
                return Ok(());
            };
            let by = table.to_move();
            match (table.phase(), CodeColosseum.hear(&line.text)) {
                (_, RefereeLine::Loss) if self.has(Fault::IgnoresRetire) => {
                    while next_whole_line(desk).await.is_some() {}
                    return Ok(());
                }
                (_, RefereeLine::Loss) if !self.has(Fault::CrashesOnRetire) => return Ok(()),
                (Phase::Roll, RefereeLine::Roll(roll)) => {
                    let can_move = table.take_roll(roll);
                    if by != seat {
                        continue;
                    }
                    if can_move {
                        let is_slow = has_moved && self.has(Fault::Slow);
                        if is_slow || is_extra && self.has(Fault::IgnoresExtraTurn) {
                            continue;
                        }
                        if !self.answer(&mut *table, desk).await {
                            return Ok(());
                        }
                        has_moved = true;
                        is_extra = table.to_move() == seat;
                    } else if self.has(Fault::AnswersWhenSkipped) && !self.say(desk, b"0").await {
                        return Ok(());
                    }
                }
                (Phase::Move, RefereeLine::Move(mv)) if by != seat && table.play(mv).is_ok() => {}
                (phase, _) => {
                    let expected = match phase {
                        Phase::Roll => RoyalUr.roll_syntax(),
                        Phase::Move | Phase::Over(_) => "a legal move of the opponent or RETIRE",
                    };
                    return Err(BotError::unexpected(desk, line, expected));
                }
            }
        }
        Ok(())
    }

    /// Reads the handshake; `None` where the input ends before it does.
    async fn take_seat(&mut self, desk: &Desk) -> Result<Option<Seat>, BotError> {
        let mut facts = Facts::default();
        let mut seat = None;
        for greeting in CodeColosseum.greeting(false) {
            let Some(line) = next_whole_line(desk).await else {
                return Ok(None);
            };
            if self.has(Fault::NeedsAsciiNames) && !line.text.iter().all(u8::is_ascii_alphanumeric)
            {
                return Err(BotError::unexpected(
                    desk,
                    line,
                    "a name of ASCII letters and digits",
                ));
            }
            match CodeColosseum.read_greeting(greeting.slot, &line.text, &mut facts) {
                Ok(told) => seat = told.or(seat),
                Err(_) => return Err(BotError::unexpected(desk, line, greeting.syntax)),
            }
        }
        if self.has(Fault::AlwaysFirstSeat) {
            seat = Some(Seat::First);
        }
        Ok(seat)
    }

    /// Sends a move; `false` where nobody takes it any more.
    async fn answer(&mut self, table: &mut dyn Table, desk: &Desk) -> bool {
        let legal = table.legal_moves();
        let mv = self.policy.pick(&legal, &mut self.random);
        desk.sleep(self.delay).await;
        let said = match self.fault {
            Some(Fault::TokenFrom1) => Move(mv.0 + 1),
            Some(Fault::MovesOntoOwnToken) => own_token_move(table).unwrap_or(mv),
            _ => mv,
        };
        let line = CodeColosseum.write_move(said);
        if !self.say(desk, &line).await
            || self.has(Fault::AnswersTwice) && !self.say(desk, &line).await
        {
            return false;
        }
        table.play(mv).expect("a legal move is not refused");
        if self.has(Fault::WaitsForEcho) {
            while next_whole_line(desk)
                .await
                .is_some_and(|heard| heard.text != line)
            {}
        }
        true
    }

    async fn say(&self, desk: &Desk, line: &[u8]) -> bool {
        let ending: &[u8] = match self.fault {
            Some(Fault::NoNewline) => b"",
            Some(Fault::Crlf) => b"\r\n",
            _ => b"\n",
        };
        desk.send(LANE, &[line, ending].concat()).await
    }
}

/// A token whose way is blocked by one of its own, if there is one.
fn own_token_move(table: &dyn Table) -> Option<Move> {
    let blocked = |&mv: &Move| {
        table
            .check(mv)
            .is_err_and(|refusal| refusal.code == "own-token")
    };
    (0..crate::games::royalur::TOKENS as u32)
        .map(Move)
        .find(blocked)
}
