//! The game of a scenario played on paper: every turn held against the rules, in every position that can be reached.

use std::collections::{BTreeSet, HashSet};

use super::belief::Belief;
use super::budget::{Budget, Work};
use super::choices::Choices;
use super::matchup::Matchup;
use super::participants::Participants;
use super::places::{PlacedStep, Places};
use super::spot::Spot;
use super::world::{Played, Sent, World, Wrong};
use super::wrong_turn::WrongTurn;
use crate::diagnostic::{Diagnostic, Faults, Source, Span};
use crate::protocol::{Exercised, GameEvent};
use crate::rules::{Roll, Seat, Table};
use crate::scenario::{Choice, PlannedGame, PlayerAction, Side, StepKind, Turn};

/// The most positions that are kept at once; where `any` leads to more, later turns are not held against the rules.
pub(super) const MOST_WORLDS: usize = 20_000;
/// The most positions looked at in one scenario, for the same reason.
const MOST_WORK: usize = 400_000;

/// The game that the steps make, as far as it is known.
pub(super) struct Checked {
    /// A roll that leaves a move after the last step, where a referee's game is left unfinished.
    pub(super) barrier: Option<Roll>,
    /// Reason why the sent lines do not follow from the scenario and, for a bot, from the bot's choices
    /// alone.
    pub(super) undetermined: Option<Undetermined>,
    /// The requirements that its turns can put to the test; `None` where that shows only as the game goes.
    pub(super) exercised: Option<BTreeSet<&'static str>>,
}

/// Reason why a game can differ the next time.
pub(super) enum Undetermined {
    /// urtext chooses some of its moves.
    Chosen,
    /// Chance decides how it starts.
    Chance,
    /// The specification leaves open what follows from this.
    Open(Spot),
}

struct DryRun<'r, 'f, 'x> {
    plan: &'r PlannedGame,
    matchup: &'r Matchup,
    faults: &'r Faults<'f>,
    budget: &'r Budget,
    participants: Participants<'r>,
    belief: Belief,
    choices: Choices<'r>,
    /// First place at which chance decides.
    is_left_to_chance: Option<Spot>,
    /// The last turn and what it did.
    last: Option<Spot>,
    work: usize,
    /// `None`: nobody asks.
    exercised: Option<Exercised<'x>>,
    /// Last event, in one of the positions.
    ending: Option<GameEvent>,
}

/// Plays the steps of a scenario; after a turn that cannot be read nothing more is said about the game.
pub(super) fn run(
    plan: &PlannedGame,
    steps: &[Option<PlacedStep>],
    has_proven_checks: bool,
    budget: &Budget,
    faults: &Faults<'_>,
) -> Checked {
    let matchup = &plan.matchup();
    let choices = Choices::of(plan);
    let start = World::start(matchup, choices.excluded());
    let is_dealt = start.is_none();
    // Thousands of positions name the same few ids, so that comparing addresses saves most comparisons of texts.
    let mut ids: Vec<&'static str> = Vec::new();
    let mut note = |id: &'static str| {
        if !ids.iter().any(|&known| std::ptr::eq(known, id)) {
            ids.push(id);
        }
    };
    let mut dry_run = DryRun {
        plan,
        matchup,
        faults,
        budget,
        participants: Participants::new(matchup, plan.spectators, steps),
        belief: start.map_or(Belief::Unknown, |world| Belief::Worlds(vec![world])),
        choices,
        is_left_to_chance: None,
        last: None,
        work: 0,
        exercised: (!has_proven_checks).then(|| Exercised::new(plan.terms(), &mut note)),
        ending: None,
    };
    for step in steps {
        let Some(PlacedStep { step, places }) = step else {
            dry_run.belief = Belief::Unknown;
            continue;
        };
        let spot = Spot::new(faults.source(), step.span, "from here on chance decides");
        match &step.kind {
            StepKind::Turn(turn) => dry_run.turn(turn, places),
            // Where it is open whether the game is over, it is played on or not.
            StepKind::PlayToTheEnd if matches!(dry_run.belief, Belief::Open(..)) => {}
            StepKind::PlayToTheEnd => drop(dry_run.not_over_before(&places.source, places.step)),
            StepKind::PlayUntil(_) => dry_run.adapts(spot, false),
            StepKind::Improvise(turn) => dry_run.adapts(spot, turn.action.loses()),
        }
    }
    let plays_on = plan.plays_to_the_end();
    let barrier = if plays_on {
        None
    } else {
        dry_run.belief.barrier(matchup)
    };
    let is_free = |turn: &Turn| {
        matches!(turn.action, PlayerAction::Move(Choice::Any { .. }))
            && !matchup.is_subject(turn.seat)
    };
    let is_chosen = plays_on || plan.is_adaptive() || plan.turns().any(|(_, turn)| is_free(turn));
    let undetermined = match dry_run.participants.open() {
        _ if is_chosen => Some(Undetermined::Chosen),
        _ if is_dealt => Some(Undetermined::Chance),
        Some(spot) => Some(Undetermined::Open(spot.clone())),
        None => None,
    };
    let is_known = dry_run.is_left_to_chance.is_none()
        && !plays_on
        && dry_run.knows_what_was_exercised(barrier);
    drop(dry_run);
    Checked {
        barrier,
        undetermined,
        exercised: is_known.then(|| ids.into_iter().collect()),
    }
}

impl DryRun<'_, '_, '_> {
    /// Updates the state after a step that depends on the course of the game: only the end of the game is
    /// still known.
    fn adapts(&mut self, spot: Spot, loses: bool) {
        if !self.not_over_before(&spot.source, spot.span) {
            return;
        }
        self.is_left_to_chance.get_or_insert(spot.clone());
        self.belief = match loses {
            true => Belief::Lost(Spot {
                says: "this loses the game".to_owned(),
                ..spot
            }),
            false => Belief::Unknown,
        };
    }

    /// Refuses a roll that would have to be forced after some that were not: it would be used up before.
    fn refuse_late_roll(&self, places: &Places) {
        let Some((roll, spot)) = places.roll.zip(self.is_left_to_chance.as_ref()) else {
            return;
        };
        if self.matchup.side == Side::Referee {
            let title = "no roll can be forced after turns that are left to chance";
            let fault = Diagnostic::error("turn/late-roll", title).at(&places.source, roll, "");
            let help = "leave the roll out and say what is to be done, such as `any` or `illegal`, or put this turn first";
            self.faults.push(spot.context_of(fault).help(help));
        }
    }

    fn turn(&mut self, turn: &Turn, places: &Places) {
        self.refuse_late_roll(places);
        let (name, except) = self.choices.names(turn, places, self.faults);
        if !self.not_over_before(&places.source, places.seat) {
            return;
        }
        let mut meanwhile = Vec::new();
        for (act, at) in turn.meanwhile.iter().zip(&places.acts) {
            match self.participants.act(turn.seat, act, at, places) {
                Ok(sent) => meanwhile.extend(sent),
                Err(fault) => self.faults.push(fault),
            }
        }
        let timeout = self.plan.timeout;
        let sent = self.participants.sent(turn, places, timeout, self.faults);
        if turn.roll.is_none() && self.matchup.has_rolls() {
            self.belief = Belief::Unknown;
        }
        let Belief::Worlds(worlds) = std::mem::replace(&mut self.belief, Belief::Unknown) else {
            return;
        };
        if let Err(fault) = self.participants.is_there(turn, places) {
            self.faults.push(fault);
            return;
        }
        let is_read = places.action.is_some();
        let played = Played {
            turn,
            is_read,
            meanwhile,
            sent,
            name,
            except,
        };
        let (mut next, mut seen) = (Vec::new(), HashSet::new());
        let mut described = match turn.action {
            PlayerAction::Move(Choice::Any { .. }) => "whatever is moved here".to_owned(),
            _ => String::new(),
        };
        let (mut loses, mut open, mut nearest): (bool, _, Option<(&World, Wrong)>) =
            (false, None, None);
        for world in &worlds {
            let before = self.work;
            self.work += 1;
            match world.after(&played, self.matchup) {
                Ok(reached) => {
                    self.work += reached.worlds.len() * (1 + self.choices.excluded());
                    open = open.or(reached.open);
                    if let ([_], [after], true) =
                        (&worlds[..], &reached.worlds[..], described.is_empty())
                    {
                        described = after.describe(world, turn);
                    }
                    for mut after in reached.worlds {
                        self.show(world, turn.seat, &after);
                        if after.is_lost_by(turn.seat) {
                            loses = true;
                        } else if seen.insert(after.fingerprint()) {
                            after.model.forget();
                            next.push(after);
                        }
                    }
                }
                Err(wrong) => {
                    if nearest.is_none_or(|(_, other)| other.rank() < wrong.rank()) {
                        nearest = Some((world, wrong));
                    }
                }
            }
            let work = Work::Positions(self.work - before);
            let is_paid = self.budget.spend(work, &places.source, places.step);
            if !is_paid || next.len() > MOST_WORLDS || self.work > MOST_WORK {
                return;
            }
        }
        if let Some(exercised) = &mut self.exercised {
            exercised.end_turn();
        }
        self.belief = match nearest {
            Some((world, wrong)) if next.is_empty() && !loses => {
                if let (Wrong::Legal(mv), Ok(rolled)) = (wrong, world.rolled(turn)) {
                    described = rolled.table().describe_move(mv);
                }
                let wrong_turn = WrongTurn {
                    matchup: self.matchup,
                    turn,
                    places,
                    world,
                    is_only: worlds.len() == 1,
                };
                self.faults
                    .push(wrong_turn.fault(wrong, self.last.as_ref()));
                self.recovered(&wrong_turn, wrong)
            }
            _ if !is_read => Belief::Unknown,
            _ => self.follows(&played, places, next, loses, open),
        };
        self.last = Some(places.spot(places.step, described));
    }

    /// Ends what the game puts to the test; `false` where not every position was looked at.
    fn knows_what_was_exercised(&mut self, barrier: Option<Roll>) -> bool {
        let Some(exercised) = &mut self.exercised else {
            return false;
        };
        if let (Some(roll), Belief::Worlds(worlds) | Belief::Open(_, worlds)) =
            (barrier, &self.belief)
            && let Some(world) = worlds.first()
        {
            let rolled = GameEvent::Rolled {
                by: world.table().to_move(),
                roll,
                skipped: false,
            };
            exercised.take(world.table(), &rolled, None);
        }
        exercised.end_game(self.ending.as_ref());
        !matches!(self.belief, Belief::Unknown)
    }

    /// Returns the state after a valid turn.
    fn follows(
        &mut self,
        played: &Played<'_>,
        places: &Places,
        next: Vec<World>,
        loses: bool,
        open: Option<&str>,
    ) -> Belief {
        let seat = played.turn.seat;
        let key = self.matchup.key(seat);
        let spot = |says: String| places.spot(places.step, says);
        if let Some(requirement) = open {
            let spot = spot(format!("{requirement} leaves open what this does"));
            self.participants.leave_open(&spot);
            return Belief::Open(spot, next);
        }
        let acts = played.turn.action != PlayerAction::Skip;
        if let Some(kept) = self.participants.kept(seat).filter(|_| acts) {
            return Belief::Open(kept.clone(), next);
        }
        if loses {
            return Belief::Lost(spot(format!("here `{key}` loses the game")));
        }
        let keeps = |world: &World| world.model.may_have_kept(seat).is_some();
        if next.first().is_some_and(keeps) {
            let says = format!("here `{key}` sends more than one line");
            self.participants.keep(seat, spot(says));
        }
        if played.sent.leaving.is_some() {
            let says = format!("here `{key}` goes away");
            self.participants.leaves(seat, spot(says));
        }
        Belief::Worlds(next)
    }

    /// Shows what a turn of this seat has done in one of the positions that the game may have come to.
    fn show(&mut self, before: &World, seat: Seat, after: &World) {
        let Some(exercised) = &mut self.exercised else {
            return;
        };
        let mut events = after.events_since(before, seat).peekable();
        let mut later: Option<Box<dyn Table>> = None;
        while let Some(event) = events.next() {
            let table = later.as_deref().unwrap_or(before.table());
            exercised.take(table, event, after.model.losing_move());
            if events.peek().is_some() {
                let table = later.get_or_insert_with(|| before.table().fork());
                event.play_on(&mut **table);
            }
            self.ending = Some(*event);
        }
    }

    /// Returns the state assumed after an error.
    fn recovered(&self, wrong_turn: &WrongTurn<'_>, wrong: Wrong) -> Belief {
        let WrongTurn {
            turn,
            places,
            world,
            ..
        } = wrong_turn;
        let marked = places.action.and_then(|action| action.illegal);
        let action = match wrong {
            _ if !wrong_turn.is_only => return Belief::Unknown,
            Wrong::Blocked => PlayerAction::Skip,
            Wrong::Legal(mv) if marked.is_some() => PlayerAction::this(mv),
            Wrong::NotBlocked | Wrong::Refused(..) => PlayerAction::ANY,
            _ => return Belief::Unknown,
        };
        let played = Played {
            turn: &Turn::new(turn.seat, turn.roll, action),
            is_read: true,
            meanwhile: Vec::new(),
            sent: Sent::default(),
            name: None,
            except: None,
        };
        let reached = world.after(&played, self.matchup);
        reached.map_or(Belief::Unknown, |reached| Belief::Worlds(reached.worlds))
    }

    /// Returns true if the game can go on; reports once that it is over, or may be.
    fn not_over_before(&mut self, source: &Source, span: Span) -> bool {
        let Some(end) = self.belief.end(self.last.as_ref(), self.matchup) else {
            return true;
        };
        self.faults.push(end.refusal(source, span));
        self.belief = Belief::Unknown;
        false
    }
}
