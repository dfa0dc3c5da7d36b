//! Explored games as lists of turns, which shrinking shortens and which can be written as scenarios.

use super::off_turn::OffTurnLine;
use super::text::{self, Header};
use crate::diagnostic::visible::quoted;
use crate::event::Outcome;
use crate::protocol::{Cause, Dialect, GameEvent, PlayerLine};
use crate::rules::{Move, Phase, Roll, Seat, Setup, Table, WIN};
use crate::scenario::{AdaptiveAction, Leaving, PlayerAction, Scenario, Side, StepKind};
use crate::transcript::{Direction, LaneLabel};

/// Number of further turns for a game whose own turns do not show the failure.
const PLAYED_ON: usize = 2;

/// A game that was played, as turns that bring it about again where rolls and what chance fixes before the first turn are forced.
#[derive(Debug, Clone)]
pub struct Script {
    pub(super) dialect: &'static dyn Dialect,
    pub(super) side: Side,
    pub(super) bot_seat: Seat,
    pub(super) setup: Option<Setup>,
    pub(super) timeout: Option<std::time::Duration>,
    pub(super) turns: Vec<ScriptTurn>,
    /// First turn in which a bot chooses its own moves; in earlier turns it has to repeat its recorded moves.
    pub(super) free_from: usize,
    /// Number of free turns after these.
    pub(super) then_free: usize,
}

/// One turn of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct ScriptTurn {
    pub(super) seat: Seat,
    pub(super) roll: Option<Roll>,
    /// Lines that were sent first and are to be ignored.
    pub(super) ignored: Vec<Vec<u8>>,
    /// Lines that the other player sent off turn, before anything was done.
    pub(super) meanwhile: Vec<Vec<u8>>,
    pub(super) what: ScriptDeed,
}

impl ScriptTurn {
    /// A turn in which nothing else is said.
    pub(super) fn plain(seat: Seat, roll: Option<Roll>, what: ScriptDeed) -> ScriptTurn {
        ScriptTurn {
            seat,
            roll,
            ignored: Vec::new(),
            meanwhile: Vec::new(),
            what,
        }
    }
}

/// Action of a turn.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum ScriptDeed {
    Skip,
    Move(Move),
    /// An action of the bot under test that is not known yet.
    Any,
    /// A line that loses.
    Illegal(Vec<u8>),
    Silent,
    Leave(Leaving),
}

impl Script {
    /// The game of an outcome, up to where it went as predicted, and the turn after it.
    ///
    /// `None` where the game did not come so far that its setup was told.
    #[must_use]
    pub fn of(scenario: &Scenario, outcome: &Outcome) -> Option<Script> {
        let dialect = scenario.dialect;
        let game = dialect.game();
        let setup = if game.setup_keys().is_empty() {
            None
        } else {
            Some(outcome.setup?)
        };
        let is_silent = |action: &ScriptDeed| *action == ScriptDeed::Silent;
        let mut script = Script {
            dialect,
            side: scenario.side,
            bot_seat: scenario.bot_seat,
            setup,
            timeout: None,
            turns: Vec::new(),
            free_from: usize::MAX,
            then_free: 0,
        };
        let mut sent = Seat::BOTH.map(|seat| sent_by(scenario, outcome, seat));
        let mut reading = Reading {
            table: game.table(setup.unwrap_or_default()),
            off_turn: OffTurnLine::taken_from(&mut sent, scenario, &outcome.history),
            moves: [0; 2],
            sent,
            roll: None,
            scenario,
        };
        for happening in &outcome.history {
            script.turns.extend(reading.turn(happening));
        }
        if !outcome
            .history
            .iter()
            .any(|happening| matches!(happening, GameEvent::Lost { .. }))
        {
            script
                .turns
                .extend(reading.next_turn(script.turns.is_empty()));
        }
        let is_timed =
            script.turns.iter().any(|turn| is_silent(&turn.what)) && script.side == Side::Referee;
        script.timeout = scenario.timeout.filter(|_| is_timed);
        Some(script)
    }

    /// Returns the number of turns.
    #[must_use]
    pub fn length(&self) -> usize {
        self.turns.len()
    }

    /// Returns the kind of subject.
    #[must_use]
    pub fn side(&self) -> Side {
        self.side
    }

    /// Returns true if the game skips a turn of the bot under test.
    #[must_use]
    pub fn skips_the_bot(&self) -> bool {
        self.turns
            .iter()
            .any(|turn| self.is_bots(turn.seat) && turn.what == ScriptDeed::Skip)
    }

    /// Returns the game with the bot free to choose its own moves.
    #[must_use]
    pub fn freed(&self) -> Script {
        Script {
            free_from: 0,
            ..self.clone()
        }
    }

    /// Returns the game with some further free turns: the failure may show only in the next turn.
    #[must_use]
    pub fn with_turns_after(&self) -> Script {
        Script {
            then_free: self.then_free.max(PLAYED_ON),
            ..self.clone()
        }
    }

    /// Returns true if the bot under test has this seat.
    pub(super) fn is_bots(&self, seat: Seat) -> bool {
        self.side == Side::Bot && seat == self.bot_seat
    }

    /// The text of a scenario that plays it; `requirement` is what it is about.
    #[must_use]
    pub fn text(&self, title: &str, requirement: Option<&'static str>) -> String {
        let text = self.checking(title, requirement);
        // What failed in a game need not be what its turns put to the test.
        let is_sound = requirement.is_none() || text::read(&text, title).is_ok();
        if is_sound {
            text
        } else {
            self.checking(title, None)
        }
    }

    /// The text of a scenario that claims to check this requirement, where one can.
    fn checking(&self, title: &str, requirement: Option<&'static str>) -> String {
        let wished: Vec<_> = requirement.into_iter().collect();
        let check = text::check(self.dialect, self.side, &wished);
        let game = self.dialect.game();
        let mut more = Vec::new();
        if let Some(timeout) = self.timeout {
            more.push(("timeout", humantime::format_duration(timeout).to_string()));
        }
        if let Some(setup) = self.setup {
            let values = game.setup_values(setup);
            let value = |key: &'static str| {
                values
                    .iter()
                    .find(|(name, _)| *name == key)
                    .map(|(_, value)| (key, value.clone()))
            };
            more.extend(game.setup_keys().iter().filter_map(|(key, _)| value(key)));
        }
        let (dialect, side, bot_seat) = (self.dialect, self.side, self.bot_seat);
        let header = Header {
            title,
            dialect,
            side,
            bot_seat,
            check,
            more,
        };
        let mut turns: Vec<String> = self
            .turns
            .iter()
            .enumerate()
            .flat_map(|(place, turn)| self.lines(place, turn))
            .collect();
        if self.then_free > 0 {
            // What is waited for is the latest that every game has.
            turns.push(format!(
                "play: until mover can {}, within {} turns",
                WIN.name, self.then_free
            ));
        }
        text::scenario(&header, &turns)
    }

    /// The scenario that plays it, where it is one: that it is legal is checked on paper.
    #[must_use]
    pub fn scenario(&self, name: &str, requirement: Option<&'static str>) -> Option<Scenario> {
        text::read(&self.text(name, requirement), name).ok()
    }

    fn lines(&self, place: usize, turn: &ScriptTurn) -> Vec<String> {
        let game = self.dialect.game();
        let key = text::key_of(self.dialect, self.side, self.bot_seat, turn.seat);
        let roll = turn.roll.map(|roll| game.format_roll(roll));
        let after_roll = |what: String| match &roll {
            Some(roll) => text::turn(key, &format!("{roll} > {what}")),
            None => text::turn(key, &what),
        };
        let mut lines: Vec<_> = turn
            .ignored
            .iter()
            .map(|line| after_roll(format!("{} ignored", quoted(line))))
            .collect();
        let own = match &turn.what {
            ScriptDeed::Skip => text::turn(key, &roll.unwrap_or_default()),
            ScriptDeed::Move(mv) if place < self.free_from || !self.is_bots(turn.seat) => {
                after_roll(game.format_move(*mv))
            }
            ScriptDeed::Move(_) | ScriptDeed::Any => after_roll("any".to_owned()),
            ScriptDeed::Illegal(line) => after_roll(match self.dialect.read_player_line(line) {
                PlayerLine::Move(mv) => format!("{} illegal", game.format_move(mv)),
                _ => format!("{} illegal", quoted(line)),
            }),
            ScriptDeed::Silent => after_roll("silent".to_owned()),
            ScriptDeed::Leave(how) => after_roll(how.words().to_owned()),
        };
        let other = text::key_of(self.dialect, self.side, self.bot_seat, turn.seat.other());
        lines.push(text::with_meanwhile(own, other, &turn.meanwhile));
        lines
    }
}

/// A game as it is read again.
struct Reading<'r> {
    table: Box<dyn Table>,
    /// Lines of each seat that are not read yet, the next line last.
    sent: [Vec<Vec<u8>>; 2],
    /// The line that was sent off turn and whose turn is not read yet.
    off_turn: Option<OffTurnLine>,
    /// Number of moves that each seat has made.
    moves: [usize; 2],
    /// The roll that no move has followed yet.
    roll: Option<Roll>,
    scenario: &'r Scenario,
}

impl Reading<'_> {
    /// The turn that is over with a happening.
    fn turn(&mut self, happening: &GameEvent) -> Option<ScriptTurn> {
        match *happening {
            GameEvent::Rolled { by, roll, skipped } => {
                self.table.take_roll(roll);
                self.roll = (!skipped).then_some(roll);
                skipped.then(|| ScriptTurn::plain(by, Some(roll), ScriptDeed::Skip))
            }
            GameEvent::Moved { by, mv, .. } => {
                let ignored = self.ignored_until(by, mv);
                let (roll, meanwhile) = (self.roll.take(), self.meanwhile(by));
                self.table.play(mv).ok()?;
                self.moves[by.index()] += 1;
                Some(ScriptTurn {
                    seat: by,
                    roll,
                    ignored,
                    meanwhile,
                    what: ScriptDeed::Move(mv),
                })
            }
            GameEvent::Lost { by, cause } => {
                let mut rest: Vec<_> = self.sent[by.index()].drain(..).rev().collect();
                let what = match cause {
                    // For what the opponent lost, a bot cannot see.
                    Cause::Invalid(_) if self.scenario.side == Side::Bot => ScriptDeed::Silent,
                    Cause::Invalid(_) => ScriptDeed::Illegal(rest.pop()?),
                    Cause::Timeout => ScriptDeed::Silent,
                    Cause::HangUp | Cause::Unseen => ScriptDeed::Leave(self.leaving()),
                };
                let (ignored, meanwhile) = (self.only_ignored(rest), self.meanwhile(by));
                Some(ScriptTurn {
                    seat: by,
                    roll: self.roll.take(),
                    ignored,
                    meanwhile,
                    what,
                })
            }
        }
    }

    /// The turn that has begun and is not over; a first one where there is none at all.
    fn next_turn(&mut self, is_first: bool) -> Option<ScriptTurn> {
        let is_bot = |seat: Seat| self.scenario.side == Side::Bot && seat == self.scenario.bot_seat;
        let seat = self.table.to_move();
        let game = self.scenario.dialect.game();
        if is_first && self.table.phase() == Phase::Roll {
            let &roll = game.kinds_of_roll().last()?;
            self.table.take_roll(roll);
            self.roll = Some(roll);
        }
        let rest: Vec<_> = self.sent[seat.index()].drain(..).rev().collect();
        let ignored = if is_bot(seat) {
            Vec::new()
        } else {
            self.only_ignored(rest)
        };
        let meanwhile = self.meanwhile(seat);
        let is_heard = !ignored.is_empty() || !meanwhile.is_empty();
        let has_begun = self.roll.is_some()
            || game.kinds_of_roll().is_empty() && (is_first || is_bot(seat) || is_heard);
        if !has_begun || self.table.phase() != Phase::Move {
            return None;
        }
        let what = if is_bot(seat) {
            ScriptDeed::Any
        } else {
            ScriptDeed::Move(*self.table.legal_moves().first()?)
        };
        Some(ScriptTurn {
            seat,
            roll: self.roll.take(),
            ignored,
            meanwhile,
            what,
        })
    }

    /// Takes the lines that the other player sent during this player's turn.
    fn meanwhile(&mut self, seat: Seat) -> Vec<Vec<u8>> {
        let moves = self.moves;
        let is_now =
            |line: &mut OffTurnLine| line.by != seat && line.after == moves[line.by.index()];
        self.off_turn
            .take_if(is_now)
            .map(|line| line.text)
            .into_iter()
            .collect()
    }

    /// The lines of a seat before this move, which were ignored.
    fn ignored_until(&mut self, by: Seat, mv: Move) -> Vec<Vec<u8>> {
        let mut before = Vec::new();
        while let Some(line) = self.sent[by.index()].pop() {
            if self
                .scenario
                .dialect
                .read_player_line(&line)
                .possible_move()
                == Some(mv)
            {
                break;
            }
            before.push(line);
        }
        self.only_ignored(before)
    }

    fn only_ignored(&self, mut lines: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        // What a bot under test says in vain is its own affair.
        lines.retain(|line| {
            self.scenario.side == Side::Referee
                && matches!(
                    self.scenario.dialect.read_player_line(line),
                    PlayerLine::Ignored(_)
                )
        });
        lines
    }

    /// Returns the kind of the player's disconnect in the scenario.
    fn leaving(&self) -> Leaving {
        let left = self
            .scenario
            .steps
            .iter()
            .find_map(|step| match &step.kind {
                StepKind::Improvise(turn) => match turn.action {
                    AdaptiveAction::Leave(how) => Some(how),
                    _ => None,
                },
                StepKind::Turn(turn) => match turn.action {
                    PlayerAction::Leave(how) => Some(how),
                    _ => None,
                },
                StepKind::PlayToTheEnd | StepKind::PlayUntil(_) => None,
            });
        left.unwrap_or(Leaving::HangUp)
    }
}

/// The lines that a seat has sent, the first one last.
fn sent_by(scenario: &Scenario, outcome: &Outcome, seat: Seat) -> Vec<Vec<u8>> {
    let is_his = |label: LaneLabel| label == LaneLabel::Player(seat);
    let lanes = outcome
        .transcript
        .lanes
        .iter()
        .filter(|lane| is_his(lane.label));
    let of_player = match scenario.side {
        // Of its opponent a bot has only the moves.
        Side::Bot if seat != scenario.bot_seat => return Vec::new(),
        Side::Bot | Side::Referee => Direction::Sent,
    };
    let sent = lanes
        .flat_map(|lane| &lane.entries)
        .filter(|entry| entry.direction == of_player);
    let mut lines: Vec<_> = sent.map(|entry| entry.line.text.clone()).collect();
    lines.reverse();
    lines
}
