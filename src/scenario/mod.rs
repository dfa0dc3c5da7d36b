//! A scenario: one YAML file, a game to play and what must be seen of it. It is data: it never names a program to run.
//!
//! [`load`] reads scenarios from files, [`suite`] those inside the program, and [`resolve`] a single text.
//! Errors are reported as diagnostics, all errors of a file at once.

mod adaptive;
mod by_chance;
mod deed;
mod discover;
mod exercise;
mod filter;
mod free;
mod golden;
mod line_pattern;
mod lines;
mod load;
mod matching;
mod send_part;
mod open_reading;
mod planned_game;
mod recorded;
mod resolve;
pub mod schema;
mod script;
mod side;
mod steering;
pub mod suite;
mod scenario_files;
mod shard;
mod turn;
mod write;
mod wrong;

pub use adaptive::{Situation, Until};
pub use deed::{Choice, Deed};
pub use discover::{discover, files_below, is_scenario_file};
pub use exercise::PlayedGame;
pub use filter::{Filter, Pattern};
pub use free::free_game;
pub use golden::golden_of;
pub use line_pattern::{Captures, LinePattern, PatternPart, Place, PlaceKind};
pub use lines::{Coming, Dialogue, LineAct, LineEnd, LineStep, MOST_SENT, Wanted};
pub use load::{load, load_file};
pub use matching::mismatches;
pub use open_reading::{CHANCE, OpenReading, OpenReadings, Sign, awaits};
pub use planned_game::{PlannedGame, hypotheses_of};
pub use recorded::{from_script, to_script};
pub(crate) use resolve::MOST_SPECTATORS;
pub use resolve::resolve;
pub use scenario_files::{Alone, NamedGolden, ScenarioFiles};
pub use script::{Golden, Plan, Scenario, Step, StepKind};
pub use send_part::{Leaving, SendPart, Writes};
pub use shard::Shard;
pub use side::Side;
pub use steering::Steering;
pub use turn::{Act, Participant, Turn, TurnPlace};
pub use write::write;
pub use wrong::Wrong;
