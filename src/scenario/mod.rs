//! A scenario: one YAML file, a game to play and what must be seen of it. It is data: it never names a program to run.

pub mod parse;
mod script;

pub use script::{Choice, Deed, Golden, Scenario, Side, Step, StepKind, Turn};
