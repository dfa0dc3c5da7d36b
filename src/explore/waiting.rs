//! Scenarios that wait for what chance brings, for failures of subjects whose rolls cannot be forced.

use std::collections::HashSet;

use super::aim::Aim;
use super::script::{Script, ScriptDeed};
use super::text::{self, Header};
use super::{Explorer, Planned};
use crate::diagnostic::Span;
use crate::rules::WIN;
use crate::scenario::{AdaptiveAction, Scenario, StepKind};

/// A turn in which something is done, whatever it is.
const MOVE_ON: [&str; 2] = ["play: until mover can move", "mover: any"];
/// Number of repetitions of a situation within one game, for a situation that should come up often.
const OFTEN: usize = 8;

/// Texts of scenarios that force nothing and may bring a failure about again; whether they do, only playing them tells.
#[derive(Debug)]
pub struct Waiting {
    /// Those that wait for what a turn of the game showed, the most telling first.
    pub telling: Vec<String>,
    /// Those that only play.
    pub any: Vec<String>,
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
        let mut telling = script.waited_for(requirement);
        let mut more = Vec::new();
        if let Some(number) = planned.hostile {
            let hostile = self.hostile(number);
            more.clone_from(self.keys(number));
            match planned.hostile_step().zip(failed_in) {
                // The game had not come to it.
                Some((step, failed)) if failed.start < step.start => {}
                // What has to be ignored, and was, need not be what a later turn failed by.
                Some((step, failed))
                    if hostile.goes_on
                        && failed.start > step.end
                        && hostile.requirement != requirement =>
                {
                    telling.push(hostile.turns(Vec::new()));
                }
                Some(_) | None => telling.insert(0, hostile.turns(Vec::new())),
            }
        }
        let (move_on, to_the_end) = (
            [MOVE_ON.map(str::to_owned).to_vec()],
            ["play: to the end".to_owned()],
        );
        let any = move_on
            .iter()
            .cloned()
            .chain(followed_by_more(&move_on))
            .chain([to_the_end.to_vec()])
            .collect();
        let dialect = script.dialect;
        let wished: Vec<_> = requirement.into_iter().collect();
        let check = text::check(dialect, script.side, &wished);
        let title = title(requirement);
        let (side, bot_seat) = (script.side, script.bot_seat);
        let written = |turns: Vec<String>| {
            let header = Header {
                title: &title,
                dialect,
                side,
                bot_seat,
                check,
                more: more.clone(),
            };
            text::scenario(&header, &turns)
        };
        let written = |all: Vec<Vec<String>>| {
            let mut known = HashSet::new();
            all.into_iter()
                .map(written)
                .filter(|text| known.insert(text.clone()))
                .collect()
        };
        Waiting {
            telling: written(telling),
            any: written(any),
        }
    }
}

/// Returns the turns with one more move, and the turns up to the end of the game: their effect may show only
/// then.
fn followed_by_more(all: &[Vec<String>]) -> Vec<Vec<String>> {
    let more = [
        MOVE_ON.map(str::to_owned).to_vec(),
        vec!["play: to the end".to_owned()],
    ];
    more.iter()
        .flat_map(|more| all.iter().map(|turns| [turns.as_slice(), more].concat()))
        .collect()
}

impl Planned {
    /// Returns the span of the hostile turn.
    fn hostile_step(&self) -> Option<Span> {
        let is_hostile = |kind: &StepKind| match kind {
            StepKind::Improvise(turn) => !matches!(turn.action, AdaptiveAction::Legal(_)),
            StepKind::Turn(_) | StepKind::PlayUntil(_) | StepKind::PlayToTheEnd => false,
        };
        self.scenario
            .steps
            .iter()
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

/// Reads a scenario that was made up; `None` where it is none.
#[must_use]
pub fn read(text: &str, name: &str) -> Option<Scenario> {
    text::read(text, name).ok()
}

impl Script {
    /// Turns that wait for a situation of this game: of the last turn that showed what failed, of the last turn of all, and of the one
    /// before it.
    fn waited_for(&self, requirement: Option<&'static str>) -> Vec<Vec<String>> {
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
                let turns = [
                    format!("play: until mover can {kind}"),
                    format!("mover: any {kind}"),
                ];
                let often = turns.iter().cycle().take(2 * OFTEN).cloned();
                often.chain(["play: to the end".to_owned()]).collect()
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
        let items = self.dialect.game().coverage_items();
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

    fn waited_for_at(&self, place: usize) -> Vec<Vec<String>> {
        let Some(turn) = self.turns.get(place) else {
            return Vec::new();
        };
        let key = text::key_of(self.dialect, self.side, self.bot_seat, turn.seat);
        let until = |situation: &str| format!("play: until {key} {situation}");
        if turn.what == ScriptDeed::Skip {
            return vec![vec![until("cannot move")]];
        }
        let kinds = self.kinds_at(place).into_iter();
        kinds
            .map(|kind| vec![until(&format!("can {kind}")), format!("mover: any {kind}")])
            .collect()
    }

    /// The kinds of the move that was made there.
    fn kinds_at(&self, place: usize) -> Vec<&'static str> {
        let Some((table, turn)) = self.before(place) else {
            return Vec::new();
        };
        match turn.what {
            // What a bot does with it is its own choice.
            ScriptDeed::Move(mv) if !self.is_bots(turn.seat) => {
                let kinds = self
                    .dialect
                    .game()
                    .move_kinds()
                    .iter()
                    .map(|kind| kind.name)
                    .chain([WIN.name]);
                kinds.filter(|kind| table.is_of_kind(mv, kind)).collect()
            }
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    use super::*;
    use crate::config::Subject;
    use crate::explore::script::ScriptTurn;
    use crate::pack;
    use crate::peers;
    use crate::rules::{Seat, Setup, below};
    use crate::scenario::Side;

    const LAST_SHARED: &str = "ur/capture/last-shared-cell";

    fn referee() -> Subject {
        peers::find("royalur")
            .unwrap()
            .subject("urtext", Side::Referee, None)
    }

    /// A game of Ur by random rolls and moves, up to a few turns after the first capture on the last shared cell, and who captures there.
    fn with_a_capture_on_the_last_shared_cell() -> (Script, Seat) {
        let dialect = pack::dialect("royalur").unwrap();
        let (game, items) = (dialect.game(), dialect.game().coverage_items());
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let (mut table, mut turns) = (game.table(Setup::default()), Vec::new());
        let mut captured = None;
        loop {
            let (seat, roll) = (table.to_move(), game.draw_roll(random.next_u64()));
            if !table.take_roll(roll) {
                turns.push(ScriptTurn::plain(seat, Some(roll), ScriptDeed::Skip));
                continue;
            }
            let legal = table.legal_moves();
            let mv = legal[below(random.next_u64(), legal.len())];
            turns.push(ScriptTurn::plain(seat, Some(roll), ScriptDeed::Move(mv)));
            table.covers(roll, Some(mv), &mut |item| {
                if captured.is_none() && items[item].requirement == Some(LAST_SHARED) {
                    captured = Some((turns.len(), seat));
                }
            });
            table.play(mv).unwrap();
            if table.legal_moves().is_empty() && table.phase() != crate::rules::Phase::Roll {
                (table, turns) = (game.table(Setup::default()), Vec::new());
                captured = None;
            }
            if let Some((at, by)) = captured.filter(|(at, _)| turns.len() > at + 4) {
                assert!(at > 0);
                let script = Script {
                    dialect,
                    side: Side::Referee,
                    bot_seat: Seat::First,
                    setup: None,
                    timeout: None,
                    turns,
                    free_from: usize::MAX,
                    then_free: 0,
                };
                return (script, by);
            }
        }
    }

    /// A planned game in which somebody breaks a rule.
    fn hostile_game(explorer: &mut Explorer) -> Planned {
        loop {
            let planned = explorer.plan(1).swap_remove(0);
            let breaks_a_rule = |number| explorer.hostile(number).code.is_some();
            if planned.hostile.is_some_and(breaks_a_rule) {
                return planned;
            }
        }
    }

    #[test]
    fn waits_first_for_what_the_turn_showed_that_failed_however_long_before() {
        let (script, by) = with_a_capture_on_the_last_shared_cell();
        let mut explorer = Explorer::new(&referee(), 1, 0).unwrap();
        let planned = explorer.plan(1).swap_remove(0);
        let waiting = explorer.waiting_for(&planned, &script, Some(LAST_SHARED), None);
        let by = script.dialect.game().seat_name(by);
        let first = format!("turns:\n  - play: until {by} can capture\n  - mover: any capture\n");
        assert!(
            waiting.telling[0].ends_with(&first),
            "{}",
            waiting.telling[0]
        );
        let is_often = |text: &String| text.matches("any capture").count() == OFTEN;
        assert!(
            waiting.telling.iter().any(is_often),
            "{:?}",
            waiting.telling
        );
        for text in waiting.telling.iter().chain(&waiting.any) {
            assert!(read(text, "x").is_some(), "{text}");
        }
    }

    #[test]
    fn a_hostile_turn_is_waited_for_only_where_the_game_came_to_it() {
        let (script, _) = with_a_capture_on_the_last_shared_cell();
        let mut explorer = Explorer::new(&referee(), 1, 100).unwrap();
        let planned = hostile_game(&mut explorer);
        let [.., until, hostile] = &Arc::clone(&planned.scenario).steps[..] else {
            panic!()
        };
        let first_when_it_failed_in = |step: Span| {
            let waiting = explorer.waiting_for(&planned, &script, Some(LAST_SHARED), Some(step));
            let is_hostile = |text: &String| text.contains("illegal");
            (
                waiting.telling.iter().position(is_hostile),
                waiting.any.iter().any(is_hostile),
            )
        };
        assert_eq!(first_when_it_failed_in(until.span), (None, false));
        assert_eq!(first_when_it_failed_in(hostile.span), (Some(0), false));
    }
}
