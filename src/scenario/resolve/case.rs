//! One scenario of a file, from its keys.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::sync::Arc;

use super::budget::Budget;
use super::fill::Fill;
use super::header::MOST_ATTEMPTS;
use super::include::Includer;
use super::matchup::Matchup;
use super::paper::Undetermined;
use super::timing::Setting;
use super::{cases, checks, file_name, header, lines, paper, timing, turns};
use crate::diagnostic::Faults;
use crate::pack::{self, Protocol};
use crate::rules::Seat;
use crate::scenario::planned_game::ATTEMPTS;
use crate::scenario::{
    Golden, LineEnd, NamedGolden, Plan, PlannedGame, Scenario, ScenarioFiles, Side,
};
use crate::yaml::{Key, Kind, MapReader, Node, Number, Value};

/// One scenario of a file.
pub(super) struct Case<'c> {
    pub(super) name: &'c str,
    pub(super) case: Option<&'c str>,
    pub(super) fill: &'c Fill<'c, 'c>,
    pub(super) budget: &'c Budget,
    /// The golden transcripts that the cases before have named.
    pub(super) goldens: &'c RefCell<HashSet<String>>,
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

    /// The scenario of which no more is known than what it is called and what it is about.
    fn empty(&self, plan: Plan, title: String, faults: &Faults<'_>) -> Scenario {
        let text = String::from_utf8_lossy(faults.source().bytes());
        let comments = text.lines().map_while(|line| line.strip_prefix('#'));
        Scenario {
            source: faults.source().clone(),
            name: self.name.to_owned(),
            case: self.case.map(str::to_owned),
            comments: comments
                .map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned())
                .collect(),
            ..Scenario::new(plan, title)
        }
    }

    pub(super) fn whole(&self, root: &Node, faults: &Faults<'_>) -> Option<Scenario> {
        if is_dialogue(root) {
            return self.dialogue(root, faults);
        }
        let mut keys = MapReader::new(root, "a scenario", faults)?;
        let title = keys.required("scenario");
        let game = keys.required_such_as("game", pack::usual().game.name());
        let subject = keys.required_such_as("subject", Side::Referee.word());
        let seat = keys.entry("seat");
        let checks = keys.required("checks");
        let names = keys.optional("names");
        let writes = keys.entry("writes");
        let spectators = keys.entry("spectators");
        let connect = keys.optional("connect");
        let timeout = keys.optional("timeout");
        let pace = keys.entry("pace");
        let slow = keys.optional("slow");
        let tags = keys.optional("tags");
        let turns = keys.required("turns");
        let golden_entry = keys.entry("golden");
        let setup = header::setup_entries(&mut keys, game);
        let attempts = keys.optional("attempts");
        for key in cases::KEYS {
            keys.optional(key);
        }
        keys.finish();

        let title = title.and_then(|node| header::title(node, faults));
        let attempts = attempts.and_then(|node| Number::<1, MOST_ATTEMPTS>::read(node, faults));
        let is_slow = slow
            .and_then(|node| node.as_bool(faults))
            .unwrap_or_default();
        let names = names.and_then(|node| header::names(node, faults));
        let golden_path = golden_entry.and_then(|(_, node)| file_name::golden(node, faults));
        let entries = turns.and_then(|node| turns::entries(node, faults));
        let first_key = entries.and_then(turns::first_key);
        let side = header::side(subject, first_key, faults);
        let dialect = game.and_then(|node| Protocol::read(node, faults)?.dialect())?;
        let timeout = timeout.and_then(|node| timing::timeout(node, dialect.game(), faults));
        let pace = pace.and_then(|entry| timing::pace(entry, dialect.game(), faults));
        let settings = [
            (["timeout", "timeout_ms"], timeout),
            (["pace", "pace_ms"], pace),
        ];
        let unset = settings
            .into_iter()
            .filter(|(_, setting)| matches!(setting, Some(Setting::Default(_))));
        let unset = unset.flat_map(|(places, _)| places).collect();
        let side = side?;
        let bot_seat = header::seat(seat, root.span, side, dialect.game(), first_key, faults);
        let setup = header::setup(&setup, dialect.game(), faults);
        let matchup = Matchup {
            dialect,
            side,
            bot_seat,
            setup,
        };
        let checks = checks
            .map(|node| checks::checks(node, &matchup, faults))
            .unwrap_or_default();
        let spectators = header::spectators(spectators, &matchup, faults);
        let writes = header::writes(writes, side, faults);

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
            bot_seat: if side == Side::Bot {
                bot_seat
            } else {
                Seat::First
            },
            checks: checks.iter().map(|(id, _)| *id).collect(),
            spectators,
            timeout: timeout.map(Setting::time),
            pace: pace.map(Setting::time),
            unset,
            setup,
            attempts: attempts.map_or(ATTEMPTS, |attempts| attempts.0 as u32),
            names,
            writes,
            steps: of_steps.cloned().collect(),
            ..PlannedGame::new(dialect, side)
        };
        let has_proven_checks = self.files.has_proven_checks();
        let checked = paper::check(&plan, &steps, has_proven_checks, self.budget, faults);
        plan.barrier = checked.barrier;
        let why = checked.undetermined.as_ref();
        let golden = self.golden(golden_entry, golden_path, why, faults)?;
        let golden_name = golden_path.filter(|_| why.is_none()).map(str::to_owned);
        let title = title?;
        plan.connect = connect
            .map(|node| header::connect(node, &plan, faults))
            .unwrap_or_default();
        plan.refuse_idle_checks(&checks, checked.idle, faults);
        Some(Scenario {
            is_slow,
            tags: tags.map_or(Vec::new(), |node| header::tags(node, faults)),
            golden,
            golden_name,
            ..self.empty(Plan::Game(Arc::new(plan)), title, faults)
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

    /// A scenario that is a dialogue, line by line.
    fn dialogue(&self, root: &Node, faults: &Faults<'_>) -> Option<Scenario> {
        let mut keys = MapReader::new(root, "a scenario of lines", faults)?;
        let title = keys.required("scenario");
        keys.required("game");
        let subject = keys.required("subject");
        let slow = keys.optional("slow");
        let tags = keys.optional("tags");
        let participants = keys.optional("participants");
        let line_end = keys.optional("line-end");
        let steps = keys.required("steps");
        let golden_entry = keys.entry("golden");
        for key in cases::KEYS {
            keys.optional(key);
        }
        keys.finish();
        let title = title.and_then(|node| header::title(node, faults));
        let side = header::side(subject, None, faults)?;
        let golden_path = golden_entry.and_then(|(_, node)| file_name::golden(node, faults));
        let line_end = line_end.and_then(|node| LineEnd::read(node, faults));
        let line_end = line_end.unwrap_or_default();
        let budget = self.budget;
        let dialogue = lines::dialogue(participants, steps?, side, line_end, budget, faults)?;
        let named = golden_entry
            .zip(golden_path)
            .map(|((_, node), path)| self.named_golden(path, node, faults));
        Some(Scenario {
            is_slow: slow
                .and_then(|node| node.as_bool(faults))
                .unwrap_or_default(),
            tags: tags.map_or(Vec::new(), |node| header::tags(node, faults)),
            golden: self.files.golden(self.case, named, faults),
            golden_name: golden_path.map(str::to_owned),
            ..self.empty(Plan::Dialogue(Arc::new(dialogue)), title?, faults)
        })
    }
}

/// Returns true if the scenario plays a game without rules.
fn is_dialogue(root: &Node) -> bool {
    let is_lines =
        |node: &Node| matches!(&node.value, Value::Scalar(scalar) if scalar.text == "lines");
    root.entry("game").is_some_and(|(_, node)| is_lines(node))
}
