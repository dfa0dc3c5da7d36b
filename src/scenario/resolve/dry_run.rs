//! The game of a scenario played on paper: every turn held against the rules, in every position that can be reached.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::time::Duration;

use super::matchup::Matchup;
use super::participants::Participants;
use super::spot::Spot;
use super::world::{Effect, Played, Sent, World, Wrong};
use super::written::{Fate, Written, WrittenAdaptive, WrittenDeed, WrittenStep, WrittenTurn};
use super::wrong_turn::WrongTurn;
use crate::diagnostic::{Diagnostic, Faults, suggest, visible};
use crate::protocol::{Exercised, GameEvent, GameTerms, PlayerLine};
use crate::requirement::Binds;
use crate::rules::{GameResult, Phase, Roll};
use crate::scenario::{Act, ActKind, Choice, PlayerAction, Side, Step, StepKind, Turn};

/// The most positions that are kept at once; where `any` leads to more, later turns are not held against the rules.
pub(super) const MOST_WORLDS: usize = 20_000;
/// The most positions looked at in one scenario, for the same reason.
const MOST_WORK: usize = 400_000;

/// The steps, and what follows from the game that they make.
pub(super) struct Checked {
    pub(super) steps: Vec<Step>,
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

/// State of the game before a turn, as far as it is known.
enum Belief {
    /// It has come to one of these positions.
    Worlds(Vec<World>),
    /// It is over, lost by the turn that stands there.
    Lost(Spot),
    /// It has come to one of these positions or is over: that is left open, for the reason that stands there.
    Open(Spot, Vec<World>),
    /// Nothing: too many positions, or a fault that leaves the meaning open.
    Unknown,
}

struct DryRun<'r, 'f, 'x> {
    matchup: &'r Matchup,
    stage: Stage,
    faults: &'r Faults<'f>,
    participants: Participants<'r>,
    belief: Belief,
    /// The names given so far, and where.
    given: HashMap<String, Spot>,
    /// First place at which chance decides.
    is_left_to_chance: Option<Spot>,
    /// The numbers of the names that some turn excludes: only those are remembered in the positions.
    excluded: HashMap<&'r str, usize>,
    /// The last turn and what it did.
    last: Option<Spot>,
    work: usize,
    /// `None`: nobody asks.
    exercised: Option<Exercised<'x>>,
    /// Last event, in one of the positions.
    ending: Option<GameEvent>,
}

/// Settings of a scenario, apart from its turns.
#[derive(Clone, Copy)]
pub(super) struct Stage {
    pub(super) spectators: u32,
    pub(super) timeout: Option<Duration>,
    pub(super) pace: Option<Duration>,
    /// True for each of timeout and pace that is left to the subject.
    pub(super) defaults: [bool; 2],
    /// True if it is already known that the scenario exercises the requirements that it checks.
    pub(super) has_proven_checks: bool,
}

impl Stage {
    /// Returns the terms of the game for the walk over exercised requirements.
    fn terms(self, matchup: &Matchup, written: &[WrittenStep]) -> GameTerms {
        let acts = written.iter().flat_map(|step| match step {
            WrittenStep::Turn(turn) => turn.meanwhile.as_slice(),
            _ => &[],
        });
        let late = acts.filter(|act| act.what.is == ActKind::Join).count();
        let [is_timeout_default, is_pace_default] = self.defaults;
        GameTerms {
            dialect: matchup.dialect,
            binds: if matchup.side == Side::Bot {
                Binds::Bot
            } else {
                Binds::Referee
            },
            bot_seat: matchup.bot_seat,
            spectators: (self.spectators as usize).saturating_sub(late),
            has_pace: self.pace.is_some_and(|pace| !pace.is_zero()),
            is_pace_default,
            is_timeout_default,
        }
    }
}

/// Plays the steps; after a turn that cannot be read nothing more is said about the game.
pub(super) fn run(
    written: &[WrittenStep],
    matchup: &Matchup,
    stage: Stage,
    faults: &Faults<'_>,
) -> Checked {
    let mut excluded = HashMap::new();
    for step in written {
        if let WrittenStep::Turn(turn) = step
            && let Some(WrittenDeed::Any {
                except: Some(name), ..
            }) = &turn.action
        {
            let number = excluded.len();
            excluded.entry(name.is.as_str()).or_insert(number);
        }
    }
    let start = World::start(matchup, excluded.len());
    let is_left_to_chance = start.is_none();
    let belief = start.map_or(Belief::Unknown, |world| Belief::Worlds(vec![world]));
    let participants = Participants::new(matchup, stage.spectators, written);
    let given = HashMap::new();
    let mut ids = BTreeSet::new();
    let mut note = |id| {
        ids.insert(id);
    };
    let exercised = (!stage.has_proven_checks)
        .then(|| Exercised::new(stage.terms(matchup, written), &mut note));
    let mut dry_run = DryRun {
        matchup,
        stage,
        faults,
        participants,
        belief,
        given,
        is_left_to_chance: None,
        excluded,
        last: None,
        work: 0,
        exercised,
        ending: None,
    };
    let mut steps = Vec::new();
    for step in written {
        match step {
            WrittenStep::Turn(turn) => {
                dry_run.turn(turn);
                steps.extend(played(turn, matchup));
            }
            WrittenStep::PlayToTheEnd { spot, shown } => {
                // Where it is open whether the game is over, it is played on or not.
                if !matches!(dry_run.belief, Belief::Open(..)) {
                    dry_run.not_over_before(spot);
                }
                steps.push(Step {
                    span: *shown,
                    kind: StepKind::PlayToTheEnd,
                });
            }
            WrittenStep::Adaptive(step) => {
                dry_run.adapts(step);
                steps.push(Step {
                    span: step.shown,
                    kind: step.kind.clone(),
                });
            }
            WrittenStep::Unreadable => dry_run.belief = Belief::Unknown,
        }
    }
    let is_free = steps.iter().any(|step| match &step.kind {
        StepKind::PlayToTheEnd | StepKind::PlayUntil(_) | StepKind::Improvise(_) => true,
        StepKind::Turn(turn) => {
            matches!(turn.action, PlayerAction::Move(Choice::Any { .. }))
                && !matchup.is_subject(turn.seat)
        }
    });
    let plays_on = matches!(
        steps.last(),
        Some(Step {
            kind: StepKind::PlayToTheEnd,
            ..
        })
    );
    let barrier = if plays_on { None } else { dry_run.barrier() };
    let undetermined = match dry_run.participants.open() {
        _ if is_free => Some(Undetermined::Chosen),
        _ if is_left_to_chance => Some(Undetermined::Chance),
        Some(spot) => Some(Undetermined::Open(spot.clone())),
        None => None,
    };
    let is_known = dry_run.is_left_to_chance.is_none()
        && !plays_on
        && dry_run.knows_what_was_exercised(barrier);
    drop(dry_run);
    Checked {
        steps,
        barrier,
        undetermined,
        exercised: is_known.then_some(ids),
    }
}

/// Shows what a turn does in one of the positions that the game may have come to.
fn show(
    exercised: &mut Exercised<'_>,
    ending: &mut Option<GameEvent>,
    world: &World,
    turn: &WrittenTurn,
    effect: &Effect,
) {
    let Ok((rolled, can_move)) = world.rolled(turn) else {
        return;
    };
    let by = turn.seat.is;
    let roll = turn
        .roll
        .as_ref()
        .filter(|_| world.table.phase() == Phase::Roll);
    let roll = roll.map(|roll| {
        (
            GameEvent::Rolled {
                by,
                roll: roll.is,
                skipped: !can_move,
            },
            None,
        )
    });
    if let Some((rolled, named)) = roll {
        exercised.take(&*world.table, &rolled, named);
        *ending = Some(rolled);
    }
    for (happening, named) in effect.happenings(by) {
        exercised.take(&*rolled.table, &happening, named);
        *ending = Some(happening);
    }
}

/// The step as it is played; nothing where there is a fault in it.
fn played(turn: &WrittenTurn, matchup: &Matchup) -> Option<Step> {
    let name = |name: &Option<Written<String>>| name.as_ref().map(|name| name.is.clone());
    let action = match turn.action.as_ref()? {
        WrittenDeed::Skip => PlayerAction::Skip,
        WrittenDeed::Silent(_) => PlayerAction::Silent,
        WrittenDeed::Any {
            name: is, except, ..
        } => PlayerAction::Move(Choice::Any {
            name: name(is),
            except: name(except),
        }),
        WrittenDeed::Move { mv, illegal: None } => PlayerAction::Move(Choice::This(mv.is)),
        WrittenDeed::Move {
            mv,
            illegal: Some(_),
        } => PlayerAction::Illegal(matchup.dialect.write_move(mv.is)),
        WrittenDeed::Line {
            bytes,
            fate: Some(Fate::Ignored),
        } => PlayerAction::Ignored(bytes.is.clone()),
        WrittenDeed::Line { bytes, .. } => PlayerAction::Illegal(bytes.is.clone()),
        WrittenDeed::Send(parts) => PlayerAction::Send(parts.is.clone()),
        WrittenDeed::Leave(how) => PlayerAction::Leave(how.is),
    };
    let span = turn.shown;
    let is_own = turn.shown == turn.span;
    let acts = turn.meanwhile.iter().map(|act| Act {
        span: if is_own { act.span } else { turn.shown },
        who: act.who.is,
        what: act.what.is.clone(),
    });
    let turn = Turn {
        seat: turn.seat.is,
        roll: turn.roll.as_ref().map(|roll| roll.is),
        meanwhile: acts.collect(),
        action,
    };
    Some(Step {
        span,
        kind: StepKind::Turn(turn),
    })
}

impl DryRun<'_, '_, '_> {
    /// Updates the state after a step that depends on the course of the game: only the end of the game is
    /// still known.
    fn adapts(&mut self, step: &WrittenAdaptive) {
        let spot = Spot::new(
            self.faults.source(),
            step.shown,
            "from here on chance decides",
        );
        if !self.not_over_before(&spot) {
            return;
        }
        self.is_left_to_chance.get_or_insert(spot.clone());
        self.belief = match step.loses {
            true => Belief::Lost(Spot {
                says: "this loses the game".to_owned(),
                ..spot
            }),
            false => Belief::Unknown,
        };
    }

    /// Refuses a roll that would have to be forced after some that were not: it would be used up before.
    fn refuse_late_roll(&self, turn: &WrittenTurn) {
        let Some((roll, spot)) = turn.roll.as_ref().zip(self.is_left_to_chance.as_ref()) else {
            return;
        };
        if self.matchup.side == Side::Referee {
            let title = "no roll can be forced after turns that are left to chance";
            let fault = Diagnostic::error("turn/late-roll", title).at(&turn.source, roll.span, "");
            let help = "leave the roll out and say what is to be done, such as `any` or `illegal`, or put this turn first";
            self.faults.push(spot.context_of(fault).help(help));
        }
    }

    fn turn(&mut self, turn: &WrittenTurn) {
        self.refuse_late_roll(turn);
        let (name, except) = self.names(turn);
        if !self.not_over_before(&Spot::new(&turn.source, turn.seat.span, "")) {
            return;
        }
        for act in &turn.meanwhile {
            if let Err(fault) = self.participants.act(act, turn) {
                self.faults.push(fault);
            }
        }
        let sent = self.sent(turn);
        if turn.roll.is_none() && self.matchup.has_rolls() {
            self.belief = Belief::Unknown;
        }
        let Belief::Worlds(worlds) = std::mem::replace(&mut self.belief, Belief::Unknown) else {
            return;
        };
        if self.is_done_by_one_gone(turn) {
            return;
        }
        let described = self.described(&worlds, turn, &sent);
        let is_gone = self.participants.gone(turn.seat.is).is_some();
        let played = Played {
            turn,
            sent,
            is_gone,
            name,
            except,
        };
        let (mut next, mut seen) = (Vec::new(), HashSet::new());
        let (mut loses, mut open, mut nearest): (bool, Option<&str>, Option<(&World, Wrong)>) =
            (false, None, None);
        for world in &worlds {
            let mut leads = |reached: Vec<World>, work: &mut usize| {
                *work += 1 + reached.len() * (1 + self.excluded.len());
                next.extend(
                    reached
                        .into_iter()
                        .filter(|world| seen.insert(world.fingerprint())),
                );
            };
            let effect = world.after(&played, self.matchup);
            if let (Ok(effect), Some(exercised)) = (&effect, &mut self.exercised) {
                show(exercised, &mut self.ending, world, turn, effect);
            }
            match effect {
                Ok(Effect::Loses(..)) => loses = true,
                Ok(Effect::Leads(reached)) => leads(reached, &mut self.work),
                Ok(Effect::Open(reached, requirement)) => {
                    open = Some(requirement);
                    leads(reached, &mut self.work);
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
        if let Some(exercised) = &mut self.exercised {
            exercised.end_turn();
        }
        self.belief = match nearest {
            Some((world, wrong)) if next.is_empty() && !loses => {
                let is_only = worlds.len() == 1;
                let wrong_turn = WrongTurn {
                    matchup: self.matchup,
                    turn,
                    world,
                    is_only,
                };
                self.faults
                    .push(wrong_turn.fault(wrong, self.last.as_ref()));
                if is_only {
                    self.recovered(turn, world, wrong)
                } else {
                    Belief::Unknown
                }
            }
            _ if turn.action.is_none() => Belief::Unknown,
            _ => self.follows(&played, next, loses, open),
        };
        self.last = Some(Spot::new(&turn.source, turn.span, described));
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
                by: world.table.to_move(),
                roll,
                skipped: false,
            };
            exercised.take(&*world.table, &rolled, None);
        }
        exercised.end_game(self.ending.as_ref());
        !matches!(self.belief, Belief::Unknown)
    }

    /// Returns the state after a valid turn.
    fn follows(
        &mut self,
        played: &Played<'_>,
        next: Vec<World>,
        loses: bool,
        open: Option<&str>,
    ) -> Belief {
        let turn = played.turn;
        let (seat, key) = (turn.seat.is, self.matchup.key(turn.seat.is));
        let spot = |says: String| Spot::new(&turn.source, turn.span, says);
        if let Some(requirement) = open {
            let spot = spot(format!("{requirement} leaves open what this does"));
            self.participants.leave_open(&spot);
            return Belief::Open(spot, next);
        }
        let acts = !matches!(turn.action, Some(WrittenDeed::Skip));
        if let Some(kept) = self.participants.kept(seat).filter(|_| acts) {
            return Belief::Open(kept.clone(), next);
        }
        if loses {
            return Belief::Lost(spot(format!("here `{key}` loses the game")));
        }
        self.participants.keep(
            seat,
            played.sent.surplus(self.matchup),
            self.matchup.dialect.second_line(),
            &spot(format!("here `{key}` sends more than one line")),
        );
        if played.sent.leaves {
            self.participants
                .leaves(seat, &spot(format!("here `{key}` goes away")));
        }
        Belief::Worlds(next)
    }

    /// Returns the lines that the player sends in this turn; reports errors that do not depend on the
    /// position.
    fn sent(&mut self, turn: &WrittenTurn) -> Sent {
        if let Err(fault) = self.participants.begins_anew(turn) {
            self.faults.push(fault);
        }
        let Some(WrittenDeed::Send(parts)) = &turn.action else {
            return Sent::default();
        };
        let delay = PlayerAction::Send(parts.is.clone()).delay();
        if let Some(timeout) = self.stage.timeout.filter(|timeout| delay >= *timeout) {
            let shown = humantime::format_duration;
            let title = format!("the line is whole only after {}", shown(delay));
            let label = format!("the timeout is {}", shown(timeout));
            let fault =
                Diagnostic::error("turn/too-late", title).at(&turn.source, parts.span, label);
            let help =
                "to let the timeout pass, write `silent: until the timeout`, or send no line end";
            self.faults.push(fault.help(help));
        }
        self.participants.hear(turn.seat.is, &parts.is)
    }

    /// Refuses what somebody does who is not there any more.
    fn is_done_by_one_gone(&self, turn: &WrittenTurn) -> bool {
        let (Some(gone), Some(action)) = (self.participants.gone(turn.seat.is), &turn.action)
        else {
            return false;
        };
        let Some(span) = action.span() else {
            return false;
        };
        let title = format!(
            "`{}` has gone away, and can do nothing here",
            self.matchup.key(turn.seat.is)
        );
        let fault =
            gone.context_of(Diagnostic::error("turn/gone", title).at(&turn.source, span, ""));
        let roll = turn.roll.as_ref().map(|roll| roll.is);
        self.faults.push(match roll {
            Some(_) => fault.help(format!(
                "write `{}` alone: with a possible move, the player is retired here at the latest",
                self.matchup.written(roll, "")
            )),
            None => fault.help("leave this turn out: the player is retired here at the latest"),
        });
        true
    }

    /// Describes the turn's action in words.
    fn described(&self, worlds: &[World], turn: &WrittenTurn, sent: &Sent) -> String {
        if let Some(WrittenDeed::Any { .. }) | None = turn.action {
            return "whatever is moved here".to_owned();
        }
        let [world] = worlds else {
            return String::new();
        };
        let Ok((rolled, can_move)) = world.rolled(turn) else {
            return String::new();
        };
        match &turn.action {
            Some(WrittenDeed::Move { mv, .. }) if rolled.table.check(mv.is).is_ok() && can_move => {
                rolled.table.describe_move(mv.is)
            }
            Some(WrittenDeed::Send(_)) if can_move => match sent.deciding(self.matchup) {
                Some(PlayerLine::Move(mv)) if rolled.table.check(mv).is_ok() => {
                    rolled.table.describe_move(mv)
                }
                _ => String::new(),
            },
            Some(WrittenDeed::Skip) if !can_move => turn
                .roll
                .as_ref()
                .map_or(String::new(), |roll| world.table.describe_skip(roll.is)),
            _ => String::new(),
        }
    }

    /// Returns the state assumed after an error.
    fn recovered(&self, turn: &WrittenTurn, world: &World, wrong: Wrong) -> Belief {
        let action = match (wrong, &turn.action) {
            (Wrong::Blocked, _) => Some(WrittenDeed::Skip),
            (Wrong::Legal(mv), Some(WrittenDeed::Move { mv: written, .. })) => {
                Some(WrittenDeed::Move {
                    mv: Written {
                        is: mv,
                        span: written.span,
                    },
                    illegal: None,
                })
            }
            (Wrong::NotBlocked | Wrong::Refused(..), _) => None,
            _ => return Belief::Unknown,
        };
        let turn = WrittenTurn {
            source: turn.source.clone(),
            span: turn.span,
            shown: turn.shown,
            seat: turn.seat.clone(),
            roll: turn.roll.clone(),
            meanwhile: Vec::new(),
            action,
        };
        let played = Played {
            turn: &turn,
            sent: Sent::default(),
            is_gone: false,
            name: None,
            except: None,
        };
        match world.after(&played, self.matchup) {
            Ok(Effect::Leads(worlds)) => Belief::Worlds(worlds),
            _ => Belief::Unknown,
        }
    }

    /// The numbers of the names in a turn; unknown ones and those given twice are faults.
    fn names(&mut self, turn: &WrittenTurn) -> (Option<usize>, Option<usize>) {
        let Some(WrittenDeed::Any { name, except, .. }) = &turn.action else {
            return (None, None);
        };
        let source = &turn.source;
        let number = |name: &Written<String>| self.excluded.get(name.is.as_str()).copied();
        if let Some(except) = except
            && !self.given.contains_key(&except.is)
        {
            let title = format!(
                "no choice before this is called `{}`",
                visible::plain(&except.is)
            );
            let fault = Diagnostic::error("turn/unknown-name", title).at(source, except.span, "");
            // In order, so that of two names equally near it is always the same that is suggested.
            let mut names: Vec<&str> = self.given.keys().map(String::as_str).collect();
            names.sort_unstable();
            self.faults.push(match suggest(&except.is, names) {
                Some(meant) => fault.help(format!("write `{meant}`")),
                None => fault.help(format!(
                    "name one first: `any as {}`",
                    visible::plain(&except.is)
                )),
            });
        }
        let numbers = (
            name.as_ref().and_then(number),
            except.as_ref().and_then(number),
        );
        if let Some(name) = name {
            match self.given.get(&name.is) {
                Some(given) => {
                    let title = format!(
                        "another choice is called `{}` already",
                        visible::plain(&name.is)
                    );
                    let fault =
                        Diagnostic::error("turn/repeated-name", title).at(source, name.span, "");
                    self.faults
                        .push(given.context_of(fault).help("give it another name"));
                }
                None => {
                    let spot = Spot::new(source, name.span, "this one");
                    self.given.insert(name.is.clone(), spot);
                }
            }
        }
        numbers
    }

    /// Returns true if the game can go on; reports once that it is over, or may be.
    fn not_over_before(&mut self, here: &Spot) -> bool {
        let ended = match &self.belief {
            Belief::Lost(spot) => Some((false, spot.clone())),
            Belief::Open(spot, _) => Some((true, spot.clone())),
            Belief::Worlds(worlds) => {
                let result = |world: &World| world.table.phase().result();
                let over = worlds.iter().all(|world| result(world).is_some());
                let first = worlds.first().and_then(result);
                self.last
                    .as_ref()
                    .zip(first)
                    .filter(|_| over)
                    .map(|(last, result)| {
                        let says = match result {
                            GameResult::Won(winner) => {
                                format!("here `{}` wins the game", self.matchup.key(winner))
                            }
                            GameResult::Drawn => "here the game is drawn".to_owned(),
                        };
                        (
                            false,
                            Spot {
                                says,
                                ..last.clone()
                            },
                        )
                    })
            }
            Belief::Unknown => None,
        };
        let Some((is_open, ended)) = ended else {
            return true;
        };
        let (code, title, label) = match is_open {
            true => (
                "turn/after-open",
                "whether the game goes on before this turn is left open",
                "no turn can follow",
            ),
            false => (
                "turn/after-the-end",
                "the game is over before this turn",
                "nothing can follow",
            ),
        };
        let fault = Diagnostic::error(code, title).at(&here.source, here.span, label);
        let help = match is_open {
            true => "remove this turn and those after it; `- play: to the end` can stand here",
            false => "remove this turn and those after it",
        };
        self.faults.push(ended.context_of(fault).help(help));
        self.belief = Belief::Unknown;
        false
    }

    /// The least roll that leaves a move now, in a game of a referee that goes on.
    fn barrier(&self) -> Option<Roll> {
        let (Belief::Worlds(worlds) | Belief::Open(_, worlds)) = &self.belief else {
            return None;
        };
        let awaits_roll = |world: &World| world.table.phase() == Phase::Roll;
        if self.matchup.side != Side::Referee
            || worlds.is_empty()
            || !worlds.iter().all(awaits_roll)
        {
            return None;
        }
        let leaves_a_move = |roll: Roll| {
            worlds
                .iter()
                .all(|world| world.table.fork().take_roll(roll))
        };
        self.matchup
            .game()
            .kinds_of_roll()
            .iter()
            .copied()
            .find(|&roll| leaves_a_move(roll))
    }
}
