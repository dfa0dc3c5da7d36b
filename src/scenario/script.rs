//! A scenario as it is played.

use std::path::PathBuf;
use std::sync::Arc;

use super::keys::ScenarioKeys;
use super::{Dialogue, PlannedGame, Side, Turn};
use crate::diagnostic::{Source, Span};
use crate::pack::Protocol;
use crate::rules::{Mistake, Roll, Seat};

/// A scenario, read and resolved: names found, moves checked as far as they can be without running.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// Its text, for positions.
    pub source: Source,
    /// Short name, such as `royalur/referee/extra-turn-cell-8`: its path in the suite without the ending, and `#` with the case.
    pub name: String,
    /// Name of the case, if the file has several.
    pub case: Option<String>,
    /// Title, in one line.
    pub title: String,
    /// The keys that are kept as they are written.
    pub keys: ScenarioKeys,
    /// A game or a dialogue.
    pub plan: Plan,
    /// Its golden transcript.
    pub golden: Golden,
    /// The files that its text includes, with their paths from its folder.
    pub included: Arc<Vec<(String, Source)>>,
}

/// Content of a scenario.
#[derive(Debug, Clone)]
pub enum Plan {
    /// A game, turn by turn.
    Game(Arc<PlannedGame>),
    /// A dialogue without rules, line by line.
    Dialogue(Arc<Dialogue>),
}

/// Location of the golden transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Golden {
    /// The game is not determined by the scenario, so there is none.
    None,
    /// This text, embedded in the program.
    Shipped {
        /// Its name, for messages.
        name: String,
        /// Its text.
        text: &'static str,
    },
    /// This file. If the scenario names it, it has to exist.
    File {
        /// Path of the file, which may not exist yet.
        path: PathBuf,
    },
}

/// One step of a scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Span of the step.
    pub span: Span,
    /// Kind of the step.
    pub kind: StepKind,
}

/// Kind of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepKind {
    /// One turn.
    Turn(Turn),
    /// Free rolls and legal moves until the game is over; always the last step.
    PlayToTheEnd,
    /// Free rolls and legal moves until a situation has come up.
    PlayUntil(Until),
    /// One turn, made up for the position that has come up.
    Improvise(Turn<Option<Seat>>),
}

/// Legal play, chosen by the seed, until a situation has come up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Until {
    /// In whose turn it has to be; `None`: in anybody's.
    pub who: Option<Seat>,
    /// The situation.
    pub situation: Situation,
    /// The most turns that are played for it.
    pub turns: u32,
}

/// A situation at the beginning of a turn, its roll included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Situation {
    /// The player is on turn, with a move to make.
    CanMove,
    /// The player has no legal move.
    CannotMove,
    /// This was rolled.
    Rolled(Roll),
    /// A legal move of this kind is there.
    Can(&'static str),
    /// A move is there that the rules refuse for this reason, by its code.
    CanBreak(&'static str),
    /// A move puts these requirements to the test: a legal one, or one that the rules refuse for the reason with this code, and
    /// that one of these mistakes allows, where there are any. No file says it.
    CanTest(
        Option<&'static str>,
        Vec<&'static str>,
        Vec<&'static Mistake>,
    ),
    /// The game has put these requirements to the test. No file says it.
    Tested(Vec<&'static str>),
    /// The game has told the mistakes in the rules from the rules that these words mean, as far as
    /// one game can. urtext chooses what it can choose towards that; the end of the game and the most turns will do as well.
    ToldApart(Vec<String>),
}

impl Scenario {
    /// A scenario that leaves everything else as it is where a file says nothing. It has no text and no name.
    #[must_use]
    pub fn new(plan: Plan, title: String) -> Scenario {
        Scenario {
            source: Source::new("", ""),
            name: String::new(),
            case: None,
            title,
            keys: ScenarioKeys::default(),
            plan,
            golden: Golden::None,
            included: Arc::default(),
        }
    }

    /// The game; `None` if the scenario is a dialogue.
    #[must_use]
    pub fn game(&self) -> Option<&PlannedGame> {
        match &self.plan {
            Plan::Game(game) => Some(game),
            Plan::Dialogue(_) => None,
        }
    }

    /// The game, to be changed; `None` if the scenario is a dialogue.
    pub fn game_mut(&mut self) -> Option<&mut PlannedGame> {
        match &mut self.plan {
            Plan::Game(game) => Some(Arc::make_mut(game)),
            Plan::Dialogue(_) => None,
        }
    }

    /// Returns true if it waits for what another form of it forces.
    #[must_use]
    pub fn is_by_chance(&self) -> bool {
        self.game().is_some_and(|plan| plan.is_by_chance)
    }

    /// The scenario without what it forces, which is waited for instead, where it can be.
    #[must_use]
    pub fn by_chance(self) -> Scenario {
        match self.game().and_then(PlannedGame::by_chance) {
            Some(plan) => Scenario {
                plan: Plan::Game(Arc::new(plan)),
                golden: Golden::None,
                keys: ScenarioKeys {
                    golden: None,
                    ..self.keys
                },
                ..self
            },
            None => self,
        }
    }

    /// The scenario with the names that the players have anyway, where it is not about its names.
    #[must_use]
    pub fn without_names(mut self) -> Scenario {
        if let Some(plan) = self.game().and_then(PlannedGame::without_names) {
            self.plan = Plan::Game(Arc::new(plan));
        }
        self
    }

    /// Kind of subject.
    #[must_use]
    pub fn side(&self) -> Side {
        match &self.plan {
            Plan::Game(game) => game.side,
            Plan::Dialogue(dialogue) => dialogue.side,
        }
    }

    /// Protocol of its lanes.
    #[must_use]
    pub fn protocol(&self) -> Protocol {
        let of_game = |game: &PlannedGame| Protocol::Game(game.dialect);
        self.game().map_or(Protocol::Lines, of_game)
    }

    /// Ids of the requirements that it checks, the one that it exists for first.
    #[must_use]
    pub fn checks(&self) -> &[&'static str] {
        match &self.plan {
            Plan::Game(game) => &game.checks,
            Plan::Dialogue(dialogue) => &dialogue.checks,
        }
    }

    /// Number of player lanes and of spectator lanes, which have the first numbers and those after them.
    #[must_use]
    pub fn lanes(&self) -> (usize, usize) {
        match &self.plan {
            Plan::Dialogue(dialogue) => (dialogue.participants.len(), 0),
            Plan::Game(game) => game.lanes(),
        }
    }

    /// Returns true if a lane is open from the start.
    #[must_use]
    pub fn opens_at_start(&self, lane: usize) -> bool {
        self.game().is_none_or(|game| game.opens_at_start(lane))
    }

    /// Returns the scenario's location for a command line: its file, and `#` with the case if the file has
    /// several.
    #[must_use]
    pub fn place(&self) -> String {
        let case = self.case.iter().map(|case| format!("#{case}"));
        std::iter::once(self.source.name().to_owned())
            .chain(case)
            .collect()
    }
}
