//! One scenario of a file, from its keys.

use std::sync::Arc;

use super::cases::Case;
use super::checks::{self, Known};
use super::include::Includer;
use super::keys::{DialogueKeys, GameKeys, HeadKeys, Time};
use super::paper::Undetermined;
use super::{header, include, lines, paper, turns};
use crate::diagnostic::Faults;
use crate::pack::Protocol;
use crate::scenario::keys::ScenarioKeys;
use crate::scenario::{Dialogue, Golden, GoldenName, Plan, PlannedGame, Scenario, Side};
use crate::yaml::{At, Kind, Node};

impl Case<'_> {
    /// The scenario of a plan, from the keys of every scenario. `why`: why the game can differ the next time.
    fn scenario(
        &self,
        root: &Node,
        (head, keys): (&HeadKeys, &ScenarioKeys),
        why: Option<&Undetermined>,
        plan: Plan,
        faults: &Faults,
    ) -> Option<Scenario> {
        let golden = self.golden(root, keys.golden.as_ref(), why, faults);
        Some(Scenario {
            source: faults.source().clone(),
            name: self.name.clone(),
            case: self.case().map(str::to_owned),
            keys: keys.clone(),
            golden,
            ..Scenario::new(plan, head.title.as_ref()?.trim().to_owned())
        })
    }

    pub(super) fn whole(&self, root: &Node, faults: &Faults) -> Option<Scenario> {
        if is_dialogue(root) {
            return self.dialogue(root, faults);
        }
        let keys = GameKeys::read(root, faults)?;
        let entries = keys
            .turns
            .node()
            .and_then(|node| turns::entries(node, faults));
        let first_key = entries.and_then(turns::first_key);
        let side = header::side(keys.head.side, first_key);
        let dialect = keys.head.game?.dialect()?;
        let game = dialect.game();
        let mut plan = PlannedGame::new(dialect, side.unwrap_or(Side::Referee));
        plan.keys = keys.plan.clone();
        let usual = game.data().default_timeout;
        plan.timeout = header::time(keys.timeout, "timeout", usual, game, faults);
        plan.pace = header::pace(keys.pace, game, faults);
        let times = [
            (["timeout", "timeout_ms"], keys.timeout),
            (["pace", "pace_ms"], keys.pace),
        ];
        let is_default = |time: At<Time>| time.is == Time::Default;
        let unset = times
            .into_iter()
            .filter(|(_, time)| time.is_some_and(is_default));
        plan.unset = unset.flat_map(|(places, _)| places).collect();
        let side = side?;
        header::refuse_other_side(root, side, faults);
        if side == Side::Bot {
            plan.bot_seat = header::seat(keys.seat.node(), root.span, game, first_key, faults);
        }
        plan.setup = header::setup(&keys.setup.0, game, faults);
        let ids = keys.checks.as_ref().map_or(&[][..], |ids| &*ids.0);
        let checks = checks::checks(ids, &Known::of_game(&plan), faults);
        plan.checks = checks.iter().map(|(id, _)| *id).collect();
        plan.spectators = header::spectators(&keys, root, &plan, faults);

        let includer = Includer {
            case: self,
            plan: &plan,
        };
        let steps = includer.steps(entries?, faults);
        plan.steps = steps.iter().flatten().cloned().collect();
        let has_proven_checks = self.file.files.has_proven_checks();
        let checked = paper::check(&plan, &steps, has_proven_checks, faults);
        plan.barrier = checked.barrier;
        header::check_connect(root.span_of("connect"), &plan, faults);
        if let Some(idle) = checked.idle.filter(|_| !faults.has_errors()) {
            checks::refuse_idle_checks(&checks, idle, &plan, faults);
        }
        let common = (&keys.head, &keys.scenario);
        let why = checked.undetermined.as_ref();
        self.scenario(root, common, why, Plan::Game(Arc::new(plan)), faults)
    }

    /// Finds the golden transcript; `named`: its path where it has one of its own, which no other case may have. `undetermined`: why the
    /// game can differ the next time.
    fn golden(
        &self,
        root: &Node,
        named: Option<&At<GoldenName>>,
        undetermined: Option<&Undetermined>,
        faults: &Faults,
    ) -> Golden {
        if let Some(why) = undetermined {
            let line = root.line_of("golden");
            line.inspect(|line| include::refuse_golden(*line, why, faults));
            return Golden::None;
        }
        if let Some(At { is, span }) = named
            && self.case().is_some()
            && !self.file.goldens.borrow_mut().insert(is.0.clone())
        {
            let help = "write `{case}` into its name, or remove the line: the name follows from the case's";
            let title = "another case has the same golden transcript";
            faults.refuse("scenario/golden", title, *span, "", help);
        }
        self.file.files.golden(self.case(), named, faults)
    }

    /// The requirements that a dialogue checks, out of the catalogue next to it.
    fn checks(
        &self,
        keys: &DialogueKeys,
        node: Option<&Node>,
        faults: &Faults,
    ) -> Option<Vec<&'static str>> {
        let Some((ids, node)) = keys.checks.as_ref().zip(node) else {
            return Some(Vec::new());
        };
        let catalogue = match self.file.catalogue.get() {
            Some(catalogue) => catalogue,
            None => {
                let read = checks::read(self.file, node.span, faults)?;
                self.file.catalogue.get_or_init(|| read)
            }
        };
        let known = Known::of_dialogue(catalogue, keys.head.side?);
        let checks = checks::checks(&ids.0, &known, faults);
        Some(checks.into_iter().map(|(id, _)| id).collect())
    }

    /// A scenario that is a dialogue, line by line.
    fn dialogue(&self, root: &Node, faults: &Faults) -> Option<Scenario> {
        let keys = DialogueKeys::read(root, faults)?;
        let side = keys.head.side?;
        let node = root.entry("checks").map(|(_, node)| node);
        let checks = self.checks(&keys, node, faults);
        let dialogue = lines::dialogue(
            keys.participants.node(),
            keys.steps.node()?,
            side,
            keys.line_end.unwrap_or_default(),
            faults,
        )?;
        let plan = Plan::Dialogue(Arc::new(Dialogue {
            checks: checks?,
            ..dialogue
        }));
        let common = (&keys.head, &keys.scenario);
        self.scenario(root, common, None, plan, faults)
    }
}

/// Returns true if the scenario plays a game without rules.
fn is_dialogue(root: &Node) -> bool {
    let game = root.entry("game").and_then(|(_, node)| node.text());
    game == Some(Protocol::LINES)
}
