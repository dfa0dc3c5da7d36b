use std::io::{self, Read, Write};
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::BotFault as Fault;
use crate::games::Game;
use crate::games::royalur::RoyalUr;
use crate::peers::{BotError, LineReader, Policy};
use crate::protocol::royalur::CodeColosseum;
use crate::protocol::{Dialect, Facts, Heard};
use crate::rules::{Move, Phase, Seat, Setup, Table};

/// A bot; honest unless it was given a fault. It reads and writes blocking.
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
        Bot { policy, random: ChaCha8Rng::seed_from_u64(seed), delay, fault: None }
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

    /// Plays one game, until it is over or the input ends, whichever comes first.
    ///
    /// # Errors
    /// A line that is not what is due, and a stream that cannot be read or written. A referee that does not read any
    /// more is as good as the end of the input.
    pub fn play(&mut self, input: impl Read, output: impl Write) -> Result<(), BotError> {
        let mut lines = LineReader::new(input);
        match self.play_lines(&mut lines, output) {
            Err(BotError::Talk(error)) if error.kind() == io::ErrorKind::BrokenPipe => {}
            Err(error) => return Err(error),
            Ok(()) => {}
        }
        if matches!(self.fault, Some(Fault::SurvivesEnd | Fault::SurvivesEof | Fault::Slow)) {
            while lines.next_line()?.is_some() {}
        }
        while self.has(Fault::SurvivesEof) {
            std::thread::park();
        }
        Ok(())
    }

    fn play_lines(
        &mut self,
        lines: &mut LineReader<impl Read>,
        mut output: impl Write,
    ) -> Result<(), BotError> {
        if self.has(Fault::Greets) {
            self.say(&mut output, b"hello")?;
        }
        let Some(seat) = self.take_seat(lines)? else { return Ok(()) };
        let mut table = match self.fault {
            Some(Fault::ForgetsCaptures) => {
                RoyalUr.variant_table(Setup::default(), "no-capture").expect("the rules have this variant")
            }
            _ => RoyalUr.table(Setup::default()),
        };
        let (mut is_extra, mut has_moved) = (false, false);
        while !matches!(table.phase(), Phase::Over(_)) {
            let Some(line) = lines.next_whole_line()? else { return Ok(()) };
            let by = table.to_move();
            match (table.phase(), CodeColosseum.hear(&line.text)) {
                (_, Heard::Loss) if self.has(Fault::IgnoresRetire) => {
                    while lines.next_whole_line()?.is_some() {}
                    return Ok(());
                }
                (_, Heard::Loss) if !self.has(Fault::CrashesOnRetire) => return Ok(()),
                (Phase::Roll, Heard::Roll(roll)) => {
                    let can_move = table.take_roll(roll);
                    if by != seat {
                        continue;
                    }
                    if can_move {
                        let is_slow = has_moved && self.has(Fault::Slow);
                        if is_slow || is_extra && self.has(Fault::IgnoresExtraTurn) {
                            continue;
                        }
                        self.answer(&mut *table, lines, &mut output)?;
                        has_moved = true;
                        is_extra = table.to_move() == seat;
                    } else if self.has(Fault::AnswersWhenSkipped) {
                        self.say(&mut output, b"0")?;
                    }
                }
                (Phase::Move, Heard::Move(mv)) if by != seat && table.play(mv).is_ok() => {}
                (phase, _) => {
                    let expected = match phase {
                        Phase::Roll => RoyalUr.roll_syntax(),
                        Phase::Move | Phase::Over(_) => "a legal move of the opponent or RETIRE",
                    };
                    return Err(lines.unexpected(line, expected));
                }
            }
        }
        Ok(())
    }

    /// Reads the handshake; `None` where the input ends before it does.
    fn take_seat(&mut self, lines: &mut LineReader<impl Read>) -> Result<Option<Seat>, BotError> {
        let mut facts = Facts::default();
        let mut seat = None;
        for greeting in CodeColosseum.greeting(false) {
            let Some(line) = lines.next_whole_line()? else { return Ok(None) };
            if self.has(Fault::NeedsAsciiNames) && !line.text.iter().all(u8::is_ascii_alphanumeric) {
                return Err(lines.unexpected(line, "a name of ASCII letters and digits"));
            }
            match CodeColosseum.read_greeting(greeting.slot, &line.text, &mut facts) {
                Ok(told) => seat = told.or(seat),
                Err(_) => return Err(lines.unexpected(line, greeting.syntax)),
            }
        }
        if self.has(Fault::AlwaysFirstSeat) {
            seat = Some(Seat::First);
        }
        Ok(seat)
    }

    fn answer(
        &mut self,
        table: &mut dyn Table,
        lines: &mut LineReader<impl Read>,
        output: &mut impl Write,
    ) -> Result<(), BotError> {
        let legal = table.legal_moves();
        let mv = self.policy.pick(&legal, &mut self.random);
        std::thread::sleep(self.delay);
        let said = match self.fault {
            Some(Fault::TokenFrom1) => Move(mv.0 + 1),
            Some(Fault::MovesOntoOwnToken) => own_token_move(table).unwrap_or(mv),
            _ => mv,
        };
        let line = CodeColosseum.write_move(said);
        self.say(output, &line)?;
        if self.has(Fault::AnswersTwice) {
            self.say(output, &line)?;
        }
        table.play(mv).expect("a legal move is not refused");
        if self.has(Fault::WaitsForEcho) {
            while lines.next_whole_line()?.is_some_and(|heard| heard.text != line) {}
        }
        Ok(())
    }

    fn say(&self, output: &mut impl Write, line: &[u8]) -> io::Result<()> {
        let ending: &[u8] = match self.fault {
            Some(Fault::NoNewline) => b"",
            Some(Fault::Crlf) => b"\r\n",
            _ => b"\n",
        };
        output.write_all(&[line, ending].concat())?;
        output.flush()
    }
}

/// A token whose way is blocked by one of its own, if there is one.
fn own_token_move(table: &dyn Table) -> Option<Move> {
    let blocked = |&mv: &Move| table.check(mv).is_err_and(|refusal| refusal.code == "own-token");
    (0..crate::games::royalur::TOKENS as u32).map(Move).find(blocked)
}
