//! One game of the built-in referee.

use std::future::pending;
use std::time::Duration;

use super::machine::Arrival;
use super::output::{Occasion, Output, Turn};
use super::referee::{Referee, parties};
use super::{Conditions, Desk};
use crate::pack::spoiler::{Begun, FramingFault, NewTime, OffTurnLine, On, RollFault, Spoiler};
use crate::protocol::{Cause, Facts, GameEvent, Line, OffTurn, Party, PlayerLine};
use crate::rules::{Attempt, Fact, Move, PerSeat, Phase, Roll, Seat, Setup, Table};

/// Maximum number of off-turn lines that are skipped at once before a turn begins.
const PASSED_OVER: usize = 256;

/// Time within which the end of a stream comes with its last line.
const END_COMES_WITH: Duration = Duration::from_millis(2);

/// One game under way.
pub(super) struct Session<'a> {
    referee: &'a mut Referee,
    desk: Desk,
    output: Output,
    spectators: usize,
    setup: Setup,
    table: Box<dyn Table>,
    turn: Turn,
    /// The player of the last turn.
    mover: Option<Seat>,
    next_turn: Duration,
    clock: Clock,
    /// The kinds of the last move, for a referee at fault.
    last_kinds: Vec<&'static str>,
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

/// When turns of each player began, and how long they took.
#[derive(Default)]
struct Clock {
    /// The first in which it could move.
    first: PerSeat<Option<Duration>>,
    /// The first that was skipped.
    skipped: PerSeat<Option<Duration>>,
    /// The last in which it could move.
    own: PerSeat<Option<Duration>>,
    /// The time of all of them.
    used: PerSeat<Duration>,
}

/// Loss before the end of the game.
type Loss = (Seat, Cause);

/// A move that is accepted: as it is played, and as the others are shown it, which differs only for a faulty referee.
type Accepted = (Move, Move);

impl<'a> Session<'a> {
    pub(super) fn new(referee: &'a mut Referee, desk: Desk, spectators: usize) -> Session<'a> {
        let setup = referee.next_setup();
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
            clock: Clock::default(),
            last_kinds: Vec::new(),
            ignores_off_turn: is_ignored && !output.has(kept),
            referee,
            desk,
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
                number: self.turn.number + 1,
                is_extra,
                is_after_skip: self.is_skipped,
            };
            if self.is_skipped {
                self.last_kinds.clear();
            }
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
        let began = self.clock.own[by].expect("the turn has begun");
        self.clock.used[by] += self.desk.now() - began;
        if self.ignores_off_turn {
            self.pass_over(by.other()).await;
        }
        if !self.output.spoilers.is_empty() {
            let kinds = &mut self.last_kinds;
            kinds.clear();
            let see = &mut |fact| {
                if let Fact::Kind(kind) = fact {
                    kinds.push(kind);
                }
            };
            self.table.facts(Roll(0), Attempt::Moved(played), see);
        }
        self.table.play(played).expect("the move was checked");
        let result = self.table.phase().result();
        let event = GameEvent::Moved { by, mv, result };
        self.tell(event).await;
        Ok(result.map(|_| event))
    }

    async fn greet(&mut self) {
        if self.output.has(Spoiler::Silent) {
            pending::<()>().await;
        }
        let PerSeat([first, second]) = &self.referee.conditions.names;
        let facts = Facts::with_names(first.as_slice(), second.as_slice()).with_setup(self.setup);
        self.send_all(|output, party| output.greeting(party, &facts))
            .await;
    }

    async fn tell(&self, event: GameEvent) {
        self.send_all(|output, party| output.event(event, party))
            .await;
    }

    /// Sends what only a referee at fault sends after the end of the game.
    async fn follow_end(&mut self, end: GameEvent) {
        let ended = Occasion::Ended(end);
        self.send_all(|output, party| output.lines(ended, party, Vec::new()))
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
        for (party, lane) in parties(self.spectators) {
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
        let has = |fault| self.output.has(Spoiler::Roll(fault));
        let before = self.table.fork();
        let mut skipped = !self.table.take_roll(roll);
        if has(RollFault::RerollsExtraTurn) && skipped && self.turn.is_extra {
            self.table = before;
        } else if has(RollFault::SkipsSingleMove) && self.table.legal_moves().len() == 1 {
            self.table = before;
            // As the rules do with the least roll.
            skipped = !self.table.take_roll(game.kinds_of_roll()[0]);
        }
        self.last_roll = (!skipped).then_some((roll, by));
        if kept.is_none() {
            self.tell(GameEvent::Rolled { by, roll, skipped }).await;
        }
        self.is_skipped = skipped;
        if skipped {
            let now = self.desk.now();
            self.clock.skipped[by].get_or_insert(now);
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
        let now = self.desk.now();
        let since = |before: Option<Duration>| before.map_or(Duration::ZERO, |before| now - before);
        let Conditions { timeout, pace, .. } = self.referee.conditions;
        let default = self.output.dialect.game().data().default_timeout;
        let time = self.referee.time(&Begun {
            number: self.turn.number,
            by,
            is_extra: self.turn.is_extra,
            is_after_skip: self.turn.is_after_skip,
            last_kinds: &self.last_kinds,
            timeout,
            pace,
            is_default: default == Some(timeout),
            since_greeting: now,
            since_first: since(self.clock.first[by]),
            since_skip: since(self.clock.skipped[by]),
            since_own: since(self.clock.own[by]),
            used: self.clock.used[by],
        });
        self.clock.first[by].get_or_insert(now);
        self.clock.own[by] = Some(now);
        now.checked_add(time?)
    }

    /// Gives the turn new time, if the fault is to give it for this reason.
    fn restart(&self, reason: NewTime, deadline: &mut Option<Duration>) {
        if self.output.has(Spoiler::NewTime(reason)) {
            *deadline = self.desk.now().checked_add(self.referee.conditions.timeout);
        }
    }

    /// The lanes that are looked at while a line is awaited: that of the player on turn, that of the opponent where its lines are
    /// ignored, and those for which a referee at fault gives new time.
    fn watched(&self, by: Seat) -> Vec<usize> {
        let mut lanes = vec![by.index()];
        let gives = |reason| self.output.has(Spoiler::NewTime(reason));
        if self.ignores_off_turn || gives(NewTime::OffTurnLine) || gives(NewTime::HangUp) {
            lanes.push(by.other().index());
        }
        if gives(NewTime::Spectator) {
            lanes.extend(2..2 + self.spectators);
        }
        lanes.retain(|lane| *lane == by.index() || !self.ended.contains(lane));
        lanes
    }

    /// The next line of the player on turn.
    async fn awaited_line(
        &mut self,
        by: Seat,
        deadline: &mut Option<Duration>,
    ) -> Result<Line, Loss> {
        let own = by.index();
        loop {
            let lanes = self.watched(by);
            match self.desk.first_arrival(&lanes, *deadline).await {
                Arrival::Deadline => return Err((by, Cause::Timeout)),
                Arrival::Part => self.restart(NewTime::Part, deadline),
                Arrival::Line(lane, line) if lane == own => return self.taken(by, line).await,
                Arrival::End(lane) if lane == own => return Err((by, Cause::HangUp)),
                Arrival::Line(..) => {
                    for spoiler in self.output.spoilers {
                        if let Spoiler::OffTurn(OffTurnLine::Loses(requirement)) = spoiler {
                            return Err((by.other(), Cause::Invalid(requirement)));
                        }
                    }
                    self.restart(NewTime::OffTurnLine, deadline);
                }
                Arrival::End(lane) => {
                    self.ended.push(lane);
                    let is_player = lane < 2;
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
                    if self.desk.ends_by(by.index(), soon).await {
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
                    let ignored = Occasion::Other(On::Ignored);
                    let answer = self.output.lines(ignored, party, Vec::new());
                    self.desk.send(by.index(), &answer).await;
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
        let lane = seat.index();
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
