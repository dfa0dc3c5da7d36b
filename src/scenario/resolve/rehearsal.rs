//! The game of a scenario played on paper: every turn held against the rules, in every position that can be reached.

use std::collections::{HashMap, HashSet};

use super::blame::Blame;
use super::cast::Cast;
use super::turn_text::{Written, WrittenDeed};
use super::turns::{WrittenStep, WrittenTurn};
use super::world::{Effect, World, Wrong};
use crate::diagnostic::{Diagnostic, Faults, Span, suggest, visible};
use crate::rules::{Phase, Roll};
use crate::scenario::{Choice, Deed, Side, Step, StepKind, Turn};

/// The most positions that are kept at once; where `any` leads to more, later turns are not held against the rules.
pub(super) const MOST_WORLDS: usize = 20_000;
/// The most positions looked at in one scenario, for the same reason.
const MOST_WORK: usize = 400_000;

/// The steps, and what follows from the game that they make.
pub(super) struct Rehearsed {
    pub(super) steps: Vec<Step>,
    /// A roll that leaves a move after the last step, where a referee's game is left unfinished.
    pub(super) barrier: Option<Roll>,
    /// Whether what is sent follows from the scenario and, for a bot, from the bot's choices alone.
    pub(super) is_determined: bool,
}

/// What is known of the game before a turn.
enum Belief {
    /// It has come to one of these positions.
    Worlds(Vec<World>),
    /// It is over, lost by the turn that stands there.
    Lost(Span, String),
    /// Nothing: too many positions, or a fault that leaves the meaning open.
    Unknown,
}

struct Rehearsal<'r, 'f> {
    cast: &'r Cast,
    faults: &'r Faults<'f>,
    belief: Belief,
    /// The names given so far, and where.
    given: HashMap<String, Span>,
    /// The numbers of the names that some turn excludes: only those are remembered in the positions.
    excluded: HashMap<&'r str, usize>,
    /// The last turn and what it did.
    last: Option<(Span, String)>,
    work: usize,
}

/// Plays the steps; after a turn that cannot be read nothing more is said about the game.
pub(super) fn rehearse(written: &[WrittenStep], cast: &Cast, faults: &Faults<'_>) -> Rehearsed {
    let mut excluded = HashMap::new();
    for step in written {
        if let WrittenStep::Turn(turn) = step
            && let Some(WrittenDeed::Any { except: Some(name), .. }) = &turn.deed
        {
            let number = excluded.len();
            excluded.entry(name.is.as_str()).or_insert(number);
        }
    }
    let belief = Belief::Worlds(vec![World::start(cast, excluded.len())]);
    let mut rehearsal =
        Rehearsal { cast, faults, belief, given: HashMap::new(), excluded, last: None, work: 0 };
    let mut steps = Vec::new();
    for step in written {
        match step {
            WrittenStep::Turn(turn) => {
                rehearsal.turn(turn);
                steps.extend(played(turn, cast));
            }
            WrittenStep::PlayToTheEnd(span) => {
                rehearsal.not_over_before(*span);
                steps.push(Step { span: *span, kind: StepKind::PlayToTheEnd });
            }
            WrittenStep::Unreadable => rehearsal.belief = Belief::Unknown,
        }
    }
    let is_free = steps.iter().any(|step| match &step.kind {
        StepKind::PlayToTheEnd => true,
        StepKind::Turn(turn) => {
            matches!(turn.deed, Deed::Move(Choice::Any { .. })) && !cast.is_subject(turn.seat)
        }
    });
    let plays_on = matches!(steps.last(), Some(Step { kind: StepKind::PlayToTheEnd, .. }));
    let barrier = if plays_on { None } else { rehearsal.barrier() };
    Rehearsed { steps, barrier, is_determined: !is_free }
}

/// The step as it is played; nothing where there is a fault in it.
fn played(turn: &WrittenTurn, cast: &Cast) -> Option<Step> {
    let name = |name: &Option<Written<String>>| name.as_ref().map(|name| name.is.clone());
    let deed = match turn.deed.as_ref()? {
        WrittenDeed::Skip => Deed::Skip,
        WrittenDeed::Silent(_) => Deed::Silent,
        WrittenDeed::Any { name: is, except, .. } => {
            Deed::Move(Choice::Any { name: name(is), except: name(except) })
        }
        WrittenDeed::Move { mv, illegal: None } => Deed::Move(Choice::This(mv.is)),
        WrittenDeed::Move { mv, illegal: Some(_) } => Deed::Illegal(cast.dialect.write_move(mv.is)),
        WrittenDeed::Line { bytes, .. } => Deed::Illegal(bytes.is.clone()),
    };
    let span = turn.span;
    let turn = Turn {
        seat: turn.seat.is,
        roll: turn.roll.as_ref().map(|roll| roll.is),
        meanwhile: Vec::new(),
        deed,
    };
    Some(Step { span, kind: StepKind::Turn(turn) })
}

impl Rehearsal<'_, '_> {
    fn turn(&mut self, turn: &WrittenTurn) {
        let (name, except) = self.names(turn);
        if !self.not_over_before(turn.seat.span) {
            return;
        }
        if turn.roll.is_none() && self.cast.has_rolls() {
            self.belief = Belief::Unknown;
        }
        let Belief::Worlds(worlds) = std::mem::replace(&mut self.belief, Belief::Unknown) else { return };
        let described = self.described(&worlds, turn);
        let (mut next, mut seen) = (Vec::new(), HashSet::new());
        let (mut loses, mut nearest): (bool, Option<(&World, Wrong)>) = (false, None);
        for world in &worlds {
            match world.after(turn, self.cast, name, except) {
                Ok(Effect::Loses) => loses = true,
                Ok(Effect::Leads(reached)) => {
                    self.work += 1 + reached.len() * (1 + self.excluded.len());
                    next.extend(reached.into_iter().filter(|world| seen.insert(world.fingerprint())));
                }
                Err(wrong) => {
                    self.work += 1;
                    if nearest.is_none_or(|(_, other)| other.rank() < wrong.rank()) {
                        nearest = Some((world, wrong));
                    }
                }
            }
            if next.len() > MOST_WORLDS || self.work > MOST_WORK {
                return;
            }
        }
        self.belief = match nearest {
            _ if loses => {
                Belief::Lost(turn.span, format!("here `{}` loses the game", self.cast.key(turn.seat.is)))
            }
            Some((world, wrong)) if next.is_empty() => {
                let is_only = worlds.len() == 1;
                let blame = Blame { cast: self.cast, turn, world, is_only };
                self.faults.push(blame.fault(wrong, self.faults.source(), self.last.as_ref()));
                if is_only { self.recovered(turn, world, wrong) } else { Belief::Unknown }
            }
            _ if turn.deed.is_none() => Belief::Unknown,
            _ => Belief::Worlds(next),
        };
        self.last = Some((turn.span, described));
    }

    /// What the turn does, in words.
    fn described(&self, worlds: &[World], turn: &WrittenTurn) -> String {
        if let Some(WrittenDeed::Any { .. }) | None = turn.deed {
            return "whatever is moved here".to_owned();
        }
        let [world] = worlds else { return String::new() };
        let Ok((rolled, can_move)) = world.rolled(turn) else { return String::new() };
        match &turn.deed {
            Some(WrittenDeed::Move { mv, .. }) if rolled.table.check(mv.is).is_ok() && can_move => {
                rolled.table.describe_move(mv.is)
            }
            Some(WrittenDeed::Skip) if !can_move => {
                turn.roll.as_ref().map_or(String::new(), |roll| world.table.describe_skip(roll.is))
            }
            _ => String::new(),
        }
    }

    /// How the game is taken to go on after a fault.
    fn recovered(&self, turn: &WrittenTurn, world: &World, wrong: Wrong) -> Belief {
        let deed = match (wrong, &turn.deed) {
            (Wrong::Blocked, _) => Some(WrittenDeed::Skip),
            (Wrong::Legal(mv), Some(WrittenDeed::Move { mv: written, .. })) => {
                Some(WrittenDeed::Move { mv: Written { is: mv, span: written.span }, illegal: None })
            }
            (Wrong::NotBlocked | Wrong::Refused(..), _) => None,
            _ => return Belief::Unknown,
        };
        let turn = WrittenTurn { deed, roll: turn.roll.clone(), seat: turn.seat.clone(), span: turn.span };
        match world.after(&turn, self.cast, None, None) {
            Ok(Effect::Leads(worlds)) => Belief::Worlds(worlds),
            _ => Belief::Unknown,
        }
    }

    /// The numbers of the names in a turn; unknown ones and those given twice are faults.
    fn names(&mut self, turn: &WrittenTurn) -> (Option<usize>, Option<usize>) {
        let Some(WrittenDeed::Any { name, except, .. }) = &turn.deed else { return (None, None) };
        let source = self.faults.source();
        let number = |name: &Written<String>| self.excluded.get(name.is.as_str()).copied();
        if let Some(except) = except
            && !self.given.contains_key(&except.is)
        {
            let title = format!("no choice before this is called `{}`", visible::plain(&except.is));
            let fault = Diagnostic::error("turn/unknown-name", title).at(source, except.span, "");
            // In order, so that of two names equally near it is always the same that is suggested.
            let mut names: Vec<&str> = self.given.keys().map(String::as_str).collect();
            names.sort_unstable();
            self.faults.push(match suggest(&except.is, names) {
                Some(meant) => fault.help(format!("write `{meant}`")),
                None => fault.help(format!("name one first: `any as {}`", visible::plain(&except.is))),
            });
        }
        let numbers = (name.as_ref().and_then(number), except.as_ref().and_then(number));
        if let Some(name) = name {
            match self.given.get(&name.is) {
                Some(given) => {
                    let title = format!("another choice is called `{}` already", visible::plain(&name.is));
                    let fault = Diagnostic::error("turn/repeated-name", title).at(source, name.span, "");
                    self.faults.push(fault.context(source, *given, "this one").help("give it another name"));
                }
                None => drop(self.given.insert(name.is.clone(), name.span)),
            }
        }
        numbers
    }

    /// Whether the game can go on at `span`; where it is over for sure, that is a fault, once.
    fn not_over_before(&mut self, span: Span) -> bool {
        let ended =
            match &self.belief {
                Belief::Lost(at, how) => Some((*at, how.clone())),
                Belief::Worlds(worlds) => {
                    let winner = |world: &World| match world.table.phase() {
                        Phase::Over(seat) => Some(seat),
                        _ => None,
                    };
                    let over = worlds.iter().all(|world| winner(world).is_some());
                    let winner = worlds.first().and_then(winner);
                    self.last.as_ref().zip(winner).filter(|_| over).map(|((at, _), winner)| {
                        (*at, format!("here `{}` wins the game", self.cast.key(winner)))
                    })
                }
                Belief::Unknown => None,
            };
        let Some((at, how)) = ended else { return true };
        let source = self.faults.source();
        let fault = Diagnostic::error("turn/after-the-end", "the game is over before this turn");
        self.faults.push(
            fault
                .at(source, span, "nothing can follow")
                .context(source, at, how)
                .help("remove this turn and those after it"),
        );
        self.belief = Belief::Unknown;
        false
    }

    /// The least roll that leaves a move now, in a game of a referee that goes on.
    fn barrier(&self) -> Option<Roll> {
        let Belief::Worlds(worlds) = &self.belief else { return None };
        let [World { table, .. }] = worlds.as_slice() else { return None };
        if self.cast.side != Side::Referee || table.phase() != Phase::Roll {
            return None;
        }
        self.cast.game().kinds_of_roll().iter().copied().find(|&roll| table.fork().take_roll(roll))
    }
}
