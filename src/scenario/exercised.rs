//! Requirements that a game exercises: one walk, for dry runs of scenarios and for played games.

use super::{PlannedGame, Side};
use crate::protocol::{Cause, Duty, GameEvent, Party};
use crate::requirement::Role;
use crate::rules::{Attempt, Fact, Move, Phase, Roll, Seat, Table, Trace};

/// A requirement that a turn prepares and a later turn exercises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Left {
    /// The next turn in which somebody moves or loses shows it.
    Next(&'static str),
    Trace(Trace),
}

/// The last turn, as far as the next one depends on it.
#[derive(Debug, Clone, Copy, Default)]
struct Last {
    /// The seat that moved, if any.
    mover: Option<Seat>,
    /// True if the roll skipped the turn; `None` for a turn without a roll.
    rolled: Option<bool>,
}

/// Takes the turns of a game one after the other, and names the requirements that they put to the test, each as often as it is.
///
/// Of a turn in several positions that the game may have come to, every one is taken before [`Exercised::end_turn`]; then what one of
/// them leaves behind counts for all. So nothing is passed over that can be put to the test.
pub(super) struct Exercised<'e> {
    plan: &'e PlannedGame,
    spectators: usize,
    left: Vec<Left>,
    /// Requirements prepared by the current turn.
    fresh: Vec<Left>,
    last: Last,
    fresh_last: Last,
    has_begun: bool,
    /// The situations that came up, by the numbers of the game's coverage items, each as often as it did.
    pub(super) situations: Vec<usize>,
    rest: &'e mut dyn FnMut(&'static str),
}

impl<'e> Exercised<'e> {
    /// A game of a scenario whose handshake is over. `spectators`: their number; without one, those that are there from the start.
    pub(super) fn new(
        plan: &'e PlannedGame,
        spectators: Option<usize>,
        rest: &'e mut dyn FnMut(&'static str),
    ) -> Exercised<'e> {
        let from_start =
            || (plan.spectators as usize).saturating_sub(plan.late_spectators().count());
        let mut exercised = Exercised {
            plan,
            spectators: spectators.unwrap_or_else(from_start),
            left: Vec::new(),
            fresh: Vec::new(),
            last: Last::default(),
            fresh_last: Last::default(),
            has_begun: false,
            situations: Vec::new(),
            rest,
        };
        exercised.begin();
        exercised
    }

    fn begin(&mut self) {
        let dialect = self.plan.dialect;
        if self.plan.side == Side::Bot {
            return self.show(&[Role::BotOwnSeat]);
        }
        for party in self.parties() {
            let is_spectator = party == Party::Spectator;
            dialect
                .greeting(is_spectator)
                .iter()
                .for_each(|line| (self.rest)(line.requirement));
            (self.rest)(dialect.greeting_ends(is_spectator));
        }
        self.show(&[
            Role::ShownByGreeting,
            Role::Newline,
            Role::NothingElse,
            Role::CarriageReturn,
        ]);
    }

    fn show(&mut self, roles: &[Role]) {
        roles
            .iter()
            .for_each(|role| self.plan.shows(*role, self.rest));
    }

    /// Lists the owners of the lanes.
    fn parties(&self) -> impl Iterator<Item = Party> + use<> {
        let spectators = std::iter::repeat_n(Party::Spectator, self.spectators);
        Seat::BOTH.into_iter().map(Party::Player).chain(spectators)
    }

    fn is_bots(&self, seat: Seat) -> bool {
        self.plan.side == Side::Bot && seat == self.plan.bot_seat
    }

    /// Takes a happening; `before` is the game before it. `named`: the move that the line names which lost.
    pub(super) fn take(&mut self, before: &dyn Table, happening: &GameEvent, named: Option<Move>) {
        match self.plan.side {
            Side::Referee => self.of_referee(happening),
            Side::Bot => self.of_bot(happening),
        }
        match *happening {
            GameEvent::Rolled { by, roll, skipped } => {
                self.rolled(by, skipped);
                if skipped {
                    self.attempted(before, roll, Attempt::Skipped, by);
                }
            }
            GameEvent::Moved { by, mv, .. } => {
                self.fresh_last.mover = Some(by);
                self.attempted(before, Roll(0), Attempt::Moved(mv), by);
            }
            GameEvent::Lost { by, .. } => {
                let refused =
                    named.filter(|mv| before.phase() == Phase::Move && before.check(*mv).is_err());
                self.attempted(
                    before,
                    Roll(0),
                    refused.map_or(Attempt::Forfeited, Attempt::Refused),
                    by,
                );
            }
        }
    }

    /// Says that the next happening belongs to a later turn, or is what follows the roll of this one.
    pub(super) fn end_turn(&mut self) {
        self.left.append(&mut self.fresh);
        self.last = std::mem::take(&mut self.fresh_last);
    }

    /// Names the requirements that a referee exercises by an event, and by reporting it.
    fn of_referee(&mut self, event: &GameEvent) {
        for party in self.parties() {
            let line = self.plan.dialect.tell(event, party);
            // A player who hung up gets no further lines.
            if let Some(line) = line.filter(|line| line.duty == Duty::Must || !is_hang_up(event)) {
                (self.rest)(line.requirement);
            }
        }
        let cause = match *event {
            GameEvent::Rolled { .. } => {
                return self.show(&[Role::Roll, Role::SameRoll, Role::ShownByRoll]);
            }
            GameEvent::Moved { .. } => {
                return self.show(&[Role::NoEcho, Role::MoveAwaited, Role::ShownByMove]);
            }
            GameEvent::Lost { cause, .. } => cause,
        };
        self.show(&[Role::ShownByLoss]);
        if self.spectators > 0 {
            self.show(&[Role::ShownByLossToSpectators]);
        }
        match cause {
            Cause::Invalid(id) => {
                (self.rest)(id);
                self.show(&[Role::NotPassedOn]);
            }
            Cause::Timeout => {
                self.show(&[Role::TimeoutNotEarly, Role::TimeoutNotLate]);
                if self.plan.leaves("timeout") {
                    self.show(&[Role::DefaultTimeout]);
                }
            }
            Cause::HangUp => self.show(&[Role::ShownByHangUp]),
            Cause::Unseen | Cause::Resigned => {}
        }
    }

    fn rolled(&mut self, by: Seat, skipped: bool) {
        let dialect = self.plan.dialect;
        let plays_again = self.last.mover == Some(by);
        if plays_again && skipped {
            self.fresh
                .extend(dialect.find_id(Role::SkippedExtraTurn).map(Left::Next));
        }
        if self.plan.side == Side::Referee {
            if plays_again {
                self.show(&[Role::NewRoll]);
            }
            let has_pace = self.plan.pace.is_some_and(|pace| !pace.is_zero());
            match self.last.rolled.filter(|_| has_pace) {
                Some(true) if dialect.find_id(Role::PaceAfterSkip).is_some() => {
                    self.show(&[Role::PaceAfterSkip]);
                }
                Some(_) if self.plan.leaves("pace") => self.show(&[Role::Pace, Role::DefaultPace]),
                Some(_) => self.show(&[Role::Pace]),
                None => {}
            }
        }
        self.fresh_last.rolled = Some(skipped);
    }

    /// Names the requirements that a bot exercises by its action, or by sending nothing.
    fn of_bot(&mut self, happening: &GameEvent) {
        match happening {
            GameEvent::Rolled { skipped: false, .. } => {}
            GameEvent::Rolled { by, .. } if self.is_bots(*by) => {
                self.show(&[Role::BotSilentWhenSkipped])
            }
            GameEvent::Moved { by, .. } if self.is_bots(*by) => {
                self.show(&[
                    Role::BotAnswers,
                    Role::BotLegal,
                    Role::BotNewline,
                    Role::BotWithinTimeout,
                ]);
                self.show(&[
                    Role::BotConfirmation,
                    Role::BotIgnoredLines,
                    Role::ShownByBotMove,
                ]);
            }
            GameEvent::Rolled { .. } | GameEvent::Moved { .. } | GameEvent::Lost { .. } => {
                self.show(&[Role::BotSilentOffTurn]);
            }
        }
    }

    /// Names the requirements of the rules that a turn exercises, for the turn itself and for those before.
    fn attempted(&mut self, before: &dyn Table, roll: Roll, attempt: Attempt, by: Seat) {
        if !std::mem::replace(&mut self.has_begun, true) {
            self.show(&[Role::FirstTurn]);
        }
        let by_subject = self.is_bots(by);
        let is_legal = matches!(attempt, Attempt::Skipped | Attempt::Moved(_));
        let (rest, left, fresh) = (&mut *self.rest, &mut self.left, &mut self.fresh);
        left.retain(|left| match *left {
            Left::Next(id) if attempt != Attempt::Skipped => {
                rest(id);
                false
            }
            _ => true,
        });
        before.facts(roll, attempt, &mut |fact| match fact {
            Fact::Covers(item) if is_legal => self.situations.push(item),
            Fact::ShowsOfMover(_) | Fact::OfMover(_) if !by_subject => {}
            Fact::Now(id) | Fact::OfMover(id) => rest(id),
            Fact::Next(id) => leave(fresh, Left::Next(id)),
            Fact::Later(trace) => leave(fresh, Left::Trace(trace)),
            Fact::Shows(traces) | Fact::ShowsOfMover(traces) => left.retain(|left| match *left {
                Left::Trace(trace) if traces.has(trace) => {
                    rest(trace.requirement);
                    false
                }
                _ => true,
            }),
            _ => {}
        });
    }

    /// Ends the game, with this event if one has ended it, or with the end of the scenario.
    pub(super) fn end_game(&mut self, ending: Option<&GameEvent>) {
        let dialect = self.plan.dialect;
        let is_lost = matches!(ending, Some(GameEvent::Lost { .. }));
        let ending = ending.filter(|event| event.ends());
        if self.plan.side == Side::Bot {
            let ends = match ending {
                Some(_) if is_lost => Role::BotEndsAfterLoss,
                Some(_) => Role::BotEndsAfterGame,
                None => Role::BotEndsOnClosedInput,
            };
            self.show(&[Role::BotExitStatus, ends]);
        } else if let Some(ending) = ending {
            (self.rest)(dialect.nothing_after(is_lost));
            self.show(&[Role::Close]);
            if let Some(closing) = dialect.closes_after(ending) {
                (self.rest)(closing.some);
                // Who hangs up has not let its time pass.
                if !is_hang_up(ending) {
                    (self.rest)(closing.none);
                }
            }
        }
    }
}

fn is_hang_up(event: &GameEvent) -> bool {
    matches!(event, GameEvent::Lost { cause, .. } if *cause == Cause::HangUp)
}

fn leave(all: &mut Vec<Left>, left: Left) {
    if !all.contains(&left) {
        all.push(left);
    }
}
