//! Explored games as lists of turns, which shrinking shortens and which can be written as scenarios.

use super::made_up::made_up;
use super::off_turn::OffTurnLine;
use crate::event::Outcome;
use crate::protocol::{Cause, GameEvent, PlayerLine};
use crate::rules::{Move, Phase, Roll, Seat, Table};
use crate::scenario::{
    Act, Deed, Leaving, Participant, PlannedGame, Scenario, SendPart, Side, Situation, StepKind,
    Turn, Until,
};
use crate::transcript::{Direction, LaneLabel};

/// Number of further turns for a game whose own turns do not show the failure.
const PLAYED_ON: usize = 2;

/// A game that was played, as turns that bring it about again where rolls and what chance fixes before the first turn are forced.
#[derive(Debug, Clone)]
pub struct Script {
    /// All of the game but its checks and its turns.
    pub(super) plan: PlannedGame,
    /// Its turns. Lines of the player of a turn that are ignored are among what is done meanwhile.
    pub(super) turns: Vec<Turn>,
    /// First turn in which a bot chooses its own moves; in earlier turns it has to repeat its recorded moves.
    pub(super) free_from: usize,
    /// Number of free turns after these.
    pub(super) then_free: usize,
}

/// Returns true if a player sends something in the other one's turn.
pub(super) fn is_heard_off_turn(turn: &Turn) -> bool {
    turn.meanwhile
        .iter()
        .any(|act| act.who != Participant::Player(turn.seat))
}

/// The turn as one of this seat, with this action: what each player says in it, the other one says then.
pub(super) fn given_to(turn: &Turn, seat: Seat, deed: Deed) -> Turn {
    let mut given = Turn {
        seat,
        deed,
        ..turn.clone()
    };
    for act in given.meanwhile.iter_mut().filter(|_| seat != turn.seat) {
        if let Participant::Player(by) = &mut act.who {
            *by = by.other();
        }
    }
    given
}

impl Script {
    /// The game of an outcome, up to where it went as predicted, and the turn after it.
    ///
    /// `None` where the game did not come so far that its setup was told.
    #[must_use]
    pub fn of(scenario: &Scenario, outcome: &Outcome) -> Option<Script> {
        let played = scenario.game()?;
        let (dialect, side) = (played.dialect, played.side);
        let game = dialect.game();
        let setup = if game.setup_keys().is_empty() {
            None
        } else {
            Some(outcome.setup?)
        };
        let is_silent = |action: &Deed| *action == Deed::Silent;
        let mut script = Script {
            plan: PlannedGame {
                setup,
                ..made_up(dialect, side, played.bot_seat, &[])
            },
            turns: Vec::new(),
            free_from: usize::MAX,
            then_free: 0,
        };
        let mut sent = Seat::BOTH.map(|seat| sent_by(played, outcome, seat));
        let mut reading = Reading {
            table: game.table(setup.unwrap_or_default()),
            off_turn: OffTurnLine::taken_from(&mut sent, played, &outcome.history),
            moves: [0; 2],
            sent,
            roll: None,
            plan: played,
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
            script.turns.iter().any(|turn| is_silent(&turn.deed)) && side == Side::Referee;
        script.plan.timeout = played.timeout.filter(|_| is_timed);
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
        self.plan.side
    }

    /// Returns true if the game skips a turn of the bot under test.
    #[must_use]
    pub fn skips_the_bot(&self) -> bool {
        self.turns
            .iter()
            .any(|turn| self.is_bots(turn.seat) && turn.deed == Deed::Skip)
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
        self.plan.side == Side::Bot && seat == self.plan.bot_seat
    }

    /// The scenario that plays it, where it is one: that it is legal is checked on paper. It is about this requirement, where its turns
    /// put that to the test.
    #[must_use]
    pub fn scenario(&self, title: &str, requirement: Option<&'static str>) -> Option<Scenario> {
        // What failed in a game need not be what its turns put to the test.
        let about = |requirement| self.as_plan(requirement).titled(title).placed(title).ok();
        requirement
            .and_then(|requirement| about(Some(requirement)))
            .or_else(|| about(None))
    }

    /// Its turns as a game that says to check this requirement, where one can.
    #[must_use]
    pub fn as_plan(&self, requirement: Option<&'static str>) -> PlannedGame {
        let wished: Vec<_> = requirement.into_iter().collect();
        let PlannedGame {
            dialect,
            side,
            bot_seat,
            ..
        } = self.plan;
        let plan = PlannedGame {
            checks: made_up(dialect, side, bot_seat, &wished).checks,
            ..self.plan.clone()
        };
        let turns = self.turns.iter().enumerate();
        let mut steps: Vec<_> = turns
            .flat_map(|(place, turn)| self.steps(place, turn))
            .collect();
        if self.then_free > 0 {
            // So many turns do not tell all readings apart, and the step is content with that.
            let situation = Situation::ToldApart(Vec::new());
            steps.push(StepKind::PlayUntil(Until {
                turns: self.then_free as u32,
                ..Until::new(None, situation)
            }));
        }
        plan.with_steps(steps)
    }

    fn steps(&self, place: usize, turn: &Turn) -> Vec<StepKind> {
        let is_own = |act: &Act| act.who == Participant::Player(turn.seat);
        let (own, meanwhile): (Vec<_>, Vec<_>) = turn.meanwhile.iter().cloned().partition(is_own);
        let ignored = own
            .into_iter()
            .filter_map(|act| SendPart::lines(act.deed.parts()).0.pop());
        let is_free =
            place >= self.free_from && self.is_bots(turn.seat) && turn.deed.mv().is_some();
        let deed = if is_free {
            Deed::ANY
        } else {
            turn.deed.clone()
        };
        let last = Turn {
            meanwhile,
            deed,
            ..turn.clone()
        };
        ignored
            .map(|line| Turn::new(turn.seat, turn.roll, Deed::Ignored(line)))
            .chain([last])
            .map(StepKind::Turn)
            .collect()
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
    plan: &'r PlannedGame,
}

impl Reading<'_> {
    /// The turn that is over with a happening.
    fn turn(&mut self, happening: &GameEvent) -> Option<Turn> {
        match *happening {
            GameEvent::Rolled { by, roll, skipped } => {
                self.table.take_roll(roll);
                self.roll = (!skipped).then_some(roll);
                skipped.then(|| Turn::new(by, Some(roll), Deed::Skip))
            }
            GameEvent::Moved { by, mv, .. } => {
                let ignored = self.ignored_until(by, mv);
                let (roll, meanwhile) = (self.roll.take(), self.meanwhile(by));
                self.table.play(mv).ok()?;
                self.moves[by.index()] += 1;
                Some(turn(by, roll, [ignored, meanwhile], Deed::this(mv)))
            }
            GameEvent::Lost { by, cause } => {
                let mut rest: Vec<_> = self.sent[by.index()].drain(..).rev().collect();
                let what = match cause {
                    // For what the opponent lost, a bot cannot see.
                    Cause::Invalid(_) if self.plan.side == Side::Bot => Deed::Silent,
                    Cause::Invalid(_) => Deed::Illegal(rest.pop()?),
                    Cause::Timeout => Deed::Silent,
                    Cause::HangUp | Cause::Unseen | Cause::Resigned => Deed::Leave(self.leaving()),
                };
                let (ignored, meanwhile) = (self.only_ignored(rest), self.meanwhile(by));
                Some(turn(by, self.roll.take(), [ignored, meanwhile], what))
            }
        }
    }

    /// The turn that has begun and is not over; a first one where there is none at all.
    fn next_turn(&mut self, is_first: bool) -> Option<Turn> {
        let is_bot = |seat: Seat| self.plan.side == Side::Bot && seat == self.plan.bot_seat;
        let seat = self.table.to_move();
        let game = self.plan.dialect.game();
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
            Deed::ANY
        } else {
            Deed::this(*self.table.legal_moves().first()?)
        };
        Some(turn(seat, self.roll.take(), [ignored, meanwhile], what))
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
            if self.plan.dialect.read_player_line(&line).possible_move() == Some(mv) {
                break;
            }
            before.push(line);
        }
        self.only_ignored(before)
    }

    fn only_ignored(&self, mut lines: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        // What a bot under test says in vain is its own affair.
        lines.retain(|line| {
            self.plan.side == Side::Referee
                && matches!(
                    self.plan.dialect.read_player_line(line),
                    PlayerLine::Ignored(_)
                )
        });
        lines
    }

    /// Returns the kind of the player's disconnect in the scenario.
    fn leaving(&self) -> Leaving {
        let left = self.plan.steps.iter().find_map(|step| match &step.kind {
            StepKind::Turn(Turn { deed, .. }) | StepKind::Improvise(Turn { deed, .. }) => {
                deed.leaving()
            }
            StepKind::PlayToTheEnd | StepKind::PlayUntil(_) => None,
        });
        left.unwrap_or(Leaving::HangUp)
    }
}

/// A turn in which first these lines are sent, its player's own and then the other one's.
fn turn(seat: Seat, roll: Option<Roll>, lines: [Vec<Vec<u8>>; 2], action: Deed) -> Turn {
    let said = |(by, lines): (Seat, Vec<Vec<u8>>)| {
        lines
            .into_iter()
            .map(move |line| Act::says(Participant::Player(by), &line))
    };
    Turn {
        meanwhile: [seat, seat.other()]
            .into_iter()
            .zip(lines)
            .flat_map(said)
            .collect(),
        ..Turn::new(seat, roll, action)
    }
}

/// The lines that a seat has sent, the first one last.
fn sent_by(plan: &PlannedGame, outcome: &Outcome, seat: Seat) -> Vec<Vec<u8>> {
    let is_his = |label: LaneLabel| label == LaneLabel::Player(seat);
    let lanes = outcome
        .transcript
        .lanes
        .iter()
        .filter(|lane| is_his(lane.label));
    let of_player = match plan.side {
        // Of its opponent a bot has only the moves.
        Side::Bot if seat != plan.bot_seat => return Vec::new(),
        Side::Bot | Side::Referee => Direction::Sent,
    };
    let sent = lanes
        .flat_map(|lane| &lane.entries)
        .filter(|entry| entry.direction == of_player);
    let mut lines: Vec<_> = sent.map(|entry| entry.line.text.clone()).collect();
    lines.reverse();
    lines
}
