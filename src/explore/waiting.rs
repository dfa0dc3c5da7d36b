//! Scenarios that wait for what chance brings, for failures of subjects whose rolls cannot be forced.

use std::collections::HashSet;

use super::aim::Aim;
use super::made_up::{by_mover, made_up, move_on};
use super::script::Script;
use super::{Explorer, Planned};
use crate::diagnostic::Span;
use crate::rules::{Seat, WIN};
use crate::scenario::{Choice, Deed, PlannedGame, Scenario, Situation, StepKind, Until, write};

/// Number of repetitions of a situation within one game, for a situation that should come up often.
const OFTEN: usize = 8;

/// Scenarios that force nothing and may bring a failure about again; whether they do, only playing them tells.
#[derive(Debug)]
pub struct Waiting {
    /// Those that wait for what a turn of the game showed, the most telling first.
    pub telling: Vec<Scenario>,
    /// Those that only play.
    pub any: Vec<Scenario>,
}

impl Explorer {
    /// Scenarios that may bring a failure about again. `script` is the game that failed, and `failed_in` the step of its scenario in which
    /// that was seen.
    #[must_use]
    pub fn waiting_for(
        &self,
        planned: &Planned,
        script: &Script,
        requirement: Option<&'static str>,
        failed_in: Option<Span>,
    ) -> Waiting {
        let wished: Vec<_> = requirement.into_iter().collect();
        let PlannedGame {
            dialect,
            side,
            bot_seat,
            ..
        } = script.plan;
        let mut plan = made_up(dialect, side, bot_seat, &wished);
        let mut telling = script.waited_for(requirement);
        if let Some(number) = planned.hostile {
            let hostile = self.hostile(number);
            plan.timeout = self.timeout(number);
            let done = || {
                let steps = hostile.done_in(&plan, Vec::new()).steps;
                steps.into_iter().map(|step| step.kind).collect()
            };
            match planned.hostile_step().zip(failed_in) {
                // The game had not come to it.
                Some((step, failed)) if failed.start < step.start => {}
                // What has to be ignored, and was, need not be what a later turn failed by.
                Some((step, failed))
                    if hostile.goes_on
                        && failed.start > step.end
                        && hostile.requirement != requirement =>
                {
                    telling.push(done());
                }
                Some(_) | None => telling.insert(0, done()),
            }
        }
        let any = vec![move_on().to_vec()];
        let more = followed_by_more(&any);
        let to_the_end = vec![StepKind::PlayToTheEnd];
        let placed = |all: Vec<Vec<StepKind>>| {
            let mut known = HashSet::new();
            let title = title(requirement);
            let all = all.into_iter();
            let all = all.map(|turns| plan.with_steps(turns).titled(&title));
            all.filter(|scenario| known.insert(write(scenario)))
                .filter_map(|scenario| scenario.placed("a waiting game").ok())
                .collect()
        };
        Waiting {
            telling: placed(telling),
            any: placed(any.into_iter().chain(more).chain([to_the_end]).collect()),
        }
    }
}

/// Returns the turns with one more move, and the turns up to the end of the game: their effect may show only
/// then.
fn followed_by_more(all: &[Vec<StepKind>]) -> Vec<Vec<StepKind>> {
    let more = [move_on().to_vec(), vec![StepKind::PlayToTheEnd]];
    more.iter()
        .flat_map(|more| all.iter().map(|turns| [turns.as_slice(), more].concat()))
        .collect()
}

/// Free play until a player can make a move of that kind, and that move.
fn until_it_can(who: Option<Seat>, kind: &'static str) -> [StepKind; 2] {
    [
        StepKind::PlayUntil(Until::new(who, Situation::Can(kind))),
        by_mover(Deed::Move(Choice::OfKind(kind))),
    ]
}

impl Planned {
    /// Returns the span of the hostile turn.
    fn hostile_step(&self) -> Option<Span> {
        let is_hostile = |kind: &StepKind| match kind {
            StepKind::Improvise(turn) => {
                !turn.meanwhile.is_empty() || !matches!(turn.deed, Deed::Move(_))
            }
            StepKind::Turn(_) | StepKind::PlayUntil(_) | StepKind::PlayToTheEnd => false,
        };
        let plan = self.scenario.game()?;
        let mut steps = plan.steps.iter();
        steps
            .find(|step| is_hostile(&step.kind))
            .map(|step| step.span)
    }
}

/// Returns the title of a scenario that exploring found.
#[must_use]
pub fn title(requirement: Option<&'static str>) -> String {
    format!(
        "found by exploring, {}",
        requirement.unwrap_or("under no requirement in particular")
    )
}

impl Script {
    /// Turns that wait for a situation of this game: of the last turn that showed what failed, of the last turn of all, and of the one
    /// before it.
    fn waited_for(&self, requirement: Option<&'static str>) -> Vec<Vec<StepKind>> {
        let Some(last) = self.turns.len().checked_sub(1) else {
            return Vec::new();
        };
        let mut all = Vec::new();
        if let Some(told) = self.last_that_shows(requirement) {
            let waiting = self.waited_for_at(told);
            let more = followed_by_more(&waiting);
            all.extend(waiting.into_iter().chain(more));
            // No situation says where on the board it is: of many, one may be there.
            all.extend(self.kinds_at(told).into_iter().map(|kind| {
                let often = std::iter::repeat_n(until_it_can(None, kind), OFTEN);
                often.flatten().chain([StepKind::PlayToTheEnd]).collect()
            }));
        }
        let places = [Some(last), last.checked_sub(1)].into_iter().flatten();
        let waiting: Vec<_> = places.flat_map(|place| self.waited_for_at(place)).collect();
        let more = followed_by_more(&waiting);
        all.extend(waiting.into_iter().chain(more));
        all
    }

    /// The last turn that showed this requirement.
    fn last_that_shows(&self, requirement: Option<&'static str>) -> Option<usize> {
        let items = self.plan.dialect.game().coverage_items();
        let shows = |place: &usize| {
            let shown = self.aim(*place).map(|(aim, _)| aim);
            matches!(shown, Some(Aim::Items(shown))
                if shown.iter().any(|&item| items[item].requirement == requirement))
        };
        (0..self.turns.len())
            .rev()
            .find(shows)
            .filter(|_| requirement.is_some())
    }

    fn waited_for_at(&self, place: usize) -> Vec<Vec<StepKind>> {
        let Some(turn) = self.turns.get(place) else {
            return Vec::new();
        };
        let who = Some(turn.seat);
        if turn.deed == Deed::Skip {
            let until = Until::new(who, Situation::CannotMove);
            return vec![vec![StepKind::PlayUntil(until)]];
        }
        let kinds = self.kinds_at(place).into_iter();
        kinds.map(|kind| until_it_can(who, kind).to_vec()).collect()
    }

    /// The kinds of the move that was made there.
    fn kinds_at(&self, place: usize) -> Vec<&'static str> {
        let Some((table, turn)) = self.before(place) else {
            return Vec::new();
        };
        match &turn.deed {
            // What a bot does with it is its own choice.
            Deed::Move(Choice::This(mv)) if !self.is_bots(turn.seat) => {
                let kinds = self
                    .plan
                    .dialect
                    .game()
                    .move_kinds()
                    .iter()
                    .map(|kind| kind.name)
                    .chain([WIN.name]);
                kinds.filter(|kind| table.is_of_kind(*mv, kind)).collect()
            }
            _ => Vec::new(),
        }
    }
}
