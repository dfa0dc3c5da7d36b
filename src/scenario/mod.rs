//! A scenario: one YAML file, a game to play and what must be seen of it. It is data: it never names a program to run.
//!
//! [`load`] reads scenarios from files, [`suite`] those inside the program, and [`resolve`] a single text.
//! Errors are reported as diagnostics, all errors of a file at once.

mod by_chance;
mod course;
mod exercise;
mod exercised;
mod filter;
mod golden;
mod keys;
mod lines;
mod load;
mod send_part;
mod open_mistake;
mod planned_game;
mod recorded;
mod resolve;
mod script;
mod steering;
pub mod suite;
mod turn;
mod wrong;

pub use crate::requirement::Side;
pub use course::Course;
pub use exercise::PlayedGame;
pub use filter::{Filter, Pattern, Shard};
pub use golden::{Alone, ScenarioFiles, golden_text};
pub use keys::{GoldenName, PlanKeys, ScenarioKeys, Tags};
pub use lines::{
    Captures, Coming, Dialogue, LineAct, LineEnd, LinePattern, LineStep, MOST_SENT, Place,
    PlaceKind, Wanted,
};
pub use load::{discover, entries, files_below, is_scenario_file, load, load_file};
pub use open_mistake::{CHANCE, OpenMistake, OpenMistakes, Sign, awaits, is_shown, see_bot};
pub use planned_game::{PlannedGame, hypotheses_of};
pub use recorded::{free_game, from_script, to_script};
pub(crate) use resolve::MOST_SPECTATORS;
pub use resolve::{resolve, schema, write};
pub use script::{Golden, Plan, Scenario, Situation, Step, StepKind, Until};
pub use send_part::{Leaving, SendPart, Writes};
pub use steering::Steering;
pub use turn::{Act, Choice, Deed, Participant, Turn, TurnPlace};
pub use wrong::Wrong;
