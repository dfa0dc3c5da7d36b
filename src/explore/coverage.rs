//! Coverage of explored games: the situations that were seen, with counts.

use std::collections::BTreeMap;

use super::hostile::Hostile;
use crate::event::Outcome;
use crate::finding::Verdict;
use crate::pack;
use crate::protocol::Dialect;
use crate::requirement::Requirement;
use crate::scenario::{PlannedGame, PlayedGame, Side};
use crate::transcript::{LaneLabel, LaneTranscript};

/// Count of one situation or hostile turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoverageRow {
    /// Name of the situation or turn.
    pub name: String,
    /// Id of the requirement that shows there, where it is one in particular.
    pub requirement: Option<&'static str>,
    /// Number of times seen.
    pub times: u64,
    /// Reason why the situation is impossible with this subject, if it is.
    pub impossible: Option<String>,
}

/// Coverage of explored games.
#[derive(Debug, Clone)]
pub struct Coverage {
    dialect: &'static dyn Dialect,
    side: Side,
    /// Situations, by the numbers of the game's coverage items.
    pub situations: Vec<CoverageRow>,
    /// Hostile turns, in the order of the explorer.
    pub hostile: Vec<CoverageRow>,
    requirements: BTreeMap<&'static str, u64>,
    /// Games by verdict.
    pub games: BTreeMap<Verdict, u64>,
    /// Reasons of games without a verdict, each with the number of games.
    pub undecided: BTreeMap<String, u64>,
}

impl Coverage {
    /// Nothing seen yet. `impossible` says why a hostile turn cannot be done with the subject.
    pub(super) fn new(
        dialect: &'static dyn Dialect,
        side: Side,
        hostile: &[Hostile],
        mut impossible: impl FnMut(&Hostile) -> Option<String>,
    ) -> Coverage {
        let situation = |item: &crate::rules::CoverageItem| CoverageRow {
            name: item.name.to_owned(),
            requirement: item.requirement,
            times: 0,
            impossible: None,
        };
        let hostile = hostile.iter().map(|turn| CoverageRow {
            name: turn.name(dialect, side),
            requirement: turn.requirement,
            times: 0,
            impossible: impossible(turn),
        });
        Coverage {
            dialect,
            side,
            situations: dialect
                .game()
                .coverage_items()
                .iter()
                .map(situation)
                .collect(),
            hostile: hostile.collect(),
            requirements: BTreeMap::new(),
            games: BTreeMap::new(),
            undecided: BTreeMap::new(),
        }
    }

    /// Counts what a game has shown; `hostile` is the number of its hostile turn.
    pub(super) fn take(&mut self, plan: &PlannedGame, outcome: &Outcome, hostile: Option<usize>) {
        *self.games.entry(outcome.verdict).or_default() += 1;
        if outcome.verdict == Verdict::Error {
            return;
        }
        if let (Verdict::Inconclusive | Verdict::Unsupported, [first, ..]) =
            (outcome.verdict, &outcome.findings[..])
        {
            *self.undecided.entry(first.title.to_string()).or_default() += 1;
        }
        let requirements = &mut self.requirements;
        let mut rest = |id: &'static str| *requirements.entry(id).or_default() += 1;
        let is_whole = outcome.verdict <= Verdict::Lenient;
        let history = outcome.history.as_slice();
        let transcript = &outcome.transcript;
        let is_spectator = |lane: &&LaneTranscript| matches!(lane.label, LaneLabel::Spectator(_));
        let situations = plan.exercised(
            &PlayedGame {
                history,
                setup: outcome.setup,
                spectators: transcript.lanes.iter().filter(is_spectator).count(),
                losing_move: outcome.losing_move,
                is_whole,
            },
            &mut rest,
        );
        let open = outcome.open.iter();
        open.filter_map(|choice| pack::requirement(&choice.requirement))
            .for_each(|entry| rest(&entry.id));
        for item in situations {
            self.situations[item].times += 1;
        }
        if let Some(number) = hostile.filter(|_| is_whole) {
            self.hostile[number].times += 1;
        }
    }

    /// Returns true if a situation has not been seen.
    #[must_use]
    pub fn is_unseen(&self, item: usize) -> bool {
        self.situations[item].times == 0
    }

    /// Returns true if games were played and not one could be judged.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        let mut verdicts = self.games.keys();
        !self.games.is_empty() && verdicts.all(|verdict| *verdict == Verdict::Error)
    }

    /// Returns true if every possible situation and hostile turn has been seen.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.situations
            .iter()
            .chain(&self.hostile)
            .all(|row| row.times > 0 || row.impossible.is_some())
    }

    /// The requirements on this side that playing can put to the test, each with how often a game has put it to the test.
    pub fn requirements(&self) -> impl Iterator<Item = (&'static Requirement, u64)> {
        let side = self.side;
        let entries = pack::requirements_of(self.dialect.game().name());
        let can_be_played = |entry: &&Requirement| entry.unchecked.is_none();
        let bound = entries
            .filter(can_be_played)
            .filter(move |entry| entry.binds.contains(&side));
        bound.map(|entry| {
            (
                entry,
                self.requirements
                    .get(entry.id.as_str())
                    .copied()
                    .unwrap_or_default(),
            )
        })
    }

    /// The game that is explored.
    #[must_use]
    pub fn game(&self) -> &'static str {
        self.dialect.game().name()
    }

    /// Returns the kind of subject.
    #[must_use]
    pub fn side(&self) -> Side {
        self.side
    }

    /// Returns the number of games played.
    #[must_use]
    pub fn played(&self) -> u64 {
        self.games.values().sum()
    }
}
