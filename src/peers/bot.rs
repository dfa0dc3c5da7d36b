//! The built-in bot.

use std::collections::VecDeque;
use std::fmt::Display;
use std::future::pending;
use std::io::{self, Read, Write};
use std::time::Duration;

use clap::ValueEnum;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::drive::drive_blocking;
use super::output::{Occasion, Output, Turn};
use super::{Desk, Farewell, Machine};
use crate::diagnostic::visible;
use crate::pack::FaultRow;
use crate::pack::spoiler::{AtLoss, FramingFault, On, Spoiler};
use crate::protocol::{Dialect, Facts, GameEvent, Line, Party, RefereeLine};
use crate::requirement::Role;
use crate::rules::{Move, Phase, Seat, Setup, Table, below};

/// A bot's choice among its legal moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Policy {
    /// The first in the game's own order, such as the token with the lowest number
    First,
    /// The last, such as the token with the highest number
    Last,
    /// Any
    Random,
}

impl Policy {
    /// One of the moves.
    ///
    /// # Panics
    /// Panics if there are no legal moves.
    #[must_use]
    pub fn pick(self, legal: &[Move], random: &mut ChaCha8Rng) -> Move {
        match self {
            Policy::First => legal[0],
            Policy::Last => legal[legal.len() - 1],
            Policy::Random => legal[below(random.next_u64(), legal.len())],
        }
    }
}

/// The lane of a bot.
const LANE: usize = 0;

/// Why a bot gives up: a line that is not the expected one.
fn unexpected(desk: &Desk, line: &Line, expected: impl Display) -> String {
    let (number, received) = (desk.count(LANE), visible::quoted(&line.text));
    format!("line {number}: expected {expected}, received {received}")
}

/// A bot of any game; honest unless it was given a fault.
#[derive(Debug)]
pub struct Bot {
    output: Output,
    policy: Policy,
    random: ChaCha8Rng,
    delay: Duration,
    /// Its next moves, as far as they are given; `None` is one by its policy.
    answers: VecDeque<Option<Move>>,
}

/// The game as the bot sees it.
struct Seen {
    seat: Seat,
    /// The game by the rules that the bot believes in.
    table: Box<dyn Table>,
    /// The game by the rules, for a bot that errs as soon as it can.
    honest: Option<Box<dyn Table>>,
    /// The bot's next turn in which it can move.
    turn: Turn,
}

impl Bot {
    /// An honest bot; `seed` decides what [`Policy::Random`] chooses, `delay` goes by before each answer.
    #[must_use]
    pub fn new(dialect: &'static dyn Dialect, policy: Policy, seed: u64, delay: Duration) -> Bot {
        Bot {
            output: Output::honest(dialect),
            policy,
            random: ChaCha8Rng::seed_from_u64(seed),
            delay,
            answers: VecDeque::new(),
        }
    }

    /// This bot with its first moves given, where they are legal; `None` is one by its policy.
    #[must_use]
    pub fn with_answers(self, answers: VecDeque<Option<Move>>) -> Bot {
        Bot { answers, ..self }
    }

    /// This bot with a fault, if one is given.
    #[must_use]
    pub fn with_fault(mut self, fault: Option<FaultRow>) -> Bot {
        self.output.spoilers = fault.map_or(&[], |fault| fault.spoilers);
        self
    }

    /// Plays one game over blocking streams. The result inside says why the bot gives up, if it does: a line is not what is due.
    ///
    /// # Errors
    /// Fails if a stream cannot be read or written.
    pub fn play(&mut self, input: impl Read, output: impl Write) -> io::Result<Result<(), String>> {
        drive_blocking(Machine::new(1, |desk| self.play_at(desk)), input, output)
    }

    /// This bot as a machine for one game.
    #[must_use]
    pub fn machine(mut self) -> Machine<'static, Farewell> {
        Machine::new(1, async move |desk| match self.play_at(desk).await {
            Ok(()) => Farewell::default(),
            Err(error) => Farewell {
                status: 1,
                said: format!("urtext bot: {error}\n"),
                ..Farewell::default()
            },
        })
    }

    /// Plays one game, as a [`Machine`] with one lane does, until it is over or the lane ends, whichever comes first. A referee
    /// that does not read any more is as good as the end of the lane.
    ///
    /// # Errors
    /// A line that is not what is due.
    pub async fn play_at(&mut self, desk: Desk) -> Result<(), String> {
        self.play_lines(&desk).await?;
        for spoiler in self.output.spoilers {
            if let Spoiler::Stays(for_ever) = spoiler {
                while desk.next_line(LANE).await.is_some() {}
                if *for_ever {
                    pending::<()>().await;
                }
            }
        }
        Ok(())
    }

    async fn play_lines(&mut self, desk: &Desk) -> Result<(), String> {
        if !self.say(desk, Occasion::Other(On::Start), None).await {
            return Ok(());
        }
        self.misframe(desk, false);
        let Some((seat, setup)) = self.take_greeting(desk).await? else {
            return Ok(());
        };
        self.misframe(desk, true);
        let mut seen = self.seen(seat, setup);
        while !matches!(seen.table.phase(), Phase::Over(_)) {
            let is_own = seen.table.to_move() == seat;
            if is_own && let Some(choice) = self.choice(&seen) {
                if !self.answer(&mut seen, &choice, desk).await? {
                    return Ok(());
                }
                continue;
            }
            if !is_own
                && seen.table.phase() == Phase::Move
                && !self.say(desk, Occasion::Other(On::OffTurn), None).await
            {
                return Ok(());
            }
            let Some(line) = desk.next_line(LANE).await else {
                return Ok(());
            };
            match (seen.table.phase(), self.output.dialect.hear(&line.text)) {
                (_, RefereeLine::Loss) if self.output.has(Spoiler::UnknownLoss(AtLoss::Waits)) => {
                    while desk.next_line(LANE).await.is_some() {}
                    return Ok(());
                }
                (_, RefereeLine::Loss)
                    if !self.output.has(Spoiler::UnknownLoss(AtLoss::GivesUp)) =>
                {
                    return Ok(());
                }
                (Phase::Roll, RefereeLine::Roll(roll)) => {
                    let skipped = !seen.table.take_roll(roll);
                    let event = GameEvent::Rolled {
                        by: seat,
                        roll,
                        skipped,
                    };
                    let rolled = Occasion::Event(event);
                    if is_own && !self.say(desk, rolled, None).await {
                        return Ok(());
                    }
                }
                (Phase::Move, RefereeLine::Move(mv)) if !is_own && seen.plays(mv) => {}
                (phase, _) => {
                    return Err(unexpected(desk, &line, self.expected(phase)));
                }
            }
        }
        self.await_close(desk).await
    }

    /// Cuts what comes into lines as the fault has it, from the beginning or only after the greeting.
    fn misframe(&self, desk: &Desk, is_greeted: bool) {
        for spoiler in self.output.spoilers {
            match spoiler {
                Spoiler::Framing(fault) if is_greeted || *fault != FramingFault::FirstLineOnly => {
                    desk.misframe(LANE, *fault);
                }
                _ => {}
            }
        }
    }

    /// The game at its beginning, as the bot believes it to be.
    fn seen(&self, seat: Seat, setup: Setup) -> Seen {
        let game = self.output.dialect.game();
        let variant = |name| {
            let variant = game.mistakes().table(setup, name);
            variant.expect("the rules have the variants of the faults")
        };
        let mut table = game.table(setup);
        let mut honest = None;
        for spoiler in self.output.spoilers {
            match spoiler {
                Spoiler::Variant(name) => {
                    let replaced = std::mem::replace(&mut table, variant(name));
                    honest = Some(replaced).filter(|_| self.output.has(Spoiler::Errs));
                }
                Spoiler::Starts(name) if table.to_move() != seat => table = variant(name),
                _ => {}
            }
        }
        let turn = Turn {
            number: 1,
            ..Turn::default()
        };
        Seen {
            seat,
            table,
            honest,
            turn,
        }
    }

    /// Reads the greeting; `None` where the input ends before it does.
    async fn take_greeting(&self, desk: &Desk) -> Result<Option<(Seat, Setup)>, String> {
        let mut facts = Facts::default();
        let mut seat = None;
        for greeting in self.output.dialect.greeting(false) {
            let Some(line) = desk.next_line(LANE).await else {
                return Ok(None);
            };
            let is_plain = line.text.iter().all(u8::is_ascii_alphanumeric);
            if self.output.has(Spoiler::AsciiNames) && !is_plain {
                let expected = "a name of ASCII letters and digits";
                return Err(unexpected(desk, &line, expected));
            }
            match self
                .output
                .dialect
                .read_greeting(greeting.slot, &line.text, &mut facts)
            {
                Ok(told) => seat = told.or(seat),
                Err(_) => return Err(unexpected(desk, &line, greeting.syntax)),
            }
        }
        for spoiler in self.output.spoilers {
            if let Spoiler::TakesSeat(taken) = spoiler {
                seat = Some(*taken);
            }
        }
        Ok(seat.map(|seat| (seat, facts.setup.unwrap_or_default())))
    }

    /// The moves that the bot chooses from, if it moves now: those that the rules refuse where it believes some of them legal, else
    /// the legal ones.
    fn choice(&self, seen: &Seen) -> Option<Vec<Move>> {
        let is_silent =
            |spoiler: &Spoiler| matches!(spoiler, Spoiler::NoAnswer(when) if when.holds(seen.turn));
        let legal = seen.table.legal_moves();
        if legal.is_empty() || self.output.any(is_silent) {
            return None;
        }
        if let Some(honest) = &seen.honest {
            let is_wrong = |mv: &Move| honest.check(*mv).is_err();
            let wrong: Vec<_> = legal.iter().copied().filter(is_wrong).collect();
            if !wrong.is_empty() {
                return Some(wrong);
            }
        }
        Some(legal)
    }

    /// Sends a move and reads its confirmation, where there is one; `false` where the game is over for the bot.
    async fn answer(
        &mut self,
        seen: &mut Seen,
        choice: &[Move],
        desk: &Desk,
    ) -> Result<bool, String> {
        let (by, turn) = (seen.seat, seen.turn);
        let given = self.answers.pop_front().flatten();
        let mv = match given.filter(|mv| choice.contains(mv)) {
            Some(mv) => mv,
            None => self.policy.pick(choice, &mut self.random),
        };
        desk.sleep(self.delay).await;
        let (dialect, spoilers) = (self.output.dialect, self.output.spoilers.iter());
        let sent = spoilers.fold(mv, |mv, spoiler| match spoiler {
            Spoiler::Refused(code) => refused(dialect, &*seen.table, code).unwrap_or(mv),
            Spoiler::Misreads => dialect.misread_move(mv).map_or(mv, |(mv, ..)| mv),
            _ => mv,
        });
        let result = None;
        let event = GameEvent::Moved { by, mv, result };
        let line = self.output.dialect.write_move(sent);
        let moved = Occasion::Event(event);
        if !self.say(desk, moved, Some(line.clone())).await {
            return Ok(false);
        }
        let exits = |spoiler: &Spoiler| matches!(spoiler, Spoiler::Exits(when) if when.holds(turn));
        if self.output.any(exits) || !self.is_confirmed(event, desk).await? {
            return Ok(false);
        }
        assert!(seen.plays(mv), "a legal move is not refused");
        if self.output.has(Spoiler::AwaitsEcho) {
            let is_other = |heard: Line| heard.text != line;
            while desk.next_line(LANE).await.is_some_and(is_other) {}
        }
        seen.turn = Turn {
            number: turn.number + 1,
            is_extra: seen.table.to_move() == by,
            ..Turn::default()
        };
        Ok(true)
    }

    /// Reads the lines by which the bot's own move comes back; `false` where the input ends instead.
    async fn is_confirmed(&self, event: GameEvent, desk: &Desk) -> Result<bool, String> {
        let output = &self.output;
        let owed = output.dialect.tell(&event, Party::Player(event.by()));
        if let Some(owed) = owed.filter(|_| !output.has(Spoiler::NoConfirmation)) {
            match desk.next_line(LANE).await {
                None => return Ok(false),
                Some(line) if line.text == owed.line => {}
                Some(line) => {
                    let expected = String::from_utf8_lossy(&owed.line);
                    return Err(unexpected(desk, &line, expected));
                }
            }
        }
        Ok(true)
    }

    /// Waits for the end of the lane after the game, in a dialect where the referee has to close it.
    async fn await_close(&self, desk: &Desk) -> Result<(), String> {
        if self.output.dialect.find_id(Role::EndCloses).is_none() {
            return Ok(());
        }
        match desk.next_line(LANE).await {
            Some(line) => Err(unexpected(desk, &line, "the end of the connection")),
            None => Ok(()),
        }
    }

    /// The line that is due, in words.
    fn expected(&self, phase: Phase) -> String {
        let data = self.output.dialect.data();
        match data.loss_line {
            _ if phase == Phase::Roll => data.game.data().roll_syntax.to_owned(),
            None => "a legal move of the opponent".to_owned(),
            Some(loss) => {
                let loss = String::from_utf8_lossy(loss);
                format!("a legal move of the opponent or {loss}")
            }
        }
    }

    /// Sends the bot's line, if there is one, and what its fault adds; `false` where nobody takes it any more.
    async fn say(&self, desk: &Desk, occasion: Occasion, line: Option<Vec<u8>>) -> bool {
        if line.is_none() && self.output.spoilers.is_empty() {
            return true;
        }
        let lines = line.into_iter().collect();
        // A bot has one lane, and spoilers mean it by all lanes.
        let bytes = self.output.lines(occasion, Party::Spectator, lines);
        bytes.is_empty() || desk.send(LANE, &bytes).await
    }
}

impl Seen {
    /// Plays a move; `false` where the rules that the bot believes in refuse it.
    fn plays(&mut self, mv: Move) -> bool {
        let is_legal = self.table.play(mv).is_ok();
        if let Some(honest) = &mut self.honest
            && is_legal
            && honest.phase() == Phase::Move
            && honest.check(mv).is_ok()
        {
            honest.play(mv).expect("it was checked");
        }
        is_legal
    }
}

/// A move that the rules refuse for the reason with this code, if there is one.
fn refused(dialect: &dyn Dialect, table: &dyn Table, code: &str) -> Option<Move> {
    let mut moves = dialect.game().every_move().into_iter();
    moves.find(|&mv| table.check(mv).is_err_and(|refusal| refusal.code == code))
}
