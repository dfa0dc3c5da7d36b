//! A scenario checked on paper: its turns are played on the model, in every position that they can lead to.
//!
//! Of the mistakes that contradict the rules only the first is reported; those that do not depend on the position are all reported.

mod ending;

use std::cell::RefCell;
use std::collections::HashSet;

use super::branch::{self, Branch, WrongTurn};
use super::participants::{Participants, Sent};
use crate::diagnostic::{Diagnostic, Faults, Mark};
use crate::protocol::{Framer, GameEvent};
use crate::rules::{Roll, Seat, Table};
use crate::scenario::exercised::Exercised;
use crate::scenario::{PlannedGame, Side, Step, StepKind, Turn, Wrong};

/// The most positions of one scenario; where `any` leads to more, later turns are not held against the rules.
const MOST_POSITIONS: usize = 10_000;

/// The game that the steps make, as far as it is known.
pub(super) struct Checked {
    /// A roll that leaves a move after the last step, where a referee's game is left unfinished.
    pub(super) barrier: Option<Roll>,
    /// Reason why the sent lines do not follow from the scenario and, for a bot, from the bot's choices
    /// alone.
    pub(super) undetermined: Option<Undetermined>,
    /// The checks that none of its turns puts to the test; `None` where that shows only as the game goes.
    pub(super) idle: Option<Vec<&'static str>>,
}

/// Reason why a game can differ the next time.
pub(super) struct Undetermined {
    pub(super) why: &'static str,
    pub(super) help: &'static str,
    /// What leads to that.
    pub(super) by: Option<Mark>,
}

impl Undetermined {
    const CHOSEN: Undetermined = Undetermined {
        why: "urtext chooses some of its moves at random",
        help: "remove this line, or write every move of the opponent and no `play: to the end`",
        by: None,
    };
    const CHANCE: Undetermined = Undetermined {
        why: "the scenario leaves to chance how it starts",
        help: "remove this line, or say how the game starts",
        by: None,
    };

    fn open(by: Mark) -> Undetermined {
        Undetermined {
            why: "what it comes to is left open",
            help: "remove this line",
            by: Some(by),
        }
    }
}

struct Paper<'p, 'x> {
    plan: &'p PlannedGame,
    faults: &'p Faults,
    participants: Participants<'p>,
    /// The games that the turns can have led to; none where that is not known, or the game is lost.
    branches: Vec<Branch<'p>>,
    /// True after a turn that is wrong or cannot be read: nothing more is said about the game.
    is_wrong: bool,
    /// True if a turn was played in a position that is not known.
    is_blind: bool,
    /// The number of positions so far.
    positions: usize,
    /// The turn after which no other can follow.
    end: Option<End>,
    /// First place at which chance decides.
    chance: Option<Mark>,
    /// The last turn.
    last: Option<LastTurn<'p>>,
    exercised: Exercised<'x>,
    /// The checks that no turn has put to the test so far.
    idle: &'x RefCell<Vec<&'static str>>,
    /// Last event, in one of the branches.
    ending: Option<GameEvent>,
}

/// A turn that was played.
struct LastTurn<'p> {
    turn: &'p Turn,
    /// The game before it, and its last event, where both are certain.
    effect: Option<(Branch<'p>, GameEvent)>,
}

impl LastTurn<'_> {
    /// Its place, and its effect in words.
    fn mark(&self) -> Mark {
        let says = match (&self.turn.deed, &self.effect) {
            (deed, _) if deed.is_open() => "whatever is moved here".to_owned(),
            (_, Some((before, event))) => before.describe(self.turn, event),
            (_, None) => String::new(),
        };
        self.turn.at.says(says)
    }
}

/// The end of a game.
struct End {
    by: Mark,
    /// True if the specification leaves open whether the game is over.
    is_open: bool,
}

/// Plays the steps of a scenario; after a turn that cannot be read nothing more is said about the game.
pub(super) fn check(
    plan: &PlannedGame,
    steps: &[Option<Step>],
    has_proven_checks: bool,
    faults: &Faults,
) -> Checked {
    branch::refuse_names(plan, faults);
    let start = plan.model();
    let is_dealt = start.is_none();
    let turns = || plan.turns().map(|(_, turn)| turn);
    let idle = RefCell::new(match has_proven_checks {
        true => Vec::new(),
        false => plan.checks.clone(),
    });
    let mut note = |id| idle.borrow_mut().retain(|check| *check != id);
    let mut paper = Paper {
        plan,
        faults,
        participants: Participants::new(plan),
        branches: start.map(Branch::new).into_iter().collect(),
        is_wrong: false,
        is_blind: false,
        positions: 0,
        end: None,
        chance: None,
        last: None,
        exercised: Exercised::new(plan, None, &mut note),
        idle: &idle,
        ending: None,
    };
    steps.iter().for_each(|step| paper.step(step.as_ref()));
    let plays_on = plan.plays_to_the_end();
    let barrier = paper.barrier().filter(|_| !plays_on);
    let is_known = paper.knows_what_was_exercised(barrier) && !plays_on;
    let is_free = |turn: &Turn| turn.deed.is_open() && !plan.is_subject(turn.seat);
    let undetermined = if plan.varies() || turns().any(is_free) {
        Some(Undetermined::CHOSEN)
    } else if is_dealt {
        Some(Undetermined::CHANCE)
    } else {
        paper.participants.open.take().map(Undetermined::open)
    };
    drop(paper);
    Checked {
        barrier,
        undetermined,
        idle: is_known.then_some(idle.into_inner()),
    }
}

impl<'p> Paper<'p, '_> {
    fn step(&mut self, step: Option<&'p Step>) {
        let Some(step) = step else {
            (self.is_wrong, self.end) = (true, None);
            self.branches.clear();
            return;
        };
        let is_open = self.end.as_ref().is_some_and(|end| end.is_open);
        let turn = match &step.kind {
            StepKind::Turn(turn) => return self.turn(turn),
            StepKind::PlayToTheEnd => {
                let source = self.faults.source();
                // Where it is open if the game is over, it is played on or not.
                if is_open || self.goes_on(source, step.span) {
                    let by = Mark::new(source, step.span, "here the game is played to its end");
                    let is_open = false;
                    self.end = Some(End { by, is_open });
                }
                return;
            }
            StepKind::PlayUntil(_) => None,
            StepKind::Improvise(turn) => {
                for act in &turn.meanwhile {
                    let sent = self.participants.act(turn.seat, act, &turn.at.source);
                    sent.err()
                        .into_iter()
                        .for_each(|fault| self.faults.push(fault));
                }
                Some(turn)
            }
        };
        // The place in the scenario's own file, where the turn is included.
        let source = self.faults.source();
        if self.goes_on(source, step.span) {
            let chance = Mark::new(source, step.span, "from here on chance decides");
            self.chance.get_or_insert(chance);
            self.branches.clear();
            if let Some(turn) = turn {
                self.end = self.end_anywhere(turn.seat, &turn.deed, &turn.at);
            }
        }
    }

    fn turn(&mut self, turn: &'p Turn) {
        let at = &turn.at;
        self.refuse_late_roll(turn);
        if !self.goes_on(&at.source, at.seat) {
            return;
        }
        let faults = self.faults;
        let participants = &mut self.participants;
        let acts = turn.meanwhile.iter().map(|act| {
            let sent = participants.act(Some(turn.seat), act, &at.source);
            sent.unwrap_or_else(|fault| {
                faults.push(fault);
                Sent::default()
            })
        });
        let meanwhile: Vec<Sent> = acts.collect();
        let begun = participants.sent(turn).unwrap_or_else(|fault| {
            faults.push(fault);
            Framer::default()
        });
        let branches = std::mem::take(&mut self.branches);
        if branches.is_empty() {
            self.is_blind = true;
            self.end = self.end_anywhere(Some(turn.seat), &turn.deed, at);
            return;
        }
        if let Some(fault) = participants.gone(turn) {
            self.is_wrong = true;
            return faults.push(fault);
        }
        let mut event = None;
        let (mut next, mut seen, mut lost, mut open, mut wrong) =
            (Vec::new(), HashSet::new(), None, None, None);
        for before in &branches {
            let mut reached = Vec::new();
            match before.after(turn, &meanwhile, &begun) {
                // The judge plays the referee there, and cannot follow the bot.
                Ok((_, Some(id))) if self.plan.side == Side::Bot => {
                    wrong.get_or_insert((before, Wrong::Open(id)));
                }
                Ok((branches, left_open)) => (reached, open) = (branches, open.or(left_open)),
                Err(how) => drop(wrong.get_or_insert((before, how))),
            }
            let positions = 1 + reached.len();
            if let ([_], [after]) = (&branches[..], &reached[..]) {
                event = after.events_since(before, turn.seat).last().copied();
            }
            for mut after in reached {
                self.show(before, turn.seat, &after);
                if after.lost_by().is_some() {
                    lost = after.lost_by();
                } else if seen.insert(after.fingerprint()) {
                    after.model.forget();
                    next.push(after);
                }
            }
            self.positions += positions;
            let faults = self.faults.beside(&at.source);
            let is_paid = faults.spend(3 * positions, at.whole);
            if is_paid.is_none() || self.positions > MOST_POSITIONS {
                return;
            }
        }
        self.exercised.end_turn();
        if let Some((branch, wrong)) = wrong.filter(|_| next.is_empty() && lost.is_none()) {
            let wrong_turn = WrongTurn {
                plan: self.plan,
                turn,
                branch,
                is_only: branches.len() == 1,
            };
            let last = self.last.as_ref().map(LastTurn::mark);
            self.is_wrong = true;
            return faults.push(wrong_turn.fault(wrong, last.as_ref()));
        }
        self.end = self.end_after(turn, [&branches[..], &next], lost, open);
        if turn.deed.is_open() && self.participants.has_begun_a_line(Some(turn.seat)) {
            // Half a line is left, with a move that is not known.
            next.clear();
        }
        if self.end.is_none() {
            // Where some branches are over, a turn that follows is one of the others.
            next.retain(|branch| branch.result().is_none());
        }
        self.last = Some(LastTurn {
            turn,
            effect: branches.into_iter().next().zip(event),
        });
        self.branches = next;
    }

    /// Refuses a roll that would have to be forced after some that were not: it would be used up before.
    fn refuse_late_roll(&self, turn: &Turn) {
        if let (Some(_), Some(chance), Side::Referee) = (turn.roll, &self.chance, self.plan.side) {
            let at = &turn.at;
            let title = "no roll can be forced after turns that are left to chance";
            let fault = Diagnostic::error("turn/late-roll", title).at(&at.source, at.roll, "");
            let help = "leave the roll out and say what is to be done, such as `any` or `illegal`, or put this turn first";
            self.faults
                .push(fault.explained_by(chance.clone()).help(help));
        }
    }

    /// Shows the effect of a turn of this seat in one of the branches.
    fn show(&mut self, before: &Branch<'_>, seat: Seat, after: &Branch<'_>) {
        if self.idle.borrow().is_empty() {
            return;
        }
        let mut events = after.events_since(before, seat).peekable();
        let mut later: Option<Box<dyn Table>> = None;
        while let Some(event) = events.next() {
            let table = later.as_deref().unwrap_or(before.table());
            self.exercised.take(table, event, after.model.losing_move());
            if events.peek().is_some() {
                let table = later.get_or_insert_with(|| before.table().fork());
                event.play_on(&mut **table);
            }
            self.ending = Some(*event);
        }
    }

    /// The least roll that leaves a move now, in a game of a referee that goes on.
    fn barrier(&self) -> Option<Roll> {
        let awaits_roll = |branch: &Branch<'_>| branch.model.awaits_roll();
        if self.plan.side != Side::Referee
            || self.branches.is_empty()
            || !self.branches.iter().all(awaits_roll)
        {
            return None;
        }
        let can_move = |branch: &Branch<'_>, roll| branch.table().fork().take_roll(roll);
        let mut rolls = self.plan.game().kinds_of_roll().iter().copied();
        rolls.find(|&roll| self.branches.iter().all(|branch| can_move(branch, roll)))
    }

    /// Ends what the game puts to the test; `false` where not every position was looked at.
    fn knows_what_was_exercised(&mut self, barrier: Option<Roll>) -> bool {
        if let (Some(roll), Some(branch)) = (barrier, self.branches.first()) {
            let rolled = GameEvent::Rolled {
                by: branch.table().to_move(),
                roll,
                skipped: false,
            };
            self.exercised.take(branch.table(), &rolled, None);
        }
        self.exercised.end_game(self.ending.as_ref());
        self.chance.is_none() && !self.is_blind && (self.end.is_some() || !self.branches.is_empty())
    }
}
