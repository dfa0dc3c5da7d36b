//! One scenario of a file, from its keys.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashSet;
use std::sync::Arc;

use super::budget::{Budget, Work};
use super::checks::{self, Known};
use super::fill::Fill;
use super::include::Includer;
use super::keys::{DialogueKeys, GameKeys, HeadKeys, SelectionKeys};
use super::kinds::Time;
use super::matchup::Matchup;
use super::paper::Undetermined;
use super::{catalogue, file_name, header, lines, paper, timing, turns};
use crate::diagnostic::{Faults, Span};
use crate::requirement::Catalogue;
use crate::rules::Seat;
use crate::scenario::planned_game::ATTEMPTS;
use crate::scenario::{
    Dialogue, Golden, NamedGolden, Plan, PlannedGame, Scenario, ScenarioFiles, Side,
};
use crate::yaml::{Key, Kind, Node, Value, Written};

/// One scenario of a file.
pub(super) struct Case<'c> {
    pub(super) name: &'c str,
    pub(super) case: Option<&'c str>,
    pub(super) fill: &'c Fill<'c, 'c>,
    pub(super) budget: &'c Budget,
    /// The golden transcripts that the cases before have named.
    pub(super) goldens: &'c RefCell<HashSet<String>>,
    /// The catalogue of a dialogue, once a case has read it.
    pub(super) catalogue: &'c OnceCell<&'static Catalogue>,
    pub(super) files: &'c dyn ScenarioFiles,
}

impl Case<'_> {
    /// A golden transcript with a path of its own, which no other case may have.
    fn named_golden<'p>(&self, path: &'p str, node: &Node, faults: &Faults<'_>) -> NamedGolden<'p> {
        if self.case.is_some() && !self.goldens.borrow_mut().insert(path.to_owned()) {
            let help = "write `{case}` into its name, or remove the line: the name follows from the case's";
            let title = "another case has the same golden transcript";
            faults.refuse("scenario/golden", title, node.span, "", help);
        }
        NamedGolden {
            path,
            span: node.span,
        }
    }

    /// The scenario of a plan, without its golden transcript.
    fn scenario(
        &self,
        head: &HeadKeys,
        selection: &SelectionKeys,
        plan: Plan,
        faults: &Faults<'_>,
    ) -> Option<Scenario> {
        let source = faults.source();
        let text = source.text().unwrap_or_default();
        let comments = text.lines().map_while(|line| line.strip_prefix('#'));
        let comments: Vec<&str> = comments.collect();
        let work = Work::Fill(comments.iter().map(|line| line.len()).sum());
        if !self.budget.spend(work, source, Span::at(0)) {
            return None;
        }
        let tags = selection.tags.as_ref();
        Some(Scenario {
            source: source.clone(),
            name: self.name.to_owned(),
            case: self.case.map(str::to_owned),
            comments: comments
                .into_iter()
                .map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned())
                .collect(),
            is_slow: selection.is_slow.unwrap_or_default(),
            tags: tags.map(|tags| tags.0.clone()).unwrap_or_default(),
            ..Scenario::new(plan, head.title.as_ref()?.trim().to_owned())
        })
    }

    pub(super) fn whole(&self, root: &Node, faults: &Faults<'_>) -> Option<Scenario> {
        if is_dialogue(root) {
            return self.dialogue(root, faults);
        }
        let written = Written::<GameKeys>::read(root, faults)?;
        let keys = &written.is;
        let golden_entry = root.entry("golden");
        let golden_path = keys.golden.as_ref().map(|golden| golden.0.as_str());
        let turns = root.entry("turns").map(|(_, node)| node);
        let entries = turns.and_then(|node| turns::entries(node, faults));
        let first_key = entries.and_then(turns::first_key);
        let side = header::side(keys.head.side, first_key);
        let dialect = keys.head.game?.dialect()?;
        let game = dialect.game();
        let timeout = timing::timeout(&written, game, faults);
        let pace = timing::pace(&written, game, faults);
        let times = [
            (["timeout", "timeout_ms"], keys.timeout),
            (["pace", "pace_ms"], keys.pace),
        ];
        let unset = times
            .into_iter()
            .filter(|(_, time)| *time == Some(Time::Default));
        let unset = unset.flat_map(|(places, _)| places).collect();
        let side = side?;
        header::refuse_other_side(&written, side, faults);
        let bot_seat = match side {
            Side::Referee => Seat::First,
            Side::Bot => header::seat(keys.seat.as_ref(), root.span, game, first_key, faults),
        };
        let setup = header::setup(&keys.setup.0, game, faults);
        let matchup = Matchup {
            dialect,
            side,
            bot_seat,
            setup,
        };
        let ids = keys.checks.as_ref().map_or(&[][..], |ids| &ids.0);
        let checks = checks::checks(ids, &Known::of_game(&matchup), faults);
        let spectators = header::spectators(&written, &matchup, faults);

        let entries = entries?;
        let includer = Includer {
            files: self.files,
            fill: self.fill,
            matchup: &matchup,
            budget: self.budget,
            count: Cell::new(0),
        };
        let steps = includer.steps(entries, faults);
        let of_steps = steps.iter().flatten();
        let mut plan = PlannedGame {
            bot_seat,
            checks: checks.iter().map(|(id, _)| *id).collect(),
            spectators,
            timeout,
            pace,
            unset,
            setup,
            attempts: keys.attempts.map_or(ATTEMPTS, |attempts| attempts.0 as u32),
            names: keys.names.as_ref().map(|names| names.0.clone()),
            writes: keys
                .writes
                .filter(|_| side == Side::Bot)
                .unwrap_or_default(),
            steps: of_steps.cloned().collect(),
            ..PlannedGame::new(dialect, side)
        };
        let has_proven_checks = self.files.has_proven_checks();
        let checked = paper::check(&plan, &steps, has_proven_checks, self.budget, faults);
        plan.barrier = checked.barrier;
        let why = checked.undetermined.as_ref();
        let golden = self.golden(golden_entry, golden_path, why, faults)?;
        let golden_name = golden_path.filter(|_| why.is_none()).map(str::to_owned);
        plan.connect = header::connect(&written, &plan, faults);
        plan.refuse_idle_checks(&checks, checked.idle, faults);
        let scenario = self.scenario(
            &keys.head,
            &keys.selection,
            Plan::Game(Arc::new(plan)),
            faults,
        )?;
        Some(Scenario {
            golden,
            golden_name,
            ..scenario
        })
    }

    /// Finds the golden transcript of a game; `path` is that of the entry. `undetermined`: why the game can differ the next time.
    fn golden(
        &self,
        entry: Option<&(Key, Node)>,
        path: Option<&str>,
        undetermined: Option<&Undetermined>,
        faults: &Faults<'_>,
    ) -> Option<Golden> {
        let named = match (entry, undetermined) {
            (Some(entry), Some(why)) => {
                file_name::refuse_golden(entry, why, faults);
                return Some(Golden::None);
            }
            (None, Some(_)) => return Some(Golden::None),
            (Some((_, node)), None) => Some(self.named_golden(path?, node, faults)),
            (None, None) => None,
        };
        Some(self.files.golden(self.case, named, faults))
    }

    /// The requirements that a dialogue checks, out of the catalogue next to it.
    fn checks(
        &self,
        keys: &DialogueKeys,
        node: Option<&Node>,
        faults: &Faults<'_>,
    ) -> Option<Vec<&'static str>> {
        let Some((ids, node)) = keys.checks.as_ref().zip(node) else {
            return Some(Vec::new());
        };
        let catalogue = match self.catalogue.get() {
            Some(catalogue) => catalogue,
            None => {
                let read = catalogue::read(self.files, node.span, self.budget, faults)?;
                self.catalogue.get_or_init(|| read)
            }
        };
        let known = Known::of_dialogue(catalogue, keys.head.side?);
        let checks = checks::checks(&ids.0, &known, faults);
        Some(checks.into_iter().map(|(id, _)| id).collect())
    }

    /// A scenario that is a dialogue, line by line.
    fn dialogue(&self, root: &Node, faults: &Faults<'_>) -> Option<Scenario> {
        let keys = DialogueKeys::read(root, faults)?;
        let node = |key| root.entry(key).map(|(_, node)| node);
        let side = keys.head.side?;
        let checks = self.checks(&keys, node("checks"), faults);
        let dialogue = lines::dialogue(
            node("participants"),
            node("steps")?,
            side,
            keys.line_end.unwrap_or_default(),
            self.budget,
            faults,
        )?;
        let golden_path = keys.golden.as_ref().map(|golden| golden.0.as_str());
        let named = node("golden").zip(golden_path);
        let named = named.map(|(node, path)| self.named_golden(path, node, faults));
        let plan = Plan::Dialogue(Arc::new(Dialogue {
            checks: checks?,
            ..dialogue
        }));
        let scenario = self.scenario(&keys.head, &keys.selection, plan, faults)?;
        Some(Scenario {
            golden: self.files.golden(self.case, named, faults),
            golden_name: golden_path.map(str::to_owned),
            ..scenario
        })
    }
}

/// Returns true if the scenario plays a game without rules.
fn is_dialogue(root: &Node) -> bool {
    let is_lines =
        |node: &Node| matches!(&node.value, Value::Scalar(scalar) if scalar.text == "lines");
    root.entry("game").is_some_and(|(_, node)| is_lines(node))
}
