//! The built-in bot of Onitama.

use std::future::pending;
use std::io::{Read, Write};
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::BotFault as Fault;
use crate::games::onitama::OnitamaJudge;
use crate::games::onitama::{CardMove, Deal, Onitama};
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

    /// Plays one game, as a [`Machine`] with one lane does, until the judge drops the connection.
    ///
    /// # Errors
    /// A line that is not what is due.
    pub async fn play_at(&mut self, desk: Desk) -> Result<(), BotError> {
        self.play_lines(&desk).await?;
        if self.has(Fault::SurvivesEnd) {
            pending::<()>().await;
        }
        Ok(())
    }

    async fn play_lines(&mut self, desk: &Desk) -> Result<(), BotError> {
        let Some((seat, setup)) = self.take_greeting(desk).await? else {
            return Ok(());
        };
        let mut table = self.believed(seat, setup);
        // What the rules say, so that a bot at fault errs as soon as it can.
        let mut honest = Onitama.table(setup);
        let mut has_moved = false;
        while table.phase() == Phase::Move {
            let is_own = table.to_move() == seat;
            let is_slow = self.has(Fault::Slow) && has_moved;
            if is_own && !is_slow && !table.legal_moves().is_empty() {
                has_moved = true;
                let Some(sent) = self.answer(&*table, &*honest, desk).await else {
                    return Ok(());
                };
                if self.has(Fault::Quits) || !self.is_confirmed(sent, desk).await? {
                    return Ok(());
                }
                table.play(sent).expect("a legal move is not refused");
                follow(&mut *honest, sent);
                continue;
            }
            if !is_own && self.has(Fault::TalksOffTurn) && !self.say(desk, b"thinking").await {
                return Ok(());
            }
            let Some(line) = next_whole_line(desk).await else {
                return Ok(());
            };
            match OnitamaJudge.hear(&line.text) {
                RefereeLine::Move(mv) if table.play(mv).is_ok() => follow(&mut *honest, mv),
                _ => return Err(BotError::unexpected(desk, line, "a legal move")),
            }
        }
        // "When the game reaches an end state (one player won), the server drops both connections."
        match next_whole_line(desk).await {
            Some(line) => Err(BotError::unexpected(
                desk,
                line,
                "the end of the connection",
            )),
            None => Ok(()),
        }
    }

    /// The game as the bot believes it to be.
    fn believed(&self, seat: Seat, setup: Setup) -> Box<dyn Table> {
        let variant = match self.fault {
            Some(Fault::CardsNotTurned) => "cards-not-turned-for-top",
            Some(Fault::KeepsCards) => "card-not-rotated",
            Some(Fault::UsesMiddleCard) => "middle-card-playable",
            Some(Fault::UsesOpponentsCard) => "opponents-card-playable",
            Some(Fault::CapturesOwnPiece) => "captures-own-piece",
            Some(Fault::AlwaysStarts) => {
                return Onitama.table(
                    Deal {
                        starter: seat,
                        ..Deal::of(setup)
                    }
                    .setup(),
                );
            }
            _ => return Onitama.table(setup),
        };
        Onitama
            .variant_table(setup, variant)
            .expect("the rules have this variant")
    }

    /// Reads the greeting; `None` where the input ends before it does.
    async fn take_greeting(&mut self, desk: &Desk) -> Result<Option<(Seat, Setup)>, BotError> {
        let mut facts = Facts::default();
        let mut seat = None;
        for greeting in OnitamaJudge.greeting(false) {
            let Some(line) = next_whole_line(desk).await else {
                return Ok(None);
            };
            match OnitamaJudge.read_greeting(greeting.slot, &line.text, &mut facts) {
                Ok(told) => seat = told.or(seat),
                Err(_) => return Err(BotError::unexpected(desk, line, greeting.syntax)),
            }
        }
        if self.has(Fault::AlwaysTop) {
            seat = Some(Seat::First);
        }
        Ok(seat.zip(facts.setup))
    }

    /// Sends a move; one that the rules refuse where the bot believes such a one legal. `None`: nobody takes it any more.
    async fn answer(&mut self, table: &dyn Table, honest: &dyn Table, desk: &Desk) -> Option<Move> {
        let legal = table.legal_moves();
        let wrong: Vec<_> = legal
            .iter()
            .copied()
            .filter(|&mv| honest.check(mv).is_err())
            .collect();
        let mv = self.policy.pick(
            if wrong.is_empty() { &legal } else { &wrong },
            &mut self.random,
        );
        desk.sleep(self.delay).await;
        if self.has(Fault::TalksOnTurn) && !self.say(desk, b"I know what to do").await {
            return None;
        }
        let mut line = OnitamaJudge.write_move(match self.fault {
            Some(Fault::RowsFromBelow) => upside_down(mv),
            _ => mv,
        });
        match self.fault {
            Some(Fault::LowercaseCard) => line.make_ascii_lowercase(),
            Some(Fault::TwoBlanks) => {
                let blank = line
                    .iter()
                    .position(|&byte| byte == b' ')
                    .expect("a move has blanks");
                line.insert(blank, b' ');
            }
            _ => {}
        }
        self.say(desk, &line).await.then_some(mv)
    }

    /// Reads the confirmation of the bot's own move; `false` where the connection is dropped instead.
    async fn is_confirmed(&self, sent: Move, desk: &Desk) -> Result<bool, BotError> {
        if self.has(Fault::TakesEchoForOpponents) {
            return Ok(true);
        }
        let Some(line) = next_whole_line(desk).await else {
            return Ok(false);
        };
        match OnitamaJudge.hear(&line.text) {
            RefereeLine::Move(mv) if mv == sent => Ok(true),
            _ => {
                let expected = String::from_utf8_lossy(&OnitamaJudge.write_move(sent)).into_owned();
                Err(BotError::unexpected(desk, line, expected))
            }
        }
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

/// Plays a move by the rules as far as they allow it.
fn follow(honest: &mut dyn Table, mv: Move) {
    if honest.phase() == Phase::Move && honest.check(mv).is_ok() {
        honest.play(mv).expect("it was checked");
    }
}

/// The move as one who numbers the rows from the bottom writes it.
fn upside_down(mv: Move) -> Move {
    let Some(step) = CardMove::of(mv) else {
        return mv;
    };
    let turned = |cell: u8| (4 - cell / 5) * 5 + cell % 5;
    CardMove {
        from: turned(step.from),
        to: turned(step.to),
        ..step
    }
    .packed()
}
